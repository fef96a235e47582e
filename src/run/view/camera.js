// The camera. Until you move it, it shows the whole scene in any window; then it is where you put it.
import {PerspectiveCamera, Vector3} from "three";
import {OrbitControls} from "three-addons/controls/OrbitControls.js";

const opening = 0.32; // tangent of half the angle of view, across the shorter side of the window

// Scenes in space stand on z, those in the plane on y; a scene on one line stands on that line.
export function axesOf(scene) {
  const shaped = scene.shapes.filter(s => s.kind !== "stick"), size = 8 * (scene.bodies.length + 1);
  const axes = (front, right, up, yaw, pitch) =>
    ({front: new Vector3(...front), right: new Vector3(...right), up: new Vector3(...up), yaw, pitch});
  const extent = i => {
    let most = 0;
    for (let at = 8; at < scene.poses.length; at += at % size + 8 < size ? 8 : 16) most = Math.max(most, Math.abs(scene.poses[at + i]));
    return most;
  };
  if (scene.shapes.some(s => s.dimension === 3) || extent(2) > 0) return axes([0, -1, 0], [1, 0, 0], [0, 0, 1], 0.5, 0.3);
  if (shaped.length || extent(1) > 0 || scene.shapes.some(s => s.to && Math.hypot(...s.to) > 0))
    return axes([0, 0, 1], [1, 0, 0], [0, 1, 0], 0, 0);
  return axes([0, 0, 1], [0, -1, 0], [1, 0, 0], 0, 0);
}

// `turned`: {yaw, pitch} that the camera begins with, if they are given [rad].
export function makeCamera(canvas, scene, box, turned) {
  const axes = {...axesOf(scene), ...turned}, view = new PerspectiveCamera();
  view.up.copy(axes.up);
  const controls = new OrbitControls(view, canvas);
  let moved = false;
  controls.addEventListener("start", () => { moved = true; });
  // The distance at which all corners of the box are in the window, seen along `out`.
  const distance = (aspect, out) => {
    const right = new Vector3().crossVectors(axes.up, out).normalize(), up = new Vector3().crossVectors(out, right);
    const high = opening / Math.min(1, aspect), wide = high * aspect, flat = axesOf(scene).pitch === 0;
    let far = 0.05 * box.radius / opening;
    for (let k = 0; k < 8; ++k) {
      const c = new Vector3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1).multiply(box.half);
      far = Math.max(far, (flat ? 0 : c.dot(out)) + Math.abs(c.dot(up)) / high, (flat ? 0 : c.dot(out)) + Math.abs(c.dot(right)) / wide);
    }
    return 1.12 * far;
  };
  const goHome = aspect => {
    const out = axes.front.clone().multiplyScalar(Math.cos(axes.yaw)).addScaledVector(axes.right, Math.sin(axes.yaw))
      .multiplyScalar(Math.cos(axes.pitch)).addScaledVector(axes.up, Math.sin(axes.pitch));
    controls.target.copy(box.center);
    view.position.copy(box.center).addScaledVector(out, distance(aspect, out));
  };
  return {
    view,
    home: () => { moved = false; },
    whenMoved: call => controls.addEventListener("change", call),
    aim: aspect => {
      if (!moved) goHome(aspect);
      const far = view.position.distanceTo(controls.target);
      Object.assign(view, {aspect, fov: 2 * Math.atan(opening / Math.min(1, aspect)) * 180 / Math.PI, near: 0.01 * far, far: far + 12 * box.radius});
      view.updateProjectionMatrix();
      controls.update();
      view.updateMatrixWorld();
    }
  };
}
