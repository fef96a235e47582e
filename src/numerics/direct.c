/*
 * Direct enumeration for at most three rows (Cottle, Pang & Stone 1992, 1.3: complementary cones).
 *
 * Each nonnegative row has either z_i = 0 or w_i = 0; every choice of the zero rows leaves a linear
 * system of at most three unknowns. The principal systems decide unless they are singular; then the
 * nonprincipal ones (support B of z, rows R with w_R = 0, |R| = |B|) cover the vertices of the
 * degenerate cones, so that "no solution" is a statement about the problem. Starts with the support
 * of the given z, so that among several solutions the nearest pattern is found again.
 */
#include "factor.h"
#include "solver_internal.h"

#include <float.h>

enum { most_rows = 3 };

typedef struct small_problem {
  int n;
  const double *M; /* n x n */
  const double *q;
  unsigned all;   /* bits of all rows */
  unsigned equal; /* bits of the equality rows */
} small_problem;

typedef struct candidate {
  double z[most_rows];
  double error; /* largest scaled violation */
} candidate;

static const double rounding = 16 * DBL_EPSILON;

static int count_bits(unsigned set) { return (int)((set & 1) + (set >> 1 & 1) + (set >> 2 & 1)); }

/* Largest violation of 0 <= w, z >= 0, w.z = 0 over the rounding scale of its row. */
static double violation(const small_problem *s, const double *z) {
  double worst = 0.0;
  for (int i = 0; i < s->n; ++i) {
    double w = s->q[i], scale = fabs(w);
    for (int j = 0; j < s->n; ++j) {
      double t = s->M[i + j * s->n] * z[j];
      w += t;
      scale += fabs(t);
    }
    double e = fabs(w);
    if (!(s->equal >> i & 1) && (z[i] == 0.0 && w > 0.0)) e = 0.0;
    if (!(e <= worst * scale)) worst = e / scale;
  }
  return isnan(worst) ? INFINITY : worst;
}

/* Solves w_R = 0 for z_B; false when singular to rounding. */
static bool solve_minor(const small_problem *s, unsigned R, unsigned B, double *z) {
  double a[most_rows * most_rows], b[most_rows], top[most_rows];
  int pivot[most_rows], column[most_rows], k = 0, n = 0;
  for (int j = 0; j < s->n; ++j) {
    z[j] = 0.0;
    if (B >> j & 1) column[k++] = j;
  }
  for (int i = 0; i < s->n; ++i) {
    if (!(R >> i & 1)) continue;
    for (int j = 0; j < k; ++j) a[n + j * k] = s->M[i + column[j] * s->n];
    b[n++] = -s->q[i];
  }
  for (int j = 0; j < k; ++j) {
    top[j] = 0.0;
    for (int i = 0; i < k; ++i) top[j] = fmax(top[j], fabs(a[i + j * k]));
  }
  if (!nsds_small_lu(k, a, pivot)) return false;
  for (int j = 0; j < k; ++j)
    if (fabs(a[j + j * k]) <= rounding * top[j]) return false;
  nsds_small_lu_solve(k, a, pivot, b);
  for (int j = 0; j < k; ++j) z[column[j]] = b[j];
  return true;
}

/* Keeps the candidate of (R, B) if it beats the best; true when it solves to rounding. */
static bool try_minor(const small_problem *s, unsigned R, unsigned B, candidate *best) {
  candidate c;
  if (!solve_minor(s, R, B, c.z)) return false;
  for (int i = 0; i < s->n; ++i)
    if (!(s->equal >> i & 1) && !(c.z[i] >= 0.0)) c.z[i] = 0.0;
  c.error = violation(s, c.z);
  if (c.error < best->error) *best = c;
  return best->error <= rounding;
}

static void enumerate(const small_problem *s, unsigned start, candidate *best, int *iterations) {
  ++*iterations;
  if (try_minor(s, start, start, best)) return;
  for (unsigned B = 0; B <= s->all; ++B) {
    if ((B & s->equal) != s->equal || B == start) continue;
    ++*iterations;
    if (try_minor(s, B, B, best)) return;
  }
  for (unsigned B = 0; B <= s->all; ++B)
    for (unsigned R = 0; R <= s->all; ++R) {
      if (R == B || count_bits(R) != count_bits(B)) continue;
      ++*iterations;
      if (try_minor(s, R, B, best)) return;
    }
}

/* One row: no rounding beyond the division. */
static nsds_outcome solve_one(double m, double q, bool equality, double *z) {
  if (equality ? q == 0.0 : q >= 0.0) {
    *z = 0.0;
    return NSDS_SOLVED;
  }
  if (equality ? m != 0.0 : m > 0.0) {
    *z = -q / m;
    return isfinite(*z) ? NSDS_SOLVED : (*z = 0.0, NSDS_NOT_CONVERGED);
  }
  *z = 0.0;
  return NSDS_NO_SOLUTION;
}

static small_problem describe(const nsds_problem *problem, const double *M) {
  small_problem s = {problem->n, M, problem->q, (1u << problem->n) - 1, 0};
  for (int a = 0, row = 0; a < problem->nblock; ++a)
    for (int end = row + problem->block[a].size; row < end; ++row)
      if (problem->block[a].set == NSDS_SET_EQUALITY) s.equal |= 1u << row;
  return s;
}

static nsds_status solve(nsds_solver *solver, const nsds_problem *problem, double *z,
                         nsds_solver_info *info) {
  int n = problem->n;
  const double *M;
  if (n > most_rows) {
    info->outcome = NSDS_REFUSED;
    return NSDS_OK;
  }
  if (n == 0) return NSDS_OK;
  nsds_status status = nsds_form_dense(solver, problem, &M);
  if (status) return status;
  small_problem s = describe(problem, M);
  if (n == 1) {
    info->iterations = 1;
    info->outcome = solve_one(M[0], problem->q[0], s.equal & 1, z);
    return NSDS_OK;
  }
  unsigned start = s.equal;
  for (int i = 0; i < n; ++i)
    if (z[i] > 0.0) start |= 1u << i;
  candidate best = {{0}, INFINITY};
  enumerate(&s, start, &best, &info->iterations);
  for (int i = 0; i < n; ++i) z[i] = best.z[i];
  info->outcome = best.error <= solver->value[OPTION_TOLERANCE] ? NSDS_SOLVED : NSDS_NO_SOLUTION;
  return NSDS_OK;
}

static nsds_status reserve(nsds_solver *solver, const nsds_problem *problem) {
  return problem->n <= most_rows ? nsds_form_reserve_dense(solver, problem) : NSDS_OK;
}

static const nsds_option options[] = {
    NSDS_COMMON_OPTIONS(0.0, "not used: the enumeration is finite"), {0}};

const nsds_method nsds_method_direct = {
    .row = {.name = "direct",
            .summary = "Exhaustive enumeration of the complementary systems, at most three rows.",
            .reference = "Cottle, Pang, Stone: The Linear Complementarity Problem (1992), 1.3",
            .sets = nsds_all_sets,
            .storages = nsds_all_storages,
            .option = options},
    .reserve = reserve,
    .solve = solve,
};
