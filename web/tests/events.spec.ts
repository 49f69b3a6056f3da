// Time and events: the transport, the timeline, the list, the tables before and after.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { AXIS, laneHeight, NAMES, PAD } from "../src/panes/timeline/draw.ts";
import { closeBrowser, results, seriousProblems, settled, shot, until, visit, withoutPictures } from "./harness.ts";

after(closeBrowser);
withoutPictures();

/** The speed of a ball that fell from rest at 4.5 m over the floor: √(2 g h). */
const IMPACT = Math.sqrt(2 * 9.81 * 4.5);

test("a click on a collision shows everything before and after it", () =>
  visit(async ({ page }) => {
    await settled(page);
    await results(page, /Events/);
    const options = page.getByRole("listbox", { name: "Events in order of time" }).getByRole("option");
    await options.filter({ hasText: "Collision" }).first().click();
    const table = page.getByRole("table").filter({ has: page.getByRole("columnheader", { name: "Before" }) }).filter({ has: page.locator("caption", { hasText: "ball" }) });
    const row = table.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "v", exact: true }) });
    await row.waitFor();
    const vectors = (await row.getByRole("cell").allTextContents()).map((text) => text.match(/−?[\d.e-]+/g)?.map((it) => Number(it.replace("−", "-"))));
    const [before, afterwards] = vectors;
    assert.ok(before !== undefined && afterwards !== undefined, "v has a value before and after");
    assert.ok(Math.abs((before[2] ?? 0) + IMPACT) < 1e-4, `${before}`);
    assert.ok(Math.abs((afterwards[2] ?? 0) - 0.8 * IMPACT) < 1e-4, `${afterwards}`);
    // Everything goes to the moment of the event: √(2 h / g).
    const time = await page.evaluate(() => window.lab.clock.time.value);
    assert.ok(Math.abs(time - Math.sqrt((2 * 4.5) / 9.81)) < 1e-9);
    assert.equal(await page.evaluate(() => window.lab.clock.playing.value), false);
    await shot(page, "event");
  }));

test("the filter leaves collisions only, and an interval of time", () =>
  visit(async ({ page }) => {
    await settled(page);
    const all = await page.evaluate(() => window.lab.run.value?.events.value.map((it) => ({ kind: it.kind, time: it.time })) ?? []);
    const collisions = all.filter((it) => it.kind === "collision");
    assert.ok(collisions.length > 4 && collisions.length < all.length);
    await results(page, /Events/);
    const filter = page.getByRole("group", { name: "Which events" });
    await filter.getByRole("button", { name: "Collision" }).click();
    const options = page.getByRole("listbox").getByRole("option");
    assert.equal(await options.first().getAttribute("aria-setsize"), String(collisions.length));
    await filter.getByLabel("to").fill("2");
    await filter.getByLabel("to").press("Enter");
    assert.equal(await options.first().getAttribute("aria-setsize"), String(collisions.filter((it) => it.time <= 2).length));
    await filter.getByLabel("With").selectOption("floor");
    assert.equal(await options.first().getAttribute("aria-setsize"), String(collisions.filter((it) => it.time <= 2).length));
  }));

test("a click on a tick of the timeline chooses its event", () =>
  visit(async ({ page }) => {
    await settled(page);
    const first = await page.evaluate(() => window.lab.run.value?.events.value.find((it) => it.kind === "collision"));
    assert.ok(first !== undefined);
    const box = await page.locator(".timeline .lanes").boundingBox();
    assert.ok(box !== null);
    // The lanes begin after the names and end before the border. A rem has 16 pixels.
    const x = box.x + 16 * NAMES + (first.time / 6) * (box.width - 16 * (NAMES + PAD));
    await page.mouse.click(x, box.y + 16 * (AXIS + laneHeight(1) / 2));
    await until(page, "an event to be chosen", () => window.lab.event.value !== null);
    assert.equal(await page.evaluate(() => window.lab.eventAt(window.lab.event.value ?? -1)?.kind), "collision");
    assert.ok(Math.abs((await page.evaluate(() => window.lab.clock.time.value)) - first.time) < 1e-9);
  }));

test("the transport steps, jumps, slows down and loops", () =>
  visit(async ({ page }) => {
    await settled(page);
    const time = () => page.evaluate(() => window.lab.clock.time.value);
    await page.getByRole("button", { name: /^Pause/ }).click();
    await page.getByRole("button", { name: /^To the start/ }).click();
    assert.equal(await time(), 0);
    await page.getByRole("button", { name: /^One frame forward/ }).click();
    assert.ok(Math.abs((await time()) - 1 / 60) < 1e-12);
    await page.getByRole("button", { name: /^Next event/ }).click();
    const first = await page.evaluate(() => window.lab.run.value?.events.value.find((it) => it.time > 1 / 60)?.time);
    assert.equal(await time(), first);
    await page.getByRole("button", { name: /^Previous event/ }).click();
    assert.ok((await time()) < (first ?? 0));
    await page.getByRole("button", { name: /^Speed/ }).click();
    await page.getByRole("slider", { name: "Speed" }).focus();
    for (let k = 0; k < 100; k++) await page.keyboard.press("ArrowLeft");
    assert.ok(Math.abs((await page.evaluate(() => window.lab.clock.rate.value)) - 0.01) < 1e-9);
    await page.getByLabel("Time", { exact: true }).fill("2.5");
    await page.getByLabel("Time", { exact: true }).press("Enter");
    assert.equal(await time(), 2.5);
  }));

test("velocities before and after, and the normal between them, are drawn at a collision", () =>
  visit(
    async ({ page }) => {
    await settled(page);
    await results(page, /Events/);
    await page.getByRole("listbox").getByRole("option").filter({ hasText: "Collision" }).first().click();
    await page.getByRole("region", { name: "Before / After" }).getByRole("button", { name: "Draw ball.v as an arrow" }).click();
    await page.getByRole("button", { name: "Draw ball.collisionNormal as an arrow" }).click();
    await page.getByRole("button", { name: /^Arrows/ }).click();
    await page.getByLabel("Numbers beside ball.v").check();
    await page.getByLabel("Numbers beside ball.collisionNormal").check();
    const labels = page.locator(".arrow-label:not([hidden])");
    await until(page, "three arrow labels", () => document.querySelectorAll(".arrow-label:not([hidden])").length === 3);
    const texts = (await labels.allTextContents()).sort();
    assert.deepEqual(texts, ["[0, 0, 1]", "[1, 0, 7.51702]", "[1, 0, −9.39628]"]);
    await shot(page, "arrows_at_a_collision");
    // Away from the event one velocity is left.
    await page.evaluate(() => window.lab.clock.show(0.5));
    await until(page, "one arrow label", () => document.querySelectorAll(".arrow-label:not([hidden])").length === 1);
    },
    { graphics: "software" },
  ));

test("time goes on where nothing moves", () =>
  visit(async ({ page }) => {
    await settled(page);
    await page.evaluate(() => {
      const text = window.lab.text.value.replace(/object \{[^}]*\{[^}]*\}\s*\}/g, (block) => (block.includes("floor") ? block : "")).replace(/measure[\s\S]*/, "").replace("{ball, floor}", "{floor}");
      window.lab.open({ from: "page" }, text);
    });
    await until(page, "the end of the run with one body", () => window.lab.run.value?.scene.bodies.length === 1 && window.lab.run.value.ended.value !== null);
    assert.equal(await page.evaluate(() => window.lab.clock.end.value), 6);
    await page.evaluate(() => window.lab.clock.show(4));
    assert.equal(await page.evaluate(() => window.lab.clock.time.value), 4);
  }));

test("the law that acted stands beside the table with its numbers, and leads into the text", () =>
  visit(
    async ({ page }) => {
      await settled(page);
      await page.evaluate(() => window.lab.chooseEvent(window.lab.run.value?.events.value.find((it) => it.kind === "collision")?.index ?? -1));
      await results(page, /Events/);
      const law = page.getByRole("region", { name: "bounce for ball" });
      await law.locator(".with-numbers").last().waitFor();
      const lines = await law.locator(".with-numbers").allTextContents();
      // The ball falls through 4.5, so that it meets the floor with sqrt(2 g h) and leaves it with e times that.
      const speed = Math.sqrt(2 * 9.81 * 4.5);
      const last = lines.at(-1) ?? "";
      assert.ok(last.includes(`(1, 0, −${speed.toPrecision(4)})`), last);
      assert.ok(last.endsWith(`=(1, 0, ${(0.8 * speed).toPrecision(4)})`), last);
      assert.deepEqual(await seriousProblems(page), []);
      await shot(page, "event_law");
      await page.getByRole("button", { name: "“bounce”" }).click();
      await until(page, "the editor at the block", () => {
        const { value } = window.lab.text;
        const line = value.slice(0, value.lastIndexOf("context {", value.indexOf("name = bounce"))).split("\n").length;
        return document.querySelector(".cm-activeLineGutter")?.textContent?.trim() === String(line);
      });
    },
    { path: "/?open=bounce" },
  ));
