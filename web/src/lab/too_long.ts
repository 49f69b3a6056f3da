// A text that is too long to be sent: what the checker would say of it.
import { t } from "../strings/index.ts";
import type { Checked } from "./experiment.ts";

/** The answer to a text that the engine does not read. */
export function tooLong(revision: number): Checked {
  const place = { source: null, start: 0, end: 0, line: 1, column: 1, text: "" };
  const problem = { code: "", is_error: true, message: t("problems.too_long"), place, labels: [], notes: [], help: t("problems.shorter"), edit: null, explanation: "" };
  return { revision, sound: false, problems: [problem], more_errors: 0, more_warnings: 0, formulas: [], numbers: [], simulations: [] };
}
