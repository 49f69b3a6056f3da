// Numbers in the text: which one is at a place, and whether it can be turned.
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import type { Number as TextNumber } from "../../wire/types.ts";
import type { ExperimentDocument } from "./document.ts";

/** A number as the language writes it, without its sign. */
const NUMBER = /(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?/g;

/** A double click selects a whole number, with its decimal point and its exponent. */
export const numberSelection: Extension = EditorView.domEventHandlers({
  mousedown: (event, view) => {
    const place = event.detail === 2 && event.button === 0 ? view.posAtCoords({ x: event.clientX, y: event.clientY }) : null;
    if (place === null) return false;
    const line = view.state.doc.lineAt(place);
    const found = [...line.text.matchAll(NUMBER)].find((it) => line.from + it.index <= place && place <= line.from + it.index + it[0].length);
    // Digits inside a name belong to the name.
    if (found === undefined || /\w/.test(line.text[found.index - 1] ?? "")) return false;
    event.preventDefault();
    view.dispatch({ selection: { anchor: line.from + found.index, head: line.from + found.index + found[0].length }, userEvent: "select.pointer" });
    view.focus();
    return true;
  },
});

/** The number at a place, its ends included. */
export function numberAt(experiment: ExperimentDocument, place: number): TextNumber | null {
  return experiment.numbers.peek().find((it) => it.start <= place && place <= it.end) ?? null;
}

/** Whether a number can have any value: one that counts, or chooses an element of a vector, cannot. */
export function turnable(number: TextNumber): boolean {
  return !number.counts;
}
