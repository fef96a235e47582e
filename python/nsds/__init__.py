"""Simulation of nonsmooth dynamical systems: the library libnsds from Python.

    import nsds

    with nsds.Model() as model:
        ball = model.lagrangian_linear(name="ball", q0=[1.0], mass=1.0, fext=[-9.81])
        ground = model.lagrangian_linear_relation(H=[1.0])
        model.connect(ground, model.newton_impact(0.9), ball, name="floor")
        simulation = model.time_stepping(t1=10.0, h=0.005)
        path = simulation.run(record=["t", "ball.q[0]", "floor.impulse"])
"""
try:
    import _cffi_backend as _backend  # noqa: F401
except ImportError:  # a wheel carries its own
    import sys
    from . import _cffi_backend as _backend  # type: ignore[attr-defined,no-redef]  # noqa: F401
    sys.modules["_cffi_backend"] = _backend
    del sys

from ._nsds import ffi, lib

__version__ = ffi.string(lib.nsds_version()).decode()
if tuple(map(int, __version__.split(".")[:2])) != (lib.NSDS_VERSION_NUMBER // 10000, lib.NSDS_VERSION_NUMBER // 100 % 100):
    raise ImportError("nsds was built for libnsds %d.%d; the library found is %s: build the package again"
                      % (lib.NSDS_VERSION_NUMBER // 10000, lib.NSDS_VERSION_NUMBER // 100 % 100, __version__))

from ._core import (AbortedError, AdaptiveView, ArgumentError, Arguments, CallbackError, Error, FileError, FormatError,  # noqa: E402
                    IntegrationError, InternalError, NewtonError, NoValue, OutOfMemory, PluginError, RangeError, Record,
                    SingularError, SizeError, SolverError, StateError, UnsupportedError, ViewsError)
from ._job import Job, Network, Scene, Sweep, load  # noqa: E402
from ._model import ContactSet, Interaction, Law, Model, Plugin, Relation, Sensor, System  # noqa: E402
from ._problem import GlobalProblem, Problem, Solution, Solver, read_problem, solvers  # noqa: E402
from ._recording import Recording  # noqa: E402
from . import _own  # noqa: E402,F401
from ._simulation import SCHEMES, Simulation, Snapshot, Vtk  # noqa: E402
from ._rollout import Rollouts, rollout  # noqa: E402
from ._tree import Tree  # noqa: E402
from ._documents import describe as _describe  # noqa: E402

_describe({"system": System, "relation": Relation, "law": Law, "interaction": Interaction, "contact_set": ContactSet,
           "model": Model, "plugin": Plugin, "simulation": Simulation, "solver": Solver, "problem": Problem, "series": Vtk,
           "scene": Scene, "job": Job, "sweep": Sweep})

globals().update(SCHEMES)
del SCHEMES


def __getattr__(name):
    """nsds.plot is imported when it is first used, so that matplotlib stays optional."""
    if name != "plot":
        raise AttributeError("module 'nsds' has no attribute %r" % name)
    import importlib
    return importlib.import_module(".plot", __name__)


zero, differences = lib.nsds_py_of_library(0), lib.nsds_py_of_library(1)
