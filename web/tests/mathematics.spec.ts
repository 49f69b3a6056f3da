// What the mathematics says beside the laws of a text: that rules add, that measures sum up, how a step is put together, and how bodies
// move that no law of the text moves.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { flowOf, workflowsOf, wordsOf } from "../src/panes/editor/mathematics/workflow_picture.tsx";
import { closeBrowser, seriousProblems, settled, shot, visit, withoutPictures } from "./harness.ts";

after(closeBrowser);
withoutPictures();

/** The lines of a block, as they are read. */
function lines(page: Page, block: string): Promise<string[]> {
  return page.getByRole("region", { name: block, exact: true }).locator(".law-math").allTextContents();
}

test("a rule that adds is printed as adding, and a step as a picture", () =>
  visit(
    async ({ page }) => {
      await settled(page);
      await page.getByRole("tab", { name: "Mathematics" }).click();
      assert.deepEqual(
        (await lines(page, "rule through_the_walls")).filter((it) => it.includes("balance")).map((it) => it.includes("+=")),
        [true],
      );
      assert.ok((await lines(page, "rule warm")).every((it) => !it.includes("+=")));
      const picture = page.getByRole("region", { name: "One step: clear, then (through_the_walls and at the same time from_the_heater), then warm, then too_cold, then warm_enough" });
      await picture.waitFor();
      assert.equal(await picture.locator(".flow-par .flow-rule").count(), 2);
      assert.deepEqual(await seriousProblems(page), []);
      await shot(page, "mathematics_workflow");
    },
    { path: "/?open=workflow_thermostat" },
  ));

test("a measure of several objects is a sum, and rigid bodies have equations of motion", () =>
  visit(
    async ({ page }) => {
      await settled(page);
      await page.getByRole("tab", { name: "Mathematics" }).click();
      assert.match((await lines(page, "measure moved")).join("\n"), /=∑8/);
      assert.ok((await lines(page, "measure top")).every((it) => !it.includes("∑")), "one object needs no sum");
      const equations = await lines(page, "Equations of motion");
      assert.match(equations.join("\n"), /mv˙|m⁢v˙/);
      assert.ok(equations.some((it) => it.includes("⊥")), "contacts");
      assert.deepEqual(await seriousProblems(page), []);
      await shot(page, "mathematics_rigid");
    },
    { path: "/?open=rigid_stack" },
  ));

test("workflows are read as they are nested, and nothing else is", () => {
  assert.equal(wordsOf(flowOf("seq(a, par(b, seq(c, d)))") ?? { kind: "rule", name: "" }), "a, then (b and at the same time (c, then d))");
  assert.equal(flowOf("seq(a, max(b, c))"), null);
  assert.equal(flowOf("seq(a"), null);
  assert.equal(workflowsOf("// workflow = seq(x)\nworkflow = seq(a, // first\n b)\nworkflow = par(c, d)").length, 2);
});
