// Draws lanes on a canvas: thousands of events cost one picture, and only what is in sight is drawn.
import { niceSteps, short } from "../../lab/format.ts";
import type { EventInfo } from "../../wire/types.ts";
import type { Lane } from "./lanes.ts";

export const LANE = 18;
export const AXIS = 18;
export const NAMES = 110;
const PAD = 10;

/** From times to places and back. */
export interface Scale {
  from: number;
  to: number;
  width: number;
}

export function place(scale: Scale, time: number): number {
  return NAMES + ((time - scale.from) / (scale.to - scale.from || 1)) * (scale.width - NAMES - PAD);
}

export function timeAt(scale: Scale, x: number): number {
  return scale.from + ((x - NAMES) / (scale.width - NAMES - PAD || 1)) * (scale.to - scale.from);
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
  context.font = `12px ${style.fontFamily}`;
  context.textBaseline = "middle";
  const first = Math.max(0, Math.floor(top / LANE));
  const last = Math.min(lanes.length, Math.ceil((top + height) / LANE));
  context.save();
  context.beginPath();
  context.rect(0, AXIS, scale.width, height - AXIS);
  context.clip();
  for (let k = first; k < last; k++) {
    const lane = lanes[k];
    if (lane !== undefined) drawLane(context, picture, lane, AXIS + k * LANE - top, color);
  }
  context.restore();
  drawAxis(context, picture, color);
}

type Color = (name: string) => string;

function drawLane(context: CanvasRenderingContext2D, picture: Picture, lane: Lane, y: number, color: Color): void {
  const { scale, events, reached } = picture;
  if (lane.body === picture.selected) {
    context.fillStyle = color("--accent-soft");
    context.fillRect(0, y, scale.width, LANE);
  }
  context.fillStyle = color("--ink");
  context.textAlign = "right";
  context.fillText(fitted(context, lane.name, NAMES - 20), NAMES - 10, y + LANE / 2 + 0.5);
  lane.bands.forEach((band, k) => {
    const until = Math.min(lane.bands[k + 1]?.from ?? reached, reached);
    const from = place(scale, band.from);
    const width = place(scale, until) - from;
    if (width <= 0) return;
    context.fillStyle = color(band.state === "contact" ? "--k-contact" : "--k-free");
    // Height as well as colour tells the two apart.
    const inset = band.state === "contact" ? 3 : 6;
    context.fillRect(from, y + inset, width, LANE - 2 * inset);
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
    const width = chosen ? 4 : 1.5;
    context.fillRect(x - width / 2, y + (chosen ? 0 : 2), width, LANE - (chosen ? 0 : 4));
  }
}

function drawAxis(context: CanvasRenderingContext2D, picture: Picture, color: Color): void {
  const { scale, reached, height } = picture;
  context.fillStyle = color("--panel");
  context.fillRect(0, 0, scale.width, AXIS);
  if (reached < scale.to) {
    context.fillStyle = color("--raised");
    context.fillRect(place(scale, reached), 0, scale.width - place(scale, reached), height);
  }
  context.textAlign = "center";
  for (const time of niceSteps(scale.from, scale.to, (scale.width - NAMES) / 90)) {
    const x = place(scale, time);
    context.fillStyle = color("--line");
    context.fillRect(x, AXIS - 5, 1, 5);
    context.fillStyle = color("--ink-soft");
    context.fillText(short(time), x, AXIS / 2 - 1);
  }
}

function fitted(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  let end = text.length;
  while (end > 1 && context.measureText(`${text.slice(0, end)}…`).width > width) end--;
  return `${text.slice(0, end)}…`;
}
