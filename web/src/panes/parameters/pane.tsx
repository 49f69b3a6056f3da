// Numbers of the experiment as sliders: those of the world first, any other on demand.
import { useSignal } from "@preact/signals";
import type { Lab } from "../../lab/lab.ts";
import { t } from "../../strings/index.ts";
import { turnable } from "../editor/numbers.ts";
import { documentOf } from "../editor/document.ts";
import "./pane.css";
import { sliderStorageOf } from "./slider_storage.ts";
import { Settings } from "./settings.tsx";
import { SliderLine } from "./slider.tsx";

export function ParametersPane({ lab }: { lab: Lab }) {
  const experiment = documentOf(lab);
  const storage = sliderStorageOf(experiment);
  const filter = useSignal("");
  const everything = useSignal(false);
  const all = storage.all.filter((it) => turnable(it.number));
  const pinned = storage.pinned(all);
  const wanted = filter.value.trim().toLowerCase();
  const shown = wanted !== "" ? all.filter((it) => it.key.toLowerCase().includes(wanted)) : everything.value ? all : pinned;
  const groups = [...new Set(shown.map((it) => it.group))];
  const undo = (event: KeyboardEvent) => {
    const typing = event.target instanceof HTMLInputElement && event.target.type === "text";
    const key = event.key.toLowerCase();
    if (typing || !(event.ctrlKey || event.metaKey) || (key !== "z" && key !== "y")) return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) experiment.redo();
    else experiment.undo();
  };
  return (
    <div class="parameters" onKeyDown={undo}>
      <Settings lab={lab} />
      <div class="parameters-choice">
        <input type="search" aria-label={t("parameters.filter")} placeholder={t("parameters.filter")} value={filter.value} onInput={(event) => (filter.value = event.currentTarget.value)} />
        <button type="button" aria-pressed={everything.value} onClick={() => (everything.value = !everything.value)}>
          {t("parameters.all", { count: all.length })}
        </button>
      </div>
      {shown.length === 0 && <p class="empty">{t(all.length === 0 ? "parameters.none" : wanted !== "" ? "parameters.none_found" : "parameters.none_pinned")}</p>}
      {groups.map((group) => (
        <section key={group} class="parameters-group" aria-label={group === "" ? t("parameters.world") : group}>
          <h2>{group === "" ? t("parameters.world") : group}</h2>
          <ul>
            {shown
              .filter((it) => it.group === group)
              .map((it) => (
                <SliderLine key={it.key} experiment={experiment} parameter={it} all={all} label={it.key} pinned={pinned.includes(it)} />
              ))}
          </ul>
        </section>
      ))}
      {shown.length > 0 && <p class="quiet parameters-hint">{t("parameters.hint")}</p>}
    </div>
  );
}
