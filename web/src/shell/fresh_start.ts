// Another experiment begins with nothing of the one before: no plots, no arrows, no columns, no filter, and colours from the first on.
import { batch, effect, untracked } from "@preact/signals";
import { forgetColors } from "../lab/colors.ts";
import type { Lab } from "../lab/lab.ts";
import { plots, tabled } from "../lab/panels.ts";
import { forgetPart } from "../panes/energy/interval.ts";
import { ALL, filter } from "../panes/events/filter.ts";
import { arrows } from "../panes/vectors/state.ts";

/** Gives back how to stop. */
export function startFresh(lab: Lab): () => void {
  return effect(() => {
    void lab.openings.value;
    untracked(() =>
      batch(() => {
        [plots.value, tabled.value, arrows.value, filter.value] = [[], [], [], ALL];
        forgetColors();
        forgetPart();
      }),
    );
  });
}
