// The engine goes away and comes back: the text is safe, and runs again by itself.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeBrowser, settled, startLab, until, visit, withoutPictures } from "./harness.ts";

after(closeBrowser);
withoutPictures();

test("a lost connection comes back without losing the text", () =>
  visit(async ({ page, url, folder, lab, complaints }) => {
    await settled(page);
    const hash = await page.evaluate(() => window.lab.run.value?.ended.value?.hash);
    lab.kill();
    await page.getByRole("alert").filter({ hasText: "Your text is safe" }).waitFor();
    // Typed while nobody listens.
    await page.evaluate(() => window.lab.edit(window.lab.text.value.replace("restitution = 0.8", "restitution = 0.5")));
    const again = await startLab(folder, ["--port", new URL(url).port]);
    try {
      await until(page, "a run with another hash after the connection is back", (before) => window.lab.connected.value && window.lab.run.value?.ended.value != null && window.lab.run.value.ended.value.hash !== before, hash);
      assert.match(await page.evaluate(() => window.lab.text.value), /restitution = 0\.5/);
      assert.equal(await page.getByRole("alert").filter({ hasText: "Your text is safe" }).count(), 0);
      // That nobody listened is no fault of the page.
      complaints.splice(0, complaints.length, ...complaints.filter((it) => !/WebSocket connection|ERR_CONNECTION_REFUSED/.test(it)));
    } finally {
      again.process.kill();
    }
  }));

test("what was typed is there after the page is loaded again", () =>
  visit(async ({ page }) => {
    await settled(page);
    await page.evaluate(() => window.lab.edit(window.lab.text.value.replace("restitution = 0.8", "restitution = 0.7")));
    await settled(page);
    for (let times = 0; times < 2; times++) {
      await page.reload();
      await settled(page);
      assert.match(await page.evaluate(() => window.lab.text.value), /restitution = 0\.7/);
      assert.match(await page.evaluate(() => window.lab.saved.value), /restitution = 0\.8/);
    }
  }));
