// The hint of the tour, beside what it speaks of.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Lab } from "../../lab/lab.ts";
import { isNarrow, presenting } from "../../lab/layout.ts";
import { t } from "../../strings/index.ts";
import { rem } from "../../ui/rem.ts";
import { Markup } from "../problems/markup.tsx";
import { STEPS } from "./steps.ts";
import { currentStep, endTour, followTour, tourStep } from "./state.ts";
import "./tour.css";

/** How often the hint looks where its target is, in milliseconds. */
const FOLLOW_MS = 150;

interface Spot {
  left: number;
  top: number;
  side: "right" | "above" | "inside";
}

/** A place beside an element where a box has room: to its right, above it, else in its upper left corner. */
function spotBeside(target: Element, box: { width: number; height: number }): Spot {
  const at = target.getBoundingClientRect();
  const gap = 0.75 * rem();
  if (at.right + gap + box.width < innerWidth) return { left: at.right + gap, top: Math.min(at.top - gap, innerHeight - box.height - gap), side: "right" };
  if (at.top - gap - box.height > 0 && at.height < innerHeight / 3) return { left: Math.min(at.left + 8 * gap, innerWidth - box.width - gap), top: at.top - gap - box.height, side: "above" };
  return { left: at.left + gap, top: at.top + 5 * gap, side: "inside" };
}

export function Tour({ lab }: { lab: Lab }) {
  const spot = useSignal<Spot | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const step = currentStep();
  useEffect(() => followTour(lab), [lab]);
  useEffect(() => {
    if (step === null) return undefined;
    const follow = () => {
      // A narrow window has no room beside the text: the hint lies over the world.
      const target = (isNarrow.value ? [".view-pane"] : step.targets).map((it) => document.querySelector(it)).find((it) => it !== null && it.getBoundingClientRect().width > 0);
      if (target === null || target === undefined || box.current === null) return;
      const next = spotBeside(target, box.current.getBoundingClientRect());
      const now = spot.peek();
      if (now?.left !== next.left || now.top !== next.top || now.side !== next.side) spot.value = next;
    };
    follow();
    const timer = setInterval(follow, FOLLOW_MS);
    return () => clearInterval(timer);
  }, [step]);
  if (step === null || tourStep.value === null || presenting.value) return null;
  const place = spot.value === null ? {} : { left: `${spot.value.left}px`, top: `${spot.value.top}px` };
  return (
    <div ref={box} class={`tour ${spot.value?.side ?? ""}`} style={place} role="region" aria-label={t("tour.title")}>
      <p role="status">
        <Markup text={t(`tour.${step.name}`)} />
      </p>
      <footer>
        <span>{t("tour.step", { number: tourStep.value + 1, count: STEPS.length })}</span>
        <button type="button" onClick={endTour}>
          {t("tour.skip")}
        </button>
      </footer>
    </div>
  );
}
