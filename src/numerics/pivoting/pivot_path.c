/*
 * Complementary pivoting along the path of y = A x + b + d x_0 from large x_0 to x_0 = 0.
 *
 * The problem becomes rows and variables y, x (lcp_form.h), the system a compact tableau
 * (tableau.h). Free rows, which are equalities and the lineality of C, are eliminated first
 * (free_rows.h). x_0 enters, then always the complement of what left, until x_0 leaves (solved) or
 * nothing blocks (secondary ray). Ties are broken lexicographically.
 *
 * Lemke: d > 0, in scaled variables all ones. Cao and Ferris: d is one on the rows of the facets
 * that meet in a vertex of C and zero on the slacks of the others, which are nonnegative at the
 * vertex.
 *
 * At the end the system of the basis is solved from the original matrix, which removes the rounding
 * gathered by the tableau. Rows whose q is far smaller than that of others may have been lost in
 * it: where the answer is not certified, the path goes on from the last basis with the right-hand
 * sides found so, and x_0 no larger than needed now.
 */
#include "pivot_path.h"
#include "certify.h"
#include "free_rows.h"
#include "tableau.h"

enum { most_rounds = 4 };

typedef struct path {
  nsds_solver *solver;
  nsds_pivot_path *memory;
  const nsds_problem *problem;
  nsds_solver_info *info;
  int n, limit;
  double most; /* x_0 at the start */
  nsds_tableau t;
  unsigned char *free, *flipped, *basic, *met;
  int *list;                         /* 2 n */
  double *A, *b, *x, *y, *d, *start; /* A n x n, row-major */
} path;

nsds_status nsds_pivot_path_reserve(nsds_context *context, nsds_pivot_path *p, int n) {
  nsds_status status;
  size_t m = (size_t)n, doubles = nsds_tableau_doubles(n) + m * m + 5 * m + 1;
  if ((status = NSDS_ENSURE(context, p->memory, p->memory_capacity, doubles)) ||
      (status =
           NSDS_ENSURE(context, p->index, p->index_capacity, nsds_tableau_integers(n) + 2 * m)) ||
      (status = NSDS_ENSURE(context, p->flag, p->flag_capacity, 4 * m + 1)))
    return status;
  return nsds_basic_system_reserve(&p->last, context, n);
}

void nsds_pivot_path_release(nsds_context *context, nsds_pivot_path *p) {
  nsds_basic_system_release(&p->last, context);
  nsds_lcp_release(context, &p->form);
  nsds_release(context, p->memory);
  nsds_release(context, p->index);
  nsds_release(context, p->flag);
}

/* Names for the memory, and the tableau. */
static void open_path(path *p) {
  nsds_pivot_path *memory = p->memory;
  const nsds_lcp_row *row = memory->form.row;
  size_t n = (size_t)memory->form.n;
  p->n = memory->form.n;
  p->free = memory->flag;
  p->flipped = p->free + n;
  p->basic = p->flipped + n;
  p->met = p->basic + n;
  p->list = memory->index + nsds_tableau_integers(p->n);
  p->A = memory->memory + nsds_tableau_doubles(p->n);
  p->b = p->A + n * n;
  p->x = p->b + n;
  p->y = p->x + n;
  p->d = p->y + n;
  p->start = p->d + n;
  p->t = nsds_tableau_lay_out(p->n, memory->memory, memory->index);
  nsds_lcp_matrix(&memory->form, p->problem->M.x, p->A, p->n);
  nsds_lcp_vector(&memory->form, p->problem->M.x, p->problem->q, p->b);
  for (size_t i = 0; i < n; ++i) {
    memcpy(nsds_tableau_row(&p->t, (int)i), p->A + i * n, n * sizeof *p->A);
    p->t.rhs[i] = p->b[i];
    for (size_t j = 0; j < n; ++j)
      if (row[j].shift > 0.0) p->t.rhs[i] -= p->A[j + i * n] * row[j].shift;
    p->free[i] = row[i].free;
  }
  p->t.free = p->free;
  p->t.place[2 * p->n] = 0; /* x_0 is not basic */
  nsds_tableau_start(&p->t);
}

/* ---- the path ---- */

/* d of Lemke's method for y' = scale y. In friction, d of the normal row exceeds mu times that of
 * the tangential one in the unscaled variables, see lcp_form.h. */
static void cover_all(path *p) {
  const nsds_lcp_row *row = p->memory->form.row;
  const double *scale = p->t.scale;
  for (int k = 0; k < p->n; ++k) p->d[k] = 1.0;
  for (int k = 0; k < p->n; ++k)
    if (row[k].mu > 0.0) p->d[row[k].normal] += row[k].mu * scale[row[k].normal] / scale[k];
}

/* A vertex start needs slacks that are what they were. */
static void cover_vertex(path *p) {
  for (int k = 0; k < p->n; ++k) p->d[k] = p->memory->form.row[k].slack ? 0.0 : 1.0;
  if (memchr(p->flipped, 1, (size_t)p->n)) cover_all(p);
}

/* Row whose y is the last to become nonnegative as x_0 grows, the last of equal ones; -1 if all
 * are. */
static int first_row(const path *p) {
  int best = -1;
  double most = 0.0;
  for (int r = 0; r < p->t.m; ++r) {
    double d = p->d[p->t.basic[r]], rhs = p->t.rhs[r];
    if (!(rhs < 0.0) || d == 0.0 || -rhs / d < most) continue;
    best = r;
    most = -rhs / d;
  }
  return best;
}

static void add_artificial(path *p) {
  nsds_tableau *t = &p->t;
  for (int r = 0; r < t->m; ++r) nsds_tableau_row(t, r)[t->columns] = -p->d[t->basic[r]];
  nsds_tableau_set_nonbasic(t, t->columns++, 2 * p->n);
}

static void drop_artificial(path *p) {
  nsds_tableau *t = &p->t;
  int c = t->place[2 * p->n], last = --t->columns;
  if (c == last) return;
  for (int r = 0; r < t->m; ++r) nsds_tableau_row(t, r)[c] = nsds_tableau_row(t, r)[last];
  nsds_tableau_set_nonbasic(t, c, t->nonbasic[last]);
}

/* True when x_0 vanished without leaving, its ratio having been tied but for rounding. One of the
 * pair outside the basis, columns c and e, then takes its row, where it has an entry there. */
static bool artificial_vanished(path *p, int c, int e) {
  nsds_tableau *t = &p->t;
  int row = -1 - t->place[2 * p->n];
  if (t->rhs[row] != 0.0) return false;
  const double *a = nsds_tableau_row(t, row);
  if (fabs(a[c]) > fabs(a[e])) e = c;
  if (fabs(a[e]) <= nsds_pivot_zero) return true;
  nsds_tableau_pivot(t, row, e);
  drop_artificial(p);
  return true;
}

/* Whether a ray starts where x_0 is next to nothing: rounding may have made it, and the certificate
 * tells. */
static bool ends_in_rounding(const path *p) {
  static const double next_to_nothing = 1e-9;
  int row = -1 - p->t.place[2 * p->n];
  return p->t.rhs[row] <= next_to_nothing * p->most;
}

static nsds_outcome follow(path *p) {
  nsds_tableau *t = &p->t;
  int n = p->n, row = first_row(p), e = t->columns;
  if (row < 0) return NSDS_SOLVED;
  memset(p->start, 0, (size_t)n * sizeof *p->start);
  for (int r = 0; r < t->m; ++r) p->start[t->basic[r]] = t->rhs[r];
  t->start = p->start;
  p->most = -t->rhs[row] / p->d[t->basic[row]];
  add_artificial(p);
  while (p->info->iterations < p->limit) {
    if (nsds_solver_interrupted(p->solver, p->info->iterations, NAN)) return NSDS_INTERRUPTED;
    int leaving = t->basic[row];
    nsds_tableau_pivot(t, row, e);
    ++p->info->iterations;
    if (leaving == 2 * n) {
      drop_artificial(p);
      return NSDS_SOLVED;
    }
    int left = e;
    e = t->place[leaving < n ? leaving + n : leaving - n];
    if (artificial_vanished(p, left, e)) return NSDS_SOLVED;
    row = nsds_tableau_blocking_row(t, p->free, e, 2 * n);
    if (row < 0) return NSDS_RAY;
  }
  return NSDS_NOT_CONVERGED;
}

/* ---- the answer ---- */

static void find_basic(path *p) {
  int n = p->n;
  const int *place = p->t.place;
  for (int k = 0; k < n; ++k) {
    bool x_basic = place[n + k] < 0, y_basic = place[k] < 0;
    p->basic[k] = !p->free[k] && p->flipped[k] ? y_basic : x_basic;
    p->met[k] = p->free[k] ? !y_basic : p->basic[k];
  }
}

/* The indices set in `flag`; returns their number. */
static int list_of(int n, const unsigned char *flag, int *list) {
  int k = 0;
  for (int i = 0; i < n; ++i)
    if (flag[i]) list[k++] = i;
  return k;
}

/* y_k of x. */
static double value_of_row(const path *p, int k) {
  const double *a = p->A + (size_t)k * (size_t)p->n;
  double y = p->b[k];
  for (int j = 0; j < p->n; ++j) y += a[j] * p->x[j];
  return y;
}

/* Solves for y_R = 0 with the basic variables B, the others being 0; in the sense of least squares,
 * where that is singular. x becomes x - shift. */
static nsds_status solve_basis(path *p) {
  nsds_basic_system *last = &p->memory->last;
  int *column = p->list, *row = column + p->n, k = list_of(p->n, p->basic, column);
  list_of(p->n, p->met, row);
  for (int j = 0; j < p->n; ++j) p->x[j] = p->basic[j] ? 0.0 : -p->memory->form.row[j].shift;
  for (int i = 0; i < k; ++i) {
    last->b[i] = -value_of_row(p, row[i]);
    for (int j = 0; j < k; ++j)
      last->a[i + (size_t)j * (size_t)k] = p->A[(size_t)column[j] + (size_t)row[i] * (size_t)p->n];
  }
  ++p->info->factorizations;
  nsds_status status = nsds_basic_system_solve(last, k);
  for (int j = 0; j < k; ++j) p->x[column[j]] = last->x[j];
  return status == NSDS_ERROR_SINGULAR ? NSDS_OK : status;
}

/* y of x, and the point of x with negative entries put to zero; its residual. */
static double recover(path *p, double *z) {
  int worst_block;
  const nsds_lcp_row *row = p->memory->form.row;
  double *x = p->memory->last.b;
  for (int k = 0; k < p->n; ++k) {
    p->y[k] = value_of_row(p, k);
    x[k] = p->free[k] ? p->x[k] : fmax(p->x[k], -row[k].shift);
  }
  nsds_lcp_recover(&p->memory->form, x, p->basic, z);
  return nsds_certified_residual(p->problem, z, p->solver->toolbox->certify_work, &worst_block);
}

/* Takes the basic variables for y and their values for rhs; false when none is negative. */
static bool start_again(path *p) {
  nsds_tableau *t = &p->t;
  if (t->place[2 * p->n] < 0) return false;
  for (int r = 0; r < t->m; ++r) {
    int k = t->basic[r] % p->n;
    double shift = p->memory->form.row[k].shift;
    t->rhs[r] = p->basic[k] ? (p->x[k] + shift) / t->scale[k] : p->y[k] * t->scale[k];
    if (t->basic[r] >= p->n) p->flipped[k] ^= 1;
  }
  nsds_tableau_name_basic_y(t);
  for (int k = 0; k < p->n; ++k) p->d[k] = 1.0;
  return nsds_tableau_measure(t);
}

/* The equalities, and the covering vector. */
static nsds_outcome start(path *p, bool from_vertex, bool *held) {
  nsds_outcome outcome =
      nsds_free_rows_eliminate(&p->t, p->solver, p->limit, p->flipped, held, &p->info->iterations);
  if (outcome != NSDS_SOLVED) return outcome;
  if (from_vertex) cover_vertex(p);
  else cover_all(p);
  return outcome;
}

static nsds_status run(path *p, bool from_vertex, double *z) {
  nsds_solver_info *info = p->info;
  double residual = INFINITY, *trial = p->solver->toolbox->scratch + p->problem->n;
  bool held;
  info->outcome = start(p, from_vertex, &held);
  if (info->outcome != NSDS_SOLVED) return NSDS_OK;
  for (int round = 0; round < most_rounds; ++round) {
    nsds_outcome outcome = follow(p);
    bool doubtful = outcome == NSDS_RAY && ends_in_rounding(p);
    if (outcome == NSDS_RAY && held) outcome = NSDS_NOT_CONVERGED;
    if (round == 0 || outcome == NSDS_INTERRUPTED) info->outcome = outcome;
    if (outcome != NSDS_SOLVED && !doubtful) return NSDS_OK;
    find_basic(p);
    nsds_status status = solve_basis(p);
    if (status) return status;
    double found = recover(p, trial);
    if (found < residual || round == 0) memcpy(z, trial, (size_t)p->problem->n * sizeof *z);
    residual = fmin(residual, found);
    if (doubtful && residual <= p->solver->value[OPTION_TOLERANCE]) info->outcome = NSDS_SOLVED;
    if (residual <= p->solver->value[OPTION_TOLERANCE] || !start_again(p)) return NSDS_OK;
  }
  return NSDS_OK;
}

nsds_status nsds_pivot_path_solve(nsds_solver *solver, nsds_pivot_path *memory,
                                  const nsds_problem *problem, bool from_vertex, int limit,
                                  double *z, nsds_solver_info *info) {
  path p = {.solver = solver, .memory = memory, .problem = problem, .info = info, .limit = limit};
  nsds_status status = nsds_lcp_build(solver->context, &memory->form, problem, from_vertex);
  if (status) return status;
  info->outcome = NSDS_NO_SOLUTION; /* an empty polyhedron */
  if (memory->form.n < 0) return NSDS_OK;
  open_path(&p);
  return run(&p, from_vertex, z);
}
