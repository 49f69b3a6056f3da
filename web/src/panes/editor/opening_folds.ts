// What is folded when an experiment is opened: the comment at its beginning, which stands over the text as a caption, and, in experiments
// of the gallery, the objects. Laws and numbers of the world come into sight.
import { codeFolding, foldEffect } from "@codemirror/language";
import type { EditorState, Extension, StateEffect } from "@codemirror/state";
import { blocksIn } from "./blocks.ts";
import { captionOf } from "./caption.ts";

/** Letters of the comment that stay. */
const KEPT = 34;

interface Range {
  from: number;
  to: number;
}

/** The part of the first comment that is folded: all but its first words. */
export function headerRange(text: string): Range | null {
  const caption = captionOf(text);
  if (caption === null || caption.end <= KEPT + 10) return null;
  const space = text.lastIndexOf(" ", KEPT);
  return { from: space > 3 ? space : KEPT, to: caption.end };
}

/** Effects that fold an experiment as it is opened. */
export function openingFolds(state: EditorState, foldsObjects: boolean): StateEffect<Range>[] {
  const header = headerRange(state.doc.toString());
  const objects = foldsObjects ? blocksIn(state).filter((it) => it.depth === 0 && /^object\b/.test(state.sliceDoc(it.from, it.open))) : [];
  const ranges = [...(header === null ? [] : [header]), ...objects.map((it) => ({ from: it.open + 1, to: it.to - 1 })).filter((it) => it.to > it.from)];
  return ranges.map((range) => foldEffect.of(range));
}

/** A folded block shows its name. */
export const namedFolds: Extension = codeFolding({
  preparePlaceholder: (state, { from, to }) => /^\s*name = (\S+)/m.exec(state.sliceDoc(from, to))?.[1] ?? "…",
  placeholderDOM: (_, onclick, name: string) => {
    const element = document.createElement("span");
    element.className = "cm-foldPlaceholder";
    element.textContent = name === "…" ? " … ▸" : ` ${name} ▸ `;
    element.onclick = onclick;
    return element;
  },
});
