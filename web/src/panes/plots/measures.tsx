// The measures of the experiment over time, and what came of them: energy, momentum, or whatever the user watches.
import { useMemo } from "preact/hooks";
import { brief, clockTime, short } from "../../lab/format.ts";
import type { Lab } from "../../lab/lab.ts";
import { t } from "../../strings/index.ts";
import { Icon } from "../../ui/icon.tsx";
import { PlotCard } from "./card.tsx";
import "./pane.css";

export function MeasuresPane({ lab }: { lab: Lab }) {
  const run = lab.run.value;
  const measures = run?.scene.quantities.filter((it) => it.owner === "measure").map((it) => it.formula) ?? [];
  const names = measures.join("\n");
  const spec = useMemo(() => ({ id: 0, x: "t", ys: names === "" ? [] : names.split("\n"), norm: false }), [names]);
  const verdicts = run?.ended.value?.verdicts ?? [];
  if (measures.length === 0) return <p class="empty lines">{t("plots.measures_none")}</p>;
  return (
    <div class="plots">
      {verdicts.length > 0 && (
        <table class="verdicts">
          <thead>
            <tr>
              <th scope="col">{t("plots.measure")}</th>
              <th scope="col">{t("plots.at")}</th>
              <th scope="col">{t("plots.measured")}</th>
              <th scope="col">{t("plots.expected")}</th>
              <th scope="col">{t("plots.tolerance")}</th>
              <th scope="col">{t("plots.miss")}</th>
              <th scope="col">{t("plots.verdict")}</th>
            </tr>
          </thead>
          <tbody>
            {verdicts.map((it) => (
              <tr key={it.name} class={it.ok === null ? "" : it.ok ? "ok" : "missed"}>
                <th scope="row">{it.name}</th>
                <td class="number">{clockTime(it.time, run?.scene.frame_rate ?? 60)}</td>
                <td class="number">{it.value ?? "—"}</td>
                <td class="number">{it.expected ?? "—"}</td>
                <td class="number">{it.tolerance == null ? "—" : `± ${short(it.tolerance)}`}</td>
                <td class="number">{it.miss == null ? "—" : brief([it.miss])[0]}</td>
                <td>
                  {it.ok !== null && <Icon name={it.ok ? "check" : "warning"} />} {t(it.ok === null ? "plots.no_verdict" : it.ok ? "plots.ok" : "plots.missed")}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <PlotCard lab={lab} spec={spec} head={<h3>{t("shell.measures")}</h3>} />
    </div>
  );
}
