// Sentences about the language, as the engine writes them: code stands between backquotes, longer texts have paragraphs, headings,
// lists and examples.
import type { ComponentChildren } from "preact";

export function Markup({ text, long = false }: { text: string; long?: boolean }) {
  if (!long) return <>{inline(text)}</>;
  return <div class="prose">{blocks(text).map((block, k) => <Block key={k} text={block} />)}</div>;
}

/** What is between backquotes is code, between two stars strong. */
function inline(text: string): ComponentChildren[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, k) => {
    if (k % 2 === 0) return part;
    return part.startsWith("`") ? <code key={k}>{part.slice(1, -1)}</code> : <strong key={k}>{part.slice(2, -2)}</strong>;
  });
}

/** Parts of a text: fenced examples, and what empty lines part. */
function blocks(text: string): string[] {
  return text
    .split(/(^```[\s\S]*?^```[ \t]*$)/m)
    .flatMap((part) => (part.startsWith("```") ? [part] : part.split(/\n{2,}/)))
    .map((part) => part.replace(/^\n+|\s+$/g, ""))
    .filter((part) => part !== "");
}

function Block({ text }: { text: string }) {
  if (text.startsWith("```")) return <pre>{text.replace(/^```.*\n?/, "").replace(/\n?```$/, "")}</pre>;
  if (text.split("\n").every((line) => /^(?: {4}|\t)/.test(line))) return <pre>{text.replace(/^(?: {4}|\t)/gm, "")}</pre>;
  const heading = /^#+ (.*)$/.exec(text);
  if (heading !== null) return <h3>{inline(heading[1] ?? "")}</h3>;
  if (/^[-*] /.test(text)) {
    return (
      <ul>
        {text.split(/\n(?=[-*] )/).map((item, k) => (
          <li key={k}>{inline(item.slice(2))}</li>
        ))}
      </ul>
    );
  }
  return <p>{inline(text)}</p>;
}
