// The layout, world first: shares of the window, folding, sizes that are remembered, presenting, letters, and nothing cut off.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { closeBrowser, results, seriousProblems, settled, shot, until, visit, withoutPictures } from "./harness.ts";

after(closeBrowser);
withoutPictures();

/** The part of the window that the world has, in percent. */
function share(page: Page): Promise<number> {
  return page.evaluate(() => {
    const box = document.querySelector("main.view")?.getBoundingClientRect();
    return box === undefined ? 0 : (100 * box.width * box.height) / (innerWidth * innerHeight);
  });
}

test("the world has most of the window", () =>
  visit(
    async ({ page }) => {
      await settled(page);
      assert.ok((await share(page)) >= 57, `1440, closed: ${await share(page)} %`);
      await shot(page, "layout_1440");
      await results(page, /Events/);
      assert.ok((await share(page)) >= 36, `1440, open: ${await share(page)} %`);
      await page.getByRole("button", { name: "Close the results" }).click();
      for (const viewport of [{ width: 1280, height: 720 }, { width: 1024, height: 768 }]) {
        await page.setViewportSize(viewport);
        assert.ok((await share(page)) >= 45, `${viewport.width}: ${await share(page)} %`);
        await shot(page, `layout_${viewport.width}`);
      }
    },
    { experiment: null },
  ));

test("seven lanes and more leave the world half of the window", () =>
  visit(
    async ({ page }) => {
      await settled(page);
      assert.ok((await share(page)) >= 48, `${await share(page)} %`);
    },
    { experiment: "ragdoll" },
  ));

test("panes fold, change their size, and are found again so", () =>
  visit(async ({ page }) => {
    await settled(page);
    const width = (name: string) => page.getByRole("region", { name, exact: true }).evaluate((it) => it.getBoundingClientRect().width);
    assert.equal(await width("Laws"), 408);
    const border = page.getByRole("separator", { name: "Width of the laws" });
    await border.focus();
    for (let k = 0; k < 3; k++) await page.keyboard.press("ArrowRight");
    assert.equal(await width("Laws"), 468);
    await results(page, "Plots");
    const drawer = page.getByRole("separator", { name: "Height of the results" });
    const box = await drawer.boundingBox();
    assert.ok(box !== null);
    await page.mouse.move(box.x + 300, box.y + 2);
    await page.mouse.down();
    await page.mouse.move(box.x + 300, box.y - 98);
    await page.mouse.up();
    const height = () => page.getByRole("region", { name: "Results" }).evaluate((it) => it.getBoundingClientRect().height);
    assert.ok(Math.abs((await height()) - 406) < 1, `${await height()}`);
    await page.reload();
    await settled(page);
    assert.equal(await width("Laws"), 468);
    assert.ok(Math.abs((await height()) - 406) < 1, `${await height()}`);
    await page.getByRole("button", { name: /^Fold the laws/ }).click();
    assert.equal(await width("Laws"), 44);
    await page.reload();
    await settled(page);
    assert.equal(await width("Laws"), 44);
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.press("b");
    assert.equal(await width("Laws"), 468);
    // Pushed below its least height, the drawer closes; a tab opens it, and puts it away again.
    await drawer.focus();
    for (let k = 0; k < 20; k++) await page.keyboard.press("ArrowDown");
    assert.equal(await height(), 40);
    await page.getByRole("tab", { name: "Plots" }).click();
    assert.ok((await height()) > 100);
    await page.getByRole("tab", { name: "Plots" }).click();
    assert.equal(await height(), 40);
  }));

test("a selected object has a card, and nothing selected has none", () =>
  visit(
    async ({ page }) => {
    await settled(page);
    await page.evaluate(() => window.lab.clock.show(0.5));
    assert.equal(await page.locator(".card-box").count(), 0);
    await page.keyboard.press("]");
    const card = page.getByRole("group", { name: "Selected: ball" });
    const row = (name: string) => card.getByRole("row").filter({ has: page.getByRole("rowheader", { name, exact: true }) });
    // After half a second of falling from 5: z = 5 - g t² / 2 and v = -g t, in four digits.
    await until(page, "the place of the ball on its card", () => document.querySelector(".card-box")?.textContent?.includes("3.774"));
    assert.deepEqual(await row("position").locator("td.number span").allTextContents(), ["0.5", "0", "3.774"]);
    assert.deepEqual(await row("v").locator("td.number span").allTextContents(), ["1", "0", "−4.905"]);
    await card.getByText("flight").waitFor();
    await card.getByRole("button", { name: "Plot ball.v over time" }).click();
    await page.getByRole("img", { name: /ball\.v#3/ }).waitFor();
    await card.getByRole("button", { name: "more" }).click();
    await page.getByRole("region", { name: "Values" }).getByRole("combobox").waitFor();
    await page.getByRole("button", { name: "Close the values" }).click();
    await page.evaluate(() => window.lab.chooseEvent(1));
    await page.getByRole("group", { name: "Chosen: Collision" }).waitFor();
    await card.getByRole("button", { name: "Select nothing" }).click();
    await page.getByRole("button", { name: "Choose no event" }).click();
    assert.equal(await page.locator(".card-box").count(), 0);
    },
    { graphics: "software" },
  ));

test("presenting leaves the world, a thin timeline and the laws in force, in larger letters", () =>
  visit(async ({ page }) => {
    await settled(page);
    await page.evaluate(() => window.lab.clock.show(0.5));
    await page.getByRole("button", { name: "Present", exact: true }).click();
    await until(page, "larger letters", () => getComputedStyle(document.documentElement).fontSize === "25.6px");
    assert.ok((await share(page)) > 75, `${await share(page)} %`);
    await page.getByRole("region", { name: "Laws in force" }).getByRole("heading", { name: /flight/ }).waitFor();
    assert.equal(await page.getByRole("tab", { name: "Plots" }).isVisible(), false);
    assert.deepEqual(await seriousProblems(page), []);
    await shot(page, "presenting");
    await page.getByRole("button", { name: /^End presenting/ }).click();
    await page.getByRole("tab", { name: "Plots" }).waitFor();
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize), "16px");
  }));

/** Texts that do not fit where they stand, and letters below 13.5 pixels; mathematics has smaller ones above and below the line. */
function cramped(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    if (document.documentElement.scrollWidth > innerWidth) found.push(`the page is ${document.documentElement.scrollWidth} wide`);
    for (const element of document.querySelectorAll<HTMLElement>("#app *")) {
      const own = [...element.childNodes].filter((it) => it.nodeType === Node.TEXT_NODE && (it.textContent ?? "").trim() !== "");
      if (own.length === 0 || element.closest("math, sup, .unseen, .view-words, option, [aria-hidden=true], .cm-editor") !== null) continue;
      const box = element.getBoundingClientRect();
      const style = getComputedStyle(element);
      if (box.width <= 1 || style.visibility === "hidden" || style.clipPath !== "none") continue;
      const words = `“${element.textContent?.trim().slice(0, 40)}” (${element.className})`;
      if (Number.parseFloat(style.fontSize) < 13.4) found.push(`${words} has letters of ${style.fontSize}`);
      const cuts = style.overflowX !== "visible" && style.textOverflow !== "ellipsis" && style.overflowX !== "auto";
      if (cuts && element.scrollWidth > element.clientWidth + 1) found.push(`${words} is cut off`);
      // What scrolls may go on beyond its border; everything else ends inside the window.
      const scrolls = element.closest(".tab-list, .tab-panel, .card-box, .view-labels, .cm-scroller") !== null;
      if (!scrolls && (box.right > innerWidth + 1 || box.left < -1)) found.push(`${words} leaves the window`);
    }
    return found;
  });
}

/** One window after the other on one page: a picture of the world is dear to begin, and its tools are looked at too. */
test("nothing is cut off at any width", () =>
  visit(
    async ({ page }) => {
      await settled(page);
      await page.evaluate(() => window.lab.clock.show(1.517));
      for (const width of [390, 768, 1024, 1280, 1440, 1920]) {
        await page.setViewportSize({ width, height: width < 700 ? 844 : 800 });
        await page.evaluate(() => ([window.lab.selection.value, window.lab.event.value] = [null, null]));
        await until(page, "the panes of this width", (narrow) => (document.querySelector("nav.sheets") !== null) === narrow, width < 1024);
        await until(page, "no card", () => document.querySelector(".card-box") === null);
        assert.deepEqual(await cramped(page), [], `${width}: as it opens`);
        await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
        await page.keyboard.press("]");
        await page.getByRole("group", { name: "Selected: ball" }).waitFor();
        await page.evaluate(() => window.lab.chooseEvent(1));
        await page.getByRole("group", { name: "Chosen: Collision" }).waitFor();
        // Where there is room for one card only, it is that of the event.
        assert.equal(await page.locator(".card-box").count(), width < 1280 ? 1 : 2);
        assert.deepEqual(await cramped(page), [], `${width}: with cards`);
        assert.deepEqual(await seriousProblems(page), [], `${width}: with cards`);
        await shot(page, `layout_cards_${width}`);
        if (width < 1024) await page.getByRole("button", { name: "Values", exact: true }).click();
        else await page.getByRole("button", { name: /^Inspector/ }).click();
        await page.locator(".inspector td.number").first().waitFor();
        assert.deepEqual(await cramped(page), [], `${width}: with the inspector`);
        // No value of the inspector is outside of the window, or broken inside.
        const broken = await page.locator(".inspector td.number").evaluateAll((cells) => cells.filter((it) => it.getBoundingClientRect().right > innerWidth + 1).map((it) => it.textContent));
        assert.deepEqual(broken, [], `${width}`);
        if (width < 1024) await page.getByRole("button", { name: "Laws", exact: true }).click();
        else await page.getByRole("button", { name: "Close the values" }).click();
      }
    },
    { experiment: null, graphics: "software" },
  ));
