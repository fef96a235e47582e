"""Rollouts: copies of a model from given states under given controls, on several threads, arrays in, arrays out."""
import threading

import numpy as np

from ._calls import checked
from ._core import AbortedError, ArgumentError, Error, Record, SizeError, enum_value, ffi, lib, numbers, small
from ._model import Interaction
from ._simulation import Simulation


class Rollouts(Record):
    """What rollout() returns: `states`, copies x steps x numbers of a state, NaN where no step was made; `done`, the
    steps made by each copy; `failures`, messages by the number of the copy."""


class _Bench:
    """A simulation of one thread, its start and the controls."""

    def __init__(self, simulation, drives):
        if not isinstance(simulation, Simulation):
            raise TypeError("rollout(): make() must return a simulation, not %s" % type(simulation).__name__)
        self.simulation, self.model = simulation, simulation._model
        self.start = simulation.snapshot()
        self.size = lib.nsds_rollout_size(self.model._c)
        self.control = ffi.new("nsds_rollout_control[]", max(len(drives), 1))
        for k, drive in enumerate(drives):
            name, setting = (drive, "target") if isinstance(drive, str) else drive
            part = self.model[name]
            if not isinstance(part, Interaction):
                raise ArgumentError("rollout(): drives: %s is no drive" % name)
            part.drive()  # refuses other interactions by name
            self.control[k].drive = part._alive()
            self.control[k].setting = enum_value(ffi.typeof("nsds_drive_setting"), setting, "rollout(): drives: setting")

    def run(self, state, controls, n, states):
        definition = ffi.new("nsds_rollout_def *", dict(start=self.start._c, steps=n, control=self.control))
        definition.states = ffi.cast("double *", states.ctypes.data)
        if state is not None:
            definition.state = ffi.cast("double *", state.ctypes.data)
        if controls is not None:
            definition.ncontrol = controls.shape[1]
            definition.controls = ffi.cast("double *", controls.ctypes.data)
        done = ffi.new("int *")
        try:
            self.model._call(lib.nsds_rollout, self.simulation._c, definition, done)
        finally:
            states[done[0]:] = np.nan
            self.done = done[0]


def _cube(value, ndim, name):
    array = np.ascontiguousarray(numbers(value, name), float)
    if array.ndim != ndim:
        raise SizeError("rollout(): %s has %d dimensions; it must have %d" % (name, array.ndim, ndim))
    return array


def rollout(make, states=None, controls=None, drives=(), steps=None, threads=1):
    """Runs copies of a model, each from its own state under its own controls.

    make() builds a model with a simulation and returns the simulation; it is called once for each thread. `states` is
    copies x numbers of a state, as tree.set_state() and Rollouts.states have them: system after system, q and v, or x.
    Without it every copy begins where make() ends. `controls` is copies x steps x drives, and `drives` has their names,
    or pairs of name and setting: "elbow.drive" or ("elbow.drive", "rate"). Settings are target, rate and force.

    The bits of each copy are those of its own run. Ctrl-C ends the rollouts within a step; an exception of a step
    ends its copy alone.
    """
    if not callable(make):
        raise TypeError("rollout(): make must be a function that returns a simulation, not %s" % type(make).__name__)
    states = None if states is None else _cube(states, 2, "states")
    controls = None if controls is None else _cube(controls, 3, "controls")
    if controls is not None and controls.shape[2] != len(drives):
        raise SizeError("rollout(): controls has %d columns; drives has %d names" % (controls.shape[2], len(drives)))
    if controls is not None and states is not None and len(states) != len(controls):
        raise SizeError("rollout(): states has %d copies, controls has %d" % (len(states), len(controls)))
    if steps is None and controls is None:
        raise ArgumentError("rollout(): give steps, or controls of each step")
    n = controls.shape[1] if steps is None else small(steps, "steps")
    if n < 0 or controls is not None and n > controls.shape[1]:
        raise SizeError("rollout(): steps is %d; valid is 0 to %s" % (n, controls.shape[1] if controls is not None else "any"))
    copies = len(states) if states is not None else len(controls) if controls is not None else 1
    threads = min(small(threads, "threads"), max(copies, 1))
    if threads < 1:
        raise ArgumentError("rollout(): threads is %d; valid is 1 or more" % threads)
    benches = [_Bench(make(), drives) for _ in range(threads)]
    size = benches[0].size
    if any(b.size != size for b in benches) or states is not None and states.shape[1] != size:
        raise SizeError("rollout(): a state has %d numbers; states has %s" % (
            size, states.shape[1] if states is not None else "the sizes of several models"))
    found = Rollouts(dict(states=np.full((copies, n, size), np.nan), done=np.zeros(copies, int), failures={}))
    _share(benches, copies, lambda b, k: _one(b, k, states, controls, n, found))
    return found


def _one(bench, k, states, controls, n, found):
    try:
        bench.run(None if states is None else states[k], None if controls is None else controls[k], n, found.states[k])
    except AbortedError:
        raise
    except Error as error:
        found.failures[k] = str(error)
    finally:
        found.done[k] = bench.done


def _share(benches, copies, work):
    """Does all copies, in this thread or in one thread for each bench."""
    if len(benches) == 1:
        for k in range(copies):
            work(benches[0], k)
        return
    lock, left, wrong, ended = threading.Lock(), iter(range(copies)), [], []

    def run(bench):
        try:
            while not ended:
                with lock:
                    k = next(left, None)
                if k is None:
                    return
                work(bench, k)
        except BaseException as error:
            wrong.append(error)
            ended.append(True)
    workers = [threading.Thread(target=run, args=(b,), daemon=True) for b in benches]
    try:
        for worker in workers:
            worker.start()
        while any(worker.is_alive() for worker in workers):
            next(worker for worker in workers if worker.is_alive()).join(0.05)
    finally:
        ended.append(True)
        for bench in benches:
            bench.model._gate.stop()
        for worker in workers:
            if worker.ident is not None:
                worker.join()
        for bench in benches:
            bench.model._gate.watch.stop = 0
    for error in wrong:
        if not isinstance(error, AbortedError):
            raise error


rollout = checked(rollout, "rollout()")
