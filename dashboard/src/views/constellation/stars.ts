/** How a star is drawn: a body in the shape of its kind, a soft halo around those with many links, and a ring around those that something waits for. */

import { NodeProgram, type ProgramInfo } from "sigma/rendering";
import type { NodeDisplayData, RenderParams } from "sigma/types";
import { floatColor } from "sigma/utils";
import type { Ray, Star } from "./looks";

/** What sigma knows of a node, and what only a star has. */
export interface StarData extends NodeDisplayData {
  glow: number;
  /** A place in SHAPES. */
  shape: number;
  ring: string | null;
}

const { FLOAT, UNSIGNED_BYTE } = WebGLRenderingContext;
const UNIFORMS = ["u_sizeRatio", "u_correctionRatio", "u_matrix"] as const;
const CLEAR = floatColor("#00000000");

// The halo reaches up to three radii; the ring is drawn five pixels off.
const VERTEX = /* glsl */ `
attribute vec4 a_id;
attribute vec4 a_color;
attribute vec4 a_ring;
attribute vec2 a_position;
attribute float a_size;
attribute float a_glow;
attribute float a_shape;
attribute float a_angle;
uniform mat3 u_matrix;
uniform float u_sizeRatio;
uniform float u_correctionRatio;
varying vec4 v_color;
varying vec4 v_ring;
varying vec2 v_offset;
varying float v_radius;
varying float v_glow;
varying float v_pixel;
varying float v_shape;
const float bias = 255.0 / 254.0;

void main() {
  float radius = a_size * u_correctionRatio / u_sizeRatio * 2.0;
  float pixel = u_correctionRatio * 2.0;
  float body = a_shape > 0.5 ? 1.4 : 1.15;
  #ifdef PICKING_MODE
  float reach = body;
  #else
  float reach = max(body + 2.2 * a_glow, a_ring.a > 0.0 ? 1.0 + 8.0 * pixel / radius : 0.0);
  #endif
  v_offset = radius * reach * 2.0 * vec2(cos(a_angle), sin(a_angle));
  v_radius = radius;
  v_glow = a_glow;
  v_shape = a_shape;
  v_pixel = pixel;
  gl_Position = vec4((u_matrix * vec3(a_position + v_offset, 1)).xy, 0, 1);
  #ifdef PICKING_MODE
  v_color = a_id;
  #else
  v_color = a_color;
  #endif
  v_color.a *= bias;
  v_ring = a_ring;
}
`;

const FRAGMENT = /* glsl */ `
precision highp float;
varying vec4 v_color;
varying vec4 v_ring;
varying vec2 v_offset;
varying float v_radius;
varying float v_glow;
varying float v_pixel;
varying float v_shape;

// How far from the centre, so that the edge of each shape is as far as that of a disc of the same weight.
float outward(vec2 at) {
  if (v_shape > 2.5) return max(0.866 * abs(at.x) + 0.5 * at.y, -at.y) / 0.64;
  if (v_shape > 1.5) return max(abs(at.x), abs(at.y)) / 0.88;
  if (v_shape > 0.5) return (abs(at.x) + abs(at.y)) / 1.24;
  return length(at);
}

void main() {
  float distance = length(v_offset);
  #ifdef PICKING_MODE
  gl_FragColor = distance > v_radius * 1.15 ? vec4(0.0) : v_color;
  #else
  float disc = 1.0 - smoothstep(v_radius - v_pixel, v_radius + v_pixel * 0.2, outward(v_offset));
  float band = abs(distance - v_radius - v_pixel * 5.0) - v_pixel * 0.9;
  float ring = (1.0 - smoothstep(-v_pixel * 0.5, v_pixel * 0.5, band)) * v_ring.a;
  float near = 1.0 - clamp((distance / v_radius - 1.0) / (2.2 * max(v_glow, 0.01)), 0.0, 1.0);
  float halo = v_glow * 0.4 * near * near * v_color.a;
  vec4 light = vec4(v_color.rgb * halo, halo);
  light = mix(light, vec4(v_ring.rgb, 1.0), ring);
  gl_FragColor = mix(light, vec4(v_color.rgb * v_color.a, v_color.a), disc);
  #endif
}
`;

export class StarProgram extends NodeProgram<(typeof UNIFORMS)[number], Star, Ray> {
  getDefinition() {
    return {
      VERTICES: 3,
      VERTEX_SHADER_SOURCE: VERTEX,
      FRAGMENT_SHADER_SOURCE: FRAGMENT,
      METHOD: WebGLRenderingContext.TRIANGLES,
      UNIFORMS,
      ATTRIBUTES: [
        { name: "a_position", size: 2, type: FLOAT },
        { name: "a_size", size: 1, type: FLOAT },
        { name: "a_glow", size: 1, type: FLOAT },
        { name: "a_shape", size: 1, type: FLOAT },
        { name: "a_color", size: 4, type: UNSIGNED_BYTE, normalized: true },
        { name: "a_ring", size: 4, type: UNSIGNED_BYTE, normalized: true },
        { name: "a_id", size: 4, type: UNSIGNED_BYTE, normalized: true },
      ],
      CONSTANT_ATTRIBUTES: [{ name: "a_angle", size: 1, type: FLOAT }],
      CONSTANT_DATA: [[0], [(2 * Math.PI) / 3], [(4 * Math.PI) / 3]],
    };
  }

  processVisibleItem(index: number, start: number, data: NodeDisplayData) {
    const { x, y, size, color, glow, shape, ring } = data as StarData;
    this.array.set([x, y, size, glow, shape, floatColor(color), ring ? floatColor(ring) : CLEAR, index], start);
  }

  setUniforms({ correctionRatio, sizeRatio, matrix }: RenderParams, { gl, uniformLocations }: ProgramInfo) {
    gl.uniform1f(uniformLocations.u_correctionRatio ?? null, correctionRatio);
    gl.uniform1f(uniformLocations.u_sizeRatio ?? null, sizeRatio);
    gl.uniformMatrix3fv(uniformLocations.u_matrix ?? null, false, matrix);
  }
}
