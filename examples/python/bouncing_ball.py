"""A ball on a floor: the path, and the height of each bounce.

    python3 bouncing_ball.py [FILE.png]
"""
import sys

import nsds


def ball(e: float = 0.9) -> nsds.Model:
    """A ball of 1 kg falls from 1 m on a floor at 0.1 m; e is the restitution."""
    model = nsds.Model("ball")
    body = model.lagrangian_linear(name="ball", q0=[1.0], mass=1.0, fext=[-9.81])
    gap = model.lagrangian_linear_relation(H=[1.0], b=[-0.1])
    model.connect(gap, model.newton_impact(e), body, name="floor")
    return model


def main() -> None:
    with ball() as model:
        path = model.time_stepping(t1=10.0, h=0.005).run(record=["t", "ball.q[0]", "ball.v[0]", "floor.impulse[0]"])
    print("hardest impact: %.3f N s" % path["floor.impulse[0]"].max())
    print("highest after 5 s: %.3f m" % path["ball.q[0]"][path["t"] > 5.0].max())
    if len(sys.argv) > 1:
        from nsds import plot
        axes = plot.series(path, units={"ball.q[0]": "m", "ball.v[0]": "m/s", "floor.impulse[0]": "N s"})
        axes[0].figure.savefig(sys.argv[1])


if __name__ == "__main__":
    main()
