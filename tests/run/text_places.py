#!/usr/bin/env python3
"""Draws expressions into every place of model files and netlists that takes one, and runs and checks the files.

    text_places.py NSDS [COUNT [SEED]]

NSDS is the command. COUNT is the number of pairs of files, one sound and one with faults. Columns, measures, samplers,
events, parameters, initial values, parameters z, names of `where` and functions have the values that Python computes.
`nsds check` reports each fault of the other file, at its column. Netlists have formulas in .param and in elements.
"""

import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import expressions as ex  # noqa: E402

PARAMETERS = {"two": 2.0, "half": 0.5, "e1": -3.25, "one_third": 1.0 / 3.0, "k": 1e3}
QUANTITIES = {"ball.q1": 3.0, "ball.q2": 0.7, "ball.q3": -2.5, "bead[0].q1": 0.0, "bead[2].q1": 3.0, "bead[1].v1": 0.0,
              "plant.x1": 0.3, "plant.u": 0.5, "plant.gain": 8.0, "floor.y1": 3.0}
PLACES = 6  # of each kind in a file

MODEL = """nsds: 1
name: places
parameters:
  two: 2
  half: 0.5
  e1: -3.25
  one_third: 1/3
  k: 1e3
%(parameters)s
systems:
  ball: {type: lagrangian_linear, q0: [3, 0.7, -2.5], mass: {diagonal: [1, 1, 1]}}
  bead: {type: lagrangian_linear, repeat: 3, q0: 'i*1.5', mass: 1}
  plant: {type: first_order_linear, x0: [0.3], A: 0, z: {u: 0.5, gain: 8}}
  held:
    type: first_order_linear
    A: {diagonal: [%(zeros)s]}
    x0:
%(initial)s
    z:
%(z)s
  set: {type: first_order_linear, x0: [0], A: 0, z: {%(targets)s}}
  drive:
    type: lagrangian
    q0: [%(zeros)s]
    mass: {diagonal: [%(ones)s]}
    prescribed: [%(numbers)s]
    where:
%(where)s
    prescribed_velocity:
%(function)s
laws: {contact: {type: newton_impact, e: 0}}
interactions:
  floor: {relation: {type: lagrangian_linear, H: [[1, 0, 0]]}, law: contact, systems: ball}
simulation: {type: time_stepping, t1: 0.5, h: 0.125, first_order: {type: zero_order_hold}}
samplers:
  sampler:
    type: set
    period: 0.125
    set:
%(sampler)s
events:
  - time: 0.25
    set:
%(event)s
outputs:
  columns:
%(columns)s
measures:
%(measures)s
"""


def draw_text(r, values, netlist=False):
    """A text without line break or quote, and its value, which is finite."""
    while True:
        tree = ex.draw_tree(r, r.randint(1, 4), netlist, sorted(values))
        text, tree = ex.print_tree(r, tree, netlist)
        x = ex.evaluate(tree, values)
        if "\t" not in text and len(text) < 1000 and abs(x) < 1e30 and ex.max_number(tree) < 1e300:
            return text, x


def draw_fault(r, values, netlist=False):
    """A text that is wrong, and the place of the fault."""
    while True:
        text = ex.spoil(r, draw_text(r, values, netlist)[0]).strip()
        text = text.lower() if netlist else text
        if any(c in text for c in "'\"\xc3\xa9\t{}") or not text or text in ("inf", "-inf", "+inf"):
            continue
        if re.search(r"(?<![\w.])(t|h|i|step|active|rows)(?![\w.])", text):  # known in some places
            continue
        try:
            ex.Reader(text, netlist, values).whole()
        except ex.Refused as e:
            return text, e.args[0]


class Draft:
    """Lines of a file by the place they belong to, and what is expected of them."""

    def __init__(self, r, faulty):
        self.r, self.faulty, self.lines, self.right, self.faults = r, faulty, {}, {}, []

    def add(self, place, key, line, values, check, may_fail=True):
        """`line` has %s for the text; `check` names the column that shows its value."""
        if self.faulty and may_fail and self.r.random() < 0.25 and len(self.faults) < 15:
            text, at = draw_fault(self.r, values)
            self.faults.append((text, at))
        else:
            text, x = draw_text(self.r, values)
            if check:
                self.right[check] = x
            else:
                values[key] = x
        self.lines.setdefault(place, []).append(line % ("'" + text + "'"))

    def text(self):
        n = PLACES
        words = {k: "\n".join(v) for k, v in self.lines.items()}
        words.update(zeros=", ".join(["0"] * n), ones=", ".join(["1"] * n),
                     numbers=", ".join(str(k + 1) for k in range(n)),
                     targets=", ".join("s%d: 0, e%d: 0" % (k, k + 10) for k in range(n)))
        return MODEL % words


def draft_model(r, faulty):
    d = Draft(r, faulty)
    parameters = dict(PARAMETERS)
    for k in range(PLACES):
        d.add("parameters", "p%d" % k, "  p%d: %%s" % k, parameters, None, False)
    quantities, where = dict(QUANTITIES, **parameters), dict(parameters)
    for k in range(PLACES):
        d.add("initial", k, "      - %s", parameters, "held.x%d" % (k + 1), False)
        d.add("z", k, "      z_%d: %%s" % k, parameters, "held.z_%d" % k, False)
        d.add("where", "w%d" % k, "      w%d: %%s" % k, where, None, False)
    for k in range(PLACES):
        d.add("function", k, "      - %s", where, "drive.v%d" % (k + 1), False)
    if faulty:  # the first fault of an object hides the others
        place, values = r.choice([("initial", parameters), ("z", parameters), ("where", parameters), ("function", where)])
        lines, at = d.lines[place], r.randrange(PLACES)
        if place == "where":
            at = 0  # names of lines above are known there
        text, column = draw_fault(r, values)
        lines[at] = lines[at][: lines[at].index("'")] + "'" + text + "'"
        d.faults.append((text, column))
    for k in range(PLACES):
        d.add("columns", k, "    - {name: c%d, value: %%s}" % k, quantities, "c%d" % k)
        d.add("measures", k, "  m%d: {kind: final, of: %%s}" % k, quantities, "m%d" % k)
        d.add("sampler", k, "      set.s%d: %%s" % k, quantities, "set.s%d" % k, k == 0)
        d.add("event", k, "      set.e%d: %%s" % (k + 10), quantities, "set.e%d" % (k + 10), k == 0)
    d.lines["columns"] += ["    - %s" % n for n in d.right if "." in n]
    return d


def near(a, b):
    return a == b or abs(a - b) <= 1e-9 * max(abs(a), abs(b))


class Runs:
    def __init__(self, nsds, folder):
        self.nsds, self.folder, self.wrong, self.values, self.faults = nsds, folder, 0, 0, 0

    def complain(self, text, reason):
        self.wrong += 1
        if self.wrong <= 5:
            print(reason + "\n" + text)

    def nsds_run(self, *words):
        done = subprocess.run([self.nsds, *words], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as file:
            file.write(text)

    def sound_model(self, d):
        text = d.text()
        self.write("m.yaml", text)
        code, out, err = self.nsds_run("run", "m.yaml")
        lines = [line for line in out.split("\n") if line and not line.startswith("#")]
        table = dict(zip([n.split(" [")[0] for n in lines[0].split(",")], lines[-1].split(","))) if code == 0 else {}
        got = {n: float(x) for n, x in table.items()}
        code, out, err2 = self.nsds_run("run", "--measures", "m.yaml")
        got.update((n.strip(), float(x.split()[0])) for n, x in (w.split("=") for w in out.split("\n") if "=" in w))
        for name, right in d.right.items():
            self.values += 1
            if name not in got or not near(got[name], right):
                self.complain(text, "%s is %s, right is %r\n%s" % (name, got.get(name), right, err + err2))

    def faulty_text(self, name, text, faults):
        self.write(name, text)
        code, out, err = self.nsds_run("check", name)
        for place, fault, at in faults:
            self.faults += 1
            wanted = ["%s:%d:%d: " % (name, n + 1, line.index(place) + at + 1)
                      for n, line in enumerate(text.split("\n")) if place in line]
            if code == 0 or not any(w in err + out for w in wanted):
                self.complain(text, "no fault at %s of %s in\n%s" % (wanted, fault, err + out))

    def faulty_model(self, d):
        self.faulty_text("m.yaml", d.text(), [("'" + text + "'", text, at + 1) for text, at in d.faults])

    def netlist(self, r):
        values, lines, right = {}, [], {}
        for k in range(PLACES):
            text, x = draw_text(r, values or {"pi": ex.math.pi}, True)
            lines.append(".param p%d={%s}" % (k, text))
            values["p%d" % k] = x
        for k in range(PLACES):
            text, x = draw_text(r, values, True)
            lines += ["V%d n%d 0 {%s}" % (k, k, text), "R%d n%d 0 1" % (k, k), ".meas tran m%d final v(n%d)" % (k, k)]
            right["m%d" % k] = x
        good = "drawn\n" + "\n".join(lines) + "\n.tran 1 3\n.end\n"
        self.write("c.cir", good)
        code, out, err = self.nsds_run("run", "--measures", "c.cir")
        got = {n.strip(): float(x.split()[0]) for n, x in (w.split("=") for w in out.split("\n") if "=" in w)}
        for name, x in right.items():
            self.values += 1
            if name not in got or not near(got[name], x):
                self.complain(good, "%s is %s, right is %r\n%s" % (name, got.get(name), x, err))
        text, at = draw_fault(r, values, True)
        line = r.choice([".param q={%s}", "V99 n0 n1 {%s}", "R99 n0 n1 {%s}", ".ic v(n0)={%s}"]) % text
        if ";" not in text and "$" not in text:
            self.faulty_text("c.cir", good.replace(".tran", line + "\n.tran"), [("{" + text + "}", text, at + 1)])


def main():
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 30
    r = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(os.path.abspath(sys.argv[1]), folder)
        for _ in range(count):
            runs.sound_model(draft_model(r, False))
            runs.faulty_model(draft_model(r, True))
            runs.netlist(r)
    print("%d values and %d faults in files: %d wrong" % (runs.values, runs.faults, runs.wrong))
    sys.exit(runs.wrong > 0)


if __name__ == "__main__":
    main()
