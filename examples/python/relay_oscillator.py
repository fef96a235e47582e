"""A relay controls an oscillator, which slides along s = x + v = 0 to rest: time stepping beside event-driven.

    python3 relay_oscillator.py [FILE.png]
"""
import sys

import numpy as np

import nsds


def oscillator(force: float = 2.0, stiffness: float = 4.0) -> nsds.Model:
    """x'' = -stiffness x + u with u = -force sign(x + x'), from x = 2."""
    model = nsds.Model("oscillator")
    plant = model.first_order_linear(name="plant", x0=[2.0, 0.0], A=[[0.0, 1.0], [-stiffness, 0.0]])
    sensor = model.first_order_linear_relation(C=[[1.0, 1.0]], B=[[0.0], [1.0]])
    model.connect(sensor, model.relay([-force], [force]), plant, name="control")
    return model


def main() -> None:
    record = ["t", "plant.x[0]", "plant.x[1]", "control.lambda[0]"]
    with oscillator() as model:
        path = model.time_stepping(t1=8.0, h=1e-3).run(record=record)
    with oscillator() as model:
        events = model.event_driven(t1=8.0, output_period=1e-2)
        exact = events.run(record=record[:3])
    free = np.abs(path["control.lambda[0]"]) < 1.999
    print("slides from %.2f s on" % path["t"][np.flatnonzero(~free)[-1]])
    print("x(8) = %.5f by time stepping, %.5f by events" % (path["plant.x[0]"][-1], exact["plant.x[0]"][-1]))
    if len(sys.argv) > 1:
        from nsds import plot
        plot.phase(path, "plant.x[0]", "plant.x[1]",
                        units={"plant.x[0]": "m", "plant.x[1]": "m/s"}).figure.savefig(sys.argv[1])


if __name__ == "__main__":
    main()
