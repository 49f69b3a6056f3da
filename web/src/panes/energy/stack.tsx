// The energies over time, on top of each other: what is lost fills up what there was at the start. A click goes to a moment, a drag
// chooses an interval.
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { niceSteps, short } from "../../lab/format.ts";
import type { Lab } from "../../lab/lab.ts";
import { t } from "../../strings/index.ts";
import type { History } from "./history.ts";
import type { Interval } from "./interval.ts";
import { shownParts } from "./words.ts";

const MARGIN = { left: 56, right: 12, top: 8, bottom: 24 };
/** A drag over fewer pixels is a click. */
const LEAST_DRAG = 5;

interface Layer {
  key: string;
  color: string;
  low: Float64Array;
  high: Float64Array;
}

/** Layers from the bottom up. Errors are too small to be seen, and stand in the table. */
function layers(history: History): Layer[] {
  let low = new Float64Array(history.times.length);
  return shownParts(history)
    .filter((it) => it.key !== "error")
    .map(({ key, color, column, base }) => {
      const high = column.map((value, k) => (low[k] as number) + value - base);
      const layer = { key, color, low, high };
      low = high as Float64Array<ArrayBuffer>;
      return layer;
    });
}

export function Stack({ lab, history, interval, choose }: { lab: Lab; history: History; interval: Interval; choose: (from: number, to: number) => void }) {
  const box = useRef<HTMLDivElement>(null);
  const size = useSignal({ width: 400, height: 160 });
  const pulled = useSignal<{ from: number; to: number } | null>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => (size.value = { width: Math.max(160, element.clientWidth), height: Math.max(90, element.clientHeight) }));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const { width, height } = size.value;
  const all = useMemo(() => layers(history), [history]);
  const start = history.times[0] as number;
  const end = Math.max(history.times[history.times.length - 1] as number, start + 1e-9);
  const [low, high] = useMemo(() => {
    const extreme = (of: (it: Layer) => Float64Array, pick: (a: number, b: number) => number, first: number) => all.reduce((found, it) => of(it).reduce((a, b) => (Number.isFinite(b) ? pick(a, b) : a), found), first);
    const [least, most] = [extreme((it) => it.high, Math.min, 0), extreme((it) => it.high, Math.max, 0)];
    return most > least ? [least, most] : [0, 1];
  }, [all]);
  const x = (time: number) => MARGIN.left + ((time - start) / (end - start)) * (width - MARGIN.left - MARGIN.right);
  const y = (value: number) => height - MARGIN.bottom - ((value - low) / (high - low)) * (height - MARGIN.top - MARGIN.bottom);
  const timeAt = (event: PointerEvent) => {
    const left = event.clientX - (box.current?.getBoundingClientRect().left ?? 0);
    return Math.min(end, Math.max(start, start + ((left - MARGIN.left) / (width - MARGIN.left - MARGIN.right)) * (end - start)));
  };
  const paths = useMemo(() => all.map((it) => ({ ...it, path: area(history.times, it, x, y) })), [all, width, height, low, high]);
  const press = (event: PointerEvent) => {
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    const time = timeAt(event);
    pulled.value = { from: time, to: time };
  };
  const release = () => {
    const drag = pulled.value;
    pulled.value = null;
    if (drag === null) return;
    if (Math.abs(x(drag.to) - x(drag.from)) < LEAST_DRAG) lab.clock.show(drag.to);
    else choose(Math.min(drag.from, drag.to), Math.max(drag.from, drag.to));
  };
  const now = lab.readout.time.value;
  const marked = pulled.value ?? interval;
  const [left, right] = [x(Math.min(marked.from, marked.to)), x(Math.max(marked.from, marked.to))];
  return (
    <div class="energy-stack" ref={box}>
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={t("energy.chart")}
        onPointerDown={press}
        onPointerMove={(event) => {
          if (pulled.value !== null) pulled.value = { ...pulled.value, to: timeAt(event) };
        }}
        onPointerUp={release}
      >
        {niceSteps(low, high, height / 40).map((value) => (
          <g key={value}>
            <line x1={MARGIN.left} x2={width - MARGIN.right} y1={y(value)} y2={y(value)} class="grid" />
            <text x={MARGIN.left - 6} y={y(value) + 4} text-anchor="end">
              {short(value)}
            </text>
          </g>
        ))}
        {paths.map(({ key, color, path }) => (
          <path key={key} data-part={key} d={path} fill={color} stroke={color} fill-opacity={key === "lost" ? 0.45 : 0.8} />
        ))}
        {niceSteps(start, end, width / 90).map((time) => (
          <text key={time} x={x(time)} y={height - 7} text-anchor="middle">
            {short(time)}
          </text>
        ))}
        {right - left > 0.5 && <rect class="interval" x={left} width={right - left} y={MARGIN.top} height={height - MARGIN.top - MARGIN.bottom} />}
        <line class="moment" x1={x(now)} x2={x(now)} y1={MARGIN.top} y2={height - MARGIN.bottom} />
      </svg>
    </div>
  );
}

/** The surface between two curves: there along the upper one, back along the lower one. */
function area(times: Float64Array, { low, high }: Layer, x: (time: number) => number, y: (value: number) => number): string {
  const known = [...times.keys()].filter((k) => Number.isFinite(low[k]) && Number.isFinite(high[k]));
  const point = (k: number, of: Float64Array) => `${x(times[k] as number).toFixed(1)} ${y(of[k] as number).toFixed(1)}`;
  if (known.length === 0) return "";
  return `M${known.map((k) => point(k, high)).join("L")}L${known.reverse().map((k) => point(k, low)).join("L")}Z`;
}
