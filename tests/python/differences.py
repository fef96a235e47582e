"""nsds.differences in every place that takes it: runs end where those with exact Jacobians end.

The library knows the function by its address. The address of cffi's wrapper once made every such run fail.
"""
import ctypes
import math

import numpy as np

import nsds
from nsds._nsds import ffi, lib
from support import check, finish

PLACES = []


def place(function):
    PLACES.append(function)
    return function


def run(model, **more):
    model.time_stepping(**{**dict(t1=0.5, h=0.01), **more}).run()


def ratio(a, b):
    return max(float(np.max(np.abs(np.asarray(a) - np.asarray(b)))) / max(1e-3, float(np.max(np.abs(b)))), 0.0)


@place
def internal_force(exact):
    model = nsds.Model()
    arm = model.lagrangian(ndof=1, q0=[0.3], mass=1.0, fint=dict(
        fn=lambda a: 9.81 * math.sin(a.q[0]) + 0.2 * a.v[0] ** 3,
        jac_q_fn=exact or (lambda a: 9.81 * math.cos(a.q[0])), jac_v_fn=exact or (lambda a: 0.6 * a.v[0] ** 2)))
    run(model)
    return arm.q.copy()


@place
def external_force_of_a_body(exact):
    model = nsds.Model()
    body = model.rigid_body(mass=2.0, inertia=np.eye(3), q0=[0.1, 0, 0, 1, 0, 0, 0], force=dict(
        fn=lambda a: [-30.0 * a.q[0] ** 3, 0.0, 0.0],
        jac_q_fn=exact or (lambda a: np.array([[-90.0 * a.q[0] ** 2] + [0.0] * 6, [0.0] * 7, [0.0] * 7])),
        jac_v_fn=nsds.zero))
    run(model)
    return body.q.copy()


@place
def first_order(exact):
    model = nsds.Model()
    system = model.first_order(n=1, x0=[0.5], f_fn=lambda a: [a.x[0] - a.x[0] ** 3],
                               jac_f_x_fn=exact or (lambda a: [1.0 - 3.0 * a.x[0] ** 2]))
    run(model)
    return system.x.copy()


@place
def relation_of_positions(exact):
    model = nsds.Model()
    bead = model.lagrangian_linear(ndof=2, q0=[0.0, 1.0], v0=[1.0, 0.0], mass=np.eye(2), fext=[0.0, -9.81])
    wire = model.lagrangian_relation(ny=1, nq=2, output_fn=lambda a: [a.q[0] ** 2 + a.q[1] ** 2 - 1.0],
                                     jac_output_q_fn=exact or (lambda a: [[2 * a.q[0], 2 * a.q[1]]]))
    model.connect(wire, model.equality(), bead)
    run(model)
    return bead.q.copy()


@place
def relation_of_first_order(exact):
    model = nsds.Model()
    tank = model.first_order_linear(n=1, x0=[1.0], A=[[-1.0]])
    valve = model.first_order_relation(
        ny=1, nx=1, output_fn=lambda a: [a.x[0] ** 2 + a.lambda_[0] - 0.3], input_fn=lambda a: [0.2 * a.lambda_[0]],
        jac_output_x_fn=exact or (lambda a: [2 * a.x[0]]), jac_output_lambda_fn=exact or (lambda a: [1.0]),
        jac_input_lambda_fn=exact or (lambda a: [0.2]), jac_input_x_fn=exact and nsds.zero)
    model.connect(valve, model.complementarity(), tank)
    run(model)
    return tank.x.copy()


@place
def events(exact):
    model = nsds.Model()
    ball = model.lagrangian(ndof=1, q0=[1.0], mass=1.0, fint=dict(
        fn=lambda a: 9.81 + 0.1 * a.v[0], jac_q_fn=nsds.zero, jac_v_fn=exact or (lambda a: [0.1])))
    floor = model.lagrangian_relation(ny=1, nq=1, output_fn=lambda a: [math.sinh(a.q[0])],
                                      jac_output_q_fn=exact or (lambda a: [math.cosh(a.q[0])]))
    model.connect(floor, model.newton_impact(0.5), ball)
    model.event_driven(t1=1.2).run()
    return np.concatenate([ball.q, ball.v])


for function in PLACES:
    check(function.__name__, ratio(function(nsds.differences), function(None)) < 1e-5,
          "%s %s" % (function(nsds.differences), function(None)))

# The address is the library's, whoever asks for it.
real = ctypes.cast(ctypes.CDLL(None).nsds_differences, ctypes.c_void_p).value if hasattr(
    ctypes.CDLL(None), "nsds_differences") else None
check("address", real in (None, int(ffi.cast("uintptr_t", nsds.differences))))
check("wrapper", ratio(internal_force(ffi.addressof(lib, "nsds_differences")), internal_force(None)) < 1e-5)
check("pendulum", abs(internal_force(nsds.differences)[0] - internal_force(None)[0]) < 1e-7)
finish()
