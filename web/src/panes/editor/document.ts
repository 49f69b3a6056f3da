// The text as it is written: one document with a history, which the editor shows, sliders turn and fixes mend.
//
// The document may be ahead of what the lab knows, by what was typed in the last moments. Places that come from the lab are
// places in its text; they are carried over what was typed since, so that a number is found where it stands now.
import { history, isolateHistory, redo, redoDepth, undo, undoDepth } from "@codemirror/commands";
import { Annotation, type ChangeDesc, type ChangeSet, EditorState, type Extension, Transaction } from "@codemirror/state";
import { EditorView, type ViewUpdate } from "@codemirror/view";
import { effect, signal, untracked } from "@preact/signals";
import { difference } from "../../lab/difference.ts";
import type { Lab } from "../../lab/lab.ts";
import { openingFolds } from "./opening_folds.ts";
import type { Edit, Formula, Number as TextNumber } from "../../wire/types.ts";

/** How long a pause in typing is, in milliseconds: the text is looked at then. */
const SEND_DELAY_MS = 120;
/** What is typed after so long is undone by itself. */
const UNDO_GROUP_MS = 500;

/** Changes of one pull at a slider have the same number. */
const drag = Annotation.define<number>();
/** The document follows the lab. */
const followed = Annotation.define<boolean>();

export class ExperimentDocument {
  readonly lab: Lab;
  /** The numbers of the text, where they stand now. */
  readonly numbers = signal<readonly TextNumber[]>([]);
  /** The laws of the text, where they stand now. */
  readonly formulas = signal<readonly Formula[]>([]);
  /** Where the cursor is. */
  readonly cursor = signal(0);
  /** How many steps can be undone, and done again. */
  readonly steps = signal({ back: 0, forth: 0 });
  #view: EditorView | null = null;
  #extensions: Extension = [];
  /** The text that the lab and the document had in common last. */
  #common = "";
  #openings = 0;
  /** What was typed since. */
  #ahead: ChangeSet | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pulls = 0;
  #pulling = false;
  #changed = { time: 0, drag: 0 };

  constructor(lab: Lab) {
    this.lab = lab;
  }

  /** The document; `null` as long as there is no editor. */
  get view(): EditorView | null {
    return this.#view;
  }

  get text(): string {
    return this.#view?.state.doc.toString() ?? this.lab.text.peek();
  }

  /** Makes the editor; gives back how to take it away. */
  mount(parent: HTMLElement, extensions: Extension): () => void {
    this.#extensions = [extensions, this.#history(), EditorView.updateListener.of((update) => this.#updated(update))];
    this.#common = this.lab.text.peek();
    this.#openings = this.lab.openings.peek();
    const view = new EditorView({ parent, state: this.#fresh(this.#common) });
    this.#view = view;
    this.#fold(view);
    this.lab.takeTyped = () => this.flush();
    const ends = [
      effect(() => {
        const text = this.lab.text.value;
        const openings = this.lab.openings.value;
        untracked(() => this.#follow(text, openings));
      }),
      effect(() => {
        const checked = this.lab.checked.value;
        untracked(() => this.#place(checked));
      }),
    ];
    return () => {
      this.flush();
      this.lab.takeTyped = () => {};
      for (const end of ends) end();
      view.destroy();
      this.#view = null;
    };
  }

  /** Tells the lab at once what was typed. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#ahead === null) return;
    this.#ahead = null;
    this.#common = this.text;
    this.lab.edit(this.#common, this.#pulling);
  }

  /** A place of the lab's text as a place of the document. */
  now(place: number, side: -1 | 1 = 1): number {
    const { length } = this.#view?.state.doc ?? { length: 0 };
    if (this.#ahead === null) return Math.min(place, length);
    return place > this.#ahead.length ? length : this.#ahead.mapPos(place, side);
  }

  /** Changes a part of the document, as one step of its own. */
  change(from: number, to: number, insert: string): void {
    this.#view?.dispatch({ changes: { from, to, insert }, annotations: isolateHistory.of("full"), userEvent: "input.replace" });
    this.flush();
  }

  /** The way out that a problem proposes. */
  mend(edit: Edit): void {
    this.change(this.now(edit.start, -1), this.now(edit.end), edit.replacement);
  }

  /** Writes a number while it is pulled: all changes until `release` are one step. */
  turn(from: number, to: number, insert: string): void {
    const view = this.#view;
    if (view === null || view.state.sliceDoc(from, to) === insert) return;
    if (!this.#pulling) {
      this.flush();
      this.#pulling = true;
      this.#pulls += 1;
    }
    view.dispatch({ changes: { from, to, insert }, annotations: drag.of(this.#pulls) });
    this.flush();
  }

  release(): void {
    if (!this.#pulling) return;
    this.#pulling = false;
    this.lab.endDrag();
  }

  undo(): void {
    this.release();
    if (this.#view !== null) undo(this.#view);
    this.flush();
  }

  redo(): void {
    this.release();
    if (this.#view !== null) redo(this.#view);
    this.flush();
  }

  // Steps are joined here and not by time alone: a slider may be held for a minute.
  #history(): Extension {
    return history({
      newGroupDelay: 1e9,
      joinToEvent: (transaction, adjacent) => {
        const number = transaction.annotation(drag) ?? 0;
        if (number > 0 || this.#changed.drag > 0) return number === this.#changed.drag;
        return adjacent && (transaction.annotation(Transaction.time) ?? 0) - this.#changed.time < UNDO_GROUP_MS;
      },
    });
  }

  #fresh(text: string): EditorState {
    return EditorState.create({ doc: text, extensions: this.#extensions });
  }

  /** Folds what need not be seen first. */
  #fold(view: EditorView): void {
    view.dispatch({ effects: openingFolds(view.state, this.lab.origin.peek().from === "gallery") });
  }

  #updated(update: ViewUpdate): void {
    if (update.docChanged) {
      this.#carry(update.changes, update.state);
      const last = update.transactions.findLast((it) => it.docChanged);
      this.#changed = { time: last?.annotation(Transaction.time) ?? 0, drag: last?.annotation(drag) ?? 0 };
      if (last?.annotation(followed) !== true) {
        this.#ahead = this.#ahead?.compose(update.changes) ?? update.changes;
        clearTimeout(this.#timer);
        // What is undone is meant, and whole.
        const whole = update.transactions.some((it) => it.isUserEvent("undo") || it.isUserEvent("redo"));
        this.#timer = setTimeout(() => this.flush(), whole ? 0 : SEND_DELAY_MS);
      }
    }
    this.#count(update.state);
    if (update.docChanged || update.selectionSet) this.cursor.value = update.state.selection.main.head;
  }

  #count(state: EditorState): void {
    const [back, forth] = [undoDepth(state), redoDepth(state)];
    const known = this.steps.peek();
    if (back !== known.back || forth !== known.forth) this.steps.value = { back, forth };
  }

  #carry(changes: ChangeDesc, state: EditorState): void {
    const carried = <T extends { start: number; end: number }>(it: T): T => ({ ...it, start: changes.mapPos(it.start, -1), end: changes.mapPos(it.end, 1) });
    const number = (it: TextNumber): TextNumber => {
      const { start, end } = carried(it);
      const touched = changes.touchesRange(it.start, it.end) !== false;
      const value = touched ? Number(state.sliceDoc(start, end).replace(/\s/g, "") || Number.NaN) : it.value;
      return { ...it, start, end, value: Number.isFinite(value) ? value : it.value, owned: it.owned === null ? null : carried(it.owned) };
    };
    this.numbers.value = this.numbers.peek().map(number);
    this.formulas.value = this.formulas.peek().map(carried);
  }

  /** The lab has another text that did not come from here. */
  #follow(text: string, openings: number): void {
    const view = this.#view;
    const opens = openings !== this.#openings;
    if (view === null || (text === this.#common && !opens)) return;
    clearTimeout(this.#timer);
    this.#ahead = null;
    this.#pulling = false;
    this.#common = text;
    this.#openings = openings;
    if (opens) this.#open(view, text);
    else view.dispatch({ changes: difference(view.state.doc.toString(), text), annotations: [followed.of(true), isolateHistory.of("full")] });
    // Documents know one kind of line break; places must be the same here and there.
    const written = view.state.doc.toString();
    if (written === text) return;
    this.#common = written;
    setTimeout(() => this.lab.edit(written));
  }

  /** Another experiment: another history. If it differs only in numbers, the cursor stays where it is. */
  #open(view: EditorView, text: string): void {
    const before = view.state.doc.toString();
    const { main } = view.state.selection;
    const top = view.scrollDOM.scrollTop;
    view.setState(this.#fresh(text));
    this.#fold(view);
    this.numbers.value = [];
    this.formulas.value = [];
    this.cursor.value = 0;
    this.#count(view.state);
    if (withoutNumbers(before) !== withoutNumbers(text)) {
      view.scrollDOM.scrollTop = 0;
      return;
    }
    const { from, to, insert } = difference(before, text);
    const now = (place: number) => (place <= from ? place : place >= to ? place - to + from + insert.length : from);
    view.dispatch({ selection: { anchor: Math.min(now(main.anchor), text.length), head: Math.min(now(main.head), text.length) } });
    view.scrollDOM.scrollTop = top;
  }

  #place(checked: Lab["checked"]["value"]): void {
    if (checked === null || checked.revision !== this.lab.revision) return;
    const placed = <T extends { start: number; end: number }>(it: T): T => ({ ...it, start: this.now(it.start, -1), end: this.now(it.end) });
    this.numbers.value = checked.numbers.map((it) => ({ ...placed(it), owned: it.owned === null ? null : placed(it.owned) }));
    this.formulas.value = checked.formulas.map(placed);
  }
}

const writings = new WeakMap<Lab, ExperimentDocument>();

/** The writing of a lab: the same for everybody who asks. */
export function documentOf(lab: Lab): ExperimentDocument {
  let experiment = writings.get(lab);
  if (experiment === undefined) {
    experiment = new ExperimentDocument(lab);
    writings.set(lab, experiment);
  }
  return experiment;
}

function withoutNumbers(text: string): string {
  return text.replace(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, "0");
}
