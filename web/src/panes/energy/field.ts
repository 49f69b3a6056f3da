// What the recorded motion of a body tells of its laws: whether its `v` is the velocity of its place, and whether it flies in a uniform
// field. Both are measured between two samples that no event divides, so that any form of the laws will do. An engine that brakes evenly
// looks like a field too; so only a field counts that the text gives as a constant of its world.
import { valueAt, type Series } from "../plots/series.ts";
import type { Band } from "../timeline/lanes.ts";

export type Vector = readonly [number, number, number];

/** Samples of one body: three components each. */
export interface Flight {
  readonly place: readonly Series[];
  readonly v: readonly Series[];
  readonly bands: readonly Band[];
}

/** Velocity and displacement of a step of a method of first order differ by a share of about a step. */
const VELOCITY_TOLERANCE = 0.02;
const FIELD_TOLERANCE = 1e-6;
/** Fewer intervals than this say nothing. */
const LEAST = 3;
/** Share of the flights that must agree: rules may bounce within a frame, without an event. */
const SHARE = 0.8;

interface Interval {
  readonly duration: number;
  readonly shift: Vector;
  readonly before: Vector;
  readonly after: Vector;
}

function at(series: readonly Series[], k: number): Vector {
  return [series[0]?.values[k] ?? Number.NaN, series[1]?.values[k] ?? Number.NaN, series[2]?.values[k] ?? Number.NaN];
}

const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const norm = (a: Vector): number => Math.hypot(...a);

/** Intervals between samples, of free flight only if asked for. */
function intervals(flight: Flight, free: boolean): Interval[] {
  const times = flight.v[0]?.times ?? new Float64Array();
  if (flight.place[0]?.times.length !== times.length) return [];
  const found: Interval[] = [];
  for (let k = 0; k + 1 < times.length; k++) {
    const [t0, t1] = [times[k] as number, times[k + 1] as number];
    if (!(t1 > t0)) continue;
    const band = flight.bands.findLast((it) => it.from <= t0);
    if (free && band?.state !== "free") continue;
    const interval = { duration: t1 - t0, shift: minus(at(flight.place, k + 1), at(flight.place, k)), before: at(flight.v, k), after: at(flight.v, k + 1) };
    if ([...interval.shift, ...interval.before, ...interval.after].every(Number.isFinite)) found.push(interval);
  }
  return found;
}

function median(values: number[]): number {
  values.sort((a, b) => a - b);
  return values[values.length >> 1] ?? Number.NaN;
}

/** Whether a body's `v` says how its place changes. */
export function isVelocity(flight: Flight): boolean {
  const all = intervals(flight, false);
  const fastest = Math.max(0, ...all.map((it) => Math.max(norm(it.before), norm(it.after))));
  if (all.length < LEAST || fastest === 0) return false;
  return median(all.map((it) => norm(minus(it.shift, [0, 1, 2].map((i) => (0.5 * it.duration * ((it.before[i] as number) + (it.after[i] as number)))) as unknown as Vector)) / (it.duration * fastest))) < VELOCITY_TOLERANCE;
}

/** The acceleration of a body in free flight, if it is the same all the time; `null` if it is not, or if it never flies. */
export function uniformField(flight: Flight): Vector | null {
  const free = intervals(flight, true);
  if (free.length < LEAST) return null;
  const rates = free.map((it): Vector => [0, 1, 2].map((i) => ((it.after[i] as number) - (it.before[i] as number)) / it.duration) as unknown as Vector);
  const middle = [0, 1, 2].map((i) => median(rates.map((it) => it[i] as number))) as unknown as Vector;
  const fastest = Math.max(...free.map((it) => norm(it.after)));
  const agree = rates.filter((it, k) => norm(minus(it, middle)) <= FIELD_TOLERANCE * norm(middle) + (1e-12 * fastest) / (free[k] as Interval).duration).length;
  if (agree < SHARE * rates.length) return null;
  return middle.map((it) => (Math.abs(it) <= FIELD_TOLERANCE * norm(middle) ? 0 : Number(it.toPrecision(12)))) as unknown as Vector;
}

/** Whether a constant of the world is this field: the vector itself, or its strength where it points down. */
export function isGiven(field: Vector, constants: readonly (readonly number[])[], up: Vector): boolean {
  const strength = norm(field);
  if (strength === 0) return true;
  const equal = (a: number, b: number) => Math.abs(a - b) <= 1e-6 * strength;
  const down = up.reduce((sum, it, i) => sum + it * (field[i] as number), 0);
  return constants.some((it) => (it.length === 3 ? it.every((value, i) => equal(value, field[i] as number)) : it.length === 1 && equal(it[0] as number, strength) && equal(down, -strength)));
}

/** Whether a quantity goes with the square of the speed, as a kinetic energy does. */
export function goesWithSquare(energy: Series, v: readonly Series[]): boolean {
  const ratios: number[] = [];
  for (let k = 0; k < energy.times.length; k++) {
    const time = energy.times[k] as number;
    const square = v.reduce((sum, it) => sum + valueAt(it, time) ** 2, 0);
    if (square > 0 && Number.isFinite(square)) ratios.push((energy.values[k] as number) / square);
  }
  const middle = median([...ratios]);
  return ratios.length >= LEAST && middle > 0 && ratios.filter((it) => Math.abs(it - middle) < 1e-3 * middle).length > SHARE * ratios.length;
}
