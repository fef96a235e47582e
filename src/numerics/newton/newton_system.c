/*
 * The linear system of a Newton step, see newton_system.h.
 */
#include "newton_system.h"
#include "matrix.h"

enum { most = NSDS_COUPLED_ROWS };

/* A pattern serves for fewer blocks than it was made for, down to this part of them: factors that
 * are larger for so little cost less than an analysis. */
static const double worth_keeping = 0.75;

static int rows(const nsds_block_rows *M, int a) { return M->row[a + 1] - M->row[a]; }

/* ---- memory ---- */

static size_t entries(const nsds_block_rows *M) {
  size_t count = 0;
  for (int a = 0; a < M->nrow_block; ++a)
    for (int k = M->first[a]; k < M->first[a + 1]; ++k)
      count += (size_t)rows(M, a) * (size_t)rows(M, M->column[k]);
  return count;
}

/* Entries of the diagonal blocks, which are there even where M has none. */
static size_t own_entries(const nsds_block_rows *M) {
  size_t count = 0;
  for (int a = 0; a < M->nrow_block; ++a) count += (size_t)rows(M, a) * (size_t)rows(M, a);
  return count;
}

nsds_status nsds_newton_system_reserve(nsds_newton_system *s, nsds_solver *solver,
                                       const nsds_problem *problem, int nblock, const int *row) {
  size_t n = (size_t)problem->n;
  if (s->stamp == 0 || s->stamp != problem->M.stamp) s->nkept = 0;
  s->stamp = 0;
  nsds_status status = nsds_factor_hold(&solver->store, &s->factor);
  if (!status) status = nsds_form_block_rows(solver, problem, nblock, row, &s->M);
  if (status) return status;
  size_t count = entries(s->M);
  s->dense = nsds_better_dense(problem->n, (double)count, nsds_dense_limit);
  int dense_rows = s->dense ? problem->n : nsds_small_rows;
  size_t room = (size_t)dense_rows * (size_t)dense_rows;
  count += own_entries(s->M);
  if (count > INT32_MAX)
    return nsds_fail(solver->context, NSDS_ERROR_SIZE,
                     "nsds_solve: the linear system would hold %zu values; at most %d are possible",
                     count, INT32_MAX);
  const nsds_cut cut[] = {NSDS_CUT(s->place, nblock), NSDS_CUT(s->p, n + 1),
                          NSDS_CUT(s->next, n),       NSDS_CUT(s->i, s->dense ? 0 : count),
                          NSDS_CUT(s->d, n),          NSDS_CUT(s->x, room > count ? room : count)};
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
  return needed >= worth_keeping * s->nkept;
}

static bool as_dense(const nsds_newton_system *s) { return s->dense || s->size <= nsds_small_rows; }

/* True when the pattern is a new one. */
static bool choose(nsds_newton_system *s, const nsds_linearised *at) {
  if (s->nkept > 0 && !as_dense(s) && kept_serves(s, at)) return false;
  s->size = s->nkept = 0;
  for (int a = 0; a < s->M->nrow_block; ++a) {
    int m = rows(s->M, a);
    s->place[a] = -1;
    if (!depends_on_w(at, a, m)) continue;
    s->place[a] = s->size;
    s->size += m;
    ++s->nkept;
  }
  ++s->pattern;
  return true;
}

/* ---- entries ---- */

/* Column by column R^-1/2 (A + B (M_ab + e R^-1)) R^1/2, A and e where a = b: `count` columns of m
 * rows at place[]. */
static inline void write_columns(const int m, const int count, const nsds_linearised *at, bool own,
                                 const double *A, const double *B, const double *M_ab,
                                 const double *left, const double *right, double *place[]) {
  double inverse[most];
  for (int i = 0; i < m; ++i) inverse[i] = 1.0 / left[i];
  for (int j = 0; j < count; ++j) {
    double y[most] = {0.0};
    if (M_ab) nsds_add_product(m, m, B, m, M_ab + j * m, y);
    for (int i = 0; own && i < m; ++i)
      y[i] += A[i + j * m] + at->e / (right[j] * right[j]) * B[i + j * m];
    for (int i = 0; i < m; ++i) place[j][i] = y[i] * right[j] * inverse[i];
  }
}

/* Block (a, b) of what remains; M_ab may be NULL for zero. */
static void write_block(nsds_newton_system *s, const nsds_linearised *at, int a, int b,
                        const double *M_ab) {
  int m = rows(s->M, a), count = rows(s->M, b), row = s->place[a], column = s->place[b];
  const double *A = at->A + at->first[a], *B = at->B + at->first[a];
  const double *left = at->root + s->M->row[a], *right = at->root + s->M->row[b];
  double *place[most];
  for (int j = 0; j < count; ++j) {
    size_t next = as_dense(s) ? (size_t)row + (size_t)(column + j) * (size_t)s->size
                              : (size_t)s->next[column + j];
    place[j] = s->x + next;
    if (!as_dense(s)) s->next[column + j] += m;
  }
  if (m == 3 && count == 3) write_columns(3, 3, at, a == b, A, B, M_ab, left, right, place);
  else write_columns(m, count, at, a == b, A, B, M_ab, left, right, place);
}

/* The same block in the pattern: `counts` entries of its columns in p, or their rows in i. */
static void note_block(nsds_newton_system *s, int a, int b, bool counts) {
  int m = rows(s->M, a), row = s->place[a], column = s->place[b];
  for (int j = column; j < column + rows(s->M, b); ++j) {
    if (counts) s->p[j + 1] += m;
    for (int i = 0; !counts && i < m; ++i) s->i[s->next[j]++] = row + i;
  }
}

typedef enum purpose { COUNT, NOTE, WRITE } purpose;

static void meet(nsds_newton_system *s, const nsds_linearised *at, purpose what, int a, int b,
                 const double *M_ab) {
  if (s->place[b] < 0) return;
  if (what == WRITE) write_block(s, at, a, b, M_ab);
  else note_block(s, a, b, what == COUNT);
}

/* Every block of what remains, by rows, with the diagonal ones in their places among them. */
static void visit(nsds_newton_system *s, const nsds_linearised *at, purpose what) {
  const nsds_block_rows *M = s->M;
  for (int a = 0; a < M->nrow_block; ++a) {
    if (s->place[a] < 0) continue;
    bool own = false; /* the diagonal block has been met */
    for (int k = M->first[a]; k < M->first[a + 1]; ++k) {
      if (!own && M->column[k] > a) meet(s, at, what, a, a, NULL);
      own = own || M->column[k] >= a;
      meet(s, at, what, a, M->column[k], M->x + M->start[k]);
    }
    if (!own) meet(s, at, what, a, a, NULL);
  }
}

static void rewind_columns(nsds_newton_system *s) {
  memcpy(s->next, s->p, (size_t)s->size * sizeof *s->next);
}

static void make_pattern(nsds_newton_system *s, const nsds_linearised *at) {
  memset(s->p, 0, ((size_t)s->size + 1) * sizeof *s->p);
  visit(s, at, COUNT);
  for (int j = 0; j < s->size; ++j) s->p[j + 1] += s->p[j];
  rewind_columns(s);
  visit(s, at, NOTE);
}

nsds_status nsds_newton_system_factor(nsds_newton_system *s, const nsds_linearised *at) {
  bool fresh = choose(s, at);
  if (s->size == 0) return NSDS_OK;
  if (as_dense(s)) {
    memset(s->x, 0, (size_t)s->size * (size_t)s->size * sizeof *s->x);
    visit(s, at, WRITE);
    return nsds_factor_dense(s->factor, s->size, s->x);
  }
  if (fresh) make_pattern(s, at);
  rewind_columns(s);
  visit(s, at, WRITE);
  return nsds_factor_csc(s->factor, s->size, s->p, s->i, s->x, s->pattern);
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
  double w[most] = {0.0}, y[most] = {0.0};
  for (int k = M->first[a]; k < M->first[a + 1]; ++k) {
    int b = M->column[k];
    if (s->place[b] < 0) nsds_add_product(m, rows(M, b), M->x + M->start[k], m, d + M->row[b], w);
  }
  nsds_add_product(m, m, at->B + at->first[a], m, w, y);
  for (int i = 0; i < m; ++i)
    s->d[s->place[a] + i] = -(at->phi[row + i] + y[i]) / at->root[row + i];
}

void nsds_newton_system_solve(nsds_newton_system *s, const nsds_linearised *at, double *d) {
  const nsds_block_rows *M = s->M;
  for (int a = 0; a < M->nrow_block; ++a)
    if (!depends_on_w(at, a, rows(M, a)))
      solve_alone(at, a, rows(M, a), at->phi + M->row[a], d + M->row[a]);
  for (int a = 0; a < M->nrow_block; ++a)
    if (s->place[a] >= 0) right_hand_side(s, at, a, d);
  if (s->size > 0) nsds_factor_solve(s->factor, 1, s->d);
  for (int a = 0; a < M->nrow_block; ++a) {
    if (!depends_on_w(at, a, rows(M, a))) continue;
    for (int i = 0, row = M->row[a]; i < rows(M, a); ++i)
      d[row + i] = s->d[s->place[a] + i] * at->root[row + i];
  }
}
