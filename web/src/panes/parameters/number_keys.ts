// What numbers are called. The engine's label of a number inside a formula has the number in it: `flight: position (0.5)`, which
// changes when it is turned. Here a number has a key that stays: its formula, and which one of it.
import type { Number as TextNumber } from "../../wire/types.ts";

export interface Parameter {
  key: string;
  number: TextNumber;
  /** The block or object it belongs to; empty for the world. */
  group: string;
  /** What it is called there: `restitution`, `v#1`. */
  name: string;
  /** Whether the number is the value, or an element of it, and not part of a formula. */
  direct: boolean;
  /** Whether it belongs to the world. */
  world: boolean;
}

const INSIDE = / ?\((-?[^()]*)\)(?: \[\d+\])?$/;

/** The numbers of a text with their keys. */
export function parametersOf(numbers: readonly TextNumber[]): Parameter[] {
  const seen = new Map<string, number>();
  return numbers.map((number) => {
    const stem = number.label.replace(INSIDE, "").replace(/ \[\d+\]$/, "");
    const count = (seen.get(stem) ?? 0) + 1;
    seen.set(stem, count);
    const world = number.owned !== null && !number.owned.name.includes(".");
    const [group, name] = world ? ["", stem] : split(stem);
    return { key: count === 1 ? stem : `${stem} ${count}`, number, group, name, direct: !INSIDE.test(number.label), world };
  });
}

function split(stem: string): [string, string] {
  const found = /^([^.:]*)(?:\.|: )(.*)$/.exec(stem);
  return found === null ? [stem, ""] : [found[1] ?? "", found[2] ?? ""];
}

/** The largest of the other elements of a vector: `v#1` has the kin `v#2` and `v#3`. */
export function siblingsOf(parameter: Parameter, all: readonly Parameter[]): number {
  const { owned } = parameter.number;
  const family = (it: Parameter) => (owned !== null ? it.number.owned?.name === owned.name : it.group === parameter.group && it.name.replace(/#.*/, "") === parameter.name.replace(/#.*/, ""));
  return Math.max(0, ...all.filter((it) => it !== parameter && it.direct && family(it)).map((it) => Math.abs(it.number.value)));
}
