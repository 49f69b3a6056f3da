// The pictures of the README and of the book, made of the page as it is: `make pictures`. In every other run they are only looked for.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { closeBrowser, results, settled, until, visit } from "./harness.ts";

after(closeBrowser);

const ROOT = join(import.meta.dirname, "../../..");
const FOLDER = join(ROOT, "docs/pictures");
const MAX_BYTES = 200_000;

interface Picture {
  name: string;
  experiment: string;
  /** Share of the run at which it is taken. */
  at: number;
  /** The object whose card is shown. */
  select?: string;
  tab?: "Events" | "Energy";
  mathematics?: boolean;
}

/** The page as it opens, and one picture for each kind of mechanics. */
const PICTURES: readonly Picture[] = [
  { name: "page", experiment: "bounce", at: 0.22, select: "ball" },
  { name: "contexts", experiment: "galilean_cannon", at: 0.45, tab: "Events" },
  { name: "workflow", experiment: "workflow_orbit", at: 0.3, mathematics: true },
  { name: "rigid", experiment: "dominoes", at: 0.2, tab: "Energy" },
  { name: "lagrangian", experiment: "double_pendulum", at: 0.4, mathematics: true },
];

test("the pictures of the README and of the book are there, small, and named where they are shown", () => {
  const [readme, book] = [readFileSync(join(ROOT, "README.md"), "utf8"), readFileSync(join(ROOT, "docs/page.md"), "utf8")];
  for (const { name } of PICTURES) {
    for (const theme of ["light", "dark"]) {
      const file = join(FOLDER, `${name}-${theme}.jpg`);
      assert.ok(existsSync(file), file);
      assert.ok(statSync(file).size < MAX_BYTES, `${file}: ${statSync(file).size}`);
      assert.ok(name === "page" ? readme.includes(`docs/pictures/${name}-${theme}.jpg`) : book.includes(`pictures/${name}-${theme}.jpg`), `${name}-${theme}`);
    }
  }
});

const make = process.env["PICTURES"] === undefined ? test.skip : test;

for (const { name, experiment, at, select, tab, mathematics } of PICTURES) {
  make(`picture: ${name}`, { timeout: 300_000 }, () =>
    visit(
      async ({ page }) => {
        page.setDefaultTimeout(120_000);
        mkdirSync(FOLDER, { recursive: true });
        await settled(page);
        const tour = page.getByRole("button", { name: "Skip the tour" });
        if ((await tour.count()) > 0) await tour.click();
        await page.evaluate(([at, select]) => {
          const { lab } = window;
          lab.clock.show(lab.clock.start.value + at * (lab.clock.end.value - lab.clock.start.value));
          if (select !== null) lab.selection.value = select;
        }, [at, select ?? null] as const);
        if (mathematics === true) await page.getByRole("tab", { name: "Mathematics" }).click();
        if (tab !== undefined) await results(page, new RegExp(`^${tab}`));
        if (tab === "Events") {
          await page.evaluate(() => window.lab.chooseEvent(window.lab.run.value?.events.value.find((it) => it.kind === "collision")?.index ?? 0));
        }
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          await until(page, "the theme", (name) => document.documentElement.dataset["theme"] === name, colorScheme);
          await page.waitForTimeout(1500);
          await page.screenshot({ path: join(FOLDER, `${name}-${colorScheme}.jpg`), type: "jpeg", quality: 72 });
        }
      },
      { graphics: "software", smooth: true, path: `/?open=${experiment}` },
    ),
  );
}
