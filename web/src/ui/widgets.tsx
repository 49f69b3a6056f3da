// The few widgets that all panes share, each usable by keyboard and named for a screen reader.
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
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

export interface Tab<Name extends string> {
  name: Name;
  label: string;
  /** Beside the label: a count, a dot. */
  badge?: string;
}

/** Tabs over a panel: arrows go from one to the next. */
export function Tabs<Name extends string>(props: {
  label: string;
  tabs: readonly Tab<Name>[];
  chosen: Name;
  choose: (name: Name) => void;
  children: ComponentChildren;
  tools?: ComponentChildren;
}) {
  const { label, tabs, chosen, choose } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const place = tabs.findIndex((tab) => tab.name === chosen);
    const next = event.key === "Home" ? 0 : event.key === "End" ? tabs.length - 1 : step === undefined ? -1 : (place + step + tabs.length) % tabs.length;
    const tab = tabs[next];
    if (tab === undefined) return;
    event.preventDefault();
    choose(tab.name);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  };
  return (
    <div class="tabs">
      <div class="tab-bar">
        <div class="tab-list" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
          {tabs.map((tab) => (
            <button
              key={tab.name}
              type="button"
              role="tab"
              id={`${id}-${tab.name}`}
              aria-selected={tab.name === chosen}
              aria-controls={`${id}-panel`}
              tabIndex={tab.name === chosen ? 0 : -1}
              onClick={() => choose(tab.name)}
            >
              {tab.label}
              {tab.badge !== undefined && tab.badge !== "" && <span class="badge">{tab.badge}</span>}
            </button>
          ))}
        </div>
        {props.tools}
      </div>
      <div class="tab-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {props.children}
      </div>
    </div>
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

/** The border between two panes: dragged, or moved by arrows. `size` is that of the pane before (or after, if `from` is "end"). */
export function Splitter(props: { direction: "row" | "column"; size: number; min: number; max: number; from?: "start" | "end"; resize: (size: number) => void }) {
  const { direction, size, min, max, resize } = props;
  const sign = props.from === "end" ? -1 : 1;
  const limit = (value: number) => resize(Math.min(max, Math.max(min, value)));
  const drag = (event: PointerEvent) => {
    const target = event.currentTarget as HTMLElement;
    const begin = direction === "row" ? event.clientX : event.clientY;
    target.setPointerCapture(event.pointerId);
    const move = (moved: PointerEvent) => limit(size + sign * ((direction === "row" ? moved.clientX : moved.clientY) - begin));
    const end = () => {
      target.removeEventListener("pointermove", move);
      target.removeEventListener("pointerup", end);
    };
    target.addEventListener("pointermove", move);
    target.addEventListener("pointerup", end);
  };
  const key = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    limit(size + sign * step * 20);
  };
  return (
    <div
      class={`splitter ${direction}`}
      role="separator"
      tabIndex={0}
      aria-label={t("shell.resize")}
      aria-orientation={direction === "row" ? "vertical" : "horizontal"}
      aria-valuenow={Math.round(size)}
      aria-valuemin={min}
      aria-valuemax={max}
      onPointerDown={drag}
      onKeyDown={key}
    />
  );
}
