// The law that acted at the chosen event, as mathematics, and below each line the same with its numbers.
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { brief } from "../../lab/format.ts";
import type { Lab } from "../../lab/lab.ts";
import { showLaws } from "../../lab/layout.ts";
import { t } from "../../strings/index.ts";
import { blockAt, blocksOf } from "../editor/blocks.ts";
import { mathOf, symbolsOf } from "../editor/mathematics/mathml.ts";
import "../editor/mathematics/mathematics.css";
import type { EventTable } from "./event_table.ts";
import { type NumberedLaw, numberedLaws } from "./law_numbers.ts";

const MATHML = "http://www.w3.org/1998/Math/MathML";

/** Goes to the block of a context in the text. */
export function goToContext(lab: Lab, context: string): void {
  const law = lab.checked.value?.formulas.find((it) => it.block === context && (it.block_kind === "context" || it.block_kind === "event"));
  if (law === undefined) return;
  const block = blockAt(blocksOf(lab.text.value), law.start);
  showLaws("text");
  lab.place.value = { start: block?.from ?? law.start, end: block?.from ?? law.start };
}

export function EventLaw({ lab, table }: { lab: Lab; table: EventTable }) {
  const scene = lab.run.value?.scene;
  const moving = table.event.bodies.flatMap((it) => (scene?.bodies[it]?.is_static === false ? [scene.bodies[it]?.name as string] : []));
  const chosen = moving.find((it) => it === lab.selection.value) ?? moving[0] ?? null;
  const laws = useSignal<readonly NumberedLaw[]>([]);
  useEffect(() => {
    let isOver = false;
    laws.value = [];
    if (chosen === null || table.event.context === null) return undefined;
    void numberedLaws(lab, table, chosen).then((found) => {
      if (!isOver) laws.value = found;
    });
    return () => {
      isOver = true;
    };
  }, [lab, table, chosen]);
  if (laws.value.length === 0 || chosen === null) return null;
  return (
    <section class="event-law" aria-label={t("events.law", { context: table.event.context ?? "", name: chosen })}>
      <h3>
        {t("events.law", { context: table.event.context ?? "", name: chosen })}
        {moving.length > 1 && (
          <select aria-label={t("events.law_of")} value={chosen} onChange={(event) => (lab.selection.value = event.currentTarget.value)}>
            {moving.map((it) => (
              <option key={it} value={it}>
                {it}
              </option>
            ))}
          </select>
        )}
      </h3>
      {laws.value.map((law, k) => (
        <Law key={k} law={law} />
      ))}
    </section>
  );
}

function Law({ law }: { law: NumberedLaw }) {
  const written = useRef<HTMLDivElement>(null);
  const numbered = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const math = mathOf(law.formula.mathml);
    written.current?.replaceChildren(...(math === null ? [law.formula.name] : symbolsOf(math)));
    const numbers = numbersIn(law);
    numbered.current?.replaceChildren(...(numbers === null ? [] : symbolsOf(numbers)));
  }, [law]);
  return (
    <div class="event-law-line">
      <div class="law-math breaks-narrow" ref={written} />
      <div class="law-math breaks-narrow with-numbers" ref={numbered} />
    </div>
  );
}

/** The right side of a law with numbers for names, and what comes out; `null` where nothing is known. */
function numbersIn(law: NumberedLaw): MathMLElement | null {
  const math = mathOf(law.formula.mathml);
  if (math === null) return null;
  const equals = [...math.children].findIndex((it) => it.localName === "mo" && it.textContent === "=");
  if (equals < 0) return null;
  [...math.children].slice(0, equals).forEach((it) => it.remove());
  let count = 0;
  for (const symbol of math.querySelectorAll("[data-name]")) {
    // What stands in another symbol has gone with it.
    if (!math.contains(symbol)) continue;
    const name = symbol.getAttribute("data-name") ?? "";
    const value = symbol.localName === "msub" && symbol.textContent?.includes("prev") === true ? law.before.get(name) : law.values.get(name);
    const numbers = value === undefined ? null : scalarsOf(value);
    if (numbers === null) continue;
    symbol.replaceWith(numberElement(numbers));
    count += 1;
  }
  if (law.result !== null) {
    const sign = document.createElementNS(MATHML, "mo");
    sign.textContent = "=";
    // One name alone is its value already.
    if (count === 1 && math.children.length === 2) return math;
    math.append(sign, numberElement(law.result));
  }
  return count === 0 && law.result === null ? null : math;
}

/** Up to four numbers of a value as the language writes it; matrices stay names. */
function scalarsOf(text: string): number[] | null {
  const list = /^\[([^[\]]*)\]$/.exec(text.trim());
  const numbers = (list === null ? [text] : (list[1] as string).split(",")).map(Number);
  return numbers.length <= 4 && numbers.every(Number.isFinite) ? numbers : null;
}

function numberElement(numbers: readonly number[]): Element {
  const element = document.createElementNS(MATHML, "mn");
  const texts = brief(numbers);
  element.textContent = texts.length === 1 ? (texts[0] as string).replace(/^−(.*)$/, "(−$1)") : `(${texts.join(", ")})`;
  return element;
}
