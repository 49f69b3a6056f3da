// Small things that the browser remembers for the page. Where it remembers nothing, the page works all the same.

/** What was remembered under a key; `null` if nothing was, or the browser keeps nothing. */
export function remembered(key: string, area: () => Storage = () => localStorage): string | null {
  try {
    return area().getItem(key);
  } catch {
    return null;
  }
}

/** Remembers something, or forgets it if it is `null`. Says whether the browser does. */
export function remember(key: string, value: string | null, area: () => Storage = () => localStorage): boolean {
  try {
    if (value === null) area().removeItem(key);
    else area().setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
