"""Ctrl-C ends a run within 50 ms and one step; the state stays, and the run goes on to the same bits."""
import os
import signal
import threading
import time

import nsds
from support import check, finish


signal.signal(signal.SIGINT, signal.default_int_handler) # a shell that runs this in the background ignores it


def scene():
    model = nsds.Model()
    ball = model.lagrangian_linear(name="ball", q0=[1.0], mass=1.0, fext=[-9.81])
    model.connect(model.lagrangian_linear_relation(H=[1.0]), model.newton_impact(0.9), ball, name="floor")
    return model.time_stepping(t1=1e7, h=0.005), ball


simulation, ball = scene()
sent = []


def press():
    time.sleep(0.3)
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)


for record in (["t", "ball.q"], None):
    threading.Thread(target=press).start()
    try:
        simulation.run(record=record)
        check("interrupted", False)
    except KeyboardInterrupt:
        late = time.monotonic() - sent[-1]
        check("at once", late < 0.5, "%.3f s" % late)
    if record:
        rows = simulation.recording
        check("rows until then", len(rows["t"]) == simulation.step_count > 1000 and rows["t"][-1] == simulation.t)
n = simulation.step_count
other, second = scene()
other.run(n)
check("the state is kept", other.t == simulation.t and second.q[0] == ball.q[0])
simulation.run(1000)
other.run(1000)
check("and goes on", second.q[0] == ball.q[0] and second.v[0] == ball.v[0])

# A signal while a function of Python runs.
model = nsds.Model()
slow = model.lagrangian_linear(ndof=1, mass=1.0, fext_fn=lambda a: time.sleep(0.001) or [1.0])
simulation = model.time_stepping(t1=1e7, h=0.005)
threading.Thread(target=press).start()
try:
    simulation.run()
    check("interrupted in a function", False)
except KeyboardInterrupt:
    check("interrupted in a function", True)
simulation.run(10)

# Another thread may not use the model meanwhile.
simulation, ball = scene()
errors = []


def intrude():
    time.sleep(0.2)
    for call in (simulation.step, lambda: ball.q, simulation.model.close, lambda: simulation.model.newton_impact(0.5)):
        try:
            call()
        except nsds.StateError as error:
            errors.append(str(error))


thread = threading.Thread(target=intrude)
thread.start()
simulation.run(4000000)
thread.join()
check("one thread at a time", len([e for e in errors if "thread" in e]) >= 3, str(errors))
finish()
