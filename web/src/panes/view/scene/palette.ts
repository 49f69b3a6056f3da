// Colours of the 3D view, from the style of the page as it is now.
import { Color } from "three";
import type { Body } from "../../../wire/types.ts";

export interface Palette {
  bodies: readonly Color[];
  tileA: Color;
  tileB: Color;
  /** What stands still and has no colour of its own. */
  stillA: Color;
  stillB: Color;
  ghost: Color;
  /** Joints, springs and ropes. */
  joint: Color;
  /** Normals and forces of contacts. */
  normal: Color;
  force: Color;
  accent: Color;
  /** How much the second tone of a body differs from the only one that is given, towards white if positive. */
  contrast: number;
}

const BODIES = ["--body-1", "--body-2", "--body-3", "--body-4", "--body-5", "--body-6", "--body-7", "--body-8"];

export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const color = (name: string) => new Color(style.getPropertyValue(name).trim() || "gray");
  return {
    bodies: BODIES.map(color),
    tileA: color("--tile-a"),
    tileB: color("--tile-b"),
    stillA: color("--body-still-a"),
    stillB: color("--body-still-b"),
    ghost: color("--ghost"),
    joint: color("--joint"),
    normal: color("--q-blue"),
    force: color("--q-vermilion"),
    accent: color("--accent"),
    contrast: Number(style.getPropertyValue("--body-contrast")) || 0.3,
  };
}

export interface Tones {
  first: Color;
  second: Color;
}

const WHITE = new Color(1, 1, 1);
const BLACK = new Color(0, 0, 0);

function given(rgb: readonly [number, number, number]): Color {
  return new Color().setRGB(rgb[0], rgb[1], rgb[2], "srgb");
}

/** The two tones of a body, or of a part with colours of its own. `order` counts the bodies that are not static. */
export function tonesOf(body: Body, own: Body["colors"], order: number, palette: Palette): Tones {
  const [one, two] = own.length > 0 ? own : body.colors;
  if (one === undefined && body.is_static) return { first: palette.stillA, second: palette.stillB };
  const first = one === undefined ? (palette.bodies[order % palette.bodies.length] ?? palette.ghost) : given(one);
  if (two !== undefined) return { first, second: given(two) };
  const step = body.is_static ? 0.12 : palette.contrast;
  // A light colour goes with a darker one.
  const bright = first.getHSL({ h: 0, s: 0, l: 0 }, "srgb").l > 0.7;
  return { first, second: first.clone().lerp(bright ? BLACK : WHITE, step) };
}
