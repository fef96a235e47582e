"""Wrong uses: each is an exception with a message that names the place, and the interpreter lives on.

The table has a name, the exception, words of its message, and the use.
"""
import copy
import gc
import importlib.util
import math
import os
import pickle
import signal
import sys
import tempfile
import threading
import time

import numpy as np

import nsds
from nsds import plot
from nsds._nsds import ffi
from support import check, failures, finish

NAN, INF = math.nan, math.inf
CASES = []


def case(name, kind, *words):
    def add(function):
        CASES.append((name, kind, words, function))
        return function
    return add


def wrong(name, kind, *words_and_call):
    *words, call = words_and_call
    CASES.append((name, kind, tuple(words), call))


def ball(model, **more):
    return model.lagrangian_linear(**{**dict(name="ball", ndof=1, q0=[1.0], mass=1.0, fext=[-9.81]), **more})


def scene(**more):
    """A ball over a floor: (simulation, ball, floor)."""
    model = nsds.Model()
    b = ball(model, **more)
    floor = model.connect(model.lagrangian_linear_relation(H=[1.0]), model.newton_impact(0.5), b, name="floor")
    return model.time_stepping(t1=10.0, h=0.01), b, floor


def linear(**fields):
    return lambda: nsds.Model().lagrangian_linear(**fields)


# ---- arguments of definitions
wrong("unknown argument", TypeError, "'mas', did you mean 'mass'", linear(ndof=1, mas=1.0))
wrong("reserved words", TypeError, "reserved", linear(ndof=1, mass=1.0, reserved=[0, 0, 0, 0]))
wrong("user data", TypeError, "user", linear(ndof=1, mass=1.0, user=3))
wrong("positional definition", TypeError, lambda: nsds.Model().lagrangian_linear(1, 1.0))
wrong("no size", nsds.Error, linear())
wrong("no mass", nsds.Error, "mass", linear(ndof=1))
wrong("size below one", nsds.Error, "-1", linear(ndof=-1, mass=1.0))
wrong("size is no integer", TypeError, linear(ndof=1.5, mass=1.0))
wrong("size beyond int", (OverflowError, nsds.Error), linear(ndof=1 << 40))
wrong("wrong length of q0", nsds.SizeError, "q0", "2 numbers", linear(ndof=2, mass=np.eye(2), q0=[1.0]))
wrong("wrong shape of mass", nsds.SizeError, "mass", "2 x 2", linear(ndof=2, mass=np.eye(3)))
wrong("flat matrix", nsds.SizeError, "mass", linear(ndof=2, mass=[1.0, 0.0, 0.0, 1.0]))
wrong("sizes that contradict", nsds.SizeError, linear(q0=[1.0, 2.0], mass=np.eye(3)))
wrong("three dimensions", nsds.SizeError, linear(ndof=1, mass=np.ones((1, 1, 1))))
wrong("text for a matrix", TypeError, "mass", linear(ndof=1, mass="heavy"))
wrong("complex matrix", TypeError, "real", linear(ndof=1, mass=1j))
wrong("ragged matrix", TypeError, linear(ndof=2, mass=[[1.0, 2.0], [3.0]]))
wrong("objects in an array", TypeError, linear(ndof=1, mass=[object()]))
wrong("NaN in q0", nsds.RangeError, "q0", linear(ndof=1, mass=1.0, q0=[NAN]))
wrong("infinite mass", nsds.RangeError, linear(ndof=1, mass=INF))
wrong("singular mass", nsds.Error, "mass", linear(ndof=1, mass=0.0))
wrong("name is no text", TypeError, "name", linear(name=3, ndof=1, mass=1.0))
wrong("zero byte in a name", nsds.ArgumentError, "zero byte", linear(name="a\0b", ndof=1, mass=1.0))
wrong("dense for sparse", TypeError, "SciPy", linear(ndof=1, mass_sparse=np.eye(1)))
wrong("function for an array", TypeError, linear(ndof=1, mass=lambda a: 1.0))
wrong("array for a function", TypeError, "function", linear(ndof=1, mass=1.0, fext_fn=[1.0]))
wrong("a small number for an address", nsds.ArgumentError, "address", linear(ndof=1, mass=1.0, fext_fn=3))
wrong("no plugin", nsds.PluginError, "nothing.so", lambda: nsds.Model().plugin("nothing.so"))
wrong("both force and function", nsds.ArgumentError, "fext", linear(ndof=1, mass=1.0, fext=[1.0], fext_fn=lambda a: [1.0]))
wrong("force without Jacobians", nsds.ArgumentError, "jac", "nsds.zero", "nsds.differences", lambda: nsds.Model().lagrangian(
    ndof=1, mass=1.0, fint=dict(fn=lambda a: [0.0])))
wrong("part is no dict", TypeError, "fint", lambda: nsds.Model().lagrangian(ndof=1, mass=1.0, fint=lambda a: [0.0]))
wrong("unknown field of a part", TypeError, "jacobian", lambda: nsds.Model().lagrangian(
    ndof=1, mass=1.0, fint=dict(jacobian=nsds.zero)))
wrong("data of another function", nsds.ArgumentError, "none of this object", linear(
    ndof=1, mass=1.0, fext_fn=lambda a: [0.0], data=[dict(function=math.sin, z=[1.0])]))
wrong("number for a vector of three", nsds.SizeError, "gravity", lambda: nsds.Model().rigid_body(
    mass=1.0, inertia=np.eye(3), gravity=-9.81))
wrong("inertia not symmetric", nsds.Error, "inertia", lambda: nsds.Model().rigid_body(
    mass=1.0, inertia=[[1, 2, 3], [0, 1, 0], [0, 0, 1]]))
wrong("quaternion of zeros", nsds.Error, lambda: nsds.Model().rigid_body(mass=1.0, inertia=np.eye(3), q0=np.zeros(7)))
wrong("a number for True", TypeError, "D_in_y", lambda: nsds.Model().lagrangian_linear_relation(H=[1.0], D_in_y=2))
wrong("H of another width", nsds.SizeError, "H", lambda: nsds.Model().lagrangian_linear_relation(ny=1, nq=2, H=[[1, 2, 3]]))
wrong("restitution above one", nsds.RangeError, lambda: nsds.Model().newton_impact(1.5))
wrong("restitution is a text", TypeError, lambda: nsds.Model().newton_impact("0.5"))
wrong("bounds of two lengths", nsds.SizeError, lambda: nsds.Model().relay([0.0], [1.0, 2.0]))
wrong("bounds exchanged", nsds.RangeError, lambda: nsds.Model().relay([1.0], [0.0]))
wrong("cone without a matrix", nsds.SizeError, lambda: nsds.Model().normal_cone([1.0], [1.0]))
wrong("friction in one dimension", nsds.Error, "dimension", lambda: nsds.Model().newton_impact_friction(dimension=1, mu=0.5))


@case("unknown word of an enum", nsds.ArgumentError, "'hinges'", "'hinge'")
def _():
    model = nsds.Model()
    model.joint(kind="hinges", ds=[model.rigid_body(mass=1.0, inertia=np.eye(3))])


@case("unknown number of an enum", nsds.ArgumentError, "99")
def _():
    model = nsds.Model()
    model.joint(kind=99, ds=[model.rigid_body(mass=1.0, inertia=np.eye(3))])


@case("too many bodies of a joint", nsds.SizeError, "at most 3")
def _():
    model = nsds.Model()
    body = model.rigid_body(mass=1.0, inertia=np.eye(3))
    model.joint(kind="ball", ds=[body] * 4)


@case("shape of the plane in space", nsds.SizeError, "vertex")
def _():
    model = nsds.Model()
    model.shapes(material=[dict(mu=0.5)], shape=[dict(kind="hull", vertex=np.ones((8, 2)))])


@case("shape is no dict", TypeError, "shape[0]")
def _():
    nsds.Model().shapes(material=[dict(mu=0.5)], shape=["box"])


@case("count of shapes contradicts", nsds.SizeError, "nshape")
def _():
    nsds.Model().shapes(material=[dict(mu=0.5)], nshape=3, shape=[dict(kind="box", half=[1, 1, 1])])


@case("face index beyond vertices", nsds.Error)
def _():
    nsds.Model().shapes(material=[dict(mu=0.5)], shape=[dict(kind="triangles", vertex=np.eye(3), face=[[0, 1, 7]])])


wrong("faces as floats", TypeError, "integers", lambda: nsds.Model().shapes(
    material=[dict(mu=0.5)], shape=[dict(kind="triangles", vertex=np.eye(3), face=[[0.0, 1.0, 2.0]])]))


@case("radii of another count", nsds.SizeError, "count")
def _():
    model = nsds.Model()
    body = model.rigid_body(mass=1.0, inertia=np.eye(3))
    model.spheres(law=model.newton_impact(0.0), ds=[body], radii=[1.0, 2.0])


# ---- the graph
@case("system of another model", nsds.ArgumentError, "another model")
def _():
    model, other = nsds.Model(), nsds.Model()
    model.connect(model.lagrangian_linear_relation(H=[1.0]), model.newton_impact(0.5), ball(other))


@case("connect in another order", TypeError, "a relation, a law and then systems, not (System, Relation, Law)")
def _():
    model = nsds.Model()
    model.connect(ball(model), model.lagrangian_linear_relation(H=[1.0]), model.newton_impact(0.5))


@case("law in the place of a relation", TypeError, "relation")
def _():
    model = nsds.Model()
    law = model.newton_impact(0.5)
    model.connect(law, law, ball(model))


@case("None in the place of a system", TypeError, "NoneType")
def _():
    model = nsds.Model()
    model.connect(model.lagrangian_linear_relation(H=[1.0]), model.newton_impact(0.5), None)


@case("no system", nsds.Error)
def _():
    model = nsds.Model()
    model.connect(model.lagrangian_linear_relation(H=[1.0]), model.newton_impact(0.5))


@case("a system twice", nsds.Error)
def _():
    model = nsds.Model()
    b = ball(model)
    model.connect(model.lagrangian_linear_relation(H=[1.0, -1.0]), model.newton_impact(0.5), b, b)


@case("relation of another size", nsds.Error)
def _():
    model = nsds.Model()
    model.connect(model.lagrangian_linear_relation(H=[1.0, 0.0]), model.newton_impact(0.5), ball(model))


@case("unknown name", KeyError, "roof")
def _():
    nsds.Model()["roof"]


@case("misspelt name", KeyError, "'bal', did you mean 'ball'")
def _():
    model = nsds.Model()
    ball(model)
    check("a name in a model", "ball" in model and "bal" not in model)
    model["bal"]


@case("disconnected", nsds.StateError, "gone")
def _():
    simulation, b, floor = scene()
    floor.disconnect()
    floor.y


@case("disconnected twice", nsds.StateError, "gone")
def _():
    simulation, b, floor = scene()
    floor.disconnect()
    floor.disconnect()


@case("system in use is destroyed", nsds.StateError)
def _():
    simulation, b, floor = scene()
    b.destroy()


@case("relation in use is destroyed", nsds.StateError)
def _():
    model = nsds.Model()
    relation = model.lagrangian_linear_relation(H=[1.0])
    model.connect(relation, model.newton_impact(0.5), ball(model))
    relation.destroy()


@case("destroyed system is connected", nsds.StateError, "gone")
def _():
    model = nsds.Model()
    b = ball(model)
    b.destroy()
    model.connect(model.lagrangian_linear_relation(H=[1.0]), model.newton_impact(0.5), b)


# ---- states and their arrays
def with_ball(use):
    def run():
        simulation, b, floor = scene()
        use(simulation, b, floor)
    return run


wrong("write through a view", ValueError, "read-only", with_ball(lambda s, b, f: b.q.__setitem__(0, 1.0)))
wrong("make a view writable", ValueError, with_ball(lambda s, b, f: setattr(b.q.flags, "writeable", True)))
wrong("q of another length", nsds.SizeError, "q", with_ball(lambda s, b, f: setattr(b, "q", [1.0, 2.0])))
wrong("v is not finite", nsds.RangeError, with_ball(lambda s, b, f: setattr(b, "v", [NAN])))
wrong("x of second order", nsds.StateError, "second order", with_ball(lambda s, b, f: b.x))
wrong("set x of second order", nsds.StateError, with_ball(lambda s, b, f: setattr(b, "x", [1.0])))
wrong("q of first order", nsds.StateError, "first order", lambda: nsds.Model().first_order_linear(x0=[1.0], A=[[1.0]]).q)
wrong("z of another length", nsds.SizeError, "z", with_ball(lambda s, b, f: setattr(b, "z", [1.0])))
wrong("lambda of another length", nsds.SizeError, with_ball(lambda s, b, f: f.set_lambda([1.0, 2.0])))
wrong("type of its own", TypeError, "give block", lambda: nsds.Model().custom_law(size=1))
wrong("unknown method", AttributeError, "custom_low", lambda: nsds.Model().custom_low())
wrong("unknown attribute", AttributeError, with_ball(lambda s, b, f: setattr(b, "position", 1.0)))
wrong("no contact", nsds.ArgumentError, with_ball(lambda s, b, f: f.contact()))
wrong("no joint", nsds.ArgumentError, with_ball(lambda s, b, f: f.joint()))
wrong("no spring", nsds.ArgumentError, with_ball(lambda s, b, f: f.spring()))
wrong("no body for a force", nsds.Error, with_ball(lambda s, b, f: b.set_force([1, 0, 0])))


def with_view(use):
    def run():
        simulation, b, floor = scene()
        view = b.q
        try:
            use(simulation, b, floor)
        finally:
            check("a view survives", view[0] == 1.0)
    return run


wrong("new system under a view", nsds.ViewsError, "copy", with_view(lambda s, b, f: ball(s.model)))
wrong("connect under a view", nsds.ViewsError, "connect", with_view(
    lambda s, b, f: s.model.connect(s.model.lagrangian_linear_relation(H=[1.0]), s.model.equality(), b)))
wrong("destroy under a view", nsds.ViewsError, with_view(lambda s, b, f: f.disconnect()))
wrong("contact set under a view", nsds.ViewsError, with_view(
    lambda s, b, f: s.model.balls(law=s.model.newton_impact(0.5), ds=[b], dimension=1, radius=0.1)))


# ---- closed
def closed(use):
    def run():
        simulation, b, floor = scene()
        view = b.q
        simulation.model.close()
        use(simulation, b, floor)
    return run


for name, use in dict(
        step=lambda s, b, f: s.step(), run=lambda s, b, f: s.run(), time=lambda s, b, f: s.t, info=lambda s, b, f: s.info,
        q=lambda s, b, f: b.q, y=lambda s, b, f: f.y, name=lambda s, b, f: b.name, systems=lambda s, b, f: s.model.systems,
        new=lambda s, b, f: ball(s.model), law=lambda s, b, f: s.model.equality(), snapshot=lambda s, b, f: s.snapshot(),
        set=lambda s, b, f: setattr(b, "q", [1.0]), enter=lambda s, b, f: s.model.__enter__(),
        contacts=lambda s, b, f: s.model.contacts(), energy=lambda s, b, f: b.kinetic_energy,
        disconnect=lambda s, b, f: f.disconnect(), solver=lambda s, b, f: s.set_solver("lemke"),
        describe=lambda s, b, f: s.model.describe(), driver=lambda s, b, f: s.model.time_stepping(t1=1.0, h=0.1)).items():
    wrong("closed model: " + name, nsds.StateError, "closed", closed(use))


def closed_simulation(use):
    def run():
        simulation, b, floor = scene()
        simulation.close()
        simulation.close()
        use(simulation)
    return run


wrong("closed simulation: step", nsds.StateError, "closed", closed_simulation(lambda s: s.step()))
wrong("closed simulation: run", nsds.StateError, "closed", closed_simulation(lambda s: s.run(record=["t"])))
wrong("closed simulation: problem", nsds.StateError, "closed", closed_simulation(lambda s: s.problem()))

# ---- simulations
wrong("no step size", nsds.RangeError, "give h", lambda: nsds.Model().time_stepping(t1=1.0))
wrong("no end", nsds.RangeError, "give t1", lambda: nsds.Model().event_driven())
wrong("names of C", nsds.RangeError, "time_stepping(): h is -1", lambda: nsds.Model().time_stepping(t1=1.0, h=-1.0))
wrong("end before the start", nsds.Error, lambda: nsds.Model().time_stepping(t0=1.0, t1=0.0, h=0.1))
wrong("scheme is a number", TypeError, "moreau_jean", lambda: nsds.Model().time_stepping(t1=1.0, h=0.1, second_order=0.5))
wrong("activation for a scheme", TypeError, lambda: nsds.Model().time_stepping(
    t1=1.0, h=0.1, second_order=nsds.activation(0.5, 0.0)))
wrong("scheme of another order", nsds.Error, lambda: nsds.Model().time_stepping(
    t1=1.0, h=0.1, second_order=nsds.euler_moreau(0.5)))
wrong("scheme with too few numbers", TypeError, "give gamma", lambda: nsds.moreau_jean(0.5))
wrong("theta above one", nsds.Error, "theta", lambda: nsds.Model().time_stepping(
    t1=1.0, h=0.1, second_order=nsds.moreau_jean(2.0, 1.0)))
wrong("unknown solver", nsds.Error, "best", lambda: nsds.Model().time_stepping(t1=1.0, h=0.1, solver="best"))
wrong("check_solver is no function", TypeError, lambda: nsds.Model().time_stepping(t1=1.0, h=0.1, check_solver=1))
wrong("unknown integrator", nsds.Error, lambda: nsds.Model().event_driven(t1=1.0, integrator="best"))
wrong("negative number of steps", nsds.ArgumentError, "-1", with_ball(lambda s, b, f: s.run(-1)))
wrong("steps are no integer", TypeError, with_ball(lambda s, b, f: s.run(1.5)))
wrong("unknown quantity", nsds.ArgumentError, "'speed'", with_ball(lambda s, b, f: s.run(1, record=["ball.speed"])))
wrong("entries counted from one", nsds.ArgumentError, "did you mean 'ball.q[0]'", "there are q, v, p, force, normal_force, kinetic_energy", with_ball(
    lambda s, b, f: s.run(1, record=["ball.q1"])))
wrong("quantity of a system", nsds.ArgumentError, "there are y, ydot, lambda, impulse, active", with_ball(
    lambda s, b, f: s.run(1, record=["floor.q"])))
wrong("object without a quantity", nsds.ArgumentError, "such as 'ball.q'", with_ball(
    lambda s, b, f: s.run(1, record=["ball"])))
wrong("unknown object", nsds.ArgumentError, "'roof'", with_ball(lambda s, b, f: s.run(1, record=["roof.q"])))
wrong("index out of range", nsds.ArgumentError, "the index must be 0", with_ball(lambda s, b, f: s.run(1, record=["ball.q[1]"])))
wrong("index is no number", nsds.ArgumentError, with_ball(lambda s, b, f: s.run(1, record=["ball.q[x]"])))
wrong("quantity of another kind", nsds.ArgumentError, with_ball(lambda s, b, f: s.run(1, record=["ball.impulse"])))
wrong("quantity of an object alone", nsds.ArgumentError, with_ball(lambda s, b, f: s.run(1, record=["q"])))
wrong("x of a ball", nsds.ArgumentError, "has no 'x'", with_ball(lambda s, b, f: s.run(1, record=["ball.x"])))
wrong("record a number", TypeError, with_ball(lambda s, b, f: s.run(1, record=[3])))
wrong("record of another model", nsds.ArgumentError, "another model", with_ball(
    lambda s, b, f: s.run(1, record=[(scene()[1], "q")])))
wrong("stage out of turn", nsds.StateError, with_ball(lambda s, b, f: s.solve()))
wrong("z of another length for take()", nsds.ArgumentError, with_ball(lambda s, b, f: (s.begin(), s.take([1.0, 2.0]))))
wrong("restore without save", nsds.StateError, with_ball(lambda s, b, f: s.restore()))
wrong("restore from a text", TypeError, with_ball(lambda s, b, f: s.restore("yesterday")))
wrong("bytes that are no snapshot", nsds.FormatError, lambda: nsds.Snapshot(b"something"))
wrong("damaged snapshot", nsds.FormatError, with_ball(
    lambda s, b, f: nsds.Snapshot(bytes(s.snapshot())[:-3])))
wrong("snapshot of another model", nsds.ArgumentError, with_ball(
    lambda s, b, f: s.restore(other_snapshot())))
wrong("sampler is no function", TypeError, with_ball(lambda s, b, f: s.sample(3, period=0.1)))
wrong("period of zero", nsds.RangeError, with_ball(lambda s, b, f: s.sample(print, period=0.0)))
wrong("event in the past", nsds.Error, with_ball(lambda s, b, f: s.at(-1.0)))
wrong("displacement of a number", TypeError, with_ball(lambda s, b, f: s.displacement(3)))
wrong("series into no folder", nsds.FileError, lambda: nsds.Vtk("/nowhere/at/all"))
wrong("series with shapes of no model", TypeError, lambda: nsds.Vtk("a", shape=[]))
wrong("series of a model", TypeError, with_ball(lambda s, b, f: nsds.Vtk(tempfile.mkdtemp() + "/a").write(s.model)))


def other_snapshot():
    model = nsds.Model()
    model.first_order_linear(x0=[1.0, 2.0], A=np.eye(2))
    return model.time_stepping(t1=1.0, h=0.1).snapshot()


# ---- functions that go wrong in a step
def force(function, **more):
    def run():
        model = nsds.Model()
        b = ball(model, fext=None, fext_fn=lambda a: [0.0] if a.t < 0.5 else function(a, model), **more)
        model.connect(model.lagrangian_linear_relation(H=[1.0]), model.newton_impact(0.5), b)
        simulation = model.time_stepping(t1=10.0, h=0.1)
        try:
            simulation.run(record=["t"])
        finally:
            check("time stays before the failure", 0.2 < simulation.t < 0.75, str(simulation.t))
            check("the model lives", len(model.systems) >= 1 and b.q.shape == (1,))
    return run


def recurse(a, model):
    return recurse(a, model)


wrong("function raises", ZeroDivisionError, force(lambda a, m: 1 / 0))
wrong("function exits", SystemExit, force(lambda a, m: sys.exit(3)))
wrong("function interrupts", KeyboardInterrupt, force(lambda a, m: (_ for _ in ()).throw(KeyboardInterrupt)))
wrong("function without end", RecursionError, force(recurse))
wrong("function gives NaN", nsds.CallbackError, "fext_fn", force(lambda a, m: [NAN]))
wrong("function gives infinity", nsds.CallbackError, force(lambda a, m: [INF]))
wrong("function gives None", TypeError, "fext_fn", force(lambda a, m: None))
wrong("function gives too much", nsds.SizeError, "1 number", force(lambda a, m: [1.0, 2.0]))
wrong("function gives a matrix", nsds.SizeError, force(lambda a, m: np.eye(2)))
wrong("function gives a text", TypeError, force(lambda a, m: "much"))
wrong("function takes nothing", TypeError, force(lambda a, m: (lambda: 1)(a)))
wrong("function adds a system", nsds.Error, force(lambda a, m: (ball(m), [0.0])[1]))
wrong("function destroys its system", nsds.Error, force(lambda a, m: (m.systems[0].destroy(), [0.0])[1]))
wrong("function disconnects", nsds.Error, force(lambda a, m: (m.interactions[0].disconnect(), [0.0])[1]))
wrong("function closes the model", nsds.StateError, "function", force(lambda a, m: (m.close(), [0.0])[1]))
wrong("function sets the state", nsds.Error, force(lambda a, m: (m.systems[0].set_state(q=[5.0]), [0.0])[1]))
wrong("function makes a simulation", nsds.Error, force(lambda a, m: (m.time_stepping(t1=1.0, h=0.1), [0.0])[1]))


@case("function steps its own simulation", nsds.Error)
def _():
    model = nsds.Model()
    known = []
    ball(model, fext=None, fext_fn=lambda a: (known and known[0].step(), [0.0])[1])
    known.append(model.time_stepping(t1=1.0, h=0.1))
    known[0].run()


@case("arguments kept for later stay readable", ZeroDivisionError)
def _():
    kept = []
    try:
        force(lambda a, m: (kept.append(a), 1 / 0))()
    finally:
        check("kept arguments", kept[0].q.shape == (1,) and kept[0].q.flags.owndata)


@case("sampler raises", LookupError)
def _():
    simulation, b, floor = scene()
    simulation.sample(lambda s: [][0], period=0.5)
    simulation.run()


@case("event raises", ArithmeticError)
def _():
    simulation, b, floor = scene()
    simulation.at(0.5, lambda s: 1 // 0)
    simulation.run()


@case("event closes the model", nsds.StateError, "function")
def _():
    simulation, b, floor = scene()
    simulation.at(0.5, lambda s: s.model.close())
    simulation.run()


@case("event adds a system under a view", nsds.ViewsError)
def _():
    simulation, b, floor = scene()
    view = b.q
    simulation.at(0.5, lambda s: ball(s.model, name="second"))
    simulation.run()


@case("check_solver raises", ZeroDivisionError)
def _():
    model = nsds.Model()
    b = ball(model, q0=[0.0])
    model.connect(model.lagrangian_linear_relation(H=[1.0]), model.newton_impact(0.5), b)
    model.time_stepping(t1=1.0, h=0.1, check_solver=lambda s, info: 1 // 0).run()


@case("check_solver gives a wrong verdict", nsds.ArgumentError, "verdict")
def _():
    model = nsds.Model()
    b = ball(model, q0=[0.0])
    model.connect(model.lagrangian_linear_relation(H=[1.0]), model.newton_impact(0.5), b)
    model.time_stepping(t1=1.0, h=0.1, check_solver=lambda s, info: "perhaps").run()


@case("contact without a normal", TypeError)
def _():
    model = nsds.Model()
    body = model.rigid_body(mass=1.0, inertia=np.eye(3))
    model.connect(model.contact_relation(rows=1, contact_fn=lambda a: [1.0]), model.newton_impact(0.5), body)
    model.time_stepping(t1=1.0, h=0.1).run()


@case("log raises", ZeroDivisionError)
def _():
    nsds.Model(log=lambda level, message: 1 // 0).lagrangian_linear(ndof=1)


# ---- arrays and numbers of every kind
def plant(A=((0.0, 1.0), (-4.0, -0.1)), x0=(1.0, 2.0), **more):
    """The state of a system after ten steps."""
    model = nsds.Model()
    system = model.first_order_linear(x0=x0, A=A, **more)
    model.time_stepping(t1=0.1, h=0.01, first_order=nsds.euler_moreau(1.0)).run()
    return system.x.tolist()


class Raises:
    """An argument that raises where it is read."""

    def __init__(self, error):
        self.error = error

    def __array__(self, *arguments, **named):
        raise self.error

    __float__ = __index__ = __iter__ = __array__


class Closes:
    """An argument that closes the model where it is read."""

    def __init__(self, model):
        self.model = model

    def __array__(self, *arguments, **named):
        self.model.close()
        return np.ones(1)

    def __float__(self):
        return float(self.__array__()[0])


unaligned = np.zeros(33, np.uint8)[1:].view(np.float64).reshape(2, 2)
unaligned[:] = [[0.0, 1.0], [-4.0, -0.1]]
for name, A in dict(big_endian=unaligned.astype(">f8"), fortran=np.asfortranarray(unaligned), unaligned=unaligned,
                    strided=np.repeat(unaligned, 3, 1)[:, ::3], reversed=unaligned[::-1, ::-1].copy()[::-1, ::-1],
                    long=unaligned.astype(np.longdouble), not_masked=np.ma.array(unaligned)).items():
    check("array " + name, plant(A) == plant())
check("whole numbers", plant(A=((0, 1), (-4, 0)), x0=(1, 2), mass=np.eye(2, dtype=int)) == plant(A=((0, 1), (-4, 0.0))))
check("a whole number for a matrix", nsds.Model().lagrangian_linear(q0=[1], mass=1).nq == 1)
wrong("masked array", nsds.ArgumentError, "A has masked entries", lambda: plant(np.ma.array(np.eye(2), mask=[[0, 1], [0, 0]])))
wrong("masked row", nsds.ArgumentError, "masked", lambda: plant([np.ma.array([0.0, 1.0], mask=[0, 1]), [0.0, 1.0]]))
wrong("masked number", TypeError, "e must", lambda: nsds.Model().newton_impact(np.ma.masked))
wrong("times in an array", TypeError, "timedelta64", lambda: plant(x0=np.array([1, 2], "m8[s]")))
wrong("array raises ValueError", TypeError, "of mine", lambda: plant(x0=Raises(ValueError("of mine"))))
wrong("array raises another", RuntimeError, "of mine", lambda: plant(x0=Raises(RuntimeError("of mine"))))
wrong("array exits", SystemExit, lambda: plant(x0=Raises(SystemExit(3))))
wrong("number interrupts", KeyboardInterrupt, lambda: nsds.Model().newton_impact(Raises(KeyboardInterrupt())))
wrong("number too large", nsds.ArgumentError, "t1 is too large", lambda: nsds.Model().time_stepping(t1=10 ** 400, h=0.1))
wrong("steps for step()", TypeError, "step()", with_ball(lambda s, b, f: s.step(5)))
wrong("array for the start", TypeError, "t0 must be a number", lambda: nsds.Model().time_stepping(t0=np.zeros(2), h=0.1))
wrong("no event yet", nsds.StateError, "simulation.event", with_ball(lambda s, b, f: s.event))
wrong("data of a function is a number", TypeError, "data must be a list", linear(ndof=1, mass=1.0, data=3.0))
wrong("True for a size", TypeError, "ndof must be an integer, not True", linear(ndof=True, mass=1.0))
wrong("True for steps", TypeError, "not True", with_ball(lambda s, b, f: s.run(True)))
wrong("face index beyond int", nsds.ArgumentError, "face has entries beyond", lambda: nsds.Model().shapes(
    material=[dict(mu=0.5)], shape=[dict(kind="triangles", vertex=np.eye(3), face=np.array([[0, 1, 2 + 2 ** 32]]))]))
wrong("a dict for a list", TypeError, "shape must be a list, not dict", lambda: nsds.Model().shapes(
    material=[dict(mu=0.5)], shape=dict(kind="box", half=[1, 1, 1])))
wrong("plane of three entries", nsds.SizeError, "normal, offset", lambda: nsds.Model().shapes(
    material=[dict(mu=0.5)], shape=[dict(kind="half_space", plane=([0, 0, 1], 0.0, 3.0))]))
wrong("contact set for an array", TypeError, "ContactSet", lambda: linear(ndof=1, mass=nsds.Model().shapes(
    material=[dict(mu=0.5)], shape=[dict(kind="box", half=[1, 1, 1])]))())
wrong("None for a state", TypeError, "NoneType", with_ball(lambda s, b, f: setattr(b, "q", None)))
wrong("threads beyond int", nsds.ArgumentError, "beyond", lambda: nsds.Model(threads=1 << 40))
wrong("no threads", nsds.RangeError, "1..256", lambda: nsds.Model(threads=0))
wrong("made twice", nsds.StateError, "once", lambda: nsds.Model().__init__())


@case("state that closes its model", nsds.StateError, "closed")
def _():
    simulation, b, floor = scene()
    b.q = Closes(simulation.model)


@case("step size that closes its model", nsds.StateError, "closed")
def _():
    simulation, b, floor = scene()
    simulation.set_h(Closes(simulation.model))


# ---- names, attributes, lists of quantities
wrong("name of 48 bytes", nsds.ArgumentError, "name has 48 bytes", linear(name=24 * "\u00e9", ndof=1, mass=1.0))
wrong("half a letter in a name", nsds.ArgumentError, "Unicode", linear(name="\ud800", ndof=1, mass=1.0))
wrong("nothing for a name", TypeError, "NoneType", lambda: nsds.Model()[None])
wrong("empty name", KeyError, with_ball(lambda s, b, f: s.model[""]))
wrong("unknown attribute of a model", AttributeError, "gravity", lambda: setattr(nsds.Model(), "gravity", [0, 0, -9.81]))
wrong("unknown attribute of a problem", AttributeError, "did you mean 'blocks'", lambda: setattr(
    nsds.Problem([[1.0]], [1.0]), "block", []))
wrong("a number for quantities", TypeError, "record must be a list", with_ball(lambda s, b, f: s.run(2, record=0)))
wrong("an index of one number", nsds.ArgumentError, "without an index", with_ball(
    lambda s, b, f: s.run(2, record=[(b, "kinetic_energy", 0)])))
wrong("a raised digit for an index", nsds.ArgumentError, "number from 0 on", with_ball(
    lambda s, b, f: s.run(2, record=["ball.q[\u00b2]"])))


@case("connect by a name that is too long", nsds.ArgumentError, "48 bytes")
def _():
    simulation, b, floor = scene()
    model = simulation.model
    try:
        model.connect(model.lagrangian_linear_relation(H=[1.0]), model.newton_impact(0.5), b, name=48 * "x")
    finally:
        check("nothing is connected", model.interactions == [floor])


def quantities():
    simulation, b, floor = scene()
    for record in (("t", "ball.q"), np.array(["t", "ball.q"]), (q for q in ("t", "ball.q")), ["t", "t", "ball.q"]):
        check("quantities %r" % (record,), list(simulation.run(2, record=record)) == ["t", "ball.q"])
    check("no steps", simulation.run(0, record=["ball.q"])["ball.q"].shape == (0, 1) and simulation.run(np.uint8(2)) == 2)
    check("all steps", len(simulation.run(2 ** 63, record=["t"] * 50)["t"]) == 990 and simulation.run(2 ** 99) == 0)


quantities()


# ---- functions that are none
async def late(*arguments):
    return [0.0]


def bit_by_bit(*arguments):
    yield 0.0


class Sensor:
    """A function with an attribute that looks like the address of one of C."""

    address = 0x40000000

    def __call__(self, a):
        return [0.0]


def hard():
    return nsds.Problem(np.eye(9) * 2 + 1, -np.arange(9.0) - 1)


@case("async progress", TypeError, "async")
def _():
    solver = nsds.Solver("nsgs")
    solver.progress(late)
    solver.solve(hard())


@case("progress replaces itself", nsds.StateError, "function")
def _():
    solver = nsds.Solver("nsgs")
    solver.progress(lambda iteration, residual: solver.progress(None))
    solver.solve(hard())


@case("sampler raises at once", LookupError)
def _():
    simulation, b, floor = scene()
    try:
        simulation.sample(lambda s: [][0], period=0.5)
    except LookupError:
        pass
    gc.collect()
    simulation.step()


model = nsds.Model()
ball(model, fext=None, fext_fn=Sensor())
check("a callable object with an address", model.time_stepping(t1=1.0, h=0.1).run() == 10)
wrong("async force", TypeError, "async", force(lambda a, m: late(a)))
wrong("generator for a force", TypeError, "generator", force(lambda a, m: bit_by_bit(a)))
wrong("async sampler", TypeError, "async", with_ball(lambda s, b, f: (s.sample(late, period=1.0), s.run())))
wrong("generator for an event", TypeError, "generator", with_ball(lambda s, b, f: (s.at(1.0, bit_by_bit), s.run())))
wrong("NULL for a force", nsds.ArgumentError, "NULL", linear(ndof=1, mass=1.0, fext_fn=ffi.NULL))


@case("mix of nothing", TypeError, "mix_fn must return a dict")
def _():
    model = nsds.Model()
    body = model.rigid_body(mass=1.0, inertia=np.eye(3), q0=[0, 0, 0.1, 1, 0, 0, 0])
    model.shapes(material=[dict(mu=0.5)], mix_fn=lambda a, b: None, shape=[
        dict(kind="sphere", radius=0.1, ds=body), dict(kind="half_space", plane=([0, 0, 1], 0.0))])
    model.time_stepping(t1=0.1, h=0.01).run()


# ---- ends in any order
class Holder:
    """A garbage cycle with a model, whose finalizer looks at an array and makes a step."""

    seen = []

    def __init__(self):
        self.model = nsds.Model()
        self.ball = ball(self.model, q0=[7.0], fext=None, fext_fn=self.force)
        self.view = self.ball.q
        self.simulation = self.model.time_stepping(t1=1.0, h=0.1)

    def force(self, a):
        return [0.0]

    def __del__(self):
        self.seen.append(self.view[0])
        try:
            self.simulation.step()
        except nsds.Error:
            pass


for k in range(10):
    Holder()
gc.collect()
check("finalizers of garbage", Holder.seen == [7.0] * 10, str(Holder.seen))


@case("circuit without its system", nsds.ArgumentError, "destroyed")
def _():
    model = nsds.Model()
    circuit = model.circuit(text="t\nC1 a 0 1u ic=10\nR1 a 0 1k\n.end\n")
    circuit.system.destroy()
    circuit.read("v(a)")


def pages():
    """A scene does not disturb its model, and may be written when the model is closed."""
    with nsds.Model() as model, tempfile.TemporaryDirectory() as folder:
        body = model.rigid_body(mass=1.0, inertia=np.eye(3))
        model.connect(model.sphere_plane_relation(dimension=3, rows=1, radius=0.1, normal=[0, 0, 1], offset=-5.0),
                      model.newton_impact(0.0), body)
        page = nsds.Scene(model)
        check("a driver after a scene", model.time_stepping(t1=1.0, h=0.1).run() == 10)
        page.record(0.0)
        model.close()
        page.write_html(os.path.join(folder, "a.html"))


pages()
wrong("text for names of a scene", TypeError, "names must be a list", with_ball(
    lambda s, b, f: nsds.Scene(s.model, names="height")))
wrong("page into no folder", nsds.FileError, with_ball(lambda s, b, f: nsds.Scene(s.model).write_html("/nowhere/a.html")))


def forked():
    """Threads of the library are gone in a forked process: a new model steps there all the same."""
    def pile():
        model = nsds.Model(threads=2)
        bodies = [model.rigid_body(mass=1.0, inertia=np.eye(3) * 0.01, gravity=[0, 0, -9.81],
                                   q0=[0.5 * (k % 10), 0.5 * (k // 10), 0.0999, 1, 0, 0, 0]) for k in range(100)]
        model.shapes(material=[dict(mu=0.5)], shape=[dict(kind="sphere", radius=0.1, ds=b) for b in bodies] + [
            dict(kind="half_space", plane=([0, 0, 1], 0.0))])
        return model.time_stepping(t1=10.0, h=0.005)
    here = pile()
    here.run(3)
    child = os.fork()
    if child == 0:
        signal.alarm(10)
        status = 1
        try:
            status = 0 if here.run(2) + pile().run(2) == 4 else 2
        finally:
            os._exit(status)
    check("a forked process", os.waitpid(child, 0)[1] == 0)


forked()

# ---- pictures that show nothing: the same without matplotlib, whether it is installed or not
def without_matplotlib(call):
    kept = sys.modules.get("matplotlib")
    sys.modules["matplotlib"] = None  # import raises ImportError
    try:
        call()
    finally:
        if kept is None:
            del sys.modules["matplotlib"]
        else:
            sys.modules["matplotlib"] = kept


wrong("picture without matplotlib", nsds.UnsupportedError, "python3-matplotlib",
      lambda: without_matplotlib(lambda: plot.series(dict(t=np.arange(3.0), y=np.arange(3.0)))))
wrong("two lengths without matplotlib", ValueError, "6 rows",
      lambda: without_matplotlib(lambda: plot.series(dict(t=np.arange(3.0), y=np.arange(6.0)))))
wrong("picture of no rows", ValueError, "no rows", with_ball(lambda s, b, f: plot.series(s.run(0, record=["t", "ball.q"]))))
wrong("picture of a number", TypeError, "run(record=[...])", with_ball(lambda s, b, f: plot.series(s.run(2))))
wrong("picture without time", KeyError, "add 't'", with_ball(lambda s, b, f: plot.series(s.run(2, record=["ball.q"]))))
wrong("picture of two lengths", ValueError, "6 rows", lambda: plot.series(dict(t=np.arange(3.0), y=np.arange(6.0))))
wrong("picture of a quantity that is missing", KeyError, "t, y", lambda: plot.series(
    dict(t=np.arange(3.0), y=np.arange(3.0)), "z"))
wrong("phase of two lengths", ValueError, "4", lambda: plot.phase(dict(a=np.arange(3.0), b=np.arange(4.0)), "a", "b"))
wrong("phase of a vector", ValueError, "b[0]", lambda: plot.phase(dict(a=np.arange(3.0), b=np.eye(3)), "a", "b"))
wrong("sweep that is none", TypeError, "nsds.Sweep", lambda: plot.sweep(3, None, "top"))

# ---- copies
for thing in ("model", "system", "simulation"):
    def pick(thing=thing):
        simulation, b, floor = scene()
        return dict(model=simulation.model, system=b, simulation=simulation)[thing]
    wrong("copy of a " + thing, TypeError, "copied", lambda pick=pick: copy.copy(pick()))
    wrong("deep copy of a " + thing, TypeError, "copied", lambda pick=pick: copy.deepcopy(pick()))
    wrong("pickle of a " + thing, TypeError, "pickled", lambda pick=pick: pickle.dumps(pick()))

# ---- problems and solvers
wrong("M is not square", nsds.SizeError, "M", lambda: nsds.Problem([[1.0, 2.0]], [1.0]))
wrong("q of another length", nsds.SizeError, "M", lambda: nsds.Problem(np.eye(2), [1.0]))
wrong("q is a matrix", nsds.SizeError, "q", lambda: nsds.Problem(np.eye(2), np.eye(2)))
wrong("NaN in M", nsds.RangeError, lambda: nsds.Problem([[NAN]], [1.0]))
if importlib.util.find_spec("scipy"):
    import scipy.sparse
    wrong("complex sparse M", TypeError, "complex128", lambda: nsds.Problem(scipy.sparse.csc_matrix([[1j]]), [1.0]))
    wrong("complex sparse mass", TypeError, "complex128", lambda: nsds.Model().lagrangian_linear(
        ndof=1, mass_sparse=scipy.sparse.csc_matrix([[1j]])))
    wrong("H is nothing", TypeError, "H", lambda: nsds.GlobalProblem(np.eye(1), None, [1.0], [1.0], "nonnegative"))
wrong("a word in a list of blocks", TypeError, "a block must be a dict", lambda: nsds.Problem([[1.0]], [1.0], ["box"]))
wrong("Newton steps beyond int", nsds.ArgumentError, "max_steps", lambda: nsds.Solver().solve_nonlinear(
    lambda z: z, "nonnegative", [1.0], max_steps=1 << 40))
wrong("a number for a snapshot", TypeError, "bytes", lambda: nsds.Snapshot(5))
wrong("blocks do not sum", nsds.Error, lambda: nsds.Problem(np.eye(2), [1.0, 1.0], [dict(set="equality", size=1)]))
wrong("block without a set", TypeError, "set", lambda: nsds.Problem([[1.0]], [1.0], [dict(size=1)]))
wrong("unknown set", nsds.ArgumentError, "'cube'", lambda: nsds.Problem([[1.0]], [1.0], "cube"))
wrong("friction of four rows", nsds.Error, lambda: nsds.Problem(np.eye(4), np.ones(4), [dict(set="coulomb", size=4, mu=1)]))
wrong("bounds of a box", nsds.SizeError, "lower", lambda: nsds.Problem(
    np.eye(2), np.ones(2), [dict(set="box", size=2, lower=[0.0], upper=[1.0, 1.0])]))
wrong("start of another length", nsds.SizeError, lambda: nsds.Problem([[1.0]], [1.0]).solve(z=[1.0, 2.0]))
wrong("solve a matrix", TypeError, "Problem", lambda: nsds.Solver().solve(np.eye(2)))
wrong("unknown solver by name", nsds.Error, "newton", lambda: nsds.Solver("newton"))
wrong("unknown option", nsds.Error, "patience", lambda: nsds.Solver("nsgs", patience=1))
wrong("option out of range", nsds.Error, "tolerance", lambda: nsds.Solver("nsgs", tolerance=-1.0))
wrong("option is a text", TypeError, lambda: nsds.Solver("nsgs", tolerance="small"))
wrong("get an unknown option", nsds.Error, "patience", lambda: nsds.Solver().get("patience"))
wrong("progress is no function", TypeError, lambda: nsds.Solver().progress(3))
wrong("local solver of a global problem", nsds.Error, lambda: nsds.GlobalProblem(
    np.eye(1), np.eye(1), [1.0], [1.0], "nonnegative").solve("lemke"))
wrong("certificate of another length", nsds.SizeError, lambda: nsds.Problem([[1.0]], [1.0]).certify([1.0, 2.0]))
wrong("F of another length", nsds.SizeError, lambda: nsds.Solver().solve_nonlinear(
    lambda z: [1.0, 2.0], "nonnegative", [1.0]))
wrong("format of a file", nsds.ArgumentError, "'pdf'", lambda: nsds.read_problem("a", format="pdf"))


@case("closed solver", nsds.StateError, "closed")
def _():
    solver = nsds.Solver()
    solver.close()
    solver.solve(nsds.Problem([[1.0]], [1.0]))


@case("progress closes its solver", nsds.StateError, "function")
def _():
    solver = nsds.Solver("nsgs")
    solver.progress(lambda iteration, residual: solver.close())
    solver.solve(nsds.Problem(np.eye(9) * 2 + 1, -np.arange(9.0) - 1))


@case("solver closed by another thread", nsds.StateError, "another thread uses the solver")
def _():
    solver, found = nsds.Solver("nsgs"), []

    def close():
        try:
            solver.close()
        except nsds.StateError as error:
            found.append(error)

    def progress(iteration, residual):
        thread = threading.Thread(target=close)
        thread.start()
        thread.join()
        return True
    solver.progress(progress)
    solver.solve(nsds.Problem(np.eye(9) * 2 + 1, -np.arange(9.0) - 1))
    raise found[0]


@case("problem changed to nonsense", nsds.SizeError)
def _():
    problem = nsds.Problem(np.eye(2), [-1.0, -1.0])
    problem.q = np.ones(1)
    problem.solve()


# ---- jobs
wrong("job of nothing", nsds.Error, lambda: nsds.Job())
wrong("job of another kind", nsds.ArgumentError, "'pdf'", lambda: nsds.Job(text="a", kind="pdf"))
wrong("settings are a list", TypeError, "settings", lambda: nsds.Job("a.yaml", settings=[1]))
wrong("negative rows", nsds.ArgumentError, lambda: nsds.Job(
    text="t\nV1 a 0 1\nR1 a 0 1\n.tran 1m 2m\n.print tran v(a)\n.end\n", kind="circuit").run(-1))
@case("sweep closed while a point runs", nsds.StateError, "runs a point")
def _():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "ball.yaml")
        with open(path, "w") as file:
            file.write("nsds: 1\nparameters: {h: 1e-3}\nsystems:\n"
                       "  ball: {type: lagrangian_linear, q0: 1, mass: 1, fext: -9.81}\n"
                       "simulation: {type: time_stepping, t1: 200, h: h}\n"
                       "measures: {lowest: {kind: min, of: 'ball.q[0]'}}\n")
        sweep = nsds.Sweep(path, ["h=1e-3"])
        thread = threading.Thread(target=sweep.run, args=(0,))
        thread.start()
        try:
            while thread.is_alive() and not sweep._runs:
                time.sleep(1e-4)
            sweep.close()
        finally:
            thread.join()


BALL = """nsds: 1
parameters: {e: 0.9}
systems:
  ball: {type: lagrangian_linear, q0: 1, mass: 1, fext: -9.81}
simulation: {type: time_stepping, t1: 10, h: 0.01}
outputs: {columns: [{name: height, value: "ball.q[0]", unit: m}]}
measures: {lowest: {kind: min, of: "ball.q[0]"}}
"""


def dropped(function):
    """A function of a simulation that the program does not keep: its job does."""
    job = nsds.Job(text=BALL, kind="model_file")
    job.simulation.sample(lambda simulation: function(simulation, job), period=1.0)
    gc.collect()
    job.run()


try:
    times = []
    dropped(lambda simulation, job: times.append(simulation.t))
    check("samples of a job", len(times) == 11 and times[-1] == 10.0, str(times))
    wrong("sampler of a job raises", ZeroDivisionError, lambda: dropped(lambda s, job: 1 // int(s.t < 5.0)))
    wrong("sampler closes its job", nsds.StateError, "function of the job", lambda: dropped(
        lambda s, job: job.close() if s.t > 5.0 else None))
    wrong("setting that is no number", TypeError, "settings: e", lambda: nsds.Job(
        text=BALL, kind="model_file", settings={"e": [1, 2]}))
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "ball.yaml"), "w") as file:
            file.write(BALL)
        sweep = nsds.Sweep(file.name, (axis for axis in ["e=0.5:0.9:3"]))
        check("axes of a generator", len(pickle.loads(pickle.dumps(sweep))) == 3)
    wrong("no threads of a sweep", nsds.ArgumentError, "1 or more", lambda: sweep.run_all(threads=0))
    wrong("a sweep's point is True", TypeError, "not True", lambda: sweep.run(True))
    wrong("a picture of a measure that is missing", KeyError, "highest", lambda: plot.sweep(
        sweep, np.ones((3, 1)), "highest"))
    wrong("a picture of another table", ValueError, "3 points", lambda: plot.sweep(sweep, np.ones((2, 1)), "lowest"))
except nsds.UnsupportedError as error:
    print("model files:", error)



# ---- shapes of scenes, constants of types of one's own, starts of solves: the argument is named
def scene_with(shape):
    def call():
        model = nsds.Model()
        body = model.rigid_body(mass=1.0, inertia=np.eye(3))
        return nsds.Scene(model, shape=shape(body) if callable(shape) else shape)
    return call


wrong("a shape alone", TypeError, "shape must be a list", scene_with(dict(kind="box")))
wrong("a shape that is no dict", TypeError, "shape[1]", scene_with(lambda b: [dict(kind="sphere", radius=1.0, ds=b), 3]))
wrong("an unknown word of a shape", TypeError, "shape[0]", "'radios', did you mean 'radius'", scene_with(
    lambda b: [dict(kind="sphere", radios=1.0, ds=b)]))
wrong("an unknown kind of a shape", nsds.ArgumentError, "shape[0]: kind", "'box'", scene_with([dict(kind="boxes")]))
wrong("the body of a shape", TypeError, "shape[0]: ds", scene_with([dict(kind="sphere", radius=1.0, ds=3)]))
wrong("a body of another model", nsds.ArgumentError, "shape[0]: ds", "another model", scene_with(
    lambda b: [dict(kind="sphere", radius=1.0, ds=nsds.Model().rigid_body(mass=1.0, inertia=np.eye(3)))]))
wrong("the size of a shape", nsds.RangeError, "half", scene_with(lambda b: [dict(kind="box", half=[1.0, -1.0, 1.0], ds=b)]))
wrong("vertices of a shape", nsds.SizeError, "shape[0]: vertex", scene_with(lambda b: [dict(kind="hull", vertex=np.eye(2), ds=b)]))
wrong("quantities of a scene", nsds.SizeError, "quantities has 1 numbers", "0 names", lambda: scene_with(())().record(0.0, [1.0]))
wrong("a constant output", nsds.SizeError, "custom_relation(): output", "2 numbers", lambda: nsds.Model().custom_relation(
    ny=2, nq=1, output=[1.0], jacobian_q=[[1.0], [1.0]]))
wrong("a constant Jacobian with NaN", nsds.RangeError, "jacobian_q[0, 1]", "nan", lambda: nsds.Model().custom_relation(
    ny=1, nq=2, output=[1.0], jacobian_q=[[1.0, NAN]]))
wrong("an infinite force", nsds.RangeError, "force[0]", "inf", lambda: nsds.Model().custom_second_order(
    ndof=1, mass=1.0, force=[INF]))
wrong("a text for a mass", TypeError, "mass", lambda: nsds.Model().custom_second_order(ndof=1, mass="heavy", force=[0.0]))
wrong("coordinates without a map", nsds.SizeError, "q0", "velocity_map", lambda: nsds.Model().custom_second_order(
    ndof=1, q0=[1.0, 2.0], mass=1.0, force=[0.0]))
wrong("a block that is no dict", TypeError, "block", lambda: nsds.Model().custom_law(block=3))
wrong("a block without a set", TypeError, "block", "set", lambda: nsds.Model().custom_law(block=dict(size=1)))
wrong("active by a text", TypeError, "active", lambda: nsds.Model().custom_law(block=dict(set="nonnegative"), active="yes"))
wrong("contacts by a number", TypeError, "find", lambda: nsds.Model().custom_contact_set(find=3, output=lambda k, a: [0.0]))
wrong("a start with NaN", nsds.RangeError, "z[1] is nan", lambda: nsds.Problem(np.eye(2), [1.0, 1.0]).solve(z=[0.0, NAN]))
wrong("an infinite start", nsds.RangeError, "z[0] is inf", lambda: nsds.Solver().solve_nonlinear(
    lambda z: z, "nonnegative", [INF]))
wrong("a unit of a number", TypeError, "column", lambda: nsds.Recording(t=[]).unit(3))
wrong("an index that is no name", TypeError, "index", lambda: nsds.Recording(t=[]).to_pandas(index=2))
wrong("a snapshot of a number", TypeError, "data", lambda: nsds.Snapshot(3))
wrong("a sweep of a number", TypeError, "file", lambda: nsds.Sweep(3, ["e=1:2:2"]))
wrong("too many threads", nsds.Error, lambda: nsds.Model(threads=100000))
wrong("log is no function", TypeError, lambda: nsds.Model(log=3))

for name, kind, words, call in CASES:
    try:
        call()
    except kind as error:
        text = str(error)
        for word in words:
            check(name, word in text, "%r is not in %r" % (word, text))
        if isinstance(error, nsds.Error):
            check(name, text != "" and text != "success", "no message")
    except BaseException as error:
        check(name, False, "raised %r" % (error,))
    else:
        check(name, False, "raised nothing")
check("at least 300 cases", len(CASES) >= 300, str(len(CASES)))
print("%d wrong uses" % len(CASES))
finish()
