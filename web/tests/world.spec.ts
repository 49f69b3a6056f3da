// The world: sides without perspective, axes with numbers, a scale bar, marks on trails, floors, contacts.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { closeBrowser, eventually, seriousProblems, settled, shot, until, visit } from "./harness.ts";

after(closeBrowser);

type Point = [number, number, number];

/** Where points of the world are in the picture, in pixels from its left upper corner. */
async function seen(page: Page, points: Point[]): Promise<[number, number][]> {
  await page.waitForTimeout(400);
  const { matrix, width, height } = await page.evaluate(() => {
    const view = (window as unknown as { view: { camera: { projectionMatrix: { elements: number[] }; matrixWorldInverse: { elements: number[] } }; width: number; height: number } }).view;
    return { matrix: [view.camera.projectionMatrix.elements, view.camera.matrixWorldInverse.elements], width: view.width, height: view.height };
  });
  const [projection = [], inverse = []] = matrix;
  const apply = (m: number[], p: number[]) => [0, 1, 2, 3].map((row) => [0, 1, 2, 3].reduce((sum, k) => sum + (m[4 * k + row] ?? 0) * (p[k] ?? 0), 0));
  return points.map((it) => {
    const [x = 0, y = 0, , w = 1] = apply(projection, apply(inverse, [...it, 1]));
    return [((x / w + 1) * width) / 2, ((1 - y / w) * height) / 2];
  });
}

async function open(page: Page, name: string): Promise<void> {
  await settled(page);
  await page.evaluate((name) => window.lab.openFrom({ from: "gallery", name }), name);
  await settled(page);
}

test("each side is shown as it is, not mirrored, and without perspective", { timeout: 120_000 }, () =>
  visit(
    async ({ page }) => {
      await settled(page);
      // Key; the axis to the right, the axis upwards, the axis towards the eye.
      const sides: [string, Point, Point, Point][] = [
        ["y", [1, 0, 0], [0, 0, 1], [0, -1, 0]],
        ["Shift+Y", [-1, 0, 0], [0, 0, 1], [0, 1, 0]],
        ["x", [0, 1, 0], [0, 0, 1], [1, 0, 0]],
        ["Shift+X", [0, -1, 0], [0, 0, 1], [-1, 0, 0]],
        ["z", [1, 0, 0], [0, 1, 0], [0, 0, 1]],
        ["Shift+Z", [1, 0, 0], [0, -1, 0], [0, 0, -1]],
      ];
      for (const [key, right, up, near] of sides) {
        await page.keyboard.press(key);
        const far = near.map((it) => -2 * it) as Point;
        const beside = far.map((it, k) => it + (right[k] ?? 0)) as Point;
        const [o = [0, 0], r = [0, 0], u = [0, 0], f = [0, 0], b = [0, 0]] = await seen(page, [[0, 0, 0], right, up, far, beside]);
        assert.ok(r[0] - o[0] > 5 && Math.abs(r[1] - o[1]) < 1, `${key}: to the right is ${r[0] - o[0]}, ${r[1] - o[1]}`);
        assert.ok(o[1] - u[1] > 5 && Math.abs(u[0] - o[0]) < 1, `${key}: upwards is ${u[0] - o[0]}, ${o[1] - u[1]}`);
        const ratio = (b[0] - f[0]) / (r[0] - o[0]);
        assert.ok(Math.abs(ratio - 1) < 0.005, `${key}: further away a length is ${ratio} as long`);
      }
      await page.keyboard.press("Shift+F");
      const [o = [0, 0], r = [0, 0], f = [0, 0], b = [0, 0]] = await seen(page, [[0, 0, 0], [1, 0, 0], [0, 2, 0], [1, 2, 0]]);
      assert.ok(Math.abs((b[0] - f[0]) / (r[0] - o[0]) - 1) > 0.03, "perspective is back");
    },
    { experiment: "bounce" },
  ),
);

test("the menu looks from sides by names, and by keyboard", { timeout: 60_000 }, () =>
  visit(
    async ({ page }) => {
      await settled(page);
      await page.keyboard.press("v");
      await page.getByRole("button", { name: "Top", exact: true }).focus();
      await page.keyboard.press("Enter");
      const [o = [0, 0], r = [0, 0], u = [0, 0]] = await seen(page, [[0, 0, 0], [1, 0, 0], [0, 1, 0]]);
      assert.ok(r[0] > o[0] && u[1] < o[1]);
      assert.deepEqual(await seriousProblems(page), []);
      await shot(page, "menu");
    },
    { experiment: "bounce" },
  ),
);

test("marks on trails lie at equal times, and what is to come is not drawn unasked", { timeout: 60_000 }, () =>
  visit(
    async ({ page }) => {
      await settled(page);
      const strobe = await page.evaluate(() => {
        const { strobe } = (window as unknown as { view: { strobe: { count: number; interval: number; object: { geometry: { getAttribute: (name: string) => { array: ArrayLike<number> } } } } } }).view;
        return { interval: strobe.interval, z: Array.from(strobe.object.geometry.getAttribute("position").array).filter((_, k) => k % 3 === 2) };
      });
      // z = 5 - g t^2 / 2 up to the first bounce at 0.958 s.
      const count = Math.floor(0.95 / strobe.interval);
      for (let k = 0; k <= count; k++) {
        const wanted = 5 - (9.81 / 2) * (k * strobe.interval) ** 2;
        assert.ok(Math.abs((strobe.z[k] ?? NaN) - wanted) < 0.01, `mark ${k} at ${strobe.z[k]}, not ${wanted}`);
      }
      const future = () => page.evaluate(() => (window as unknown as { view: { trails: { lines: { object: { material: { uniforms: { faint: { value: number } } } } } } } }).view.trails.lines.object.material.uniforms.faint.value);
      assert.equal(await future(), 0);
      await page.keyboard.press("v");
      await page.getByRole("checkbox", { name: "Trails of what is to come" }).check();
      await eventually("trails of what is to come", async () => (await future()) > 0);
    },
    { experiment: "bounce" },
  ),
);

test("space has no floor; where things fall there is one", { timeout: 60_000 }, () =>
  visit(
    async ({ page }) => {
      for (const [name, floor] of [["kepler", false], ["figure_eight", false], ["bounce", true], ["four_bar", true], ["two_spheres", false]] as const) {
        await open(page, name);
        await page.waitForTimeout(300);
        assert.equal(await page.evaluate(() => (window as unknown as { view: { hasGround: boolean } }).view.hasGround), floor, name);
        await shot(page, `floor-${name}`);
      }
      await open(page, "kepler");
    },
    { experiment: "bounce" },
  ),
);

const BOX = `object {
    name = box
    physical type = dynamic
    geometrical type = cuboid
    attributes = { position = [0, 0, 0.25]  size = [1, 1, 0.5]  mass = 2 }
}
object {
    name = floor
    physical type = static
    geometrical type = half space
    attributes = { position = [0, 0, 0] }
}
simulation {
    name = rest
    mechanics = rigid
    duration = 1
    gravity = [0, 0, -9.81]
}
`;

test("contacts are shown on request, and their forces carry the weight", { timeout: 60_000 }, () =>
  visit(async ({ page }) => {
    await settled(page);
    await page.evaluate((text) => window.lab.open({ from: "page" }, text), BOX);
    await settled(page);
    const runs = await page.evaluate(() => window.lab.started);
    await page.keyboard.press("v");
    for (const name of ["Contact points", "Contact normals", "Forces of contacts and joints"]) await page.getByRole("checkbox", { name }).check();
    await until(page, "a run with contacts", (runs) => window.lab.started > runs && window.lab.run.value?.ended.value != null, runs);
    await page.evaluate(() => window.lab.clock.show(0.9));
    await until(page, "four contacts", () => (window as unknown as { view: { contacts: { count: number } } }).view.contacts.count === 4);
    const weight = await page.evaluate(async () => {
      const run = window.lab.run.value;
      const reply = (await window.lab.client.request({ type: "contacts", run: run?.id ?? 0, time: 0.9 })) as { contacts: { force: number[]; normal: number[] }[] };
      return reply.contacts.reduce((sum, it) => sum + Math.abs(it.force[2] ?? 0), 0);
    });
    assert.ok(Math.abs(weight - 2 * 9.81) < 1e-6, `they carry ${weight} N`);
    assert.match((await page.locator(".view-force").textContent()) ?? "", /\d N/);
    await shot(page, "contacts");
  }),
);
