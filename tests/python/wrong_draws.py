"""Drawn wrong uses: each is an exception of the package or of Python that names the argument, and no crash.

  wrong_draws.py [COUNT [SEED]]: uses drawn, 400 by default

A use is a correct call with one fault: an argument of a wrong type, of a wrong shape, with NaN, missing, unknown, of
another model, or gone; or arguments in a wrong order. A call that takes the fault without a word counts as a failure.
Every public function and method that has arguments is among the calls.
"""
import copy
import glob
import inspect
import math
import os
import random
import sys
import tempfile

import numpy as np

import nsds
from support import check, finish

COUNT, SEED = (int(a) for a in (sys.argv[1:] + ["400", "1"][len(sys.argv) - 1:])[:2])
GOOD = (nsds.Error, TypeError, ValueError, KeyError, IndexError, AttributeError)
NETLIST = "RC\nV1 a 0 1\nR1 a b 1k\nC1 b 0 1u IC=0\n.param w=1 b=1\n.tran 10u 1m uic\n.print tran v(b)\n.meas tran top max v(b)\n"
ROOM = tempfile.TemporaryDirectory()
FOLDER = ROOM.name
NETLIST_PATH, PROBLEM_PATH = os.path.join(FOLDER, "rc.cir"), os.path.join(FOLDER, "problem.nsds")
with open(NETLIST_PATH, "w") as file:
    file.write(NETLIST)
nsds.Problem([[2.0]], [-1.0]).write(PROBLEM_PATH)
PLUGIN = next(iter(glob.glob(os.path.join(os.path.dirname(nsds.__file__), "..", "..", "examples", "*plugin*.so"))), None)


def tanks():
    """A model that adaptive simulation takes."""
    model = nsds.Model()
    tank = model.first_order_linear(name="tank", x0=[1.0, 0.0], A=-np.eye(2))
    relation = model.first_order_linear_relation(C=[[1.0, 0.0]], B=[[1.0], [0.0]], D=[[1.0]])
    model.connect(relation, model.equality(), tank)
    return model


class World:
    """A model with one part of each kind, and another model."""

    def __init__(self):
        self.model, self.other = nsds.Model(), nsds.Model()
        for name, model in (("", self.model), ("other_", self.other)):
            self.__dict__[name + "ball"] = model.lagrangian_linear(name="ball", ndof=1, q0=[1.0], mass=1.0)
            self.__dict__[name + "body"] = model.rigid_body(name="body", mass=1.0, inertia=np.eye(3), q0=[0, 0, 5, 1, 0, 0, 0])
            self.__dict__[name + "body2"] = model.rigid_body(mass=1.0, inertia=np.eye(3), q0=[1.0, 0, 5, 1, 0, 0, 0])
            self.__dict__[name + "law3"] = model.newton_impact_friction(e_n=0.5, mu=0.3, dimension=3)
            self.__dict__[name + "law2"] = model.newton_impact_friction(e_n=0.5, mu=0.3, dimension=2)
            for disc, place in (("disc", 0.0), ("disc2", 3.0)):
                self.__dict__[name + disc] = model.rigid_body_2d(mass=1.0, inertia=1.0, q0=[place, 9.0, 0.0])
            self.__dict__[name + "tank"] = model.first_order_linear(name="tank", x0=[1.0, 0.0], A=-np.eye(2))
            self.__dict__[name + "gap"] = model.lagrangian_linear_relation(name="gap", H=[1.0])
            self.__dict__[name + "law"] = model.newton_impact(0.5)
            self.__dict__[name + "floor"] = model.connect(self.__dict__[name + "gap"], self.__dict__[name + "law"],
                                                          self.__dict__[name + "ball"], name="floor")
            self.__dict__[name + "level"] = model.connect(
                model.first_order_linear_relation(C=[[1.0, 0.0]], B=[[1.0], [0.0]]),
                model.relay([-1.0], [1.0]), self.__dict__[name + "tank"])
            self.__dict__[name + "pin"] = model.connect(
                model.joint(kind="hinge", ds=[self.__dict__[name + "body"]], axis=[0.0, 0.0, 1.0]), model.newton_impact(0.0),
                self.__dict__[name + "body"])
            self.__dict__[name + "things"] = model.shapes(name="things", material=[dict(mu=0.5)], shape=[
                dict(kind="sphere", radius=0.1, ds=self.__dict__[name + part]) for part in ("body", "body2")])
        self.job = nsds.Job(text=NETLIST, kind="circuit")

    MADE = dict(
        tanks=lambda w: tanks(),
        simulation=lambda w: w.model.time_stepping(t1=1.0, h=0.01),
        other_simulation=lambda w: w.other.time_stepping(t1=1.0, h=0.01), snapshot=lambda w: w.simulation.snapshot(),
        scene=lambda w: nsds.Scene(w.model, names=["a"]), vtk=lambda w: nsds.Vtk(os.path.join(FOLDER, "series")),
        problem=lambda w: nsds.Problem([[2.0]], [-1.0]), solver=lambda w: nsds.Solver("nsgs"),
        network=lambda w: nsds.Model().circuit(text="t\nC1 a 0 1u ic=10\nR1 a 0 1k\n.end\n"),
        sweep=lambda w: nsds.Sweep(NETLIST_PATH, ["w=1:3:3"]), path=lambda w: w.simulation.run(2, record=["t", "ball.q"]),
        tree=lambda w: nsds.Tree(w.model), compass=lambda w: w.model.sensor(kind="place", ds=w.body),
        motor=lambda w: w.model.joint_act(coordinate=dict(kind="angle", ds=[w.body], axis=[0.0, 0.0, 1.0]), driven=True).drive,
        of_plugin=lambda w: w.model.plugin(PLUGIN) if PLUGIN else None,
        global_problem=lambda w: nsds.GlobalProblem(np.eye(2), np.array([[1.0], [0.0]]), [0.0, 1.0], [0.0], "nonnegative"))

    def __getattr__(self, name):
        if name not in self.MADE:
            raise AttributeError(name)
        self.__dict__[name] = self.MADE[name](self)
        return self.__dict__[name]


def force(a):
    return [0.0]


def mixed(a, b):
    return dict(mu=0.5)


def law_active(y, v, tau, slack):
    return True


def tanks_step():
    """A simulation of one step length, for rollouts."""
    return tanks().time_stepping(t1=1.0, h=0.1)


def w_q(n):
    """Coordinates of free bodies."""
    return [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0] * n


# Correct calls: the name, the function of a world that has the method, and its arguments by name. Words after the
# arguments that are required; the library's messages name them.
CALLS = [
    ("lagrangian_linear", lambda w: w.model, dict(name="a", q0=[0.0, 1.0], v0=[0.0, 0.0], mass=np.eye(2), damping=np.eye(2),
                                                  stiffness=np.eye(2), fext=[1.0, 2.0]), ["mass"]),
    ("lagrangian", lambda w: w.model, dict(name="a", ndof=1, q0=[0.0], mass=[[1.0]],
                                           fint=dict(fn=force, jac_q_fn=nsds.zero, jac_v_fn=nsds.zero)), ["mass"]),
    ("rigid_body", lambda w: w.model, dict(name="b", mass=1.0, inertia=np.eye(3), q0=[0, 0, 0, 1.0, 0, 0, 0],
                                           v0=[0.0] * 6, gravity=[0.0, 0.0, -9.81]), ["mass", "inertia"]),
    ("rigid_body_2d", lambda w: w.model, dict(name="c", mass=1.0, inertia=2.0, q0=[0.0] * 3, v0=[0.0] * 3), ["mass"]),
    ("first_order_linear", lambda w: w.model, dict(name="d", x0=[0.0, 1.0], A=np.eye(2), b=[0.0, 1.0]), []),
    ("first_order", lambda w: w.model, dict(name="e", n=1, x0=[0.0], f_fn=force, jac_f_x_fn=nsds.zero), ["f_fn"]),
    ("lagrangian_linear_relation", lambda w: w.model, dict(name="f", H=[[1.0, 2.0]], b=[0.5]), ["H"]),
    ("lagrangian_relation", lambda w: w.model, dict(name="g", ny=1, nq=1, output_fn=force, jac_output_q_fn=nsds.differences),
     ["output_fn", "jac_output_q_fn"]),
    ("first_order_linear_relation", lambda w: w.model, dict(name="h", C=[[1.0, 2.0]], B=[[1.0], [2.0]], D=[[1.0]]), ["C"]),
    ("newton_impact_friction", lambda w: w.model, dict(e_n=0.5, mu=0.3, dimension=3), []),
    ("sphere_plane_relation", lambda w: w.model, dict(name="s", dimension=3, rows=1, radius=0.1, normal=[0, 0, 1.0],
                                                      offset=0.0), ["normal"]),
    ("newton_impact", lambda w: w.model, dict(e=0.5), []),
    ("relay", lambda w: w.model, dict(lower=[-1.0], upper=[1.0]), []),
    ("saturation", lambda w: w.model, dict(lower=[-1.0], upper=[1.0], slope=2.0), []),
    ("normal_cone", lambda w: w.model, dict(H=[[1.0]], K=[0.0]), ["H", "K"]),
    ("mass_properties", lambda w: w.model, dict(shape=[dict(kind="box", half=[1.0, 1.0, 1.0])], density=2.0), ["shape"]),
    ("time_stepping", lambda w: w.model, dict(t0=0.0, t1=1.0, h=0.1, tolerance=1e-8, max_halvings=1), ["t1", "h"]),
    ("event_driven", lambda w: w.other, dict(t0=0.0, t1=1.0), ["t1"]),
    ("adaptive", lambda w: w.tanks, dict(t0=0.0, t1=1.0, largest_step=0.1, tolerance=1e-4, size=[1.0, 2.0]), ["t1"]),
    ("check_jacobians", lambda w: w.model, dict(t=0.0, tolerance=1e-5), []),
    ("set_state", lambda w: w.ball, dict(q=[1.0], v=[0.0]), []),
    ("set_force", lambda w: w.body, dict(force=[1.0, 0.0, 0.0], moment=[0.0] * 3, frame="world"), []),
    ("set_lambda", lambda w: w.floor, dict(value=[1.0]), ["value"]),
    ("quantity", lambda w: w.ball, dict(name="kinetic_energy"), ["name"]),
    ("quantity", lambda w: w.pin, dict(name="angle"), ["name"]),
    ("quantity", lambda w: w.things, dict(name="overlap"), ["name"]),
    ("quantity", lambda w: w.compass, dict(name="value"), ["name"]),
    ("quantity", lambda w: w.simulation, dict(name="t"), ["name"]),
    ("run", lambda w: w.simulation, dict(n=2, record=["t", "ball.q"]), []),
    ("set_h", lambda w: w.simulation, dict(h=0.01), ["h"]),
    ("is_on", lambda w: w.simulation, dict(k=0), ["k"]),
    ("set_end", lambda w: w.simulation, dict(t1=2.0), ["t1"]),
    ("set_solver", lambda w: w.simulation, dict(name="auto", tolerance=1e-8), ["name"]),
    ("sample", lambda w: w.simulation, dict(function=print, period=0.5, phase=0.0, name="s"), ["period"]),
    ("at", lambda w: w.simulation, dict(time=0.5, function=print, name="e"), ["time"]),
    ("snapshot_every", lambda w: w.simulation, dict(path="/tmp/never", steps=1000), ["path"]),
    ("displacement", lambda w: w.simulation, dict(system="ball"), ["system"]),
    ("Problem", lambda w: nsds, dict(M=[[2.0]], q=[-1.0], blocks="nonnegative"), ["M", "q"]),
    ("Solver", lambda w: nsds, dict(name="nsgs", tolerance=1e-8), []),
    ("Model", lambda w: nsds, dict(name="m", threads=1), []),
    ("Job", lambda w: nsds, dict(text=NETLIST, kind="circuit", settings={"w": 2.0}, untrusted=True,
                                 limits=dict(seconds=10.0)), []),
    ("load", lambda w: nsds, dict(file=NETLIST_PATH, folders=[FOLDER], settings={"w": 2.0}), ["file"]),
    ("moreau_jean", lambda w: nsds, dict(theta=0.5, gamma=1.0), ["theta", "gamma"]),
    ("activation", lambda w: nsds, dict(gamma_prediction=0.0, tolerance=0.0), ["gamma_prediction", "tolerance"]),
    ("run", lambda w: w.job, dict(n=2), []),
    ("Scene", lambda w: nsds, dict(model="model", title="t", names=["a"], units=["m"]), ["model"]),
    ("connect", lambda w: w.model, dict(relation="gap", law="law", systems="ball"), ["relation", "law"]),
    ("add", lambda w: w.things, dict(kind="sphere", radius=0.1, ds="body", position=[0.0, 0.0, 1.0], material=0, group=1),
     ["kind"]),
    ("exclude", lambda w: w.things, dict(first="body", second="body2"), ["first", "second"]),
    ("include", lambda w: w.things, dict(first="body", second="body2"), ["first", "second"]),
    ("remove", lambda w: w.things, dict(shape=0), ["shape"]),
    ("remove_body", lambda w: w.things, dict(body="body"), ["body"]),
    ("cast", lambda w: w.things, dict(origin=[0.0, 0.0, 5.0], direction=[0.0, 0.0, -1.0], length=9.0, ignore="body"),
     ["origin", "direction"]),
    ("nearest", lambda w: w.things, dict(point=[0.0, 0.0, 5.0], within=3.0, ignore="body"), ["point"]),
    ("in_ball", lambda w: w.things, dict(center=[0.0, 0.0, 5.0], radius=3.0, ignore="body"), ["center", "radius"]),
    ("gap", lambda w: w.things, dict(first=0, second=1), ["first", "second"]),
    ("shape", lambda w: w.things, dict(k=0), ["k"]),
    ("GlobalProblem", lambda w: nsds, dict(M=np.eye(2), H=np.array([[1.0], [0.0]]), f=[0.0, 1.0], w=[0.0],
                                           blocks="nonnegative"), ["M", "H", "f", "w", "blocks"]),
    ("solve", lambda w: w.global_problem, dict(r=[0.0]), []),
    ("write", lambda w: w.global_problem, dict(path=os.path.join(FOLDER, "g.nsds"), format="auto"), ["path"]),
    ("solve", lambda w: w.problem, dict(z=[0.0]), []),
    ("write", lambda w: w.problem, dict(path=os.path.join(FOLDER, "p.nsds"), format="auto"), ["path"]),
    ("certify", lambda w: w.problem, dict(z=[0.5]), ["z"]),
    ("read_problem", lambda w: nsds, dict(path=PROBLEM_PATH, format="auto"), ["path"]),
    ("relative_degree", lambda w: w.level, dict(row=0, tolerance=1e-8), []),
    ("set_turns", lambda w: w.pin, dict(near=1.0), ["near"]),
    ("balls", lambda w: w.model, dict(name="o", law="law", ds=["disc", "disc2"], dimension=2, radius=0.1, normal=[0.0, 1.0]),
     ["law", "ds", "radius"]),
    ("spheres", lambda w: w.model, dict(name="u", law="law3", ds=["body", "body2"], radius=0.1), ["law", "ds", "radius"]),
    ("circuit", lambda w: w.model, dict(text="t\nC1 a 0 1u\nR1 a 0 1k\n.param w=1\n.end\n", settings={"w": 2.0}), []),
    ("contact_relation", lambda w: w.model, dict(name="i", dimension=3, rows=3, contact_fn=force), ["contact_fn"]),
    ("custom_first_order", lambda w: w.model, dict(rhs=force, name="j", n=1, x0=[0.0]), ["rhs"]),
    ("custom_second_order", lambda w: w.model, dict(force=force, name="k", mass=1.0, ndof=1, q0=[0.0]), ["mass"]),
    ("custom_law", lambda w: w.model, dict(block=dict(set="nonnegative"), active=law_active, size=1), ["block"]),
    ("custom_relation", lambda w: w.model, dict(output=force, jacobian_q=[[1.0]], ny=1, nq=1), ["output"]),
    ("custom_contact_set", lambda w: w.model, dict(find=force, output=force, name="l", law="law"), ["find", "law"]),
    ("distributing_impact", lambda w: w.model, dict(restitution=0.5, stiffness=1.0, exponent=1.0, bi_stiffness=False), []),
    ("fremond_impact_friction", lambda w: w.model, dict(dimension=3, mu=0.3, e_n=0.5), []),
    ("newton_impact_rolling", lambda w: w.model, dict(dimension=3, mu=0.3, mu_rolling=0.1, e_n=0.5), []),
    ("poisson_impact", lambda w: w.model, dict(e=0.5), []),
    ("joint", lambda w: w.model, dict(name="n", kind="hinge", ds=["body"], point=[0.0] * 3, axis=[0.0, 0.0, 1.0]), []),
    ("joint_coordinate", lambda w: w.model, dict(name="p", kind="angle", ds=["body"], axis=[0.0, 0.0, 1.0]), []),
    ("joint_drive", lambda w: w.model, dict(coordinate=dict(kind="angle", ds=["body"], axis=[0.0, 0.0, 1.0]), stiffness=10.0, damping=1.0, target=0.5, rate=0.0,
                                            force=0.0, passive=True), ["coordinate"]),
    ("joint_act", lambda w: w.model, dict(coordinate=dict(kind="angle", ds=["body"], axis=[0.0, 0.0, 1.0]), stiffness=1.0, friction=0.1, armature=0.1, lower=-1.0,
                                          upper=1.0, driven=True, most=3.0), ["coordinate"]),
    ("joint_couple", lambda w: w.model, dict(name="pq", offset=0.0, term=[
        dict(coordinate=dict(kind="angle", ds=["body"], axis=[0.0, 0.0, 1.0]), weight=1.0), dict(coordinate=dict(kind="angle", ds=["body2"], axis=[0.0, 0.0, 1.0]), weight=2.0)]), ["term"]),
    ("sensor", lambda w: w.model, dict(name="imu", kind="imu", ds="body", point=[0.1, 0.0, 0.0], quaternion=[1.0, 0.0, 0.0, 0.0], axes="body"), ["kind", "ds"]),
    ("set_drive", lambda w: w.motor, dict(target=1.0, rate=0.0, force=2.0), []),
    ("Tree", lambda w: nsds, dict(model="model"), ["model"]),
    ("rollout", lambda w: nsds, dict(make=tanks_step, controls=np.zeros((2, 3, 0)), steps=2, threads=1), ["make"]),
    ("set_state", lambda w: w.tree, dict(q=w_q(2), u=[0.0] * 12), ["q"]),
    ("forward", lambda w: w.tree, dict(q=w_q(2), u=[0.0] * 12), ["q"]),
    ("mass", lambda w: w.tree, dict(q=w_q(2)), ["q"]),
    ("bias", lambda w: w.tree, dict(q=w_q(2), u=[0.0] * 12), ["q", "u"]),
    ("inverse", lambda w: w.tree, dict(q=w_q(2), u=[0.0] * 12, a=[0.0] * 12), ["q", "u", "a"]),
    ("dynamics", lambda w: w.tree, dict(q=w_q(2), u=[0.0] * 12, tau=[0.0] * 12), ["q", "u"]),
    ("jacobian", lambda w: w.tree, dict(q=w_q(2), body=1, point=[0.0] * 3), ["q", "body"]),
    ("sum", lambda w: w.tree, dict(q=w_q(2), u=[0.0] * 12), ["q"]),
    ("spring", lambda w: w.model, dict(name="q", ds=["body", "body2"], stiffness=10.0, damping=1.0), []),
    ("first_order_relation", lambda w: w.model, dict(name="r", ny=1, nx=2, output_fn=force, jac_output_x_fn=nsds.differences,
                                                     input_fn=force, jac_input_lambda_fn=nsds.differences), ["output_fn"]),
    ("mixed_relation", lambda w: w.model, dict(name="t", ny=1, nx=2, nq=1, nv=1, output_fn=force, jac_output_x_fn=nsds.zero, input_fn=force, jac_input_lambda_fn=nsds.zero,
                                               jac_output_q_fn=nsds.zero, jac_output_v_fn=nsds.zero), ["output_fn"]),
    ("mixed_linear_relation", lambda w: w.model, dict(name="v", ny=1, nx=2, nq=1, C=[[1.0, 0.0]], H=[[1.0]]), []),
    ("shapes", lambda w: w.model, dict(name="w", material=[dict(mu=0.5)], mix_fn=mixed,
                                       shape=[dict(kind="sphere", radius=0.1)]), []),
    ("sphere_sphere_relation", lambda w: w.model, dict(name="x", dimension=3, rows=1, radius=[0.1, 0.2]), []),
    ("plugin", lambda w: w.model, dict(path="nowhere.so"), ["path"]),
    ("read", lambda w: w.network, dict(what="v(a)"), ["what"]),
    ("place", lambda w: w.network, dict(what="v(a)"), ["what"]),
    ("to_pandas", lambda w: w.path, dict(index="t"), []),
    ("unit", lambda w: w.path, dict(column="t"), ["column"]),
    ("record", lambda w: w.scene, dict(t=0.0, quantities=[1.0]), ["t"]),
    ("write_html", lambda w: w.scene, dict(path=os.path.join(FOLDER, "page.html")), ["path"]),
    ("Scene", lambda w: nsds, dict(model="model", shape=[dict(kind="sphere", radius=0.1)], without_forces=True), ["model"]),
    ("load_snapshot", lambda w: w.simulation, dict(path=os.path.join(FOLDER, "none")), ["path"]),
    ("save_snapshot", lambda w: w.simulation, dict(path=os.path.join(FOLDER, "one")), ["path"]),
    ("restore", lambda w: w.simulation, dict(snapshot="snapshot"), []),
    ("set_option", lambda w: w.simulation, dict(option="tolerance", value=1e-8), ["option", "value"]),
    ("take", lambda w: w.simulation, dict(z=[0.0]), ["z"]),
    ("Snapshot", lambda w: nsds, dict(data=b"text"), ["data"]),
    ("get", lambda w: w.solver, dict(option="tolerance"), ["option"]),
    ("set", lambda w: w.solver, dict(option="tolerance", value=1e-8), ["option", "value"]),
    ("progress", lambda w: w.solver, dict(function=law_active), ["function"]),
    ("solve", lambda w: w.solver, dict(problem="problem", z=[0.0]), ["problem"]),
    ("solve_nonlinear", lambda w: w.solver, dict(F=force, blocks="nonnegative", z=[0.0], jacobian=force, max_steps=5),
     ["F", "blocks", "z"]),
    ("Sweep", lambda w: nsds, dict(file=NETLIST_PATH, axes=["w=1:3:3"], sampling="grid", settings={"b": 2.0}),
     ["file", "axes"]),
    ("run", lambda w: w.sweep, dict(point=0), ["point"]),
    ("run_all", lambda w: w.sweep, dict(threads=1), []),
    ("values", lambda w: w.sweep, dict(point=0), ["point"]),
    ("discretise", lambda w: w.ball, dict(scheme=nsds.moreau_jean(0.5, 1.0)), ["scheme"]),
    ("set_r", lambda w: w.tank, dict(value=[0.0, 0.0]), ["value"]),
    ("Vtk", lambda w: nsds, dict(path=os.path.join(FOLDER, "other"), sphere_level=1), ["path"]),
    ("write", lambda w: w.vtk, dict(simulation="simulation"), ["simulation"]),
    ("function", lambda w: w.of_plugin, dict(name="inertial_force", kind="fext"), ["name"]),
    ("law", lambda w: w.of_plugin, dict(name="weight", z=[1.0]), ["name"]),
    ("solver", lambda w: w.of_plugin, dict(name="weight"), ["name"]),
    ("euler_moreau", lambda w: nsds, dict(theta=0.5), ["theta"]),
    ("theta_gamma", lambda w: nsds, dict(theta=0.5, gamma=1.0), ["theta", "gamma"]),
    ("full_theta_gamma", lambda w: nsds, dict(theta=0.5, gamma=1.0), ["theta", "gamma"]),
    ("schatzman_paoli", lambda w: nsds, dict(theta=0.5), ["theta"]),
    ("with_f_at_theta", lambda w: nsds, dict(scheme=nsds.theta_gamma(0.5, 1.0)), ["scheme"]),
    ("with_gamma_mass", lambda w: nsds, dict(scheme=nsds.theta_gamma(0.5, 1.0), gamma_mass=1.0), ["scheme", "gamma_mass"]),
    ("with_initial_lambda", lambda w: nsds, dict(scheme=nsds.theta_gamma(0.5, 1.0)), ["scheme"]),
    ("with_input_at_theta", lambda w: nsds, dict(scheme=nsds.theta_gamma(0.5, 1.0)), ["scheme"]),
    ("with_predict_once", lambda w: nsds, dict(scheme=nsds.moreau_jean(0.5, 1.0)), ["scheme"]),
    ("with_step_ratio", lambda w: nsds, dict(scheme=nsds.moreau_jean(0.5, 1.0), step_ratio=2), ["scheme", "step_ratio"]),
]


OBJECTS = dict.fromkeys(("relation", "law", "systems", "system", "model", "ds", "first", "second", "body", "ignore", "simulation",
                         "snapshot", "problem"))


def at_world(world, arguments):
    """The arguments with objects of the world in place of their names."""
    def made(key, value):
        if key in OBJECTS and isinstance(value, str):
            return getattr(world, value)
        if key in OBJECTS and isinstance(value, list):
            return [getattr(world, v) for v in value]
        if isinstance(value, list) and value and isinstance(value[0], dict):
            return [made(key, v) for v in value]
        if isinstance(value, dict):
            return {k: made(k, v) for k, v in value.items()}
        return copy.copy(value) if isinstance(value, (list, dict)) else value
    return {key: made(key, value) for key, value in arguments.items()}


def invoke(name, owner, arguments):
    function = getattr(owner, name)
    if name == "connect":
        arguments = dict(arguments)
        first = [arguments.pop(k) for k in ("relation", "law", "systems") if k in arguments]
        return function(*first, **arguments)
    return function(**arguments)


def kind_of(value):
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, (int, float)):
        return "number"
    if isinstance(value, str):
        return "text"
    if isinstance(value, np.ndarray) or isinstance(value, list) and value and isinstance(value[0], (int, float, list)):
        return "array"
    if isinstance(value, dict):
        return "dict"
    if isinstance(value, list):
        return "list"
    if callable(value) and not isinstance(value, nsds.Model):
        return "function"
    return "object"


WRONG = {"number": ["one", object(), [1.0, 2.0], {}, 1j, b"1"], "text": [3, 2.5, object(), ["a"], {}],
         "array": ["text", object(), {"a": 1}, 1j, [[1.0], [2.0, 3.0]], [None]], "bool": ["yes", 2, [], object()],
         "dict": [3, "text", object()], "list": [3, "text", object(), {}],
         "function": [[1.0], "f", 3.5, object()], "object": [3, "x", None, object(), []]}
OTHERS = ("ball", "body", "body2", "gap", "law", "law3")


def misspelt(rng, word):
    k = rng.randrange(len(word))
    letter = rng.choice("abcdefghijklmnopqrstuvwxyz_")
    return rng.choice([word[:k] + word[k + 1:], word[:k] + letter + word[k:], word + letter, word[:k] + letter + word[k + 1:]])


def close_of(rng, owner):
    """Closes the owner of a method, or its model. False: there is nothing to close."""
    model = owner if isinstance(owner, nsds.Model) else getattr(owner, "_model", None)
    if hasattr(owner, "close") and (not isinstance(model, nsds.Model) or rng.random() < 0.5):
        owner.close()
    elif isinstance(model, nsds.Model):
        model.close()
    else:
        return False
    return True


def draw(rng):
    """(text, call, words of which one must be in the message)."""
    world = World()
    name, owner_of, arguments, required = rng.choice(CALLS)
    owner, arguments = owner_of(world), at_world(world, arguments)
    if owner is None:
        return None
    fault = rng.choice(["type", "type", "shape", "nan", "missing", "unknown", "unknown", "gone", "foreign", "order"])
    keys = list(arguments)
    if fault == "type":
        key = rng.choice(keys)
        value = rng.choice(WRONG[kind_of(arguments[key])])
        if value is None and name != "connect":
            return None
        arguments[key] = value
        words = [key] if name != "connect" else ["connect"]
    elif fault == "shape":
        arrays = [k for k in keys if kind_of(arguments[k]) == "array"]
        if not arrays:
            return None
        key = rng.choice(arrays)
        old = np.asarray(arguments[key], float)
        bad = [np.stack([old, old]), np.concatenate([old, old, old])]
        bad = bad[1:] if name == "cast" else bad  # takes rows of rays
        if len(arrays) > 1 and len([k for k in arrays if np.asarray(arguments[k]).ndim == old.ndim]) > 1:
            bad.append(old[:0])
        arguments[key] = rng.choice(bad)
        words = arrays + ["bound", "H must", "lower"]
    elif fault == "nan":
        key = rng.choice([k for k in keys if kind_of(arguments[k]) in ("number", "array") and np.size(arguments[k])] or [None])
        if key is None:
            return None
        if kind_of(arguments[key]) == "number":
            arguments[key] = math.nan
        else:
            array = np.array(arguments[key], float)
            array.flat[rng.randrange(array.size)] = math.nan
            arguments[key] = array
        words = [key]
    elif fault == "missing":
        if not required:
            return None
        key = rng.choice(required)
        arguments.pop(key)
        words = [key, "nq" if key == "H" else key] if name != "connect" else ["connect"]
    elif fault == "unknown":
        key = rng.choice(keys)
        wrong = misspelt(rng, key)
        if not wrong.isidentifier() or wrong in inspect.signature(getattr(owner, name)).parameters:
            return None
        arguments[wrong] = arguments.pop(key) if rng.random() < 0.5 and key not in ("relation", "law", "systems") else 1.0
        words = [wrong]
    elif fault == "gone":
        if owner is nsds or not close_of(rng, owner):
            return None
        words = ["closed"]
    elif fault == "foreign":
        foreign = [(k, n) for k, v in arguments.items() for n in OTHERS if k in OBJECTS and v is getattr(world, n)]
        if name == "connect":
            key = rng.choice(["relation", "law", "systems"])
            arguments[key] = getattr(world, "other_" + dict(relation="gap", law="law", systems="ball")[key])
        elif name == "run" and isinstance(owner, nsds.Simulation):
            arguments["record"] = [(world.other_ball, "q")]
        elif foreign and owner is not nsds:
            key, of = rng.choice(foreign)
            arguments[key] = getattr(world, "other_" + of)
        else:
            return None
        words = ["another model", "of the model"]
    else:
        if name == "connect":
            order = ["relation", "law", "systems"]
            shuffled = order[1:] + order[:1] if rng.random() < 0.5 else order[::-1]
            arguments = {k: arguments[s] for k, s in zip(order, shuffled)}
            words = ["connect"]
        elif name in ("lagrangian_linear", "rigid_body", "time_stepping", "mass_properties", "snapshot_every"):
            values = list(arguments.values())
            text = "%s by order" % name
            return text, lambda: getattr(owner, name)(*values), [name]
        else:
            return None
    if fault == "nan" and name in ("certify", "record", "law"):
        return None  # any point may be certified, graphs have gaps, and no plugin has this law
    if fault == "type" and (name.startswith("custom") and value in ([1.0], 3.5) or key in ("format", "kind") and value == 3):
        return None  # a constant function, the number of a word
    more = dict(set_lambda=["lambda"], set_r=["set_r"], solve_nonlinear=["the result of F"], set=["tolerance"], take=["problem()"],
                set_option=["tolerance"])  # names that messages of the library have for an argument
    words = words + more.get(name, [])
    shown = {k: v if kind_of(v) != "array" else np.asarray(v, object).tolist() for k, v in arguments.items()}
    return "%s: %s(%s)" % (fault, name, shown), lambda: invoke(name, owner, arguments), words


def tried(text, call, words):
    """None, or what is wrong with the answer."""
    try:
        result = call()
    except GOOD as error:
        message = str(error)
        if type(error) is TypeError and "CData" in message or "cdata" in message:
            return "a message of cffi: %r" % message
        if not any(word.lower() in message.lower() for word in words):
            return "%s: %r does not say %s" % (type(error).__name__, message, " or ".join(words))
        return None
    except BaseException as error:
        return "raised %r" % error
    return "taken: %r" % (result,)


# Every public callable with arguments is among the calls, and each call without a fault is taken.
FAILS = {"plugin", "load_snapshot", "Snapshot", "law", "solver", "to_pandas", "take"}
of_parts = {nsds.ContactSet, nsds.Interaction, nsds.Law, nsds.Network, nsds.Plugin, nsds.Relation, nsds.Simulation,
            nsds.Sensor, nsds.System, nsds.Arguments, nsds.AdaptiveView, nsds.Record}  # objects that methods make
seen = set()
for name, owner_of, arguments, required in CALLS:
    world = World()
    owner = owner_of(world)
    if owner is None:
        continue
    seen.add((None if owner is nsds else type(owner), name))
    try:
        invoke(name, owner, at_world(world, arguments))
    except Exception as error:
        check("a correct call", name in FAILS, "%s: %r" % (name, error))
wanted = set()
for name, kind in vars(nsds).items():
    if inspect.isclass(kind) and not issubclass(kind, BaseException) and not name.startswith("_"):
        wanted |= {(None, name) if method == "__init__" else (kind, method) for method, function in vars(kind).items()
                   if inspect.isfunction(function) and len(inspect.signature(function).parameters) > 1 and
                   (not method.startswith("_") or method == "__init__" and kind not in of_parts)}
    elif inspect.isfunction(kind) and not name.startswith("_") and inspect.signature(kind).parameters:
        wanted.add((None, name))
for kind, name in sorted(wanted - seen, key=str):
    check("a call of each function", name == "step" or kind is nsds.Plugin and not PLUGIN, "%s.%s" % (kind, name))

made = 0
rng = random.Random(SEED)
while made < COUNT:
    use = draw(rng)
    if use is None:
        continue
    made += 1
    found = tried(*use)
    check("use %d" % made, found is None, "%s\n  %s" % (use[0], found))
print("%d wrong uses drawn" % made)
finish()
