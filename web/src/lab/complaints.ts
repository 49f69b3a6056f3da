// What is wrong with the text and with the run on screen, counted: for the badge of the drawer, and for the bar over the world.
import type { Lab } from "./lab.ts";

export interface Complaints {
  /** Errors, measures that missed what is expected, runs that stopped early. */
  failures: number;
  /** Warnings, and what the run had to say. */
  notices: number;
  /** Whether the picture is of an earlier text, because the present one cannot run. */
  stale: boolean;
  /** Names of the measures that missed what is expected. */
  missed: readonly string[];
}

export function complaints(lab: Lab): Complaints {
  const { errors, warnings } = lab.problemCounts.value;
  const ended = lab.run.value?.ended.value ?? null;
  const missed = (ended?.verdicts ?? []).filter((it) => it.ok === false).map((it) => it.name);
  const bounded = ended?.ending.how === "bounded" ? 1 : 0;
  const stale = lab.checked.value?.sound === false && lab.run.value !== null;
  return { failures: errors + missed.length + bounded, notices: warnings + (ended?.notices.length ?? 0), stale, missed };
}
