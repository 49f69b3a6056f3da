// What joins bodies is drawn, in all four mechanics, and where it is.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { catenary } from "./catenary.ts";
import { closeBrowser, settled, shot, until, visit } from "./harness.ts";

after(closeBrowser);

interface Drawn {
  joinery: { drawn: Map<string, number>; lines: { count: number; ends: { begin: Float32Array; end: Float32Array } } };
}

/** Waits until the picture has been drawn once more. */
async function picture(page: Page): Promise<void> {
  const before = await page.evaluate(() => {
    const { view } = window as unknown as { view: { refresh: () => void; pictures: { value: number } } };
    view.refresh();
    return view.pictures.value;
  });
  await until(page, "the next picture", (before) => (window as unknown as { view: { pictures: { value: number } } }).view.pictures.value > before, before);
}

/** How many things of each kind are drawn. */
async function drawn(page: Page): Promise<Record<string, number>> {
  return page.evaluate(() => Object.fromEntries((window as unknown as { view: Drawn }).view.joinery.drawn));
}

async function open(page: Page, name: string): Promise<void> {
  await page.evaluate((name) => window.lab.openFrom({ from: "gallery", name }), name);
  await settled(page);
  await page.waitForTimeout(300);
}

async function write(page: Page, text: string): Promise<void> {
  await settled(page);
  await page.evaluate((text) => window.lab.open({ from: "page" }, text), text);
  await settled(page);
}

test("joints, springs, ropes and rods of every mechanics are drawn", { timeout: 120_000 }, () =>
  visit(
    async ({ page }) => {
      const expected: [string, Record<string, number>][] = [
        ["pendulum", { rod: 1, axle: 1 }],
        ["spring", { spring: 2, wall: 1 }],
        ["elastic_pendulum", { spring: 1 }],
        ["bead_on_hoop", { circle: 1, axle: 1 }],
        ["tautochrone", { track: 3 }],
        ["cradle_on_strings", { rope: 5, line: 1 }],
        ["four_bar", { hinge: 4 }],
        ["chain", { ball: 20 }],
        ["soft_figure", { ball: 6, hinge: 4 }],
      ];
      await settled(page);
      for (const [name, wanted] of expected) {
        await open(page, name);
        await until(page, `drawings of ${name}`, (wanted) => {
          const found = Object.fromEntries((window as unknown as { view: Drawn }).view.joinery.drawn);
          return JSON.stringify(Object.entries(found).sort()) === JSON.stringify(Object.entries(wanted as Record<string, number>).sort());
        }, wanted).catch(async (error: unknown) => {
          throw new Error(`${name}: ${JSON.stringify(await drawn(page))}, not ${JSON.stringify(wanted)}`, { cause: error });
        });
        await shot(page, `joinery-${name}`);
      }
    },
    { experiment: "pendulum" },
  ),
);

const ROPE = `object {
    name = ball
    physical type = dynamic
    geometrical type = sphere
    attributes = {
        position = [0.6, 0, -0.4]
        size = 0.05
        mass = 1
    }
}
joint string {
    kind = rope
    between = {ball, world}
    anchor2 = [0, 0, 0]
    length = 1
}
simulation {
    name = fall
    mechanics = rigid
    gravity = [0, 0, -9.81]
    duration = 0.6
    time step = 1 / 480
}
`;

test("a slack rope hangs as a catenary of its length, and a taut one is straight", { timeout: 60_000 }, () =>
  visit(async ({ page }) => {
    await write(page, ROPE);
    const at = async (time: number) => {
      await page.evaluate((time) => window.lab.clock.show(time), time);
      await picture(page);
      return page.evaluate(() => {
        const { count, ends } = (window as unknown as { view: Drawn }).view.joinery.lines;
        return Array.from({ length: count }, (_, k) => [Array.from(ends.begin.slice(3 * k, 3 * k + 3)), Array.from(ends.end.slice(3 * k, 3 * k + 3))]);
      });
    };
    const slack = await at(0);
    const lengths = slack.map(([a = [], b = []]) => Math.hypot(...a.map((it, i) => it - (b[i] ?? 0))));
    const length = lengths.reduce((sum, it) => sum + it, 0);
    assert.ok(Math.abs(length - 1) < 2e-3, `its pieces are ${length} long together`);
    const lowest = Math.min(...slack.flat().map((it) => it[2] ?? 0));
    assert.ok(Math.abs(lowest - catenary(0.6, -0.4, 1)) < 2e-3, `its lowest point is at ${lowest}, not ${catenary(0.6, -0.4, 1)}`);
    const end = await page.evaluate(() => window.lab.clock.end.value);
    const taut = await at(end);
    const [first, last] = [taut.at(0)?.[0] ?? [], taut.at(-1)?.[1] ?? []];
    assert.ok(Math.abs(Math.hypot(...first.map((it, i) => it - (last[i] ?? 0))) - 1) < 5e-3, "it is taut in the end");
    await shot(page, "rope");
  }),
);

test("joints can be switched off by keyboard alone", { timeout: 60_000 }, () =>
  visit(
    async ({ page }) => {
      await settled(page);
      await until(page, "hinges", () => (window as unknown as { view: Drawn }).view.joinery.drawn.size > 0);
      await page.keyboard.press("v");
      const box = page.getByRole("checkbox", { name: "Joints, springs and ropes" });
      await box.focus();
      await page.keyboard.press("Space");
      await until(page, "no hinges", () => (window as unknown as { view: Drawn }).view.joinery.drawn.size === 0);
      await page.keyboard.press("Escape");
      await until(page, "the menu is closed", () => document.querySelector(".view-menu") === null);
    },
    { experiment: "four_bar" },
  ),
);
