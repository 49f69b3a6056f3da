// What a name in a law is worth at the moment, for the selected body or else the first that moves. The laws of a collision hold for
// no time at all: their names are worth what they were when the body last collided by them.
import { effect, untracked } from "@preact/signals";
import { short, shown } from "../../../lab/format.ts";
import type { Lab } from "../../../lab/lab.ts";
import { t } from "../../../strings/index.ts";
import type { EventInfo, TableRow } from "../../../wire/types.ts";

export interface Found {
  value: string;
  /** The same, with all digits. */
  exact: string;
  /** Whose it is: an object's name, `world`, `measure`. */
  owner: string;
  /** When it was so, if that is not now. */
  time: number | null;
}

/** What is shown of it. */
export function sentence(name: string, { value, owner, time }: Found): string {
  return time === null ? t("editor.value_is", { name, value, owner }) : t("editor.value_was", { name, value, owner, time: short(time) });
}

/** The body whose laws are looked at. */
export function subject(lab: Lab): string | null {
  const bodies = lab.run.value?.scene.bodies ?? [];
  const selected = bodies.find((body) => body.name === lab.selection.value);
  return (selected ?? bodies.find((body) => !body.is_static) ?? bodies[0])?.name ?? null;
}

/**
 * Tells the value of a name now and whenever the moment changes, `null` where it has none; gives back how to stop. There is
 * one question at a time, and what comes too late is dropped.
 */
export function followValue(lab: Lab, name: string, block: string | null, tell: (found: Found | null) => void): () => void {
  return follow(lab, () => find(lab, name, block), tell);
}

/** Asks now and whenever the moment changes; gives back how to stop. */
export function follow<T>(lab: Lab, question: () => Promise<T>, tell: (answer: T) => void): () => void {
  let asking = false;
  let again = false;
  let ended = false;
  const ask = async (): Promise<void> => {
    if (asking) {
      again = true;
      return;
    }
    asking = true;
    const answer = await question();
    asking = false;
    if (ended) return;
    tell(answer);
    if (!again) return;
    again = false;
    void ask();
  };
  const end = effect(() => {
    void [lab.clock.time.value, lab.run.value, lab.selection.value, lab.event.value];
    untracked(() => void ask());
  });
  return () => {
    ended = true;
    end();
  };
}

async function find(lab: Lab, name: string, block: string | null): Promise<Found | null> {
  const now = lab.clock.time.peek();
  if (name === "t") return { value: short(now), exact: String(now), owner: "world", time: null };
  const object = subject(lab);
  const event = lastCollision(lab, object, block);
  try {
    if (event !== null) {
      const { given, rows } = await lab.table(event.index);
      const own = [...given, ...rows].filter((row) => row.owner === object || row.owner === "world");
      return found(best(own, name, block), event.time);
    }
    const own = object === null ? null : best(await lab.values(object), name, block);
    return found(own ?? best(await lab.values(null), name, block), null);
  } catch {
    // The run has gone, or does not reach that far.
    return null;
  }
}

function found(row: TableRow | null, time: number | null): Found | null {
  if (row === null || row.after === null) return null;
  return { value: row.ty.startsWith("matrix") ? row.after.text : shown(row.after), exact: row.after.text, owner: row.owner, time };
}

/** The last collision of a body by the laws of a block; `null` if the block is no collision, or there was none. */
function lastCollision(lab: Lab, object: string | null, block: string | null): EventInfo | null {
  const run = lab.run.peek();
  const kind = run?.scene.contexts.find((context) => context.name === block)?.kind;
  if (run === null || object === null || kind !== "collision") return null;
  const body = run.body(object);
  const now = lab.clock.time.peek();
  const chosen = lab.event.peek();
  return run.events.peek().findLast((it) => it.context === block && it.bodies.includes(body) && it.time <= now && (chosen === null || it.index <= chosen)) ?? null;
}

/** Where several contexts have an attribute of this name, the one of the block is meant. */
function best(rows: readonly TableRow[], name: string, block: string | null): TableRow | null {
  const called = rows.filter((row) => row.name === name && row.after !== null);
  return called.find((row) => row.context !== null && row.context === block) ?? called.find((row) => row.context === null) ?? called[0] ?? null;
}
