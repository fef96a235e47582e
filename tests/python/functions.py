"""Functions of the user: of Python against constants and closed forms, of C by address, with data, with exceptions."""
import ctypes
import math

import numpy as np

import nsds
from support import check, close, finish, raises


def pendulum(model, **more):
    """A pendulum of 1 kg and 1 m."""
    return model.lagrangian(name="pendulum", ndof=1, q0=[0.3], mass_fn=lambda a: 1.0,
                            fint=dict(fn=lambda a: 9.81 * math.sin(a.q[0]), jac_q_fn=lambda a: 9.81 * math.cos(a.q[0]),
                                      jac_v_fn=nsds.zero), **more)


model = nsds.Model()
arm = pendulum(model)
simulation = model.time_stepping(t1=1.0, h=1e-3)
energy = -9.81 * math.cos(0.3)
simulation.run()
q, v = arm.q[0], arm.v[0]
check("energy of a pendulum", close(0.5 * v * v - 9.81 * math.cos(q), energy, 1e-5))
check("kinetic energy", close(arm.kinetic_energy, 0.5 * v * v, 1e-12))
report = model.check_jacobians(0.0, 1e-5)
check("jacobians", report.wrong == 0 and report.checked > 0, repr(report))

# A call that keeps no error in the model still tells its message.
model = nsds.Model()
model.first_order(name="wrong", n=1, x0=[1.0], f_fn=lambda a: [a.x[0] ** 2], jac_f_x_fn=lambda a: [3.0 * a.x[0]])
raises("jacobian that is wrong", nsds.RangeError, lambda: model.check_jacobians(), "wrong", "jac_f_x_fn")
raises("jacobian that is wrong, again", nsds.RangeError, lambda: model.check_jacobians(), "wrong", "jac_f_x_fn")
model = nsds.Model()
model.first_order(name="no number", n=1, x0=[-1.0], f_fn=lambda a: [a.x[0]], jac_f_x_fn=lambda a: [float("nan")])
raises("jacobian that is no number", nsds.CallbackError, lambda: model.check_jacobians(0.37), "no number", "jac_f_x_fn")
model.newton_impact(0.5)

# A function of Python and a constant have the same bits.
results = []
for force in (dict(fext=[-9.81]), dict(fext_fn=lambda a: [-9.81])):
    model = nsds.Model()
    ball = model.lagrangian_linear(ndof=1, q0=[1.0], mass=1.0, **force)
    model.connect(model.lagrangian_linear_relation(H=[1.0]), model.newton_impact(0.5), ball)
    simulation = model.time_stepping(t1=2.0, h=0.01)
    results.append(simulation.run(record=[(ball, "q"), (ball, "v")]))
check("constant and function", all(np.array_equal(a, b) for a, b in zip(results[0].values(), results[1].values())))

# Columns first: a matrix that is not symmetric, given by rows as everywhere in NumPy.
A = np.array([[0.0, 1.0], [-4.0, -0.1]])
results = []
for given in (dict(A=A), dict(A_fn=lambda a: A, n=2), dict(A=A.T.copy().T)):
    model = nsds.Model()
    system = model.first_order_linear(x0=[1.0, 0.0], **given)
    model.time_stepping(t1=1.0, h=0.01, first_order=nsds.euler_moreau(0.5)).run()
    results.append(system.x.copy())
check("matrices by rows", all(np.array_equal(results[0], r) for r in results[1:]), str(results))
w = math.sqrt(4 - 0.05 ** 2)
exact = math.exp(-0.05) * (math.cos(w) + 0.05 / w * math.sin(w))
check("damped oscillator", close(results[0][0], exact, 1e-3), "%g %g" % (results[0][0], exact))

# Rectangular: y = C x, r = B lambda with two rows over three states.
model = nsds.Model()
C = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
system = model.first_order_linear(x0=[1.0, -1.0, 0.5], A=np.zeros((3, 3)))
tie = model.connect(model.first_order_linear_relation(C=C, B=np.zeros((3, 2)), D=np.eye(2)), model.complementarity(),
                    system)
model.time_stepping(t1=1.0, h=0.1).step()
check("y = C x + D lambda", np.allclose(tie.y, C @ [1.0, -1.0, 0.5] + tie.lambda_) and tie.y[1] > 1, str(tie.y))

# A function of C by its address.
kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_double), ctypes.c_void_p)


@kind
def weight(arguments, out, user):
    out[0] = -9.81
    return 0


for function in (weight, ctypes.cast(weight, ctypes.c_void_p).value):
    model = nsds.Model()
    ball = model.lagrangian_linear(ndof=1, mass=1.0, fext_fn=function)
    model.time_stepping(t1=1.0, h=0.01).run()
    check("by address", close(ball.v[0], -9.81, 1e-12), str(ball.v))

# Parameters of the object, and of one function alone.
model = nsds.Model()
def force(a):
    return [a.z[0]]
ball = model.lagrangian_linear(ndof=1, mass=1.0, fext_fn=force, z=[2.0])
simulation = model.time_stepping(t1=10.0, h=0.1)
simulation.run(10)
check("z", close(ball.v[0], 2.0, 1e-12))
ball.z = [0.0]
check("z is set", ball.z[0] == 0.0)
simulation.run(10)
check("new z", close(ball.v[0], 2.0, 0.06), str(ball.v))
model = nsds.Model()
ball = model.lagrangian_linear(ndof=1, mass=1.0, fext_fn=force, z=[7.0], data=[dict(function=force, z=[3.0])])
model.time_stepping(t1=1.0, h=0.1).run()
check("data of a function", close(ball.v[0], 3.0, 1e-12), str(ball.v))

# Exceptions: the first stops the run, and comes out as itself.
calls = []


def bad(a):
    calls.append(a.t)
    if a.t > 0.5:
        raise KeyError("of mine")
    return [0.0]


model = nsds.Model()
ball = model.lagrangian_linear(ndof=1, v0=[1.0], mass=1.0, fext_fn=bad)
simulation = model.time_stepping(t1=1.0, h=0.1)
error = raises("exception of a function", KeyError, lambda: simulation.run(record=["t"]))
check("traceback leads into the function", error.__traceback__ is not None)
check("state before", close(simulation.t, 0.5, 1e-9) or simulation.t < 0.65, str(simulation.t))
check("rows so far", len(simulation.recording["t"]) == simulation.step_count)
count = len(calls)
check("called once after the failure", sum(1 for t in calls if t > 0.5) == 1, str(calls))
raises("again", KeyError, simulation.step)

# NoValue: the step is tried with a smaller size, here until it has 0.025 s.
times = []


def narrow(a):
    times.append(a.t)
    if a.t > 0 and len(times) < 4:
        raise nsds.NoValue
    return [1.0]


model = nsds.Model()
ball = model.lagrangian_linear(ndof=1, mass=1.0, fext_fn=narrow)
simulation = model.time_stepping(t1=1.0, h=0.1, max_halvings=5)
try:
    simulation.step()
    check("a smaller step", simulation.info.substeps > 1 and close(ball.v[0], 0.1, 1e-12), repr(simulation.info))
except nsds.CallbackError as error:
    check("no value", False, repr(error))

# NaN, wrong shapes, None.
for name, result, kind in (("nan", [math.nan], nsds.CallbackError), ("shape", [1.0, 2.0], nsds.SizeError),
                           ("none", None, TypeError), ("text", "one", TypeError)):
    model = nsds.Model()
    ball = model.lagrangian_linear(ndof=1, mass=1.0, fext_fn=lambda a: result)
    raises("result " + name, kind, lambda: model.time_stepping(t1=1.0, h=0.1).run())

# Samplers, events, the check of a solve, the log.
model = nsds.Model()
ball = model.lagrangian_linear(name="ball", ndof=1, mass=1.0, fext_fn=lambda a: [a.z[0]], z=[0.0])
simulation = model.time_stepping(t1=1.0, h=0.03)
times = []


def sample(s):
    times.append(s.t)
    ball.z = [1.0 if s.t < 0.45 else -1.0]


simulation.sample(sample, period=0.1)
simulation.at(0.55, lambda s: ball.set_state(v=[0.0]))
simulation.run()
check("samples", len(times) == 11 and np.allclose(times, np.arange(11) * 0.1), str(times))
check("event", close(ball.v[0], -0.45, 1e-9), str(ball.v))
model = nsds.Model()
ball = model.lagrangian_linear(ndof=1, mass=1.0)
simulation = model.time_stepping(t1=1.0, h=0.1)
simulation.sample(lambda s: 1 / 0 if s.t > 0.25 else None, period=0.1)
raises("exception of a sampler", ZeroDivisionError, simulation.run)
lines = []
model = nsds.Model(log=lambda level, message: lines.append(message))
raises("logged", nsds.ArgumentError, lambda: model.lagrangian_linear(name="heavy", ndof=1, mass=None))
check("log", lines and "mass" in lines[0], str(lines))
verdicts = []
model = nsds.Model()
ball = model.lagrangian_linear(ndof=1, mass=1.0, fext=[-1.0])
model.connect(model.lagrangian_linear_relation(H=[1.0]), model.newton_impact(0.0), ball)
simulation = model.time_stepping(t1=1.0, h=0.1, check_solver=lambda s, info: verdicts.append(info.outcome))
simulation.run()
check("check_solver", verdicts and set(verdicts) == {"solved"}, str(verdicts[:3]))

# Contact relations of the user.
def contact(a):
    return dict(gap=a.q[2] - 0.1, point=[a.q[0], a.q[1], 0.0], normal=[0, 0, 1])


model = nsds.Model()
ball = model.rigid_body(mass=1.0, inertia=0.004 * np.eye(3), q0=[0, 0, 0.5, 1, 0, 0, 0], gravity=[0, 0, -9.81])
touch = model.connect(model.contact_relation(rows=1, contact_fn=contact), model.newton_impact(0.0), ball)
model.time_stepping(t1=1.0, h=0.005).run()
check("contact of Python", abs(ball.q[2] - 0.1) < 2e-2, str(ball.q))
check("contact is read", touch.contact().located and abs(touch.contact().world_force[2] - 9.81) < 1e-6,
      repr(touch.contact()))


# Switches and corners of adaptive(): a source of 10 V charges 1 F through 1 Ohm while the switch is on, and 2 Ohm
# discharge it always. It switches by a clock, or between 2 and 4 V.
def charger(**definition):
    model = nsds.Model()
    tank = model.first_order_linear(name="capacitor", x0=[definition.pop("x0", 0.0)], A=[[-0.5]])
    relation = model.first_order_linear_relation(C=[[1.0]], B=[[1.0]], D=[[1.0]], e=[-10.0])
    switch = model.connect(relation, model.equality(), tank, name="switch")
    return model, tank, switch, model.adaptive(t1=6.0, largest_step=0.1, tolerance=1e-7, switched=[switch], **definition)


def by_clock(at, k, on):
    assert k == 0 and at.x.shape == (1,) and at.lambda_.shape == (1,)
    return math.inf if (at.t % 2.0 < 1.0) == on else -1.0


model, tank, switch, simulation = charger(margin=by_clock, next_corner=lambda t: math.floor(t) + 1.0)
level, up = 0.0, True
for k in range(6):
    while simulation.t < k + 1.0 - 1e-9:
        simulation.step()
        check("switch by a clock", simulation.is_on(0) == up, "%r" % simulation.t)
    level = 20 / 3 + (level - 20 / 3) * math.exp(-1.5) if up else level * math.exp(-0.5)
    check("charge by a clock", close(tank.x[0], level, 1e-4), "%r %r" % (tank.x[0], level))
    up = not up
check("no such switch", not simulation.is_on(1) and not simulation.is_on(-1))
check("switched interactions take part", switch.active)

# Within the hysteresis the switch begins as `on` says.
for on in (False, True):
    model, tank, switch, simulation = charger(
        x0=3.0, on=[on], margin=lambda at, k, on: 4.0 - at.x[0] if on else at.x[0] - 2.0)
    first = math.log((20 / 3 - 3) / (20 / 3 - 4)) / 1.5 if on else 2.0 * math.log(1.5)
    while simulation.adaptive.event != simulation.adaptive.event:
        simulation.step()
    check("the first event", close(simulation.adaptive.event, first, 1e-4), "%r %r" % (simulation.adaptive.event, first))
    simulation.run()

# A ball falls beside the capacitor: the switch turns on when the ball has fallen by 1 m, at sqrt(2 / 9.81).
model = nsds.Model()
tank = model.first_order_linear(name="capacitor", x0=[0.0], A=[[-0.5]])
ball = model.lagrangian_linear(mass=[[1.0]], q0=[3.0], fext=[-9.81])
relation = model.first_order_linear_relation(C=[[1.0]], B=[[1.0]], D=[[1.0]], e=[-10.0])
switch = model.connect(relation, model.equality(), tank)
seen = []


def by_ball(at, k, on):
    seen.append((at.x.shape, at.q.shape))
    return math.inf if on else at.q[0] - 2.0


simulation = model.adaptive(t1=0.6, largest_step=0.01, switched=[switch], margin=by_ball)
simulation.run()
check("a switch by a ball", close(simulation.adaptive.event, math.sqrt(2 / 9.81), 1e-6), "%r" % simulation.adaptive.event)
check("a margin sees bodies", set(seen) == {((2,), (1,))}, repr(set(seen)))
check("the ball has gone on", close(ball.q[0], 3.0 - 0.5 * 9.81 * 0.36, 1e-4), "%r" % ball.q)

raises("a margin that raises", ZeroDivisionError, lambda: charger(margin=lambda at, k, on: 1 / 0)[3].run())
raises("a margin that is no number", TypeError, lambda: charger(margin=lambda at, k, on: "far")[3].run(), "margin")
raises("a corner that raises", KeyError, lambda: charger(margin=by_clock, next_corner=lambda t: {}[t])[3].run())
raises("a corner that is None", TypeError, lambda: charger(margin=by_clock, next_corner=lambda t: None)[3].run(),
       "next_corner")
raises("a corner of the past", nsds.CallbackError, lambda: charger(margin=by_clock, next_corner=lambda t: t - 1.0)[3].run(),
       "next_corner")
raises("no margin", nsds.ArgumentError, lambda: charger(), "margin")
raises("a margin that is no function", TypeError, lambda: charger(margin="near"), "margin")
raises("a switch that is no list", TypeError, lambda: nsds.Model().adaptive(t1=1.0, switched=3, margin=by_clock), "switched")
raises("bounds of too few switches", nsds.SizeError, lambda: charger(margin=by_clock, off_lower=[0.0, 0.0]), "switched")
raises("positions of too many switches", nsds.SizeError, lambda: charger(margin=by_clock, on=[True, False]), "switched")
raises("positions that are no truths", TypeError, lambda: charger(margin=by_clock, on=[1.0]), "on")


# Mixed coefficients: the function sees both materials of every pair, and what it returns is what the contact has.
def slides(first, second, mix_fn, mu_of_pair):
    """A box with one material slides on a plane with the other: friction takes mu g t of its velocity."""
    calls = []

    def noted(a, b):
        calls.append((a, b))
        return mix_fn(a, b)
    model = nsds.Model()
    box = model.rigid_body(mass=2.0, inertia=np.eye(3), q0=[0, 0, 0.1, 1, 0, 0, 0], v0=[3.0, 0, 0, 0, 0, 0],
                           gravity=[0, 0, -9.81])
    materials = [dict(mu=0.9, e_n=0.1, mu_rolling=0.01), first, second]
    model.shapes(material=materials, mix_fn=noted, shape=[
        dict(kind="box", half=[1.0, 1.0, 0.1], ds=box, material=1),
        dict(kind="half_space", plane=([0, 0, 1], 0.0), material=2)])
    seen = [((a.mu, a.e_n, a.mu_rolling, a.e_t), (b.mu, b.e_n, b.mu_rolling, b.e_t)) for a, b in calls]
    known = [tuple(m.get(w, 0.0) for w in ("mu", "e_n", "mu_rolling", "e_t")) for m in materials]
    check("pairs of materials", sorted(seen) == sorted((known[j], known[i]) for i in range(3) for j in range(i + 1)), str(seen))
    model.time_stepping(t1=1.0, h=0.01).run(20)
    check("the mixed friction", close(box.v[0], 3.0 - mu_of_pair * 9.81 * 0.2, 1e-9), "%r" % box.v[0])


rng = np.random.default_rng(4)
for _ in range(10):
    first, second = (dict(mu=rng.uniform(0.1, 0.4), e_n=rng.uniform(), mu_rolling=rng.uniform(), e_t=rng.uniform(-1, 1))
                     for _ in range(2))
    # The function gets the material that is earlier in the table first.
    slides(first, second, lambda a, b: dict(mu=0.25 * a.mu + b.mu), 0.25 * first["mu"] + second["mu"])
    slides(first, second, lambda a, b: dict(mu=abs(a.mu - b.mu)), abs(first["mu"] - second["mu"]))
finish()
