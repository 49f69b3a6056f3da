// A chart: curves on two axes, the shared moment, a mark. uPlot draws; curves may go back and forth along x, as in a phase plot.
import { effect, type Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { resolveColor } from "../../lab/colors.ts";
import { short } from "../../lab/format.ts";
import { rem } from "../../ui/rem.ts";
import { theme } from "../../ui/theme.ts";
import { type Curve, placeAt, valueAt } from "./series.ts";

/** A curve and how it looks. */
export interface Line extends Curve {
  color: string;
  dash: readonly number[];
  /** Of the run before: grey, and not read out. */
  ghost: boolean;
}

export interface Range {
  from: number;
  to: number;
}

interface Props {
  label: string;
  lines: readonly Line[];
  /** Whether x is the time. */
  overTime: boolean;
  xName: string;
  time: Signal<number>;
  mark: Signal<number | null>;
  /** The part of x that is shown; all, if null. */
  zoom: Signal<Range | null>;
  seek: (time: number) => void;
}

/** The least and greatest finite value, with some room around them. */
export function rangeOf(lists: readonly Float64Array[], room = 0.06): Range {
  let [low, high] = [Infinity, -Infinity];
  for (const list of lists) {
    for (const value of list) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  if (low > high) return { from: 0, to: 1 };
  // What hardly changes is shown as a flat line, not as its rounding.
  const least = 1e-9 * Math.max(Math.abs(low), Math.abs(high), 1e-300);
  const pad = high - low > least ? room * (high - low) : Math.max(Math.abs(high) * 0.1, 1e-12);
  return { from: low - pad, to: high + pad };
}

/** Draws a curve through its points in their order; where there is no value, it is interrupted. */
const path: uPlot.Series.PathBuilder = (chart, index) => {
  const line = new Path2D();
  const [xs, ys] = chart.data[index] as unknown as [Float64Array, Float64Array];
  let drawing = false;
  for (let k = 0; k < xs.length; k++) {
    const [x, y] = [xs[k] as number, ys[k] as number];
    if (!Number.isFinite(x) || !Number.isFinite(y)) {
      drawing = false;
      continue;
    }
    const [left, top] = [chart.valToPos(x, "x", true), chart.valToPos(y, "y", true)];
    if (drawing) line.lineTo(left, top);
    else line.moveTo(left, top);
    drawing = true;
  }
  return { stroke: line, fill: null, clip: null, band: null, gaps: null, flags: 1 } as unknown as uPlot.Series.Paths;
};

function options(props: Props, size: { width: number; height: number }, overlay: (chart: uPlot) => void): uPlot.Options {
  const ink = resolveColor("var(--ink-soft)");
  const grid = { stroke: resolveColor("var(--line)"), width: 1 };
  const font = `${0.84375 * rem()}px system-ui`;
  const axis = { stroke: ink, grid, ticks: grid, font, values: (_: uPlot, values: number[]) => values.map(short) };
  const { lines, zoom, overTime } = props;
  const xRange = (): uPlot.Range.MinMax => {
    const range = zoom.peek() ?? rangeOf(lines.filter((it) => !it.ghost || overTime).map((it) => it.xs), overTime ? 0 : 0.06);
    return [range.from, range.to];
  };
  const yRange = (): uPlot.Range.MinMax => {
    const range = rangeOf(lines.map((it) => (zoom.peek() === null || !overTime ? it.values : within(it, zoom.peek() as Range))));
    return [range.from, range.to];
  };
  return {
    ...size,
    mode: 2,
    legend: { show: false },
    cursor: { points: { show: false }, drag: { x: true, y: false, setScale: false }, dataIdx: () => null as unknown as number },
    scales: { x: { time: false, range: xRange }, y: { range: yRange } },
    axes: [
      { ...axis, scale: "x", label: props.xName, labelSize: 1.25 * rem(), labelFont: font, size: 2.25 * rem() },
      { ...axis, scale: "y", size: 4.25 * rem() },
    ],
    series: [
      null,
      ...lines.map((it) => ({
        label: it.label,
        stroke: resolveColor(it.color),
        width: it.ghost ? 1 : 1.75,
        dash: [...it.dash],
        paths: path,
        points: { show: false },
        facets: [
          { scale: "x", auto: true },
          { scale: "y", auto: true },
        ],
      })),
    ] as unknown as uPlot.Series[],
    hooks: {
      draw: [overlay],
      setSelect: [
        (chart) => {
          if (chart.select.width < 6) return;
          zoom.value = { from: chart.posToVal(chart.select.left, "x"), to: chart.posToVal(chart.select.left + chart.select.width, "x") };
          chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        },
      ],
    },
  };
}

function within(line: Line, range: Range): Float64Array {
  return line.values.subarray(Math.max(0, placeAt(line.times, range.from)), placeAt(line.times, range.to) + 2);
}

export function Chart(props: Props) {
  const box = useRef<HTMLDivElement>(null);
  const current = useRef(props);
  current.current = props;
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const { time, mark, zoom } = props;
    let chart: uPlot | null = null;
    const overlay = (it: uPlot) => drawMoment(it, current.current);
    const make = () => {
      chart?.destroy();
      chart = null;
      if (props.lines.length === 0) return;
      const size = { width: Math.max(120, element.clientWidth), height: Math.max(100, element.clientHeight) };
      const data = [null, ...props.lines.map((it) => [it.xs, it.values])] as unknown as uPlot.AlignedData;
      chart = new uPlot(options(props, size, overlay), data, element);
      chart.over.addEventListener("click", (event) => {
        // The end of a drag is a click too.
        if (chart !== null && props.overTime && Math.abs(event.movementX) < 2 && zoom.peek() === zoomAtPress) props.seek(chart.posToVal(event.offsetX, "x"));
      });
      chart.over.addEventListener("pointerdown", () => (zoomAtPress = zoom.peek()));
      chart.over.addEventListener("dblclick", () => (zoom.value = null));
    };
    let zoomAtPress = zoom.peek();
    const observer = new ResizeObserver(() => chart?.setSize({ width: Math.max(120, element.clientWidth), height: Math.max(100, element.clientHeight) }));
    observer.observe(element);
    const stop = [
      effect(() => {
        void theme.value;
        void zoom.value;
        // Colours are looked up anew once the theme has reached the page.
        queueMicrotask(make);
      }),
      effect(() => {
        void time.value;
        void mark.value;
        chart?.redraw(false, false);
      }),
    ];
    return () => {
      for (const end of stop) end();
      observer.disconnect();
      chart?.destroy();
      chart = null;
    };
  }, [props.lines, props.overTime, props.xName]);
  return <div class="chart" ref={box} role="img" aria-label={props.label} />;
}

/** The shared moment and the mark: a line over time, a dot on every curve. */
function drawMoment(chart: uPlot, props: Props): void {
  const { ctx, bbox } = chart;
  const ratio = devicePixelRatio;
  const moments = [
    { time: props.mark.peek(), color: resolveColor("var(--ink-soft)"), dash: [4 * ratio, 4 * ratio] },
    { time: props.time.peek(), color: resolveColor("var(--accent)"), dash: [] },
  ];
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  for (const { time, color, dash } of moments) {
    if (time === null) continue;
    ctx.strokeStyle = color;
    ctx.lineWidth = ratio;
    ctx.setLineDash(dash);
    if (props.overTime) {
      const x = Math.round(chart.valToPos(time, "x", true)) + 0.5;
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    }
    for (const line of props.lines) {
      if (line.ghost) continue;
      const x = props.overTime ? time : valueAt({ ...line, values: line.xs }, time);
      const y = valueAt(line, time);
      if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
      ctx.fillStyle = resolveColor(line.color);
      ctx.beginPath();
      ctx.arc(chart.valToPos(x, "x", true), chart.valToPos(y, "y", true), 3.5 * ratio, 0, 2 * Math.PI);
      ctx.fill();
    }
  }
  ctx.restore();
}
