// The clock in the corner: the moment that is shown, how fast it passes, and whether there is more to come.
import { momentText } from "../../lab/format.ts";
import type { Lab } from "../../lab/lab.ts";
import { t } from "../../strings/index.ts";

export function ClockFace({ lab }: { lab: Lab }) {
  return (
    <div class="view-clock">
      <Time lab={lab} />
      <Rate lab={lab} />
      <State lab={lab} />
    </div>
  );
}

/** It is drawn as the numbers of cards are, and with them: they change in one picture. */
function Time({ lab }: { lab: Lab }) {
  const { clock, readout } = lab;
  const now = readout.time.value;
  return (
    <span class="number" title={t("view.time", { time: String(now) })}>
      {t("view.time", { time: momentText(now, clock.end.value - clock.start.value) })}
    </span>
  );
}

function Rate({ lab }: { lab: Lab }) {
  const rate = lab.clock.rate.value;
  return rate === 1 ? null : <span class="quiet">{t("view.rate", { rate: String(Number(rate.toPrecision(3))) })}</span>;
}

function State({ lab }: { lab: Lab }) {
  const run = lab.run.value;
  const ended = run === null || run.ended.value !== null;
  if (lab.clock.waiting.value) return <span class="view-state">{t("view.waiting")}</span>;
  return !ended || (run === null && lab.busy.value) ? <span class="view-state">{t("view.running")}</span> : null;
}
