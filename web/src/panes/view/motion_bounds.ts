// How much room the whole recorded motion takes: what the camera frames, how high the ground lies, how long an arrow is.
import { Box3, Vector3 } from "three";
import { POSE } from "../../lab/poses.ts";
import type { Run } from "../../lab/run.ts";
import type { UpFrame } from "./up_frame.ts";
import { cornersOf, type ShapeAt, matrixOf, reachOf } from "./scene/shapes.ts";

/** About so many places are looked at, of all bodies together. */
const MAX_SAMPLES = 40_000;
/**
 * What stands still is counted this far around the motion, in longest sides of it: only a little of a floor that is much larger, but
 * a ramp as a whole.
 */
const SURROUNDINGS = { large: 0.12, small: 1 };
/** What stands still is large if it is so many times longer than the motion. */
const LARGE = 2.5;
/**
 * A few bodies that leave the others behind, as one that falls off the table, would make everything else tiny: at most this part of
 * at least four, and only if they need so many times the room of the others.
 */
const RUNAWAYS = { part: 0.25, times: 3 };

/** A ball that must be seen. */
export interface Ball {
  centre: Vector3;
  radius: number;
}

interface Place extends Ball {
  body: number;
}

export class MotionBounds {
  readonly #run: Run;
  readonly #basis: UpFrame;
  /** How far bodies reach at the start; those that change their size are looked at again and again. */
  readonly #reach: readonly number[];
  readonly #lookAt: ShapeAt;
  readonly #step: number;
  #next = 0;
  #last = -1;
  /** Balls around all bodies that move, at many times. */
  readonly #balls: Place[] = [];
  /** The room that each body takes, by its index. */
  readonly #rooms = new Map<number, Box3>();
  /** The room of all of them but the runaways. */
  #moving = new Box3();
  #hasRunaways = false;
  /** The lowest place of any body that moves, and of any middle of one, along up. */
  #lowest = Infinity;
  #lowestCentre = Infinity;
  #corners: readonly Vector3[] = [];
  /** Whether there is a floor below the motion. */
  hasFloor = false;
  /** The box around everything that shall be seen. */
  readonly box = new Box3();
  /** The length of its longest side. */
  extent = 1;

  constructor(run: Run, basis: UpFrame, lookAt: ShapeAt) {
    this.#run = run;
    this.#lookAt = lookAt;
    this.#basis = basis;
    const { bodies, frames } = run.scene;
    this.#reach = bodies.map((body) => reachOf(body.shape));
    const moving = Math.max(1, bodies.filter((it) => it.moves !== null).length);
    this.#step = Math.max(1, Math.ceil(((frames + 1) * moving) / MAX_SAMPLES));
  }

  /** Looks at what has come since. */
  grow(): void {
    const last = this.#run.poses.lastFrame;
    for (; this.#next <= last; this.#next += this.#step) this.#take(this.#next);
    if (last > this.#last) this.#take(last);
    this.#last = last;
    const all = union([...this.#rooms.values()]);
    const rest = this.#withoutRunaways();
    this.#hasRunaways = rest !== null && RUNAWAYS.times * longest(rest) < longest(all);
    this.#moving = this.#hasRunaways && rest !== null ? rest : all;
    this.#corners = [...this.#surroundings(), ...this.#hooks()];
    this.box.copy(this.#moving);
    for (const corner of this.#corners) this.box.expandByPoint(corner);
    if (this.box.isEmpty()) this.box.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
    const length = longest(this.box);
    this.extent = length > 0 && Number.isFinite(length) ? length : 1;
  }

  #take(frame: number): void {
    const { poses, scene } = this.#run;
    const pose = new Float64Array(POSE);
    const time = poses.timeOf(frame);
    scene.bodies.forEach((body, index) => {
      const radius = body.resizes ? reachOf(this.#lookAt(index, body.shape, time)) : (this.#reach[index] ?? 0);
      if (body.moves === null || !Number.isFinite(radius)) return;
      poses.at(index, time, pose);
      const centre = new Vector3(pose[0], pose[1], pose[2]);
      if (![centre.x, centre.y, centre.z].every(Number.isFinite)) return;
      this.#balls.push({ body: index, centre, radius });
      const room = this.#rooms.get(index) ?? new Box3();
      const size = new Vector3(radius, radius, radius);
      room.expandByPoint(centre.clone().add(size)).expandByPoint(centre.clone().sub(size));
      this.#rooms.set(index, room);
      const height = centre.dot(this.#basis.up);
      this.#lowest = Math.min(this.#lowest, height - radius);
      this.#lowestCentre = Math.min(this.#lowestCentre, height);
    });
  }

  /** The room of all bodies but those that get furthest. */
  #withoutRunaways(): Box3 | null {
    const rooms = [...this.#rooms.values()];
    if (rooms.length < 4) return null;
    rooms.sort((a, b) => longest(a) - longest(b));
    return union(rooms.slice(0, Math.ceil(rooms.length * (1 - RUNAWAYS.part))));
  }

  /** What shall be seen: the motion and what stands near it; everything, or what is left when runaways are let go. */
  balls(everything: boolean): Ball[] {
    const { box } = this;
    const seen = everything || !this.#hasRunaways ? this.#balls : this.#balls.filter(({ centre }) => box.containsPoint(centre));
    return [...seen, ...this.#corners.map((centre) => ({ centre, radius: 0 }))];
  }

  /** Where bodies that move were. */
  places(): Vector3[] {
    return this.#balls.map((it) => it.centre);
  }

  /** What stands still: the corners around each, and whether it is much larger than the motion. */
  #still(): { corners: Vector3[]; large: boolean }[] {
    const length = this.#moving.isEmpty() ? Infinity : longest(this.#moving);
    return this.#run.scene.bodies.flatMap((body, index) => {
      if (body.moves !== null || !Number.isFinite(this.#reach[index])) return [];
      const corners = cornersOf(body.shape).map((it) => it.applyMatrix4(matrixOf(body.pose)));
      return [{ corners, large: longest(new Box3().setFromPoints(corners)) > LARGE * length }];
    });
  }

  /** The corners of what stands still, no further away than the surroundings of the motion. */
  #surroundings(): Vector3[] {
    return this.#still().flatMap(({ corners, large }) => {
      if (this.#moving.isEmpty()) return corners;
      const margin = longest(this.#moving) * (large ? SURROUNDINGS.large : SURROUNDINGS.small);
      const { up } = this.#basis;
      // How deep a floor goes is of no interest.
      const around = large ? new Vector3(1 - Math.abs(up.x), 1 - Math.abs(up.y), 1 - Math.abs(up.z)) : new Vector3(1, 1, 1);
      const room = this.#moving.clone().expandByVector(around.multiplyScalar(margin));
      return corners.map((it) => room.clampPoint(it, it));
    });
  }

  /** Points of the world that something hangs from, or turns about: those that are not far from the motion. */
  #hooks(): Vector3[] {
    const { drawings } = this.#run.scene;
    const fixed = drawings.filter((it) => it.kind !== "wall").flatMap((it) => it.places);
    const points = fixed.flatMap((it) => (it.how === "fixed" && it.body === null ? [new Vector3(...it.at)] : []));
    if (this.#moving.isEmpty()) return points;
    const room = this.#moving.clone().expandByScalar(1.5 * longest(this.#moving));
    return points.filter((it) => room.containsPoint(it));
  }

  /** How high the ground is, along up: at the top of the highest floor below the motion, else a little below everything. */
  groundLevel(): number {
    const { extent } = this;
    const tops: number[] = [];
    let lowest = this.#lowest;
    for (const { corners, large } of this.#still()) {
      const heights = corners.map((it) => it.dot(this.#basis.up));
      const top = Math.max(...heights);
      // A floor is large, flat on top, and lies below everybody who moves; a table stands on the ground.
      const flat = heights.filter((it) => top - it < 1e-6 * extent).length >= 4;
      if (large && flat && top <= this.#lowestCentre) tops.push(top);
      lowest = Math.min(lowest, ...heights);
    }
    this.hasFloor = tops.length > 0;
    if (tops.length > 0) return Math.max(...tops) - 1e-3 * extent;
    return (Number.isFinite(lowest) ? lowest : 0) - 0.02 * extent;
  }
}

function union(boxes: readonly Box3[]): Box3 {
  return boxes.reduce((sum, it) => sum.union(it), new Box3());
}

function longest(box: Box3): number {
  const size = box.getSize(new Vector3());
  return Math.max(size.x, size.y, size.z);
}
