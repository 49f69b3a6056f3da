// The energies of the run on screen, for all that show them: read when somebody shows them, and again as the run goes on.
import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import type { Lab } from "../../lab/lab.ts";
import { isNarrow, resultsShown } from "../../lab/layout.ts";
import { resultTab } from "../../lab/panels.ts";
import type { Run } from "../../lab/run.ts";
import { remember, remembered } from "../../ui/storage.ts";
import type { Accounts } from "./accounts.ts";
import type { History } from "./history.ts";
import { accountsOf, readHistory } from "./read.ts";

const KEY = "gedanken.energy";
/** While a run goes on, energies are read again after this many milliseconds. */
const REFRESH_DELAY_MS = 500;

/** Whether bars lie over the world, if there are energies and room. */
export const barsWanted = signal(remembered(KEY) !== "off");

export function showBars(on: boolean): void {
  barsWanted.value = on;
  remember(KEY, on ? null : "off");
}

/** What is known of a run. */
export interface Known {
  readonly run: Run;
  /** `null` where nothing allows accounts. */
  readonly history: History | null;
}

const current = signal<Known | null>(null);

/** The energies of the run on screen; of the one before it, until they are known. */
export const energies: ReadonlySignal<Known | null> = current;

const isSeen = computed(() => (barsWanted.value && !isNarrow.value) || (resultsShown.value && resultTab.value === "energy"));

/** Follows the run on screen; gives back how to end it. */
export function followEnergies(lab: Lab): () => void {
  let [isAsking, again, isOver] = [false, false, false];
  let timer: ReturnType<typeof setTimeout> | null = null;
  let found: { run: Run; accounts: Accounts } | null = null;
  const read = async (): Promise<void> => {
    const run = lab.run.peek();
    if (isAsking || isOver) {
      again = true;
      return;
    }
    if (run === null) {
      current.value = null;
      return;
    }
    isAsking = true;
    try {
      const isWhole = run.ended.peek() !== null;
      // What a run is read from may show itself later in it; at its end it is decided.
      const accounts = found?.run === run && !isWhole ? found.accounts : await accountsOf(lab, run);
      found = accounts === null ? null : { run, accounts };
      const history = accounts === null ? null : await readHistory(lab, run, accounts);
      if (lab.run.peek() === run && !isOver) current.value = { run, history };
    } catch {
      // The run has gone, or the connection: the next run is asked for its energies again.
    }
    isAsking = false;
    if (!again) return;
    again = false;
    void read();
  };
  const stop = effect(() => {
    const run = lab.run.value;
    if (!isSeen.value || run === null) return;
    void run.reached.value;
    if (current.peek()?.history?.accounts.only != null) void lab.selection.value;
    const isWhole = run.ended.value !== null;
    if (timer !== null && !isWhole) return;
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(
      () => {
        timer = null;
        void read();
      },
      isWhole ? 0 : REFRESH_DELAY_MS,
    );
  });
  // For tests, and for the curious at the console.
  Object.assign(window, { energies });
  return () => {
    isOver = true;
    stop();
    if (timer !== null) clearTimeout(timer);
  };
}
