// Values over time as a table: a row for each frame, the row of the shared moment marked. Only rows in sight exist.
import { effect, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { colorOf } from "../../lab/colors.ts";
import { clockTime, short } from "../../lab/format.ts";
import type { Lab } from "../../lab/lab.ts";
import { tabled } from "../../lab/panels.ts";
import { t } from "../../strings/index.ts";
import { rem } from "../../ui/rem.ts";
import { IconButton } from "../../ui/widgets.tsx";
import { atFrames, placeAt, type Series } from "./series.ts";
import { download } from "./export.ts";
import { FormulaField } from "./formula_field.tsx";
import "./pane.css";

/** Height of a row, in rem. */
const ROW = 1.625;

export function TablePane({ lab }: { lab: Lab }) {
  const series = useSignal<readonly Series[]>([]);
  const problem = useSignal("");
  const seen = useSignal({ top: 0, height: 240 });
  const box = useRef<HTMLDivElement>(null);
  useEffect(
    () =>
      effect(() => {
        const run = lab.run.value;
        const wanted = tabled.value;
        if (run === null || run.ended.value === null || wanted.length === 0) {
          series.value = [];
          return;
        }
        atFrames(lab, run, [...wanted])
          .then((found) => {
            if (tabled.value !== wanted || lab.run.value !== run) return;
            series.value = found.series;
            problem.value = found.problems[0] ?? "";
          })
          .catch((why: Error) => (problem.value = why.message));
      }),
    [lab],
  );
  const times = series.value.find((it) => it.times.length > 0)?.times ?? new Float64Array();
  const now = placeAt(times, lab.clock.time.value);
  const rowPx = ROW * rem();
  const first = Math.max(0, Math.floor(seen.value.top / rowPx) - 4);
  const last = Math.min(times.length, first + Math.ceil(seen.value.height / rowPx) + 8);
  const measure = (element: HTMLElement) => (seen.value = { top: element.scrollTop, height: element.clientHeight });
  useEffect(() => {
    if (box.current !== null) measure(box.current);
  }, [times.length]);
  // The row of the moment stays in sight, unless a user reads elsewhere.
  useEffect(() => {
    const element = box.current;
    if (element === null || now < 0 || element.matches(":hover, :focus-within")) return;
    const [top, bottom] = [now * rowPx, (now + 2) * rowPx];
    if (top < element.scrollTop || bottom > element.scrollTop + element.clientHeight) element.scrollTop = top - element.clientHeight / 2;
  }, [now, times.length]);
  const save = () => {
    const rows = Array.from(times, (time, k) => [time, ...series.value.map((it) => it.values[k] ?? Number.NaN)].map((it) => (Number.isFinite(it) ? String(it) : "")).join(","));
    download("table.csv", "text/csv", [["t", ...series.value.map((it) => it.label)].join(","), ...rows].join("\n") + "\n");
  };
  const rate = lab.run.value?.scene.frame_rate ?? 60;
  return (
    <div class="values-table">
      <header class="plot-head">
        {tabled.value.map((formula) => (
          <span key={formula} class="chip">
            <code>{formula}</code>
            <button type="button" aria-label={t("plots.remove_curve", { name: formula })} onClick={() => (tabled.value = tabled.value.filter((it) => it !== formula))}>
              ×
            </button>
          </span>
        ))}
        <FormulaField
          lab={lab}
          label={t("plots.table_add")}
          hint={t("plots.add_hint")}
          accept={(formula) => {
            if (!tabled.value.includes(formula)) tabled.value = [...tabled.value, formula];
          }}
          clears
        />
        {times.length > 0 && <IconButton icon="download" label={t("plots.csv")} onClick={save} />}
      </header>
      {problem.value !== "" && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      {times.length === 0 ? (
        <p class="empty">{t("plots.table_none")}</p>
      ) : (
        <div class="rows" ref={box} tabIndex={0} role="region" aria-label={t("plots.table")} onScroll={(event) => measure(event.currentTarget)}>
          <table aria-rowcount={times.length + 1}>
            <thead>
              <tr>
                <th scope="col">t</th>
                {series.value.map((it) => (
                  <th key={it.label} scope="col" style={{ color: colorOf(it.label) }}>
                    {it.label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              <tr aria-hidden="true" style={{ height: `${first * ROW}rem` }} />
              {Array.from({ length: Math.max(0, last - first) }, (_, k) => first + k).map((row) => (
                <tr key={row} aria-rowindex={row + 2} aria-current={row === now ? "time" : undefined} style={{ height: `${ROW}rem` }} onClick={() => lab.clock.show(times[row] ?? 0)}>
                  <td class="number">{clockTime(times[row] ?? 0, rate)}</td>
                  {series.value.map((it) => (
                    <td key={it.label} class="number">
                      {short(it.values[row] ?? Number.NaN)}
                    </td>
                  ))}
                </tr>
              ))}
              <tr aria-hidden="true" style={{ height: `${(times.length - last) * ROW}rem` }} />
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}
