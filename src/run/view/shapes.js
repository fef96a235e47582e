// From the shapes of a scene to solids: a mesh, its place on a body, a color. Shapes with faces get a mesh of their own;
// all others are a sphere, a box or a cylinder of another size. Capsules and sticks are several solids.
import {BufferGeometry, Color, Float32BufferAttribute, Matrix4, Quaternion, Vector3} from "three";

const palette = [[0.36, 0.54, 0.76], [0.87, 0.58, 0.30], [0.45, 0.66, 0.42], [0.72, 0.45, 0.60], [0.55, 0.50, 0.74],
                 [0.80, 0.70, 0.36], [0.40, 0.67, 0.70], [0.76, 0.47, 0.42]];
const colorOf = ({body, color}) => new Color(...color ?? (body < 0 ? [0.74, 0.75, 0.75] : palette[body % palette.length]));
const vector = list => new Vector3(...list);
const turnOf = ([w, x, y, z]) => new Quaternion(x, y, z, w);
const turnTo = direction => new Quaternion().setFromUnitVectors(new Vector3(1, 0, 0), direction);
const upright = turnTo(new Vector3(0, 0, 1));

// The box of a shape in the axes of its body.
function growBox(s, box) {
  const r = s.radius ? s.radius[0] : 0, turn = s.turn ? turnOf(s.turn) : new Quaternion(), at = s.position ? vector(s.position) : new Vector3();
  const take = (x, y, z, more) => box.push([new Vector3(x, y, z).applyQuaternion(turn).add(at), more]);
  if (s.vertex) for (let k = 0; k < s.vertex.length; k += 3) take(...s.vertex.slice(k, k + 3), r);
  else if (s.kind === "box") for (let k = 0; k < 8; ++k) take(k & 1 ? s.half[0] : -s.half[0], k & 2 ? s.half[1] : -s.half[1], k & 4 ? s.half[2] : -s.half[2], r);
  else if (s.kind === "capsule") for (const x of [-s.half[0], s.half[0]]) take(x, 0, 0, r);
  else if (s.kind === "stick") box.push([vector(s.to), 0]);
  else take(0, 0, 0, r);
}

// The box of all bodies with their shapes, and of joints, over the run. Of long runs only some frames count.
export function findBox(scene) {
  const low = new Vector3(Infinity, Infinity, Infinity), high = low.clone().negate(), at = new Vector3(), edge = new Vector3();
  const count = scene.bodies.length, size = 8 * (count + 1), points = Array.from({length: count + 1}, () => []);
  const take = (place, r) => {
    low.min(edge.copy(place).subScalar(r));
    high.max(edge.copy(place).addScalar(r));
  };
  for (const s of scene.shapes) if (s.kind !== "plane") growBox(s, points[s.body + 1]);
  for (const t of scene.ties) {
    points[t.body + 1].push([vector(t.from), 0]);
    if (t.to) points[t.other + 1].push([vector(t.to), 0]);
  }
  // Of many points of a body their bounding box is enough.
  points.forEach((list, k) => {
    if (list.length <= 8) return;
    const a = new Vector3(Infinity, Infinity, Infinity), b = a.clone().negate();
    for (const [p, r] of list) { a.min(edge.copy(p).subScalar(r)); b.max(edge.copy(p).addScalar(r)); }
    points[k] = Array.from({length: 8}, (_, i) => [new Vector3(i & 1 ? a.x : b.x, i & 2 ? a.y : b.y, i & 4 ? a.z : b.z), 0]);
  });
  const turn = new Quaternion(), place = new Vector3(), step = Math.max(1, Math.floor(scene.frames * count / 50000));
  for (let f = 0; f < scene.frames; f = f + step < scene.frames || f === scene.frames - 1 ? f + step : scene.frames - 1)
    for (let k = 0; k <= count; ++k) {
      place.fromArray(scene.poses, f * size + 8 * k);
      turn.fromArray(scene.poses, f * size + 8 * k + 4);
      for (const [p, r] of points[k]) take(at.copy(p).applyQuaternion(turn).add(place), r);
    }
  if (!(low.x <= high.x)) return {center: new Vector3(), half: new Vector3(1, 1, 1), radius: 1};
  const half = high.clone().sub(low).multiplyScalar(0.5);
  return {center: low.add(high).multiplyScalar(0.5), half, radius: half.length() > 0 ? half.length() : 1};
}

// Triangles that close a solid: each side of one is a side of another, the other way round. Points at one place are one.
function isClosed(s) {
  const numbers = new Map(), sides = new Map(), key = k => s.vertex.slice(3 * k, 3 * k + 3).join();
  const point = s.face.map(k => numbers.get(key(k)) ?? (numbers.set(key(k), numbers.size), numbers.size - 1));
  for (let f = 0; f + 1 < s.first.length; ++f)
    for (let k = s.first[f]; k < s.first[f + 1]; ++k) {
      const a = point[k], b = point[k + 1 < s.first[f + 1] ? k + 1 : s.first[f]], side = a < b ? a + "," + b : b + "," + a;
      sides.set(side, (sides.get(side) ?? 0) + (a < b ? 1 : -1));
    }
  return [...sides.values()].every(sum => sum === 0);
}

// The mesh of a shape with faces, in the axes of its body. In the plane, faces are edges: they become walls of the
// height 2 `thick`, with a lid on a closed shape. Triangles have two sides unless they close a solid.
function meshOfFaces(s, thick) {
  const places = [], normals = [], turn = turnOf(s.turn), position = vector(s.position), open = s.kind === "triangles" && (s.dimension === 2 || !isClosed(s));
  const vertex = k => vector(s.vertex.slice(3 * k, 3 * k + 3)), raise = (p, z) => new Vector3(p.x, p.y, z);
  const polygon = (corners, grow) => {
    const side = (k, from) => corners[k].clone().sub(corners[from]);
    const n = side(1, 0).cross(side(2, 0)).normalize(), outward = n.clone().applyQuaternion(turn);
    const ends = corners.map(p => p.clone().addScaledVector(n, grow).applyQuaternion(turn).add(position));
    for (let k = 2; k < ends.length; ++k)
      for (const p of [ends[0], ends[k - 1], ends[k]]) {
        places.push(...p);
        normals.push(...outward);
      }
  };
  const middle = new Vector3(), count = s.vertex.length / 3;
  for (let k = 0; k < count; ++k) middle.addScaledVector(vertex(k), 1 / count);
  for (let f = 0; f + 1 < s.first.length; ++f) {
    const corners = s.face.slice(s.first[f], s.first[f + 1]).map(vertex);
    if (corners.length > 2) {
      polygon(corners, s.radius[0]);
      if (open) polygon(corners.slice().reverse(), 0);
      continue;
    }
    const [a, b] = corners;
    polygon([raise(a, -thick), raise(b, -thick), raise(b, thick), raise(a, thick)], s.radius[0]);
    if (open) polygon([raise(a, thick), raise(b, thick), raise(b, -thick), raise(a, -thick)], 0);
    else for (const z of [-thick, thick]) polygon([raise(middle, z), ...(z > 0 ? [a, b] : [b, a]).map(p => raise(p, z))], 0);
  }
  return new BufferGeometry().setAttribute("position", new Float32BufferAttribute(places, 3))
    .setAttribute("normal", new Float32BufferAttribute(normals, 3));
}

// {solids: [{mesh, body, place, color}], planes: numbers n and offset}. `mesh` is a word or a geometry, `place` a matrix.
export function collect(scene, box, inSpace) {
  const solids = [], planes = [], thick = 0.012 * box.radius, stick = 0.011 * box.radius, origin = new Vector3();
  const put = (mesh, s, at, turn, ...sizes) =>
    solids.push({mesh, body: s.body, color: colorOf(s), place: new Matrix4().compose(at, turn, vector(sizes))});
  const capsule = (s, at, turn, r, flat) => {
    for (const x of [-s.half[0], s.half[0]]) {
      const end = new Vector3(x, 0, 0).applyQuaternion(turn).add(at);
      if (flat) put("cylinder", s, end, turn.clone().multiply(upright), thick, r, r);
      else put("sphere", s, end, turn, r, r, r);
    }
    put(flat ? "box" : "cylinder", s, at, turn, s.half[0], r, flat ? thick : r);
  };
  const bar = s => {
    const to = vector(s.to), length = to.length(), turn = new Quaternion();
    const dot = (length > 0 ? 1.8 : 3) * stick;
    put("sphere", s, origin, turn, dot, dot, dot);
    if (length === 0) return;
    put("cylinder", s, to.clone().multiplyScalar(0.5), turnTo(to.clone().normalize()), length / 2, stick, stick);
    put("sphere", s, to, turn, stick, stick, stick);
  };
  const plane = (s, flat) => {
    const n = vector(s.normal), deep = 0.12 * box.radius;
    if (!flat) planes.push(...s.normal, s.offset[0]);
    else put("box", s, box.center.clone().addScaledVector(n, s.offset[0] - n.dot(box.center) - deep), turnTo(n), deep,
             5 * box.radius, thick);
  };
  for (const s of scene.shapes) {
    const r = s.radius ? s.radius[0] : 0, flat = s.dimension === 2;
    const at = s.position && vector(s.position), turn = s.turn && turnOf(s.turn);
    if (s.kind === "sphere" && flat) put("wheel", s, at, turn.multiply(upright), thick, r, r);
    else if (s.kind === "sphere") put("ball", s, at, turn, r, r, r);
    else if (s.kind === "capsule") capsule(s, at, turn, r, flat);
    else if (s.kind === "box") put("box", s, at, turn, s.half[0] + r, s.half[1] + r, flat ? thick : s.half[2] + r);
    else if (s.kind === "stick") bar(s);
    else if (s.kind === "plane") plane(s, flat);
    else put(meshOfFaces(s, thick), s, origin, new Quaternion(), 1, 1, 1);
  }
  if (scene.shapes.every(s => s.body >= 0)) // no scenery: axes at the origin
    for (const way of [[1, 0, 0], [0, 1, 0], ...inSpace ? [[0, 0, 1]] : []])
      put("cylinder", {body: -1}, origin, turnTo(vector(way)), 0.3 * box.radius, 0.25 * stick, 0.25 * stick);
  return {solids, planes};
}
