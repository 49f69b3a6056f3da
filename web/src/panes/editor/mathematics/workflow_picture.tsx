// A workflow as a small picture: what comes one after the other stands side by side with arrows, what goes on at the same time stands on
// top of each other between bars.
import type { ComponentChildren } from "preact";
import type { Lab } from "../../../lab/lab.ts";
import { t } from "../../../strings/index.ts";
import { grouped } from "./laws.ts";

export type Flow = { readonly kind: "rule"; readonly name: string } | { readonly kind: "seq" | "par"; readonly parts: readonly Flow[] };

/** Reads `seq(kick, par(a, b))`; `null` if it is something else. */
export function flowOf(text: string): Flow | null {
  const tokens = text.match(/[A-Za-z_]\w*|[(),]/g) ?? [];
  let at = 0;
  const flow = (): Flow | null => {
    const name = tokens[at++];
    if (name === undefined || !/^\w/.test(name)) return null;
    if (tokens[at] !== "(") return { kind: "rule", name };
    if (name !== "seq" && name !== "par") return null;
    at += 1;
    const parts: Flow[] = [];
    while (tokens[at] !== ")") {
      const part = flow();
      if (part === null) return null;
      parts.push(part);
      if (tokens[at] === ",") at += 1;
      else if (tokens[at] !== ")") return null;
    }
    at += 1;
    return { kind: name, parts };
  };
  return flow();
}

/** All workflows of a text, each of its simulation. */
export function workflowsOf(text: string): Flow[] {
  const plain = text.replace(/\/\*[^]*?\*\/|\/\/[^\n]*/g, "");
  const found: Flow[] = [];
  for (const { index, 0: whole } of plain.matchAll(/\bworkflow\s*=\s*(?=(?:seq|par)\s*\()/g)) {
    const start = index + whole.length;
    let [end, depth] = [start, 0];
    do {
      while (end < plain.length && !"()".includes(plain[end] as string)) end++;
      depth += plain[end] === "(" ? 1 : -1;
      end++;
    } while (depth > 0 && end < plain.length);
    const flow = flowOf(plain.slice(start, end));
    if (flow !== null) found.push(flow);
  }
  return found;
}

/** The same in words, for who does not see it. */
export function wordsOf(flow: Flow): string {
  if (flow.kind === "rule") return flow.name;
  const parts = flow.parts.map((it) => (it.kind === "rule" ? it.name : `(${wordsOf(it)})`));
  return parts.join(t(flow.kind === "seq" ? "editor.flow_then" : "editor.flow_with"));
}

export function WorkflowPictures({ lab }: { lab: Lab }) {
  const formulas = lab.checked.value?.formulas ?? [];
  const rules = new Map(grouped(formulas).map((it) => [it.block, it.formulas[0]?.start]));
  const go = (name: string) => {
    const start = rules.get(name);
    if (start !== undefined) lab.place.value = { start, end: start };
  };
  return (
    <>
      {workflowsOf(lab.text.value).map((flow, k) => (
        <section key={k} class="law-block workflow" aria-label={`${t("editor.workflow")}: ${wordsOf(flow)}`}>
          <h2>{t("editor.workflow")}</h2>
          <Picture flow={flow} go={go} />
        </section>
      ))}
    </>
  );
}

function Picture({ flow, go }: { flow: Flow; go: (name: string) => void }): ComponentChildren {
  if (flow.kind === "rule") {
    return (
      <button type="button" class="flow-rule" onClick={() => go(flow.name)}>
        {flow.name}
      </button>
    );
  }
  return (
    <span class={`flow-${flow.kind}`}>
      {flow.parts.map((it, k) => (
        <span key={k} class="flow-part">
          {k > 0 && flow.kind === "seq" && (
            <span class="flow-arrow" aria-hidden="true">
              →
            </span>
          )}
          <Picture flow={it} go={go} />
        </span>
      ))}
    </span>
  );
}
