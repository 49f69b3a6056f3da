// Bodies as wires, so that arrows inside them are seen: the participants of the chosen event.
import { type Color, EdgesGeometry, Vector3 } from "three";
import type { Bodies, Kind } from "./bodies.ts";
import { Lines } from "./lines.ts";
import { type Palette, tonesOf } from "./palette.ts";

type Segment = readonly [Vector3, Vector3];

function circle(points: number, at: (angle: number) => Vector3): Segment[] {
  const angle = (k: number) => (2 * Math.PI * k) / points;
  return Array.from({ length: points }, (_, k) => [at(angle(k)), at(angle(k + 1))]);
}

function sphere(): Segment[] {
  const segments: Segment[] = [];
  for (let k = 0; k < 6; k++) {
    const [c, s] = [Math.cos((Math.PI * k) / 6), Math.sin((Math.PI * k) / 6)];
    segments.push(...circle(32, (a) => new Vector3(c * Math.cos(a), s * Math.cos(a), Math.sin(a))));
  }
  for (let k = -2; k <= 2; k++) {
    const [c, s] = [Math.cos((Math.PI * k) / 6), Math.sin((Math.PI * k) / 6)];
    segments.push(...circle(32, (a) => new Vector3(c * Math.cos(a), c * Math.sin(a), s)));
  }
  return segments;
}

/** Circles about z, and lines between the outermost two. */
function round(low: [radius: number, z: number], high: [radius: number, z: number]): Segment[] {
  const ring = ([radius, z]: [number, number], a: number) => new Vector3(radius * Math.cos(a), radius * Math.sin(a), z);
  const sides: Segment[] = Array.from({ length: 12 }, (_, k) => [ring(low, (Math.PI * k) / 6), ring(high, (Math.PI * k) / 6)]);
  return [...circle(32, (a) => ring(low, a)), ...(high[0] > 0 ? circle(32, (a) => ring(high, a)) : []), ...sides];
}

function edges(kind: Kind): Segment[] {
  const geometry = new EdgesGeometry(kind.geometry, 12);
  const places = geometry.getAttribute("position");
  const corner = (k: number) => new Vector3().fromBufferAttribute(places, k);
  const segments: Segment[] = Array.from({ length: places.count / 2 }, (_, k) => [corner(2 * k), corner(2 * k + 1)]);
  geometry.dispose();
  return segments;
}

export class Wireframes {
  readonly lines: Lines;
  readonly #known = new Map<string, readonly Segment[]>();

  /** `strong` is how opaque they are. */
  constructor(strong: number) {
    this.lines = new Lines({ width: 1.5, strong, faint: strong });
  }

  /** Draws bodies where they are, each in its own colour or all in one; `bodies` must be up to date. */
  draw(bodies: Bodies, which: Iterable<number>, palette: Palette, color: Color | null = null): void {
    this.lines.clear();
    const [from, to] = [new Vector3(), new Vector3()];
    const movable = bodies.run.scene.bodies.filter((it) => !it.is_static);
    for (const index of which) {
      const body = bodies.run.scene.bodies[index];
      if (body === undefined) continue;
      for (const drawn of bodies.drawn[index] ?? []) {
        const first = color ?? tonesOf(body, [...drawn.piece.colors], Math.max(0, movable.indexOf(body)), palette).first;
        for (const [a, b] of this.#segments(drawn.piece.kind, drawn.kind)) {
          from.copy(a).applyMatrix4(drawn.place);
          to.copy(b).applyMatrix4(drawn.place);
          this.lines.add(from.toArray(), to.toArray(), 0, 0, first);
        }
      }
    }
    this.lines.commit();
  }

  #segments(name: string, kind: Kind): readonly Segment[] {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const made = name === "sphere" ? sphere() : name === "cylinder" ? round([1, -0.5], [1, 0.5]) : name === "cone" ? round([1, -0.25], [0, 0.75]) : edges(kind);
    this.#known.set(name, made);
    return made;
  }

  /** Forgets meshes that are not on screen any more. */
  clear(): void {
    this.#known.clear();
    this.lines.clear();
    this.lines.commit();
  }

  dispose(): void {
    this.lines.dispose();
  }
}
