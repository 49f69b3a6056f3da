// Size of a rem in pixels: what the user has set in the browser, larger while the page is presented.

/** Pixels of one rem. */
export function rem(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}
