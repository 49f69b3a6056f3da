// The stretch of time whose work is told: from the start, the last frame, since the event before, an event itself, or one chosen by hand.
import { signal } from "@preact/signals";
import type { Lab } from "../../lab/lab.ts";
import { type History, valueIn } from "./history.ts";

export type IntervalKind = "start" | "frame" | "event" | "part";

export interface Interval {
  readonly from: number;
  readonly to: number;
  /** Whether it begins after the jump at its start. */
  readonly fromAfter: boolean;
}

export const intervalKind = signal<IntervalKind>("frame");
/** The part that was chosen by hand. */
export const part = signal<{ from: number; to: number } | null>(null);

/** The interval at the moment that is shown. */
export function intervalOf(lab: Lab, kind: IntervalKind): Interval {
  const run = lab.run.value;
  const now = lab.readout.time.value;
  if (run === null) return { from: now, to: now, fromAfter: true };
  const { initial_time, frame_rate } = run.scene;
  const chosen = lab.event.value === null ? undefined : lab.eventAt(lab.event.value);
  switch (kind) {
    case "start":
      return { from: initial_time, to: now, fromAfter: false };
    case "part":
      return part.value === null ? { from: initial_time, to: now, fromAfter: false } : { ...part.value, fromAfter: true };
    case "frame":
      // At a chosen event the step is the event.
      if (chosen?.time === now) return { from: now, to: now, fromAfter: false };
      return { from: Math.max(initial_time, now - 1 / frame_rate), to: now, fromAfter: true };
    case "event": {
      const before = run.events.value.findLast((it) => it.time < now)?.time ?? initial_time;
      return { from: before, to: now, fromAfter: true };
    }
  }
}

/** What a column changed by. */
export function changeIn(history: History, column: Float64Array, { from, to, fromAfter }: Interval): number {
  return valueIn(history, column, to) - valueIn(history, column, from, fromAfter);
}
