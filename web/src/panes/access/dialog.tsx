// Asks for the secret of the lab: a stranger at once, a guest who wants to save.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Lab } from "../../lab/lab.ts";
import { asksSecret } from "../../lab/panels.ts";
import { t } from "../../strings/index.ts";
import { Dialog } from "../../ui/widgets.tsx";
import "./dialog.css";

/** The line above the page and the dialog, where they are needed. */
export function SecretNotice({ lab }: { lab: Lab }) {
  const isStranger = lab.access.value === "stranger";
  useEffect(() => {
    asksSecret.value = isStranger;
    if (!isStranger) return;
    // The secret may have been shown in another tab.
    const look = () => lab.client.reconnect();
    addEventListener("focus", look);
    return () => removeEventListener("focus", look);
  }, [lab, isStranger]);
  return (
    <>
      {isStranger && (
        <p class="offline" role="alert">
          {t("access.needed")}{" "}
          <button type="button" onClick={() => (asksSecret.value = true)}>
            {t("access.show")}
          </button>
        </p>
      )}
      {asksSecret.value && <SecretDialog lab={lab} close={() => (asksSecret.value = false)} />}
    </>
  );
}

function SecretDialog({ lab, close }: { lab: Lab; close: () => void }) {
  const secret = useSignal("");
  const why = useSignal("");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const enter = async () => {
    try {
      const refused = await lab.enter(secret.value.trim());
      if (refused !== null) {
        why.value = refused;
        return;
      }
      lab.notify(t("access.entered"));
      close();
    } catch {
      why.value = t("access.unreachable");
    }
  };
  return (
    <Dialog title={t("access.title")} close={close}>
      <form
        class="secret"
        onSubmit={(event) => {
          event.preventDefault();
          void enter();
        }}
      >
        <p>{t(lab.access.value === "guest" ? "access.guest" : "access.stranger")}</p>
        <label>
          {t("access.secret")} <input ref={field} type="password" autocomplete="off" spellcheck={false} value={secret.value} onInput={(event) => (secret.value = event.currentTarget.value)} />
        </label>
        {why.value !== "" && (
          <p class="problem" role="alert">
            {why.value}
          </p>
        )}
        <div class="buttons">
          <button type="submit" class="primary">
            {t("access.enter")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
