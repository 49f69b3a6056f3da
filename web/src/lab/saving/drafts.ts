// Drafts: texts that were typed and not saved, kept in this browser by folder and experiment.
//
// While a text differs from its file, the page writes it down after every pause. It goes on in one draft for some minutes, then
// begins another, so that there are versions to go back to. A draft whose text is saved is forgotten. Every page has drafts of its
// own; none writes over those of another.
import { signal } from "@preact/signals";
import { remember, remembered } from "../../ui/storage.ts";
import type { Origin } from "../../wire/types.ts";
import { type DraftInfo, fileOf, LIMITS } from "./draft_rules.ts";
import { DraftFailure, DraftStore, type DraftTrouble } from "./draft_store.ts";

/** How long a page goes on in one draft, in milliseconds. */
const VERSION_MS = 120_000;
/** The switch: `off` on computers that are shared. */
const KEY = "gedanken.drafts";

/** A text, and where it belongs. */
export interface Writing {
  folder: string;
  origin: Origin;
  text: string;
}

export class Drafts {
  /** Whether drafts are kept in this browser. */
  readonly on = signal(remembered(KEY) !== "off");
  /** Why they cannot be kept. */
  readonly trouble = signal<DraftTrouble | null>(null);
  /** Counts changes of what is kept, so that lists follow. */
  readonly changes = signal(0);
  limits = LIMITS;
  readonly store = new DraftStore();
  /** This page: two pages never have the same name, not even copies of one tab. */
  readonly #page = [...crypto.getRandomValues(new Uint32Array(4))].map((word) => word.toString(36)).join("");
  #count = 0;
  /** The draft that the page goes on in. */
  #current: { key: string; file: string; began: number; text: string } | null = null;
  /** One after the other, in the order that they were asked for. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor() {
    // Another tab turns the switch.
    globalThis.addEventListener?.("storage", (event) => {
      if (event.key === KEY || event.key === null) this.on.value = remembered(KEY) !== "off";
      // What this tab was about to write goes too.
      if (!this.on.value) void this.forget("all");
    });
  }

  /** Goes on in the draft of a text, or begins one. Says whether the text is kept. */
  write(writing: Writing): Promise<boolean> {
    return this.#enqueue(async () => {
      const [now, file] = [Date.now(), JSON.stringify([writing.folder, fileOf(writing.origin)])];
      const current = this.#current;
      if (current !== null && current.file === file && current.text === writing.text) return;
      const goesOn = current !== null && current.file === file && now - current.began < VERSION_MS;
      // Of all versions of one sitting only the last is worth an offer.
      if (current !== null && current.file === file && !goesOn) await this.store.know(current.key);
      const next = goesOn ? { ...current, text: writing.text } : { key: this.#newKey(now), file, began: now, text: writing.text };
      await this.#put(next.key, writing, false);
      this.#current = next;
    });
  }

  /** Keeps a text as a draft of its own that is not written to any more. Says whether it is kept. */
  keep(writing: Writing): Promise<boolean> {
    return this.#enqueue(async () => {
      const current = this.#current;
      const isCurrent = current !== null && current.text === writing.text;
      await this.#put(isCurrent ? current.key : this.#newKey(Date.now()), writing, true);
      if (isCurrent) this.#current = null;
    });
  }

  /** What is typed from now on is another draft. */
  async leave(): Promise<void> {
    await this.#queue;
    this.#current = null;
  }

  /** The text is on disk: the draft that the page goes on in is not needed any more. */
  async saved(): Promise<void> {
    await this.#enqueue(async () => {
      const current = this.#current;
      this.#current = null;
      if (current !== null) await this.store.forget([current.key]);
    });
  }

  /** All drafts, the newest first; none if there is trouble. */
  async list(): Promise<DraftInfo[]> {
    try {
      return (await this.store.list()).sort((a, b) => b.changed - a.changed);
    } catch (error) {
      this.#tell(error);
      return [];
    }
  }

  /** The newest draft of an experiment that the user does not know of yet, if it has another text. */
  async unknown(writing: Writing): Promise<DraftInfo | null> {
    if (!this.on.value || writing.origin.from === "page") return null;
    const file = fileOf(writing.origin);
    const newest = (await this.list()).find((it) => it.folder === writing.folder && it.file === file);
    if (newest === undefined || newest.known || newest.key === this.#current?.key) return null;
    return (await this.text(newest.key)) === writing.text ? null : newest;
  }

  /** The text of a draft; `null` if it has gone meanwhile. */
  async text(key: string): Promise<string | null> {
    try {
      return (await this.store.text(key)) ?? null;
    } catch (error) {
      this.#tell(error);
      return null;
    }
  }

  /** The user knows of a draft. */
  async know(key: string): Promise<void> {
    await this.#enqueue(() => this.store.know(key));
  }

  /** Forgets some drafts, or all of all folders. Says whether that worked. */
  forget(keys: readonly string[] | "all"): Promise<boolean> {
    return this.#attempt(async () => {
      if (keys === "all" || keys.includes(this.#current?.key ?? "")) this.#current = null;
      await (keys === "all" ? this.store.forgetAll() : this.store.forget(keys));
    });
  }

  /** Turns the switch. Off also forgets everything that is kept. */
  async turn(on: boolean): Promise<void> {
    this.on.value = on;
    remember(KEY, on ? null : "off");
    if (!on) await this.forget("all");
    this.trouble.value = null;
  }

  #newKey(now: number): string {
    this.#count += 1;
    return `${this.#page}-${now}-${this.#count}`;
  }

  async #put(key: string, { folder, origin, text }: Writing, known: boolean): Promise<void> {
    const bytes = new Blob([text]).size;
    if (bytes > this.limits.bytes) throw new DraftFailure("full", text.length);
    const now = Date.now();
    await this.store.put({ key, folder, file: fileOf(origin), changed: now, bytes, known }, text, this.limits, now);
  }

  /** Does something with drafts, if they are on. Whatever goes wrong is told and disturbs nobody. */
  async #enqueue(work: () => Promise<void>): Promise<boolean> {
    return this.#attempt(async () => {
      if (!this.on.value) throw new DraftFailure("unavailable", "off");
      await work();
    });
  }

  #attempt(work: () => Promise<void>): Promise<boolean> {
    const done = this.#queue.then(work).then(
      () => {
        this.trouble.value = null;
        this.changes.value += 1;
        return true;
      },
      (error: unknown) => {
        this.#tell(error);
        return false;
      },
    );
    this.#queue = done;
    return done;
  }

  #tell(error: unknown): void {
    if (this.on.value) this.trouble.value = error instanceof DraftFailure ? error.trouble : "unavailable";
  }
}
