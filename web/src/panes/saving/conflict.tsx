// The file is not the one that the text began from: both are shown, and the user decides.
import { useSignal } from "@preact/signals";
import type { Lab } from "../../lab/lab.ts";
import type { Conflict } from "../../lab/saving/file.ts";
import { asksName, isOwnFile, keepMine, mergeBoth, mergedWith, takeTheirs } from "../../lab/saving/save.ts";
import { t } from "../../strings/index.ts";
import { Dialog } from "../../ui/widgets.tsx";
import { Diff } from "./diff.tsx";

export function ConflictDialog({ lab, conflict }: { lab: Lab; conflict: Conflict }) {
  const why = useSignal("");
  const { disk } = conflict;
  const name = conflict.name.replace(/\.lab$/, "");
  const merged = mergedWith(lab, conflict);
  const isOwn = isOwnFile(lab, conflict);
  const close = () => {
    lab.file.conflict.value = null;
  };
  const run = (decision: (lab: Lab, conflict: Conflict) => Promise<void>) => {
    why.value = "";
    decision(lab, conflict)
      .then(() => {
        // A save may have found yet another version, which is shown then.
        if (lab.file.conflict.value === conflict) close();
      })
      .catch((error: Error) => {
        lab.file.conflict.value = conflict;
        why.value = error.message;
      });
  };
  const otherName = () => {
    close();
    asksName.value = true;
  };
  const title = disk.is === "absent" ? "saving.deleted_title" : isOwn ? "saving.conflict_title" : "saving.exists_title";
  return (
    <Dialog title={t(title, { name })} close={close} class="conflict">
      <div class="conflict-body">
        <p>{story(disk, isOwn)}</p>
        {merged !== null && <p>{merged.conflicts === 0 ? t("saving.can_merge") : t("saving.cannot_merge", { count: merged.conflicts })}</p>}
        {disk.is === "text" && <Diff before={disk.text} after={lab.text.value} names={{ before: t("saving.theirs"), after: t("saving.yours") }} />}
        {why.value !== "" && (
          <p class="problem" role="alert">
            {why.value}
          </p>
        )}
        <div class="buttons">
          <button type="button" onClick={otherName}>
            {t("saving.other_name")}
          </button>
          {disk.is === "text" && (
            <button type="button" onClick={() => run(takeTheirs)}>
              {t("saving.take_theirs")}
            </button>
          )}
          <button type="button" class={disk.is === "absent" ? "primary" : ""} title={disk.is === "text" ? t("saving.keep_mine_hint") : undefined} onClick={() => run(keepMine)}>
            {t(disk.is === "absent" ? "saving.save_again" : "saving.keep_mine")}
          </button>
          {merged !== null && (
            <button type="button" class="primary" onClick={() => run(mergeBoth)}>
              {t("saving.merge")}
            </button>
          )}
        </div>
      </div>
    </Dialog>
  );
}

/** What has happened, in a sentence. */
function story(disk: Conflict["disk"], isOwn: boolean): string {
  if (disk.is === "absent") return t("saving.conflict_deleted");
  if (disk.is === "unreadable") return t("saving.conflict_unreadable", { why: disk.why });
  return t(isOwn ? "saving.nothing_written" : "saving.exists");
}
