// Plots of anything against time or anything else.
import type { Lab } from "../../lab/lab.ts";
import { addPlot, changePlot, type PlotSpec, plots } from "../../lab/panels.ts";
import { t } from "../../strings/index.ts";
import { Icon } from "../../ui/icon.tsx";
import { IconButton } from "../../ui/widgets.tsx";
import { PlotCard } from "./card.tsx";
import { FormulaField } from "./formula_field.tsx";
import "./pane.css";

/** What a first plot shows: a place that changes, else anything that does. */
function firstChoice(lab: Lab): string[] {
  const varying = lab.run.value?.scene.quantities.filter((it) => !it.constant) ?? [];
  const place = varying.find((it) => it.name === "position") ?? varying[0];
  return place === undefined ? [] : [place.formula];
}

export function PlotsPane({ lab }: { lab: Lab }) {
  return (
    <div class="plots">
      {plots.value.map((spec) => (
        <PlotCard
          key={spec.id}
          lab={lab}
          spec={spec}
          head={<Head lab={lab} spec={spec} />}
          tools={<IconButton icon="close" label={t("plots.remove")} onClick={() => (plots.value = plots.value.filter((it) => it.id !== spec.id))} />}
        />
      ))}
      {plots.value.length === 0 && <p class="empty">{t("plots.none")}</p>}
      <button type="button" class="new-plot" onClick={() => addPlot(firstChoice(lab))}>
        <Icon name="plus" /> {t("plots.new")}
      </button>
    </div>
  );
}

function Head({ lab, spec }: { lab: Lab; spec: PlotSpec }) {
  const add = (formula: string) => {
    if (!spec.ys.includes(formula)) changePlot(spec.id, { ys: [...spec.ys, formula] });
  };
  return (
    <div class="plot-head">
      {spec.ys.map((formula) => (
        <span key={formula} class="chip">
          <code>{formula}</code>
          <button type="button" aria-label={t("plots.remove_curve", { name: formula })} onClick={() => changePlot(spec.id, { ys: spec.ys.filter((it) => it !== formula) })}>
            ×
          </button>
        </span>
      ))}
      <FormulaField lab={lab} label={t("plots.add")} hint={t("plots.add_hint")} accept={add} clears />
      <span class="quiet">{t("plots.against")}</span>
      <FormulaField lab={lab} label={t("plots.x")} value={spec.x} accept={(x) => changePlot(spec.id, { x })} />
      <label class="quiet">
        <input type="checkbox" checked={spec.norm} onChange={(event) => changePlot(spec.id, { norm: event.currentTarget.checked })} /> {t("plots.lengths")}
      </label>
    </div>
  );
}
