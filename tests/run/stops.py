"""Ctrl-C and SIGTERM end run, view, sweep and solve in time; what they leave is whole, and a sweep goes on from there.

    stops.py NSDS FOLDER [COUNT [SEED]]

Sends a signal at COUNT drawn times (default 6) to each command.
"""
import csv
import json
import os
import pty
import random
import select
import shutil
import signal
import subprocess
import sys
import time

NSDS, FOLDER = os.path.abspath(sys.argv[1]), sys.argv[2]
COUNT, SEED = int((sys.argv[3:] or ["6"])[0]), int((sys.argv[4:] or ["1"])[0])
SLOW = 10.0 if os.environ.get("NSDS_TEST_SANITIZED") else 1.0
DEFAULT = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL) # a background shell ignores SIGINT
LATE = 2.0 * SLOW # seconds; 0.2 on a quiet machine
os.makedirs(FOLDER, exist_ok=True)
os.chdir(FOLDER)
MODEL = """nsds: 1
parameters: {e: 0.5}
systems:
  ball: {type: lagrangian_linear, q0: 1, mass: 1, fext: -9.81}
interactions:
  floor: {systems: ball, relation: {type: lagrangian_linear, H: 1}, law: {type: newton_impact, e: e}}
simulation: {type: time_stepping, t1: T1, h: 1e-3}
outputs: {columns: [ball.q1]}
measures: {end: {kind: final, of: ball.q1}}
"""
CIRCUIT = """RC
V1 in 0 SIN(0 1 1k)
R1 in out 1k
C1 out 0 1u
.tran 1u 40
.print v(out)
.end
"""
wrong, lates = [], []


def check(text, good, *more):
    if not good:
        wrong.append(text)
        print("WRONG", text, *more)


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def stopped(words, after, number=signal.SIGINT, out=subprocess.DEVNULL):
    """Runs the command and sends it a signal; its exit code, its messages and how long it went on."""
    process = subprocess.Popen([NSDS] + words, stdout=out, stderr=subprocess.PIPE, text=True,
                               preexec_fn=DEFAULT)
    try:
        process.wait(after)
        return process.returncode, process.stderr.read(), 0.0
    except subprocess.TimeoutExpired:
        pass
    process.send_signal(number)
    sent = time.monotonic()
    messages = process.communicate(timeout=60)[1]
    lates.append(time.monotonic() - sent)
    return process.returncode, messages, lates[-1]


def whole_rows(path, columns):
    with open(path) as file:
        text = file.read()
    lines = text.split("\n")
    return lines[-1] == "" and all(len(line.split(",")) == columns for line in lines[1:-1])


random.seed(SEED)
write("long.yaml", MODEL.replace("T1", "1e6"))
write("long.cir", CIRCUIT)
write("short.yaml", MODEL.replace("T1", "20"))
events = MODEL.replace("T1", "1e6").replace("time_stepping", "event_driven").replace("h: 1e-3", "output_period: 1e-3")
write("events.yaml", events.replace("e: 0.5", "e: 1"))
for k in range(COUNT):
    number = random.choice([signal.SIGINT, signal.SIGTERM])
    for name in ("long.yaml", "long.cir", "events.yaml"):
        write("table.csv", "old\n")
        code, messages, late = stopped(["run", name, "-o", "table.csv"], random.uniform(0.2, 0.6) * SLOW, number)
        check("run %s ends in time" % name, late < LATE, late)
        check("run %s: its code is %d" % (name, code), code == 128 + number, messages)
        check("run %s says where" % name, "stopped at t = " in messages, messages)
        check("run %s: whole rows" % name, whole_rows("table.csv", 2))
        check("run %s leaves nothing beside" % name, not os.path.exists("table.csv.new"))
    if os.path.exists("page.html"):
        os.remove("page.html")
    code, messages, late = stopped(["view", "--no-open", "-o", "page.html", "long.yaml"],
                                   random.uniform(0.1, 0.4) * SLOW, number)
    check("view ends in time", late < LATE, late)
    begun = code != -number # the signal may come before the command has begun, which ends it as any program
    check("view: its code is %d" % code, code == 128 + number or "without pages" in messages or not begun, messages)
    check("view that has not begun leaves nothing", begun or (messages == "" and not os.path.exists("page.html")))
    if os.path.exists("page.html"):
        with open("page.html") as file:
            check("the page is whole", file.read().rstrip().endswith("</html>"))

OVER = ["sweep", "short.yaml", "--over", "e=0.1:0.9:60", "-j", "2"]
subprocess.run([NSDS] + OVER + ["-o", "alone.csv"], check=True, stderr=subprocess.DEVNULL)
for k in range(COUNT):
    for name in ("sweep.csv", "sweep.csv.part"):
        if os.path.exists(name):
            os.remove(name)
    for attempt in range(200):
        code, messages, late = stopped(OVER + ["-o", "sweep.csv"], random.uniform(0.05, 0.3) * SLOW)
        check("sweep ends in time", late < LATE, late)
        if code == 0:
            break
        begun = code != -signal.SIGINT
        check("sweep: its code is %d" % code, code == 130 or not begun, messages)
        check("sweep says how to go on", "goes on from there" in messages or not begun, messages)
        check("no table yet", not os.path.exists("sweep.csv"))
    with open("sweep.csv", "rb") as one, open("alone.csv", "rb") as other:
        check("a sweep that was stopped has the same bytes", one.read() == other.read())
# nsds solve: problems of two sizes, so that signals come between problems and within them.
def linear_problem(path, n):
    """A positive definite LCP."""
    rows = [[random.uniform(-1.0, 1.0) / n + (2.0 if i == j else 0.0) for j in range(n)] for i in range(n)]
    write(path, "%d\n%s\n%s\n" % (n, "\n".join(" ".join("%.6g" % x for x in row) for row in rows),
                                   " ".join("%.6g" % random.uniform(-1.0, 1.0) for _ in range(n))))


os.makedirs("problems", exist_ok=True)
linear_problem("small.dat", 50)
linear_problem("large.dat", 400)
for k in range(3000):
    path = "problems/%04d.dat" % k
    if not os.path.exists(path):
        os.link("large.dat" if k % 10 == 9 else "small.dat", path)
for k in range(COUNT):
    number = random.choice([signal.SIGINT, signal.SIGTERM])
    shutil.rmtree("solutions", ignore_errors=True)
    os.makedirs("solutions")
    with open("lines.csv", "w") as lines:
        words = ["solve", "--csv", "-j", str(1 + k % 2), "problems"] + (["--solutions", "solutions"] if k % 3 == 0 else [])
        code, messages, late = stopped(words, random.uniform(0.05, 0.8) * SLOW, number, lines)
    check("solve ends in time", late < LATE, late)
    begun = code != -number
    check("solve: its code is %d" % code, code in (0, 128 + number) or not begun, messages)
    with open("lines.csv") as lines:
        text = lines.read()
    columns = {len(row) for row in csv.reader(text.splitlines())}
    check("solve: whole lines", (text == "" or text.endswith("\n")) and len(columns) < 2, text[-300:])
    if code == 128 + number:
        told = int(messages.split("stopped after ")[1].split()[0]) if "stopped after " in messages else -1
        check("solve says how far it came", told == max(len(text.splitlines()) - 1, 0), messages, len(text.splitlines()))
    for name in os.listdir("solutions"):
        check("a whole solution", name.endswith(".json"), name)
        with open(os.path.join("solutions", name)) as file:
            json.load(file)

# What takes long, or becomes large, says so at its start, on a terminal alone.
def on_terminal(words, seconds):
    """What the command writes to a terminal until it ends, or until Ctrl-C after some seconds."""
    main, other = pty.openpty()
    process = subprocess.Popen([NSDS] + words, stdout=subprocess.DEVNULL, stderr=other, preexec_fn=DEFAULT)
    os.close(other)
    text, end, asked = b"", time.monotonic() + seconds, False
    while True:
        if time.monotonic() > end and not asked:
            process.send_signal(signal.SIGINT)
            asked = True
        if not select.select([main], [], [], 0.1)[0]:
            continue
        try:
            piece = os.read(main, 65536)
        except OSError: # the other end is closed
            piece = b""
        if not piece:
            break
        text += piece
    os.close(main)
    process.wait(60)
    return text.decode()


write("huge.yaml", MODEL.replace("T1", "1e9").replace("h: 1e-3", "h: 1e-9"))
write("quick.yaml", MODEL.replace("T1", "2"))
for words in (["run", "-o", "huge.csv"], ["view", "--no-open", "-o", "huge.html"], ["run", "-o", "huge.h5"]):
    text = on_terminal(words + ["huge.yaml"], 2.5 * SLOW)
    if "without" in text: # this build has no pages, or no HDF5
        continue
    check("%s says that it takes long" % words[0], "this takes about" in text and "years" in text, text)
    check("%s says that it becomes large" % words[0], "rows come" in text and "GB" in text, text)
    check("%s shows how far it is" % words[0], "times real time" in text, text)
    text = on_terminal(words + ["quick.yaml"], 60.0 * SLOW)
    check("a quick %s says nothing of that" % words[0], "takes about" not in text and "rows come" not in text, text)
code, messages, late = stopped(["run", "-o", "huge.csv", "huge.yaml"], 2.5 * SLOW)
check("no such line without a terminal", "takes about" not in messages and "rows come" not in messages, messages)
print("%d signals, the latest end after %.2f s, one half within %.3f s; %d wrong"
      % (len(lates), max(lates), sorted(lates)[len(lates) // 2], len(wrong)))
sys.exit(1 if wrong else 0)
