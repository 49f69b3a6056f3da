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

export function ShareMenu({ lab }: { lab: Lab }) {
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
      {isOpen.value && <ShareDialog lab={lab} base={base.current} close={() => (isOpen.value = false)} />}
    </>
  );
}

function ShareDialog({ lab, base, close }: { lab: Lab; base: Parameters<typeof link>[1]; close: () => void }) {
  const made = useSignal<{ url: string; named: boolean } | null>(null);
  const said = useSignal("");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    void link(lab, base).then((it) => (made.value = it));
  }, [lab]);
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
