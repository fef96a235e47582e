// What the page says to programs: lines of numbers about a frame, and pictures of a movie.
import {Matrix4, Vector4} from "three";

// Lines for tests: draw calls; the projection; where each body is, where it should appear, and which body is drawn there.
export function report(scene, drawing, view, canvas, frame) {
  const size = 8 * (scene.bodies.length + 1), project = new Matrix4().multiplyMatrices(view.projectionMatrix, view.matrixWorldInverse);
  const contacts = scene.ends[frame + 1] - scene.ends[frame];
  const lines = [`calls ${drawing.calls} frames ${scene.frames} bodies ${scene.bodies.length} contacts ${contacts} columns ${scene.columns.length}`,
                 `canvas ${canvas.width} ${canvas.height} frame ${frame} t ${scene.times[frame]} quantum ${scene.quantum[0]}`,
                 "matrix " + project.elements.join(" ")];
  const bodyAt = drawing.bodies(view);
  for (let k = 0; k < scene.bodies.length; ++k) {
    const at = frame * size + 8 * (k + 1), p = scene.poses.subarray(at, at + 3), clip = new Vector4(...p, 1).applyMatrix4(project);
    const x = (0.5 + 0.5 * clip.x / clip.w) * canvas.width, y = (0.5 + 0.5 * clip.y / clip.w) * canvas.height;
    lines.push(`body ${k} at ${p.join(" ")} pixel ${x.toFixed(2)} ${y.toFixed(2)} shows ${bodyAt(Math.floor(x), Math.floor(y))}`);
  }
  return lines;
}

// Milliseconds of script for each of the first frames, sorted.
export function timeFrames(show, count) {
  const times = [];
  for (let f = 0; f < count; ++f) {
    const begin = performance.now();
    show(f);
    times.push(performance.now() - begin);
  }
  return times.sort((a, b) => a - b);
}

// Pictures of the run at equal distances in time, each with the time below.
export function drawMovie(scene, drawing, camera, view, scale, frameAt, rate, speed) {
  const [width, height] = [1280, 720], canvas = document.createElement("canvas"), lines = [];
  [canvas.width, canvas.height] = [width, height];
  drawing.resize(width, height);
  camera.aim(width / height);
  const paper = canvas.getContext("2d"), first = scene.times[0], span = scene.times[scene.frames - 1] - first;
  const count = Math.floor(span / speed * rate) + 1;
  paper.font = "20px sans-serif";
  for (let k = 0; k < count; ++k) {
    const t = first + k * speed / rate;
    drawing.frame(frameAt(t), camera.view, scale);
    paper.drawImage(view, 0, 0);
    paper.fillText(`${scene.title}   t = ${t.toFixed(speed < 0.1 ? 4 : 2)} s`, 16, height - 16);
    lines.push(canvas.toDataURL("image/jpeg", 0.92));
  }
  return lines;
}
