// One problem: what, where, why, and the way out.
import { useSignal } from "@preact/signals";
import { short } from "../../lab/format.ts";
import type { Lab } from "../../lab/lab.ts";
import { t } from "../../strings/index.ts";
import { Icon } from "../../ui/icon.tsx";
import type { Label, Problem } from "../../wire/types.ts";
import { documentOf } from "../editor/document.ts";
import { Markup } from "./markup.tsx";

export function ProblemItem({ lab, problem, failedAt }: { lab: Lab; problem: Problem; failedAt: number | null }) {
  const more = useSignal(false);
  const { edit } = problem;
  const kind = t(problem.is_error ? "problems.error" : "problems.warning");
  return (
    <li class={problem.is_error ? "problem error" : "problem warning"}>
      <div class="problem-head">
        <span class="problem-kind">
          <Icon name="warning" /> {kind}
        </span>
        {problem.code !== "" && <code class="problem-code">{problem.code}</code>}
        <Place lab={lab} label={problem.place} />
        {failedAt !== null && <span class="quiet">{t("problems.failed_at", { time: short(failedAt) })}</span>}
      </div>
      <p class="problem-what">
        <Markup text={problem.message} />
      </p>
      {problem.place.text !== "" && problem.place.text !== problem.message && (
        <p class="quiet">
          <Markup text={problem.place.text} />
        </p>
      )}
      {problem.labels.length > 0 && (
        <ul class="problem-labels">
          {problem.labels.map((label, k) => (
            <li key={k}>
              <Place lab={lab} label={label} /> <Markup text={label.text} />
            </li>
          ))}
        </ul>
      )}
      {problem.notes.length > 0 && (
        <ul class="problem-notes">
          {problem.notes.map((note, k) => (
            <li key={k}>
              <Markup text={note} />
            </li>
          ))}
        </ul>
      )}
      {problem.help !== null && (
        <p class="problem-help">
          <strong>{t("problems.help")}</strong> <Markup text={problem.help} />
        </p>
      )}
      {(edit !== null || problem.explanation !== "") && (
        <div class="problem-tools">
          {edit !== null && (
            <button type="button" class="primary" onClick={() => documentOf(lab).mend(edit)}>
              {t("problems.fix")}
            </button>
          )}
          {problem.explanation !== "" && (
            <button type="button" aria-expanded={more.value} onClick={() => (more.value = !more.value)}>
              {t(more.value ? "problems.less" : "problems.more")}
            </button>
          )}
        </div>
      )}
      {more.value && <Markup text={problem.explanation} long />}
    </li>
  );
}

/** A place of the text, which can be gone to; one of another file is only named. */
function Place({ lab, label }: { lab: Lab; label: Label }) {
  const { source, line, column } = label;
  if (source !== null) return <span class="quiet">{t("problems.elsewhere", { source, line, column })}</span>;
  const experiment = documentOf(lab);
  const go = () => (lab.place.value = { start: experiment.now(label.start, -1), end: experiment.now(label.end) });
  return (
    <button type="button" class="problem-place" title={t("problems.go")} onClick={go}>
      {t("problems.place", { line, column })}
    </button>
  );
}
