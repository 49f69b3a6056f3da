// The file behind the text: its version when it was opened or saved last, and what has become of it since.
import { signal } from "@preact/signals";
import type { OnDisk, Origin } from "../../wire/types.ts";

/** A save that was not done: the file is not the one that the text began from. */
export interface Conflict {
  /** The file. */
  name: string;
  /** The file as it is. */
  disk: OnDisk;
}

export class LabFile {
  /** The version that the text began from; `null` if there is no file. */
  readonly version = signal<string | null>(null);
  /** The file as it is, where that is neither the version that the text began from nor the text. */
  readonly disk = signal<OnDisk | null>(null);
  /** What the user is to decide now. */
  readonly conflict = signal<Conflict | null>(null);
  /** Whether the user has seen what became of the file. */
  readonly seen = signal(false);

  /** The text and the file are one from now on. */
  adopt(version: string | null): void {
    this.version.value = version;
    this.disk.value = null;
    this.conflict.value = null;
    this.seen.value = false;
  }
}

/** The version of a file; `null` if there is none. */
export function versionOf(disk: OnDisk): string | null {
  return disk.is === "absent" ? null : disk.version;
}

/** The name of an experiment, without ending. */
export function nameOf(origin: Origin): string {
  return origin.from === "page" ? "" : origin.name.replace(/\.lab$/, "");
}
