"""Ctrl-C at drawn times in every kind of call: the call ends in time, what is finished stays, and the work goes on.

  interrupts.py [COUNT [SEED [KIND...]]]: interrupts, 48 by default; the campaign has 200 of each kind, 4400 in all.
  KIND names trials at the end of this file.

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
from support import check, finish, page_data

COUNT, SEED = (int(a) for a in (sys.argv[1:] + ["48", "1"][len(sys.argv) - 1:])[:2])
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
        if interrupted(name, delay, lambda: simulation.run(record=["t"])) and (
                simulation.recording is not None or simulation.step_count > 0):
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
outputs: {columns: [{name: height, value: "ball.q[0]", unit: m}]}
measures: {highest: {kind: max, of: "ball.q[0]", from: 5}, mean: {kind: mean, of: "ball.q[0]"}}
"""
model_path = os.path.join(folder.name, "ball.yaml")
with open(model_path, "w") as file:
    file.write(MODEL)
long_path = os.path.join(folder.name, "long.yaml")
with open(long_path, "w") as file:
    file.write(MODEL.replace("t1: 20", "t1: 1e6"))
AXES = ["e=0.5:0.9:24"]
whole = nsds.Sweep(model_path, AXES).run_all()


def begun(name, made):
    """False: the interrupt came before the first row, and there is no recording."""
    if made.recording is None:
        check(name, made.row[0] == 0.0, "rows until %g are lost" % made.row[0])
    return made.recording is not None


def job(delay):
    with nsds.Job(long_path) as made, nsds.Job(long_path) as other:
        if interrupted("job", delay, made.run) and begun("job", made):
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


def solve_nonlinear(delay):
    with nsds.Solver("semismooth_newton") as solver:
        def F(z):
            return z + np.sin(50.0 * z) - 1.0
        interrupted("nonlinear solve", delay, lambda: solver.solve_nonlinear(F, "nonnegative", np.full(60, 3.0)))
        after = solver.solve_nonlinear(lambda z: z - 1.0, "nonnegative", [0.0])
        check("nonlinear solve", abs(after.z[0] - 1.0) < 1e-9, repr(after))


def solve_global(delay):
    n = 300
    problem = nsds.GlobalProblem(np.eye(n), np.eye(n) + 0.01, np.arange(float(n)), -np.ones(n),
                                 [dict(set="coulomb", size=3, mu=0.9) for _ in range(n // 3)])
    whole = problem.solve()
    interrupted("global solve", delay, problem.solve)
    check("global solve", (problem.solve().r == whole.r).all(), "the same bits after it")


def netlist(delay):
    text = "RC\nV1 a 0 SIN(0 1 1k)\nR1 a b 1k\nD1 b 0 DI\nC1 b 0 1u IC=0\n.model DI D(ideal=1)\n.tran 1u 40 uic\n.print tran v(b)\n"
    with nsds.Job(text=text, kind="circuit") as made, nsds.Job(text=text, kind="circuit") as other:
        if interrupted("netlist", delay, made.run) and begun("netlist", made):
            rows = made.recording["v(b)"]
            if len(rows) < 100000:
                check("netlist", (other.run(len(rows) - 1)["v(b)"] == rows).all(), "the same rows")
                check("netlist", (other.run(5)["v(b)"] == made.run(5)["v(b)"]).all(), "goes on")


def in_folder(name, delay, write, whole):
    """Files that are written again and again into a folder of their own: after the interrupt each is whole."""
    with tempfile.TemporaryDirectory() as room:
        if interrupted(name, delay, lambda: write(room)):
            for file in os.listdir(room):
                path = os.path.join(room, file)
                check(name, whole(path), "%s, %d bytes" % (file, os.path.getsize(path)))


def vtk(delay):
    import xml.etree.ElementTree as tree
    simulation, body = pile(60)
    count = [0]

    def write(room):
        if not count[0]:
            count.append(nsds.Vtk(os.path.join(room, "series")))
        count[0] += 1
        simulation.step()
        count[1].write(simulation)

    def whole(path):
        with open(path, "rb") as file:
            end = file.read().rstrip().endswith(b"</VTKFile>")
        if not path.endswith(".pvd"):  # others have binary numbers
            return end
        named = [d.get("file") for d in tree.parse(path).getroot().iter("DataSet")]
        return end and all(os.path.exists(os.path.join(os.path.dirname(path), f)) for f in named)
    in_folder("vtk", delay, write, whole)


def problem_file(delay):
    rng = np.random.default_rng(1)
    problem = nsds.Problem(rng.standard_normal((150, 150)), np.ones(150), "nonnegative")

    def whole(path):
        return np.array_equal(nsds.read_problem(path).M, problem.M)
    in_folder("problem file", delay, lambda room: problem.write(os.path.join(room, "p.nsds")), whole)


def snapshot(delay):
    simulation, body = pile(60)
    other, second = pile(60)

    def write(room):
        simulation.step()
        simulation.save_snapshot(os.path.join(room, "state"))

    def whole(path):
        other.load_snapshot(path)
        return simulation.step_count - 1 <= other.step_count <= simulation.step_count
    in_folder("snapshot", delay, write, whole)


def snapshots_of_run(delay):
    simulation, body = pile(60)
    other, second = pile(60)

    def write(room):
        simulation.snapshot_every(path=os.path.join(room, "state"), steps=2)
        simulation.run()

    def whole(path):
        other.load_snapshot(path)
        n = other.step_count
        return n % 2 == 0 and n <= simulation.step_count
    in_folder("snapshots of a run", delay, write, whole)


def pages(delay):
    """A page is made and shown after each step."""
    simulation, body = pile(30)

    def write(room):
        simulation.step()
        with nsds.Scene(simulation.model) as scene:
            scene.record(simulation.t)
            scene.write_html(os.path.join(room, "page.html"))

    def whole(path):
        with open(path, encoding="utf-8") as file:
            page = file.read()
        return page.rstrip().endswith("</html>") and page_data(page)["frames"] == 1
    in_folder("pages", delay, write, whole)
    check("pages", "</iframe>" in simulation.model._repr_html_())


def own(delay):
    """Operations of one's own, in Python."""
    def made():
        model = nsds.Model()
        body = model.custom_second_order(name="mass", ndof=1, q0=[1.0], mass=lambda a: [[1.0]], force=lambda a: [-9.81])
        gap = model.custom_relation(ny=1, nq=1, output=lambda a: a.q, jacobian_q=lambda a: [[1.0]])
        law = model.custom_law(block=dict(set="nonnegative"), active=lambda y, v, tau, slack: y[0] <= 0.0,
                               restitution=lambda v: 0.5 * v)
        model.connect(gap, law, body)
        return model.time_stepping(t1=1e7, h=0.005), body
    simulation, body = made()
    if interrupted("own", delay, simulation.run):
        goes_on("own", made, simulation, body)


def sampled(delay):
    """Functions between the steps: each is called for its time, and once more if the interrupt came inside of it."""
    simulation, body = ball("time_stepping", h=0.005)
    times = []
    simulation.sample(lambda s: times.append(s.t), period=0.01)
    if interrupted("sampled", delay, simulation.run):
        simulation.run(10)
        apart = np.diff(times).round(9)
        check("sampled", set(apart) <= {0.0, 0.01} and (apart == 0.0).sum() <= 1 and len(times) >= 5, "%d calls" % len(times))


TRIALS = dict(run=run_of("run", lambda: ball("time_stepping", h=0.005)),
              events=run_of("events", lambda: ball("event_driven", 1.0)), pile=run_of("pile", pile), steps=steps, job=job,
              sweep=sweep_of(1), sweep2=sweep_of(2), load=load, yaml=yaml, solve=solve, page=page, function=function,
              solve_nonlinear=solve_nonlinear, solve_global=solve_global, netlist=netlist, vtk=vtk,
              problem_file=problem_file, snapshot=snapshot, snapshots_of_run=snapshots_of_run, pages=pages, own=own,
              sampled=sampled)
KINDS = sys.argv[3:] or list(TRIALS)
rng = random.Random(SEED)
for k in range(COUNT):
    TRIALS[KINDS[k % len(KINDS)]](rng.uniform(0.01, 0.4))

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
