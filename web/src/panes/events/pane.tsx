// The events: the list with its filter, and everything before and after the chosen one.
import { effect, useComputed, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { clockTime } from "../../lab/format.ts";
import type { Lab } from "../../lab/lab.ts";
import { t } from "../../strings/index.ts";
import { NameChoice } from "../../ui/name_choice.tsx";
import type { Filter, EventInfo, Reply } from "../../wire/types.ts";
import { names } from "../timeline/lanes.ts";
import { ALL, filter, isAll, KINDS, type Kind, kindName, kindWords, passes } from "./filter.ts";
import { EventList } from "./list.tsx";
import "./pane.css";
import { EventTables } from "./tables.tsx";

/** How many events of a filter are asked for at once. */
const MAX_EVENTS = 5000;

export function EventsPane({ lab }: { lab: Lab }) {
  /** What the engine found, where the page does not know all events. */
  const found = useSignal<{ total: number; events: readonly EventInfo[] } | null>(null);
  const known = useComputed(() => {
    const run = lab.run.value;
    if (run === null) return [];
    const all = run.events.value;
    return isAll(filter.value) ? all : all.filter((event) => passes(filter.value, run.scene, event));
  });
  const isLonger = useComputed(() => (lab.run.value?.eventCount.value ?? 0) > (lab.run.value?.events.value.length ?? 0));

  useEffect(
    () =>
      effect(() => {
        const run = lab.run.value;
        const wanted = filter.value;
        if (run === null || run.ended.value === null || !isLonger.value || isAll(wanted)) {
          found.value = null;
          return;
        }
        lab.client
          .request({ type: "events", run: run.id, filter: wanted, skip: 0, most: MAX_EVENTS })
          .then((answer) => {
            const list = answer as Extract<Reply, { type: "list" }>;
            if (filter.value === wanted) found.value = { total: list.total, events: list.events };
          })
          .catch((why: Error) => lab.notify(why.message));
      }),
    [lab],
  );
  // A chosen event is told to who does not see it.
  useEffect(
    () =>
      effect(() => {
        const event = lab.event.value === null ? undefined : lab.eventAt(lab.event.value);
        const run = lab.run.peek();
        if (event === undefined || run === null) return;
        const values = { kind: kindWords(event), time: clockTime(event.time, 100), objects: names(run.scene, event) };
        lab.announce(t("events.said", values));
      }),
    [lab],
  );

  const run = lab.run.value;
  const events = found.value?.events ?? known.value;
  const total = run?.eventCount.value ?? 0;
  return (
    <div class={lab.event.value === null ? "events-pane" : "events-pane chosen"}>
      <div class="events-left">
        <FilterBar lab={lab} filter={filter.value} choose={(it) => (filter.value = it)} />
        <p class="quiet count">
          {isAll(filter.value) ? t("events.count", { count: total }) : t("events.of", { count: found.value?.total ?? events.length, total })}
          {isLonger.value && isAll(filter.value) && ` · ${t("events.first", { known: known.value.length, total })}`}
        </p>
        {events.length > 0 ? <EventList lab={lab} events={events} /> : <p class="empty">{t(total > 0 ? "events.none_pass" : "events.none")}</p>}
      </div>
      {lab.event.value !== null && (
        <div class="events-right" tabIndex={0} role="region" aria-label={`${t("events.before")} / ${t("events.after")}`}>
          <EventTables lab={lab} />
        </div>
      )}
    </div>
  );
}

function FilterBar({ lab, filter, choose }: { lab: Lab; filter: Filter; choose: (filter: Filter) => void }) {
  const bodies = lab.run.value?.scene.bodies ?? [];
  const run = lab.run.value;
  const kinds = new Set([...(run?.scene.contexts ?? []), ...(run?.events.value ?? [])].map((it) => it.kind));
  const toggle = (kind: Kind) => {
    const kinds = filter.kinds.includes(kind) ? filter.kinds.filter((it) => it !== kind) : [...filter.kinds, kind];
    choose({ ...filter, kinds });
  };
  const time = (text: string) => (text.trim() === "" || !Number.isFinite(Number(text)) ? null : Number(text));
  return (
    <div class="event-filter" role="group" aria-label={t("events.filter")}>
      {KINDS.filter((kind) => kinds.has(kind)).map((kind) => (
        <button key={kind} type="button" class={`kind ${kind.replace(" ", "-")}`} aria-pressed={filter.kinds.includes(kind)} onClick={() => toggle(kind)}>
          {run !== null && kindName(kind, run.scene)}
        </button>
      ))}
      <label>
        {t("events.from")} <input class="number" inputMode="decimal" size={5} value={filter.from ?? ""} onChange={(it) => choose({ ...filter, from: time(it.currentTarget.value) })} />
      </label>
      <label>
        {t("events.to")} <input class="number" inputMode="decimal" size={5} value={filter.to ?? ""} onChange={(it) => choose({ ...filter, to: time(it.currentTarget.value) })} />
      </label>
      {[...filter.objects, ""].map((name, k) => (
        <label key={k}>
          {t(k === 0 ? "events.objects" : "events.and")}{" "}
          <NameChoice
            label={t(k === 0 ? "events.objects" : "events.and")}
            names={bodies.map((body) => body.name).filter((it) => it === name || !filter.objects.includes(it))}
            other={{ value: "", label: t("events.any_object") }}
            value={name}
            choose={(chosen) => choose({ ...filter, objects: [...filter.objects.slice(0, k), ...(chosen === "" ? [] : [chosen]), ...filter.objects.slice(k + 1)] })}
          />
        </label>
      ))}
      {!isAll(filter) && (
        <button type="button" onClick={() => choose(ALL)}>
          {t("events.clear")}
        </button>
      )}
    </div>
  );
}
