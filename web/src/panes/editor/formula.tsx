// One law as mathematics. A click goes to its text; pointing at a symbol, or walking to it with arrows, shows what it is worth now.
import { useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../../strings/index.ts";
import type { Formula } from "../../wire/types.ts";
import { mathOf, symbolAt } from "./mathml.ts";

interface Props {
  formula: Formula;
  /** The cursor is in its text. */
  current: boolean;
  /** Goes to its text. */
  go: () => void;
  /** A symbol is pointed at or has the focus; none any more. */
  point: (symbol: MathMLElement | null, block: string) => void;
}

export function FormulaLine({ formula, current, go, point }: Props) {
  const line = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const math = mathOf(formula.mathml);
    const parts = math === null ? formula.name : math;
    for (const symbol of math?.querySelectorAll("[data-name]") ?? []) symbol.setAttribute("tabindex", "-1");
    line.current?.replaceChildren(parts);
  }, [formula.mathml, formula.name]);
  // Only the list around it scrolls: `scrollIntoView` would move everything else as well.
  useLayoutEffect(() => {
    const [it, list] = [line.current, line.current?.closest(".strip-body")];
    if (!current || it === null || list === null || list === undefined) return;
    const [own, around] = [it.getBoundingClientRect(), list.getBoundingClientRect()];
    if (own.top < around.top) list.scrollTop += own.top - around.top;
    else if (own.bottom > around.bottom) list.scrollTop += Math.min(own.bottom - around.bottom, own.top - around.top);
  }, [current]);
  const key = (event: KeyboardEvent) => {
    if (event.key === "Enter") {
      event.preventDefault();
      go();
    }
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const symbols = [...(line.current?.querySelectorAll<MathMLElement>("[data-name]") ?? [])];
    const place = symbols.findIndex((it) => it === document.activeElement);
    symbols[place < 0 ? (step > 0 ? 0 : symbols.length - 1) : (place + step + symbols.length) % symbols.length]?.focus();
  };
  const leave = (event: FocusEvent) => {
    if (symbolAt(event.relatedTarget) === null) point(null, formula.block);
  };
  return (
    <div
      ref={line}
      class={current ? "law-math current" : "law-math"}
      role="group"
      tabIndex={0}
      data-keys="own"
      aria-label={t("editor.formula", { name: formula.name })}
      aria-current={current ? "location" : undefined}
      title={t("editor.go_to_law")}
      onClick={go}
      onKeyDown={key}
      onPointerOver={(event) => point(symbolAt(event.target), formula.block)}
      onPointerLeave={() => point(null, formula.block)}
      onFocusIn={(event) => point(symbolAt(event.target), formula.block)}
      onFocusOut={leave}
    />
  );
}
