// What `gedanken derive --format latex` prints goes through a typesetter, in its strictest mode.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import katex from "katex";

const root = join(import.meta.dirname, "../../..");
const binary = resolve(process.env["GEDANKEN"] ?? join(root, "target/checked/gedanken"));

async function derived(...more: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(binary, ["derive", ...more, "--format", "latex"], { maxBuffer: 1 << 26 });
  return stdout;
}

/** Sets every formula of a text, and says how many there were. */
function typeset(text: string, where: string): number {
  const set = (formula: string) => {
    try {
      katex.renderToString(formula, { displayMode: true, throwOnError: true, strict: "error" });
    } catch (error) {
      assert.fail(`${where}: ${String(error)}\n${formula}`);
    }
  };
  const groups = text.match(/\\begin\{gather\*\}[\s\S]*?\\end\{gather\*\}/g) ?? [];
  groups.forEach(set);
  // What stands outside is comments; laws stand there as bare lines.
  const bare = text.replaceAll(/\\begin\{gather\*\}[\s\S]*?\\end\{gather\*\}/g, "").split("\n");
  const lines = bare.filter((line) => line !== "" && !line.startsWith("%"));
  lines.forEach(set);
  return groups.length + lines.length;
}

test("every derivation of the gallery", async () => {
  const folder = join(root, "experiments");
  const files = readdirSync(folder).filter((name) => name.endsWith(".lab"));
  const stated = files.filter((name) => /^lagrangian /m.test(readFileSync(join(folder, name), "utf8")));
  assert.ok(stated.length >= 12, `${stated.length} systems`);
  for (const name of stated) {
    const count = typeset(await derived(join(folder, name), "--steps"), name);
    // At least H, Hamilton's equations and what is conserved.
    assert.ok(count >= 3, `${name}: ${count} formulas`);
  }
});

/** Numbers from 0 to 1, the same in every run: a multiplicative generator modulo 2^31 − 1. */
function dice(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

const NAMES = ["q", "a", "b_c", "x1", "omega", "Omega_max", "lambda_", "phi12", "mass", "_u", "v_x_1", "alpha_dot", "K_dot_dot", "T_0", "e", "j_dot_dot_dot"];
const FUNCTIONS = ["sine", "cosine", "tangent", "inverseSine", "inverseCosine", "inverseTangent", "exp", "log", "sqrt", "abs"];

function random(roll: () => number, depth: number): string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(roll() * list.length)] as T;
  const inner = () => random(roll, depth - 1);
  if (depth === 0) return roll() < 0.7 ? pick(NAMES) : pick(["2", "0.5", "1e-30", "6.02e23", "17/3", "pi", "-1"]);
  return pick<() => string>([
    () => `(${inner()} + ${inner()})`,
    () => `(${inner()} - ${inner()})`,
    () => `(${inner()}) * (${inner()})`,
    () => `(${inner()}) / (${inner()})`,
    () => `(${inner()})^${pick(["2", "3", "(-1)", "0.5", "(2/3)", `(${inner()})`])}`,
    () => `${pick(FUNCTIONS)}(${inner()})`,
    () => `(if ${inner()} < ${inner()} then ${inner()} else ${inner()})`,
    () => `min(${inner()}, ${inner()})`,
  ])();
}

test("random formulas", async () => {
  const roll = dice(1687);
  let set = 0;
  for (let number = 0; number < 40; number++) {
    const formula = `q_dot^2/2 - (${random(roll, 3)})*q`;
    // Formulas without a value, such as a division by what is always 0, are refused in words.
    const text = await derived("--lagrangian", formula, "--coordinates", "q", "--steps").catch(() => "");
    if (text !== "") set += Math.min(1, typeset(text, formula));
  }
  assert.ok(set >= 20, `${set} of 40 formulas were set`);
});
