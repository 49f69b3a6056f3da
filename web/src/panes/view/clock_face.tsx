// The clock in the corner: the moment that is shown, how fast it passes, and whether there is more to come.
import { useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { momentText } from "../../lab/format.ts";
import type { Lab } from "../../lab/lab.ts";
import { t } from "../../strings/index.ts";

export function ClockFace({ lab }: { lab: Lab }) {
  const time = useRef<HTMLSpanElement>(null);
  useSignalEffect(() => {
    const { clock } = lab;
    const now = lab.readout.time.value;
    if (time.current === null) return;
    time.current.textContent = t("view.time", { time: momentText(now, clock.end.value - clock.start.value) });
    time.current.title = t("view.time", { time: String(now) });
  });
  return (
    <div class="view-clock">
      <span ref={time} class="number" />
      <Rate lab={lab} />
      <State lab={lab} />
    </div>
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
