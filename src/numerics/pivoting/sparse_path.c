/*
 * Complementary pivoting as in pivot_path.c for sparse problems: a revised method. The basis matrix
 * B, columns of [I, -A, -d] for y, x and x_0, has sparse LU factors; pivots since the factorisation
 * are kept in product form (Dantzig & Orchard-Hays 1954), column by column, until B is factored
 * anew.
 *
 * Free variables are in the first basis, in place of the y of their rows, and never leave. Ties are
 * broken as by a right-hand side b + epsilon p with p at random: the lexicographic rule with a
 * generic first column in place of B^-1, which here has no rows at hand.
 */
#include "sparse_path.h"
#include "certify.h"
#include "tableau.h"

#include <float.h>

enum { most_etas = 64 };

static const double tie = 1e-12; /* ratios that count as one */
static const double rounding = 256 * DBL_EPSILON;
static const double next_to_nothing = 1e-9; /* of x_0, where rounding may make a ray */

typedef struct path {
  nsds_solver *solver;
  nsds_sparse_path *memory;
  const nsds_problem *problem;
  nsds_solver_info *info;
  int n, limit;
  int *basic;           /* n: variable of each position; y_k: k, x_k: n + k, x_0: 2 n */
  int *place;           /* 2 n + 1: its position, -1: not basic */
  int *eta;             /* most_etas: position of each pivot */
  double *row, *column; /* n: y' = row y, x = column x' */
  double *b, *d, *p;    /* n: scaled; b is y at x = 0 */
  double *at_shift;     /* n: scaled, y at x = shift */
  double *x, *t;        /* n: B^-1 b, B^-1 p */
  double *size;         /* n: largest term that went into x, below rounding of which it is 0 */
  double *alpha;        /* n: column of the entering variable, times B^-1 */
  double *work;         /* n */
  bool doubtful;        /* a ray that starts where x_0 is next to nothing */
  double unit;          /* b' = unit row b */
} path;

/* ---- scales ---- */

static double inverse_power(double x, int root) {
  if (!(x > 0.0) || !isfinite(x)) return 1.0;
  int exponent;
  frexp(x, &exponent);
  return ldexp(1.0, -exponent / root);
}

/* Largest entry of each row and column, scaled. */
static void largest(const path *s, double *of_row, double *of_column) {
  const nsds_sparse_columns *A = &s->memory->A;
  for (int k = 0; k < s->n; ++k) of_row[k] = of_column[k] = 0.0;
  for (int k = 0; k < s->n; ++k)
    for (int e = A->first[k]; e < A->first[k + 1]; ++e) {
      double a = fabs(A->a[e]) * s->row[A->i[e]] * s->column[k];
      of_row[A->i[e]] = fmax(of_row[A->i[e]], a);
      of_column[k] = fmax(of_column[k], a);
    }
}

/* Entries up to about 1 (Ruiz, RAL-TR-2001-034); a bounded pair has one scale for row and column.
 */
static void scale(path *s) {
  enum { passes = 6 };
  nsds_sparse_columns *A = &s->memory->A;
  const nsds_lcp_row *row = s->memory->form.row;
  for (int k = 0; k < s->n; ++k) s->row[k] = s->column[k] = 1.0;
  for (int pass = 0; pass < passes; ++pass) {
    largest(s, s->x, s->t);
    for (int k = 0; k < s->n; ++k) {
      double both = fmax(s->x[k], s->t[k]);
      s->row[k] *= inverse_power(row[k].free ? s->x[k] : both, 2);
      s->column[k] *= inverse_power(row[k].free ? s->t[k] : both, 2);
    }
  }
  for (int k = 0; k < s->n; ++k)
    for (int e = A->first[k]; e < A->first[k + 1]; ++e) A->a[e] *= s->row[A->i[e]] * s->column[k];
}

/* x_k = shift in scaled variables. */
static double shift_of(const path *s, int k) {
  return s->unit * s->memory->form.row[k].shift / s->column[k];
}

/* v -= A_k shift_k. */
static void subtract_shift(const path *s, int k, double *v) {
  const nsds_sparse_columns *A = &s->memory->A;
  double shift = shift_of(s, k);
  for (int e = A->first[k]; shift > 0.0 && e < A->first[k + 1]; ++e) v[A->i[e]] -= A->a[e] * shift;
}

/* b with a largest entry of about 1. */
static void scale_vector(path *s) {
  double most = 0.0;
  s->unit = 1.0;
  for (int k = 0; k < s->n; ++k) s->b[k] = s->at_shift[k] *= s->row[k];
  for (int k = 0; k < s->n; ++k) subtract_shift(s, k, s->b);
  for (int k = 0; k < s->n; ++k) most = fmax(most, fabs(s->b[k]));
  s->unit = inverse_power(most, 1);
  for (int k = 0; k < s->n; ++k) {
    s->b[k] *= s->unit;
    s->at_shift[k] *= s->unit;
  }
}

/* ---- the basis ---- */

/* v += factor times the column of a variable. */
static void add_column(const path *s, int variable, double factor, double *v) {
  const nsds_sparse_columns *A = &s->memory->A;
  int n = s->n, k = variable - n;
  if (variable < n) v[variable] += factor;
  else if (variable == 2 * n)
    for (int i = 0; i < n; ++i) v[i] -= factor * s->d[i];
  else
    for (int e = A->first[k]; e < A->first[k + 1]; ++e) v[A->i[e]] -= factor * A->a[e];
}

static nsds_status add_basic_column(path *s, int variable) {
  const nsds_sparse_columns *A = &s->memory->A;
  nsds_sparse_columns *B = &s->memory->B;
  int n = s->n, k = variable - n;
  int count = variable < n ? 1 : k == n ? n : A->first[k + 1] - A->first[k];
  nsds_status status = nsds_sparse_columns_open(s->solver->context, B, count);
  if (status) return status;
  for (int e = 0; e < count; ++e) {
    int at = B->first[B->count]++;
    B->i[at] = variable < n ? variable : k == n ? e : A->i[A->first[k] + e];
    B->a[at] = variable < n ? 1.0 : k == n ? -s->d[e] : -A->a[A->first[k] + e];
  }
  return NSDS_OK;
}

/* v = B^-1 v. */
static void solve(const path *s, double *v) {
  const nsds_sparse_columns *eta = &s->memory->eta;
  nsds_factor_solve(s->memory->factor, 1, v);
  for (int k = 0; k < eta->count; ++k) {
    int first = eta->first[k], at = s->eta[k]; /* the pivot comes first */
    if (v[at] == 0.0) continue;
    v[at] /= eta->a[first];
    for (int e = first + 1; e < eta->first[k + 1]; ++e) v[eta->i[e]] -= eta->a[e] * v[at];
  }
}

/* v = B^-1 v with a step of refinement, B being factored. */
static void solve_refined(const path *s, double *v) {
  memcpy(s->work, v, (size_t)s->n * sizeof *v);
  solve(s, v);
  for (int r = 0; r < s->n; ++r)
    if (v[r] != 0.0) add_column(s, s->basic[r], -v[r], s->work);
  solve(s, s->work);
  for (int r = 0; r < s->n; ++r) v[r] += s->work[r];
}

/* Factors B and computes anew what depends on it. */
static nsds_status factor(path *s) {
  nsds_sparse_columns *B = &s->memory->B;
  nsds_status status;
  B->count = s->memory->eta.count = 0;
  for (int r = 0; r < s->n; ++r)
    if ((status = add_basic_column(s, s->basic[r]))) return status;
  ++s->info->factorizations;
  status = nsds_factor_csc(s->memory->factor, s->n, B->first, B->i, B->a, ++s->memory->pattern);
  if (status) return status;
  size_t bytes = (size_t)s->n * sizeof *s->x;
  memcpy(s->x, s->b, bytes);
  memcpy(s->t, s->p, bytes);
  solve_refined(s, s->x);
  solve_refined(s, s->t);
  for (int r = 0; r < s->n; ++r)
    if (fabs(s->x[r]) <= rounding * s->size[r]) s->x[r] = 0.0;
  return NSDS_OK;
}

static void set_basic(path *s, int r, int variable) {
  s->basic[r] = variable;
  s->place[variable] = r;
}

/* The variable enters at position r, alpha being its column. */
static nsds_status pivot(path *s, int r, int variable) {
  nsds_sparse_columns *eta = &s->memory->eta;
  double step = s->x[r] / s->alpha[r], tilt = s->t[r] / s->alpha[r];
  nsds_status status = nsds_sparse_columns_open(s->solver->context, eta, s->n);
  if (status) return status;
  s->eta[eta->count - 1] = r;
  eta->i[eta->first[eta->count]] = r;
  eta->a[eta->first[eta->count]++] = s->alpha[r];
  for (int i = 0; i < s->n; ++i) {
    double a = s->alpha[i];
    if (a == 0.0 || i == r) continue;
    eta->i[eta->first[eta->count]] = i;
    eta->a[eta->first[eta->count]++] = a;
    s->size[i] = fmax(s->size[i], fmax(fabs(s->x[i]), fabs(step * a)));
    s->x[i] -= step * a;
    s->t[i] -= tilt * a;
    if (fabs(s->x[i]) <= rounding * s->size[i]) s->x[i] = 0.0;
  }
  s->x[r] = step;
  s->t[r] = tilt;
  s->size[r] = fabs(step);
  s->place[s->basic[r]] = -1;
  set_basic(s, r, variable);
  bool full =
      eta->count == most_etas || eta->first[eta->count] > 2 * s->memory->B.first[s->n] + 16 * s->n;
  return full ? factor(s) : NSDS_OK;
}

/* ---- the path ---- */

static bool is_free(const path *s, int variable) {
  return variable >= s->n && variable < 2 * s->n && s->memory->form.row[variable - s->n].free;
}

/* Position that blocks the entering variable, -1 if none. */
static int blocking(const path *s) {
  double least = INFINITY, tilt = INFINITY;
  int best = -1, artificial = s->place[2 * s->n];
  for (int r = 0; r < s->n; ++r)
    if (s->alpha[r] > nsds_pivot_zero && !is_free(s, s->basic[r]))
      least = fmin(least, fmax(s->x[r], 0.0) / s->alpha[r]);
  double most = least + tie * fmax(1.0, least);
  for (int r = 0; r < s->n; ++r) {
    if (!(s->alpha[r] > nsds_pivot_zero) || fmax(s->x[r], 0.0) > most * s->alpha[r]) continue;
    if (is_free(s, s->basic[r])) continue;
    if (r == artificial) return r;
    if (s->t[r] / s->alpha[r] >= tilt) continue;
    tilt = s->t[r] / s->alpha[r];
    best = r;
  }
  return best;
}

/* Position that needs x_0 most, -1 if none does. */
static int first_position(const path *s) {
  int best = -1;
  double most = 0.0, tilt = 0.0;
  for (int r = 0; r < s->n; ++r) {
    if (s->basic[r] >= s->n || !(s->x[r] < 0.0) || s->d[s->basic[r]] == 0.0) continue;
    double need = -s->x[r] / s->d[s->basic[r]], t = s->t[r] / s->d[s->basic[r]];
    if (need < most || (need == most && t > tilt)) continue;
    best = r;
    most = need;
    tilt = t;
  }
  return best;
}

static void find_alpha(path *s, int variable) {
  memset(s->alpha, 0, (size_t)s->n * sizeof *s->alpha);
  add_column(s, variable, 1.0, s->alpha);
  solve(s, s->alpha);
}

static nsds_status follow(path *s) {
  nsds_solver_info *info = s->info;
  int n = s->n, entering = 2 * n, r = first_position(s);
  info->outcome = NSDS_SOLVED;
  if (r < 0) return NSDS_OK;
  double most = -s->x[r] / s->d[s->basic[r]];
  find_alpha(s, entering);
  while (info->iterations < s->limit) {
    info->outcome = NSDS_INTERRUPTED;
    if (nsds_solver_interrupted(s->solver, info->iterations, NAN)) return NSDS_OK;
    int leaving = s->basic[r];
    nsds_status status = pivot(s, r, entering);
    if (status) return status;
    ++info->iterations;
    info->outcome = NSDS_SOLVED;
    if (leaving == 2 * n || s->x[s->place[2 * n]] == 0.0) return NSDS_OK;
    entering = leaving < n ? leaving + n : leaving - n;
    find_alpha(s, entering);
    info->outcome = NSDS_RAY;
    if ((r = blocking(s)) < 0) {
      s->doubtful = s->x[s->place[2 * n]] <= next_to_nothing * most;
      return NSDS_OK;
    }
  }
  info->outcome = NSDS_NOT_CONVERGED;
  return NSDS_OK;
}

/* ---- beginning and end ---- */

static nsds_status reserve_columns(nsds_context *context, nsds_sparse_columns *c, size_t columns,
                                   size_t entries) {
  nsds_status status;
  if ((status = NSDS_ENSURE(context, c->first, c->first_capacity, columns + 2)) ||
      (status = NSDS_ENSURE(context, c->i, c->i_capacity, entries)))
    return status;
  return NSDS_ENSURE(context, c->a, c->a_capacity, entries);
}

static nsds_status reserve_vectors(nsds_context *context, nsds_sparse_path *p, size_t n) {
  nsds_status status;
  if (!p->factor && !(p->factor = nsds_factor_create(context))) return NSDS_ERROR_MEMORY;
  if ((status = NSDS_ENSURE(context, p->memory, p->memory_capacity, 11 * n + 1)) ||
      (status = NSDS_ENSURE(context, p->index, p->index_capacity, 3 * n + 1 + most_etas)))
    return status;
  status = NSDS_ENSURE(context, p->basic, p->basic_capacity, n + 1);
  return status ? status : nsds_factor_reserve_csc(p->factor, (int)n);
}

nsds_status nsds_sparse_path_reserve(nsds_context *context, nsds_sparse_path *p,
                                     const nsds_problem *problem, int rows) {
  size_t n = (size_t)rows;
  nsds_status status;
  if ((status = nsds_lcp_reserve(context, &p->form, problem)) ||
      (status = reserve_vectors(context, p, n)) ||
      (status = reserve_columns(context, &p->A, n, n * n + 1)) ||
      (status = reserve_columns(context, &p->B, n, n * n + n + 1)))
    return status;
  return reserve_columns(context, &p->eta, most_etas, (most_etas + 1) * n + 1);
}

static nsds_status open_path(path *s) {
  nsds_sparse_path *memory = s->memory;
  nsds_context *context = s->solver->context;
  size_t n = (size_t)memory->form.n;
  nsds_status status = reserve_vectors(context, memory, n);
  if (status) return status;
  double **vector[] = {&s->row, &s->column, &s->b,     &s->d,    &s->p,       &s->x,
                       &s->t,   &s->size,   &s->alpha, &s->work, &s->at_shift};
  for (size_t k = 0; k < sizeof vector / sizeof *vector; ++k) *vector[k] = memory->memory + k * n;
  s->n = memory->form.n;
  s->basic = memory->index;
  s->place = s->basic + n;
  s->eta = s->place + 2 * n + 1;
  nsds_lcp_sparse_vector(&memory->form, s->problem, s->at_shift);
  return nsds_lcp_columns(context, &memory->form, s->problem, &memory->A);
}

/* d as in pivot_path.c, but nothing for free rows. */
static void cover(path *s, bool from_vertex) {
  const nsds_lcp_row *row = s->memory->form.row;
  for (int k = 0; k < s->n; ++k) s->d[k] = row[k].free || (from_vertex && row[k].slack) ? 0.0 : 1.0;
  for (int k = 0; !from_vertex && k < s->n; ++k)
    if (row[k].mu > 0.0) s->d[row[k].normal] += row[k].mu * s->row[row[k].normal] / s->row[k];
}

/* The first basis; a fixed sequence of numbers in [1/2, 1) for p. */
static nsds_status start(path *s, bool from_vertex) {
  uint64_t state = 88172645463325252u;
  int n = s->n;
  scale(s);
  scale_vector(s);
  cover(s, from_vertex);
  for (int k = 0; k <= 2 * n; ++k) s->place[k] = -1;
  for (int k = 0; k < n; ++k) {
    bool free = s->memory->form.row[k].free;
    state = state * 6364136223846793005u + 1442695040888963407u;
    s->p[k] = free ? 0.0 : 0.5 + 0.5 * (double)(state >> 11) * 0x1p-53;
    s->size[k] = 0.0;
    set_basic(s, k, free ? n + k : k);
  }
  return factor(s);
}

/* z of the last basis, and its residual: y - A (x - shift) = y at x = shift, where the others x
 * vanish. */
static nsds_status finish(path *s, double *z, double *residual) {
  int n = s->n, worst_block;
  const nsds_lcp_row *row = s->memory->form.row;
  unsigned char *basic = s->memory->basic;
  nsds_status status = s->memory->eta.count > 0 ? factor(s) : NSDS_OK;
  if (status) return status;
  memcpy(s->x, s->at_shift, (size_t)n * sizeof *s->x);
  for (int k = 0; k < n; ++k) {
    basic[k] = s->place[n + k] >= 0;
    s->alpha[k] = basic[k] ? 0.0 : -row[k].shift;
    if (!basic[k]) subtract_shift(s, k, s->x);
  }
  solve_refined(s, s->x);
  for (int k = 0; k < n; ++k) {
    if (!basic[k]) continue;
    double x = s->x[s->place[n + k]] * s->column[k] / s->unit;
    s->alpha[k] = row[k].free ? x : fmax(x, -row[k].shift);
  }
  nsds_lcp_recover(&s->memory->form, s->alpha, basic, z);
  *residual =
      nsds_certified_residual(s->problem, z, s->solver->toolbox->certify_work, &worst_block);
  return NSDS_OK;
}

nsds_status nsds_sparse_path_solve(nsds_solver *solver, nsds_sparse_path *memory,
                                   const nsds_problem *problem, bool from_vertex, int limit,
                                   double *z, nsds_solver_info *info) {
  path s = {.solver = solver, .memory = memory, .problem = problem, .info = info, .limit = limit};
  nsds_status status = nsds_lcp_build(solver->context, &memory->form, problem, from_vertex);
  double residual = INFINITY;
  if (status) return status;
  info->outcome = NSDS_NO_SOLUTION; /* an empty polyhedron */
  if (memory->form.n < 0) return NSDS_OK;
  status = open_path(&s);
  if (!status) status = start(&s, from_vertex);
  if (!status) status = follow(&s);
  if (!status && (info->outcome == NSDS_SOLVED || s.doubtful)) status = finish(&s, z, &residual);
  bool solves = residual <= solver->value[OPTION_TOLERANCE];
  if (s.doubtful && solves) info->outcome = NSDS_SOLVED;
  bool failed = status == NSDS_ERROR_SINGULAR || (info->outcome == NSDS_SOLVED && !solves);
  if (failed) info->outcome = NSDS_NOT_CONVERGED;
  return status == NSDS_ERROR_SINGULAR ? NSDS_OK : status;
}

void nsds_sparse_path_release(nsds_context *context, nsds_sparse_path *p) {
  nsds_factor_destroy(p->factor);
  nsds_lcp_release(context, &p->form);
  nsds_sparse_columns_release(context, &p->A);
  nsds_sparse_columns_release(context, &p->B);
  nsds_sparse_columns_release(context, &p->eta);
  nsds_release(context, p->memory);
  nsds_release(context, p->index);
  nsds_release(context, p->basic);
}
