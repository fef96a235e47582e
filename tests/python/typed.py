"""Read by mypy alone: lines that end with "wrong" are errors, all others are not."""
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
answer = nsds.Problem([[2.0]], [-1.0]).solve()
print(answer.solved, answer.z)
