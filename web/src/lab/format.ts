// Numbers as people read them: six digits that count, never more zeros than needed; the exact text is for a tooltip.
import type { ValueInfo } from "../wire/types.ts";

const DIGITS = 6;

/** A number in a few characters: `0.3`, `1.5e−9`, `12345.7`; a dash where there is none. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return "—";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e7 || size < 1e-4) return value.toExponential(3).replace(/\.?0+e/, "e").replace("e+", "e").replaceAll("-", "−");
  return String(Number(value.toPrecision(DIGITS))).replace("-", "−");
}

/** Numbers of rows and columns of a type as the language writes it: `matrix(3, 3)`. */
export function shapeOf(ty: string): readonly number[] {
  const found = /^(?:vector|matrix)\(([\d, ]+)\)$/.exec(ty);
  return found === null ? [] : (found[1] ?? "").split(",").map(Number);
}

/** A value in a few characters; `exact` is its own text. */
export function shown(value: ValueInfo | null, shape: readonly number[] = []): string {
  if (value === null) return "—";
  if (value.text === "true" || value.text === "false") return value.text;
  const [first = Number.NaN] = value.scalars;
  if (value.scalars.length === 1) return short(first);
  if (shape.length === 2) {
    const columns = shape[1] as number;
    const rows = Array.from({ length: shape[0] as number }, (_, k) => value.scalars.slice(k * columns, (k + 1) * columns));
    return `[${rows.map((row) => `[${row.map(short).join(", ")}]`).join("\n ")}]`;
  }
  return value.scalars.length === 0 ? value.text : `[${value.scalars.map(short).join(", ")}]`;
}

/** A time, with as many digits as the distance between two frames is worth, and two more. */
export function clockTime(time: number, frameRate: number): string {
  const digits = Math.min(9, Math.max(2, Math.ceil(Math.log10(frameRate)) + 1));
  return time.toFixed(digits).replace("-", "−");
}

/** A moment of a run, with so many digits that about a thousandth of the whole is seen. */
export function momentText(time: number, duration: number): string {
  return time.toFixed(momentDigits(duration)).replace("-", "−");
}

function momentDigits(duration: number): number {
  if (!(duration > 0) || !Number.isFinite(duration)) return 3;
  return duration < 1e4 ? Math.min(15, Math.max(3, 3 - Math.floor(Math.log10(duration)))) : 1;
}

/** Components that are this small beside the largest one come from rounding. */
const NEGLIGIBLE = 1e-12;

/** Numbers of a value in four digits each, for a card. What is nothing beside the others is 0. */
export function brief(scalars: readonly number[]): string[] {
  const largest = Math.max(...scalars.map(Math.abs));
  return scalars.map((value) => {
    if (!Number.isFinite(value)) return "—";
    const size = Math.abs(value);
    if (size <= NEGLIGIBLE * largest) return "0";
    if (size >= 1e5 || size < 1e-3) return value.toExponential(2).replace(/\.?0+e/, "e").replace("e+", "e").replaceAll("-", "−");
    return String(Number(value.toPrecision(4))).replace("-", "−");
  });
}

/** Round numbers that divide a range into about so many parts. */
export function niceSteps(from: number, to: number, about: number): number[] {
  const rough = (to - from) / Math.max(1, about);
  if (!(rough > 0) || !Number.isFinite(rough)) return [from];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((it) => it * power >= rough) ?? 10) * power;
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor(to / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, k) => Number(((first + k) * step).toPrecision(12)));
}
