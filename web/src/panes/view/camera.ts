// The camera and how it is moved: by hand, by keys, to see everything, along an axis, with a body.
import { PerspectiveCamera, Vector3 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { type UpFrame, upFrameOf } from "./up_frame.ts";
import type { Ball } from "./motion_bounds.ts";

export type Axis = "x" | "y" | "z";
/** Sides to look from, without perspective. */
export const SIDES = ["front", "back", "left", "right", "top", "bottom"] as const;
export type Side = (typeof SIDES)[number];

const ANGLE = 40;
/**
 * A picture without perspective is one from very far away with a very narrow angle: at this one, in degrees, lengths at both ends of
 * a scene differ by less than two pixels of a thousand, and everything that is drawn needs one kind of camera only.
 */
const FLAT_ANGLE = 0.1;
/** What lies over the borders of the picture, in pixels: the clock above, tools at the side. Nothing that shall be seen goes there. */
const BORDERS = { top: 56, bottom: 28, side: 56 };
const TWEEN = 220;

export const AXES: Record<Axis, Vector3> = { x: new Vector3(1, 0, 0), y: new Vector3(0, 1, 0), z: new Vector3(0, 0, 1) };

interface Tangents {
  side: number;
  top: number;
  bottom: number;
}

interface Stand {
  position: Vector3;
  target: Vector3;
}

export class CameraControl {
  readonly camera = new PerspectiveCamera(ANGLE, 1, 0.01, 1000);
  readonly #canvas: HTMLCanvasElement;
  readonly #changed: () => void;
  readonly #smooth: boolean;
  #controls: OrbitControls;
  #basis: UpFrame = upFrameOf([0, 0, 1]);
  #extent = 1;
  #angle = ANGLE;
  /** The tangents of the angles from the middle of the picture to the borders of its free part. */
  #free: Tangents = { side: 1, top: 1, bottom: 1 };
  #tween: { from: Stand; to: Stand; start: number } | null = null;
  #restless = 0;
  #held = false;
  #height = 1;
  /** Whether the user has moved the camera since it was framed. */
  touched = false;

  constructor(canvas: HTMLCanvasElement, changed: () => void) {
    this.#canvas = canvas;
    this.#changed = changed;
    this.#smooth = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.camera.up.copy(this.#basis.up);
    this.camera.position.set(3, -6, 3);
    this.#controls = this.#makeControls();
  }

  get basis(): UpFrame {
    return this.#basis;
  }

  get target(): Vector3 {
    return this.#controls.target;
  }

  get distance(): number {
    return this.camera.position.distanceTo(this.#controls.target);
  }

  #makeControls(): OrbitControls {
    const controls = new OrbitControls(this.camera, this.#canvas);
    controls.enableDamping = this.#smooth;
    controls.dampingFactor = 0.15;
    controls.zoomToCursor = true;
    controls.addEventListener("start", () => {
      this.#held = true;
      this.#touch();
    });
    controls.addEventListener("end", () => {
      this.#held = false;
      this.#touch();
    });
    return controls;
  }

  #touch(): void {
    this.touched = true;
    this.#tween = null;
    this.#restless = performance.now() + 600;
    this.#changed();
  }

  /** Another idea of up. */
  setUp(up: readonly number[]): void {
    const basis = upFrameOf(up);
    if (basis.up.distanceTo(this.#basis.up) < 1e-9) return;
    this.#basis = basis;
    this.camera.up.copy(basis.up);
    const target = this.#controls.target.clone();
    this.#controls.dispose();
    this.#controls = this.#makeControls();
    this.#controls.target.copy(target);
  }

  setExtent(extent: number): void {
    this.#extent = extent;
    const far = tangentOf(ANGLE) / tangentOf(this.#angle);
    this.#controls.minDistance = 0.005 * extent * far;
    this.#controls.maxDistance = 60 * extent * far;
  }

  /** Whether the picture is without perspective. */
  get flat(): boolean {
    return this.#angle === FLAT_ANGLE;
  }

  /** Sees with perspective, or without; what is in the middle keeps its size. */
  setFlat(flat: boolean): void {
    const angle = flat ? FLAT_ANGLE : ANGLE;
    if (angle === this.#angle) return;
    const factor = tangentOf(this.#angle) / tangentOf(angle);
    this.#angle = angle;
    this.camera.fov = angle;
    this.#tween = null;
    const { target } = this.#controls;
    this.camera.position.sub(target).multiplyScalar(factor).add(target);
    this.setExtent(this.#extent);
    this.resize(this.camera.aspect * this.#height, this.#height);
  }

  /** How many pixels of the page a length of 1 has, in the middle of the picture. */
  get pixelsPerLength(): number {
    return this.#height / (2 * tangentOf(this.#angle) * this.distance);
  }

  /** Stands at a point and looks at another, with perspective or without. */
  stand(eye: readonly number[], target: readonly number[], flat: boolean): void {
    this.setFlat(flat);
    this.#go({ position: new Vector3(...eye), target: new Vector3(...target) }, true);
    this.touched = true;
  }

  /** Goes on with what is going on; says whether it does. */
  step(now: number): boolean {
    if (this.#restless > 0 && now >= this.#restless && !this.#held) this.#settle();
    if (this.#tween !== null) {
      const { from, to, start } = this.#tween;
      const u = Math.min(1, (now - start) / TWEEN);
      const eased = u * u * (3 - 2 * u);
      this.camera.position.lerpVectors(from.position, to.position, eased);
      this.#controls.target.lerpVectors(from.target, to.target, eased);
      if (u >= 1) this.#tween = null;
    }
    this.#controls.update();
    // Near and far follow the distance, so that depths are told apart at any scale.
    const reach = this.distance + 12 * this.#extent;
    if (this.flat) {
      const depth = Math.min(0.95 * this.distance, 60 * this.#extent);
      [this.camera.near, this.camera.far] = [this.distance - depth, this.distance + depth];
    } else {
      this.camera.near = Math.min(0.05 * this.distance, Math.max(1e-4 * reach, 0.02 * this.#extent));
      this.camera.far = 3 * reach;
    }
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
    return this.#tween !== null || this.#held || now < this.#restless;
  }

  resize(width: number, height: number): void {
    this.#height = Math.max(1, height);
    this.camera.aspect = width / this.#height;
    const tangent = tangentOf(this.#angle);
    const part = (border: number, length: number) => 1 - 2 * Math.min(0.2, border / Math.max(1, length));
    this.#free = {
      side: tangent * this.camera.aspect * part(BORDERS.side, width),
      top: tangent * part(BORDERS.top, height),
      bottom: tangent * part(BORDERS.bottom, height),
    };
    this.camera.updateProjectionMatrix();
  }

  /** Shows all balls as large as possible, seen from where the camera is now or from a direction. */
  frame(balls: readonly Ball[], from: Vector3 | null = null, jump = false): void {
    const back = (from ?? this.camera.position.clone().sub(this.#controls.target)).clone().normalize();
    if (balls.length === 0 || back.lengthSq() === 0) return;
    this.#go(fit(balls, back, this.#basis.up, this.#free), jump);
    this.touched = false;
  }

  /** From where the camera looks at first. */
  oblique(): Vector3 {
    const { right, away, up } = this.#basis;
    return new Vector3().addScaledVector(right, 0.3).addScaledVector(away, -0.95).addScaledVector(up, 0.26).normalize();
  }

  /** From where one looks along an axis: from the side on which the next axis points to the right, or, backwards, from the other. */
  along(axis: Axis, backwards: boolean): Vector3 {
    // x is to the right where one looks with y, not against it.
    const side = axis === "y" ? -1 : 1;
    const direction = AXES[axis].clone().multiplyScalar(backwards ? -side : side);
    const { up, away } = this.#basis;
    // Straight from above, the picture still needs an upper side.
    return Math.abs(direction.dot(up)) > 0.999 ? direction.addScaledVector(away, -1e-4).normalize() : direction;
  }

  /** The direction to the eye that looks from a side of the scene. */
  from(side: Side): Vector3 {
    const { right, away, up } = this.#basis;
    const directions: Record<Side, Vector3> = { front: away.clone().negate(), back: away.clone(), left: right.clone().negate(), right: right.clone(), top: up.clone(), bottom: up.clone().negate() };
    const direction = directions[side];
    // Straight from above, the picture still needs an upper side.
    return side === "top" || side === "bottom" ? direction.addScaledVector(away, -1e-4).normalize() : direction;
  }

  /** The body that is followed went so far. */
  carry(way: Vector3): void {
    this.camera.position.add(way);
    this.#controls.target.add(way);
    if (this.#tween === null) return;
    this.#tween.to.position.add(way);
    this.#tween.to.target.add(way);
  }

  /** Looks at a point from where it looks now. */
  lookAt(point: Vector3): void {
    const offset = this.camera.position.clone().sub(this.#controls.target);
    this.#go({ position: point.clone().add(offset), target: point.clone() }, false);
    this.touched = true;
  }

  turn(left: number, up: number): void {
    this.#controls.rotateLeft(left);
    this.#controls.rotateUp(up);
    this.#touch();
  }

  pan(x: number, y: number): void {
    this.#controls.pan(x, y);
    this.#touch();
  }

  zoom(factor: number): void {
    this.#controls.dollyIn(factor);
    this.#touch();
  }

  /** Whatever still swings out, stops. */
  #settle(): void {
    const [position, target] = [this.camera.position.clone(), this.#controls.target.clone()];
    this.#controls.enableDamping = false;
    this.#controls.update();
    this.#controls.enableDamping = this.#smooth;
    this.camera.position.copy(position);
    this.#controls.target.copy(target);
    this.#restless = 0;
  }

  #go(to: Stand, jump: boolean): void {
    this.#settle();
    if (jump || !this.#smooth) {
      this.#tween = null;
      this.camera.position.copy(to.position);
      this.#controls.target.copy(to.target);
      this.#controls.update();
    } else {
      const from = { position: this.camera.position.clone(), target: this.#controls.target.clone() };
      this.#tween = { from, to, start: performance.now() };
    }
    this.#changed();
  }

  dispose(): void {
    this.#controls.dispose();
  }
}

/** The tangent of half an angle that is given in degrees. */
function tangentOf(angle: number): number {
  return Math.tan((angle * Math.PI) / 360);
}

/**
 * The nearest place from which all balls are seen, with the eye in direction `back` from them. In coordinates x to the right, y up
 * and w away from the eye, a ball is on the inner side of a border of the picture if x - cx + r sqrt(1 + k^2) <= k (d + w), where k
 * is the tangent of the angle to it; so the extremes of x - k w and -x - k w give both the least d and where the middle cx may be.
 */
function fit(balls: readonly Ball[], back: Vector3, up: Vector3, free: Tangents): Stand {
  const right = new Vector3().crossVectors(up, back).normalize();
  const over = new Vector3().crossVectors(back, right);
  const origin = balls[0]?.centre ?? new Vector3();
  const offset = new Vector3();
  const extreme = (axis: Vector3, sign: 1 | -1, k: number): number => {
    let most = -Infinity;
    for (const { centre, radius } of balls) {
      offset.subVectors(centre, origin);
      most = Math.max(most, sign * offset.dot(axis) + k * offset.dot(back) + radius * Math.sqrt(1 + k * k));
    }
    return most;
  };
  const [east, west] = [extreme(right, 1, free.side), extreme(right, -1, free.side)];
  const [north, south] = [extreme(over, 1, free.top), extreme(over, -1, free.bottom)];
  const distance = Math.max((east + west) / (2 * free.side), (north + south) / (free.top + free.bottom), 1e-9);
  const height = (north - free.top * distance + free.bottom * distance - south) / 2;
  const position = origin.clone().addScaledVector(right, (east - west) / 2).addScaledVector(over, height).addScaledVector(back, distance);
  // The target lies in the middle of the depth, so that turning turns about the scene.
  let [near, far] = [Infinity, -Infinity];
  for (const { centre } of balls) {
    const depth = distance - offset.subVectors(centre, origin).dot(back);
    near = Math.min(near, depth);
    far = Math.max(far, depth);
  }
  return { position, target: position.clone().addScaledVector(back, -Math.max(1e-9, (near + far) / 2)) };
}
