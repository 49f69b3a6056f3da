// The experiment that is open: its name, its simulations, opening another, saving.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Lab } from "../../lab/lab.ts";
import { nameOf } from "../../lab/saving/file.ts";
import { asksName, isUnsaved, save, saveAs } from "../../lab/saving/save.ts";
import { t } from "../../strings/index.ts";
import { Icon } from "../../ui/icon.tsx";
import { bind } from "../../ui/keys.ts";
import { Dialog, IconButton } from "../../ui/widgets.tsx";
import { download } from "../plots/export.ts";
import { Browse } from "./browse.tsx";
import { titleOf } from "./catalogue.ts";
import "./menu.css";

export function GalleryMenu({ lab }: { lab: Lab }) {
  const isOpen = useSignal(false);
  useEffect(() => {
    const onSave = () => save(lab);
    document.addEventListener("gedanken-save", onSave);
    const group = t("gallery.group");
    const unbind = bind(
      { key: "o", does: t("gallery.open"), group, run: () => (isOpen.value = true) },
      { key: "Ctrl+s", does: t("gallery.save"), group, run: onSave },
    );
    return () => {
      document.removeEventListener("gedanken-save", onSave);
      unbind();
    };
  }, [lab]);
  const isChanged = isUnsaved(lab);
  const simulations = lab.checked.value?.simulations ?? [];
  return (
    <>
      <span class="experiment-name" title={isChanged ? t("gallery.changed") : undefined}>
        {titleOf(lab.origin.value) || t("gallery.untitled")}
        {isChanged && <span class="dirty" role="img" aria-label={t("gallery.changed")} />}
      </span>
      {simulations.length > 1 && (
        <select aria-label={t("gallery.simulation")} value={lab.simulation.value ?? simulations[0]} onChange={(event) => lab.choose(event.currentTarget.value)}>
          {simulations.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      )}
      <button type="button" onClick={() => (isOpen.value = true)}>
        <Icon name="open" /> <span class="word">{t("gallery.open")}</span>
      </button>
      <button type="button" onClick={() => save(lab)}>
        <Icon name="save" /> <span class="word">{t("gallery.save")}</span>
      </button>
      {lab.busy.value && (
        <span class="busy" role="status">
          {t("gallery.running")}
          <IconButton icon="close" label={t("gallery.stop")} onClick={() => lab.cancel()} />
        </span>
      )}
      {isOpen.value && <Browse lab={lab} close={() => (isOpen.value = false)} />}
      {asksName.value && <SaveDialog lab={lab} close={() => (asksName.value = false)} />}
    </>
  );
}

function SaveDialog({ lab, close }: { lab: Lab; close: () => void }) {
  const name = useSignal(nameOf(lab.origin.value));
  const why = useSignal("");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  const folder = lab.folder.value;
  // If there is a file of this name, another dialog shows it.
  const write = () => {
    saveAs(lab, name.value, () => null)
      .then(close)
      .catch((error: Error) => (why.value = error.message));
  };
  return (
    <Dialog title={t("gallery.save_title")} close={close}>
      <form
        class="save"
        onSubmit={(event) => {
          event.preventDefault();
          write();
        }}
      >
        {folder !== null && (
          <label>
            {t("gallery.name")} <input ref={field} value={name.value} onInput={(event) => (name.value = event.currentTarget.value)} />
          </label>
        )}
        <p class="quiet">{folder === null ? t("gallery.nowhere") : t("gallery.where", { folder })}</p>
        {why.value !== "" && (
          <p class="problem" role="alert">
            {why.value}
          </p>
        )}
        <div class="buttons">
          <button type="button" onClick={() => download(`${name.value || t("gallery.untitled")}.lab`, "text/plain", lab.text.value)}>
            <Icon name="download" /> {t("gallery.download")}
          </button>
          {folder !== null && (
            <button type="submit" class="primary">
              {t("gallery.save")}
            </button>
          )}
        </div>
      </form>
    </Dialog>
  );
}
