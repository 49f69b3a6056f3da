// Everything before and after the chosen event: where they met, the objects, the world, the totals. What changed is marked.
import { useSignal } from "@preact/signals";
import { colorOf } from "../../lab/colors.ts";
import { clockTime, shapeOf, short, shown } from "../../lab/format.ts";
import type { Lab } from "../../lab/lab.ts";
import { plot } from "../../lab/layout.ts";
import { t } from "../../strings/index.ts";
import { IconButton } from "../../ui/widgets.tsx";
import type { TableRow } from "../../wire/types.ts";
import { names } from "../timeline/lanes.ts";
import { arrows, drawable, footOf, toggleArrow } from "../vectors/state.ts";
import { EventLaw, goToContext } from "./event_law.tsx";
import { useEventTable } from "./event_table.ts";
import { kindWords } from "./filter.ts";

export function EventTables({ lab }: { lab: Lab }) {
  const { table, why } = useEventTable(lab);
  const onlyChanges = useSignal(false);
  const run = lab.run.value;
  const { value } = table;
  if (why.value !== "" && value === null) return <p class="empty">{why.value}</p>;
  if (value === null || run === null) return null;
  const { event, given, rows } = value;
  const owners = [...new Set(rows.map((row) => row.owner))].sort((a, b) => rank(a) - rank(b));
  const visible = (row: TableRow) => !onlyChanges.value || row.changed || row.owner === "measure";
  return (
    <div class="event-tables">
      <header>
        <h2>{t("events.title", { kind: kindWords(event), time: clockTime(event.time, 1e9) })}</h2>
        <p class="quiet">
          {names(run.scene, event)}
          {event.context !== null && " · "}
          {event.context !== null && <ContextName lab={lab} context={event.context} />}
        </p>
        <label>
          <input type="checkbox" checked={onlyChanges.value} onChange={(it) => (onlyChanges.value = it.currentTarget.checked)} />
          {t("events.only_changes")}
        </label>
      </header>
      <EventLaw lab={lab} table={value} />
      {owners.map((owner) => (
        <OwnerTable key={owner} owner={owner} rows={rows.filter((row) => row.owner === owner && visible(row))} />
      ))}
      {given.length > 0 && <OwnerTable owner="" rows={given} />}
    </div>
  );
}

/** The name of a context: a way into the text, where the text has it. */
function ContextName({ lab, context }: { lab: Lab; context: string }) {
  const isWritten = lab.checked.value?.formulas.some((it) => it.block === context && (it.block_kind === "context" || it.block_kind === "event")) === true;
  if (!isWritten) return <>{t("events.context_of", { context })}</>;
  return (
    <button type="button" class="link" title={t("events.go_to_context", { context })} onClick={() => goToContext(lab, context)}>
      {t("events.context_of", { context })}
    </button>
  );
}

/** Objects first, then totals, then the world. */
function rank(owner: string): number {
  return owner === "world" ? 2 : owner === "measure" ? 1 : 0;
}

function title(owner: string): string {
  if (owner === "world") return t("events.world");
  if (owner === "measure") return t("events.measures");
  return owner === "" ? t("events.geometry") : owner;
}

function OwnerTable({ owner, rows }: { owner: string; rows: readonly TableRow[] }) {
  if (rows.length === 0) return null;
  const given = owner === "";
  return (
    <table class="before-after">
      <caption>{title(owner)}</caption>
      <thead>
        <tr>
          <th scope="col">{t("events.quantity")}</th>
          {!given && <th scope="col">{t("events.before")}</th>}
          <th scope="col">{t("events.after")}</th>
          {owner === "measure" && <th scope="col">{t("events.change")}</th>}
          <th aria-hidden="true" />
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.formula} class={row.changed ? "changed" : ""}>
            <th scope="row">
              <i class="swatch" style={{ background: colorOf(row.formula) }} />
              {given && row.owner !== "" ? `${row.owner}.${row.name}` : row.name}
              {row.context !== null && <span class="quiet"> {t("events.context_of", { context: row.context })}</span>}
            </th>
            {!given && <Cell value={row.before} ty={row.ty} />}
            <Cell value={row.after} ty={row.ty} marked={row.changed} />
            {owner === "measure" && <td class="number">{change(row)}</td>}
            <td class="tools">
              {drawable(row) && (
                <IconButton
                  icon="arrow"
                  pressed={arrows.value.some((it) => it.formula === row.formula)}
                  label={t("events.arrow", { name: row.formula })}
                  onClick={() => toggleArrow(row.formula, given ? "collision" : footOf(row.owner), colorOf(row.formula), given)}
                />
              )}
              {!given && <IconButton icon="plot" label={t("events.plot", { name: row.formula })} onClick={() => plot(row.formula)} />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell({ value, ty, marked = false }: { value: TableRow["after"]; ty: string; marked?: boolean }) {
  return (
    <td class="number" title={value?.text}>
      {shown(value, shapeOf(ty))}
      {marked && <span class="mark" role="img" title={t("events.changed")} aria-label={t("events.changed")} />}
    </td>
  );
}

function change(row: TableRow): string {
  const [before, after] = [row.before?.scalars, row.after?.scalars];
  if (before === undefined || after === undefined) return "—";
  const parts = after.map((value, k) => short(value - (before[k] ?? Number.NaN)));
  return parts.length === 1 ? (parts[0] ?? "") : `[${parts.join(", ")}]`;
}
