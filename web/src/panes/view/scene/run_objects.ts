// Everything of a run that stands on the stage: its bodies, half spaces as planes, trails, and the ghost of the run before.
import { type Color, Group, Quaternion, Vector3 } from "three";
import type { Lab } from "../../../lab/lab.ts";
import { POSE } from "../../../lab/poses.ts";
import type { Run } from "../../../lab/run.ts";
import { Bodies, MAX_SHADOWED_BODIES } from "./bodies.ts";
import { Ground } from "./ground.ts";
import { type Palette, tonesOf } from "./palette.ts";
import { bodyMaterial, ghostMaterial } from "./pattern.ts";
import type { ShapeAt } from "./shapes.ts";
import { Sizes } from "./sizes.ts";

/** Materials that outlive runs. */
export class Paints {
  readonly tile = { value: 1 };
  readonly body = bodyMaterial(this.tile);
  readonly ghost = ghostMaterial();

  dispose(): void {
    this.body.dispose();
    this.ghost.dispose();
  }
}

export class RunObjects {
  readonly run: Run;
  readonly object = new Group();
  readonly bodies: Bodies;
  readonly sizes: Sizes;
  /** Half spaces, by the index of their body. */
  readonly planes = new Map<number, Ground>();
  readonly isGhost: boolean;
  readonly #pose = new Float64Array(POSE);

  constructor(lab: Lab, run: Run, paints: Paints, palette: Palette, isGhost: boolean, resized: () => void) {
    this.run = run;
    this.isGhost = isGhost;
    this.sizes = new Sizes(lab, run, resized);
    this.sizes.read();
    this.bodies = new Bodies(run, isGhost ? paints.ghost : paints.body, this.shapeAt, isGhost);
    if (isGhost) this.bodies.castShadows(false);
    this.object.add(this.bodies.object);
    if (!isGhost) {
      run.scene.bodies.forEach((body, index) => {
        if (body.shape.kind === "half_space") this.planes.set(index, new Ground(paints.tile, palette.tileA, palette.tileB));
      });
      for (const plane of this.planes.values()) this.object.add(plane.mesh);
    }
    this.paint(palette);
  }

  readonly shapeAt: ShapeAt = (body, shape, time) => this.sizes.at(body, shape, time);

  get hasShadows(): boolean {
    return this.run.scene.bodies.length <= MAX_SHADOWED_BODIES;
  }

  paint(palette: Palette): void {
    this.bodies.paint(palette);
    for (const [index, plane] of this.planes) {
      const tones = this.tones(index, palette);
      plane.paint(tones.first, tones.second);
    }
  }

  tones(index: number, palette: Palette): { first: Color; second: Color } {
    const { bodies } = this.run.scene;
    const body = bodies[index];
    if (body === undefined) return { first: palette.ghost, second: palette.ghost };
    const order = bodies.slice(0, index).filter((it) => !it.is_static).length;
    const own = body.shape.kind === "compound" ? (body.shape.parts[0]?.colors ?? []) : [];
    return tonesOf(body, body.colors.length > 0 ? body.colors : own, order, palette);
  }

  update(time: number): void {
    this.bodies.update(time);
    for (const [index, plane] of this.planes) {
      const [x, y, z, w, i, j, k] = this.run.poses.at(index, time, this.#pose) as unknown as [number, number, number, number, number, number, number];
      const turn = new Quaternion(i, j, k, w);
      plane.lay(new Vector3(x, y, z), turn, Math.abs(turn.x) + Math.abs(turn.y) + Math.abs(turn.z) < 1e-12);
    }
  }

  /** The place of a body at a time. */
  place(index: number, time: number): [number, number, number] {
    const [x, y, z] = this.run.poses.at(index, time, this.#pose);
    return [x ?? 0, y ?? 0, z ?? 0];
  }

  dispose(): void {
    this.bodies.dispose();
    for (const plane of this.planes.values()) plane.dispose();
    this.object.removeFromParent();
  }
}
