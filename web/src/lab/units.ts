// Units, where the engine knows them: the mechanics of rigid bodies reads and gives SI. Laws that a text writes itself have no units,
// and none are shown for them.
import type { Scene } from "../wire/types.ts";

const OF_BODIES: Readonly<Record<string, string>> = {
  position: "m",
  velocity: "m/s",
  angular_velocity: "rad/s",
  acceleration: "m/s²",
  angular_acceleration: "rad/s²",
  mass: "kg",
  size: "m",
  radius: "m",
  height: "m",
  kinetic_energy: "J",
  rotational_energy: "J",
};

/** Whether the mechanics of a scene is that of rigid bodies: only it counts points at which bodies touch. */
export function hasUnits(scene: Scene): boolean {
  return scene.quantities.some((it) => it.owner === "world" && it.name === "contacts" && !it.constant) && scene.quantities.some((it) => it.owner === "world" && it.name === "numerical_error" && !it.constant);
}

/** The unit of an attribute of a body; nothing where it is not known. */
export function unitOfBody(scene: Scene, name: string): string {
  return hasUnits(scene) ? (OF_BODIES[name] ?? "") : "";
}
