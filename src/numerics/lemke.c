/*
 * Lemke's method with lexicographic pivoting (Lemke 1965; Cottle, Pang & Stone 1992, 4.4 and 4.9).
 *
 * The problem becomes y = A x + b with free rows (lcp_form.h), the augmented system
 * y = b + A x + e x_0 a compact tableau (tableau.h). x_0 enters first, then always the complement
 * of what left, until x_0 leaves (solved) or nothing blocks (secondary ray). Lexicographic ratio
 * tests keep degenerate problems from cycling.
 *
 * Free rows come first: their variables are made basic and never leave, by pivots with complete
 * pivoting on the free rows and columns (the Schur complement), then by principal pivots together
 * with one other pair each, as a constraint without a diagonal of its own needs. Redundant
 * equalities are dropped, inconsistent ones end the solve, and Lemke runs on what remains. At the
 * end the system of the final basis is solved once more from the original matrix, which removes the
 * rounding gathered by the tableau.
 */
#include "basic_system.h"
#include "lcp_form.h"
#include "solver_internal.h"
#include "tableau.h"

typedef struct lemke_state {
  nsds_basic_system final;
  nsds_lcp_form form;
  double *memory; /* tableau; afterwards A and b */
  int *index;
  unsigned char *flag; /* 3 n: free rows, x that are basic, y that are not */
  size_t memory_capacity, index_capacity, flag_capacity;
} lemke_state;

/* ---- equality rows ---- */

/* Largest entry in rows and columns whose variables are y and x of free rows, not yet pivoted. */
static double equality_pivot(const nsds_tableau *t, const unsigned char *free, int *p, int *e) {
  double most = 0.0;
  int n = t->n;
  for (int r = 0; r < n; ++r) {
    if (t->basic[r] >= n || !free[t->basic[r]]) continue;
    for (int c = 0; c < n; ++c) {
      double a = fabs(nsds_tableau_row(t, r)[c]);
      if (t->nonbasic[c] < n || !free[t->nonbasic[c] - n] || a <= most) continue;
      most = a;
      *p = r;
      *e = c;
    }
  }
  return most;
}

/* Column of the other variable of a pair, -1 if that is basic. */
static int complement_column(const nsds_tableau *t, int variable) {
  int c = t->place[variable < t->n ? variable + t->n : variable - t->n];
  return c >= 0 ? c : -1;
}

/* A free row p and a free column e without a common entry, and another pair, of row r and column c,
 * that links them: the largest product T_pc T_re. */
static double linked_pivots(const nsds_tableau *t, const unsigned char *free, int *p, int *c,
                            int *r, int *e) {
  double most = 0.0;
  int n = t->n;
  for (int k = 0; k < n; ++k) {
    int column = complement_column(t, t->basic[k]);
    if (free[t->basic[k] % n] || column < 0) continue;
    double up = 0.0, left = 0.0;
    int top = 0, side = 0;
    for (int i = 0; i < n; ++i) {
      double a = fabs(nsds_tableau_row(t, i)[column]), b = fabs(nsds_tableau_row(t, k)[i]);
      if (t->basic[i] < n && free[t->basic[i]] && a > up) {
        up = a;
        top = i;
      }
      if (t->nonbasic[i] >= n && free[t->nonbasic[i] - n] && b > left) {
        left = b;
        side = i;
      }
    }
    if (fmin(up, left) <= nsds_pivot_zero || up * left <= most) continue;
    most = up * left;
    *p = top;
    *c = column;
    *r = k;
    *e = side;
  }
  return most;
}

/* What is left of an equality: 0 = rhs_r - T_r v with v >= 0. */
static nsds_outcome judge_equality(const nsds_tableau *t, const unsigned char *free, int r) {
  static const double clear = 1e-9; /* inconsistency beyond what rounding makes */
  double most = 0.0, least = 0.0;
  for (int c = 0; c < t->n; ++c) {
    double a = nsds_tableau_row(t, r)[c];
    if (free[t->nonbasic[c] % t->n]) continue;
    most = fmax(most, a);
    least = fmin(least, a);
  }
  if (fmax(most, -least) <= nsds_pivot_zero && fabs(t->rhs[r]) <= nsds_pivot_zero)
    return NSDS_SOLVED;
  bool met = (t->rhs[r] > 0.0 ? most : -least) > nsds_pivot_zero;
  return !met && fabs(t->rhs[r]) > clear ? NSDS_NO_SOLUTION : NSDS_NOT_CONVERGED;
}

/* Makes the free variables basic. */
static nsds_outcome eliminate_equalities(nsds_tableau *t, const unsigned char *free, int *pivots) {
  int p = 0, c = 0, r = 0, e = 0;
  for (;; ++*pivots) {
    if (equality_pivot(t, free, &p, &e) <= nsds_pivot_zero) {
      if (linked_pivots(t, free, &p, &c, &r, &e) == 0.0) break;
      nsds_tableau_pivot(t, p, c);
      p = r;
      ++*pivots;
    }
    nsds_tableau_pivot(t, p, e);
  }
  nsds_outcome worst = NSDS_SOLVED;
  for (r = 0; r < t->n; ++r) {
    if (t->basic[r] >= t->n || !free[t->basic[r]]) continue;
    nsds_outcome outcome = judge_equality(t, free, r);
    if (outcome > worst) worst = outcome;
  }
  return worst;
}

static bool of_free_row(const nsds_tableau *t, const unsigned char *free, int variable) {
  return free[variable < t->n ? variable : variable - t->n];
}

/* Drops what belongs to the free rows and moves the rest to the front; the variables of free rows
 * that became basic are found again from the final system. */
static void keep_nonnegative(nsds_tableau *t, const unsigned char *free) {
  int columns = 0, rows = 0;
  for (int c = 0; c < t->n; ++c) {
    int variable = t->nonbasic[c];
    if (of_free_row(t, free, variable)) continue;
    for (int r = 0; r < t->n; ++r) nsds_tableau_row(t, r)[columns] = nsds_tableau_row(t, r)[c];
    nsds_tableau_set_nonbasic(t, columns++, variable);
  }
  for (int r = 0; r < t->n; ++r) {
    int variable = t->basic[r];
    if (of_free_row(t, free, variable)) continue;
    memmove(nsds_tableau_row(t, rows), nsds_tableau_row(t, r), (size_t)columns * sizeof(double));
    t->rhs[rows] = t->rhs[r];
    t->size[rows] = t->size[r];
    nsds_tableau_set_basic(t, rows++, variable);
  }
  t->m = rows;
  t->columns = columns;
}

/* ---- Lemke ---- */

/* Row of the most negative rhs, the last of equal ones; -1 if none is negative. */
static int first_row(const nsds_tableau *t) {
  int best = -1;
  for (int r = 0; r < t->m; ++r)
    if (t->rhs[r] < 0.0 && (best < 0 || t->rhs[r] <= t->rhs[best])) best = r;
  return best;
}

static nsds_outcome run_pivots(nsds_solver *solver, nsds_tableau *t, const unsigned char *free,
                               nsds_solver_info *info) {
  int n = t->n, row = first_row(t), e = t->columns;
  int limit = nsds_iteration_limit(solver, 1000 + 20 * n);
  if (row < 0) return NSDS_SOLVED;
  for (int r = 0; r < t->m; ++r) nsds_tableau_row(t, r)[e] = -1.0;
  nsds_tableau_set_nonbasic(t, e, 2 * n);
  ++t->columns;
  for (int k = 0; k < limit; ++k) {
    if (nsds_solver_interrupted(solver, info->iterations, NAN)) return NSDS_INTERRUPTED;
    int leaving = t->basic[row];
    nsds_tableau_pivot(t, row, e);
    ++info->iterations;
    if (leaving == 2 * n) return NSDS_SOLVED;
    e = t->place[leaving < n ? leaving + n : leaving - n];
    row = nsds_tableau_blocking_row(t, free, e, 2 * n);
    if (row < 0) return NSDS_RAY;
  }
  return NSDS_NOT_CONVERGED;
}

/* ---- the answer ---- */

/* The indices set in `flag`; returns their number. */
static int list_of(int n, const unsigned char *flag, int *list) {
  int k = 0;
  for (int i = 0; i < n; ++i)
    if (flag[i]) list[k++] = i;
  return k;
}

/* Solves A_RB x_B = -b_R for the basic variables B and the rows R with y = 0, from the original
 * matrix. */
static nsds_status solve_final_basis(nsds_solver *solver, const nsds_problem *problem,
                                     const double *M, double *z, nsds_solver_info *info) {
  lemke_state *s = solver->state;
  nsds_basic_system *final = &s->final;
  int n = s->form.n, *row = s->index, *column = row + n;
  const unsigned char *basic = s->flag + n, *met = basic + n;
  size_t m = (size_t)n;
  double *A = s->memory, *b = A + m * m, *x = b + m;
  nsds_lcp_matrix(&s->form, M, A, n);
  nsds_lcp_vector(&s->form, M, problem->q, b);
  int k = list_of(n, basic, column);
  list_of(n, met, row);
  for (int i = 0; i < k; ++i) {
    final->b[i] = -b[row[i]];
    for (int j = 0; j < k; ++j)
      final->a[i + (size_t)j * (size_t)k] = A[column[j] + (size_t)row[i] * m];
  }
  ++info->factorizations;
  nsds_status status = nsds_basic_system_solve(final, k);
  if (status && status != NSDS_ERROR_SINGULAR) return status;
  memset(x, 0, m * sizeof *x);
  for (int j = 0; j < k; ++j)
    x[column[j]] = s->form.row[column[j]].free ? final->x[j] : fmax(final->x[j], 0.0);
  nsds_lcp_recover(&s->form, x, basic, z);
  return NSDS_OK;
}

static bool too_large(const nsds_problem *problem) {
  return problem->M.storage != NSDS_DENSE && problem->n > nsds_dense_limit;
}

static nsds_status reserve(nsds_solver *solver, const nsds_problem *problem) {
  lemke_state *s = solver->state;
  nsds_context *context = solver->context;
  nsds_status status;
  int n = nsds_lcp_size(problem);
  if (too_large(problem) || n < 0) return NSDS_OK;
  size_t m = (size_t)n;
  if ((status = nsds_lcp_build(context, &s->form, problem)) ||
      (status = NSDS_ENSURE(context, s->memory, s->memory_capacity, nsds_tableau_doubles(n) + 1)) ||
      (status = NSDS_ENSURE(context, s->index, s->index_capacity, nsds_tableau_integers(n))) ||
      (status = NSDS_ENSURE(context, s->flag, s->flag_capacity, 3 * m + 1)) ||
      (status = nsds_form_reserve_dense(solver, problem)) ||
      (status = nsds_basic_system_reserve(&s->final, context, n)))
    return status;
  return nsds_solver_scratch(solver, (size_t)problem->n);
}

/* Pivots to a basis and tells in the flags what it consists of. */
static nsds_outcome find_basis(nsds_solver *solver, const nsds_problem *problem, const double *M,
                               nsds_solver_info *info) {
  lemke_state *s = solver->state;
  int n = s->form.n;
  unsigned char *free = s->flag, *basic = free + n, *met = basic + n;
  nsds_tableau t = nsds_tableau_lay_out(n, s->memory, s->index);
  nsds_lcp_matrix(&s->form, M, t.T, t.stride);
  nsds_lcp_vector(&s->form, M, problem->q, t.rhs);
  for (int i = 0; i < n; ++i) free[i] = s->form.row[i].free;
  t.free = free;
  nsds_tableau_start(&t);
  nsds_outcome outcome = eliminate_equalities(&t, free, &info->iterations);
  if (outcome != NSDS_SOLVED) return outcome;
  bool fixed = false; /* a free variable is held at 0 that other rows feel */
  for (int i = 0; i < n; ++i) {
    basic[i] = free[i] && t.place[n + i] < 0;
    met[i] = free[i] && t.place[i] >= 0;
    for (int r = 0; free[i] && !basic[i] && r < n; ++r)
      fixed = fixed || fabs(nsds_tableau_row(&t, r)[t.place[n + i]]) > nsds_pivot_zero;
  }
  keep_nonnegative(&t, free);
  outcome = run_pivots(solver, &t, free, info);
  for (int r = 0; r < t.m; ++r) {
    int v = t.basic[r];
    if (v >= n && v < 2 * n) basic[v - n] = met[v - n] = 1;
  }
  return outcome == NSDS_RAY && fixed ? NSDS_NOT_CONVERGED : outcome;
}

static nsds_status solve(nsds_solver *solver, const nsds_problem *problem, double *z,
                         nsds_solver_info *info) {
  const double *M;
  if (problem->n == 0) return NSDS_OK;
  if (too_large(problem) || nsds_lcp_size(problem) < 0) {
    info->outcome = NSDS_REFUSED;
    return NSDS_OK;
  }
  nsds_status status = nsds_form_dense(solver, problem, &M);
  if (status) return status;
  info->outcome = find_basis(solver, problem, M, info);
  if (info->outcome != NSDS_SOLVED) return NSDS_OK;
  double *found = solver->toolbox->scratch;
  status = solve_final_basis(solver, problem, M, found, info);
  if (!status) memcpy(z, found, (size_t)problem->n * sizeof *z);
  return status;
}

static void release(nsds_solver *solver) {
  lemke_state *s = solver->state;
  nsds_basic_system_release(&s->final, solver->context);
  nsds_lcp_release(solver->context, &s->form);
  nsds_release(solver->context, s->memory);
  nsds_release(solver->context, s->index);
  nsds_release(solver->context, s->flag);
}

static const nsds_option options[] = {
    NSDS_COMMON_OPTIONS(0.0, "largest number of pivots; 0: 1000 + 20 n"), {0}};

const nsds_method nsds_method_lemke = {
    .row = {.name = "lemke",
            .summary = "Lemke's complementary pivoting on a dense tableau, lexicographic; equality "
                       "rows by Schur complement, boxes by an added row. Ends on a ray when "
                       "copositive-plus M has no solution.",
            .reference =
                "Lemke: Management Science 11 (1965); Cottle, Pang, Stone (1992), 4.4, 4.9",
            .sets = nsds_lcp_sets,
            .storages = nsds_all_storages,
            .option = options},
    .state_size = sizeof(lemke_state),
    .reserve = reserve,
    .solve = solve,
    .release = release,
};
