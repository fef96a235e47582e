/*
 * Lemke's method with lexicographic pivoting (Lemke 1965; Cottle, Pang & Stone 1992, 4.4 and 4.9).
 *
 * The augmented system w = q + M z + d z0 is held as a compact tableau
 *
 *     basic_r = rhs_r - sum_c T_rc nonbasic_c,
 *
 * in which a pivot exchanges one row with one column. z0 enters first, then always the complement
 * of what left, until z0 leaves (solved) or nothing blocks (secondary ray). Ties in the ratio test
 * are broken by the lexicographic order of the rows of [rhs, B^-1], whose columns are those of the
 * w_j, so degenerate problems cannot cycle.
 *
 * Equality rows come first: their free variables are made basic by principal pivots with complete
 * pivoting (the Schur complement), redundant consistent equalities are dropped, and Lemke runs on
 * what remains. The problem is scaled by powers of two, z = S z', w' = S w, to a unit diagonal: the
 * pivots do not depend on units. At the end the system of the final basis is solved once more from
 * the original matrix, which removes the rounding gathered by the tableau.
 */
#include "certify.h"
#include "factor.h"
#include "solver_internal.h"

#include <float.h>

/* Entries of the scaled tableau that count as zero, and ratios that count as tied. */
static const double pivot_zero = 1e-11;
static const double tie = 1e-12;
static const double rounding = 256 * DBL_EPSILON;

typedef struct lemke_state {
  nsds_factor *factor;
  int *index; /* 5 n + 2: see tableau */
  size_t index_capacity;
} lemke_state;

/*
 * Variables are numbered w_i: i, z_i: n + i, z0: 2 n. Rows 0..m-1 and columns 0..m-1 of Lemke's
 * part come from the nonnegative rows, column m is z0; before that the same arrays hold all n rows.
 */
typedef struct tableau {
  int n;         /* rows of the problem */
  int m;         /* rows at present */
  int columns;   /* columns at present */
  int stride;    /* n + 1 */
  double *T;     /* n x stride, row-major: a pivot runs along rows */
  double *rhs;   /* n */
  double *size;  /* n: largest term that went into rhs; below rounding of it, rhs is 0: a sign made
                    of rounding would start pivots of its own */
  double *S;     /* n: scales */
  int *basic;    /* n: variable of each row */
  int *nonbasic; /* n + 1: variable of each column */
  int *place;    /* 2 n + 1: column >= 0, or -1 - row */
  int *list;     /* n: rows of the final system */
} tableau;

static void set_basic(tableau *t, int r, int variable) {
  t->basic[r] = variable;
  t->place[variable] = -1 - r;
}

static void set_nonbasic(tableau *t, int c, int variable) {
  t->nonbasic[c] = variable;
  t->place[variable] = c;
}

static double *tableau_row(const tableau *t, int r) { return t->T + (size_t)r * (size_t)t->stride; }

/* Exchanges the variables of row p and column e. */
static void pivot(tableau *t, int p, int e) {
  double *restrict top = tableau_row(t, p);
  double inverse = 1.0 / top[e];
  for (int c = 0; c < t->columns; ++c) top[c] *= inverse;
  top[e] = inverse;
  t->rhs[p] *= inverse;
  t->size[p] *= fabs(inverse);
  for (int r = 0; r < t->m; ++r) {
    double *restrict row = tableau_row(t, r), f = row[e];
    if (r == p || f == 0.0) continue;
    row[e] = 0.0;
    for (int c = 0; c < t->columns; ++c) row[c] -= f * top[c];
    t->rhs[r] -= f * t->rhs[p];
    t->size[r] = fmax(t->size[r], fabs(f) * t->size[p]);
    if (fabs(t->rhs[r]) <= rounding * t->size[r]) t->rhs[r] = 0.0;
  }
  int leaving = t->basic[p];
  set_basic(t, p, t->nonbasic[e]);
  set_nonbasic(t, e, leaving);
}

/* ---- setting up ---- */

static double power_of_two_scale(double d) {
  if (!(d > 0.0) || !isfinite(d)) return 1.0;
  int exponent;
  frexp(d, &exponent);
  return ldexp(1.0, -(exponent / 2));
}

static void fill(tableau *t, const double *M, const double *q) {
  int n = t->n;
  double most = 0.0;
  for (int i = 0; i < n; ++i) {
    t->S[i] = power_of_two_scale(fabs(M[i + (size_t)i * (size_t)n]));
    t->rhs[i] = q[i] * t->S[i];
    most = fmax(most, fabs(t->rhs[i]));
    set_basic(t, i, i);
    set_nonbasic(t, i, n + i);
  }
  double size = power_of_two_scale(most * most); /* about 1 / most */
  for (int i = 0; i < n; ++i) {
    t->rhs[i] *= size;
    t->size[i] = fabs(t->rhs[i]);
    double *row = tableau_row(t, i);
    for (int j = 0; j < n; ++j) row[j] = -M[i + (size_t)j * (size_t)n] * t->S[i] * t->S[j];
  }
}

/* ---- equality rows ---- */

/* Largest entry in rows and columns whose variables are w and z of equality rows, not yet pivoted.
 */
static double equality_pivot(const tableau *t, const unsigned char *equal, int *p, int *e) {
  double most = 0.0;
  int n = t->n;
  for (int r = 0; r < n; ++r) {
    if (t->basic[r] >= n || !equal[t->basic[r]]) continue;
    for (int c = 0; c < n; ++c) {
      double a = fabs(tableau_row(t, r)[c]);
      if (t->nonbasic[c] < n || !equal[t->nonbasic[c] - n] || a <= most) continue;
      most = a;
      *p = r;
      *e = c;
    }
  }
  return most;
}

/* A row 0 = w_e that could not be pivoted must be void. */
static bool redundant(const tableau *t, const unsigned char *equal, int r) {
  for (int c = 0; c < t->n; ++c) {
    int v = t->nonbasic[c];
    if (v >= t->n && !equal[v - t->n] && fabs(tableau_row(t, r)[c]) > pivot_zero) return false;
  }
  return fabs(t->rhs[r]) <= pivot_zero;
}

/* Makes the free variables basic; false when the equalities cannot be met that way. */
static bool eliminate_equalities(tableau *t, const unsigned char *equal, int *pivots) {
  int p = 0, e = 0;
  while (equality_pivot(t, equal, &p, &e) > pivot_zero) {
    pivot(t, p, e);
    ++*pivots;
  }
  for (int r = 0; r < t->n; ++r)
    if (t->basic[r] < t->n && equal[t->basic[r]] && !redundant(t, equal, r)) return false;
  return true;
}

static bool belongs_to_equality(const tableau *t, const unsigned char *equal, int variable) {
  return equal[variable < t->n ? variable : variable - t->n];
}

/* Drops what belongs to the equality rows and moves the rest to the front; the z of equality rows
 * that became basic are found again from the final system. */
static void keep_nonnegative(tableau *t, const unsigned char *equal) {
  int columns = 0, rows = 0;
  for (int c = 0; c < t->n; ++c) {
    int variable = t->nonbasic[c];
    if (belongs_to_equality(t, equal, variable)) continue;
    for (int r = 0; r < t->n; ++r) tableau_row(t, r)[columns] = tableau_row(t, r)[c];
    set_nonbasic(t, columns++, variable);
  }
  for (int r = 0; r < t->n; ++r) {
    int variable = t->basic[r];
    if (belongs_to_equality(t, equal, variable)) continue;
    memmove(tableau_row(t, rows), tableau_row(t, r), (size_t)columns * sizeof(double));
    t->rhs[rows] = t->rhs[r];
    t->size[rows] = t->size[r];
    set_basic(t, rows++, variable);
  }
  t->m = rows;
  t->columns = columns;
}

/* ---- Lemke ---- */

/* Entry of row r of B^-1 in the column of variable w_j. */
static double inverse_entry(const tableau *t, int r, int w) {
  int c = t->place[w];
  return c >= 0 ? tableau_row(t, r)[c] : (c == -1 - r ? 1.0 : 0.0);
}

/* True when row r divided by a is lexicographically less than row s divided by b. */
static bool lexicographically_less(const tableau *t, const unsigned char *equal, int r, double a,
                                   int s, double b) {
  for (int w = 0; w < t->n; ++w) {
    if (equal[w]) continue;
    double x = inverse_entry(t, r, w) / a, y = inverse_entry(t, s, w) / b;
    if (fabs(x - y) > tie * fmax(1.0, fmax(fabs(x), fabs(y)))) return x < y;
  }
  return r < s;
}

/* Row that blocks the variable of column e, -1 if none: the lexicographic ratio test. */
static int blocking_row(const tableau *t, const unsigned char *equal, int e) {
  int best = -1;
  double least = INFINITY;
  for (int r = 0; r < t->m; ++r) {
    double a = tableau_row(t, r)[e];
    if (!(a > pivot_zero)) continue;
    double ratio = fmax(t->rhs[r], 0.0) / a;
    double margin = tie * fmax(1.0, fabs(least));
    if (best < 0 || ratio < least - margin) {
      best = r;
      least = ratio;
      continue;
    }
    if (ratio > least + margin || t->basic[best] == 2 * t->n) continue;
    if (t->basic[r] == 2 * t->n ||
        lexicographically_less(t, equal, r, a, best, tableau_row(t, best)[e])) {
      best = r;
      least = fmin(least, ratio);
    }
  }
  return best;
}

/* Row of the most negative rhs, the last of equal ones; -1 if none is negative. */
static int first_row(const tableau *t) {
  int best = -1;
  for (int r = 0; r < t->m; ++r)
    if (t->rhs[r] < 0.0 && (best < 0 || t->rhs[r] <= t->rhs[best])) best = r;
  return best;
}

static nsds_outcome run_pivots(nsds_solver *solver, tableau *t, const unsigned char *equal,
                               nsds_solver_info *info) {
  int row = first_row(t), e = t->columns, limit = nsds_iteration_limit(solver, 1000 + 20 * t->n);
  if (row < 0) return NSDS_SOLVED;
  for (int r = 0; r < t->m; ++r) tableau_row(t, r)[e] = -1.0;
  set_nonbasic(t, e, 2 * t->n);
  ++t->columns;
  for (int k = 0; k < limit; ++k) {
    if (nsds_solver_interrupted(solver, info->iterations, NAN)) return NSDS_INTERRUPTED;
    int leaving = t->basic[row];
    pivot(t, row, e);
    ++info->iterations;
    if (leaving == 2 * t->n) return NSDS_SOLVED;
    e = t->place[leaving < t->n ? leaving + t->n : leaving - t->n];
    row = blocking_row(t, equal, e);
    if (row < 0) return NSDS_RAY;
  }
  return NSDS_NOT_CONVERGED;
}

/* ---- the answer ---- */

/* Solves M_AA z_A = -q_A for A: basic z of the nonnegative rows and pivoted equality rows. */
static nsds_status solve_final_basis(nsds_solver *solver, const tableau *t, const double *M,
                                     const double *q, const unsigned char *in, double *system,
                                     double *z, nsds_solver_info *info) {
  lemke_state *s = solver->state;
  int k = 0;
  size_t n = (size_t)t->n;
  for (int i = 0; i < t->n; ++i) {
    z[i] = 0.0;
    if (in[i]) t->list[k++] = i;
  }
  for (int j = 0; j < k; ++j)
    for (int i = 0; i < k; ++i)
      system[i + (size_t)j * (size_t)k] = M[t->list[i] + (size_t)t->list[j] * n];
  ++info->factorizations;
  nsds_status status = nsds_factor_dense(s->factor, k, system);
  if (status) return status;
  double *b = system;
  for (int i = 0; i < k; ++i) b[i] = -q[t->list[i]];
  nsds_factor_solve(s->factor, 1, b);
  for (int i = 0; i < k; ++i) z[t->list[i]] = b[i];
  return NSDS_OK;
}

static bool reserve_index(nsds_solver *solver, int n, nsds_status *status) {
  lemke_state *s = solver->state;
  if (!s->factor && !(s->factor = nsds_factor_create(solver->context))) {
    *status = NSDS_ERROR_MEMORY;
    return false;
  }
  *status =
      nsds_grow(solver->context, &s->index, &s->index_capacity, 6 * (size_t)n + 4, sizeof(int));
  return !*status;
}

static nsds_status reserve(nsds_solver *solver, const nsds_problem *problem) {
  nsds_status status;
  int n = problem->n;
  if (problem->M.storage != NSDS_DENSE && n > nsds_dense_limit) return NSDS_OK;
  if (!reserve_index(solver, n, &status)) return status;
  status = nsds_form_reserve_dense(solver, problem);
  if (!status) status = nsds_factor_reserve_dense(((lemke_state *)solver->state)->factor, n);
  return status ? status : nsds_solver_scratch(solver, (size_t)n * (size_t)(n + 4));
}

static tableau lay_out(nsds_solver *solver, int n) {
  size_t m = (size_t)n;
  double *scratch = solver->toolbox->scratch;
  int *index = ((lemke_state *)solver->state)->index;
  return (tableau){.n = n,
                   .m = n,
                   .columns = n,
                   .stride = n + 1,
                   .T = scratch,
                   .rhs = scratch + m * (m + 1),
                   .size = scratch + m * (m + 2),
                   .S = scratch + m * (m + 3),
                   .basic = index,
                   .nonbasic = index + m,
                   .place = index + 2 * m + 1,
                   .list = index + 4 * m + 2};
}

static nsds_status solve(nsds_solver *solver, const nsds_problem *problem, double *z,
                         nsds_solver_info *info) {
  int n = problem->n;
  const double *M;
  if (n == 0) return NSDS_OK;
  if (problem->M.storage != NSDS_DENSE && n > nsds_dense_limit) {
    info->outcome = NSDS_REFUSED;
    return NSDS_OK;
  }
  nsds_status status = nsds_form_dense(solver, problem, &M);
  if (status) return status;
  tableau t = lay_out(solver, n);
  unsigned char *equal = (unsigned char *)(t.list + n), *in = equal + n;
  for (int a = 0, i = 0; a < problem->nblock; ++a)
    for (int end = i + problem->block[a].size; i < end; ++i)
      equal[i] = problem->block[a].set == NSDS_SET_EQUALITY;
  fill(&t, M, problem->q);
  info->outcome = NSDS_NOT_CONVERGED;
  if (eliminate_equalities(&t, equal, &info->iterations)) {
    for (int i = 0; i < n; ++i) in[i] = equal[i] && t.place[n + i] < 0;
    keep_nonnegative(&t, equal);
    info->outcome = run_pivots(solver, &t, equal, info);
    for (int r = 0; r < t.m; ++r)
      if (t.basic[r] >= n && t.basic[r] < 2 * n) in[t.basic[r] - n] = 1;
  }
  if (info->outcome != NSDS_SOLVED) return NSDS_OK;
  double *found = t.S; /* the scales are no longer needed */
  status = solve_final_basis(solver, &t, M, problem->q, in, t.T, found, info);
  if (status == NSDS_ERROR_SINGULAR) {
    info->outcome = NSDS_NOT_CONVERGED;
    return NSDS_OK;
  }
  if (status) return status;
  for (int i = 0; i < n; ++i) z[i] = equal[i] || found[i] > 0.0 ? found[i] : 0.0;
  return NSDS_OK;
}

static void release(nsds_solver *solver) {
  lemke_state *s = solver->state;
  nsds_factor_destroy(s->factor);
  nsds_release(solver->context, s->index);
}

static const nsds_option options[] = {
    NSDS_COMMON_OPTIONS(0.0, "largest number of pivots; 0: 1000 + 20 n"), {0}};

const nsds_method nsds_method_lemke = {
    .row = {.name = "lemke",
            .summary = "Lemke's complementary pivoting on a dense tableau, lexicographic; equality "
                       "rows by Schur complement. Ends on a ray when copositive-plus M has no "
                       "solution.",
            .reference =
                "Lemke: Management Science 11 (1965); Cottle, Pang, Stone (1992), 4.4, 4.9",
            .sets = nsds_all_sets,
            .storages = nsds_all_storages,
            .option = options},
    .state_size = sizeof(lemke_state),
    .reserve = reserve,
    .solve = solve,
    .release = release,
};
