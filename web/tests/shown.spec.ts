// What is shown beside the text: said by the experiment, carried by a link, kept over a reload and in the history.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { closeBrowser, eventually, settled, shot, until, visit } from "./harness.ts";

after(closeBrowser);

const TEXT = (view: string) => `world attributes {
    g = [0, 0, -9.81]
}
object {
    name = ball
    physical type = dynamic
    geometrical type = sphere
    attributes = { position = [0, 0, 5]  size = 0.5  v = [1, 0, 3] }
}
context {
    name = flight
    type = free fall
    functions = {
        v' = g
        position' = v
    }
}
simulation {
    name = throw
    duration = 2
}
${view}
`;

const VIEW = `view {
    plots = {norm(ball.v), ball.position # 3 against ball.position # 1}
    arrows = {ball.v}
    camera = [[8, -8, 4], [0, 0, 1]]
    moment = 0.5
    speed = 0.5
    try = g
}`;

async function write(page: Page, text: string): Promise<void> {
  await settled(page);
  await page.evaluate((text) => window.lab.open({ from: "page" }, text), text);
}

/** Where the eye is. */
const eye = (page: Page) => page.evaluate(() => (window as unknown as { view: { camera: { position: { x: number; y: number; z: number } } } }).view.camera.position).then(({ x, y, z }) => [x, y, z]);

const near = (a: number[], b: number[]) => a.every((it, k) => Math.abs(it - (b[k] ?? NaN)) < 1e-3 * (1 + Math.abs(it)));

/** Plots are drawn in the tab of that name: what they are of. */
async function plotted(page: Page): Promise<string> {
  const region = page.getByRole("region", { name: "Results" });
  const tab = region.getByRole("tab", { name: /Plots/ });
  if ((await tab.getAttribute("aria-selected")) !== "true" || (await page.locator(".shell").getAttribute("data-drawer")) === "closed") await tab.click();
  return (await region.textContent()) ?? "";
}

test("a view block says what is shown", { timeout: 60_000 }, () =>
  visit(async ({ page }) => {
    await write(page, TEXT(VIEW));
    await settled(page);
    await eventually("the camera of the block", async () => near(await eye(page), [8, -8, 4]));
    await until(page, "the moment of the block", () => window.lab.clock.time.value === 0.5 && !window.lab.clock.playing.value);
    assert.equal(await page.evaluate(() => window.lab.clock.rate.value), 0.5);
    const results = await plotted(page);
    assert.match(results, /norm\(ball\.v\)/);
    assert.equal(await page.locator(".try-mark").textContent(), "-9.81");
    await shot(page, "view-block");
    // Only what changes in the block changes on the page.
    await page.keyboard.press("y");
    await page.evaluate((text) => window.lab.edit(text), TEXT(VIEW.replace("speed = 0.5", "speed = 2")));
    await until(page, "the new speed", () => window.lab.clock.rate.value === 2);
    assert.ok(!near(await eye(page), [8, -8, 4]), "the camera stays where the user has put it");
  }),
);

test("a mistake in a view is told at its place", { timeout: 60_000 }, () =>
  visit(async ({ page }) => {
    await write(page, TEXT("view { arrows = {bal.v} }"));
    await until(page, "a problem", () => window.lab.problems.value.length > 0);
    const problem = await page.evaluate(() => window.lab.problems.value[0]);
    assert.match(problem?.message ?? "", /bal/);
    const text = TEXT("view { arrows = {bal.v} }");
    assert.equal(text.slice(problem?.place.start, problem?.place.end).replace(/\s/g, ""), "bal.v");
  }),
);

test("a link carries plots, arrows, camera and moment; a reload keeps them", { timeout: 120_000 }, () =>
  visit(
    async ({ page }) => {
      await settled(page);
      await page.keyboard.press("y");
      await page.waitForTimeout(400);
      await page.evaluate(() => window.lab.clock.show(1.25));
      await page.evaluate(() => {
        window.lab.selection.value = "ball";
      });
      await page.waitForTimeout(800);
      const before = await eye(page);
      const address = page.url();
      await page.reload();
      await settled(page);
      await until(page, "the moment before the reload", () => window.lab.clock.time.value === 1.25 && !window.lab.clock.playing.value);
      await eventually("the camera before the reload", async () => near(await eye(page), before));
      assert.equal(await page.evaluate(() => window.lab.selection.value), "ball");
      await page.getByRole("button", { name: "Share" }).click();
      await page.getByRole("checkbox", { name: /camera and moment/ }).check();
      await eventually("a longer link", async () => (await page.getByRole("textbox", { name: "Link" }).inputValue()).includes("show="));
      const link = await page.getByRole("textbox", { name: "Link" }).inputValue();
      await page.goto("about:blank");
      await page.goto(link);
      await settled(page);
      await until(page, "the moment of the link", () => window.lab.clock.time.value === 1.25);
      await eventually("the camera of the link", async () => near(await eye(page), before));
      assert.ok(address.length > 0);
    },
    { experiment: "bounce" },
  ),
);

test("a damaged link of what is shown opens the experiment all the same", { timeout: 60_000 }, () =>
  visit(
    async ({ page }) => {
      await settled(page);
      assert.equal(await page.evaluate(() => window.lab.origin.value.from), "gallery");
    },
    { path: "/?open=kepler#show=AAAA" },
  ),
);

test("back shows an experiment as it was left", { timeout: 60_000 }, () =>
  visit(
    async ({ page }) => {
      await settled(page);
      await page.evaluate(() => window.lab.clock.show(2));
      await page.keyboard.press("z");
      await page.waitForTimeout(1200);
      const before = await eye(page);
      await page.evaluate(() => window.lab.openFrom({ from: "gallery", name: "kepler" }));
      await settled(page);
      await page.goBack();
      await until(page, "the first experiment", () => window.lab.run.value?.scene.bodies.some((it) => it.name === "ball") === true && window.lab.run.value.ended.value != null);
      await until(page, "its moment", () => window.lab.clock.time.value === 2);
      await eventually("its camera", async () => near(await eye(page), before));
    },
    { path: "/?open=bounce" },
  ),
);
