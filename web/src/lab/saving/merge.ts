// Two texts that came from one, put together by lines. What only one side changed is taken; what both changed, or changed next to
// each other, is left for the user to decide, marked so that it cannot run by accident.
import { type Hunk, hunks, linesOf } from "./lines.ts";

/** Words of the marks. */
export interface Marks {
  mine: string;
  theirs: string;
  end: string;
}

export interface Merged {
  text: string;
  /** How many places are marked. */
  conflicts: number;
}

/** Begins the first mark of a place that is to be decided. */
export const MARK = "<<<<<<<";

interface Side {
  lines: readonly string[];
  hunks: readonly Hunk[];
}

export function merge(base: string, mine: string, theirs: string, marks: Marks): Merged {
  const common = linesOf(base);
  const side = (text: string): Side => {
    const lines = linesOf(text);
    return { lines, hunks: hunks(common, lines) };
  };
  const [a, b] = [side(mine), side(theirs)];
  const merged: string[] = [];
  let [i, j, at, conflicts] = [0, 0, 0, 0];
  while (i < a.hunks.length || j < b.hunks.length) {
    const [i0, j0] = [i, j];
    const from = Math.min(a.hunks[i]?.from ?? Infinity, b.hunks[j]?.from ?? Infinity);
    let to = from;
    // A region grows as long as a change of either side touches it.
    for (let grows = true; grows; ) {
      grows = false;
      for (let next = a.hunks[i]; next !== undefined && next.from <= to; next = a.hunks[i]) [to, i, grows] = [Math.max(to, next.to), i + 1, true];
      for (let next = b.hunks[j]; next !== undefined && next.from <= to; next = b.hunks[j]) [to, j, grows] = [Math.max(to, next.to), j + 1, true];
    }
    merged.push(...common.slice(at, from));
    const own = region(a, i0, i, from, to);
    const other = region(b, j0, j, from, to);
    if (own === null || other === null) merged.push(...(own ?? other ?? []));
    else conflicts += decide(merged, own, other, marks);
    at = to;
  }
  merged.push(...common.slice(at));
  return { text: merged.join("\n"), conflicts };
}

/** The lines of a side that stand for the common lines `from` to `to`; `null` if it did not change them. */
function region(side: Side, first: number, last: number, from: number, to: number): readonly string[] | null {
  const [begin, end] = [side.hunks[first], side.hunks[last - 1]];
  if (last === first || begin === undefined || end === undefined) return null;
  return side.lines.slice(begin.start - (begin.from - from), end.end + (to - end.to));
}

/** Adds what both sides have in common, and marks the rest. Gives the number of marked places. */
function decide(merged: string[], mine: readonly string[], theirs: readonly string[], marks: Marks): number {
  const most = Math.min(mine.length, theirs.length);
  let head = 0;
  while (head < most && mine[head] === theirs[head]) head += 1;
  let tail = 0;
  while (tail < most - head && mine[mine.length - 1 - tail] === theirs[theirs.length - 1 - tail]) tail += 1;
  merged.push(...mine.slice(0, head));
  const differ = head + tail < mine.length || head + tail < theirs.length;
  if (differ) {
    merged.push(`${MARK} ${marks.mine}`, ...mine.slice(head, mine.length - tail));
    merged.push(`======= ${marks.theirs}`, ...theirs.slice(head, theirs.length - tail));
    merged.push(`>>>>>>> ${marks.end}`);
  }
  merged.push(...mine.slice(mine.length - tail));
  return differ ? 1 : 0;
}

/** How many places of a text are still marked. */
export function marked(text: string): number {
  return linesOf(text).filter((line) => line.startsWith(`${MARK} `)).length;
}
