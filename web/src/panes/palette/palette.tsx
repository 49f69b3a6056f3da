// The palette: every action by its name. Ctrl and K open it anywhere, also in the text.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Lab } from "../../lab/lab.ts";
import { t } from "../../strings/index.ts";
import { bind, keyName } from "../../ui/keys.ts";
import { Dialog } from "../../ui/widgets.tsx";
import { type Action, actionsOf, matching } from "./actions.ts";
import "./palette.css";

/** Rows that are listed; who types more finds the others. */
const MAX_ROWS = 60;

export function Palette({ lab }: { lab: Lab }) {
  const actions = useSignal<readonly Action[] | null>(null);
  useEffect(() => {
    const open = () => (actions.value = actionsOf(lab));
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== "k") return;
      event.preventDefault();
      event.stopPropagation();
      if (document.querySelector("dialog[open]") === null) open();
    };
    // Before the editor, which has a meaning of its own for it.
    document.addEventListener("keydown", press, { capture: true });
    const unbind = bind({ key: "Ctrl+k", does: t("palette.title"), group: t("help.group"), run: open });
    return () => {
      document.removeEventListener("keydown", press, { capture: true });
      unbind();
    };
  }, [lab]);
  if (actions.value === null) return null;
  return <List actions={actions.value} close={() => (actions.value = null)} />;
}

function List({ actions, close }: { actions: readonly Action[]; close: () => void }) {
  const typed = useSignal("");
  const chosen = useSignal(0);
  const list = useRef<HTMLUListElement>(null);
  const found = matching(actions, typed.value).slice(0, MAX_ROWS);
  const at = Math.min(chosen.value, found.length - 1);
  useEffect(() => list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }), [at, typed.value]);
  const act = (action: Action | undefined) => {
    if (action === undefined) return;
    close();
    // The focus is back where it was before anything happens.
    setTimeout(action.run);
  };
  const keys = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step !== undefined) chosen.value = Math.min(found.length - 1, Math.max(0, at + step));
    else if (event.key === "Enter") act(found[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={t("palette.title")} close={close} class="palette">
      <input
        type="text"
        role="combobox"
        aria-label={t("palette.search")}
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={at < 0 ? undefined : `palette-${at}`}
        placeholder={t("palette.search")}
        autofocus
        value={typed.value}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
          chosen.value = 0;
        }}
        onKeyDown={keys}
      />
      <ul ref={list} id="palette-list" role="listbox" aria-label={t("palette.title")}>
        {found.map((it, k) => (
          <li key={it.name} id={`palette-${k}`} role="option" aria-selected={k === at} onClick={() => act(it)} onPointerMove={() => (chosen.value = k)}>
            <span>{it.name}</span>
            <span class="quiet">{it.group}</span>
            {it.key !== null && <kbd>{keyName(it.key)}</kbd>}
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="empty">{t("palette.none")}</p>}
    </Dialog>
  );
}
