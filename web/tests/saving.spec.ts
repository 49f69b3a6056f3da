// Files that change elsewhere: whoever saves second is shown what the first wrote, and nothing is lost whatever is chosen.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { closeBrowser, seriousProblems, settled, shot, until, visit, type Visit, withoutPictures } from "./harness.ts";

after(closeBrowser);
withoutPictures();

const text = (page: Page) => page.evaluate(() => window.lab.text.value);
const edit = (page: Page, from: string, to: string) => page.evaluate(([from, to]) => window.lab.edit(window.lab.text.value.replace(from as string, to as string)), [from, to]);
const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true }).click();
const conflict = (page: Page) => page.getByRole("dialog", { name: /was changed elsewhere/ });
const notice = (page: Page) => page.getByRole("group", { name: "The file" });

/** Saves the experiment of the gallery as `ball.lab`, so that there is a file. */
async function saveBall({ page, folder }: Visit): Promise<string> {
  await settled(page);
  await save(page);
  const dialog = page.getByRole("dialog", { name: "Save the experiment" });
  await dialog.getByLabel("Name").fill("ball");
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  return join(folder, "ball.lab");
}

/** Opens `ball.lab` in another tab of the same browser. */
async function secondTab({ page, url, complaints }: Visit): Promise<Page> {
  const other = await page.context().newPage();
  other.on("pageerror", (error) => complaints.push(error.message));
  await other.goto(url);
  await settled(other);
  await other.evaluate(() => window.lab.openFrom({ from: "folder", name: "ball.lab" }));
  await settled(other);
  return other;
}

/** Writes as another program does. */
const rewrite = (path: string, from: string, to: string) => writeFileSync(path, readFileSync(path, "utf8").replace(from, to));

test("of two tabs that save, the second is told and nothing is written over", () =>
  visit(async (it) => {
    const path = await saveBall(it);
    const other = await secondTab(it);
    await edit(it.page, "restitution = 0.8", "restitution = 0.6");
    await edit(other, "restitution = 0.8", "restitution = 0.4");
    await save(it.page);
    await it.page.getByText("Saved ball.").waitFor();
    await save(other);
    await conflict(other).waitFor();
    assert.match(readFileSync(path, "utf8"), /restitution = 0\.6/);
    await conflict(other).getByText("restitution = 0.6").waitFor();
    await conflict(other).getByText("restitution = 0.4").waitFor();
    await shot(other, "saving_conflict");
    await other.keyboard.press("Escape");
    await conflict(other).waitFor({ state: "detached" });
    assert.match(await text(other), /restitution = 0\.4/);
    assert.match(readFileSync(path, "utf8"), /restitution = 0\.6/);
    await save(other);
    await conflict(other).getByRole("button", { name: "Keep mine" }).click();
    await conflict(other).waitFor({ state: "detached" });
    assert.match(readFileSync(path, "utf8"), /restitution = 0\.4/);
    // What was replaced knowingly is still a draft.
    const kept = await other.evaluate(async () => Promise.all((await window.lab.drafts.list()).map((draft) => window.lab.drafts.text(draft.key))));
    assert.ok(kept.some((draft) => draft?.includes("restitution = 0.6")));
    await until(it.page, "the first tab to follow the file", () => window.lab.text.value.includes("restitution = 0.4"));
    assert.deepEqual(readdirSync(it.folder), ["ball.lab"], "nothing is left beside it");
  }));

test("another program writes between opening and saving, and again while the user decides", () =>
  visit(async (it) => {
    const path = await saveBall(it);
    await edit(it.page, "restitution = 0.8", "restitution = 0.6");
    rewrite(path, "duration = 6", "duration = 7");
    await save(it.page);
    await conflict(it.page).getByText("duration = 7").waitFor();
    rewrite(path, "duration = 7", "duration = 8");
    await conflict(it.page).getByRole("button", { name: "Keep mine" }).click();
    await conflict(it.page).getByText("duration = 8").waitFor();
    assert.match(readFileSync(path, "utf8"), /duration = 8/);
    await conflict(it.page).getByRole("button", { name: "Keep mine" }).click();
    await conflict(it.page).waitFor({ state: "detached" });
    assert.match(readFileSync(path, "utf8"), /restitution = 0\.6/);
    assert.match(readFileSync(path, "utf8"), /duration = 6/);
  }));

test("changes in different places are merged in one step that can be undone", () =>
  visit(async (it) => {
    const { page } = it;
    const path = await saveBall(it);
    await edit(page, "restitution = 0.8", "restitution = 0.6");
    const mine = await text(page);
    rewrite(path, "duration = 6", "duration = 5");
    await save(page);
    await conflict(page).getByText("both can be kept").waitFor();
    await conflict(page).getByRole("button", { name: "Merge both" }).click();
    await conflict(page).waitFor({ state: "detached" });
    assert.match(await text(page), /restitution = 0\.6/);
    assert.match(await text(page), /duration = 5/);
    assert.doesNotMatch(readFileSync(path, "utf8"), /restitution = 0\.6/, "nothing is written before the user has looked");
    await page.getByRole("button", { name: "Undo a change of the text" }).click();
    assert.equal(await text(page), mine);
    await page.getByRole("button", { name: "Do it again" }).click();
    await save(page);
    await page.getByText("Saved ball.").waitFor();
    assert.equal(readFileSync(path, "utf8"), await text(page));
    await settled(page);
    assert.equal(await page.evaluate(() => window.lab.run.value?.scene.end), 5);
  }));

test("what both changed is marked for the user, and cannot run by accident", () =>
  visit(async (it) => {
    const { page } = it;
    const path = await saveBall(it);
    await edit(page, "restitution = 0.8", "restitution = 0.6");
    rewrite(path, "restitution = 0.8", "restitution = 0.7");
    await save(page);
    await conflict(page).getByText("One place was changed on both sides.").waitFor();
    await conflict(page).getByRole("button", { name: "Merge both" }).click();
    await until(page, "the marks to be a problem of the text", () => window.lab.checked.value?.sound === false && window.lab.checked.value.revision === window.lab.revision);
    const merged = await text(page);
    assert.match(merged, /<<<<<<< your text\n.*restitution = 0\.6\n======= on disk\n.*restitution = 0\.7\n>>>>>>> /);
    await until(page, "the first mark to be selected", () => document.getSelection()?.toString().startsWith("<<<<<<<"));
    await shot(page, "saving_marked");
    await page.evaluate(() => window.lab.edit(window.lab.text.value.replace(/<<<<<<<.*\n(.*\n)=======.*\n.*\n>>>>>>>.*\n/, "$1")));
    await save(page);
    await page.getByText("Saved ball.").waitFor();
    assert.match(readFileSync(path, "utf8"), /restitution = 0\.6/);
  }));

test("taking theirs keeps mine as a draft and one undo away", () =>
  visit(async (it) => {
    const { page } = it;
    const path = await saveBall(it);
    await edit(page, "restitution = 0.8", "restitution = 0.6");
    const mine = await text(page);
    rewrite(path, "restitution = 0.8", "restitution = 0.7");
    await save(page);
    await conflict(page).getByRole("button", { name: "Take theirs" }).click();
    await page.getByText("yours is kept as a draft").waitFor();
    assert.equal(await text(page), readFileSync(path, "utf8"));
    assert.equal(await page.locator(".dirty").count(), 0);
    const kept = await page.evaluate(async () => Promise.all((await window.lab.drafts.list()).map((draft) => window.lab.drafts.text(draft.key))));
    assert.ok(kept.includes(mine));
    await page.getByRole("button", { name: "Undo a change of the text" }).click();
    assert.equal(await text(page), mine);
  }));

test("a text without changes follows its file, one with changes is offered both", () =>
  visit(async (it) => {
    const { page } = it;
    const path = await saveBall(it);
    rewrite(path, "restitution = 0.8", "restitution = 0.7");
    await page.getByText("the text follows").waitFor();
    assert.match(await text(page), /restitution = 0\.7/);
    assert.equal(await page.locator(".dirty").count(), 0);
    await edit(page, "restitution = 0.7", "restitution = 0.6");
    rewrite(path, "duration = 6", "duration = 5");
    await notice(page).getByText("was changed on disk").waitFor();
    assert.match(await text(page), /restitution = 0\.6/);
    await shot(page, "saving_notice");
    await notice(page).getByRole("button", { name: "Not now" }).click();
    await notice(page).waitFor({ state: "detached" });
    rewrite(path, "duration = 5", "duration = 4");
    await notice(page).getByRole("button", { name: "Show both" }).click();
    await conflict(page).getByRole("button", { name: "Merge both" }).click();
    await until(page, "both changes in the text", () => /duration = 4/.test(window.lab.text.value) && /restitution = 0\.6/.test(window.lab.text.value));
    await notice(page).waitFor({ state: "detached" });
  }));

test("a deleted file is told, and saved again on request", () =>
  visit(async (it) => {
    const { page } = it;
    const path = await saveBall(it);
    rmSync(path);
    await notice(page).getByText("was deleted on disk").waitFor();
    assert.equal(await page.locator(".dirty").count(), 1);
    await shot(page, "saving_deleted");
    await notice(page).getByRole("button", { name: "Save it again" }).click();
    await notice(page).waitFor({ state: "detached" });
    assert.equal(readFileSync(path, "utf8"), await text(page));
    assert.equal(await page.locator(".dirty").count(), 0);
  }));

test("a new experiment does not replace a file of its name unseen", () =>
  visit(async (it) => {
    const { page, folder } = it;
    await settled(page);
    writeFileSync(join(folder, "ball.lab"), "// theirs\n");
    await save(page);
    const dialog = page.getByRole("dialog", { name: "Save the experiment" });
    await dialog.getByLabel("Name").fill("ball");
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    const exists = page.getByRole("dialog", { name: /exists already/ });
    await exists.getByText("// theirs").waitFor();
    assert.equal(readFileSync(join(folder, "ball.lab"), "utf8"), "// theirs\n");
    await shot(page, "saving_exists");
    await exists.getByRole("button", { name: "Save under another name" }).click();
    await dialog.getByLabel("Name").fill("mine");
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual(readdirSync(folder).sort(), ["ball.lab", "mine.lab"]);
  }));

test("a file that is no text is told, and line breaks of other systems stay", () =>
  visit(async (it) => {
    const { page } = it;
    const path = await saveBall(it);
    writeFileSync(path, readFileSync(path, "utf8").replaceAll("\n", "\r\n"));
    await until(page, "the new version of the file", (before) => window.lab.file.version.value !== before, await page.evaluate(() => window.lab.file.version.value));
    assert.equal(await page.locator(".dirty").count(), 0, "other line breaks are no change of the text");
    await edit(page, "restitution = 0.8", "restitution = 0.6");
    await save(page);
    await until(page, "the save", () => window.lab.text.value === window.lab.saved.value);
    const written = readFileSync(path, "utf8");
    assert.match(written, /restitution = 0\.6/);
    assert.equal(written.split("\n").length, written.split("\r\n").length);
    writeFileSync(path, Buffer.from([0x42, 0xe4, 0x6c, 0x6c, 0x65]));
    await notice(page).getByText("not text in UTF-8").waitFor();
    await notice(page).getByRole("button", { name: "Decide" }).click();
    await conflict(page).getByRole("button", { name: "Keep mine" }).click();
    await conflict(page).waitFor({ state: "detached" });
    assert.match(readFileSync(path, "utf8"), /restitution = 0\.6/);
  }));

test("saves that follow each other quickly do not conflict, and hold the last letter", () =>
  visit(async (it) => {
    const { page } = it;
    const path = await saveBall(it);
    await page.getByRole("textbox", { name: "Experiment" }).focus();
    await page.keyboard.press("Control+Home");
    for (const letter of "abc") {
      await page.keyboard.type(`// ${letter}\n`);
      await page.keyboard.press("Control+s");
    }
    await until(page, "all saves", () => window.lab.text.value === window.lab.saved.value && window.lab.text.value.startsWith("// a\n// b\n// c\n"));
    assert.equal(await conflict(page).count(), 0);
    assert.ok(readFileSync(path, "utf8").startsWith("// a\n// b\n// c\n"));
  }));

test("closing with text that is not saved asks, and closing without does not", () =>
  visit(async (it) => {
    const { page } = it;
    await saveBall(it);
    const asked: string[] = [];
    page.on("dialog", (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    // Browsers ask only if the page was used.
    await page.getByRole("textbox", { name: "Experiment" }).click();
    await page.reload();
    await settled(page);
    assert.deepEqual(asked, []);
    await page.getByRole("textbox", { name: "Experiment" }).click();
    // At the end, where a comment spoils no law: a text that cannot run has no run to wait for.
    await page.keyboard.press("Control+End");
    await page.keyboard.type("// typed in the last moment");
    await page.reload();
    await settled(page);
    assert.deepEqual(asked, ["beforeunload"]);
    assert.match(await text(page), /typed in the last moment/);
  }));

for (const colorScheme of ["light", "dark"] as const) {
  for (const [size, viewport] of [
    ["wide", { width: 1440, height: 900 }],
    ["narrow", { width: 390, height: 844 }],
  ] as const) {
    test(`both texts can be read: ${colorScheme}, ${size}`, () =>
      visit(
        async (it) => {
          const { page } = it;
          const path = await saveBall(it);
          await edit(page, "restitution = 0.8", "restitution = 0.6");
          rewrite(path, "duration = 6", "duration = 5");
          await notice(page).waitFor();
          assert.deepEqual(await seriousProblems(page), []);
          await shot(page, `saving_notice_${colorScheme}_${size}`);
          await notice(page).getByRole("button", { name: "Show both" }).click();
          await conflict(page).waitFor();
          await shot(page, `saving_conflict_${colorScheme}_${size}`);
          assert.deepEqual(await seriousProblems(page), []);
          assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing sticks out");
          const box = await conflict(page).boundingBox();
          assert.ok(box !== null && box.x >= 0 && box.x + box.width <= viewport.width && box.y + box.height <= viewport.height);
          // The focus stays in the dialog.
          for (let k = 0; k < 12; k++) {
            await page.keyboard.press("Tab");
            assert.ok(await page.evaluate(() => document.activeElement === document.body || document.activeElement?.closest("dialog") !== null));
          }
        },
        { colorScheme, viewport },
      ));
  }
}
