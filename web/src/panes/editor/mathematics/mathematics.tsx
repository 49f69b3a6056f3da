// The laws as mathematics, and what follows from energies.
import type { Lab } from "../../../lab/lab.ts";
import { t } from "../../../strings/index.ts";
import { DerivedSystem } from "./derivation.tsx";
import { useDerivation } from "./derivation_state.ts";
import { Formulas } from "./formulas.tsx";
import { documentOf } from "../document.ts";
import { hasUnits } from "../../../lab/units.ts";
import { RigidEquations } from "./rigid_equations.tsx";
import { WorkflowPictures } from "./workflow_picture.tsx";

export function MathematicsPane({ lab }: { lab: Lab }) {
  const experiment = documentOf(lab);
  const formulas = experiment.formulas.value;
  const derived = useDerivation(lab);
  const isRigid = lab.run.value !== null && hasUnits(lab.run.value.scene);
  if (formulas.length === 0 && !isRigid) return <p class="empty">{t("editor.no_laws")}</p>;
  return (
    <div class="mathematics">
      <Formulas
        experiment={experiment}
        formulas={formulas}
        titled
        under={({ block, kind }, point) => kind === "lagrangian" && <DerivedSystem lab={lab} name={block} derived={derived} point={point} />}
      />
      <WorkflowPictures lab={lab} />
      <RigidEquations lab={lab} />
      <p class="quiet law-hint">{t("editor.formulas_hint")}</p>
    </div>
  );
}
