"""Problems on many processes: beside the same problem on one, and with the communicators of mpi4py.

    mpirun -n 2 python3 mpi.py
"""
import importlib.util
import os
import shutil
import tempfile

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
        # sums over processes have no fixed order here
        check("the same of SciPy", sparse.solved and np.abs(gather(sparse.z) - z).max() < 1e-8, repr(sparse))
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
    # ---- a world: spheres that slide on a plane until they roll, with 5/7 of their speed

    count, mu, gravity, speed, h = 12, 0.5, 9.81, 1.0, 1e-3
    mine = np.arange(rank, count, size)
    places = np.column_stack([0.3 * mine, np.zeros(mine.size), np.full(mine.size, 0.1)])
    sphere = dict(mass=1.0, inertia=0.4 * 0.1**2 * np.eye(3), shapes=[dict(kind="sphere", radius=0.1)])
    given = dict(h=h, kinds=[sphere], materials=[dict(mu=mu)], gravity=[0, 0, -gravity],
                 scenery=[dict(kind="half_space", plane=dict(normal=[0, 0, 1]))])
    speeds = np.tile([0.0, speed, 0.0, 0.0, 0.0, 0.0], (mine.size, 1))
    grains = nsds.mpi.World(group, bodies=dict(id=mine, q=places, v=speeds), reproducible=True, **given)
    grains.step(20)
    seen = world.allgather(grains.bodies())
    v = np.vstack([b.v for b in seen])
    check("every body is owned once", sorted(np.concatenate([b.id for b in seen])) == list(range(count)))
    check("sliding", np.abs(v[:, 1] - (speed - 20 * h * mu * gravity)).max() < 1e-8, v[:, 1])
    report = grains.report()
    check("contacts", report.contacts == count and report.steps == 20 and report.residual <= 1e-10, report)
    folder = world.bcast(tempfile.mkdtemp() if rank == 0 else None)
    path = os.path.join(folder, "grains")
    grains.save(path)
    grains.step(60)
    rolled = grains.bodies()
    v = np.vstack(world.allgather(rolled.v))
    check("rolling", np.abs(v[:, 1] - 5.0 / 7.0 * speed).max() < 1e-8, v[:, 1])
    check("time", abs(grains.time - 80 * h) < 1e-12)
    with nsds.mpi.World(group, reproducible=True, **given) as again:
        again.load(path)
        again.step(60)
        order = np.argsort(np.concatenate(world.allgather(again.bodies().id)))
        before = np.argsort(np.concatenate(world.allgather(rolled.id)))
        check("a snapshot", np.array_equal(np.vstack(world.allgather(again.bodies().q))[order],
                                           np.vstack(world.allgather(rolled.q))[before]))
    raises("two bodies with one identifier", nsds.Error, lambda: nsds.mpi.World(
        group, bodies=dict(id=np.zeros(2, int), q=np.zeros((2, 3))), **given))
    raises("an unknown option", TypeError, lambda: nsds.mpi.World(group, steps=3, **given))
    raises("an unknown entry of bodies", TypeError, lambda: nsds.mpi.World(group, bodies=dict(x=[1]), **given))
    raises("places of another size", nsds.SizeError, lambda: nsds.mpi.World(
        group, bodies=dict(id=[0], q=np.zeros((1, 2))), **given))
    raises("a kind without shapes", nsds.Error, lambda: nsds.mpi.World(group, h=h, kinds=[dict(mass=1.0)]))
    raises("a closed world", nsds.StateError, lambda: again.step())
    world.Barrier()
    if rank == 0:
        shutil.rmtree(folder)
raises("a world of a closed group", nsds.StateError, lambda: grains.step())
raises("a closed group", nsds.StateError, lambda: group.solve(part))
finish()
