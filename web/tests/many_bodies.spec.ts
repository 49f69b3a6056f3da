// Thousands of bodies: soon on screen after the engine has them, in the order in which people count, and cheap while time passes.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { lanes } from "../src/panes/timeline/lanes.ts";
import type { Scene } from "../src/wire/types.ts";
import { closeBrowser, longTest, settled, shot, visit, withoutPictures } from "./harness.ts";

after(closeBrowser);
withoutPictures();

/** Balls in the air that do not meet. */
function rain(count: number, duration: number): string {
  const side = Math.ceil(Math.sqrt(count));
  const objects = Array.from({ length: count }, (_, k) => {
    const place = [(k % side) * 1.5, Math.floor(k / side) * 1.5, 40];
    return `object { name = b${k} physical type = dynamic geometrical type = sphere attributes = { position = [${place.join(", ")}] size = 0.4 v = [0, 0, ${((k * 7) % 11) - 5}] } }`;
  });
  return `world attributes { g = [0, 0, -1] }
${objects.join("\n")}
context { name = fall type = free fall functions = { v' = g position' = v } }
simulation { name = rain duration = ${duration} frame rate = 20 contexts_involved = {fall} }`;
}

test("names are in the order in which people count", () => {
  const body = (name: string) => ({ name, is_static: false, moves: 0, shape: { kind: "sphere", radius: 1 }, resizes: false, colors: [], pose: [0, 0, 0, 1, 0, 0, 0] });
  const scene = { initial_time: 0, contexts: [], bodies: ["b1", "b10", "b2"].map(body) } as unknown as Scene;
  assert.deepEqual(
    lanes(scene, []).map((it) => [it.name, it.body]),
    [["b1", 0], ["b2", 2], ["b10", 1]],
  );
});

for (const [count, seconds, run] of [[1000, 1.5, test], [5000, 5, longTest]] as const) {
  run(`${count} bodies are on screen ${seconds} s after the engine has them, and lists stay short`, { timeout: 300_000 }, () =>
    visit(async ({ page }) => {
      page.setDefaultTimeout(240_000);
      await settled(page);
      const took = await page.evaluate(
        (text) =>
          new Promise<{ page: number; engine: number; checked: number }>((resolve) => {
            const begin = performance.now();
            let checked = 0;
            const { lab } = window;
            lab.open({ from: "page" }, text);
            const look = () => {
              if (checked === 0 && lab.checked.value?.revision === lab.revision) checked = performance.now() - begin;
              const run = lab.run.value;
              if (run?.ended.value != null && !lab.busy.value) resolve({ page: (performance.now() - begin) / 1000, engine: run.ended.value.took, checked: checked / 1000 });
              else setTimeout(look, 10);
            };
            look();
          }),
        rain(count, 0.5),
      );
      // On a machine that does something else, too, everything takes its share longer; a page that draws every name takes minutes.
      const late = took.page - took.engine;
      console.log(`${count} bodies: ${took.page.toFixed(2)} s in all, ${took.engine.toFixed(2)} s of it the engine's run, ${took.checked.toFixed(2)} s until the text was checked`);
      assert.ok(late < 4 * seconds, `${late} s`);
      await page.evaluate(() => window.lab.clock.show(0.25));
      assert.ok((await page.evaluate(() => document.querySelectorAll("*").length)) < 3000, "elements of the page");
      await shot(page, `many_${count}`);
    }),
  );
}

longTest("5,000 bodies: at most 20 draw calls, and 10 ms of the page for each picture without 3D", { timeout: 300_000 }, async () => {
  await visit(
    async ({ page }) => {
      page.setDefaultTimeout(240_000);
      await settled(page);
      await page.evaluate((text) => window.lab.open({ from: "page" }, text), rain(5000, 0.5));
      await settled(page);
      await page.waitForFunction(() => window.lab.run.value?.scene.bodies.length === 5000);
      assert.ok(Number(await page.locator(".view-host canvas").getAttribute("data-calls")) <= 20);
    },
    { graphics: "software" },
  );
  await visit(
    async ({ page }) => {
      page.setDefaultTimeout(240_000);
      await settled(page);
      await page.evaluate((text) => window.lab.open({ from: "page" }, text), rain(5000, 0.5));
      await page.waitForFunction(() => window.lab.run.value?.scene.bodies.length === 5000 && window.lab.run.value.ended.value !== null);
      const cdp = await page.context().newCDPSession(page);
      await cdp.send("Performance.enable");
      const busy = async () => (await cdp.send("Performance.getMetrics")).metrics.find((it) => it.name === "TaskDuration")?.value ?? 0;
      const frames = 100;
      await page.evaluate(() => (window.lab.clock.playing.value = true));
      const before = await busy();
      await page.evaluate((count) => new Promise<void>((resolve) => { let left = count; const tick = () => (left-- > 0 ? requestAnimationFrame(tick) : resolve()); tick(); }), frames);
      const each = (1000 * ((await busy()) - before)) / frames;
      console.log(`5000 bodies: ${each.toFixed(2)} ms of the page for each picture`);
      assert.ok(each < 10, `${each} ms`);
    },
    { smooth: true },
  );
});
