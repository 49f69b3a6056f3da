// Lines that differ, texts that are merged, drafts that are too many: the rules, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type DraftInfo, fileOf, originOf, surplus } from "../src/lab/saving/draft_rules.ts";
import { hunks, linesOf } from "../src/lab/saving/lines.ts";
import { marked, merge } from "../src/lab/saving/merge.ts";

const MARKS = { mine: "mine", theirs: "theirs", end: "end" };

/** Numbers that are the same in every run. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * sides);
  };
}

function randomLines(roll: (sides: number) => number, most: number): string[] {
  return Array.from({ length: roll(most) }, () => "abcd"[roll(4)] as string);
}

/** The length of the longest common subsequence, by the table that everybody knows. */
function common(a: readonly string[], b: readonly string[]): number {
  const table = a.map(() => b.map(() => 0));
  const at = (i: number, j: number) => table[i]?.[j] ?? 0;
  for (let i = 0; i < a.length; i++) for (let j = 0; j < b.length; j++) (table[i] as number[])[j] = a[i] === b[j] ? at(i - 1, j - 1) + 1 : Math.max(at(i - 1, j), at(i, j - 1));
  return at(a.length - 1, b.length - 1);
}

test("differences are the fewest, and make one text of the other", () => {
  const roll = dice(1);
  for (let round = 0; round < 2000; round++) {
    const [a, b] = [randomLines(roll, 12), randomLines(roll, 12)];
    const found = hunks(a, b);
    const made: string[] = [];
    let [at, kept] = [0, 0];
    for (const hunk of found) {
      assert.ok(hunk.from >= at && (at === 0 || hunk.from > at), "a line stands between two differences");
      made.push(...a.slice(at, hunk.from), ...b.slice(hunk.start, hunk.end));
      kept += hunk.from - at;
      at = hunk.to;
    }
    made.push(...a.slice(at));
    kept += a.length - at;
    assert.deepEqual(made, b, JSON.stringify([a, b]));
    assert.equal(kept, common(a, b), JSON.stringify([a, b]));
  }
});

test("texts that differ throughout are compared in bounded time", () => {
  const long = (name: string) => Array.from({ length: 50_000 }, (_, k) => `${name} ${k}`);
  assert.deepEqual(hunks(long("a"), long("b")), [{ from: 0, to: 50_000, start: 0, end: 50_000 }]);
});

test("changes in different places are merged", () => {
  const base = "one\ntwo\nthree\nfour\nfive\n";
  const mine = base.replace("one", "ONE");
  const theirs = base.replace("five", "FIVE\nsix");
  assert.deepEqual(merge(base, mine, theirs, MARKS), { text: "ONE\ntwo\nthree\nfour\nFIVE\nsix\n", conflicts: 0 });
  assert.deepEqual(merge(base, theirs, mine, MARKS), { text: "ONE\ntwo\nthree\nfour\nFIVE\nsix\n", conflicts: 0 });
});

test("what one side did not change is what the other made of it, and equal changes are one", () => {
  const roll = dice(2);
  for (let round = 0; round < 1000; round++) {
    const [base, other] = [randomLines(roll, 10).join("\n"), randomLines(roll, 10).join("\n")];
    assert.deepEqual(merge(base, other, base, MARKS), { text: other, conflicts: 0 });
    assert.deepEqual(merge(base, base, other, MARKS), { text: other, conflicts: 0 });
    assert.deepEqual(merge(base, other, other, MARKS), { text: other, conflicts: 0 });
  }
});

test("what both changed is marked, with both texts whole", () => {
  const base = "a\nrestitution = 0.8\nb\n";
  const mine = "a\nrestitution = 0.5\nb\n";
  const theirs = "a\nrestitution = 0.7\nb\n";
  const { text, conflicts } = merge(base, mine, theirs, MARKS);
  assert.equal(conflicts, 1);
  assert.equal(text, "a\n<<<<<<< mine\nrestitution = 0.5\n======= theirs\nrestitution = 0.7\n>>>>>>> end\nb\n");
  assert.equal(marked(text), 1);
  assert.equal(marked(base), 0);
});

test("changes that touch are not merged in silence", () => {
  const base = "1\n2\n3\n4";
  assert.equal(merge(base, "1\nX\n3\n4", "1\n2\nY\n4", MARKS).conflicts, 1, "neighbours");
  assert.equal(merge(base, "1\n2\nX\n3\n4", "1\n2\nY\n3\n4", MARKS).conflicts, 1, "two lines at one place");
  assert.equal(merge(base, "1\n3\n4", "1\nY\n3\n4", MARKS).conflicts, 1, "deleted and changed");
  assert.equal(merge(base, "1\nX\n3\n4", "1\n2\n3\nY", MARKS).conflicts, 0, "a line between them");
});

test("whatever is merged, no line of either side is lost", () => {
  const roll = dice(3);
  for (let round = 0; round < 2000; round++) {
    const base = Array.from({ length: 8 }, (_, k) => `base ${k}`);
    const edit = (name: string) => base.flatMap((line, k) => [[line], [], [`${name} ${k}`], [line, `${name} ${k}`]][roll(8)] ?? [line]);
    const [mine, theirs] = [edit("mine"), edit("theirs")];
    const merged = linesOf(merge(base.join("\n"), mine.join("\n"), theirs.join("\n"), MARKS).text);
    for (const line of [...mine, ...theirs].filter((it) => !it.startsWith("base"))) assert.ok(merged.includes(line), JSON.stringify([mine, theirs, merged]));
  }
});

test("drafts are limited in number, age and size, and the oldest go first", () => {
  const draft = (key: string, changed: number, more: Partial<DraftInfo> = {}): DraftInfo => ({ key, folder: "f", file: "folder:a.lab", changed, bytes: 10, known: false, ...more });
  const limits = { versions: 3, age: 100, bytes: 1000 };
  assert.deepEqual(surplus([1, 2, 3].map((k) => draft(`${k}`, k)), limits, 10), []);
  assert.deepEqual(surplus([4, 1, 3, 2, 5].map((k) => draft(`${k}`, k)), limits, 10), ["2", "1"]);
  const others = [draft("other file", 0, { file: "folder:b.lab" }), draft("other folder", 0, { folder: "g" })];
  assert.deepEqual(surplus([...[1, 2, 3].map((k) => draft(`${k}`, k)), ...others], limits, 10), [], "each experiment has its own");
  assert.deepEqual(surplus([draft("old", 5), draft("new", 6)], limits, 105.5), ["old"]);
  const large = [draft("a", 1, { bytes: 300 }), draft("b", 2, { bytes: 400, file: "x" }), draft("c", 3, { bytes: 500, file: "y" })];
  assert.deepEqual(surplus(large, limits, 10), ["a"]);
  const small = [draft("tiny", 1, { bytes: 1 }), draft("b", 2, { bytes: 600, file: "x" }), draft("c", 3, { bytes: 500, file: "y" })];
  assert.deepEqual(surplus(small, limits, 10), ["b", "tiny"], "an older one does not outlive a newer one because it is small");
});

test("names of experiments and parts of keys are made of each other", () => {
  for (const origin of [{ from: "page" }, { from: "gallery", name: "kepler" }, { from: "folder", name: "week1/a:b.lab" }] as const) assert.deepEqual(originOf(fileOf(origin)), origin);
});
