// The comment that an experiment begins with, as a caption: a first paragraph that is read, and the rest on request.

export interface Caption {
  /** The first paragraph. */
  lead: string;
  /** What the rest answers: its first sentence, if that is a question. */
  question: string | null;
  /** Paragraphs; formulas that stand in lines of their own are kept as they are. */
  rest: readonly { text: string; isFormula: boolean }[];
  /** Where the comment ends in the text. */
  end: number;
}

/** Lines of a formula stand deeper than words. */
const FORMULA = /^ {2,}/;

export function captionOf(text: string): Caption | null {
  const lines = text.split("\n");
  const count = lines.findIndex((line) => !line.startsWith("//"));
  const comment = lines.slice(0, count < 0 ? lines.length : count).map((line) => line.replace(/^\/\/ ?/, ""));
  if (comment.length === 0) return null;
  const paragraphs: { text: string; isFormula: boolean }[] = [];
  let isNew = true;
  for (const line of comment) {
    const isFormula = FORMULA.test(line);
    const last = paragraphs.at(-1);
    if (line.trim() === "") isNew = true;
    else if (isNew || last === undefined || last.isFormula !== isFormula) {
      paragraphs.push({ text: isFormula ? line.trimEnd() : line.trim(), isFormula });
      isNew = false;
    } else last.text += isFormula ? `\n${line.trimEnd()}` : ` ${line.trim()}`;
  }
  const [lead, ...rest] = paragraphs;
  if (lead === undefined) return null;
  const end = lines.slice(0, comment.length).join("\n").length;
  const question = /^[^.?]*\?/.exec(rest[0]?.text ?? "")?.[0] ?? null;
  const [first, ...others] = rest;
  const answers = question === null || first === undefined ? rest : [{ ...first, text: first.text.slice(question.length).trim() }, ...others];
  return { lead: lead.text, question, rest: answers.filter((it) => it.text !== ""), end };
}
