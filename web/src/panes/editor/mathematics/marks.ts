// What a formula does not say by itself, and its block does: a rule that only adds adds up, and a measure of several objects is their sum.
import type { Formula } from "../../../wire/types.ts";
import { blockAt, blocksOf } from "../blocks.ts";

/** Names in a list of the text: `adds = {balance, v}`. */
function listed(block: string, key: string): string[] {
  const found = new RegExp(`(?:^|[\\s{])${key}\\s*=\\s*\\{([^{}]*)\\}`).exec(block);
  return (found?.[1] ?? "").split(",").map((it) => it.trim()).filter((it) => it !== "");
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[^]*?\*\/|\/\/[^\n]*/g, "");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const EQUALS = "<mo>=</mo>";
/** Objects that stand under a sum sign; of more, their number. */
const MAX_NAMES = 3;

/** The mathematics of a formula, with what its block says of it. */
export function marked(formula: Formula, text: string): string {
  const { mathml, block_kind, name } = formula;
  const at = mathml.indexOf(EQUALS);
  if (at < 0 || (block_kind !== "rule" && block_kind !== "measure")) return mathml;
  const around = blockAt(blocksOf(text), formula.start);
  if (around === null) return mathml;
  const block = withoutComments(text.slice(around.from, around.to));
  if (block_kind === "rule") return listed(block, "adds").includes(name) ? mathml.replace(EQUALS, "<mo>+=</mo>") : mathml;
  const objects = listed(block, "of");
  // Bounds of a measure stand in its block too: the value alone is a sum.
  const isValue = /^\s*value\s*=/.test(text.slice(formula.start, formula.end)) || /value\s*=\s*$/.test(text.slice(0, formula.start));
  if (objects.length < 2 || !isValue) return mathml;
  const under = objects.length <= MAX_NAMES ? objects.map((it) => `<mi mathvariant="normal">${escaped(it)}</mi>`).join("<mo>,</mo>") : `<mn>${objects.length}</mn>`;
  const right = mathml.slice(at + EQUALS.length).replace(/<\/math>\s*$/, "");
  // A sum of terms needs brackets behind its sign.
  const isSum = /<\/(?:mi|mrow|msup|msub|mn|mfrac)><mo[^>]*>[+−]<\/mo>/.test(withoutRows(right));
  const inner = isSum ? `<mrow><mo fence="true" form="prefix">(</mo>${right}<mo fence="true" form="postfix">)</mo></mrow>` : right;
  return `${mathml.slice(0, at + EQUALS.length)}<munder><mo largeop="true" movablelimits="false">∑</mo><mrow>${under}</mrow></munder>${inner}</math>`;
}

/** What stands outside of rows and fractions, each of which becomes an empty one. */
function withoutRows(mathml: string): string {
  let before = "";
  let now = mathml;
  while (now !== before) {
    before = now;
    now = now.replace(/<(mrow|mfrac|msup|msub|msubsup|msqrt|mover|munder|mtable)\b[^>]*>(?:(?!<(?:mrow|mfrac|msup|msub|msubsup|msqrt|mover|munder|mtable)\b)[^])*?<\/\1>/g, "<mi/></mi>");
  }
  return now;
}
