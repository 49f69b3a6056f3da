// The text: what is typed runs, what is wrong is marked, and the laws stand beside it as mathematics.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { closeBrowser, results, settled, shot, until, visit, withoutPictures } from "./harness.ts";

after(closeBrowser);
withoutPictures();

const editor = (page: Page) => page.getByRole("textbox", { name: "Experiment" });
const text = (page: Page) => page.evaluate(() => window.lab.text.value);
const hash = (page: Page) => page.evaluate(() => window.lab.run.value?.ended.value?.hash ?? "");

/** Selects the first occurrence of some words, as a user does. */
async function find(page: Page, words: string): Promise<void> {
  await editor(page).focus();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Control+f");
  const field = page.getByRole("textbox", { name: "Find" });
  await field.pressSequentially(words);
  await field.press("Enter");
  await field.press("Escape");
}

/** Waits until a text is on screen as a run. */
async function runs(page: Page, words: string): Promise<void> {
  await until(page, "the run of the typed text", (words) => window.lab.text.value.includes(words) && window.lab.run.value?.revision === window.lab.revision, words);
  await settled(page);
}

test("a number that is typed changes the run, and undo brings the old one back", () =>
  visit(async ({ page }) => {
    await settled(page);
    const before = { hash: await hash(page), text: await text(page), events: await page.evaluate(() => window.lab.run.value?.eventCount.value) };
    await find(page, "9.81");
    await page.keyboard.type("1.62");
    await runs(page, "-1.62");
    assert.notEqual(await hash(page), before.hash);
    assert.notEqual(await page.evaluate(() => window.lab.run.value?.eventCount.value), before.events);
    assert.equal(await page.evaluate(() => window.lab.ghost.value?.ended.value?.hash), before.hash);
    await shot(page, "editor_text");
    await page.keyboard.press("Control+z");
    await runs(page, "-9.81");
    assert.equal(await text(page), before.text);
    assert.equal(await hash(page), before.hash);
  }));

test("a broken law is marked, listed and mended, and the last run stays", () =>
  visit(async ({ page }) => {
    await settled(page);
    const before = await hash(page);
    await find(page, "restitution) *");
    await page.keyboard.press("Delete");
    await page.keyboard.type("restituton) *");
    // Half a word is wrong in other ways: what counts is what is marked in the end.
    await until(page, "the mark under restituton", () => document.querySelector(".cm-lintRange-error")?.textContent === "restituton");
    assert.equal(await page.evaluate(() => window.lab.checked.value?.sound), false);
    assert.equal(await hash(page), before);
    await results(page, /Problems/);
    const problem = page.getByRole("listitem").filter({ hasText: "restituton" }).first();
    await problem.waitFor();
    await shot(page, "editor_broken");
    await problem.getByRole("button", { name: /line \d+, column \d+/ }).first().click();
    await until(page, "restituton to be selected in the editor", () => document.getSelection()?.toString() === "restituton");
    await problem.getByRole("button", { name: "Fix it" }).click();
    await runs(page, "(1 + restitution)");
    assert.equal(await hash(page), before);
    assert.equal(await page.locator(".cm-lintRange-error").count(), 0);
    await page.getByText("Nothing is wrong.").waitFor();
  }));

test("another experiment replaces the text and its history", () =>
  visit(async ({ page }) => {
    await settled(page);
    await find(page, "9.81");
    await page.keyboard.type("1");
    await runs(page, "-1]");
    await page.evaluate(() => window.lab.open({ from: "page" }, window.lab.saved.value.replace("0.8", "0.75")));
    await runs(page, "0.75");
    await editor(page).focus();
    await page.keyboard.press("Control+z");
    await page.waitForTimeout(300);
    assert.match(await text(page), /restitution = 0\.75/);
    assert.match(await editor(page).innerText(), /-9\.81/);
    assert.match(await editor(page).innerText(), /0\.75/);
  }));

test("places are right in a text with other line breaks and wide letters", () =>
  visit(async ({ page }) => {
    await settled(page);
    await page.evaluate(() => window.lab.open({ from: "page" }, `// 𝛼 größer\n${window.lab.text.value.replace("restitution) *", "restituton) *")}`.replaceAll("\n", "\r\n")));
    await until(page, "the check of the text with the mistake", () => window.lab.checked.value?.sound === false && window.lab.checked.value.revision === window.lab.revision && !window.lab.text.value.includes("\r"));
    await results(page, /Problems/);
    await page.getByRole("button", { name: /line \d+, column \d+/ }).first().click();
    await until(page, "restituton to be selected in the editor", () => document.getSelection()?.toString() === "restituton");
    await page.getByRole("button", { name: "Fix it" }).first().click();
    await runs(page, "restitution) *");
  }));

test("Escape and Tab leave the text", () =>
  visit(async ({ page }) => {
    await settled(page);
    await editor(page).focus();
    const before = await text(page);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    assert.notEqual(await page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "Experiment");
    assert.equal(await text(page), before);
  }));

test("completion offers what the experiment and the language know", () =>
  visit(async ({ page }) => {
    await settled(page);
    const offered = async (typed: string, label: string) => {
      await find(page, "restitution) *");
      await page.keyboard.press("Delete");
      await page.keyboard.type(typed);
      await page.keyboard.press("Control+Space");
      const option = page.getByRole("option", { name: new RegExp(`^${label}`) }).first();
      await option.waitFor();
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+z");
      await page.keyboard.press("Control+z");
      await until(page, "the completed word in the text", () => window.lab.text.value.includes("(1 + restitution)"));
    };
    await offered("res", "restitution");
    await offered("nor", "norm");
  }));

test("laws are mathematics, and a symbol shows what it is worth", () =>
  visit(async ({ page }) => {
    await settled(page);
    await page.getByRole("tab", { name: "Mathematics" }).click();
    const laws = await page.evaluate(() => window.lab.checked.value?.formulas.length ?? 0);
    assert.ok(laws >= 7, `${laws} formulas`);
    const panel = page.getByRole("tabpanel", { name: "Mathematics" });
    assert.equal(await panel.locator(".law-math").count(), laws);
    await page.evaluate(() => window.lab.clock.show(0.5));
    const flight = panel.getByRole("region", { name: "context flight" });
    await flight.getByText("holds for ball now").waitFor();
    await flight.locator("[data-name=v]").first().hover();
    // After half a second of falling: v = -9.81 / 2.
    await panel.getByText("v = [1, 0, −4.905] (ball)").waitFor();
    await shot(page, "editor_mathematics");
    await flight.getByRole("group", { name: "Law of position" }).click();
    await until(page, "the law to be selected in the editor", () => document.getSelection()?.toString().startsWith("position = pos0"));
    await page.getByRole("region", { name: "Laws at the cursor" }).getByRole("group", { name: "Law of position" }).waitFor();
    assert.equal(await page.locator(".law-math.current").count(), 1);
  }));

test("a long law goes on below; only one with a part that cannot be broken scrolls", () =>
  visit(
    async ({ page }) => {
      await settled(page);
      await page.getByRole("tab", { name: "Mathematics" }).click();
      const laws = page.locator(".law-math");
      await laws.first().waitFor();
      // A part may be as wide as the box without its padding of 2 rem.
      const cut = () => laws.evaluateAll((all) => all.filter((it) => it.scrollWidth > it.clientWidth + 1 && ![...it.children].some((part) => part.getBoundingClientRect().width > it.clientWidth - 32)).map((it) => it.getAttribute("aria-label")));
      await until(page, "a law in several parts", () => document.querySelectorAll(".law-math > math + math").length > 0);
      assert.deepEqual(await cut(), []);
    },
    { experiment: "chapter5" },
  ));

test("the text in a dark and in a narrow window", () =>
  visit(
    async ({ page }) => {
      await settled(page);
      await editor(page).focus();
      await shot(page, "editor_narrow_dark");
      const laws = page.getByRole("region", { name: "Laws", exact: true });
      assert.ok(await laws.evaluate((it) => it.clientWidth <= innerWidth && it.scrollWidth <= it.clientWidth));
    },
    { viewport: { width: 360, height: 740 }, colorScheme: "dark" },
  ));
