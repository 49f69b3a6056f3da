// Keys of the 3D view: some everywhere on the page, some only while the view has the focus.
import type { Lab } from "../../lab/lab.ts";
import { t } from "../../strings/index.ts";
import { bind } from "../../ui/keys.ts";
import { AXES, type Axis } from "./camera.ts";
import { allTrails, FEW_BODIES, follows, menuOpen, setTrails, showsGhost } from "./state.ts";
import type { View } from "./view.ts";

const TURN = Math.PI / 24;
const PAN = 40;
const ZOOM = 0.9;

/** Whether trails are on, for a button: as chosen, else as there are few bodies. */
export function trailsOn(lab: Lab): boolean {
  return allTrails.value ?? (lab.run.value?.scene.bodies.length ?? 0) <= FEW_BODIES;
}

/** Selects the next or the previous body, and says which. */
export function stepSelection(lab: Lab, direction: -1 | 1): void {
  const bodies = lab.run.value?.scene.bodies ?? [];
  if (bodies.length === 0) return;
  const place = bodies.findIndex((it) => it.name === lab.selection.value);
  const next = place < 0 ? (direction > 0 ? 0 : bodies.length - 1) : (place + direction + bodies.length) % bodies.length;
  const name = bodies[next]?.name;
  if (name === undefined) return;
  lab.selection.value = name;
  lab.announce(t("view.selected", { name, index: next + 1, count: bodies.length }));
}

/** Goes with the selected body, or no longer; without one, with the first that moves. */
export function toggleFollow(lab: Lab): void {
  if (lab.selection.value === null) lab.selection.value = lab.run.value?.scene.bodies.find((it) => it.moves !== null)?.name ?? null;
  follows.value = !follows.value && lab.selection.value !== null;
}

/** Keys that work everywhere; gives back how to take them away. */
export function bindKeys(lab: Lab, view: View): () => void {
  const group = t("view.group");
  const axis = (name: Axis) => [
    { key: name, does: t("view.along", { axis: name.toUpperCase() }), group, run: () => view.look(name) },
    { key: `Shift+${name.toUpperCase()}`, does: t("view.against", { axis: name.toUpperCase() }), group, run: () => view.look(name, true) },
  ];
  return bind(
    { key: "f", does: t("view.frame"), group, run: () => view.frame() },
    { key: "Shift+F", does: t("view.oblique"), group, run: () => view.frame(true) },
    ...(Object.keys(AXES) as Axis[]).flatMap(axis),
    { key: "v", does: t("view.menu"), group, run: () => (menuOpen.value = !menuOpen.value) },
    { key: "c", does: t("view.follow"), group, run: () => toggleFollow(lab) },
    { key: "t", does: t("view.trails"), group, run: () => setTrails(!trailsOn(lab)) },
    { key: "g", does: t("view.ghost"), group, run: () => (showsGhost.value = !showsGhost.value) },
    { key: "[", does: t("view.previous"), group, run: () => stepSelection(lab, -1) },
    { key: "]", does: t("view.next"), group, run: () => stepSelection(lab, 1) },
  );
}

/** Keys of the view itself; says whether it was one. */
export function takeKey(event: KeyboardEvent, lab: Lab, view: View): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const { cameraControl } = view;
  const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
  if (arrow !== undefined) {
    const [x = 0, y = 0] = arrow;
    if (event.shiftKey) cameraControl.pan(-PAN * x, PAN * y);
    else cameraControl.turn(TURN * x, -TURN * y);
    return true;
  }
  if (event.key === "+" || event.key === "=" || event.key === "PageUp") cameraControl.zoom(ZOOM);
  else if (event.key === "-" || event.key === "PageDown") cameraControl.zoom(1 / ZOOM);
  else if (event.key === "Escape" && lab.selection.value !== null) lab.selection.value = null;
  else return false;
  return true;
}
