// What surrounds the bodies: lights that leave no side black, shadows, and the ground of half spaces.
import {AmbientLight, Color, DirectionalLight, DoubleSide, GLSL3, HemisphereLight, InstancedBufferAttribute, InstancedBufferGeometry,
        Mesh, PlaneGeometry, Quaternion, ShaderMaterial, ShadowMaterial, Vector3} from "three";

const mostPlanes = 16, wide = 6; // the ground reaches so many radii of the scene
const groundVertex = `
  in vec4 plane;
  uniform vec3 center; uniform float radius; out vec3 at; flat out vec3 n; flat out int self;
  void main() {
    n = plane.xyz; self = gl_InstanceID;
    vec3 a = normalize(cross(abs(n.z) < 0.9 ? vec3(0, 0, 1) : vec3(0, 1, 0), n)), b = cross(n, a);
    at = center + n * (plane.w - dot(n, center)) + ${wide}.0 * radius * (position.x * a + position.y * b);
    gl_Position = dot(n, cameraPosition) < plane.w ? vec4(2, 2, 2, 1) : projectionMatrix * viewMatrix * vec4(at, 1.0);
  }`;
const groundFragment = `
  in vec3 at; flat in vec3 n; flat in int self;
  uniform vec4 planes[${mostPlanes}]; uniform int count; uniform vec3 center; uniform float radius, mesh; out vec4 seen;
  float line(float x) { float w = fwidth(x) + 1e-9; return (1.0 - smoothstep(0.3, 1.1, abs(fract(x - 0.5) - 0.5) / w)) * min(1.0, 0.2 / w); }
  void main() {
    for (int k = 0; k < count; ++k) if (k != self && dot(planes[k].xyz, at) < planes[k].w - 1e-3 * radius) discard;
    vec3 a = normalize(cross(abs(n.z) < 0.9 ? vec3(0, 0, 1) : vec3(0, 1, 0), n)), b = cross(n, a);
    vec2 x = vec2(dot(a, at), dot(b, at)) / mesh, w = fwidth(x);
    float tiles = mod(floor(x.x) + floor(x.y), 2.0), sharp = 1.0 - smoothstep(0.2, 0.7, max(w.x, w.y));
    float ink = max(line(x.x), line(x.y)), fade = 1.0 - smoothstep(1.5, ${wide - 0.5}, length(at - center) / radius);
    vec3 tone = mix(vec3(0.845, 0.855, 0.84), mix(vec3(0.81, 0.825, 0.81), vec3(0.88, 0.885, 0.87), tiles), sharp);
    seen = vec4(mix(tone, vec3(0.66, 0.68, 0.68), 0.8 * ink), fade);
  }`;

// The surfaces of half spaces, each cut where it lies behind another.
export function makeGround(planes, box) {
  if (!planes.length) return [];
  const quad = new InstancedBufferGeometry().copy(new PlaneGeometry(2, 2));
  quad.setAttribute("plane", new InstancedBufferAttribute(new Float32Array(planes), 4));
  quad.instanceCount = planes.length / 4;
  const all = new Float32Array(4 * mostPlanes);
  all.set(planes.slice(0, all.length));
  const uniforms = {planes: {value: all}, count: {value: Math.min(mostPlanes, planes.length / 4)}, center: {value: box.center},
                    radius: {value: box.radius}, mesh: {value: 10 ** Math.round(Math.log10(box.radius / 4))}};
  const surface = new Mesh(quad, new ShaderMaterial({uniforms, vertexShader: groundVertex, fragmentShader: groundFragment, transparent: true,
                                                     side: DoubleSide, glslVersion: GLSL3}));
  surface.renderOrder = -2;
  const shades = [];
  for (let k = 0; k < Math.min(planes.length, 4 * mostPlanes); k += 4) {
    const n = new Vector3(planes[k], planes[k + 1], planes[k + 2]);
    const shade = new Mesh(new PlaneGeometry(2, 2), new ShadowMaterial({opacity: 0.3, depthWrite: false}));
    shade.position.copy(box.center).addScaledVector(n, planes[k + 3] - n.dot(box.center) + 1e-4 * box.radius);
    shade.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), n));
    shade.scale.setScalar(wide * box.radius);
    shade.receiveShadow = true;
    shade.renderOrder = -1;
    shades.push(shade);
  }
  return [surface, ...shades];
}

// Light from everywhere, from the sky, from a sun that stands over the scene and casts shadows, and from the camera: a side
// that the sun does not reach still has half of its color, and more where it faces you.
export function makeLights(world, scene, box, axes) {
  const sun = new DirectionalLight(0xffffff, 0.38 * Math.PI), head = new DirectionalLight(0xffffff, 0.20 * Math.PI);
  const sky = new HemisphereLight(new Color(0.24, 0.24, 0.25), new Color(0.13, 0.13, 0.12), Math.PI);
  world.add(new AmbientLight(0xffffff, 0.40 * Math.PI), sky, sun, sun.target, head);
  const {front, right: side, up} = axes, inSpace = axes.pitch > 0;
  const toSun = up.clone().multiplyScalar(inSpace ? 1.6 : 0.8).addScaledVector(front, inSpace ? 0.55 : 1.0).addScaledVector(side, 0.7).normalize();
  sky.position.copy(up);
  sun.target.position.copy(box.center);
  sun.position.copy(box.center).addScaledVector(toSun, 4 * box.radius);
  sun.castShadow = inSpace;
  sun.shadow.mapSize.set(2048, 2048);
  Object.assign(sun.shadow.camera, {left: -1.3 * box.radius, right: 1.3 * box.radius, top: 1.3 * box.radius, bottom: -1.3 * box.radius,
                                    near: box.radius, far: 12 * box.radius});
  Object.assign(sun.shadow, {normalBias: 0.006 * box.radius, bias: -0.0006, radius: 3});
  const toRight = new Vector3(), toTop = new Vector3(), toEye = new Vector3();
  return camera => {
    camera.matrixWorld.extractBasis(toRight, toTop, toEye);
    head.position.copy(toEye).addScaledVector(toTop, 0.25).addScaledVector(toRight, -0.35);
  };
}
