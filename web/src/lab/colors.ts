// One colour for each quantity, everywhere: in plots, on arrows, in tables. All `v` have the colour of `v`, whoever's they are.
//
// The palette is near that of Okabe and Ito (2008), dark enough to be read on white, with lightness chosen so that people with any of the
// common kinds of colour blindness tell all of it apart; a test holds that. Each colour has a form for light and one for dark surroundings, chosen by CSS.
import type { QuantityInfo } from "../wire/types.ts";

/** CSS variables of `style/tokens.css`. */
export const PALETTE = ["--q-blue", "--q-vermilion", "--q-green", "--q-purple", "--q-sky", "--q-orange", "--q-yellow", "--q-ink"] as const;

const order: string[] = [];
/** What is left of a hue in each round through the palette. */
const ROUND = 0.55;

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
  const color = `var(${PALETTE[place % PALETTE.length]})`;
  const round = Math.floor(place / PALETTE.length);
  // More quantities than colours: the same hues again, nearer to the colour of letters each time.
  return round === 0 ? color : `color-mix(in srgb, ${color} ${Math.round(100 * ROUND ** round)}%, var(--ink))`;
}

/** The colour of something before an event: that of what it became, lighter. */
export function beforeColor(css: string): string {
  return `color-mix(in srgb, ${css} 50%, var(--panel))`;
}

/** Gives all colours away again, for another experiment. */
export function forgetColors(): void {
  order.length = 0;
}

/** Gives colours to the quantities of an experiment: first to what objects have throughout, then to what only contexts have. */
export function assignColors(quantities: readonly QuantityInfo[]): void {
  const rank = (it: QuantityInfo) => (it.constant ? 2 : 0) + (it.context === null ? 0 : 1);
  for (const quantity of [...quantities].sort((a, b) => rank(a) - rank(b))) colorOf(quantity.formula);
}

/** A CSS value as a colour that a canvas or WebGL understands: variables and mixtures are looked up where they stand now. */
export function resolveColor(css: string, element: Element = document.documentElement): string {
  if (/^#[0-9a-f]{6}$/i.test(css)) return css;
  const probe = element.appendChild(document.createElement("i"));
  probe.style.color = css;
  const computed = getComputedStyle(probe).color;
  probe.remove();
  // Browsers answer `rgb(0, 104, 168)`, and for mixtures `color(srgb 0 0.41 0.66)`.
  const unit = computed.startsWith("color(") ? 255 : 1;
  const parts = computed.match(/\d*\.?\d+(?:e-?\d+)?/g)?.slice(0, 3) ?? [];
  return `#${parts.map((it) => Math.round(Number(it) * unit).toString(16).padStart(2, "0")).join("")}`;
}
