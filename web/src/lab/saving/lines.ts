// The difference of two texts by lines: the shortest one, found as Myers describes (An O(ND) difference algorithm, 1986).

/** Lines `from` to `to` of one text stand where lines `start` to `end` of the other stand; ends are not included. */
export interface Hunk {
  from: number;
  to: number;
  start: number;
  end: number;
}

/** Most lines that are taken away and added before texts count as different throughout: it bounds time and memory. */
const MAX_EDITS = 1000;

/** The lines of a text; `join("\n")` makes the text of them again. */
export function linesOf(text: string): string[] {
  return text.split("\n");
}

/** All differences, in order. Between two of them stands at least one line that both texts have. */
export function hunks(before: readonly string[], after: readonly string[]): Hunk[] {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  const a = before.slice(head, before.length - tail);
  const b = after.slice(head, after.length - tail);
  if (a.length === 0 && b.length === 0) return [];
  const same = a.length === 0 || b.length === 0 ? [] : matches(a, b);
  const found: Hunk[] = [];
  let [x, y] = [0, 0];
  for (const [nextX, nextY] of [...same, [a.length, b.length] as const]) {
    if (nextX > x || nextY > y) found.push({ from: head + x, to: head + nextX, start: head + y, end: head + nextY });
    [x, y] = [nextX + 1, nextY + 1];
  }
  return found;
}

/** Pairs of equal lines, in order; none if the texts differ too much. */
function matches(a: readonly string[], b: readonly string[]): (readonly [number, number])[] {
  const most = Math.min(a.length + b.length, MAX_EDITS);
  const middle = most + 1;
  // `furthest[middle + k]`: how far in `a` one comes on the diagonal x - y = k.
  const furthest = new Int32Array(2 * most + 3);
  const rounds: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits++) {
    rounds.push(furthest.slice());
    for (let k = -edits; k <= edits; k += 2) {
      let x = begin(furthest, middle, edits, k).x;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
      furthest[middle + k] = x;
      if (x >= a.length && x - k >= b.length) return back(rounds, middle, a.length, b.length);
    }
  }
  return [];
}

/** From where a diagonal is entered in a round, and at which place of `a`. */
function begin(furthest: Int32Array, middle: number, edits: number, k: number): { from: number; x: number } {
  const [below, above] = [furthest[middle + k - 1] ?? 0, furthest[middle + k + 1] ?? 0];
  return k === -edits || (k !== edits && below < above) ? { from: k + 1, x: above } : { from: k - 1, x: below + 1 };
}

function back(rounds: readonly Int32Array[], middle: number, endX: number, endY: number): (readonly [number, number])[] {
  const found: (readonly [number, number])[] = [];
  let [x, y] = [endX, endY];
  for (let edits = rounds.length - 1; edits >= 0; edits--) {
    const round = rounds[edits];
    if (round === undefined) break;
    const entered = begin(round, middle, edits, x - y);
    const start = edits === 0 ? 0 : entered.x;
    while (x > start) {
      x -= 1;
      y -= 1;
      found.push([x, y]);
    }
    if (edits === 0) break;
    x = round[middle + entered.from] ?? 0;
    y = x - entered.from;
  }
  return found.reverse();
}
