// Forces as arrows: two meshes, shafts and heads, with an instance for each contact of the frame.
import {Color, ConeGeometry, CylinderGeometry, InstancedMesh, MeshLambertMaterial, Sphere, Vector3} from "three";

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

// Arrows along the third axis: shafts from 0 to 1, and heads.
export function makeArrows(scene, box) {
  const material = new MeshLambertMaterial({color: new Color(0.84, 0.16, 0.16)});
  const along = geometry => geometry.rotateX(Math.PI / 2).translate(0, 0, 0.5);
  let most = 1;
  for (let f = 0; f < scene.frames; ++f) most = Math.max(most, scene.ends[f + 1] - scene.ends[f]);
  const meshes = [along(new CylinderGeometry(1, 1, 1, 10)), along(new ConeGeometry(2.6, 1, 10))].map(g => new InstancedMesh(g, material, most));
  for (const mesh of meshes) mesh.boundingSphere = new Sphere(new Vector3(), Infinity);

  const flat = scene.shapes.every(s => s.dimension === 2), width = 0.006 * box.radius, longest = 0.7 * box.radius;
  const [shafts, heads] = meshes, x = new Vector3(), d = new Vector3(), a = new Vector3(), b = new Vector3();
  const z = new Vector3(0, 0, 1), y = new Vector3(1, 0, 0);
  // `scale`: length of an arrow for a force of 1; 0: no arrows.
  const place = (f, scale) => {
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
    for (const mesh of meshes) {
      mesh.count = count;
      mesh.visible = count > 0;
      mesh.instanceMatrix.needsUpdate = true;
    }
  };
  return {meshes, place};
}
