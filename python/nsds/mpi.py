"""One problem on many processes: bounds on sparse symmetric matrices, and contacts with friction. Granular worlds.

Needs the library libnsds-mpi; mpi4py gives communicators other than that of all processes. Every process makes its
part and calls the same methods:

    import nsds.mpi
    with nsds.mpi.Group() as group:
        answer = group.solve(nsds.mpi.Rows(A[first:last], q[first:last]))

    mpirun -n 4 python3 program.py

docs/scale.md says when to use processes.
"""
import os
import weakref

import cffi
import numpy as np

from ._core import (NULL, Record, Single, SizeError, StateError, all_finite, ffi, fill, fitted, lib,
                    numbers, record)
from ._mpi_declarations import DECLARATIONS
from ._problem import blocks_of, fill_blocks, pointer_to, solution, start_of

_ffi = cffi.FFI()
_ffi.cdef(DECLARATIONS)
_library = None


def _lib():
    """libnsds-mpi, opened when the first group is made."""
    global _library
    if _library is None:
        version = lib.NSDS_VERSION_NUMBER
        name = "libnsds-mpi.so.%d.%d" % (version // 10000, version // 100 % 100)
        try:
            _library = _ffi.dlopen(os.environ.get("NSDS_MPI_LIBRARY", name))
        except OSError as error:
            raise ImportError("nsds.mpi needs the library %s (Debian: libnsds-mpi0.3): %s" % (name, error)) from None
    return _library


_REPORT = ("iterations", "residual", "violation", "colors", "gathered", "newton", "exchanges", "messages", "bytes",
           "reductions")


def _address(pointer):
    return _ffi.cast("void *", int(ffi.cast("uintptr_t", pointer)))


_BODY = np.dtype([("id", np.int64), ("kind", np.int32), ("size", float), ("q", float, 7), ("v", float, 6)], align=True)


def _wide(values, name):
    """Whole numbers as an array of long long."""
    array = np.atleast_1d(np.asarray(values))
    if array.size and array.dtype.kind not in "iu":
        raise TypeError("%s must be whole numbers, not of %s" % (name, array.dtype))
    return np.ascontiguousarray(array, np.int64)


class _Part:
    """The struct of a part. What it points to is in `keep`."""

    def _open(self, n, q, blocks):
        self.n = n
        self.q = np.array(fitted(numbers(q, "q"), (n,), "q")) if n else np.zeros(1)
        self.blocks = blocks_of(blocks, n)
        self.keep = [self.q]
        self.problem = ffi.new("nsds_problem *")
        fill_blocks(self.problem, self.blocks, self.keep)
        self.problem.n = self.problem.M.n = n
        self.problem.q = pointer_to(self.q)
        self.part = _ffi.new("nsds_mpi_part *")
        self.part.problem = _address(self.problem)

    def _numbers(self, field, values):
        values = values if values.size else np.zeros(1, np.int64)
        self.keep.append(values)
        setattr(self.part, field, _ffi.cast("long long *", values.ctypes.data))


class Rows(_Part):
    """Rows of a whole symmetric matrix that this process owns: those of process 0 come first, and so on.

    `rows` is an array or a sparse matrix of SciPy, the rows of this process by all columns. Blocks are equality, nonnegative and
    box, or one word for all rows.
    """

    def __init__(self, rows, q, blocks="nonnegative"):
        if hasattr(rows, "tocsr"):
            rows = rows.tocsr()
            start, column, x = rows.indptr, rows.indices, rows.data
        else:
            rows = numbers(rows, "rows")
            if rows.ndim != 2:
                raise SizeError("rows has the shape %s; it must be the rows of this process by all columns" % (rows.shape,))
            row, column = np.nonzero(rows)
            start, x = np.searchsorted(row, np.arange(rows.shape[0] + 1)), rows[row, column]
        self._open(rows.shape[0], q, blocks)
        start, x = np.array(start, np.int32), np.array(x if len(x) else [0.0], float)
        self.keep += [start, x]
        M = self.problem.M
        M.storage, M.p, M.x = lib.NSDS_CSC, pointer_to(start), pointer_to(x)
        self._numbers("number", _wide(column, "columns"))


class Contacts(_Part):
    """Blocks that this process owns, with the bodies that they meet: w = H W^-1 H' z + q.

    `edges` has a list for each block, of (number, H, Y): the number of the body's first column in the whole problem,
    H of the block's rows by its columns, and Y = W^-1 H'. Give each block an identifier in `identifiers`, if the answer
    must not depend on how the problem is cut.
    """

    def __init__(self, blocks, edges, q, identifiers=None):
        blocks = blocks_of(blocks, 0)
        if len(edges) != len(blocks):
            raise SizeError("edges has %d lists; there are %d blocks" % (len(edges), len(blocks)))
        rows = np.concatenate([[0], np.cumsum([b["size"] for b in blocks], dtype=int)])
        self._open(int(rows[-1]), q, blocks)
        of_body, columns, made = {}, [], []
        first = [0]
        for k, (block, list_of_edges) in enumerate(zip(blocks, edges)):
            for number, H, Y in list_of_edges:
                made.append(self._edge(k, block["size"], number, H, Y, of_body, columns))
            first.append(len(made))
        edge = ffi.new("nsds_edge[]", max(len(made), 1))
        for k, (column, H, Y) in enumerate(made):
            edge[k].column, edge[k].size, edge[k].H, edge[k].Y = column, H.shape[1], pointer_to(H), pointer_to(Y)
        row, first = np.array(rows, np.int32), np.array(first, np.int32)
        factored = ffi.new("nsds_factored *", dict(nrow_block=len(blocks), ncolumn=len(columns), row=pointer_to(row),
                                                   first_edge=pointer_to(first), edge=edge))
        self.keep += [edge, row, first, factored]
        self.problem.M.storage, self.problem.M.factored = lib.NSDS_FACTORED, factored
        self._numbers("number", _wide(columns if columns else np.zeros(0, int), "numbers"))
        if identifiers is not None:
            self._numbers("block", fitted(_wide(identifiers, "identifiers"), (len(blocks),), "identifiers"))

    def _edge(self, k, size, number, H, Y, of_body, columns):
        """(column here, H, Y) of an edge, by columns. A body gets its columns when it comes first."""
        H = np.asfortranarray(all_finite(numbers(H, "H"), "H"), float)
        if H.ndim != 2 or H.shape[0] != size:
            raise SizeError("H of block %d has the shape %s; the block has %d rows" % (k, H.shape, size))
        Y = np.asfortranarray(fitted(numbers(Y, "Y"), (H.shape[1], size), "Y"), float)
        self.keep += [H, Y]
        if number not in of_body:
            of_body[number] = len(columns)
            columns.extend(range(number, number + H.shape[1]))
        return of_body[number], H, Y


class Group(Single):
    """The processes that share problems. `comm` is a communicator of mpi4py; None: all processes."""

    __slots__ = ("_worlds",)

    def __init__(self, comm=None):
        library = _lib()
        self._worlds = weakref.WeakSet()
        pointer = NULL
        if comm is not None:
            from mpi4py import MPI
            pointer = MPI._addressof(comm)
        self._open()
        self._make(lambda context: library.nsds_mpi_create(_address(context), _ffi.cast("void *", int(
            ffi.cast("uintptr_t", pointer) if pointer is NULL else pointer))))

    def _destroy(self, c):
        for world in list(self._worlds):
            world.close()
        _library.nsds_mpi_destroy(c)

    @property
    def rank(self):
        """Number of this process, from 0 on."""
        self._alive()
        return _library.nsds_mpi_rank(self._c)

    @property
    def size(self):
        """Number of processes."""
        self._alive()
        return _library.nsds_mpi_size(self._c)

    def total(self, values):
        """The sum over all processes."""
        self._alive()
        sums = np.array(numbers(values, "values"), ndmin=1)
        _library.nsds_mpi_total(self._c, sums.size, _ffi.cast("double *", sums.ctypes.data))
        return sums if np.ndim(values) else float(sums[0])

    def _checked(self, status):
        if status < 0 and (status != lib.NSDS_ERROR_SOLVER or lib.nsds_error(self._context)):
            self._fail(status)

    def solve(self, part, z=None, tolerance=0.0, max_iterations=0, reproducible=False, gather=0,
              gather_after=0):
        """Solves the whole problem from z, zero by default. The answer has the rows of this part.

        The options are those of nsds_mpi_options; 0 is the default. gather=-1: no process ever holds the whole problem.
        """
        self._alive()
        z = np.zeros(max(part.n, 1)) if z is None else start_of(z, part.n, "z")
        z = z if z.size else np.zeros(1)
        w = np.zeros(max(part.n, 1))
        options = _ffi.new("nsds_mpi_options *", dict(tolerance=tolerance, max_iterations=max_iterations,
                                                      reproducible=reproducible, gather=gather,
                                                      gather_after=gather_after))
        info = _ffi.new("nsds_mpi_info *")
        self._checked(_library.nsds_mpi_solve(self._c, part.part, options, _ffi.cast("double *", z.ctypes.data),
                                              _ffi.cast("double *", w.ctypes.data), info))
        outcome = ffi.new("nsds_solver_info *", dict(outcome=info.outcome))
        known = dict((name, getattr(info, name)) for name in _REPORT)
        answer = solution(outcome, z=z[:part.n], w=w[:part.n])
        kept = dict(outcome=answer.outcome, solved=answer.solved, z=answer.z, w=answer.w, **known)
        answer.__dict__.clear()
        answer.__dict__.update(kept)
        return answer

    def certify(self, part, z):
        """The certificate of z in the whole problem, the same on all processes apart from the worst blocks."""
        self._alive()
        z = fitted(numbers(z, "z"), (part.n,), "z") if part.n else np.zeros(1)
        w = np.zeros(max(part.n, 1))
        certificate = ffi.new("nsds_certificate *")
        self._checked(_library.nsds_mpi_certify(self._c, part.part, _ffi.cast("double *", z.ctypes.data),
                                                _ffi.cast("double *", w.ctypes.data), _address(certificate)))
        return record(certificate[0])


def _structs(group, kind, many, place):
    """An array of structs of libnsds from dicts, and what they point to."""
    many = [many] if isinstance(many, dict) else list(many)
    array, keep = ffi.new(kind + "[]", max(len(many), 1)), []
    for k, values in enumerate(many):
        fill(group, array[k], kind, dict(values), keep, None, {"dimension": 3}, "%s[%d]" % (place, k))
    return array, [array] + keep, len(many)


class World:
    """A granular world on the processes of a group: bodies with shapes, static scenery. All processes call the same.

        world = nsds.mpi.World(group, h=1e-3, kinds=[dict(mass=1.0, inertia=np.eye(3), shapes=[dict(kind="sphere",
                               radius=0.1)])], materials=[dict(mu=0.5)], bodies=dict(id=range(8), q=positions),
                               scenery=[dict(kind="half_space", plane=dict(normal=[0, 0, 1]))], gravity=[0, 0, -9.81])
        world.step()

    `bodies` has arrays of this process: id; q of 3 or 7 numbers a body; v (zero), kind (0), size (1). Scenery has
    shapes that do not move; moving scenery is for C programs. Other options are those of nsds_mpi_world_def.
    """

    def __init__(self, group, h, kinds, bodies=None, materials=({},), scenery=(), gravity=(0.0, 0.0, 0.0), **options):
        group._alive()
        self._group, self._c = group, None
        known = ("t0", "reach", "skin", "tolerance", "max_iterations", "gather", "reproducible",
                 "leads_out", "overlap_sweeps")
        for name in options:
            if name not in known:
                raise TypeError("World() has no argument %r; it has %s" % (name, ", ".join(known)))
        material, keep, nmaterial = _structs(group, "nsds_material", materials, "materials")
        kind, nkind = self._kinds(kinds, keep)
        body, nbody = self._bodies(bodies or {})
        self._scenery, self._kept, self._nscenery = _structs(group, "nsds_shape_def", scenery, "scenery")
        self._callback = _ffi.callback("nsds_mpi_scenery_fn", self._make_scenery)
        definition = _ffi.new("nsds_mpi_world_def *", dict(
            h=h, gravity=list(fitted(numbers(gravity, "gravity"), (3,), "gravity")), nmaterial=nmaterial,
            material=_address(material), nkind=nkind, kind=kind, nbody=nbody, body=body, scenery=self._callback,
            **options))
        self._c = _library.nsds_mpi_world_create(group._c, definition)
        if self._c == _ffi.NULL:
            self._c = None
            group._fail()
        group._worlds.add(self)

    def _kinds(self, kinds, keep):
        kinds = [kinds] if isinstance(kinds, dict) else list(kinds)
        array = _ffi.new("nsds_mpi_kind[]", max(len(kinds), 1))
        for k, values in enumerate(kinds):
            wrong = set(values) - {"mass", "inertia", "shapes"}
            if wrong:
                raise TypeError("kinds[%d] has no entry %r; it has mass, inertia, shapes" % (k, sorted(wrong)[0]))
            place = "kinds[%d]: " % k
            shapes, more, count = _structs(self._group, "nsds_shape_def", values.get("shapes", ()), place + "shapes")
            inertia = fitted(numbers(values.get("inertia", np.zeros((3, 3))), "inertia"), (3, 3), place + "inertia")
            array[k] = dict(mass=values.get("mass", 0.0), inertia=list(inertia.ravel()), nshape=count,
                            shape=_address(shapes))
            keep += more
        return array, len(kinds)

    def _bodies(self, bodies):
        wrong = set(bodies) - {"id", "kind", "size", "q", "v"}
        if wrong:
            raise TypeError("bodies has no entry %r; it has id, kind, size, q, v" % sorted(wrong)[0])
        ids = _wide(bodies.get("id", ()), "bodies: id") if len(bodies.get("id", ())) else np.zeros(0, np.int64)
        n = ids.size
        array = _ffi.new("nsds_mpi_body[]", max(n, 1))
        view = np.frombuffer(_ffi.buffer(array), _BODY)[:n]
        view["id"] = ids
        view["kind"] = bodies.get("kind", 0)
        view["size"] = bodies.get("size", 1.0)
        view["v"] = bodies.get("v", 0.0)
        if n:
            q = numbers(bodies.get("q", np.zeros((n, 3))), "bodies: q")
            if q.ndim != 2 or q.shape not in ((n, 3), (n, 7)):
                raise SizeError("bodies: q has shape %s, must be (%d, 3) or (%d, 7)" % (q.shape, n, n))
            view["q"][:, :q.shape[1]] = q
        return array, n

    def _make_scenery(self, model, contacts, user):
        contacts = ffi.cast("nsds_contact_set *", int(_ffi.cast("uintptr_t", contacts)))
        for k in range(self._nscenery):
            if lib.nsds_shapes_add(contacts, ffi.addressof(self._scenery, k)) < 0:
                return lib.nsds_error(self._group._context)
        return 0

    def _alive(self):
        self._group._alive()
        if self._c is None:
            raise StateError("the world is closed")
        return self._c

    def step(self, count=1):
        """Takes steps. A step that fails on one process fails on all, and the world is as before."""
        for _ in range(count):
            self._checked(_library.nsds_mpi_world_step(self._alive()))

    def _checked(self, status):
        if status < 0:
            self._group._fail(status)

    time = property(lambda self: _library.nsds_mpi_world_time(self._alive()))

    def report(self):
        """The report of the last step, see nsds_mpi_world_info."""
        info = _library.nsds_mpi_world_report(self._alive())
        own = ("steps", "rebuilds", "contacts", "own_contacts", "bodies", "ghosts", "busiest")
        return Record(dict([(name, getattr(info, name)) for name in own] +
                           [(name, getattr(info.solver, name)) for name in _REPORT]))

    def bodies(self):
        """Arrays of the bodies that this process owns: id, kind, size, q of 7 numbers, v of 6."""
        n = _library.nsds_mpi_world_count(self._alive())
        array = _ffi.new("nsds_mpi_body[]", max(n, 1))
        for k in range(n):
            self._checked(_library.nsds_mpi_world_body(self._c, k, array + k))
        view = np.frombuffer(_ffi.buffer(array), _BODY)[:n]
        return Record(dict((name, view[name].copy()) for name in _BODY.names))

    def save(self, path):
        """Writes a snapshot: a manifest, and a file of each process beside it."""
        self._checked(_library.nsds_mpi_world_save(self._alive(), os.fsencode(path)))

    def load(self, path):
        """Goes on from a snapshot, on any number of processes."""
        self._checked(_library.nsds_mpi_world_load(self._alive(), os.fsencode(path)))

    def write_vtk(self, path, frame):
        """Writes the bodies as points for ParaView."""
        self._checked(_library.nsds_mpi_world_write_vtk(self._alive(), os.fsencode(path), frame))

    def close(self):
        """Frees the world. The end of its group does so too."""
        c, self._c = self._c, None
        if c is not None:
            _library.nsds_mpi_world_destroy(c)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    def __del__(self):
        try:
            self.close()
        except Exception:
            pass
