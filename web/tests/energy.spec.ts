// The energy of a run: bars over the world, the tab of the drawer. Numbers are compared with closed forms.
import { ok, strictEqual } from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { closeBrowser, eventually, results, seriousProblems, settled, shot, until, visit, withoutPictures } from "./harness.ts";

after(closeBrowser);
withoutPictures();

/** Numbers of a page are rounded to four digits. */
const DIGITS = 6e-4;

function near(value: number, expected: number, what: string, tolerance = DIGITS): void {
  ok(Math.abs(value - expected) <= tolerance * Math.max(1e-9, Math.abs(expected)), `${what}: ${value} instead of ${expected}`);
}

/** The value of a part, as it is shown in the world. */
async function bar(page: Page, part: string): Promise<number> {
  return Number(await page.locator(`.energy-over tr[data-part=${part}] .number`).getAttribute("title"));
}

async function goTo(page: Page, time: number): Promise<void> {
  await page.evaluate((time) => window.lab.clock.show(time), time);
  await until(page, "the moment", (time) => window.lab.readout.time.value === time, time);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** Shows another text, and waits for its energies. */
async function show(page: Page, text: string): Promise<void> {
  await page.evaluate((text) => window.lab.open({ from: "page" }, text), text);
  await known(page);
}

async function known(page: Page): Promise<void> {
  await settled(page);
  await until(page, "energies of the run on screen", () => {
    const { energies } = window as unknown as { energies: { value: { run: unknown } | null } };
    return energies.value?.run === window.lab.run.value;
  });
}

async function source(page: Page): Promise<string> {
  await results(page, "Energy");
  return (await page.locator(".energy-pane").textContent()) ?? "";
}

const [G, HEIGHT, E] = [9.81, 4.5, 0.8];

test("a bouncing ball: m g h, and each bounce takes the part 1 - e^2", async () => {
  await visit(
    async ({ page }) => {
      await known(page);
      await goTo(page, 0);
      const kinetic = 0.5;
      near(await bar(page, "kinetic"), kinetic, "at the start the kinetic energy per mass is v²/2");
      // The lowest place is the floor, but for what the ball sinks in.
      near(await bar(page, "potential"), G * HEIGHT, "at the start the potential energy per mass is g h");
      // It falls for sqrt(2 h / g), and for twice e^k of it after the bounce k.
      const fall = Math.sqrt((2 * HEIGHT) / G);
      let bounced = fall;
      for (let k = 1; k <= 4; k++) {
        const middle = bounced + E ** k * fall;
        await goTo(page, middle);
        near(await bar(page, "lost"), G * HEIGHT * (1 - E ** (2 * k)), `after ${k} bounces`, 2e-3);
        near((await bar(page, "potential")) / (G * HEIGHT * E ** (2 * k)), 1, `apex ${k}`, 2e-3);
        bounced = middle + E ** k * fall;
      }
      const said = await source(page);
      ok(/ball\.v/.test(said) && /per unit of mass/.test(said), said);
      await page.evaluate(() => window.lab.chooseEvent(window.lab.run.value?.events.value.find((it) => it.kind === "collision")?.index ?? -1));
      await page.getByLabel("Interval", { exact: true }).selectOption("frame");
      await eventually("the work of the bounce", async () => {
        const work = await page.locator(".energy-works tr", { has: page.locator("th", { hasText: /^bounce$/ }) }).locator("td").nth(1).getAttribute("title");
        return Math.abs(Number(work) + G * HEIGHT * (1 - E ** 2)) < 1e-6 * G * HEIGHT;
      });
      strictEqual((await seriousProblems(page)).join("\n"), "");
      await shot(page, "energy-bounce");
    },
    { path: "/?open=bounce" },
  );
});

const BALL = (more: string, laws: string) => `
world attributes { g = [0, 0, -9.81] k = 0.5 ${more} }
object { name = ball physical type = dynamic geometrical type = sphere attributes = { position = [0, 0, 5] size = 0.5 v = [1, 0, 0] mass = 2 } }
${laws}
simulation { name = fall duration = 0.5 }`;

test("mass and v: with drag the weight is what the law names, and nothing more is claimed than there is", async () => {
  await visit(async ({ page }) => {
    await show(page, BALL("", "context { name = flight type = free fall functions = { v' = g - k * v position' = v } }"));
    await goTo(page, 0.5);
    // v = (1, 0, -u) e^(-k t) + ..., u = g / k
    const decay = Math.exp(-0.25);
    const speed = (G / 0.5) * (1 - decay);
    near(await bar(page, "kinetic"), 0.5 * 2 * (decay ** 2 + speed ** 2), "kinetic energy with drag");
    const fallen = (G / 0.5) * (0.5 - (1 - decay) / 0.5);
    await goTo(page, 0);
    near(await bar(page, "potential"), 2 * G * fallen, "potential energy above the lowest place");

    // A spring is no uniform field: its energy is not known, and not claimed.
    await show(page, BALL("", "context { name = spring type = free fall functions = { v' = -k * position position' = v } }"));
    strictEqual(await page.locator(".energy-over tr[data-part=potential]").count(), 0);
    strictEqual(await page.locator(".energy-over tr[data-part=lost]").count(), 0);
    ok((await source(page)).includes("Kinetic energy only"));

    // An engine that brakes evenly is no field, whatever g says.
    await show(page, BALL("", "context { name = flight type = free fall functions = { v' = [0, 0, -3] + g + [0, 0, 9.81] position' = v } }"));
    strictEqual(await page.locator(".energy-over tr[data-part=potential]").count(), 0);

    // What is called v, and is no velocity, has no energy; nor has a gas with T and V.
    await show(page, BALL("", "context { name = odd type = free fall functions = { v' = g position' = 3 * v } }"));
    strictEqual(await page.locator(".energy-over").count(), 0);
    ok((await source(page)).includes("Nothing here says what the energies are"));
  });
});

test("the ledger of rigid bodies: what is lost and what is left is what there was, and the light is green", async () => {
  await visit(
    async ({ page }) => {
      await known(page);
      const end = await page.evaluate(() => window.lab.clock.end.value);
      await goTo(page, 0);
      const start = (await bar(page, "kinetic")) + (await bar(page, "potential"));
      for (const time of [0.3 * end, end]) {
        await goTo(page, time);
        const [kinetic, potential, lost, error] = [await bar(page, "kinetic"), await bar(page, "potential"), await bar(page, "lost"), await bar(page, "error")];
        near(kinetic + potential + lost - error, start, "the sum of all parts", 1e-9);
      }
      ok((await source(page)).includes("ledger"));
      await page.locator(".energy-light[data-light=green]").waitFor();
      // A ball that slides and then rolls loses 2/7 of its energy of sliding to friction.
      const friction = Number(await page.locator(".energy-works tr", { has: page.locator("th", { hasText: /^friction$/ }) }).locator("td").first().getAttribute("title"));
      near(-friction, await bar(page, "lost"), "friction is all that takes energy", 1e-3);
      await page.locator(".energy-momenta").waitFor();
      strictEqual((await seriousProblems(page)).join("\n"), "");
      await shot(page, "energy-bowling");
    },
    { path: "/?open=bowling" },
  );
});

test("T and V of a Lagrangian, and measures that are called so", async () => {
  await visit(
    async ({ page }) => {
      await known(page);
      await goTo(page, 0);
      near(1 + (await bar(page, "potential")), 1, "at a right angle V = 0", 1e-9);
      const quarter = await page.evaluate(() => window.lab.clock.end.value / 10);
      await goTo(page, quarter);
      near(await bar(page, "kinetic"), 0.5 * G * 1, "at the lowest point all of m g l is kinetic", 1e-3);
      ok((await source(page)).includes("kinetic_energy"));
      await page.evaluate(() => window.lab.openFrom({ from: "gallery", name: "kepler" }));
      await known(page);
      near(await bar(page, "total"), -2 * Math.PI ** 2, "energy of an orbit: -mu / 2 a");
      ok((await source(page)).includes("Taken from your measure energy"));
    },
    { path: "/?open=lagrangian_pendulum" },
  );
});

test("bars can be hidden and come back; a click on the plot goes there, a drag tells the work of a part", async () => {
  await visit(
    async ({ page }) => {
      await known(page);
      await page.getByRole("button", { name: "Hide the bars" }).click();
      strictEqual(await page.locator(".energy-over").count(), 0);
      await results(page, "Energy");
      await page.getByLabel("bars in the world").check();
      await page.locator(".energy-over").waitFor();
      const box = await page.locator(".energy-stack svg").boundingBox();
      ok(box !== null);
      const y = box.y + box.height / 2;
      await page.mouse.click(box.x + box.width / 2, y);
      strictEqual(await page.evaluate(() => window.lab.clock.playing.value), false);
      await page.mouse.move(box.x + 0.3 * box.width, y);
      await page.mouse.down();
      await page.mouse.move(box.x + 0.6 * box.width, y, { steps: 4 });
      await page.mouse.up();
      strictEqual(await page.getByLabel("Interval", { exact: true }).inputValue(), "part");
    },
    { path: "/?open=bounce" },
  );
});
