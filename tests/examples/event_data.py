"""Checks each number that the example event_data prints against a computation by hand.

    event_data.py PROGRAM FOLDER

For each row: y, dy/dt and d2y/dt2 from q, v and the forces, and the index set. For each event: v+ = v- + M^-1 p(1),
p = sums of H^T P and H^T lambda. For each problem: M = H M^-1 H^T, q from the velocities before or the free
accelerations, w = M z + q, and the law. The rocking block loses a known part of its speed at each change of corners.
"""
import math
import os
import subprocess
import sys

G = 9.81


def solve(A, b):
    """Gauss elimination with pivots."""
    n, A, b = len(b), [row[:] for row in A], b[:]
    for k in range(n):
        best = max(range(k, n), key=lambda i: abs(A[i][k]))
        A[k], A[best], b[k], b[best] = A[best], A[k], b[best], b[k]
        for i in range(k + 1, n):
            f = A[i][k] / A[k][k]
            A[i] = [x - f * y for x, y in zip(A[i], A[k])]
            b[i] -= f * b[k]
    for k in reversed(range(n)):
        b[k] = (b[k] - sum(A[k][j] * b[j] for j in range(k + 1, n))) / A[k][k]
    return b


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


class Woodpecker:
    """Glocker's numbers, as in examples/scenes/woodpecker.c."""
    a, b, m, s, k = 0.010, 0.015, 0.0045, 0.0003, 0.0056
    mu = 0.3
    mass = [[m + s, m * a, m * b], [m * a, 5e-9 + m * a * a, m * a * b], [m * b, m * a * b, 7e-7 + m * b * b]]
    rows = {"beak[0]": ([0, 0, -0.02], a + b - 0.0201 - 0.0025, 0.5), "beak[1]": ([1, a, b - 0.0201], 0, 0),
            "lower[0]": ([0, 0.0058, 0], 0.0006, 0), "lower[1]": ([1, 0.0031, 0], 0, 0),
            "upper[0]": ([0, -0.0058, 0], 0.0006, 0), "upper[1]": ([1, 0.0031, 0], 0, 0)}

    def force(self, q, v):
        pull = self.k * (q[2] - q[1])
        return [-(self.m + self.s) * G, -self.m * self.a * G + pull, -self.m * self.b * G - pull]

    def row(self, name, q, v):
        H, b, e = self.rows[name]
        return H, dot(H, q) + b, 0.0, e


class Block:
    """A block of 0.2 m by 1 m on two corners, without friction."""
    half, height, mu = 0.1, 0.5, 0.0
    J = (half * half + height * height) / 3
    mass = [[1, 0, 0], [0, 1, 0], [0, 0, J]]

    def force(self, q, v):
        return [0, -G, 0]

    def row(self, name, q, v):
        b = -self.half if name == "corner[0]" else self.half
        s, c = math.sin(q[2]), math.cos(q[2])
        # the corner is at (b, -height) of the block: its height, the gradient and the rest of d2y/dt2
        return [0, 1, b * c + self.height * s], q[1] + b * s - self.height * c, \
            v[2] ** 2 * (self.height * c - b * s), 0.0


class Near:
    def __init__(self):
        self.count = 0

    def __call__(self, what, got, wanted, scale=1.0):
        self.count += 1
        if not abs(got - wanted) <= 1e-9 * (scale + abs(wanted)):
            sys.exit(f"{what}: printed {got}, by hand {wanted}")


def read(path):
    """A list of events, each {t, kind, before, after: {q, v, ..., rows}, problems}."""
    events, past = [], []
    for line in open(path):
        w = line.split()
        if w[0] == "event":
            events.append({"t": float(w[5]), "problems": []})
        elif w[0] == "past":
            past.append((float(w[1]), int(w[4].rstrip(","))))
        elif w[0] in ("before", "after,"):
            side = {"rows": {}}
            events[-1]["before" if w[0] == "before" else "after"] = side
            if w[0] == "after,":
                events[-1]["kind"] = int(w[2])
        elif w[0] == "row":
            kept = w[4] == "kept"
            x = [float(v) for v in w[4 + kept:] if v not in ("y", "dy/dt", "d2y/dt2", "P", "lambda")]
            side["rows"][w[1]] = {"set": int(w[3][1]), "kept": kept, "y": x[0], "v": x[1], "a": x[2], "P": x[3],
                                  "lambda": x[4]}
        elif w[0] == "problem":
            events[-1]["problems"].append({"forces": w[2] == "forces,", "rows": []})
        elif len(w) > 2 and w[1] == "M":
            at = w.index("q")
            events[-1]["problems"][-1]["rows"].append(
                {"name": w[0], "M": [float(x) for x in w[2:at]], "q": float(w[at + 1]), "z": float(w[at + 3]),
                 "w": float(w[at + 5])})
        else:
            side[w[0]] = [float(x) for x in w[1:]]
    return events, past


def normal_of(name):
    return name[:-3] + "[0]"


def check_side(near, model, side):
    q, v = side["q"], side["v"]
    free = solve(model.mass, model.force(q, v))
    push = [0.0, 0.0, 0.0]
    for name, row in side["rows"].items():
        H = model.row(name, q, v)[0]
        push = [p + row["lambda"] * h for p, h in zip(push, H)]
    for i in range(3):
        near("f", side["f"][i], v[i])
        near("f", side["f"][3 + i], free[i], 1.0)
        near("p(2)", side["p(2)"][i], push[i], 1e-3)
    a = solve(model.mass, [x + y for x, y in zip(model.force(q, v), push)])
    for name, row in side["rows"].items():
        H, y, bias, _ = model.row(name, q, v)
        near(name + " y", row["y"], y, 1e-2)
        near(name + " dy/dt", row["v"], dot(H, v), 0.1)
        near(name + " d2y/dt2", row["a"], dot(H, a) + bias, 1.0 + sum(abs(h * x) for h, x in zip(H, a)))
        gap = model.row(normal_of(name), q, v)[1] if model.mu else y
        slow = dot(model.row(normal_of(name) if model.mu else name, q, v)[0], v)
        if row["set"] > 0:
            near(name + " in I1", gap, 0.0, 0.01)
        if row["set"] == 2:
            near(name + " in I2", slow, 0.0, 0.1)
        if gap > 1e-7 and row["set"] > 0 or gap < 1e-12 and row["set"] == 0:
            sys.exit(f"{name} is in I{row['set']} with a gap of {gap}")


def check_law(near, model, rows):
    """0 <= w perpendicular to z >= 0; Coulomb's law for the tangent behind a normal row."""
    scale = max(abs(r["q"]) for r in rows)
    for r in rows:
        if model.mu and r["name"].endswith("[1]"):
            most = model.mu * normal["z"]
            if abs(r["z"]) > most * (1 + 1e-9) + 1e-15:
                sys.exit(f"friction of {r['name']} is {r['z']}, at most {most}")
            if abs(r["w"]) > 1e-9 * scale:
                near("sliding friction", r["z"], -math.copysign(most, r["w"]), most)
            continue
        normal = r
        if r["z"] < 0 or r["w"] < -1e-9 * scale or min(r["z"], r["w"]) > 1e-9 * scale:
            sys.exit(f"{r['name']}: z {r['z']} and w {r['w']} break the law")


def check_problem(near, model, event, problem):
    at = event["after"] if problem["forces"] else event["before"]
    q, v = at["q"], at["v"]
    free = solve(model.mass, model.force(q, v))
    names = [r["name"] for r in problem["rows"]]
    columns = []
    for name in names:
        H = list(model.row(name, q, v)[0])
        tangent = name[:-3] + "[1]"
        if problem["forces"] and model.mu and tangent not in names:  # it slides
            T = model.row(tangent, q, v)[0]
            side = math.copysign(model.mu, dot(T, v))
            H = [h - side * t for h, t in zip(H, T)]
        columns.append(solve(model.mass, H))
    for r in problem["rows"]:
        H, _, bias, e = model.row(r["name"], q, v)
        for got, column in zip(r["M"], columns):
            near("M", got, dot(H, column), 1.0)
        wanted = dot(H, free) + bias if problem["forces"] else (1 + e) * dot(H, v)
        near("q", r["q"], wanted, 1.0 + sum(abs(h * x) for h, x in zip(H, free)) * problem["forces"])
        near("w", r["w"], dot(r["M"], [o["z"] for o in problem["rows"]]) + r["q"], abs(r["q"]))
    check_law(near, model, problem["rows"])


def check_event(near, model, event):
    before, after = event["before"], event["after"]
    check_side(near, model, before)
    check_side(near, model, after)
    for problem in event["problems"]:
        check_problem(near, model, event, problem)
    push = [0.0, 0.0, 0.0]
    for name, row in after["rows"].items():
        H = model.row(name, before["q"], before["v"])[0]
        push = [p + row["P"] * h for p, h in zip(push, H)]
    jump = solve(model.mass, push)
    for i in range(3):
        near("p(1)", after["p(1)"][i], push[i], 1e-3)
        near("v+", after["v"][i], before["v"][i] + jump[i], abs(jump[i]) + 1.0)
    for name, row in after["rows"].items():
        total = sum(r["z"] for p in event["problems"] if not p["forces"] for r in p["rows"] if r["name"] == name)
        near(name + " P", row["P"], total, 1e-3)


def main(program, folder):
    os.makedirs(folder, exist_ok=True)
    near, impacts = Near(), 0
    for name, model in (("woodpecker", Woodpecker()), ("block", Block())):
        path = os.path.join(folder, name + ".txt")
        subprocess.run([program, path, name], check=True)
        events, past = read(path)
        if len(events) < 10 or [e["t"] for e in events] != [t for t, _ in past]:
            sys.exit(f"{name}: {len(events)} events, {len(past)} of them past")
        for event, (_, kind) in zip(events, past):
            if kind != event["kind"]:
                sys.exit(f"{name}: kind {kind} is not {event['kind']}")
            check_event(near, model, event)
            impacts += kind & 8 > 0
            if name == "block":  # the loss at a change of corners
                J, b = model.J, model.half
                near("loss", event["after"]["v"][2] / event["before"]["v"][2], (J - b * b) / (J + b * b))
    if impacts < 12:
        sys.exit(f"{impacts} impacts are too few")
    print(f"{near.count} numbers agree")


main(*sys.argv[1:])
