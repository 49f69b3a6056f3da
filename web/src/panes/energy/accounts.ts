// Which energies an experiment has, and what they are read from: formulas over its recording. Nothing is made up here: where the
// recording has no energies, and nothing that they follow from, there are no accounts.
//
// In this order, the first that holds:
//   ledger     the mechanics books energy, work and errors itself (rigid, soft, variational)
//   lagrangian the energies T and V that the motion was derived from
//   names      quantities of the text that are called kinetic and potential energy, or T and V where T goes with v²
//   measures   measures that are called so
//   motion     mass and v of the text, in a uniform field that the recorded flights show and the text names (`field.ts`, `law_field.ts`)
//   total      one measure that is called an energy; only without one, `motion` tells of kinetic energy alone
import type { QuantityInfo, Scene } from "../../wire/types.ts";

export type Source = "ledger" | "lagrangian" | "names" | "measures" | "motion" | "total";

/** Energies of one body, or of everything: formulas, `null` where there is none. */
export interface Part {
  /** Index of the body; `null` for the whole. */
  readonly body: number | null;
  readonly kinetic: string | null;
  readonly potential: string | null;
  /** Where it is known without its two parts. */
  readonly total: string | null;
}

/** Work of one cause since the start. */
export interface Work {
  readonly cause: string;
  readonly formula: string;
}

export interface Accounts {
  readonly source: Source;
  /** What was read, for the sentence that says so. */
  readonly names: readonly string[];
  readonly parts: readonly Part[];
  /** Energy that no account explains; only a ledger knows it. */
  readonly error: string | null;
  readonly works: readonly Work[];
  readonly momentum: string | null;
  readonly angularMomentum: string | null;
  /** Whether units are those of SI: only rigid bodies have units. */
  readonly hasUnits: boolean;
  /** Whether no mass is written, so that everything is per mass. */
  readonly perMass: boolean;
  /** The body that all of it is about, where the text gives no masses that would add up several. */
  readonly only: string | null;
  /** Whether potential energy is counted from its lowest value, as the text says no zero. */
  readonly fromLowest: boolean;
  /** Quantities that are called `T`, which may be a temperature as well, with the velocity of their body: their ratio decides. */
  readonly doubtful: readonly { readonly kinetic: string; readonly v: string }[];
}

const NONE = { only: null, doubtful: [], names: [], error: null, works: [], momentum: null, angularMomentum: null, hasUnits: false, perMass: false, fromLowest: false } as const;

const KINETIC = /^(?:kinetic|kinetic_energy|ekin|e_kin|kin)$/i;
const POTENTIAL = /^(?:potential|potential_energy|epot|e_pot|pot)$/i;
const TOTAL = /^(?:energy|total_energy|mechanical_energy)$/i;
/** Words that tell a measure about an energy from one that is an energy. */
const ABOUT = /(?:^|_)(?:error|drift|loss|lost|relative|ratio|change|changed|deviation|gain|given|work|share|part|per|rate|kept|conserved|difference)(?:_|$)/i;

/** Scalars that vary. */
function reals(scene: Scene): QuantityInfo[] {
  return scene.quantities.filter((it) => !it.constant && it.ty === "real");
}

/** The accounts that names alone tell of; `motion` needs to look at the recording. */
export function namedAccounts(scene: Scene): Accounts | null {
  return ledger(scene) ?? lagrangian(scene) ?? named(scene) ?? measured(scene);
}

function worldly(scene: Scene): (name: string) => string | null {
  const known = new Map(scene.quantities.filter((it) => it.owner === "world" && !it.constant && it.context === null).map((it) => [it.name, it.formula]));
  return (name) => known.get(name) ?? null;
}

/** What only the mechanics of rigid bodies has: an attribute of the file that hides an energy is constant. */
function ledger(scene: Scene): Accounts | null {
  const world = worldly(scene);
  const [kinetic, potential, error] = [world("kinetic_energy"), world("potential_energy"), world("numerical_error")];
  if (kinetic === null || potential === null || error === null) return null;
  const works = scene.quantities
    .filter((it) => it.owner === "world" && !it.constant && (/^work_of_/.test(it.name) || /_work$/.test(it.name)))
    .map((it) => ({ cause: it.name.replace(/^work_of_|_work$/g, "").replaceAll("_", " "), formula: it.formula }));
  const parts = [{ body: null, kinetic, potential, total: null }];
  return { ...NONE, source: "ledger", names: [kinetic, potential], parts, error, works, momentum: world("momentum"), angularMomentum: world("angular_momentum"), hasUnits: true };
}

function lagrangian(scene: Scene): Accounts | null {
  const world = worldly(scene);
  const [kinetic, potential, total] = [world("kinetic_energy"), world("potential_energy"), world("total_energy")];
  if (kinetic !== null && potential !== null) return { ...NONE, source: "lagrangian", names: [kinetic, potential], parts: [{ body: null, kinetic, potential, total: null }] };
  if (total !== null) return { ...NONE, source: "lagrangian", names: [total], parts: [{ body: null, kinetic: null, potential: null, total }] };
  return null;
}

/** Attributes and helpers of objects. One that only some contexts know has no value elsewhere, so that it is no account. */
function named(scene: Scene): Accounts | null {
  const lasting = scene.contexts.filter((it) => it.kind === "free fall" || it.kind === "contact").length;
  const own = reals(scene).filter((it) => it.owner !== "measure" && it.owner !== "world" && (it.context === null || lasting === 1));
  const doubtful: { kinetic: string; v: string }[] = [];
  const parts = scene.bodies.flatMap((body, index): Part[] => {
    const of = own.filter((it) => it.owner === body.name);
    const v = scene.quantities.find((it) => it.owner === body.name && it.name === "v" && it.ty === "vector(3)");
    const letter = v === undefined ? undefined : of.find((it) => it.name === "T");
    const kinetic = of.find((it) => KINETIC.test(it.name))?.formula ?? letter?.formula ?? null;
    const potential = of.find((it) => POTENTIAL.test(it.name) || (letter !== undefined && it.name === "V"))?.formula ?? null;
    if (letter !== undefined && v !== undefined && kinetic === letter.formula) doubtful.push({ kinetic, v: v.formula });
    return kinetic === null || potential === null ? [] : [{ body: index, kinetic, potential, total: null }];
  });
  // Whoever moves without an energy would be missing in the sum.
  const moving = scene.bodies.filter((it) => !it.is_static && it.moves !== null).length;
  if (parts.length === 0 || parts.length < moving) return null;
  return { ...NONE, source: "names", names: parts.flatMap((it) => [it.kinetic as string, it.potential as string]), parts, doubtful };
}

function measured(scene: Scene): Accounts | null {
  const measures = reals(scene).filter((it) => it.owner === "measure");
  const find = (pattern: RegExp) => measures.find((it) => pattern.test(it.name))?.formula ?? null;
  const [kinetic, potential, total] = [find(KINETIC), find(POTENTIAL), find(TOTAL)];
  if (kinetic !== null && potential !== null) return { ...NONE, source: "measures", names: [kinetic, potential], parts: [{ body: null, kinetic, potential, total: null }] };
  if (kinetic !== null && total !== null) return { ...NONE, source: "measures", names: [kinetic, total], parts: [{ body: null, kinetic, potential: `${total} - ${kinetic}`, total: null }] };
  return null;
}

/** A measure that is an energy, if there is exactly one. */
export function totalAccounts(scene: Scene): Accounts | null {
  const measures = reals(scene).filter((it) => it.owner === "measure" && /(?:^|_)energy(?:_|$)/i.test(it.name) && !ABOUT.test(it.name));
  const only = measures.find((it) => TOTAL.test(it.name)) ?? (measures.length === 1 ? measures[0] : undefined);
  if (only === undefined) return null;
  return { ...NONE, source: "total", names: [only.formula], parts: [{ body: null, kinetic: null, potential: null, total: only.formula }] };
}

/** More bodies than this are not summed up one by one. */
const MAX_BODIES = 16;

/** A body whose energy of motion follows from what the text says of it. */
export interface Mover {
  readonly body: number;
  readonly name: string;
  readonly position: string;
  readonly v: string;
  /** Its mass, `null` where the text names none. */
  readonly mass: string | null;
}

/** All moving bodies, if each has a place, a `v` and a constant mass. Where nobody has a mass, one body: the one that is chosen, else the first. */
export function movers(scene: Scene, chosen: string | null): Mover[] {
  const moving = scene.bodies.map((body, index) => ({ body, index })).filter(({ body }) => !body.is_static && body.moves !== null);
  if (moving.length === 0) return [];
  const of = (owner: string, name: string, ty: string) => scene.quantities.find((it) => it.owner === owner && it.name === name && it.ty === ty && it.context === null);
  const found = moving.flatMap(({ body, index }): Mover[] => {
    const position = of(body.name, "position", "vector(3)");
    const v = of(body.name, "v", "vector(3)") ?? of(body.name, "velocity", "vector(3)");
    const mass = of(body.name, "mass", "real") ?? of(body.name, "m", "real");
    // What spins has an energy that its mass does not tell.
    const spins = scene.quantities.some((it) => it.owner === body.name && /^(?:omega|w|angular_velocity|spin)$/i.test(it.name) && !it.constant);
    if (position === undefined || v === undefined || spins || mass?.constant === false) return [];
    return [{ body: index, name: body.name, position: position.formula, v: v.formula, mass: mass?.formula ?? null }];
  });
  if (found.every((it) => it.mass === null)) return found.filter((it) => it.name === chosen).concat(found).slice(0, 1);
  return found.length === moving.length && found.length <= MAX_BODIES && found.every((it) => it.mass !== null) ? found : [];
}

/** Accounts from mass and v: kinetic energy, and potential energy in the uniform fields that are known. */
export function motionAccounts(scene: Scene, all: readonly Mover[], fields: readonly (readonly [number, number, number] | null)[]): Accounts {
  const vector = (it: readonly number[]) => `[${it.join(", ")}]`;
  const parts = all.map((it, k): Part => {
    const field = fields[k] ?? null;
    const mass = it.mass ?? "1";
    return { body: it.body, kinetic: `0.5 * ${mass} * (${it.v} . ${it.v})`, potential: field === null ? null : `-(${mass}) * (${vector(field)} . ${it.position})`, total: null };
  });
  const weighed = all.every((it) => it.mass !== null);
  const sum = (term: (it: Mover) => string) => all.map(term).join(" + ");
  return {
    ...NONE,
    source: "motion",
    names: [...new Set(all.flatMap((it) => (it.mass === null ? [it.v] : [it.mass, it.v])))],
    parts,
    momentum: weighed ? sum((it) => `${it.mass} * ${it.v}`) : null,
    angularMomentum: weighed ? sum((it) => `${it.mass} * (${it.position} * ${it.v})`) : null,
    perMass: !weighed,
    only: weighed || scene.bodies.filter((it) => !it.is_static && it.moves !== null).length === 1 ? null : (all[0]?.name ?? null),
    fromLowest: true,
  };
}
