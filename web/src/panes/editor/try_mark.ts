// The number that a visitor shall try, marked in the text.
import { type Extension, type Range, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import { effect } from "@preact/signals";
import { currentStep } from "../tour/state.ts";
import type { Number as TextNumber } from "../../wire/types.ts";
import type { ExperimentDocument } from "./document.ts";

/** The last number of the gravity of the world: `g = [0, 0, -9.81]`. */
const TRIED = /^[ \t]*g = \[.*?(\d+(?:\.\d+)?)\]/m;

/** Where the number stands; `null` if none is marked. */
const setMark = StateEffect.define<{ from: number; to: number } | null>();

export const tryMark: Extension = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, transaction) => {
    const asked = transaction.effects.findLast((it) => it.is(setMark));
    if (asked === undefined) return marks.map(transaction.changes);
    if (asked.value === null) return Decoration.none;
    const mark: Range<Decoration> = Decoration.mark({ class: "try-mark" }).range(asked.value.from, asked.value.to);
    return Decoration.set(mark);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** The number that the tour speaks of. */
function toldIn(text: string): { from: number; to: number } | null {
  const found = TRIED.exec(text);
  if (found?.[1] === undefined) return null;
  const to = found.index + found[0].length - 1;
  return { from: to - found[1].length, to };
}

/** The number that a view asks to change: the last one of a vector that is not zero. */
function triedIn(numbers: readonly TextNumber[], label: string): { from: number; to: number } | null {
  const own = numbers.filter((it) => it.label === label || it.label.startsWith(`${label}#`));
  const found = own.findLast((it) => it.value !== 0) ?? own.at(-1);
  return found === undefined ? null : { from: found.start, to: found.end };
}

/** Marks the number while the tour speaks of it, or as long as the view of the experiment names it; gives back how to stop. */
export function markTried(experiment: ExperimentDocument): () => void {
  /** What is marked, so that marking it again does not look like another change of the document. */
  let marked = "";
  return effect(() => {
    const { lab } = experiment;
    const opened = lab.openings.value;
    const isTold = currentStep()?.name === "number";
    const tried = lab.run.value?.scene.view?.tried ?? null;
    const numbers = experiment.numbers.value;
    // The editor may be about to take the text of what was opened.
    queueMicrotask(() => {
      const { view } = experiment;
      if (view === null) return;
      const place = isTold ? toldIn(experiment.text) : tried === null ? null : triedIn(numbers, tried);
      const isInside = place !== null && place.to <= view.state.doc.length && place.from < place.to;
      const wanted = `${opened} ${isInside ? `${place.from} ${place.to} ${view.state.sliceDoc(place.from, place.to)}` : ""}`;
      if (wanted === marked) return;
      marked = wanted;
      view.dispatch({ effects: setMark.of(isInside ? place : null) });
    });
  });
}
