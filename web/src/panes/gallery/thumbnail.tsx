// A small picture of an experiment: its objects at the start, and the ways they go, seen from where most can be seen.
import type { Body, BodyShape, Scene } from "../../wire/types.ts";

type Point = readonly [number, number, number];
type Flat = readonly [number, number];

const SIDE = 100;

/** Two directions that span the picture: those in which things move most, with `up` upwards. */
function axes(scene: Scene, paths: readonly (readonly number[])[]): [Point, Point] {
  const up = scene.up as unknown as Point;
  const spread = [0, 1, 2].map((k) => {
    const all = paths.flatMap((path) => path.filter((_, i) => i % 3 === k));
    const starts = scene.bodies.filter((body) => !body.is_static).map((body) => body.pose[k] as number);
    const both = [...all, ...starts];
    return both.length === 0 ? 0 : Math.max(...both) - Math.min(...both);
  });
  const upAxis = [0, 1, 2].reduce((a, b) => (Math.abs(up[b] as number) > Math.abs(up[a] as number) ? b : a));
  const flat = [0, 1, 2].filter((k) => k !== upAxis);
  const [a, b] = flat as [number, number];
  const unit = (k: number): Point => [0, 1, 2].map((i) => (i === k ? 1 : 0)) as unknown as Point;
  const isFlat = (spread[upAxis] as number) < 1e-3 * Math.max(spread[a] as number, spread[b] as number);
  if (isFlat) return [unit(a), unit(b)];
  const wide = (spread[b] as number) > (spread[a] as number) ? b : a;
  return [unit(wide), [...up] as unknown as Point];
}

function dot(a: Point, b: Point): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** A point of a body in the world. */
function placed(pose: readonly number[], point: Point): Point {
  const [x, y, z, w, i, j, k] = pose as [number, number, number, number, number, number, number];
  // v + 2 w (q × v) + 2 q × (q × v)
  const c: Point = [j * point[2] - k * point[1], k * point[0] - i * point[2], i * point[1] - j * point[0]];
  const d: Point = [j * c[2] - k * c[1], k * c[0] - i * c[2], i * c[1] - j * c[0]];
  return [x + point[0] + 2 * (w * c[0] + d[0]), y + point[1] + 2 * (w * c[1] + d[1]), z + point[2] + 2 * (w * c[2] + d[2])];
}

/** Points whose hull is the shadow of a shape; a ball is a point with a radius. */
function corners(shape: BodyShape): { points: Point[]; radius: number } {
  const box = (x: number, y: number, z: number, lift = 0): Point[] =>
    [-1, 1].flatMap((a) => [-1, 1].flatMap((b) => [-1, 1].map((c): Point => [(a * x) / 2, (b * y) / 2, (c * z) / 2 + lift])));
  switch (shape.kind) {
    case "sphere":
      return { points: [[0, 0, 0]], radius: shape.radius };
    case "cuboid":
      return { points: box(shape.size[0], shape.size[1], shape.size[2]), radius: 0 };
    case "capsule":
      return { points: [[0, 0, -shape.length / 2], [0, 0, shape.length / 2]], radius: shape.radius };
    case "cylinder":
      return { points: box(2 * shape.radius, 2 * shape.radius, shape.height), radius: 0 };
    case "cone":
      return { points: [...box(2 * shape.radius, 2 * shape.radius, 0, -shape.height / 4), [0, 0, 0.75 * shape.height]], radius: 0 };
    case "half_space":
      return { points: [], radius: 0 };
    case "mesh":
      return { points: Array.from({ length: Math.min(400, shape.corners.length / 3) }, (_, k) => shape.corners.slice(3 * k, 3 * k + 3) as unknown as Point), radius: 0 };
    case "compound":
      return { points: shape.parts.flatMap((part) => corners(part.shape).points.map((point) => placed(part.pose, point))), radius: 0 };
  }
}

function hull(points: readonly Flat[]): Flat[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list: readonly Flat[]) => {
    const chain: Flat[] = [];
    for (const p of list) {
      while (chain.length > 1) {
        const [a, b] = [chain.at(-2) as Flat, chain.at(-1) as Flat];
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
        chain.pop();
      }
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  return sorted.length < 3 ? sorted : [...half(sorted), ...half(sorted.reverse())];
}

/** The part of its way at which a body is drawn, so that it is seen in motion. */
const SHOWN_AT = 0.3;
/** Bodies are drawn at least this large, with a ring around them that says so. */
const LEAST_RADIUS = 4;
/** Colours of bodies, as in the world. */
const COLORS = 8;
/** How long a live picture takes for the whole motion, in seconds. */
const LIVE_SECONDS = 4;

/** Where a body is drawn: the shift from its start. */
function shiftOf(line: readonly Flat[]): Flat {
  const [start, shown] = [line[0], line[Math.floor(SHOWN_AT * (line.length - 1))]];
  return start === undefined || shown === undefined ? [0, 0] : [shown[0] - start[0], shown[1] - start[1]];
}

/** `live` lets everything move. */
export function Thumbnail({ scene, paths, live = false }: { scene: Scene; paths: readonly (readonly number[])[]; live?: boolean }) {
  const [right, up] = axes(scene, paths);
  const flat = (point: Point): Flat => [dot(point, right), -dot(point, up)];
  const lines = paths.map((path) => Array.from({ length: path.length / 3 }, (_, k) => flat(path.slice(3 * k, 3 * k + 3) as unknown as Point)));
  const bodies = scene.bodies.map((body: Body, k) => {
    const { points, radius } = corners(body.shape);
    const line = lines[k] ?? [];
    return { body, radius, line, color: `var(--body-${(k % COLORS) + 1})`, centre: flat(body.pose.slice(0, 3) as unknown as Point), outline: hull(points.map((point) => flat(placed(body.pose, point)))) };
  });
  // What moves decides what is in the picture; floors may be cut off.
  const moving = bodies.filter((it) => !it.body.is_static);
  const seen = [...lines.flat(), ...moving.flatMap((it) => it.outline.flatMap(([x, y]): Flat[] => [[x - it.radius, y - it.radius], [x + it.radius, y + it.radius]]))];
  const all = seen.length > 0 ? seen : bodies.flatMap((it) => it.outline);
  const bound = (pick: (...values: number[]) => number, k: 0 | 1) => all.reduce((found, it) => pick(found, it[k]), all[0]?.[k] ?? 0);
  const [left, rightmost, top, bottom] = [bound(Math.min, 0), bound(Math.max, 0), bound(Math.min, 1), bound(Math.max, 1)];
  const [width, height] = [1.6 * SIDE, SIDE];
  const unit = Math.min((0.84 * width) / Math.max(rightmost - left, 1e-9), (0.8 * height) / Math.max(bottom - top, 1e-9));
  const place = ([x, y]: Flat): Flat => [width / 2 + (x - (left + rightmost) / 2) * unit, height / 2 + (y - (top + bottom) / 2) * unit];
  const at = (point: Flat): string => place(point).map((it) => it.toFixed(1)).join(" ");
  const path = (points: readonly Flat[]) => points.map((point, k) => `${k === 0 ? "M" : "L"}${at(point)}`).join("");
  return (
    <svg class="thumbnail" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {bodies.map(({ body, outline, radius, centre }) => {
        if (!body.is_static) return null;
        // A half-space has no corners: its ground fills what is below it.
        if (outline.length === 0) return body.shape.kind === "half_space" && Math.abs(up[2]) > 0.5 ? <rect key={body.name} class="static" x="-2" width={width + 4} y={place(centre)[1]} height={4 * height} /> : null;
        return <path key={body.name} class="static" d={`${path(outline)}Z`} stroke-width={Math.max(1, 2 * radius * unit)} />;
      })}
      {moving.map(({ body, line, color }) => line.length > 1 && <path key={body.name} class="way" style={{ stroke: color }} d={path(line)} />)}
      {moving.map(({ body, line, color, outline, radius, centre }) => {
        if (outline.length === 0) return null;
        const [x, y] = place(centre);
        const reach = outline.reduce((most, it) => Math.max(most, Math.hypot(it[0] - centre[0], it[1] - centre[1])), 0) + radius;
        const grown = Math.max(1, LEAST_RADIUS / Math.max(reach * unit, 1e-9));
        const shift = shiftOf(line);
        const steps = line.map((it) => `${((it[0] - (line[0] as Flat)[0]) * unit).toFixed(1)} ${((it[1] - (line[0] as Flat)[1]) * unit).toFixed(1)}`);
        const isRound = outline.length === 1;
        return (
          <g key={body.name} class="body" style={{ "--color": color }} transform={`translate(${(shift[0] * unit).toFixed(1)} ${(shift[1] * unit).toFixed(1)})`}>
            {live && steps.length > 1 && <animateTransform attributeName="transform" type="translate" values={steps.join(";")} dur={`${LIVE_SECONDS}s`} repeatCount="indefinite" />}
            {isRound ? (
              <circle cx={x} cy={y} r={Math.max(LEAST_RADIUS, radius * unit)} />
            ) : (
              <g transform={grown === 1 ? undefined : `translate(${x} ${y}) scale(${grown}) translate(${-x} ${-y})`}>
                <path d={`${path(outline)}Z`} stroke-width={Math.max(0.5, 2 * radius * unit)} />
              </g>
            )}
            {grown > 2 && <circle class="halo" cx={x} cy={y} r={LEAST_RADIUS + 2.5} />}
          </g>
        );
      })}
    </svg>
  );
}
