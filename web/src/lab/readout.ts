// The numbers of the page at one moment. The time and all values that are in sight change together, so that clock, transport, cards and
// inspector never disagree: while time passes they follow it as fast as the engine answers.
import { batch, effect, signal, untracked } from "@preact/signals";
import type { TableRow } from "../wire/types.ts";
import type { Lab } from "./lab.ts";

/** Whose values are read: the name of an object, or the world with its measures. */
export const WORLD = "";

export class Readout {
  /** The moment that all numbers belong to. */
  readonly time = signal(0);
  /** Values by owner. */
  readonly values = signal<ReadonlyMap<string, readonly TableRow[]>>(new Map());
  /** Why there are none. */
  readonly problem = signal("");
  readonly #lab: Lab;
  /** How many panes show an owner. */
  readonly #watchers = new Map<string, number>();
  readonly #watched = signal<readonly string[]>([]);
  #isAsking = false;
  #asked = "";

  constructor(lab: Lab) {
    this.#lab = lab;
    effect(() => {
      void [lab.run.value?.ended.value, lab.clock.time.value, lab.event.value, this.#watched.value];
      untracked(() => this.#follow());
    });
  }

  /** Reads the values of an owner from now on; gives back how to end it. */
  watch(owner: string): () => void {
    this.#count(owner, 1);
    return () => this.#count(owner, -1);
  }

  #count(owner: string, change: 1 | -1): void {
    const count = (this.#watchers.get(owner) ?? 0) + change;
    if (count > 0) this.#watchers.set(owner, count);
    else this.#watchers.delete(owner);
    this.#watched.value = [...this.#watchers.keys()];
  }

  #follow(): void {
    const { run, clock, event } = this.#lab;
    const owners = this.#watched.value;
    const time = clock.time.value;
    if (run.value === null || owners.length === 0) {
      this.time.value = time;
      return;
    }
    // One question at a time: whatever the moment is when the answer comes, that is asked next.
    const key = `${run.value.id} ${run.value.ended.value !== null} ${time} ${event.value} ${owners.join("\n")}`;
    if (this.#isAsking || key === this.#asked) return;
    this.#isAsking = true;
    this.#asked = key;
    const shown = run.value;
    void Promise.all(owners.map((owner) => this.#lab.values(owner === WORLD ? null : owner)))
      .then(
        (found) => this.#take(shown === run.value, time, new Map(owners.map((owner, k) => [owner, found[k] ?? []])), ""),
        (why: Error) => this.#take(shown === run.value, time, new Map(), why.message),
      )
      .finally(() => {
        this.#isAsking = false;
        requestAnimationFrame(() => this.#follow());
      });
  }

  #take(isCurrent: boolean, time: number, values: ReadonlyMap<string, readonly TableRow[]>, problem: string): void {
    if (!isCurrent) return;
    batch(() => {
      this.time.value = time;
      this.values.value = values;
      this.problem.value = problem;
    });
  }
}
