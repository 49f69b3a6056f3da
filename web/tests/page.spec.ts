// The page as a whole: inspector, session, gallery, saving, links, keys, accessibility, what happens when the engine goes away.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { closeBrowser, results, seriousProblems, settled, shot, until, visit, withoutPictures } from "./harness.ts";

after(closeBrowser);
withoutPictures();

test("the inspector shows all values now, and leads to arrows and plots", () =>
  visit(
    async ({ page }) => {
    await settled(page);
    await page.getByRole("button", { name: /^Inspector/ }).click();
    await page.evaluate(() => window.lab.clock.show(0.5));
    const row = page.locator(".inspector").getByRole("row").filter({ has: page.getByRole("rowheader", { name: "position", exact: true }) });
    await until(page, "3.773 in the inspector", () => document.querySelector(".inspector")?.textContent?.includes("3.773"));
    assert.match((await row.textContent()) ?? "", /0\.5, 0, 3\.77375/);
    await page.getByRole("button", { name: "Draw ball.v as an arrow" }).click();
    await page.getByRole("tab", { name: "Arrows" }).click();
    assert.equal(await page.getByRole("group", { name: "ball.v" }).count(), 1);
    await page.getByLabel("Numbers beside ball.v").check();
    await until(page, "the label of the arrow", () => document.querySelector(".arrow-label:not([hidden])")?.textContent === "[1, 0, −4.905]");
    await shot(page, "arrow");
    await page.getByRole("tab", { name: "Inspector" }).click();
    await page.getByRole("button", { name: "Plot ball.v over time" }).click();
    await page.getByRole("img", { name: /ball\.v#3/ }).waitFor();
    },
    { graphics: "software" },
  ));

test("the session evaluates, remembers and explains", () =>
  visit(async ({ page }) => {
    await settled(page);
    await results(page, "Calculator");
    const type = async (text: string) => {
      await page.getByRole("textbox", { name: /^Input/ }).fill(text);
      await page.keyboard.press("Enter");
    };
    const log = page.getByRole("log");
    await type("f(x) = x^2 + 1");
    await log.getByText("f", { exact: false }).first().waitFor();
    await type("f(3)");
    await log.getByText("10", { exact: true }).waitFor();
    // An object of the run has the value of the moment: after half a second v = -g t.
    await page.evaluate(() => window.lab.clock.show(0.5));
    await type("ball.v#3");
    await log.getByText("−4.905 at t = 0.500 s").waitFor();
    await type("[1, 2] / [3, 4]");
    await log.locator(".problem").waitFor();
    await page.getByRole("textbox", { name: /^Input/ }).press("ArrowUp");
    assert.equal(await page.getByRole("textbox", { name: /^Input/ }).inputValue(), "[1, 2] / [3, 4]");
  }));

test("an experiment of the gallery is opened, changed, saved and found again", () =>
  visit(async ({ page, folder }) => {
    await settled(page);
    await page.getByRole("button", { name: "Open", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Experiments" });
    await dialog.getByRole("searchbox").fill("kepler");
    await dialog.locator(".thumbnail").first().waitFor();
    await shot(page, "gallery");
    await dialog.getByRole("button", { name: "Open “A planet on an ellipse”" }).click();
    await dialog.waitFor({ state: "detached" });
    await settled(page);
    assert.match(await page.evaluate(() => window.lab.text.value), /kepler|Kepler/);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const saving = page.getByRole("dialog", { name: "Save the experiment" });
    await saving.getByLabel("Name").fill("my_orbit");
    await saving.getByRole("button", { name: "Save", exact: true }).click();
    await saving.waitFor({ state: "detached" });
    assert.equal(readFileSync(join(folder, "my_orbit.lab"), "utf8"), await page.evaluate(() => window.lab.text.value));
    await page.getByRole("button", { name: "Open", exact: true }).click();
    await page.getByRole("button", { name: "Open “my_orbit”" }).waitFor();
  }));

test("no name leads out of the folder", () =>
  visit(async ({ page, folder }) => {
    await settled(page);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const saving = page.getByRole("dialog", { name: "Save the experiment" });
    await saving.getByLabel("Name").fill("../escaped");
    await saving.getByRole("button", { name: "Save", exact: true }).click();
    await saving.getByRole("alert").waitFor();
    assert.equal(existsSync(join(folder, "../escaped.lab")), false);
  }));

async function shareLink(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Share" }).click();
  const link = await page.getByRole("dialog", { name: "Share as a link" }).getByLabel("Link").inputValue();
  await page.getByRole("button", { name: "Close" }).click();
  return link;
}

test("a link brings the same experiment back", () =>
  visit(async ({ page }) => {
    await settled(page);
    // Only a value has changed: the link can be read.
    const changed = await page.evaluate(() => {
      const text = window.lab.text.value.replace("restitution = 0.8", "restitution = 0.5");
      window.lab.edit(text);
      return text;
    });
    await until(page, "the end of the run of revision 2", () => window.lab.run.value?.revision === 2 && window.lab.run.value.ended.value !== null);
    const hash = await page.evaluate(() => window.lab.run.value?.ended.value?.hash);
    const short = await shareLink(page);
    assert.match(short, /\?open=bouncing_ball&set=restitution=0\.5$/);
    await page.goto(short);
    await settled(page);
    assert.equal(await page.evaluate(() => window.lab.run.value?.ended.value?.hash), hash);
    // A law has changed: the whole text is in the link.
    await page.evaluate((text) => window.lab.edit(text.replace("duration = 6", "duration = 5")), changed);
    await until(page, "the end of the run that lasts 5 s", () => window.lab.run.value?.scene.end === 5 && window.lab.run.value.ended.value !== null);
    const long = await shareLink(page);
    assert.match(long, /#text=[\w-]+$/);
    await page.goto("about:blank");
    await page.goto(long);
    await settled(page);
    assert.equal(await page.evaluate(() => window.lab.run.value?.scene.end), 5);
  }));

test("everything is reached by keys", () =>
  visit(async ({ page }) => {
    await settled(page);
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keys" });
    await help.waitFor();
    assert.ok((await help.locator("dt").count()) > 15);
    await shot(page, "keys");
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "detached" });
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.press(" ");
    assert.equal(await page.evaluate(() => window.lab.clock.playing.value), false);
    await page.keyboard.press("Shift+ArrowRight");
    assert.notEqual(await page.evaluate(() => window.lab.event.value), null);
    await page.keyboard.press("2");
    await page.getByRole("button", { name: "New plot" }).waitFor();
    await page.keyboard.press("d");
    assert.equal(await page.evaluate(() => document.documentElement.dataset["theme"]), "dark");
    await page.keyboard.press("e");
    await until(page, "the editor to have the focus", () => document.activeElement?.matches("[contenteditable=true]"));
    // The editor lets go of the focus.
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement?.matches("[contenteditable=true]")), false);
  }));

/** Brings a sheet of a narrow window below the world. */
async function sheet(page: Page, name: string): Promise<void> {
  const button = page.getByRole("navigation", { name: "What is below the world" }).getByRole("button", { name, exact: true });
  if ((await button.getAttribute("aria-pressed")) !== "true") await button.click();
}

for (const [size, viewport] of [
  ["wide", { width: 1440, height: 900 }],
  ["narrow", { width: 390, height: 844 }],
] as const) {
  test(`nothing keeps anybody out, light or dark: ${size}`, () =>
    visit(
      async ({ page }) => {
        await settled(page);
        await page.evaluate(() => window.lab.chooseEvent(1));
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          await until(page, "the theme", (name) => document.documentElement.dataset["theme"] === name, colorScheme);
          for (const tab of ["Events", "Plots", "Energy", "Measures", "Table", "Calculator", "Problems"]) {
            if (size === "narrow") await sheet(page, "Results");
            await results(page, tab);
            if (tab === "Plots" && colorScheme === "light") await page.getByRole("button", { name: "New plot" }).click();
            assert.deepEqual(await seriousProblems(page), [], `${colorScheme}: ${tab}`);
            await shot(page, `${colorScheme}_${size}_${tab}`);
          }
          for (const [pane, tab] of [["Laws", "Mathematics"], ["Laws", "Sliders"], ["Laws", "Text"], ["Values", "Arrows"]] as const) {
            if (size === "narrow") await sheet(page, pane);
            else if (pane === "Values" && (await page.getByRole("region", { name: "Values" }).count()) === 0) await page.getByRole("button", { name: /^Arrows/ }).click();
            await page.getByRole("tab", { name: tab }).click();
            assert.deepEqual(await seriousProblems(page), [], `${colorScheme}: ${tab}`);
            await shot(page, `${colorScheme}_${size}_${tab}`);
          }
          // Nothing sticks out of the window.
          assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
        }
      },
      { viewport, graphics: "software" },
    ));
}
