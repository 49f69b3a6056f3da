// The editor, put together: what it understands, what it offers, its keys.
import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { forEachDiagnostic, lintGutter, lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import { drawSelection, dropCursor, EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers, tooltips } from "@codemirror/view";
import { tagHighlighter, tags } from "@lezer/highlight";
import { t } from "../../strings/index.ts";
import { completion, hovering } from "./completion.ts";
import { folding } from "./blocks.ts";
import { inlineSliders, makeSlider } from "./inline_slider.tsx";
import { experimentLanguage } from "./language.ts";
import { numberSelection } from "./numbers.ts";
import { namedFolds } from "./opening_folds.ts";
import { tryMark } from "./try_mark.ts";
import { editorStrings } from "./editor_strings.ts";
import { theme } from "./theme.ts";
import { wrapping } from "./wrapping.ts";
import type { ExperimentDocument } from "./document.ts";

/** The width of an indentation. */
const UNIT = 4;

/** `description` is the id of the element that says how to leave the editor by keyboard. */
export function setup(experiment: ExperimentDocument, description: string): Extension {
  const { lab } = experiment;
  let natives: { of: unknown; names: ReadonlySet<string> } = { of: null, names: new Set() };
  const known = () => {
    const words = lab.words.peek();
    if (natives.of !== words) natives = { of: words, names: new Set(words.filter((it) => it.kind === "native").map((it) => it.name)) };
    return natives.names;
  };
  return [
    EditorState.phrases.of(editorStrings()),
    EditorState.tabSize.of(UNIT),
    indentUnit.of(" ".repeat(UNIT)),
    EditorView.contentAttributes.of({ "aria-label": t("editor.label"), "aria-describedby": description, tabindex: "0", spellcheck: "false", autocorrect: "off", autocapitalize: "off" }),
    lineNumbers(),
    lintGutter(),
    foldGutter(),
    namedFolds,
    tryMark,
    folding,
    highlightSpecialChars(),
    drawSelection(),
    dropCursor(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSelectionMatches({ minSelectionLength: 2 }),
    search(),
    experimentLanguage(known),
    syntaxHighlighting(tagHighlighter([{ tag: tags.number, class: "tok-number" }])),
    completion(experiment),
    hovering(experiment, (view, place) => void makeSlider(experiment, view, place)),
    numberSelection,
    inlineSliders(experiment),
    // Tooltips may stand out over the neighbours of the pane.
    tooltips({ position: "fixed", parent: document.body }),
    wrapping,
    keymap.of([
      { key: "Mod-s", run: save, preventDefault: true },
      { key: "Alt-Enter", run: (view) => makeSlider(experiment, view, view.state.selection.main.head) || true },
      { key: "Mod-.", run: (view) => mend(view) },
      ...closeBracketsKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...completionKeymap,
      ...lintKeymap,
      indentWithTab,
      ...defaultKeymap,
    ]),
    theme,
  ];
}

/** Whoever keeps experiments listens for this. */
function save(): boolean {
  document.dispatchEvent(new CustomEvent("gedanken-save"));
  return true;
}

/** Applies the way out of the problem at the cursor, or else of the first problem that has one. */
function mend(view: EditorView): boolean {
  const { head } = view.state.selection.main;
  let nearest: { distance: number; apply: () => void } | null = null;
  forEachDiagnostic(view.state, (diagnostic, from, to) => {
    const action = diagnostic.actions?.[0];
    const distance = from <= head && head <= to ? 0 : Math.min(Math.abs(from - head), Math.abs(to - head));
    if (action === undefined || (nearest !== null && nearest.distance <= distance)) return;
    nearest = { distance, apply: () => action.apply(view, from, to) };
  });
  const found = nearest as { apply: () => void } | null;
  found?.apply();
  return found !== null;
}
