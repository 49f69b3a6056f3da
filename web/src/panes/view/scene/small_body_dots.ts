// A dot with a halo for every body that is too small to be seen: a rocket on its way over a hundred kilometres. The halo says that
// it is a mark, and not the body.
import { BufferAttribute, BufferGeometry, Points, ShaderMaterial } from "three";
import type { RunObjects } from "./run_objects.ts";
import type { Palette } from "./palette.ts";
import { reachOf } from "./shapes.ts";

/** The width of a halo, in pixels of the page, and the part of it that a body must have to be seen itself. */
const SIZE = 18;
const SEEN = 0.16;

const VERTEX = /* glsl */ `
attribute vec3 tone;
attribute float reach;
uniform float scale;
uniform float size;
varying vec3 vTone;

void main() {
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  vTone = tone;
  gl_PointSize = size;
  // As soon as the body itself is seen, its dot goes.
  if (reach * scale * projectionMatrix[1][1] > ${SEEN} * size * gl_Position.w) gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
}
`;

const FRAGMENT = /* glsl */ `
varying vec3 vTone;

void main() {
  float away = length(gl_PointCoord - 0.5);
  float core = 1.0 - smoothstep(0.17, 0.22, away);
  float halo = smoothstep(0.36, 0.4, away) * (1.0 - smoothstep(0.45, 0.5, away));
  gl_FragColor = vec4(vTone, max(core, 0.75 * halo));
  #include <colorspace_fragment>
}
`;

export class SmallBodyDots {
  readonly object: Points<BufferGeometry, ShaderMaterial>;
  #objects: RunObjects | null = null;
  #moving: number[] = [];

  constructor() {
    const uniforms = { scale: { value: 1 }, size: { value: SIZE } };
    const material = new ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms, transparent: true, depthWrite: false });
    this.object = new Points(new BufferGeometry(), material);
    this.object.frustumCulled = false;
  }

  show(objects: RunObjects | null): void {
    this.#objects = objects;
    const bodies = objects?.run.scene.bodies ?? [];
    this.#moving = bodies.flatMap((body, index) => (body.moves === null ? [] : [index]));
    this.object.geometry.dispose();
    this.object.geometry = new BufferGeometry();
    const attribute = (name: string, width: number) => this.object.geometry.setAttribute(name, new BufferAttribute(new Float32Array(width * this.#moving.length), width));
    attribute("position", 3);
    attribute("tone", 3);
    attribute("reach", 1);
    this.#moving.forEach((index, k) => {
      const shape = bodies[index]?.shape;
      this.object.geometry.getAttribute("reach").setX(k, shape === undefined ? 0 : reachOf(shape));
    });
    this.object.visible = this.#moving.length > 0;
  }

  /** Whether some body is marked, where a length of 1 has so many pixels. */
  marks(pixelsPerLength: number): boolean {
    const reaches = this.object.geometry.getAttribute("reach");
    return this.#moving.some((_, k) => reaches.getX(k) * pixelsPerLength <= SEEN * SIZE);
  }

  paint(palette: Palette): void {
    const tones = this.object.geometry.getAttribute("tone");
    this.#moving.forEach((index, k) => {
      const color = this.#objects?.tones(index, palette).first ?? palette.ghost;
      tones.setXYZ(k, color.r, color.g, color.b);
    });
    if (tones !== undefined) tones.needsUpdate = true;
  }

  update(time: number): void {
    const places = this.object.geometry.getAttribute("position");
    if (this.#objects === null || places === undefined) return;
    this.#moving.forEach((index, k) => {
      const [x, y, z] = this.#objects?.place(index, time) ?? [0, 0, 0];
      places.setXYZ(k, x, y, z);
    });
    places.needsUpdate = true;
  }

  /** The height of the picture, in pixels of the page, and how many pixels of the screen each is. */
  resize(height: number, ratio: number): void {
    const { scale, size } = this.object.material.uniforms;
    if (scale !== undefined) scale.value = (height * ratio) / 2;
    if (size !== undefined) size.value = SIZE * ratio;
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
    this.object.removeFromParent();
  }
}
