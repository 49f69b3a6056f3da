// Laws by block, as mathematics, with the value of whatever symbol is pointed at.
import { computed, useComputed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Lab } from "../../../lab/lab.ts";
import { t } from "../../../strings/index.ts";
import type { Formula } from "../../../wire/types.ts";
import { activeContexts } from "./active_contexts.ts";
import { FormulaLine } from "./formula.tsx";
import "./mathematics.css";
import { type Group, grouped } from "./laws.ts";
import { marked } from "./marks.ts";
import type { Point } from "./math_line.tsx";
import { subject } from "./symbol_values.ts";
import { ValueBubble } from "./value_bubble.ts";
import type { ExperimentDocument } from "../document.ts";

interface Props {
  experiment: ExperimentDocument;
  formulas: readonly Formula[];
  /** Whether blocks have headings. */
  titled: boolean;
  /** What stands under the laws of a block. */
  under?: (group: Group, point: Point) => ComponentChildren;
}

export function Formulas({ experiment, formulas, titled, under }: Props) {
  const { lab } = experiment;
  const bubble = useRef<HTMLDivElement>(null);
  const said = useRef<HTMLParagraphElement>(null);
  const values = useRef<ValueBubble | null>(null);
  useEffect(() => {
    if (bubble.current === null || said.current === null) return undefined;
    const made = new ValueBubble(lab, bubble.current, said.current);
    values.current = made;
    return () => made.hide();
  }, [lab]);
  const force = useInForce(lab);
  const at = useComputed(() => experiment.cursor.value).value;
  const point: Point = (symbol, block) => values.current?.point(symbol, block);
  return (
    <div class="law-list">
      {grouped(formulas).map((group) => {
        const { block, kind, formulas } = group;
        const holds = kind === "context" && force.includes(block);
        return (
          <section key={`${kind} ${block}`} class={holds ? "law-block in-force" : "law-block"} aria-label={`${kind} ${block}`}>
            {titled && (
              <h2>
                <span class="law-kind">{kind}</span> {block}
                {holds && <InForce lab={lab} />}
              </h2>
            )}
            {formulas.map((formula, k) => (
              <FormulaLine
                key={k}
                formula={formula}
                mathml={marked(formula, experiment.text)}
                current={formula.start <= at && at <= formula.end}
                go={() => (lab.place.value = { start: formula.start, end: formula.end })}
                point={point}
              />
            ))}
            {under?.(group, point)}
          </section>
        );
      })}
      <div class="value-bubble number" ref={bubble} hidden />
      <p class="unseen" role="status" ref={said} />
    </div>
  );
}

/** The contexts in force for whom the laws are looked at. As one text, so that nothing is drawn again before it changes. */
export function useInForce(lab: Lab): readonly string[] {
  const force = useMemo(() => computed(() => activeContexts(lab, subject(lab)).join("\n")), [lab]);
  return force.value.split("\n");
}

export function InForce({ lab }: { lab: Lab }) {
  return <span class="badge in-force-badge">{t("editor.in_force", { name: subject(lab) ?? "" })}</span>;
}
