// A number of the text as a slider: it turns the number in the text, and the text is what runs.
import { useSignal } from "@preact/signals";
import { t } from "../../strings/index.ts";
import { IconButton } from "../../ui/widgets.tsx";
import type { ExperimentDocument } from "../editor/document.ts";
import { RangeFields } from "./range_fields.tsx";
import type { Parameter } from "./number_keys.ts";
import { sliderStorageOf } from "./slider_storage.ts";
import { useDrag } from "./drag.ts";
import { PLACES, placeOf, type Range, read, valueAt, written } from "./range.ts";

interface Props {
  experiment: ExperimentDocument;
  parameter: Parameter;
  all: readonly Parameter[];
  /** What a screen reader calls it. */
  label: string;
}

/** The slider, and the number to be typed. */
export function SliderControl({ experiment, parameter, all, label }: Props) {
  const storage = sliderStorageOf(experiment);
  const { key, number } = parameter;
  const drag = useDrag(experiment, () => storage.parameter(key)?.number);
  const range = storage.range(parameter, all);
  const outside = number.owned !== null && experiment.lab.settings.value.some((it) => it.split("=")[0]?.trim() === number.owned?.name);
  const text = written(number.value);
  return (
    <>
      <input
        type="range"
        data-keys="own"
        aria-label={label}
        aria-valuetext={text}
        title={outside ? t("parameters.set_outside") : undefined}
        disabled={outside}
        min={range.logarithmic ? 0 : range.low}
        max={range.logarithmic ? PLACES : range.high}
        step={range.logarithmic ? 1 : range.step}
        value={placeOf(range, number.value)}
        onPointerDown={drag.hold}
        onInput={(event) => drag.turn(written(valueAt(range, Number(event.currentTarget.value))))}
        onChange={drag.done}
        onBlur={drag.end}
      />
      <NumberField
        text={text}
        label={t("parameters.value_of", { name: label })}
        disabled={outside}
        step={(direction) => {
          const by = range.logarithmic ? number.value * 0.1 : range.step;
          drag.turn(written(number.value + direction * by));
          drag.done();
        }}
        type={(value) => {
          drag.end();
          const now = storage.parameter(key)?.number;
          if (now !== undefined && now.value !== value) experiment.change(now.start, now.end, written(value));
        }}
      />
    </>
  );
}

function NumberField(props: { text: string; label: string; disabled: boolean; step: (direction: -1 | 1) => void; type: (value: number) => void }) {
  const wrong = useSignal(false);
  const take = (input: HTMLInputElement) => {
    const value = read(input.value);
    wrong.value = value === null;
    if (value !== null) props.type(value);
  };
  const key = (event: KeyboardEvent) => {
    const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key] as -1 | 1 | undefined;
    if (direction === undefined) return;
    event.preventDefault();
    props.step(direction);
  };
  return (
    <input
      class="number"
      type="text"
      inputMode="decimal"
      autocomplete="off"
      spellcheck={false}
      aria-label={props.label}
      aria-invalid={wrong.value}
      title={wrong.value ? t("parameters.no_number") : props.text}
      disabled={props.disabled}
      value={props.text}
      onKeyDown={key}
      onChange={(event) => take(event.currentTarget)}
    />
  );
}

/** A line of the list: name, slider, number, and what can be done with it. */
export function SliderLine({ experiment, parameter, all, label, pinned }: Props & { pinned: boolean }) {
  const storage = sliderStorageOf(experiment);
  const open = useSignal(false);
  const { key, number, name, direct } = parameter;
  const range = storage.range(parameter, all);
  const first = storage.first(key);
  const reset = () => {
    const now = storage.parameter(key)?.number;
    if (now !== undefined && first !== undefined) experiment.change(now.start, now.end, written(first));
  };
  const change = (changed: Range) => storage.setRange(key, changed);
  return (
    <li class="slider-line">
      <div class="slider-name">
        <button type="button" class="slider-link" title={t("parameters.show", { name: label })} onClick={() => (experiment.lab.place.value = { start: number.start, end: number.end })}>
          {name}
        </button>
        {!direct && <Around experiment={experiment} parameter={parameter} />}
      </div>
      <div class="slider-tools">
        {first !== undefined && first !== number.value && <IconButton icon="undo" label={t("parameters.reset", { name: label, value: written(first) })} onClick={reset} />}
        <IconButton icon="gear" label={t("parameters.range", { name: label })} pressed={open.value} onClick={() => (open.value = !open.value)} />
        <IconButton icon="pin" label={t("parameters.pin", { name: label })} pressed={pinned} onClick={() => storage.pin(key, !pinned)} />
      </div>
      <div class="slider-row">
        <SliderControl experiment={experiment} parameter={parameter} all={all} label={label} />
      </div>
      <div class="slider-ends number" aria-hidden="true">
        <span>{written(range.low)}</span>
        <span>{written(range.high)}</span>
      </div>
      {open.value && <RangeFields range={range} label={label} change={change} />}
    </li>
  );
}

/** Where a number of a formula stands, with the number marked. */
function Around({ experiment, parameter }: { experiment: ExperimentDocument; parameter: Parameter }) {
  const { start, end } = parameter.number;
  const { text } = experiment;
  const before = (text.slice(Math.max(0, start - 14), start).split("\n").at(-1) ?? "").trimStart();
  const after = (text.slice(end, end + 12).split("\n")[0] ?? "").trimEnd();
  return (
    <code class="slider-around" aria-hidden="true">
      {before}
      <mark>{text.slice(start, end)}</mark>
      {after}
    </code>
  );
}
