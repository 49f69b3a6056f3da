// The timeline: one lane for each object, with bands for free fall and contact and ticks for collisions. A click on a tick chooses the
// event; anywhere else it goes to that moment.
import { effect, useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { clockTime } from "../../lab/format.ts";
import type { Lab } from "../../lab/lab.ts";
import { isCompact } from "../../lab/layout.ts";
import { t } from "../../strings/index.ts";
import { rem } from "../../ui/rem.ts";
import { theme } from "../../ui/theme.ts";
import type { EventInfo } from "../../wire/types.ts";
import { kindWords } from "../events/filter.ts";
import { AXIS, draw, laneHeight, NAMES, place, type Scale, timeAt } from "./draw.ts";
import { laneWords } from "./lane_words.ts";
import { type Lane, lanes, names, nearest } from "./lanes.ts";
import "./timeline.css";

/** How many pixels beside a tick still mean it. */
const CLICK_REACH_PX = 5;
/** Up to so many lanes there is room for a line of words below them. */
const MAX_WORDED = 3;

export function Timeline({ lab }: { lab: Lab }) {
  const { clock } = lab;
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const cursor = useRef<HTMLDivElement>(null);
  const slider = useRef<HTMLDivElement>(null);
  const size = useSignal({ width: 600, height: 80, top: 0, rem: rem() });
  const tip = useSignal<{ x: number; y: number; text: string } | null>(null);
  /** The selected object that has a lane. */
  const selectedName = useComputed(() => {
    const name = lab.selection.value;
    return lab.run.value?.scene.bodies.some((it) => it.name === name && !it.is_static) === true ? name : null;
  });
  const shownLanes = useComputed(() => {
    const run = lab.run.value;
    if (run === null) return [];
    const all = lanes(run.scene, run.events.value);
    // Where there is little room, the selected object has the only lane.
    return isCompact.value ? all.filter((it, k) => (selectedName.value === null ? k === 0 : it.name === selectedName.value)) : all;
  });
  const scale = useComputed<Scale>(() => {
    const scene = lab.run.value?.scene;
    return { from: scene?.initial_time ?? 0, to: scene?.end ?? 1, width: size.value.width, rem: size.value.rem };
  });

  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = () => (size.value = { width: element.clientWidth, height: element.clientHeight, top: element.scrollTop, rem: rem() });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure);
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, []);

  // The picture changes when something happens, not when time passes; time moves the cursor only.
  useEffect(
    () =>
      effect(() => {
        void theme.value;
        const { height, top } = size.value;
        const run = lab.run.value;
        if (canvas.current === null) return;
        draw(canvas.current, {
          lanes: shownLanes.value,
          events: run?.events.value ?? [],
          scale: scale.value,
          top,
          height,
          reached: run?.reached.value ?? 0,
          selected: lab.selection.value === null ? null : (run?.body(lab.selection.value) ?? null),
          event: lab.event.value,
        });
      }),
    [lab],
  );
  useEffect(
    () =>
      effect(() => {
        const time = clock.time.value;
        if (cursor.current !== null) cursor.current.style.transform = `translateX(${place(scale.value, time)}px)`;
        const rate = lab.run.value?.scene.frame_rate ?? 60;
        slider.current?.setAttribute("aria-valuenow", String(time));
        const words = { time: clockTime(time, rate), end: clockTime(clock.end.value, rate) };
        slider.current?.setAttribute("aria-valuetext", t("timeline.scrub_value", words));
      }),
    [lab],
  );

  const at = (event: PointerEvent) => {
    const bounds = box.current?.getBoundingClientRect();
    const [x, y] = [event.clientX - (bounds?.left ?? 0), event.clientY - (bounds?.top ?? 0)];
    const below = y / size.value.rem - AXIS;
    const lane: Lane | undefined = below < 0 ? undefined : shownLanes.value[Math.floor((below + size.value.top / size.value.rem) / laneHeight(shownLanes.value.length))];
    return { x, y, lane, time: timeAt(scale.value, x) };
  };
  const found = ({ lane, time }: { lane: Lane | undefined; time: number }): EventInfo | null => {
    const run = lab.run.value;
    if (lane === undefined || run === null) return null;
    const reach = timeAt(scale.value, CLICK_REACH_PX) - timeAt(scale.value, 0);
    return nearest(lane, run.events.value, time, reach);
  };
  const press = (event: PointerEvent) => {
    if (event.button !== 0) return;
    const here = at(event);
    const target = event.currentTarget as HTMLElement;
    if (here.lane !== undefined) lab.selection.value = here.lane.name;
    if (here.x < NAMES * size.value.rem) return;
    const hit = found(here);
    if (hit !== null) {
      lab.chooseEvent(hit.index);
      return;
    }
    const scrub = (moved: PointerEvent) => {
      lab.event.value = null;
      clock.show(at(moved).time);
    };
    const end = () => {
      target.removeEventListener("pointermove", scrub);
      target.removeEventListener("pointerup", end);
    };
    target.setPointerCapture(event.pointerId);
    target.addEventListener("pointermove", scrub);
    target.addEventListener("pointerup", end);
    scrub(event);
  };
  const hover = (event: PointerEvent) => {
    const here = at(event);
    const hit = here.x < NAMES * size.value.rem ? null : found(here);
    tip.value = hit === null ? null : { x: here.x, y: here.y, text: lab.run.value === null ? "" : words(lab, hit) };
  };
  const keys = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key] as -1 | 1 | undefined;
    if (step !== undefined) {
      if (event.shiftKey) lab.stepEvent(step);
      else lab.stepFrame(step);
    } else if (event.key === "Home") clock.show(clock.start.value);
    else if (event.key === "End") clock.show(clock.end.value);
    else return;
    event.preventDefault();
  };
  const height = AXIS + Math.max(1, shownLanes.value.length) * laneHeight(shownLanes.value.length);
  const worded = shownLanes.value.length === 1 ? shownLanes.value[0] : shownLanes.value.find((it) => it.name === lab.selection.value);
  return (
    <div class="timeline">
      <div class="lanes" ref={box} style={{ height: `${height}rem` }} onPointerDown={press} onPointerMove={hover} onPointerLeave={() => (tip.value = null)}>
        <canvas ref={canvas} aria-hidden="true" style={{ width: `${size.value.width}px`, height: `${size.value.height}px` }} />
        <div style={{ height: `${height}rem` }} />
      </div>
      {worded !== undefined && shownLanes.value.length <= MAX_WORDED && <p class="lane-words quiet">{laneWords(worded, lab.run.value?.events.value ?? [], lab.run.value?.ended.value != null)}</p>}
      <div class="cursor" ref={cursor} aria-hidden="true" />
      <div
        class="scrub"
        ref={slider}
        role="slider"
        tabIndex={0}
        aria-label={t("timeline.scrub")}
        aria-valuemin={clock.start.value}
        aria-valuemax={clock.end.value}
        onKeyDown={keys}
      />
      {tip.value !== null && (
        <div class="tip" style={{ left: `${Math.min(tip.value.x + 12, size.value.width - 16.25 * size.value.rem)}px`, top: `${tip.value.y - 30}px` }}>
          {tip.value.text}
        </div>
      )}
    </div>
  );
}

/** An event in a sentence. */
export function words(lab: Lab, event: EventInfo): string {
  const run = lab.run.value;
  if (run === null) return "";
  const values = { time: clockTime(event.time, run.scene.frame_rate * 1000), kind: kindWords(event), objects: names(run.scene, event), context: event.context ?? "" };
  return t(event.context === null ? "timeline.event_at" : "timeline.in_context", values);
}
