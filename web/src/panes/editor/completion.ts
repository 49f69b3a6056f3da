// What the engine knows about a place of the text: what can stand there, and what stands there.
import { autocompletion, type Completion as Option, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import type { Extension } from "@codemirror/state";
import { type EditorView, hoverTooltip, type Tooltip } from "@codemirror/view";
import { t } from "../../strings/index.ts";
import type { Completion, Reply } from "../../wire/types.ts";
import { blockNameAt } from "./mathematics/laws.ts";
import { numberAt, turnable } from "./numbers.ts";
import { followValue, sentence } from "./mathematics/symbol_values.ts";
import type { ExperimentDocument } from "./document.ts";

type Of<T extends Reply["type"]> = Extract<Reply, { type: T }>;

/** Kinds of the engine as kinds of icons. */
const ICONS: Readonly<Record<string, string>> = {
  key: "property",
  value: "constant",
  attribute: "variable",
  function: "function",
  native: "function",
  object: "class",
  context: "namespace",
  keyword: "keyword",
  file: "text",
};

export function completion(experiment: ExperimentDocument): Extension {
  return autocompletion({
    override: [(context) => complete(experiment, context)],
    icons: true,
    // The engine gives the best first; letters that fit decide before that.
    compareCompletions: () => 0,
  });
}

async function complete(experiment: ExperimentDocument, context: CompletionContext): Promise<CompletionResult | null> {
  if (!context.explicit && context.matchBefore(/[A-Za-z_]\w*/) === null) return null;
  const { lab } = experiment;
  experiment.flush();
  try {
    const answer = (await lab.client.request({ type: "complete", revision: lab.revision, at: context.pos })) as Of<"completions">;
    if (context.aborted || answer.items.length === 0) return null;
    return { from: answer.start, to: answer.end, options: answer.items.map(option), validFor: /^\w*$/ };
  } catch {
    // Nothing is offered; typing goes on.
    return null;
  }
}

function option(item: Completion, place: number): Option {
  const option: Option = { label: item.label, type: ICONS[item.kind] ?? "text", detail: item.detail, boost: Math.max(-99, 99 - place) };
  if (item.insert === item.label) return option;
  option.apply = (view, _, from, to) => {
    // A bracket that opens gets the one that closes, with the cursor between them.
    const closes = item.insert.endsWith("(") && view.state.sliceDoc(to, to + 1) !== "(";
    const insert = closes ? `${item.insert})` : item.insert.replace(/\($/, "");
    const cursor = from + (closes ? item.insert.length : insert.length);
    view.dispatch({ changes: { from, to, insert }, selection: { anchor: cursor }, userEvent: "input.complete", scrollIntoView: true });
  };
  return option;
}

export function hovering(experiment: ExperimentDocument, makeSlider: (view: EditorView, place: number) => void): Extension {
  return hoverTooltip(async (view, place): Promise<Tooltip | null> => {
    const number = numberAt(experiment, place);
    const told = await hovered(experiment, place);
    const start = number?.start ?? told?.start;
    const end = number?.end ?? told?.end;
    if (start === undefined || end === undefined) return null;
    return {
      pos: start,
      end,
      above: true,
      create: () => {
        const dom = document.createElement("div");
        dom.className = "editor-hover";
        for (const line of told?.text.split("\n") ?? []) paragraph(dom, line);
        if (number !== null) paragraph(dom, number.label);
        const release = number === null ? showValue(experiment, start, view.state.sliceDoc(start, end), dom) : undefined;
        if (number !== null && turnable(number)) {
          const button = document.createElement("button");
          button.type = "button";
          button.textContent = t("editor.make_slider");
          button.addEventListener("click", () => makeSlider(view, number.start));
          dom.append(button);
        }
        return { dom, ...(release === undefined ? {} : { destroy: release }) };
      },
    };
  });
}

function paragraph(parent: HTMLElement, text: string): HTMLElement {
  const line = document.createElement("p");
  line.textContent = text;
  parent.append(line);
  return line;
}

/** What a name is worth at the moment, as long as the tooltip is there. */
function showValue(experiment: ExperimentDocument, place: number, name: string, parent: HTMLElement): (() => void) | undefined {
  if (!/^[A-Za-z_]\w*$/.test(name)) return undefined;
  const line = paragraph(parent, "");
  line.className = "editor-hover-value number";
  line.hidden = true;
  return followValue(experiment.lab, name, blockNameAt(experiment, place), (found) => {
    line.hidden = found === null;
    line.textContent = found === null ? "" : sentence(name, found);
  });
}

async function hovered(experiment: ExperimentDocument, place: number): Promise<Of<"hovered"> | null> {
  const { lab } = experiment;
  experiment.flush();
  try {
    const answer = (await lab.client.request({ type: "hover", revision: lab.revision, at: place })) as Of<"hovered">;
    return answer.text === "" ? null : answer;
  } catch {
    return null;
  }
}
