// Light or dark: as the system says, until the user says otherwise.
import { effect, signal } from "@preact/signals";
import { remember, remembered } from "./storage.ts";

export type Theme = "light" | "dark";

const system = matchMedia("(prefers-color-scheme: dark)");
const KEY = "gedanken.theme";

function stored(): Theme | null {
  const value = remembered(KEY);
  return value === "light" || value === "dark" ? value : null;
}

/** What the page looks like. */
export const theme = signal<Theme>(stored() ?? (system.matches ? "dark" : "light"));

export function toggleTheme(): void {
  theme.value = theme.value === "dark" ? "light" : "dark";
  remember(KEY, theme.value);
}

export function followTheme(): void {
  effect(() => {
    document.documentElement.dataset["theme"] = theme.value;
  });
  system.addEventListener("change", () => {
    if (stored() === null) theme.value = system.matches ? "dark" : "light";
  });
}
