"""The bouncing ball in ten lines of Python has the bits of the C programs, stepped and run, by both drivers."""
import subprocess
import sys

import nsds
from support import check, finish


def program(path):
    """The first block of a program's output, four numbers a line."""
    lines = subprocess.run([path], check=True, capture_output=True, text=True).stdout.split("\n\n")[0].splitlines()[1:]
    return [tuple(map(float, line.split(",")[:4])) for line in lines]


def scene():
    model = nsds.Model()
    ball = model.lagrangian_linear(name="ball", q0=[1.0], mass=1.0, fext=[-9.81])
    gap = model.lagrangian_linear_relation(H=[1.0], b=[-0.1])
    floor = model.connect(gap, model.newton_impact(0.9), ball, name="floor")
    return model, ball, floor


expected = program(sys.argv[1])
model, ball, floor = scene()
simulation = model.time_stepping(t1=10.0, h=0.005, second_order=nsds.moreau_jean(0.5, 1.0))
q, v = ball.q, ball.v
rows = []
while simulation.step():
    rows.append((simulation.t, q[0], v[0], floor.impulse[0]))
check("rows of the program", len(expected) == 2000, str(len(expected)))
check("stepped", rows == expected)

model, ball, floor = scene()
simulation = model.time_stepping(t1=10.0, h=0.005)
path = simulation.run(record=["t", "ball.q[0]", (ball, "v", 0), "floor.impulse"])
check("recorded", list(zip(path["t"], path["ball.q[0]"], path["ball.v[0]"], path["floor.impulse"][:, 0])) == expected)
check("shape of a number", path["t"].shape == (2000,))
check("shape of a vector", path["floor.impulse"].shape == (2000, 1))
check("at the end", simulation.step() is False and simulation.run() == 0)


def ends():
    """A loop on the time, past the end, did not end: step() returned False for ever."""
    simulation.step()
    try:
        while simulation.t < 1e9:
            simulation.step()
    except nsds.StateError as error:
        return "told by False before" in str(error)
    return False


check("a loop past the end", ends())
simulation.set_end(10.01)
check("the end is later", simulation.step() and simulation.step() and simulation.step() is False)

# In pieces, with a recording each.
model, ball, floor = scene()
simulation = model.time_stepping(t1=10.0, h=0.005)
rows = []
for n in (1, 7, 100, 892, 10, None):
    piece = simulation.run(n, record=["t", "ball.q", "ball.v", "floor.impulse"])
    rows += zip(piece["t"], piece["ball.q"][:, 0], piece["ball.v"][:, 0], piece["floor.impulse"][:, 0])
check("pieces", rows == expected)

expected = program(sys.argv[2])
model = nsds.Model()
ball = model.lagrangian_linear(name="ball", q0=[1.0], v0=[0.0], mass=1.0, fext=[-9.81])
floor = model.connect(model.lagrangian_linear_relation(H=[1.0], b=[0.0]), model.newton_impact(0.8), ball)
simulation = model.event_driven(t1=5.0, output_period=0.01)
rows = []
while simulation.step():
    t, q, v, p = simulation.t, ball.q[0], ball.v[0], floor.impulse[0]
    if p != 0.0:
        rows.append((t, q, v - p, 0.0))
    rows.append((t, q, v, p))
check("rows of events", len(expected) > 500, str(len(expected)))
check("events", rows == expected)
finish()
