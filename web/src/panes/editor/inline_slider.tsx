// A number in the text becomes a slider where it stands: with Alt and a click, or Alt+Enter.
import { type Extension, StateEffect, StateField } from "@codemirror/state";
import { EditorView, showTooltip, type Tooltip } from "@codemirror/view";
import { render } from "preact";
import { t } from "../../strings/index.ts";
import { IconButton } from "../../ui/widgets.tsx";
import { sliderStorageOf } from "../parameters/slider_storage.ts";
import { SliderControl } from "../parameters/slider.tsx";
import { numberAt, turnable } from "./numbers.ts";
import type { ExperimentDocument } from "./document.ts";

const show = StateEffect.define<Tooltip | null>();

const shown = StateField.define<Tooltip | null>({
  create: () => null,
  update(tooltip, transaction) {
    const effect = transaction.effects.findLast((it) => it.is(show));
    if (effect !== undefined) return effect.value as Tooltip | null;
    if (tooltip === null) return null;
    // Whoever goes on in the text is done with the slider.
    if (transaction.isUserEvent("select") || transaction.isUserEvent("input.type")) return null;
    return transaction.docChanged ? { ...tooltip, pos: transaction.changes.mapPos(tooltip.pos, -1) } : tooltip;
  },
  provide: (field) => showTooltip.from(field),
});

/** Makes the number at a place a slider; says whether there is one. */
export function makeSlider(experiment: ExperimentDocument, view: EditorView, place: number): boolean {
  experiment.flush();
  const number = numberAt(experiment, place);
  const storage = sliderStorageOf(experiment);
  const parameter = storage.all.find((it) => it.number.start === number?.start);
  if (number === null || parameter === undefined || !turnable(number)) {
    experiment.lab.notify(t("editor.no_number_here"));
    return false;
  }
  storage.pin(parameter.key, true);
  const close = () => {
    view.dispatch({ effects: show.of(null) });
    view.focus();
  };
  view.dispatch({
    effects: show.of({ pos: number.start, above: false, arrow: true, create: () => sliderView(experiment, parameter.key, close) }),
  });
  return true;
}

function sliderView(experiment: ExperimentDocument, key: string, close: () => void) {
  const dom = document.createElement("div");
  dom.className = "in-text-slider";
  render(<InTextSlider experiment={experiment} name={key} close={close} />, dom);
  return {
    dom,
    mount: () => dom.querySelector("input")?.focus(),
    destroy: () => render(null, dom),
  };
}

function InTextSlider({ experiment, name, close }: { experiment: ExperimentDocument; name: string; close: () => void }) {
  const all = sliderStorageOf(experiment).all;
  const parameter = all.find((it) => it.key === name);
  if (parameter === undefined) return <p class="quiet">{t("editor.number_gone")}</p>;
  const key = (event: KeyboardEvent) => {
    const undoes = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z";
    if (event.key !== "Escape" && !undoes) return;
    event.preventDefault();
    event.stopPropagation();
    if (!undoes) close();
    else if (event.shiftKey) experiment.redo();
    else experiment.undo();
  };
  return (
    <div role="group" aria-label={name} onKeyDown={key}>
      <span class="in-text-name">{name}</span>
      <SliderControl experiment={experiment} parameter={parameter} all={all} label={name} />
      <IconButton icon="close" label={t("editor.close_slider")} onClick={close} />
    </div>
  );
}

export function inlineSliders(experiment: ExperimentDocument): Extension {
  const alt = (view: EditorView, down: boolean) => view.dom.classList.toggle("editor-alt", down);
  return [
    shown,
    EditorView.domEventHandlers({
      mousedown: (event, view) => {
        if (!event.altKey || event.button !== 0) return false;
        const place = view.posAtCoords({ x: event.clientX, y: event.clientY });
        if (place === null || numberAt(experiment, place) === null) return false;
        event.preventDefault();
        return makeSlider(experiment, view, place);
      },
      keydown: (event, view) => void alt(view, event.key === "Alt"),
      keyup: (event, view) => {
        if (event.key === "Alt") alt(view, false);
      },
      mousemove: (event, view) => void alt(view, event.altKey),
      blur: (_, view) => void alt(view, false),
    }),
  ];
}
