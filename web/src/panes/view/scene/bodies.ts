// The bodies of a run: one instanced mesh for each kind of shape. Every frame writes matrices, and nothing else.
import { type BufferGeometry, Group, InstancedBufferAttribute, InstancedMesh, type Material, Matrix4 } from "three";
import { POSE } from "../../../lab/poses.ts";
import type { Run } from "../../../lab/run.ts";
import { type Palette, tonesOf } from "./palette.ts";
import { geometryOf, type ShapeAt, matrixOf, type Piece, piecesOf } from "./shapes.ts";

/** Above so many bodies there are no shadows. */
export const MAX_SHADOWED_BODIES = 500;

/** One piece of one body, and where it is drawn. */
export interface Drawn {
  body: number;
  kind: Kind;
  slot: number;
  piece: Piece;
  /** From the kind's own coordinates to the world, at the time that is shown. */
  place: Matrix4;
}

/** All pieces of one kind. */
export interface Kind {
  geometry: BufferGeometry;
  mesh: InstancedMesh;
  tone1: InstancedBufferAttribute;
  tone2: InstancedBufferAttribute;
  style: InstancedBufferAttribute;
}

/** How a body is drawn: as it is, in grey, or not at all. */
export type Manner = "plain" | "grey" | "absent";

const NOWHERE = new Matrix4().makeScale(0, 0, 0);

export class Bodies {
  readonly object = new Group();
  readonly run: Run;
  /** The pieces of each body. */
  readonly drawn: readonly (readonly Drawn[])[];
  readonly #kinds: Kind[] = [];
  readonly #pose = new Float64Array(POSE);
  readonly #matrix = new Matrix4();
  readonly #manners: Manner[];
  readonly #shapeAt: ShapeAt;
  #still = false;

  constructor(run: Run, material: Material, shapeAt: ShapeAt, movingOnly = false) {
    this.run = run;
    this.#shapeAt = shapeAt;
    const { bodies } = run.scene;
    this.#manners = bodies.map(() => "plain");
    const pieces = bodies.map((body) => (movingOnly && body.moves === null ? [] : piecesOf(body.shape)));
    const counts = new Map<string, number>();
    for (const piece of pieces.flat()) counts.set(piece.kind, (counts.get(piece.kind) ?? 0) + 1);
    const kinds = new Map<string, Kind>();
    const used = new Map<string, number>();
    this.drawn = pieces.map((own, body) =>
      own.map((piece) => {
        const kind = kinds.get(piece.kind) ?? this.#makeKind(piece, counts.get(piece.kind) ?? 0, material);
        kinds.set(piece.kind, kind);
        const slot = used.get(piece.kind) ?? 0;
        used.set(piece.kind, slot + 1);
        return { body, kind, slot, piece, place: new Matrix4() };
      }),
    );
  }

  #makeKind(piece: Piece, count: number, material: Material): Kind {
    const geometry = geometryOf(piece, this.run.scene.bodies.length);
    const attribute = (name: string, width: number) => {
      const made = new InstancedBufferAttribute(new Float32Array(width * count), width);
      geometry.setAttribute(name, made);
      return made;
    };
    const mesh = new InstancedMesh(geometry, material, count);
    // Where the instances are is known here, not to the renderer.
    mesh.frustumCulled = false;
    mesh.castShadow = true;
    mesh.receiveShadow = true;
    this.object.add(mesh);
    const kind = { geometry, mesh, tone1: attribute("tone1", 3), tone2: attribute("tone2", 3), style: attribute("style", 2) };
    this.#kinds.push(kind);
    return kind;
  }

  /** Paints everything anew. */
  paint(palette: Palette): void {
    let order = -1;
    this.run.scene.bodies.forEach((body, index) => {
      if (!body.is_static) order += 1;
      for (const { kind, slot, piece } of this.drawn[index] ?? []) {
        const { first, second } = tonesOf(body, [...piece.colors], Math.max(0, order), palette);
        kind.tone1.setXYZ(slot, first.r, first.g, first.b);
        kind.tone2.setXYZ(slot, second.r, second.g, second.b);
        kind.style.setX(slot, body.is_static ? 1 : 0);
      }
    });
    for (const kind of this.#kinds) for (const it of [kind.tone1, kind.tone2, kind.style]) it.needsUpdate = true;
  }

  /** Says how each body is drawn. */
  setManners(mannerOf: (body: number) => Manner): void {
    this.drawn.forEach((own, body) => {
      const manner = mannerOf(body);
      if (manner === this.#manners[body]) return;
      this.#manners[body] = manner;
      this.#still = false;
      for (const { kind, slot } of own) {
        kind.style.setY(slot, manner === "grey" ? 1 : 0);
        kind.style.needsUpdate = true;
      }
    });
  }

  /** Puts everybody where it is at a time. */
  update(time: number): void {
    const { poses, scene } = this.run;
    scene.bodies.forEach((body, index) => {
      const own = this.drawn[index];
      if (own === undefined || own.length === 0 || (this.#still && body.moves === null && !body.resizes)) return;
      matrixOf(poses.at(index, time, this.#pose), this.#matrix);
      const resized = body.resizes ? piecesOf(this.#shapeAt(index, body.shape, time)) : null;
      const absent = this.#manners[index] === "absent";
      own.forEach(({ kind, slot, piece, place }, k) => {
        place.multiplyMatrices(this.#matrix, resized?.[k]?.matrix ?? piece.matrix);
        kind.mesh.setMatrixAt(slot, absent ? NOWHERE : place);
      });
    });
    this.#still = true;
    for (const { mesh } of this.#kinds) mesh.instanceMatrix.needsUpdate = true;
  }

  castShadows(on: boolean): void {
    for (const { mesh } of this.#kinds) mesh.castShadow = on;
  }

  dispose(): void {
    for (const { geometry, mesh } of this.#kinds) {
      geometry.dispose();
      mesh.dispose();
    }
    this.object.removeFromParent();
  }
}
