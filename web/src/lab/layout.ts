// Which panes are open and how large they are. The browser remembers all of it. Sizes are in rem, so that they follow its letters.
//
// A wide window has the laws to the left of the world, the inspector to the right of it on request and a drawer of results below. A
// narrow one has the world above and one sheet below it: laws, values or results.
import { computed, type Signal, signal } from "@preact/signals";
import { remember, remembered } from "../ui/storage.ts";
import { rem } from "../ui/rem.ts";
import type { LawTab, ResultTab, ValueTab } from "./panels.ts";
import { addColumn, addCurve, lawTab, resultTab, valueTab } from "./panels.ts";

export type Sheet = "laws" | "values" | "results";

export interface Layout {
  /** Width of the laws; `null` follows the window. */
  laws: number | null;
  lawsFolded: boolean;
  inspector: number;
  inspectorOpen: boolean;
  /** Height of the drawer with its tabs; `null` follows the window. */
  drawer: number | null;
  drawerOpen: boolean;
  /** What a narrow window shows below the world; `null` leaves everything to the world. */
  sheet: Sheet | null;
}

const KEY = "gedanken.layout";
const INITIAL: Layout = { laws: null, lawsFolded: false, inspector: 22, inspectorOpen: false, drawer: null, drawerOpen: false, sheet: "laws" };
/** Share of the height that an open drawer takes at first. */
const DRAWER_SHARE = 0.34;
/** Widths of the laws in rem: in a window of at least 90 rem, and at first in a smaller one. */
const LAWS = { wide: 25.5, narrow: 21.25, from: 90 };

export const layout = signal<Layout>(stored());
/** Size of the window, in rem. */
const room = signal(measured());
/** Whether the window has room for one sheet only: less than 64 rem, as the style sheets say. */
export const isNarrow = signal(false);
/** Whether there is no room for more than one lane, nor for an inspector beside the world: less than 80 rem. */
export const isCompact = signal(false);
/** Whether the page shows the world to a class: only what is chosen is left, in larger letters. */
export const presenting = signal(false);

/** Width of the laws that is drawn. */
export const lawsWidth = computed(() => layout.value.laws ?? (room.value.width >= LAWS.from ? LAWS.wide : LAWS.narrow));
/** Height of the open drawer that is drawn. */
export const drawerHeight = computed(() => layout.value.drawer ?? DRAWER_SHARE * room.value.height);
/** Whether the results are in sight. */
export const resultsShown = computed(() => (isNarrow.value ? layout.value.sheet === "results" : layout.value.drawerOpen));
/** Whether the inspector and the arrows are in sight. */
export const valuesShown = computed(() => (isNarrow.value ? layout.value.sheet === "values" : layout.value.inspectorOpen));

function stored(): Layout {
  try {
    return { ...INITIAL, ...(JSON.parse(remembered(KEY) ?? "{}") as Partial<Layout>) };
  } catch {
    return INITIAL;
  }
}

function measured(): { width: number; height: number } {
  return { width: innerWidth / rem(), height: innerHeight / rem() };
}

/** Begins to follow the window. */
export function followWindow(): void {
  const follow = (width: string, target: Signal<boolean>) => {
    const query = matchMedia(`(max-width: ${width})`);
    target.value = query.matches;
    query.addEventListener("change", () => (target.value = query.matches));
  };
  follow("63.99em", isNarrow);
  follow("79.99em", isCompact);
  addEventListener("resize", () => (room.value = measured()));
}

export function changeLayout(change: Partial<Layout>): void {
  layout.value = { ...layout.value, ...change };
  remember(KEY, JSON.stringify(layout.value));
}

/** Brings results to the front, on a tab if one is named. */
export function showResults(tab: ResultTab | null = null): void {
  if (tab !== null) resultTab.value = tab;
  changeLayout({ drawerOpen: true, sheet: "results" });
}

/** Puts the results away; in a narrow window the world takes their room. */
export function hideResults(): void {
  changeLayout({ drawerOpen: false, sheet: null });
}

/** Brings the laws to the front, on a tab if one is named. */
export function showLaws(tab: LawTab | null = null): void {
  if (tab !== null) lawTab.value = tab;
  changeLayout({ lawsFolded: false, sheet: "laws" });
}

/** Brings the inspector or the arrows to the front. */
export function showValues(tab: ValueTab): void {
  valueTab.value = tab;
  changeLayout({ inspectorOpen: true, sheet: "values" });
}

export function hideValues(): void {
  changeLayout({ inspectorOpen: false, sheet: layout.value.sheet === "values" ? null : layout.value.sheet });
}

/** Plots a formula over time, and shows the plots. */
export function plot(formula: string): void {
  addCurve(formula);
  showResults("plots");
}

/** Puts a formula into the table, and shows the table. */
export function tabulate(formula: string): void {
  addColumn(formula);
  showResults("table");
}
