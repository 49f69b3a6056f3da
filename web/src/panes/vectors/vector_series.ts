// A vector over time: read once for a run, asked at every moment.
import type { Lab } from "../../lab/lab.ts";
import type { Run } from "../../lab/run.ts";
import { placeAt, type Series, seriesOf, valueAt } from "../plots/series.ts";

export type Vector = readonly [number, number, number];

export class VectorSeries {
  readonly #parts: readonly Series[];
  /** The greatest length there is. */
  readonly longest: number;

  constructor(parts: readonly Series[]) {
    this.#parts = parts;
    let longest = 0;
    const [x, y, z] = parts;
    x?.values.forEach((value, k) => {
      const length = Math.hypot(value, y?.values[k] ?? 0, z?.values[k] ?? 0);
      if (length > longest) longest = length;
    });
    this.longest = longest;
  }

  /** Reads the three components of a formula. */
  static async read(lab: Lab, run: Run, formula: string): Promise<VectorSeries> {
    return new VectorSeries(seriesOf(await lab.columns([formula], { run, most: 16_000 })));
  }

  /** The vector at a time; after the event, if there is one then. `null` where it has no value. */
  at(time: number): Vector | null {
    return whole(this.#parts.map((part) => valueAt(part, time)));
  }

  /** The vector just before an event at this time; `null` if none was recorded, or it had no value. */
  before(time: number): Vector | null {
    return whole(
      this.#parts.map(({ times, values }) => {
        let place = placeAt(times, time);
        if (times[place] !== time || times[place - 1] !== time) return Number.NaN;
        while (times[place - 1] === time) place--;
        return values[place] as number;
      }),
    );
  }
}

function whole(parts: readonly number[]): Vector | null {
  return parts.length === 3 && parts.every(Number.isFinite) ? (parts as unknown as Vector) : null;
}
