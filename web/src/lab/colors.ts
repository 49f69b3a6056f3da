// One colour for each quantity, everywhere: in plots, on arrows, in tables. All `v` have the colour of `v`, whoever's they are.
//
// The palette is that of Okabe and Ito (2008), which people with any of the common kinds of colour blindness tell apart; yellow is
// darkened so that it can be read on white. Each colour has a form for light and one for dark surroundings, chosen by CSS.
import type { QuantityInfo } from "../wire/types.ts";

/** CSS variables of `style/tokens.css`. */
export const PALETTE = ["--q-blue", "--q-vermilion", "--q-green", "--q-purple", "--q-sky", "--q-orange", "--q-yellow", "--q-ink"] as const;

const order: string[] = [];

/** The name of a quantity in a formula: `v` for `norm(ball.v)`, `ball.v#1` and `ball.v@rolling`. */
export function quantityOf(formula: string): string {
  const bare = formula.replace(/^norm\((.*)\)$/, "$1").replace(/[#@].*$/, "").trim();
  return bare.includes(".") ? bare.slice(bare.indexOf(".") + 1) : bare;
}

/** The colour of what a formula is about, as a CSS value: the next one of the palette for every new quantity. */
export function colorOf(formula: string): string {
  const quantity = quantityOf(formula);
  let place = order.indexOf(quantity);
  if (place < 0) place = order.push(quantity) - 1;
  return `var(${PALETTE[place % PALETTE.length]})`;
}

/** Gives colours to the quantities of an experiment: first to what objects have throughout, then to what only contexts have. */
export function assignColors(quantities: readonly QuantityInfo[]): void {
  const rank = (it: QuantityInfo) => (it.constant ? 2 : 0) + (it.context === null ? 0 : 1);
  for (const quantity of [...quantities].sort((a, b) => rank(a) - rank(b))) colorOf(quantity.formula);
}

/** A CSS value as a colour that a canvas or WebGL understands: variables are looked up where they stand now. */
export function resolveColor(css: string, element: Element = document.documentElement): string {
  const name = /^var\((--[\w-]+)\)$/.exec(css)?.[1];
  return name === undefined ? css : getComputedStyle(element).getPropertyValue(name).trim();
}
