// What the user has chosen to see in the 3D view. Other panes may read and set it.
import { signal } from "@preact/signals";

/** Above so many bodies, trails are off unless they are asked for. */
export const FEW_BODIES = 20;

/** Whether trails are drawn; `null` is: if there are few bodies. */
export const allTrails = signal<boolean | null>(null);
/** Bodies whose trails are on or off whatever the others do, by name. */
export const trailOf = signal<Readonly<Record<string, boolean>>>({});
/** Whether the run before is shown in grey. */
export const showsGhost = signal(true);
/** Whether the camera goes with the selected body. */
export const follows = signal(false);

/** Whether a body's trail is drawn. */
export function hasTrail(name: string, bodies: number): boolean {
  return trailOf.value[name] ?? allTrails.value ?? bodies <= FEW_BODIES;
}

/** Turns all trails on or off; none is an exception any more. */
export function setTrails(on: boolean): void {
  allTrails.value = on;
  trailOf.value = {};
}

export function setTrail(name: string, on: boolean): void {
  trailOf.value = { ...trailOf.value, [name]: on };
}
