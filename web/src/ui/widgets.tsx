// The few widgets that all panes share, each usable by keyboard and named for a screen reader.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../strings/index.ts";
import { Icon, type IconName } from "./icon.tsx";

/** A button that is an icon; its label is what a screen reader says and what hovering shows. */
export function IconButton(props: { icon: IconName; label: string; onClick: () => void; pressed?: boolean; disabled?: boolean; class?: string }) {
  const { icon, label, onClick, pressed, disabled } = props;
  return (
    <button type="button" class={`icon-button ${props.class ?? ""}`} aria-label={label} title={label} aria-pressed={pressed} disabled={disabled} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}

/** A dialog over the page; Escape closes it, and the focus goes back where it was. */
export function Dialog(props: { title: string; close: () => void; children: ComponentChildren; class?: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const outside = (event: MouseEvent) => {
    if (event.target === dialog.current) props.close();
  };
  return (
    <dialog class={`dialog ${props.class ?? ""}`} ref={dialog} aria-label={props.title} onClose={props.close} onClick={outside}>
      <div class="dialog-body">
        <header>
          <h2>{props.title}</h2>
          <IconButton icon="close" label={t("shell.close")} onClick={props.close} />
        </header>
        {props.children}
      </div>
    </dialog>
  );
}
