// The palette: every action by its name, from anywhere.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeBrowser, seriousProblems, settled, shot, until, visit, withoutPictures } from "./harness.ts";

after(closeBrowser);
withoutPictures();

test("every action is found by its name, also from the text", () =>
  visit(async ({ page }) => {
    await settled(page);
    await page.getByRole("textbox", { name: "Experiment" }).click();
    await page.keyboard.press("Control+k");
    const palette = page.getByRole("dialog", { name: "All actions" });
    const field = palette.getByRole("combobox");
    assert.equal(await field.evaluate((it) => it === document.activeElement), true);
    // All that is bound to a key, and all that has a button in the frame of the page.
    const names = await palette.getByRole("option").locator("span:first-child").allTextContents();
    for (const name of ["Pause", "Share", "Save", "Present", "Fill the screen"]) {
      await field.fill(name);
      assert.ok((await palette.getByRole("option").count()) > 0, name);
    }
    assert.ok(names.length >= 60);
    assert.deepEqual(await seriousProblems(page), []);
    await shot(page, "palette");
    // Words in any order, the arrows choose, and Enter does it.
    await field.fill("newton's open cradle laid");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await palette.waitFor({ state: "detached" });
    await until(page, "the cradle", () => { const { value } = window.lab.origin; return value.from === "gallery" && value.name === "newtons_cradle"; });
    // Escape leaves everything as it was, and the focus where it was.
    await page.getByRole("textbox", { name: "Experiment" }).click();
    await page.keyboard.press("Control+k");
    await page.keyboard.press("Escape");
    await palette.waitFor({ state: "detached" });
    await until(page, "the focus in the text", () => document.activeElement?.matches("[contenteditable=true]"));
  }));
