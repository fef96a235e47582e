"""Jobs of netlists and model files, and sweeps."""
import os
import pickle
import tempfile

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
    check("circuit", job.columns[0] == "t" and len(job.columns) == 2 and job.model is not None)
    check("its simulation", job.simulation.t == 0.02 and job.simulation.adaptive.steps > 100)
    out = path[job.columns[1]]
    check("half a wave", out.max() > 8.0 and out.min() > -1.0, "%g %g" % (out.max(), out.min()))
    error = raises("no balance", nsds.ArgumentError, lambda: job.balance)
    raises("a column in capitals", KeyError, lambda: path["v(OUT)"], "did you mean 'v(out)'")
    raises("run twice", nsds.StateError, job.run, "at its end")
    job.close()
    with nsds.Job(text=CIRCUIT, kind="circuit", balance=True) as kept:
        kept.run()
        sums = kept.balance
        resistor = sums.elements["r1"]
        check("balance", resistor.kind == "resistor" and resistor.dissipated > 0.0 and abs(sums.left) < 1e-9 * sums.passed
              and close(sums.given, sums.dissipated + sums.stored + sums.lost, 1e-9 * sums.passed), str(sums))
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
try:
    job.step()
    check("past the end", False)
except nsds.StateError as error:
    check("past the end", "told by False before" in str(error), str(error))
check("written as a model file", "systems:" in job.model_file())
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
results = sweep.results
check("results by name", list(results) == ["e", "highest_after_5s"] and np.array_equal(results["e"], [0.5, 0.7, 0.9])
      and np.array_equal(results["highest_after_5s"], table[:, 0]), str(results))
again = pickle.loads(pickle.dumps(sweep))
check("pickled", again.key == sweep.key and np.array_equal(again.run(2), sweep.run(2)))
raises("out of range", IndexError, lambda: sweep.run(3))
raises("a wrong axis", nsds.RangeError, lambda: nsds.Sweep(os.path.join(models, "bouncing_ball.yaml"), ["e=0.5:0.9"]))
raises("axes are a list", TypeError, lambda: nsds.Sweep("a.yaml", "e=1:2:3"))
sweep.close()
raises("closed sweep", nsds.StateError, lambda: sweep.run(0), "closed")

# A circuit in a model: C discharges through R.
model = nsds.Model()
circuit = model.circuit(text="discharge\nC1 a 0 1u ic=10\nR1 a 0 1k\n.tran 1u 1m uic\n.end\n")
check("capacitor", circuit.system.nx >= 1 and circuit.system.x[0] == 10 and circuit.system is model.systems[0])
simulation = model.time_stepping(t1=1e-3, h=1e-6)
simulation.run()
check("e^-1", close(circuit.read("v(a)"), 10 * np.exp(-1), 2e-3), str(circuit.read("v(a)")))
raises("no such node", nsds.ArgumentError, lambda: circuit.read("v(nowhere)"))

# A scene for the browser.
with tempfile.TemporaryDirectory() as folder:
    model = nsds.Model("page")
    ball = model.rigid_body(name="ball", mass=1.0, inertia=np.eye(3), gravity=[0, 0, -9.81], q0=[0, 0, 1, 1, 0, 0, 0])
    model.shapes(material=[dict(mu=0.5)], shape=[dict(kind="sphere", ds=ball, radius=0.1),
                                                 dict(kind="half_space", plane=([0, 0, 1], 0.0))])
    simulation = model.time_stepping(t1=1.0, h=0.01)
    scene = nsds.Scene(model, title="a ball", names=["height"], units=["m"])
    while simulation.step():
        scene.record(simulation.t, [ball.q[2]])
    raises("too many quantities", nsds.SizeError, lambda: scene.record(2.0, [1.0, 2.0]), "names")
    raises("time goes back", nsds.RangeError, lambda: scene.record(0.0, [1.0]))
    path = os.path.join(folder, "ball.html")
    try:
        scene.write_html(path)
        check("page", os.path.getsize(path) > 10000)
    except nsds.UnsupportedError as error:
        print("pages:", error)
    model.close()
    raises("closed model", nsds.StateError, lambda: scene.record(3.0, [1.0]), "closed")
    scene.close()
    raises("closed scene", nsds.StateError, lambda: scene.write_html(path), "closed")
finish()
