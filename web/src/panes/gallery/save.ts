// Saving: to the folder of the engine, or as a download where there is none.
import { signal } from "@preact/signals";
import type { Lab } from "../../lab/lab.ts";
import { asksSecret } from "../../lab/panels.ts";
import { t } from "../../strings/index.ts";
import type { Origin, Reply } from "../../wire/types.ts";

/** Whether the dialog that asks for a name is open. */
export const asksName = signal(false);

/** The name of an experiment, without ending. */
export function nameOf(origin: Origin): string {
  return origin.from === "page" ? "" : origin.name.replace(/\.lab$/, "");
}

/** Writes the text under a name. Fails with why, in words. */
export async function saveAs(lab: Lab, name: string, replace: boolean): Promise<void> {
  const text = lab.text.value;
  const answer = (await lab.client.request({ type: "save", name, text, replace })) as Extract<Reply, { type: "saved" }>;
  lab.saved.value = text;
  lab.origin.value = answer.origin;
  lab.notify(t("gallery.saved", { name: nameOf(answer.origin) }));
}

/** Saves where it was opened; asks for a name if it was not opened from the folder. */
export function save(lab: Lab): void {
  const origin = lab.origin.value;
  if (lab.access.value !== "owner") {
    asksSecret.value = true;
    return;
  }
  if (origin.from !== "folder") {
    asksName.value = true;
    return;
  }
  saveAs(lab, origin.name, true).catch((why: Error) => lab.notify(why.message));
}

const DRAFT = "gedanken.draft";

/** Keeps what was typed in case the page is loaded again. */
export function keepDraft(lab: Lab): void {
  const isChanged = lab.text.value !== lab.saved.value;
  if (isChanged) sessionStorage.setItem(DRAFT, JSON.stringify({ origin: lab.origin.value, text: lab.text.value, saved: lab.saved.value }));
  else sessionStorage.removeItem(DRAFT);
}

/** What was typed before the page was loaded again. */
export function draft(): { origin: Origin; text: string; saved: string } | null {
  const kept = sessionStorage.getItem(DRAFT);
  return kept === null ? null : (JSON.parse(kept) as { origin: Origin; text: string; saved: string });
}
