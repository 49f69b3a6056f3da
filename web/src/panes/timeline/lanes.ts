// What every object did, as bands and ticks: from the list of events to what is drawn.
import { inNaturalOrder } from "../../ui/name_choice.tsx";
import type { EventInfo, Scene } from "../../wire/types.ts";

export type State = "free" | "contact";

/** A stretch of time that an object spends in one state. */
export interface Band {
  from: number;
  state: State;
  /** The context whose laws hold; `null` if none is known. */
  context: string | null;
}

/** The way of one object. */
export interface Lane {
  body: number;
  name: string;
  /** Each lasts until the next; the first begins with the run. */
  bands: Band[];
  /** Indices of all events it took part in, in order of time. */
  events: number[];
}

/** A lane for each object that is not static. */
export function lanes(scene: Scene, events: readonly EventInfo[]): Lane[] {
  // Before its first event a body flies; if there is one way to fly, this is it.
  const free = scene.contexts.filter((context) => context.kind === "free fall");
  const first: Band = { from: scene.initial_time, state: "free", context: free.length === 1 ? (free[0]?.name ?? null) : null };
  const all = scene.bodies.map((body, index): Lane => ({ body: index, name: body.name, bands: [first], events: [] }));
  for (const event of events) {
    for (const body of event.bodies) {
      const lane = all[body];
      if (lane === undefined) continue;
      lane.events.push(event.index);
      const state = event.kind === "contact" ? "contact" : event.kind === "free fall" ? "free" : null;
      const last = lane.bands.at(-1);
      if (state !== null && (last?.state !== state || last.context !== event.context)) lane.bands.push({ from: event.time, state, context: event.context });
    }
  }
  return inNaturalOrder(all.filter((lane) => scene.bodies[lane.body]?.is_static === false));
}

/** The event of a lane nearest to a time, no farther than `reach`. */
export function nearest(lane: Lane, events: readonly EventInfo[], time: number, reach: number): EventInfo | null {
  let best: EventInfo | null = null;
  for (const index of lane.events) {
    const event = events[index];
    if (event === undefined) continue;
    const distance = Math.abs(event.time - time);
    // Of several at one time a collision is what people look for.
    const closer = best === null || distance < Math.abs(best.time - time) || (distance === Math.abs(best.time - time) && event.kind === "collision" && best.kind !== "collision");
    if (distance <= reach && closer) best = event;
  }
  return best;
}

/** An event in words. */
export function names(scene: Scene, event: EventInfo): string {
  return event.bodies.map((body) => scene.bodies[body]?.name ?? "").join(", ");
}
