// Where the ends of what joins bodies are at a time: fixed to a body or to the world, or a formula over the recording.
import { Quaternion, Vector3 } from "three";
import type { Lab } from "../../../../lab/lab.ts";
import { POSE } from "../../../../lab/poses.ts";
import type { Run } from "../../../../lab/run.ts";
import type { Amount, Spot } from "../../../../wire/types.ts";
import { type Series, seriesOf, valueAt } from "../../../plots/series.ts";

export class Spots {
  readonly #lab: Lab;
  readonly #run: Run;
  readonly #formulas: readonly string[];
  readonly #changed: () => void;
  #known: ReadonlyMap<string, readonly Series[]> = new Map();
  #asking = false;
  #stale = false;
  readonly #pose = new Float64Array(POSE);
  readonly #turn = new Quaternion();

  constructor(lab: Lab, run: Run, changed: () => void) {
    this.#lab = lab;
    this.#run = run;
    this.#changed = changed;
    const all = run.scene.drawings.flatMap((it) => [...it.places, it.direction, it.length]);
    this.#formulas = [...new Set(all.flatMap((it) => (it?.how === "formula" ? [it.text] : [])))];
  }

  /** Reads what there is of the formulas; called when there is more of the run. One question at a time. */
  read(): void {
    if (this.#formulas.length === 0) return;
    if (this.#asking) {
      this.#stale = true;
      return;
    }
    this.#asking = true;
    this.#stale = false;
    const ask = async () => {
      const known = new Map<string, readonly Series[]>();
      for (const formula of this.#formulas) known.set(formula, seriesOf(await this.#lab.columns([formula], { run: this.#run, most: 8000 })));
      this.#known = known;
      this.#changed();
    };
    ask()
      // Without an answer nothing is drawn there.
      .catch(() => undefined)
      .finally(() => {
        this.#asking = false;
        if (this.#stale) this.read();
      });
  }

  /** A place at a time; `null` where it is not known. */
  place(spot: Spot, time: number): Vector3 | null {
    return this.#at(spot, time, true);
  }

  /** A direction at a time, of length 1; `null` where it is not known, or has no length. */
  direction(spot: Spot, time: number): Vector3 | null {
    const found = this.#at(spot, time, false);
    return found === null || found.lengthSq() === 0 ? null : found.normalize();
  }

  amount(amount: Amount | null, time: number): number | null {
    if (amount === null) return null;
    if (amount.how === "fixed") return amount.value;
    const [series] = this.#known.get(amount.text) ?? [];
    const value = series === undefined ? NaN : valueAt(series, time);
    return Number.isFinite(value) ? value : null;
  }

  #at(spot: Spot, time: number, isPlace: boolean): Vector3 | null {
    if (spot.how === "formula") {
      const parts = (this.#known.get(spot.text) ?? []).map((it) => valueAt(it, time));
      return parts.length === 3 && parts.every(Number.isFinite) ? new Vector3(...parts) : null;
    }
    const point = new Vector3(...spot.at);
    if (spot.body === null) return point;
    const [x = 0, y = 0, z = 0, w = 1, i = 0, j = 0, k = 0] = this.#run.poses.at(spot.body, time, this.#pose);
    point.applyQuaternion(this.#turn.set(i, j, k, w));
    return isPlace ? point.add(new Vector3(x, y, z)) : point;
  }
}
