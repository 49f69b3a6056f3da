// Two texts as one list of lines: what only one of them has, and a few lines around it.
import { useMemo } from "preact/hooks";
import { hunks, linesOf } from "../../lab/saving/lines.ts";
import { t } from "../../strings/index.ts";

/** How many equal lines are shown around a difference. */
const AROUND = 3;
/** Most lines that are shown. */
const MOST = 1000;

interface Row {
  kind: "same" | "before" | "after" | "gap";
  text: string;
}

/** The rows of two texts; none if they are equal. */
export function rowsOf(before: string, after: string): Row[] {
  const [a, b] = [linesOf(before), linesOf(after)];
  const found = hunks(a, b);
  const rows: Row[] = [];
  const same = (lines: string[]) => rows.push(...lines.map((text) => ({ kind: "same" as const, text })));
  let at = 0;
  for (const [k, hunk] of found.entries()) {
    const [head, tail] = [at + (k === 0 ? 0 : AROUND), hunk.from - AROUND];
    // A gap is worth a row if it hides more than one.
    if (tail - head > 1) {
      same(a.slice(at, head));
      rows.push({ kind: "gap", text: t("saving.diff_gap", { count: tail - head }) });
      same(a.slice(tail, hunk.from));
    } else same(a.slice(at, hunk.from));
    rows.push(...a.slice(hunk.from, hunk.to).map((text) => ({ kind: "before" as const, text })));
    rows.push(...b.slice(hunk.start, hunk.end).map((text) => ({ kind: "after" as const, text })));
    at = hunk.to;
  }
  if (found.length === 0) return [];
  same(a.slice(at, at + AROUND));
  const rest = a.length - at - AROUND;
  if (rest > 0) rows.push({ kind: "gap", text: t("saving.diff_gap", { count: rest }) });
  return rows;
}

const SIGNS = { same: " ", before: "−", after: "+", gap: "⋯" } as const;

/** `names` says what the texts are: lines with − are of the first, lines with + of the second. */
export function Diff({ before, after, names }: { before: string; after: string; names: { before: string; after: string } }) {
  const rows = useMemo(() => rowsOf(before, after), [before, after]);
  if (rows.length === 0) return <p class="quiet">{t("saving.diff_same")}</p>;
  const more = rows.length - MOST;
  return (
    <div class="diff">
      <p class="diff-names" aria-hidden="true">
        <span class="before">− {names.before}</span> <span class="after">+ {names.after}</span>
      </p>
      <div class="diff-lines" role="region" aria-label={t("saving.diff")} tabIndex={0} data-keys="own">
        {rows.slice(0, MOST).map((row, k) => (
          <div key={k} class={row.kind}>
            <span class="sign" aria-hidden="true">
              {SIGNS[row.kind]}
            </span>
            {(row.kind === "before" || row.kind === "after") && <span class="unseen">{t("saving.diff_only", { name: names[row.kind] })}</span>}
            <span class="line">{row.text}</span>
          </div>
        ))}
        {more > 0 && <div class="gap">{t("saving.diff_more", { count: more })}</div>}
      </div>
    </div>
  );
}
