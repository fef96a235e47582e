"""Wrong uses: each is an exception with a message that names the place, and the interpreter lives on.

The table has a name, the exception, words of its message, and the use.
"""
import copy
import math
import os
import pickle
import sys
import tempfile
import threading
import time

import numpy as np

import nsds
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
wrong("type of its own", AttributeError, "C functions", lambda: nsds.Model().custom_law(size=1))
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
wrong("scheme with too few numbers", TypeError, "2 arguments", lambda: nsds.moreau_jean(0.5))
wrong("theta above one", nsds.Error, "theta", lambda: nsds.Model().time_stepping(
    t1=1.0, h=0.1, second_order=nsds.moreau_jean(2.0, 1.0)))
wrong("unknown solver", nsds.Error, "best", lambda: nsds.Model().time_stepping(t1=1.0, h=0.1, solver="best"))
wrong("check_solver is no function", TypeError, lambda: nsds.Model().time_stepping(t1=1.0, h=0.1, check_solver=1))
wrong("unknown integrator", nsds.Error, lambda: nsds.Model().event_driven(t1=1.0, integrator="best"))
wrong("negative number of steps", nsds.ArgumentError, "-1", with_ball(lambda s, b, f: s.run(-1)))
wrong("steps are no integer", TypeError, with_ball(lambda s, b, f: s.run(1.5)))
wrong("unknown quantity", nsds.ArgumentError, "'speed'", with_ball(lambda s, b, f: s.run(1, record=["ball.speed"])))
wrong("entries counted from one", nsds.ArgumentError, "did you mean 'ball.q[0]'", "q, v, p, kinetic_energy", with_ball(
    lambda s, b, f: s.run(1, record=["ball.q1"])))
wrong("quantity of a system", nsds.ArgumentError, "there are y, ydot, lambda, impulse, active", with_ball(
    lambda s, b, f: s.run(1, record=["floor.q"])))
wrong("object without a quantity", nsds.ArgumentError, "such as 'ball.q'", with_ball(
    lambda s, b, f: s.run(1, record=["ball"])))
wrong("unknown object", nsds.ArgumentError, "'roof'", with_ball(lambda s, b, f: s.run(1, record=["roof.q"])))
wrong("index out of range", nsds.ArgumentError, "0 .. 0", with_ball(lambda s, b, f: s.run(1, record=["ball.q[1]"])))
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
                       "measures: {lowest: {kind: min, of: ball.q1}}\n")
        sweep = nsds.Sweep(path, ["h=1e-3"])
        thread = threading.Thread(target=sweep.run, args=(0,))
        thread.start()
        try:
            while thread.is_alive() and not sweep._runs:
                time.sleep(1e-4)
            sweep.close()
        finally:
            thread.join()


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
check("at least 150 cases", len(CASES) >= 150, str(len(CASES)))
print("%d wrong uses" % len(CASES))
finish()
