// One law as mathematics. A click goes to its text.
import { useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../../../strings/index.ts";
import type { Formula } from "../../../wire/types.ts";
import { MathLine, type Point } from "./math_line.tsx";

interface Props {
  formula: Formula;
  /** Its mathematics, with what its block says of it. */
  mathml: string;
  /** The cursor is in its text. */
  current: boolean;
  /** Goes to its text. */
  go: () => void;
  point: Point;
}

export function FormulaLine({ formula, mathml, current, go, point }: Props) {
  const line = useRef<HTMLDivElement>(null);
  // Only the list around it scrolls: `scrollIntoView` would move everything else as well.
  useLayoutEffect(() => {
    const [it, list] = [line.current, line.current?.closest(".strip-body")];
    if (!current || it === null || list === null || list === undefined) return;
    const [own, around] = [it.getBoundingClientRect(), list.getBoundingClientRect()];
    if (own.top < around.top) list.scrollTop += own.top - around.top;
    else if (own.bottom > around.bottom) list.scrollTop += Math.min(own.bottom - around.bottom, own.top - around.top);
  }, [current]);
  return (
    <MathLine
      line={line}
      mathml={mathml}
      text={formula.name}
      label={t("editor.formula", { name: formula.name })}
      block={formula.block}
      point={point}
      breaks="narrow"
      place={{ current, title: t("editor.go_to_law"), go }}
    />
  );
}
