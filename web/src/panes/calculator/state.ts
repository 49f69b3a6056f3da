// What was typed into the calculator and what it answered. It stays while another tab is in front, or the drawer is closed.
import { signal } from "@preact/signals";
import type { SessionOutput } from "../../wire/types.ts";

export interface Exchange {
  /** The number that the engine gave it; `null` if it was asked of the run, where nothing is remembered. */
  number: number | null;
  input: string;
  replies: readonly SessionOutput[];
}

export const exchanges = signal<readonly Exchange[]>([]);
