// Long lines go on below themselves, indented as deep as they began and a little more, so that blocks keep their shape in a narrow pane.
import { type Extension, RangeSetBuilder } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";

/** What a line begins with before its first word: spaces, and the marks of a comment with theirs. */
const INDENT = /^\s*(?:\/\/ *)?/;
/** Lines of code go on a little deeper than they began; those of comments just below. */
const EXTRA_INDENT = 4;
/** A pane may be narrower than an indentation is deep. */
const MAX_INDENT = 20;

function decorations(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to } of view.visibleRanges) {
    for (let place = from; place <= to; ) {
      const line = view.state.doc.lineAt(place);
      const beginning = INDENT.exec(line.text)?.[0] ?? "";
      const deep = Math.min(MAX_INDENT, beginning.length + (beginning.includes("//") ? 0 : EXTRA_INDENT));
      if (line.text !== "") builder.add(line.from, line.from, Decoration.line({ attributes: { style: `--deep: ${deep}ch` }, class: "cm-hanging" }));
      place = line.to + 1;
    }
  }
  return builder.finish();
}

const hanging = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = decorations(view);
    }

    update(update: ViewUpdate): void {
      if (update.docChanged || update.viewportChanged) this.decorations = decorations(update.view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

export const wrapping: Extension = [
  EditorView.lineWrapping,
  hanging,
  EditorView.baseTheme({ ".cm-line.cm-hanging": { paddingLeft: "calc(var(--deep) + 6px)", textIndent: "calc(-1 * var(--deep))" } }),
];
