// The guided tour: five steps, each done by the visitor, skippable, and back from the help.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { closeBrowser, seriousProblems, settled, shot, until, visit, withoutPictures } from "./harness.ts";

after(closeBrowser);
withoutPictures();

const hint = (page: Page) => page.getByRole("region", { name: "Guided tour" });
const isAt = (page: Page, step: number) => hint(page).getByText(`Step ${step} of 5`).waitFor();

test("a visitor does all five steps", () =>
  visit(
    async ({ page }) => {
      await settled(page);
      await isAt(page, 1);
      assert.deepEqual(await seriousProblems(page), []);
      await shot(page, "tour_1");
      const number = page.locator(".try-mark");
      assert.equal(await number.textContent(), "9.81");
      await number.dblclick();
      await until(page, "the number to be selected", () => document.getSelection()?.toString() === "9.81");
      await page.keyboard.type("1.62");
      await isAt(page, 2);
      await settled(page);
      const first = await page.evaluate(() => window.lab.run.value?.events.value.find((it) => it.kind === "collision")?.index ?? -1);
      await page.evaluate((it) => window.lab.chooseEvent(it), first);
      await isAt(page, 3);
      await page.keyboard.press("Escape");
      await page.evaluate(() => (window.lab.selection.value = "ball"));
      await page.getByRole("button", { name: "Plot ball.v over time" }).click();
      await isAt(page, 4);
      await page.getByRole("tab", { name: "Sliders" }).click();
      await page.getByRole("slider", { name: "restitution", exact: true }).focus();
      await page.keyboard.press("ArrowLeft");
      await isAt(page, 5);
      await page.evaluate(() => window.lab.edit(window.lab.text.value.replace("v' = g", "v' = gg")));
      await until(page, "the broken law to be found", () => window.lab.checked.value?.sound === false);
      await page.evaluate(() => window.lab.edit(window.lab.text.value.replace("v' = gg", "v' = g")));
      await hint(page).waitFor({ state: "detached" });
      await page.reload();
      await settled(page);
      assert.equal(await hint(page).count(), 0);
    },
    { experiment: null },
  ));

test("the tour is skipped for good, and comes back from the help", () =>
  visit(
    async ({ page }) => {
      await settled(page);
      await hint(page).getByRole("button", { name: "Skip the tour" }).click();
      assert.equal(await hint(page).count(), 0);
      await page.reload();
      await settled(page);
      assert.equal(await hint(page).count(), 0);
      await page.evaluate(() => window.lab.openFrom({ from: "gallery", name: "kepler" }));
      await settled(page);
      await page.getByRole("button", { name: /^Keys and help/ }).click();
      await page.getByRole("button", { name: "Take the guided tour" }).click();
      await isAt(page, 1);
      assert.equal(await page.evaluate(() => (window.lab.origin.value.from === "gallery" ? window.lab.origin.value.name : "")), "bounce");
    },
    { experiment: null },
  ));

test("the comment of an experiment is a caption, folded in the text with its objects", () =>
  visit(
    async ({ page }) => {
      await settled(page);
      const caption = page.locator(".caption");
      assert.match((await caption.locator("p").first().textContent()) ?? "", /^A ball falls, bounces and loses speed at every bounce\. You write the laws/);
      const shown = await page.locator(".cm-content").innerText();
      assert.ok(!shown.includes("restitution. A ball that leaves"), shown);
      assert.ok(!shown.includes("physical type"), shown);
      assert.match(shown, /g = \[0, 0, -9\.81\]/);
      await caption.getByRole("button", { name: /Why do the heights shrink by e2\?/ }).click();
      await caption.getByText("A bounce turns the speed u").waitFor();
    },
    { experiment: null },
  ));
