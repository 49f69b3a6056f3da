// Marks on trails at equal times, as a strobe lamp would show them: where they lie apart a body is fast.
import { BufferAttribute, BufferGeometry, type Color, Points, ShaderMaterial } from "three";
import { POSE } from "../../../lab/poses.ts";
import type { Run } from "../../../lab/run.ts";
import { roundUp } from "../up_frame.ts";

/** About so many marks for each body, and at most so many for all. */
const MARKS = 50;
const MAX_MARKS = 20_000;
/** Width of a mark, in pixels of the page. */
const SIZE = 7;

const VERTEX = /* glsl */ `
attribute vec3 tone;
attribute float when;
uniform float size;
uniform float now;
uniform float future;
varying vec3 vTone;
varying float vOpacity;

void main() {
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  gl_PointSize = size;
  vTone = tone;
  vOpacity = when <= now ? 0.75 : future;
  if (vOpacity <= 0.0) gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
}
`;

const FRAGMENT = /* glsl */ `
varying vec3 vTone;
varying float vOpacity;

void main() {
  float away = length(gl_PointCoord - 0.5);
  gl_FragColor = vec4(vTone, vOpacity * (1.0 - smoothstep(0.4, 0.5, away)));
  #include <colorspace_fragment>
}
`;

export class Strobe {
  readonly object: Points<BufferGeometry, ShaderMaterial>;
  /** Time from one mark to the next. */
  interval = 0;
  #start = 0;

  constructor() {
    const uniforms = { size: { value: SIZE }, now: { value: 0 }, future: { value: 0 } };
    const material = new ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms, transparent: true, depthWrite: false });
    this.object = new Points(new BufferGeometry(), material);
    this.object.frustumCulled = false;
    this.object.renderOrder = 3;
  }

  /** How many marks there are. */
  get count(): number {
    return this.object.geometry.getAttribute("position")?.count ?? 0;
  }

  /** Puts marks on the trails of some bodies, as far as the run is known; on none, unless they are `wanted`. */
  draw(run: Run | null, wanted: boolean, shown: (body: number) => boolean, colorOf: (body: number) => Color): void {
    const [places, tones, times]: [number[], number[], number[]] = [[], [], []];
    if (run !== null && wanted) {
      const { initial_time: start, end, bodies } = run.scene;
      this.#start = start;
      this.interval = roundUp((end - start) / MARKS);
      const moving = bodies.flatMap((body, index) => (body.moves !== null && shown(index) ? [index] : []));
      const count = Math.min(Math.floor((run.poses.end - start) / this.interval + 1e-9), Math.floor(MAX_MARKS / Math.max(1, moving.length)));
      const pose = new Float64Array(POSE);
      for (const body of moving) {
        const color = colorOf(body);
        for (let k = 0; k <= count; k++) {
          run.poses.at(body, start + k * this.interval, pose);
          places.push(pose[0] ?? 0, pose[1] ?? 0, pose[2] ?? 0);
          tones.push(color.r, color.g, color.b);
          times.push(k * this.interval);
        }
      }
    }
    this.object.geometry.dispose();
    this.object.geometry = new BufferGeometry();
    const take = (name: string, numbers: number[], width: number) => this.object.geometry.setAttribute(name, new BufferAttribute(new Float32Array(numbers), width));
    take("position", places, 3);
    take("tone", tones, 3);
    take("when", times, 1);
    this.object.visible = times.length > 0;
  }

  show(time: number, future: number): void {
    const own = this.object.material.uniforms;
    if (own["now"] !== undefined) own["now"].value = time - this.#start + 1e-9;
    if (own["future"] !== undefined) own["future"].value = future;
  }

  resize(ratio: number): void {
    const { size } = this.object.material.uniforms;
    if (size !== undefined) size.value = SIZE * ratio;
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
    this.object.removeFromParent();
  }
}
