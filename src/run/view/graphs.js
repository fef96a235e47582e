// Graphs over time, by uPlot: a panel for each unit, and within a unit for each scale. Panels share their range of time.
// Dragging zooms in, a double click shows the whole run, and a click chooses the time.
import uPlot from "uplot";
import css from "uplot.css";

const element = id => document.getElementById(id);
const graphColors = ["#2f6fb0", "#d97a1e", "#3c8c3c", "#a8478a", "#6a5acd", "#a08a1c", "#1f8f98", "#b5453b"];
const colorOf = k => graphColors[k % graphColors.length];
const plotHeight = 132, labelled = c => c.unit ? `${c.name} [${c.unit}]` : c.name;
const widest = 30; // columns whose sizes differ by more than this factor get panels of their own
const shown = 6;   // columns that are shown at first, at most

// Columns as uPlot wants them: null where there is no finite number.
function columnsOf(scene) {
  return scene.columns.map((column, k) => {
    const values = Array.from(scene.values.subarray(k * scene.frames, (k + 1) * scene.frames), v => Number.isFinite(v) ? v : null);
    let size = 0;
    for (const v of values) if (v !== null) size = Math.max(size, Math.abs(v));
    return {...column, k, values, size};
  });
}

// Panels of chosen columns. Without a unit each column has its own. A column that is zero fits everywhere.
export function panelsOf(columns) {
  const panels = [];
  for (const column of columns) {
    const fits = p => column.unit && p.unit === column.unit &&
      (!column.size || !p.high || (column.size <= widest * p.low && widest * column.size >= p.high));
    let panel = panels.find(fits);
    if (!panel) panels.push(panel = {unit: column.unit, columns: [], low: Infinity, high: 0});
    panel.columns.push(column);
    if (column.size) panel.low = Math.min(panel.low, column.size);
    panel.high = Math.max(panel.high, column.size);
  }
  return panels;
}

// Ticks in few characters.
const tickText = v => v === null ? "" : Math.abs(v) >= 1e5 || (v !== 0 && Math.abs(v) < 1e-3) ? v.toExponential().replace("e+", "e") : String(+v.toPrecision(6));
export const valueText = v => v === null || v === undefined ? "–" : tickText(v);

// A range for the axis; one value gets room on both sides.
function rangeOf(plot, low, high) {
  if (low === null || high === null) return [-1, 1];
  const room = high > low ? 0.06 * (high - low) : 0.1 * Math.abs(low) || 1;
  return [low - room, high + room];
}

export function makeGraphs(scene, seek) {
  const columns = columnsOf(scene), chosen = new Set(), host = element("graphs"), times = Array.from(scene.times);
  const whole = {min: times[0], max: times[times.length - 1] > times[0] ? times[times.length - 1] : times[0] + 1};
  let plots = [], time = times[0], frame = 0, range = whole;
  const style = document.createElement("style");
  style.textContent = css;
  document.head.prepend(style);

  const zoom = to => {
    range = to;
    for (const {plot} of plots)
      if (plot.scales.x.min !== to.min || plot.scales.x.max !== to.max) plot.setScale("x", to);
    graphs.cursor(time, frame);
  };
  // Without bodies the graphs have the window for themselves; a legend takes about 30 points.
  const heightOf = count => document.body.className === "alone" && count ? Math.min(360, Math.max(plotHeight, Math.floor(host.clientHeight / count) - 30)) : plotHeight;
  const makePlot = (panel, _, all) => {
    const name = panel.unit || labelled(panel.columns[0]);
    const options = {
      width: Math.max(200, host.clientWidth), height: heightOf(all.length), pxAlign: 0,
      scales: {x: {time: false, min: range.min, max: range.max}, y: {range: rangeOf}},
      padding: [8, 26, 0, 0],
      series: [{label: "t [s]", value: (_, v) => valueText(v)},
               ...panel.columns.map(c => ({label: c.name, stroke: colorOf(c.k), width: 1.5, points: {show: times.length < 3}, value: (_, v) => valueText(v)}))],
      axes: [{size: 24, space: 70, values: (_, ticks) => ticks.map(tickText), grid: {stroke: "#e4e7eb", width: 1}, ticks: {size: 4}, font: "11px system-ui, sans-serif"},
             {size: 62, values: (_, ticks) => ticks.map(tickText), space: 22, grid: {stroke: "#e4e7eb", width: 1}, ticks: {size: 4}, gap: 3,
              font: "11px system-ui, sans-serif", label: name.length > 16 ? name.slice(0, 15) + "…" : name, labelSize: 16, labelFont: "11px system-ui, sans-serif"}],
      cursor: {sync: {key: "time"}, drag: {x: true, y: false, dist: 6}, y: false,
               bind: {dblclick: () => () => zoom(whole),
                      click: (plot, _, handler) => e => { handler(e); if (plot.cursor.left >= 0 && !plot.select.width) seek(plot.posToVal(plot.cursor.left, "x")); }}},
      hooks: {setScale: [(plot, key) => { if (key === "x" && plot.status) zoom({min: plot.scales.x.min, max: plot.scales.x.max}); }]}
    };
    const plot = new uPlot(options, [times, ...panel.columns.map(c => c.values)], host), now = document.createElement("div");
    now.className = "now";
    plot.over.append(now);
    return {plot, now};
  };
  const choose = () => {
    for (const {plot} of plots) plot.destroy();
    plots = panelsOf(columns.filter(c => chosen.has(c.k))).map(makePlot);
    graphs.cursor(time, frame);
  };
  const graphs = {
    columns,
    draw: choose,
    range: () => [range.min, range.max],
    resize: () => { for (const {plot} of plots) plot.setSize({width: Math.max(200, host.clientWidth), height: heightOf(plots.length)}); graphs.cursor(time, frame); },
    // The line of the time that is shown. Legends have the values there while no mouse points elsewhere.
    cursor: (t, f) => {
      [time, frame] = [t, f];
      for (const {plot, now} of plots) {
        now.hidden = t < plot.scales.x.min || t > plot.scales.x.max;
        now.style.transform = `translateX(${plot.valToPos(t, "x")}px)`;
        if (!(plot.cursor.left >= 0)) plot.setLegend({idx: f}, false);
      }
    }
  };

  for (const column of columns) {
    const label = document.createElement("label"), tick = document.createElement("input");
    tick.type = "checkbox";
    tick.checked = column.k < shown && (column.k < 3 || panelsOf(columns.slice(0, column.k + 1)).length <= 2);
    if (tick.checked) chosen.add(column.k);
    tick.onchange = () => {
      if (tick.checked) chosen.add(column.k); else chosen.delete(column.k);
      choose();
      window.dispatchEvent(new Event("resize"));
    };
    label.style.color = colorOf(column.k);
    label.title = labelled(column);
    label.append(tick, " " + labelled(column));
    element("names").append(label);
  }
  element("names").hidden = element("graphs").hidden = columns.length === 0;
  return graphs;
}
