// The 3D view: it shows what the run is about, with few draw calls, all of it in the picture, and by keyboard alone.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, test } from "node:test";
import { signal } from "@preact/signals";
import type { Page } from "playwright-core";
import { Clock } from "../src/lab/clock.ts";
import { followPoseWindows } from "../src/lab/pose_windows.ts";
import type { Lab } from "../src/lab/lab.ts";
import { Run } from "../src/lab/run.ts";
import type { View } from "../src/panes/view/view.ts";
import type { Body } from "../src/wire/types.ts";
import { closeBrowser, settled, shot, until, visit } from "./harness.ts";

declare global {
  interface Window {
    view: View;
  }
}

after(closeBrowser);

const CANVAS = ".view-host canvas";

/** Shows a moment, and waits until it is drawn. */
async function show(page: Page, time: number): Promise<void> {
  await page.evaluate((it) => window.lab.clock.show(it), time);
  await drawn(page);
}

async function drawn(page: Page): Promise<void> {
  const before = await page.evaluate(() => {
    window.view.refresh();
    return window.view.pictures.value;
  });
  await until(page, "the next picture", (count) => window.view.pictures.value > count, before);
}

async function calls(page: Page): Promise<number> {
  await drawn(page);
  return Number(await page.locator(CANVAS).getAttribute("data-calls"));
}

/** How often each colour is in a part of the page. */
async function colours(page: Page, selector: string): Promise<Map<string, number>> {
  const picture = (await page.locator(selector).screenshot()).toString("base64");
  const counted = await page.evaluate(async (data) => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(atob(data), (it) => it.charCodeAt(0))]));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    if (context === null) throw new Error("no canvas");
    context.drawImage(image, 0, 0);
    const { data: pixels } = context.getImageData(0, 0, image.width, image.height);
    const counts = new Map<string, number>();
    for (let k = 0; k < pixels.length; k += 4) {
      const key = [pixels[k], pixels[k + 1], pixels[k + 2]].map((it) => Math.round((it ?? 0) / 16)).join(" ");
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return [...counts];
  }, picture);
  return new Map(counted);
}

function spheres(count: number): string {
  const object = (k: number) => `
object {
    name = ball${k}
    physical type = dynamic
    geometrical type = sphere
    attributes = { position = [${k % 20}, ${Math.floor(k / 20)}, 3]  size = 0.3  v = [0, 0, 0] }
}`;
  const names = Array.from({ length: count }, (_, k) => `ball${k}`);
  return `// Balls that fall side by side.
world attributes { a = [0, 0, -9.81] }
${names.map((_, k) => object(k)).join("")}
context {
    name = flight
    type = free fall
    attributes = {t0, pos0, v0}
    compute_first_time_only_attributes = {t0, pos0, v0}
    functions = {
        t0 = t
        pos0 = position
        v0 = v
        v = v0 + a * (t - t0)
        position = pos0 + v0 * (t - t0) + 0.5 * a * (t - t0)^2
    }
}
simulation {
    name = fall
    initial time = 0
    duration = 1
    objects_involved = {${names.join(", ")}}
    contexts_involved = {flight}
}
`;
}

/** A ball inside a box of walls, that grows. */
const GROWS = `// A ball in a box, that grows.
object {
    name = ball
    physical type = dynamic
    geometrical type = sphere
    attributes = { position = [0, 0, 0]  size = 0.2  v = [0.3, 0.2, 0.1] }
}
object {
    name = front
    physical type = static
    geometrical type = cuboid
    attributes = { position = [0, -1, 0]  size = [2, 0.1, 2] }
}
object {
    name = back
    physical type = static
    geometrical type = cuboid
    attributes = { position = [0, 1, 0]  size = [2, 0.1, 2] }
}
context {
    name = growth
    type = free fall
    attributes = {t0, pos0, size0}
    compute_first_time_only_attributes = {t0, pos0, size0}
    functions = {
        t0 = t
        pos0 = position
        size0 = size
        position = pos0 + v * (t - t0)
        size = size0 + 0.5 * (t - t0)
    }
}
simulation {
    name = grow
    initial time = 0
    duration = 1
    objects_involved = {ball, front, back}
    contexts_involved = {growth}
}
`;

async function open(page: Page, text: string): Promise<void> {
  await page.evaluate((it) => window.lab.open({ from: "page" }, it), text);
  await settled(page);
  assert.deepEqual(await page.evaluate(() => window.lab.problems.value.map((it) => it.message)), []);
  await show(page, 0.5);
}

/** The places of all bodies that move at all frames, as the camera sees them: the largest |x| and |y|; 1 is the border. */
function furthest(page: Page): Promise<number> {
  return page.evaluate(() => {
    const run = window.lab.run.value;
    if (run === null) return Infinity;
    const pose = new Float64Array(7);
    let most = 0;
    run.scene.bodies.forEach((body, index) => {
      if (body.moves === null) return;
      const radius = body.shape.kind === "sphere" ? body.shape.radius : 0;
      for (let frame = 0; frame <= run.poses.lastFrame; frame++) {
        run.poses.at(index, run.poses.timeOf(frame), pose);
        for (const side of [-radius, radius]) {
          const point = window.view.camera.position.clone().set(pose[0] ?? 0, pose[1] ?? 0, (pose[2] ?? 0) + side);
          point.project(window.view.camera);
          most = Math.max(most, Math.abs(point.x), Math.abs(point.y), point.z);
        }
      }
    });
    return most;
  });
}

test("the first visit shows a ball and a floor", () =>
  visit(async ({ page }) => {
    await settled(page);
    await show(page, 1.2);
    const seen = await colours(page, CANVAS);
    // Where the ball begins, neither the tools nor the clock lie over it.
    const top = await page.evaluate(() => {
      const point = window.view.camera.position.clone().set(0, 0, 5.5).project(window.view.camera);
      return { x: ((point.x + 1) * window.view.width) / 2, y: ((1 - point.y) * window.view.height) / 2 };
    });
    const pane = await page.locator(".view-pane").boundingBox();
    for (const over of [page.getByRole("toolbar", { name: "Tools of the view" }), page.locator(".view-clock")]) {
      const box = await over.boundingBox();
      assert.ok(box !== null && pane !== null);
      const [x, y] = [top.x + pane.x, top.y + pane.y];
      assert.ok(x < box.x || x > box.x + box.width || y > box.y + box.height, `${x}, ${y}`);
    }
    assert.ok(seen.size > 12, `only ${seen.size} colours`);
    const warm = [...seen].filter(([key]) => {
      const [red = 0, , blue = 0] = key.split(" ").map(Number);
      return red - blue >= 4;
    });
    assert.ok(warm.reduce((sum, [, count]) => sum + count, 0) > 200, "the ball is not there");
    await shot(page, "first");
  }));

test("the number of draw calls does not grow with the number of bodies", () =>
  visit(async ({ page }) => {
    await settled(page);
    await open(page, spheres(3));
    const few = await calls(page);
    await page.getByRole("button", { name: "Trails" }).click();
    const bare = await calls(page);
    assert.ok(bare < few, "trails cost a draw call of their own");
    await open(page, spheres(300));
    assert.equal(await calls(page), bare);
    await page.getByRole("button", { name: "Trails" }).click();
    assert.equal(await calls(page), few);
    await shot(page, "many");
  }));

test("the whole motion is in the picture, and stays where it is when it runs again", () =>
  visit(async ({ page }) => {
    await settled(page);
    await drawn(page);
    const before = await furthest(page);
    assert.ok(before < 1 && before > 0.6, `${before}`);
    const place = () => page.evaluate(() => window.view.camera.position.toArray().map((it) => it.toFixed(9)));
    const first = await place();
    await page.evaluate(() => window.lab.edit(window.lab.text.value.replace("restitution = 0.8", "restitution = 0.7")));
    await until(page, "the ghost of the run before", () => window.lab.ghost.value !== null);
    await settled(page);
    await drawn(page);
    assert.deepEqual(await place(), first);
    await page.keyboard.press("x");
    await drawn(page);
    assert.notDeepEqual(await place(), first);
    assert.ok((await furthest(page)) < 1);
    await page.keyboard.press("Shift+F");
    await drawn(page);
    // The other run takes other room: seen from the same side, the picture is framed anew.
    assert.ok((await furthest(page)) < 1);
    await shot(page, "ghost");
  }));

test("bodies are selected by keyboard, and said", () =>
  visit(async ({ page }) => {
    await settled(page);
    await page.getByRole("application", { name: "3D view" }).focus();
    await page.keyboard.press("]");
    assert.equal(await page.evaluate(() => window.lab.selection.value), "ball");
    assert.match(await page.evaluate(() => window.lab.announcement.value.text), /ball/);
    await page.keyboard.press("]");
    assert.equal(await page.evaluate(() => window.lab.selection.value), "floor");
    await page.keyboard.press("[");
    const words = page.locator(".view-words");
    await until(page, "the description of the ball", () => /ball is at/.test(document.querySelector(".view-words")?.textContent ?? ""));
    assert.match(await words.innerText(), /2 objects: ball, floor \(static\)/);
    await page.getByRole("group", { name: "Selected: ball" }).waitFor();
    await page.keyboard.press("Escape");
    assert.equal(await page.evaluate(() => window.lab.selection.value), null);
  }));

test("a click selects, a double click follows, a click beside deselects", () =>
  visit(async ({ page }) => {
    await settled(page);
    await show(page, 1);
    const at = await page.evaluate(() => {
      const run = window.lab.run.value;
      const pose = run?.poses.at(run.body("ball"), 1, new Float64Array(7)) ?? [0, 0, 0];
      const point = window.view.camera.position.clone().set(pose[0] ?? 0, pose[1] ?? 0, pose[2] ?? 0).project(window.view.camera);
      return { x: ((point.x + 1) * window.view.width) / 2, y: ((1 - point.y) * window.view.height) / 2 };
    });
    const canvas = page.locator(CANVAS);
    await canvas.hover({ position: at });
    await page.locator(".view-tip", { hasText: "ball" }).waitFor();
    await canvas.click({ position: at });
    assert.equal(await page.evaluate(() => window.lab.selection.value), "ball");
    await canvas.dblclick({ position: at });
    const follow = page.getByRole("button", { name: "Follow ball" });
    assert.equal(await follow.getAttribute("aria-pressed"), "true");
    await shot(page, "selected");
    await canvas.click({ position: { x: 480, y: 20 } });
    assert.equal(await page.evaluate(() => window.lab.selection.value), null);
  }));

test("a trail tells what was there, and a click goes there", () =>
  visit(async ({ page }) => {
    await settled(page);
    await show(page, 0);
    const at = await page.evaluate(() => {
      const run = window.lab.run.value;
      const pose = run?.poses.at(run.body("ball"), 1.5, new Float64Array(7)) ?? [0, 0, 0];
      const point = window.view.camera.position.clone().set(pose[0] ?? 0, pose[1] ?? 0, pose[2] ?? 0).project(window.view.camera);
      return { x: ((point.x + 1) * window.view.width) / 2, y: ((1 - point.y) * window.view.height) / 2 };
    });
    const canvas = page.locator(CANVAS);
    await canvas.hover({ position: at });
    const tip = page.locator(".view-tip");
    await tip.getByText("norm(v)").waitFor();
    assert.match(await tip.innerText(), /position/);
    await shot(page, "trail");
    await canvas.click({ position: at });
    const time = await page.evaluate(() => window.lab.clock.time.value);
    assert.ok(Math.abs(time - 1.5) < 0.05, `${time}`);
  }));

test("a body that grows is seen to grow, and a wall before it is looked through", () =>
  visit(async ({ page }) => {
    await settled(page);
    await open(page, GROWS);
    const radius = () => page.evaluate(() => window.view.objects?.bodies.drawn[window.lab.run.value?.body("ball") ?? -1]?.[0]?.place.getMaxScaleOnAxis() ?? NaN);
    await until(page, "the values in the tooltip", () => {
      const place = window.view.objects?.bodies.drawn[window.lab.run.value?.body("ball") ?? -1]?.[0]?.place;
      return place !== undefined && Math.abs(place.getMaxScaleOnAxis() - 0.45) < 1e-6;
    });
    await show(page, 1);
    assert.ok(Math.abs((await radius()) - 0.7) < 1e-6, `${await radius()}`);
    const veiled = () => page.evaluate(() => [...window.view.veiled].map((it) => window.lab.run.value?.scene.bodies[it]?.name));
    assert.deepEqual(await veiled(), ["front"]);
    await shot(page, "box");
  }));

test("a label stays at its point of the world", () =>
  visit(async ({ page }) => {
    await settled(page);
    await show(page, 1);
    const wrong = () =>
      page.evaluate(() => {
        const label = document.querySelector("#mark");
        if (label === null) return Infinity;
        const [at, pane] = [label.getBoundingClientRect(), window.view.labels.getBoundingClientRect()];
        const point = window.view.camera.position.clone().set(1, 0, 2).project(window.view.camera);
        return Math.hypot(at.x - pane.x - ((point.x + 1) * pane.width) / 2, at.y - pane.y - ((1 - point.y) * pane.height) / 2);
      });
    await page.evaluate(() => {
      const label = window.view.labels.appendChild(document.createElement("span"));
      label.id = "mark";
      window.view.place(label, [1, 0, 2]);
    });
    assert.ok((await wrong()) < 1, `${await wrong()}`);
    await page.keyboard.press("Shift+X");
    await drawn(page);
    assert.ok((await wrong()) < 1, `${await wrong()}`);
  }));

test("another theme has other colours at once", () =>
  visit(async ({ page }) => {
    await settled(page);
    await show(page, 1.2);
    const brightness = async () => {
      const seen = await colours(page, ".view-pane");
      let [sum, count] = [0, 0];
      for (const [key, times] of seen) {
        sum += times * key.split(" ").reduce((total, it) => total + Number(it), 0);
        count += times;
      }
      return sum / count / 48;
    };
    await page.emulateMedia({ colorScheme: "light" });
    await drawn(page);
    const light = await brightness();
    await page.emulateMedia({ colorScheme: "dark" });
    await drawn(page);
    const dark = await brightness();
    assert.ok(light > 0.7 && dark < 0.35, `light ${light}, dark ${dark}`);
    await shot(page, "dark");
  }));

test("a machine finds nothing wrong with it", () =>
  visit(async ({ page }) => {
    await settled(page);
    await page.keyboard.press("]");
    await page.getByRole("group", { name: "Selected: ball" }).waitFor();
    await page.evaluate(await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
    const found = await page.evaluate(async () => {
      const { violations } = await (window as unknown as { axe: { run: (where: string) => Promise<{ violations: { id: string; help: string }[] }> } }).axe.run(".view-pane");
      return violations.map((it) => `${it.id}: ${it.help}`);
    });
    assert.deepEqual(found, []);
  }));

test("where frames were left out, those around the shown time are asked for, one window at a time", async () => {
  const frames = 40_000;
  const stride = 8;
  const body = { name: "ball", is_static: false, moves: 0, shape: { kind: "sphere", radius: 1 }, resizes: false, colors: [], pose: [0, 0, 0, 1, 0, 0, 0] } satisfies Body;
  const run = new Run(7, 1, false, {
    simulation: "s", initial_time: 0, end: frames / 100, frame_rate: 100, frames, up: [0, 0, 1], bodies: [body], has_ground: true, in_metres: true, drawings: [], view: null, contexts: [], quantities: [], stride,
  });
  // The square of the number of the frame: a straight line between two frames that are far apart is wrong.
  const poses = (first: number, step: number, count: number) =>
    Float32Array.from({ length: 7 * count }, (_, k) => (k % 7 === 0 ? (first + step * Math.floor(k / 7)) ** 2 : k % 7 === 3 ? 1 : 0));
  run.poses.add(0, stride, frames / stride + 1, poses(0, stride, frames / stride + 1));
  const clock = new Clock();
  clock.playing.value = false;
  clock.reached.value = clock.end.value = run.poses.end;
  const asked: { first: number; last: number; answer: () => void }[] = [];
  const client = {
    request: ({ first, last }: { first: number; last: number }) =>
      new Promise((resolve) => {
        const count = last - first + 1;
        const head = { chunk: "poses", id: 1, run: 7, revision: 1, first, stride: 1, frames: count, bodies: 1 };
        asked.push({ first, last, answer: () => resolve({ head, buffer: poses(first, 1, count).buffer, start: 0 }) });
      }),
  };
  const stop = followPoseWindows({ run: signal(run), clock, client } as unknown as Lab);
  const x = (frame: number) => run.poses.at(0, frame / 100, new Float64Array(7))[0];
  const wait = () => new Promise((resolve) => setTimeout(resolve));
  clock.seek(20.03);
  clock.seek(203.03);
  assert.equal(asked.length, 1);
  assert.notEqual(x(3), 9);
  asked[0]?.answer();
  await wait();
  assert.equal(x(3), 9);
  // While the first was on its way the time has moved on.
  assert.equal(asked.length, 2);
  assert.ok(asked[1] !== undefined && asked[1].first <= 20303 && asked[1].last > 20303);
  assert.notEqual(x(20303), 20303 ** 2);
  asked[1]?.answer();
  await wait();
  assert.ok(Math.abs((x(20303) ?? 0) - 20303 ** 2) < 32);
  clock.seek(203.1);
  assert.equal(asked.length, 2);
  stop();
});

test("nothing is drawn while nothing changes", () =>
  visit(async ({ page }) => {
    await settled(page);
    await show(page, 1);
    const quiet = () =>
      page.evaluate(async () => {
        const before = window.view.pictures.value;
        await new Promise((resolve) => setTimeout(resolve, 500));
        return window.view.pictures.value === before;
      });
    // What was on its way may still arrive; then there is silence.
    if (!(await quiet())) assert.ok(await quiet());
    assert.ok(await quiet());
  }));

test("a lost graphics card is told, and comes back", () =>
  visit(async ({ page }) => {
    await settled(page);
    await show(page, 1);
    await page.evaluate(() => {
      const extension = window.view.renderer.getContext().getExtension("WEBGL_lose_context");
      extension?.loseContext();
      setTimeout(() => extension?.restoreContext(), 500);
    });
    await page.getByRole("alert").filter({ hasText: "graphics" }).waitFor();
    await page.getByRole("alert").filter({ hasText: "graphics" }).waitFor({ state: "detached" });
    await show(page, 1.1);
    assert.ok((await colours(page, CANVAS)).size > 12);
  }));

test("without WebGL there are words instead", () =>
  visit(async ({ page }) => {
    await page.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = () => null;
    });
    await page.reload();
    await page.getByRole("alert").filter({ hasText: "WebGL" }).waitFor();
    await settled(page);
    await page.locator(".view-words").filter({ hasText: "2 objects" }).waitFor({ state: "attached" });
  }));

test("a narrow window shows it too", () =>
  visit(
    async ({ page }) => {
      await settled(page);
      await show(page, 1.2);
      assert.ok((await furthest(page)) < 1);
      await shot(page, "narrow");
    },
    { viewport: { width: 360, height: 740 } },
  ));
