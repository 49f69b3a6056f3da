// Words inside the editor's own panels, through the catalogue like all others.
import { type Key, t } from "../../strings/index.ts";

/** What the library calls it, and our key for it. */
const PHRASES: Readonly<Record<string, Key>> = {
  Find: "editor.find",
  Replace: "editor.replace_with",
  next: "editor.next",
  previous: "editor.previous",
  all: "editor.all",
  "match case": "editor.match_case",
  "by word": "editor.by_word",
  regexp: "editor.pattern",
  replace: "editor.replace",
  "replace all": "editor.replace_all",
  close: "editor.close",
  "Fold line": "editor.fold",
  "Unfold line": "editor.unfold",
  "folded code": "editor.folded",
  unfold: "editor.unfold",
  Completions: "editor.completions",
  Diagnostics: "editor.problems",
  "No diagnostics": "editor.no_problems",
};

export function editorStrings(): Record<string, string> {
  return Object.fromEntries(Object.entries(PHRASES).map(([phrase, key]) => [phrase, t(key)]));
}
