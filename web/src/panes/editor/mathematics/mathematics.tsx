// The laws as mathematics, and what follows from energies.
import type { Lab } from "../../../lab/lab.ts";
import { t } from "../../../strings/index.ts";
import { DerivedSystem } from "./derivation.tsx";
import { useDerivation } from "./derivation_state.ts";
import { Formulas } from "./formulas.tsx";
import { documentOf } from "../document.ts";

export function MathematicsPane({ lab }: { lab: Lab }) {
  const experiment = documentOf(lab);
  const formulas = experiment.formulas.value;
  const derived = useDerivation(lab);
  if (formulas.length === 0) return <p class="empty">{t("editor.no_laws")}</p>;
  return (
    <div class="mathematics">
      <Formulas
        experiment={experiment}
        formulas={formulas}
        titled
        under={({ block, kind }, point) => kind === "lagrangian" && <DerivedSystem lab={lab} name={block} derived={derived} point={point} />}
      />
      <p class="quiet law-hint">{t("editor.formulas_hint")}</p>
    </div>
  );
}
