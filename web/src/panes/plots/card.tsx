// One plot with everything that belongs to it: what is drawn, the chart, the values at the shared moment, saving.
import { effect, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { colorOf, resolveColor } from "../../lab/colors.ts";
import { clockTime, short } from "../../lab/format.ts";
import type { Lab } from "../../lab/lab.ts";
import type { PlotSpec } from "../../lab/panels.ts";
import { t } from "../../strings/index.ts";
import { IconButton } from "../../ui/widgets.tsx";
import { Chart, type Line, type Range } from "./chart.tsx";
import { type Curve, curves, rateAt, valueAt } from "./series.ts";
import { csv, download, svg } from "./export.ts";

/** While a run goes on, curves are read again after this many milliseconds. */
const REFRESH_DELAY_MS = 400;
const DASHES: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [9, 3, 2, 3]];

/** Curves as lines: of one quantity in one colour, told apart by their dashes. */
function styled(found: readonly Curve[], ys: readonly string[], ghost: boolean): Line[] {
  const used = new Map<string, number>();
  return found.map((curve) => {
    const color = colorOf(ys[curve.formula] ?? curve.label);
    const count = used.get(color) ?? 0;
    used.set(color, count + 1);
    return { ...curve, color: ghost ? "var(--ghost)" : color, dash: DASHES[count % DASHES.length] ?? [], ghost };
  });
}

export function PlotCard(props: { lab: Lab; spec: PlotSpec; head: ComponentChildren; tools?: ComponentChildren }) {
  const { lab, spec } = props;
  const { clock } = lab;
  const lines = useSignal<readonly Line[]>([]);
  const problems = useSignal<readonly string[]>([]);
  const zoom = useSignal<Range | null>(null);
  const mark = useSignal<number | null>(null);
  const overTime = spec.x === "t";

  useEffect(() => {
    let [isAsking, again, isOver] = [false, false, false];
    const read = async () => {
      const run = lab.run.peek();
      if (run === null || spec.ys.length === 0) {
        lines.value = [];
        return;
      }
      if (isAsking) {
        again = true;
        return;
      }
      isAsking = true;
      const range = overTime && zoom.peek() !== null ? { from: zoom.peek()?.from, to: zoom.peek()?.to } : {};
      const wanted = { ...spec, ...range } as Parameters<typeof curves>[2];
      try {
        const found = await curves(lab, run, wanted);
        const ghost = lab.ghost.peek();
        // The run before may be gone from the engine: then there is nothing to compare with.
        const before = ghost === null ? { curves: [] } : await curves(lab, ghost, wanted).catch(() => ({ curves: [] }));
        if (!isOver) {
          lines.value = [...styled(before.curves, spec.ys, true), ...styled(found.curves, spec.ys, false)];
          problems.value = found.problems;
        }
      } catch (error) {
        if (!isOver) problems.value = [(error as Error).message];
      }
      isAsking = false;
      if (again && !isOver) {
        again = false;
        void read();
      }
    };
    let timer: ReturnType<typeof setTimeout> | null = null;
    const stop = effect(() => {
      const run = lab.run.value;
      void zoom.value;
      void lab.ghost.value;
      void run?.reached.value;
      if (timer !== null && run?.ended.value === null) return;
      if (timer !== null) clearTimeout(timer);
      timer = setTimeout(
        () => {
          timer = null;
          void read();
        },
        run?.ended.value === null ? REFRESH_DELAY_MS : 0,
      );
    });
    return () => {
      isOver = true;
      stop();
      if (timer !== null) clearTimeout(timer);
    };
  }, [lab, spec]);

  const names = lines.value.filter((it) => !it.ghost).map((it) => it.label);
  const label = t("plots.chart", { names: names.join(", "), x: spec.x });
  const file = `${lab.run.value?.scene.simulation || "plot"}-${spec.ys.join("-").replace(/[^\w.#-]+/g, "_").slice(0, 60)}`;
  const chart = useMemo(
    () => <Chart label={label} lines={lines.value} overTime={overTime} xName={spec.x} time={clock.time} mark={mark} zoom={zoom} seek={(time) => clock.show(time)} />,
    [lines.value, spec, label],
  );
  return (
    <article class="plot" aria-label={label}>
      <header>
        {props.head}
        <span class="tools">
          <IconButton
            icon="target"
            label={t(mark.value === null ? "plots.mark" : "plots.unmark")}
            pressed={mark.value !== null}
            onClick={() => (mark.value = mark.value === null ? clock.time.peek() : null)}
          />
          {zoom.value !== null && <IconButton icon="frame" label={t("plots.whole")} onClick={() => (zoom.value = null)} />}
          <IconButton icon="table" label={t("plots.csv")} onClick={() => download(`${file}.csv`, "text/csv", csv(lines.value, spec.x, overTime, zoom.value))} />
          <IconButton icon="download" label={t("plots.svg")} onClick={() => download(`${file}.svg`, "image/svg+xml", svg(lines.value, spec.x, zoom.value, resolveColor))} />
          {props.tools}
        </span>
      </header>
      {problems.value.map((problem) => (
        <p key={problem} class="problem" role="alert">
          {problem}
        </p>
      ))}
      <div class="plot-body">
        {chart}
        <Readout lab={lab} lines={lines.value.filter((it) => !it.ghost)} mark={mark.value} />
      </div>
    </article>
  );
}

/** Value and rate of change of every curve at the shared moment; differences since the mark. */
function Readout({ lab, lines, mark }: { lab: Lab; lines: readonly Line[]; mark: number | null }) {
  const time = lab.clock.time.value;
  const rate = lab.run.value?.scene.frame_rate ?? 60;
  return (
    <table class="readout">
      <thead>
        <tr>
          <th scope="col">{t("plots.curve")}</th>
          <th scope="col">{t("plots.value", { time: clockTime(time, rate) })}</th>
          <th scope="col">{t("plots.rate")}</th>
          {mark !== null && <th scope="col">{t("plots.difference", { time: clockTime(time - mark, rate) })}</th>}
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.label}>
            <th scope="row">
              <svg class="sample" viewBox="0 0 24 6" aria-hidden="true">
                <path d="M0 3H24" stroke={line.color} stroke-width="2" stroke-dasharray={line.dash.join(" ")} />
              </svg>
              {line.label}
            </th>
            <td class="number">{short(valueAt(line, time))}</td>
            <td class="number">{short(rateAt(line, time))}</td>
            {mark !== null && <td class="number">{short(valueAt(line, time) - valueAt(line, mark))}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
