// Plots, measures and the table: what is drawn is what was recorded.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { closeBrowser, eventually, results, settled, shot, visit, withoutPictures } from "./harness.ts";

after(closeBrowser);
withoutPictures();

async function newPlot(page: Page, ...formulas: string[]): Promise<void> {
  await results(page, "Plots");
  await page.getByRole("button", { name: "New plot" }).click();
  for (const formula of formulas) {
    await page.getByLabel("Add a curve").fill(formula);
    await page.getByLabel("Add a curve").press("Enter");
  }
}

function number(text: string | null): number {
  return Number((text ?? "").replace("−", "-"));
}

test("a plot shows value and rate of change at the shared moment", () =>
  visit(async ({ page }) => {
    await settled(page);
    await newPlot(page, "ball.v");
    await page.evaluate(() => window.lab.clock.show(0.5));
    // Before the first bounce z = 5 - g t² / 2 and v = -g t.
    const row = (name: string) => page.locator(".readout").getByRole("row").filter({ has: page.getByRole("rowheader", { name, exact: true }) });
    const z = row("ball.position#3");
    await z.waitFor();
    assert.ok(Math.abs(number(await z.getByRole("cell").nth(0).textContent()) - (5 - (9.81 * 0.25) / 2)) < 1e-4);
    assert.ok(Math.abs(number(await z.getByRole("cell").nth(1).textContent()) + 9.81 * 0.5) < 1e-3);
    assert.ok(Math.abs(number(await row("ball.v#3").getByRole("cell").nth(0).textContent()) + 9.81 * 0.5) < 1e-4);
    // A mark, and the difference from it.
    await page.getByRole("button", { name: /^Put a mark here/ }).click();
    await page.evaluate(() => window.lab.clock.show(0.75));
    const difference = number(await row("ball.v#3").getByRole("cell").nth(2).textContent());
    assert.ok(Math.abs(difference + 9.81 * 0.25) < 1e-4, String(difference));
    await shot(page, "plot");
  }));

test("anything is plotted against anything, and saved", () =>
  visit(async ({ page }) => {
    await settled(page);
    await newPlot(page);
    await page.getByRole("button", { name: "Remove ball.position" }).click();
    await page.getByLabel("Add a curve").fill("norm(ball.v)");
    await page.getByLabel("Add a curve").press("Enter");
    await page.getByLabel("Horizontal axis").fill("ball.position#3");
    await page.getByLabel("Horizontal axis").press("Enter");
    await page.getByRole("img", { name: "norm(ball.v) against ball.position#3" }).waitFor();
    await shot(page, "phase_plot");
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as a table (CSV)" }).click();
    const text = readFileSync(await (await saving).path(), "utf8").trim().split("\n");
    assert.equal(text[0], "t,ball.position#3,norm(ball.v)");
    // Energy per mass before the first bounce: v²/2 + g z = const.
    const energies = text.slice(1, 50).map((line) => {
      const [, z, v] = line.split(",").map(Number) as [number, number, number];
      return v ** 2 / 2 + 9.81 * z;
    });
    for (const energy of energies) assert.ok(Math.abs(energy - (9.81 * 5 + 0.5)) < 1e-9, String(energy));
    const picture = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as a picture (SVG)" }).click();
    assert.match(readFileSync(await (await picture).path(), "utf8"), /^<svg [\s\S]*norm\(ball\.v\)[\s\S]*<\/svg>\n$/);
  }));

test("a formula that means nothing is answered in plain words", () =>
  visit(async ({ page }) => {
    await settled(page);
    await newPlot(page, "ball.positon");
    const alert = page.locator(".plot").getByRole("alert");
    await alert.waitFor();
    assert.match((await alert.textContent()) ?? "", /ball\.position/);
  }));

test("measures are one click away, with their verdict", () =>
  visit(async ({ page }) => {
    await settled(page);
    await results(page, "Measures");
    const verdict = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "apex" }) }).first();
    assert.match((await verdict.textContent()) ?? "", /± 1e−9.*as expected/);
    await page.getByRole("img", { name: "apex against t" }).waitFor();
  }));

test("the table has a row for each frame", () =>
  visit(async ({ page }) => {
    await settled(page);
    await results(page, "Table");
    await page.getByLabel("Add a column").fill("ball.position#3");
    await page.getByLabel("Add a column").press("Enter");
    const table = page.getByRole("region", { name: "Values over time" }).getByRole("table");
    await table.waitFor();
    assert.equal(await table.getAttribute("aria-rowcount"), String(6 * 60 + 2));
    // The table follows the moment: its first row is that of the first frame only at the start.
    await page.evaluate(() => {
      window.lab.clock.playing.value = false;
      window.lab.clock.seek(0);
    });
    await eventually("the first frame", async () => number(await table.getByRole("row").nth(1).getByRole("cell").nth(1).textContent()) === 5);
  }));
