// Which contexts are in force for a body at a moment: the one it flies or lies by, and that of the event that is chosen.
import type { Lab } from "../../../lab/lab.ts";
import type { Run } from "../../../lab/run.ts";

/** The names of the contexts in force for a body now. */
export function activeContexts(lab: Lab, body: string | null): readonly string[] {
  const run = lab.run.value;
  if (run === null || body === null) return [];
  const time = lab.clock.time.value;
  const chosen = lab.event.value === null ? undefined : run.events.value[lab.event.value];
  const now = chosen?.time === time ? (chosen.context ?? null) : null;
  const lasting = lastingContext(run, run.body(body), time);
  return [now, lasting].filter((name): name is string => name !== null);
}

/** The context that a body has been in since its last event of free fall or contact. */
function lastingContext(run: Run, body: number, time: number): string | null {
  const events = run.events.value;
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((events[middle]?.time ?? Infinity) <= time) low = middle + 1;
    else high = middle;
  }
  for (let k = low - 1; k >= 0; k--) {
    const event = events[k];
    if (event !== undefined && event.bodies.includes(body) && (event.kind === "free fall" || event.kind === "contact")) return event.context;
  }
  // Before its first event a body flies; if there is one way to fly, this is it.
  const free = run.scene.contexts.filter((context) => context.kind === "free fall");
  return free.length === 1 ? (free[0]?.name ?? null) : null;
}
