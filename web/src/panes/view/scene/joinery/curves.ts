// Curves of what joins bodies: coils, hanging ropes, circles. Each is a list of points, three numbers each.
import { Vector3 } from "three";

/** Turns of a coil, and points of each turn. */
const TURNS = 10;
const POINTS_PER_TURN = 12;
/** Share of a spring that is straight at each end. */
const LEAD = 0.08;

/** Two directions across another, all three at right angles. */
export function across(direction: Vector3): [Vector3, Vector3] {
  const first = new Vector3(Math.abs(direction.z) < 0.9 * direction.length() ? 0 : 1, 0, Math.abs(direction.z) < 0.9 * direction.length() ? 1 : 0);
  first.cross(direction).normalize();
  return [first, new Vector3().crossVectors(direction, first).normalize()];
}

/** A coil between two points, with straight ends: it keeps its radius and its turns however far it is stretched. */
export function coil(from: Vector3, to: Vector3, radius: number): Vector3[] {
  const along = to.clone().sub(from);
  const [first, second] = across(along);
  const count = TURNS * POINTS_PER_TURN;
  const points = [from.clone()];
  for (let k = 0; k <= count; k++) {
    const angle = (2 * Math.PI * k) / POINTS_PER_TURN;
    // The radius grows from nothing within half a turn, so that the wire is in one piece.
    const reach = radius * Math.min(1, (2 * k) / POINTS_PER_TURN, (2 * (count - k)) / POINTS_PER_TURN);
    const point = from.clone().addScaledVector(along, LEAD + (1 - 2 * LEAD) * (k / count));
    points.push(point.addScaledVector(first, reach * Math.cos(angle)).addScaledVector(second, reach * Math.sin(angle)));
  }
  return [...points, to.clone()];
}

const ROPE_POINTS = 40;

/**
 * A rope of a length between two points, under gravity: straight where it is taut, a catenary where it is slack. In the vertical
 * plane of its ends, h apart horizontally and v vertically, the catenary y = a cosh((x - m) / a) of length L has
 * sqrt(L^2 - v^2) = 2 a sinh(h / (2 a)).
 */
export function rope(from: Vector3, to: Vector3, length: number | null, up: Vector3): Vector3[] {
  const way = to.clone().sub(from);
  const distance = way.length();
  if (length === null || !(length > distance * (1 + 1e-6))) return [from.clone(), to.clone()];
  const v = way.dot(up);
  const level = way.clone().addScaledVector(up, -v);
  const h = level.length();
  // Ends above each other: down and up again.
  if (h < 1e-3 * length) return [from.clone(), lowest(from, v, length, up), to.clone()];
  level.divideScalar(h);
  const a = h / (2 * rootOfSinh(Math.sqrt(length * length - v * v) / h));
  const middle = h / 2 - a * Math.atanh(v / length);
  const height = (x: number) => a * (Math.cosh((x - middle) / a) - Math.cosh(-middle / a));
  return Array.from({ length: ROPE_POINTS + 1 }, (_, k) => {
    const x = (h * k) / ROPE_POINTS;
    return from.clone().addScaledVector(level, x).addScaledVector(up, height(x));
  });
}

/** The lowest point of a rope that hangs down from two ends above each other. */
function lowest(from: Vector3, rise: number, length: number, up: Vector3): Vector3 {
  return from.clone().addScaledVector(up, -(length - rise) / 2);
}

/** The positive x with sinh(x) / x = s, for s > 1. */
export function rootOfSinh(s: number): number {
  let x = s < 3 ? Math.sqrt(6 * (s - 1)) : Math.log(2 * s) + Math.log(Math.log(2 * s));
  for (let k = 0; k < 30; k++) {
    const step = (Math.sinh(x) - s * x) / (Math.cosh(x) - s);
    x -= step;
    if (Math.abs(step) < 1e-14 * x) break;
  }
  return x;
}

/** A circle, closed. */
export function circle(centre: Vector3, direction: Vector3, radius: number, points = 96): Vector3[] {
  const [first, second] = across(direction);
  return Array.from({ length: points + 1 }, (_, k) => {
    const angle = (2 * Math.PI * k) / points;
    return centre.clone().addScaledVector(first, radius * Math.cos(angle)).addScaledVector(second, radius * Math.sin(angle));
  });
}
