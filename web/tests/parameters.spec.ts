// Numbers as sliders: the text is what they turn.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { parametersOf } from "../src/panes/parameters/number_keys.ts";
import { PLACES, rangeAround, read, valueAt, written } from "../src/panes/parameters/range.ts";
import { closeBrowser, settled, shot, until, visit, withoutPictures } from "./harness.ts";

after(closeBrowser);
withoutPictures();

const restitution = (page: Page) => page.evaluate(() => /restitution = (\S+)/.exec(window.lab.text.value)?.[1] ?? "");
const started = (page: Page) => page.evaluate(() => window.lab.started);
const hash = (page: Page) => page.evaluate(() => window.lab.run.value?.ended.value?.hash ?? "");

/** Waits until the text as it is was run whole. */
async function whole(page: Page): Promise<void> {
  await until(page, "the whole run of the present text", () => window.lab.run.value?.revision === window.lab.revision && !window.lab.run.value.coarse);
  await settled(page);
}

test("a pull with the pointer is few runs and one step of undoing", () =>
  visit(async ({ page }) => {
    await settled(page);
    const before = await hash(page);
    await page.getByRole("tab", { name: "Sliders" }).click();
    const slider = page.getByRole("slider", { name: "restitution", exact: true });
    const box = await slider.boundingBox();
    assert.ok(box !== null);
    const runs = await started(page);
    const y = box.y + box.height / 2;
    const steps = 20;
    await page.mouse.move(box.x + 0.4 * box.width, y);
    await page.mouse.down();
    for (let k = 1; k <= steps; k++) await page.mouse.move(box.x + (0.4 - (0.2 * k) / steps) * box.width, y);
    await until(page, "a coarse run", () => window.lab.run.value?.coarse === true);
    await page.mouse.up();
    await whole(page);
    const turned = await restitution(page);
    assert.match(turned, /^0\.\d{1,3}$/, "a clean number");
    assert.ok(Number(turned) < 0.6, turned);
    assert.ok((await started(page)) - runs < steps + 3, `${(await started(page)) - runs} runs`);
    assert.notEqual(await hash(page), before);
    assert.equal(await page.evaluate(() => window.lab.ghost.value?.coarse), false);
    await shot(page, "parameters");
    await page.keyboard.press("Control+z");
    await whole(page);
    assert.equal(await restitution(page), "0.8");
    assert.equal(await hash(page), before);
  }));

test("a pull with keys is one step too, and a reset brings the opened value", () =>
  visit(async ({ page }) => {
    await settled(page);
    await page.getByRole("tab", { name: "Sliders" }).click();
    const slider = page.getByRole("slider", { name: "restitution", exact: true });
    const runs = await started(page);
    await slider.focus();
    // Without waiting for each: a pull is quick.
    await Promise.all(Array.from({ length: 10 }, () => page.keyboard.press("ArrowLeft")));
    await whole(page);
    const turned = Number(await restitution(page));
    assert.ok(turned < 0.8 && turned > 0.5, String(turned));
    assert.ok((await started(page)) - runs < 13);
    await page.keyboard.press("Control+z");
    await whole(page);
    assert.equal(await restitution(page), "0.8");
    const field = page.getByRole("textbox", { name: "Value of restitution" });
    await field.fill("0.3");
    await field.press("Enter");
    await whole(page);
    assert.equal(await restitution(page), "0.3");
    await page.getByRole("button", { name: "Set restitution back to 0.8" }).click();
    await whole(page);
    assert.equal(await restitution(page), "0.8");
  }));

test("any number can become a slider", () =>
  visit(async ({ page }) => {
    await settled(page);
    const number = await page.evaluate(() => window.lab.checked.value?.numbers.find((it) => it.label === "drop.duration"));
    assert.ok(number !== undefined, "the engine knows the number of the duration");
    await page.evaluate((place) => (window.lab.place.value = place), { start: number.start, end: number.start });
    await until(page, "the editor to have the focus", () => document.activeElement?.getAttribute("aria-label") === "Experiment");
    await page.keyboard.press("Alt+Enter");
    const slider = page.getByRole("slider", { name: "drop.duration" });
    await slider.waitFor();
    await shot(page, "parameters_in_text");
    await page.keyboard.press("ArrowRight");
    await until(page, "another duration in the text", () => !/duration = 6\n/.test(window.lab.text.value));
    await page.keyboard.press("Escape");
    assert.equal(await slider.count(), 0);
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "Experiment");
    await page.keyboard.press("Control+z");
    await until(page, "the former duration in the text", () => /duration = 6\n/.test(window.lab.text.value));
    await page.locator(".cm-line", { hasText: "duration = 6" }).locator(".tok-number").click({ modifiers: ["Alt"] });
    await slider.waitFor();
    await page.getByRole("tab", { name: "Sliders" }).click();
    await page.getByRole("tabpanel", { name: "Sliders" }).getByRole("slider", { name: "drop.duration" }).waitFor();
  }));

test("all numbers can be found, and have a range of their own", () =>
  visit(async ({ page }) => {
    await settled(page);
    await page.getByRole("tab", { name: "Sliders" }).click();
    await page.getByRole("searchbox", { name: "Find a number" }).fill("ball.v");
    const sliders = page.getByRole("tabpanel", { name: "Sliders" }).getByRole("slider");
    assert.equal(await sliders.count(), 3);
    await page.getByRole("button", { name: "Range of ball.v#1" }).click();
    const limits = page.getByRole("group", { name: "Range of ball.v#1" });
    await limits.getByLabel("To").fill("40");
    await limits.getByLabel("To").press("Enter");
    assert.equal(await page.getByRole("slider", { name: "ball.v#1" }).getAttribute("max"), "40");
    await limits.getByLabel("From").fill("50");
    await limits.getByLabel("From").press("Enter");
    await limits.getByRole("alert").waitFor();
    await page.getByRole("searchbox", { name: "Find a number" }).fill("");
    await page.getByRole("button", { name: /All numbers/ }).click();
    assert.ok((await sliders.count()) > 10);
    await shot(page, "parameters_all");
  }));

test("a setting from outside can be written into the text", () =>
  visit(
    async ({ page }) => {
      await settled(page);
      const before = await hash(page);
      await page.getByRole("tab", { name: "Sliders" }).click();
      assert.equal(await page.getByRole("slider", { name: "restitution", exact: true }).isDisabled(), true);
      await shot(page, "parameters_settings");
      await page.getByRole("button", { name: "Write into the text" }).click();
      await whole(page);
      assert.equal(await restitution(page), "0.5");
      assert.deepEqual(await page.evaluate(() => window.lab.settings.value), []);
      assert.equal(await hash(page), before);
    },
    { arguments: ["--set", "restitution=0.5"] },
  ));

test("ranges hold their value, and every place of a slider is a clean number", () => {
  for (const value of [0.8, -9.81, 0, 6, 1e-9, 6.67e-11, 3e8, 0.1, 123.4]) {
    const range = rangeAround(value);
    assert.ok(range.low <= value && value <= range.high, `${value} in ${JSON.stringify(range)}`);
    assert.ok(value <= 0 || range.low >= 0, "what is positive stays so");
    const places = range.logarithmic ? PLACES : Math.round((range.high - range.low) / range.step);
    for (let k = 0; k <= places; k++) {
      const text = written(valueAt(range, range.logarithmic ? k : range.low + k * range.step));
      assert.match(text, /^-?\d+(\.\d{1,12})?(e-?\d+)?$/);
      assert.ok(text.replace(/e.*|[-.]/g, "").replace(/^0+|0+$/g, "").length <= 5, `${text} of ${value}`);
      assert.equal(read(text), Number(text));
    }
  }
  assert.equal(written(0.1 + 0.2), "0.3");
  assert.equal(written(1e21), "1e21");
});

test("a number keeps its key while it is turned", () => {
  const number = (label: string, value: number, owned: string | null = null) => ({ start: 0, end: 1, value, label, counts: false, owned: owned === null ? null : { name: owned, start: 0, end: 1 } });
  const keys = (labels: [string, number][]) => parametersOf(labels.map(([label, value]) => number(label, value))).map((it) => it.key);
  assert.deepEqual(
    keys([["flight: position (0.5)", 0.5], ["flight: position (0.5) [2]", 0.5], ["drop.duration", 6]]),
    keys([["flight: position (0.6)", 0.6], ["flight: position (0.5)", 0.5], ["drop.duration", 7]]),
  );
  const [world, object, law] = parametersOf([number("a#3", -9.81, "a"), number("ball.v#1", 1, "ball.v"), number("flight: position (0.5)", 0.5)]);
  assert.deepEqual([world?.group, world?.name, world?.direct], ["", "a#3", true]);
  assert.deepEqual([object?.group, object?.name, object?.direct], ["ball", "v#1", true]);
  assert.deepEqual([law?.group, law?.name, law?.direct], ["flight", "position", false]);
});
