// Compares what trees_oracle prints with MuJoCo: places, mass matrix, bias forces, inverse dynamics, to 1e-10.
//   trees_oracle COUNT FOLDER | node trees_mujoco.mjs MODULE
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const mj = await (await import(pathToFileURL(process.argv[2]))).default();
const tolerance = 1e-10;
let m, d, file, body = 0, row = 0, worst = 0, trees = 0, compared = 0;

const compare = (what, found, expected) => {
  const size = expected.reduce((s, x) => Math.max(s, Math.abs(x)), 1);
  found.forEach((x, i) => {
    const error = Math.abs(x - expected[i]) / size;
    worst = Math.max(worst, error);
    ++compared;
    if (error <= tolerance) return;
    console.error(`${file}: ${what}[${i}] is ${x}; MuJoCo has ${expected[i]}`);
    process.exit(1);
  });
};
const open = name => {
  if (m) { d.delete(); m.delete(); }
  file = name;
  m = mj.MjModel.from_xml_string(readFileSync(file, 'utf8'));
  d = new mj.MjData(m);
  ++trees;
};
const massRow = i => {
  const unit = new Float64Array(m.nv), out = new mj.DoubleBuffer(m.nv);
  unit[i] = 1;
  mj.mj_mulM(m, d, out, unit);
  const found = [...out.GetView()];
  out.delete();
  return found;
};
const placeOf = (b, found) => {
  const x = [...d.xpos.slice(3 * b, 3 * b + 3)], p = [...d.xquat.slice(4 * b, 4 * b + 4)];
  const same = p.reduce((s, y, i) => s + y * found[3 + i], 0) < 0 ? -1 : 1; // p and -p are one attitude
  return [...x, ...p.map(y => same * y)];
};
const lines = {
  tree: words => open(words[0]),
  q: x => { x.forEach((y, i) => { d.qpos[i] = y; }); },
  u: x => { x.forEach((y, i) => { d.qvel[i] = y; }); },
  a: x => {
    mj.mj_forward(m, d);
    x.forEach((y, i) => { d.qacc[i] = y; });
    mj.mj_inverse(m, d);
    body = row = 0;
  },
  x: x => compare(`place of body ${body}`, x, placeOf(++body, x)),
  M: x => compare(`M[${row}]`, x, massRow(row++)),
  b: x => compare('bias', x, [...d.qfrc_bias]),
  tau: x => compare('tau', x, [...d.qfrc_inverse]),
};
for await (const text of createInterface({ input: process.stdin })) {
  const [word, ...rest] = text.split(' ');
  lines[word](word === 'tree' ? rest : rest.map(Number));
}
if (trees === 0) process.exit(1);
console.log(`${trees} trees, ${compared} numbers, largest error ${worst.toExponential(2)}`);
