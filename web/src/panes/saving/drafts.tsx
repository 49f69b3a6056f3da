// The drafts of this folder: looked at beside the text, restored, forgotten, switched off.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Lab } from "../../lab/lab.ts";
import { type DraftInfo, fileOf, originOf } from "../../lab/saving/draft_rules.ts";
import { nameOf } from "../../lab/saving/file.ts";
import { restore } from "../../lab/saving/unsaved.ts";
import { t } from "../../strings/index.ts";
import { Dialog } from "../../ui/widgets.tsx";
import { Diff } from "./diff.tsx";
import { sizeOf, timeOf } from "./format.ts";

export function DraftsDialog({ lab, close }: { lab: Lab; close: () => void }) {
  const { drafts } = lab;
  const list = useSignal<readonly DraftInfo[]>([]);
  const others = useSignal(0);
  const chosen = useSignal<DraftInfo | null>(null);
  const folder = lab.folderId.value;
  const changes = drafts.changes.value;
  useEffect(() => {
    void drafts.list().then((all) => {
      const own = all.filter((it) => it.folder === folder);
      others.value = all.length - own.length;
      list.value = own;
      chosen.value = own.find((it) => it.key === chosen.peek()?.key) ?? own[0] ?? null;
    });
  }, [lab, folder, changes]);
  return (
    <Dialog title={t("saving.drafts")} close={close} class="drafts">
      <div class="drafts-body">
        <p class="quiet">{t("saving.drafts_text")}</p>
        <label class="switch">
          <input type="checkbox" role="switch" checked={drafts.on.value} onChange={(event) => void drafts.turn(event.currentTarget.checked)} /> {t("saving.drafts_switch")}
          <span class="quiet">{t(drafts.on.value ? "saving.off_question" : "saving.drafts_off")}</span>
        </label>
        {drafts.trouble.value !== null && (
          <p class="problem" role="alert">
            {t(`saving.trouble_${drafts.trouble.value}`)}
          </p>
        )}
        {list.value.length === 0 ? (
          <p class="empty">{t("saving.drafts_none")}</p>
        ) : (
          <div class="drafts-panes">
            <List list={list.value} chosen={chosen.value} choose={(it) => (chosen.value = it)} />
            {chosen.value !== null && <Preview key={chosen.value.key} lab={lab} draft={chosen.value} close={close} />}
          </div>
        )}
        {others.value > 0 && <p class="quiet">{t("saving.drafts_other", { count: others.value })}</p>}
        {list.value.length + others.value > 0 && (
          <div class="buttons">
            <button type="button" onClick={() => void drafts.forget("all")}>
              {t("saving.forget_all")}
            </button>
          </div>
        )}
      </div>
    </Dialog>
  );
}

function List({ list, chosen, choose }: { list: readonly DraftInfo[]; chosen: DraftInfo | null; choose: (draft: DraftInfo) => void }) {
  return (
    <ul class="draft-list" aria-label={t("saving.drafts_list")}>
      {list.map((draft) => {
        const values = { name: nameOf(originOf(draft.file)) || t("saving.untitled"), time: timeOf(draft.changed), size: sizeOf(draft.bytes) };
        return (
          <li key={draft.key}>
            <button type="button" aria-pressed={draft.key === chosen?.key} aria-label={t("saving.draft_of", values)} onClick={() => choose(draft)}>
              <strong>{values.name}</strong>
              <span>{values.time}</span>
              <span class="size">{values.size}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function Preview({ lab, draft, close }: { lab: Lab; draft: DraftInfo; close: () => void }) {
  const text = useSignal<string | null>(null);
  useEffect(() => {
    void lab.drafts.text(draft.key).then((found) => (text.value = found));
  }, [lab, draft.key, draft.changed]);
  if (text.value === null) return null;
  const content = text.value;
  const isOpen = draft.file === fileOf(lab.origin.value);
  const bringBack = () => {
    restore(lab, originOf(draft.file), content)
      .then(close)
      .catch((why: Error) => lab.notify(why.message));
  };
  return (
    <section class="draft-preview" aria-label={t("saving.preview")}>
      {isOpen ? (
        <Diff before={lab.text.value} after={content} names={{ before: t("saving.now"), after: t("saving.draft") }} />
      ) : (
        <pre class="draft-text" tabIndex={0} aria-label={t("saving.preview")}>
          {content}
        </pre>
      )}
      <div class="buttons">
        <button type="button" onClick={() => void lab.drafts.forget([draft.key])}>
          {t("saving.forget")}
        </button>
        <button type="button" class="primary" disabled={isOpen && content === lab.text.value} onClick={bringBack}>
          {t("saving.restore")}
        </button>
      </div>
    </section>
  );
}
