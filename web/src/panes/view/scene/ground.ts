// Planes without an end: the ground under everything, and half spaces. Tiles say how far away things are, and fade out with
// distance. Seen from below there is nothing, so that it hides nobody.
import { type Color, Matrix3, Matrix4, Mesh, MeshLambertMaterial, PlaneGeometry, Quaternion, Vector3, type WebGLProgramParametersWithUniforms } from "three";
import { TILES } from "./pattern.ts";

interface Uniforms {
  tone1: { value: Color };
  tone2: { value: Color };
  tile: { value: number };
  /** Turns the world to the directions of the tiles. */
  turn: { value: Matrix3 };
  /** Which way is up, in the world. */
  normal: { value: Vector3 };
  focus: { value: Vector3 };
  reach: { value: number };
}

const FRAGMENT_HEAD = /* glsl */ `
varying vec3 vWorld;
uniform vec3 tone1;
uniform vec3 tone2;
uniform float tile;
uniform mat3 turn;
uniform vec3 upwards;
uniform vec3 focus;
uniform float reach;
${TILES}
`;

const FRAGMENT = /* glsl */ `
vec3 there = turn * (vWorld / tile - 0.002 * upwards);
diffuseColor.rgb = mix(tone1, tone2, tiles(there));
float away = length(vWorld - focus - dot(vWorld - focus, upwards) * upwards);
diffuseColor.a *= 1.0 - smoothstep(0.15 * reach, reach, away);
`;

export class Ground {
  readonly mesh: Mesh<PlaneGeometry, MeshLambertMaterial>;
  readonly #uniforms: Uniforms;
  readonly #point = new Vector3();
  readonly #turn = new Quaternion();

  constructor(tile: { value: number }, tone1: Color, tone2: Color) {
    this.#uniforms = {
      tone1: { value: tone1 },
      tone2: { value: tone2 },
      tile,
      turn: { value: new Matrix3() },
      normal: { value: new Vector3(0, 0, 1) },
      focus: { value: new Vector3() },
      reach: { value: 1 },
    };
    const material = new MeshLambertMaterial({ transparent: true, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    material.onBeforeCompile = (shader) => this.#compile(shader);
    material.customProgramCacheKey = () => "gedanken ground";
    this.mesh = new Mesh(new PlaneGeometry(2, 2), material);
    this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -1;
    this.mesh.matrixAutoUpdate = false;
  }

  #compile(shader: WebGLProgramParametersWithUniforms): void {
    const { normal, ...others } = this.#uniforms;
    Object.assign(shader.uniforms, others, { upwards: normal });
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec3 vWorld;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nvWorld = (modelMatrix * vec4(position, 1.0)).xyz;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", `#include <common>\n${FRAGMENT_HEAD}`)
      .replace("#include <color_fragment>", FRAGMENT);
  }

  /** Lies at a point, its z turned upwards by a rotation. `aligned` says whether tiles shall lie along the axes of the world. */
  lay(point: Vector3, turn: Quaternion, aligned: boolean): void {
    this.#point.copy(point);
    this.#turn.copy(turn);
    this.#uniforms.normal.value.set(0, 0, 1).applyQuaternion(turn);
    if (aligned) this.#uniforms.turn.value.identity();
    else this.#uniforms.turn.value.setFromMatrix4(new Matrix4().makeRotationFromQuaternion(turn.clone().invert()));
  }

  paint(tone1: Color, tone2: Color): void {
    this.#uniforms.tone1.value = tone1;
    this.#uniforms.tone2.value = tone2;
  }

  /** Reaches so far around a point. */
  spread(focus: Vector3, reach: number): void {
    this.#uniforms.focus.value.copy(focus);
    this.#uniforms.reach.value = reach;
    const normal = this.#uniforms.normal.value;
    const centre = focus.clone().addScaledVector(normal, this.#point.clone().sub(focus).dot(normal));
    this.mesh.matrix.compose(centre, this.#turn, new Vector3(reach, reach, reach));
    this.mesh.matrixWorldNeedsUpdate = true;
  }

  /** Where a ray from above meets it: the distance, if it does. */
  meet(origin: Vector3, direction: Vector3): number | null {
    const normal = this.#uniforms.normal.value;
    const fall = -direction.dot(normal);
    if (fall <= 0) return null;
    const distance = origin.clone().sub(this.#point).dot(normal) / fall;
    return distance > 0 ? distance : null;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.mesh.removeFromParent();
  }
}
