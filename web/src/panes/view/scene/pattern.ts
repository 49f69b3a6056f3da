// Two tones on every body, so that it is seen to turn: the octants of the body's own space have them in turns. What stands still
// shows tiles instead, which are as large as those of the ground.
import { type Material, MeshPhongMaterial, type WebGLProgramParametersWithUniforms } from "three";

/** Tiles in three directions, filtered as in a picture that is made smaller; after Inigo Quilez, "filtering procedural textures". */
export const TILES = /* glsl */ `
float tiles(vec3 place) {
  vec3 width = max(fwidth(place), vec3(0.01));
  vec3 low = abs(fract((place - 0.5 * width) * 0.5) - 0.5);
  vec3 high = abs(fract((place + 0.5 * width) * 0.5) - 0.5);
  vec3 side = 2.0 * (low - high) / width;
  return 0.5 - 0.5 * side.x * side.y * side.z;
}
`;

const VERTEX_HEAD = /* glsl */ `
attribute vec3 tone1;
attribute vec3 tone2;
attribute vec2 style;
uniform float tile;
varying vec3 vTone1;
varying vec3 vTone2;
varying vec2 vStyle;
varying vec3 vOwn;
varying vec3 vTile;
`;

// Tiles lie along the body's axes, and those of all bodies that are not turned fit together. Surfaces often lie exactly where two
// layers of tiles meet: a little below the surface there is no doubt.
const VERTEX_BODY = /* glsl */ `
vTone1 = tone1;
vTone2 = tone2;
vStyle = style;
vOwn = position;
vec3 sizes = vec3(length(instanceMatrix[0].xyz), length(instanceMatrix[1].xyz), length(instanceMatrix[2].xyz));
vec3 along = vec3(dot(instanceMatrix[0], instanceMatrix[3]), dot(instanceMatrix[1], instanceMatrix[3]), dot(instanceMatrix[2], instanceMatrix[3]));
vTile = (position * sizes + along / max(sizes, vec3(1e-30))) / tile - 0.002 * normal;
`;

const FRAGMENT_HEAD = /* glsl */ `
varying vec3 vTone1;
varying vec3 vTone2;
varying vec2 vStyle;
varying vec3 vOwn;
varying vec3 vTile;
${TILES}
`;

const FRAGMENT_BODY = /* glsl */ `
vec3 octant = clamp(vOwn / max(fwidth(vOwn), vec3(1e-6)), -1.0, 1.0);
float share = mix(0.5 - 0.5 * octant.x * octant.y * octant.z, tiles(vTile), vStyle.x);
diffuseColor.rgb = mix(vTone1, vTone2, share);
float grey = dot(diffuseColor.rgb, vec3(0.21, 0.72, 0.07));
diffuseColor.rgb = mix(diffuseColor.rgb, vec3(mix(grey, 0.4, 0.3)), vStyle.y);
`;

/** What all bodies are painted with. */
export function bodyMaterial(tile: { value: number }): Material {
  const material = new MeshPhongMaterial({ shininess: 40, specular: 0x222222 });
  material.onBeforeCompile = (shader: WebGLProgramParametersWithUniforms) => {
    shader.uniforms["tile"] = tile;
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", `#include <common>\n${VERTEX_HEAD}`)
      .replace("#include <begin_vertex>", `#include <begin_vertex>\n${VERTEX_BODY}`);
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", `#include <common>\n${FRAGMENT_HEAD}`)
      .replace("#include <color_fragment>", FRAGMENT_BODY);
  };
  material.customProgramCacheKey = () => "gedanken body";
  return material;
}

/** What ghosts are painted with. */
export function ghostMaterial(): MeshPhongMaterial {
  return new MeshPhongMaterial({ shininess: 0, specular: 0, transparent: true, opacity: 0.35 });
}
