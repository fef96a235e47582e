/*
 * A basis along a path of complementary pivots, see pivot_basis.h.
 *
 * Ties are broken by a right-hand side b + epsilon p; p is random. This is the lexicographic rule
 * with a random first column in place of those of B^-1, whose rows are not at hand.
 */
#include "numerics/pivoting/pivot_basis.h"

#include "base/base.h"
#include "numerics/linear/canonical.h"
#include "numerics/linear/factor.h"
#include "numerics/pivoting/lcp_form.h"
#include "numerics/pivoting/product_form.h"
#include "numerics/sets/bounds.h"
#include "numerics/solver_tools.h"
#include "numerics/store.h"

#include <float.h>

/* A sum that vanishes after some hundred additions is at most this part of its largest term. */
static const double rounding = 256 * DBL_EPSILON;

/* A correction that changes an entry by more than this part of it shows that the entry is
 * rounding. */
static const double no_digits = 0.125;

/* ---- scales ---- */

/* Finds the largest entry of each row and column of the scaled A. */
static void find_largest(const nsds_path *s, double *of_row, double *of_column) {
  const nsds_sparse_columns *K = &s->K;
  for (int k = 0; k < s->n; ++k) of_row[k] = of_column[k] = 0.0;
  for (int k = 0; k < s->n; ++k)
    for (int e = K->first[s->n + k]; e < K->first[s->n + k + 1]; ++e) {
      double a = fabs(K->a[e]) * s->row[K->i[e]] * s->column[k];
      nsds_raise(&of_row[K->i[e]], a);
      nsds_raise(&of_column[k], a);
    }
}

/* Reduces the scale of a row or column with the largest entry `most`; false if that is about 1
 * already. */
static bool pivot_basis_reduce(double most, double *pivot_basis_scale) {
  double factor = nsds_inverse_power(most, 2);
  *pivot_basis_scale *= factor;
  return factor != 1.0;
}

/* Scales A to entries up to about 1: canonically if the scale of the data decides, for few
 * rows that stand alone, see canonical.h. Others by Ruiz (RAL-TR-2001-034) from the given units; there row and
 * column of bounded pairs share one scale. */
static void pivot_basis_scale(nsds_path *s) {
  enum {
    most_canonical = 128,
    passes = 6
  }; /* each pass takes the root of the scale that is left */
  nsds_sparse_columns *K = &s->K;
  const nsds_lcp_row *row = s->form.row;
  const nsds_toolbox *toolbox = s->solver->toolbox;
  bool rows_alone = !(toolbox->sets & ~(unsigned)nsds_bound_sets);
  bool by_scale = toolbox->by_scale && rows_alone && s->n <= most_canonical, changed = !by_scale;
  nsds_columns_view A = {s->n, K->first + s->n, K->i, K->a};
  for (int k = 0; k < s->n; ++k) s->row[k] = s->column[k] = 1.0;
  if (by_scale) nsds_canonical_scales(&A, s->at_shift, s->row, s->column, s->x, s->mark);
  for (int pass = 0; changed && pass < passes; ++pass) {
    find_largest(s, s->x, s->t);
    changed = false;
    for (int k = 0; k < s->n; ++k) {
      double both = s->x[k] > s->t[k] ? s->x[k] : s->t[k];
      changed |= pivot_basis_reduce(row[k].free ? s->x[k] : both, &s->row[k]);
      changed |= pivot_basis_reduce(row[k].free ? s->t[k] : both, &s->column[k]);
    }
  }
  for (int k = 0; k < s->n; ++k)
    for (int e = K->first[s->n + k]; e < K->first[s->n + k + 1]; ++e)
      K->a[e] *= s->row[K->i[e]] * s->column[k];
}

void nsds_path_subtract_shift(const nsds_path *s, int k, double *v) {
  const nsds_sparse_columns *K = &s->K;
  double shift = s->unit * s->form.row[k].shift / s->column[k];
  for (int e = K->first[s->n + k]; shift > 0.0 && e < K->first[s->n + k + 1]; ++e)
    v[K->i[e]] += K->a[e] * shift;
}

void nsds_path_rescale(nsds_path *s, double factor) {
  s->unit *= factor;
  for (int k = 0; k < s->n; ++k) {
    s->b[k] *= factor;
    s->at_shift[k] *= factor;
    s->x[k] *= factor;
  }
}

static void scale_vector(nsds_path *s) {
  double most = 0.0;
  s->unit = 1.0;
  for (int k = 0; k < s->n; ++k) s->b[k] = s->at_shift[k] *= s->row[k];
  for (int k = 0; k < s->n; ++k) nsds_path_subtract_shift(s, k, s->b);
  for (int k = 0; k < s->n; ++k) most = fmax(most, fabs(s->b[k]));
  nsds_path_rescale(s, nsds_inverse_power(most, 1));
}

/* ---- beginning ---- */

/* Writes the columns I and -A, and makes room for -d. */
static nsds_status pivot_basis_make_columns(nsds_path *s) {
  nsds_store *store = &s->solver->store;
  nsds_sparse_columns *K = &s->K;
  nsds_status status;
  K->count = 0;
  for (int k = 0; k < s->n; ++k) {
    if ((status = nsds_sparse_columns_open(store, K, 1))) return status;
    nsds_sparse_columns_add(K, k, 1.0);
  }
  if ((status = nsds_lcp_columns(store, &s->form, s->problem, K)) ||
      (status = nsds_sparse_columns_open(store, K, s->n)))
    return status;
  for (int k = 0; k < s->n; ++k) nsds_sparse_columns_add(K, k, 0.0);
  return NSDS_OK;
}

static nsds_status reserve_basis(nsds_path *s, int n, bool dense) {
  nsds_store *store = &s->solver->store;
  const nsds_cut cut[] = {NSDS_CUT(s->row, n),
                          NSDS_CUT(s->column, n),
                          NSDS_CUT(s->b, n),
                          NSDS_CUT(s->at_shift, n),
                          NSDS_CUT(s->delta, n),
                          NSDS_CUT(s->p, n),
                          NSDS_CUT(s->x, n),
                          NSDS_CUT(s->t, n),
                          NSDS_CUT(s->size, n),
                          NSDS_CUT(s->alpha, n),
                          NSDS_CUT(s->work, n),
                          NSDS_CUT(s->basic, n),
                          NSDS_CUT(s->place, 2 * (size_t)n + 1),
                          NSDS_CUT(s->mark, 2 * (size_t)n)};
  nsds_status status = NSDS_HOLD(store, cut);
  return status ? status : nsds_product_form_reserve(&s->basis, store, n, dense);
}

nsds_status nsds_path_reserve(nsds_path *s, nsds_solver *solver, const nsds_problem *problem) {
  int rows = nsds_lcp_size(problem);
  size_t n = (size_t)rows;
  s->solver = solver;
  nsds_status status = nsds_lcp_reserve(&solver->store, &s->form, problem);
  if (!status) status = nsds_sparse_columns_reserve(&solver->store, &s->K, 2 * n + 1, n * (n + 2));
  return status ? status : reserve_basis(s, rows, true);
}

nsds_status nsds_path_open(nsds_path *s, bool dense) {
  nsds_status status = reserve_basis(s, s->n, dense);
  if (!status) status = pivot_basis_make_columns(s);
  if (status) return status;
  nsds_lcp_vector(&s->form, s->problem, s->at_shift);
  pivot_basis_scale(s);
  scale_vector(s);
  return NSDS_OK;
}

static void set_basic(nsds_path *s, int r, int variable) {
  s->basic[r] = variable;
  s->place[variable] = r;
}

void nsds_path_begin(nsds_path *s) {
  size_t bytes = (size_t)s->n * sizeof *s->x;
  nsds_product_form_start(&s->basis);
  for (int k = 0; k <= 2 * s->n; ++k) s->place[k] = -1;
  for (int k = 0; k < s->n; ++k) set_basic(s, k, k);
  memcpy(s->x, s->b, bytes);
  memset(s->t, 0, bytes);
  memset(s->p, 0, bytes);
  memset(s->size, 0, bytes);
}

/* ---- the basis ---- */

static void pivot_basis_add_column(const nsds_path *s, int variable, double factor, double *v) {
  const nsds_sparse_columns *K = &s->K;
  for (int e = K->first[variable]; e < K->first[variable + 1]; ++e) v[K->i[e]] += factor * K->a[e];
}

void nsds_path_refine(const nsds_path *s, double *v) {
  enum { corrections = 3 };
  size_t bytes = (size_t)s->n * sizeof *v;
  const nsds_product_form *basis = &s->basis;
  double *rest = s->work, *d = s->alpha;
  memcpy(rest, v, bytes);
  memset(v, 0, bytes);
  for (int step = 0; step < corrections; ++step) {
    memcpy(d, rest, bytes);
    nsds_product_form_solve(basis, d);
    for (int r = 0; r < s->n; ++r) {
      if (d[r] == 0.0) continue;
      v[r] += d[r];
      pivot_basis_add_column(s, s->basic[r], -d[r], rest);
    }
  }
  for (int r = 0; r < s->n; ++r)
    if (fabs(d[r]) > no_digits * fabs(v[r])) v[r] = 0.0;
}

nsds_status nsds_path_factor_basis(nsds_path *s) {
  ++s->info->factorizations;
  return nsds_product_form_factor(&s->basis, &s->solver->store, &s->K, s->basic);
}

/* Raises the sizes by the terms of y_i = b_i + A x in the basis, so that rounding of a vanishing
 * slack is recognized. */
static void raise_sizes(nsds_path *s) {
  const nsds_sparse_columns *K = &s->K;
  for (int r = 0; r < s->n; ++r) {
    int variable = s->basic[r];
    if (variable < s->n) nsds_raise(&s->size[r], fabs(s->b[variable]));
    for (int e = K->first[variable]; variable >= s->n && e < K->first[variable + 1]; ++e) {
      int y = s->place[K->i[e]];
      if (y >= 0) nsds_raise(&s->size[y], fabs(K->a[e] * s->x[r]));
    }
  }
}

nsds_status nsds_path_factor(nsds_path *s) {
  size_t bytes = (size_t)s->n * sizeof *s->x;
  nsds_status status = nsds_path_factor_basis(s);
  if (status) return status;
  memcpy(s->x, s->b, bytes);
  memcpy(s->t, s->p, bytes);
  nsds_path_refine(s, s->x);
  nsds_path_refine(s, s->t);
  raise_sizes(s);
  for (int r = 0; r < s->n; ++r)
    if (fabs(s->x[r]) <= rounding * s->size[r]) s->x[r] = 0.0;
  return NSDS_OK;
}

void nsds_path_find_alpha(nsds_path *s, int variable) {
  memset(s->alpha, 0, (size_t)s->n * sizeof *s->alpha);
  pivot_basis_add_column(s, variable, 1.0, s->alpha);
  nsds_product_form_solve(&s->basis, s->alpha);
}

nsds_status nsds_path_pivot(nsds_path *s, int r, int variable) {
  double step = s->x[r] / s->alpha[r], tilt = s->t[r] / s->alpha[r];
  nsds_status status = nsds_product_form_exchange(&s->basis, &s->solver->store, r, s->alpha);
  if (status) return status;
  for (int i = 0; i < s->n; ++i) {
    double a = s->alpha[i];
    if (a == 0.0 || i == r) continue;
    nsds_raise(&s->size[i], fabs(s->x[i]));
    nsds_raise(&s->size[i], fabs(step * a));
    s->x[i] -= step * a;
    s->t[i] -= tilt * a;
    if (fabs(s->x[i]) <= rounding * s->size[i]) s->x[i] = 0.0;
  }
  s->x[r] = step;
  s->t[r] = tilt;
  s->size[r] = fabs(step);
  s->place[s->basic[r]] = -1;
  set_basic(s, r, variable);
  status = nsds_product_form_is_long(&s->basis) ? nsds_path_factor(s) : NSDS_OK;
  return status == NSDS_ERROR_SINGULAR ? NSDS_OK : status;
}

/* Makes a fixed sequence of random positive numbers that falls by 2^-fall. In small problems it
 * orders ties as the columns of B^-1 would; in large ones the numbers differ. */
static const uint64_t seed = 88172645463325252u; /* any large number */

static double perturbation(uint64_t *state, int r, int n) {
  enum { fall = 40 }; /* the last numbers keep some digits */
  *state = *state * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX */
  double random = 0.5 + 0.5 * (double)(*state >> 11) * 0x1p-53;
  return random * exp2(-(double)fall * r / n);
}

void nsds_path_cover(nsds_path *s) {
  const nsds_sparse_columns *K = &s->K;
  double *d = K->a + K->first[2 * s->n];
  size_t bytes = (size_t)s->n * sizeof *d;
  uint64_t state = seed;
  memset(s->work, 0, bytes);
  memset(s->p, 0, bytes);
  for (int r = 0; r < s->n; ++r) {
    bool free = nsds_path_is_free(s, s->basic[r]);
    s->t[r] = free ? 0.0 : perturbation(&state, r, s->n);
    pivot_basis_add_column(s, s->basic[r], s->t[r], s->p);
    pivot_basis_add_column(s, s->basic[r], -s->delta[r], s->work);
  }
  memcpy(d, s->work, bytes);
}

/*
 * ---- equalities ----
 *
 * Free rows have y_f = 0 with x_f of any sign. Such are equalities, and the lineality of C, the
 * set. Before the path, their x_f take the places of y_f in the basis, all at once if A_ff is
 * regular. Otherwise they enter one by one, each at its largest entry among the remaining y_f. An
 * x_f without such an entry enters with another pair that links it to one; a constraint without a
 * diagonal needs this. Redundant equalities keep y_f = 0 in the basis.
 */

/* Rounding can leave a reciprocal condition up to this to a singular matrix. */
static const double doubtful = 1e-9;

static bool is_free_y(const nsds_path *s, int variable) {
  return variable < s->n && nsds_path_is_free(s, variable);
}

static bool pivot_basis_is_bounded(const nsds_path *s, int variable) {
  return !nsds_path_is_free(s, variable);
}

/* Returns the position of such a variable, not `tried`, with the largest entry of alpha; -1 if all
 * are zero. */
static int pivot_basis_largest(const nsds_path *s, bool (*is)(const nsds_path *, int),
                               const unsigned char *tried) {
  int best = -1;
  double most = nsds_pivot_zero;
  for (int r = 0; r < s->n; ++r) {
    if (fabs(s->alpha[r]) <= most || !is(s, s->basic[r]) || (tried && tried[r])) continue;
    most = fabs(s->alpha[r]);
    best = r;
  }
  return best;
}

static nsds_status pivot_basis_pivot(nsds_path *s, int r, int variable) {
  ++s->info->iterations;
  return nsds_path_pivot(s, r, variable);
}

/* Enters the free x with the largest entry of all that are left; *done is false if there is
 * none. */
static nsds_status enter_largest(nsds_path *s, bool *done) {
  double most = 0.0;
  int best = -1, r;
  for (int x = s->n; x < 2 * s->n; ++x) {
    if (!nsds_path_is_free(s, x) || s->place[x] >= 0) continue;
    nsds_path_find_alpha(s, x);
    if ((r = pivot_basis_largest(s, is_free_y, NULL)) < 0 || fabs(s->alpha[r]) <= most) continue;
    most = fabs(s->alpha[r]);
    best = x;
  }
  *done = best >= 0;
  if (best < 0) return NSDS_OK;
  nsds_path_find_alpha(s, best);
  return pivot_basis_pivot(s, pivot_basis_largest(s, is_free_y, NULL), best);
}

/* Enters the first free x that a bounded variable links to a free row. The complement of the
 * variable that x replaces takes this row. */
static nsds_status enter_linked(nsds_path *s, bool *done) {
  unsigned char *tried = s->mark;
  *done = false;
  for (int x = s->n; x < 2 * s->n; ++x) {
    if (!nsds_path_is_free(s, x) || s->place[x] >= 0) continue;
    memset(tried, 0, (size_t)s->n);
    for (int r, p;; tried[r] = 1) {
      nsds_path_find_alpha(s, x);
      if ((r = pivot_basis_largest(s, pivot_basis_is_bounded, tried)) < 0) break;
      int link = nsds_path_complement(s, s->basic[r]);
      nsds_path_find_alpha(s, link);
      if ((p = pivot_basis_largest(s, is_free_y, NULL)) < 0) continue;
      *done = true;
      nsds_status status = pivot_basis_pivot(s, p, link);
      nsds_path_find_alpha(s, x);
      return status ? status : pivot_basis_pivot(s, r, x);
    }
  }
  return NSDS_OK;
}

/* Enters free x one by one while they find a place. */
static nsds_status enter_one_by_one(nsds_path *s, nsds_outcome *found) {
  nsds_status status = NSDS_OK;
  for (bool done = true; !status && done;) {
    *found = nsds_watch_allows(&s->watch, s->info->iterations);
    if (*found != NSDS_SOLVED) return NSDS_OK;
    status = enter_largest(s, &done);
    if (!status && !done) status = enter_linked(s, &done);
  }
  return status;
}

/* Judges the rest of an equality: 0 = x - alpha v with v >= 0, least <= alpha <= most. Rests within
 * the tolerance are left to the certificate. */
static nsds_outcome pivot_basis_judge(double x, double least, double most, double tolerance) {
  double clear = fmax(1e-9, 10.0 * tolerance); /* more inconsistency than rounding makes */
  double rest = fmax(nsds_pivot_zero, tolerance);
  if (fmax(most, -least) <= nsds_pivot_zero && fabs(x) <= rest) return NSDS_SOLVED;
  bool met = (x > 0.0 ? most : -least) > nsds_pivot_zero;
  return !met && fabs(x) > clear ? NSDS_NO_SOLUTION : NSDS_NOT_CONVERGED;
}

/* Judges the equalities that are left, by the columns of all variables outside the basis. */
static nsds_outcome judge_all(nsds_path *s) {
  nsds_outcome worst = NSDS_SOLVED;
  double *most = s->delta, *least = s->t;
  memset(most, 0, (size_t)s->n * sizeof *most);
  memset(least, 0, (size_t)s->n * sizeof *least);
  for (int v = 0; v < 2 * s->n; ++v) {
    bool free = nsds_path_is_free(s, v);
    if (s->place[v] >= 0 || is_free_y(s, v)) continue;
    nsds_path_find_alpha(s, v);
    for (int r = 0; r < s->n; ++r) {
      most[r] = free ? most[r] : fmax(most[r], s->alpha[r]);
      least[r] = free ? least[r] : fmin(least[r], s->alpha[r]);
      s->held = s->held ||
                (free && !nsds_path_is_free(s, s->basic[r]) && fabs(s->alpha[r]) > nsds_pivot_zero);
    }
  }
  for (int r = 0; r < s->n; ++r) {
    if (!is_free_y(s, s->basic[r])) continue;
    nsds_outcome outcome =
        pivot_basis_judge(s->x[r], least[r], most[r], s->solver->value[OPTION_TOLERANCE]);
    if (outcome > worst) worst = outcome;
  }
  return worst;
}

/* Enters all free x at once; *done says that their rows are regular. */
static nsds_status enter_all(nsds_path *s, bool *done) {
  bool any = false;
  for (int k = 0; k < s->n; ++k) {
    if (!nsds_path_is_free(s, k)) continue;
    s->place[k] = -1;
    set_basic(s, k, s->n + k);
    any = true;
  }
  nsds_status status = any ? nsds_path_factor(s) : NSDS_OK;
  *done = !any || (!status && nsds_factor_rcond(s->basis.factor) > doubtful);
  return status == NSDS_ERROR_SINGULAR ? NSDS_OK : status;
}

nsds_status nsds_path_take_equalities(nsds_path *s, nsds_outcome *found) {
  bool done;
  *found = NSDS_SOLVED;
  nsds_status status = enter_all(s, &done);
  if (done || status) return status;
  nsds_path_begin(s);
  status = enter_one_by_one(s, found);
  if (!status && *found == NSDS_SOLVED) *found = judge_all(s);
  return status;
}
