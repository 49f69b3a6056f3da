// Looks after the file behind the text: another editor or another tab may write it, or delete it.
//
// A text without changes follows its file, as one step that can be undone. A text with changes stays, and the user is told. A
// file is looked at while the page is seen, and at once when the user comes back to it.
import { effect } from "@preact/signals";
import { t } from "../../strings/index.ts";
import type { OnDisk, Reply } from "../../wire/types.ts";
import type { Lab } from "../lab.ts";
import { nameOf, versionOf } from "./file.ts";
import { follow } from "./save.ts";

/** Time from one look to the next, in milliseconds. */
const INTERVAL_MS = 1000;
/** Programs may take several steps to write a file: what has changed is believed when it is the same after so long. */
const SETTLE_MS = 250;

/** Begins to look after the file; gives back how to end it. */
export function watchFile(lab: Lab): () => void {
  let looking = false;
  const look = async () => {
    if (looking || document.hidden || !lab.connected.value || lab.file.conflict.value !== null) return;
    looking = true;
    try {
      const first = await changed(lab);
      if (first === null) return;
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      const second = await changed(lab);
      if (second !== null && versionOf(first) === versionOf(second)) accept(lab, second);
    } catch {
      // Not connected: there will be another look.
    } finally {
      looking = false;
    }
  };
  const timer = setInterval(() => void look(), INTERVAL_MS);
  const onReturn = () => void look();
  const stop = effect(() => {
    if (lab.connected.value) void look();
  });
  window.addEventListener("focus", onReturn);
  document.addEventListener("visibilitychange", onReturn);
  return () => {
    clearInterval(timer);
    stop();
    window.removeEventListener("focus", onReturn);
    document.removeEventListener("visibilitychange", onReturn);
  };
}

/** The file, if it is not as the page knows it. */
async function changed(lab: Lab): Promise<OnDisk | null> {
  const origin = lab.origin.peek();
  if (origin.from !== "folder") return null;
  const [opening, version, disk] = [lab.openings.peek(), lab.file.version.peek(), lab.file.disk.peek()];
  const known = disk === null ? version : versionOf(disk);
  const answer = (await lab.client.request({ type: "disk", name: origin.name, known })) as Extract<Reply, { type: "disk" }>;
  // The answer is about a file that is not open any more, or that was saved meanwhile.
  const isStale = lab.openings.peek() !== opening || lab.file.version.peek() !== version || lab.file.disk.peek() !== disk;
  return isStale ? null : answer.disk;
}

function accept(lab: Lab, disk: OnDisk): void {
  const origin = lab.origin.peek();
  if (origin.from !== "folder") return;
  const { file } = lab;
  lab.takeTyped();
  if (versionOf(disk) === file.version.peek()) {
    // It is again what the text began from.
    file.disk.value = null;
    return;
  }
  if (disk.is === "text" && (disk.text === lab.text.peek() || lab.text.peek() === lab.saved.peek())) {
    const isOther = disk.text !== lab.text.peek();
    follow(lab, origin, disk, disk.text);
    if (isOther) lab.notify(t("saving.followed", { name: nameOf(origin) }));
    return;
  }
  file.seen.value = false;
  file.disk.value = disk;
}
