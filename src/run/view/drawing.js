// Draws frames by three.js. Solids of one mesh are instances of it, and solids with a mesh of their own are one batch, so
// a frame costs few draw calls whatever the number of bodies: the matrices of all solids and arrows are written anew.
import {AmbientLight, BatchedMesh, BoxGeometry, BufferAttribute, Color, ColorManagement, ConeGeometry, CylinderGeometry,
        DirectionalLight, DoubleSide, GLSL3, HemisphereLight, InstancedBufferAttribute, InstancedBufferGeometry, InstancedMesh,
        LinearSRGBColorSpace, Matrix4, Mesh, MeshBasicMaterial, MeshLambertMaterial, PlaneGeometry, Quaternion, Scene,
        ShaderMaterial, SphereGeometry, Vector3, WebGLRenderer, WebGLRenderTarget} from "three";
import {collect} from "./shapes.js";

ColorManagement.enabled = false; // colors are those of the screen

const background = new Color(0.957, 0.961, 0.969);
const groundVertex = `
  in vec4 plane;
  uniform vec3 center; uniform float radius; out vec3 at; flat out vec3 n; flat out int self;
  void main() {
    n = plane.xyz; self = gl_InstanceID;
    vec3 a = normalize(cross(abs(n.z) < 0.9 ? vec3(0, 0, 1) : vec3(0, 1, 0), n)), b = cross(n, a);
    at = center + n * (plane.w - dot(n, center)) + 3.0 * radius * (position.x * a + position.y * b);
    gl_Position = dot(n, cameraPosition) < plane.w ? vec4(2, 2, 2, 1) : projectionMatrix * viewMatrix * vec4(at, 1.0);
  }`;
const groundFragment = `
  in vec3 at; flat in vec3 n; flat in int self;
  uniform vec4 planes[16]; uniform int count; uniform vec3 center; uniform float radius, mesh; out vec4 seen;
  float line(float x) { float w = fwidth(x) + 1e-9; return (1.0 - smoothstep(0.6, 1.4, abs(fract(x - 0.5) - 0.5) / w)) * min(1.0, 0.25 / w); }
  void main() {
    for (int k = 0; k < count; ++k) if (k != self && dot(planes[k].xyz, at) < planes[k].w - 1e-3 * radius) discard;
    vec3 a = normalize(cross(abs(n.z) < 0.9 ? vec3(0, 0, 1) : vec3(0, 1, 0), n)), b = cross(n, a);
    float ink = max(line(dot(a, at) / mesh), line(dot(b, at) / mesh)), fade = 1.0 - smoothstep(1.2, 2.9, length(at - center) / radius);
    seen = vec4(mix(vec3(0.80, 0.82, 0.85), vec3(0.55, 0.58, 0.63), ink), fade * 0.75);
  }`;

// Colors a mesh: white, or with darker quarters about the first axis that show how a round body turns.
function painted(geometry, quarters) {
  const mesh = geometry.index ? geometry.toNonIndexed() : geometry, p = mesh.getAttribute("position");
  const paint = new Float32Array(3 * p.count).fill(1);
  for (let k = 0; quarters && k < p.count; k += 3) {
    const sum = axis => p.array[3 * k + axis] + p.array[3 * k + 3 + axis] + p.array[3 * k + 6 + axis];
    if (sum(1) * sum(2) > 0) paint.fill(0.82, 3 * k, 3 * k + 9);
  }
  return mesh.setAttribute("color", new BufferAttribute(paint, 3)).deleteAttribute("uv");
}

const cylinder = () => new CylinderGeometry(1, 1, 2, 24).rotateZ(Math.PI / 2);
const meshes = {
  sphere: many => painted(many ? new SphereGeometry(1, 14, 8) : new SphereGeometry(1, 28, 16), false),
  ball: many => painted(many ? new SphereGeometry(1, 14, 8) : new SphereGeometry(1, 28, 16), true),
  box: () => painted(new BoxGeometry(2, 2, 2), false),
  cylinder: () => painted(cylinder(), false),
  wheel: () => painted(cylinder(), true)
};

// All solids of one mesh, or with a mesh each: {mesh, solids, place(k, matrix), paint(k, color)}.
function instances(word, solids, material) {
  const mesh = new InstancedMesh(meshes[word](solids.length > 300), material, solids.length);
  solids.forEach((s, k) => mesh.setColorAt(k, s.color));
  return {mesh, solids, place: (k, matrix) => matrix.toArray(mesh.instanceMatrix.array, 16 * k),
          paint: (k, color) => { mesh.setColorAt(k, color); mesh.instanceColor.needsUpdate = true; }};
}

function batch(solids, material) {
  const corners = solids.reduce((sum, s) => sum + s.mesh.getAttribute("position").count, 0);
  const mesh = new BatchedMesh(solids.length, corners, 0, material);
  const at = solids.map(s => mesh.addInstance(mesh.addGeometry(painted(s.mesh, false))));
  solids.forEach((s, k) => mesh.setColorAt(at[k], s.color));
  mesh.perObjectFrustumCulled = mesh.sortObjects = false;
  return {mesh, solids, place: (k, matrix) => mesh.setMatrixAt(at[k], matrix), paint: (k, color) => mesh.setColorAt(at[k], color)};
}

function makeSolids(solids) {
  const material = new MeshLambertMaterial({vertexColors: true}), lists = new Map();
  for (const s of solids) {
    const word = typeof s.mesh === "string" ? s.mesh : "";
    if (!lists.has(word)) lists.set(word, []);
    lists.get(word).push(s);
  }
  return [...lists].map(([word, list]) => word ? instances(word, list, material) : batch(list, material));
}

// Arrows along the third axis: shafts from 0 to 1, and heads.
function makeArrows(most) {
  const material = new MeshLambertMaterial({color: new Color(0.84, 0.16, 0.16)});
  const along = geometry => geometry.rotateX(Math.PI / 2).translate(0, 0, 0.5);
  return [along(new CylinderGeometry(1, 1, 1, 10)), along(new ConeGeometry(2.6, 1, 10))].map(g => new InstancedMesh(g, material, most));
}

// Writes the matrix with the columns r a, r b, l d, and the place x + z d.
function writeArrow(to, k, a, b, d, r, l, x, z) {
  const m = to.instanceMatrix.array;
  let at = 16 * k;
  for (const [v, scale] of [[a, r], [b, r], [d, l]]) {
    m[at] = scale * v.x;
    m[at + 1] = scale * v.y;
    m[at + 2] = scale * v.z;
    at += 4;
  }
  m[at] = x.x + z * d.x;
  m[at + 1] = x.y + z * d.y;
  m[at + 2] = x.z + z * d.z;
  m[at + 3] = 1;
}

function makeGround(planes, box) {
  const quad = new InstancedBufferGeometry().copy(new PlaneGeometry(2, 2));
  quad.setAttribute("plane", new InstancedBufferAttribute(new Float32Array(planes), 4));
  quad.instanceCount = planes.length / 4;
  const all = new Float32Array(64);
  all.set(planes.slice(0, 64));
  const uniforms = {planes: {value: all}, count: {value: Math.min(16, planes.length / 4)}, center: {value: box.center},
                    radius: {value: box.radius}, mesh: {value: 10 ** Math.round(Math.log10(box.radius / 4))}};
  return new Mesh(quad, new ShaderMaterial({uniforms, vertexShader: groundVertex, fragmentShader: groundFragment, transparent: true,
                                            side: DoubleSide, glslVersion: GLSL3}));
}

// Lights that go with the camera.
function makeLights(world) {
  const key = new DirectionalLight(0xffffff, 0.50 * Math.PI), fill = new DirectionalLight(0xffffff, 0.14 * Math.PI);
  const sky = new HemisphereLight(new Color(0.2, 0.2, 0.2), new Color(0, 0, 0), Math.PI);
  world.add(new AmbientLight(0xffffff, 0.32 * Math.PI), sky, key, fill);
  const right = new Vector3(), up = new Vector3(), toEye = new Vector3();
  return camera => {
    camera.matrixWorld.extractBasis(right, up, toEye);
    sky.position.copy(up);
    key.position.copy(toEye).multiplyScalar(0.55).addScaledVector(up, 0.9).addScaledVector(right, 0.5);
    fill.position.copy(toEye).sub(right);
  };
}

export function makeDrawing(canvas, scene, box) {
  const renderer = new WebGLRenderer({canvas, antialias: true, preserveDrawingBuffer: true});
  renderer.outputColorSpace = LinearSRGBColorSpace;
  const world = new Scene(), light = makeLights(world), {solids, planes} = collect(scene, box), groups = makeSolids(solids);
  let most = 1;
  for (let f = 0; f < scene.frames; ++f) most = Math.max(most, scene.ends[f + 1] - scene.ends[f]);
  const arrows = makeArrows(most), ground = planes.length ? [makeGround(planes, box)] : [];
  for (const mesh of [...groups.map(g => g.mesh), ...arrows, ...ground]) {
    mesh.frustumCulled = false; // instances move
    world.add(mesh);
  }
  world.background = background;

  const size = 8 * (scene.bodies.length + 1), poses = Array.from({length: scene.bodies.length + 1}, () => new Matrix4());
  const x = new Vector3(), turn = new Quaternion(), one = new Vector3(1, 1, 1), whole = new Matrix4();
  const placeSolids = f => {
    poses.forEach((pose, k) => pose.compose(x.fromArray(scene.poses, f * size + 8 * k), turn.fromArray(scene.poses, f * size + 8 * k + 4), one));
    for (const {mesh, solids, place} of groups) {
      for (let k = 0; k < solids.length; ++k) place(k, whole.multiplyMatrices(poses[solids[k].body + 1], solids[k].place));
      if (mesh.isInstancedMesh) mesh.instanceMatrix.needsUpdate = true;
    }
  };

  const flat = scene.shapes.every(s => s.dimension === 2), width = 0.006 * box.radius, longest = 0.7 * box.radius;
  const [shafts, heads] = arrows, d = new Vector3(), a = new Vector3(), b = new Vector3(), z = new Vector3(0, 0, 1), y = new Vector3(1, 0, 0);
  const placeArrows = (f, scale) => {
    const from = scene.ends[f], count = scale > 0 ? scene.ends[f + 1] - from : 0;
    for (let k = 0; k < count; ++k) {
      x.fromArray(scene.forces, 6 * (from + k));
      if (flat) x.z += 0.03 * box.radius; // in front of flat bodies
      const force = d.fromArray(scene.forces, 6 * (from + k) + 3).length(), length = Math.min(scale * force, longest);
      const thin = width * Math.min(1, length / (10 * width)), head = Math.min(7 * width, 0.6 * length);
      d.divideScalar(force || 1);
      a.crossVectors(Math.abs(d.z) < 0.9 ? z : y, d).normalize();
      b.crossVectors(d, a);
      writeArrow(shafts, k, a, b, d, thin, length - head, x, 0);
      writeArrow(heads, k, a, b, d, thin, head, x, length - head);
    }
    for (const mesh of arrows) {
      mesh.count = count;
      mesh.visible = count > 0;
      mesh.instanceMatrix.needsUpdate = true;
    }
  };

  // A picture in which the color of a pixel is the number of a body, counted from 1; 0: scenery, or nothing.
  const drawNumbers = camera => {
    const target = new WebGLRenderTarget(canvas.width, canvas.height), material = new MeshBasicMaterial();
    const code = body => new Color((body + 1 & 255) / 255, (body + 1 >> 8 & 255) / 255, (body + 1 >> 16 & 255) / 255);
    const hidden = [...arrows, ...ground].filter(mesh => mesh.visible);
    const used = groups.map(g => g.mesh.material);
    hidden.forEach(mesh => { mesh.visible = false; });
    world.background = null;
    for (const {mesh, solids, paint} of groups) {
      mesh.material = material;
      solids.forEach((s, k) => paint(k, code(s.body)));
    }
    renderer.setRenderTarget(target);
    renderer.setClearColor(0, 0);
    renderer.render(world, camera);
    renderer.setRenderTarget(null);
    groups.forEach(({mesh, solids, paint}, g) => {
      mesh.material = used[g];
      solids.forEach((s, k) => paint(k, s.color));
    });
    hidden.forEach(mesh => { mesh.visible = true; });
    world.background = background;
    return target;
  };

  return {
    get calls() { return renderer.info.render.calls; },
    resize: (w, h) => renderer.setSize(w, h, false),
    // `scale`: length of an arrow for a force of 1; 0: no arrows.
    frame: (f, camera, scale) => {
      placeSolids(f);
      placeArrows(f, scale);
      light(camera);
      renderer.render(world, camera);
    },
    // The function from a pixel, counted from below, to the body that is drawn there, -1 for none.
    bodies: camera => {
      const target = drawNumbers(camera), pixel = new Uint8Array(4);
      return (px, py) => {
        renderer.readRenderTargetPixels(target, px, py, 1, 1, pixel);
        return pixel[0] + 256 * pixel[1] + 65536 * pixel[2] - 1;
      };
    }
  };
}
