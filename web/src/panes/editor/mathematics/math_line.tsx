// One formula as mathematics, in a box of its own in which it scrolls. Pointing at a symbol, or walking to it with arrows, shows what
// it is worth now.
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { mathOf, partsOf, symbolAt, symbolsOf } from "./mathml.ts";

/** A symbol of a block is pointed at or has the focus; none any more. */
export type Point = (symbol: MathMLElement | null, block: string) => void;

interface Props {
  mathml: string;
  /** What stands there if the mathematics cannot be read. */
  text: string;
  label: string;
  /** The block whose symbols these are. */
  block: string;
  point: Point;
  /** Where it stands in the text, for who wants to go there. */
  place?: { current: boolean; title: string; go: () => void };
  /** Whether it may go on in the next line: before every term, or, where it is wider than its box, anywhere between symbols. */
  breaks?: "terms" | "narrow";
  line?: RefObject<HTMLDivElement | null>;
}

export function MathLine({ mathml, text, label, block, point, place, breaks, ...props }: Props) {
  const own = useRef<HTMLDivElement>(null);
  const line = props.line ?? own;
  useLayoutEffect(() => {
    const math = mathOf(mathml);
    for (const symbol of math?.querySelectorAll("[data-name]") ?? []) symbol.setAttribute("tabindex", "-1");
    const box = line.current;
    box?.replaceChildren(...(math === null ? [text] : breaks === "terms" ? partsOf(math) : [math]));
    if (box === null || math === null || breaks !== "narrow") return undefined;
    const fit = () => {
      box.replaceChildren(math);
      if (box.scrollWidth > box.clientWidth + 1) box.replaceChildren(...symbolsOf(math));
    };
    // Another width, another way to break it.
    let width = 0;
    const observer = new ResizeObserver(([entry]) => {
      if (entry === undefined || entry.contentRect.width === width) return;
      width = entry.contentRect.width;
      fit();
    });
    observer.observe(box);
    return () => observer.disconnect();
  }, [mathml, text, breaks]);
  const key = (event: KeyboardEvent) => {
    if (event.key === "Enter" && place !== undefined) {
      event.preventDefault();
      place.go();
    }
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const symbols = [...(line.current?.querySelectorAll<MathMLElement>("[data-name]") ?? [])];
    const at = symbols.findIndex((it) => it === document.activeElement);
    symbols[at < 0 ? (step > 0 ? 0 : symbols.length - 1) : (at + step + symbols.length) % symbols.length]?.focus();
  };
  const leave = (event: FocusEvent) => {
    if (symbolAt(event.relatedTarget) === null) point(null, block);
  };
  return (
    <div
      ref={line}
      class={`law-math ${breaks === undefined ? "" : `breaks-${breaks}`} ${place?.current === true ? "current" : ""}`}
      role="group"
      tabIndex={0}
      data-keys="own"
      aria-label={label}
      aria-current={place?.current === true ? "location" : undefined}
      title={place?.title}
      onClick={place?.go}
      onKeyDown={key}
      onPointerOver={(event) => point(symbolAt(event.target), block)}
      onPointerLeave={() => point(null, block)}
      onFocusIn={(event) => point(symbolAt(event.target), block)}
      onFocusOut={leave}
    />
  );
}
