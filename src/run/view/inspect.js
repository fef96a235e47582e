// Names and values: the mouse over a thing shows its name, a click chooses it and lists its values in the present frame.
import {valueText} from "./graphs.js";

const element = id => document.getElementById(id);
const near = 5; // a click moves the mouse by less [pixels]
const words = {angle: "drive or stop of an angle", displacement: "drive or stop of a displacement", other: "relation", gear: "gears",
               distance: "rod", rope: "rope", spring: "spring", fixed: "fixed joint", hinge: "hinge", ball: "ball joint",
               prismatic: "prismatic joint", cylindrical: "cylindrical joint"};

const bodyName = (scene, k) => k < 0 ? "world" : scene.bodies[k] || `body ${k}`;
const triple = v => [...v].map(x => valueText(+x.toPrecision(4))).join("  ");

function nameOf(scene, picked) {
  if (picked.tie) return picked.tie.name || words[picked.tie.kind];
  if (picked.contact !== undefined) return "force of a contact";
  return bodyName(scene, picked.body);
}

// Rows of a body: place, attitude, speed from the frames beside, and the columns that carry its name.
function rowsOfBody(scene, graphs, k, f) {
  const size = 8 * (scene.bodies.length + 1), at = frame => frame * size + 8 * (k + 1);
  const x = scene.poses.subarray(at(f), at(f) + 3), q = scene.poses.subarray(at(f) + 4, at(f) + 8);
  const rows = [["position [m]", triple(x)]];
  const sine = Math.hypot(q[0], q[1], q[2]), angle = 2 * Math.atan2(sine, q[3]) * 180 / Math.PI;
  if (sine > 1e-3) rows.push(["turned by [°]", valueText(+angle.toPrecision(4))], ["about", triple([q[0] / sine, q[1] / sine, q[2] / sine])]);
  const [a, b] = [Math.max(0, f - 1), Math.min(scene.frames - 1, f + 1)], dt = scene.times[b] - scene.times[a];
  if (dt > 0) {
    const v = [0, 1, 2].map(i => (scene.poses[at(b) + i] - scene.poses[at(a) + i]) / dt);
    rows.push(["speed, about [m/s]", valueText(+Math.hypot(...v).toPrecision(3))]);
  }
  const name = scene.bodies[k] + ".";
  for (const c of graphs.columns)
    if (name.length > 1 && c.name.startsWith(name)) rows.push([c.name.slice(name.length) + (c.unit ? ` [${c.unit}]` : ""), valueText(c.values[f])]);
  return rows;
}

function rowsOfTie(scene, graphs, drawing, tie, f) {
  const rows = [["kind", words[tie.kind]], ["between", bodyName(scene, tie.body)], ["and", bodyName(scene, tie.other)]];
  const length = drawing.spanOf(tie);
  if (length !== undefined) rows.push(["length [m]", valueText(+length.toPrecision(4))]);
  for (const c of graphs.columns)
    if (tie.name && c.name.startsWith(tie.name + ".")) rows.push([c.name.slice(tie.name.length + 1) + (c.unit ? ` [${c.unit}]` : ""), valueText(c.values[f])]);
  return rows;
}

function rowsOfContact(scene, k) {
  const point = scene.forces.subarray(6 * k, 6 * k + 3), force = scene.forces.subarray(6 * k + 3, 6 * k + 6);
  return [["force [N]", triple(force)], ["size [N]", valueText(+Math.hypot(...force).toPrecision(3))], ["point [m]", triple(point)]];
}

// `pick(right, up)`: what is at a point of the canvas. Returns the function that renews the values for a frame.
export function makeInspector(canvas, scene, drawing, graphs, pick, redraw) {
  const tip = element("hover"), panel = element("values");
  let chosen = null, down = null, frame = 0, waiting = false;
  const at = e => {
    const r = canvas.getBoundingClientRect();
    return pick(2 * (e.clientX - r.left) / r.width - 1, 1 - 2 * (e.clientY - r.top) / r.height);
  };
  const close = document.createElement("button");
  close.textContent = "×";
  close.setAttribute("aria-label", "Close");
  const renew = f => {
    frame = f;
    panel.hidden = !chosen;
    if (!chosen) return;
    const title = document.createElement("b"), table = document.createElement("table");
    title.textContent = nameOf(scene, chosen);
    const rows = chosen.tie ? rowsOfTie(scene, graphs, drawing, chosen.tie, f)
      : chosen.contact !== undefined ? rowsOfContact(scene, chosen.contact) : rowsOfBody(scene, graphs, chosen.body, f);
    for (const [name, value] of rows) {
      const row = table.insertRow();
      row.insertCell().textContent = name;
      row.insertCell().textContent = value;
    }
    panel.replaceChildren(title, table, close);
  };
  const choose = picked => {
    chosen = picked;
    drawing.choose(picked);
    renew(frame);
    redraw();
  };
  close.onclick = () => choose(null);
  canvas.addEventListener("pointerdown", e => { down = [e.clientX, e.clientY]; tip.hidden = true; });
  canvas.addEventListener("pointerup", e => {
    if (down && e.button === 0 && Math.hypot(e.clientX - down[0], e.clientY - down[1]) < near) choose(at(e));
    down = null;
  });
  canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
  canvas.addEventListener("pointermove", e => {
    if (down || waiting || e.pointerType === "touch") return;
    waiting = true; // once a picture, however fast the mouse is
    requestAnimationFrame(() => {
      waiting = false;
      const picked = down ? null : at(e), r = canvas.getBoundingClientRect();
      tip.hidden = !picked;
      canvas.style.cursor = picked ? "pointer" : "";
      if (!picked) return;
      tip.textContent = nameOf(scene, picked);
      tip.style.left = Math.max(4, Math.min(e.clientX - r.left + 14, r.width - tip.offsetWidth - 4)) + "px";
      tip.style.top = Math.max(4, e.clientY - r.top - 26) + "px";
    });
  });
  return {
    choose,
    // A contact of one frame is no contact of the next.
    renew: f => { if (chosen && chosen.contact !== undefined && f !== frame) chosen = null; renew(f); }
  };
}
