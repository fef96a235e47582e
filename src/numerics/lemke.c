/*
 * Lemke's method with lexicographic pivoting (Lemke 1965; Cottle, Pang & Stone 1992, 4.4 and 4.9).
 *
 * The problem becomes y = A x + b with free rows (lcp_form.h), the augmented system
 * y = b + A x + e x_0 a compact tableau (tableau.h). x_0 enters first, then always the complement
 * of what left, until x_0 leaves (solved) or nothing blocks (secondary ray). Lexicographic ratio
 * tests keep degenerate problems from cycling.
 *
 * Free rows come first: their variables are made basic by principal pivots with complete pivoting
 * (the Schur complement), redundant consistent equalities are dropped, and Lemke runs on what
 * remains. At the end the system of the final basis is solved once more from the original matrix,
 * which removes the rounding gathered by the tableau.
 */
#include "factor.h"
#include "lcp_form.h"
#include "solver_internal.h"
#include "tableau.h"

typedef struct lemke_state {
  nsds_factor *factor;
  nsds_lcp_form form;
  double *memory; /* tableau; afterwards the final system */
  int *index;
  unsigned char *flag; /* 2 n: free rows, basic variables */
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

/* A row 0 = y_e that could not be pivoted must be void. */
static bool redundant(const nsds_tableau *t, const unsigned char *free, int r) {
  for (int c = 0; c < t->n; ++c) {
    int v = t->nonbasic[c];
    if (v >= t->n && !free[v - t->n] && fabs(nsds_tableau_row(t, r)[c]) > nsds_pivot_zero)
      return false;
  }
  return fabs(t->rhs[r]) <= nsds_pivot_zero;
}

/* Makes the free variables basic; false when the equalities cannot be met that way. */
static bool eliminate_equalities(nsds_tableau *t, const unsigned char *free, int *pivots) {
  int p = 0, e = 0;
  while (equality_pivot(t, free, &p, &e) > nsds_pivot_zero) {
    nsds_tableau_pivot(t, p, e);
    ++*pivots;
  }
  for (int r = 0; r < t->n; ++r)
    if (t->basic[r] < t->n && free[t->basic[r]] && !redundant(t, free, r)) return false;
  return true;
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

/* A (row-major, n x n) becomes the column-major system of the basic variables. */
static int pick_basic(int n, const unsigned char *basic, int *list, const double *A,
                      double *system) {
  int k = 0;
  for (int i = 0; i < n; ++i)
    if (basic[i]) list[k++] = i;
  for (int j = 0; j < k; ++j)
    for (int i = 0; i < k; ++i) *system++ = A[list[j] + (size_t)list[i] * (size_t)n];
  return k;
}

/* Solves A_BB x_B = -b_B for the basic variables B, from the original matrix. */
static nsds_status solve_final_basis(nsds_solver *solver, const nsds_problem *problem,
                                     const double *M, const unsigned char *basic, double *z,
                                     nsds_solver_info *info) {
  lemke_state *s = solver->state;
  int n = s->form.n, *list = s->index;
  size_t m = (size_t)n;
  double *A = s->memory, *system = A + m * m, *x = system + m * m, *b = x + m;
  nsds_lcp_matrix(&s->form, M, A, n);
  nsds_lcp_vector(&s->form, M, problem->q, b);
  int k = pick_basic(n, basic, list, A, system);
  ++info->factorizations;
  nsds_status status = nsds_factor_dense(s->factor, k, system);
  if (status) return status;
  for (int i = 0; i < k; ++i) system[i] = -b[list[i]];
  nsds_factor_solve(s->factor, 1, system);
  memset(x, 0, m * sizeof *x);
  for (int i = 0; i < k; ++i)
    x[list[i]] = system[i] > 0.0 || s->form.row[list[i]].free ? system[i] : 0.0;
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
  if (!s->factor && !(s->factor = nsds_factor_create(context))) return NSDS_ERROR_MEMORY;
  if ((status = nsds_lcp_build(context, &s->form, problem)) ||
      (status = NSDS_ENSURE(context, s->memory, s->memory_capacity, 2 * m * (m + 2) + 1)) ||
      (status = NSDS_ENSURE(context, s->index, s->index_capacity, nsds_tableau_integers(n))) ||
      (status = NSDS_ENSURE(context, s->flag, s->flag_capacity, 2 * m + 1)) ||
      (status = nsds_form_reserve_dense(solver, problem)) ||
      (status = nsds_factor_reserve_dense(s->factor, n)))
    return status;
  return nsds_solver_scratch(solver, (size_t)problem->n);
}

/* Pivots to a basis; `basic` receives its x. */
static nsds_outcome find_basis(nsds_solver *solver, const nsds_problem *problem, const double *M,
                               unsigned char *basic, nsds_solver_info *info) {
  lemke_state *s = solver->state;
  int n = s->form.n;
  unsigned char *free = s->flag;
  nsds_tableau t = nsds_tableau_lay_out(n, s->memory, s->index);
  nsds_lcp_matrix(&s->form, M, t.T, t.stride);
  nsds_lcp_vector(&s->form, M, problem->q, t.rhs);
  nsds_tableau_start(&t);
  for (int i = 0; i < n; ++i) free[i] = s->form.row[i].free;
  if (!eliminate_equalities(&t, free, &info->iterations)) return NSDS_NOT_CONVERGED;
  for (int i = 0; i < n; ++i) basic[i] = free[i] && t.place[n + i] < 0;
  keep_nonnegative(&t, free);
  nsds_outcome outcome = run_pivots(solver, &t, free, info);
  for (int r = 0; r < t.m; ++r)
    if (t.basic[r] >= n && t.basic[r] < 2 * n) basic[t.basic[r] - n] = 1;
  return outcome;
}

static nsds_status solve(nsds_solver *solver, const nsds_problem *problem, double *z,
                         nsds_solver_info *info) {
  lemke_state *s = solver->state;
  const double *M;
  if (problem->n == 0) return NSDS_OK;
  if (too_large(problem) || nsds_lcp_size(problem) < 0) {
    info->outcome = NSDS_REFUSED;
    return NSDS_OK;
  }
  nsds_status status = nsds_form_dense(solver, problem, &M);
  if (status) return status;
  unsigned char *basic = s->flag + s->form.n;
  info->outcome = find_basis(solver, problem, M, basic, info);
  if (info->outcome != NSDS_SOLVED) return NSDS_OK;
  double *found = solver->toolbox->scratch;
  status = solve_final_basis(solver, problem, M, basic, found, info);
  if (status == NSDS_ERROR_SINGULAR) {
    info->outcome = NSDS_NOT_CONVERGED;
    return NSDS_OK;
  }
  if (!status) memcpy(z, found, (size_t)problem->n * sizeof *z);
  return status;
}

static void release(nsds_solver *solver) {
  lemke_state *s = solver->state;
  nsds_factor_destroy(s->factor);
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
