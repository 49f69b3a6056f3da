// The experiment as a link: copied, sent, opened in another lab.
import { effect, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Lab } from "../../lab/lab.ts";
import { t } from "../../strings/index.ts";
import { Icon } from "../../ui/icon.tsx";
import { Dialog } from "../../ui/widgets.tsx";
import type { Number as TextNumber } from "../../wire/types.ts";
import { link } from "./link.ts";
import "./menu.css";

/** `shown` gives what the link carries beside the text. */
export function ShareMenu({ lab, shown }: { lab: Lab; shown: () => unknown }) {
  const isOpen = useSignal(false);
  /** The text as it was opened, with its numbers. */
  const base = useRef<{ text: string; numbers: readonly TextNumber[] } | null>(null);
  useEffect(
    () =>
      effect(() => {
        const checked = lab.checked.value;
        const text = lab.text.peek();
        if (checked !== null && text === lab.saved.peek()) base.current = { text, numbers: checked.numbers };
      }),
    [lab],
  );
  return (
    <>
      <button type="button" onClick={() => (isOpen.value = true)}>
        <Icon name="share" /> <span class="word">{t("share.share")}</span>
      </button>
      {isOpen.value && <ShareDialog lab={lab} base={base.current} shown={shown} close={() => (isOpen.value = false)} />}
    </>
  );
}

function ShareDialog({ lab, base, shown, close }: { lab: Lab; base: Parameters<typeof link>[1]; shown: () => unknown; close: () => void }) {
  const made = useSignal<{ url: string; named: boolean } | null>(null);
  const said = useSignal("");
  const field = useRef<HTMLInputElement>(null);
  const carries = useSignal(false);
  useEffect(() => {
    void link(lab, base, carries.value ? shown() : null).then((it) => (made.value = it));
  }, [lab, carries.value]);
  const copy = async () => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(made.value?.url ?? "");
      said.value = t("share.copied");
    } catch {
      said.value = t("share.not_copied");
    }
  };
  return (
    <Dialog title={t("share.title")} close={close}>
      {made.value !== null && (
        <div class="share">
          <p>{t(made.value.named ? "share.named" : "share.whole")}</p>
          <label>
            <input type="checkbox" checked={carries.value} onChange={(event) => (carries.value = event.currentTarget.checked)} /> {t("share.carries")}
          </label>
          <div class="link">
            <input ref={field} readOnly aria-label={t("share.link")} value={made.value.url} onFocus={(event) => event.currentTarget.select()} />
            <button type="button" class="primary" onClick={() => void copy()}>
              {t("share.copy")}
            </button>
          </div>
          <p role="status" class="quiet">
            {said.value}
          </p>
        </div>
      )}
    </Dialog>
  );
}
