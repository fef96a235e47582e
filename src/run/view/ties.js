// Joints, springs and relations. Marks are solids on a body: the pin of a hinge, the ring of a drive, the arc to a stop. Spans reach from a
// point of one body to a point of another, and are placed in each frame: springs, rods, ropes, relations.
import {Color, Matrix4, Quaternion, TorusGeometry, Vector3} from "three";

const dark = new Color(0.30, 0.32, 0.36), drive = new Color(0.80, 0.33, 0.18), steel = new Color(0.45, 0.50, 0.57);
const limit = new Color(0.20, 0.55, 0.35), pale = new Color(0.62, 0.60, 0.72), rope = new Color(0.60, 0.47, 0.30), first = new Vector3(1, 0, 0);
const vector = list => new Vector3(...list);

// What stands between two points, by kind: mesh, radius in parts of a mark, color.
const spanOf = {
  spring: ["coil", 1.5, steel], distance: ["cylinder", 0.32, dark], rope: ["cylinder", 0.2, rope],
  other: ["cylinder", 0.12, pale], gear: ["cylinder", 0.12, pale]
};

// A stop: an arc on the body that does not turn, from the place of the hand to the stop, and the hand on the other body.
// Of a displacement: a plate at the stop.
function marksOfStop(tie, unit) {
  const [way] = tie.way, about = vector(tie.about), start = vector(tie.start), to = vector(tie.to), hand = vector(tie.hand);
  const put = (mesh, body, color, place) => ({mesh, body, tie, color, place});
  if (tie.kind === "displacement") {
    const turn = new Quaternion().setFromUnitVectors(first, about);
    return [put("box", tie.other, limit, new Matrix4().compose(to.addScaledVector(about, way), turn, new Vector3(0.25, 1.4, 1.4).multiplyScalar(unit)))];
  }
  const angle = Math.min(Math.abs(way), 2 * Math.PI), axis = about.multiplyScalar(Math.sign(way) || 1), size = new Vector3(unit, unit, unit);
  const frame = new Matrix4().makeBasis(start, new Vector3().crossVectors(axis, start), axis).setPosition(to).scale(size);
  const end = start.clone().applyAxisAngle(axis, angle), out = end.clone().multiplyScalar(3.2 * unit).add(to);
  const needle = vector(tie.from).addScaledVector(hand, 1.6 * unit);
  return [put(new TorusGeometry(3.2, 0.16, 6, Math.max(2, Math.ceil(8 * angle)), Math.max(angle, 1e-3)).toNonIndexed(), tie.other, limit, frame),
          put("box", tie.other, limit, new Matrix4().compose(out, new Quaternion().setFromUnitVectors(first, end), new Vector3(0.8, 0.2, 0.2).multiplyScalar(unit))),
          put("cylinder", tie.body, dark, new Matrix4().compose(needle, new Quaternion().setFromUnitVectors(first, hand), new Vector3(1.6, 0.14, 0.14).multiplyScalar(unit)))];
}

function marksOf(tie, unit) {
  if (tie.way) return marksOfStop(tie, unit);
  const at = vector(tie.from), turn = new Quaternion(), marks = [];
  if (tie.axis) turn.setFromUnitVectors(first, vector(tie.axis).normalize());
  const put = (mesh, color, along, across, shift = 0, back = false) => {
    const flip = back ? turn.clone().multiply(new Quaternion(0, 0, 1, 0)) : turn;
    const place = at.clone().addScaledVector(first.clone().applyQuaternion(turn), shift * unit);
    marks.push({mesh, body: tie.body, tie, color, place: new Matrix4().compose(place, flip, new Vector3(along, across, across).multiplyScalar(unit))});
  };
  if (tie.kind === "hinge") put("cylinder", dark, 1.7, 0.55);
  if (tie.kind === "ball") put("sphere", dark, 1, 1);
  if (tie.kind === "fixed") put("box", dark, 0.8, 0.8);
  if (tie.kind === "prismatic") put("box", dark, 3.2, 0.5);
  if (tie.kind === "cylindrical") { put("cylinder", dark, 3.2, 0.45); put("ring", dark, 0.9, 0.9); }
  if (tie.kind === "angle") put("ring", drive, 1.6, 1.6);
  if (tie.kind === "displacement")
    for (const side of [1, -1]) put("cone", drive, 0.7, 0.6, 2.6 * side, side < 0);
  if ((tie.kind === "other" || tie.kind === "spring") && !tie.to) put("ring", pale, 1.1, 1.1);
  if (tie.kind === "spring" || tie.kind === "distance" || tie.kind === "rope")
    if (tie.to) put("sphere", dark, 0.42, 0.42);
  return marks;
}

// The coil that fits the length of a spring at the start.
function coilOf(scene, tie, radius) {
  const poses = [tie.body, tie.other].map(k => new Matrix4().compose(new Vector3().fromArray(scene.poses, 8 * (k + 1)),
    new Quaternion().fromArray(scene.poses, 8 * (k + 1) + 4), new Vector3(1, 1, 1)));
  const slim = vector(tie.from).applyMatrix4(poses[0]).distanceTo(vector(tie.to).applyMatrix4(poses[1])) / (2 * radius);
  return slim < 7 ? "coil5" : slim < 14 ? "coil10" : "coil20";
}

// {marks, spans}: a span has the mesh, its bodies and points, and a radius.
export function collectTies(scene, box) {
  const unit = 0.016 * box.radius, marks = [], spans = [];
  scene.ties.forEach((tie, index) => {
    tie.index = index;
    marks.push(...marksOf(tie, unit));
    const look = tie.to && spanOf[tie.kind];
    if (!look) return;
    const [mesh, radius, color] = look;
    spans.push({mesh: mesh === "coil" ? coilOf(scene, tie, radius * unit) : mesh, tie, color, body: tie.body, radius: radius * unit, from: vector(tie.from), to: vector(tie.to)});
  });
  return {marks, spans};
}

// Puts a span between its points, for poses of bodies, the first of which is the world's. Returns the length.
const begin = new Vector3(), end = new Vector3(), middle = new Vector3(), turn = new Quaternion(), size = new Vector3();
export function placeSpan(span, poses, matrix) {
  begin.copy(span.from).applyMatrix4(poses[span.tie.body + 1]);
  end.copy(span.to).applyMatrix4(poses[span.tie.other + 1]);
  middle.addVectors(begin, end).multiplyScalar(0.5);
  const length = end.sub(begin).length();
  if (length > 0) turn.setFromUnitVectors(first, end.divideScalar(length));
  matrix.compose(middle, turn, size.set(length / 2 || 1e-9, span.radius, span.radius));
  return length;
}
