// Where every body is at any time, from frames that came in chunks, and from events between them.
//
// Between two frames a body moves on a straight line and turns evenly. An event is a point of the line of everybody who took
// part, so that a ball that bounces between two frames is seen to touch the floor.
import type { Body, EventInfo, Scene } from "../wire/types.ts";

/** x, y, z, then the quaternion w, x, y, z. */
export type Pose = Float64Array;
export const POSE = 7;

/** The moment of an event on the way of one body. */
interface Knot {
  time: number;
  pose: readonly number[];
}

interface Piece {
  first: number;
  stride: number;
  frames: number;
  numbers: Float32Array;
}

export class Poses {
  readonly scene: Scene;
  readonly #moving: number;
  /** Pieces by stride, each list in order of frames and without holes. */
  readonly #pieces: Piece[] = [];
  /** Pieces with every frame, asked for around the time that is shown; the oldest go first. */
  #details: Piece[] = [];
  readonly #knots: Knot[][];
  #last = -1;
  /** The frames around the position that was asked for last: all bodies are asked for at the same time. */
  #found: { position: number; around: [Found, Found] | [null, null] } = { position: NaN, around: [null, null] };

  constructor(scene: Scene) {
    this.scene = scene;
    this.#moving = scene.bodies.filter((body) => body.moves !== null).length;
    this.#knots = scene.bodies.map(() => []);
  }

  /** The last frame that is here; -1 if there is none. */
  get lastFrame(): number {
    return this.#last;
  }

  /** The time up to which everybody's place is known. */
  get end(): number {
    return this.#last < 0 ? this.scene.initial_time : this.timeOf(this.#last);
  }

  timeOf(frame: number): number {
    return Math.min(this.scene.initial_time + frame / this.scene.frame_rate, this.scene.end);
  }

  /** Takes frames that came by themselves. */
  add(first: number, stride: number, frames: number, numbers: Float32Array): void {
    this.#pieces.push({ first, stride, frames, numbers });
    this.#found.position = NaN;
    this.#last = Math.max(this.#last, first + (frames - 1) * stride);
  }

  /** Takes frames that were asked for; at most `keep` numbers of them stay. */
  addDetail(first: number, frames: number, numbers: Float32Array, keep = 1 << 23): void {
    this.#details.push({ first, stride: 1, frames, numbers });
    this.#found.position = NaN;
    let kept = this.#details.reduce((sum, piece) => sum + piece.numbers.length, 0);
    while (kept > keep && this.#details.length > 1) kept -= this.#details.shift()?.numbers.length ?? 0;
  }

  /** Whether every frame around a time is here, or need not be. */
  isDetailed(time: number): boolean {
    if (this.scene.stride === 1) return true;
    const frame = (time - this.scene.initial_time) * this.scene.frame_rate;
    return this.#details.some((it) => it.first <= frame && frame <= it.first + it.frames - 1);
  }

  addEvents(events: readonly EventInfo[]): void {
    for (const event of events) {
      event.bodies.forEach((body, k) => {
        const pose = event.poses[k];
        if (pose !== undefined) this.#knots[body]?.push({ time: event.time, pose });
      });
    }
  }

  /** The pose of a body at a time, written to `out`. */
  at(body: number, time: number, out: Pose): Pose {
    const known = this.scene.bodies[body] as Body;
    if (known.moves === null || this.#last < 0) {
      out.set(known.pose);
      return out;
    }
    const position = Math.max(0, (time - this.scene.initial_time) * this.scene.frame_rate);
    if (this.#found.position !== position) this.#found = { position, around: this.#around(position) };
    const [before, after] = this.#found.around;
    if (before === null) {
      out.set(known.pose);
      return out;
    }
    let [t0, t1] = [this.timeOf(before.frame), this.timeOf(after.frame)];
    let from: ArrayLike<number> = this.#pose(before, known.moves);
    let to: ArrayLike<number> = this.#pose(after, known.moves);
    const knots = this.#knots[body] as Knot[];
    // Events between the two frames bring the ends closer together.
    for (let k = lowerBound(knots, t0); k < knots.length; k++) {
      const knot = knots[k] as Knot;
      if (knot.time >= t1) break;
      if (knot.time <= time) [t0, from] = [knot.time, knot.pose];
      else {
        [t1, to] = [knot.time, knot.pose];
        break;
      }
    }
    return interpolate(from, to, t1 > t0 ? Math.min(1, Math.max(0, (time - t0) / (t1 - t0))) : 0, out);
  }

  /** The time from which on nobody moves any more; the end if somebody moves to the end. */
  restTime(): number {
    const last = this.#frame(this.#last);
    if (last === null) return this.end;
    for (let k = this.#pieces.length - 1; k >= 0; k--) {
      const piece = this.#pieces[k] as Piece;
      const width = POSE * this.#moving;
      for (let row = piece.frames - 1; row >= 0; row--) {
        for (let i = 0; i < width; i++) {
          const a = piece.numbers[row * width + i] as number;
          const b = last.piece.numbers[last.row * width + i] as number;
          if (Math.abs(a - b) > 1e-5 * (1 + Math.abs(b))) {
            return this.timeOf(Math.min(this.#last, piece.first + (row + 1) * piece.stride));
          }
        }
      }
    }
    return this.scene.initial_time;
  }

  #around(position: number): [Found, Found] | [null, null] {
    for (let k = this.#details.length - 1; k >= 0; k--) {
      const piece = this.#details[k] as Piece;
      if (piece.first <= position && position <= piece.first + piece.frames - 1) return pair(piece, piece, position);
    }
    const k = lastPiece(this.#pieces, position);
    const piece = this.#pieces[k];
    if (piece === undefined) return [null, null];
    return pair(piece, this.#pieces[k + 1] ?? piece, position);
  }

  #frame(frame: number): Found | null {
    const piece = this.#pieces[lastPiece(this.#pieces, frame)];
    return piece === undefined ? null : pair(piece, piece, frame)[0];
  }

  #pose(found: Found, moves: number): Float32Array {
    const start = (found.row * this.#moving + moves) * POSE;
    return found.piece.numbers.subarray(start, start + POSE);
  }
}

interface Found {
  piece: Piece;
  row: number;
  frame: number;
}

/** The rows before and after a position; the one after may be the first of the next piece. */
function pair(piece: Piece, next: Piece, position: number): [Found, Found] {
  const row = Math.min(Math.floor((position - piece.first) / piece.stride), piece.frames - 1);
  const found = (it: Piece, row: number): Found => ({ piece: it, row, frame: it.first + row * it.stride });
  if (row + 1 < piece.frames) return [found(piece, row), found(piece, row + 1)];
  return [found(piece, row), next === piece ? found(piece, row) : found(next, 0)];
}

function lastPiece(pieces: readonly Piece[], position: number): number {
  let [low, high] = [0, pieces.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pieces[middle] as Piece).first <= position) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function lowerBound(knots: readonly Knot[], time: number): number {
  let [low, high] = [0, knots.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((knots[middle] as Knot).time < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Places on a straight line; rotations by the shorter way, along the chord, which is near enough between frames. */
function interpolate(from: ArrayLike<number>, to: ArrayLike<number>, u: number, out: Pose): Pose {
  let dot = 0;
  for (let i = 3; i < POSE; i++) dot += (from[i] as number) * (to[i] as number);
  const sign = dot < 0 ? -1 : 1;
  let norm = 0;
  for (let i = 0; i < POSE; i++) {
    const end = (i < 3 ? 1 : sign) * (to[i] as number);
    const value = (from[i] as number) * (1 - u) + end * u;
    out[i] = value;
    if (i >= 3) norm += value * value;
  }
  if (norm > 0) for (let i = 3; i < POSE; i++) out[i] = (out[i] as number) / Math.sqrt(norm);
  return out;
}
