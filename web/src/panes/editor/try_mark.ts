// The number that a visitor shall try, marked in the text.
import { type Extension, type Range, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import { effect } from "@preact/signals";
import { currentStep } from "../tour/state.ts";
import type { ExperimentDocument } from "./document.ts";

/** The last number of the gravity of the world: `g = [0, 0, -9.81]`. */
const TRIED = /^[ \t]*g = \[.*?(\d+(?:\.\d+)?)\]/m;

const setMark = StateEffect.define<boolean>();

export const tryMark: Extension = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, transaction) => {
    const asked = transaction.effects.findLast((it) => it.is(setMark));
    if (asked === undefined) return marks.map(transaction.changes);
    const found = asked.value === true ? TRIED.exec(transaction.newDoc.toString()) : null;
    if (found?.[1] === undefined) return Decoration.none;
    const to = found.index + found[0].length - 1;
    const mark: Range<Decoration> = Decoration.mark({ class: "try-mark" }).range(to - found[1].length, to);
    return Decoration.set(mark);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Marks the number while the tour speaks of it; gives back how to stop. */
export function markTried(experiment: ExperimentDocument): () => void {
  return effect(() => {
    const { lab } = experiment;
    void lab.openings.value;
    const isTold = currentStep()?.name === "number";
    // The editor may be about to take the text of what was opened.
    queueMicrotask(() => experiment.view?.dispatch({ effects: setMark.of(isTold) }));
  });
}
