// Series of a recording: read from the engine, asked at any time.
import type { Chunk } from "../../wire/client.ts";
import type { Lab } from "../../lab/lab.ts";
import type { Run } from "../../lab/run.ts";

/** A number over time. At an event a time stands twice: just before, and just after. */
export interface Series {
  /** Which of the formulas that were asked for. */
  formula: number;
  label: string;
  times: Float64Array;
  values: Float64Array;
  problem: string | null;
}

/** Takes a chunk of columns apart. */
export function seriesOf(chunk: Chunk): Series[] {
  if (chunk.head.chunk !== "columns") return [];
  let start = chunk.start;
  return chunk.head.series.map(({ formula, label, points, problem }) => {
    const times = new Float64Array(chunk.buffer, start, points);
    const values = new Float64Array(chunk.buffer, start + 8 * points, points);
    start += 16 * points;
    return { formula, label, times, values, problem };
  });
}

export interface Wanted {
  ys: readonly string[];
  x: string;
  norm: boolean;
  from?: number;
  to?: number;
}

/** What a plot draws: for each series of `ys`, what stands on both axes. */
export interface Curve extends Series {
  xs: Float64Array;
}

/** Reads what a plot wants of a run. */
export async function curves(lab: Lab, run: Run, wanted: Wanted): Promise<{ curves: Curve[]; problems: string[] }> {
  const asked = wanted.norm ? wanted.ys.map((formula) => `norm(${formula})`) : [...wanted.ys];
  const range = { ...(wanted.from === undefined ? {} : { from: wanted.from }), ...(wanted.to === undefined ? {} : { to: wanted.to }) };
  if (wanted.x === "t") {
    const all = seriesOf(await lab.columns(asked, { run, ...range }));
    return { curves: all.map((it) => ({ ...it, xs: it.times })), problems: problemsOf(all) };
  }
  const { series: all, problems } = await atFrames(lab, run, [wanted.x, ...asked], range);
  const x = all.find((it) => it.formula === 0);
  const ys = all.filter((it) => it.formula > 0 && it.values.length === x?.values.length);
  return { curves: ys.map((it) => ({ ...it, formula: it.formula - 1, xs: (x as Series).values })), problems };
}

/** The engine thins longer series; what must stay together is asked for in pieces of this many frames. */
const FRAMES_PER_REQUEST = 8000;
/** Nobody looks at more than this. */
const MAX_NUMBERS = 400_000;

/** Formulas at every frame, so that their points belong together. */
export async function atFrames(lab: Lab, run: Run, formulas: string[], range: { from?: number; to?: number } = {}): Promise<{ series: Series[]; problems: string[] }> {
  const { initial_time, frame_rate, frames } = run.scene;
  const frameOf = (time: number) => Math.round((time - initial_time) * frame_rate);
  const first = Math.max(0, frameOf(range.from ?? initial_time));
  const last = Math.min(frames, first + MAX_NUMBERS, frameOf(range.to ?? run.scene.end) + 1);
  const pieces: Series[][] = [];
  for (let k = first; k <= last; k += FRAMES_PER_REQUEST) {
    const end = Math.min(last, k + FRAMES_PER_REQUEST - 1);
    // A little more on both sides, and only what belongs here is taken: times are rounded.
    const chunk = await lab.columns(formulas, { run, from: run.poses.timeOf(k) - 0.25 / frame_rate, to: run.poses.timeOf(end) + 0.25 / frame_rate, events: false, most: 2 * FRAMES_PER_REQUEST });
    pieces.push(
      seriesOf(chunk).map((it) => {
        const from = it.times.findIndex((time) => frameOf(time) >= k);
        const to = it.times.findLastIndex((time) => frameOf(time) <= end) + 1;
        return from < 0 ? { ...it, times: it.times.subarray(0, 0), values: it.values.subarray(0, 0) } : { ...it, times: it.times.subarray(from, to), values: it.values.subarray(from, to) };
      }),
    );
  }
  const joined = (pieces[0] ?? []).map((series, k) => {
    const parts = pieces.map((piece) => piece[k] as Series);
    return { ...series, times: concatenated(parts.map((it) => it.times)), values: concatenated(parts.map((it) => it.values)) };
  });
  return { series: joined, problems: problemsOf(joined) };
}

function concatenated(parts: readonly Float64Array[]): Float64Array<ArrayBuffer> {
  const all = new Float64Array(parts.reduce((sum, it) => sum + it.length, 0));
  let start = 0;
  for (const part of parts) {
    all.set(part, start);
    start += part.length;
  }
  return all;
}

function problemsOf(all: readonly Series[]): string[] {
  return [...new Set(all.flatMap((it) => (it.problem === null ? [] : [it.problem])))];
}

/** The place of the last point at or before a time; -1 before the first. Of two at an event, the one after. */
export function placeAt(times: Float64Array, time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The value at a time, on the straight line between two points; NaN where there is none. */
export function valueAt(series: Series, time: number): number {
  const { times, values } = series;
  const place = placeAt(times, time);
  const [t0, v0] = [times[place], values[place]];
  if (t0 === undefined || v0 === undefined) return Number.NaN;
  const [t1, v1] = [times[place + 1], values[place + 1]];
  if (t1 === undefined || v1 === undefined) return time - t0 < 1e-9 * (1 + Math.abs(time)) ? v0 : Number.NaN;
  return t1 > t0 ? v0 + ((v1 - v0) * (time - t0)) / (t1 - t0) : v0;
}

/** The rate of change at a time: of the parabola through the three nearest points that no event divides. */
export function rateAt(series: Series, time: number): number {
  const { times, values } = series;
  const place = placeAt(times, time);
  if (place < 0) return Number.NaN;
  let [first, last] = [place, place];
  // A time that stands twice is an event: nothing is drawn across it.
  while (last + 1 < times.length && last - place < 2 && (times[last + 1] as number) > (times[last] as number)) last++;
  while (first > 0 && place - first < 1 && (times[first - 1] as number) < (times[first] as number)) first--;
  last = Math.min(last, first + 2);
  if (last - first < 1) return Number.NaN;
  const slope = (i: number, j: number) => ((values[j] as number) - (values[i] as number)) / ((times[j] as number) - (times[i] as number));
  if (last - first === 1) return slope(first, last);
  const [t0, t1, t2] = [times[first] as number, times[first + 1] as number, times[last] as number];
  const [s01, s12] = [slope(first, first + 1), slope(first + 1, last)];
  return s01 + ((s12 - s01) / (t2 - t0)) * (2 * time - t0 - t1);
}
