/* The linear system of a Newton step in rows, see newton_system.h. */
#include "numerics/newton/newton_system.h"

#include "base/context.h"
#include "numerics/linear/factor.h"
#include "numerics/linear/factor_dense.h"
#include "numerics/linear/forms.h"
#include "numerics/linear/product.h"
#include "numerics/solver_internal.h"
#include "numerics/store.h"

enum { most = NSDS_COUPLED_ROWS };

/* A pattern also serves fewer blocks, down to this part of its own number. Factors that are
 * slightly larger cost less than an analysis. */
static const double worth_keeping = 0.75;

static int newton_system_rows(const nsds_sweeps *s, int a) { return s->cut[a + 1] - s->cut[a]; }

/* ---- memory ---- */

/* Counts the entries of M, with whole blocks in each column that meets them. */
static size_t count_entries(const nsds_newton_system *s) {
  const nsds_csc_form *M = s->M;
  size_t count = 0;
  for (int j = 0; j < M->n; ++j)
    for (int k = M->p[j], last = -1; k < M->p[j + 1]; ++k) {
      int a = s->unit_of[M->i[k]];
      if (a != last) count += (size_t)newton_system_rows(s->sweeps, a);
      last = a;
    }
  return count;
}

static nsds_status reserve_rows(nsds_newton_system *s, nsds_store *store) {
  size_t n = (size_t)s->sweeps->problem->n, nunit = (size_t)s->sweeps->nunit;
  const nsds_cut cut[] = {NSDS_CUT(s->unit_of, n), NSDS_CUT(s->place, nunit),
                          NSDS_CUT(s->p, n + 1),   NSDS_CUT(s->d, n),
                          NSDS_CUT(s->w, n),       NSDS_CUT(s->inverse, n)};
  nsds_status status = NSDS_HOLD(store, cut);
  for (int a = 0; !status && a < s->sweeps->nunit; ++a)
    for (int i = s->sweeps->cut[a]; i < s->sweeps->cut[a + 1]; ++i) s->unit_of[i] = a;
  return status;
}

nsds_status nsds_newton_system_reserve(nsds_newton_system *s, nsds_solver *solver,
                                       const nsds_sweeps *sweeps) {
  const nsds_problem *problem = sweeps->problem;
  if (s->stamp == 0 || s->stamp != problem->M.stamp) s->kept = 0;
  s->stamp = 0;
  s->sweeps = sweeps;
  nsds_status status = nsds_factor_hold(&solver->store, &s->factor);
  if (!status) status = nsds_form_csc(solver, problem, &s->M);
  if (!status) status = reserve_rows(s, &solver->store);
  if (status) return status;
  size_t count = count_entries(s);
  s->dense = nsds_better_dense(problem->n, (double)count, nsds_dense_limit);
  int dense_rows = s->dense ? problem->n : nsds_small_rows;
  size_t room = (size_t)dense_rows * (size_t)dense_rows;
  if (count > INT32_MAX)
    return nsds_fail(solver->context, NSDS_ERROR_SIZE,
                     "nsds_solve: the linear system would hold %zu values; at most %d are possible",
                     count, INT32_MAX);
  const nsds_cut cut[] = {NSDS_CUT(s->i, s->dense ? 0 : count),
                          NSDS_CUT(s->x, room > count ? room : count)};
  nsds_factor_expect_balanced(s->factor);
  status = nsds_factor_reserve_dense(s->factor, dense_rows);
  if (!status) status = NSDS_HOLD(&solver->store, cut);
  if (!status) s->stamp = problem->M.stamp;
  return status;
}

/* ---- blocks that remain ---- */

static bool depends_on_w(const nsds_linearised *at, int a, int m) {
  const double *B = at->B + at->first[a];
  for (int k = 0; k < m * m; ++k)
    if (B[k] != 0.0) return true;
  return false;
}

static bool kept_serves(const nsds_newton_system *s, const nsds_linearised *at) {
  int needed = 0;
  for (int a = 0; a < s->sweeps->nunit; ++a) {
    if (!depends_on_w(at, a, newton_system_rows(s->sweeps, a))) continue;
    if (s->place[a] < 0) return false;
    ++needed;
  }
  return needed >= worth_keeping * s->kept;
}

static bool newton_system_as_dense(const nsds_newton_system *s) {
  return s->dense || s->n <= nsds_small_rows;
}

/* Chooses the blocks that remain, with their own pattern. */
static void newton_system_choose(nsds_newton_system *s, const nsds_linearised *at) {
  if (s->kept > 0 && !newton_system_as_dense(s) && kept_serves(s, at)) return;
  s->n = s->kept = 0;
  for (int a = 0; a < s->sweeps->nunit; ++a) {
    int m = newton_system_rows(s->sweeps, a);
    bool remains = depends_on_w(at, a, m);
    s->place[a] = remains ? s->n : -1;
    s->n += remains ? m : 0;
    s->kept += remains;
  }
  ++s->pattern;
}

/* ---- entries ---- */

/* Writes R^-1/2 (A + B (M_aj + weight)) R^1/2. `own` is the column in the block. If it is negative,
 * the column belongs to another block, without A and the weight. */
static inline void write_column(const int m, int own, double weight, const double *A,
                                const double *B, const double *M_aj, const double *inverse,
                                double right, double *value) {
  double y[most] = {0.0};
  nsds_add_product(m, m, B, m, M_aj, y);
  for (int i = 0; own >= 0 && i < m; ++i) y[i] += A[i + own * m] + weight * B[i + own * m];
  for (int i = 0; i < m; ++i) value[i] = y[i] * right * inverse[i];
}

/* Copies the entries of M from *k on, before `end`, to a column of m rows from `row` on. */
static const double *with_zeros(const nsds_csc_form *M, int *k, int end, int row, int m,
                                double *column) {
  for (int i = 0; i < m; ++i) column[i] = 0.0;
  for (; *k < end && M->i[*k] < row + m; ++*k) column[M->i[*k] - row] = M->x[*k];
  return column;
}

/* Appends column j of M, in whole blocks, to the `count` entries, or writes it to a dense column.
 * Returns the new number of entries. */
static int newton_system_add_column(nsds_newton_system *s, const nsds_linearised *at, int j,
                                    int count) {
  const nsds_csc_form *M = s->M;
  const int *cut = s->sweeps->cut;
  int end = M->p[j + 1], b = s->unit_of[j], *rows_of = newton_system_as_dense(s) ? NULL : s->i;
  double weight = at->weight[j], right = at->root[j], room[most];
  for (int k = M->p[j]; k < end;) {
    int a = s->unit_of[M->i[k]], row = cut[a], m = cut[a + 1] - row, place = s->place[a];
    bool whole = k + m <= end && M->i[k + m - 1] == row + m - 1;
    const double *M_aj = whole ? M->x + k : with_zeros(M, &k, end, row, m, room);
    if (whole) k += m;
    if (place < 0) continue;
    const double *A = at->A + at->first[a], *B = at->B + at->first[a];
    double *value = s->x + count + (rows_of ? 0 : place);
    int own = a == b ? j - row : -1;
    if (m == 3) write_column(3, own, weight, A, B, M_aj, s->inverse + row, right, value);
    else write_column(m, own, weight, A, B, M_aj, s->inverse + row, right, value);
    for (int i = 0; rows_of && i < m; ++i) rows_of[count++] = place + i;
  }
  return rows_of ? count : count + s->n;
}

nsds_status nsds_newton_system_factor(nsds_newton_system *s, const nsds_linearised *at) {
  newton_system_choose(s, at);
  int n = s->n, count = 0;
  if (n == 0) return NSDS_OK;
  if (newton_system_as_dense(s)) memset(s->x, 0, (size_t)n * (size_t)n * sizeof *s->x);
  for (int i = 0; i < s->M->n; ++i) s->inverse[i] = 1.0 / at->root[i];
  for (int j = 0; j < s->M->n; ++j) {
    int b = s->unit_of[j];
    if (s->place[b] < 0) continue;
    s->p[s->place[b] + j - s->sweeps->cut[b]] = count;
    count = newton_system_add_column(s, at, j, count);
  }
  s->p[n] = count;
  return newton_system_as_dense(s) ? nsds_factor_dense(s->factor, n, s->x)
                                   : nsds_factor_csc(s->factor, n, s->p, s->i, s->x, s->pattern);
}

/* ---- solution ---- */

/* Computes d_a = -A_a^-1 phi_a. This makes z_a exact zeros when a contact opens. */
static void solve_alone(const nsds_linearised *at, int a, int m, const double *phi, double *d) {
  double A[most * most];
  int pivot[most];
  for (int i = 0; i < m; ++i) d[i] = -phi[i];
  memcpy(A, at->A + at->first[a], (size_t)(m * m) * sizeof *A);
  if (nsds_small_lu(m, A, pivot)) nsds_small_lu_solve(m, A, pivot, d);
}

/* Solves the blocks that give d_a at once, and computes their part of w. */
static void solve_given(nsds_newton_system *s, const nsds_linearised *at, double *d) {
  const nsds_csc_form *M = s->M;
  memset(s->w, 0, (size_t)M->n * sizeof *s->w);
  for (int a = 0; a < s->sweeps->nunit; ++a) {
    int m = newton_system_rows(s->sweeps, a), row = s->sweeps->cut[a];
    if (!depends_on_w(at, a, m)) solve_alone(at, a, m, at->phi + row, d + row);
    for (int j = row; s->place[a] < 0 && j < row + m; ++j)
      for (int k = M->p[j]; k < M->p[j + 1]; ++k) s->w[M->i[k]] += M->x[k] * d[j];
  }
}

void nsds_newton_system_solve(nsds_newton_system *s, const nsds_linearised *at, double *d) {
  solve_given(s, at, d);
  for (int a = 0; a < s->sweeps->nunit; ++a) {
    int m = newton_system_rows(s->sweeps, a), row = s->sweeps->cut[a];
    double y[most] = {0.0};
    if (s->place[a] < 0) continue;
    nsds_add_product(m, m, at->B + at->first[a], m, s->w + row, y);
    for (int i = 0; i < m; ++i)
      s->d[s->place[a] + i] = -(at->phi[row + i] + y[i]) / at->root[row + i];
  }
  if (s->n > 0) nsds_factor_solve(s->factor, 1, s->d);
  for (int i = 0; i < s->M->n; ++i) {
    int a = s->unit_of[i], place = s->place[a], row = s->sweeps->cut[a];
    if (place >= 0 && depends_on_w(at, a, newton_system_rows(s->sweeps, a)))
      d[i] = s->d[place + i - row] * at->root[i];
  }
}
