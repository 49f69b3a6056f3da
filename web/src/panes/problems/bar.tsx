// The quiet bar over the world: the picture is of an older text, a measure missed what was expected, or the run had something to say.
import { complaints } from "../../lab/complaints.ts";
import type { Lab } from "../../lab/lab.ts";
import { showResults } from "../../lab/layout.ts";
import { t } from "../../strings/index.ts";
import { Icon } from "../../ui/icon.tsx";

export function ProblemBar({ lab }: { lab: Lab }) {
  const { stale, missed } = complaints(lab);
  const notices = lab.run.value?.ended.value?.notices.length ?? 0;
  if (!stale && missed.length === 0 && notices === 0) return null;
  const words = stale ? t("problems.bar_stale") : missed.length > 0 ? t("problems.bar_missed", { names: missed.join(", ") }) : t("problems.bar_notices", { count: notices });
  return (
    <div class={stale || missed.length > 0 ? "problem-bar wrong" : "problem-bar"} role="status">
      <Icon name="warning" />
      <span>{words}</span>
      <button type="button" onClick={() => showResults("problems")}>
        {t("problems.bar_show")}
      </button>
    </div>
  );
}
