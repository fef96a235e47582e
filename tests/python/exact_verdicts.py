"""Verdicts on drawn problems, checked in rational arithmetic.

    exact_verdicts.py [COUNT [SEED]]      PYTHONPATH is the built package

All data are dyadic, so fractions hold them exactly. COUNT problems of seven families are solved at five tolerances, and
every verdict is checked without any rounding:

- "solved": w of the pair z + low is computed exactly. With a scale s for each row, the law of row i must hold for some
  z + dz and w + dw with |dw_i| <= t s_i and d_i |dz_i| <= t s_i. The certifier does not count rounding of z, up to
  2^-40 of the load; the check allows the same.
- "no solution": the proof y is evaluated exactly. M^T y vanishes on free rows and is <= 0 on nonnegative ones, up to a
  rest that only reactions of 1e12 loads outweigh, and q.y < 0. Without a proof, all bases of at most eight rows are
  enumerated in rational arithmetic. A problem that was made from its solution has one.
- A problem is given up if its solution is known, its rounding meets the bound, and the verdict is another one.

Exit status 1: a verdict is wrong, or more than 2 % are given up.
"""
import random
import sys
from fractions import Fraction

import numpy as np
from nsds import Problem, Solver
from nsds._core import NULL, ffi, lib
from nsds._problem import copy_of, pointer_to

TOLERANCES = (1e-4, 1e-6, 1e-8, 1e-10, 1e-12)
OUTCOMES = {lib.NSDS_SOLVED: "solved", lib.NSDS_NOT_CONVERGED: "not converged", lib.NSDS_NO_SOLUTION: "no solution",
            lib.NSDS_RAY: "ray", lib.NSDS_REFUSED: "refused"}
LEAST_REACH = Fraction(10) ** 12
draw = random.Random()


class Drawn:
    """Rows w = M z + q: `free` equality rows, then nonnegative ones. M is a list of dicts of fractions.
    `answer` is a solution, or None; `closing`: the sum of all w is -closing, so nothing solves."""

    def __init__(self, family, rows, q, free=0, answer=None, scale=None, closing=None):
        self.family, self.rows, self.q, self.free = family, rows, q, free
        self.answer, self.scale, self.closing = answer, scale, closing
        self.n = len(q)

    def times(self, z):
        return [sum((x * z[j] for j, x in row.items()), self.q[i]) for i, row in enumerate(self.rows)]

    def dense(self):
        M = np.zeros((self.n, self.n))
        for i, row in enumerate(self.rows):
            for j, x in row.items():
                M[i, j] = x
        return M


# ---- families --------------------------------------------------------------------------------------


def power(low, high):
    return Fraction(2) ** draw.randint(low, high)


def spheres(closing):
    """A row of bodies between two walls. With `closing`, the walls approach each other by a part of the load."""
    bodies = draw.choice((2, 3, 4, 6, 10, 20)) if draw.random() < 0.95 else draw.randint(20, 299)
    spread = draw.randint(0, 13)  # mass ratios up to 2^26
    inverse = [Fraction(0)] + [power(-spread, spread) for _ in range(bodies)] + [Fraction(0)]
    rows = []
    for k in range(bodies + 1):
        row = {k: inverse[k] + inverse[k + 1]}
        if k > 0:
            row[k - 1] = -inverse[k]
        if k < bodies:
            row[k + 1] = -inverse[k + 1]
        rows.append(row)
    if closing:
        margin = power(-40, 0)
        speed = [Fraction(0)] + [Fraction(draw.randint(-32, 32), 32) * draw.choice((0, 1)) for _ in range(bodies)]
        speed.append(-margin)
        q = [speed[k + 1] - speed[k] for k in range(bodies + 1)]
        return Drawn("closing rows", rows, q, closing=margin)
    return from_answer("opening rows", rows, lambda: Fraction(draw.randint(0, 64), 64) * power(-spread, spread),
                       lambda: Fraction(draw.randint(1, 64), 64), draw.random())


def from_answer(family, rows, reaction, opening, held, free=0, degenerate=0.0):
    """q = w - M z of a solution: rows are held with this probability, and some have z = w = 0."""
    n = len(rows)
    z, w = [Fraction(0)] * n, [Fraction(0)] * n
    for i in range(n):
        if i >= free and draw.random() < degenerate:
            continue
        if i < free or draw.random() < held:
            z[i] = reaction()
        else:
            w[i] = opening()
    p = Drawn(family, rows, w, free, answer=z)
    p.q = [w[i] - sum(x * z[j] for j, x in row.items()) for i, row in enumerate(rows)]
    return p


def integer_matrix(n, rank, skew=0):
    A = [[draw.randint(-3, 3) for _ in range(rank)] for _ in range(n)]
    M = [[sum(A[i][k] * A[j][k] for k in range(rank)) for j in range(n)] for i in range(n)]
    for i in range(n):
        for j in range(i):
            x = draw.randint(-skew, skew)
            M[i][j] += x
            M[j][i] -= x
    return M


def sparse(M):
    return [{j: Fraction(x) for j, x in enumerate(row) if x} for row in M]


def degenerate():
    n = draw.randint(2, 30)
    M = integer_matrix(n, draw.randint(1, n), draw.choice((0, 0, 2)))
    size = lambda: Fraction(draw.randint(1, 9))
    return from_answer("degenerate", sparse(M), size, size, 0.5, free=draw.choice((0, 0, n // 3)), degenerate=0.4)


def p0():
    """Triangular with zeros on the diagonal, or semidefinite; q as it comes."""
    n = draw.randint(2, 8)
    if draw.random() < 0.5:
        M = [[0] * n for _ in range(n)]
        for i in range(n):
            M[i][:i] = [draw.randint(-2, 2) for _ in range(i)]
            M[i][i] = draw.choice((0, 0, 1, 2))
    else:
        M = integer_matrix(n, draw.randint(1, n), 2)
    return Drawn("P0", sparse(M), [Fraction(draw.randint(-5, 4)) for _ in range(n)])


def any_class():
    n = draw.randint(2, 7)
    M = [[draw.randint(-3, 3) for _ in range(n)] for _ in range(n)]
    free = draw.choice((0, 0, 0, 1, 2))
    return Drawn("no class", sparse(M), [Fraction(draw.randint(-5, 4)) for _ in range(n)], free=free)


def nearly_singular():
    """The rank falls by one at a distance of 2^-k: reactions of 2^k loads, or none."""
    n = draw.randint(2, 8)
    M = sparse(integer_matrix(n, n - 1))
    small = power(-40, -4)
    for i in range(n):
        M[i][i] = M[i].get(i, Fraction(0)) + small * draw.choice((0, 1, 1))
    return Drawn("nearly singular", M, [Fraction(draw.randint(-5, 4)) for _ in range(n)])


def infeasible():
    """M v = 0 and q.v < 0 for v = (1, ..., 1): no solution."""
    n = draw.randint(2, 20)
    M = [[0] * n for _ in range(n)]
    for _ in range(draw.randint(1, n)):
        a = [draw.randint(-4, 4) for _ in range(n - 1)]
        a.append(-sum(a))
        for i in range(n):
            for j in range(n):
                M[i][j] += a[i] * a[j]
    q = [Fraction(draw.randint(-4, 4)) for _ in range(n)]
    margin = power(-30, 2)
    q[-1] -= sum(q) + margin
    return Drawn("infeasible", sparse(M), q, closing=margin)


def in_units(p):
    """The same problem with rows and columns in other units, and a scale in these."""
    size = max([abs(x) for x in p.q] + [Fraction(1, 2**20)])
    row = [power(-60, 60) for _ in range(p.n)]
    column = [power(-60, 60) for _ in range(p.n)]
    rows = [{j: x * row[i] * column[j] for j, x in r.items()} for i, r in enumerate(p.rows)]
    answer = p.answer and [x / column[i] for i, x in enumerate(p.answer)]
    return Drawn(p.family + " in units", rows, [x * row[i] for i, x in enumerate(p.q)], p.free, answer,
                 [float(size * row[i]) for i in range(p.n)])


FAMILIES = (lambda: spheres(True), lambda: spheres(True), lambda: spheres(False), degenerate, p0, any_class,
            nearly_singular, infeasible)


def draw_problem():
    p = draw.choice(FAMILIES)()
    if p.n <= 8 and draw.random() < 0.15:
        return in_units(p)
    if draw.random() < 0.3:
        p.scale = [float(max(abs(x) for x in p.q)) or 1.0] * p.n
    return p if all(Fraction(float(x)) == x for x in p.q) else draw_problem()


# ---- the scale, without the library ---------------------------------------------------------------


def find_scale(p):
    """s and d of each row, in floating point: both count by their size alone."""
    d = [abs(float(row.get(i, 0))) for i, row in enumerate(p.rows)]
    s = [abs(float(x)) for x in p.q] if p.scale is None else list(p.scale)
    if p.scale is None:
        load = max([s[i] / d[i]**0.5 for i in range(p.n) if d[i]] + [0.0])
        most = [load * d[i]**0.5 or float("inf") for i in range(p.n)]
        s = [max(s[i], 2.0**-30 * load * d[i]**0.5) for i in range(p.n)]
        for _ in range(1000):
            changed = False
            for i, row in enumerate(p.rows):
                brought = max([abs(float(x)) / d[j] * s[j] for j, x in row.items() if d[j]] + [0.0])
                if min(brought, most[i]) > s[i] * (1 + 1e-6):
                    s[i], changed = min(brought, most[i]), True
            if not changed:
                break
    columns = [[] for _ in range(p.n)]
    for i, row in enumerate(p.rows):
        for j, x in row.items():
            columns[j].append(abs(float(x)) / s[i] if s[i] > 0 else 0.0)
    for i in range(p.n):
        if d[i] == 0.0:
            d[i] = max(columns[i] + [0.0]) * s[i]
    return s, d


def violation(p, z, s, d, forgiven=True):
    """The largest violation of z over s. Exact but for s and d."""
    w = p.times(z)
    roots = [s[j] / d[j]**0.5 for j in range(p.n) if d[j] > 0]
    load = max(roots + [0.0])
    worst = 0.0
    for i in range(p.n):
        a, b = abs(w[i]), Fraction(0)
        if i >= p.free:
            dz = Fraction(d[i]) * z[i]
            a, b = max(abs(w[i]), -dz), max(abs(dz), -w[i])
            a = min(a, b)
        if a == 0:
            continue
        if s[i] == 0:
            terms = sum(abs(x * z[j]) for j, x in p.rows[i].items())
            if terms == 0:
                return float("inf")
            worst = max(worst, float(a / terms))
            continue
        if forgiven:
            of_load = s[i] if p.scale is not None else min(load * d[i]**0.5, max(s))
            terms = float(sum(abs(x * z[j]) for j, x in p.rows[i].items()) + abs(p.q[i]))
            a = max(Fraction(0), a - Fraction(min(2.0**-50 * terms, 2.0**-40 * of_load)))
        worst = max(worst, float(a / Fraction(s[i])))
    return worst


# ---- exact answers of few rows --------------------------------------------------------------------


def feasible(columns, q):
    """Whether q = sum x_k columns_k with x >= 0 has a solution: phase one of the simplex method, Bland's rule."""
    m, n = len(q), len(columns)
    T = [[(-1 if q[i] < 0 else 1) * c[i] for c in columns] + [Fraction(i == k) for k in range(m)] + [abs(q[i])]
         for i in range(m)]
    basis = list(range(n, n + m))
    cost = [sum(T[i][k] for i in range(m)) if k < n or k == n + m else Fraction(0) for k in range(n + m + 1)]
    while True:
        enter = next((k for k in range(n) if cost[k] > 0), None)
        if enter is None:
            return cost[-1] == 0
        ratios = [(T[i][-1] / T[i][enter], basis[i], i) for i in range(m) if T[i][enter] > 0]
        if not ratios:
            return False
        _, _, r = min(ratios)
        pivot = T[r][enter]
        T[r] = [x / pivot for x in T[r]]
        for row in T[:r] + T[r + 1:] + [cost]:
            factor = row[enter]
            if factor:
                for k in range(n + m + 1):
                    row[k] -= factor * T[r][k]
        basis[r] = enter


def has_solution(p):
    """Enumerates the complementary cones of a small problem: -q is in one of them."""
    n, free = p.n, p.free
    column = [[p.rows[i].get(j, Fraction(0)) for i in range(n)] for j in range(n)]
    unit = [[Fraction(-(i == j)) for i in range(n)] for j in range(n)]
    minus = [-x for x in p.q]
    for mask in range(2**(n - free)):
        cone = []
        for j in range(free):
            cone += [column[j], [-x for x in column[j]]]
        cone += [column[j] if mask >> (j - free) & 1 else unit[j] for j in range(free, n)]
        if feasible(cone, minus):
            return True
    return False


# ---- verdicts --------------------------------------------------------------------------------------


class Count:
    def __init__(self):
        self.false_solved = self.false_none = self.known = self.given_up = self.strict = 0
        self.outcomes = {}


def exact(values):
    return [Fraction(float(x)) for x in values]


def proof_holds(p, y, s, d):
    """True: y proves exactly, or excludes reactions below 1e12 loads."""
    if any(y[i] < 0 for i in range(p.free, p.n)):
        return False
    g = [Fraction(0)] * p.n
    for i, row in enumerate(p.rows):
        for j, x in row.items():
            g[j] += x * y[i]
    margin = -sum(a * b for a, b in zip(p.q, y))
    rest = Fraction(0)
    for j in range(p.n):
        over = abs(g[j]) if j < p.free else max(g[j], 0)
        if over:
            rest += over * Fraction(s[j] / d[j] if d[j] > 0 else 0.0)
    return margin > 0 and margin >= LEAST_REACH * rest * Fraction(99, 100)


def judge(p, number, solver, count):
    problem = Problem(p.dense(), np.array([float(x) for x in p.q]), [dict(set="equality", size=p.free),
                      dict(set="nonnegative", size=p.n - p.free)], scale=p.scale)
    struct, keep = problem._struct()
    s, d = find_scale(p)
    solvable = True if p.answer else False if p.closing else None
    found = count.setdefault(p.family, Count())
    for t in TOLERANCES:
        solver.set("tolerance", t)
        z, w, info = np.zeros(p.n), np.zeros(p.n), ffi.new("nsds_solver_info *")
        solver._run(lib.nsds_solve, struct, pointer_to(z), pointer_to(w), info)
        low, y = (copy_of(f(solver._c), p.n) for f in (lib.nsds_solver_low, lib.nsds_solver_proof))
        outcome = OUTCOMES.get(info.outcome, "other")
        found.outcomes[outcome] = found.outcomes.get(outcome, 0) + 1
        meets = p.answer and violation(p, p.answer, s, d) <= t
        found.known += bool(meets)
        where = "problem %d, %s, %d rows, at %g" % (number, p.family, p.n, t)
        if outcome == "solved":
            pair = exact(z) if low is None else [a + b for a, b in zip(exact(z), exact(low))]
            by = violation(p, pair, s, d)
            found.strict += violation(p, pair, s, d, False) > t * (1 + 1e-6)
            if by > t * (1 + 1e-4):
                found.false_solved += 1
                print("%s: solved, but violated by %g; it says %g, reactions %g" % (where, by, info.violation,
                                                                                    info.reaction))
            continue
        if outcome == "no solution":
            if y is not None and proof_holds(p, exact(y), s, d):
                right = not p.answer or float(max(p.answer, default=0)) > 1e11
            elif p.n <= 8:
                solvable = has_solution(p) if solvable is None else solvable
                right = not solvable
            else:
                right = False
            if not right:
                found.false_none += 1
                print("%s: no solution by %s, %s" % (where, ffi.string(info.solver).decode(),
                                                     "without a proof" if y is None else "with a proof"))
            if right:
                continue
        if meets:
            found.given_up += 1
            if found.given_up <= 3:
                print("%s: %s, residual %g, violation %g" % (where, outcome, info.residual, info.violation))


def main():
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    count, solver = {}, Solver("auto")
    for k in range(number):
        draw.seed(seed * 1000003 + k)
        judge(draw_problem(), k, solver, count)
    names = ("solved", "no solution", "not converged")
    print("%-28s %9s %11s %13s  false solved / none, given up of known, above t without rounding" %
          (("family",) + names))
    for family in sorted(count):
        c = count[family]
        print("%-28s %9d %11d %13d  %d / %d, %d of %d, %d" % (
            (family,) + tuple(c.outcomes.get(n, 0) for n in names) +
            (c.false_solved, c.false_none, c.given_up, c.known, c.strict)))
    wrong = sum(c.false_solved + c.false_none for c in count.values())
    known, lost = (sum(getattr(c, name) for c in count.values()) for name in ("known", "given_up"))
    print("%d problems, %d verdicts: %d wrong, %d given up" % (number, number * len(TOLERANCES), wrong, lost))
    return 1 if wrong or 50 * lost > known else 0


sys.exit(main())
