// Drafts: written while one types, listed, restored, forgotten, switched off; told where the browser cannot keep them.
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { listed } from "../src/panes/gallery/catalogue.ts";
import { closeBrowser, eventually, seriousProblems, settled, shot, until, visit, withoutPictures } from "./harness.ts";

after(closeBrowser);
withoutPictures();

const text = (page: Page) => page.evaluate(() => window.lab.text.value);
const edit = (page: Page, from: string, to: string) => page.evaluate(([from, to]) => window.lab.edit(window.lab.text.value.replace(from as string, to as string)), [from, to]);
const drafts = (page: Page) => page.evaluate(async () => Promise.all((await window.lab.drafts.list()).map(async (it) => ({ ...it, text: await window.lab.drafts.text(it.key) }))));
const dialog = (page: Page) => page.getByRole("dialog", { name: "Drafts" });

/** Waits until a draft holds some words. */
const drafted = (page: Page, words: string) => eventually(`a draft with ${words}`, async () => (await drafts(page)).some((it) => it.text?.includes(words)));
const undrafted = (page: Page) => eventually("no drafts", async () => (await drafts(page)).length === 0);

async function show(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.getByRole("button", { name: "Drafts", exact: true }).click();
  await dialog(page).waitFor();
}

async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.getByRole("button", { name: `Open “${listed(name)?.title}”` }).click();
}

test("what is typed is kept, compared, restored as a step, and forgotten", () =>
  visit(async ({ page }) => {
    await settled(page);
    const before = await text(page);
    await edit(page, "restitution = 0.8", "restitution = 0.6");
    await drafted(page, "restitution = 0.6");
    await page.evaluate(async () => {
      await window.lab.drafts.leave();
      window.lab.edit(window.lab.text.value.replace("restitution = 0.6", "restitution = 0.8"));
    });
    await show(page);
    const row = dialog(page).getByRole("list", { name: "Drafts, the newest first" }).getByRole("button");
    await row.first().waitFor();
    assert.equal(await row.count(), 1);
    assert.match((await row.first().textContent()) ?? "", /^bouncing_ball .*\d.* [\d.]+ kB$/);
    await dialog(page).getByText("restitution = 0.6").waitFor();
    await shot(page, "drafts");
    await dialog(page).getByRole("button", { name: "Restore" }).click();
    await dialog(page).waitFor({ state: "detached" });
    assert.match(await text(page), /restitution = 0\.6/);
    await page.getByRole("button", { name: "Undo a change of the text" }).click();
    assert.equal(await text(page), before);
    await show(page);
    while ((await row.count()) > 0) {
      const count = await row.count();
      await dialog(page).getByRole("button", { name: "Forget", exact: true }).click();
      await until(page, "one draft less", (count) => document.querySelectorAll(".draft-list li").length < count, count);
    }
    await dialog(page).getByText("There are no drafts of this folder.").waitFor();
    assert.deepEqual(await drafts(page), []);
  }));

test("another experiment is opened without a question: the text is a draft, offered when one comes back", () =>
  visit(async ({ page }) => {
    await settled(page);
    await edit(page, "restitution = 0.8", "restitution = 0.6");
    await choose(page, "kepler");
    await page.getByText("Your changes to “bouncing_ball” are kept as a draft.").waitFor();
    await settled(page);
    assert.match(await text(page), /[Kk]epler/);
    await choose(page, "bouncing_ball");
    const notice = page.getByRole("group", { name: "The file" });
    await notice.getByText("There is a draft of “bouncing_ball” from").waitFor();
    await shot(page, "drafts_offer");
    await notice.getByRole("button", { name: "Look at it" }).click();
    await dialog(page).getByRole("button", { name: "Restore" }).click();
    await until(page, "the draft in the text", () => window.lab.text.value.includes("restitution = 0.6"));
    // What is known is not offered again.
    await page.evaluate(() => window.lab.open({ from: "gallery", name: "bouncing_ball" }, window.lab.text.value));
    assert.equal(await notice.count(), 0);
  }));

test("a draft of another experiment opens it; without its file it is a new one", () =>
  visit(async ({ page, folder }) => {
    await settled(page);
    const ball = await text(page);
    writeFileSync(join(folder, "ball.lab"), ball);
    await page.evaluate(() => window.lab.openFrom({ from: "folder", name: "ball.lab" }));
    await edit(page, "restitution = 0.8", "restitution = 0.6");
    await choose(page, "kepler");
    await settled(page);
    await show(page);
    await dialog(page).getByText("restitution = 0.6").waitFor();
    await dialog(page).getByRole("button", { name: "Restore" }).click();
    await until(page, "the draft in its experiment", () => window.lab.text.value.includes("restitution = 0.6") && window.lab.origin.value.from === "folder");
    assert.equal(await page.evaluate(() => window.lab.saved.value), ball);
    await choose(page, "kepler");
    await settled(page);
    rmSync(join(folder, "ball.lab"));
    await show(page);
    await dialog(page).getByRole("button", { name: /^ball / }).first().click();
    await dialog(page).getByRole("button", { name: "Restore" }).click();
    await until(page, "the draft as a new experiment", () => window.lab.text.value.includes("restitution = 0.6") && window.lab.origin.value.from === "page");
  }));

test("a draft goes when its text is saved", () =>
  visit(async ({ page, folder }) => {
    await settled(page);
    writeFileSync(join(folder, "ball.lab"), await text(page));
    await page.evaluate(() => window.lab.openFrom({ from: "folder", name: "ball.lab" }));
    await edit(page, "restitution = 0.8", "restitution = 0.6");
    await drafted(page, "restitution = 0.6");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved ball.").waitFor();
    await undrafted(page);
  }));

test("two tabs do not write over each other's drafts, not even copies of one tab", () =>
  visit(async ({ page, url }) => {
    await settled(page);
    await edit(page, "restitution = 0.8", "restitution = 0.6");
    await drafted(page, "restitution = 0.6");
    const session = await page.evaluate(() => ({ ...sessionStorage }));
    const other = await page.context().newPage();
    await other.addInitScript((kept) => Object.assign(sessionStorage, kept), session);
    await other.goto(url);
    await settled(other);
    assert.match(await text(other), /restitution = 0\.6/, "a copy of a tab has its text");
    await edit(other, "restitution = 0.6", "restitution = 0.4");
    await drafted(other, "restitution = 0.4");
    await edit(page, "restitution = 0.6", "restitution = 0.5");
    await drafted(page, "restitution = 0.5");
    const texts = (await drafts(page)).map((it) => /restitution = 0\.\d/.exec(it.text ?? "")?.[0]);
    assert.deepEqual(texts.sort(), ["restitution = 0.4", "restitution = 0.5"]);
  }));

test("versions are begun anew after a while, and there are at most so many", () =>
  visit(async ({ page }) => {
    await settled(page);
    const keys = await page.evaluate(async () => {
      const { drafts } = window.lab;
      drafts.limits = { versions: 3, age: 1000 * 3600, bytes: 1e6 };
      const real = Date.now;
      let now = real();
      Date.now = () => now;
      const write = (text: string) => drafts.write({ folder: "f", origin: { from: "gallery", name: "x" }, text });
      const lists: string[][] = [];
      const look = async () => lists.push(await Promise.all((await drafts.list()).map(async (it) => (await drafts.text(it.key)) ?? "")));
      for (const text of ["a", "ab"]) await write(text);
      await look();
      for (const text of ["c", "d", "e"]) {
        now += 121_000;
        await write(text);
      }
      await look();
      now += 1000 * 3601;
      await write("f");
      await look();
      Date.now = real;
      return lists;
    });
    assert.deepEqual(keys, [["ab"], ["e", "d", "c"], ["f"]]);
  }));

test("switching off forgets everything, in all tabs", () =>
  visit(async ({ page, url }) => {
    await settled(page);
    const other = await page.context().newPage();
    await other.goto(url);
    await settled(other);
    await edit(page, "restitution = 0.8", "restitution = 0.6");
    await drafted(page, "restitution = 0.6");
    await show(page);
    await dialog(page).getByRole("switch", { name: /Keep drafts in this browser/ }).uncheck();
    await dialog(page).getByText("Nothing is kept.").waitFor();
    await undrafted(page);
    await shot(page, "drafts_off");
    await page.keyboard.press("Escape");
    await until(other, "the switch in the other tab", () => !window.lab.drafts.on.value);
    for (const tab of [page, other]) await edit(tab, "duration = 6", "duration = 5");
    await page.waitForTimeout(1500);
    assert.deepEqual(await drafts(page), []);
    // Without drafts the user is asked before a text is replaced.
    await choose(page, "kepler");
    await page.getByText("Keep your changes?").waitFor();
    await page.getByRole("button", { name: "Stay here" }).click();
    assert.match(await text(page), /duration = 5/);
    await page.reload();
    await until(page, "the switch after a reload", () => window.lab?.drafts.on.value === false);
  }));

test("forgetting all leaves nothing, of other folders neither", () =>
  visit(async ({ page }) => {
    await settled(page);
    await page.evaluate(() => window.lab.drafts.keep({ folder: "another", origin: { from: "gallery", name: "x" }, text: "secret" }));
    await show(page);
    await dialog(page).getByText("One more draft is of another folder.").waitFor();
    await dialog(page).getByRole("button", { name: "Forget all" }).click();
    await undrafted(page);
  }));

const TROUBLE = {
  full: { message: "The browser has no room for drafts: save often.", stub: () => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException("no room", "QuotaExceededError");
    };
  } },
  "private": { message: "This browser keeps no drafts, perhaps because the window is private: save often.", stub: () => {
    IDBFactory.prototype.open = () => {
      throw new DOMException("not here", "SecurityError");
    };
  } },
  blocked: { message: "This browser keeps no drafts, perhaps because the window is private: save often.", stub: () => {
    for (const name of ["localStorage", "sessionStorage", "indexedDB"]) {
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException("not here", "SecurityError");
        },
      });
    }
  } },
} as const;

for (const [name, { message, stub }] of Object.entries(TROUBLE)) {
  test(`a browser that keeps nothing (${name}) is told in a sentence and disturbs nobody`, () =>
    visit(async ({ page }) => {
      await page.addInitScript(stub);
      await page.reload();
      await settled(page);
      await edit(page, "restitution = 0.8", "restitution = 0.6");
      await page.getByRole("status").filter({ hasText: message }).waitFor();
      await shot(page, `drafts_${name}`);
      await until(page, "a run of the changed text", () => window.lab.run.value?.revision === window.lab.revision && window.lab.run.value.ended.value !== null);
      await show(page);
      await dialog(page).getByRole("alert").filter({ hasText: message }).waitFor();
      await page.keyboard.press("Escape");
      await choose(page, "kepler");
      await page.getByText("Keep your changes?").waitFor();
      await page.getByRole("button", { name: "Open the other, forget the changes" }).click();
      await until(page, "the other experiment", () => /[Kk]epler/.test(window.lab.text.value));
    }));
}

for (const colorScheme of ["light", "dark"] as const) {
  for (const [size, viewport] of [
    ["wide", { width: 1440, height: 900 }],
    ["narrow", { width: 390, height: 844 }],
  ] as const) {
    test(`drafts can be read: ${colorScheme}, ${size}`, () =>
      visit(
        async ({ page }) => {
          await settled(page);
          await page.evaluate(async () => {
            for (const name of ["kepler", "bouncing_ball", "bouncing_ball"]) await window.lab.drafts.keep({ folder: window.lab.folderId.value, origin: { from: "gallery", name }, text: window.lab.text.value.replace("restitution = 0.8", "restitution = 0.6") });
          });
          await show(page);
          await dialog(page).getByText("restitution = 0.6").waitFor();
          await shot(page, `drafts_${colorScheme}_${size}`);
          assert.deepEqual(await seriousProblems(page), []);
          await dialog(page).getByRole("button", { name: /^kepler / }).click();
          await dialog(page).getByRole("region", { name: "kepler" }).waitFor();
          assert.deepEqual(await seriousProblems(page), []);
          const box = await dialog(page).boundingBox();
          assert.ok(box !== null && box.x >= 0 && box.x + box.width <= viewport.width && box.y + box.height <= viewport.height);
          assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
        },
        { colorScheme, viewport },
      ));
  }
}
