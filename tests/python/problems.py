"""Problems from NumPy and SciPy, their solution, their files."""
import importlib.util
import os
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
        body.write(path)
        again = nsds.read_problem(path)
        check("global file", isinstance(again, nsds.GlobalProblem) and np.array_equal(again.f, body.f)
              and np.array_equal(again.H.toarray(), np.eye(3)))
finish()
