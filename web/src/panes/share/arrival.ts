// A text that came with a link: somebody else wrote it, and opening a page is no wish to compute for minutes. It is shown, checked and
// run; if it takes long it is stopped, until the reader asks for the whole run or changes the text.
import { signal } from "@preact/signals";
import type { Lab } from "../../lab/lab.ts";

/** What a link has brought. */
export type Arrival =
  /** A text, which runs or has run. */
  | { how: "came"; text: string }
  /** A text that took so long that it was stopped. */
  | { how: "stopped"; text: string }
  /** Nothing: the link is damaged, or its text is too long. */
  | { how: "damaged" }
  | { how: "too_long" };

export const arrival = signal<Arrival | null>(null);

/** Longest time that a text from a link is computed unasked, in seconds. */
export const UNASKED_SECONDS = 10;

/** How often it is looked at, in milliseconds. */
const INTERVAL = 250;

/** Stops what takes too long unasked. Gives the function that ends this. */
export function guard(lab: Lab): () => void {
  let began: number | null = null;
  const timer = setInterval(() => {
    const came = arrival.value;
    if (came === null || !("text" in came)) return;
    if (lab.openings.value > 0 && lab.text.value !== came.text) {
      // Changed, or another experiment: what runs now is the reader's own wish.
      arrival.value = null;
      return;
    }
    if (!lab.busy.value) {
      began = null;
      return;
    }
    began ??= performance.now();
    if (performance.now() - began < 1000 * UNASKED_SECONDS) return;
    lab.cancel();
    arrival.value = { how: "stopped", text: came.text };
  }, INTERVAL);
  return () => clearInterval(timer);
}

/** Runs the text to its end. */
export function release(lab: Lab): void {
  arrival.value = null;
  lab.rerun();
}
