"""Problems on many processes: beside the same problem on one, and with the communicators of mpi4py.

    mpirun -n 2 python3 mpi.py
"""
import importlib.util

import numpy as np
from mpi4py import MPI

import nsds
import nsds.mpi
from support import check, finish, raises

world = MPI.COMM_WORLD
rank, size = world.rank, world.size


def cut(n, ranks=size, r=rank):
    return n * r // ranks, n * (r + 1) // ranks


def gather(part):
    return np.concatenate(world.allgather(part))


# ---- bounds: a membrane over an obstacle

side = 12
line = 2.0 * np.eye(side) - np.eye(side, k=1) - np.eye(side, k=-1)
A = np.kron(line, np.eye(side)) + np.kron(np.eye(side), line)
q = 0.3 * np.sin(np.arange(side * side)) - 0.05
first, last = cut(side * side)
whole = nsds.Problem(A, q).solve(tolerance=1e-12)
with nsds.mpi.Group() as group:
    check("ranks", group.rank == rank and group.size == size)
    check("sums", group.total(rank + 1.0) == size * (size + 1) / 2 and np.array_equal(group.total([1.0, 2.0]),
                                                                                     [size, 2.0 * size]))
    part = nsds.mpi.Rows(A[first:last], q[first:last])
    answer = group.solve(part, tolerance=1e-11)
    z = gather(answer.z)
    check("bounds", answer.solved and np.abs(z - whole.z).max() < 1e-8, repr(answer))
    check("judged", nsds.Problem(A, q).certify(z).residual < 1e-10)
    check("w", np.abs(gather(answer.w) - (A @ z + q)).max() < 1e-10)
    one = nsds.Problem(A, q).certify(z + 0.1)
    check("certificate", np.isclose(group.certify(part, answer.z + 0.1).residual, one.residual, rtol=1e-9))
    if importlib.util.find_spec("scipy"):
        import scipy.sparse
        sparse = group.solve(nsds.mpi.Rows(scipy.sparse.csr_matrix(A[first:last]), q[first:last]), tolerance=1e-11)
        check("the same of SciPy", np.array_equal(gather(sparse.z), z))
    boxes = [dict(set="box", size=last - first, lower=np.full(last - first, -0.1), upper=np.full(last - first, 0.2))]
    answer = group.solve(nsds.mpi.Rows(A[first:last], q[first:last], boxes))
    z = gather(answer.z)
    check("boxes", answer.solved and z.min() >= -0.1 and z.max() <= 0.2)

    # ---- contacts: a chain of bodies with friction, which draws from a seed that all processes know

    bodies = 17
    random = np.random.default_rng(3)
    blocks, edges, given = [], [], []
    for k in range(bodies):
        pair = []
        for body, sign in ((k, 1.0), (k - 1, -1.0)):
            if body >= 0:
                H = sign * (np.eye(3) + 0.1 * random.standard_normal((3, 3)))
                pair.append((3 * body, H, H.T / (1.0 + body)))
        blocks.append(dict(set="coulomb", size=3, mu=0.4))
        edges.append(pair)
        given.append(random.standard_normal(3))
    given = np.array(given)
    first, last = cut(bodies)
    part = nsds.mpi.Contacts(blocks[first:last], edges[first:last], given[first:last].ravel(), np.arange(first, last))
    answer = group.solve(part, tolerance=1e-10, reproducible=True)
    H = np.zeros((3 * bodies, 3 * bodies))
    Y = np.zeros((3 * bodies, 3 * bodies))
    for k in range(bodies):
        for column, h, y in edges[k]:
            H[3 * k:3 * k + 3, column:column + 3] = h
            Y[column:column + 3, 3 * k:3 * k + 3] = y
    z = gather(answer.z)
    check("contacts", answer.solved and nsds.Problem(H @ Y, given.ravel(), blocks).certify(z).residual < 1e-9, repr(answer))

    # ---- each process alone, on a communicator of its own

    with nsds.mpi.Group(MPI.COMM_SELF) as alone:
        check("alone", alone.size == 1 and alone.rank == 0)
        single = alone.solve(nsds.mpi.Contacts(blocks, edges, given.ravel(), np.arange(bodies)), tolerance=1e-10,
                             reproducible=True)
        check("the same bits", np.array_equal(single.z, z))

    # ---- refusals

    bad = nsds.mpi.Rows(A[first:last], np.zeros(last - first))
    raises("a start of another length", ValueError, lambda: group.solve(bad, z=np.zeros(last - first + 1)))
    wrong = 2.0 if rank == size - 1 else 0.0
    raises("an option that is wrong on one process", nsds.Error, lambda: group.solve(bad, tolerance=wrong))
    raises("a vector", nsds.SizeError, lambda: nsds.mpi.Rows(np.ones(2), [0.0, 0.0]))
    raises("sizes", nsds.SizeError, lambda: nsds.mpi.Contacts(blocks[:1], [], given[0]))
    raises("H of another size", nsds.SizeError, lambda: nsds.mpi.Contacts(blocks[:1], [[(0, np.eye(2), np.eye(2))]], given[0]))
raises("a closed group", nsds.StateError, lambda: group.solve(part))
finish()
