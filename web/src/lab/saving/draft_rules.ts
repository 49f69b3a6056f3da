// Which drafts are kept, and for how long.
import type { Origin } from "../../wire/types.ts";

/** All about a draft but its text. */
export interface DraftInfo {
  /** The page that wrote it, and when it began: no page writes over the draft of another. */
  key: string;
  /** The folder that the lab was started in. */
  folder: string;
  /** The experiment, as `fileOf` names it. */
  file: string;
  /** When its text was written last, in milliseconds since 1970. */
  changed: number;
  /** The size of its text. */
  bytes: number;
  /** Whether the user knows of it, so that it need not be offered. */
  known: boolean;
}

export interface DraftLimits {
  /** Most drafts of one experiment. */
  versions: number;
  /** Longest time that a draft is kept, in milliseconds. */
  age: number;
  /** Largest size of all drafts together. */
  bytes: number;
}

export const LIMITS: DraftLimits = { versions: 20, age: 30 * 24 * 3600 * 1000, bytes: 50e6 };

/** An experiment as a part of a key: `folder:week1/drop.lab`, `gallery:kepler`, `page:`. */
export function fileOf(origin: Origin): string {
  return origin.from === "page" ? "page:" : `${origin.from}:${origin.name}`;
}

/** The experiment of such a part. */
export function originOf(file: string): Origin {
  const [from, name] = [file.slice(0, file.indexOf(":")), file.slice(file.indexOf(":") + 1)];
  return from === "folder" || from === "gallery" ? { from, name } : { from: "page" };
}

/** The keys of the drafts that are too many, too old or too large; the oldest go first. */
export function surplus(drafts: readonly DraftInfo[], limits: DraftLimits, now: number): string[] {
  const newest = [...drafts].sort((a, b) => b.changed - a.changed || (a.key < b.key ? 1 : -1));
  const versions = new Map<string, number>();
  const gone: string[] = [];
  let [bytes, full] = [0, false];
  for (const draft of newest) {
    const file = JSON.stringify([draft.folder, draft.file]);
    const count = (versions.get(file) ?? 0) + 1;
    versions.set(file, count);
    full ||= bytes + draft.bytes > limits.bytes;
    if (full || count > limits.versions || now - draft.changed > limits.age) gone.push(draft.key);
    else bytes += draft.bytes;
  }
  return gone;
}
