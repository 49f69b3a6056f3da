// Reads the energies of a run: finds the accounts that it has, checks what names alone do not prove, and asks the engine for the numbers.
import type { Lab } from "../../lab/lab.ts";
import type { Run } from "../../lab/run.ts";
import { type Series, seriesOf } from "../plots/series.ts";
import { lanes } from "../timeline/lanes.ts";
import { type Accounts, motionAccounts, movers, namedAccounts, totalAccounts } from "./accounts.ts";
import { type Flight, goesWithSquare, isGiven, isVelocity, uniformField, type Vector } from "./field.ts";
import { formulasOf, type History, historyOf } from "./history.ts";
import { lawField } from "./law_field.ts";

/** Maximum number of series of one reply. */
const MAX_SERIES = 48;
/** Points of a series: so many that few bodies lose no event, and many bodies cost no more. */
const POINTS = 16_000;
/** The part of a run that shows what its laws are, in frames. */
const PROBE_FRAMES = 1500;

async function read(lab: Lab, run: Run, formulas: readonly string[], to = run.scene.end): Promise<Series[]> {
  const all: Series[] = [];
  // A vector has three series.
  const step = Math.floor(MAX_SERIES / 3);
  for (let first = 0; first < formulas.length; first += step) {
    const some = formulas.slice(first, first + step);
    const most = Math.max(400, Math.floor(POINTS / formulas.length));
    all.push(...seriesOf(await lab.columns(some, { run, to, most })).map((it) => ({ ...it, formula: it.formula + first })));
  }
  return all;
}

/** The accounts of a run as far as it has come; `null` where nothing allows any. */
export async function accountsOf(lab: Lab, run: Run): Promise<Accounts | null> {
  const named = namedAccounts(run.scene);
  if (named !== null && (await isProven(lab, run, named))) return named;
  const moved = await motion(lab, run);
  return moved === null || moved.parts.some((it) => it.potential === null) ? (totalAccounts(run.scene) ?? moved) : moved;
}

/** Whether every `T` goes with v². */
async function isProven(lab: Lab, run: Run, { doubtful }: Accounts): Promise<boolean> {
  for (const { kinetic, v } of doubtful) {
    const series = await read(lab, run, [kinetic, v]);
    const [energy, ...velocity] = series;
    if (energy === undefined || !goesWithSquare(energy, velocity)) return false;
  }
  return true;
}

async function motion(lab: Lab, run: Run): Promise<Accounts | null> {
  const all = movers(run.scene, lab.selection.peek());
  if (all.length === 0) return null;
  const { initial_time, frame_rate, end } = run.scene;
  const series = await read(lab, run, all.flatMap((it) => [it.position, it.v]), Math.min(end, initial_time + PROBE_FRAMES / frame_rate));
  const ways = lanes(run.scene, run.events.peek());
  const flights = all.map((it, k): Flight => ({
    place: series.filter((one) => one.formula === 2 * k),
    v: series.filter((one) => one.formula === 2 * k + 1),
    bands: ways.find((lane) => lane.body === it.body)?.bands ?? [],
  }));
  if (!flights.every(isVelocity)) return null;
  const named = (body: number) => lawField(lab, run, ways.find((lane) => lane.body === body), (formulas) => read(lab, run, formulas));
  const fields: (Vector | null)[] = [];
  const given = await constants(lab, run);
  for (const [k, flight] of flights.entries()) {
    const seen = uniformField(flight);
    fields.push(seen !== null && isGiven(seen, given, run.scene.up) ? seen : await named((all[k] as (typeof all)[number]).body));
  }
  // What falls on straight lines has no potential energy here; where only some have a field, the sum would mislead.
  const known = fields.every((it): it is Vector => it !== null);
  return motionAccounts(run.scene, all, known ? fields : fields.map(() => null));
}

/** Numbers and vectors of three that the text gives to the world. */
async function constants(lab: Lab, run: Run): Promise<number[][]> {
  const known = run.scene.quantities.filter((it) => it.owner === "world" && it.constant && (it.ty === "real" || it.ty === "vector(3)"));
  const series = await read(lab, run, known.slice(0, MAX_SERIES).map((it) => it.formula), run.scene.initial_time);
  return known.map((_, k) => series.filter((it) => it.formula === k).map((it) => it.values[0] ?? Number.NaN));
}

/** The energies of a run as far as it has come. */
export async function readHistory(lab: Lab, run: Run, accounts: Accounts): Promise<History | null> {
  return historyOf(accounts, await read(lab, run, formulasOf(accounts)), lanes(run.scene, run.events.peek()), run.events.peek());
}
