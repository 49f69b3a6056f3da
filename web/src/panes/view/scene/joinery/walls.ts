// Walls that only laws know: a sheet that one looks through, with its border, as large as the motion.
import { type Color, DoubleSide, Group, Mesh, MeshBasicMaterial, PlaneGeometry, Quaternion, Vector3 } from "three";
import type { Lines } from "../lines.ts";
import { across } from "./curves.ts";

const Z = new Vector3(0, 0, 1);

export class Walls {
  readonly object = new Group();
  readonly #geometry = new PlaneGeometry(2, 2);
  readonly #material = new MeshBasicMaterial({ transparent: true, opacity: 0.22, side: DoubleSide, depthWrite: false });
  readonly #turn = new Quaternion();
  #used = 0;

  paint(color: Color): void {
    this.#material.color.copy(color);
  }

  clear(): void {
    this.#used = 0;
  }

  /** A wall through a point, across a direction; as near to a middle as it can be, and so large. */
  add(point: Vector3, normal: Vector3, middle: Vector3, half: number, lines: Lines, color: Color): void {
    const centre = middle.clone().addScaledVector(normal, point.clone().sub(middle).dot(normal));
    const mesh = (this.object.children[this.#used] as Mesh | undefined) ?? new Mesh(this.#geometry, this.#material);
    if (mesh.parent === null) this.object.add(mesh);
    this.#used += 1;
    mesh.position.copy(centre);
    mesh.quaternion.copy(this.#turn.setFromUnitVectors(Z, normal));
    mesh.scale.set(half, half, 1);
    const [first, second] = across(Z).map((it) => it.applyQuaternion(mesh.quaternion)) as [Vector3, Vector3];
    const corner = (a: number, b: number) => centre.clone().addScaledVector(first, a * half).addScaledVector(second, b * half);
    const corners = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1), corner(-1, -1)];
    corners.slice(1).forEach((to, k) => lines.add((corners[k] as Vector3).toArray(), to.toArray(), 0, 0, color));
  }

  commit(): void {
    this.object.children.forEach((it, k) => (it.visible = k < this.#used));
  }

  dispose(): void {
    this.#geometry.dispose();
    this.#material.dispose();
    this.object.removeFromParent();
  }
}
