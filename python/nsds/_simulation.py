"""Simulations: drivers, recording, snapshots, series for ParaView."""
import inspect
import weakref

import numpy as np

from . import _later
from ._calls import check_class, checked, signature_of

from ._core import (LONGEST, NULL, ArgumentError, Owner, RangeError, Single, StateError, Value, all_finite, chars,
                    define, enum_words, ffi, finite, integer, lib, listed, name_of, number, numbers, record, small, text)
from ._documents import document
from ._headers import FUNCTIONS, PARAMETERS
from ._html import Displayed
from ._model import (ContactSet, Interaction, Model, Sensor, System, loose_shapes, read_quantity, scheme_of,
                     shown)
from ._progress import Report
from ._quantities import has_quantity, meant, quantities_of, rows_of, size_of
from ._recording import Recording, keep

SLICE = 0.025   # s: a run looks for signals after this time
SMALLEST = 1 << 12  # rows of a recording that are reserved first, and at most at a time
LARGEST = 1 << 20
ROOMY = 1 << 23  # entries of a recording that are reserved at once

RECORDED = (System, Interaction, ContactSet, Sensor)


class Simulation(Displayed):
    """A simulation of a model: made by Model.time_stepping(), Model.event_driven() or Model.adaptive()."""

    __slots__ = {"_model": None, "_c": None, "_functions": None, "__weakref__": None,
                 "recording": "What run() has recorded, also after an error; None before.",
                 "stopped": "True if a function asked to stop."}

    def __init__(self, model, c, functions=None):
        self._model = model
        self._c = c
        self._functions = [] if functions is None else [functions]
        self.recording = None
        self.stopped = False
        model._simulations.add(self)

    __copy__ = Owner.__copy__
    __deepcopy__ = Owner.__deepcopy__
    __reduce_ex__ = Owner.__reduce_ex__

    def __enter__(self):
        self._alive()
        return self

    def __exit__(self, *ignored):
        self.close()

    def __repr__(self):
        if self._c == NULL:
            return "<nsds.Simulation, closed>"
        try:
            return "<nsds.Simulation at t = %g s>" % self.t
        except StateError as error:
            return "<nsds.Simulation: %s>" % error

    def _facts(self):
        return [("t", self.t), ("steps", self.step_count), ("model", repr(self._model))]

    def _alive(self):
        self._model._alive()
        if self._c == NULL:
            raise StateError("the simulation is closed")
        return self._c

    def _call(self, function, *arguments):
        return self._model._call(function, self._alive(), *arguments)

    def close(self):
        """Frees the simulation; its model stays. Without this call the model frees the simulation at its own end."""
        model = self._model
        if self._c == NULL or model._c is None or model._lent is not None:
            self._c = NULL
            return
        gate = model._gate
        if gate.busy is not None:
            model._again()
            raise StateError("close() is called from a function of the model")
        gate.busy = True
        try:
            c, self._c = self._c, NULL
            lib.nsds_simulation_destroy(c)
        finally:
            gate.busy = None

    # -- stepping

    def step(self, *, _step=lib.nsds_step):
        gate = self._model._gate
        if gate.busy is not None:
            self._model._again()
            return self._after(_step(self._c))
        gate.busy = True
        try:
            status = _step(self._c)
        finally:
            gate.busy = None
        if status or gate.exception is not None:
            return self._stepped(status)
        gate.ended = None
        return True

    def _stepped(self, status):
        """A step that was not simply made."""
        self._after(status)
        if status == lib.NSDS_END:
            self._model._gate.tell_end(self._c, self.t)
        return False

    def _after(self, status):
        """Steps that were not simply made: False at the end, an exception after a failure."""
        self._alive()
        if status < 0 or self._model._gate.exception is not None:
            self._model._fail(status)
        self.stopped = status == lib.NSDS_STOPPED
        return self.stopped and False

    def run(self, n=None, record=None, progress=None):
        """Makes n steps, or steps to the end of the interval, without Python in between.

        With `record`, a list of quantities, returns a Recording with a row after each step: "t", "h",
        "newton_iterations", "rows" of the step; "ball.q", "ball.v[0]", "floor.impulse" by the name of a system or an
        interaction; or (ball, "q"), (ball, "q", 0) by the object. Without `record`, returns the number of steps.

        `progress` is True for a bar (of tqdm where it is installed), or a function of (done, total) that is called ten
        times a second: with steps if n is given, else with times. If it returns True, the run ends and `stopped` is True.

        Ctrl-C ends a run, even within a step. The state is that of the last complete step; `recording` has the rows
        until then, and the next call goes on.
        """
        n = None if n is None else integer(n, "run(): n")
        if n is not None and n < 0:
            raise ArgumentError("run(): n is %d; it must not be negative" % n)
        self._alive()
        columns, probes = self._probes([] if record is None else record)
        report = Report(progress, "run")
        self.stopped = False
        self.recording = None
        model, done, made, blocks, status = self._model, ffi.new("long *"), 0, [], 0
        gate = model._gate
        gate.ended = None
        try:
            while not status and (n is None or made < n):
                wanted = min(1 << 40, 1 << 40 if n is None else n - made)
                if probes:
                    if n is None or n * len(probes) > ROOMY:
                        wanted = min(wanted, max(SMALLEST, made), LARGEST)
                whole = np.empty(wanted * len(probes))
                block = [whole[wanted * first:wanted * (first + (count or 1))].reshape(
                    wanted if count is None else (wanted, count)) for _, first, count in columns]
                array = self._array(columns, probes, block)
                used = 0
                while used < wanted and not status:
                    done[0] = 0
                    outer = gate.busy is None
                    if outer:
                        gate.busy = True
                    else:
                        model._again()
                    try:
                        status = lib.nsds_py_run(model._c or NULL, self._alive(), wanted - used, len(probes), array, SLICE,
                                                 done)
                    finally:
                        if outer:
                            gate.busy = None
                        used += done[0]
                        made += done[0]
                        if probes and (not blocks or blocks[-1][0] is not block):
                            blocks.append([block, used])
                        elif probes:
                            blocks[-1][1] = used
                    if gate.exception is not None:
                        break
                    if report and not status and self._reported(report, made, n):
                        status = lib.NSDS_STOPPED
                if status or gate.exception is not None:
                    self._after(status)
            if report and status != lib.NSDS_STOPPED:
                self._reported(report, made, n, True)
        finally:
            if record is not None:
                keep(self, lambda: self._recorded(columns, blocks))
            report.close()
        return self.recording if record is not None else made

    def _reported(self, report, made, n, always=False):
        """Reports steps of n, or the time of the end. True: the run is to end."""
        done, total = (made, n) if n is not None else (self.t, self._call(lib.nsds_simulation_end))
        return report(done, total, always)

    @staticmethod
    def _array(columns, probes, block):
        """The probes of C, with the memory of a block."""
        if not probes:
            return NULL
        array = ffi.new("nsds_py_probe[]", len(probes))
        for k, (row, index, c) in enumerate(probes):
            array[k].quantity, array[k].index, array[k].object = row, index, c
        for (_, first, count), memory in zip(columns, block):
            for k in range(count or 1):
                array[first + k].out = ffi.cast("double *", memory.ctypes.data) + k
                array[first + k].stride = count or 1
        return array

    def _probes(self, record):
        """Columns (name, first, number of entries or None) and what C reads for them."""
        columns, probes = [], []
        if isinstance(record, str) or isinstance(record, tuple) and record and isinstance(record[0], RECORDED):
            record = [record]
        record = listed(record, "record")
        for entry in record:
            name, part, quantity, index = self._quantity(entry)
            row = rows_of(part)[quantity]
            if part is not None and part._model is not self._model:
                raise ArgumentError("record: %s belongs to another model" % name)
            c = NULL if part is None else part._alive()
            count = size_of(row, c)
            if index is not None and count is None:
                raise ArgumentError("record: %s: %s is one number, without an index" % (name, quantity))
            if index is not None and not 0 <= index < count:
                raise ArgumentError("record: %s: the index must be %s" % (
                    name, "0" if count == 1 else "in 0 .. %d" % (count - 1)))
            entries = [0] if count is None else [index] if index is not None else range(count)
            columns.append((name, len(probes), None if count is None or index is not None else count))
            probes.extend((row, i, ffi.cast("void *", c)) for i in entries)
        return columns, probes

    def _quantity(self, entry):
        """(name, part, quantity, index) of a text or a tuple."""
        if isinstance(entry, tuple) and len(entry) in (2, 3) and isinstance(entry[0], RECORDED) \
                and isinstance(entry[1], str):
            part, quantity = entry[:2]
            index = integer(entry[2], "record: the index") if len(entry) == 3 else None
            name = "%s.%s" % (part.name, quantity) + ("" if index is None else "[%d]" % index)
        elif isinstance(entry, str):
            name, part, index = entry, None, None
            where, _, quantity = entry.rpartition(".")
            if not where and quantity not in rows_of(None) and quantity in self._model:
                where, quantity = quantity, "?"
            if quantity.endswith("]") and "[" in quantity:
                quantity, _, digits = quantity[:-1].partition("[")
                if not (digits.isascii() and digits.isdigit()):
                    raise ArgumentError("record: %r: the index must be a number from 0 on" % entry)
                index = int(digits)
            if where:
                try:
                    part = self._model[where]
                except KeyError as error:
                    raise ArgumentError("record: %r: %s" % (entry, error.args[0])) from None
        else:
            raise TypeError("record: %r is neither a text nor (part, quantity)" % (entry,))
        if not has_quantity(part, quantity):
            known = quantities_of(part)
            of = "the step" if part is None else name.rpartition(".")[0] or name
            raise ArgumentError("record: %r: %s; there are %s%s" % (
                name, "give a quantity of it, such as '%s.%s'" % (of, known[0]) if quantity == "?" else
                "%s has no %r%s" % (of, quantity, meant(quantity, known, part, of)), ", ".join(known),
                ", and quantities of objects, such as 'ball.q'" if part is None else ""))
        return name, part, quantity, index

    @staticmethod
    def _recorded(columns, blocks):
        """The columns of all blocks, one after the other."""
        recording = Recording()
        for k, (name, _, count) in enumerate(columns):
            parts = [block[k][:used] for block, used in blocks]
            empty = np.empty(0 if count is None else (0, count))
            recording[name] = empty if not parts else parts[0] if len(parts) == 1 else np.concatenate(parts)
        return recording

    # -- what is known

    def quantity(self, name):
        """The present value of a quantity of the run, such as "kinetic_energy"."""
        return read_quantity(self._model._call, self._alive(), None, name)

    @property
    def t(self):
        return self._call(lib.nsds_time)

    @property
    def step_count(self):
        return self._call(lib.nsds_step_count)

    @property
    def info(self):
        return record(self._call(lib.nsds_simulation_info)[0])

    @property
    def event(self):
        pointer = self._call(lib.nsds_simulation_event)
        event = record(pointer[0])
        event.kinds = [word for word, bit in enum_words(ffi.typeof("nsds_event_kind")).items() if event.kind & bit]
        event.rows = []
        for k in range(event.count):
            row = record(pointer.row[k])
            row.interaction = self._model._part(Interaction, pointer.row[k].interaction)
            event.rows.append(row)
        return event

    @property
    def adaptive(self):
        """Counters of an adaptive simulation; None for other simulations."""
        pointer = self._call(lib.nsds_simulation_adaptive)
        return None if pointer == NULL else record(pointer[0])

    def is_on(self, k):
        """True if switch k of an adaptive simulation is on; False also if there is no switch k."""
        return bool(self._call(lib.nsds_adaptive_is_on, integer(k, "k")))

    @property
    def name(self):
        return text(self._call(lib.nsds_simulation_name))

    @name.setter
    def name(self, name):
        keep = []
        self._call(lib.nsds_simulation_set_name, chars(name, keep, "name", LONGEST))

    @property
    def model(self):
        """The model of the simulation."""
        return self._model

    def displacement(self, system):
        if not isinstance(system, System) or system._model is not self._model:
            raise TypeError("displacement() takes a system of the model")
        c = self._alive(), system._alive()
        pointer = self._model._call(lambda: (lib.nsds_simulation_displacement(*c),))[0]
        return None if pointer == NULL else np.frombuffer(ffi.buffer(pointer, 8 * system.nv)).copy()

    # -- settings

    def set_h(self, h):
        self._call(lib.nsds_simulation_set_h, number(h, "h"))

    def set_end(self, t1):
        self._call(lib.nsds_simulation_set_end, number(t1, "t1"))

    def set_solver(self, name, tolerance=0.0, **options):
        keep = []
        self._call(lib.nsds_simulation_set_solver, chars(name, keep, "set_solver(): name"), number(tolerance, "tolerance"))
        for option, value in options.items():
            self.set_option(option, value)

    def set_option(self, option, value):
        """Sets an option of the solver in use."""
        keep = []
        solver = self._call(lib.nsds_simulation_solver)
        self._model._call(lib.nsds_solver_set, solver, chars(option, keep, "the option"), number(value, option))

    # -- stages of a step

    def begin(self):
        return self._call(lib.nsds_step_begin)

    def solve(self):
        return self._call(lib.nsds_step_solve)

    def update(self):
        return self._call(lib.nsds_step_update)

    def accept(self):
        return self._call(lib.nsds_step_accept)

    def reject(self):
        return self._call(lib.nsds_step_reject)

    def take(self, z):
        array = all_finite(numbers(z, "take(): z"), "take(): z")
        problem = self._call(lib.nsds_simulation_problem)
        n = problem.n if problem != NULL else 0
        if array.shape != (n,):
            raise ArgumentError("take(): z has the shape %s; the problem has %d rows" % (array.shape, n))
        return self._call(lib.nsds_step_take, ffi.cast("double *", array.ctypes.data))

    def problem(self):
        """The one-step problem of the last step, as a Problem with arrays of its own."""
        pointer = self._call(lib.nsds_simulation_problem)
        if pointer == NULL:
            raise StateError("there is no problem: no step was made, or it needed none")
        return _later.Problem._copy(pointer)

    def solution(self):
        """The solution z of the one-step problem, as a copy."""
        problem = self._call(lib.nsds_simulation_problem)
        pointer = self._call(lib.nsds_simulation_solution)
        if problem.n == 0:
            return np.empty(0)
        return np.frombuffer(ffi.buffer(pointer, 8 * problem.n)).copy()

    # -- returning

    def save(self):
        self._call(lib.nsds_simulation_save)

    def restore(self, snapshot=None):
        """Returns to the state of save(), or goes on from a snapshot."""
        if snapshot is None:
            self._call(lib.nsds_simulation_restore)
            return
        if not isinstance(snapshot, Snapshot):
            raise TypeError("restore() takes a snapshot, not %s" % type(snapshot).__name__)
        self._call(lib.nsds_snapshot_restore, snapshot._c)

    def snapshot(self):
        return Snapshot._own(self._call(lib.nsds_snapshot_take))

    def save_snapshot(self, path):
        keep = []
        self._call(lib.nsds_snapshot_save, chars(path, keep, "path"))

    def load_snapshot(self, path):
        keep = []
        self._call(lib.nsds_snapshot_load, chars(path, keep, "path"))

    def snapshot_every(self, **definition):
        struct, keep, _ = define(self._model, "nsds_snapshot_every_def", definition)
        self._call(lib.nsds_snapshot_every, struct)

    # -- calls at given times

    def _timed(self, kind, call, function, definition, field, name):
        struct, keep, functions = define(self._model, kind, definition)
        if function is not None:
            if not callable(function):
                raise TypeError("the function must be callable, not %s" % type(function).__name__)
            functions.add(function, (), name)
            functions.caller = weakref.ref(self)
            functions.model = self._model if self._model._lent is not None else None
            setattr(struct, field, lib.nsds_py_sample)
            struct.user = functions.handle
        self._model._keep.append(functions)
        self._call(call, struct)

    def sample(self, function, period, phase=0.0, name=None):
        self._timed("nsds_sampler_def", lib.nsds_simulation_sample, function,
                    dict(period=period, phase=phase, name=name), "sample", "the function of sample()")

    def at(self, time, function=None, name=None):
        self._timed("nsds_event_def", lib.nsds_simulation_at, function, dict(time=time, name=name), "call",
                    "the function of at()")


class Snapshot(Displayed):
    """The state of a run, in memory. bytes(snapshot) is the same as a file; Snapshot(data) is made from bytes."""

    __slots__ = ("_c",)

    def __init__(self, data):
        try:
            data = bytes(memoryview(data))
        except TypeError:
            raise TypeError("Snapshot(): data must be the bytes of a snapshot, not %s" % type(data).__name__) from None
        with _Plain() as owner:
            c = owner._call(lib.nsds_snapshot_from_bytes, owner._context, ffi.from_buffer(data), len(data))
        self._c = ffi.gc(c, lib.nsds_snapshot_destroy)

    @classmethod
    def _own(cls, c):
        self = cls.__new__(cls)
        self._c = ffi.gc(c, lib.nsds_snapshot_destroy)
        return self

    def _facts(self):
        return [("bytes", len(bytes(self)))]

    def __bytes__(self):
        size = ffi.new("size_t *")
        pointer = lib.nsds_snapshot_bytes(self._c, size)
        return bytes(ffi.buffer(pointer, size[0]))

    def __reduce__(self):
        return Snapshot, (bytes(self),)


class _Plain(Single):
    """A context alone."""

    __slots__ = ()

    def __init__(self):
        self._open()
        self._c = self._context


class Vtk(Single):
    """A time series of a model in files for ParaView: write(simulation) adds the present state.

    With `model`, shapes in no contact set are drawn too: those that a job draws only, and those of `shape`, dicts as of
    Scene.
    """

    __slots__ = ("_path",)
    _destroy = lib.nsds_vtk_destroy

    def __init__(self, path, sphere_level=0, model=None, shape=None):
        if model is None and shape is not None:
            raise TypeError("Vtk() needs the model of the bodies of shape: Vtk(path, model=model, shape=shape)")
        if model is not None and not isinstance(model, Model):
            raise TypeError("model must be a Model, not %s" % type(model).__name__)
        self._path = path
        self._open()
        struct, keep, _ = define(self, "nsds_vtk_def", dict(path=path, sphere_level=sphere_level))
        if model is None:
            self._make(lib.nsds_vtk_create, struct)
            return
        shapes = loose_shapes(model, shape, keep)
        array = ffi.new("nsds_shape_def[]", shapes)  # as long as the call
        struct.shape, struct.nshape = array, len(shapes)
        model._call(lambda c: self._make(lib.nsds_vtk_create, struct), model._c)

    def _facts(self):
        self._alive()
        return [("path", self._path)]

    def write(self, simulation):
        """Writes the model of a simulation at its present time."""
        if not isinstance(simulation, Simulation):
            raise TypeError("write() takes a simulation, not %s" % type(simulation).__name__)
        model = simulation._model
        t = simulation.t
        gate = model._gate
        if gate.busy is not None:
            raise StateError("write() is called from a function of the model, or another thread uses the model")
        gate.busy = True
        try:
            self._call(lib.nsds_write_vtk, self._c, model._c, t)
        finally:
            gate.busy = None


def _driver(name, kind, needs_h=False):
    call = getattr(lib, name)

    def make(self, **definition):
        self._alive()
        if self._lent is not None:
            raise StateError("the model belongs to a job")
        given, check = dict(definition), definition.pop("check_solver", None)
        struct, keep, functions = define(self, kind, definition)
        if needs_h and given.get("h") is None:
            raise RangeError("%s(): give h, the length of a step [s]" % name[5:])
        start = given.get("t0")
        if given.get("t1") is None and (start is None or number(start, name[5:] + "(): t0") >= 0.0):
            raise RangeError("%s(): give t1, the end of the interval [s]" % name[5:])
        if check is not None:
            if not callable(check):
                raise TypeError("check_solver must be a function, not %s" % type(check).__name__)
            if "check_solver" not in dir(struct):
                raise TypeError("%s() has no argument 'check_solver'" % name[5:])
            functions.add(check, (), "check_solver")
            struct.check_solver = lib.nsds_py_check
            struct.check_solver_user = functions.handle
        c = self._call(call, self._c, struct)
        simulation = Simulation(self, c, functions)
        functions.caller = weakref.ref(simulation)
        return simulation
    make.__name__ = name[5:]
    make.__qualname__ = "Model." + name[5:]
    make.__doc__ = document(name, kind)
    make.__signature__ = signature_of(shown(kind))
    setattr(Model, name[5:], make)


_driver("nsds_time_stepping", "nsds_time_stepping_def", True)
_driver("nsds_event_driven", "nsds_event_driven_def")
_driver("nsds_adaptive", "nsds_adaptive_def")


def _scheme(name):
    call = getattr(lib, name)
    kinds = ffi.typeof(call).args
    names = PARAMETERS[name]

    def make(*arguments):
        values = []
        for word, ctype, value in zip(names, kinds, arguments):
            label = "%s(): %s" % (name[5:], word)
            if ctype.kind == "struct":
                values.append(scheme_of(value, label))
            else:
                values.append(small(value, label) if name_of(ctype) == "int" else finite(value, label))
        return Value(call(*values))

    def named(*arguments, **given):
        bound = make.__signature__.bind(*arguments, **given)
        return make(*bound.args)
    make.__signature__ = named.__signature__ = inspect.Signature(
        [inspect.Parameter(n, inspect.Parameter.POSITIONAL_OR_KEYWORD) for n in names])
    named.__name__ = named.__qualname__ = name[5:]
    named.__doc__ = FUNCTIONS.get(name)
    return checked(named, name[5:] + "()", binds=True)


SCHEMES = {name[5:]: _scheme(name) for name in dir(lib) if name.startswith("nsds_") and not name.startswith("nsds_py")
           and ffi.typeof(getattr(lib, name)).kind == "function"
           and name_of(ffi.typeof(getattr(lib, name)).result) in ("nsds_discretisation", "nsds_activation_test")}

Simulation.step.__doc__ = ("Makes one step. Returns True; False at the end of the interval, or when a function asked to "
                           "stop (`stopped`). At the end the next call raises StateError.\n\n" + FUNCTIONS["nsds_step"])

check_class(Simulation, without=("step",))
for _class in (Snapshot, Vtk):
    check_class(_class)
_later.Simulation = Simulation
