// All variables of the selected object at the shared moment, each with its ways on: as an arrow, as a plot, as a table.
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { colorOf } from "../../lab/colors.ts";
import { shown } from "../../lab/format.ts";
import type { Lab } from "../../lab/lab.ts";
import { plot, tabulate } from "../../lab/layout.ts";
import { WORLD } from "../../lab/readout.ts";
import { t } from "../../strings/index.ts";
import { NameChoice } from "../../ui/name_choice.tsx";
import { IconButton } from "../../ui/widgets.tsx";
import type { QuantityInfo, TableRow } from "../../wire/types.ts";
import { arrows, drawable, footOf, toggleArrow } from "../vectors/state.ts";
import "./pane.css";

export function InspectorPane({ lab }: { lab: Lab }) {
  const isWorld = useSignal(false);
  const run = lab.run.value;
  const bodies = run?.scene.bodies ?? [];
  const first = bodies.find((body) => body.moves !== null)?.name ?? bodies[0]?.name ?? WORLD;
  const owner = isWorld.value ? WORLD : (lab.selection.value ?? first);
  useEffect(() => {
    isWorld.value = false;
  }, [lab.selection.value]);
  const names = useMemo(() => bodies.map((it) => it.name), [run]);
  useEffect(() => lab.readout.watch(owner), [lab, owner]);
  const rows = lab.readout.values.value.get(owner) ?? [];
  const why = lab.readout.problem.value;
  const choose = (name: string) => {
    isWorld.value = name === WORLD;
    if (name !== WORLD) lab.selection.value = name;
  };
  const quantities = new Map(run?.scene.quantities.map((it) => [it.formula, it]));
  return (
    <div class="inspector">
      <label class="of">
        {t("inspector.of")}{" "}
        <NameChoice label={t("inspector.of")} names={names} other={{ value: WORLD, label: t("inspector.world") }} value={owner} choose={choose} />
      </label>
      {why !== "" && rows.length === 0 && <p class="empty">{why}</p>}
      <table>
        <thead>
          <tr>
            <th scope="col">{t("inspector.quantity")}</th>
            <th scope="col">{t("inspector.now")}</th>
            <th aria-hidden="true" />
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Quantity key={row.formula} row={row} known={quantities.get(row.formula)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Quantity({ row, known }: { row: TableRow; known: QuantityInfo | undefined }) {
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
        {drawable(row) && <IconButton icon="arrow" pressed={isDrawn} label={t("inspector.arrow", { name: row.formula })} onClick={() => toggleArrow(row.formula, footOf(row.owner), colorOf(row.formula))} />}
        <IconButton icon="plot" label={t("inspector.plot", { name: row.formula })} onClick={() => plot(row.formula)} />
        <IconButton icon="table" label={t("inspector.table", { name: row.formula })} onClick={() => tabulate(row.formula)} />
      </td>
    </tr>
  );
}
