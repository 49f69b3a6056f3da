// The gallery: groups in a reading order, titles for people, a search that stays in sight, and no complaints.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { GROUPS } from "../src/panes/gallery/catalogue.ts";
import type { Reply } from "../src/wire/types.ts";
import { closeBrowser, seriousProblems, settled, shot, until, visit, withoutPictures } from "./harness.ts";

after(closeBrowser);
withoutPictures();

test("every experiment has its place, its level and a title for people", () =>
  visit(
    async ({ page }) => {
      await settled(page);
      const names = await page.evaluate(async () => {
        const answer = (await window.lab.client.request({ type: "library" })) as Extract<Reply, { type: "library" }>;
        return answer.entries.filter((it) => it.origin.from === "gallery").map((it) => it.name);
      });
      const listed = GROUPS.flatMap((it) => it.experiments);
      assert.deepEqual(listed.map((it) => it.name).sort(), names.sort());
      assert.deepEqual(listed.filter((it) => !/^[A-Z][^_]{4,40}$/.test(it.title) || ![1, 2, 3].includes(it.level)), []);
      assert.equal(new Set(listed.map((it) => it.title)).size, listed.length);
      assert.equal(await page.locator(".experiment-name").textContent(), "A ball that bounces");
      await page.getByRole("button", { name: "Open", exact: true }).click();
      const dialog = page.getByRole("dialog", { name: "Experiments" });
      const first = dialog.getByRole("region", { name: "First steps" }).getByRole("listitem");
      assert.match((await first.nth(0).textContent()) ?? "", /^A ball that bounces/);
      assert.match((await first.nth(1).textContent()) ?? "", /^The same ball, every law explicit/);
      await dialog.locator(".thumbnail").first().waitFor();
      assert.deepEqual(await seriousProblems(page), []);
      await shot(page, "gallery_groups");
      // Pictures show the thing: everything that moves is at least as large as a point that can be seen.
      const pictures = dialog.locator(".thumbnail");
      await until(page, "four pictures", () => document.querySelectorAll(".browse .thumbnail").length >= 4);
      const small = await pictures.evaluateAll((all) =>
        all.flatMap((picture) => {
          const unit = picture.getBoundingClientRect().height / 100;
          return [...picture.querySelectorAll(".body")].map((it) => it.getBoundingClientRect()).filter((it) => Math.max(it.width, it.height) < 5 * unit);
        }),
      );
      assert.deepEqual(small, []);
      // Who points at one sees it move; here the system asks for no motion.
      await page.emulateMedia({ reducedMotion: "no-preference" });
      await dialog.getByRole("listitem").first().hover();
      await dialog.locator(".thumbnail animateTransform").first().waitFor({ state: "attached" });
      await page.emulateMedia({ reducedMotion: "reduce" });
      await dialog.getByRole("listitem").nth(1).hover();
      await until(page, "pictures at rest", () => document.querySelector(".thumbnail animateTransform") === null);
      // The search is in sight at the end of the list, too. Half-spaces have pictures without complaint.
      await dialog.getByRole("region", { name: "Rigid bodies" }).getByRole("listitem").last().scrollIntoViewIfNeeded();
      const [search, box] = [await dialog.getByRole("searchbox").boundingBox(), await dialog.boundingBox()];
      assert.ok(search !== null && box !== null && search.y >= box.y && search.y + search.height <= box.y + box.height);
      await dialog.getByRole("searchbox").fill("puppet");
      assert.equal(await dialog.getByRole("listitem").count(), 1);
    },
    { experiment: null },
  ));
