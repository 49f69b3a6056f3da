// Links that nobody would make: whatever stands behind `#text=`, the page gets a text that is short enough, or is told why not.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { type Arrival, arrival } from "../src/panes/share/arrival.ts";
import { beginning } from "../src/panes/share/link.ts";
import { isText } from "../src/panes/share/pack.ts";
import { MAX_TEXT_BYTES } from "../src/wire/types.ts";

const FOLDER = join(import.meta.dirname, "../../tests/corpus/links");

/** Links that once were of interest, by file. A link that is read wrongly is added to them. */
const CORPUS = readdirSync(FOLDER).sort().map((name) => ({ name, packed: readFileSync(join(FOLDER, name), "utf8") }));

/** Longest time for one link, in milliseconds: an idle machine needs a hundredth of it. */
const MAX_MS = 5000;

/** Characters of an address, and some that are none. */
const CHARACTERS = "ABCXYZabcxyz0189-_+/=%&#? \u0000é𝑥";

/** Numbers that are the same in every run. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * sides);
  };
}

/** What the page says of a link. */
function brought(): Arrival | null {
  return arrival.value;
}

/** What the page makes of a fragment: a text, or the reason why there is none. */
async function read(hash: string): Promise<string> {
  arrival.value = null;
  const start = performance.now();
  const found = await beginning({ search: "", hash } as Location);
  assert.ok(performance.now() - start < MAX_MS, `it takes ${performance.now() - start} ms`);
  const came = brought();
  if (found === null) {
    assert.ok(came?.how === "damaged" || came?.how === "too_long", JSON.stringify(came));
    return came.how;
  }
  const text = "text" in found ? found.text : undefined;
  assert.ok(typeof text === "string" && isText(text), "it is a text");
  assert.ok(Buffer.byteLength(text) <= MAX_TEXT_BYTES, `${text.length} characters`);
  assert.ok(came?.how === "came" && came.text === text, "it is said where it came from");
  return "came";
}

/** A link with a few changes: characters replaced, left out, doubled, or taken from another link. */
function mutated(packed: string, roll: (sides: number) => number): string {
  let text = packed;
  for (let changes = 1 + roll(4); changes > 0; changes--) {
    const [at, length] = [roll(text.length + 1), roll(1 + roll(20))];
    const other = CORPUS[roll(CORPUS.length)]?.packed ?? "";
    const random = Array.from({ length }, () => CHARACTERS[roll(CHARACTERS.length)]).join("");
    const put = [random, "", text.slice(at, at + length).repeat(2), other.slice(roll(other.length), roll(other.length))][roll(4)];
    text = text.slice(0, at) + put + text.slice(at + length);
  }
  return text;
}

test("links of the corpus are read as their names say", async () => {
  const whole = ["empty_blocks.txt", "fixed_codes.txt", "stored.txt", "whole.txt"];
  for (const { name, packed } of CORPUS) {
    const expected = whole.includes(name) ? "came" : name === "bomb.txt" ? "too_long" : "damaged";
    assert.equal(await read(`#text=${packed}`), expected, name);
  }
});

test("links with random changes are read or refused", async () => {
  const roll = dice(1);
  const counts: Record<string, number> = {};
  for (let round = 0; round < 3000; round++) {
    const { name, packed } = CORPUS[round % CORPUS.length] as (typeof CORPUS)[number];
    const link = mutated(packed, roll);
    try {
      const how = await read(`#text=${link}`);
      counts[how] = (counts[how] ?? 0) + 1;
    } catch (why) {
      throw new Error(`round ${round}, from ${name}: ${link}`, { cause: why });
    }
  }
  for (const how of ["came", "damaged", "too_long"]) assert.ok((counts[how] ?? 0) > 0, `no link ${how}: ${JSON.stringify(counts)}`);
});

test("texts of random characters come back or are refused", async () => {
  const roll = dice(2);
  for (let round = 0; round < 1000; round++) {
    const bytes = Buffer.from(Array.from({ length: roll(300) }, () => roll(round % 2 === 0 ? 128 : 256)));
    await read(`#text=${deflateRawSync(bytes).toString("base64url")}`);
    await read(`#${bytes.toString("latin1")}&text=${bytes.toString("base64")}`);
  }
});

test("huge links are refused in bounded time and memory", async () => {
  const huge = 40 << 20;
  const empty = Buffer.alloc(huge / 4, Buffer.from([0, 0, 0, 255, 255]));
  const links = ["A".repeat(huge), "!".repeat(huge), "%41".repeat(huge / 3), empty.toString("base64url"), deflateRawSync(Buffer.alloc(huge), { level: 0 }).toString("base64url")];
  for (const link of links) {
    const before = process.memoryUsage().arrayBuffers;
    assert.equal(await read(`#text=${link}`), "too_long", link.slice(0, 20));
    assert.ok(process.memoryUsage().arrayBuffers - before < 16 << 20, "what is too long is not unpacked");
  }
});
