"""Steps from Python, for script/instructions: step.py COUNTER SIZE STEPS, with BENCH_COUNT=FROM in the environment.

COUNTER is the library of counter.c. SIZE is "ball", a bouncing ball stepped one by one whose position is read after
each step, or "record", ten beads whose positions run() records.
"""
import ctypes
import gc
import os
import sys

import nsds

counter = ctypes.CDLL(sys.argv[1])
steps = int(sys.argv[3])
warm = int(os.environ.get("BENCH_COUNT", "0"))


def ball(model):
    body = model.lagrangian_linear(name="ball", ndof=1, q0=[1.0], mass=1.0, fext=[-9.81])
    model.connect(model.lagrangian_linear_relation(H=[1.0]), model.newton_impact(0.9), body)
    simulation = model.time_stepping(t1=1e6, h=0.005)

    def run(count):
        for _ in range(count):
            simulation.step()
            body.q[0]
    return run


def record(model, count=10):
    radius, law = 0.1, model.newton_impact(0.0)
    beads = [model.lagrangian_linear(name="bead%d" % k, q0=[0.5 + 2.5 * radius * k], mass=1.0, fext=[-9.81])
             for k in range(count)]
    model.connect(model.lagrangian_linear_relation(H=[1.0], b=[-radius]), law, beads[0])
    for below, above in zip(beads, beads[1:]):
        model.connect(model.lagrangian_linear_relation(H=[[-1.0, 1.0]], b=[-2.0 * radius]), law, below, above)
    simulation = model.time_stepping(t1=1e6, h=5e-4)
    names = ["t"] + ["bead%d.q" % k for k in range(count)]
    return lambda count: simulation.run(count, record=names)


run = {"ball": ball, "record": record}[sys.argv[2]](nsds.Model())
run(warm)
gc.collect()
gc.disable()  # when it runs depends on all objects that the interpreter has made
counter.bench_python_begin()
run(steps)
counter.bench_python_end()
