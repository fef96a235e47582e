// The data of a scene, from the text that scene_page.c and scene_code.c write: poses and contacts of all frames.

async function inflate(text) {
  const packed = Uint8Array.from(atob(text), c => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function reader(bytes) {
  let at = 0;
  return () => {
    let value = 0, scale = 1, byte;
    do {
      byte = bytes[at++];
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte > 127);
    return value % 2 ? -(value + 1) / 2 : value / 2;
  };
}

// Poses of each frame, 8 numbers a body: x y z 0, and the quaternion as x y z w. The first place is of scenery.
function decodePoses(head, bytes) {
  const next = reader(bytes), n = head.bodies.length, size = 8 * (n + 1), poses = new Float32Array(head.frames * size);
  const last = new Float64Array(7 * n), before = new Float64Array(7 * n), first = new Float64Array(7 * n);
  for (let f = 0; f < head.frames; ++f) {
    for (let part = 0; part < 7; ++part)
      for (let k = 0; k < n; ++k) {
        const i = 7 * k + part, step = last[i] - before[i], bend = last[i] - 2 * before[i] + first[i];
        const value = next() + last[i] + (part === 3 || Math.abs(step) <= 1 ? 0 : Math.abs(bend) <= 4 ? step : step + bend);
        first[i] = before[i];
        before[i] = last[i];
        last[i] = value;
      }
    poses[f * size + 7] = 1;
    for (let k = 0; k < n; ++k) placeBody(head, last.subarray(7 * k, 7 * k + 7), poses, f * size + 8 * (k + 1));
  }
  return poses;
}

function placeBody(head, part, poses, at) {
  for (let i = 0; i < 3; ++i) poses[at + i] = head.origin[i] + head.quantum[0] * part[i];
  let sum = 0;
  for (let i = 0, given = 4; i < 4; ++i) {
    if (i === part[3]) continue;
    const c = part[given++] / head.steps.turn;
    poses[at + 4 + (i + 3) % 4] = c;
    sum += c * c;
  }
  poses[at + 4 + (part[3] + 3) % 4] = Math.sqrt(Math.max(0, 1 - sum));
}

// Contacts of all frames, 6 numbers each: point and force; and where each frame ends.
function decodeForces(head, bytes) {
  const next = reader(bytes), ends = [0], rows = [];
  let old = [];
  for (let f = 0; f < head.frames; ++f) {
    const stay = old.filter(() => next() === 1), fresh = next(), now = stay.map(row => row.slice());
    for (let k = 0; k < fresh; ++k) now.push(new Int32Array(6));
    for (let part = 0; part < 6; ++part)
      for (let k = 0; k < now.length; ++k) {
        if (k > stay.length) now[k][part] = now[k - 1][part];
        now[k][part] += next();
      }
    rows.push(now);
    ends.push(ends[f] + now.length);
    old = now;
  }
  const forces = new Float32Array(6 * ends[head.frames]);
  let at = 0;
  for (const frame of rows)
    for (const row of frame) placeForce(head, row, forces, 6 * at++);
  return {forces, ends};
}

function placeForce(head, row, forces, at) {
  for (let i = 0; i < 3; ++i) forces[at + i] = head.origin[i] + 4 * head.quantum[0] * row[i];
  const length = row[3] > 0 ? head.strongest[0] * 2 ** (row[3] / head.steps.octave - head.steps.octaves) : 0;
  let u = row[4] / head.steps.slope, v = row[5] / head.steps.slope;
  const w = 1 - Math.abs(u) - Math.abs(v);
  if (w < 0) [u, v] = [(1 - Math.abs(v)) * (u < 0 ? -1 : 1), (1 - Math.abs(u)) * (v < 0 ? -1 : 1)];
  const scale = length / Math.hypot(u, v, w);
  forces[at + 3] = scale * u;
  forces[at + 4] = scale * v;
  forces[at + 5] = scale * w;
}

export async function decode(text) {
  const all = await inflate(text), end = all.indexOf(10), head = JSON.parse(new TextDecoder().decode(all.subarray(0, end)));
  let at = end + 1;
  const parts = head.bytes.map(size => all.slice(at, at += size));
  const times = new Float64Array(parts[0].buffer), values = new Float32Array(parts[1].buffer);
  return {...head, times, values, poses: decodePoses(head, parts[2]), ...decodeForces(head, parts[3])};
}

