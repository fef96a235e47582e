/*
 * The problem of an event in the rows of a part: impulses or accelerations. A solver finds z to its
 * tolerance; Newton's method on the set that z shows to be active takes it to rounding, since what an
 * impact leaves undone becomes motion:
 *   open     z = 0                      stick  w = 0
 *   slip     w_N = 0,  z_T = mu z_N t,  t = x_T / |x_T|,  x_T = z_T - r w_T
 *   bounded  z at the bound             free   w = 0
 * (the map of Alart & Curnier, Comput. Methods Appl. Mech. Eng. 92, 1991). Where rows depend on each
 * other each step is the least one. A step stays where the certificate, which shares nothing with
 * this, is smaller for it. The last problem is kept to be looked at.
 */
#include "smooth.h"

#include "orthogonal.h"

#include <float.h>

/* More rows than these keep what the solver has found. */
enum { most_polished = 256 };

static const double enough = 2.0 * DBL_EPSILON;

nsds_status nsds_event_problem_reserve(nsds_smooth *s, int most) {
  nsds_event_problem *p = &s->problem;
  int fewer = most < most_polished ? most : most_polished;
  size_t n = (size_t)most, polished = (size_t)fewer;
  p->store.context = s->plan->context;
  nsds_problem dense = {.n = fewer, .nblock = fewer, .M = {.storage = NSDS_DENSE, .n = fewer}};
  const nsds_cut kept[] = {NSDS_CUT(p->A, n * n), NSDS_CUT(p->b, n), NSDS_CUT(p->z, n),
                           NSDS_CUT(p->block, n), NSDS_CUT(p->bounds, 2 * n)};
  const nsds_cut own[] = {NSDS_CUT(p->J, polished * polished),
                          NSDS_CUT(p->tau, 3 * polished),
                          NSDS_CUT(p->step, polished),
                          NSDS_CUT(p->unit, polished),
                          NSDS_CUT(p->tried, polished),
                          NSDS_CUT(p->pivot, polished),
                          NSDS_CUT(p->work, nsds_problem_work(&dense))};
  nsds_status status = NSDS_HOLD(&p->store, kept);
  return status ? status : NSDS_HOLD(&p->store, own);
}

void nsds_event_problem_destroy(nsds_smooth *s) { nsds_store_release(&s->problem.store); }

/* The set of row k and the rows that belong to it; impulses have the infinite bounds only. */
static nsds_block block_of(nsds_smooth *s, int k, bool impact) {
  const nsds_row *row = &s->row[s->chosen[k]];
  if (row->tangents > 0 && k + 1 < s->n && s->chosen[k + 1] == s->chosen[k] + 1)
    return nsds_law_block(s->plan->contact[row->contact].law);
  double *bound = s->bounds + 2 * k;
  bound[0] = impact && row->lower > -INFINITY ? 0.0 : row->lower;
  bound[1] = impact && row->upper < INFINITY ? 0.0 : row->upper;
  bool below = bound[0] > -INFINITY, above = bound[1] < INFINITY;
  return (nsds_block){.set = !below && !above            ? NSDS_SET_EQUALITY
                             : bound[0] == 0.0 && !above ? NSDS_SET_NONNEGATIVE
                                                         : NSDS_SET_BOX,
                      .size = 1,
                      .lower = &bound[0],
                      .upper = &bound[1]};
}

/* ---- to rounding ----------------------------------------------------------------------------- */

/* The equations J step = right side of one row; columns are in the units of the rows. */
typedef struct newton_row {
  double *row, *right; /* row: every n-th entry of J */
  int n;
} newton_row;

static newton_row row_at(nsds_event_problem *p, int n, int i) {
  return (newton_row){.row = p->J + i, .right = p->step + i, .n = n};
}

/* += factor times w_i and its derivatives */
static void add_w(newton_row to, const nsds_smooth *s, const double *w, int i, double factor) {
  const double *unit = s->problem.unit;
  for (int j = 0; j < to.n; ++j)
    to.row[(ptrdiff_t)j * to.n] += factor * s->A[i + (ptrdiff_t)j * to.n] * unit[j];
  *to.right -= factor * w[i];
}

/* z_i becomes `value`. */
static void hold(nsds_smooth *s, const double *z, int i, double value) {
  newton_row to = row_at(&s->problem, s->n, i);
  to.row[(ptrdiff_t)i * s->n] += 1.0;
  *to.right += (value - z[i]) / s->problem.unit[i];
}

static void hold_w(nsds_smooth *s, const double *w, int i) {
  add_w(row_at(&s->problem, s->n, i), s, w, i, s->problem.unit[i]);
}

static void scalar_row(nsds_smooth *s, const nsds_block *block, const double *z, const double *w,
                       int i) {
  double r = s->problem.unit[i] * s->problem.unit[i], x = z[i] - r * w[i];
  bool bounded = block->set == NSDS_SET_BOX;
  double lower = block->set == NSDS_SET_EQUALITY ? -INFINITY : bounded ? *block->lower : 0.0;
  double upper = bounded ? *block->upper : INFINITY;
  if (x <= lower) hold(s, z, i, lower);
  else if (x >= upper) hold(s, z, i, upper);
  else hold_w(s, w, i);
}

/* z_T - mu z_N t and its derivatives, in tangent row i of the block that begins at row N. */
static void slip_row(nsds_smooth *s, const nsds_block *block, const double *z, const double *w,
                     int N, int i, const double *t, double length) {
  const double *unit = s->problem.unit;
  newton_row to = row_at(&s->problem, s->n, i);
  double most = block->mu * z[N], size = 1.0 / unit[i], r = unit[N + 1] * unit[N + 1];
  to.row[(ptrdiff_t)i * s->n] += size * unit[i];
  to.row[(ptrdiff_t)N * s->n] -= size * block->mu * t[i - N - 1] * unit[N];
  *to.right -= size * (z[i] - most * t[i - N - 1]);
  for (int k = 0; k + 1 < block->size; ++k) { /* - mu z_N (I - t t^T) / |x_T| (dz_T - r dw_T) */
    int j = N + 1 + k;
    double turn = size * most / length * ((j == i) - t[i - N - 1] * t[k]), right = *to.right;
    to.row[(ptrdiff_t)j * s->n] -= turn * unit[j];
    add_w(to, s, w, j, turn * r);
    *to.right = right;
  }
}

static void friction_rows(nsds_smooth *s, const nsds_block *block, const double *z, const double *w,
                          int N) {
  const double *unit = s->problem.unit;
  double t[2] = {0.0}, square = 0.0, r = unit[N + 1] * unit[N + 1];
  bool open = z[N] - unit[N] * unit[N] * w[N] <= 0.0;
  for (int k = 0; k + 1 < block->size; ++k) {
    t[k] = z[N + 1 + k] - r * w[N + 1 + k];
    square += t[k] * t[k];
  }
  double length = sqrt(square);
  bool slips = !open && length > block->mu * z[N];
  for (int k = 0; slips && k + 1 < block->size; ++k) t[k] /= length;
  for (int i = N; i < N + block->size; ++i) {
    if (open) hold(s, z, i, 0.0);
    else if (slips && i > N) slip_row(s, block, z, w, N, i, t, length);
    else hold_w(s, w, i);
  }
}

/* Newton's step from z, whose w is given, in the units of the rows. */
static void find_step(nsds_smooth *s, const nsds_problem *problem, const double *z,
                      const double *w) {
  nsds_event_problem *p = &s->problem;
  size_t n = (size_t)s->n;
  nsds_zero_doubles(p->J, n * n);
  nsds_zero_doubles(p->step, n);
  for (int a = 0, i = 0; a < problem->nblock; i += problem->block[a++].size) {
    const nsds_block *block = &problem->block[a];
    if (block->size > 1) friction_rows(s, block, z, w, i);
    else scalar_row(s, block, z, w, i);
  }
  int rank = nsds_orthogonal_factor(s->n, p->J, nsds_dependent, p->pivot, p->tau);
  nsds_orthogonal_solve(s->n, p->J, rank, p->pivot, p->tau, p->step);
}

/* Units in which A has ones on its diagonal; false where it cannot be scaled so. */
static bool find_units(nsds_smooth *s) {
  for (int i = 0; i < s->n; ++i) {
    double diagonal = s->A[i + (ptrdiff_t)i * s->n];
    if (!(diagonal > 0.0) || !isfinite(1.0 / diagonal)) return false;
    s->problem.unit[i] = 1.0 / sqrt(diagonal);
  }
  for (int k = 0; k < s->n; ++k) { /* tangents of a contact have one */
    const nsds_row *row = &s->row[s->chosen[k]];
    if (row->normal == 2 && k > 0)
      s->problem.unit[k] = s->problem.unit[k - 1] =
          fmin(s->problem.unit[k], s->problem.unit[k - 1]);
  }
  return true;
}

static void polish(nsds_smooth *s, const nsds_problem *problem) {
  enum { most = 5 };
  nsds_event_problem *p = &s->problem;
  nsds_problem exact = *problem;
  nsds_certificate now, next;
  exact.q_error = NULL;
  if (s->n > most_polished || !find_units(s)) return;
  nsds_certify(&exact, s->z, p->work, &now);
  nsds_copy_doubles(s->w, p->work, (size_t)s->n);
  for (int pass = 0; pass < most && now.residual > enough; ++pass, now = next) {
    find_step(s, &exact, s->z, s->w);
    for (int i = 0; i < s->n; ++i) p->tried[i] = s->z[i] + p->unit[i] * p->step[i];
    if (nsds_first_nonfinite(p->tried, s->n) >= 0) return;
    nsds_certify(&exact, p->tried, p->work, &next);
    if (!(next.residual < now.residual)) return;
    nsds_copy_doubles(s->z, p->tried, (size_t)s->n);
    nsds_copy_doubles(s->w, p->work, (size_t)s->n);
  }
}

/* ---- the problem ----------------------------------------------------------------------------- */

static void keep_problem(nsds_smooth *s, const nsds_problem *problem) {
  nsds_event_problem *p = &s->problem;
  size_t n = (size_t)s->n;
  nsds_copy_doubles(p->A, s->A, n * n);
  nsds_copy_doubles(p->b, s->b, n);
  nsds_copy_doubles(p->z, s->z, n);
  for (int a = 0, i = 0; a < problem->nblock; i += problem->block[a++].size) {
    double *bound = p->bounds + 2 * i;
    p->block[a] = problem->block[a];
    if (problem->block[a].size > 1) continue;
    nsds_copy_doubles(bound, s->bounds + 2 * i, 2);
    p->block[a].lower = &bound[0];
    p->block[a].upper = &bound[1];
  }
  p->last = *problem;
  p->last.block = p->block;
  p->last.M.x = p->A;
  p->last.q = p->b;
  p->last.q_error = NULL;
  p->there = true;
}

nsds_status nsds_event_solve(nsds_smooth *s, bool impact, nsds_solver_info *info) {
  int count = 0;
  nsds_status status = nsds_event_problem_reserve(s, s->n);
  if (status) return status;
  for (int k = 0; k < s->n; k += s->block[count++].size) s->block[count] = block_of(s, k, impact);
  for (int k = 0; k < s->n; ++k) {
    s->z[k] = 0.0;
    s->terms[k] *= 0x1p-50; /* what rounding makes of them, and back below */
  }
  nsds_problem problem = {.n = s->n,
                          .nblock = count,
                          .block = s->block,
                          .M = {.storage = NSDS_DENSE, .n = s->n, .x = s->A},
                          .q = s->b,
                          .q_error = s->terms};
  status = nsds_solve(s->solver, &problem, s->z, s->w, info);
  for (int k = 0; k < s->n; ++k) s->terms[k] *= 0x1p50;
  if (!status) polish(s, &problem);
  keep_problem(s, &problem);
  if (status != NSDS_ERROR_SOLVER) return status;
  return nsds_fail(s->plan->context, status,
                   "event at t = %.17g: the problem of %s in %d rows was not solved: %s by %s, "
                   "residual %g, row %d",
                   s->plan->trial.t, impact ? "impulses" : "accelerations", s->n,
                   nsds_outcome_text(info->outcome), info->solver, info->residual, info->worst_row);
}
