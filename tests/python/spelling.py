"""A quantity has one spelling, "ball.q[1]", in all rooms: columns and measures of model files, tables of the command, rows of
jobs, recordings, and attributes of objects. The spelling before 0.3, "ball.q2", means the same. Pages and examples have the
new spelling alone.

  spelling.py COMMAND [COUNT [SEED]]: models drawn, 12 by default
"""
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import nsds
from support import check, finish

COMMAND = sys.argv[1]
COUNT, SEED = (int(a) for a in (sys.argv[2:] + ["12", "1"][len(sys.argv) - 2:])[:2])
SOURCE = pathlib.Path(os.environ["NSDS_SOURCE"])


def draw(rng):
    """A model file, and its quantities as (object, property, number of entries)."""
    n, m = rng.randint(1, 4), rng.randint(1, 3)
    bead, tank, floor = ("%s%s" % (rng.choice("abcdefg"), w) for w in ("ead", "ank", "loor"))
    many, found = rng.randint(1, 3), []
    for k in range(many):
        found += [("%s[%d]" % (bead, k), w, n) for w in ("q", "v", "p")]
    found += [(tank, "x", m), (tank, "r", m), (floor, "y", 1), (floor, "ydot", 1), (floor, "lambda", 1), (floor, "impulse", 1)]
    eye = [[1.0 if i == j else 0.0 for j in range(n)] for i in range(n)]
    text = """nsds: 1
systems:
  %s: {type: lagrangian_linear, repeat: %d, mass: %s, q0: %s, v0: %s, fext: %s}
  %s: {type: first_order_linear, x0: %s, b: %s}
interactions:
  %s: {systems: "%s[0]", relation: {type: lagrangian_linear, H: [%s]}, law: {type: newton_impact, e: 0.5}}
simulation: {type: time_stepping, t1: 1, h: 0.01}
""" % (bead, many, eye, [rng.uniform(0.01, 0.1) for _ in range(n)], [rng.uniform(-1, 1) for _ in range(n)],
       [-rng.uniform(5, 10) for _ in range(n)], tank, [rng.uniform(-1, 1) for _ in range(m)],
       [rng.uniform(-1, 1) for _ in range(m)], floor, bead, [1.0] + [0.0] * (n - 1))
    return text, found


def spelt(part, word, k):
    return "%s.%s[%d]" % (part, word, k)


def old(part, word, k):
    return "%s.%s%d" % (part, word, k + 1)


def job_of(text, columns):
    return nsds.Job(text=text + "outputs: {columns: [%s]}\nmeasures: {%s}\n" % (
        ", ".join('"%s"' % c for c in columns),
        ", ".join('m%d: {kind: final, of: "%s"}' % pair for pair in enumerate(columns))), kind="model_file")


def attribute(model, part, word, k):
    return getattr(model[part], "lambda_" if word == "lambda" else word)[k]


def table(text, columns):
    """Header and last row of the table of the command."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "model.yaml")
        path.write_text(text + "outputs: {columns: [%s]}\n" % ", ".join('"%s"' % c for c in columns))
        lines = subprocess.run([COMMAND, "run", str(path)], check=True, capture_output=True, text=True).stdout.splitlines()
        return lines[1], lines[-1]


def agree(rng, place):
    text, found = draw(rng)
    asked = [(part, word, rng.randrange(size)) for part, word, size in found]
    names, former = [spelt(*q) for q in asked], [old(*q) for q in asked]
    with job_of(text, names) as job, job_of(text, former) as other, job_of(text, names) as third:
        check(place + ": columns", job.columns == ["t"] + names, str(job.columns))
        path, older = job.run(), other.run()
        recorded = third.simulation.run(record=names)
        values = [attribute(job.model, *q) for q in asked]
        for k, name in enumerate(names):
            check("%s: %s" % (place, name), values[k] == path[name][-1] == recorded[name][-1] == job.measures["m%d" % k]
                  == older[former[k]][-1] == recorded[former[k]][-1])
        header, last = table(text, names)
        plain = [re.sub(r" \[[^\]]*\]$", "", w.strip('"')) for w in header.split(",")]
        check(place + ": the table", plain[1:] == names, header)
        check(place + ": numbers of the table", [float(w) for w in last.split(",")][1:] == values, last)


rng = random.Random(SEED)
for draws in range(COUNT):
    agree(rng, "model %d" % draws)

OLD = re.compile(r"\b(?!x\d)[a-z]\w*(?:\[\d+\])?\.(?:q|v|x|p|r|y|ydot|lambda|impulse|z|value)[1-9]\d*\b(?!\s*[=(])")
pages = [p for folder, ends in (("docs", (".md",)), ("examples", (".yaml", ".py", ".ipynb")))
         for p in (SOURCE / folder).rglob("*") if p.suffix in ends]
check("pages and examples", len(pages) > 60, str(len(pages)))
for page in pages + [SOURCE / "README.md"]:
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        for match in OLD.finditer(line):
            check("%s:%d: the spelling before 0.3: %s" % (page.relative_to(SOURCE), number, match.group()), False)
finish()
