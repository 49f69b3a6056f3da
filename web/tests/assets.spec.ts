// What the page weighs.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

test("the whole page is less than a megabyte, compressed", () => {
  const folder = process.env["PAGE"] ?? join(import.meta.dirname, "../../dist");
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((it) => it.isFile());
  assert.ok(files.some((it) => it.name === "index.html"), "the page is built");
  const bytes = files.map((it) => gzipSync(readFileSync(join(it.parentPath, it.name)), { level: 9 }).length);
  const total = bytes.reduce((sum, it) => sum + it, 0);
  assert.ok(total < 1_000_000, `${total} bytes`);
});
