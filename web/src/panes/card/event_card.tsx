// The card of the chosen event: what it was, and what it changed. The drawer has everything else.
import { colorOf } from "../../lab/colors.ts";
import { brief, momentText } from "../../lab/format.ts";
import type { Lab } from "../../lab/lab.ts";
import { showResults } from "../../lab/layout.ts";
import { t } from "../../strings/index.ts";
import { IconButton } from "../../ui/widgets.tsx";
import type { TableRow, ValueInfo } from "../../wire/types.ts";
import { useEventTable } from "../events/event_table.ts";
import { kindWords } from "../events/filter.ts";
import { names } from "../timeline/lanes.ts";

const MAX_ROWS = 6;

/** Objects before totals; what has more than three numbers is for the drawer. */
function changes(rows: readonly TableRow[]): TableRow[] {
  const fits = (row: TableRow) => row.changed && row.before !== null && row.after !== null && row.after.scalars.length <= 3;
  return rows
    .filter(fits)
    .sort((a, b) => Number(a.owner === "measure") - Number(b.owner === "measure"))
    .slice(0, MAX_ROWS);
}

export function EventCard({ lab }: { lab: Lab }) {
  const { table } = useEventTable(lab);
  const run = lab.run.value;
  if (table.value === null || run === null || lab.event.value === null) return null;
  const { event, rows } = table.value;
  const kind = kindWords(event);
  const changed = changes(rows);
  return (
    <div class="card-box" role="group" aria-label={t("card.event", { kind })}>
      <header>
        <strong class="card-name">{kind}</strong>
        {event.context !== null && <span class="card-state">{event.context}</span>}
        <IconButton icon="close" label={t("card.leave_event")} onClick={() => (lab.event.value = null)} />
      </header>
      <p class="quiet">{t("card.event_at", { time: momentText(event.time, run.scene.end - run.scene.initial_time), objects: names(run.scene, event) })}</p>
      {changed.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">{t("events.quantity")}</th>
              <th scope="col">{t("events.before")}</th>
              <th scope="col">{t("events.after")}</th>
            </tr>
          </thead>
          <tbody>
            {changed.map((row) => (
              <tr key={row.formula}>
                <th scope="row" style={{ color: colorOf(row.formula) }}>
                  {row.formula}
                </th>
                <Cell value={row.before} />
                <Cell value={row.after} />
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <footer>
        <button type="button" class="link" onClick={() => showResults("events")}>
          {t("card.more")}
        </button>
      </footer>
    </div>
  );
}

function Cell({ value }: { value: ValueInfo | null }) {
  return (
    <td class="number" title={value?.text}>
      {brief(value?.scalars ?? []).map((it, k) => (
        <span key={k}>{it}</span>
      ))}
    </td>
  );
}
