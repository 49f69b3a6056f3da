// Which vectors are drawn as arrows, and how.
import { computed, signal } from "@preact/signals";
import { beforeColor } from "../../lab/colors.ts";

/** Where an arrow begins. */
export type Foot = "centre" | "collision" | "origin" | "custom";

export interface Arrow {
  readonly formula: string;
  readonly foot: Foot;
  /** Where it begins, if `foot` is `custom`. */
  readonly point: readonly [number, number, number];
  /** Colours as CSS values; `after` is also that of every moment that is no event. */
  readonly before: string;
  readonly after: string;
  /** Whether its components stand beside it. */
  readonly numbers: boolean;
  /** Whether it is what the engine measured at an event, such as a normal: there it is drawn, and nowhere else. */
  readonly given: boolean;
}

export const arrows = signal<readonly Arrow[]>([]);
/** Lengths are multiplied by it; 1 draws a vector of the longest length seen as a quarter of the scene. */
export const scale = signal(1);
export const thickness = signal(1);
export const anyShown = computed(() => arrows.value.length > 0);

/** What has three numbers and yet no direction in space: colours, sizes, orientations. */
const UNDIRECTED = /^(?:colou?r\w*|size|dimensions|orientation|rotation|angles)$/;

/** Whether a quantity can be drawn as an arrow: a vector of three that has a direction. A point of collision is a place. */
export function drawable(quantity: { name: string; ty: string }): boolean {
  return quantity.ty === "vector(3)" && !UNDIRECTED.test(quantity.name) && quantity.name !== "collisionPoint";
}

/** Draws a vector as an arrow, or no longer; where it begins unless the user says otherwise. */
export function toggleArrow(formula: string, foot: Foot, after: string, given = false): void {
  const others = arrows.value.filter((it) => it.formula !== formula);
  const isThere = others.length < arrows.value.length;
  const arrow: Arrow = { formula, foot, point: [0, 0, 0], before: beforeColor(after), after, numbers: false, given };
  arrows.value = isThere ? others : [...others, arrow];
}

/** Where the arrow of a quantity begins at first: at its object, or at the origin if it is nobody's. */
export function footOf(owner: string): Foot {
  return owner === "world" || owner === "measure" ? "origin" : "centre";
}

export function changeArrow(formula: string, change: Partial<Omit<Arrow, "formula">>): void {
  arrows.value = arrows.value.map((it) => (it.formula === formula ? { ...it, ...change } : it));
}
