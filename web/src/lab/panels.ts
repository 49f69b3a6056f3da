// What stands in the panes: which tab is in front, which plots there are, which columns the table has.
import { signal } from "@preact/signals";

export type LawTab = "text" | "mathematics" | "parameters";
export type ValueTab = "inspector" | "vectors";
export type ResultTab = "events" | "plots" | "energy" | "measures" | "table" | "calculator" | "problems";

export const lawTab = signal<LawTab>("text");
export const valueTab = signal<ValueTab>("inspector");
/** The tab of the results; `null` until one was chosen. */
export const resultTab = signal<ResultTab | null>(null);
/** Whether the list of drafts is open. */
export const draftsShown = signal(false);
/** Whether the dialog that asks for the secret of the lab is open. */
export const asksSecret = signal(false);

/** One plot: what is drawn, against what. */
export interface PlotSpec {
  readonly id: number;
  /** `t`, or any other formula. */
  readonly x: string;
  readonly ys: readonly string[];
  /** Whether the length of a vector is drawn, instead of its components. */
  readonly norm: boolean;
}

export const plots = signal<readonly PlotSpec[]>([]);
/** Formulas that stand in the table. */
export const tabled = signal<readonly string[]>([]);

let lastPlot = 0;

/** A new plot of formulas against `x`. */
export function addPlot(ys: readonly string[], x = "t"): void {
  lastPlot += 1;
  plots.value = [...plots.value, { id: lastPlot, x, ys, norm: false }];
}

/** Changes a plot. */
export function changePlot(id: number, change: Partial<Omit<PlotSpec, "id">>): void {
  plots.value = plots.value.map((it) => (it.id === id ? { ...it, ...change } : it));
}

/** Plots a formula over time, in a plot that is there, or in a new one. */
export function addCurve(formula: string): void {
  const last = plots.value.findLast((it) => it.x === "t");
  if (last === undefined) addPlot([formula]);
  else if (!last.ys.includes(formula)) changePlot(last.id, { ys: [...last.ys, formula] });
}

/** Puts a formula into the table. */
export function addColumn(formula: string): void {
  if (!tabled.value.includes(formula)) tabled.value = [...tabled.value, formula];
}
