// What the pointer points at: a body, or a place on a trail.
import { type Intersection, Mesh, type PerspectiveCamera, Raycaster, Vector2, Vector3 } from "three";
import type { Bodies } from "./scene/bodies.ts";
import type { Ground } from "./scene/ground.ts";

/** Small bodies are found this many pixels around their middle. */
const PICK_REACH_PX = 8;

/** A point of the canvas, and how large that is, in pixels of the page. */
export interface Pointer {
  x: number;
  y: number;
  width: number;
  height: number;
}

export class Picker {
  readonly #caster = new Raycaster();
  readonly #probe = new Mesh();
  readonly #hits: Intersection[] = [];

  /** The body at a place of the canvas. Half spaces are found by the plane they are drawn with; `passed` are not in the way. */
  body(pointer: Pointer, camera: PerspectiveCamera, bodies: Bodies, planes: ReadonlyMap<number, Ground>, passed: ReadonlySet<number>): number | null {
    const ndc = new Vector2((2 * pointer.x) / pointer.width - 1, 1 - (2 * pointer.y) / pointer.height);
    this.#caster.setFromCamera(ndc, camera);
    const { origin, direction } = this.#caster.ray;
    let best: { body: number; distance: number } | null = null;
    const offer = (body: number, distance: number) => {
      if (best === null || distance < best.distance) best = { body, distance };
    };
    for (const own of bodies.drawn) {
      for (const { body, kind, place } of own) {
        if (passed.has(body)) continue;
        this.#probe.geometry = kind.geometry;
        this.#probe.matrixWorld.copy(place);
        this.#hits.length = 0;
        this.#probe.raycast(this.#caster, this.#hits);
        for (const hit of this.#hits) offer(body, hit.distance);
      }
    }
    for (const [body, plane] of planes) {
      const distance = plane.meet(origin, direction);
      if (distance !== null) offer(body, distance);
    }
    const hit = (best as { body: number } | null)?.body ?? null;
    // A small body before a large one is meant, even if it was missed by a little.
    const small = hit === null || bodies.run.scene.bodies[hit]?.is_static === true ? this.#small(pointer, camera, bodies) : null;
    return small ?? hit;
  }

  #small(pointer: Pointer, camera: PerspectiveCamera, bodies: Bodies): number | null {
    const middle = new Vector3();
    let [best, found]: [number, number | null] = [PICK_REACH_PX, null];
    bodies.drawn.forEach((own, body) => {
      const first = own[0];
      if (first === undefined || bodies.run.scene.bodies[body]?.is_static === true) return;
      middle.setFromMatrixPosition(first.place).project(camera);
      if (middle.z > 1) return;
      const distance = Math.hypot(((middle.x + 1) * pointer.width) / 2 - pointer.x, ((1 - middle.y) * pointer.height) / 2 - pointer.y);
      if (distance < best) [best, found] = [distance, body];
    });
    return found;
  }
}
