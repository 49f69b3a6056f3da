// Keys of the whole page, in one list: what is pressed is looked up here, and the overlay shows it.
import { signal } from "@preact/signals";
import { t } from "../strings/index.ts";

export interface Binding {
  /** As `KeyboardEvent.key` says it, with `Shift+`, `Alt+` or `Ctrl+` before it: ` `, `ArrowLeft`, `Shift+?`. */
  key: string;
  /** What it does, in a few words. */
  does: string;
  /** Under which heading the overlay shows it. */
  group: string;
  run: () => void;
}

export const bindings = signal<readonly Binding[]>([]);

/** Adds keys; gives back how to take them away. */
export function bind(...added: Binding[]): () => void {
  bindings.value = [...bindings.value, ...added];
  return () => {
    bindings.value = bindings.value.filter((it) => !added.includes(it));
  };
}

/** Whether typing belongs to what has the focus. */
function types(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches("input:not([type=checkbox]):not([type=radio]), textarea, select");
}

/** Whether a key belongs to the widget that has the focus: arrows in lists and sliders, space on buttons. */
function belongs(event: KeyboardEvent): boolean {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  if (event.key === " " || event.key === "Enter") return target.matches("button, a, summary, input, [role=button], [role=option], [role=tab]");
  if (event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End") {
    return target.closest("[role=tablist], [role=listbox], [role=slider], [role=separator], [role=menu], [role=grid], [data-keys=own]") !== null;
  }
  return false;
}

export function listen(): void {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || types(event.target) || belongs(event) || document.querySelector("dialog[open]") !== null) return;
    const prefix = `${event.ctrlKey || event.metaKey ? "Ctrl+" : ""}${event.altKey ? "Alt+" : ""}`;
    const shifted = event.shiftKey ? `Shift+${event.key}` : event.key;
    const found = bindings.value.findLast((it) => it.key === prefix + shifted || (it.key === prefix + event.key && event.key.length === 1 && !/[a-z]/i.test(event.key)));
    if (found === undefined) return;
    event.preventDefault();
    found.run();
  });
}

/** A key as it stands on a keyboard. */
export function keyName(key: string): string {
  const signs: Record<string, string> = { " ": t("help.space"), ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };
  return key
    .split("+")
    .map((part) => signs[part] ?? (part.length === 1 ? part.toUpperCase() : part))
    .join(" + ")
    .replace(/^ \+ $/, "+");
}
