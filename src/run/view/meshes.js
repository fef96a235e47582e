// The meshes that solids are instances of, each of unit size about its center, and what is drawn with them.
import {BatchedMesh, BoxGeometry, BufferAttribute, BufferGeometry, ConeGeometry, CylinderGeometry, InstancedMesh, Sphere,
        SphereGeometry, TorusGeometry, Vector3} from "three";

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

// A wire around the first axis from -1 to 1, of radius 1: a coil spring with straight ends, which is to be drawn `slim`
// times as long as wide.
function coil(slim) {
  const turns = Math.min(24, Math.max(5, Math.round(1.1 * slim))), corners = 6, thick = 0.16, steps = 14 * turns, places = [], rings = [];
  for (let k = 0; k <= steps; ++k) {
    const s = k / steps, end = Math.min(1, 8 * s, 8 * (1 - s)), angle = 2 * Math.PI * turns * s;
    const middle = new Vector3(2 * s - 1, end * Math.cos(angle), end * Math.sin(angle));
    // The wire runs mostly around the axis, so its cut lies between the axis and the direction outward.
    const out = new Vector3(0, Math.cos(angle), Math.sin(angle)), along = new Vector3(1 / slim, 0, 0);
    rings.push(Array.from({length: corners}, (_, i) => {
      const turn = 2 * Math.PI * i / corners;
      return middle.clone().addScaledVector(out, thick * Math.cos(turn)).addScaledVector(along, thick * Math.sin(turn));
    }));
  }
  for (let k = 0; k < steps; ++k)
    for (let i = 0; i < corners; ++i) {
      const j = (i + 1) % corners, [a, b, c, d] = [rings[k][i], rings[k][j], rings[k + 1][j], rings[k + 1][i]];
      for (const p of [a, b, c, a, c, d]) places.push(p.x, p.y, p.z);
    }
  const mesh = new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
  mesh.computeVertexNormals();
  return mesh;
}

const cylinder = (sides = 24) => new CylinderGeometry(1, 1, 2, sides).rotateZ(Math.PI / 2);
const meshes = {
  sphere: many => painted(many ? new SphereGeometry(1, 14, 8) : new SphereGeometry(1, 28, 16), false),
  ball: many => painted(many ? new SphereGeometry(1, 14, 8) : new SphereGeometry(1, 28, 16), true),
  box: () => painted(new BoxGeometry(2, 2, 2), false),
  cylinder: () => painted(cylinder(), false),
  wheel: () => painted(cylinder(48), true),
  cone: () => painted(new ConeGeometry(1, 2, 20).rotateZ(-Math.PI / 2), false),
  ring: () => painted(new TorusGeometry(1, 0.16, 8, 28).rotateY(Math.PI / 2), false),
  coil5: () => painted(coil(5), false),
  coil10: () => painted(coil(10), false),
  coil20: () => painted(coil(20), false)
};

// All solids of one mesh, or with a mesh each: {mesh, solids, place(k, matrix), paint(k, color), pick(hit)}.
function instances(word, solids, material) {
  const mesh = new InstancedMesh(meshes[word](solids.length > 300), material, solids.length);
  solids.forEach((s, k) => mesh.setColorAt(k, s.color));
  mesh.boundingSphere = new Sphere(new Vector3(), Infinity); // instances move
  return {mesh, solids, place: (k, matrix) => matrix.toArray(mesh.instanceMatrix.array, 16 * k),
          paint: (k, color) => { mesh.setColorAt(k, color); mesh.instanceColor.needsUpdate = true; },
          pick: hit => solids[hit.instanceId]};
}

function batch(solids, material) {
  const corners = solids.reduce((sum, s) => sum + s.mesh.getAttribute("position").count, 0);
  const mesh = new BatchedMesh(solids.length, corners, 0, material);
  const at = solids.map(s => mesh.addInstance(mesh.addGeometry(painted(s.mesh, false))));
  solids.forEach((s, k) => mesh.setColorAt(at[k], s.color));
  mesh.perObjectFrustumCulled = mesh.sortObjects = false;
  return {mesh, solids, place: (k, matrix) => mesh.setMatrixAt(at[k], matrix), paint: (k, color) => mesh.setColorAt(at[k], color),
          pick: hit => solids[at.indexOf(hit.batchId)]};
}

export function makeSolids(solids, material) {
  const lists = new Map();
  for (const s of solids) {
    const word = typeof s.mesh === "string" ? s.mesh : "";
    if (!lists.has(word)) lists.set(word, []);
    lists.get(word).push(s);
  }
  return [...lists].map(([word, list]) => word ? instances(word, list, material) : batch(list, material));
}
