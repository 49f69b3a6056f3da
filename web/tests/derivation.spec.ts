// What follows from energies stands under them: equations, what is conserved and how well it is kept, and what is wrong where
// nothing follows.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { closeBrowser, settled, shot, until, visit, withoutPictures } from "./harness.ts";

after(closeBrowser);
withoutPictures();

const system = (page: Page, name: string) => page.getByRole("region", { name: `What follows from ${name}` });

async function mathematics(page: Page): Promise<void> {
  await settled(page);
  await page.getByRole("tab", { name: "Mathematics" }).click();
}

test("equations, what is conserved, and how well it is kept", () =>
  visit(
    async ({ page }) => {
      await mathematics(page);
      const derived = system(page, "double_pendulum");
      await derived.getByRole("heading", { name: "Equations of motion" }).waitFor();
      assert.deepEqual(await derived.getByRole("heading", { level: 4 }).allInnerTexts(), ["Lagrangian", "Equations of motion", "Accelerations", "Conserved"]);
      // One equation for each angle, as mathematics and in words.
      const equations = derived.getByRole("group", { name: /^Equations of motion: .*= 0$/ });
      assert.equal(await equations.count(), 2);
      assert.ok((await equations.first().locator("[data-name=theta1_dot_dot]").count()) > 0);
      // Energy at the start: −(m1 + m2) g l1 cos 2 − m2 g l2 cos 2.5.
      const energy = -(1.7 * 9.81 * Math.cos(2)) - 0.7 * 9.81 * 0.8 * Math.cos(2.5);
      await page.evaluate(() => window.lab.clock.show(0));
      await derived.getByText(`now ${Number(energy.toPrecision(6))}`).waitFor();
      await derived.getByText("the same as at the start").waitFor();
      await page.evaluate(() => window.lab.clock.show(15));
      await derived.getByText(/changed by −?[\d.]+e−\d+ since the start/).waitFor();
      // A symbol tells what it is worth, as it does in laws.
      await page.evaluate(() => window.lab.clock.show(0));
      await equations.first().locator("[data-name=theta2]").first().hover();
      await page.getByText("theta2 = 2.5 (world)").waitFor();
      await derived.getByRole("checkbox", { name: "Show the steps" }).check();
      await derived.getByRole("heading", { name: "Momenta" }).waitFor();
      await shot(page, "derivation_steps");
      await derived.getByRole("button", { name: "Plot E over time" }).click();
      await until(page, "the plot of the conserved quantity", () => document.querySelector(".results .uplot") !== null);
    },
    { path: "/?open=double_pendulum" },
  ));

test("long equations scroll in their own boxes, in a narrow and dark window", () =>
  visit(
    async ({ page }) => {
      await settled(page);
      await mathematics(page);
      const derived = system(page, "double_pendulum");
      const acceleration = derived.getByRole("group", { name: /^Accelerations: / }).first();
      await acceleration.waitFor();
      await shot(page, "derivation_narrow_dark");
      assert.ok(await acceleration.evaluate((it) => it.scrollWidth > it.clientWidth), "it is longer than the window");
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      const panel = page.getByRole("tabpanel", { name: "Mathematics" });
      assert.ok(await panel.evaluate((it) => it.scrollWidth <= it.clientWidth), "nothing else scrolls sideways");
      // By keyboard the end of it is reached.
      await acceleration.focus();
      await page.keyboard.press("ArrowLeft");
      assert.ok(await acceleration.evaluate((it) => it.scrollLeft > 0));
    },
    { path: "/?open=double_pendulum", viewport: { width: 360, height: 740 }, colorScheme: "dark" },
  ));

test("where nothing follows it is said why, and equations come back", () =>
  visit(
    async ({ page }) => {
      await mathematics(page);
      const derived = system(page, "swinging_atwood");
      await derived.getByRole("heading", { name: "Equations of motion" }).waitFor();
      const text = await page.evaluate(() => window.lab.text.value);
      // Without a kinetic energy nothing can move.
      await page.evaluate((text) => window.lab.edit(text.replace(/^ {4}T = .*$/m, "    T = 0")), text);
      await derived.getByText("No equations follow as long as something is wrong here.").waitFor();
      await derived.getByRole("button", { name: /line \d+, column \d+/ }).first().waitFor();
      assert.equal(await derived.locator("math").count(), 0);
      await shot(page, "derivation_refused");
      await page.evaluate((text) => window.lab.edit(text), text);
      await derived.getByRole("heading", { name: "Equations of motion" }).waitFor();
    },
    { path: "/?open=swinging_atwood" },
  ));

test("laws without energies have no equations to show", () =>
  visit(async ({ page }) => {
    await mathematics(page);
    await page.getByRole("region", { name: "context flight" }).waitFor();
    assert.equal(await page.getByRole("region", { name: /^What follows/ }).count(), 0);
  }));
