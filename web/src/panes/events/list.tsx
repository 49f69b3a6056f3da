// The list of events: only the rows in sight exist, so that a hundred thousand events cost what twenty cost.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { clockTime } from "../../lab/format.ts";
import type { Lab } from "../../lab/lab.ts";
import { t } from "../../strings/index.ts";
import { rem } from "../../ui/rem.ts";
import type { EventInfo } from "../../wire/types.ts";
import { names } from "../timeline/lanes.ts";
import { kindWords } from "./filter.ts";

/** Height of a row, in rem. */
const ROW = 1.75;

export function EventList({ lab, events }: { lab: Lab; events: readonly EventInfo[] }) {
  const box = useRef<HTMLDivElement>(null);
  const seen = useSignal({ top: 0, height: 300 });
  const row = ROW * rem();
  const run = lab.run.value;
  const chosen = events.findIndex((it) => it.index === lab.event.value);

  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = () => (seen.value = { top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure);
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, []);
  // What is chosen elsewhere comes into sight.
  useEffect(() => {
    const element = box.current;
    if (element === null || chosen < 0) return;
    if (chosen * row < element.scrollTop) element.scrollTop = chosen * row;
    if ((chosen + 1) * row > element.scrollTop + element.clientHeight) element.scrollTop = (chosen + 1) * row - element.clientHeight;
  }, [chosen]);

  const keys = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(seen.value.height / row) - 1);
    const step = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -events.length, End: events.length }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = events[Math.min(events.length - 1, Math.max(0, chosen + step))];
    if (next !== undefined) lab.chooseEvent(next.index);
  };
  if (run === null) return null;
  const first = Math.max(0, Math.floor(seen.value.top / row) - 4);
  const last = Math.min(events.length, Math.ceil((seen.value.top + seen.value.height) / row) + 4);
  return (
    <div
      class="event-list"
      ref={box}
      role="listbox"
      tabIndex={0}
      aria-label={t("events.list")}
      aria-activedescendant={chosen < 0 ? undefined : `event-${events[chosen]?.index}`}
      onKeyDown={keys}
    >
      <div style={{ height: `${events.length * ROW}rem`, position: "relative" }}>
        {events.slice(first, last).map((event, k) => (
          <div
            key={event.index}
            id={`event-${event.index}`}
            role="option"
            aria-selected={event.index === lab.event.value}
            aria-setsize={events.length}
            aria-posinset={first + k + 1}
            class={`event ${event.kind.replace(" ", "-")}`}
            style={{ top: `${(first + k) * ROW}rem` }}
            onClick={() => lab.chooseEvent(event.index)}
          >
            <span class="number index">{event.index}</span>
            <span class="number time">{clockTime(event.time, run.scene.frame_rate * 100)}</span>
            <span class="kind">{kindWords(event)}</span>
            <span class="who">{names(run.scene, event)}</span>
            <span class="laws quiet">{event.context ?? ""}</span>
          </div>
        ))}
      </div>
    </div>
  );
}
