"""From Python to the structs of the library: errors, arrays, functions and definitions."""
import functools
import math
import operator
import os
import sys
import threading
import types
import weakref

import numpy as np

from . import _later
from ._headers import FIELDS
from ._html import Displayed, table
from ._nsds import ffi, lib
from ._quantities import STATES
from ._shapes import COUNTS, HIDDEN, SHAPES
from ._words import enum_words, in_python, nearest

NULL = ffi.NULL


# ---- errors ------------------------------------------------------------------------------------

class Error(Exception):
    """A call of the library failed; the text is the library's message. `status` is the number of the failure."""

    status = 0


class ArgumentError(Error, ValueError):
    """An invalid argument: NSDS_ERROR_ARGUMENT."""


class SizeError(Error, ValueError):
    """Sizes do not fit: NSDS_ERROR_SIZE."""


class RangeError(Error, ValueError):
    """A value out of range or not finite: NSDS_ERROR_VALUE."""


class SingularError(Error, ArithmeticError):
    """A singular matrix: NSDS_ERROR_SINGULAR."""


class CallbackError(Error):
    """A user function failed without an exception, for example by NaN: NSDS_ERROR_CALLBACK."""


class PluginError(Error):
    """A plugin could not be used: NSDS_ERROR_PLUGIN."""


class SolverError(Error):
    """The nonsmooth problem was not solved: NSDS_ERROR_SOLVER."""


class NewtonError(Error):
    """Newton's method did not converge: NSDS_ERROR_NEWTON."""


class StateError(Error, RuntimeError):
    """The call is not possible now, for example after close(): NSDS_ERROR_STATE."""


class UnsupportedError(Error, NotImplementedError):
    """Not supported by a scheme or by this build: NSDS_ERROR_UNSUPPORTED."""


class FormatError(Error, ValueError):
    """Malformed data: NSDS_ERROR_FORMAT."""


class FileError(Error, OSError):
    """A file could not be read or written: NSDS_ERROR_IO."""


class InternalError(Error):
    """An internal error of the library: NSDS_ERROR_INTERNAL."""


class AbortedError(Error):
    """A user function asked to abort the step: NSDS_ERROR_ABORTED."""


class IntegrationError(Error):
    """The smooth motion between events could not be integrated: NSDS_ERROR_INTEGRATION."""


class OutOfMemory(Error, MemoryError):
    """Out of memory: NSDS_ERROR_MEMORY."""


class ViewsError(StateError, BufferError):
    """The call would move memory that an array of yours still shows."""


class NoValue(Exception):
    """Raise this in a function that has no value at its arguments: the step is tried with a smaller size."""


ERRORS = {
    lib.NSDS_ERROR_ARGUMENT: ArgumentError, lib.NSDS_ERROR_SIZE: SizeError, lib.NSDS_ERROR_VALUE: RangeError,
    lib.NSDS_ERROR_SINGULAR: SingularError, lib.NSDS_ERROR_CALLBACK: CallbackError,
    lib.NSDS_ERROR_PLUGIN: PluginError, lib.NSDS_ERROR_SOLVER: SolverError, lib.NSDS_ERROR_NEWTON: NewtonError,
    lib.NSDS_ERROR_STATE: StateError, lib.NSDS_ERROR_UNSUPPORTED: UnsupportedError,
    lib.NSDS_ERROR_FORMAT: FormatError, lib.NSDS_ERROR_IO: FileError, lib.NSDS_ERROR_INTERNAL: InternalError,
    lib.NSDS_ERROR_ABORTED: AbortedError, lib.NSDS_ERROR_INTEGRATION: IntegrationError,
    lib.NSDS_ERROR_MEMORY: OutOfMemory,
}
for _status, _class in ERRORS.items():
    _class.status = _status


def name_of(ctype):
    """The name of a C type without the words struct and enum."""
    return ctype.cname.replace("struct ", "").replace("enum ", "")


def text(pointer):
    return None if pointer == NULL else ffi.string(pointer).decode("utf-8", "replace")


# ---- owners ------------------------------------------------------------------------------------

class Gate:
    """One thread at a time uses a context of the library. A job and its model have one gate.

    `busy` is True while a call of the library is made. No lock is needed: the interpreter changes threads at calls and
    jumps, not between the test of `busy` and its assignment. `inside` counts functions of the user that run now, in the
    thread `thread`. The first exception of such a function waits in `exception`. `ended` is the simulation or the job
    whose step() has told its end last.
    """

    __slots__ = ("ended", "busy", "thread", "inside", "exception", "watch", "handle", "__weakref__")

    def __init__(self):
        self.busy = self.exception = self.ended = None
        self.thread = self.inside = 0
        self.handle = ffi.new_handle(weakref.ref(self))
        self.watch = ffi.new("nsds_py_watch *", dict(user=self.handle))

    def keep(self, error):
        """Keeps the exception of a function, if it is the first. The call under way ends as soon as it can."""
        if self.exception is None:
            self.exception = error
        self.stop()

    def tell_end(self, what, t):
        """The end is told once. A loop that does not look at the answer would never end."""
        if self.ended == what:
            raise StateError("step(): the end t = %g is reached and was told by False before; valid are loops that end "
                             "then, or a later end" % t)
        self.ended = what

    def stop(self):
        """Asks the library to end its work."""
        self.watch.stop = 1
        self.watch.left = 0

    def take(self):
        """The exception that waits, which waits no more."""
        error, self.exception = self.exception, None
        self.watch.stop = 0
        return error


class Owner(Displayed):
    """Something with a context of the library: a model, a solver, a file, a job. `_c` is None after close().

    A call from a function of the user, in the thread that this function runs in, is left to the library, which knows
    what may be called there.
    """

    __slots__ = ("_c", "_context", "_gate", "_keep", "_log", "_self_handle", "__weakref__")

    def __new__(cls, *arguments, **named):
        self = object.__new__(cls)
        self._c, self._context, self._gate, self._keep = None, NULL, Gate(), []
        return self

    def _open(self, threads=1, log=None):
        if self._context != NULL or self._c is not None:
            raise StateError("the %s is made already: __init__() is called once" % self._word)
        self._log = log
        threads = small(threads, "threads")
        definition = ffi.new("nsds_context_def *")
        if log is not None:
            if not callable(log):
                raise TypeError("log must be a function of (level, message), not %s" % type(log).__name__)
            self._self_handle = ffi.new_handle(weakref.ref(self))
            definition.log = lib.nsds_py_log
            definition.log_user = self._self_handle
            definition.log_level = lib.NSDS_LOG_INFO
        self._context = lib.nsds_context_create(definition)
        if self._context == NULL:
            raise OutOfMemory("no memory for a context")
        lib.nsds_py_watch_begin(self._context, self._gate.watch)
        if threads != 1:
            try:
                self._share(threads)
            except BaseException:
                self._close_context()
                raise

    def _share(self, threads):
        """Lets threads of the library share the work. Threads do not live on in a forked process: there one works."""
        if lib.nsds_context_set_threads(self._context, threads):
            self._fail()
        _threads["used"] = True
        if _threads["gone"]:
            lib.nsds_context_set_threads(self._context, 1)
        _sharing.add(self)

    def _fail(self, status=0, call=None):
        """Raises what the failed call stands for: the exception of a function of the user, or the message."""
        error = self._gate.take()
        status = lib.nsds_error(self._context) or status
        message = text(lib.nsds_error_message(self._context))
        if status and not message:  # a call that keeps no error, such as nsds_check_jacobians(), keeps its message
            message = text(lib.nsds_last_message(self._context))
        message = message or text(lib.nsds_status_text(status))
        lib.nsds_error_clear(self._context)
        if error is not None:
            raise error
        if status == 0:
            status = lib.NSDS_ERROR_STATE
            message = "%s: there is none, since no step was made or the object is not of this kind" % (call or "the value")
        wrong = ERRORS.get(status, Error)(in_python(message))
        wrong.status = int(status)
        raise wrong

    def _alive(self):
        if self._c is None:
            raise StateError("the %s is closed" % self._word)

    def _again(self):
        """A call while another one is made: allowed from its functions alone."""
        self._alive()
        gate = self._gate
        if not gate.inside or gate.thread != threading.get_ident():
            raise StateError("another thread uses the %s" % self._word)

    @property
    def _word(self):
        return type(self).__name__.lower()

    def _call(self, function, *arguments):
        """Calls the library, one thread at a time; a status below 0, NULL, or an exception in a function is raised."""
        gate = self._gate
        outer = gate.busy is None
        if outer:
            gate.busy = True
        else:
            self._again()
        try:
            self._alive()
            result = function(*arguments)
        finally:
            if outer:
                gate.busy = None
        if gate.exception is not None:
            self._fail()
        if isinstance(result, int):
            if result < 0:
                self._fail(result)
        elif result == NULL and isinstance(result, ffi.CData):
            self._fail(0, getattr(function, "__name__", None))
        return result

    def __copy__(self):
        raise TypeError("a %s cannot be copied: it owns memory of the library (a simulation has snapshots: "
                        "simulation.snapshot())" % type(self).__name__)

    def __deepcopy__(self, memo):
        self.__copy__()

    def __reduce_ex__(self, protocol):
        raise TypeError("a %s cannot be pickled: make it anew in the other process; bytes(simulation.snapshot()) "
                        "carries its state" % type(self).__name__)

    def __enter__(self):
        self._alive()
        return self

    def __exit__(self, *ignored):
        self.close()

    def _close_context(self):
        context, self._context = self._context, NULL
        if context != NULL:
            lib.nsds_context_destroy(context)


_sharing = weakref.WeakSet()  # owners whose work threads of the library share
_threads = dict(used=False, gone=False)


def _in_forked_process():
    """Threads of the library do not live on in a forked process, where it would wait for them."""
    _threads["gone"] = _threads["used"]
    for owner in list(_sharing):
        if owner._context != NULL and lib.nsds_context_set_threads(owner._context, 1):
            lib.nsds_error_clear(owner._context)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_forked_process)


class Single(Owner):
    """An owner of one object of the library, to which no other object refers. `_destroy` frees the object."""

    __slots__ = ()
    _destroy = None

    def _make(self, create, *arguments):
        c = create(self._context, *arguments)
        if c == NULL:
            self._fail()
        self._c = c
        if self._gate.exception is not None:
            self._fail()

    def close(self):
        """Frees the memory: every later call is refused."""
        if self._c is not None and self._gate.busy is not None:
            self._again()
            raise StateError("close() is called from a function of the %s" % self._word)
        c, self._c = self._c, None
        if c is not None and self._destroy is not None:
            self._destroy(c)
        self._close_context()

    def __del__(self):
        try:
            self.close()
        except Exception:
            pass


class Lasting(Owner):
    """An owner of memory that arrays show. The memory is freed when neither the owner nor an array refers to it.

    In a garbage cycle, arrays may outlive their owner for a while; so the end of the last reference decides, not the
    order of finalizers.
    """

    __slots__ = ("_life",)

    def __new__(cls, *arguments, **named):
        self = super().__new__(cls)
        self._life = None
        return self

    def _open(self, threads=1, log=None):
        super()._open(threads, log)
        life = lib.nsds_py_life_begin(self._context)
        if life == NULL:
            self._close_context()
            raise OutOfMemory("no memory for a context")
        self._life = ffi.gc(life, lib.nsds_py_life_end)

    def close(self):
        """Ends the object: every later call is refused. Memory that your arrays show stays with them, and shows the
        last state."""
        if self._c is None:
            return
        if self._gate.busy is not None:
            self._again()
            raise StateError("close() is called from a function of the %s" % self._word)
        self._end()

    def _end(self):
        """No call is possible from now on."""
        self._c = None
        self._gate.busy = True
        self._life, self._context = None, NULL
        self._keep.clear()

    def __del__(self):
        try:
            if self._c is not None:
                self._end()
        except Exception:
            pass


class Shown:
    """Numbers in the memory of an owner, which arrays refer to."""

    __slots__ = ("life", "__array_interface__", "__weakref__")

    def __init__(self, life, pointer, n):
        self.life = life
        self.__array_interface__ = dict(version=3, shape=(n,), typestr=np.dtype(float).str,
                                        data=(int(ffi.cast("uintptr_t", pointer)), True))


class Part(Displayed):
    """Something that a model owns."""

    __slots__ = ("_model", "_c", "__weakref__")

    def __init__(self, model, c):
        self._model = model
        self._c = c

    def _alive(self):
        self._model._alive()
        if self._c is None:
            raise StateError("this %s is gone: it was removed from its model" % type(self).__name__)
        return self._c

    def _title(self):
        try:
            name = self.name
        except Exception:
            name = None
        return "nsds.%s %r" % (type(self).__name__, name) if name else "nsds." + type(self).__name__

    def _facts(self):
        self._alive()
        return []

    __copy__ = Owner.__copy__
    __deepcopy__ = Owner.__deepcopy__
    __reduce_ex__ = Owner.__reduce_ex__


def poll_ended(kind, error, trace):
    """A signal while the library asked: its exception waits in the owner."""
    user = trace.tb_frame.f_locals.get("user") if trace is not None else None
    gate = ffi.from_handle(user)() if user is not None else None
    if gate is not None:
        gate.keep(error)


@ffi.def_extern(error=1, onerror=poll_ended)
def nsds_py_poll(user):
    """The library asks if its work is to end. The interpreter calls handlers of signals while this function runs."""
    gate = ffi.from_handle(user)()
    return gate is None or gate.exception is not None


@ffi.def_extern()
def nsds_py_log(level, message, user):
    owner = ffi.from_handle(user)()
    if owner is not None:
        gate = owner._gate
        gate.inside += 1
        gate.thread = threading.get_ident()
        try:
            answered(owner._log(int(level), in_python(text(message))), "log")
        except BaseException as error:
            gate.keep(error)
        finally:
            gate.inside -= 1


# ---- functions of the user ---------------------------------------------------------------------

class Arguments(Displayed):
    """Arguments of a function: the time t, and arrays q, v, x, xdot, z, lambda_, each your own copy."""

    __slots__ = {n: FIELDS["nsds_arguments"][n.rstrip("_")] for n in ("t", "q", "v", "x", "xdot", "z", "lambda_")}

    def __init__(self, a):
        self.t = a.t
        self.q = copied(a.q, a.nq)
        self.v = copied(a.v, a.nv)
        self.x = copied(a.x, a.nx)
        self.xdot = copied(a.xdot, a.nxdot)
        self.z = copied(a.z, a.nz)
        self.lambda_ = copied(getattr(a, "lambda"), a.nlambda)

    def _facts(self):
        return [("t", self.t)] + [(n, getattr(self, n)) for n in list(self.__slots__)[1:] if getattr(self, n).size]


class AdaptiveView(Displayed):
    """What a margin of adaptive() sees: the time t, x of all systems (v of second-order ones), lambda_ of all rows, and q of
    all second-order systems, your own copies."""

    __slots__ = {n: FIELDS["nsds_adaptive_view"][n.rstrip("_")] for n in ("t", "x", "lambda_", "q")}

    def __init__(self, at, model):
        first = ffi.new("const double **")
        self.t = at.t
        self.x = copied(at.x, sum(lib.nsds_py_states(model, STATES[name], first) for name in "vx"))
        self.lambda_ = copied(getattr(at, "lambda"), lib.nsds_py_rows(model))
        self.q = copied(at.q, lib.nsds_py_states(model, STATES["q"], first))

    def _facts(self):
        return [(n, getattr(self, n)) for n in self.__slots__]


def copied(pointer, n):
    """n numbers at a pointer, as an array of their own."""
    if n <= 0 or pointer == NULL:
        return np.empty(0)
    return np.frombuffer(ffi.buffer(pointer, 8 * n)).copy()


class Functions:
    """Python functions of one object of a model: function k is called by the library's operator k."""

    def __init__(self, owner):
        self.owner = weakref.ref(owner)
        self.gate = owner._gate
        self.list = []
        self.handle = ffi.new_handle(self)

    def simulation(self, c):
        """The simulation that calls: the object that the program has, or a new one."""
        known = self.caller()
        if known is None:
            known = _later.Simulation(self.owner(), c)
        return known

    def add(self, function, shape, name):
        for k, (known, _, _) in enumerate(self.list):
            if known is function and _same(self.list[k][1], shape):
                return k
        self.list.append((function, shape, name))
        return len(self.list) - 1


def _same(a, b):
    return a == b


def guarded(user, call):
    """Runs call(functions) for the library: 0, or a failure whose exception waits in the owner."""
    functions = ffi.from_handle(user)
    gate = functions.gate
    if gate.exception is not None:
        return -1
    gate.inside += 1
    gate.thread = threading.get_ident()
    try:
        return call(functions) or 0
    except NoValue:
        return 1
    except BaseException as error:
        gate.exception = error
        return -1
    finally:
        gate.inside -= 1


def late(kind, error, trace):
    """An exception between the library and guarded(), for example of a signal: it waits in the owner, too."""
    user = trace.tb_frame.f_locals.get("user") if trace is not None else None
    if user is not None:
        ffi.from_handle(user).gate.keep(error)


class Pieces(list):
    """Texts that the library writes one after the other."""

    def __init__(self, owner):
        super().__init__()
        self.gate = owner._gate


LAZY = (types.CoroutineType, types.GeneratorType, types.AsyncGeneratorType)


def answered(value, name):
    """The result of a function of the user, which must be there when the function returns."""
    if isinstance(value, LAZY):
        if not isinstance(value, types.AsyncGeneratorType):
            value.close()
        raise TypeError("%s is an async function or a generator: the library needs its result at once; give a plain "
                        "function" % name)
    return value


def put(out, value, shape, name):
    """Writes a result to the library's memory, columns first."""
    if value is None:
        raise TypeError("%s returned None; it must return %s" % (name, shaped(shape)))
    answered(value, name)
    array = fitted(numbers(value, "the result of " + name), shape, "the result of " + name)
    n = array.size
    if n:
        np.frombuffer(ffi.buffer(out, 8 * n))[:] = array.ravel("F")


@ffi.def_extern(error=-1, onerror=late)
def nsds_py_call(k, arguments, out, user):
    def call(functions):
        function, shape, name = functions.list[k]
        put(out, function(Arguments(arguments)), shape, name)
    return guarded(user, call)


@ffi.def_extern(error=-1, onerror=late)
def nsds_py_contact(k, arguments, contact, user):
    def call(functions):
        function, _, name = functions.list[k]
        value = answered(function(Arguments(arguments)), name)
        if not isinstance(value, dict):
            raise TypeError("%s must return a dict with gap, point, normal and tangent" % name)
        fill(functions.owner(), contact, "nsds_body_contact", value, [], None)
    return guarded(user, call)


@ffi.def_extern(error=-1, onerror=late)
def nsds_py_point(k, z, out, user):
    def call(functions):
        function, shape, name = functions.list[k]
        put(out, function(copied(z, functions.n)), shape, name)
    return guarded(user, call)


@ffi.def_extern(error=-1, onerror=late)
def nsds_py_sample(simulation, user):
    def call(functions):
        function, _, name = functions.list[0]
        answered(function(functions.simulation(simulation)), name)
    return guarded(user, call)


@ffi.def_extern(error=3, onerror=late)
def nsds_py_check(simulation, info, user):
    verdict = [lib.NSDS_STOP]

    def call(functions):
        value = answered(functions.list[0][0](functions.simulation(simulation), record(info[0])), "check_solver")
        verdict[0] = enum_value(ffi.typeof("nsds_verdict"), value if value is not None else 0, "the verdict")
    guarded(user, call)
    return verdict[0]


@ffi.def_extern(error=math.nan, onerror=late)
def nsds_py_margin(at, k, on, user):
    value = [math.nan]

    def call(functions):
        found = answered(functions.margin(AdaptiveView(at, functions.owner()._c), k, bool(on)), "margin")
        value[0] = number(found, "the result of margin")
    guarded(user, call)
    return value[0]


@ffi.def_extern(error=math.nan, onerror=late)
def nsds_py_corner(t, user):
    value = [math.nan]

    def call(functions):
        value[0] = number(answered(functions.next_corner(t), "next_corner"), "the result of next_corner")
    guarded(user, call)
    return value[0]


@ffi.def_extern(error=1, onerror=late)
def nsds_py_progress(iteration, residual, user):
    def call(functions):
        return 1 if answered(functions.list[0][0](iteration, residual), "progress") else 0
    return guarded(user, call)


@ffi.def_extern(onerror=late)
def nsds_py_write(piece, user):
    ffi.from_handle(user).append(text(piece))


@ffi.def_extern(onerror=late)
def nsds_py_mix(a, b, pair, user):
    def call(functions):
        value = answered(functions.list[0][0](record(a[0]), record(b[0])), "mix_fn")
        if not isinstance(value, dict):
            raise TypeError("mix_fn must return a dict with values of a material, not %s" % type(value).__name__)
        fill(functions.owner(), pair, "nsds_material", value, [], None)
    guarded(user, call)


def address(value):
    """The address of a C function: an integer, a cffi or ctypes pointer, or something of Numba; None: it is Python's."""
    if isinstance(value, ffi.CData):
        return OF_LIBRARY.get(value, value)
    if isinstance(value, int) and not isinstance(value, bool):
        if not 4096 <= value < 1 << 64:
            raise ArgumentError("%d is not the address of a function" % value)
        return value
    if type(value).__module__.partition(".")[0] == "numba" and isinstance(getattr(value, "address", None), int):
        return value.address
    ctypes = sys.modules.get("ctypes")
    if ctypes is not None and isinstance(value, (ctypes._CFuncPtr, ctypes.c_void_p)):
        return ctypes.cast(value, ctypes.c_void_p).value
    return None


# The library knows these functions by their addresses; cffi has wrappers of its own around them.
OF_LIBRARY = {ffi.addressof(lib, name): lib.nsds_py_of_library(k) for k, name in
              enumerate(("nsds_zero", "nsds_differences"))}


# ---- arrays ------------------------------------------------------------------------------------

def shaped(shape):
    if len(shape) == 0:
        return "a number"
    if len(shape) == 1:
        return "%d number%s" % (shape[0], "" if shape[0] == 1 else "s")
    return " x ".join(str(n) for n in shape) + " numbers"


def fitted(array, shape, name):
    """The array with this shape: a number may stand for one entry, a vector for a matrix of one row or column."""
    if array.shape == tuple(shape):
        return array
    one = all(n == 1 for n in shape)
    if array.ndim == 0 and one:
        return array.reshape(shape)
    if array.ndim == 1 and len(shape) == 2 and 1 in shape and array.size == shape[0] * shape[1]:
        return array.reshape(shape)
    raise SizeError("%s has the shape %s; it must be %s" % (name, "x".join(map(str, array.shape)) or "of a number",
                                                           shaped(shape)))


def numbers(value, name, dtype=np.float64):
    """An array of real numbers."""
    wanted = "%s must be an array of %s" % (name, "integers" if dtype is np.int32 else "real numbers")
    try:
        array = np.asarray(value)
    except (TypeError, ValueError) as error:
        raise TypeError("%s: %s" % (wanted, error)) from error
    kind = array.dtype.kind
    if kind not in "fiub" or dtype is np.int32 and kind == "f" and array.size:
        raise TypeError("%s, not %s" % (wanted, array.dtype if array.ndim or kind != "O" else type(value).__name__))
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value) or \
            array.ndim > 1 and isinstance(value, (list, tuple)) and any(np.ma.is_masked(row) for row in value):
        raise ArgumentError("%s has masked entries: give them values, for example by filled(0.0)" % name)
    if dtype is np.int32 and array.size and not -1 << 31 <= array.min() <= array.max() < 1 << 31:
        raise ArgumentError("%s has entries beyond the integers of C" % name)
    array = np.ascontiguousarray(array, dtype=dtype) if array.ndim else array.astype(dtype)
    return array if array.flags.aligned else array.copy()


def all_finite(array, label):
    """The array, which has neither NaN nor infinite entries."""
    wrong = np.argwhere(~np.isfinite(array))
    if len(wrong):
        place = "[%s]" % ", ".join(map(str, wrong[0])) if array.ndim else ""
        raise RangeError("%s%s is %g; it must be finite" % (label, place, array[tuple(wrong[0])]))
    return array


def size_of(word, sizes):
    """The value of "3", "ndof", "^n", "nx+nv" or "n*^n"; None where a name is unknown."""
    for sign, join in (("+", operator.add), ("*", operator.mul)):
        if sign in word:
            parts = [size_of(w, sizes) for w in word.split(sign)]
            return None if None in parts else join(*parts)
    if word.isdigit():
        return int(word)
    return sizes.get(word)


def shape_of(words, sizes):
    return tuple(size_of(word, sizes) or 0 for word in words.split())


def infer(words, value, sizes):
    """Learns sizes that were not given from the shape of an array."""
    try:
        shape = getattr(value, "shape", None)
        shape = shape if isinstance(shape, tuple) else np.asarray(value).shape
    except ValueError:
        return
    words = words.split()
    if len(words) == 2 and words[1] == "*":
        words, shape = words[:1], shape[:1]
    elif len(words) == 2 and len(shape) == 1:
        first = size_of(words[0], sizes)
        shape = (1,) + tuple(shape) if first in (None, 1) and words[0] != words[1] else tuple(shape) + (1,)
    if len(shape) == 0:
        shape = (1,) * len(words)
    for word, n in zip(words, shape):
        if word.isidentifier() and sizes.get(word) is None:
            sizes[word] = int(n)


# ---- enums -------------------------------------------------------------------------------------

def enum_value(ctype, value, name):
    words = enum_words(ctype)
    if isinstance(value, str):
        if value.lower() not in words:
            raise ArgumentError("%s is %r%s; it must be one of %s"
                                % (name, value, nearest(value, words), ", ".join(map(repr, words))))
        return words[value.lower()]
    try:
        value = operator.index(value)
    except TypeError:
        raise TypeError("%s must be a word or a number of %s, not %s"
                        % (name, name_of(ctype), type(value).__name__)) from None
    if value not in words.values():
        raise ArgumentError("%s is %d; it must be one of %s" % (name, value, ", ".join(map(repr, words))))
    return value


# ---- definitions -------------------------------------------------------------------------------

def fields_of(kind):
    return dict(ffi.typeof(kind).fields)


def fill(owner, struct, kind, values, keep, functions, outer=None, place=None):
    """Fills a struct of the library from {field: value}. `keep` holds memory that the struct points to."""
    fields = fields_of(kind)
    place = place or kind[5:].replace("_def", "") + "()"
    shapes = SHAPES.get(kind, {})
    for name in values:
        if name not in fields or name in HIDDEN:
            known = [f for f in fields if f not in HIDDEN]
            raise TypeError("%s has no argument %r%s; it has %s" % (place, name, nearest(name, known), ", ".join(known)))
    values = {name: value for name, value in values.items() if value is not None}
    sizes = dict(("^" + k, v) for k, v in (outer or {}).items() if not k.startswith("^"))
    for name, field in fields.items():
        if field.type.kind == "primitive" and name_of(field.type) in ("int", "long") and name in values:
            sizes[name] = integer(values[name], "%s: %s" % (place, name))
    for name, words in shapes.items():
        if name in values and fields[name].type.kind != "function" and not callable(values[name]):
            infer(words, values[name], sizes)
    for name, count in ((f, c) for (k, f), c in COUNTS.items() if k == kind):
        if name in values:
            values[name] = listed(values[name], "%s: %s" % (place, name))
            n = len(values[name])
            if sizes.get(count, n) != n:
                raise SizeError("%s: %s has %d entries, but %s = %d" % (place, name, n, count, sizes[count]))
            sizes[count] = n
    if kind in ("nsds_shapes_def", "nsds_mass_def", "nsds_balls_def"):
        sizes["dimension"] = sizes.get("dimension") or 3
    if kind == "nsds_adaptive_def":
        sizes["states"] = sum(system.nx for system in owner.systems)
    for name, size in sizes.items():
        if name in fields and size is not None:
            fit(struct, name, size, "%s: %s" % (place, name))
    for name, value in values.items():
        if name not in sizes:
            one(owner, struct, kind, name, fields[name].type, value, keep, functions, sizes, place, shapes.get(name))


def one(owner, struct, kind, name, ctype, value, keep, functions, sizes, place, words):
    """Fills one field."""
    label = "%s: %s" % (place, name)
    if ctype.kind == "primitive":
        if name_of(ctype) == "_Bool" or name_of(ctype) == "bool":
            if not isinstance(value, (bool, np.bool_)):
                raise TypeError("%s must be True or False, not %r" % (label, value))
            setattr(struct, name, bool(value))
        elif name_of(ctype) == "double":
            setattr(struct, name, number(value, label))
        else:
            fit(struct, name, integer(value, label), label)
    elif ctype.kind == "enum":
        setattr(struct, name, enum_value(ctype, value, label))
    elif ctype.kind == "array":
        if kind == "nsds_shape_def":
            value = filled_up(name, value, label, sizes)
        fixed(owner, struct, name, ctype, value, label)
    elif ctype.kind == "struct":
        part(owner, struct, name, ctype, value, keep, functions, sizes, label)
    elif ctype.kind == "function":
        function_pointer(owner, struct, kind, name, ctype, value, functions, sizes, label, words)
    elif ctype.kind == "pointer":
        pointer(owner, struct, kind, name, ctype, value, keep, functions, sizes, label, words)
    else:
        raise TypeError("%s cannot be given from Python" % label)


def number(value, label):
    try:
        if isinstance(value, (str, bytes, bytearray)) or np.ma.is_masked(value):
            raise TypeError("a %s is no number" % type(value).__name__)
        return float(value)
    except (TypeError, ValueError) as error:
        raise TypeError("%s must be a number, not %s" % (label, type(value).__name__)) from error
    except OverflowError:
        raise ArgumentError("%s is too large for a number of C" % label) from None


def finite(value, label):
    value = number(value, label)
    if not math.isfinite(value):
        raise RangeError("%s is %g; it must be finite" % (label, value))
    return value


def integer(value, label):
    """An integer; True and 1.0 are none."""
    if isinstance(value, (bool, np.bool_)):
        raise TypeError("%s must be an integer, not %r" % (label, value))
    try:
        return operator.index(value)
    except TypeError as error:
        raise TypeError("%s must be an integer, not %s" % (label, type(value).__name__)) from error


def small(value, label):
    """An integer that the library can take."""
    value = integer(value, label)
    if not -1 << 31 <= value < 1 << 31:
        raise ArgumentError("%s is %d, beyond the integers of C" % (label, value))
    return value


def fit(struct, name, value, label):
    """Sets an integer of a struct."""
    try:
        setattr(struct, name, value)
    except OverflowError:
        raise ArgumentError("%s is %d, beyond the integers of C" % (label, value)) from None


def listed(value, label):
    """A list, from any sequence of entries; a single object or text is none."""
    if isinstance(value, (list, tuple)):
        return value
    try:
        if isinstance(value, (str, bytes, dict)):
            raise TypeError
        return list(value)
    except TypeError:
        raise TypeError("%s must be a list, not %s" % (label, type(value).__name__)) from None


def filled_up(name, value, label, sizes):
    """A vector of a shape with zeros for the entries that its kind does not read."""
    least = {"half": 0, "position": 1}.get(name)
    if least is None or least == 1 and sizes.get("^dimension") != 2:
        return value
    array = numbers(value, label)
    array = array.reshape(1) if array.ndim == 0 and least == 0 else array
    return np.append(array, np.zeros(3 - array.size)) if array.ndim == 1 and least < array.size < 3 else array


def fixed(owner, struct, name, ctype, value, label):
    """An array within the struct: numbers, or objects of the model."""
    item = ctype.item
    if item.kind == "pointer":
        objects = list(value) if isinstance(value, (list, tuple)) else [value]
        if len(objects) > ctype.length:
            raise SizeError("%s has %d entries; at most %d are possible" % (label, len(objects), ctype.length))
        for k, entry in enumerate(objects):
            getattr(struct, name)[k] = NULL if entry is None else part_pointer(owner, entry, item, label)
        return
    shape = [ctype.length]
    while item.kind == "array":
        shape.append(item.length)
        item = item.item
    array = fitted(numbers(value, label, np.int32 if name_of(item) == "int" else np.float64), shape, label)
    field = getattr(struct, name)
    if len(shape) == 1:
        for k in range(shape[0]):
            field[k] = array[k].item()
    else:
        for k in range(shape[0]):
            for j in range(shape[1]):
                field[k][j] = array[k, j].item()


class Value:
    """A struct of the library by value: a scheme, a test of activation."""

    __slots__ = ("_c",)

    def __init__(self, c):
        self._c = c

    def __repr__(self):
        fields = [n for n, _ in ffi.typeof(self._c).fields if n != "reserved"]
        return "%s(%s)" % (name_of(ffi.typeof(self._c))[5:], ", ".join("%s=%r" % (n, getattr(self._c, n)) for n in fields))

    def _repr_html_(self):
        fields = [n for n, _ in ffi.typeof(self._c).fields if n != "reserved"]
        return table(name_of(ffi.typeof(self._c))[5:], (), [(n, repr(getattr(self._c, n))) for n in fields])


def part(owner, struct, name, ctype, value, keep, functions, sizes, label):
    """A struct within the struct: from a dict, from a value of the library, or from its fields in order."""
    kind = name_of(ctype)
    if isinstance(value, Value):
        if ffi.typeof(value._c) is not ctype:
            raise TypeError("%s must be a %s, not %r" % (label, kind[5:], value))
        setattr(struct, name, value._c)
        return
    if kind in ("nsds_discretisation", "nsds_activation_test"):
        raise TypeError("%s must be made by a function such as nsds.moreau_jean() or nsds.activation()" % label)
    if isinstance(value, (list, tuple)):
        names = [f for f in fields_of(kind) if f not in HIDDEN]
        if len(value) > len(names):
            raise SizeError("%s has %d entries; it has %s" % (label, len(value), ", ".join(names)))
        value = dict(zip(names, value))
    if not isinstance(value, dict):
        raise TypeError("%s must be a dict with %s" % (label, ", ".join(f for f in fields_of(kind) if f not in HIDDEN)))
    fill(owner, getattr(struct, name), kind, value, keep, functions, sizes, label)


def part_pointer(owner, value, ctype, label):
    """The pointer of an object of the same model."""
    wanted = name_of(ctype.item)
    if not isinstance(value, Part) or getattr(value, "_kind", None) != wanted:
        raise TypeError("%s must be %s, not %s" % (label, PARTS.get(wanted, wanted), type(value).__name__))
    if value._model is not owner:
        raise ArgumentError("%s belongs to another model" % label)
    return value._alive()


PARTS = {"nsds_ds": "a system", "nsds_law": "a law", "nsds_relation": "a relation",
         "nsds_interaction": "an interaction", "nsds_contact_set": "a contact set",
         "nsds_sensor": "a sensor"}


def pointer(owner, struct, kind, name, ctype, value, keep, functions, sizes, label, words):
    """A field that points somewhere."""
    item = ctype.item
    cname = name_of(ctype)
    if name_of(item) == "char":
        setattr(struct, name, chars(value, keep, label, LONGEST if name == "name" and kind.endswith("_def") else None))
    elif name_of(item) in ("double", "int"):
        memory = array_memory(value, words, sizes, label, np.float64 if name_of(item) == "double" else np.int32)
        keep.append(memory)
        setattr(struct, name, ffi.cast(cname, memory.ctypes.data))
    elif name_of(item) in ("_Bool", "bool"):
        value = listed(value, label)
        if any(not isinstance(v, (bool, np.bool_)) for v in value):
            raise TypeError("%s must be a list of True and False" % label)
        if len(value) != (sizes.get(words) or 0):
            raise SizeError("%s has %d entries, but %s is %d" % (label, len(value), words, sizes.get(words) or 0))
        array = ffi.new("bool[]", [bool(v) for v in value])
        keep.append(array)
        setattr(struct, name, array)
    elif name_of(item) == "nsds_csc":
        setattr(struct, name, sparse(value, shape_of(words, sizes), keep, label))
    elif name_of(item) in PARTS:
        setattr(struct, name, part_pointer(owner, value, ctype, label))
    elif item.kind == "pointer" and name_of(item.item) in PARTS:
        array = ffi.new(name_of(item.item) + " *[]", [part_pointer(owner, v, item, label) for v in value])
        keep.append(array)
        setattr(struct, name, array)
    elif item.kind == "pointer" and name_of(item.item) == "char":
        array = ffi.new("const char *[]", [chars(v, keep, label) for v in value])
        keep.append(array)
        setattr(struct, name, array)
    elif name_of(item) == "nsds_operator_data":
        operator_data(owner, struct, value, keep, functions, label)
    elif item.kind == "struct" and name_of(item) in LISTS:
        array = ffi.new(name_of(item) + "[]", len(value))
        keep.append(array)
        for k, entry in enumerate(value):
            entry = LISTS[name_of(item)](entry) if LISTS[name_of(item)] else entry
            if not isinstance(entry, dict):
                raise TypeError("%s[%d] must be a dict" % (label, k))
            fill(owner, array[k], name_of(item), entry, keep, functions, sizes, "%s[%d]" % (label, k))
        setattr(struct, name, array)
    else:
        raise TypeError("%s cannot be given from Python" % label)


def _plane(value):
    if isinstance(value, (list, tuple)) and len(value) <= 2:
        return dict(zip(("normal", "offset"), value))
    return value


LISTS = {"nsds_plane": _plane, "nsds_shape_def": None, "nsds_material": None, "nsds_job_setting": None,
         "nsds_block": None, "nsds_joint_term": None}


LONGEST = 47  # bytes of a name; the library would cut a longer one


def chars(value, keep, label, most=None):
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if not isinstance(value, str):
        raise TypeError("%s must be a text, not %s" % (label, type(value).__name__))
    try:
        data = value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise ArgumentError("%s has letters that are none of Unicode: %s" % (label, error)) from None
    if b"\0" in data:
        raise ArgumentError("%s contains a zero byte" % label)
    if most is not None and len(data) > most:
        raise ArgumentError("%s has %d bytes in UTF-8; at most %d are possible" % (label, len(data), most))
    memory = ffi.new("char[]", data)
    keep.append(memory)
    return memory


def array_memory(value, words, sizes, label, dtype):
    """An array of the shape that the field has, columns first."""
    array = numbers(value, label, dtype)
    words = words.split()
    if len(words) == 2 and words[1] == "*":
        width = sizes.get("^dimension") or 3
        array = fitted(array, (sizes.get(words[0]) or 0, width), label)
        return np.array(array, order="C")
    array = fitted(array, tuple(size_of(w, sizes) or 0 for w in words), label)
    memory = np.array(array.ravel("F"))
    return memory if memory.size else np.zeros(1, dtype)


def sparse(value, shape, keep, label):
    """Compressed columns of a SciPy matrix."""
    if not hasattr(value, "tocsc"):
        raise TypeError("%s must be a sparse matrix of SciPy, not %s" % (label, type(value).__name__))
    if value.shape != tuple(shape):
        raise SizeError("%s has the shape %s; it must be %s" % (label, "x".join(map(str, value.shape)), shaped(shape)))
    if value.dtype.kind not in "fiub":
        raise TypeError("%s must be a sparse matrix of real numbers, not of %s" % (label, value.dtype))
    matrix = value.tocsc(copy=True)
    matrix.sum_duplicates()
    arrays = (matrix.indptr.astype(np.int32), matrix.indices.astype(np.int32), matrix.data.astype(np.float64))
    struct = ffi.new("nsds_csc *")
    struct.nrow, struct.ncol = value.shape
    struct.p = ffi.cast("int *", arrays[0].ctypes.data)
    struct.i = ffi.cast("int *", arrays[1].ctypes.data)
    struct.x = ffi.cast("double *", arrays[2].ctypes.data)
    keep.extend(arrays + (struct,))
    return struct


def function_pointer(owner, struct, kind, name, ctype, value, functions, sizes, label, words):
    """A function: of Python through a trampoline, of C by its address."""
    where = address(value)
    if where is not None:
        if isinstance(where, ffi.CData) and where == NULL:
            raise ArgumentError("%s is a NULL pointer" % label)
        setattr(struct, name, ffi.cast(name_of(ctype), where) if not isinstance(where, ffi.CData) else where)
        return
    if not callable(value):
        raise TypeError("%s must be a function, not %s" % (label, type(value).__name__))
    if functions is None:
        raise TypeError("%s cannot be given from Python" % label)
    if ctype is ffi.typeof("nsds_operator"):
        k = functions.add(value, shape_of(words, sizes), label)
        if k > 15:
            raise ArgumentError("%s has more than 16 functions" % label)
        setattr(struct, name, lib.nsds_py_operator(k))
        if "user" in fields_of(kind):
            struct.user = functions.handle
    elif ctype is ffi.typeof("nsds_body_contact_fn"):
        setattr(struct, name, lib.nsds_py_contact_function(functions.add(value, (), label)))
        struct.user = functions.handle
    elif name in ("margin", "next_corner"):
        setattr(functions, name, value)
        setattr(struct, name, lib.nsds_py_margin if name == "margin" else lib.nsds_py_corner)
        struct.user = functions.handle
    elif name == "mix_fn":
        functions.add(value, (), label)
        setattr(struct, name, lib.nsds_py_mix)
        struct.user = functions.handle
    else:
        raise TypeError("%s cannot be given from Python" % label)


def operator_data(owner, struct, value, keep, functions, label):
    """Own parameters of single functions: [{"function": f, "z": [...]}]; f is one of the functions of the object."""
    value = listed(value, label)
    array = ffi.new("nsds_operator_data[]", len(value))
    keep.append(array)
    for k, entry in enumerate(value):
        if not isinstance(entry, dict):
            raise TypeError("%s[%d] must be a dict with function and z" % (label, k))
        entry = dict(entry)
        function = entry.pop("function", None)
        fill(owner, array[k], "nsds_operator_data", entry, keep, functions, None, "%s[%d]" % (label, k))
        where = address(function)
        if where is not None:
            array[k].function = ffi.cast("nsds_operator", where) if isinstance(where, int) else where
            continue
        found = [j for j, (known, _, _) in enumerate(functions.list) if known is function]
        if not found:
            raise ArgumentError("%s[%d]: the function is none of this object" % (label, k))
        array[k].function = lib.nsds_py_operator(found[0])
    struct.ndata = len(value)
    struct.data = array


def define(owner, kind, values):
    """A new definition from keyword arguments: (struct, what it points to, functions)."""
    struct = ffi.new(kind + " *")
    keep = []
    functions = Functions(owner)
    data = values.pop("data", None)
    fill(owner, struct, kind, values, keep, functions)
    if data is not None:
        if "data" not in fields_of(kind):
            raise TypeError("%s() has no argument 'data'" % kind[5:-4])
        operator_data(owner, struct, data, keep, functions, kind[5:-4] + "(): data")
    if functions.list and "user" in fields_of(kind):
        struct.user = functions.handle
    return struct, keep, functions


class Record:
    """Fields of a report of the library, as attributes."""

    def __init__(self, values):
        self.__dict__.update(values)

    def __repr__(self):
        return "(%s)" % ", ".join("%s=%r" % item for item in self.__dict__.items())

    def _repr_html_(self):
        rows = [(k, v if isinstance(v, np.ndarray) else repr(v)) for k, v in self.__dict__.items()]
        return table(type(self).__name__, (), rows)


def _array_reader(item):
    """The reader of an array of numbers, or of rows of numbers."""
    row = item.length if item.kind == "array" else None
    dtype = np.int32 if name_of(item.item if row else item) == "int" else float

    def read(value):
        array = np.frombuffer(ffi.buffer(value), dtype).copy()
        return array.reshape(-1, row) if row else array
    return read


def _reader(kind):
    """The function that makes an attribute of a field: None for a number, False for what is left out."""
    if kind.kind == "primitive":
        return None
    if kind.kind == "enum":
        words = {number: word for word, number in reversed(enum_words(kind).items())}
        return lambda value: words.get(value, value)
    if kind.kind == "struct":
        return record
    if kind.kind in ("array", "pointer") and name_of(kind.item) == "char":
        return text
    if kind.kind == "array" and kind.item.kind in ("primitive", "array"):
        return _array_reader(kind.item)
    return False


@functools.cache
def _readers(kind):
    found = [(name, _reader(field.type)) for name, field in kind.fields if name != "reserved"]
    return [(name, reader) for name, reader in found if reader is not False]


def record(struct):
    """A report as a Record: numbers, texts and small arrays; pointers to anything else are left out."""
    values = {}
    for name, reader in _readers(ffi.typeof(struct)):
        value = getattr(struct, name)
        values[name] = reader(value) if reader else value
    return Record(values)
