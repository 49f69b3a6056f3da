// A line around the selected body, as wide everywhere, and seen through what stands before it: the body is drawn once as a stencil,
// then eight times a little beside itself, where the stencil is not.
import {
  AlwaysStencilFunc,
  type Color,
  Group,
  InstancedBufferAttribute,
  InstancedMesh,
  Mesh,
  MeshBasicMaterial,
  NotEqualStencilFunc,
  ReplaceStencilOp,
  ShaderMaterial,
  Vector2,
} from "three";
import type { Drawn } from "./bodies.ts";

const DIRECTIONS = Array.from({ length: 8 }, (_, k) => [Math.cos((Math.PI * k) / 4), Math.sin((Math.PI * k) / 4)] as const);

const VERTEX = /* glsl */ `
attribute vec2 beside;
uniform vec2 resolution;
void main() {
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  gl_Position.xy += beside * 5.0 / resolution * gl_Position.w;
}
`;

const FRAGMENT = /* glsl */ `
uniform vec3 tone;
void main() {
  gl_FragColor = vec4(tone, 1.0);
  #include <colorspace_fragment>
}
`;

export class Outline {
  readonly object = new Group();
  readonly #mask = new MeshBasicMaterial({ colorWrite: false, depthTest: false, depthWrite: false, transparent: true });
  readonly #rim = new ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    depthTest: false,
    depthWrite: false,
    transparent: true,
    uniforms: { resolution: { value: new Vector2(1, 1) }, tone: { value: null } },
  });
  #shown: readonly Drawn[] = [];

  constructor() {
    for (const material of [this.#mask, this.#rim]) {
      material.stencilWrite = true;
      material.stencilRef = 1;
    }
    this.#mask.stencilFunc = AlwaysStencilFunc;
    this.#mask.stencilZPass = ReplaceStencilOp;
    this.#rim.stencilFunc = NotEqualStencilFunc;
  }

  /** Puts the line around these pieces, or around nothing. */
  show(pieces: readonly Drawn[]): void {
    if (pieces === this.#shown) return;
    this.#clear();
    this.#shown = pieces;
    for (const { kind } of pieces) {
      const mask = new Mesh(kind.geometry, this.#mask);
      mask.renderOrder = 20;
      const geometry = kind.geometry.clone();
      geometry.setAttribute("beside", new InstancedBufferAttribute(new Float32Array(DIRECTIONS.flat()), 2));
      const rim = new InstancedMesh(geometry, this.#rim, DIRECTIONS.length);
      rim.renderOrder = 21;
      for (const mesh of [mask, rim]) {
        mesh.frustumCulled = false;
        mesh.matrixAutoUpdate = false;
      }
      this.object.add(mask, rim);
    }
  }

  paint(color: Color): void {
    if (this.#rim.uniforms["tone"] !== undefined) this.#rim.uniforms["tone"].value = color;
  }

  resize(width: number, height: number): void {
    const resolution = this.#rim.uniforms["resolution"]?.value as Vector2 | undefined;
    resolution?.set(width, height);
  }

  /** Goes where the body has gone. */
  update(): void {
    this.#shown.forEach(({ place }, k) => {
      this.object.children[2 * k]?.matrix.copy(place);
      this.object.children[2 * k + 1]?.matrix.copy(place);
    });
  }

  #clear(): void {
    for (const child of this.object.children) {
      if (!(child instanceof InstancedMesh)) continue;
      child.geometry.dispose();
      child.dispose();
    }
    this.object.clear();
  }

  dispose(): void {
    this.#clear();
    this.#mask.dispose();
    this.#rim.dispose();
    this.object.removeFromParent();
  }
}
