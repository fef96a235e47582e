"""What pages show: shapes with and without contacts, joints, springs and relations, where the model has them.

    pages.py NSDS FOLDER [COUNT [SEED]]

Fixed models, then COUNT drawn ones: bodies with shapes in a contact set or in none, in space and in the plane, with
joints, springs and relations at drawn points. Each shape must be in the page once, on its body. Each tie must be there
once, and its points, carried by the poses of the first frame, must be the points of the model file.
"""
import base64
import json
import math
import os
import random
import re
import subprocess
import sys
import zlib

NSDS, FOLDER = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
COUNT, SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 40, int(sys.argv[4]) if len(sys.argv) > 4 else 1
os.makedirs(FOLDER, exist_ok=True)
os.chdir(FOLDER)
wrong = []


def check(good, *what):
    if not good:
        wrong.append(what)
        print("WRONG", *what)


def read_page(path):
    """The data of a page: its JSON, and poses of the first frame as (place, quaternion)."""
    with open(path, encoding="utf-8") as file:
        page = file.read()
    raw = zlib.decompress(base64.b64decode(re.search(r'id="scene">(.*?)</script>', page, re.S).group(1)))
    end = raw.index(b"\n")
    head = json.loads(raw[:end])
    at = end + 1 + head["bytes"][0] + head["bytes"][1]
    count, wholes = len(head["bodies"]), []
    while len(wholes) < 7 * count:  # the first frame: differences from zero, part by part
        value = shift = 0
        while True:
            byte = raw[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        wholes.append(-(value + 1) // 2 if value % 2 else value // 2)
    head["poses"] = []
    for k in range(count):
        part = [wholes[i * count + k] for i in range(7)]
        x = [head["origin"][i] + head["quantum"][0] * part[i] for i in range(3)]
        turn = [c / head["steps"]["turn"] for c in part[4:]]
        turn.insert(part[3], math.sqrt(max(0.0, 1.0 - sum(c * c for c in turn))))
        head["poses"].append((x, turn))
    return head, page


def view(text, name="model"):
    with open(name + ".yaml", "w", encoding="utf-8") as file:
        file.write(text)
    done = subprocess.run([NSDS, "view", "--no-open", "-o", name + ".html", name + ".yaml"], capture_output=True, text=True)
    if "without pages" in done.stderr:
        print("skipped: this build has no pages")
        sys.exit(77)
    check(done.returncode == 0, name, done.stderr)
    return read_page(name + ".html") if done.returncode == 0 else (None, None)


def to_world(head, body, point):
    if body < 0:
        return point
    (x, (w, *u)) = head["poses"][body]
    cross = lambda a, b: [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    t = [2 * c for c in cross(u, point)]
    return [x[i] + point[i] + w * t[i] + cross(u, t)[i] for i in range(3)]


def near(head, body, point, expected):
    slack = 3 * head["quantum"][0] + 2e-3 * math.dist(point, [0, 0, 0]) + 1e-6
    return math.dist(to_world(head, body, point), expected) < slack


HEAD = "nsds: 1\nname: %s\nsystems:\n%s"
TAIL = "simulation: {type: time_stepping, t1: 0.02, h: 0.01}\n"


def fixed_models():
    """Shapes without contacts were drawn as sticks (case D24); springs and relations were not drawn."""
    top = "  top: {type: rigid_body, density: 1000, shapes: [{type: box, half: [0.3, 0.2, 0.1]}, {type: sphere, radius: 0.1, position: [0, 0, 0.4]}]}\n"
    head, _ = view(HEAD % ("shapes without contacts", top) + TAIL, "loose")
    check([s["kind"] for s in head["shapes"]] == ["box", "sphere"], "loose shapes", head["shapes"])
    z = [s["position"][2] for s in head["shapes"]]
    check(z[0] < 0 and abs(z[1] - z[0] - 0.4) < 1e-9, "shapes are moved to the center of mass", z)
    own = ("  a: {type: lagrangian_linear, q0: [1, 0, 0], mass: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}\n"
           "  b: {type: lagrangian_linear, q0: [0, 2, 0], mass: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}\n"
           "interactions:\n"
           "  tie: {systems: [a, b], relation: {type: lagrangian_linear, H: [[1, 0, 0, 1, 0, 0]]}, law: {type: equality}}\n"
           "  wall: {systems: a, relation: {type: lagrangian_linear, H: [[1, 0, 0]]}, law: {type: newton_impact, e: 0.5}}\n"
           "  coil: {systems: [b, a], relation: {type: coordinate_spring, coordinates: [2, 2], stiffness: 5}}\n"
           "  hung: {systems: b, relation: {type: coordinate_spring, coordinates: [2], stiffness: 5}}\n")
    head, _ = view(HEAD % ("relations of one's own", own) + TAIL, "own")
    ties = {t["name"]: t for t in head["ties"]}
    check({n: (t["kind"], t["body"], t["other"], "to" in t) for n, t in ties.items()} ==
          {"tie": ("other", 0, 1, True), "wall": ("other", 0, -1, False), "coil": ("spring", 1, 0, True), "hung": ("spring", 1, -1, True)},
          "relations and springs of coordinates", head["ties"])
    check(near(head, -1, ties["hung"]["to"], [0, 0, 0]), "a spring of a coordinate hangs where the coordinate is zero", ties["hung"])


def stops():
    """A stop tells how far away it is, about the axis of its joint, and where the hand points that goes there."""
    body = "  %s: {type: rigid_body, mass: 1, inertia: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], q0: [%s, 1, 0, 0, 0]}\n"
    joint = ("interactions:\n  j: {systems: [b, a], relation: {type: %s, point: [0.5, 0, 0], axis: [0, 0.6, 0.8]},"
             " acts: {lower: -0.25, upper: 1.5, offset: 0.5, reversed: %s}}\n")
    for kind in ("hinge", "prismatic"):
        for turned in (False, True):
            text = body % ("a", "0, 0, 0") + body % ("b", "1, 0, 0") + joint % (kind, str(turned).lower())
            head, _ = view(HEAD % ("stops", text) + TAIL, "stops")
            ways = sorted(t["way"][0] for t in head["ties"] if "way" in t)
            expected = [-1.0, 0.75] if turned else [-0.75, 1.0]
            check(len(ways) == 2 and all(abs(x - y) < 1e-6 for x, y in zip(ways, expected)), "ways to stops", kind, turned, ways)
            for t in head["ties"]:
                if "way" in t:
                    check(t["body"] == 1 and t["other"] == 0 and math.dist(t["about"], t["axis"]) < 1e-6, "axis of a stop", t)
                    across = sum(x * y for x, y in zip(t["start"], t["about"]))
                    check(abs(across) < 1e-6 and math.dist(t["start"], t["hand"]) < 1e-6, "hand of a stop", t)


def drawn_shape(r, plane):
    size = lambda: round(r.uniform(0.05, 0.3), 3)
    place = ", position: [%s]" % ", ".join("%.3f" % r.uniform(-0.3, 0.3) for _ in range(2 if plane else 3))
    kind = r.choice(["sphere", "capsule", "box", "hull"])
    if kind == "sphere":
        return kind, "{type: sphere, radius: %g%s}" % (size(), place)
    if kind == "capsule":
        return kind, "{type: capsule, half: %g, radius: %g%s}" % (size(), size(), place)
    if kind == "box":
        return kind, "{type: box, half: [%s]%s}" % (", ".join(str(size()) for _ in range(2 if plane else 3)), place)
    corners = [[-1, -1], [1, -1], [0, 1]] if plane else [[-1, -1, -1], [1, -1, -1], [0, 1, -1], [0, 0, 1]]
    scale = size()
    return kind, "{type: hull, vertices: %s%s}" % ([[round(scale * c, 4) for c in p] for p in corners], place)


def drawn_model(seed):
    r = random.Random(seed)
    plane = r.random() < 0.4
    size = 2 if plane else 3
    systems, ties, shapes = "", {}, []
    count = r.randint(1, 4)
    in_set = [r.random() < 0.4 for _ in range(count)]
    for k in range(count):
        listed = [drawn_shape(r, plane) for _ in range(r.randint(0, 3))]
        center = [8.0 * k + r.uniform(-1, 1)] + [r.uniform(-1, 1) for _ in range(size - 1)]
        if plane:
            q0 = center + [r.uniform(-3, 3)]
        else:
            turn = [r.gauss(0, 1) for _ in range(4)]
            q0 = center + [c / math.sqrt(sum(x * x for x in turn)) for c in turn]
        mass = "density: 500" if listed and r.random() < 0.5 else "mass: 1, inertia: " + ("1" if plane else "{diagonal: [1, 1, 1]}")
        systems += "  b%d: {type: %s, %s, q0: [%s], shapes: [%s]}\n" % (
            k, "rigid_body_2d" if plane else "rigid_body", mass, ", ".join("%.12g" % c for c in q0), ", ".join(s for _, s in listed))
        if not listed:
            systems = systems.replace(", shapes: []", "")
        shapes += [(kind, k) for kind, _ in listed]
    vector = lambda: [round(r.uniform(-4, 12), 4) for _ in range(size)]
    kinds = ["hinge", "prismatic", "fixed", "distance", "rope", "spring", "joint_coordinate"] + ([] if plane else ["ball", "cylindrical"])
    text = ""
    for k in range(r.randint(0, 4)):
        kind, first = r.choice(kinds), r.randrange(count)
        second = r.choice([None] + [j for j in range(count) if j != first])
        point, other = vector(), vector()
        words = ["type: " + kind, "point: %s" % point]
        name = kind
        if kind in ("prismatic", "cylindrical", "joint_coordinate") or (kind == "hinge" and not plane):
            words.append("axis: %s" % ([0, 1] if plane else [0, 0.6, 0.8]))
        if kind in ("distance", "rope", "spring"):
            words.append("other: %s" % other)
        else:
            other = point
        if kind == "spring":
            words.append("stiffness: 10")
        if kind == "joint_coordinate":
            name = r.choice(["angle", "displacement"])
            words.append("coordinate: " + name)
        law = {"rope": ", law: {type: newton_impact}", "joint_coordinate": ", law: {type: relay, lower: -1, upper: 1}"}.get(kind, "")
        text += "  t%d: {systems: [%s], relation: {%s}%s}\n" % (k, ", ".join("b%d" % j for j in (first, second) if j is not None), ", ".join(words), law)
        ties["t%d" % k] = (name, first, -1 if second is None else second, (point + [0])[:3], (other + [0])[:3])
    model = HEAD % ("drawn", systems) + ("interactions:\n" + text if text else "")
    chosen = [k for k in range(count) if in_set[k] and any(b == k for _, b in shapes)]
    if chosen:
        model += "contacts:\n  set: {type: shapes, dimension: %d, bodies: [%s], materials: [{mu: 0.3}]}\n" % (
            2 if plane else 3, ", ".join("b%d" % k for k in chosen))
    return model + TAIL, shapes, ties, plane


def drawn(seed):
    text, shapes, ties, plane = drawn_model(seed)
    head, _ = view(text, "drawn")
    if head is None:
        return print("seed %d\n%s" % (seed, text))
    found = [(s["kind"], s["body"]) for s in head["shapes"] if s["kind"] != "stick"]
    check(sorted(found) == sorted(shapes), "seed %d: shapes" % seed, found, shapes)
    bare = {k for k in range(len(head["bodies"]))} - {k for _, k in shapes}
    check({s["body"] for s in head["shapes"] if s["kind"] == "stick"} == bare, "seed %d: sticks are for bodies without shapes" % seed)
    check(sorted(t["name"] for t in head["ties"]) == sorted(ties), "seed %d: ties" % seed, head["ties"])
    for t in head["ties"]:
        kind, first, second, point, other = ties[t["name"]]
        check((t["kind"], t["body"], t["other"]) == (kind, first, second), "seed %d: a tie" % seed, t, kind)
        check(near(head, first, t["from"], point) and near(head, second, t["to"], other), "seed %d: points" % seed, t, point, other)
        turns = kind in ("hinge", "angle") and plane
        if kind in ("hinge", "prismatic", "cylindrical", "angle", "displacement"):
            x, turn = head["poses"][first]
            tip = to_world(head, first, t["axis"])
            axis = [tip[i] - x[i] for i in range(3)]
            expected = [0, 0, 1] if turns else [0, 1, 0] if plane else [0, 0.6, 0.8]
            check(math.dist(axis, expected) < 5e-3, "seed %d: axis" % seed, t, axis)


def main():
    fixed_models()
    stops()
    for seed in range(SEED, SEED + COUNT):
        drawn(seed)
    print("%d drawn models, %d wrong" % (COUNT, len(wrong)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
