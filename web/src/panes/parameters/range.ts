// From where to where a slider goes, in which steps, and how the number is written that it gives.

export interface Range {
  low: number;
  high: number;
  step: number;
  /** Equal ways multiply by equal factors. */
  logarithmic: boolean;
}

/** How many steps a slider has, about. */
const STEPS = 400;
/** How many places a logarithmic slider has from end to end. */
export const PLACES = 400;
/** Digits of a number that a logarithmic slider gives. */
const DIGITS = 3;
/** Numbers beyond these are turned by factors. */
const MIN_PLAIN = 1e-3;
const MAX_PLAIN = 1e5;

/** The next of 1, 1.5, 2, 3, 4, 5, 6, 8, 10 times a power of ten that is not smaller. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const found = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((it) => it * power >= value * (1 - 1e-12)) ?? 10;
  return clean(found * power);
}

/** The next of 1, 2, 5 times a power of ten that is not larger. */
function roundDown(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value) + 1e-12);
  const found = [5, 2, 1].find((it) => it * power <= value * (1 + 1e-12)) ?? 1;
  return clean(found * power);
}

/** Without what binary fractions leave behind: 0.3 and not 0.30000000000000004. */
export function clean(value: number): number {
  return Number(value.toPrecision(12));
}

/**
 * A range around a value: to twice a positive one, to both sides of a negative one or of nothing. What is zero is as large as
 * its `kin`, the other elements of a vector.
 */
export function rangeAround(value: number, kin = 0): Range {
  const size = Math.abs(value);
  if (value > 0 && (size < MIN_PLAIN || size >= MAX_PLAIN)) {
    const power = 10 ** Math.floor(Math.log10(size));
    return { low: clean(power / 10), high: clean(power * 100), step: 0, logarithmic: true };
  }
  const high = roundUp(2 * (size || kin || 1));
  const low = value > 0 ? 0 : -high;
  return { low, high, step: stepOf(low, high), logarithmic: false };
}

export function stepOf(low: number, high: number): number {
  return roundDown((high - low) / STEPS);
}

/** A range that has a value inside: one that was typed may be anywhere. */
export function including(range: Range, value: number): Range {
  if (range.low <= value && value <= range.high) return range;
  if (range.logarithmic && value <= 0) return rangeAround(value);
  const low = Math.min(range.low, value < 0 ? -roundUp(-2 * value) : value);
  const high = Math.max(range.high, value > 0 ? roundUp(2 * value) : value);
  return { ...range, low, high, step: range.logarithmic ? 0 : stepOf(low, high) };
}

/** Where a value is on a slider. */
export function placeOf(range: Range, value: number): number {
  if (!range.logarithmic) return value;
  return Math.round((PLACES * Math.log(Math.max(value, range.low) / range.low)) / Math.log(range.high / range.low));
}

/** The value at a place of a slider. */
export function valueAt(range: Range, place: number): number {
  if (!range.logarithmic) return clean(Math.round(place / range.step) * range.step);
  return Number((range.low * (range.high / range.low) ** (place / PLACES)).toPrecision(DIGITS));
}

/** A number as the language writes it: `0.3`, `3e8`, and with a power of ten only where that is plainly shorter. */
export function written(value: number): string {
  const rounded = value === 0 ? 0 : clean(value);
  const plain = String(rounded).replace("e+", "e");
  const power = rounded.toExponential().replace("e+", "e");
  return power.length + 3 <= plain.length ? power : plain;
}

/** A number that somebody typed; `null` if it is none. */
export function read(text: string): number | null {
  const bare = text.trim().replace("−", "-");
  const value = bare === "" ? Number.NaN : Number(bare);
  return Number.isFinite(value) ? value : null;
}
