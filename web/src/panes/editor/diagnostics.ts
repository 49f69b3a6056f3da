// Problems marked in the text, each with its way out as a button.
import { type Action, type Diagnostic, setDiagnostics } from "@codemirror/lint";
import { effect, untracked } from "@preact/signals";
import { t } from "../../strings/index.ts";
import type { Problem } from "../../wire/types.ts";
import type { ExperimentDocument } from "./document.ts";

/** Marks what is wrong as soon as it is known; gives back how to stop. */
export function markProblems(experiment: ExperimentDocument): () => void {
  const { lab } = experiment;
  return effect(() => {
    const problems = lab.problems.value;
    const checked = lab.checked.value;
    // Marks of an earlier text move with what is typed until the new text has been looked at.
    if (checked === null || checked.revision !== lab.revision) return;
    untracked(() => {
      const { view } = experiment;
      if (view === null) return;
      const own = problems.filter((problem) => problem.place.source === null);
      view.dispatch(setDiagnostics(view.state, own.map((problem) => diagnostic(problem, experiment)).sort((a, b) => a.from - b.from)));
    });
  });
}

function diagnostic(problem: Problem, experiment: ExperimentDocument): Diagnostic {
  const { length } = experiment.view?.state.doc ?? { length: 0 };
  const from = experiment.now(problem.place.start, -1);
  // Something that is missing has a place and no length; a mark needs a letter to stand under.
  const to = Math.min(length, Math.max(experiment.now(problem.place.end), from + 1));
  return {
    from: Math.min(from, Math.max(0, to - 1)),
    to,
    severity: problem.is_error ? "error" : "warning",
    message: problem.message,
    renderMessage: () => message(problem),
    actions: actions(problem, experiment),
  };
}

function actions(problem: Problem, experiment: ExperimentDocument): Action[] {
  const { edit } = problem;
  if (edit === null) return [];
  // The text may have changed since; then the problem is another one, and its marks are on the way.
  const apply = () => {
    if (experiment.lab.problems.peek().includes(problem)) experiment.mend(edit);
  };
  return [{ name: t("editor.fix"), apply }];
}

function message(problem: Problem): Node {
  const root = document.createElement("div");
  const add = (name: string, text: string) => {
    const line = document.createElement("p");
    line.className = name;
    line.textContent = text;
    root.append(line);
  };
  add("problem-message", problem.code === "" ? problem.message : `${problem.message} (${problem.code})`);
  if (problem.place.text !== "") add("problem-label", problem.place.text);
  if (problem.help !== null) add("problem-help", problem.help);
  return root;
}
