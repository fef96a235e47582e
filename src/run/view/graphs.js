// Graphs over time: a panel for each unit, and for each column without one.

const element = id => document.getElementById(id);
const graphColors = ["#2f6fb0", "#d97a1e", "#3c8c3c", "#a8478a", "#6a5acd", "#a08a1c", "#1f8f98", "#b5453b"];

export function makeGraphs(scene, seek) {
  const canvas = element("graph"), chosen = new Set(), margin = 70, height = 120, frames = scene.frames;
  const t0 = scene.times[0], t1 = scene.times[frames - 1], graphs = {};
  scene.columns.forEach((column, k) => {
    const label = document.createElement("label"), tick = document.createElement("input");
    tick.type = "checkbox";
    tick.checked = k < 3;
    if (tick.checked) chosen.add(k);
    tick.onchange = () => { if (tick.checked) chosen.add(k); else chosen.delete(k); graphs.draw(); window.dispatchEvent(new Event("resize")); };
    label.style.color = graphColors[k % graphColors.length];
    label.append(tick, " " + column.name + (column.unit ? " [" + column.unit + "]" : ""));
    element("names").append(label);
  });
  const panel = (pen, unitName, columns, top, width) => {
    let low = Infinity, high = -Infinity;
    for (const k of columns)
      for (let f = 0; f < frames; ++f) {
        const v = scene.values[k * frames + f];
        if (v < low) low = v;
        if (v > high) high = v;
      }
    if (!(low <= high)) return;
    if (low === high) { low -= 1; high += 1; }
    const x = t => margin + (width - margin - 10) * (t - t0) / (t1 - t0 || 1), y = v => top + height - 12 - (height - 24) * (v - low) / (high - low);
    pen.strokeStyle = "#d5d8dd";
    pen.strokeRect(margin + 0.5, top + 8.5, width - margin - 10, height - 17);
    pen.fillStyle = "#555b64";
    pen.textAlign = "right";
    for (const v of [low, high]) pen.fillText(v.toPrecision(4), margin - 6, y(v) + 4);
    pen.fillText(unitName, margin - 6, top + height / 2 + 4);
    for (const k of columns) {
      pen.strokeStyle = graphColors[k % graphColors.length];
      pen.beginPath();
      for (let f = 0; f < frames; ++f) pen.lineTo(x(scene.times[f]), y(scene.values[k * frames + f]));
      pen.stroke();
    }
  };
  graphs.draw = () => {
    const groups = new Map(), width = element("graphs").clientWidth, dense = window.devicePixelRatio || 1;
    for (const k of [...chosen].sort((a, b) => a - b)) {
      const name = scene.columns[k].unit || scene.columns[k].name;
      if (!groups.has(name)) groups.set(name, []);
      groups.get(name).push(k);
    }
    canvas.width = width * dense;
    canvas.height = groups.size * height * dense;
    canvas.style.width = width + "px";
    canvas.style.height = element("now").style.height = groups.size * height + "px";
    const pen = canvas.getContext("2d");
    pen.scale(dense, dense);
    pen.font = "11px system-ui, sans-serif";
    let top = 0;
    for (const [name, columns] of groups) { panel(pen, name, columns, top, width); top += height; }
    graphs.width = width - margin - 10;
  };
  graphs.cursor = t => { element("now").style.transform = "translateX(" + (margin + graphs.width * (t - t0) / (t1 - t0 || 1)) + "px)"; };
  const point = e => { if (e.buttons & 1) seek(t0 + (t1 - t0) * Math.max(0, Math.min(1, (e.offsetX - margin) / graphs.width))); };
  canvas.addEventListener("pointerdown", point);
  canvas.addEventListener("pointermove", point);
  return graphs;
}

