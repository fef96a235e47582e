"""One problem on many processes: bounds on sparse symmetric matrices, and contacts with friction.

Needs the library libnsds-mpi; mpi4py gives communicators other than that of all processes. Every process makes its
part and calls the same methods:

    import nsds.mpi
    with nsds.mpi.Group() as group:
        answer = group.solve(nsds.mpi.Rows(A[first:last], q[first:last]))

    mpirun -n 4 python3 program.py

docs/scale.md says when to use processes.
"""
import os

import cffi
import numpy as np

from ._core import NULL, Single, SizeError, all_finite, ffi, fitted, lib, numbers, record
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


def _address(pointer):
    return _ffi.cast("void *", int(ffi.cast("uintptr_t", pointer)))


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

    __slots__ = ()

    def __init__(self, comm=None):
        library = _lib()
        pointer = NULL
        if comm is not None:
            from mpi4py import MPI
            pointer = MPI._addressof(comm)
        self._open()
        self._make(lambda context: library.nsds_mpi_create(_address(context), _ffi.cast("void *", int(
            ffi.cast("uintptr_t", pointer) if pointer is NULL else pointer))))

    def _destroy(self, c):
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
        names = ("iterations", "residual", "violation", "colors", "gathered", "newton", "exchanges", "messages",
                 "bytes", "reductions")
        outcome = ffi.new("nsds_solver_info *", dict(outcome=info.outcome))
        known = dict((name, getattr(info, name)) for name in names)
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
