// What is pointed at: the name of a body; on a trail the time, the place, and what the body's values were there.
import { type Signal, useSignal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { momentText } from "../../lab/format.ts";
import type { Lab } from "../../lab/lab.ts";
import { t } from "../../strings/index.ts";
import type { TableRow } from "../../wire/types.ts";
import type { Pointed } from "./pointer.ts";

const MAX_ROWS = 6;

interface Value {
  name: string;
  text: string;
  exact: string;
}

function short(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(6))) : t("view.no_value");
}

/** Vectors of the space and reals that change: the place first, then as they come. */
function choose(rows: readonly TableRow[], changing: ReadonlySet<string>): Value[] {
  const wanted = rows.filter((it) => it.after !== null && it.context === null && changing.has(it.formula) && (it.after.scalars.length === 3 || it.ty === "real"));
  const rank = (row: TableRow) => (row.name === "position" ? 0 : row.after?.scalars.length === 3 ? 1 : 2);
  return wanted
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, MAX_ROWS)
    .map((row) => {
      const scalars = row.after?.scalars ?? [];
      const text = scalars.length === 1 ? short(scalars[0] ?? NaN) : `[${scalars.map(short).join(", ")}]`;
      return { name: row.name, text, exact: row.after?.text ?? text };
    });
}

export function Tooltip({ lab, pointed }: { lab: Lab; pointed: Signal<Pointed | null> }) {
  const values = useSignal<{ time: number; body: number; rows: readonly Value[] } | null>(null);
  const asking = useRef(false);
  const ask = () => {
    const [found, run] = [pointed.peek(), lab.run.peek()];
    if (found?.spot == null || run === null || asking.current) return;
    const { body, name } = found;
    const { time } = found.spot;
    if (values.peek()?.time === time && values.peek()?.body === body) return;
    asking.current = true;
    const take = (rows: readonly Value[]) => {
      asking.current = false;
      if (lab.run.peek() === run) values.value = { time, body, rows };
      // The pointer may have moved on.
      ask();
    };
    lab.client.request({ type: "values", run: run.id, moment: { at: "time", time }, object: name }).then(
      (answer) => {
        const changing = new Set(run.scene.quantities.filter((it) => !it.constant).map((it) => it.formula));
        take("type" in answer && answer.type === "values" ? choose(answer.rows, changing) : []);
      },
      () => take([]),
    );
  };
  useSignalEffect(() => {
    void pointed.value;
    ask();
  });
  const found = pointed.value;
  if (found === null) return null;
  const known = found.spot !== null && values.value?.body === found.body ? values.value : null;
  const speed = known?.rows.find((it) => it.name === "v" || it.name === "velocity");
  return (
    <div class={`view-tip ${found.left ? "left" : ""} ${found.above ? "above" : ""}`} aria-hidden="true" style={{ left: `${found.x}px`, top: `${found.y}px` }}>
      <strong>{found.name}</strong>
      {found.spot !== null && (
        <dl class="number">
          <dt>t</dt>
          <dd>{momentText(found.spot.time, lab.clock.end.value - lab.clock.start.value)}</dd>
          {(known?.rows ?? []).map((row) => (
            <Line key={row.name} name={row.name} text={row.text} />
          ))}
          {speed !== undefined && <Line name={t("view.norm", { name: speed.name })} text={short(norm(speed.exact))} />}
        </dl>
      )}
      {found.spot !== null && <span class="quiet">{t("view.jump")}</span>}
    </div>
  );
}

function Line({ name, text }: { name: string; text: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{text}</dd>
    </>
  );
}

/** The length of a vector as the language writes it. */
function norm(vector: string): number {
  return Math.hypot(...vector.replace(/[[\]]/g, "").split(",").map(Number));
}
