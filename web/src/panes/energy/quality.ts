// How well the solver has kept its promises, as a traffic light with the numbers behind it. Only what the mechanics itself records counts.
import type { Run } from "../../lab/run.ts";
import type { Scene } from "../../wire/types.ts";
import type { Series } from "../plots/series.ts";
import { type History, valueIn } from "./history.ts";
import { scaleOf } from "./words.ts";

export type Light = "green" | "yellow" | "red";

/** Residuals in the order in which they are told. */
const RESIDUALS = ["signorini", "cone", "dissipation", "overlap", "joint_error", "stationarity", "feasibility", "complementarity", "friction_residual", "certificate", "duality_gap"] as const;
export type Residual = (typeof RESIDUALS)[number];

/** Share of the energy that may be unexplained, for each light. */
const ERROR = { green: 1e-3, yellow: 2e-2 };
/** Share of the frames whose steps may miss the tolerance of the solver, for yellow. */
const MISSED = 0.05;

export interface Quality {
  readonly light: Light;
  /** Frames known so far, and those at which the solver was not within its promise. */
  readonly frames: number;
  readonly missed: number;
  /** The largest unexplained energy so far, as a share of the largest energy. */
  readonly error: number | null;
  readonly residuals: readonly { readonly name: Residual; readonly now: number; readonly largest: number }[];
}

/** What is to be read: `converged`, then residuals. */
export function qualityFormulas(scene: Scene): { name: string; formula: string }[] {
  const find = (name: string) => scene.quantities.find((it) => it.owner === "world" && it.name === name && !it.constant);
  const converged = find("converged");
  if (converged === undefined) return [];
  return [{ name: "converged", formula: converged.formula }, ...RESIDUALS.flatMap((name) => (find(name) === undefined ? [] : [{ name, formula: find(name)?.formula as string }]))];
}

export function qualityOf(run: Run, history: History | null, read: readonly { name: string; series: Series }[], time: number): Quality | null {
  const converged = read.find((it) => it.name === "converged")?.series;
  if (converged === undefined || converged.values.length === 0) return null;
  const frames = converged.values.length;
  const missed = converged.values.reduce((count, it) => count + (it === 0 ? 1 : 0), 0);
  const scale = history === null ? 0 : scaleOf(history);
  const largestError = history?.error?.reduce((most, it) => Math.max(most, Number.isFinite(it) ? Math.abs(it) : 0), 0) ?? null;
  const error = largestError === null || scale === 0 ? null : largestError / scale;
  const residuals = read
    .filter((it) => it.name !== "converged")
    .map(({ name, series }) => {
      const of = { ...series, formula: 0 };
      return { name: name as Residual, now: history === null ? Number.NaN : valueIn({ ...history, times: of.times }, of.values, time), largest: of.values.reduce((most, it) => (Number.isFinite(it) ? Math.max(most, it) : most), 0) };
    });
  const failed = run.ended.value?.ending.how === "failed";
  const light = failed || missed > MISSED * frames || (error ?? 0) > ERROR.yellow ? "red" : missed > 0 || (error ?? 0) > ERROR.green ? "yellow" : "green";
  return { light, frames, missed, error, residuals };
}
