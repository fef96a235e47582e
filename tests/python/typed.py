"""Read by mypy alone: lines that end with "wrong" are errors, all others are not."""
import numpy as np

import nsds

with nsds.Model("room") as model:
    ball = model.lagrangian_linear(name="ball", q0=[1.0], mass=[[1.0]], fext=[-9.81])
    gap = model.lagrangian_linear_relation(H=[1.0])
    floor = model.connect(gap, model.newton_impact(0.9), ball, name="floor")
    simulation = model.time_stepping(t1=10.0, h=0.005, second_order=nsds.moreau_jean(0.5, 1.0))
    while simulation.step():
        height: float = float(ball.q[0])
    model.connect(model.newton_impact(0.9), gap, ball)  # wrong
    model.lagrangian_linear(mas=1.0)  # wrong
    model.time_stepping(t1="end", h=0.005)  # wrong
    nsds.moreau_jean(0.5)  # wrong
    floor.impulses  # wrong
    body = model.rigid_body(mass=1.0, inertia=np.eye(3), force=dict(fn=lambda a: a.q, jac_q_fn=nsds.differences))
    model.joint(kind="hinge", ds=[body], axis=[0, 0, 1])
    model.joint(kind="hinges", ds=[body])  # wrong
    things = model.shapes(material=[dict(mu=0.3)], shape=[dict(kind="box", half=[1, 1, 1], ds=body)])
    things.add(kind="sphere", radius=0.1, ds=body)
    things.add(kind="sphere", radios=0.1)  # wrong
    own = model.custom_relation(ny=1, nq=1, output=lambda a: a.q, jacobian_q=[[1.0]])
    model.custom_law(block=dict(set="nonnegative"), activ=lambda y, v, tau, slack: True)  # wrong
    model.connect(own, model.newton_impact(0.9), ball)
    ball.q = [2.0]
    ball.q = object()  # wrong
    path = simulation.run(record=["t", "ball.q"], progress=True)
    steps: int = simulation.run(3)
    steps = simulation.run(record=["t"])  # wrong
    frame = path.to_pandas()
    matrix: nsds.Array = path.to_numpy()
    axes = nsds.plot.series(path, units={"ball.q": "m"})
    nsds.plot.series(3)  # wrong
    residual: float = simulation.info.h
    scene = nsds.Scene(model, shape=[dict(kind="box", half=[1, 1, 1], ds=body)], names=["height"])
    nsds.Scene(model, shapes=[])  # wrong
    point: nsds.Array = model.contacts()[0].point
    simulation.info.solver.outcome.real  # wrong
answer = nsds.Problem([[2.0]], [-1.0]).solve()
print(answer.solved, answer.z)
