// Where the blocks of a text begin and end, found by counting braces: for folding, and to know which block the cursor is in.
import { foldService } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";

/** A pair of braces and the words before it: `measure apex {…}`. */
export interface Block {
  /** Where its first word begins; outside of blocks, the place after what came before. */
  from: number;
  /** Where its brace opens. */
  open: number;
  /** One past the brace that closes it; the end of the text if none does. */
  to: number;
  depth: number;
}

/** Comments and strings, whose braces do not count; line breaks end a string, as the language has it. */
const SKIPPED = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"[^"\n]*"?|[{}]|[^\s{}"/]+|\//g;

/** All blocks of a text, outer ones before those inside. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  const open: Block[] = [];
  let words: number | null = null;
  for (const found of text.matchAll(SKIPPED)) {
    const [piece] = found;
    const at = found.index;
    if (piece.startsWith("//") || piece.startsWith("/*")) continue;
    if (piece === "{") {
      const block: Block = { from: words ?? at, open: at, to: text.length, depth: open.length };
      blocks.push(block);
      open.push(block);
      words = null;
    } else if (piece === "}") {
      const block = open.pop();
      if (block !== undefined) block.to = at + 1;
      words = null;
    } else words ??= at;
  }
  return blocks;
}

/** The outermost block around a place. */
export function blockAt(blocks: readonly Block[], place: number): Block | null {
  return blocks.find((block) => block.depth === 0 && block.from <= place && place <= block.to) ?? null;
}

let last: { text: EditorState["doc"]; blocks: Block[] } | null = null;

/** The blocks of a document; the last answer is kept, because folding asks for every line that is seen. */
export function blocksIn(state: EditorState): Block[] {
  if (last?.text !== state.doc) last = { text: state.doc, blocks: blocksOf(state.doc.toString()) };
  return last.blocks;
}

/** Blocks that go over several lines can be folded at the line of their brace. */
export const folding = foldService.of((state, lineStart, lineEnd) => {
  const block = blocksIn(state).find((it) => lineStart <= it.open && it.open <= lineEnd && it.to - 1 > lineEnd);
  return block === undefined ? null : { from: block.open + 1, to: block.to - 1 };
});
