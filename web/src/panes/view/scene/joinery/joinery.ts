// What joins bodies: springs as coils, ropes that hang, rods with ends, hinges with axles, sliders on rails, balls, welds; and what a
// view draws: lines, circles, walls, tracks.
import { type Color, Group, Vector3 } from "three";
import type { Lab } from "../../../../lab/lab.ts";
import type { Run } from "../../../../lab/run.ts";
import type { BodyShape, Drawing, Spot } from "../../../../wire/types.ts";
import { Lines } from "../lines.ts";
import type { Palette } from "../palette.ts";
import { across, circle, coil, rope } from "./curves.ts";
import { Parts } from "./parts.ts";
import { Spots } from "./spots.ts";
import { Walls } from "./walls.ts";

/** Sizes as parts of the scene: of what has no size of its own. */
const ROD = 0.005;
const COIL = 0.016;
const JOINT = { least: 0.006, most: 0.03, usual: 0.012 };
/** Moments at which the way of a slider or a track is looked at. */
const SAMPLES = 600;

/** The room that everything takes. */
export interface Room {
  extent: number;
  middle: Vector3;
  up: Vector3;
}

export class Joinery {
  readonly object = new Group();
  readonly lines = new Lines({ width: 2.25, strong: 1, faint: 1 });
  readonly #parts = new Parts();
  readonly #walls = new Walls();
  #run: Run | null = null;
  #spots: Spots | null = null;
  #steel: Color | null = null;
  #soft: Color | null = null;
  /** How far sliders and tracks go, by the place of their drawing; made anew when there is more of the run. */
  readonly #ways = new Map<number, readonly Vector3[]>();
  readonly #ranges = new Map<number, readonly [number, number]>();

  constructor() {
    this.object.add(this.#parts.object, this.#walls.object);
  }

  /** How many things are drawn, by kind: for tests. */
  readonly drawn = new Map<string, number>();

  show(lab: Lab, run: Run | null, changed: () => void): void {
    this.#run = run;
    this.#spots = run === null ? null : new Spots(lab, run, changed);
    this.grow();
  }

  /** There is more of the run. */
  grow(): void {
    this.#ways.clear();
    this.#ranges.clear();
    this.#spots?.read();
  }

  paint(palette: Palette): void {
    [this.#steel, this.#soft] = [palette.joint, palette.ghost];
    this.#parts.paint(palette.joint);
    this.#walls.paint(palette.ghost);
  }

  /** Draws everything at a time; nothing, unless it is `wanted`. */
  update(time: number, room: Room, wanted: boolean): void {
    this.lines.clear();
    this.#parts.clear();
    this.#walls.clear();
    this.drawn.clear();
    const [run, spots] = [this.#run, this.#spots];
    if (run !== null && spots !== null) {
      run.scene.drawings.forEach((drawing, index) => {
        // What a view draws is not a joint, and stays.
        if (!wanted && drawing.name !== "") return;
        if (this.#draw(drawing, index, spots, time, room)) this.drawn.set(drawing.kind, (this.drawn.get(drawing.kind) ?? 0) + 1);
      });
    }
    this.lines.commit();
    this.#parts.commit();
    this.#walls.commit();
  }

  dispose(): void {
    this.lines.dispose();
    this.#parts.dispose();
    this.#walls.dispose();
    this.object.removeFromParent();
  }

  /** Draws one; says whether all of it is known at this time. */
  #draw(drawing: Drawing, index: number, spots: Spots, time: number, room: Room): boolean {
    const places = drawing.places.map((it) => spots.place(it, time));
    if (places.length === 0 || places.some((it) => it === null)) return false;
    const known = places as Vector3[];
    const [a, b] = known as [Vector3, Vector3];
    const length = spots.amount(drawing.length, time);
    const { extent } = room;
    const size = this.#sizeOf(drawing, extent);
    switch (drawing.kind) {
      case "spring":
        this.#line(coil(a, b, Math.min(COIL * extent, 0.2 * a.distanceTo(b) + 0.004 * extent)));
        for (const end of [a, b]) this.#parts.ball(end, 0.5 * size);
        return true;
      case "rope":
        this.#line(rope(a, b, length, room.up));
        for (const end of [a, b]) this.#parts.ball(end, 0.5 * size);
        return true;
      case "rod":
        this.#parts.between(a, b, ROD * extent);
        for (const end of [a, b]) this.#parts.ball(end, 2 * ROD * extent);
        return true;
      case "tie":
      case "line":
        this.#line(known, drawing.kind === "tie" ? this.#soft : this.#steel);
        return true;
      case "track":
        this.#line(this.#way(drawing.places[0] as Spot, index, spots), this.#soft);
        return true;
      case "ball":
        this.#parts.ball(a, size);
        return true;
      case "weld":
        this.#parts.block(a, new Vector3(1, 1, 1).normalize(), new Vector3(size, size, size).multiplyScalar(0.8));
        return true;
      default:
        return this.#directed(drawing, index, spots, time, room, a, length, size);
    }
  }

  /** Draws what has a direction. */
  #directed(drawing: Drawing, index: number, spots: Spots, time: number, room: Room, a: Vector3, length: number | null, size: number): boolean {
    const direction = drawing.direction === null ? null : spots.direction(drawing.direction, time);
    if (direction === null) return false;
    const { extent, middle } = room;
    switch (drawing.kind) {
      case "circle":
        this.#line(circle(a, direction, length ?? 0));
        return length !== null;
      case "wall":
        if (this.#soft !== null) this.#walls.add(a, direction, middle, 0.6 * extent, this.lines, this.#soft);
        return true;
      case "slider":
        this.#rail(drawing, index, spots, time, direction, size);
        return true;
      case "universal": {
        const [first] = across(direction);
        this.#axle(a, direction, size);
        this.#axle(a, first, size);
        return true;
      }
      default:
        this.#axle(a, direction, size);
        return true;
    }
  }

  /** An axle with a head at each end. */
  #axle(at: Vector3, direction: Vector3, size: number): void {
    const half = 1.5 * size;
    this.#parts.bar(at, direction, 2 * half, 0.45 * size);
    for (const end of [-half, half]) this.#parts.bar(at.clone().addScaledVector(direction, end), direction, 0.25 * size, 0.75 * size);
  }

  /** Two rails and the carriage on them. The rails lie as far as the run goes, or as far as the joint lets it. */
  #rail(drawing: Drawing, index: number, spots: Spots, time: number, direction: Vector3, size: number): void {
    const [carriage, base] = drawing.places.map((it) => spots.place(it, time)) as [Vector3, Vector3 | undefined];
    const origin = base ?? carriage;
    const [low, high] = this.#range(drawing, index, spots, size);
    const [first] = across(direction);
    for (const side of [-0.6, 0.6]) {
      const from = origin.clone().addScaledVector(first, side * size).addScaledVector(direction, low);
      this.#parts.between(from, from.clone().addScaledVector(direction, high - low), 0.18 * size);
    }
    for (const end of [low, high]) this.#parts.bar(origin.clone().addScaledVector(direction, end), first, 1.6 * size, 0.18 * size);
    this.#parts.block(carriage, direction, new Vector3(0.8 * size, 0.8 * size, size));
  }

  #range(drawing: Drawing, index: number, spots: Spots, size: number): readonly [number, number] {
    if (drawing.limits !== null) return [drawing.limits[0] - size, drawing.limits[1] + size];
    const known = this.#ranges.get(index);
    if (known !== undefined) return known;
    let [low, high] = [0, 0];
    const [carriage, base] = drawing.places;
    for (const time of this.#times()) {
      const [a, b, along] = [carriage, base, drawing.direction].map((it, k) => (it == null ? null : k < 2 ? spots.place(it, time) : spots.direction(it, time)));
      if (a == null || b == null || along == null) continue;
      const travel = a.sub(b).dot(along);
      [low, high] = [Math.min(low, travel), Math.max(high, travel)];
    }
    const range = [low - 3 * size, high + 3 * size] as const;
    this.#ranges.set(index, range);
    return range;
  }

  #way(spot: Spot, index: number, spots: Spots): readonly Vector3[] {
    const known = this.#ways.get(index);
    if (known !== undefined) return known;
    const way = this.#times().flatMap((time) => spots.place(spot, time) ?? []);
    this.#ways.set(index, way);
    return way;
  }

  /** Moments of the run, as far as it is known. */
  #times(): number[] {
    const { poses, scene } = this.#run as Run;
    const step = Math.max(scene.stride, Math.ceil(poses.lastFrame / SAMPLES));
    return Array.from({ length: Math.floor(Math.max(0, poses.lastFrame) / step) + 1 }, (_, k) => poses.timeOf(k * step));
  }

  #line(points: readonly Vector3[], color = this.#steel): void {
    if (color === null) return;
    points.slice(1).forEach((to, k) => this.lines.add((points[k] as Vector3).toArray(), to.toArray(), 0, 0, color));
  }

  /** Half the width of a joint: a little more than the thinnest body at it, so that it is seen on the outside. */
  #sizeOf(drawing: Drawing, extent: number): number {
    const bodies = drawing.places.flatMap((it) => (it.how === "fixed" && it.body !== null ? [this.#run?.scene.bodies[it.body]?.shape] : []));
    const thin = bodies.flatMap((it) => (it === undefined ? [] : [thicknessOf(it)])).filter((it) => it > 0 && Number.isFinite(it));
    const size = thin.length === 0 ? JOINT.usual * extent : 1.12 * Math.min(...thin);
    return Math.min(JOINT.most * extent, Math.max(JOINT.least * extent, size));
  }
}

/** Half the smallest width of a shape. */
function thicknessOf(shape: BodyShape): number {
  switch (shape.kind) {
    case "sphere":
    case "capsule":
      return shape.radius;
    case "cylinder":
    case "cone":
      return Math.min(shape.radius, shape.height / 2);
    case "cuboid":
      return Math.min(...shape.size) / 2;
    case "compound":
      return Math.min(Infinity, ...shape.parts.map((it) => thicknessOf(it.shape)));
    default:
      return Infinity;
  }
}
