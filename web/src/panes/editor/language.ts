// The colours of the language: a reader of one line at a time, which knows words by what stands around them.
//
// It need not understand the text, only tell comments, numbers, names of keys and natives apart while the text is half typed;
// what the text means, the engine says.
import { HighlightStyle, LanguageSupport, StreamLanguage, type StringStream, syntaxHighlighting } from "@codemirror/language";
import { tags } from "@lezer/highlight";

interface Reading {
  comment: boolean;
  /** How many braces are open. */
  depth: number;
  /** How many parentheses and square brackets are open. */
  nested: number;
  /** The next word is the name of a block: `measure apex`. */
  named: boolean;
}

const OPENERS = /^(?:world[ _]attributes|object|context|simulation|measure|rule|event|force|potential|constraint|joint|material|lagrangian)\b/;
const CONTROL = /^(?:if|then|else|import|export)$/;
/** Words that join the parts of aliases and of what a context applies to. */
const JOINING = /^(?:use|as|attribute|of|with|index|mandatory|and)$/;
const GIVEN = /^(?:t|dt|previous|collisionNormal|collisionPoint|VFLangNative)$/;
/** A key at the beginning of a line may have several words; one inside a line has one. */
const KEY_OF_LINE = /^[A-Za-z_]\w*(?:[ \t]+[A-Za-z_]\w*)*(?='?[ \t]*(?:\([^()=]*\)[ \t]*)?=(?!=))/;
const KEY = /^[A-Za-z_]\w*(?='?[ \t]*(?:\([^()=]*\)[ \t]*)?=(?!=))/;
const NUMBER = /^(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?/;

export function experimentLanguage(natives: () => ReadonlySet<string>): LanguageSupport {
  const word = (found: string): string => {
    if (CONTROL.test(found)) return "controlKeyword";
    if (found === "true" || found === "false") return "bool";
    if (GIVEN.test(found)) return "given";
    if (natives().has(found)) return "native";
    return JOINING.test(found) ? "joining" : "variableName";
  };

  const token = (stream: StringStream, reading: Reading): string | null => {
    if (reading.comment) {
      if (stream.skipTo("*/")) {
        stream.match("*/");
        reading.comment = false;
      } else stream.skipToEnd();
      return "comment";
    }
    if (stream.eatSpace()) return null;
    if (stream.match("//")) {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.match("/*")) {
      reading.comment = true;
      return "comment";
    }
    if (stream.match(/^"[^"]*"?/)) return "string";
    if (stream.match(NUMBER)) return "number";
    if (reading.depth === 0 && stream.match(OPENERS)) {
      reading.named = true;
      return "opener";
    }
    const begins = stream.string.slice(0, stream.pos).trim() === "";
    if (reading.nested === 0 && stream.match(begins ? KEY_OF_LINE : KEY)) return "key";
    const found = stream.match(/^[A-Za-z_]\w*/) as RegExpMatchArray | null;
    if (found !== null) {
      if (!reading.named) return word(found[0]);
      reading.named = false;
      return "blockName";
    }
    const sign = stream.next();
    if (sign === "{") {
      reading.depth += 1;
      reading.named = false;
    } else if (sign === "}") {
      reading.depth = Math.max(0, reading.depth - 1);
      // A bracket that was never closed shall not spoil the rest of the text.
      reading.nested = 0;
    } else if (sign === "(" || sign === "[") reading.nested += 1;
    else if (sign === ")" || sign === "]") reading.nested = Math.max(0, reading.nested - 1);
    else return "operator";
    return "bracket";
  };

  const language = StreamLanguage.define<Reading>({
    name: "experiment",
    startState: () => ({ comment: false, depth: 0, nested: 0, named: false }),
    copyState: (reading) => ({ ...reading }),
    token,
    indent: (reading, textAfter, { unit }) => {
      if (reading.comment) return null;
      const closes = /^\s*\}/.test(textAfter) ? 1 : 0;
      return Math.max(0, reading.depth - closes) * unit + (reading.nested > 0 ? unit : 0);
    },
    tokenTable: {
      key: tags.definition(tags.propertyName),
      opener: tags.definitionKeyword,
      blockName: tags.definition(tags.typeName),
      native: tags.standard(tags.function(tags.variableName)),
      given: tags.special(tags.variableName),
      joining: tags.operatorKeyword,
    },
    languageData: {
      commentTokens: { line: "//", block: { open: "/*", close: "*/" } },
      closeBrackets: { brackets: ["(", "[", "{", '"'] },
      indentOnInput: /^\s*\}$/,
    },
  });
  return new LanguageSupport(language, syntaxHighlighting(colours));
}

const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--ink-soft)", fontStyle: "italic" },
  { tag: tags.definitionKeyword, color: "var(--q-purple)", fontWeight: "600" },
  { tag: tags.definition(tags.typeName), color: "var(--ink)", fontWeight: "600" },
  { tag: [tags.controlKeyword, tags.operatorKeyword], color: "var(--q-purple)" },
  { tag: tags.definition(tags.propertyName), color: "var(--q-blue)" },
  { tag: [tags.number, tags.bool], color: "var(--q-vermilion)" },
  { tag: tags.string, color: "var(--q-orange)" },
  { tag: tags.standard(tags.function(tags.variableName)), color: "var(--q-green)" },
  { tag: tags.special(tags.variableName), color: "var(--q-sky)" },
  { tag: [tags.operator, tags.bracket], color: "var(--ink-soft)" },
]);
