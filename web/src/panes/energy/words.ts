// Energies in words: what they are called, in which unit, and what they were taken from.
import { brief } from "../../lab/format.ts";
import { t } from "../../strings/index.ts";
import type { Accounts } from "./accounts.ts";
import type { History } from "./history.ts";

/** Names that a sentence holds; the others are counted. */
const MAX_NAMES = 4;
/** Parts of the largest energy that come from rounding. */
const NEGLIGIBLE = 1e-12;

/** What is drawn: which column, what it is called, which colour it has. */
export interface Shown {
  readonly key: "kinetic" | "potential" | "total" | "lost" | "error";
  readonly label: string;
  readonly color: string;
  readonly column: Float64Array;
  /** What a bar begins at. */
  readonly base: number;
}

export const COLORS = { kinetic: "var(--e-kinetic)", potential: "var(--e-potential)", total: "var(--q-blue)", lost: "var(--e-lost)", error: "var(--bad)" } as const;

/** The parts of a history that there are, from the bottom of the stack. `lost` is told as what it is at the moment. */
export function shownParts(history: History): Shown[] {
  const { kinetic, potential, total, lost, error, lowest, accounts } = history;
  const parts: Shown[] = [];
  const add = (key: Shown["key"], label: string, column: Float64Array | null, base = 0) => {
    if (column !== null) parts.push({ key, label, color: COLORS[key], column, base });
  };
  add("kinetic", t("energy.kinetic"), kinetic);
  // Where no field is, there is no potential energy to be told of.
  add("potential", t("energy.potential"), potential?.some((it) => it !== 0) === true ? potential : null, lowest);
  if (kinetic === null) add("total", accounts.names[0]?.replace(/^measure\./, "") ?? t("energy.total"), total, Math.min(0, total.reduce((least, it) => Math.min(least, it), Infinity)));
  add("lost", t("energy.lost"), lost);
  add("error", t("energy.error"), error);
  return parts;
}

/** The largest energy there is: what is small beside it is nothing. */
export function scaleOf(history: History): number {
  return shownParts(history).reduce((most, { column, base }) => column.reduce((largest, it) => (Number.isFinite(it) ? Math.max(largest, Math.abs(it - base)) : largest), most), 0);
}

/** An energy as people read it; what comes from rounding is 0, but for errors, which are told as they are. */
export function energyText(value: number, scale: number, isError = false): string {
  if (!isError && Math.abs(value) <= NEGLIGIBLE * scale) return "0";
  return brief([value])[0] as string;
}

export function unitOf({ hasUnits }: Accounts, unit = "J"): string {
  return hasUnits ? unit : "";
}

/** Where the numbers were taken from, in a sentence. */
export function sourceText(accounts: Accounts): string {
  const { names, source, perMass, parts, only } = accounts;
  const listed = names.slice(0, MAX_NAMES).join(", ") + (names.length > MAX_NAMES ? ` ${t("energy.more_names", { count: names.length - MAX_NAMES })}` : "");
  if (source !== "motion") return t(`energy.from_${source}`, { names: listed });
  const half = parts.some((it) => it.potential === null);
  const whole = parts.every((it) => it.potential?.includes("[0, 0, 0]"));
  if (whole) return t("energy.from_motion_free", { names: listed });
  return `${t(half ? "energy.from_motion_kinetic" : "energy.from_motion", { names: listed })}${perMass ? ` ${t("energy.per_mass")}` : ""}${only === null ? "" : ` ${t("energy.only", { name: only })}`}`;
}
