// What a visitor tries first: changing a number, clicking about, going back and forth. Each test is a way in which that went wrong.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import type { View } from "../src/panes/view/view.ts";
import { closeBrowser, eventually, results, settled, until, visit, withoutPictures } from "./harness.ts";

declare global {
  interface Window {
    view: View;
  }
}

after(closeBrowser);
withoutPictures();

const hash = (page: Page) => page.evaluate(() => window.lab.run.value?.ended.value?.hash ?? "");
const ghost = (page: Page) => page.evaluate(() => window.lab.ghost.value?.ended.value?.hash ?? null);

/** Waits until the text as it is has been run. */
async function ran(page: Page): Promise<void> {
  await until(page, "the run of the present text", () => window.lab.run.value?.revision === window.lab.revision && !window.lab.run.value.coarse);
  await settled(page);
}

async function edit(page: Page, from: string, to: string): Promise<void> {
  await page.evaluate(([before, now]) => window.lab.edit(window.lab.text.value.replace(before, now)), [from, to] as const);
  await ran(page);
}

test("the ghost is the run before the edit, however slowly a number is typed", () =>
  visit(async ({ page }) => {
    await settled(page);
    const first = await hash(page);
    // 0.8 becomes 0.65 letter by letter, and each of them runs.
    await edit(page, "restitution = 0.8", "restitution = 0");
    await edit(page, "restitution = 0", "restitution = 0.6");
    await edit(page, "restitution = 0.6", "restitution = 0.65");
    assert.equal(await ghost(page), first);
    // Elsewhere another edit begins.
    const second = await hash(page);
    await edit(page, "v = [1, 0, 0]", "v = [2, 0, 0]");
    assert.equal(await ghost(page), second);
    // Taken back: nothing differs from what was before, so there is nothing to compare with.
    await edit(page, "v = [2, 0, 0]", "v = [1, 0, 0]");
    assert.equal(await ghost(page), null);
  }));

test("a double click selects the whole number", () =>
  visit(async ({ page }) => {
    await settled(page);
    const number = page.locator(".cm-line", { hasText: "a = [0, 0, -9.81]" }).locator(".tok-number").last();
    const box = await number.boundingBox();
    assert.ok(box !== null);
    for (const part of [0.1, 0.35, 0.8]) {
      await page.mouse.dblclick(box.x + part * box.width, box.y + box.height / 2);
      await until(page, "the number to be selected", () => document.getSelection()?.toString() === "9.81");
      await page.keyboard.press("ArrowLeft");
    }
  }));

test("what was typed into a linked experiment is there after a reload", () =>
  visit(
    async ({ page }) => {
      await settled(page);
      await edit(page, "v = [1, 0, 0]", "v = [3, 0, 0]");
      await page.reload();
      await settled(page);
      assert.match(await page.evaluate(() => window.lab.text.value), /v = \[3, 0, 0\]/);
      assert.deepEqual(await page.evaluate(() => [...window.lab.settings.value]), ["restitution=0.5"]);
    },
    { path: "/?open=bouncing_ball&set=restitution=0.5" },
  ));

test("the address follows what is open, and back leads back", () =>
  visit(async ({ page }) => {
    await settled(page);
    const name = () => page.evaluate(() => (window.lab.origin.value.from === "page" ? "" : window.lab.origin.value.name));
    await page.evaluate(() => window.lab.openFrom({ from: "gallery", name: "kepler" }));
    await settled(page);
    assert.match(page.url(), /\?open=kepler$/);
    await page.evaluate(() => window.lab.openFrom({ from: "gallery", name: "pendulum" }));
    await settled(page);
    await page.goBack();
    await eventually("kepler to be open again", async () => (await name()) === "kepler");
    await page.goBack();
    await eventually("what the lab was started with", async () => (await name()) === "bouncing_ball");
    await page.goForward();
    await eventually("kepler once more", async () => (await name()) === "kepler");
    await page.reload();
    await settled(page);
    assert.equal(await name(), "kepler");
  }));

test("another experiment has no plots, arrows and filters of the one before", () =>
  visit(
    async ({ page }) => {
    await settled(page);
    await page.keyboard.press("]");
    await page.getByRole("button", { name: "Draw ball.v as an arrow" }).click();
    await page.getByRole("button", { name: "Plot ball.v over time" }).click();
    await page.getByRole("img", { name: /ball\.v/ }).waitFor();
    await page.evaluate(() => window.lab.openFrom({ from: "gallery", name: "kepler" }));
    await settled(page);
    assert.equal(await page.locator(".plot").count(), 0);
    await page.getByRole("button", { name: /^Arrows/ }).click();
    assert.equal(await page.locator(".vectors .arrow").count(), 0);
    },
    { graphics: "software" },
  ));

test("the filter of events stays while another tab is in front, and takes any number of objects", () =>
  visit(
    async ({ page }) => {
      await settled(page);
      await results(page, /Events/);
      const filter = page.getByRole("group", { name: "Which events" });
      await filter.getByRole("button", { name: "Collision" }).click();
      const names = await page.evaluate(() => window.lab.run.value?.scene.bodies.map((it) => it.name) ?? []);
      for (const [k, name] of names.slice(0, 3).entries()) await filter.getByRole("combobox").nth(k).selectOption(name);
      assert.equal(await filter.getByRole("combobox").count(), 4);
      await results(page, "Plots");
      await results(page, /Events/);
      assert.equal(await filter.getByRole("button", { name: "Collision" }).getAttribute("aria-pressed"), "true");
      assert.equal(await filter.getByRole("combobox").count(), 4);
    },
    { experiment: "newtons_cradle" },
  ));

test("what is wrong is said where the eyes are", () =>
  visit(async ({ page }) => {
    await settled(page);
    assert.equal(await page.locator(".problem-bar").count(), 0);
    await page.evaluate(() => window.lab.edit(window.lab.text.value.replace("tolerance = 1e-9", "tolerance = 1e-9\n").replace("restitution^(2 * 5) * 4.5", "5")));
    await ran(page);
    await page.locator(".problem-bar", { hasText: "Not as expected: apex" }).waitFor();
    const tab = page.getByRole("tab", { name: /Problems/ });
    assert.equal(await tab.locator(".badge.alarm").textContent(), "1");
    await page.locator(".problem-bar").getByRole("button").click();
    await page.getByText("The measure “apex” is not as expected.").waitFor();
    assert.equal(await page.getByText("Nothing is wrong.").count(), 0);
    await page.evaluate(() => window.lab.edit(window.lab.text.value.replace("restitution) *", "restituton) *")));
    await page.locator(".problem-bar", { hasText: "The picture is of the last text" }).waitFor();
  }));

test("looking along Y has X to the right, and no key means two things", () =>
  visit(
    async ({ page }) => {
    await settled(page);
    const right = () =>
      page.evaluate(() => {
        const at = (x: number, y: number) => window.view.camera.position.clone().set(x, y, 1).project(window.view.camera);
        return { x: at(1, 0).x - at(0, 0).x, y: at(0, 1).x - at(0, 0).x };
      });
    await page.keyboard.press("y");
    await eventually("X to point to the right", async () => (await right()).x > 0.01);
    await page.keyboard.press("x");
    await eventually("Y to point to the right", async () => (await right()).y > 0.01);
    await page.keyboard.press("z");
    await eventually("X to point to the right", async () => (await right()).x > 0.01);
    await page.keyboard.press("?");
    const keys = await page.getByRole("dialog", { name: "Keys" }).locator("kbd").allTextContents();
    assert.deepEqual(keys.filter((it, k) => keys.indexOf(it) !== k), []);
    },
    { graphics: "software" },
  ));

test("clock, transport and card show one moment while time passes", () =>
  visit(
    async ({ page }) => {
    await settled(page);
    await page.keyboard.press("]");
    await page.locator(".card-box td.number").first().waitFor();
    // Before the first bounce x = t: the card must say the time that the clock says.
    const seen = await page.evaluate(async () => {
      window.lab.clock.seek(0);
      window.lab.clock.playing.value = true;
      const rows: [string, string, string][] = [];
      for (let k = 0; k < 20; k++) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
        const clock = document.querySelector(".view-clock .number")?.textContent ?? "";
        const field = document.querySelector<HTMLInputElement>(".moment input")?.value ?? "";
        const row = [...document.querySelectorAll(".card-box tr")].find((it) => it.querySelector("th")?.textContent === "position");
        rows.push([clock, field, row?.querySelector("td span")?.textContent ?? ""]);
      }
      return rows;
    });
    assert.ok(new Set(seen.map(([clock]) => clock)).size > 3, "time passes");
    for (const [clock, field, x] of seen) {
      const time = Number(/t = (\S+) s/.exec(clock)?.[1]);
      assert.equal(Number(field), time);
      // Each is rounded to a thousandth: at half a thousandth one may go up and the other down.
      assert.ok(Math.abs(Number(x.replace("−", "-")) - time) <= 0.0011, `${clock}: ${x}`);
    }
    },
    { graphics: "software", smooth: true },
  ));

test("the table follows the moment", () =>
  visit(async ({ page }) => {
    await settled(page);
    await results(page, "Table");
    await page.getByLabel("Add a column").fill("ball.position#3");
    await page.getByLabel("Add a column").press("Enter");
    await page.getByRole("region", { name: "Values over time" }).waitFor();
    await page.mouse.move(700, 200);
    await page.evaluate(() => {
      (document.activeElement as HTMLElement | null)?.blur();
      window.lab.clock.show(4);
    });
    await until(page, "the row of the moment in sight", () => {
      const [row, box] = [document.querySelector(".values-table tr[aria-current]")?.getBoundingClientRect(), document.querySelector(".values-table .rows")?.getBoundingClientRect()];
      return row !== undefined && box !== undefined && row.top >= box.top && row.bottom <= box.bottom;
    });
  }));

test("normals are in the list of arrows, sizes and orientations are not, and before has the colour of after", () =>
  visit(
    async ({ page }) => {
    await settled(page);
    await page.evaluate(() => window.lab.chooseEvent(1));
    await page.getByRole("button", { name: /^Arrows/ }).click();
    const list = page.getByLabel("Draw a vector");
    await eventually("the normal in the list", async () => (await list.locator("option").allTextContents()).includes("ball.collisionNormal, at the event"));
    const offered = await list.locator("option").allTextContents();
    assert.ok(!offered.some((it) => /size|orientation|color|collisionPoint/.test(it)), offered.join(", "));
    await list.selectOption("ball.v");
    const hue = (name: string) =>
      page.getByLabel(name).evaluate((it) => {
        const [r = 0, g = 0, b = 0] = [1, 3, 5].map((k) => Number.parseInt((it as HTMLInputElement).value.slice(k, k + 2), 16));
        const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)];
        const sector = most === r ? ((g - b) / (most - least)) % 6 : most === g ? (b - r) / (most - least) + 2 : (r - g) / (most - least) + 4;
        return { hue: 60 * sector, light: (most + least) / 510 };
      });
    const [before, now] = [await hue("Colour of ball.v before an event"), await hue("Colour of ball.v after an event")];
    assert.ok(Math.abs(before.hue - now.hue) < 4, `${before.hue}, ${now.hue}`);
    assert.ok(before.light > now.light + 0.1);
    },
    { graphics: "software" },
  ));

test("no two quantities have one colour", () =>
  visit(
    async ({ page }) => {
      await settled(page);
      await page.getByRole("button", { name: /^Inspector/ }).click();
      await page.locator(".inspector .swatch").first().waitFor();
      const colours = await page.locator(".inspector tr:has(.swatch)").evaluateAll((rows) =>
        rows.map((row) => [row.querySelector("th")?.textContent ?? "", getComputedStyle(row.querySelector(".swatch") as Element).backgroundColor] as const),
      );
      assert.ok(colours.length > 8, `${colours.length} quantities`);
      assert.equal(new Set(colours.map(([, it]) => it)).size, new Set(colours.map(([name]) => name)).size);
    },
    { experiment: "spinning_bounce", graphics: "software" },
  ));

test("a matrix in the table of an event has its rows", () =>
  visit(
    async ({ page }) => {
      await settled(page);
      const event = await page.evaluate(() => window.lab.run.value?.events.value.find((it) => it.kind === "collision")?.index ?? -1);
      await results(page, /Events/);
      await page.evaluate((it) => window.lab.chooseEvent(it), event);
      const cell = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "inertia_tensor", exact: true }) }).getByRole("cell").first();
      await cell.waitFor();
      assert.equal((await cell.innerText()).split("\n").length, 3);
    },
    { experiment: "chapter5" },
  ));
