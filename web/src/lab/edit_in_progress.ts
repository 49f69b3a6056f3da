// Which run a change of the text is compared with: the one that was on screen when the edit began. A number that is half typed runs
// too, and so does every place of a slider; none of these is what the user had before.
import { difference } from "./difference.ts";
import type { Run } from "./run.ts";

/** Typing at one place goes on after pauses up to this long, in milliseconds. */
const MAX_PAUSE_MS = 15_000;

export class EditInProgress {
  /** The run on screen when the edit began, and its text; `null` if it differs in more than the text. */
  #base: { run: Run; text: string | null } | null = null;
  /** The part of the present text that the edit has changed so far. */
  #from = 0;
  #to = 0;
  #changed = -Infinity;
  #dragged = false;

  /** The text changes while a run is on screen. A change beside what was changed so far goes on with the edit; so does a drag. */
  change(before: string, after: string, shown: Run | null, dragging: boolean, now: number): void {
    const { from, to, insert } = difference(before, after);
    const touches = from <= this.#to && to >= this.#from;
    const goesOn = this.#base !== null && touches && now - this.#changed < MAX_PAUSE_MS && dragging === this.#dragged;
    if (!goesOn) {
      this.#base = shown === null ? null : { run: shown, text: before };
      [this.#from, this.#to] = [from, from + insert.length];
    } else {
      this.#from = Math.min(this.#from, from);
      this.#to = Math.max(this.#to + insert.length - (to - from), from + insert.length);
    }
    this.#changed = now;
    this.#dragged = dragging;
  }

  /** Something else than the text changes: what is set from outside. */
  set(shown: Run | null): void {
    this.#base = shown === null ? null : { run: shown, text: null };
    this.end();
  }

  /** The edit is over: what comes next is another one. */
  end(): void {
    this.#changed = -Infinity;
  }

  /** Forgets the run, as another experiment is opened. */
  forget(): void {
    this.#base = null;
    this.end();
  }

  /** The run before the edit; `null` if the text is what it was. */
  before(text: string): Run | null {
    return this.#base === null || this.#base.text === text ? null : this.#base.run;
  }
}
