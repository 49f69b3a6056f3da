// The energy of the run: over time, at the moment, by cause; momentum; how well the solver did.
import type { ComponentChildren } from "preact";
import { brief } from "../../lab/format.ts";
import type { Lab } from "../../lab/lab.ts";
import { t } from "../../strings/index.ts";
import { valueAt, type Series } from "../plots/series.ts";
import "./energy.css";
import { useDetails } from "./details.ts";
import { type History } from "./history.ts";
import { changeIn, type Interval, type IntervalKind, intervalKind, intervalOf, part } from "./interval.ts";
import { type Quality, qualityOf } from "./quality.ts";
import { Bars } from "./bars.tsx";
import { Stack } from "./stack.tsx";
import { barsWanted, energies, showBars } from "./state.ts";
import { energyText, scaleOf, sourceText, unitOf } from "./words.ts";

const KINDS: readonly IntervalKind[] = ["start", "frame", "event", "part"];

export function EnergyPane({ lab }: { lab: Lab }) {
  const known = energies.value;
  const run = lab.run.value;
  const details = useDetails(lab, known);
  const time = lab.readout.time.value;
  if (run === null || known === null || known.run !== run) return <p class="empty">{t("energy.reading")}</p>;
  const { history } = known;
  const quality = qualityOf(run, history, details.residuals, time);
  if (history === null) {
    return (
      <div class="energy-pane">
        <p class="empty">{t("energy.none")}</p>
        {quality !== null && <QualityTable quality={quality} />}
      </div>
    );
  }
  const interval = intervalOf(lab, intervalKind.value);
  const choose = (from: number, to: number) => {
    part.value = { from, to };
    intervalKind.value = "part";
  };
  return (
    <div class="energy-pane">
      <div class="energy-left">
        <p class="energy-source">
          <span>{sourceText(history.accounts)}</span>
          <label>
            <input type="checkbox" checked={barsWanted.value} onChange={(event) => showBars(event.currentTarget.checked)} /> {t("energy.in_world")}
          </label>
        </p>
        <Stack lab={lab} history={history} interval={interval} choose={choose} />
      </div>
      <div class="energy-right" tabIndex={0} role="region" aria-label={t("energy.numbers")}>
        <Section title={t("energy.now", { time: brief([time])[0] as string })}>
          <Bars history={history} time={time} />
        </Section>
        <Section title={t("energy.by_cause")}>
          <WorkTable lab={lab} history={history} interval={interval} />
        </Section>
        {(details.momentum.length > 0 || details.angularMomentum.length > 0) && (
          <Section title={t("energy.momenta")}>
            <MomentumTable details={[["momentum", details.momentum, "kg m/s"], ["angular_momentum", details.angularMomentum, "kg m²/s"]]} time={time} hasUnits={history.accounts.hasUnits} />
          </Section>
        )}
        {quality !== null && <QualityTable quality={quality} />}
      </div>
    </div>
  );
}

function Section({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="energy-section" aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** Work of every cause since the start and in an interval. What did nothing is counted, no more. */
function WorkTable({ lab, history, interval }: { lab: Lab; history: History; interval: Interval }) {
  const scale = scaleOf(history);
  const sinceStart = intervalOf(lab, "start");
  const all = history.causes.map(({ name, work }) => ({ name, start: changeIn(history, work, sinceStart), part: changeIn(history, work, interval) }));
  const counts = (it: number) => Number.isFinite(it) && Math.abs(it) > 1e-12 * scale;
  const acting = all.filter((it) => counts(it.start) || counts(it.part)).sort((a, b) => Math.abs(b.start) - Math.abs(a.start));
  const text = (value: number) => `${energyText(value, scale)} ${unitOf(history.accounts)}`.trim();
  const change = (column: Float64Array, of: Interval) => text(changeIn(history, column, of));
  return (
    <table class="energy-works">
      <thead>
        <tr>
          <th scope="col">{t("energy.cause")}</th>
          <th scope="col">{t("energy.since_start")}</th>
          <th scope="col">
            <select aria-label={t("energy.interval")} value={intervalKind.value} onChange={(event) => (intervalKind.value = event.currentTarget.value as IntervalKind)}>
              {KINDS.filter((it) => it !== "part" || part.value !== null).map((it) => (
                <option key={it} value={it}>
                  {it === "frame" && lab.event.value !== null ? t("energy.interval_chosen") : t(`energy.interval_${it}`)}
                </option>
              ))}
            </select>
          </th>
        </tr>
      </thead>
      <tbody>
        {acting.map((it) => (
          <tr key={it.name}>
            <th scope="row">{it.name}</th>
            <td class="number" title={String(it.start)}>
              {text(it.start)}
            </td>
            <td class="number" title={String(it.part)}>
              {text(it.part)}
            </td>
          </tr>
        ))}
        {history.kinetic !== null && (
          <tr class="energy-sum">
            <th scope="row">{t("energy.change_kinetic")}</th>
            <td class="number">{change(history.kinetic, sinceStart)}</td>
            <td class="number">{change(history.kinetic, interval)}</td>
          </tr>
        )}
        {history.lost !== null && (
          <tr class={history.kinetic === null ? "energy-sum" : ""}>
            <th scope="row">{t("energy.change")}</th>
            <td class="number">{change(history.total, sinceStart)}</td>
            <td class="number">{change(history.total, interval)}</td>
          </tr>
        )}
      </tbody>
      {(history.causes.length === 0 || all.length > acting.length) && (
        <tfoot>
          <tr>
            <td colSpan={3} class="quiet">
              {history.causes.length === 0 ? t("energy.no_causes") : t("energy.idle_causes", { count: all.length - acting.length })}
            </td>
          </tr>
        </tfoot>
      )}
    </table>
  );
}

function MomentumTable({ details, time, hasUnits }: { details: [name: "momentum" | "angular_momentum", series: readonly Series[], unit: string][]; time: number; hasUnits: boolean }) {
  return (
    <table class="energy-momenta">
      <thead>
        <tr>
          <th scope="col">{t("energy.quantity")}</th>
          <th scope="col">{t("energy.value")}</th>
          <th scope="col">{t("energy.drift")}</th>
        </tr>
      </thead>
      <tbody>
        {details
          .filter(([, series]) => series.length === 3)
          .map(([name, series, unit]) => {
            const now = series.map((it) => valueAt(it, Math.min(time, it.times[it.times.length - 1] ?? time)));
            const drift = Math.hypot(...series.map((it, k) => (now[k] as number) - (it.values[0] as number)));
            return (
              <tr key={name}>
                <th scope="row">{t(`energy.${name}`)}</th>
                <td class="number" title={`[${now.join(", ")}]`}>
                  {brief(now).map((it, k) => (
                    <span key={k}>{it}</span>
                  ))}{" "}
                  <span class="quiet">{hasUnits ? unit : ""}</span>
                </td>
                <td class="number" title={String(drift)}>
                  {brief([drift])[0]}
                </td>
              </tr>
            );
          })}
      </tbody>
    </table>
  );
}

function QualityTable({ quality }: { quality: Quality }) {
  const { light, frames, missed, error, residuals } = quality;
  return (
    <Section title={t("energy.quality")}>
      <p class="energy-light" data-light={light}>
        <i aria-hidden="true" />
        <strong>{t(`energy.light_${light}`)}</strong>
      </p>
      <p>
        {missed === 0 ? t("energy.converged", { count: frames }) : t("energy.not_converged", { missed, count: frames })}
        {error !== null && ` ${t("energy.unexplained", { share: brief([100 * error])[0] as string })}`}
      </p>
      {residuals.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">{t("energy.residual")}</th>
              <th scope="col">{t("energy.value")}</th>
              <th scope="col">{t("energy.largest")}</th>
            </tr>
          </thead>
          <tbody>
            {residuals.map((it) => (
              <tr key={it.name}>
                <th scope="row" title={it.name}>
                  {t(`energy.r_${it.name}`)}
                </th>
                <td class="number" title={String(it.now)}>
                  {brief([it.now])[0]}
                </td>
                <td class="number" title={String(it.largest)}>
                  {brief([it.largest])[0]}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}
