// Where bodies were: the last seconds in full colour, what is longer ago faint, and what is to come only on request.
import { Color, type PerspectiveCamera, Vector3 } from "three";
import { POSE } from "../../../lab/poses.ts";
import type { Run } from "../../../lab/run.ts";
import { Lines, type LineStyle } from "./lines.ts";

/** All trails together have at most about so many points. */
const MAX_POINTS = 150_000;
const MAX_POINTS_EACH = 4000;
/** The last part of a run that is drawn in full colour, and the shortest time that this is. */
const RECENT = { part: 0.3, least: 2 };

/** A place on a trail. */
export interface Spot {
  body: number;
  time: number;
  point: [number, number, number];
}

export class Trails {
  readonly lines: Lines;
  #run: Run | null = null;
  /** Whose line is the k-th: the first line of each body that has some. */
  #owners: { body: number; first: number }[] = [];

  constructor(style: LineStyle) {
    this.lines = new Lines(style);
  }

  /** Draws the trails of some bodies of a run, as far as it is known. */
  draw(run: Run | null, shown: (body: number) => boolean, colorOf: (body: number) => Color): void {
    this.#run = run;
    this.#owners = [];
    this.lines.clear();
    if (run !== null) {
      const bodies = run.scene.bodies.flatMap((body, index) => (body.moves !== null && shown(index) ? [index] : []));
      const each = Math.max(2, Math.min(MAX_POINTS_EACH, Math.floor(MAX_POINTS / Math.max(1, bodies.length))));
      const corners = eventsOf(run);
      for (const body of bodies) this.#drawOne(run, body, timesOf(run, corners.get(body) ?? [], each), colorOf(body));
    }
    this.lines.commit();
  }

  #drawOne(run: Run, body: number, times: readonly number[], color: Color): void {
    this.#owners.push({ body, first: this.lines.count });
    const start = run.scene.initial_time;
    const pose = new Float64Array(POSE);
    const before = [0, 0, 0];
    let since = start;
    times.forEach((time, k) => {
      run.poses.at(body, time, pose);
      if (k > 0) this.lines.add(before, pose, since - start, time - start, color);
      for (let i = 0; i < 3; i++) before[i] = pose[i] ?? 0;
      since = time;
    });
  }

  /** Shows a moment; what is to come is drawn so strongly. */
  show(time: number, future: number): void {
    const { initial_time: start, end } = this.#run?.scene ?? { initial_time: 0, end: 0 };
    this.lines.set({ now: time - start, recent: Math.max(RECENT.least, RECENT.part * (end - start)), faint: future });
  }

  /** The place of a trail that is nearest to a point of the picture, in pixels; nothing if it is further away than `most`. */
  nearest(x: number, y: number, most: number, camera: PerspectiveCamera, width: number, height: number): Spot | null {
    const { begin, end, times } = this.lines.ends;
    const run = this.#run;
    if (run === null) return null;
    const [a, b] = [new Vector3(), new Vector3()];
    const project = (numbers: Float32Array, at: number, out: Vector3) => {
      out.fromArray(numbers, at).project(camera);
      out.set(((out.x + 1) * width) / 2, ((1 - out.y) * height) / 2, out.z);
    };
    let best = most * most;
    let found: { line: number; u: number } | null = null;
    for (let line = 0; line < this.lines.count; line++) {
      project(begin, 3 * line, a);
      project(end, 3 * line, b);
      if (a.z > 1 || b.z > 1) continue;
      const [dx, dy] = [b.x - a.x, b.y - a.y];
      const length = dx * dx + dy * dy;
      const u = length > 0 ? Math.min(1, Math.max(0, ((x - a.x) * dx + (y - a.y) * dy) / length)) : 0;
      const distance = (a.x + u * dx - x) ** 2 + (a.y + u * dy - y) ** 2;
      if (distance < best) [best, found] = [distance, { line, u }];
    }
    if (found === null) return null;
    const { line, u } = found;
    const owner = this.#owners.findLast((it) => it.first <= line);
    const [since, until] = [times[2 * line] ?? 0, times[2 * line + 1] ?? 0];
    const point = a.fromArray(begin, 3 * line).lerp(b.fromArray(end, 3 * line), u);
    return owner === undefined ? null : { body: owner.body, time: run.scene.initial_time + since + u * (until - since), point: [point.x, point.y, point.z] };
  }

  dispose(): void {
    this.lines.dispose();
  }
}

/** When something happened to each body: its way may have a corner there. */
function eventsOf(run: Run): Map<number, number[]> {
  const times = new Map<number, number[]>();
  for (const event of run.events.value) {
    if (event.time > run.poses.end) break;
    for (const body of event.bodies) {
      const own = times.get(body);
      if (own === undefined) times.set(body, [event.time]);
      else own.push(event.time);
    }
  }
  return times;
}

/** Frames, not too many, and events. */
function timesOf(run: Run, events: readonly number[], most: number): number[] {
  const last = run.poses.lastFrame;
  const step = Math.max(run.scene.stride, Math.ceil(last / most));
  const times: number[] = [];
  for (let frame = 0; frame <= last; frame += step) times.push(run.poses.timeOf(frame));
  if (last % step !== 0) times.push(run.poses.timeOf(last));
  return events.length > most ? times : [...times, ...events].sort((a, b) => a - b);
}
