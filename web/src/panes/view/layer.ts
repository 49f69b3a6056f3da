// Layers of the 3D view: whatever is drawn beside the bodies, such as arrows, without the view knowing what it is.
import type { Object3D, PerspectiveCamera } from "three";
import type { Lab } from "../../lab/lab.ts";
import type { Run } from "../../lab/run.ts";

/** What a layer may know of the view. */
export interface Stage {
  readonly lab: Lab;
  readonly camera: PerspectiveCamera;
  /** The length of the scene's longest side: what sizes of arrows and labels are relative to. */
  readonly extent: number;
  /** Where labels go: an element over the canvas; `place` puts one at a point of the world. */
  readonly labels: HTMLElement;
  place(label: HTMLElement, point: readonly [number, number, number]): void;
  /** Draw again soon, even if no time passes. */
  refresh(): void;
}

/** Something that is drawn over the bodies. */
export interface Layer {
  readonly object: Object3D;
  /** Another run is on screen. */
  show(run: Run | null): void;
  /** The moment has changed, or something else that is drawn. */
  update(time: number): void;
  dispose(): void;
}

export type MakeLayer = (stage: Stage) => Layer;
