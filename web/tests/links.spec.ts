// Links from elsewhere: what they bring is bounded, said, and never written over a file without a question.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { pack, TooLong, unpack } from "../src/panes/share/pack.ts";
import { closeBrowser, results, settled, shot, until, visit, withoutPictures } from "./harness.ts";

after(closeBrowser);
withoutPictures();

const MEBIBYTE = 1 << 20;

/** A link of a text, made without the page. */
function packed(text: string | Buffer): string {
  return deflateRawSync(text, { level: 9 }).toString("base64url");
}

test("a text comes back from a link as it was", async () => {
  for (const text of ["", "g = 9.81", "längs Ω ∂²𝑥".repeat(1000), "x".repeat(MEBIBYTE)]) {
    assert.equal(await unpack(await pack(text)), text);
    assert.equal(await unpack(packed(text)), text);
  }
  await assert.rejects(unpack(packed("x".repeat(MEBIBYTE + 1))), TooLong);
  for (const damaged of ["!", "AAAA", packed("x".repeat(1000)).slice(0, -4), packed(Buffer.from([0xff, 0xfe])), packed("\u0001".repeat(MEBIBYTE))]) {
    await assert.rejects(unpack(damaged), (why: Error) => !(why instanceof TooLong), damaged);
  }
});

test("a link that unpacks to 400 MB is stopped while it is unpacked", async () => {
  const bomb = packed(Buffer.alloc(400 * MEBIBYTE));
  assert.ok(bomb.length < 600_000, `${bomb.length} characters`);
  const before = process.memoryUsage().rss;
  await assert.rejects(unpack(bomb), TooLong);
  const grown = (process.memoryUsage().rss - before) / MEBIBYTE;
  assert.ok(grown < 100, `${grown} MiB more`);
});

test("the page says why it does not open a link, and opens as without one", () =>
  visit(
    async ({ page, url }) => {
      await page.getByRole("status").filter({ hasText: "longer than 1 MiB" }).waitFor();
      await settled(page);
      assert.equal(await page.evaluate(() => window.lab.run.value?.scene.simulation), "drop");
      await shot(page, "link_too_long");
      await page.goto("about:blank");
      await page.goto(`${url}#text=damaged`);
      await page.getByRole("status").filter({ hasText: "damaged" }).waitFor();
      await settled(page);
    },
    { path: `/#text=${packed(Buffer.alloc(400 * MEBIBYTE))}` },
  ));

const experiment = (name: string) => readFileSync(join(import.meta.dirname, `../../../experiments/${name}.lab`), "utf8");

test("a text from a link is said to be one, and asks before it replaces a file", () =>
  visit(
    async ({ page, folder }) => {
      await settled(page);
      await page.getByRole("status").filter({ hasText: "came with the link" }).waitFor();
      await shot(page, "link_came");
      writeFileSync(join(folder, "mine.lab"), "// mine");
      await page.keyboard.press("Control+s");
      const saving = page.getByRole("dialog", { name: "Save the experiment" });
      assert.equal(await saving.getByLabel("Name").inputValue(), "", "no file is proposed");
      await saving.getByLabel("Name").fill("mine");
      await saving.getByRole("button", { name: "Save", exact: true }).click();
      // The name is taken: both texts are shown, and nothing is written.
      await page.getByRole("dialog", { name: /mine/ }).getByText("// mine").waitFor();
      assert.equal(readFileSync(join(folder, "mine.lab"), "utf8"), "// mine");
      await page.keyboard.press("Escape");
      // A changed text is the reader's own.
      await page.evaluate(() => window.lab.edit(`${window.lab.text.value}\n// changed`));
      await page.getByRole("status").filter({ hasText: "came with the link" }).waitFor({ state: "detached" });
    },
    { path: `/#text=${packed(experiment("bouncing_ball"))}` },
  ));

// Eight million steps for each frame: it would take its two minutes.
const LONG = experiment("elastic_pendulum").replace(/time step = .*/, "time step = 1 / 500000000");

test("a text from a link that takes long is shown and stopped, until the reader asks for more", () =>
  visit(
    async ({ page }) => {
      await until(page, "the text of the link", (text) => window.lab?.text.value === text, LONG);
      const notice = page.getByRole("status").filter({ hasText: "came with the link" });
      await notice.filter({ hasText: "stopped after 10 s" }).waitFor();
      await until(page, "the end of the run", () => !window.lab.busy.value);
      await shot(page, "link_stopped");
      const started = await page.evaluate(() => window.lab.started);
      await page.getByRole("button", { name: "Run it to its end" }).click();
      await notice.waitFor({ state: "detached" });
      await until(page, "another run", (before) => window.lab.started > before && window.lab.busy.value, started);
      await page.getByRole("button", { name: "Stop the run" }).click();
      await until(page, "the end of the other run", () => !window.lab.busy.value);
    },
    { path: `/#text=${packed(LONG)}` },
  ));

test("a text that is too long for a request does not cost the connection", () =>
  visit(async ({ page }) => {
    await settled(page);
    await results(page, /Problems/);
    const long = `${"x".repeat(99)}\n`.repeat((4 * MEBIBYTE) / 100);
    await page.evaluate((text) => window.lab.open({ from: "page" }, text), long);
    await page.getByText("longer than the engine reads").first().waitFor();
    assert.equal(await page.evaluate(() => window.lab.connected.value), true);
    const refused = await page.evaluate((text) => window.lab.client.request({ type: "evaluate", input: text }).then(() => "", (why: Error) => why.message), long);
    assert.match(refused, /longer than the engine reads/);
    await page.evaluate(() => window.lab.edit("world attributes { g = 1 }"));
    await until(page, "the check of a short text", () => window.lab.checked.value?.revision === window.lab.revision);
    const connections = await page.evaluate(() => performance.getEntriesByType("resource").filter((it) => it.name.endsWith("/access")).length);
    assert.equal(connections, 1, "it was never lost");
  }));

test("a file that is no experiment is not loaded", () =>
  visit(async ({ page }) => {
    await settled(page);
    await page.getByRole("button", { name: "Open", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Experiments" });
    for (const [buffer, why] of [[Buffer.alloc(MEBIBYTE + 1, "x"), "longer than 1 MiB"], [Buffer.from([1, 2, 3]), "no text"]] as const) {
      await dialog.locator("input[type=file]").setInputFiles({ name: "x.lab", mimeType: "text/plain", buffer });
      await dialog.getByRole("alert").filter({ hasText: why }).waitFor();
    }
  }));
