// Draws lanes on a canvas: thousands of events cost one picture, and only what is in sight is drawn.
import { niceSteps, short } from "../../lab/format.ts";
import type { EventInfo } from "../../wire/types.ts";
import type { Lane } from "./lanes.ts";

/** Sizes in rem: the axis, names before the lanes, and the room after them. */
export const AXIS = 1.375;
export const NAMES = 6.5;
export const PAD = 1.1;
/** Letters on the canvas, in rem. */
const LETTERS = 0.84375;

/** Height of a lane in rem: few lanes have more room each. */
export function laneHeight(count: number): number {
  return count <= 1 ? 1.75 : count <= 3 ? 1.375 : 1.1875;
}

/** From times to places and back. All lengths are in pixels; `rem` of them are one rem. */
export interface Scale {
  from: number;
  to: number;
  width: number;
  rem: number;
}

function extent({ width, rem }: Scale): number {
  return width - (NAMES + PAD) * rem;
}

export function place(scale: Scale, time: number): number {
  return NAMES * scale.rem + ((time - scale.from) / (scale.to - scale.from || 1)) * extent(scale);
}

export function timeAt(scale: Scale, x: number): number {
  return scale.from + ((x - NAMES * scale.rem) / (extent(scale) || 1)) * (scale.to - scale.from);
}

export interface Picture {
  lanes: readonly Lane[];
  events: readonly EventInfo[];
  scale: Scale;
  /** How far lanes are scrolled, and how high the window is. */
  top: number;
  height: number;
  /** Up to where the run has come. */
  reached: number;
  selected: number | null;
  event: number | null;
}

export function draw(canvas: HTMLCanvasElement, picture: Picture): void {
  const context = canvas.getContext("2d");
  if (context === null) return;
  const { scale, height, lanes, top } = picture;
  const ratio = devicePixelRatio;
  canvas.width = Math.round(scale.width * ratio);
  canvas.height = Math.round(height * ratio);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const style = getComputedStyle(canvas);
  const color = (name: string) => style.getPropertyValue(name).trim();
  context.font = `${LETTERS * scale.rem}px ${style.fontFamily}`;
  context.textBaseline = "middle";
  const [lane, axis] = [laneHeight(lanes.length) * scale.rem, AXIS * scale.rem];
  const first = Math.max(0, Math.floor(top / lane));
  const last = Math.min(lanes.length, Math.ceil((top + height) / lane));
  context.save();
  context.beginPath();
  context.rect(0, axis, scale.width, height - axis);
  context.clip();
  for (let k = first; k < last; k++) {
    const drawn = lanes[k];
    if (drawn !== undefined) drawLane(context, picture, drawn, axis + k * lane - top, color);
  }
  context.restore();
  drawAxis(context, picture, color);
}

type Color = (name: string) => string;

function drawLane(context: CanvasRenderingContext2D, picture: Picture, lane: Lane, y: number, color: Color): void {
  const { scale, events, reached } = picture;
  const height = laneHeight(picture.lanes.length) * scale.rem;
  const names = NAMES * scale.rem;
  if (lane.body === picture.selected) {
    context.fillStyle = color("--accent-soft");
    context.fillRect(0, y, scale.width, height);
  }
  context.fillStyle = color("--ink");
  context.textAlign = "right";
  context.fillText(fitted(context, lane.name, names - scale.rem), names - 0.6 * scale.rem, y + height / 2 + 0.5);
  lane.bands.forEach((band, k) => {
    const until = Math.min(lane.bands[k + 1]?.from ?? reached, reached);
    const from = place(scale, band.from);
    const width = place(scale, until) - from;
    if (width <= 0) return;
    context.fillStyle = color(band.state === "contact" ? "--k-contact" : "--k-free");
    // Height as well as colour tells the two apart.
    const inset = height * (band.state === "contact" ? 0.18 : 0.32);
    context.fillRect(from, y + inset, width, height - 2 * inset);
  });
  let drawn = -Infinity;
  for (const index of lane.events) {
    const event = events[index];
    if (event === undefined || (event.kind !== "collision" && event.kind !== "phenomenon")) continue;
    const x = place(scale, event.time);
    const chosen = index === picture.event;
    // Ticks closer than a third of a pixel are one tick.
    if (x - drawn < 0.33 && !chosen) continue;
    drawn = x;
    context.fillStyle = color(event.kind === "collision" ? "--k-collision" : "--k-phenomenon");
    const width = chosen ? 4 : 2;
    context.fillRect(x - width / 2, y + (chosen ? 0 : 2), width, height - (chosen ? 0 : 4));
  }
}

function drawAxis(context: CanvasRenderingContext2D, picture: Picture, color: Color): void {
  const { scale, reached, height } = picture;
  const axis = AXIS * scale.rem;
  context.fillStyle = color("--panel");
  context.fillRect(0, 0, scale.width, axis);
  if (reached < scale.to) {
    context.fillStyle = color("--raised");
    context.fillRect(place(scale, reached), 0, scale.width - place(scale, reached), height);
  }
  context.textAlign = "center";
  const steps = niceSteps(scale.from, scale.to, extent(scale) / (5.6 * scale.rem));
  steps.forEach((time, k) => {
    const x = place(scale, time);
    context.fillStyle = color("--line");
    context.fillRect(x, axis - 5, 1, 5);
    context.fillStyle = color("--ink-soft");
    // The last number says what is counted, and stays inside the picture.
    const words = k === steps.length - 1 ? `${short(time)} s` : short(time);
    const half = context.measureText(words).width / 2;
    context.fillText(words, Math.min(x, scale.width - half - 2), axis / 2 - 1);
  });
}

function fitted(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  let end = text.length;
  while (end > 1 && context.measureText(`${text.slice(0, end)}…`).width > width) end--;
  return `${text.slice(0, end)}…`;
}
