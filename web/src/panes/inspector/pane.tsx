// All variables of the selected object at the shared moment, each with its ways on: as an arrow, as a plot, as a table.
import { effect, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { colorOf } from "../../lab/colors.ts";
import { shown } from "../../lab/format.ts";
import type { Lab } from "../../lab/lab.ts";
import { plot, tabulate } from "../../lab/panels.ts";
import { t } from "../../strings/index.ts";
import { IconButton } from "../../ui/widgets.tsx";
import type { QuantityInfo, TableRow } from "../../wire/types.ts";
import { arrows, footOf, toggleArrow } from "../vectors/state.ts";
import "./pane.css";

const WORLD = "";

export function InspectorPane({ lab }: { lab: Lab }) {
  const rows = useSignal<readonly TableRow[]>([]);
  const why = useSignal("");
  const isWorld = useSignal(false);
  const run = lab.run.value;
  const bodies = run?.scene.bodies ?? [];
  const first = bodies.find((body) => body.moves !== null)?.name ?? bodies[0]?.name ?? WORLD;
  const owner = isWorld.value ? WORLD : (lab.selection.value ?? first);
  useEffect(() => {
    isWorld.value = false;
  }, [lab.selection.value]);
  useEffect(() => {
    // One question at a time: whatever the moment is when an answer comes, that is asked next.
    let [isAsking, isOver] = [false, false];
    let asked = "";
    const ask = () => {
      const current = lab.run.peek();
      const key = `${current?.id} ${lab.clock.time.peek()} ${lab.event.peek()}`;
      if (isAsking || isOver || current === null || key === asked) return;
      isAsking = true;
      asked = key;
      lab
        .values(owner === WORLD ? null : owner)
        .then((found) => {
          if (!isOver) [rows.value, why.value] = [found, ""];
        })
        .catch((error: Error) => {
          if (!isOver) why.value = error.message;
        })
        .finally(() => {
          isAsking = false;
          requestAnimationFrame(ask);
        });
    };
    const stop = effect(() => {
      void lab.run.value;
      void lab.clock.time.value;
      void lab.event.value;
      void lab.run.value?.ended.value;
      ask();
    });
    return () => {
      isOver = true;
      stop();
    };
  }, [lab, owner]);
  const choose = (name: string) => {
    isWorld.value = name === WORLD;
    if (name !== WORLD) lab.selection.value = name;
  };
  const quantities = new Map(run?.scene.quantities.map((it) => [it.formula, it]));
  return (
    <div class="inspector">
      <label class="of">
        {t("inspector.of")}{" "}
        <select value={owner} onChange={(event) => choose(event.currentTarget.value)}>
          {bodies.map((body) => (
            <option key={body.name} value={body.name}>
              {body.name}
            </option>
          ))}
          <option value={WORLD}>{t("inspector.world")}</option>
        </select>
      </label>
      {why.value !== "" && rows.value.length === 0 && <p class="empty">{why.value}</p>}
      <table>
        <thead>
          <tr>
            <th scope="col">{t("inspector.quantity")}</th>
            <th scope="col">{t("inspector.now")}</th>
            <th aria-hidden="true" />
          </tr>
        </thead>
        <tbody>
          {rows.value.map((row) => (
            <Quantity key={row.formula} row={row} known={quantities.get(row.formula)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Quantity({ row, known }: { row: TableRow; known: QuantityInfo | undefined }) {
  const isVector = known?.shape.length === 1 && known.shape[0] === 3;
  const isDrawn = arrows.value.some((it) => it.formula === row.formula);
  return (
    <tr>
      <th scope="row" title={known?.constant === true ? t("inspector.constant") : row.ty}>
        <i class="swatch" style={{ background: colorOf(row.formula) }} />
        {row.name}
        {row.context !== null && <span class="quiet context"> {row.context}</span>}
      </th>
      <td class="number" title={row.after?.text}>
        {shown(row.after, known?.shape)}
      </td>
      <td class="tools">
        {isVector && <IconButton icon="arrow" pressed={isDrawn} label={t("inspector.arrow", { name: row.formula })} onClick={() => toggleArrow(row.formula, footOf(row.owner), colorOf(row.formula))} />}
        <IconButton icon="plot" label={t("inspector.plot", { name: row.formula })} onClick={() => plot(row.formula)} />
        <IconButton icon="table" label={t("inspector.table", { name: row.formula })} onClick={() => tabulate(row.formula)} />
      </td>
    </tr>
  );
}
