// Contacts of rigid bodies: points, normals, and forces to one scale, with what the longest force is.
import { type Color, Vector3 } from "three";
import type { Lab } from "../../../lab/lab.ts";
import type { Run } from "../../../lab/run.ts";
import type { Reply } from "../../../wire/types.ts";
import { seriesOf, type Series, valueAt } from "../../plots/series.ts";
import { across } from "./joinery/curves.ts";
import { Parts } from "./joinery/parts.ts";
import { Spots } from "./joinery/spots.ts";
import { Lines } from "./lines.ts";
import type { Palette } from "./palette.ts";

type Contacts = Extract<Reply, { type: "contacts" }>;

/** Lengths as parts of the scene: of a normal, of the longest force. */
const NORMAL = 0.05;
const LONGEST = 0.18;
const POINT = 0.006;

/** What is switched on. */
export interface Wanted {
  contacts: boolean;
  normals: boolean;
  forces: boolean;
}

/** A force of a joint over time. */
interface JointForce {
  drawing: number;
  series: readonly Series[];
}

export class ContactOverlay {
  readonly lines = new Lines({ width: 2.5, strong: 1, faint: 1 });
  readonly parts = new Parts();
  readonly #lab: Lab;
  readonly #changed: () => void;
  #run: Run | null = null;
  #spots: Spots | null = null;
  #known: Contacts | null = null;
  #joints: readonly JointForce[] = [];
  #asking = false;
  #asked = NaN;
  #colors: { normal: Color; force: Color } | null = null;
  /** The largest force that was seen in this run, N: forces of a run are drawn to one scale. */
  #largest = 0;

  constructor(lab: Lab, changed: () => void) {
    this.#lab = lab;
    this.#changed = changed;
  }

  /** The force that is drawn as an arrow of a length; 0 if there is none. */
  forceOf(length: number, extent: number): number {
    return (length / (LONGEST * extent)) * this.#largest;
  }

  /** How many contacts are known at the moment. */
  get count(): number {
    return this.#known?.contacts.length ?? 0;
  }

  show(run: Run | null): void {
    this.#run = run;
    this.#spots = run === null ? null : new Spots(this.#lab, run, this.#changed);
    [this.#known, this.#joints, this.#asked, this.#largest] = [null, [], NaN, 0];
  }

  paint(palette: Palette): void {
    this.#colors = { normal: palette.normal, force: palette.force };
    this.parts.paint(palette.force);
  }

  /** The run has ended: forces of joints are known from its start to its end. */
  grow(wanted: Wanted): void {
    const run = this.#run;
    if (!wanted.forces || run === null || run.ended.peek() === null || this.#joints.length > 0) return;
    const names = run.scene.quantities.filter((it) => it.owner === "world" && it.name.startsWith("force_of_"));
    const drawings = names.map((it) => run.scene.drawings.findIndex((drawing) => `force_of_${drawing.name}` === it.name));
    if (names.length === 0) return;
    const ask = async () => {
      const joints: JointForce[] = [];
      for (const [k, { formula }] of names.entries()) {
        const series = seriesOf(await this.#lab.columns([formula], { run, most: 4000 }));
        if ((drawings[k] ?? -1) >= 0) joints.push({ drawing: drawings[k] as number, series });
      }
      if (this.#run !== run) return;
      this.#joints = joints;
      for (const { series } of joints) {
        const [x, y, z] = series;
        x?.values.forEach((value, k) => this.#note(Math.hypot(value, y?.values[k] ?? 0, z?.values[k] ?? 0)));
      }
      this.#changed();
    };
    // The run has gone on: then there is nothing to draw.
    ask().catch(() => undefined);
  }

  /** Draws everything at a time. */
  update(time: number, extent: number, wanted: Wanted): void {
    this.lines.clear();
    this.parts.clear();
    if (wanted.contacts || wanted.normals || wanted.forces) {
      this.#ask(time);
      this.#draw(time, extent, wanted);
    }
    this.lines.commit();
    this.parts.commit();
  }

  dispose(): void {
    this.lines.dispose();
    this.parts.dispose();
  }

  #note(force: number): void {
    if (Number.isFinite(force) && force > this.#largest) this.#largest = force;
  }

  /** Asks for the contacts of a moment: one question at a time, and the newest one last. */
  #ask(time: number): void {
    const run = this.#run;
    if (run === null || this.#asking || this.#asked === time) return;
    this.#asking = true;
    this.#asked = time;
    this.#lab.client
      .request({ type: "contacts", run: run.id, time })
      .then((reply) => {
        if (this.#run !== run) return;
        this.#known = reply as Contacts;
        for (const { force } of this.#known.contacts) this.#note(Math.hypot(...force));
        this.#changed();
      })
      // The run has gone on: its contacts are asked for at the next picture.
      .catch(() => undefined)
      .finally(() => {
        this.#asking = false;
      });
  }

  #draw(time: number, extent: number, wanted: Wanted): void {
    if (this.#colors === null) return;
    const { normal, force } = this.#colors;
    const scale = this.#largest > 0 ? (LONGEST * extent) / this.#largest : 0;
    for (const contact of this.#known?.contacts ?? []) {
      const at = new Vector3(...contact.point);
      if (wanted.contacts) this.parts.ball(at, POINT * extent);
      if (wanted.normals) this.#arrow(at, new Vector3(...contact.normal).multiplyScalar(NORMAL * extent), extent, normal);
      if (wanted.forces) this.#arrow(at, new Vector3(...contact.force).multiplyScalar(scale), extent, force);
    }
    if (!wanted.forces) return;
    for (const { drawing, series } of this.#joints) {
      const place = this.#run?.scene.drawings[drawing]?.places[0];
      const at = place === undefined ? null : (this.#spots?.place(place, time) ?? null);
      const [x = NaN, y = NaN, z = NaN] = series.map((it) => valueAt(it, time));
      if (at !== null && [x, y, z].every(Number.isFinite)) this.#arrow(at, new Vector3(x, y, z).multiplyScalar(scale), extent, force);
    }
  }

  /** A line with two barbs. */
  #arrow(from: Vector3, way: Vector3, extent: number, color: Color): void {
    const length = way.length();
    if (!(length > 1e-4 * extent)) return;
    const to = from.clone().add(way);
    this.lines.add(from.toArray(), to.toArray(), 0, 0, color);
    const barb = Math.min(0.012 * extent, 0.4 * length);
    const back = to.clone().addScaledVector(way, -barb / length);
    for (const side of across(way)) {
      for (const sign of [-0.5, 0.5]) this.lines.add(to.toArray(), back.clone().addScaledVector(side, sign * barb).toArray(), 0, 0, color);
    }
  }
}
