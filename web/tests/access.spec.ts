// The secret of the lab in a browser: a page without it asks for it, the opener brings it along, a restart does not take it away.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { binary, closeBrowser, secretOf, session, settled, shot, startLab, until, visit, withoutPictures } from "./harness.ts";

after(closeBrowser);
withoutPictures();

/** Saves under a name, as a user does. */
async function save(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const saving = page.getByRole("dialog", { name: "Save the experiment" });
  await saving.getByLabel("Name").fill(name);
  await saving.getByRole("button", { name: "Save", exact: true }).click();
  await saving.waitFor({ state: "detached" });
}

test("a page without the secret asks for it", () =>
  visit(
    async ({ page, url, folder, complaints }) => {
      const dialog = page.getByRole("dialog", { name: "The secret of this lab" });
      await dialog.waitFor();
      await shot(page, "secret");
      assert.equal(await page.evaluate(() => window.lab.folder.value), null, "nothing is known of the lab");
      await dialog.getByLabel("Secret").fill("0000");
      await page.keyboard.press("Enter");
      await dialog.getByRole("alert").filter({ hasText: "not the secret" }).waitFor();
      // It can be looked away from, and asked for again.
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Enter the secret" }).click();
      await dialog.getByLabel("Secret").fill(` ${secretOf(url)}\n`);
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "detached" });
      await settled(page);
      await save(page, "mine");
      assert.ok(existsSync(join(folder, "mine.lab")));
      assert.equal(await page.evaluate(() => document.cookie), "", "scripts do not see the cookie");
      // A browser tells of every 401 at its console.
      complaints.splice(0, complaints.length, ...complaints.filter((it) => !/status of 401/.test(it)));
      await page.reload();
      await settled(page);
    },
    { unknown: true },
  ));

test("a guest of an exposed lab reads and runs, and saves with the secret", () =>
  visit(
    async ({ page, url, folder }) => {
      await settled(page);
      await page.evaluate(() => window.lab.edit(window.lab.text.value.replace("restitution = 0.8", "restitution = 0.5")));
      await page.getByRole("button", { name: "Save", exact: true }).click();
      const dialog = page.getByRole("dialog", { name: "The secret of this lab" });
      await dialog.getByText("You may read and run everything").waitFor();
      assert.match(await page.evaluate(() => window.lab.client.request({ type: "save", name: "forced", text: "", base: null }).then(() => "saved", (why: Error) => why.message)), /secret/);
      await dialog.getByLabel("Secret").fill(secretOf(url));
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "detached" });
      await until(page, "the connection of an owner", () => window.lab.access.value === "owner" && window.lab.connected.value);
      await save(page, "guest");
      assert.match(readFileSync(join(folder, "guest.lab"), "utf8"), /restitution = 0\.5/);
      assert.equal(existsSync(join(folder, "forced.lab")), false);
    },
    { unknown: true, arguments: ["--expose"] },
  ));

test("after a restart the open page can still save", () =>
  visit(async ({ page, url, folder, lab, complaints }) => {
    await settled(page);
    const ended = new Promise((resolve) => lab.once("exit", resolve));
    lab.kill();
    await ended;
    await page.getByRole("alert").filter({ hasText: "Your text is safe" }).waitFor();
    const again = await startLab(folder, ["--port", new URL(url).port]);
    try {
      await until(page, "the connection to the new lab", () => window.lab.connected.value);
      await save(page, "after");
      assert.ok(existsSync(join(folder, "after.lab")));
      complaints.length = 0;
    } finally {
      again.process.kill();
    }
  }));

test("the browser is opened through a file, and needs no other help", { skip: process.platform !== "linux" }, () =>
  visit(
    async ({ page, complaints }) => {
      const folder = mkdtempSync(join(tmpdir(), "gedanken-opener-"));
      const opened = join(folder, "opened");
      writeFileSync(join(folder, "xdg-open"), `#!/bin/sh\nprintf %s "$1" > '${opened}.part' && mv '${opened}.part' '${opened}'\n`);
      chmodSync(join(folder, "xdg-open"), 0o755);
      const path = `${folder}${delimiter}${process.env["PATH"] ?? ""}`;
      // `script` gives it a terminal: without one, no browser is opened.
      const lab = spawn("script", ["-qefc", `'${binary}' lab --port 0`, "typescript"], { cwd: folder, stdio: ["pipe", "ignore", "inherit"], env: { ...process.env, PATH: path, DISPLAY: ":0", XDG_RUNTIME_DIR: session } });
      try {
        for (let times = 0; times < 200 && !existsSync(opened); times++) await new Promise((resolve) => setTimeout(resolve, 100));
        assert.ok(existsSync(opened), "waited 20 s in vain for the browser to be opened");
        const file = readFileSync(opened, "utf8");
        await page.goto(`file://${file}`);
        await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\/$/);
        await settled(page);
        assert.equal(await page.evaluate(() => window.lab.access.value), "owner");
        assert.equal(existsSync(file), false, "the file has been used");
        complaints.length = 0;
      } finally {
        lab.kill();
      }
    },
    { unknown: true },
  ));
