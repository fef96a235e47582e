"""Jobs of netlists and model files, and sweeps."""
import os
import pickle

import numpy as np

import nsds
from support import check, close, finish, raises

CIRCUIT = """a rectifier
V1 in 0 SIN(0 10 50)
D1 in out D
.model D D(is=1e-14)
R1 out 0 100
.tran 0.1m 20m
.print tran v(out)
.end
"""
models = os.path.join(os.environ["NSDS_SOURCE"], "examples", "models")
try:
    job = nsds.Job(text=CIRCUIT, kind="circuit")
    path = job.run()
    check("circuit", job.columns[0] == "t" and len(job.columns) == 2 and job.model is None and job.simulation is None)
    out = path[job.columns[1]]
    check("half a wave", out.max() > 8.0 and out.min() > -1.0, "%g %g" % (out.max(), out.min()))
    job.close()
    raises("closed job", nsds.StateError, job.step, "closed")
except nsds.UnsupportedError as error:
    print("circuits:", error)
error = raises("no file", nsds.FileError, lambda: nsds.Job("nothing.yaml"))
try:
    job = nsds.Job(os.path.join(models, "bouncing_ball.yaml"))
except nsds.UnsupportedError as error:
    print("model files:", error)
    finish()
check("columns", job.columns == ["t", "height", "velocity", "impulse"] and job.units[1] == "m")
path = job.run()
model = nsds.Model()
ball = model.lagrangian_linear(name="ball", q0=[1.0], mass=1.0, fext=[-9.81])
model.connect(model.lagrangian_linear_relation(H=[1.0], b=[-0.1]), model.newton_impact(0.9), ball)
same = model.time_stepping(t1=10.0, h=0.005).run(record=["ball.q[0]"])["ball.q[0]"]
check("the same model", np.array_equal(path["height"][1:], same))
check("measures", close(job.measures["highest_after_5s"], 0.2322812895, 1e-6), str(job.measures))
check("at the end", job.step() is False)
check("expanded", "bouncing ball" in job.expand() or "ball" in job.expand())
model = job.model
check("lent", model["ball"].q.shape == (1,) and job.simulation.t == 10.0 and model is job.model)
raises("a lent model takes nothing new", nsds.StateError, lambda: model.rigid_body_2d(mass=1.0, inertia=1.0), "job")
raises("nor laws", nsds.StateError, lambda: model.newton_impact(0.5), "job")
q = model["ball"].q
last = q[0]
job.close()
del job
check("views of a job", q[0] == last)
raises("its model is closed", nsds.StateError, lambda: model.systems, "closed")
raises("a parameter", nsds.Error, lambda: nsds.Job(os.path.join(models, "bouncing_ball.yaml"), settings={"nothing": 1}),
       "nothing")
sweep = nsds.Sweep(os.path.join(models, "bouncing_ball.yaml"), ["e=0.5:0.9:3"])
check("points", len(sweep) == 3 and sweep.axes == ["e"] and sweep.measures == ["highest_after_5s"])
check("values", sweep.values(0) == {"e": "0.5"}, str(sweep.values(1)))
table = sweep.run_all(threads=2)
check("measures of points", table.shape == (3, 1) and table[2, 0] > table[1, 0] and np.isfinite(table).all(), str(table))
again = pickle.loads(pickle.dumps(sweep))
check("pickled", again.key == sweep.key and np.array_equal(again.run(2), sweep.run(2)))
raises("out of range", IndexError, lambda: sweep.run(3))
raises("a wrong axis", nsds.RangeError, lambda: nsds.Sweep(os.path.join(models, "bouncing_ball.yaml"), ["e=0.5:0.9"]))
raises("axes are a list", TypeError, lambda: nsds.Sweep("a.yaml", "e=1:2:3"))
sweep.close()
raises("closed sweep", nsds.StateError, lambda: sweep.run(0), "closed")
finish()
