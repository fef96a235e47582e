"""Problems from NumPy and SciPy, their solution, their files."""
import importlib.util
import os
import sys
import tempfile

import numpy as np

import nsds
from support import check, close, finish, raises

M, q = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([-5.0, -6.0])
answer = nsds.Problem(M, q).solve()
check("an LCP", answer.solved and np.allclose(answer.z, [4 / 3, 7 / 3]) and np.allclose(answer.w, 0), repr(answer))
check("certificate", nsds.Problem(M, q).certify(answer.z).residual < 1e-12)
check("not a solution", nsds.Problem(M, q).certify([0.0, 0.0]).residual > 0.1)
check("by name", all(np.allclose(nsds.Problem(M, q).solve(s).z, answer.z) for s in ("lemke", "nsgs", "semismooth_newton")))
answer = nsds.Problem([[-1.0]], [-1.0]).solve()
check("no solution", not answer.solved and answer.outcome in ("no_solution", "ray", "not_converged"), answer.outcome)

# A block under friction: the law of Coulomb holds.
W = np.diag([1.0, 2.0, 2.0])
blocks = [dict(set="coulomb", size=3, mu=0.3)]
answer = nsds.Problem(W, [-1.0, 2.0, 0.0], blocks).solve()
r, u = answer.z, answer.w
check("friction", answer.solved and close(np.hypot(r[1], r[2]), 0.3 * r[0], 1e-8) and u[1] > 0, repr(answer))
box = nsds.Problem([[1.0]], [3.0], [dict(set="box", size=1, lower=-1.0, upper=1.0)]).solve()
check("a relay", close(box.z[0], -1.0, 1e-12), repr(box))

with nsds.Solver("nsgs", tolerance=1e-10) as solver:
    check("options", solver.get("tolerance") == 1e-10)
    seen = []
    big = np.eye(60) * 2 + np.diag(np.ones(59), 1) + np.diag(np.ones(59), -1)
    solver.progress(lambda iteration, residual: seen.append(iteration))
    check("solved", solver.solve(nsds.Problem(big, -np.ones(60))).solved and seen)
    solver.progress(lambda iteration, residual: True)
    check("interrupted", solver.solve(nsds.Problem(big, -np.arange(60.0))).outcome == "interrupted")
    solver.progress(lambda iteration, residual: 1 / 0)
    raises("exception of a progress function", ZeroDivisionError,
           lambda: solver.solve(nsds.Problem(big, -np.arange(60.0))))
    solver.progress(None)
    answer = solver.solve(nsds.Problem(big, -np.arange(60.0)), np.ones(60))
    check("started", answer.solved)
with nsds.Solver() as solver:
    for jacobian in (None, lambda z: [[2 * z[0]]]):
        answer = solver.solve_nonlinear(lambda z: z ** 2 - 4.0, "nonnegative", [1.0], jacobian)
        check("nonlinear", answer.solved and close(answer.z[0], 2.0, 1e-6), repr(answer))
    raises("exception of F", KeyError, lambda: solver.solve_nonlinear(lambda z: {}[1], "nonnegative", [1.0]))
check("the table", nsds.solvers()[0].name == "auto" and any(s.options for s in nsds.solvers()))



def parts_of(problem):
    """All that a problem is made of, by name, as nested lists."""
    def plain(value):
        if hasattr(value, "tocsc"):
            return value.toarray().tolist()
        if isinstance(value, np.ndarray):
            return value.tolist()
        if isinstance(value, list):
            return [plain(v) for v in value]
        if isinstance(value, dict):
            return {k: plain(v) for k, v in value.items()}
        return value
    return {name: plain(value) for name, value in vars(problem).items() if name not in ("kind", "storage")}


def drawn_blocks(rng):
    """Blocks of every set, and their number of rows."""
    blocks = []
    for _ in range(rng.integers(1, 5)):
        kind = rng.choice(["nonnegative", "equality", "box", "coulomb", "cone", "rolling", "disc", "polyhedron"])
        size = dict(coulomb=3, cone=3, rolling=5, disc=2).get(kind) or int(rng.integers(1, 4))
        block = dict(set=str(kind), size=size)
        if kind in ("coulomb", "cone", "rolling"):
            block["mu"] = rng.uniform(0.1, 0.9)
        if kind == "rolling":
            block["mu_rolling"] = rng.uniform(0.1, 0.9)
        if kind == "disc":
            block["radius"] = rng.uniform(1.0, 2.0)
        if kind == "box":
            block["lower"] = rng.uniform(-2.0, -1.0, size)
            block["upper"] = np.where(rng.uniform(size=size) < 0.3, np.inf, rng.uniform(1.0, 2.0, size))
        if kind == "polyhedron":
            facets = int(rng.integers(1, 4))
            block["H"], block["K"] = rng.uniform(-1, 1, (facets, size)), rng.uniform(-2.0, -1.0, facets)
        blocks.append(block)
    return blocks, sum(b["size"] for b in blocks)


# Blocks as one dict, from a generator, with numbers for bounds; what is given stays as it is.
one = dict(set="box", size=1, lower=-1.0, upper=1.0)
for given in (one, [one], (b for b in [one]), (one,)):
    problem = nsds.Problem([[2.0]], [6.0], given)
    check("blocks", problem.solve().z[0] == -1.0 and problem.blocks[0]["lower"].tolist() == [-1.0])
check("the given dict", one == dict(set="box", size=1, lower=-1.0, upper=1.0), str(one))
raises("a wrong sign of mu", nsds.RangeError, lambda: nsds.Problem(np.eye(3), np.ones(3), dict(set="coulomb", size=3, mu=-1.0)), "mu")
raises("a global one", nsds.RangeError, lambda: nsds.GlobalProblem(
    np.eye(3), np.eye(3), np.ones(3), np.ones(3), dict(set="coulomb", size=3, mu=-1.0)), "mu")
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "points.nsds")
    problem = nsds.Problem([[2.0]], [6.0])
    problem.guesses = [[float(k)] for k in range(5)]
    problem.write(path)
    again = nsds.read_problem(path)
    check("guesses", [g["z"].tolist() for g in again.guesses] == problem.guesses, str(again.guesses))
    check("storage", again.storage != "" and again.kind == "lcp", "%r %r" % (again.storage, again.kind))

# Every array of a problem comes back from a file, and is an array of its own.
rng = np.random.default_rng(2)
with tempfile.TemporaryDirectory() as folder:
    for k in range(60):
        blocks_drawn, n = drawn_blocks(rng)
        A = rng.standard_normal((n, n))
        problem = nsds.Problem(A @ A.T + np.eye(n), rng.standard_normal(n), blocks_drawn,
                               q_error=rng.uniform(0.0, 1e-9, n) if k % 2 else None, name="drawn %d" % k)
        path = os.path.join(folder, "drawn.nsds")
        problem.write(path)
        again = nsds.read_problem(path)
        was, now = parts_of(problem), parts_of(again)
        for name in was:
            check("%s after a file" % name, name in now and now[name] == was[name], "%r %r" % (was[name], now.get(name)))
        arrays = [again.M, again.q] + [v for b in again.blocks for v in b.values() if isinstance(v, np.ndarray)]
        check("arrays of its own", all(a.flags.writeable for a in arrays))
        for a in arrays:
            a[...] = 1.0
        check("another reading", parts_of(nsds.read_problem(path))["q"] == was["q"])

# The problem of a step stays as it was when the simulation goes on and ends.
model = nsds.Model()
for k in range(3):
    ball = model.rigid_body(mass=1.0 + k, inertia=np.eye(3), q0=[3.0 * k, 0, 0.1, 1, 0, 0, 0], v0=[1, 0, 0, 0, 0, 0],
                            gravity=[0, 0, -9.81])
    gap = model.sphere_plane_relation(dimension=3, rows=3, radius=0.1, normal=[0, 0, 1])
    model.connect(gap, model.newton_impact_friction(e_n=0.0, mu=0.2 + 0.1 * k, dimension=3), ball)
simulation = model.time_stepping(t1=1.0, h=0.01)
simulation.run(5)
kept = simulation.problem()
was = parts_of(kept)
check("the problem of a step", kept.n == 9 and [b["mu"] for b in kept.blocks] == [0.2, 0.2 + 0.1, 0.2 + 0.2] and
      set(was) >= {"n", "M", "q", "q_error", "blocks"}, str(was))
hidden, sys.modules["scipy.sparse"] = sys.modules.get("scipy.sparse"), None  # as where SciPy is not installed
check("the same matrix without SciPy", parts_of(simulation.problem()) == was and isinstance(simulation.problem().M, np.ndarray))
sys.modules["scipy.sparse"] = hidden
if hidden is None:
    del sys.modules["scipy.sparse"]
answer = kept.solve()
simulation.run(20)
model.close()
check("the problem stays", parts_of(kept) == was)
check("and its answer", answer.solved and np.array_equal(kept.solve().z, answer.z) and answer.z[0] > 0)

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "a.nsds")
    problem = nsds.Problem(W, [-1.0, 2.0, 0.0], blocks, name="block")
    problem.stored, problem.block_names, problem.guesses = dict(z=r, w=u), ["foot"], [dict(z=np.ones(3))]
    problem.write(path)
    again = nsds.read_problem(path)
    check("same numbers", np.array_equal(again.M, W) and np.array_equal(again.q, problem.q)
          and np.array_equal(again.stored["z"], r) and again.block_names == ["foot"] and again.name == "block"
          and np.array_equal(again.guesses[0]["z"], np.ones(3)) and again.blocks == blocks, repr(again.blocks))
    path = os.path.join(folder, "b.dat")
    nsds.Problem(M, q).write(path, "lcp")
    check("text", nsds.read_problem(path).kind == "lcp" and np.array_equal(nsds.read_problem(path).M, M))
    raises("no file", nsds.FileError, lambda: nsds.read_problem(os.path.join(folder, "none")), "none")
    with open(path, "w") as file:
        file.write("7 of something else\n")
    raises("malformed", nsds.FormatError, lambda: nsds.read_problem(path))
    if importlib.util.find_spec("scipy"):
        import scipy.sparse as sp
        path = os.path.join(folder, "c.nsds")
        nsds.Problem(sp.csc_matrix(M), q).write(path)
        again = nsds.read_problem(path)
        check("sparse", sp.issparse(again.M) and np.array_equal(again.M.toarray(), M) and again.solve().solved)
        H = sp.csc_matrix(np.eye(3))
        body = nsds.GlobalProblem(sp.identity(3, format="csc"), H, [-1.0, 0.1, 0.0], np.zeros(3), blocks)
        answer = body.solve()
        check("global", answer.solved and np.allclose(answer.v, [0, 0, 0], atol=1e-8), repr(answer))
        for problem in (body, nsds.GlobalProblem(2.0 * np.eye(4), np.ones((4, 3)), np.arange(4.0), np.arange(3.0) - 1.0, blocks,
                                                 G=np.eye(4)[:, :2], b=[0.5, -0.5], name="whole")):
            problem.write(path)
            again = nsds.read_problem(path)
            dense = {k: v.toarray() if hasattr(v, "tocsc") else v for k, v in vars(again).items()}
            for name, value in vars(problem).items():
                value = value.toarray() if hasattr(value, "tocsc") else value
                check("global: " + name, name in dense and (dense[name] is None and value is None or np.array_equal(
                    dense[name], value)), "%r %r" % (value, dense.get(name)))
        body.write(path)
        again = nsds.read_problem(path)
        check("global file", isinstance(again, nsds.GlobalProblem) and np.array_equal(again.f, body.f)
              and np.array_equal(again.H.toarray(), np.eye(3)))
finish()
