// The experiment that is open, in the words of the page.
import type { Formula, Number as TextNumber, Origin, Problem } from "../wire/types.ts";

/** What is known about the text of a revision. */
export interface Checked {
  revision: number;
  sound: boolean;
  problems: Problem[];
  formulas: Formula[];
  numbers: TextNumber[];
  simulations: string[];
}

/** What is chosen of the text: tells the editor where to put its cursor. */
export interface Place {
  start: number;
  end: number;
}

/** What an experiment is opened with, beside its text. */
export interface Opening {
  settings?: readonly string[];
  simulation?: string | null;
  /** The text as it was opened or saved, where the text has changed since. */
  saved?: string;
  /** The version of its file, if there is one. */
  version?: string | null;
}

/** What the page begins with, if it brings something itself, as from a link. */
export interface InitialExperiment extends Opening {
  origin?: Origin;
  text?: string;
  /** The folder that the origin is in. */
  folder?: string;
}
