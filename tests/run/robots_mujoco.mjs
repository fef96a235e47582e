// Prints what MuJoCo computes for an MJCF file.
//   node robots_mujoco.mjs MODULE states FILE COUNT        attitudes, center of mass, mass matrix and bias forces
//                                                          of drawn states
//   node robots_mujoco.mjs MODULE keys FILE COUNT NEW      writes the file with drawn keyframes; forces of
//                                                          actuators and values of sensors there
//   node robots_mujoco.mjs MODULE rest FILE STEPS          values of sensors after as many steps
//   node robots_mujoco.mjs MODULE motion FILE STEPS NEW    writes the file without damping, stops, contacts,
//                                                          equalities and actuators; its motion over 1 s by RK4
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [module, what, file, number, copy] = process.argv.slice(2);
const mj = await (await import(pathToFileURL(module))).default();
const count = Number(number);
const line = (...words) => console.log(words.join(' '));
let seed = 7n;
const draw = () => {
  seed = (seed * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
  return Number(seed >> 11n) / 4503599627370496 - 1;
};
const sizeOf = type => [7, 4, 1, 1][type];
const isOne = type => type > 1;

const drawState = (m, q, v) => {
  for (let j = 0; j < m.njnt; ++j) {
    const at = m.jnt_qposadr[j], type = m.jnt_type[j], size = sizeOf(type);
    for (let i = 0; i < size; ++i) q[at + i] = m.qpos0[at + i] + draw();
    if (isOne(type)) continue;
    const from = at + size - 4, length = Math.hypot(q[from], q[from + 1], q[from + 2], q[from + 3]);
    for (let i = 0; i < 4; ++i) q[from + i] /= length;
  }
  for (let i = 0; i < m.nv; ++i) v[i] = 2 * draw();
};
// Coordinates as the tree has them: from the zero of the joint.
const shown = (m, q) => {
  const list = [];
  for (let j = 0; j < m.njnt; ++j)
    for (let i = 0; i < sizeOf(m.jnt_type[j]); ++i)
      list.push(isOne(m.jnt_type[j]) ? q[m.jnt_qposadr[j]] - m.qpos0[m.jnt_qposadr[j]] : q[m.jnt_qposadr[j] + i]);
  return list;
};
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const turned = (q, v) => { // of a quaternion (w, x, y, z)
  const t = cross(q.slice(1), v).map(x => 2 * x), u = cross(q.slice(1), t);
  return v.map((x, i) => x + q[0] * t[i] + u[i]);
};
// The center of mass c of a free body, in the body, stands for its frame here: place p + R c, velocity v + R (w x c).
const freeBody = (m, d) => {
  if (m.jnt_type[0] !== 0) return null;
  const b = m.jnt_bodyid[0];
  return { c: [...m.body_ipos.slice(3 * b, 3 * b + 3)], turn: [...d.qpos.slice(3, 7)], w: [...d.qvel.slice(3, 6)] };
};
const places = (m, d) => {
  const q = shown(m, d.qpos), f = freeBody(m, d);
  if (f) turned(f.turn, f.c).forEach((x, i) => { q[i] += x; });
  return q;
};
const rates = (m, d) => {
  const u = [...d.qvel], f = freeBody(m, d);
  if (f) turned(f.turn, cross(f.w, f.c)).forEach((x, i) => { u[i] += x; });
  return u;
};
// MuJoCo's velocities are T u. Columns of T beside the unit matrix: R (c x w).
const ofCenter = (m, d, M, bias) => {
  const f = freeBody(m, d), n = m.nv;
  if (!f) return { M, bias };
  const T = [0, 1, 2].map(k => turned(f.turn, cross(f.c, [0, 1, 2].map(i => +(i === k)))));
  const rate = turned(f.turn, cross(f.w, cross(f.c, f.w))); // dT/dt u
  const b = bias.map((x, i) => x + rate.reduce((s, r, k) => s + M[i][k] * r, 0));
  const right = M.map(row => row.map((x, j) => j > 2 && j < 6 ? x + [0, 1, 2].reduce((s, k) => s + row[k] * T[j - 3][k], 0) : x));
  const all = right.map((row, i) => row.map((x, j) => i > 2 && i < 6 ? x + [0, 1, 2].reduce((s, k) => s + T[i - 3][k] * right[k][j], 0) : x));
  return { M: all, bias: b.map((x, i) => i > 2 && i < 6 ? x + [0, 1, 2].reduce((s, k) => s + T[i - 3][k] * b[k], 0) : x) };
};
const sizes = m => {
  line('size', m.nv, m.njnt, m.nbody - 1);
  for (let j = 0; j < m.njnt; ++j)
    line('joint', m.jnt_type[j] === 0 ? '-' : mj.mj_id2name(m, 3, j), m.jnt_type[j], m.jnt_qposadr[j], m.jnt_dofadr[j]);
  for (let b = 1; b < m.nbody; ++b) line('body', mj.mj_id2name(m, 1, b));
};

const sensors = (m, d) => {
  for (let s = 0; s < m.nsensor; ++s) {
    const name = mj.mj_id2name(m, 20, s), at = m.sensor_adr[s], size = m.sensor_dim[s];
    line('sensor', name, m.sensor_needstage[s], size, ...d.sensordata.slice(at, at + size));
  }
};

const states = text => {
  const m = mj.MjModel.from_xml_string(text), d = new mj.MjData(m);
  sizes(m);
  for (let k = 0; k < count; ++k) {
    drawState(m, d.qpos, d.qvel);
    mj.mj_forward(m, d);
    line('q', ...places(m, d));
    line('u', ...rates(m, d));
    line('x', ...d.xquat.slice(4, 4 * m.nbody));
    line('c', ...d.subtree_com.slice(0, 3));
    const rows = [];
    for (let i = 0; i < m.nv; ++i) {
      const unit = new Float64Array(m.nv), out = new mj.DoubleBuffer(m.nv);
      unit[i] = 1;
      mj.mj_mulM(m, d, out, unit);
      rows.push([...out.GetView()]);
      out.delete();
    }
    const { M, bias } = ofCenter(m, d, rows, [...d.qfrc_bias]);
    for (const row of M) line('M', ...row);
    line('b', ...bias);
  }
};

// Loops stay closed, so robots with equalities keep their coordinates and get velocities of 0.
const keys = text => {
  const first = mj.MjModel.from_xml_string(text), loops = first.neq > 0;
  const d = new mj.MjData(first), all = [];
  for (let k = 0; k < count; ++k) {
    drawState(first, d.qpos, d.qvel);
    const control = Array.from({ length: first.nu }, () => draw());
    const q = loops ? [...first.qpos0] : [...d.qpos], v = loops ? [...d.qvel].map(() => 0) : [...d.qvel];
    all.push(`<key name="drawn_${k}" qpos="${q.join(' ')}" qvel="${v.join(' ')}" ctrl="${control.join(' ')}"/>`);
  }
  const bare = text.replace(/<keyframe>[^]*?<\/keyframe>/g, '');
  const changed = bare.replace('</mujoco>', `<keyframe>${all.join('\n')}</keyframe></mujoco>`);
  writeFileSync(copy, changed);
  const m = mj.MjModel.from_xml_string(changed), e = new mj.MjData(m);
  for (let k = 0; k < count; ++k) {
    mj.mj_resetDataKeyframe(m, e, k);
    mj.mj_forward(m, e);
    line('key', `drawn_${k}`);
    for (let j = 0; j < m.njnt; ++j)
      if (isOne(m.jnt_type[j])) line('drive', mj.mj_id2name(m, 3, j), e.qpos[m.jnt_qposadr[j]], e.qvel[m.jnt_dofadr[j]], e.qfrc_actuator[m.jnt_dofadr[j]]);
    sensors(m, e);
  }
};

// Forces after many steps, which are those at rest.
const rest = text => {
  const m = mj.MjModel.from_xml_string(text), d = new mj.MjData(m);
  for (let k = 0; k < count; ++k) mj.mj_step(m, d);
  sensors(m, d);
};

const motion = text => {
  const free = text.replace(/<(actuator|equality|sensor|contact|keyframe|tendon)>[^]*?<\/\1>/g, '')
    .replace(/ (damping|frictionloss|range)="[^"]*"/g, '')
    .replace('<worldbody>', '<default><geom contype="0" conaffinity="0"/></default><worldbody>');
  writeFileSync(copy, free);
  const m = mj.MjModel.from_xml_string(free), d = new mj.MjData(m);
  m.opt.integrator = 1;
  m.opt.timestep = 1 / count;
  drawState(m, d.qpos, d.qvel);
  sizes(m);
  line('q', ...places(m, d));
  line('u', ...rates(m, d));
  for (let k = 0; k < count; ++k) mj.mj_step(m, d);
  line('q', ...places(m, d));
  line('u', ...rates(m, d));
};

({ states, keys, motion, rest })[what](readFileSync(file, 'utf8'));
