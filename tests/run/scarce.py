"""The command when memory is out: it ends with a message and status, crashes nowhere, and keeps old files.

    scarce.py NSDS PRELOADED FOLDER [COUNT [SEED]]

Makes COUNT drawn allocations of each command fail (default 25), once alone and once with all later ones. A command that
succeeds in spite of it must give the same output. HDF5 is left out: the library itself crashes.
"""
import os
import random
import re
import subprocess
import sys

NSDS, PRELOADED, FOLDER = (os.path.abspath(word) for word in sys.argv[1:4])
COUNT, SEED = int((sys.argv[4:] or ["25"])[0]), int((sys.argv[5:] or ["1"])[0])
os.makedirs(FOLDER, exist_ok=True)
os.chdir(FOLDER)
for name in os.listdir("."):
    os.remove(name)
FILES = {
    "ball.yaml": """nsds: 1
parameters: {e: 0.5}
systems:
  ball: {type: lagrangian_linear, q0: 1, mass: 1, fext: -9.81}
interactions:
  floor: {systems: ball, relation: {type: lagrangian_linear, H: 1}, law: {type: newton_impact, e: e}}
simulation: {type: time_stepping, t1: 0.5, h: 1e-2}
outputs: {columns: [ball.q1, "ball.v1^2"]}
measures: {end: {kind: final, of: ball.q1}}
""",
    "rc.cir": "RC\nV1 in 0 SIN(0 1 1k)\nR1 in out {100*10}\nC1 out 0 1u\n.tran 10u 300u\n.print v(out)\n"
              ".measure tran top max v(out)\n.end\n",
    "lcp.nsds": "nsds 1 blocks nonnegative 2 M dense 2 1 1 2 q -5 -6 end\n",
}
COMMANDS = [
    (["run", "rc.cir", "-o", "t.csv"], "t.csv"),
    (["run", "ball.yaml", "-o", "t.csv", "--vtk", "t.pvd"], "t.csv"),
    (["run", "rc.cir", "--measures"], None),
    (["run", "--expand", "ball.yaml"], None),
    (["view", "ball.yaml", "-o", "t.html", "--no-open"], "t.html"),
    (["sweep", "ball.yaml", "--over", "e=0.1:0.9:4", "-o", "s.csv"], "s.csv"),
    (["check", "ball.yaml"], None),
    (["check", "rc.cir"], None),
    (["solve", "lcp.nsds"], None),
    (["solvers"], None),
]
wrong = []


def run(words, **environment):
    done = subprocess.run([NSDS] + words, capture_output=True, timeout=60,
                          env={**os.environ, "LD_PRELOAD": PRELOADED, **environment})
    return done.returncode, done.stdout, done.stderr.decode(errors="replace")


def read(path):
    with open(path, "rb") as file:
        return file.read()


def untimed(text):
    """Without the seconds of `nsds solve`."""
    return re.sub(rb"[0-9.]+e[-+][0-9]+", b"", text)


def check(text, good, *more):
    if not good:
        wrong.append(text)
        print("WRONG", text, *more)


for name, text in FILES.items():
    with open(name, "w") as file:
        file.write(text)
draw, tried, survived = random.Random(SEED), 0, 0
for words, output in COMMANDS:
    label = " ".join(words)
    code, shown, said = run(words, NSDS_COUNT_TO="count")
    if "built without pages" in str(said):
        print("left out, since this build has no pages:", label)
        continue
    check(label + " without a fault", code == 0, code, said)
    if code:
        continue
    whole = read(output) if output else None
    count = int(read("count"))
    points = {draw.randint(1, count) for _ in range(COUNT)} | {count}
    for at, later in [(at, later) for at in sorted(points) for later in (False, True)]:
        case = "NSDS_FAIL_AT=%d%s nsds %s" % (at, " NSDS_FAIL_ON=1" if later else "", label)
        if output:
            with open(output, "wb") as file:
                file.write(b"old\n")
        fault = {"NSDS_FAIL_AT": str(at), **({"NSDS_FAIL_ON": "1"} if later else {})}
        try:
            code, now, said = run(words, **fault)
        except subprocess.TimeoutExpired:
            check(case + ": does not end", False)
            continue
        tried += 1
        check(case + ": crashes", code >= 0 and code != 127, code, said)
        left = [name for name in os.listdir(".") if name.endswith(".new")]
        check(case + ": leaves a part", not left, left)
        for name in left:
            os.remove(name)
        if code == 0:
            survived += 1
            check(case + ": other output", untimed(now) == untimed(shown), now[-200:])
            check(case + ": other file", not output or read(output) == whole)
        else:
            check(case + ": no message", "memory" in said, code, repr(said))
            left = read(output) if output else b"old\n" # a run that fails later leaves its rows
            rows = output == "t.csv" and left.endswith(b"\n") and whole.startswith(left)
            page = output == "t.html" and left.rstrip().endswith(b"</html>")
            check(case + ": the old file is lost", rows or page or left in (b"old\n", whole))
print("scarce: %d faults in %d commands, %d did not matter, %d wrong" % (tried, len(COMMANDS), survived, len(wrong)))
sys.exit(1 if wrong else 0)
