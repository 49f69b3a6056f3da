// The energies of a run over time, in one place: sums of the accounts at every moment that is known. At an event a moment stands twice,
// just before and just after.
//
//     kinetic + potential + lost = the energy at the start + numerical error
//
// `lost` is what left the mechanical energy for good, or what was given where it is negative. Without a ledger it holds the errors too.
import { placeAt, type Series } from "../plots/series.ts";
import type { EventInfo } from "../../wire/types.ts";
import type { Lane } from "../timeline/lanes.ts";
import type { Accounts } from "./accounts.ts";

export interface History {
  readonly accounts: Accounts;
  readonly times: Float64Array;
  /** Kinetic energy; `null` where only the total is known. */
  readonly kinetic: Float64Array | null;
  /** Potential energy, as it is written, or above its lowest value. */
  readonly potential: Float64Array | null;
  readonly total: Float64Array;
  /** `null` where a part of the energy is not known. */
  readonly lost: Float64Array | null;
  readonly error: Float64Array | null;
  /** What bars of potential energy begin at. */
  readonly lowest: number;
  /** Work of each cause since the start, in the order of `causes`. */
  readonly causes: readonly { readonly name: string; readonly work: Float64Array }[];
}

/** A value on one side of a moment; NaN where there is none. */
function sideOf(series: Series, time: number, after: boolean): number {
  const { times, values } = series;
  let place = placeAt(times, time);
  if (place < 0) return Number.NaN;
  if (times[place] === time) {
    while (!after && place > 0 && times[place - 1] === time) place--;
    return values[place] as number;
  }
  const [t0, t1] = [times[place] as number, times[place + 1]];
  if (t1 === undefined) return Number.NaN;
  const [v0, v1] = [values[place] as number, values[place + 1] as number];
  return v0 + ((v1 - v0) * (time - t0)) / (t1 - t0);
}

/** A series without the moments at which it has no value. */
export function known(series: Series): Series {
  const keep = [...series.values.keys()].filter((k) => Number.isFinite(series.values[k]));
  if (keep.length === series.values.length) return series;
  return { ...series, times: Float64Array.from(keep, (k) => series.times[k] as number), values: Float64Array.from(keep, (k) => series.values[k] as number) };
}

interface Moments {
  times: Float64Array;
  after: Uint8Array;
}

/** All moments of all series; twice where one has a jump. */
function momentsOf(all: readonly Series[]): Moments {
  const twice = new Set<number>();
  const once = new Set<number>();
  for (const { times } of all) {
    for (let k = 0; k < times.length; k++) {
      once.add(times[k] as number);
      if (k > 0 && times[k] === times[k - 1]) twice.add(times[k] as number);
    }
  }
  const sorted = [...once].sort((a, b) => a - b);
  const [times, after]: [number[], number[]] = [[], []];
  for (const time of sorted) {
    if (twice.has(time)) {
      times.push(time);
      after.push(0);
    }
    times.push(time);
    after.push(1);
  }
  return { times: Float64Array.from(times), after: Uint8Array.from(after) };
}

function along({ times, after }: Moments, series: Series): Float64Array {
  return times.map((time, k) => sideOf(series, time, after[k] === 1));
}

function added(parts: readonly Float64Array[], length: number): Float64Array {
  const sum = new Float64Array(length);
  for (const part of parts) for (let k = 0; k < length; k++) sum[k] = (sum[k] as number) + (part[k] as number);
  return sum;
}

/** Formulas that a history is made of, in this order. */
export function formulasOf({ parts, error, works }: Accounts): string[] {
  const own = parts.flatMap((it) => [it.kinetic, it.potential, it.total]);
  return [...own, error, ...works.map((it) => it.formula)].filter((it): it is string => it !== null);
}

/** Makes the history of series that belong to `formulasOf`; `null` where one of them has no value at all. */
export function historyOf(accounts: Accounts, read: readonly Series[], lanes: readonly Lane[], events: readonly EventInfo[]): History | null {
  const all = read.map(known);
  if (all.length === 0 || all.some((it) => it.times.length === 0)) return null;
  const moments = momentsOf(all);
  const { length } = moments.times;
  const byFormula = new Map(formulasOf(accounts).map((formula, k) => [formula, all.find((it) => it.formula === k)]));
  const values = (formula: string): Float64Array => along(moments, byFormula.get(formula) as Series);
  const sumOf = (key: "kinetic" | "potential" | "total"): Float64Array | null => {
    const formulas = accounts.parts.map((it) => it[key]);
    return formulas.some((it) => it === null) ? null : added((formulas as string[]).map(values), length);
  };
  const kinetic = sumOf("kinetic");
  const written = sumOf("potential");
  const given = sumOf("total");
  const lowest = written === null ? 0 : written.reduce((least, it) => (it < least ? it : least), Infinity);
  const potential = written !== null && accounts.fromLowest ? written.map((it) => it - lowest) : written;
  const error = accounts.error === null ? null : values(accounts.error);
  const whole = kinetic !== null && potential !== null;
  const total = whole ? added([kinetic, potential], length) : (given ?? (kinetic as Float64Array));
  const start = total[0] as number;
  const lost = whole || given !== null ? total.map((it, k) => start - it + (error?.[k] ?? 0)) : null;
  const causes = accounts.works.length > 0 ? accounts.works.map(({ cause, formula }) => ({ name: cause, work: fromStart(values(formula)) })) : whole ? byLaws(accounts, { moments, values, lanes, events }) : [];
  return { accounts, times: moments.times, kinetic, potential, total, lost, error, lowest: accounts.fromLowest ? 0 : Math.min(0, lowest), causes };
}

function fromStart(work: Float64Array): Float64Array {
  return work.map((it) => it - (work[0] as number));
}

/** What the energy of each body did while a law held for it, and at its events: the work of that law. */
function byLaws(accounts: Accounts, of: { moments: Moments; values: (formula: string) => Float64Array; lanes: readonly Lane[]; events: readonly EventInfo[] }): { name: string; work: Float64Array }[] {
  const { moments, values, lanes, events } = of;
  if (accounts.parts.some((it) => it.body === null)) return [];
  const works = new Map<string, Float64Array>();
  for (const part of accounts.parts) {
    const lane = lanes.find((it) => it.body === part.body);
    if (lane === undefined) return [];
    const energy = added([values(part.kinetic as string), values(part.potential as string)], moments.times.length);
    const acts = lane.events.map((index) => events[index]).filter((it): it is EventInfo => it !== undefined && it.kind !== "free fall" && it.kind !== "contact");
    const atEvents = new Map(acts.map((it) => [it.time, it.context]));
    let band = 0;
    for (let k = 1; k < energy.length; k++) {
      const [before, now] = [moments.times[k - 1] as number, moments.times[k] as number];
      const change = (energy[k] as number) - (energy[k - 1] as number);
      while (band + 1 < lane.bands.length && (lane.bands[band + 1]?.from ?? Infinity) <= before) band++;
      const law = before === now ? (atEvents.get(now) ?? lane.bands.find((it) => it.from === now)?.context ?? null) : (lane.bands[band]?.context ?? null);
      if (law === null) {
        if (change !== 0) return [];
        continue;
      }
      let work = works.get(law);
      if (work === undefined) works.set(law, (work = new Float64Array(energy.length)));
      work[k] = (work[k] as number) + change;
    }
  }
  for (const work of works.values()) for (let k = 1; k < work.length; k++) work[k] = (work[k] as number) + (work[k - 1] as number);
  return [...works].map(([name, work]) => ({ name, work }));
}

/** The value of a column of a history at a time; after an event, or before it. */
export function valueIn(history: History, column: Float64Array, time: number, after = true): number {
  const last = history.times.length - 1;
  const bounded = Math.min(Math.max(time, history.times[0] as number), history.times[last] as number);
  return sideOf({ formula: 0, label: "", problem: null, times: history.times, values: column }, bounded, after);
}
