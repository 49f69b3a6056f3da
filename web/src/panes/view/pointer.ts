// The pointer over the picture: it shows names and values, selects bodies, and jumps along trails. Turning the camera is not its
// business: a press that moves belongs to that.
import { effect, type Signal } from "@preact/signals";
import { Picker, type Pointer } from "./picking.ts";
import { follows } from "./state.ts";
import type { Spot } from "./scene/trails.ts";
import type { View } from "./view.ts";

/** What is pointed at, and where the pointer is. */
export interface Pointed {
  x: number;
  y: number;
  /** Whether there is more room for words to the left of the pointer, and above it. */
  left: boolean;
  above: boolean;
  /** The index of a body. */
  body: number;
  name: string;
  /** The place on its trail, if it is not the body itself. */
  spot: Spot | null;
}

/** A press that moves by less is a click; and a trail is found from so near. In pixels. */
const CLICK_SLACK_PX = 5;
const TRAIL_REACH_PX = 9;
/** While things move under a pointer that rests, it looks again this often, in milliseconds. */
const HOVER_DELAY_MS = 120;

export function listenToPointer(view: View, canvas: HTMLCanvasElement, pointed: Signal<Pointed | null>): () => void {
  const { lab } = view;
  const picker = new Picker();
  let pressed: { x: number; y: number } | null = null;
  let last: PointerEvent | null = null;
  let request = 0;

  const find = (event: MouseEvent): Pointed | null => {
    const { objects } = view;
    if (objects === null) return null;
    const bounds = canvas.getBoundingClientRect();
    const at: Pointer = { x: event.clientX - bounds.left, y: event.clientY - bounds.top, width: bounds.width, height: bounds.height };
    const body = picker.body(at, view.camera, objects.bodies, objects.planes, view.veiled);
    const { bodies } = objects.run.scene;
    const [left, above] = [at.x > 0.55 * at.width, at.y > 0.6 * at.height];
    const named = (index: number, spot: Spot | null) => ({ x: at.x, y: at.y, left, above, body: index, name: bodies[index]?.name ?? "", spot });
    if (body !== null && bodies[body]?.is_static !== true) return named(body, null);
    // A trail lies before a floor.
    const spot = view.trails.nearest(at.x, at.y, TRAIL_REACH_PX, view.camera, at.width, at.height);
    if (spot !== null) return named(spot.body, spot);
    return body === null ? null : named(body, null);
  };

  const hover = () => {
    request = 0;
    pointed.value = last === null || pressed !== null ? null : find(last);
    canvas.style.cursor = pointed.value === null ? "" : "pointer";
  };
  const ask = () => {
    if (request === 0) request = requestAnimationFrame(hover);
  };
  const move = (event: PointerEvent) => {
    last = event.pointerType === "touch" ? null : event;
    ask();
  };
  const leave = () => {
    last = null;
    ask();
  };
  const down = (event: PointerEvent) => {
    pressed = event.button === 0 && event.isPrimary ? { x: event.clientX, y: event.clientY } : null;
  };
  const up = (event: PointerEvent) => {
    const begin = pressed;
    pressed = null;
    if (begin === null || Math.hypot(event.clientX - begin.x, event.clientY - begin.y) > CLICK_SLACK_PX) return;
    const found = find(event);
    if (found?.spot != null) {
      lab.event.value = null;
      lab.clock.show(found.spot.time);
    } else lab.selection.value = found?.name ?? null;
    ask();
  };
  const double = (event: MouseEvent) => {
    const found = find(event);
    if (found === null || found.spot !== null) return;
    lab.selection.value = found.name;
    follows.value = true;
  };

  // What is under a pointer that rests may change, too.
  let patience = 0;
  const stop = effect(() => {
    void view.pictures.value;
    if (last === null || patience !== 0) return;
    patience = window.setTimeout(() => {
      patience = 0;
      ask();
    }, HOVER_DELAY_MS);
  });

  canvas.addEventListener("pointermove", move);
  canvas.addEventListener("pointerleave", leave);
  canvas.addEventListener("pointerdown", down);
  // The camera's controls keep the pointer to themselves while it is pressed.
  window.addEventListener("pointerup", up);
  canvas.addEventListener("dblclick", double);
  return () => {
    stop();
    clearTimeout(patience);
    cancelAnimationFrame(request);
    canvas.removeEventListener("pointermove", move);
    canvas.removeEventListener("pointerleave", leave);
    canvas.removeEventListener("pointerdown", down);
    window.removeEventListener("pointerup", up);
    canvas.removeEventListener("dblclick", double);
  };
}
