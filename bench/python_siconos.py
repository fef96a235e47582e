"""Five models in Python, by nsds and by python3-siconos: lines of user code, times, and how far the motions differ.

    PYTHONPATH=build/release/python python3 bench/python_siconos.py [--rounds 7]

Each model is a pair of functions that make the model, run it, and return times and states. The functions run in turn.
A time is the median over the rounds, of the whole function. Lines are those of the function.
"""
import argparse
import inspect
import statistics
import time

import numpy as np
import siconos.kernel as sk

import nsds


def siconos_run(model, osi, problem, h, t1, state, steps):
    """What every program of Siconos repeats: its lines count for each model."""
    simulation = sk.TimeStepping(model, sk.TimeDiscretisation(0.0, h), osi, problem)
    rows = []
    while simulation.hasNextEvent() and len(rows) < steps:
        simulation.computeOneStep()
        rows.append([simulation.nextTime(), *state()])
        simulation.nextStep()
    return np.array(rows)


# ---- a ball on a floor ----


def ball_nsds():
    with nsds.Model() as model:
        ball = model.lagrangian_linear(name="ball", q0=[1.0], mass=1.0, fext=[-9.81])
        gap = model.lagrangian_linear_relation(H=[1.0])
        model.connect(gap, model.newton_impact(0.9), ball)
        path = model.time_stepping(t1=10.0, h=0.005).run(record=["t", "ball.q", "ball.v"])
    return np.column_stack(list(path.values()))


def ball_siconos():
    ball = sk.LagrangianLinearTIDS([1.0], [0.0], [[1.0]])
    ball.setFExtPtr([-9.81])
    floor = sk.Interaction(sk.NewtonImpactNSL(0.9), sk.LagrangianLinearTIR([[1.0]]))
    model = sk.NonSmoothDynamicalSystem(0.0, 10.0)
    model.insertDynamicalSystem(ball)
    model.link(floor, ball)
    return siconos_run(model, sk.MoreauJeanOSI(0.5), sk.LCP(), 0.005, 10.0,
                       lambda: (ball.q()[0], ball.velocity()[0]), 2000)


# ---- a column of beads ----


def beads_nsds(count=10):
    radius, first = 0.1, 0.5
    with nsds.Model() as model:
        law = model.newton_impact(0.0)
        beads = [model.lagrangian_linear(name="bead%d" % k, q0=[first + 2.5 * radius * k], mass=1.0, fext=[-9.81])
                 for k in range(count)]
        model.connect(model.lagrangian_linear_relation(H=[1.0], b=[-radius]), law, beads[0])
        for below, above in zip(beads, beads[1:]):
            model.connect(model.lagrangian_linear_relation(H=[[-1.0, 1.0]], b=[-2.0 * radius]), law, below, above)
        path = model.time_stepping(t1=2.0, h=5e-4).run(record=["t"] + ["bead%d.q" % k for k in range(count)])
    return np.column_stack(list(path.values()))


def beads_siconos(count=10):
    radius, first = 0.1, 0.5
    law = sk.NewtonImpactNSL(0.0)
    model = sk.NonSmoothDynamicalSystem(0.0, 2.0)
    beads = []
    for k in range(count):
        bead = sk.LagrangianLinearTIDS([first + 2.5 * radius * k], [0.0], [[1.0]])
        bead.setFExtPtr([-9.81])
        model.insertDynamicalSystem(bead)
        beads.append(bead)
    relation = sk.LagrangianLinearTIR([[1.0]], [-radius])
    model.link(sk.Interaction(law, relation), beads[0])
    for below, above in zip(beads, beads[1:]):
        relation = sk.LagrangianLinearTIR([[-1.0, 1.0]], [-2.0 * radius])
        model.link(sk.Interaction(law, relation), below, above)
    return siconos_run(model, sk.MoreauJeanOSI(0.5), sk.LCP(), 5e-4, 2.0, lambda: [bead.q()[0] for bead in beads], 4000)


# ---- an oscillating circuit with a diode bridge ----


def bridge_nsds():
    L, C, R = 1e-2, 1e-6, 1e3
    with nsds.Model() as model:
        circuit = model.first_order_linear(name="lc", x0=[10.0, 0.0], A=[[0.0, -1.0 / C], [1.0 / L, 0.0]])
        bridge = model.first_order_linear_relation(
            C=[[0, 0], [0, 0], [-1, 0], [1, 0]], D=[[1 / R, 1 / R, -1, 0], [1 / R, 1 / R, 0, -1], [1, 0, 0, 0], [0, 1, 0, 0]],
            B=[[0, 0, -1 / C, 1 / C], [0, 0, 0, 0]])
        model.connect(bridge, model.complementarity(), circuit)
        simulation = model.time_stepping(t1=5e-3, h=1e-6, first_order=nsds.euler_moreau(0.5))
        path = simulation.run(record=["t", "lc.x"])
    return np.column_stack(list(path.values()))


def bridge_siconos():
    L, C, R = 1e-2, 1e-6, 1e3
    circuit = sk.FirstOrderLinearTIDS([10.0, 0.0], [[0.0, -1.0 / C], [1.0 / L, 0.0]])
    relation = sk.FirstOrderLinearTIR([[0, 0], [0, 0], [-1, 0], [1, 0]], [[0, 0, -1 / C, 1 / C], [0, 0, 0, 0]])
    relation.setDPtr([[1 / R, 1 / R, -1, 0], [1 / R, 1 / R, 0, -1], [1, 0, 0, 0], [0, 1, 0, 0]])
    bridge = sk.Interaction(sk.ComplementarityConditionNSL(4), relation)
    model = sk.NonSmoothDynamicalSystem(0.0, 5e-3)
    model.insertDynamicalSystem(circuit)
    model.link(bridge, circuit)
    return siconos_run(model, sk.EulerMoreauOSI(0.5), sk.LCP(), 1e-6, 5e-3, lambda: list(circuit.x()), 5000)


# ---- a relay that slides ----


def relay_nsds():
    with nsds.Model() as model:
        plant = model.first_order_linear(name="plant", x0=[2.0, 0.0], A=[[0.0, 1.0], [-4.0, 0.0]])
        sensor = model.first_order_linear_relation(C=[[1.0, 1.0]], B=[[0.0], [1.0]])
        model.connect(sensor, model.relay([-2.0], [2.0]), plant)
        path = model.time_stepping(t1=8.0, h=1e-3, first_order=nsds.euler_moreau(0.5)).run(record=["t", "plant.x"])
    return np.column_stack(list(path.values()))


def relay_siconos():
    plant = sk.FirstOrderLinearTIDS([2.0, 0.0], [[0.0, 1.0], [-4.0, 0.0]])
    relation = sk.FirstOrderLinearTIR([[1.0, 1.0]], [[0.0], [1.0]])
    control = sk.Interaction(sk.RelayNSL(1, -2.0, 2.0), relation)
    model = sk.NonSmoothDynamicalSystem(0.0, 8.0)
    model.insertDynamicalSystem(plant)
    model.link(control, plant)
    return siconos_run(model, sk.EulerMoreauOSI(0.5), sk.Relay(), 1e-3, 8.0, lambda: list(plant.x()), 8000)


# ---- a block that slides to rest with friction ----


def friction_nsds():
    with nsds.Model() as model:
        block = model.lagrangian_linear(name="block", q0=[0.0, 0.0, 0.0], v0=[0.0, 3.0, 1.0], mass=np.eye(3),
                                        fext=[-9.81, 0.0, 0.0])
        contact = model.lagrangian_linear_relation(H=np.eye(3))
        model.connect(contact, model.newton_impact_friction(dimension=3, mu=0.3), block)
        path = model.time_stepping(t1=2.0, h=1e-3).run(record=["t", "block.q", "block.v"])
    return np.column_stack(list(path.values()))


def friction_siconos():
    block = sk.LagrangianLinearTIDS([0.0, 0.0, 0.0], [0.0, 3.0, 1.0], np.eye(3))
    block.setFExtPtr([-9.81, 0.0, 0.0])
    contact = sk.Interaction(sk.NewtonImpactFrictionNSL(0.0, 0.0, 0.3, 3), sk.LagrangianLinearTIR(np.eye(3)))
    model = sk.NonSmoothDynamicalSystem(0.0, 2.0)
    model.insertDynamicalSystem(block)
    model.link(contact, block)
    problem = sk.FrictionContact(3)
    problem.numericsSolverOptions().dparam[0] = 1e-12
    return siconos_run(model, sk.MoreauJeanOSI(0.5), problem, 1e-3, 2.0,
                       lambda: (*block.q(), *block.velocity()), 2000)


# ---- the table ----


def lines_of(function):
    return sum(1 for line in inspect.getsource(function).splitlines() if line.strip() and not line.strip().startswith('"""'))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    pairs = [("bouncing ball", ball_nsds, ball_siconos), ("ten beads", beads_nsds, beads_siconos),
             ("diode bridge", bridge_nsds, bridge_siconos), ("relay", relay_nsds, relay_siconos),
             ("friction", friction_nsds, friction_siconos)]
    repeated = lines_of(siconos_run) - 1
    print("| model | lines nsds | lines siconos | ms nsds | ms siconos | ratio | largest difference |")
    print("|---|---|---|---|---|---|---|")
    for name, ours, theirs in pairs:
        times = ([], [])
        for _ in range(rounds):
            results = []
            for k, run in enumerate((ours, theirs)):
                begin = time.perf_counter()
                results.append(run())
                times[k].append(time.perf_counter() - begin)
        a, b = results
        rows = min(len(a), len(b))
        scale = np.maximum(np.abs(a[:rows]).max(axis=0), 1e-300)
        difference = (np.abs(a[:rows] - b[:rows]) / scale).max()
        mine, other = (statistics.median(t) for t in times)
        print("| %s | %d | %d | %.1f | %.1f | %.0f | %.0e |" % (name, lines_of(ours) - 1, lines_of(theirs) - 1 + repeated,
                                                                1e3 * mine, 1e3 * other, other / mine, difference), flush=True)


if __name__ == "__main__":
    main()
