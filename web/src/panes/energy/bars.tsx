// Bars of energy over the world: kinetic, potential, lost, and what the numbers do not explain, at the moment that is shown.
import type { Lab } from "../../lab/lab.ts";
import { isNarrow, presenting, showResults } from "../../lab/layout.ts";
import { t } from "../../strings/index.ts";
import { IconButton } from "../../ui/widgets.tsx";
import "./energy.css";
import { type History, valueIn } from "./history.ts";
import { barsWanted, energies, showBars } from "./state.ts";
import { energyText, scaleOf, shownParts, sourceText, unitOf } from "./words.ts";

export function EnergyBars({ lab }: { lab: Lab }) {
  const known = energies.value;
  if (!barsWanted.value || isNarrow.value || presenting.value || known === null || known.history === null || known.run !== lab.run.value) return null;
  return (
    <section class="energy-over" aria-label={t("energy.bars")}>
      <Bars history={known.history} time={lab.readout.time.value} />
      <footer>
        {known.history.accounts.only !== null && <span class="quiet">{known.history.accounts.only}</span>}
        <button type="button" class="link" title={sourceText(known.history.accounts)} onClick={() => showResults("energy")}>
          {t(known.history.accounts.perMass ? "energy.short_per_mass" : `energy.short_${known.history.accounts.source}`)}
        </button>
        <IconButton icon="close" label={t("energy.hide")} onClick={() => showBars(false)} />
      </footer>
    </section>
  );
}

/** Parts of all that is drawn that are not seen. */
const UNSEEN = 1e-6;

/** A row for each part. All have one scale; where something is below nothing, bars begin beside the border. */
export function Bars({ history, time }: { history: History; time: number }) {
  const parts = shownParts(history);
  const scale = scaleOf(history);
  const least = parts.reduce((low, { column, base }) => column.reduce((lowest, it) => Math.min(lowest, Number.isFinite(it) ? it - base : 0), low), 0);
  const most = parts.reduce((high, { column, base }) => column.reduce((highest, it) => Math.max(highest, Number.isFinite(it) ? it - base : 0), high), 0);
  const negative = -least > UNSEEN * scale ? -least : 0;
  const range = negative + most || 1;
  return (
    <table class="energy-bars">
      <tbody>
        {parts.map(({ key, label, color, column, base }) => {
          const value = valueIn(history, column, time);
          const length = Number.isFinite(value) ? (value - base) / range : 0;
          const origin = negative / range;
          const style = { left: `${100 * Math.max(0, Math.min(origin, origin + length))}%`, width: `${100 * Math.min(1, Math.abs(length))}%`, background: color };
          const isGiven = key === "lost" && value < -UNSEEN * scale;
          return (
            <tr key={key} data-part={key}>
              <th scope="row">{isGiven ? t("energy.given") : label}</th>
              <td class="energy-track" aria-hidden="true">
                <i style={style} />
              </td>
              <td class="number" title={String(value)}>
                {energyText(isGiven ? -value : value, scale, key === "error")} <span class="quiet">{unitOf(history.accounts)}</span>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
