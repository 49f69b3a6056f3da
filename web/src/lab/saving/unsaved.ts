// Text that is not saved: kept while it is typed, over a reload of the page, and asked about when the page is closed.
import { effect } from "@preact/signals";
import { t } from "../../strings/index.ts";
import { remember, remembered } from "../../ui/storage.ts";
import type { Origin } from "../../wire/types.ts";
import type { Lab } from "../lab.ts";
import { fileOf } from "./draft_rules.ts";
import { nameOf } from "./file.ts";
import { isUnsaved } from "./save.ts";

/** Longest time from a change of the text to its draft, in milliseconds. */
const INTERVAL_MS = 1000;
const RELOAD = "gedanken.draft";
const ofTab = () => sessionStorage;

/** What was typed before the page was loaded again in this tab. */
export interface Reloaded {
  folder: string;
  origin: Origin;
  text: string;
  saved: string;
  version: string | null;
  settings: readonly string[];
  simulation: string | null;
}

/** Begins to keep what is typed; gives back how to end it. */
export function keepUnsaved(lab: Lab): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const writing = () => ({ folder: lab.folderId.peek(), origin: lab.origin.peek(), text: lab.text.peek() });
  const now = () => {
    clearTimeout(timer);
    timer = undefined;
    lab.takeTyped();
    if (lab.text.peek() !== "" && isUnsaved(lab)) void lab.drafts.write(writing());
  };
  const ends = [
    effect(() => keepOverReload(lab)),
    effect(() => {
      if (isUnsaved(lab)) timer ??= setTimeout(now, INTERVAL_MS);
    }),
    effect(() => {
      const trouble = lab.drafts.trouble.value;
      if (trouble !== null) lab.notify(t(`saving.trouble_${trouble}`));
    }),
  ];
  const onHide = () => {
    if (document.hidden) now();
  };
  const onClose = (event: BeforeUnloadEvent) => {
    lab.takeTyped();
    if (!isUnsaved(lab)) return;
    now();
    event.preventDefault();
    // Older browsers ask for this.
    event.returnValue = true;
  };
  document.addEventListener("visibilitychange", onHide);
  window.addEventListener("pagehide", now);
  window.addEventListener("beforeunload", onClose);
  return () => {
    clearTimeout(timer);
    for (const end of ends) end();
    document.removeEventListener("visibilitychange", onHide);
    window.removeEventListener("pagehide", now);
    window.removeEventListener("beforeunload", onClose);
  };
}

function keepOverReload(lab: Lab): void {
  // Before anything is open, what was kept is all there is.
  if (lab.openings.value === 0) return;
  const kept: Reloaded = { folder: lab.folderId.value, origin: lab.origin.value, text: lab.text.value, saved: lab.saved.value, version: lab.file.version.value, settings: lab.settings.value, simulation: lab.simulation.value };
  const isKept = remember(RELOAD, kept.text === kept.saved ? null : JSON.stringify(kept), ofTab);
  // An older text must not come back in place of one that is too long to be kept.
  if (!isKept) remember(RELOAD, null, ofTab);
}

/** What was typed before the page was loaded again. */
export function reloaded(): Reloaded | null {
  const kept = remembered(RELOAD, ofTab);
  return kept === null ? null : (JSON.parse(kept) as Reloaded);
}

/** Does something that replaces the text. A text that is not saved becomes a draft first; gives `false`, and does nothing, if it cannot. */
export async function replaceText(lab: Lab, replace: () => void | Promise<void>): Promise<boolean> {
  lab.takeTyped();
  const unsaved = isUnsaved(lab) && lab.text.peek() !== "";
  const [origin, text] = [lab.origin.peek(), lab.text.peek()];
  if (unsaved && !(await lab.drafts.write({ folder: lab.folderId.peek(), origin, text }))) return false;
  await lab.drafts.leave();
  await replace();
  if (unsaved) lab.notify(t("saving.kept", { name: nameOf(origin) || t("gallery.untitled") }));
  return true;
}

/** Puts the text of a draft into its experiment, as a step that can be undone. If its file is not there any more, it is a new one. */
export async function restore(lab: Lab, origin: Origin, text: string): Promise<void> {
  const isOpen = fileOf(origin) === fileOf(lab.origin.peek());
  if (isOpen) {
    lab.takeTyped();
    // What stands there now is one step back, and a draft of its own.
    if (isUnsaved(lab)) await lab.drafts.write({ folder: lab.folderId.peek(), origin, text: lab.text.peek() });
    await lab.drafts.leave();
    lab.edit(text);
    lab.notify(t("saving.restored"));
    return;
  }
  const replaced = await replaceText(lab, async () => {
    if (origin.from === "page") {
      lab.open(origin, text, { saved: "" });
      return;
    }
    const isThere = await lab.openFrom(origin).then(
      () => true,
      () => false,
    );
    if (isThere) lab.edit(text);
    else lab.open({ from: "page" }, text, { saved: "" });
    lab.notify(t(isThere ? "saving.restored" : "saving.restored_new"));
  });
  if (!replaced) lab.notify(t("gallery.unsaved", { name: nameOf(lab.origin.peek()) || t("gallery.untitled") }));
}
