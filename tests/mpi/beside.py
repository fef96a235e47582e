#!/usr/bin/env python3
"""beside.py NSDS MPIRUN FILE END TOLERANCE [COUNT ...]: nsds run FILE up to END, in one process and in COUNT.

All numbers of the tables and measures agree to TOLERANCE of their column's largest value. With --reproducible the
tables of 2 and more processes are the same bytes.
"""
import subprocess
import sys


def run(words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: {done.stderr}")
    lines = [line for line in done.stdout.splitlines() if not line.startswith("#")]
    rows = [[float(word) for word in line.split(",")] for line in lines[1:]]
    measures = [float(line.split("=")[1]) for line in done.stderr.splitlines() if " = " in line]
    return lines[0], rows, measures, done.stdout


def farthest(one, other):
    """The largest difference, beside the largest value of its column, at least 1."""
    columns = list(zip(*one))
    scale = [max(max(abs(x) for x in column), 1.0) for column in columns]
    return max(abs(a - b) / s for x, y in zip(one, other) for a, b, s in zip(x, y, scale))


nsds, mpirun, file, end, tolerance = sys.argv[1:6]
counts = sys.argv[6:] or ["2"]
work = [nsds, "run", file, "--set", f"end={end}"]
head, rows, measures, _ = run(work)
texts = []
for count in counts:
    words = [mpirun, "--oversubscribe", "-n", count, *work, "--reproducible"]
    other_head, other, other_measures, text = run(words)
    texts.append(text)
    if head != other_head or len(rows) != len(other) or len(measures) != len(other_measures):
        sys.exit(f"{count} processes: {len(other)} rows of {other_head}; one process has {len(rows)} of {head}")
    off = farthest(rows, other)
    if measures:
        off = max(off, farthest([measures], [other_measures]))
    print(f"{count} processes: {len(rows)} rows, off {off:.2g}")
    if not off <= float(tolerance):
        sys.exit(f"{count} processes are off by {off:.3g}, tolerance {tolerance}")
if any(text != texts[0] for text in texts):
    sys.exit("with --reproducible the tables of other numbers of processes have other bits")
