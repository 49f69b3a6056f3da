// One line under the top: what became of the file on disk, or that there is a draft of it.
import { effect, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { Lab } from "../../lab/lab.ts";
import { draftsShown } from "../../lab/panels.ts";
import type { DraftInfo } from "../../lab/saving/draft_rules.ts";
import { nameOf } from "../../lab/saving/file.ts";
import { save } from "../../lab/saving/save.ts";
import { t } from "../../strings/index.ts";
import { timeOf } from "./format.ts";

export function FileNotice({ lab }: { lab: Lab }) {
  const found = useFoundDraft(lab);
  const origin = lab.origin.value;
  const name = nameOf(origin);
  const disk = lab.file.disk.value;
  if (disk !== null && origin.from === "folder" && !lab.file.seen.value) {
    const dismiss = () => {
      lab.file.seen.value = true;
    };
    const decide = () => {
      lab.takeTyped();
      lab.file.conflict.value = { name: origin.name, disk };
    };
    if (disk.is === "absent") {
      return (
        <Notice text={t("saving.deleted", { name })} dismiss={dismiss}>
          <button type="button" onClick={() => save(lab)}>
            {t("saving.save_again")}
          </button>
        </Notice>
      );
    }
    return (
      <Notice text={disk.is === "text" ? t("saving.changed_elsewhere", { name }) : t("saving.unreadable", { name, why: disk.why })} dismiss={dismiss}>
        <button type="button" onClick={decide}>
          {t(disk.is === "text" ? "saving.compare" : "saving.decide")}
        </button>
      </Notice>
    );
  }
  const draft = found.value;
  if (draft === null) return null;
  const known = () => {
    found.value = null;
    void lab.drafts.know(draft.key);
  };
  const look = () => {
    known();
    draftsShown.value = true;
  };
  return (
    <Notice text={t("saving.draft_found", { name, time: timeOf(draft.changed) })} dismiss={known}>
      <button type="button" onClick={look}>
        {t("saving.look")}
      </button>
    </Notice>
  );
}

function Notice({ text, dismiss, children }: { text: string; dismiss: () => void; children: ComponentChildren }) {
  return (
    <div class="file-notice" role="group" aria-label={t("saving.notice")}>
      <p role="status">{text}</p>
      <div class="buttons">
        {children}
        <button type="button" onClick={dismiss}>
          {t("saving.not_now")}
        </button>
      </div>
    </div>
  );
}

/** A draft of the experiment that was opened, which the user does not know of. */
function useFoundDraft(lab: Lab) {
  const found = useSignal<DraftInfo | null>(null);
  useEffect(
    () =>
      effect(() => {
        const opening = lab.openings.value;
        found.value = null;
        if (opening === 0) return;
        const writing = { folder: lab.folderId.peek(), origin: lab.origin.peek(), text: lab.text.peek() };
        void lab.drafts.unknown(writing).then((draft) => {
          if (lab.openings.peek() === opening) found.value = draft;
        });
      }),
    [lab],
  );
  return found;
}
