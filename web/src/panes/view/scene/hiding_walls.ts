// Walls between the eye and the motion: a box full of gas is looked into. Such a wall is drawn as its edges only.
import { Box3, Matrix4, Ray, Vector3 } from "three";
import type { Bodies } from "./bodies.ts";

/** So many places of the motion are looked at. */
const SAMPLES = 60;
/** A wall that hides more than this part of them is a veil. */
const MIN_HIDDEN_PART = 0.06;
/** More bodies than these are not asked about. */
const MAX_WALLS = 200;

/** What the kinds of pieces fill. A mesh may be hollow: it is never a veil. */
const BOXES: Readonly<Record<string, Box3>> = {
  sphere: box(1, 1, -1, 1),
  cuboid: box(0.5, 0.5, -0.5, 0.5),
  cylinder: box(1, 1, -0.5, 0.5),
  cone: box(1, 1, -0.25, 0.75),
};

function box(x: number, y: number, low: number, high: number): Box3 {
  return new Box3(new Vector3(-x, -y, low), new Vector3(x, y, high));
}

interface Wall {
  body: number;
  box: Box3;
  /** From the world to the coordinates of the box. */
  inverse: Matrix4;
}

export class HidingWalls {
  readonly #walls: readonly Wall[];
  #places: readonly Vector3[] = [];
  /** The bodies that are veils. */
  hidden: ReadonlySet<number> = new Set();

  /** The bodies must be where they are. */
  constructor(bodies: Bodies) {
    this.#walls = bodies.drawn
      .flat()
      .filter(({ body }) => bodies.run.scene.bodies[body]?.moves === null)
      .slice(0, MAX_WALLS)
      .flatMap(({ body, piece, place }) => {
        const filled = BOXES[piece.kind];
        return filled === undefined ? [] : [{ body, box: filled, inverse: place.clone().invert() }];
      });
  }

  /** What shall be seen. */
  watch(places: readonly Vector3[]): void {
    // Steps of the golden ratio meet every body and every time, whatever their order is.
    const place = (k: number) => places[Math.floor(((k * 0.618034) % 1) * places.length)];
    this.#places = Array.from({ length: SAMPLES }, (_, k) => place(k)).filter((it) => it !== undefined);
  }

  /** Looks from a place; says whether other bodies are hidden than before. */
  look(eye: Vector3): boolean {
    const before = this.hidden;
    this.hidden = new Set(this.#walls.filter((wall) => this.#hides(wall, eye)).map((it) => it.body));
    return before.size !== this.hidden.size || [...before].some((it) => !this.hidden.has(it));
  }

  #hides({ box, inverse }: Wall, eye: Vector3): boolean {
    const ray = new Ray(eye.clone().applyMatrix4(inverse));
    const [place, hit] = [new Vector3(), new Vector3()];
    let count = 0;
    for (const it of this.#places) {
      place.copy(it).applyMatrix4(inverse);
      ray.direction.subVectors(place, ray.origin);
      const way = ray.direction.length();
      ray.direction.normalize();
      if (ray.intersectBox(box, hit) !== null && hit.distanceTo(ray.origin) < 0.999 * way) count += 1;
    }
    return count > MIN_HIDDEN_PART * this.#places.length;
  }
}
