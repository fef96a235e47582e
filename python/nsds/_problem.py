"""Nonsmooth problems w = M z + q with a set for each block, their solvers and their files."""
import numpy as np

from ._core import (NULL, Functions, Record, Single, SizeError, StateError, all_finite, chars, enum_value, ffi, fill, fitted,
                    lib, listed, number, numbers, record, small, sparse, text)
from . import _later
from ._calls import check_class, checked
from ._headers import FUNCTIONS
from ._html import Displayed
from ._simulation import _Plain
from ._words import nearest


def pointer_to(array):
    kind = "int *" if array.dtype == np.int32 else "double *"
    return ffi.cast(kind, array.ctypes.data)


def copy_of(pointer, n, dtype=np.float64):
    """n entries at a pointer, copied; None for NULL."""
    if pointer == NULL:
        return None
    size = 4 if dtype == np.int32 else 8
    return np.frombuffer(ffi.buffer(pointer, size * n), dtype).copy() if n else np.empty(0, dtype)


def blocks_of(blocks, n):
    """A list of blocks: dicts, or one word for all rows."""
    if isinstance(blocks, str):
        blocks = [dict(set=blocks, size=n)]
    elif isinstance(blocks, dict):
        blocks = [blocks]
    blocks = listed(blocks, "blocks")
    for block in blocks:
        if not isinstance(block, dict):
            raise TypeError("blocks: a block must be a dict such as dict(set='coulomb', size=3, mu=0.5), not %r" % (block,))
    blocks = [dict(block) for block in blocks]
    for block in blocks:
        if "set" not in block:
            raise TypeError("blocks: a block needs its set, for example dict(set='coulomb', size=3, mu=0.5)")
        for bound in ("lower", "upper"):
            if bound in block:
                block[bound] = np.atleast_1d(block[bound])
    return blocks


def read_blocks(block, count):
    """Blocks of the library as dicts."""
    result = []
    for k in range(count):
        b = block[k]
        entry = record(b)
        kept = dict(set=entry.set, size=b.size)
        used = dict(cone=("mu",), coulomb=("mu",), rolling=("mu", "mu_rolling"), disc=("radius",))
        for name in used.get(entry.set, ()):
            kept[name] = getattr(b, name)
        if entry.set == "box":
            kept.update(lower=copy_of(b.lower, b.size), upper=copy_of(b.upper, b.size))
        if entry.set == "polyhedron":
            kept.update(H=copy_of(b.H, b.nfacet * b.size).reshape((b.nfacet, b.size), order="F"),
                        K=copy_of(b.K, b.nfacet))
        result.append(kept)
    return result


def square(M, n, name):
    """A dense matrix of this size, or a sparse one of SciPy."""
    if hasattr(M, "tocsc"):
        if M.shape != (n, n):
            raise SizeError("%s has the shape %s; it must be %d x %d" % (name, "x".join(map(str, M.shape)), n, n))
        if M.dtype.kind not in "fiub":
            raise TypeError("%s must be a sparse matrix of real numbers, not of %s" % (name, M.dtype))
        return M.tocsc(copy=True)
    return np.array(fitted(numbers(M, name), (n, n), name))


def matrix_into(struct, M, keep, stamp=0):
    """Fills an nsds_matrix."""
    n = M.shape[0]
    struct.n = n
    struct.stamp = stamp
    if hasattr(M, "tocsc"):
        csc = sparse(M, M.shape, keep, "M")
        struct.storage, struct.p, struct.i, struct.x = lib.NSDS_CSC, csc.p, csc.i, csc.x
    else:
        memory = M.ravel("F").copy() if M.size else np.zeros(1)
        keep.append(memory)
        struct.storage, struct.x = lib.NSDS_DENSE, pointer_to(memory)


def matrix_from(M):
    """An nsds_matrix as an array, or as a sparse matrix of SciPy if it is not dense."""
    n = M.n
    if M.storage == lib.NSDS_DENSE:
        return copy_of(M.x, n * n).reshape((n, n), order="F").copy() if n else np.empty((0, 0))
    q = np.zeros(max(n, 1))
    problem = ffi.new("nsds_problem *", dict(n=n, nblock=0, M=M, q=pointer_to(q)))
    try:
        import scipy.sparse
    except ImportError:
        dense = np.zeros((n, n), order="F")
        lib.nsds_problem_to_dense(problem, pointer_to(dense))
        return dense
    p = np.zeros(n + 1, np.int32)
    work = np.zeros(max(int(lib.nsds_problem_csc_work(problem)), 1), np.int32)
    lib.nsds_problem_to_csc(problem, pointer_to(p), NULL, NULL, pointer_to(work))
    i, x = np.zeros(p[n], np.int32), np.zeros(p[n])
    lib.nsds_problem_to_csc(problem, pointer_to(p), pointer_to(i), pointer_to(x), pointer_to(work))
    return scipy.sparse.csc_matrix((x, i, p), shape=(n, n))


class Solution(Record):
    """An answer: z, w, solved (certified), outcome, residual, iterations, solver."""


def solution(info, **arrays):
    result = Solution(record(info[0]).__dict__)
    result.solved = info.outcome == lib.NSDS_SOLVED
    result.__dict__.update(arrays)
    return result


class Notes(Displayed):
    """What a file may hold beside a problem."""

    _fields = ("M", "q", "n", "blocks", "q_error", "scale", "name")

    def __setattr__(self, name, value):
        if name not in self._fields and not hasattr(type(self), name) and type(self) in (Problem, GlobalProblem):
            raise AttributeError("a problem has no %r%s" % (name, nearest(name, self._fields + NOTED)))
        object.__setattr__(self, name, value)

    name = None
    block_names = None
    kind = ""
    storage = ""
    stored = None
    guesses = ()

    def _notes(self, keep):
        notes = ffi.new("nsds_notes *")
        if self.name is not None:
            notes.name = chars(self.name, keep, "name")
        block_names = listed(() if self.block_names is None else self.block_names, "block_names")
        if block_names:
            names = ffi.new("const char *[]", [NULL if b is None else chars(b, keep, "a name") for b in block_names])
            if len(block_names) != len(self.blocks):
                raise SizeError("there are %d names for %d blocks" % (len(block_names), len(self.blocks)))
            keep.append(names)
            notes.block_name = names
        if self.stored is not None:
            notes.solution = self._point(ffi.new("nsds_stored_point *"), self.stored, keep)
        guesses = listed(() if self.guesses is None else self.guesses, "guesses")
        if guesses:
            points = ffi.new("nsds_stored_point[]", len(guesses))
            for k, point in enumerate(guesses):
                self._point(points + k, point, keep)
            keep.append(points)
            notes.guess, notes.nguess = points, len(guesses)
        keep.append(notes)
        return notes

    def _point(self, struct, point, keep):
        if not isinstance(point, dict):
            point = dict(z=point)
        for field, value in point.items():
            if value is None:
                continue
            if field not in ("z", "w", "v"):
                raise TypeError("a stored point has z, w and v, not %r" % field)
            array = fitted(numbers(value, field), (self._length(field),), field).copy()
            keep.append(array)
            setattr(struct, field, pointer_to(array))
        keep.append(struct)
        return struct

    def _read_notes(self, file):
        notes = lib.nsds_problem_file_notes(file)
        self.kind = text(lib.nsds_problem_file_kind(file))
        self.storage = text(lib.nsds_problem_file_storage(file))
        if notes == NULL:
            return
        self.name = text(notes.name)
        if notes.block_name != NULL:
            self.block_names = [text(notes.block_name[k]) for k in range(len(self.blocks))]

        def point(p):
            return {f: copy_of(getattr(p, f), self._length(f)) for f in ("z", "w", "v") if getattr(p, f) != NULL}
        if notes.solution != NULL:
            self.stored = point(notes.solution)
        self.guesses = [point(notes.guess[k]) for k in range(notes.nguess)]


class Problem(Notes):
    """A problem: find z with w = M z + q, and -(w + shift) in the normal cone of the set of each block at z.

    M is an array, or a sparse matrix of SciPy; q has n entries. `blocks` is a list of dicts such as
    dict(set="coulomb", size=3, mu=0.5), or one word for all rows: "nonnegative" is an LCP.
    """

    def __init__(self, M, q, blocks="nonnegative", q_error=None, name=None, scale=None):
        self.q = np.atleast_1d(np.array(numbers(q, "q")))
        if self.q.ndim != 1:
            raise SizeError("q must be a vector, not of the shape %s" % (self.q.shape,))
        self.n = self.q.size
        self.M = square(M, self.n, "M")
        self.blocks = blocks_of(blocks, self.n)
        self.q_error = None if q_error is None else np.array(fitted(numbers(q_error, "q_error"), (self.n,), "q_error"))
        self.scale = None if scale is None else np.array(fitted(numbers(scale, "scale"), (self.n,), "scale"))
        self.name = name
        self._struct()

    def _length(self, field):
        return self.n

    def __repr__(self):
        return "<nsds.Problem: %d rows, %d blocks>" % (self.n, len(self.blocks))

    def _facts(self):
        return [("rows", self.n), ("blocks", len(self.blocks)), ("name", self.name or ""), ("q", self.q)]

    @classmethod
    def _copy(cls, p):
        """A problem of the library as one of its own."""
        self = cls.__new__(cls)
        self.n = p.n
        self.q = copy_of(p.q, p.n)
        self.q_error = copy_of(p.q_error, p.n)
        self.scale = copy_of(p.scale, p.n)
        self.M = matrix_from(p.M)
        self.blocks = read_blocks(p.block, p.nblock)
        return self

    def _struct(self):
        """(struct, what it points to), checked by the library."""
        keep = []
        struct = ffi.new("nsds_problem *")
        struct.n = small(self.n, "n")
        fill_blocks(struct, blocks_of(self.blocks, self.n), keep)
        matrix_into(struct.M, square(self.M, self.n, "M"), keep)
        q = np.array(fitted(numbers(self.q, "q"), (self.n,), "q")) if self.n else np.zeros(1)
        keep.append(q)
        struct.q = pointer_to(q)
        for name in ("q_error", "scale"):
            given = getattr(self, name)
            if given is None:
                continue
            sizes = np.array(fitted(numbers(given, name), (self.n,), name))
            keep.append(sizes)
            setattr(struct, name, pointer_to(sizes))
        with _Plain() as plain:
            plain._call(lib.nsds_problem_check, plain._context, struct)
        return struct, keep

    def certify(self, z):
        struct, keep = self._struct()
        z = fitted(numbers(z, "z"), (self.n,), "z")
        work = np.zeros(max(int(lib.nsds_problem_work(struct)), 1))
        certificate = ffi.new("nsds_certificate *")
        lib.nsds_certify(struct, pointer_to(z), pointer_to(work), certificate)
        return record(certificate[0])

    def solve(self, solver="auto", z=None, **options):
        """Solves the problem once: see Solver.solve()."""
        with Solver(solver, **options) as s:
            return s.solve(self, z)

    def write(self, path, format="auto"):
        struct, keep = self._struct()
        notes = self._notes(keep)
        with _Plain() as plain:
            plain._call(lib.nsds_problem_write, plain._context, struct, notes, chars(path, keep, "path"),
                        enum_value(ffi.typeof("nsds_format"), format, "format"))


NOTED = ("block_names", "stored", "guesses", "kind", "storage")


def fill_blocks(struct, blocks, keep):
    array = ffi.new("nsds_block[]", max(len(blocks), 1))
    keep.append(array)
    for k, block in enumerate(blocks):
        fill(None, array[k], "nsds_block", block, keep, None, None, "block %d" % k)
    struct.block, struct.nblock = array, len(blocks)


class GlobalProblem(Notes):
    """A global problem: M v = H r + G lambda + f, u = H' v + w, G' v + b = 0, and a set for each block of (u, r)."""

    _fields = ("M", "H", "G", "f", "w", "b", "nv", "n", "p", "blocks", "name")

    def __init__(self, M, H, f, w, blocks, G=None, b=None, name=None):
        self.f = np.atleast_1d(np.array(numbers(f, "f")))
        self.w = np.atleast_1d(np.array(numbers(w, "w")))
        self.b = np.array(numbers([] if b is None else b, "b")).ravel()
        self.nv, self.n, self.p = self.f.size, self.w.size, self.b.size
        self.M, self.H, self.G, self.name = M, H, G, name
        self.blocks = blocks_of(blocks, self.n)
        self._struct()

    def _facts(self):
        return [("velocities", self.nv), ("rows", self.n), ("equalities", self.p), ("blocks", len(self.blocks))]

    def _length(self, field):
        return dict(z=self.n + self.p, w=self.n + self.p, v=self.nv)[field]

    @classmethod
    def _copy(cls, g):
        self = cls.__new__(cls)
        self.nv, self.n, self.p = g.nv, g.n, g.p
        self.f, self.w, self.b = copy_of(g.f, g.nv), copy_of(g.w, g.n), copy_of(g.b, g.p)
        if self.b is None:
            self.b = np.empty(0)
        self.M = matrix_from(g.M)
        self.H = self._csc(g.H, self.nv, self.n)
        self.G = self._csc(g.G, self.nv, self.p) if g.p else None
        self.blocks = read_blocks(g.block, g.nblock)
        return self

    @staticmethod
    def _csc(m, nrow, ncol):
        import scipy.sparse
        if m.p == NULL:
            return scipy.sparse.csc_matrix((nrow, ncol))
        nnz = m.p[m.ncol]
        return scipy.sparse.csc_matrix((copy_of(m.x, nnz), copy_of(m.i, nnz, np.int32),
                                        copy_of(m.p, m.ncol + 1, np.int32)), shape=(nrow, ncol))

    @staticmethod
    def _columns(M, name):
        import scipy.sparse
        return M if hasattr(M, "tocsc") else scipy.sparse.csc_matrix(numbers(M, name))

    def _struct(self):
        keep = []
        struct = ffi.new("nsds_global_problem *")
        struct.nv, struct.n, struct.p = small(self.nv, "nv"), small(self.n, "n"), small(self.p, "p")
        fill_blocks(struct, blocks_of(self.blocks, self.n), keep)
        matrix_into(struct.M, square(self.M, self.nv, "M"), keep)
        struct.H = sparse(self._columns(self.H, "H"), (self.nv, self.n), keep, "H")[0]
        if self.p:
            struct.G = sparse(self._columns(self.G, "G"), (self.nv, self.p), keep, "G")[0]
        for name, size in (("f", self.nv), ("w", self.n), ("b", self.p)):
            array = np.array(fitted(numbers(getattr(self, name), name), (size,), name)) if size else np.zeros(1)
            keep.append(array)
            setattr(struct, name, pointer_to(array))
        with _Plain() as plain:
            plain._call(lib.nsds_global_check, plain._context, struct)
        return struct, keep

    def solve(self, solver="global_reduction", r=None, **options):
        """Solves the problem once: see Solver.solve()."""
        with Solver(solver, **options) as s:
            return s.solve(self, r)

    def write(self, path, format="auto"):
        struct, keep = self._struct()
        notes = self._notes(keep)
        with _Plain() as plain:
            plain._call(lib.nsds_global_write, plain._context, struct, notes, chars(path, keep, "path"),
                        enum_value(ffi.typeof("nsds_format"), format, "format"))


def read_problem(path, format="auto"):
    keep = []
    with _Plain() as plain:
        file = plain._call(lib.nsds_problem_read, plain._context, chars(path, keep, "path"),
                           enum_value(ffi.typeof("nsds_format"), format, "format"))
        try:
            local = lib.nsds_problem_file_problem(file)
            problem = Problem._copy(local) if local != NULL else GlobalProblem._copy(lib.nsds_problem_file_global(file))
            problem._read_notes(file)
        finally:
            lib.nsds_problem_file_destroy(file)
    return problem


def start_of(values, n, name):
    """Where a solve begins, as an array of its own."""
    return np.array(all_finite(fitted(numbers(values, name), (n,), name), name))


class Solver(Single):
    """A solver of the table by name, with its options: Solver("nsgs", tolerance=1e-10)."""

    __slots__ = {"name": "The name in the table of solvers.", "_global": None, "_progress": None}
    _destroy = lib.nsds_solver_destroy

    def __init__(self, name="auto", log=None, threads=1, **options):
        self._open(threads, log)
        keep = []
        self._make(lib.nsds_solver_create, chars(name, keep, "Solver(): name"))
        self.name = text(lib.nsds_solver_get_row(self._c).name)
        self._global = lib.nsds_solver_get_row(self._c)[0]
        self._progress = None
        for option, value in options.items():
            self.set(option, value)

    def _facts(self):
        self._alive()
        row = lib.nsds_solver_get_row(self._c)
        names, k = [], 0
        while row.option != NULL and row.option[k].name != NULL:
            names.append(text(row.option[k].name))
            k += 1
        return [("method", self.name)] + [(name, self.get(name)) for name in names]

    def set(self, option, value):
        keep = []
        self._call(lib.nsds_solver_set, self._c, chars(option, keep, "the option"), number(value, option))

    def get(self, option):
        keep = []
        value = self._call(lib.nsds_solver_get, self._c, chars(option, keep, "the option"))
        if value != value:
            self._fail()
        return value

    def progress(self, function):
        """Has function(iteration, residual) called in each iteration; a true result ends the solve. None: no more."""
        self._alive()
        if self._gate.busy is not None:
            self._again()
            raise StateError("progress() is called from a function of the solver")
        if function is None:
            lib.nsds_solver_set_progress(self._c, NULL, NULL)
            self._progress = None
            return
        if not callable(function):
            raise TypeError("progress() takes a function of (iteration, residual)")
        self._progress = Functions(self)
        self._progress.add(function, (), "progress")
        lib.nsds_solver_set_progress(self._c, lib.nsds_py_progress, self._progress.handle)

    def _run(self, function, *arguments):
        """A solve: an unsolved problem is an answer, everything else is raised."""
        gate = self._gate
        outer = gate.busy is None
        if outer:
            gate.busy = True
        else:
            self._again()
        try:
            self._alive()
            status = function(self._c, *arguments)
        finally:
            if outer:
                gate.busy = None
        if gate.exception is not None or (status < 0 and (status != lib.NSDS_ERROR_SOLVER
                                                           or lib.nsds_error(self._context))):
            self._fail(status)

    def solve(self, problem, z=None):
        """Solves a Problem or a GlobalProblem from z (r), zero by default. The answer tells if it is solved."""
        info = ffi.new("nsds_solver_info *")
        if isinstance(problem, GlobalProblem):
            struct, keep = problem._struct()
            start = np.zeros(problem.n) if z is None else start_of(z, problem.n, "r")
            v, u, multiplier = np.zeros(max(problem.nv, 1)), np.zeros(max(problem.n, 1)), np.zeros(max(problem.p, 1))
            r = start if problem.n else np.zeros(1)
            self._run(lib.nsds_global_solve, struct, pointer_to(v), pointer_to(r), pointer_to(u),
                      pointer_to(multiplier), info)
            return solution(info, v=v[:problem.nv], r=r[:problem.n], u=u[:problem.n], lambda_=multiplier[:problem.p])
        if not isinstance(problem, Problem):
            raise TypeError("solve() takes a Problem or a GlobalProblem, not %s" % type(problem).__name__)
        struct, keep = problem._struct()
        n = problem.n
        z = np.zeros(max(n, 1)) if z is None else start_of(z, n, "z")
        w = np.zeros(max(n, 1))
        self._run(lib.nsds_solve, struct, pointer_to(z), pointer_to(w), info)
        return solution(info, z=z[:n], w=w[:n])

    def solve_nonlinear(self, F, blocks, z, jacobian=None, max_steps=0):
        """Solves w = F(z) with a set for each block. F and jacobian are functions of z; see nsds_nonlinear_solve()."""
        z = np.atleast_1d(np.array(all_finite(numbers(z, "z"), "z")))
        if z.ndim != 1:
            raise SizeError("z must be a vector, not of the shape %s" % (z.shape,))
        n = z.size
        keep = []
        struct = ffi.new("nsds_nonlinear_problem *")
        fill_blocks(struct, blocks_of(blocks, n), keep)
        functions = Functions(self)
        functions.n = n
        for k, (name, function, shape) in enumerate((("F", F, (n,)), ("jacobian", jacobian, (n, n)))):
            if function is None and k == 1:
                continue
            if not callable(function):
                raise TypeError("%s must be a function of z" % name)
            functions.list.append((function, shape, name))
            setattr(struct, name, lib.nsds_py_point_function(k))
        struct.n, struct.user = n, functions.handle
        w, info = np.zeros(max(n, 1)), ffi.new("nsds_solver_info *")
        self._run(lib.nsds_nonlinear_solve, struct, small(max_steps, "max_steps"), pointer_to(z), pointer_to(w), info)
        return solution(info, z=z, w=w[:n])


def solvers():
    """The built-in solvers, a list: name, summary, reference, options."""
    table, k = [], 0
    while True:
        row = lib.nsds_solver_table(k)
        if row == NULL:
            return table
        entry = record(row[0])
        entry.options, j = [], 0
        while row.option != NULL and row.option[j].name != NULL:
            entry.options.append(record(row.option[j]))
            j += 1
        table.append(entry)
        k += 1


GlobalProblem.write.__doc__ = FUNCTIONS["nsds_global_write"]
read_problem.__doc__ = FUNCTIONS["nsds_problem_read"]
for _class in (Problem, GlobalProblem, Solver):
    check_class(_class)
read_problem, solvers = checked(read_problem, "read_problem()"), checked(solvers, "solvers()")
_later.Problem = Problem
