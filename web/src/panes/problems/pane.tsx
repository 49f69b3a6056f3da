// What is wrong with the text, why the run ended early, and the way out.
import { complaints } from "../../lab/complaints.ts";
import type { Lab } from "../../lab/lab.ts";
import { showResults } from "../../lab/layout.ts";
import { t } from "../../strings/index.ts";
import { Icon } from "../../ui/icon.tsx";
import "./pane.css";
import { ProblemItem } from "./problem.tsx";
import { Markup } from "./markup.tsx";

export function ProblemsPane({ lab }: { lab: Lab }) {
  const problems = lab.problems.value;
  const ended = lab.run.value?.ended.value ?? null;
  const { errors, warnings, more } = lab.problemCounts.value;
  const notices = ended?.notices ?? [];
  const bound = ended?.ending.how === "bounded" ? ended.ending.why : null;
  const failure = ended?.ending.how === "failed" ? ended.ending.problem : null;
  const broken = lab.checked.value?.sound === false && lab.run.value !== null;
  const { missed } = complaints(lab);
  const calm = problems.length === 0 && bound === null && notices.length === 0 && missed.length === 0;
  return (
    <div class="problems">
      {calm && (
        <p class="problems-calm">
          <Icon name="check" /> {t("problems.none")}
        </p>
      )}
      {problems.length > 0 && (
        <p class="quiet problems-count">
          {errors > 0 && t("problems.errors", { count: errors })}
          {errors > 0 && warnings > 0 && ", "}
          {warnings > 0 && t("problems.warnings", { count: warnings })}
          {broken && ` ${t("problems.last_good")}`}
        </p>
      )}
      <ul class="problem-list">
        {problems.map((problem, k) => (
          <ProblemItem key={`${k} ${problem.code} ${problem.message}`} lab={lab} problem={problem} failedAt={problem === failure ? (ended?.time ?? null) : null} />
        ))}
        {missed.map((name) => (
          <li key={name} class="problem error">
            <div class="problem-head">
              <span class="problem-kind">
                <Icon name="warning" /> {t("plots.measure")}
              </span>
            </div>
            <p class="problem-what">{t("problems.missed", { name })}</p>
            <div class="problem-tools">
              <button type="button" onClick={() => showResults("measures")}>
                {t("problems.show_measures")}
              </button>
            </div>
          </li>
        ))}
        {bound !== null && (
          <li class="problem warning">
            <div class="problem-head">
              <span class="problem-kind">
                <Icon name="warning" /> {t("problems.stopped")}
              </span>
            </div>
            <p class="problem-what">
              <Markup text={bound} />
            </p>
          </li>
        )}
      </ul>
      {more > 0 && <p class="quiet problems-rest">{t("problems.rest", { count: more })}</p>}
      {notices.length > 0 && (
        <section class="problems-notices" aria-label={t("problems.notices")}>
          <h2>{t("problems.notices")}</h2>
          <ul>
            {notices.map((notice) => (
              <li key={notice}>
                <Markup text={notice} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
