// Tabs over a panel: arrows go from one to the next. The panel may be put away.
import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";

export interface Tab<Name extends string> {
  name: Name;
  label: string;
  /** Beside the label: a count, a dot. */
  badge?: string;
  /** Whether the badge tells of something wrong. */
  alarm?: boolean;
}

export function Tabs<Name extends string>(props: {
  label: string;
  tabs: readonly Tab<Name>[];
  chosen: Name;
  choose: (name: Name) => void;
  children: ComponentChildren;
  /** Whether the panel is in sight; without it there is a row of tabs only. */
  open?: boolean;
  tools?: ComponentChildren;
}) {
  const { label, tabs, chosen, choose, open = true } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const focused = [...(list.current?.querySelectorAll("[role=tab]") ?? [])].indexOf(event.target as Element);
    const place = focused < 0 ? tabs.findIndex((tab) => tab.name === chosen) : focused;
    const next = event.key === "Home" ? 0 : event.key === "End" ? tabs.length - 1 : step === undefined ? -1 : (place + step + tabs.length) % tabs.length;
    const tab = tabs[next];
    if (tab === undefined) return;
    event.preventDefault();
    if (open) choose(tab.name);
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
              aria-selected={open && tab.name === chosen}
              aria-controls={open ? `${id}-panel` : undefined}
              tabIndex={tab.name === chosen ? 0 : -1}
              onClick={() => choose(tab.name)}
            >
              {tab.label}
              {tab.badge !== undefined && tab.badge !== "" && <span class={tab.alarm === true ? "badge alarm" : "badge"}>{tab.badge}</span>}
            </button>
          ))}
        </div>
        {props.tools}
      </div>
      <div class="tab-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`} hidden={!open}>
        {open && props.children}
      </div>
    </div>
  );
}
