// The player: the scene, the slider of time, the buttons, the values and the graphs, which all show the same frame.
import {axesOf, makeCamera} from "./camera.js";
import {decode} from "./decode.js";
import {makeDrawing} from "./drawing.js";
import {makeGraphs} from "./graphs.js";
import {makeInspector} from "./inspect.js";
import {drawMovie, report, timeFrames} from "./report.js";
import {findBox} from "./shapes.js";

const element = id => document.getElementById(id);

// The length of an arrow for a force of 1: most arrows are shorter than a quarter of the scene.
function lengthOfArrows(scene, box) {
  const sizes = [];
  for (let k = 0; k < scene.forces.length; k += 6 * Math.ceil(scene.forces.length / 60000))
    sizes.push(Math.hypot(scene.forces[k + 3], scene.forces[k + 4], scene.forces[k + 5]));
  sizes.sort((a, b) => a - b);
  return 0.25 * box.radius / (sizes[Math.floor(0.9 * sizes.length)] || 1);
}

function append(id, lines) {
  const text = document.createElement("pre");
  text.id = id;
  text.textContent = lines.join("\n") + "\n";
  document.body.append(text);
}

function start(scene) {
  document.title = scene.title || "nsds";
  element("title").textContent = scene.title;
  const asked = new URLSearchParams(location.hash.slice(1));
  const canvas = element("view"), box = findBox(scene), pictures = scene.bodies.length + scene.shapes.length > 0;
  const last = scene.frames - 1, t0 = scene.times[0], span = scene.times[last] - t0;
  let frame = 0, t = t0, playing = false, clock = 0, waiting = false;
  const turned = Object.fromEntries(["yaw", "pitch"].filter(angle => asked.has(angle)).map(angle => [angle, +asked.get(angle)]));
  const camera = makeCamera(canvas, scene, box, turned), arrows = lengthOfArrows(scene, box);
  const drawing = pictures ? makeDrawing(canvas, scene, box, axesOf(scene)) : null;
  element("stage").hidden = !pictures;
  document.body.className = pictures ? "" : "alone";
  const length = () => element("forces").checked ? arrows * 10 ** (element("length").value / 3) : 0;
  const show = f => {
    frame = f;
    element("time").value = f;
    element("clock").textContent = "t = " + scene.times[f].toPrecision(5) + " s";
    graphs.cursor(scene.times[f], f);
    if (!drawing) return;
    drawing.frame(f, camera.view, length());
    inspector.renew(f);
  };
  const frameAt = time => {
    let low = 0, high = last;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (scene.times[middle] <= time) low = middle; else high = middle - 1;
    }
    return low;
  };
  const redraw = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { fit(); show(frame); waiting = false; });
  };
  const seek = time => { t = time; frame = frameAt(time); redraw(); };
  const graphs = makeGraphs(scene, seek);
  const inspector = drawing && makeInspector(canvas, scene, drawing, graphs, (right, up) => drawing.pick(camera.view, right, up), redraw);
  const fit = () => {
    const dense = window.devicePixelRatio || 1, w = Math.max(1, Math.round(canvas.clientWidth * dense)), h = Math.max(1, Math.round(canvas.clientHeight * dense));
    if (drawing && (canvas.width !== w || canvas.height !== h)) drawing.resize(w, h);
    camera.aim(w / h);
  };
  const speeds = [0.001, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 100, 1000];
  for (const s of speeds) element("speed").append(new Option("× " + s, s));
  element("speed").value = speeds.find(s => span / s <= 20) || 1000;
  const tick = now => {
    if (!playing) return;
    t += (now - clock) / 1000 * element("speed").value;
    clock = now;
    if (t >= t0 + span) { t = t0 + span; play(false); }
    show(frameAt(t));
    requestAnimationFrame(tick);
  };
  const play = on => {
    playing = on;
    element("play").textContent = on ? "Pause" : "Play";
    if (!on) return;
    if (frame === last) t = t0;
    clock = performance.now();
    requestAnimationFrame(tick);
  };
  element("time").max = last;
  element("time").oninput = e => seek(scene.times[+e.target.value]);
  element("play").onclick = () => play(!playing);
  element("forces").onchange = element("length").oninput = redraw;
  element("home").onclick = () => { camera.home(); redraw(); };
  camera.whenMoved(redraw);
  element("joints").onchange = e => { drawing.joints(e.target.checked); redraw(); };
  element("with_forces").hidden = element("with_length").hidden = !scene.forces.length;
  element("with_joints").hidden = !pictures || !scene.ties.length;
  element("home").hidden = !pictures;
  window.addEventListener("resize", () => { graphs.resize(); redraw(); });
  window.addEventListener("keydown", e => {
    if (e.target.tagName === "INPUT" || e.target.tagName === "SELECT" || e.target.tagName === "BUTTON") return;
    if (e.key === " ") play(!playing);
    else if (e.key === "ArrowLeft") seek(scene.times[Math.max(0, frame - 1)]);
    else if (e.key === "ArrowRight") seek(scene.times[Math.min(last, frame + 1)]);
    else return;
    e.preventDefault();
  });
  graphs.draw();
  fit();
  show(Math.max(0, Math.min(last, +(asked.get("frame") || asked.get("report") || 0))));
  t = scene.times[frame];
  window.nsds = {scene, show, drawing, graphs, inspector, camera, timeFrames: count => timeFrames(show, Math.min(count, scene.frames))};
  if (asked.has("report") && drawing) append("report", report(scene, drawing, camera.view, canvas, frame));
  if (asked.has("movie") && drawing)
    append("movie", drawMovie(scene, drawing, camera, canvas, length(), frameAt, +asked.get("movie"), +asked.get("speed") || +element("speed").value));
}

decode(element("scene").textContent).then(scene => {
  if (scene.frames === 0) throw new Error("The scene has no frames.");
  element("scene").remove();
  start(scene);
}).catch(error => {
  element("trouble").style.display = "block";
  element("trouble").textContent = "This page cannot be shown: " + error.message;
});
