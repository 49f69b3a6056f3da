// Solid parts of joints, of one shape each: every frame writes matrices, and nothing else.
import { BoxGeometry, type BufferGeometry, type Color, CylinderGeometry, Group, InstancedMesh, Matrix4, MeshLambertMaterial, Quaternion, SphereGeometry, Vector3 } from "three";

export type PartShape = "bar" | "ball" | "block";

const Z = new Vector3(0, 0, 1);
const geometries: Record<PartShape, () => BufferGeometry> = {
  bar: () => new CylinderGeometry(1, 1, 1, 20).rotateX(Math.PI / 2),
  ball: () => new SphereGeometry(1, 24, 12),
  block: () => new BoxGeometry(2, 2, 2),
};

/** All parts of one shape. */
class Instances {
  mesh: InstancedMesh;
  readonly #shape: PartShape;
  readonly #material: MeshLambertMaterial;
  readonly #group: Group;
  #count = 0;

  constructor(shape: PartShape, material: MeshLambertMaterial, group: Group) {
    [this.#shape, this.#material, this.#group] = [shape, material, group];
    this.mesh = this.#made(16);
  }

  #made(room: number): InstancedMesh {
    const mesh = new InstancedMesh(geometries[this.#shape](), this.#material, room);
    mesh.frustumCulled = false;
    mesh.castShadow = true;
    this.#group.add(mesh);
    return mesh;
  }

  clear(): void {
    this.#count = 0;
  }

  add(matrix: Matrix4): void {
    if (this.#count === this.mesh.instanceMatrix.count) {
      const grown = this.#made(2 * this.#count);
      grown.instanceMatrix.array.set(this.mesh.instanceMatrix.array);
      this.dispose();
      this.mesh = grown;
    }
    this.mesh.setMatrixAt(this.#count++, matrix);
  }

  commit(): void {
    this.mesh.count = this.#count;
    this.mesh.visible = this.#count > 0;
    this.mesh.instanceMatrix.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.dispose();
    this.mesh.removeFromParent();
  }
}

export class Parts {
  readonly object = new Group();
  readonly #material = new MeshLambertMaterial();
  readonly #shapes: Record<PartShape, Instances>;
  readonly #matrix = new Matrix4();
  readonly #turn = new Quaternion();

  constructor() {
    const made = (shape: PartShape) => new Instances(shape, this.#material, this.object);
    this.#shapes = { bar: made("bar"), ball: made("ball"), block: made("block") };
  }

  paint(color: Color): void {
    this.#material.color.copy(color);
  }

  clear(): void {
    for (const it of Object.values(this.#shapes)) it.clear();
  }

  ball(centre: Vector3, radius: number): void {
    this.#shapes.ball.add(this.#matrix.compose(centre, this.#turn.identity(), new Vector3(radius, radius, radius)));
  }

  /** A round bar about a middle, along a direction of length 1. */
  bar(middle: Vector3, direction: Vector3, length: number, radius: number): void {
    this.#turn.setFromUnitVectors(Z, direction);
    this.#shapes.bar.add(this.#matrix.compose(middle, this.#turn, new Vector3(radius, radius, length)));
  }

  /** A bar from one point to another. */
  between(from: Vector3, to: Vector3, radius: number): void {
    const way = to.clone().sub(from);
    const length = way.length();
    if (length > 0) this.bar(from.clone().lerp(to, 0.5), way.divideScalar(length), length, radius);
  }

  /** A block with half edges, its third along a direction of length 1. */
  block(middle: Vector3, direction: Vector3, half: Vector3): void {
    this.#turn.setFromUnitVectors(Z, direction);
    this.#shapes.block.add(this.#matrix.compose(middle, this.#turn, half));
  }

  commit(): void {
    for (const it of Object.values(this.#shapes)) it.commit();
  }

  dispose(): void {
    for (const it of Object.values(this.#shapes)) it.dispose();
    this.#material.dispose();
    this.object.removeFromParent();
  }
}
