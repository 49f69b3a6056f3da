// How far the tour has come. It offers itself to who has not seen it, on the experiment that the lab opens with.
import { effect, signal, untracked } from "@preact/signals";
import type { Lab } from "../../lab/lab.ts";
import { nameOf } from "../../lab/saving/file.ts";
import { remember, remembered } from "../../ui/storage.ts";
import { type Step, STEPS } from "./steps.ts";

const KEY = "gedanken.tour";
/** The experiment that the tour is about. */
const EXPERIMENT = "bounce";

/** The step that is shown, from 0; `null` if there is no tour. */
export const tourStep = signal<number | null>(null);

export function currentStep(): Step | null {
  return tourStep.value === null ? null : (STEPS[tourStep.value] ?? null);
}

/** Ends the tour for good; the help brings it back. */
export function endTour(): void {
  tourStep.value = null;
  remember(KEY, "seen");
}

/** Begins the tour, on its own experiment. */
export async function beginTour(lab: Lab): Promise<void> {
  if (nameOf(lab.origin.peek()) !== EXPERIMENT) await lab.openFrom({ from: "gallery", name: EXPERIMENT });
  tourStep.value = 0;
}

/** Goes with the visitor from step to step; gives back how to stop. */
export function followTour(lab: Lab): () => void {
  const ends = [
    effect(() => {
      const isHere = lab.origin.value.from === "gallery" && nameOf(lab.origin.value) === EXPERIMENT;
      if (!isHere) tourStep.value = null;
      else if (lab.openings.value > 0 && remembered(KEY) === null && untracked(() => tourStep.value) === null) tourStep.value = 0;
    }),
    effect(() => {
      const step = currentStep();
      if (step === null) return undefined;
      // A step that was done before it was shown is not done by it.
      const isDone = untracked(() => step.begin(lab));
      return effect(() => {
        if (!isDone()) return;
        untracked(() => {
          const next = (tourStep.value ?? 0) + 1;
          if (next < STEPS.length) tourStep.value = next;
          else endTour();
        });
      });
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}
