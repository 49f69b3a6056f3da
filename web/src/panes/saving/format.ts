// Times and sizes of drafts, as the user's system writes them.

/** A time of this day without the day: `14:03`, `17 Nov 2026, 14:03`. */
export function timeOf(milliseconds: number, now = new Date()): string {
  const time = new Date(milliseconds);
  const isToday = time.toDateString() === now.toDateString();
  return new Intl.DateTimeFormat(undefined, isToday ? { timeStyle: "medium" } : { dateStyle: "medium", timeStyle: "short" }).format(time);
}

/** `5.1 kB`. */
export function sizeOf(bytes: number): string {
  const [value, unit] = bytes < 1000 ? [bytes, "byte"] : bytes < 1e6 ? [bytes / 1000, "kilobyte"] : [bytes / 1e6, "megabyte"];
  return new Intl.NumberFormat(undefined, { style: "unit", unit, maximumFractionDigits: 1 }).format(value);
}
