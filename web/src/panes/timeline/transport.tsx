// The transport: play, pause, steps, jumps, the moment in digits, and a menu of how fast and how often.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { MAX_RATE, MIN_RATE } from "../../lab/clock.ts";
import { momentText, short } from "../../lab/format.ts";
import type { Lab } from "../../lab/lab.ts";
import { t } from "../../strings/index.ts";
import { bind } from "../../ui/keys.ts";
import { IconButton } from "../../ui/widgets.tsx";
import "./transport.css";

/** Rates that keys and the slider stop at: 1, 2 and 5 times a power of ten. */
const RATES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10] as const;

function nextRate(rate: number, direction: -1 | 1): number {
  const found = direction > 0 ? RATES.find((it) => it > rate * 1.001) : RATES.findLast((it) => it < rate / 1.001);
  return found ?? (direction > 0 ? MAX_RATE : MIN_RATE);
}

export function Transport({ lab }: { lab: Lab }) {
  const { clock } = lab;
  useEffect(() => {
    const group = t("timeline.group");
    const key = (name: string, does: string, run: () => void) => ({ key: name, does, group, run });
    return bind(
      key(" ", `${t("timeline.play")} / ${t("timeline.pause")}`, () => clock.toggle()),
      key("ArrowLeft", t("timeline.frame_back"), () => lab.stepFrame(-1)),
      key("ArrowRight", t("timeline.frame_forward"), () => lab.stepFrame(1)),
      key("Shift+ArrowLeft", t("timeline.previous_event"), () => lab.stepEvent(-1)),
      key("Shift+ArrowRight", t("timeline.next_event"), () => lab.stepEvent(1)),
      key("Home", t("timeline.to_start"), () => clock.seek(clock.start.value)),
      key("End", t("timeline.to_end"), () => clock.show(clock.end.value)),
      key("-", t("timeline.slower"), () => clock.setRate(nextRate(clock.rate.value, -1))),
      key("+", t("timeline.faster"), () => clock.setRate(nextRate(clock.rate.value, 1))),
      key("0", t("timeline.real_time"), () => clock.setRate(1)),
      key("l", t("timeline.loop"), () => (clock.loop.value = !clock.loop.value)),
    );
  }, [lab]);
  const playing = clock.playing.value;
  return (
    <div class="transport" role="group" aria-label={t("timeline.transport")}>
      <div class="transport-buttons">
        <IconButton icon="start" label={`${t("timeline.to_start")} (Home)`} onClick={() => clock.seek(clock.start.value)} />
        <IconButton icon="previous" label={`${t("timeline.previous_event")} (Shift+←)`} onClick={() => lab.stepEvent(-1)} />
        <IconButton class="frame-step" icon="back" label={`${t("timeline.frame_back")} (←)`} onClick={() => lab.stepFrame(-1)} />
        <IconButton
          class="play"
          icon={playing ? "pause" : "play"}
          label={`${playing ? t("timeline.pause") : t("timeline.play")} (␣)`}
          onClick={() => clock.toggle()}
        />
        <IconButton class="frame-step" icon="forward" label={`${t("timeline.frame_forward")} (→)`} onClick={() => lab.stepFrame(1)} />
        <IconButton icon="next" label={`${t("timeline.next_event")} (Shift+→)`} onClick={() => lab.stepEvent(1)} />
      </div>
      <div class="transport-numbers">
        <Moment lab={lab} />
        <RateMenu lab={lab} />
      </div>
    </div>
  );
}

/** The moment in digits; typing another goes there. */
function Moment({ lab }: { lab: Lab }) {
  const { clock } = lab;
  const go = (text: string) => {
    const time = Number(text.replace("−", "-").replace(",", "."));
    if (text.trim() !== "" && Number.isFinite(time)) clock.show(time);
  };
  return (
    <label class="moment">
      t =
      <input
        class="number"
        inputMode="decimal"
        aria-label={t("timeline.time")}
        value={momentText(lab.readout.time.value, clock.end.value - clock.start.value)}
        onFocus={() => (clock.playing.value = false)}
        onChange={(event) => go(event.currentTarget.value)}
      />
      s
    </label>
  );
}

/** How fast time passes, and what happens at the end. */
function RateMenu({ lab }: { lab: Lab }) {
  const { clock } = lab;
  const isOpen = useSignal(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen.value) return undefined;
    const close = (event: Event) => {
      if (event instanceof KeyboardEvent ? event.key === "Escape" : !box.current?.contains(event.target as Node)) isOpen.value = false;
    };
    document.addEventListener("pointerdown", close);
    document.addEventListener("keydown", close);
    return () => {
      document.removeEventListener("pointerdown", close);
      document.removeEventListener("keydown", close);
    };
  }, [isOpen.value]);
  return (
    <div class="rate-menu" ref={box}>
      <button type="button" aria-haspopup="dialog" aria-expanded={isOpen.value} aria-label={t("timeline.rate_menu", { rate: short(clock.rate.value) })} onClick={() => (isOpen.value = !isOpen.value)}>
        × {short(clock.rate.value)}
      </button>
      {isOpen.value && (
        <div class="rate-panel" role="dialog" aria-label={t("timeline.rate")}>
          <Rate lab={lab} />
          <label>
            <input type="checkbox" checked={clock.loop.value} onChange={(event) => (clock.loop.value = event.currentTarget.checked)} />
            {t("timeline.loop")} (L)
          </label>
          <label>
            <input type="checkbox" checked={clock.restartAtRest.value} onChange={(event) => (clock.restartAtRest.value = event.currentTarget.checked)} />
            {t("timeline.at_rest")}
          </label>
        </div>
      )}
    </div>
  );
}

function Rate({ lab }: { lab: Lab }) {
  const { rate } = lab.clock;
  return (
    <label class="rate">
      <span aria-hidden="true">{t("timeline.rate")}</span>
      <input
        type="range"
        aria-label={t("timeline.rate")}
        min={Math.log10(MIN_RATE)}
        max={Math.log10(MAX_RATE)}
        step={0.05}
        value={Math.log10(rate.value)}
        aria-valuetext={t("timeline.rate_value", { rate: short(rate.value) })}
        onInput={(event) => lab.clock.setRate(Number((10 ** Number(event.currentTarget.value)).toPrecision(2)))}
        onDblClick={() => lab.clock.setRate(1)}
      />
      <output class="number">× {short(rate.value)}</output>
    </label>
  );
}
