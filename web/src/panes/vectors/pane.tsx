// Which vectors are drawn as arrows, and how: where they begin, their colours before and after an event, length and thickness.
import { colorOf, resolveColor } from "../../lab/colors.ts";
import { short } from "../../lab/format.ts";
import type { Lab } from "../../lab/lab.ts";
import { t } from "../../strings/index.ts";
import { IconButton } from "../../ui/widgets.tsx";
import type { QuantityInfo } from "../../wire/types.ts";
import { useEventTable } from "../events/event_table.ts";
import "./pane.css";
import { type Arrow, arrows, changeArrow, drawable, type Foot, footOf, scale, thickness, toggleArrow } from "./state.ts";

export function VectorsPane({ lab }: { lab: Lab }) {
  const { table } = useEventTable(lab);
  const vectors = lab.run.value?.scene.quantities.filter(drawable) ?? [];
  // What the engine measured at the chosen event: normals, impulses.
  const given = (table.value?.given ?? []).filter(drawable).map((it) => it.formula);
  const free = vectors.filter((it) => !arrows.value.some((arrow) => arrow.formula === it.formula));
  const add = (formula: string) => {
    if (given.includes(formula)) toggleArrow(formula, "collision", colorOf(formula), true);
    const quantity = vectors.find((it) => it.formula === formula);
    if (quantity !== undefined) toggleArrow(formula, footOf(quantity.owner), colorOf(formula));
  };
  return (
    <div class="vectors">
      <select aria-label={t("vectors.add")} value="" onChange={(event) => add(event.currentTarget.value)}>
        <option value="">{t("vectors.choose")}</option>
        {free.map((it) => (
          <option key={it.formula} value={it.formula}>
            {it.formula}
          </option>
        ))}
        {given
          .filter((formula) => !arrows.value.some((arrow) => arrow.formula === formula))
          .map((formula) => (
            <option key={formula} value={formula}>
              {t("vectors.at_event", { formula })}
            </option>
          ))}
      </select>
      {arrows.value.length === 0 && <p class="empty">{t("vectors.none")}</p>}
      {arrows.value.map((arrow) => (
        <ArrowCard key={arrow.formula} arrow={arrow} quantity={vectors.find((it) => it.formula === arrow.formula)} />
      ))}
      {arrows.value.length > 0 && (
        <div class="sliders">
          <Logarithmic label={t("vectors.length")} value={scale.value} change={(it) => (scale.value = it)} />
          <Logarithmic label={t("vectors.thickness")} value={thickness.value} change={(it) => (thickness.value = it)} />
        </div>
      )}
    </div>
  );
}

function ArrowCard({ arrow, quantity }: { arrow: Arrow; quantity: QuantityInfo | undefined }) {
  const name = arrow.formula;
  const owned = arrow.given || quantity === undefined || footOf(quantity.owner) === "centre";
  const feet: readonly Foot[] = owned ? ["centre", "collision", "custom"] : ["origin", "custom"];
  const hasBefore = !arrow.given && quantity?.context == null;
  const point = (k: number, text: string) => {
    const value = Number(text);
    if (Number.isFinite(value)) changeArrow(name, { point: arrow.point.map((it, i) => (i === k ? value : it)) as unknown as Arrow["point"] });
  };
  return (
    <fieldset class="arrow">
      <legend>
        <code>{name}</code>
      </legend>
      <IconButton class="remove" icon="close" label={t("vectors.remove", { name })} onClick={() => toggleArrow(name, arrow.foot, arrow.after)} />
      <label>
        {t("vectors.foot")}
        <select aria-label={t("vectors.foot_of", { name })} value={arrow.foot} onChange={(event) => changeArrow(name, { foot: event.currentTarget.value as Foot })}>
          {feet.map((foot) => (
            <option key={foot} value={foot}>
              {t(`vectors.foot_${foot}`)}
            </option>
          ))}
        </select>
      </label>
      {arrow.foot === "custom" && (
        <span class="point">
          {(["x", "y", "z"] as const).map((axis, k) => (
            <input key={axis} class="number" aria-label={t("vectors.coordinate", { axis })} value={arrow.point[k]} onChange={(event) => point(k, event.currentTarget.value)} />
          ))}
        </span>
      )}
      <span class="colors">
        {hasBefore ? (
          <label>
            {t("vectors.before")}
            <input type="color" aria-label={t("vectors.before_of", { name })} value={resolveColor(arrow.before)} onInput={(event) => changeArrow(name, { before: event.currentTarget.value })} />
          </label>
        ) : (
          <span class="quiet">{t("vectors.no_before")}</span>
        )}
        <label>
          {t("vectors.after")}
          <input type="color" aria-label={t("vectors.after_of", { name })} value={resolveColor(arrow.after)} onInput={(event) => changeArrow(name, { after: event.currentTarget.value })} />
        </label>
        <label>
          <input type="checkbox" aria-label={t("vectors.numbers_of", { name })} checked={arrow.numbers} onChange={(event) => changeArrow(name, { numbers: event.currentTarget.checked })} />
          {t("vectors.numbers")}
        </label>
      </span>
    </fieldset>
  );
}

/** A slider from a tenth to ten times. */
function Logarithmic({ label, value, change }: { label: string; value: number; change: (value: number) => void }) {
  return (
    <label>
      <span>{label}</span>
      <input
        type="range"
        min={-1}
        max={1}
        step={0.02}
        value={Math.log10(value)}
        aria-valuetext={`× ${short(value)}`}
        onInput={(event) => change(Number((10 ** Number(event.currentTarget.value)).toPrecision(3)))}
        onDblClick={() => change(1)}
      />
      <output class="number">× {short(value)}</output>
    </label>
  );
}
