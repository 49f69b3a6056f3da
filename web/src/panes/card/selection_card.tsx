// The card of the selected object: its values at the moment, each with its ways on, and what the camera can do with it.
import { useEffect } from "preact/hooks";
import { colorOf } from "../../lab/colors.ts";
import { brief } from "../../lab/format.ts";
import type { Lab } from "../../lab/lab.ts";
import { plot, showValues, tabulate } from "../../lab/layout.ts";
import { unitOfBody } from "../../lab/units.ts";
import { t } from "../../strings/index.ts";
import { IconButton } from "../../ui/widgets.tsx";
import type { TableRow } from "../../wire/types.ts";
import { useInForce } from "../editor/mathematics/formulas.tsx";
import { arrows, drawable, footOf, toggleArrow } from "../vectors/state.ts";
import { toggleFollow } from "../view/keys.ts";
import { follows, hasTrail, setTrail } from "../view/state.ts";
import { cardRows } from "./rows.ts";

export function SelectionCard({ lab }: { lab: Lab }) {
  const name = lab.selection.value;
  const scene = lab.run.value?.scene;
  const body = scene?.bodies.find((it) => it.name === name);
  const force = useInForce(lab).filter((it) => it !== "");
  useEffect(() => (name === null ? undefined : lab.readout.watch(name)), [lab, name]);
  if (name === null || scene === undefined || body === undefined) return null;
  const trail = hasTrail(name, scene.bodies.length);
  const rows = cardRows(lab.readout.values.value.get(name) ?? [], scene.quantities);
  return (
    <div class="card-box" role="group" aria-label={t("view.selection", { name })}>
      <header>
        <strong class="card-name">{name}</strong>
        {body.moves !== null && force.map((context) => <span key={context} class="card-state">{context}</span>)}
        <IconButton icon="close" label={t("view.deselect")} onClick={() => (lab.selection.value = null)} />
      </header>
      <table>
        <tbody>
          {rows.map((row) => (
            <Quantity key={row.formula} row={row} unit={unitOfBody(scene, row.name)} />
          ))}
        </tbody>
      </table>
      <footer>
        {body.moves !== null && (
          <>
            <IconButton icon="target" label={t("view.follow_one", { name })} pressed={follows.value} onClick={() => toggleFollow(lab)} />
            <IconButton icon="trail" label={t("view.trail_one", { name })} pressed={trail} onClick={() => setTrail(name, !trail)} />
          </>
        )}
        <button type="button" class="link" onClick={() => showValues("inspector")}>
          {t("card.more")}
        </button>
      </footer>
    </div>
  );
}

function Quantity({ row, unit }: { row: TableRow; unit: string }) {
  const scalars = row.after?.scalars ?? [];
  const isDrawn = arrows.value.some((it) => it.formula === row.formula);
  const isTruth = row.ty === "boolean";
  return (
    <tr>
      <th scope="row" style={{ color: colorOf(row.formula) }}>
        {row.name}
      </th>
      <td class="number" title={row.after?.text}>
        {isTruth ? row.after?.text : brief(scalars).map((it, k) => <span key={k}>{it}</span>)}
      </td>
      <td class="card-unit quiet">{unit}</td>
      <td class="tools">
        {drawable(row) && <IconButton icon="arrow" pressed={isDrawn} label={t("inspector.arrow", { name: row.formula })} onClick={() => toggleArrow(row.formula, footOf(row.owner), colorOf(row.formula))} />}
        <IconButton icon="plot" label={t("inspector.plot", { name: row.formula })} onClick={() => plot(row.formula)} />
        <IconButton icon="table" label={t("inspector.table", { name: row.formula })} onClick={() => tabulate(row.formula)} />
      </td>
    </tr>
  );
}
