// The uniform field that a law names: a term of its own, `g` or `[0, 0, -g]`, beside others such as drag. Only what points down counts,
// so that a wind is no weight.
import type { Lab } from "../../lab/lab.ts";
import type { Run } from "../../lab/run.ts";
import type { Series } from "../plots/series.ts";
import type { Lane } from "../timeline/lanes.ts";
import type { Vector } from "./field.ts";

/** Terms of a sum, with their signs; `null` where brackets do not match. */
export function termsOf(text: string): { sign: 1 | -1; term: string }[] | null {
  const found: { sign: 1 | -1; term: string }[] = [];
  let [depth, sign, term] = [0, 1 as 1 | -1, ""];
  // A sign after an operator belongs to a number.
  const ends = () => term.trim() !== "" && !/[*/^(,.=<>&|]\s*$/.test(term);
  for (const c of text) {
    if ("([{".includes(c)) depth++;
    if (")]}".includes(c)) depth--;
    if (depth < 0) return null;
    if (depth === 0 && (c === "+" || c === "-") && (ends() || term.trim() === "")) {
      if (ends()) found.push({ sign, term: term.trim() });
      [sign, term] = [c === "-" ? -1 : 1, ""];
    } else term += c;
  }
  if (depth !== 0) return null;
  if (term.trim() !== "") found.push({ sign, term: term.trim() });
  return found;
}

/** The field that all laws of a body's flights name; `null` where they name none. */
export async function lawField(lab: Lab, run: Run, lane: Lane | undefined, read: (formulas: string[]) => Promise<Series[]>): Promise<Vector | null> {
  const checked = lab.checked.peek();
  if (lane === undefined || checked?.revision !== run.revision) return null;
  const text = lab.text.peek();
  const flown = new Set(lane.bands.filter((it) => it.state === "free").map((it) => it.context));
  // Which of several laws a body begins with is not recorded: then all of them must agree.
  const laws = run.scene.contexts.filter((it) => it.kind === "free fall" && (flown.has(null) || flown.has(it.name))).map((it) => it.name);
  const fields: Vector[] = [];
  for (const law of laws) {
    const written = checked.formulas.filter((it) => it.block_kind === "context" && it.block === law).map((it) => text.slice(it.start, it.end));
    const rate = written.map((it) => /^\s*v\s*'\s*=([^]*)$/.exec(it)?.[1]).find((it) => it !== undefined);
    const terms = termsOf(rate ?? "") ?? [];
    const series = terms.length === 0 ? [] : await read(terms.map((it) => it.term));
    const values = terms.map(({ sign }, k) => constantOf(series.filter((it) => it.formula === k), sign));
    const down = values.filter((it): it is Vector => it !== null && isDown(it, run.scene.up));
    if (down.length !== 1) return null;
    fields.push(down[0] as Vector);
  }
  const [first] = fields;
  return first !== undefined && fields.every((it) => it.every((value, i) => value === first[i])) ? first : null;
}

/** What a term is worth that names nothing but constants of the world: a vector. */
function constantOf(series: readonly Series[], sign: number): Vector | null {
  if (series.length !== 3 || series.some((it) => it.values.length === 0 || it.values.some((value) => value !== it.values[0]))) return null;
  return series.map((it) => sign * (it.values[0] as number)) as unknown as Vector;
}

function isDown(field: Vector, up: Vector): boolean {
  const along = field[0] * up[0] + field[1] * up[1] + field[2] * up[2];
  return along < 0 && Math.abs(Math.abs(along) - Math.hypot(...field)) <= 1e-9 * Math.hypot(...field);
}
