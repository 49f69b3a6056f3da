// Lines as wide as one wants, in any number, with one draw call: each is a strip of two triangles that the graphics card turns to
// the eye. A line has a time at each end: what is later than now is faint.
import { type Color, DoubleSide, InstancedBufferAttribute, InstancedBufferGeometry, BufferAttribute, Mesh, ShaderMaterial, Vector2 } from "three";

const VERTEX = /* glsl */ `
attribute vec3 begin;
attribute vec3 end;
attribute vec2 times;
attribute vec3 tone;
uniform vec2 resolution;
uniform float width;
uniform float near;
varying float vTime;
varying vec3 vTone;

void main() {
  vec4 a = modelViewMatrix * vec4(begin, 1.0);
  vec4 b = modelViewMatrix * vec4(end, 1.0);
  // What is behind the eye has no place on the screen.
  if (a.z > -near && b.z > -near) {
    gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
    return;
  }
  vec2 at = times;
  if (a.z > -near) {
    float u = (-near - b.z) / (a.z - b.z);
    a = mix(b, a, u);
    at.x = mix(at.y, at.x, u);
  } else if (b.z > -near) {
    float u = (-near - a.z) / (b.z - a.z);
    b = mix(a, b, u);
    at.y = mix(at.x, at.y, u);
  }
  vec4 from = projectionMatrix * a;
  vec4 to = projectionMatrix * b;
  vec2 way = (to.xy / to.w - from.xy / from.w) * resolution;
  vec2 along = dot(way, way) > 1e-12 ? normalize(way) : vec2(1.0, 0.0);
  vec4 here = position.y < 0.5 ? from : to;
  here.xy += vec2(-along.y, along.x) * position.x * width / resolution * here.w;
  gl_Position = here;
  vTime = position.y < 0.5 ? at.x : at.y;
  vTone = tone;
}
`;

const FRAGMENT = /* glsl */ `
uniform float now;
uniform float strong;
uniform float faint;
uniform float old;
uniform float recent;
varying float vTime;
varying vec3 vTone;

void main() {
  float opacity = vTime > now ? faint : mix(old, strong, smoothstep(now - 1.25 * recent, now - recent, vTime));
  if (opacity <= 0.0) discard;
  gl_FragColor = vec4(vTone, opacity);
  #include <colorspace_fragment>
}
`;

export interface LineStyle {
  /** In pixels of the page. */
  width: number;
  /** Opacity up to now. */
  strong: number;
  /** Opacity after it. */
  faint: number;
  /** Opacity of what is long ago; `strong`, if nothing is said. */
  old?: number;
}

export class Lines {
  readonly object: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  #room = 0;
  #count = 0;
  #begin = new Float32Array();
  #end = new Float32Array();
  #times = new Float32Array();
  #tone = new Float32Array();

  constructor(style: LineStyle) {
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthWrite: false,
      side: DoubleSide,
      uniforms: {
        resolution: { value: new Vector2(1, 1) },
        width: { value: style.width },
        near: { value: 1e-3 },
        now: { value: 1e30 },
        strong: { value: style.strong },
        faint: { value: style.faint },
        old: { value: style.old ?? style.strong },
        recent: { value: 1e30 },
      },
    });
    this.object = new Mesh(emptyGeometry(), material);
    this.object.frustumCulled = false;
    this.object.visible = false;
  }

  /** How many lines there are. */
  get count(): number {
    return this.#count;
  }

  clear(): void {
    this.#count = 0;
  }

  /** Adds a line; times are relative to the start of the run, as small numbers keep more digits. */
  add(from: ArrayLike<number>, to: ArrayLike<number>, since: number, until: number, color: Color): void {
    if (this.#count === this.#room) this.#grow();
    const k = this.#count++;
    for (let i = 0; i < 3; i++) {
      this.#begin[3 * k + i] = from[i] ?? 0;
      this.#end[3 * k + i] = to[i] ?? 0;
    }
    this.#times[2 * k] = since;
    this.#times[2 * k + 1] = until;
    this.#tone[3 * k] = color.r;
    this.#tone[3 * k + 1] = color.g;
    this.#tone[3 * k + 2] = color.b;
  }

  /** Hands everything that was added to the graphics card. */
  commit(): void {
    const { geometry } = this.object;
    const take = (name: string, numbers: Float32Array, width: number) => {
      const known = geometry.getAttribute(name);
      if (known instanceof InstancedBufferAttribute && known.array === numbers) known.needsUpdate = true;
      else geometry.setAttribute(name, new InstancedBufferAttribute(numbers, width));
    };
    if (geometry.getAttribute("begin")?.array !== this.#begin && geometry.getAttribute("begin") !== undefined) {
      // Buffers that have grown cannot keep their place.
      geometry.dispose();
      this.object.geometry = emptyGeometry();
      return this.commit();
    }
    take("begin", this.#begin, 3);
    take("end", this.#end, 3);
    take("times", this.#times, 2);
    take("tone", this.#tone, 3);
    geometry.instanceCount = this.#count;
    this.object.visible = this.#count > 0;
  }

  /** What changes from picture to picture. */
  set(uniforms: { now?: number; width?: number; height?: number; near?: number; recent?: number; faint?: number }): void {
    const own = this.object.material.uniforms;
    if (uniforms.recent !== undefined && own["recent"] !== undefined) own["recent"].value = uniforms.recent;
    if (uniforms.faint !== undefined && own["faint"] !== undefined) own["faint"].value = uniforms.faint;
    if (uniforms.now !== undefined && own["now"] !== undefined) own["now"].value = uniforms.now;
    if (uniforms.near !== undefined && own["near"] !== undefined) own["near"].value = uniforms.near;
    if (uniforms.width !== undefined && uniforms.height !== undefined && own["resolution"] !== undefined) {
      (own["resolution"].value as Vector2).set(uniforms.width, uniforms.height);
    }
  }

  /** The ends of a line and its times, to be looked for by the pointer. */
  get ends(): { begin: Float32Array; end: Float32Array; times: Float32Array } {
    return { begin: this.#begin, end: this.#end, times: this.#times };
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
    this.object.removeFromParent();
  }

  #grow(): void {
    this.#room = Math.max(256, 2 * this.#room);
    const larger = (old: Float32Array<ArrayBuffer>, width: number) => {
      const made = new Float32Array(width * this.#room);
      made.set(old);
      return made;
    };
    this.#begin = larger(this.#begin, 3);
    this.#end = larger(this.#end, 3);
    this.#times = larger(this.#times, 2);
    this.#tone = larger(this.#tone, 3);
  }
}

function emptyGeometry(): InstancedBufferGeometry {
  const geometry = new InstancedBufferGeometry();
  // x is the side of the line, y its end.
  geometry.setAttribute("position", new BufferAttribute(new Float32Array([-1, 0, 0, 1, 0, 0, 1, 1, 0, -1, 1, 0]), 3));
  geometry.setIndex([0, 1, 2, 0, 2, 3]);
  return geometry;
}
