"""A pendulum whose forces are Python functions, and which strikes a wall.

    python3 pendulum.py [FILE.png]
"""
import math
import sys

import nsds


def pendulum(length: float = 1.0, wall: float = -0.2, e: float = 0.8) -> nsds.Model:
    """The angle q of a point mass on a rod; the wall stands where the angle is `wall`."""
    g = 9.81
    model = nsds.Model("pendulum")
    arm = model.lagrangian(
        name="arm", ndof=1, q0=[0.5], mass=length ** 2,
        fint=dict(fn=lambda a: g * length * math.sin(a.q[0]), jac_q_fn=lambda a: g * length * math.cos(a.q[0]),
                  jac_v_fn=nsds.zero))
    gap = model.lagrangian_linear_relation(H=[1.0], b=[-wall])
    model.connect(gap, model.newton_impact(e), arm, name="wall")
    return model


def main() -> None:
    with pendulum() as model:
        path = model.time_stepping(t1=6.0, h=1e-3).run(record=["t", "arm.q[0]", "arm.v[0]", "wall.impulse[0]"])
    impulse = path["wall.impulse[0]"]
    print("first impact at %.3f s with %.3f N s" % (path["t"][impulse.argmax()], impulse.max()))
    # From rest at 0.5 rad the speed at the wall follows from energy: v^2 / 2 = g (cos 0.2 - cos 0.5).
    speed = math.sqrt(2.0 * 9.81 * (math.cos(0.2) - math.cos(0.5)))
    print("(1 + e) v by energy: %.3f N s" % (1.8 * speed))
    if len(sys.argv) > 1:
        from nsds import plot
        plot.phase(path, "arm.q[0]", "arm.v[0]",
                        units={"arm.q[0]": "rad", "arm.v[0]": "rad/s"}).figure.savefig(sys.argv[1])


if __name__ == "__main__":
    main()
