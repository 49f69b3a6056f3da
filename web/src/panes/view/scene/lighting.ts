// Soft light from everywhere, and one lamp that throws shadows.
import { type Box3, DirectionalLight, Group, HemisphereLight, Vector3 } from "three";
import type { UpFrame } from "../up_frame.ts";
import { isSoftware } from "../webgl.ts";

export class Lighting {
  readonly object = new Group();
  readonly #sky = new HemisphereLight(0xffffff, 0xb8bec6, 1.75);
  readonly #lamp = new DirectionalLight(0xffffff, 1.75);

  constructor() {
    const { shadow } = this.#lamp;
    const side = isSoftware() ? 512 : 2048;
    shadow.mapSize.set(side, side);
    shadow.radius = 4;
    shadow.intensity = 0.6;
    this.object.add(this.#sky, this.#lamp, this.#lamp.target);
  }

  set shadows(on: boolean) {
    this.#lamp.castShadow = on;
  }

  /** Lights a box, with the shadow's picture as small as it can be. */
  light(box: Box3, basis: UpFrame): void {
    const centre = box.getCenter(new Vector3());
    const radius = Math.max(1e-9, box.getSize(new Vector3()).length() / 2);
    this.#sky.position.copy(basis.up);
    const from = new Vector3().addScaledVector(basis.right, -0.45).addScaledVector(basis.away, -0.4).addScaledVector(basis.up, 1).normalize();
    this.#lamp.target.position.copy(centre);
    this.#lamp.position.copy(centre).addScaledVector(from, 4 * radius);
    const { camera } = this.#lamp.shadow;
    const half = 1.25 * radius;
    [camera.left, camera.right, camera.bottom, camera.top] = [-half, half, -half, half];
    [camera.near, camera.far] = [0.5 * radius, 8 * radius];
    camera.updateProjectionMatrix();
    this.#lamp.shadow.normalBias = (1.5 * half) / 1024;
    this.#lamp.shadow.bias = -0.0005;
    this.#lamp.updateMatrixWorld();
    this.#lamp.target.updateMatrixWorld();
  }

  dispose(): void {
    this.#lamp.dispose();
    this.#sky.dispose();
  }
}
