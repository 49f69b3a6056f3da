// Saving to the folder of the engine. A save names the version that it began from: what somebody else wrote since is never
// written over unseen.
import { batch, signal } from "@preact/signals";
import { t } from "../../strings/index.ts";
import type { OnDisk, Reply } from "../../wire/types.ts";
import type { Lab } from "../lab.ts";
import { asksSecret } from "../panels.ts";
import { type Conflict, nameOf, versionOf } from "./file.ts";
import { marked, merge, type Merged } from "./merge.ts";

/** Whether the dialog that asks for a name is open. */
export const asksName = signal(false);

/** Saves go one after the other: the second begins from what the first has written. */
let queue: Promise<unknown> = Promise.resolve();

/** Whether there is text that no file holds. */
export function isUnsaved(lab: Lab): boolean {
  return lab.text.value !== lab.saved.value || lab.file.disk.value?.is === "absent";
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
  // Of a file that was deleted the user has been told.
  const base = () => (lab.file.disk.value?.is === "absent" ? null : lab.file.version.value);
  saveAs(lab, origin.name, base).catch((why: Error) => lab.notify(why.message));
}

/** Writes the text under a name. Gives `false` if the user has to decide first; fails with why, in words. */
export function saveAs(lab: Lab, name: string, base: () => string | null): Promise<boolean> {
  const done = queue.then(() => write(lab, name, base()));
  queue = done.catch(() => undefined);
  return done;
}

async function write(lab: Lab, name: string, base: string | null): Promise<boolean> {
  lab.takeTyped();
  const text = lab.text.value;
  const opening = lab.openings.value;
  const answer = (await lab.client.request({ type: "save", name, text, base })) as Extract<Reply, { type: "saved" | "conflict" }>;
  // Something else may have been opened meanwhile.
  const isHere = lab.openings.value === opening;
  if (answer.origin.from !== "folder") return true;
  if (answer.type === "conflict") {
    if (isHere) lab.file.conflict.value = { name: answer.origin.name, disk: answer.disk };
    return false;
  }
  if (isHere) {
    batch(() => {
      lab.saved.value = text;
      lab.origin.value = answer.origin;
      lab.file.adopt(answer.file_version);
    });
    await lab.drafts.saved();
  }
  const left = marked(text);
  lab.notify(left > 0 ? t("saving.saved_marked", { name: nameOf(answer.origin), count: left }) : t("saving.saved", { name: nameOf(answer.origin) }));
  return true;
}

/** Whether the text began from this file, and not from another that would be written there. */
export function isOwnFile({ origin, file }: Lab, { name }: Conflict): boolean {
  return origin.value.from === "folder" && origin.value.name === name && file.version.value !== null;
}

/** Your text and the file put together; `null` if they have no text in common to begin from. */
export function mergedWith(lab: Lab, conflict: Conflict): Merged | null {
  const { saved, text } = lab;
  if (!isOwnFile(lab, conflict) || conflict.disk.is !== "text") return null;
  const marks = { mine: t("saving.mark_mine"), theirs: t("saving.mark_theirs"), end: t("saving.mark_end") };
  return merge(saved.value, text.value, conflict.disk.text, marks);
}

/** Writes your text over the version that was shown. What it replaces is kept as a draft. */
export async function keepMine(lab: Lab, conflict: Conflict): Promise<void> {
  const { name, disk } = conflict;
  if (disk.is === "text") await lab.drafts.keep({ folder: lab.folderId.value, origin: { from: "folder", name }, text: disk.text });
  await saveAs(lab, name, () => versionOf(disk));
}

/** Takes the text of the file. Yours is kept as a draft, and undo brings it back. */
export async function takeTheirs(lab: Lab, conflict: Conflict): Promise<void> {
  if (conflict.disk.is !== "text") return;
  const kept = await keepText(lab);
  follow(lab, conflict, conflict.disk, conflict.disk.text);
  lab.notify(t(kept ? "saving.took_theirs" : "saving.took_theirs_undo"));
}

/** Puts both texts together in the editor. Nothing is written: the user looks, and saves. */
export async function mergeBoth(lab: Lab, conflict: Conflict): Promise<void> {
  const merged = mergedWith(lab, conflict);
  if (merged === null || conflict.disk.is !== "text") return;
  await keepText(lab);
  follow(lab, conflict, conflict.disk, merged.text);
  const first = merged.text.indexOf("<<<<<<< ");
  if (merged.conflicts > 0 && first >= 0) lab.place.value = { start: first, end: merged.text.indexOf("\n", first) };
  lab.notify(merged.conflicts > 0 ? t("saving.merged_marked", { count: merged.conflicts }) : t("saving.merged"));
}

/** Keeps the text as it is as a draft. Says whether that worked. */
export function keepText(lab: Lab): Promise<boolean> {
  return lab.drafts.keep({ folder: lab.folderId.value, origin: lab.origin.value, text: lab.text.value });
}

/** The text becomes another that began from the file as it is; one step that can be undone. */
export function follow(lab: Lab, { name }: { name: string }, disk: Extract<OnDisk, { is: "text" }>, text: string): void {
  batch(() => {
    lab.origin.value = { from: "folder", name };
    lab.saved.value = disk.text;
    lab.file.adopt(disk.version);
  });
  lab.edit(text);
}
