// Directions that belong to the scene's idea of up: right, away and up, a right-handed frame.
import { Matrix4, Quaternion, Vector3 } from "three";

export interface UpFrame {
  right: Vector3;
  away: Vector3;
  up: Vector3;
  /** Whether up is one of the axes; then tiles can lie along all of them. */
  straight: boolean;
}

/** The frame that belongs to an up: x goes to the right whenever it can. */
export function upFrameOf(direction: readonly number[]): UpFrame {
  const up = new Vector3(direction[0] ?? 0, direction[1] ?? 0, direction[2] ?? 0);
  if (!(up.lengthSq() > 0)) up.set(0, 0, 1);
  up.normalize();
  const right = Math.abs(up.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
  right.addScaledVector(up, -right.dot(up)).normalize();
  const away = new Vector3().crossVectors(up, right);
  const straight = [up.x, up.y, up.z].filter((it) => Math.abs(it) < 1e-9).length === 2;
  return { right, away, up, straight };
}

/** The rotation that turns z to up. */
export function uprightOf(basis: UpFrame): Quaternion {
  return new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(basis.right, basis.away, basis.up));
}

/** The next 1, 2 or 5 times a power of ten that is not smaller. */
export function roundUp(length: number): number {
  const power = 10 ** Math.floor(Math.log10(length));
  return ([1, 2, 5].find((it) => it * power >= length * (1 - 1e-9)) ?? 10) * power;
}
