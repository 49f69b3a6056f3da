// A dot for every body that is too small to be seen: a rocket on its way over a hundred kilometres.
import { BufferAttribute, BufferGeometry, Points, ShaderMaterial } from "three";
import type { RunObjects } from "./run_objects.ts";
import type { Palette } from "./palette.ts";
import { reachOf } from "./shapes.ts";

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
  if (reach * scale * projectionMatrix[1][1] > 0.4 * size * gl_Position.w) gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
}
`;

const FRAGMENT = /* glsl */ `
varying vec3 vTone;

void main() {
  float away = length(gl_PointCoord - 0.5);
  gl_FragColor = vec4(vTone, 1.0 - smoothstep(0.4, 0.5, away));
  #include <colorspace_fragment>
}
`;

/** The width of a dot, in pixels of the page. */
const SIZE = 7;

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
