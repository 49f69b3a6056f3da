// Colours of quantities: read on their ground, and told apart by people who see no red, no green or no blue.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

type Triple = readonly [number, number, number];

/** Machado, Oliveira and Fernandes (2009), for eyes that lack one kind of cones; in linear light. */
const EYES: Readonly<Record<string, readonly Triple[]>> = {
  normal: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  "no red": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  "no green": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  "no blue": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};

function linear(color: string): Triple {
  return [1, 3, 5].map((k) => {
    const c = Number.parseInt(color.slice(k, k + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as unknown as Triple;
}

function dot(a: Triple, b: Triple): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** What an eye sees of a colour, in CIELAB. */
function seen(color: string, eye: readonly Triple[]): Triple {
  const light = eye.map((row) => Math.min(1, Math.max(0, dot(row, linear(color))))) as unknown as Triple;
  const f = (value: number) => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116);
  const [x, y, z] = [f(dot([0.4124, 0.3576, 0.1805], light) / 0.95047), f(dot([0.2126, 0.7152, 0.0722], light)), f(dot([0.0193, 0.1192, 0.9505], light) / 1.08883)];
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function contrast(a: string, b: string): number {
  const [low, high] = [a, b].map((it) => dot([0.2126, 0.7152, 0.0722], linear(it)) + 0.05).sort((x, y) => x - y) as [number, number];
  return high / low;
}

const css = (path: string) => readFileSync(join(import.meta.dirname, "../../src", path), "utf8");

/** Colours of a kind in both themes. */
function colours(path: string, pattern: RegExp): Record<"light" | "dark", Map<string, string>> {
  const [light = "", dark = ""] = css(path).split(':root[data-theme="dark"]');
  const read = (text: string) => new Map([...text.matchAll(pattern)].map((it) => [it[1] as string, it[2] as string]));
  return { light: read(light), dark: read(dark) };
}

/** Differences that are seen side by side begin at 2; curves are thin and far from each other. */
const LEAST_DIFFERENCE = 12;

for (const [what, path, pattern] of [
  ["quantities", "style/tokens.css", /--q-(\w+): (#\w{6})/g],
  ["energies", "panes/energy/energy.css", /--e-(\w+): (#\w{6})/g],
] as const) {
  test(`colours of ${what} are told apart by all eyes`, () => {
    for (const [theme, all] of Object.entries(colours(path, pattern))) {
      assert.ok(all.size >= 3);
      for (const [eye, matrix] of Object.entries(EYES)) {
        for (const [a, first] of all) {
          for (const [b, second] of all) {
            if (a >= b) continue;
            const [x, y] = [seen(first, matrix), seen(second, matrix)];
            const difference = Math.hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
            assert.ok(difference >= LEAST_DIFFERENCE, `${theme}, ${eye}: ${a} and ${b} differ by ${difference.toFixed(1)}`);
          }
        }
      }
    }
  });
}

test("names in the colour of their quantity are read on every panel", () => {
  const grounds = colours("style/tokens.css", /--(panel): (#\w{6})/g);
  const all = colours("style/tokens.css", /--q-(\w+): (#\w{6})/g);
  for (const theme of ["light", "dark"] as const) {
    for (const [name, color] of all[theme]) assert.ok(contrast(color, grounds[theme].get("panel") as string) >= 4.5, `${theme}: ${name} has a contrast of ${contrast(color, grounds[theme].get("panel") as string).toFixed(2)}`);
  }
});
