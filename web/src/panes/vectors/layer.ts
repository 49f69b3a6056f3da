// Arrows in the 3D view: every chosen vector at the shared moment, and before and after the chosen event in two colours.
import { effect } from "@preact/signals";
import { Color, ConeGeometry, CylinderGeometry, Group, Mesh, MeshBasicMaterial, Quaternion, Vector3 } from "three";
import { quantityOf, resolveColor } from "../../lab/colors.ts";
import { short } from "../../lab/format.ts";
import { POSE } from "../../lab/poses.ts";
import type { Run } from "../../lab/run.ts";
import { theme } from "../../ui/theme.ts";
import type { Layer, MakeLayer, Stage } from "../view/layer.ts";
import { type Vector, VectorSeries } from "./vector_series.ts";
import { type Arrow, arrows as chosen, scale, thickness } from "./state.ts";

/** The longest arrow of a quantity, as a part of the scene. */
const MAX_LENGTH = 0.25;
const Y = new Vector3(0, 1, 0);
const shaft = new CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0);
const head = new ConeGeometry(1, 1, 16).translate(0, 0.5, 0);

/** One arrow: a shaft, a head, and its numbers. Drawn over the bodies, for most begin inside one. */
class Drawn {
  readonly group = new Group();
  readonly #material = new MeshBasicMaterial({ depthTest: false, transparent: true });
  readonly #shaft = new Mesh(shaft, this.#material);
  readonly #head = new Mesh(head, this.#material);
  readonly label = document.createElement("div");

  /** Numbers of arrows that end at one point stand below each other: this is the `line` that they stand in. */
  constructor(stage: Stage, line: number) {
    this.label.style.marginTop = `${1.15 * line}em`;
    this.group.add(this.#shaft, this.#head);
    this.group.renderOrder = 10;
    for (const mesh of [this.#shaft, this.#head]) mesh.renderOrder = 10;
    this.label.className = "arrow-label number";
    stage.labels.append(this.label);
  }

  show(stage: Stage, foot: Vector, vector: Vector, factor: number, color: string, numbers: boolean): void {
    const direction = new Vector3(...vector);
    const length = direction.length() * factor;
    this.group.visible = length > 1e-9 * stage.extent;
    if (!this.group.visible) {
      this.label.hidden = true;
      return;
    }
    const width = 0.006 * stage.extent * thickness.value;
    const tip = Math.min(length, 5 * width);
    this.group.position.set(...foot);
    this.group.quaternion.copy(new Quaternion().setFromUnitVectors(Y, direction.normalize()));
    this.#shaft.scale.set(width, Math.max(1e-9, length - tip), width);
    this.#head.position.set(0, length - tip, 0);
    this.#head.scale.set(2.4 * width, tip, 2.4 * width);
    this.#material.color = new Color(resolveColor(color));
    this.label.hidden = !numbers;
    if (numbers) {
      this.label.textContent = `[${vector.map(short).join(", ")}]`;
      this.label.style.color = color;
      const end = new Vector3(0, length, 0).applyQuaternion(this.group.quaternion).add(this.group.position);
      stage.place(this.label, [end.x, end.y, end.z]);
    }
  }

  hide(): void {
    this.group.visible = false;
    this.label.hidden = true;
  }

  dispose(): void {
    this.#material.dispose();
    this.label.remove();
  }
}

class Arrows implements Layer {
  readonly object = new Group();
  readonly #stage: Stage;
  #run: Run | null = null;
  /** Vectors that were read of the run on screen, by formula. */
  readonly #fields = new Map<string, VectorSeries | null>();
  /** Before and after, by formula. */
  readonly #drawn = new Map<string, readonly [Drawn, Drawn]>();
  /** What the engine measured at the chosen event, by formula. */
  #given: { event: number; vectors: ReadonlyMap<string, Vector> } | null = null;
  readonly #stop: () => void;
  readonly #pose = new Float64Array(POSE);

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#stop = effect(() => {
      void [scale.value, thickness.value, theme.value, stage.lab.event.value, stage.lab.run.value?.ended.value];
      this.#read(chosen.value);
      this.#ask(chosen.value);
      stage.refresh();
    });
  }

  show(run: Run | null): void {
    this.#run = run;
    this.#given = null;
    this.#fields.clear();
    this.#read(chosen.peek());
  }

  update(time: number): void {
    const run = this.#run;
    const shown = new Set<string>();
    const event = this.#event(time);
    for (const arrow of chosen.peek()) {
      const field = this.#fields.get(arrow.formula);
      const foot = this.#foot(arrow, time);
      const [before, after] = this.#pair(arrow.formula);
      shown.add(arrow.formula);
      if (arrow.given) {
        const vector = event?.index === this.#given?.event ? this.#given?.vectors.get(arrow.formula) : undefined;
        before.hide();
        if (vector === undefined || foot === null) after.hide();
        else after.show(this.#stage, foot, vector, (MAX_LENGTH * this.#stage.extent * scale.peek()) / (Math.hypot(...vector) || 1), arrow.after, arrow.numbers);
        continue;
      }
      if (run === null || field == null || foot === null) {
        before.hide();
        after.hide();
        continue;
      }
      const factor = (MAX_LENGTH * this.#stage.extent * scale.peek()) / this.#longest(arrow.formula);
      const draw = (it: Drawn, vector: Vector | null, color: string) => {
        if (vector === null) it.hide();
        else it.show(this.#stage, foot, vector, factor, color, arrow.numbers);
      };
      draw(before, event === null ? null : field.before(event.time), arrow.before);
      draw(after, field.at(time), arrow.after);
    }
    for (const [formula, pair] of this.#drawn) {
      if (!shown.has(formula)) for (const it of pair) it.hide();
    }
  }

  dispose(): void {
    this.#stop();
    for (const pair of this.#drawn.values()) for (const it of pair) it.dispose();
  }

  /** The chosen event, if the moment is its moment. */
  #event(time: number) {
    const index = this.#stage.lab.event.peek();
    const event = index === null ? undefined : this.#run?.events.peek()[index];
    return event !== undefined && event.time === time ? event : null;
  }

  #pair(formula: string): readonly [Drawn, Drawn] {
    let pair = this.#drawn.get(formula);
    if (pair === undefined) {
      const line = this.#drawn.size;
      pair = [new Drawn(this.#stage, line), new Drawn(this.#stage, line)];
      for (const it of pair) this.object.add(it.group);
      this.#drawn.set(formula, pair);
    }
    return pair;
  }

  #foot(arrow: Arrow, time: number): Vector | null {
    const owner = arrow.formula.slice(0, Math.max(0, arrow.formula.indexOf(".")));
    switch (arrow.foot) {
      case "custom":
        return arrow.point;
      case "origin":
        return [0, 0, 0];
      case "collision":
        return (this.#event(time)?.point as Vector | null | undefined) ?? null;
      case "centre": {
        const body = this.#run?.body(owner) ?? -1;
        if (this.#run === null || body < 0) return [0, 0, 0];
        const [x = 0, y = 0, z = 0] = this.#run.poses.at(body, time, this.#pose);
        return [x, y, z];
      }
    }
  }

  /** Vectors of one quantity are drawn to one scale, whoever's they are, so that they can be compared. */
  #longest(formula: string): number {
    const quantity = quantityOf(formula);
    let longest = 0;
    for (const [other, field] of this.#fields) {
      if (field !== null && quantityOf(other) === quantity) longest = Math.max(longest, field.longest);
    }
    return longest > 0 ? longest : 1;
  }

  /** Asks what was measured at the chosen event, if that is drawn. */
  #ask(wanted: readonly Arrow[]): void {
    const { lab } = this.#stage;
    const event = lab.event.peek();
    if (event === null || event === this.#given?.event || !wanted.some((it) => it.given)) return;
    lab
      .table(event)
      .then(({ given }) => {
        const vectors = given.flatMap((row) => (row.after?.scalars.length === 3 ? [[row.formula, row.after.scalars as unknown as Vector] as const] : []));
        this.#given = { event, vectors: new Map(vectors) };
        this.#stage.refresh();
      })
      // The run has gone on: then there is no arrow.
      .catch(() => {});
  }

  #read(wanted: readonly Arrow[]): void {
    const run = this.#run;
    if (run === null || run.ended.peek() === null) return;
    for (const { formula, given } of wanted) {
      if (given || this.#fields.has(formula)) continue;
      this.#fields.set(formula, null);
      VectorSeries.read(this.#stage.lab, run, formula)
        .then((field) => {
          if (this.#run === run) this.#fields.set(formula, field);
          this.#stage.refresh();
        })
        // The run has gone on, or has no such vector: then there is no arrow.
        .catch(() => {});
    }
  }
}

export const arrows: MakeLayer = (stage) => new Arrows(stage);
