// Labels over the picture: each stays at its point of the world while the camera moves.
import { type PerspectiveCamera, Vector3 } from "three";

export class Labels {
  readonly element: HTMLElement;
  readonly #camera: PerspectiveCamera;
  readonly #places = new Map<HTMLElement, Vector3>();

  constructor(element: HTMLElement, camera: PerspectiveCamera) {
    this.element = element;
    this.#camera = camera;
  }

  place(label: HTMLElement, point: readonly [number, number, number]): void {
    const place = this.#places.get(label) ?? new Vector3();
    place.set(...point);
    this.#places.set(label, place);
    this.#put(label, place);
  }

  /** The camera has moved. */
  update(): void {
    for (const [label, place] of this.#places) {
      if (label.isConnected) this.#put(label, place);
      else this.#places.delete(label);
    }
  }

  #put(label: HTMLElement, place: Vector3): void {
    const seen = place.clone().project(this.#camera);
    const { clientWidth, clientHeight } = this.element;
    const inside = seen.z < 1 && Math.abs(seen.x) <= 1.05 && Math.abs(seen.y) <= 1.05;
    label.style.visibility = inside ? "" : "hidden";
    if (!inside) return;
    label.style.position = "absolute";
    label.style.left = "0";
    label.style.top = "0";
    label.style.transform = `translate(${(((seen.x + 1) * clientWidth) / 2).toFixed(1)}px, ${(((1 - seen.y) * clientHeight) / 2).toFixed(1)}px)`;
  }
}
