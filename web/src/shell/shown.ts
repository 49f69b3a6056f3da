// What is shown beside the text: plots, arrows, camera, moment, overlays. An experiment says it in its `view` block; a link carries
// it; a reload and the history of the browser keep it.
//
// The first that is there wins: what the history of the browser has kept, what the link carries, the block. A block that is
// changed in the text is applied again, as far as it has changed.
import { batch, effect, untracked } from "@preact/signals";
import { colorOf } from "../lab/colors.ts";
import type { Lab } from "../lab/lab.ts";
import { hideResults, resultsShown, showResults } from "../lab/layout.ts";
import { addPlot, plots, resultTab, type ResultTab, tabled } from "../lab/panels.ts";
import { type Arrow, arrows, drawable, footOf, toggleArrow } from "../panes/vectors/state.ts";
import { allTrails, follows, OVERLAYS, type Overlay, overlays, type Stand, standOf, trailOf, USUAL_OVERLAYS, wantedStand } from "../panes/view/state.ts";
import type { ViewInfo } from "../wire/types.ts";

/** All that is kept. */
export interface Shown {
  plots: readonly { x: string; ys: readonly string[]; norm: boolean }[];
  tabled: readonly string[];
  arrows: readonly Arrow[];
  overlays: readonly Overlay[];
  trails: { all: boolean | null; of: Readonly<Record<string, boolean>> };
  camera: Stand | null;
  selection: string | null;
  follows: boolean;
  /** The time that is shown; `null` while it plays. */
  moment: number | null;
  speed: number;
}

/** How often the history takes in what is shown, in milliseconds. */
const INTERVAL_MS = 500;

/** What shall be shown as soon as the next experiment is on screen. */
let waiting: Shown | null = null;

/** Takes what a link carries, or what the history has kept; what is nothing of ours is left out. */
export function showNext(kept: unknown): void {
  waiting = checked(kept);
}

/** What is shown now. */
export function shownOf(lab: Lab): Shown {
  return {
    plots: plots.peek().map(({ x, ys, norm }) => ({ x, ys, norm })),
    tabled: tabled.peek(),
    arrows: arrows.peek(),
    overlays: [...overlays.peek()],
    trails: { all: allTrails.peek(), of: trailOf.peek() },
    camera: standOf.read?.() ?? null,
    selection: lab.selection.peek(),
    follows: follows.peek(),
    moment: lab.clock.playing.peek() ? null : lab.clock.time.peek(),
    speed: lab.clock.rate.peek(),
  };
}

/** What a link or the history has kept; `null` if it is nothing of ours. */
function checked(kept: unknown): Shown | null {
  if (typeof kept !== "object" || kept === null) return null;
  try {
    const it = kept as Partial<Shown>;
    const isList = (list: unknown): list is string[] => Array.isArray(list) && list.every((one) => typeof one === "string");
    const isVector = (v: unknown): v is [number, number, number] => Array.isArray(v) && v.length === 3 && v.every(Number.isFinite);
    const camera = it.camera ?? null;
    const stands = camera === null || ("side" in camera ? typeof camera.side === "string" : isVector(camera.eye) && isVector(camera.target));
    const curves = Array.isArray(it.plots) && it.plots.every((one) => typeof one.x === "string" && isList(one.ys));
    const vectors = Array.isArray(it.arrows) && it.arrows.every((one) => typeof one.formula === "string" && typeof one.after === "string");
    if (!curves || !vectors || !stands || !isList(it.tabled) || !isList(it.overlays) || typeof it.trails !== "object") return null;
    return it as Shown;
  } catch {
    return null;
  }
}

/** Begins to apply views and to keep what is shown; gives back how to stop. */
export function followShown(lab: Lab): () => void {
  let openings = 0;
  /** The block as it was applied last. */
  let applied: ViewInfo | null = null;
  if (history.state !== null) showNext(history.state);
  const stop = effect(() => {
    const run = lab.run.value;
    if (run === null) return;
    const view = run.scene.view;
    untracked(() =>
      batch(() => {
        if (lab.openings.peek() !== openings) {
          openings = lab.openings.peek();
          applied = null;
          if (openings > 1 || waiting === null) overlays.value = new Set(USUAL_OVERLAYS);
          if (waiting !== null) {
            restore(lab, waiting);
            waiting = null;
            applied = view;
          }
        }
        if (view !== null) apply(lab, view, applied);
        applied = view;
      }),
    );
  });
  let written = "";
  const keep = () => {
    // Before an experiment is on screen, the history knows more than the page.
    if (lab.run.peek() === null || waiting !== null) return;
    const text = JSON.stringify(shownOf(lab));
    if (text === written) return;
    written = text;
    history.replaceState(JSON.parse(text), "");
  };
  const timer = setInterval(keep, INTERVAL_MS);
  addEventListener("pagehide", keep);
  return () => {
    stop();
    clearInterval(timer);
    removeEventListener("pagehide", keep);
  };
}

function restore(lab: Lab, shown: Shown): void {
  plots.value = [];
  for (const { x, ys } of shown.plots) addPlot(ys, x);
  plots.value = plots.value.map((it, k) => ({ ...it, norm: shown.plots[k]?.norm === true }));
  tabled.value = shown.tabled;
  arrows.value = shown.arrows;
  overlays.value = new Set(OVERLAYS.filter((it) => shown.overlays.includes(it)));
  allTrails.value = shown.trails.all;
  trailOf.value = shown.trails.of;
  wantedStand.value = shown.camera;
  lab.selection.value = shown.selection;
  follows.value = shown.follows && shown.selection !== null;
  lab.clock.setRate(shown.speed);
  if (shown.moment !== null) goTo(lab, shown.moment);
}

/** Applies a block, as far as it differs from what was applied before. */
function apply(lab: Lab, view: ViewInfo, before: ViewInfo | null): void {
  const differs = (key: keyof ViewInfo) => JSON.stringify(view[key]) !== JSON.stringify(before?.[key] ?? (Array.isArray(view[key]) ? [] : null));
  if (differs("plots")) {
    plots.value = [];
    for (const { value, against } of view.plots) addPlot([value], against);
  }
  if (differs("arrows")) {
    arrows.value = [];
    for (const formula of view.arrows) addArrow(lab, formula);
  }
  if (differs("overlays") && view.overlays !== null) overlays.value = new Set([...OVERLAYS.filter((it) => view.overlays?.includes(it)), "joints"]);
  if (differs("trails") && view.trails !== null) {
    allTrails.value = false;
    trailOf.value = Object.fromEntries(view.trails.map((name) => [name, true]));
  }
  if (differs("camera") && view.camera !== null) wantedStand.value = view.camera.how === "at" ? { eye: view.camera.eye, target: view.camera.target, flat: false } : { side: view.camera.side };
  if (differs("follow") && view.follow !== null) {
    lab.selection.value = view.follow;
    follows.value = true;
  }
  if (differs("speed") && view.speed !== null) lab.clock.setRate(view.speed);
  if (differs("moment") && view.moment !== null) goTo(lab, view.moment);
  if (differs("drawer") && view.drawer !== null) {
    if (view.drawer !== "closed") showResults(view.drawer as ResultTab);
    else if (resultsShown.value) hideResults();
  }
  if (resultTab.value === null && view.plots.length > 0) resultTab.value = "plots";
}

function addArrow(lab: Lab, formula: string): void {
  const quantity = lab.run.value?.scene.quantities.find((it) => it.formula === formula && drawable(it));
  toggleArrow(formula, quantity === undefined ? footOf(ownerOf(lab, formula)) : footOf(quantity.owner), colorOf(formula));
}

/** The object that a formula begins with, or nobody. */
function ownerOf(lab: Lab, formula: string): string {
  const name = formula.slice(0, Math.max(0, formula.indexOf(".")));
  return lab.run.value?.body(name) === -1 ? "world" : name;
}

/** Shows a moment as soon as the run has come there. */
function goTo(lab: Lab, moment: number): void {
  lab.clock.playing.value = false;
  const { openings } = lab;
  const opened = openings.peek();
  let stop: (() => void) | null = null;
  let isDone = false;
  stop = effect(() => {
    const { reached, playing } = lab.clock;
    const arrived = reached.value >= moment || lab.run.value?.ended.value != null;
    const moved = playing.value || openings.value !== opened;
    if (isDone || !(arrived || moved)) return;
    isDone = true;
    if (!moved) untracked(() => lab.clock.show(moment));
    queueMicrotask(() => stop?.());
  });
}
