"""Drawn wrong uses: each is an exception of the package or of Python that names the argument, and no crash.

  wrong_draws.py [COUNT [SEED]]: uses drawn, 300 by default

A use is a correct call with one fault: an argument of a wrong type, of a wrong shape, with NaN, missing, unknown, of
another model, or gone; or arguments in a wrong order. A call that takes the fault without a word counts as a failure.
"""
import copy
import inspect
import math
import random
import sys

import numpy as np

import nsds
from support import check, finish

COUNT, SEED = (int(a) for a in (sys.argv[1:] + ["300", "1"][len(sys.argv) - 1:])[:2])
GOOD = (nsds.Error, TypeError, ValueError, KeyError, IndexError, AttributeError)
NETLIST = "RC\nV1 a 0 1\nR1 a b 1k\nC1 b 0 1u IC=0\n.param w=1\n.tran 10u 1m uic\n.print tran v(b)\n.meas tran top max v(b)\n"


class World:
    """A model with one part of each kind, and another model."""

    def __init__(self):
        self.model, self.other = nsds.Model(), nsds.Model()
        for name, model in (("", self.model), ("other_", self.other)):
            self.__dict__[name + "ball"] = model.lagrangian_linear(name="ball", ndof=1, q0=[1.0], mass=1.0)
            self.__dict__[name + "body"] = model.rigid_body(name="body", mass=1.0, inertia=np.eye(3), q0=[0, 0, 5, 1, 0, 0, 0])
            self.__dict__[name + "tank"] = model.first_order_linear(name="tank", x0=[1.0, 0.0], A=-np.eye(2))
            self.__dict__[name + "gap"] = model.lagrangian_linear_relation(name="gap", H=[1.0])
            self.__dict__[name + "law"] = model.newton_impact(0.5)
            self.__dict__[name + "floor"] = model.connect(self.__dict__[name + "gap"], self.__dict__[name + "law"],
                                                          self.__dict__[name + "ball"], name="floor")
        self.job = nsds.Job(text=NETLIST, kind="circuit")

    def __getattr__(self, name):
        if name == "simulation":
            self.simulation = self.model.time_stepping(t1=1.0, h=0.01)
            return self.simulation
        raise AttributeError(name)


def force(a):
    return [0.0]


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
    ("check_jacobians", lambda w: w.model, dict(t=0.0, tolerance=1e-5), []),
    ("set_state", lambda w: w.ball, dict(q=[1.0], v=[0.0]), []),
    ("set_force", lambda w: w.body, dict(force=[1.0, 0.0, 0.0], moment=[0.0] * 3, frame="world"), []),
    ("set_lambda", lambda w: w.floor, dict(value=[1.0]), ["value"]),
    ("run", lambda w: w.simulation, dict(n=2, record=["t", "ball.q"]), []),
    ("set_h", lambda w: w.simulation, dict(h=0.01), ["h"]),
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
    ("moreau_jean", lambda w: nsds, dict(theta=0.5, gamma=1.0), ["theta", "gamma"]),
    ("activation", lambda w: nsds, dict(gamma_prediction=0.0, tolerance=0.0), ["gamma_prediction", "tolerance"]),
    ("run", lambda w: w.job, dict(n=2), []),
    ("Scene", lambda w: nsds, dict(model="model", title="t", names=["a"], units=["m"]), ["model"]),
    ("connect", lambda w: w.model, dict(relation="gap", law="law", systems="ball"), ["relation", "law"]),
]
PARTS = ("ball", "body", "tank", "gap", "law", "floor", "model")


def at_world(world, arguments):
    """The arguments with objects of the world in place of their names."""
    return {k: getattr(world, v) if isinstance(v, str) and k in ("relation", "law", "systems", "system", "model") else
            copy.copy(v) if isinstance(v, (list, dict)) else v for k, v in arguments.items()}


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
OPTIONAL_TEXT = ("file",)


def misspelt(rng, word):
    k = rng.randrange(len(word))
    letter = rng.choice("abcdefghijklmnopqrstuvwxyz_")
    return rng.choice([word[:k] + word[k + 1:], word[:k] + letter + word[k:], word + letter, word[:k] + letter + word[k + 1:]])


def draw(rng):
    """(text, call, words of which one must be in the message)."""
    world = World()
    name, owner_of, arguments, required = rng.choice(CALLS)
    owner, arguments = owner_of(world), at_world(world, arguments)
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
        if len(arrays) > 1 and len([k for k in arrays if np.asarray(arguments[k]).ndim == old.ndim]) > 1:
            bad.append(old[:0])
        arguments[key] = rng.choice(bad)
        words = arrays + ["bound", "H must", "lower"]
    elif fault == "nan":
        key = rng.choice([k for k in keys if kind_of(arguments[k]) in ("number", "array")] or [None])
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
        target = rng.choice(["model", "part", "simulation"])
        if owner is nsds:
            return None
        if target == "simulation" and isinstance(owner, nsds.Simulation):
            owner.close()
        elif isinstance(owner, nsds.Job):
            owner.close()
        else:
            model = owner if isinstance(owner, nsds.Model) else owner._model
            model.close()
        words = ["closed"]
    elif fault == "foreign":
        if name == "connect":
            key = rng.choice(["relation", "law", "systems"])
            arguments[key] = getattr(world, "other_" + dict(relation="gap", law="law", systems="ball")[key])
            words = ["another model"]
        elif name == "displacement":
            arguments["system"] = world.other_ball
            words = ["of the model"]
        elif name == "run" and isinstance(owner, nsds.Simulation):
            arguments["record"] = [(world.other_ball, "q")]
            words = ["another model"]
        else:
            return None
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
    words = words + ["lambda"] if name == "set_lambda" else words
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


made, faults = 0, 0
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
