// The law that acted at an event, with its numbers put in: names become what they were worth for one object, helpers are worked out by
// the engine from their own numbers. A name whose value is not known stays a name.
import type { Lab } from "../../lab/lab.ts";
import type { Formula } from "../../wire/types.ts";
import { seriesOf } from "../plots/series.ts";
import type { EventTable } from "./event_table.ts";

/** A law, and what its names are worth. */
export interface NumberedLaw {
  readonly formula: Formula;
  /** Values as the language writes them: before the event where the law says `previous`. */
  readonly before: ReadonlyMap<string, string>;
  readonly values: ReadonlyMap<string, string>;
  /** What comes out; `null` where that is not known. */
  readonly result: readonly number[] | null;
}

/** Rounds of helpers that need each other. */
const MAX_ROUNDS = 6;
const PREVIOUS = /\bprevious\s*\(\s*(\w+)\s*\)/g;

/** The laws of the context of an event, for one of its objects. */
export async function numberedLaws(lab: Lab, table: EventTable, object: string): Promise<NumberedLaw[]> {
  const { event, given, rows } = table;
  const formulas = (lab.checked.peek()?.formulas ?? []).filter((it) => it.block === event.context && (it.block_kind === "context" || it.block_kind === "event"));
  const own = rows.filter((it) => (it.owner === object || it.owner === "world") && (it.context === null || it.context === event.context));
  const before = new Map(own.flatMap((it) => (it.before === null ? [] : [[it.name, it.before.text] as const])));
  const values = new Map<string, string>([["t", String(event.time)]]);
  // A collision reads what was; what lasts reads what is.
  const reads = event.kind === "collision" || event.kind === "phenomenon" ? "before" : "after";
  for (const row of own) {
    const value = row[reads] ?? row.after;
    if (value !== null) values.set(row.name, value.text);
  }
  for (const row of given) if ((row.owner === object || row.owner === "world") && row.after !== null) values.set(row.name, row.after.text);
  const attributes = new Set(own.filter((it) => it.context === null).map((it) => it.name));
  const laws = formulas.flatMap((formula) => {
    const written = /^\s*(\w+)\s*('?)\s*=([^]*)$/.exec(lab.text.peek().slice(formula.start, formula.end));
    return written === null ? [] : [{ formula, name: written[1] as string, isRate: written[2] === "'", right: written[3] as string }];
  });
  const helpers = new Map(laws.filter((it) => !it.isRate && !attributes.has(it.name)).map((it) => [it.name, it]));
  const results = new Map<Formula, readonly number[]>();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const ready = laws.filter((it) => !results.has(it.formula) && !namesIn(it.right).some((name) => helpers.has(name) && !values.has(name)));
    if (ready.length === 0) break;
    const found = await worth(lab, event.time, ready.map((it) => withNumbers(it.right, before, values)));
    ready.forEach(({ formula, name }, k) => {
      const numbers = found[k] as readonly number[] | null;
      results.set(formula, numbers ?? []);
      if (helpers.has(name) && numbers !== null && !values.has(name)) values.set(name, numbers.length === 1 ? String(numbers[0]) : `[${numbers.join(", ")}]`);
    });
  }
  return laws.map(({ formula }) => ({ formula, before, values, result: results.get(formula)?.length ? (results.get(formula) as readonly number[]) : null }));
}

function namesIn(text: string): string[] {
  return text.match(/\b[A-Za-z_]\w*\b/g) ?? [];
}

function withNumbers(text: string, before: ReadonlyMap<string, string>, values: ReadonlyMap<string, string>): string {
  const previous = text.replace(PREVIOUS, (whole, name: string) => (before.has(name) ? `(${before.get(name)})` : whole));
  // A name before a bracket is a function, one after a point belongs to another object.
  return previous.replace(/(?<![\w.])[A-Za-z_]\w*\b(?!\.[A-Za-z_])(?!\s*\()/g, (name) => (values.has(name) ? `(${values.get(name)})` : name));
}

/** What expressions without names are worth; `null` for one that has others, or more than a vector. */
async function worth(lab: Lab, time: number, expressions: readonly string[]): Promise<(readonly number[] | null)[]> {
  try {
    const series = seriesOf(await lab.columns([...expressions], { from: time, to: time, most: 2, events: false }));
    return expressions.map((_, k) => {
      const own = series.filter((it) => it.formula === k);
      const numbers = own.map((it) => it.values[0] ?? Number.NaN);
      return numbers.length > 0 && numbers.length <= 4 && own.every((it) => it.problem === null) ? numbers : null;
    });
  } catch {
    return expressions.map(() => null);
  }
}
