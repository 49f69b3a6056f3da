// Bodies whose size changes: what their size is at any time, read from the recording.
import type { Lab } from "../../../lab/lab.ts";
import type { Run } from "../../../lab/run.ts";
import type { BodyShape } from "../../../wire/types.ts";

const FIELDS = ["size", "radius", "height", "length"];

interface Series {
  times: Float64Array;
  values: Float64Array;
}

/** By the index of a body, then by the name of an attribute, its components. */
type Known = ReadonlyMap<number, ReadonlyMap<string, readonly Series[]>>;

export class Sizes {
  readonly #lab: Lab;
  readonly #run: Run;
  readonly #wanted: { body: number; name: string; formula: string }[];
  #known: Known = new Map();
  #asking = false;
  #stale = false;
  readonly #changed: () => void;

  constructor(lab: Lab, run: Run, changed: () => void) {
    this.#changed = changed;
    this.#lab = lab;
    this.#run = run;
    this.#wanted = run.scene.bodies.flatMap((body, index) =>
      body.resizes
        ? run.scene.quantities
            .filter((it) => it.owner === body.name && !it.constant && it.context === null && FIELDS.includes(it.name))
            .map((it) => ({ body: index, name: it.name, formula: it.formula }))
        : [],
    );
  }

  /** Reads what there is; called when there is more of the run. One question at a time. */
  read(): void {
    if (this.#wanted.length === 0) return;
    if (this.#asking) {
      this.#stale = true;
      return;
    }
    this.#asking = true;
    this.#stale = false;
    this.#lab
      .columns(this.#wanted.map((it) => it.formula), { run: this.#run, most: 2000 })
      .then((chunk) => {
        if (chunk.head.chunk !== "columns") return;
        const known = new Map<number, Map<string, Series[]>>();
        let at = chunk.start;
        for (const { formula, points } of chunk.head.series) {
          const times = new Float64Array(chunk.buffer, at, points);
          const values = new Float64Array(chunk.buffer, at + 8 * points, points);
          at += 16 * points;
          const wanted = this.#wanted[formula];
          if (wanted === undefined) continue;
          const fields = known.get(wanted.body) ?? new Map<string, Series[]>();
          fields.set(wanted.name, [...(fields.get(wanted.name) ?? []), { times, values }]);
          known.set(wanted.body, fields);
        }
        this.#known = known;
        this.#changed();
      })
      // Without an answer bodies keep the size they began with.
      .catch(() => undefined)
      .finally(() => {
        this.#asking = false;
        if (this.#stale) this.read();
      });
  }

  /** What a body looks like at a time. */
  at(body: number, shape: BodyShape, time: number): BodyShape {
    const fields = this.#known.get(body);
    if (fields === undefined) return shape;
    const value = (name: string, component = 0): number | null => {
      const series = fields.get(name)?.[component];
      return series === undefined ? null : valueAt(series, time);
    };
    switch (shape.kind) {
      case "sphere":
        return { ...shape, radius: value("size") ?? value("radius") ?? shape.radius };
      case "cuboid":
        return { ...shape, size: [value("size", 0) ?? shape.size[0], value("size", 1) ?? shape.size[1], value("size", 2) ?? shape.size[2]] };
      case "capsule":
        return { ...shape, radius: value("radius") ?? shape.radius, length: value("length") ?? shape.length };
      case "cylinder":
      case "cone":
        return { ...shape, radius: value("radius") ?? shape.radius, height: value("height") ?? shape.height };
      default:
        return shape;
    }
  }
}

function valueAt({ times, values }: Series, time: number): number | null {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) <= time) low = middle + 1;
    else high = middle;
  }
  const [before, after] = [Math.max(0, low - 1), Math.min(low, times.length - 1)];
  const [t0, t1, a, b] = [times[before], times[after], values[before], values[after]];
  if (t0 === undefined || t1 === undefined || a === undefined || b === undefined || !Number.isFinite(a)) return null;
  if (!(t1 > t0) || !Number.isFinite(b)) return a;
  return a + ((b - a) * (time - t0)) / (t1 - t0);
}
