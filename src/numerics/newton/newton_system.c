/* The linear system of a Newton step in rows, see newton_system.h. */
#include "newton_system.h"
#include "matrix.h"

enum { most = NSDS_COUPLED_ROWS };

/* A pattern serves for fewer blocks than it was made for, down to this part of them: factors that
 * are larger for so little cost less than an analysis. */
static const double worth_keeping = 0.75;

static int rows(const nsds_block_rows *M, int a) { return M->row[a + 1] - M->row[a]; }

/* ---- memory ---- */

nsds_status nsds_newton_system_reserve(nsds_newton_system *s, nsds_solver *solver,
                                       const nsds_sweeps *sweeps) {
  const nsds_problem *problem = sweeps->problem;
  int nblock = sweeps->nunit;
  size_t n = (size_t)problem->n, nb = (size_t)nblock, count = 0, own = 0;
  if (s->stamp == 0 || s->stamp != problem->M.stamp) s->kept.nrow_block = 0;
  s->stamp = 0;
  nsds_status status = nsds_factor_hold(&solver->store, &s->factor);
  if (!status) status = nsds_form_block_rows(solver, problem, nblock, sweeps->cut, &s->M);
  if (status) return status;
  for (int a = 0; a < nblock; ++a) {
    own += (size_t)rows(s->M, a) * (size_t)rows(s->M, a); /* there even where M has none */
    for (int k = s->M->first[a]; k < s->M->first[a + 1]; ++k)
      count += (size_t)rows(s->M, a) * (size_t)rows(s->M, s->M->column[k]);
  }
  s->dense = nsds_better_dense(problem->n, (double)count, nsds_dense_limit);
  int dense_rows = s->dense ? problem->n : nsds_small_rows;
  size_t room = (size_t)dense_rows * (size_t)dense_rows, blocks = (size_t)s->M->first[nb] + nb;
  count += own;
  if (count > INT32_MAX)
    return nsds_fail(solver->context, NSDS_ERROR_SIZE,
                     "nsds_solve: the linear system would hold %zu values; at most %d are possible",
                     count, INT32_MAX);
  const nsds_cut cut[] = {NSDS_CUT(s->place, nb),
                          NSDS_CUT(s->block, nb),
                          NSDS_CUT(s->row, nb + 1),
                          NSDS_CUT(s->first, nb + 1),
                          NSDS_CUT(s->column, blocks),
                          NSDS_CUT(s->start, blocks),
                          NSDS_CUT(s->source, blocks),
                          NSDS_CUT(s->value, count),
                          NSDS_CUT(s->p, n + 1),
                          NSDS_CUT(s->work, n),
                          NSDS_CUT(s->d, n),
                          NSDS_CUT(s->i, s->dense ? 0 : count),
                          NSDS_CUT(s->x, room > count ? room : count)};
  nsds_factor_expect_balanced(s->factor);
  status = nsds_factor_reserve_dense(s->factor, dense_rows);
  if (!status) status = NSDS_HOLD(&solver->store, cut);
  if (!status) s->stamp = problem->M.stamp;
  return status;
}

/* ---- what remains ---- */

static bool depends_on_w(const nsds_linearised *at, int a, int m) {
  const double *B = at->B + at->first[a];
  for (int k = 0; k < m * m; ++k)
    if (B[k] != 0.0) return true;
  return false;
}

static bool kept_serves(const nsds_newton_system *s, const nsds_linearised *at) {
  int needed = 0;
  for (int a = 0; a < s->M->nrow_block; ++a) {
    if (!depends_on_w(at, a, rows(s->M, a))) continue;
    if (s->place[a] < 0) return false;
    ++needed;
  }
  return needed >= worth_keeping * s->kept.nrow_block;
}

static bool as_dense(const nsds_newton_system *s) {
  return s->dense || s->rest.n <= nsds_small_rows;
}

/* The blocks in the rows and columns that remain, with the diagonal ones in their places. */
static void list_blocks(nsds_newton_system *s) {
  const nsds_block_rows *M = s->M;
  int count = 0, offset = 0;
  for (int r = 0; r < s->kept.nrow_block; ++r) {
    int a = s->block[r], end = M->first[a + 1];
    bool own = false; /* the diagonal block has been met */
    s->first[r] = count;
    for (int k = M->first[a]; k < end || !own; ++k) {
      int b = k < end ? M->column[k] : a, missing = !own && b > a;
      own = own || b >= a;
      if (missing) --k, b = a;
      if (s->place[b] < 0) continue;
      s->column[count] = s->place[b];
      s->source[count] = missing || k >= end ? -1 : k;
      s->start[count++] = offset;
      offset += rows(M, a) * rows(M, b);
    }
  }
  s->first[s->kept.nrow_block] = count;
}

/* What remains, as a matrix in block rows whose values are to come. True when it is a new one. */
static bool choose(nsds_newton_system *s, const nsds_linearised *at) {
  int count = 0;
  if (s->kept.nrow_block > 0 && !as_dense(s) && kept_serves(s, at)) return false;
  s->row[0] = 0;
  for (int a = 0; a < s->M->nrow_block; ++a) {
    int m = rows(s->M, a);
    s->place[a] = -1;
    if (!depends_on_w(at, a, m)) continue;
    s->row[count + 1] = s->row[count] + m;
    s->block[count] = a;
    s->place[a] = count++;
  }
  s->kept = (nsds_block_rows){count, s->row, s->first, s->column, s->start, s->value};
  s->rest.n = s->row[count];
  s->rest.M = (nsds_matrix){.storage = NSDS_BLOCK_ROWS, .n = s->rest.n, .blocks = &s->kept};
  list_blocks(s);
  ++s->pattern;
  return true;
}

/* ---- entries ---- */

/* R^-1/2 (A + B (M_ab + weight)) R^1/2, A and the weight where a = b, NULL elsewhere: m rows and
 * `count` columns. */
static inline void write_block(const int m, const int count, const double *weight, const double *A,
                               const double *B, const double *M_ab, const double *left,
                               const double *right, double *value) {
  double inverse[most];
  for (int i = 0; i < m; ++i) inverse[i] = 1.0 / left[i];
  for (int j = 0; j < count; ++j) {
    double y[most] = {0.0};
    if (M_ab) nsds_add_product(m, m, B, m, M_ab + j * m, y);
    for (int i = 0; weight && i < m; ++i) y[i] += A[i + j * m] + weight[j] * B[i + j * m];
    for (int i = 0; i < m; ++i) value[i + j * m] = y[i] * right[j] * inverse[i];
  }
}

static void write_row(nsds_newton_system *s, const nsds_linearised *at, int r) {
  const nsds_block_rows *M = s->M;
  int a = s->block[r], m = rows(M, a);
  const double *A = at->A + at->first[a], *B = at->B + at->first[a], *left = at->root + M->row[a];
  for (int k = s->first[r]; k < s->first[r + 1]; ++k) {
    int b = s->block[s->column[k]], count = rows(M, b);
    const double *M_ab = s->source[k] >= 0 ? M->x + M->start[s->source[k]] : NULL;
    const double *right = at->root + M->row[b];
    double *value = s->value + s->start[k];
    const double *weight = a == b ? at->weight + M->row[a] : NULL;
    if (m == 3 && count == 3) write_block(3, 3, weight, A, B, M_ab, left, right, value);
    else write_block(m, count, weight, A, B, M_ab, left, right, value);
  }
}

nsds_status nsds_newton_system_factor(nsds_newton_system *s, const nsds_linearised *at) {
  bool fresh = choose(s, at);
  int n = s->rest.n;
  if (n == 0) return NSDS_OK;
  for (int r = 0; r < s->kept.nrow_block; ++r) write_row(s, at, r);
  if (as_dense(s)) {
    nsds_problem_to_dense(&s->rest, s->x);
    return nsds_factor_dense(s->factor, n, s->x);
  }
  if (fresh) nsds_problem_to_csc(&s->rest, s->p, NULL, NULL, s->work);
  nsds_problem_to_csc(&s->rest, s->p, s->i, s->x, s->work);
  return nsds_factor_csc(s->factor, n, s->p, s->i, s->x, s->pattern);
}

/* ---- solution ---- */

/* d_a = -A_a^-1 phi_a; so z_a comes out as exact zeros where a contact opens. */
static void solve_alone(const nsds_linearised *at, int a, int m, const double *phi, double *d) {
  double A[most * most];
  int pivot[most];
  for (int i = 0; i < m; ++i) d[i] = -phi[i];
  memcpy(A, at->A + at->first[a], (size_t)(m * m) * sizeof *A);
  if (nsds_small_lu(m, A, pivot)) nsds_small_lu_solve(m, A, pivot, d);
}

/* -phi_a - B_a times the w that the d known so far make. */
static void right_hand_side(nsds_newton_system *s, const nsds_linearised *at, int a,
                            const double *d) {
  const nsds_block_rows *M = s->M;
  int m = rows(M, a), row = M->row[a];
  double w[most] = {0.0}, y[most] = {0.0}, *own = s->d + s->row[s->place[a]];
  for (int k = M->first[a]; k < M->first[a + 1]; ++k) {
    int b = M->column[k];
    if (s->place[b] < 0) nsds_add_product(m, rows(M, b), M->x + M->start[k], m, d + M->row[b], w);
  }
  nsds_add_product(m, m, at->B + at->first[a], m, w, y);
  for (int i = 0; i < m; ++i) own[i] = -(at->phi[row + i] + y[i]) / at->root[row + i];
}

void nsds_newton_system_solve(nsds_newton_system *s, const nsds_linearised *at, double *d) {
  const nsds_block_rows *M = s->M;
  for (int a = 0; a < M->nrow_block; ++a)
    if (!depends_on_w(at, a, rows(M, a)))
      solve_alone(at, a, rows(M, a), at->phi + M->row[a], d + M->row[a]);
  for (int r = 0; r < s->kept.nrow_block; ++r) right_hand_side(s, at, s->block[r], d);
  if (s->rest.n > 0) nsds_factor_solve(s->factor, 1, s->d);
  for (int r = 0; r < s->kept.nrow_block; ++r) {
    int a = s->block[r];
    if (!depends_on_w(at, a, rows(M, a))) continue;
    for (int i = 0, row = M->row[a]; i < rows(M, a); ++i)
      d[row + i] = s->d[s->row[r] + i] * at->root[row + i];
  }
}
