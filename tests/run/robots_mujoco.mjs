// Prints, for drawn states of an MJCF file, what MuJoCo computes: attitudes of bodies, the center of
// mass, mass matrix and bias forces. Usage: node robots_mujoco.mjs MODULE FILE STATES
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [module, file, states] = process.argv.slice(2);
const mj = await (await import(pathToFileURL(module))).default();
const m = mj.MjModel.from_xml_string(readFileSync(file, 'utf8'));
const d = new mj.MjData(m);
const line = (...words) => console.log(words.join(' '));
let seed = 7n;
const draw = () => {
  seed = (seed * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
  return Number(seed >> 11n) / 4503599627370496 - 1;
};

line('size', m.nv, m.njnt, m.nbody - 1);
for (let j = 0; j < m.njnt; ++j)
  line('joint', m.jnt_type[j] === 0 ? '-' : mj.mj_id2name(m, 3, j), m.jnt_type[j], m.jnt_qposadr[j], m.jnt_dofadr[j]);
for (let b = 1; b < m.nbody; ++b) line('body', mj.mj_id2name(m, 1, b));
for (let k = 0; k < states; ++k) {
  const q = d.qpos, v = d.qvel, shown = [];
  for (let j = 0; j < m.njnt; ++j) {
    const at = m.jnt_qposadr[j], free = m.jnt_type[j] === 0;
    for (let i = 0; i < (free ? 7 : 1); ++i) q[at + i] = m.qpos0[at + i] + draw();
    if (free) {
      const length = Math.hypot(q[at + 3], q[at + 4], q[at + 5], q[at + 6]);
      for (let i = 3; i < 7; ++i) q[at + i] /= length;
    }
    for (let i = 0; i < (free ? 7 : 1); ++i) shown.push(free ? q[at + i] : q[at] - m.qpos0[at]);
  }
  for (let i = 0; i < m.nv; ++i) v[i] = 2 * draw();
  mj.mj_forward(m, d);
  line('q', ...shown);
  line('u', ...v);
  line('x', ...d.xquat.slice(4, 4 * m.nbody));
  line('c', ...d.subtree_com.slice(0, 3));
  for (let i = 0; i < m.nv; ++i) {
    const unit = new Float64Array(m.nv), out = new mj.DoubleBuffer(m.nv);
    unit[i] = 1;
    mj.mj_mulM(m, d, out, unit);
    line('M', ...out.GetView());
    out.delete();
  }
  line('b', ...d.qfrc_bias);
}
