// Draws frames by three.js. Solids of one mesh are instances of it, and solids with a mesh of their own are one batch, so
// a frame costs few draw calls whatever the number of bodies: the matrices of all solids and arrows are written anew.
import {Color, ColorManagement, LinearSRGBColorSpace, Matrix4, MeshBasicMaterial, MeshLambertMaterial, PCFShadowMap, Quaternion,
        Raycaster, Scene, Vector2, Vector3, WebGLRenderer, WebGLRenderTarget} from "three";
import {makeArrows} from "./arrows.js";
import {makeSolids} from "./meshes.js";
import {collect} from "./shapes.js";
import {makeGround, makeLights} from "./stage.js";
import {collectTies, placeSpan} from "./ties.js";

ColorManagement.enabled = false; // colors are those of the screen

const background = new Color(0.957, 0.961, 0.969), chosenColor = new Color(1.0, 0.82, 0.25);

export function makeDrawing(canvas, scene, box, axes) {
  const renderer = new WebGLRenderer({canvas, antialias: true, preserveDrawingBuffer: true});
  renderer.outputColorSpace = LinearSRGBColorSpace;
  renderer.shadowMap.enabled = axes.pitch > 0;
  renderer.shadowMap.type = PCFShadowMap;
  const world = new Scene(), light = makeLights(world, scene, box, axes), material = new MeshLambertMaterial({vertexColors: true});
  const {solids, planes} = collect(scene, box, axes.pitch > 0), {marks, spans} = collectTies(scene, box);
  const bodies = makeSolids(solids, material), joints = [...makeSolids(marks, material), ...makeSolids(spans, material)];
  const groups = [...bodies, ...joints], arrows = makeArrows(scene, box), ground = makeGround(planes, box);
  for (const mesh of [...groups.map(g => g.mesh), ...arrows.meshes, ...ground]) {
    mesh.frustumCulled = false; // instances move
    world.add(mesh);
  }
  for (const {mesh} of groups) mesh.castShadow = mesh.receiveShadow = true;
  world.background = background;

  const size = 8 * (scene.bodies.length + 1), poses = Array.from({length: scene.bodies.length + 1}, () => new Matrix4());
  const x = new Vector3(), turn = new Quaternion(), one = new Vector3(1, 1, 1), whole = new Matrix4();
  const placeSolids = f => {
    poses.forEach((pose, k) => pose.compose(x.fromArray(scene.poses, f * size + 8 * k), turn.fromArray(scene.poses, f * size + 8 * k + 4), one));
    for (const {mesh, solids, place} of groups) {
      for (let k = 0; k < solids.length; ++k) {
        const s = solids[k];
        if (s.place) whole.multiplyMatrices(poses[s.body + 1], s.place); else s.length = placeSpan(s, poses, whole);
        place(k, whole);
      }
      if (mesh.isInstancedMesh) mesh.instanceMatrix.needsUpdate = true;
    }
  };

  // A picture in which the color of a pixel is the number of a body, counted from 1; 0: scenery, or nothing.
  const drawNumbers = camera => {
    const target = new WebGLRenderTarget(canvas.width, canvas.height), plain = new MeshBasicMaterial();
    const code = body => new Color((body + 1 & 255) / 255, (body + 1 >> 8 & 255) / 255, (body + 1 >> 16 & 255) / 255);
    const spanned = joints.filter(g => !g.solids[0].place).map(g => g.mesh);
    const hidden = [...arrows.meshes, ...ground, ...spanned].filter(mesh => mesh.visible);
    hidden.forEach(mesh => { mesh.visible = false; });
    world.background = null;
    for (const {mesh, solids, paint} of groups) {
      mesh.material = plain;
      solids.forEach((s, k) => paint(k, code(s.body)));
    }
    renderer.setRenderTarget(target);
    renderer.setClearColor(0, 0);
    renderer.render(world, camera);
    renderer.setRenderTarget(null);
    groups.forEach(({mesh, solids, paint}) => {
      mesh.material = material;
      solids.forEach((s, k) => paint(k, s.color));
    });
    hidden.forEach(mesh => { mesh.visible = true; });
    world.background = background;
    return target;
  };

  const ray = new Raycaster(), pixel = new Vector2();
  let now = 0;
  // The nearest thing at a point of the canvas, each side from -1 to 1: {body}, {tie} or {contact}; null for none.
  const pick = (camera, right, up) => {
    ray.setFromCamera(pixel.set(right, up), camera);
    const seen = [...groups.map(g => g.mesh), ...arrows.meshes].filter(mesh => mesh.visible);
    for (const hit of ray.intersectObjects(seen, false)) {
      if (arrows.meshes.includes(hit.object)) return {contact: scene.ends[now] + hit.instanceId};
      const s = groups.find(g => g.mesh === hit.object).pick(hit);
      if (s.tie) return {tie: s.tie, length: s.length};
      if (s.body >= 0) return {body: s.body};
      return null;
    }
    return null;
  };

  return {
    pick,
    get calls() { return renderer.info.render.calls; },
    // The distance of the ends of a span in this frame, or undefined.
    spanOf: tie => (spans.find(s => s.tie === tie) || {}).length,
    // Colors what was picked, and nothing else.
    choose: picked => {
      for (const {solids, paint} of groups)
        solids.forEach((s, k) => {
          const chosen = Boolean(picked && (s.tie ? s.tie === picked.tie : s.body >= 0 && s.body === picked.body));
          if (chosen !== Boolean(s.chosen)) paint(k, chosen ? s.color.clone().lerp(chosenColor, 0.65) : s.color);
          s.chosen = chosen;
        });
    },
    joints: visible => { for (const {mesh} of joints) mesh.visible = visible; },
    resize: (w, h) => renderer.setSize(w, h, false),
    // `scale`: length of an arrow for a force of 1; 0: no arrows.
    frame: (f, camera, scale) => {
      now = f;
      placeSolids(f);
      arrows.place(f, scale);
      light(camera);
      renderer.render(world, camera);
    },
    // The function from a pixel, counted from below, to the body that is drawn there, -1 for none.
    bodies: camera => {
      const target = drawNumbers(camera), rgba = new Uint8Array(4);
      return (px, py) => {
        renderer.readRenderTargetPixels(target, px, py, 1, 1, rgba);
        return rgba[0] + 256 * rgba[1] + 65536 * rgba[2] - 1;
      };
    }
  };
}
