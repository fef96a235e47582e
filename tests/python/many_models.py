"""Three thousand models, or as many as the argument says, come and go, closed or dropped; memory does not grow."""
import gc
import resource
import sys

import nsds
from support import check, finish


def one(k):
    model = nsds.Model()
    ball = model.lagrangian_linear(name="ball", ndof=1, q0=[1.0], mass=1.0, fext_fn=lambda a: [-9.81])
    floor = model.connect(model.lagrangian_linear_relation(H=[1.0]), model.newton_impact(0.9), ball, name="floor")
    simulation = model.time_stepping(t1=1.0, h=0.05)
    q = ball.q
    simulation.run(3, record=["t", "ball.q", "floor.impulse"])
    value = q[0] + floor.y[0]
    del q
    if k % 3 == 0:
        model.close()
    elif k % 3 == 1:
        simulation.close()
    if k % 5 == 0:
        try:
            nsds.Model().lagrangian_linear(q0=[1.0, 2.0], mass=1.0)
        except nsds.SizeError:
            pass
    return value


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


count = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
for k in range(1000):
    one(k)
gc.collect()
before = resident()
for k in range(count):
    one(k)
check("without the collector of cycles", gc.collect() < 1000)
grown = resident() - before
check("memory", grown < 1 << 19, "%d bytes more after %d models" % (grown, count))
print("%d bytes more after %d models" % (grown, count))
finish()
