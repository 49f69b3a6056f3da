// Shapes as triangles. Every shape is made of a few kinds that are drawn once each, with a matrix for each body: a capsule is two
// spheres and a cylinder, a compound its parts. So the number of draw calls is that of kinds, not of bodies.
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  ConeGeometry,
  CylinderGeometry,
  Matrix4,
  Quaternion,
  SphereGeometry,
  Vector3,
} from "three";
import type { BodyShape } from "../../../wire/types.ts";

type Rgb = [number, number, number];
export type MeshShape = Extract<BodyShape, { kind: "mesh" }>;

/** What a body looks like at a time: bodies may change their size. */
export type ShapeAt = (body: number, shape: BodyShape, time: number) => BodyShape;

/** A part of a shape that is drawn with others of its kind. */
export interface Piece {
  /** `sphere`, `cuboid`, `cylinder`, `cone`, or a mesh with its fingerprint. */
  kind: string;
  mesh: MeshShape | null;
  /** From the kind's own coordinates, where it has size 1, to those of the body. */
  matrix: Matrix4;
  /** Its own colours, if it is a part that has some. */
  colors: readonly Rgb[];
}

const NO_TURN = new Quaternion();
const FULL = new Vector3(1, 1, 1);
const [at, turn] = [new Vector3(), new Quaternion()];

function placed(position: Vector3, turn: Quaternion, size: Vector3): Matrix4 {
  return new Matrix4().compose(position, turn, size);
}

/** Pose as on the wire: position, then quaternion w, x, y, z. */
export function matrixOf(pose: ArrayLike<number>, out = new Matrix4()): Matrix4 {
  at.set(pose[0] ?? 0, pose[1] ?? 0, pose[2] ?? 0);
  turn.set(pose[4] ?? 0, pose[5] ?? 0, pose[6] ?? 0, pose[3] ?? 1);
  return out.compose(at, turn, FULL);
}

/** A shape's pieces. A half space has none: it is drawn as ground. */
export function piecesOf(shape: BodyShape, colors: readonly Rgb[] = []): Piece[] {
  const piece = (kind: string, size: Vector3, at = new Vector3()): Piece => ({ kind, mesh: null, matrix: placed(at, NO_TURN, size), colors });
  switch (shape.kind) {
    case "sphere":
      return [piece("sphere", new Vector3(shape.radius, shape.radius, shape.radius))];
    case "cuboid":
      return [piece("cuboid", new Vector3(...shape.size))];
    case "cylinder":
    case "cone":
      return [piece(shape.kind, new Vector3(shape.radius, shape.radius, shape.height))];
    case "capsule": {
      const ball = new Vector3(shape.radius, shape.radius, shape.radius);
      const end = new Vector3(0, 0, shape.length / 2);
      return [piece("cylinder", new Vector3(shape.radius, shape.radius, shape.length)), piece("sphere", ball, end), piece("sphere", ball, end.clone().negate())];
    }
    case "mesh":
      return [{ kind: `mesh ${fingerprint(shape)}`, mesh: shape, matrix: new Matrix4(), colors }];
    case "compound":
      return shape.parts.flatMap((part) => {
        const there = matrixOf(part.pose);
        return piecesOf(part.shape, part.colors).map((it) => ({ ...it, matrix: there.clone().multiply(it.matrix) }));
      });
    case "half_space":
      return [];
  }
}

/** Tells meshes apart without comparing them. */
function fingerprint(mesh: MeshShape): string {
  let hash = 0x811c9dc5;
  const take = (value: number) => {
    hash = Math.imul(hash ^ (Math.fround(value) * 65536), 0x01000193);
  };
  mesh.corners.forEach(take);
  mesh.triangles.forEach(take);
  return `${mesh.triangles.length}/${hash >>> 0}`;
}

/** The triangles of a kind; fewer for round ones if very many are drawn. */
export function geometryOf(piece: Piece, bodies: number): BufferGeometry {
  const round = bodies > 500 ? 20 : 48;
  switch (piece.kind) {
    case "sphere":
      // Poles along z, so that the ends of capsules fit.
      return new SphereGeometry(1, round, round / 2).rotateX(Math.PI / 2);
    case "cuboid":
      return new BoxGeometry(1, 1, 1);
    case "cylinder":
      return new CylinderGeometry(1, 1, 1, round).rotateX(Math.PI / 2);
    case "cone":
      // The centre of mass is a quarter of the height above the base.
      return new ConeGeometry(1, 1, round).rotateX(Math.PI / 2).translate(0, 0, 0.25);
    default:
      return meshGeometry(piece.mesh);
  }
}

function meshGeometry(mesh: MeshShape | null): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(mesh?.corners ?? []), 3));
  geometry.setIndex(mesh?.triangles ?? []);
  // Flat faces: each triangle has corners of its own.
  const flat = geometry.toNonIndexed();
  geometry.dispose();
  flat.computeVertexNormals();
  return flat;
}

/** The radius of a ball about the body's origin that holds the shape; infinite for a half space. */
export function reachOf(shape: BodyShape): number {
  switch (shape.kind) {
    case "sphere":
      return shape.radius;
    case "cuboid":
      return Math.hypot(...shape.size) / 2;
    case "capsule":
      return shape.radius + shape.length / 2;
    case "cylinder":
      return Math.hypot(shape.radius, shape.height / 2);
    case "cone":
      return Math.max(0.75 * shape.height, Math.hypot(shape.radius, shape.height / 4));
    case "half_space":
      return Infinity;
    case "mesh": {
      let most = 0;
      for (let k = 0; k + 2 < shape.corners.length; k += 3) {
        most = Math.max(most, Math.hypot(shape.corners[k] ?? 0, shape.corners[k + 1] ?? 0, shape.corners[k + 2] ?? 0));
      }
      return most;
    }
    case "compound":
      return Math.max(0, ...shape.parts.map((part) => Math.hypot(part.pose[0], part.pose[1], part.pose[2]) + reachOf(part.shape)));
  }
}

/** The corners of a box around a shape, in the body's own coordinates. */
export function cornersOf(shape: BodyShape): Vector3[] {
  const reach = reachOf(shape);
  let half = new Vector3(reach, reach, reach);
  if (shape.kind === "cuboid") half = new Vector3(...shape.size).multiplyScalar(0.5);
  if (shape.kind === "capsule") half = new Vector3(shape.radius, shape.radius, shape.radius + shape.length / 2);
  if (shape.kind === "cylinder") half = new Vector3(shape.radius, shape.radius, shape.height / 2);
  if (shape.kind === "cone") half = new Vector3(shape.radius, shape.radius, 0.75 * shape.height);
  if (shape.kind === "mesh" && shape.corners.length > 0) {
    const box = meshBox(shape);
    return corners(box.min, box.max);
  }
  if (shape.kind === "compound") {
    return shape.parts.flatMap((part) => cornersOf(part.shape).map((it) => it.applyMatrix4(matrixOf(part.pose))));
  }
  return corners(half.clone().negate(), half);
}

function meshBox(mesh: MeshShape): { min: Vector3; max: Vector3 } {
  const [min, max] = [new Vector3(Infinity, Infinity, Infinity), new Vector3(-Infinity, -Infinity, -Infinity)];
  const point = new Vector3();
  for (let k = 0; k + 2 < mesh.corners.length; k += 3) {
    point.fromArray(mesh.corners, k);
    min.min(point);
    max.max(point);
  }
  return { min, max };
}

function corners(min: Vector3, max: Vector3): Vector3[] {
  const all: Vector3[] = [];
  for (const x of [min.x, max.x]) for (const y of [min.y, max.y]) for (const z of [min.z, max.z]) all.push(new Vector3(x, y, z));
  return all;
}
