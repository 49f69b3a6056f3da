// Drafts in the browser's database. Texts are apart from what is said of them: a list of drafts reads no text.
import { type DraftInfo, type DraftLimits, surplus } from "./draft_rules.ts";

/** Why drafts cannot be kept: the browser keeps nothing, or has no room. */
export type DraftTrouble = "unavailable" | "full";

export class DraftFailure extends Error {
  readonly trouble: DraftTrouble;

  constructor(trouble: DraftTrouble, cause: unknown) {
    super(trouble, { cause });
    this.trouble = trouble;
  }
}

const DATABASE = "gedanken.drafts";
const [INFOS, TEXTS] = ["infos", "texts"];

export class DraftStore {
  #opened: Promise<IDBDatabase> | null = null;

  /** Writes a draft, and forgets those that exceed the limits. If the browser has no room, the older half makes some. */
  async put(info: DraftInfo, text: string, limits: DraftLimits, now: number): Promise<void> {
    try {
      await this.#write(info, text, (all) => surplus(all, limits, now));
    } catch (error) {
      if (!(error instanceof DraftFailure) || error.trouble !== "full") throw error;
      const others = (await this.list()).filter((it) => it.key !== info.key).sort((a, b) => a.changed - b.changed);
      if (others.length === 0) throw error;
      await this.forget(others.slice(0, Math.ceil(others.length / 2)).map((it) => it.key));
      await this.#write(info, text, (all) => surplus(all, limits, now));
    }
  }

  /** All drafts of all folders. */
  async list(): Promise<DraftInfo[]> {
    return this.#transact("readonly", (infos) => infos.getAll() as IDBRequest<DraftInfo[]>);
  }

  async text(key: string): Promise<string | undefined> {
    return this.#transact("readonly", (_, texts) => texts.get(key) as IDBRequest<string | undefined>);
  }

  async forget(keys: readonly string[]): Promise<void> {
    await this.#transact("readwrite", (infos, texts) => {
      for (const key of keys) {
        infos.delete(key);
        texts.delete(key);
      }
    });
  }

  async forgetAll(): Promise<void> {
    await this.#transact("readwrite", (infos, texts) => {
      infos.clear();
      texts.clear();
    });
  }

  /** The user knows of a draft. */
  async know(key: string): Promise<void> {
    await this.#transact("readwrite", (infos) => {
      const request = infos.get(key) as IDBRequest<DraftInfo | undefined>;
      request.onsuccess = () => {
        if (request.result !== undefined) infos.put({ ...request.result, known: true });
      };
    });
  }

  async #write(info: DraftInfo, text: string, gone: (all: DraftInfo[]) => string[]): Promise<void> {
    await this.#transact("readwrite", (infos, texts) => {
      infos.put(info);
      texts.put(text, info.key);
      const all = infos.getAll() as IDBRequest<DraftInfo[]>;
      all.onsuccess = () => {
        for (const key of gone(all.result)) {
          infos.delete(key);
          texts.delete(key);
        }
      };
    });
  }

  async #transact<T>(mode: IDBTransactionMode, work: (infos: IDBObjectStore, texts: IDBObjectStore) => IDBRequest<T> | void): Promise<T> {
    const database = await this.#open();
    return new Promise<T>((resolve, reject) => {
      let request: IDBRequest<T> | void;
      const fail = (error: unknown) => reject(new DraftFailure(isFull(error) ? "full" : "unavailable", error));
      try {
        const transaction = database.transaction([INFOS, TEXTS], mode);
        transaction.oncomplete = () => resolve(request === undefined ? (undefined as T) : request.result);
        transaction.onabort = () => fail(transaction.error);
        request = work(transaction.objectStore(INFOS), transaction.objectStore(TEXTS));
      } catch (error) {
        // The browser may have closed the database, as when the user clears its data: the next call opens another.
        this.#opened = null;
        fail(error);
      }
    });
  }

  #open(): Promise<IDBDatabase> {
    this.#opened ??= new Promise<IDBDatabase>((resolve, reject) => {
      const fail = (error: unknown) => {
        this.#opened = null;
        reject(new DraftFailure(isFull(error) ? "full" : "unavailable", error));
      };
      try {
        const request = indexedDB.open(DATABASE, 1);
        request.onupgradeneeded = () => {
          request.result.createObjectStore(INFOS, { keyPath: "key" });
          request.result.createObjectStore(TEXTS);
        };
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => fail(request.error);
      } catch (error) {
        fail(error);
      }
    });
    return this.#opened;
  }
}

function isFull(error: unknown): boolean {
  return error instanceof DOMException && error.name === "QuotaExceededError";
}
