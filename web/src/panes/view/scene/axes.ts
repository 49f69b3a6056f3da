// Axes with numbers at the borders of the motion: where things are, at round places.
import { type Camera, type Color, Vector3, type Box3 } from "three";
import { short } from "../../../lab/format.ts";
import type { Labels } from "./labels.ts";
import { Lines } from "./lines.ts";
import { roundUp, type UpFrame } from "../up_frame.ts";

/** About so many numbers on the longest axis. */
const TICKS = 8;
/** Length of a tick, as a part of the scene. */
const TICK = 0.012;
/** An axis that one looks along shows nothing. */
const ALONG = 0.985;

interface Axis {
  /** Where its coordinate is 0, as far across as the axis lies. */
  foot: Vector3;
  direction: Vector3;
  /** Directions that its ticks may have: the one is taken that is seen best. */
  sides: readonly Vector3[];
  from: number;
  to: number;
}

export class Axes {
  readonly lines = new Lines({ width: 1.25, strong: 0.75, faint: 0.75 });
  readonly #labels: Labels;
  readonly #shown: HTMLElement[] = [];
  #axes: readonly Axis[] = [];
  #color: Color | null = null;
  #step = 1;
  #extent = 1;
  /** Which axes are drawn with which ticks; others are seen end on. */
  #drawn = "";
  #visible = false;

  constructor(labels: Labels) {
    this.#labels = labels;
  }

  /** Distance from one number to the next. */
  get step(): number {
    return this.#step;
  }

  paint(color: Color): void {
    this.#color = color;
    this.#drawn = "";
  }

  /** Lies at the borders of a box, from a height on. */
  lay(box: Box3, basis: UpFrame, ground: number, extent: number): void {
    this.#extent = extent;
    this.#step = roundUp(extent / TICKS);
    this.#drawn = "";
    const range = (direction: Vector3): [number, number] => {
      const ends = [box.min, box.max].map((it) => it.dot(direction));
      // A box in other directions than the axes of the world is at most this large.
      return [Math.min(...ends), Math.max(...ends)];
    };
    const { right, away, up } = basis;
    const [x, y, z] = [range(right), range(away), range(up)];
    // A little above a floor, so that it does not hide them.
    const low = Math.max(ground + 4e-3 * extent, z[0] - 0.05 * extent);
    const gap = 0.06 * extent;
    const point = (a: number, b: number, c: number) => new Vector3().addScaledVector(right, a).addScaledVector(away, b).addScaledVector(up, c);
    this.#axes = [
      { foot: point(0, y[0] - gap, low), direction: right, sides: [away.clone().negate(), up.clone().negate()], from: x[0], to: x[1] },
      { foot: point(x[1] + gap, 0, low), direction: away, sides: [right, up.clone().negate()], from: y[0], to: y[1] },
      { foot: point(x[0] - gap, y[1], 0), direction: up, sides: [right.clone().negate(), away], from: low, to: z[1] },
    ];
  }

  show(visible: boolean): void {
    if (visible === this.#visible) return;
    this.#visible = visible;
    this.#drawn = "";
  }

  /** Draws those axes that are seen from the side. */
  look(camera: Camera): void {
    const view = camera.getWorldDirection(new Vector3());
    const seen = (it: Vector3) => 1 - Math.abs(it.dot(view));
    const sides = this.#axes.map(({ direction, sides }) => {
      if (!this.#visible || Math.abs(direction.dot(view)) >= ALONG) return -1;
      // The first one, unless the other is seen much better.
      return sides.findIndex((it) => seen(it) > 0.5 * Math.max(...sides.map(seen)));
    });
    const drawn = sides.join();
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.lines.clear();
    let used = 0;
    this.#axes.forEach((axis, k) => {
      const side = axis.sides[sides[k] ?? -1];
      if (side !== undefined) used = this.#draw(axis, side, used);
    });
    for (const label of this.#shown.splice(used)) label.remove();
    this.lines.commit();
  }

  #draw({ foot, direction, from, to }: Axis, side: Vector3, used: number): number {
    const [step, color] = [this.#step, this.#color];
    if (color === null || to - from < 0.25 * step) return used;
    const at = (s: number, out = 0) => foot.clone().addScaledVector(direction, s).addScaledVector(side, out);
    const add = (a: Vector3, b: Vector3) => this.lines.add(a.toArray(), b.toArray(), 0, 0, color);
    const [first, last] = [Math.ceil(from / step - 0.05), Math.floor(to / step + 0.05)];
    add(at(Math.min(from, first * step)), at(Math.max(to, last * step)));
    let next = used;
    for (let k = first; k <= last; k++) {
      add(at(k * step), at(k * step, TICK * this.#extent));
      const label = this.#label(next++);
      label.textContent = short(Number((k * step).toPrecision(12)));
      const point = at(k * step, 2.6 * TICK * this.#extent);
      this.#labels.place(label, [point.x, point.y, point.z]);
    }
    return next;
  }

  #label(index: number): HTMLElement {
    let label = this.#shown[index];
    if (label === undefined) {
      label = document.createElement("div");
      label.className = "axis-label number";
      this.#labels.element.append(label);
      this.#shown.push(label);
    }
    return label;
  }

  dispose(): void {
    this.lines.dispose();
    for (const label of this.#shown) label.remove();
  }
}
