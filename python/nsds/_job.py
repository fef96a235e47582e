"""Netlists and model files, and sweeps over their parameters."""
import os
import threading
import weakref

import numpy as np

from ._core import (ERRORS, NULL, AbortedError, ArgumentError, Error, Lasting, Pieces, Single, SizeError, StateError, chars, define,
                    ffi, integer, lib, listed, number, numbers, record, text)
from . import _later
from ._calls import check_class, checked
from ._documents import document
from ._html import Displayed, frame, table
from ._model import Interaction, Model, System, loose_shapes
from ._progress import Report
from ._recording import Recording, keep
from ._simulation import LARGEST, SLICE, SMALLEST, Simulation
from ._words import in_python


def settings_of(settings):
    """{"C": "4.7u", "R": 1e3} as the library takes it."""
    if settings is None:
        return None
    if not isinstance(settings, dict):
        raise TypeError("settings must be a dict {name: value}, not %s" % type(settings).__name__)
    return [dict(name=name, value=value if isinstance(value, str) else repr(number(value, "settings: %s" % (name,))))
            for name, value in settings.items()]


def folders_of(folders):
    """Folders as one text with colons, from such a text or a list of paths."""
    if folders is None or isinstance(folders, str):
        return folders or None
    return ":".join(os.fspath(folder) for folder in listed(folders, "folders")) or None


def load(file, keyframe=None, folders=(), settings=None, **options):
    """The job of a file: a robot in URDF or MJCF, a model file or a netlist, ready to be stepped.

    keyframe: name or number of a keyframe of MJCF, at which the robot starts
    folders: where package:// and meshes are looked for behind the folder of the file
    settings, options: as Job() has them
    """
    if keyframe is not None:
        settings = dict(settings or {}, keyframe=str(keyframe))
    return Job(file, settings=settings, folders=folders, **options)


class LentModel(Model):
    """The model of a job, which owns it."""

    __slots__ = ()
    _word = "model"

    def _alive(self):
        if self._c is None or self._lent._c is None:
            raise StateError("the model is closed")

    def _end(self):
        self._forget()
        self._c = self._life = None


class Job(Lasting):
    """A netlist or a model file, ready to be stepped: Job("buck.cir", settings={"C": "4.7u"})."""

    __slots__ = {"_model": None, "recording": "What run() has recorded, also after an error; None before.",
                 "stopped": "True if a function asked to stop.", "ended": "True behind the last row."}

    def __init__(self, file=None, text=None, kind="by_name", settings=None, refuse_plugins=False, untrusted=False,
                 limits=None, balance=False, folders=None, log=None):
        self._model = self.recording = None
        self.stopped = self.ended = False
        self._open(log=log)
        struct, keep, _ = define(self, "nsds_job_def", dict(file=file, text=text, kind=kind,
                                                            settings=settings_of(settings),
                                                            refuse_plugins=refuse_plugins, untrusted=untrusted,
                                                            limits=limits, balance=balance, folders=folders_of(folders)))
        c = self._life.job = lib.nsds_job_create(self._context, struct)
        if c == NULL:
            self._fail()
        self._c = c
        if self._gate.exception is not None:
            self._fail()

    def _end(self):
        model = self._model() if self._model is not None else None
        if model is not None and model._c is not None:
            model._end()
        super()._end()

    def _facts(self):
        self._alive()
        return [("title", self.title), ("t", float(self.row[0])), ("columns", ", ".join(self.columns)),
                ("measures", ", ".join(self.measures)), ("warnings", len(self.warnings))]

    def _repr_html_(self):
        """The facts; of a model file also the page of the model as it is now."""
        page = ""
        try:
            page = self.model._page() if self.model is not None else ""
        except Exception as error:
            page = table("The page cannot be shown", (), [(str(error),)])
        return super()._repr_html_() + page

    @property
    def title(self):
        return text(self._call(lib.nsds_job_title, self._c))

    @property
    def warnings(self):
        """What the reader took, but you should look at."""
        self._alive()
        return [text(lib.nsds_job_warning(self._c, k)) for k in range(lib.nsds_job_warning_count(self._c))]

    @property
    def columns(self):
        """Names of the columns; the first is "t"."""
        self._alive()
        return [text(lib.nsds_job_column_name(self._c, k)) for k in range(lib.nsds_job_column_count(self._c))]

    @property
    def units(self):
        """Units of the columns."""
        self._alive()
        return [text(lib.nsds_job_column_unit(self._c, k)) for k in range(lib.nsds_job_column_count(self._c))]

    @property
    def row(self):
        """The present row, as a copy."""
        n = self._call(lib.nsds_job_column_count, self._c)
        return np.frombuffer(ffi.buffer(self._call(lib.nsds_job_row, self._c), 8 * n)).copy()

    @property
    def measures(self):
        """The measures by name; NaN where there is none yet."""
        self._alive()
        return {text(lib.nsds_job_measure_name(self._c, k)): lib.nsds_job_measure(self._c, k)
                for k in range(lib.nsds_job_measure_count(self._c))}

    @property
    def balance(self):
        """Energies of a circuit so far [J], with balance=True: the sums, and `elements` by their names."""
        sums, elements = ffi.new("nsds_balance_sum *"), {}
        self._call(lib.nsds_job_balance_sum, self._c, sums)
        for k in range(lib.nsds_job_balance_count(self._c)):
            entry = ffi.new("nsds_balance_entry *")
            self._call(lib.nsds_job_balance, self._c, k, entry)
            elements[text(entry.name)] = record(entry[0])
        found = record(sums[0])
        found.elements = elements
        return found

    @property
    def model(self):
        """The model of the job, lent. A netlist has one system, and an interaction for each diode and switch."""
        self._alive()
        model = self._model() if self._model is not None else None
        if model is not None and model._c is not None:
            return model
        c = lib.nsds_job_model(self._c)
        if c == NULL:
            return None
        model = LentModel.__new__(LentModel)
        model._blank()
        model._keep, model._gate, model._life = self._keep, self._gate, self._life
        model._context, model._lent, model._c = self._context, self, c
        model._sets = lib.nsds_model_contact_set_count(c)
        self._model = weakref.ref(model)
        return model

    @property
    def simulation(self):
        """The simulation of the job, lent. That of a netlist is adaptive."""
        model = self.model
        return None if model is None else Simulation(model, lib.nsds_job_simulation(self._c))

    @property
    def end(self):
        """The time of the last row, as far as it is known; NaN if it is not."""
        return self._call(lib.nsds_job_end, self._c)

    def step(self):
        """Goes on to the next row. False: there is none, and the measures are known; the next call is an error."""
        status = self._call(lib.nsds_job_step, self._c)
        self.ended = status == lib.NSDS_END
        if self.ended:
            self._gate.tell_end(self._c, self.row[0])
        else:
            self._gate.ended = None
        return status == lib.NSDS_OK

    def run(self, n=None, progress=None):
        """Makes n rows, or all. Returns a Recording of the columns, which begins with the present row.

        `progress` is True for a bar, or a function of (done, total), see Simulation.run(). After Ctrl-C or a failure
        `recording` has the rows until then, and the next call goes on.
        """
        n = None if n is None else integer(n, "run(): n")
        if n is not None and n < 0:
            raise ArgumentError("run(): n is %d; it must not be negative" % n)
        if n is None and self.ended:
            raise StateError("run(): the job is at its end, t = %g; Job(...) reads the file anew" % self.row[0])
        report, blocks, ended = Report(progress, "run"), [[self.row[None, :], 1]], False
        self.recording, self.stopped = None, False
        try:
            while not ended:
                made = sum(used for _, used in blocks) - 1
                wanted = min(max(SMALLEST, made), LARGEST) if n is None else min(n - made, LARGEST)
                ended = wanted == 0 or self._fill(wanted, blocks, report, n)
            self._reported(report, blocks, n, not self.stopped)
        finally:
            keep(self, lambda: self._recorded(np.concatenate([block[:used] for block, used in blocks])))
            report.close()
        return self.recording

    def _fill(self, wanted, blocks, report, n):
        """Makes rows into a new block. True: there are no more, or the run was stopped."""
        block, done, status = np.empty((wanted, blocks[0][0].shape[1])), ffi.new("long *"), lib.NSDS_OK
        blocks.append([block, 0])
        while blocks[-1][1] < wanted and status == lib.NSDS_OK:
            done[0] = 0
            try:
                status = self._call(lib.nsds_py_job_run, self._c, wanted - blocks[-1][1],
                                    ffi.cast("double *", block[blocks[-1][1]:].ctypes.data), SLICE, done)
            finally:
                blocks[-1][1] += done[0]
            self.ended = status == lib.NSDS_END
            if status == lib.NSDS_STOPPED or status == lib.NSDS_OK and self._reported(report, blocks, n):
                self.stopped = True
                return True
        return status != lib.NSDS_OK

    def _reported(self, report, blocks, n, always=False):
        if not report:
            return False
        made = sum(used for _, used in blocks) - 1
        return report(self.row[0], self.end, always) if n is None else report(made, n, always)

    def _recorded(self, rows):
        names = self.columns
        recording = Recording((name, rows[:, k].copy()) for k, name in enumerate(names))
        recording.units = dict(zip(names, self.units))
        return recording

    def expand(self):
        pieces = Pieces(self)
        handle = ffi.new_handle(pieces)
        self._call(lib.nsds_job_expand, self._c, lib.nsds_py_write, handle)
        return "".join(pieces)

    def model_file(self):
        pieces = Pieces(self)
        handle = ffi.new_handle(pieces)
        self._call(lib.nsds_job_import, self._c, lib.nsds_py_write, handle)
        return "".join(pieces)


class Sweep(Single):
    """One file, run with many values of its parameters: Sweep("cam.yaml", ["e=0.1:0.9:81"]).

    A sweep may be pickled: another process reads the file again.
    """

    # what pickle takes; the number of points that threads run now; rows of run_all(), and which points have one
    __slots__ = {"_made": None, "_runs": None, "_rows": None, "_done": None,
                 "failures": "{point: exception} of the runs of run_all() that failed."}
    _destroy = lib.nsds_sweep_destroy

    def __init__(self, file, axes, sampling="grid", samples=0, seed=0, settings=None, refuse_plugins=False,
                 untrusted=False, limits=None, folders=None):
        if isinstance(axes, (str, bytes)):
            raise TypeError("axes must be a list of texts such as 'e=0.1:0.9:81'")
        self._runs = 0
        axes = listed(axes, "axes")
        chars(file, [], "Sweep(): file")
        self._made = (os.fspath(file), axes, sampling, samples, seed, settings, refuse_plugins, untrusted, limits,
                      folders_of(folders))
        self._open()
        struct, keep, _ = define(self, "nsds_sweep_def", dict(file=file, axes=axes, sampling=sampling,
                                                              samples=samples, seed=seed,
                                                              settings=settings_of(settings),
                                                              refuse_plugins=refuse_plugins,
                                                              untrusted=untrusted, limits=limits,
                                                              folders=folders_of(folders)))
        self._make(lib.nsds_sweep_create, struct)
        self._begin()

    def _begin(self):
        """No point is done."""
        self._rows = np.full((len(self), len(self.measures)), np.nan)
        self._done = np.zeros(len(self), bool)
        self.failures = {}

    def __reduce_ex__(self, protocol):
        return Sweep, self._made

    def _facts(self):
        self._alive()
        return [("file", str(self._made[0])), ("points", len(self)), ("axes", ", ".join(self.axes)),
                ("measures", ", ".join(self.measures))]

    def close(self):
        """Frees the sweep."""
        if self._c is not None and self._runs:
            raise StateError("another thread runs a point of the sweep")
        super().close()

    def __len__(self):
        self._alive()
        return lib.nsds_sweep_count(self._c)

    @property
    def axes(self):
        """Names of the swept parameters."""
        self._alive()
        return [text(lib.nsds_sweep_axis_name(self._c, k)) for k in range(lib.nsds_sweep_axis_count(self._c))]

    @property
    def measures(self):
        """Names of the measures."""
        self._alive()
        return [text(lib.nsds_sweep_measure_name(self._c, k)) for k in range(lib.nsds_sweep_measure_count(self._c))]

    @property
    def key(self):
        self._alive()
        return lib.nsds_sweep_key(self._c)

    def values(self, point):
        """The swept parameters at a point, {name: text}."""
        buffer = ffi.new("char[]", 256)
        found = {}
        for k, name in enumerate(self.axes):
            if lib.nsds_sweep_value(self._c, self._point(point), k, buffer, 256) < 0:
                raise IndexError("point %d is out of range" % point)
            found[name] = text(buffer)
        return found

    def _point(self, point):
        point = integer(point, "point")
        if not 0 <= point < len(self):
            raise IndexError("point %d is out of range: the sweep has %d" % (point, len(self)))
        return point

    def run(self, point):
        """The measures of one point, in the order of `measures`. Threads may run points at a time."""
        self._runs += 1
        try:
            point = self._point(point)
            n = lib.nsds_sweep_measure_count(self._c)
            measures, message = np.zeros(max(n, 1)), ffi.new("char[]", 512)
            status = lib.nsds_sweep_run(self._c, point, ffi.cast("double *", measures.ctypes.data), message, 512)
        finally:
            self._runs -= 1
        if self._gate.exception is not None:
            self._fail(status)
        if status == lib.NSDS_STOPPED:
            raise AbortedError("the point %d was stopped" % point)
        if status < 0:
            raise ERRORS.get(status, Error)(in_python(text(message) or text(lib.nsds_status_text(status))))
        return measures[:n]

    @property
    def done(self):
        """Which points run_all() has run, an array of True and False."""
        return self._done.copy()

    @property
    def results(self):
        """The rows of run_all() so far by name: a Recording of the swept parameters and the measures.

        Values of a parameter that are no numbers stay texts. results.to_pandas() is a frame.
        """
        found, rows = Recording(), self._rows
        for k, name in enumerate(self.axes):
            words = [self.values(point)[name] for point in range(len(self))]
            try:
                found[name] = np.array(words, dtype=float)
            except ValueError:
                found[name] = np.array(words)
        for k, name in enumerate(self.measures):
            found[name] = rows[:, k].copy()
        return found

    @property
    def table(self):
        """The rows of run_all() so far; NaN where a point has failed or is not done."""
        return self._rows.copy()

    def run_all(self, threads=1, progress=None):
        """The measures of all points: a row for each point, in the order of `measures`. `results` has the same with
        names and the values of the parameters. A point that fails has NaN, and its message in `failures`.

        `progress` is True for a bar (of tqdm where it is installed), or a function of (done, total) points; if it
        returns True, the sweep stops. After a stop or Ctrl-C `table` has the rows so far, and `done` says which. The
        next run_all() goes on with the other points. A second Ctrl-C does not wait for points that threads run.
        """
        if integer(threads, "threads") < 1:
            raise ArgumentError("threads is %d; valid is 1 or more" % threads)
        self._alive()
        if self._done.all():
            self._begin()
        report = Report(progress, "run_all")
        try:
            points = iter(np.flatnonzero(~self._done).tolist())
            if threads == 1:
                for point in points:
                    self._one(point)
                    if self._reported(report):
                        break
            else:
                self._in_threads(points, threads, report)
            self._reported(report, True)
        finally:
            report.close()
        return self.table

    def _reported(self, report, always=False):
        return bool(report) and report(int(self._done.sum()), len(self), always)

    def _one(self, point):
        """Runs a point. What is stopped is not done."""
        try:
            self._rows[point] = self.run(point)
        except AbortedError:
            if self._gate.watch.stop:
                raise
            self.failures[point] = "aborted"
        except Error as error:
            self.failures[point] = str(error)
        self._done[point] = True

    def _in_threads(self, points, threads, report):
        """Runs points in threads, while this thread reports and receives signals."""
        lock, wrong = threading.Lock(), []

        def work():
            try:
                while not self._gate.watch.stop:
                    with lock:
                        point = next(points, None)
                    if point is None:
                        break
                    self._one(point)
            except BaseException as error:
                wrong.append(error)
        workers = [threading.Thread(target=work, daemon=True) for _ in range(threads)]
        try:
            for worker in workers:
                worker.start()
            while any(worker.is_alive() for worker in workers):
                next(worker for worker in workers if worker.is_alive()).join(0.05)
                if self._reported(report):
                    break
        finally:
            self._gate.stop()
            for worker in workers:
                if worker.ident is not None:
                    worker.join()
            self._gate.watch.stop = 0
        for error in wrong:
            if not isinstance(error, AbortedError):
                raise error




class Network(Displayed):
    """A circuit of a model. The x of `system` begins with voltages of capacitors and currents of inductors."""

    __slots__ = {"_model": None, "_c": None, "system": "The system of the circuit."}

    def __init__(self, model, c):
        self._model, self._c = model, c
        self.system = model._new(System, lib.nsds_network_ds(c), None)

    def _facts(self):
        return [("state", self.system)]

    def read(self, what):
        """A voltage or current after the last step: "v(node)", "v(node,node)" or "i(element)"."""
        keep = []
        value = self._model._call(lib.nsds_network_read, self._c, chars(what, keep, "read(): what"))
        if value != value:
            self._model._fail()
        return value

    def place(self, what):
        """The place of "v(node)" or "i(element)" in the x of `system`."""
        keep = []
        place = self._model._call(lib.nsds_network_place, self._c, chars(what, keep, "place(): what"))
        if place < 0:
            self._model._fail()
        return place


def _circuit(self, file=None, text=None, settings=None, at_rest=None, ideal=None):
    self._alive()
    if self._lent is not None:
        raise StateError("the model belongs to a job")
    struct, keep, _ = define(self, "nsds_circuit_def", dict(file=file, text=text, settings=settings_of(settings),
                                                            at_rest=at_rest, ideal=ideal))
    self._end_views("circuit()")
    return Network(self, self._call(lib.nsds_circuit, self._c, struct))


_circuit.__name__ = "circuit"
_circuit.__qualname__ = "Model.circuit"
_circuit.__doc__ = document("nsds_circuit", "nsds_circuit_def")
Model.circuit = checked(_circuit, "circuit()")


class Scene(Single):
    """A recorded scene, for a page that plays in a browser: record() after steps, then write_html(path).

    `names` and `units` are those of quantities that record() gets, which are drawn below the scene. `shape` is a list of
    shapes that are drawn and are in no contact set: dict(kind="box", half=[1, 1, 1], ds=body). Shapes of a model file
    that are in no contact set are drawn, too.
    """

    __slots__ = ("_of", "_n", "_life", "_frames")
    _destroy = lib.nsds_scene_destroy

    def __init__(self, model, title=None, names=None, units=None, without_forces=False, shape=None):
        if not isinstance(model, Model):
            raise TypeError("a scene is of a model, not of %s" % type(model).__name__)
        model._alive()
        self._frames = 0
        self._of, self._life = model, model._life  # the page has names of bodies: their memory stays
        names = None if names is None else listed(names, "names")
        units = None if units is None else listed(units, "units")
        self._n = len(names) if names else 0
        self._open()
        struct, keep, _ = define(self, "nsds_scene_def", dict(title=title, names=names, units=units,
                                                              without_forces=without_forces))
        shapes = loose_shapes(model, shape, keep)
        array = ffi.new("nsds_shape_def[]", shapes)  # as long as the call
        struct.shape, struct.nshape = array, len(shapes)
        model._call(lambda c: self._make(lib.nsds_scene_create, c, struct), model._c)

    def close(self):
        """Frees the scene."""
        super().close()
        self._life = None

    def _facts(self):
        self._alive()
        return [("frames", self._frames)]

    def _repr_html_(self):
        """The page with all frames so far, which plays in the notebook."""
        try:
            self._alive()
            return frame(self.write_html) if self._frames else super()._repr_html_()
        except Exception as error:
            return table("nsds.Scene", (), [(str(error),)])

    def record(self, t, quantities=()):
        """Records the model as it is now, at the time t [s], with one number for each name."""
        array = numbers(quantities, "quantities").ravel().copy()
        if array.size != self._n:
            raise SizeError("record(): quantities has %d numbers; the scene has %d names" % (array.size, self._n))
        self._of._call(lambda: self._call(lib.nsds_scene_record, self._c, number(t, "t"),
                                          ffi.cast("double *", array.ctypes.data) if self._n else NULL))
        self._frames += 1

    def write_html(self, path):
        """Writes the page, which needs no network."""
        keep = []
        self._call(lib.nsds_scene_write_html, self._c, chars(path, keep, "path"))


for _class in (Job, Sweep, Network, Scene):
    check_class(_class)
_later.Scene = Scene
