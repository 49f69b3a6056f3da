// What a lane shows, in words: the laws that held in turn, and how often others acted. A lane without laws of its own moves, no more.
import { short } from "../../lab/format.ts";
import { t } from "../../strings/index.ts";
import type { EventInfo } from "../../wire/types.ts";
import type { Lane } from "./lanes.ts";

const MAX_NAMES = 4;

export function laneWords(lane: Lane, events: readonly EventInfo[], ended: boolean): string {
  const names = new Map<string, number>();
  for (const band of lane.bands) if (band.context !== null && !names.has(band.context)) names.set(band.context, 0);
  for (const index of lane.events) {
    const event = events[index];
    if (event?.context != null && (event.kind === "collision" || event.kind === "phenomenon")) names.set(event.context, (names.get(event.context) ?? 0) + 1);
  }
  if (names.size === 0) return t("timeline.moving");
  const last = lane.bands.at(-1);
  // What holds to the end of the run, and has not held from the start, has a beginning.
  const final = ended && lane.bands.length > 1 && last?.state === "contact" ? last.context : null;
  const words = [...names]
    .filter(([name]) => name !== final)
    .slice(0, MAX_NAMES)
    .map(([name, count]) => (count > 1 ? t("timeline.times", { name, count }) : name));
  if (final !== null && last !== undefined) words.push(t("timeline.since", { name: final, time: short(Number(last.from.toFixed(2))) }));
  return words.join(" · ");
}
