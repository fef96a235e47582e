"""Systems, relations, laws and contact sets of one's own in Python: the bits of the library's types, and exceptions."""
import math

import numpy as np

import nsds
from support import check, close, finish, raises


def states(make, t1=1.0, h=0.01, driver="time_stepping"):
    """The states of a model after a run."""
    model = nsds.Model()
    make(model)
    simulation = getattr(model, driver)(**(dict(t1=t1, h=h) if driver == "time_stepping" else dict(t1=t1)))
    simulation.run()
    return np.concatenate([np.concatenate([s.q, s.v]) if s.nv else s.x for s in model.systems])


def same(name, own, built, tolerance=0.0, **more):
    a, b = states(own, **more), states(built, **more)
    check(name, a.shape == b.shape and np.abs(a - b).max() <= tolerance, "%s %s" % (a, b))


def ball(model, **more):
    return model.lagrangian_linear(**{**dict(ndof=1, q0=[1.0], mass=1.0, fext=[-9.81]), **more})


def gap_of_python(model):
    return model.custom_relation(ny=1, nq=1, affine=True, output=lambda a: a.q - 0.1, jacobian_q=[[1.0]])


def gap_of_library(model):
    return model.lagrangian_linear_relation(H=[1.0], b=[-0.1])


def newton_of_python(model):
    return model.custom_law(size=1, level="velocity", block=dict(set="nonnegative"),
                            active=lambda y, ydot, tau, slack: y[0] + tau * ydot[0] <= slack,
                            restitution=lambda ydot: 0.7 * ydot)


def falls(gap, law):
    return lambda model: model.connect(gap(model), law(model), ball(model))


newton = lambda model: model.newton_impact(0.7)
same("relation", falls(gap_of_python, newton), falls(gap_of_library, newton))
same("law", falls(gap_of_library, newton_of_python), falls(gap_of_library, newton))
same("relation and law", falls(gap_of_python, newton_of_python), falls(gap_of_library, newton))
same("relation by events", falls(gap_of_python, newton), falls(gap_of_library, newton), 1e-9, driver="event_driven")


# Systems of both orders.
def pendulum_of_python(model):
    model.custom_second_order(ndof=1, q0=[0.3], mass=[[1.0]], constant=["mass"], force=lambda a: [-9.81 * math.sin(a.q[0])],
                              stiffness=lambda a: [[9.81 * math.cos(a.q[0])]])


same("second order", pendulum_of_python, lambda model: model.lagrangian(
    ndof=1, q0=[0.3], mass=1.0, fint=dict(fn=lambda a: 9.81 * math.sin(a.q[0]),
                                          jac_q_fn=lambda a: 9.81 * math.cos(a.q[0]), jac_v_fn=nsds.zero)), 1e-13)
same("first order", lambda model: model.custom_first_order(
    n=2, x0=[1.0, 0.5], rhs=lambda a: [-a.x[0] ** 3, a.x[0]], jacobian=lambda a: [[-3 * a.x[0] ** 2, 0.0], [1.0, 0.0]]),
     lambda model: model.first_order(
         n=2, x0=[1.0, 0.5], f_fn=lambda a: [-a.x[0] ** 3, a.x[0]],
         jac_f_x_fn=lambda a: [[-3 * a.x[0] ** 2, 0.0], [1.0, 0.0]]), 1e-13)
same("a driven coordinate", lambda model: model.custom_second_order(
    ndof=1, mass=[[1.0]], constant=["mass"], force=[0.0], affine=True,
    prescribed=dict(index=[0], fn=lambda a: [math.sin(a.t)])), lambda model: model.lagrangian_linear(
        ndof=1, mass=1.0, prescribed=dict(index=[0], fn=lambda a: [math.sin(a.t)])), 1e-14)


# A relation of first order, with an input: an ideal diode of a capacitor.
def diode(model, own):
    tank = model.first_order_linear(x0=[1.0], A=[[-1.0]])
    if own:
        relation = model.custom_relation(ny=1, nq=1, linear=True, output=lambda a: a.x - 0.5, jacobian_q=[[1.0]],
                                         input=lambda a: a.lambda_, input_lambda=[[1.0]])
    else:
        relation = model.first_order_linear_relation(C=[[1.0]], B=[[1.0]], e=[-0.5])
    model.connect(relation, model.complementarity(), tank)


same("relation of first order", lambda m: diode(m, True), lambda m: diode(m, False), 1e-12)


# A law with bounds, and one with compliance.
def bounded(model, own):
    law = model.custom_law(size=1, level="force", block=dict(set="box", lower=[-1.0], upper=[1.0])) if own else \
        model.relay([-1.0], [1.0])
    model.connect(model.first_order_linear_relation(C=[[1.0]], B=[[1.0]]), law,
                  model.first_order_linear(x0=[0.7], A=[[0.0]]))


same("law with bounds", lambda m: bounded(m, True), lambda m: bounded(m, False), 1e-12)


# Contact sets: balls over a floor and each other, as nsds_balls() has them.
def balls(model, own):
    bodies = [model.lagrangian_linear(name="b%d" % k, q0=[0.0, 0.0, 0.3 + 0.25 * k], mass=np.eye(3),
                                      fext=[0, 0, -9.81]) for k in range(3)]
    law, radius = model.newton_impact(0.4), 0.1
    if not own:
        return model.balls(law=law, ds=bodies, dimension=3, radius=radius, normal=[0, 0, 1.0], pairs=True)

    def gap(a, b):
        d = a - b
        distance = math.sqrt(d[0] ** 2 + d[1] ** 2 + d[2] ** 2)
        return distance - 2 * radius, d / distance

    def find(t):
        for k, body in enumerate(bodies):
            y = body.q[2] - radius
            if y <= radius:
                yield dict(key=k, ds=body, y=y, H=[[0.0, 0.0, 1.0]], place=dict(
                    point=[body.q[0], body.q[1], 0.0], normal=[0, 0, 1.0]))
            for j in range(k):
                y, n = gap(bodies[j].q, body.q)
                if y <= radius:
                    yield dict(key=100 + 10 * j + k, ds=(bodies[j], body), y=y, H=[[*n, *-n]])
    return model.custom_contact_set(name="balls", law=law, find=lambda t: list(find(t)))


same("contact set", lambda m: balls(m, True), lambda m: balls(m, False), 1e-9)


def event_balls(model, own):
    bodies = [model.lagrangian_linear(q0=[0.0, 0.0, 0.3], mass=np.eye(3), fext=[0, 0, -9.81])]
    law = model.newton_impact(0.4)
    if not own:
        model.balls(law=law, ds=bodies, dimension=3, radius=0.1, normal=[0, 0, 1.0])
        return
    model.custom_contact_set(
        law=law, find=lambda t: [dict(key=7, ds=bodies[0], y=bodies[0].q[2] - 0.1, H=[[0, 0, 1.0]])],
        output=lambda key, a: [a.q[2] - 0.1], gradient_v=lambda key, a, found: [[0, 0, 1.0]],
        bias=lambda key, a, found: [0.0], reach=lambda: 0.1, travel=lambda body, q0, q: abs(q - q0).max(),
        place=lambda key, a, found: dict(point=[a.q[0], a.q[1], 0.0], normal=[0, 0, 1.0]))


same("contact set by events", lambda m: event_balls(m, True), lambda m: event_balls(m, False), 1e-9, t1=0.6,
     driver="event_driven")
model = nsds.Model()
balls(model, True)
model.time_stepping(t1=2.0, h=0.005).run()
check("contacts have places", any(c.located and c.bodies[0].name == "b0" for c in model["balls"].contacts()))

# Jacobians are compared with differences.
model = nsds.Model()
body = ball(model)
wrong = model.custom_relation(name="wrong", ny=1, nq=1, output=lambda a: a.q ** 2, jacobian_q=lambda a: [[a.q[0]]])
model.connect(wrong, model.newton_impact(0.0), body)
raises("a Jacobian that is wrong", nsds.RangeError, model.check_jacobians, "wrong")


# Exceptions come out of the call, and the model is that of the last good step.
class Mine(Exception):
    pass


def late(value, armed):
    def function(*arguments):
        if armed and armed[0]:
            raise Mine("of mine")
        return value(*arguments) if callable(value) else value
    return function


OPERATIONS = {
    "output": lambda m, armed: falls(lambda m: m.custom_relation(ny=1, nq=1, output=late(lambda a: a.q - 0.1, armed),
                                                                jacobian_q=[[1.0]]), newton)(m),
    "jacobian_q": lambda m, armed: falls(lambda m: m.custom_relation(ny=1, nq=1, output=lambda a: a.q - 0.1,
                                                                    jacobian_q=late([[1.0]], armed)), newton)(m),
    "force": lambda m, armed: m.custom_second_order(ndof=1, mass=[[1.0]], force=late([1.0], armed)),
    "rhs": lambda m, armed: m.custom_first_order(n=1, rhs=late([1.0], armed)),
    "active": lambda m, armed: falls(gap_of_library, lambda m: m.custom_law(
        block=dict(set="nonnegative"), active=late(lambda y, v, tau, slack: True, armed), restitution=lambda v: 0 * v))(m),
    "restitution": lambda m, armed: falls(gap_of_library, lambda m: m.custom_law(
        block=dict(set="nonnegative"), restitution=late(lambda v: 0 * v, armed)))(m),
    "find": lambda m, armed: m.custom_contact_set(law=m.newton_impact(0.0), find=late(
        lambda t, b=ball(m, ndof=3, q0=[0, 0, 1.0], mass=np.eye(3), fext=[0, 0, 0]): [
            dict(key=1, ds=b, y=1.0, H=[[0, 0, 1.0]])], armed))}
for name, make in OPERATIONS.items():
    armed, model = [False], nsds.Model()
    make(model, armed)
    simulation = model.time_stepping(t1=1.0, h=0.01)
    simulation.run(3)
    before = np.concatenate([np.array(s.q) if s.nv else np.array(s.x) for s in model.systems]), simulation.t
    armed[0] = True
    raises("exception of " + name, Mine, simulation.step)
    after = np.concatenate([np.array(s.q) if s.nv else np.array(s.x) for s in model.systems]), simulation.t
    check("state after " + name, before[1] == after[1] and (before[0] == after[0]).all(), "%s %s" % (before, after))
    armed[0] = False
    check("goes on after " + name, simulation.run(2) == 2)

# Wrong uses name the argument.
fresh = nsds.Model()
one = ball(fresh)
raises("unknown", TypeError, lambda: fresh.custom_relation(ny=1, nq=1, outptu=lambda a: a.q), "outptu", "output")
raises("missing", TypeError, lambda: fresh.custom_relation(ny=1, nq=1), "give output")
raises("missing law", nsds.Error, lambda: fresh.custom_contact_set(find=lambda t: []), "law")
for name, contact, words in (("no dict", 3, "dict"), ("unknown", dict(kex=1), "kex"), ("missing", dict(key=1), "give ds"),
                             ("shape of H", dict(ds=one, y=1.0, H=[[1.0, 2.0]]), "H"),
                             ("number of gaps", dict(ds=one, y=[1.0, 2.0], H=[[1.0]]), "y"),
                             ("foreign", dict(ds=ball(nsds.Model()), y=1.0, H=[[1.0]]), "another model")):
    model = nsds.Model()
    body = ball(model)
    if isinstance(contact, dict) and contact.get("ds") is one:
        contact["ds"] = body
    model.custom_contact_set(law=model.newton_impact(0.0), find=lambda t: [contact])
    raises("contact: " + name, (TypeError, nsds.Error), model.time_stepping(t1=1.0, h=0.1).step, words)
for name, value in (("shape", [1.0, 2.0]), ("nan", [math.nan]), ("none", None), ("text", "x")):
    model = nsds.Model()
    model.custom_first_order(n=1, rhs=lambda a: value)
    raises("result: " + name, (TypeError, nsds.Error), lambda: model.time_stepping(t1=1.0, h=0.1).step(), "rhs")
raises("exception of block", Mine, lambda: falls(gap_of_library, lambda m: m.custom_law(
    block=late(dict(set="nonnegative"), [True])))(nsds.Model()))
raises("a set that is none", (nsds.Error, TypeError), lambda: falls(gap_of_library, lambda m: m.custom_law(
    block=dict(set="cube")))(nsds.Model()), "set")
finish()
