// Which events are listed: by kind, time and objects. The list of the page is filtered here, a longer one by the engine.
import { signal } from "@preact/signals";
import { t } from "../../strings/index.ts";
import type { Filter, EventInfo, Scene } from "../../wire/types.ts";

export const KINDS = ["free fall", "collision", "contact", "phenomenon"] as const;
export type Kind = (typeof KINDS)[number];

export const ALL: Filter = { kinds: [], from: null, to: null, objects: [] };

/** The filter of the list. It stays while another tab is in front. */
export const filter = signal<Filter>(ALL);

/** What an event is called. Where no context says how a body falls, it moves freely, no more. */
export function kindWords({ kind, context }: { kind: string; context: string | null }): string {
  return kind === "free fall" && context === null ? t("events.kind_free") : t(`events.kind_${kind as Kind}`);
}

/** What a kind of events is called in a scene. */
export function kindName(kind: Kind, scene: Scene): string {
  return kindWords({ kind, context: scene.contexts.find((it) => it.kind === kind)?.name ?? null });
}

export function isAll(filter: Filter): boolean {
  return filter.kinds.length === 0 && filter.from === null && filter.to === null && filter.objects.length === 0;
}

export function passes(filter: Filter, scene: Scene, event: EventInfo): boolean {
  return (
    (filter.kinds.length === 0 || filter.kinds.includes(event.kind)) &&
    (filter.from === null || event.time >= filter.from) &&
    (filter.to === null || event.time <= filter.to) &&
    filter.objects.every((name) => event.bodies.some((body) => scene.bodies[body]?.name === name))
  );
}
