"""Ctrl-C at drawn times in every kind of call: the call ends in time, what is finished stays, and the work goes on.

  interrupts.py [COUNT [SEED]]: interrupts, 24 by default; the campaign has 200

Each trial draws a call and a time, sends SIGINT then, and expects KeyboardInterrupt within 0.2 s. Other processes may
keep the machine busy: time in which this process did not work does not count.
"""
import os
import random
import signal
import sys
import tempfile
import threading
import time

import numpy as np

import nsds
from support import check, finish

COUNT, SEED = (int(a) for a in (sys.argv[1:] + ["24", "1"][len(sys.argv) - 1:])[:2])
LATEST = 0.2  # s
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that runs this in the background ignores it
folder = tempfile.TemporaryDirectory()


class Press(threading.Thread):
    """Sends SIGINT after a time, and notes when: the clock and the time that this process has worked."""

    def __init__(self, delay):
        super().__init__()
        self.delay, self.at = delay, None

    def run(self):
        time.sleep(self.delay)
        self.at = time.monotonic(), time.process_time()
        os.kill(os.getpid(), signal.SIGINT)


def interrupted(name, delay, call):
    """Calls until the signal comes. True: KeyboardInterrupt came in time."""
    press = Press(delay)
    try:
        press.start()
        while True:
            call()
    except KeyboardInterrupt:
        late = min(b - a for a, b in zip(press.at, (time.monotonic(), time.process_time())))
        check(name, late < LATEST, "%.3f s after %.3f s" % (late, delay))
        return True
    except BaseException as error:
        check(name, False, "raised %r" % error)
    finally:
        press.join()
    return False


def ball(driver, e=0.9, **more):
    model = nsds.Model()
    body = model.lagrangian_linear(name="ball", q0=[1.0], mass=1.0, fext=[-9.81])
    model.connect(model.lagrangian_linear_relation(H=[1.0]), model.newton_impact(e), body, name="floor")
    return getattr(model, driver)(t1=1e7, **more), body


def pile(count=200):
    model = nsds.Model()
    shake = np.random.default_rng(3)
    bodies = [model.rigid_body(mass=1.0, inertia=0.004 * np.eye(3), gravity=[0, 0, -9.81], q0=[
        *(0.19 * np.array([k % 6, k // 6 % 6, k // 36]) + 0.01 * shake.standard_normal(3) + [0, 0, 0.1]), 1, 0, 0, 0])
        for k in range(count)]
    model.shapes(material=[dict(mu=0.4)], shape=[dict(kind="sphere", radius=0.1, ds=b) for b in bodies] + [
        dict(kind="half_space", plane=([0, 0, 1], 0.0))])
    return model.time_stepping(t1=1e7, h=0.005), bodies[0]


def goes_on(name, made, simulation, body):
    """The interrupted run has the bits of one that was not, and so has what follows."""
    n = simulation.step_count
    if n > 200000:
        return
    other, second = made()
    other.run(n)
    check(name, other.t == simulation.t and (second.q == body.q).all(), "the state after %d steps" % n)
    simulation.run(3)
    other.run(3)
    check(name, (second.q == body.q).all() and (second.v == body.v).all(), "the state after %d steps more" % n)


def run_of(name, made):
    def trial(delay):
        simulation, body = made()
        if interrupted(name, delay, lambda: simulation.run(record=["t"])):
            rows = simulation.recording["t"]
            check(name, len(rows) == simulation.step_count and (not len(rows) or rows[-1] == simulation.t), "rows")
            goes_on(name, made, simulation, body)
    return trial


def steps(delay):
    simulation, body = pile(60)
    if interrupted("steps", delay, simulation.step):
        goes_on("steps", lambda: pile(60), simulation, body)


MODEL = """
nsds: 1
parameters: {e: 0.9, h: 0.0005}
systems:
  ball: {type: lagrangian_linear, q0: 1, mass: 1, fext: -9.81}
interactions:
  floor: {systems: ball, relation: {type: lagrangian_linear, H: 1, b: -0.1}, law: {type: newton_impact, e: e}}
simulation: {type: time_stepping, t1: 20, h: h}
outputs: {columns: [{name: height, value: ball.q1, unit: m}]}
measures: {highest: {kind: max, of: ball.q1, from: 5}, mean: {kind: mean, of: ball.q1}}
"""
model_path = os.path.join(folder.name, "ball.yaml")
with open(model_path, "w") as file:
    file.write(MODEL)
long_path = os.path.join(folder.name, "long.yaml")
with open(long_path, "w") as file:
    file.write(MODEL.replace("t1: 20", "t1: 1e6"))
AXES = ["e=0.5:0.9:24"]
whole = nsds.Sweep(model_path, AXES).run_all()


def job(delay):
    with nsds.Job(long_path) as made, nsds.Job(long_path) as other:
        if interrupted("job", delay, made.run):
            rows = made.recording["height"]
            check("job", len(rows) >= 1 and rows[-1] == made.row[1], "rows")
            if len(rows) < 100000:
                check("job", (other.run(len(rows) - 1)["height"] == rows).all(), "the same rows")
                check("job", (other.run(5)["height"] == made.run(5)["height"]).all(), "goes on")


def sweep_of(threads):
    def trial(delay):
        name = "sweep of %d threads" % threads
        made = nsds.Sweep(model_path, AXES)
        if interrupted(name, min(delay, 0.15), lambda: made.run_all(threads=threads)):
            kept = made.done
            check(name, (made.table[kept] == whole[kept]).all() or not kept.any(), "rows that are done")
            check(name, made.run_all(threads=threads).tobytes() == whole.tobytes(), "the same bytes")
    return trial


def load(delay):
    text = "many\n" + "".join("R%d n%d n%d 1k\nC%d n%d 0 1u\n" % (k, k, k + 1, k, k) for k in range(20000))
    text += "V1 n0 0 1\n.tran 1u 1m\n.print tran v(n1)\n"
    interrupted("load", min(delay, 0.2), lambda: nsds.Job(text=text, kind="circuit", limits=dict(seconds=1e3)).close())


def yaml(delay):
    many = "".join("  b%d: {type: lagrangian_linear, q0: 1, mass: 1, fext: -9.81}\n" % k for k in range(4000))
    text = MODEL.replace("systems:\n", "systems:\n" + many, 1)
    interrupted("load of a model", delay, lambda: nsds.Job(text=text, kind="model_file").close())


def solve(delay):
    rng = np.random.default_rng(5)
    n = 900
    A = rng.standard_normal((n, n))
    problem = nsds.Problem(A @ A.T / n + 1e-3 * np.eye(n), rng.standard_normal(n),
                           [dict(set="coulomb", size=3, mu=0.9) for _ in range(n // 3)])
    interrupted("solve", delay, lambda: nsds.Solver("nsgs", tolerance=1e-300, max_iterations=10 ** 8).solve(problem))


def page(delay):
    simulation, body = pile(100)
    with nsds.Scene(simulation.model) as scene:
        for k in range(60):
            simulation.step()
            scene.record(simulation.t)
        path = os.path.join(folder.name, "page.html")
        scene.write_html(path)
        size = os.path.getsize(path)
        interrupted("page", delay, lambda: scene.write_html(path))
        check("page", os.path.getsize(path) == size and sorted(os.listdir(folder.name)).count("page.html") == 1)


def function(delay):
    model = nsds.Model()
    body = model.lagrangian_linear(ndof=1, mass=1.0, fext_fn=lambda a: time.sleep(0.002) or [1.0])
    simulation = model.time_stepping(t1=1e7, h=0.005)
    if interrupted("function", delay, simulation.run):
        check("function", simulation.step() and body.v[0] > 0)


TRIALS = [run_of("run", lambda: ball("time_stepping", h=0.005)), run_of("events", lambda: ball("event_driven", 1.0)),
          run_of("pile", pile), steps, job, sweep_of(1), sweep_of(2), load, yaml, solve, page, function]
rng = random.Random(SEED)
for k in range(COUNT):
    TRIALS[k % len(TRIALS)](rng.uniform(0.01, 0.4))

# A second Ctrl-C does not wait for the points that threads run.
slow = os.path.join(folder.name, "slow.yaml")
with open(slow, "w") as file:
    file.write(MODEL.replace("t1: 20", "t1: 4000"))
made, press = nsds.Sweep(slow, ["e=0.5,0.6"]), Press(0.2)
press.start()
try:
    made.run_all(threads=2)
    check("threads", False)
except KeyboardInterrupt:
    check("threads", time.monotonic() - press.at[0] < 1.0)
press.join()
print("%d interrupts" % COUNT)
finish()
