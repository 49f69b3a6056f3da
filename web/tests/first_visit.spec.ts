// The first visit: the page is already playing a ball that bounces.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeBrowser, settled, shot, until, visit } from "./harness.ts";

after(closeBrowser);

test("the page opens playing a bouncing ball", () =>
  visit(async ({ page }) => {
    await settled(page);
    const before = await page.evaluate(() => window.lab.clock.time.value);
    await until(page, "the clock to go on", (time) => window.lab.clock.time.value > time, before);
    assert.equal(await page.evaluate(() => window.lab.run.value?.scene.simulation), "drop");
    await shot(page, "first_visit");
  }));
