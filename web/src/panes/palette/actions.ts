// Everything that can be done now: all keys, all buttons and tabs in sight by their names, and all experiments.
import type { Lab } from "../../lab/lab.ts";
import { replaceText } from "../../lab/saving/unsaved.ts";
import { t } from "../../strings/index.ts";
import { bindings } from "../../ui/keys.ts";
import { GROUPS } from "../gallery/catalogue.ts";

export interface Action {
  /** What it is called. */
  readonly name: string;
  /** The key that does the same, as it is bound. */
  readonly key: string | null;
  /** Where it belongs. */
  readonly group: string;
  readonly run: () => void;
}

/** Where buttons are actions; those of rows of tables and lists act on what stands there. */
const BUTTONS = ".top button, .view-tools button, .transport button, .tab-bar button, .strip-steps button, .energy-over button, .cards-over button, .sheets button";

/** All actions, none of a name twice. */
export function actionsOf(lab: Lab): Action[] {
  const found: Action[] = [];
  const add = (action: Action) => {
    if (!found.some((it) => it.name === action.name)) found.push(action);
  };
  for (const { key, does, group, run } of bindings.value) add({ name: does, key, group, run });
  for (const button of document.querySelectorAll<HTMLButtonElement>(BUTTONS)) {
    if (button.disabled || button.getClientRects().length === 0) continue;
    // A label may end with its key, in brackets.
    const name = (button.getAttribute("aria-label") ?? button.textContent ?? "").replace(/\s*\([^()]*\)$/, "").trim();
    if (name.length > 1) add({ name, key: null, group: groupOf(button), run: () => button.click() });
  }
  for (const { experiments } of GROUPS) {
    for (const { name, title } of experiments) {
      const open = () => replaceText(lab, () => lab.openFrom({ from: "gallery", name })).then(() => undefined);
      add({ name: t("palette.open", { title }), key: null, group: t("palette.experiments"), run: () => void open().catch((why: Error) => lab.notify(why.message)) });
    }
  }
  return found;
}

function groupOf(element: Element): string {
  return element.closest("[aria-label]:not(button)")?.getAttribute("aria-label") ?? t("palette.page");
}

/** Actions in whose name or group every word stands; those that begin with what is typed come first. */
export function matching(actions: readonly Action[], typed: string): Action[] {
  const words = typed.toLowerCase().split(/\s+/).filter((it) => it !== "");
  const text = (it: Action) => `${it.name} ${it.group}`.toLowerCase();
  const rank = (it: Action) => (it.name.toLowerCase().startsWith(words[0] ?? "") ? 0 : 1);
  return actions.filter((it) => words.every((word) => text(it).includes(word))).sort((a, b) => rank(a) - rank(b));
}
