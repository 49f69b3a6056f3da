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

/** What can lie over the world, beside trails and arrows. */
export const OVERLAYS = ["joints", "axes", "scale", "strobe", "future", "contacts", "normals", "forces"] as const;
export type Overlay = (typeof OVERLAYS)[number];
/** What lies over the world unless somebody says otherwise. */
export const USUAL_OVERLAYS: readonly Overlay[] = ["joints", "axes", "scale", "strobe"];
export const overlays = signal<ReadonlySet<Overlay>>(new Set(USUAL_OVERLAYS));

/** Where the camera stands: an eye and what it looks at, or a side of the scene. */
export type Stand = { eye: [number, number, number]; target: [number, number, number]; flat: boolean } | { side: string };

/** Where the camera shall stand as soon as there is something to see. */
export const wantedStand = signal<Stand | null>(null);
/** Where it stands, if the user has chosen that; a page without 3D has no camera. */
export const standOf: { read: (() => Stand | null) | null } = { read: null };

/** Whether the menu of sides and overlays is open. */
export const menuOpen = signal(false);

export function toggleOverlay(overlay: Overlay): void {
  const next = new Set(overlays.value);
  if (!next.delete(overlay)) next.add(overlay);
  overlays.value = next;
}

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
