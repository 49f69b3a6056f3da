// The laws as mathematics.
import type { Lab } from "../../lab/lab.ts";
import { t } from "../../strings/index.ts";
import { Formulas } from "./formulas.tsx";
import { writingOf } from "./writing.ts";

export function MathematicsPane({ lab }: { lab: Lab }) {
  const writing = writingOf(lab);
  const formulas = writing.formulas.value;
  if (formulas.length === 0) return <p class="empty">{t("editor.no_laws")}</p>;
  return (
    <div class="mathematics">
      <Formulas writing={writing} formulas={formulas} titled />
      <p class="quiet law-hint">{t("editor.formulas_hint")}</p>
    </div>
  );
}
