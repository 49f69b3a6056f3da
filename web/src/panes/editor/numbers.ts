// Numbers in the text: which one is at a place, and whether it can be turned.
import type { Number as TextNumber } from "../../wire/types.ts";
import type { ExperimentDocument } from "./document.ts";

/** The number at a place, its ends included. */
export function numberAt(experiment: ExperimentDocument, place: number): TextNumber | null {
  return experiment.numbers.peek().find((it) => it.start <= place && place <= it.end) ?? null;
}

/** Whether a number can have any value: one that counts, or chooses an element of a vector, cannot. */
export function turnable(number: TextNumber): boolean {
  return !number.counts;
}
