/*
 * Free rows, y_f = 0 with x_f of any sign, before the path: equalities and the lineality of C.
 * Their x_f take the places of y_f in the basis: all at once where A_ff is regular. Otherwise one
 * by one, each at the largest entry among the y_f that are left, and where it has none, together
 * with another pair that links it to one, as a constraint without a diagonal of its own needs.
 * Redundant equalities stay with their y_f = 0.
 */
#include "path.h"

/* Rounding can leave a reciprocal condition up to here to a matrix that is singular. */
static const double doubtful = 1e-9;

static bool is_free_y(const nsds_path *s, int variable) {
  return variable < s->n && nsds_path_is_free(s, variable);
}

static bool is_bounded(const nsds_path *s, int variable) { return !nsds_path_is_free(s, variable); }

/* Position of such a variable, not `tried`, with the largest entry of alpha; -1: none that counts.
 */
static int largest(const nsds_path *s, bool (*is)(const nsds_path *, int),
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

static nsds_status pivot(nsds_path *s, int r, int variable) {
  ++s->info->iterations;
  return nsds_path_pivot(s, r, variable);
}

/* The x of free rows at the largest entry of all that are left; *done: there was one. */
static nsds_status enter_largest(nsds_path *s, bool *done) {
  double most = 0.0;
  int best = -1, r;
  for (int x = s->n; x < 2 * s->n; ++x) {
    if (!nsds_path_is_free(s, x) || s->place[x] >= 0) continue;
    nsds_path_find_alpha(s, x);
    if ((r = largest(s, is_free_y, NULL)) < 0 || fabs(s->alpha[r]) <= most) continue;
    most = fabs(s->alpha[r]);
    best = x;
  }
  *done = best >= 0;
  if (best < 0) return NSDS_OK;
  nsds_path_find_alpha(s, best);
  return pivot(s, largest(s, is_free_y, NULL), best);
}

/* The first x of those left that a bounded variable links to a free row: the complement of what x
 * replaces takes that. */
static nsds_status enter_linked(nsds_path *s, bool *done) {
  unsigned char *tried = s->mark;
  *done = false;
  for (int x = s->n; x < 2 * s->n; ++x) {
    if (!nsds_path_is_free(s, x) || s->place[x] >= 0) continue;
    memset(tried, 0, (size_t)s->n);
    for (int r, p;; tried[r] = 1) {
      nsds_path_find_alpha(s, x);
      if ((r = largest(s, is_bounded, tried)) < 0) break;
      int link = nsds_path_complement(s, s->basic[r]);
      nsds_path_find_alpha(s, link);
      if ((p = largest(s, is_free_y, NULL)) < 0) continue;
      *done = true;
      nsds_status status = pivot(s, p, link);
      nsds_path_find_alpha(s, x);
      return status ? status : pivot(s, r, x);
    }
  }
  return NSDS_OK;
}

/* As long as more of them find a place. */
static nsds_status enter_one_by_one(nsds_path *s, nsds_outcome *found) {
  nsds_status status = NSDS_OK;
  for (bool done = true; !status && done;) {
    if (s->info->iterations >= s->limit) *found = NSDS_NOT_CONVERGED;
    if (nsds_solver_interrupted(s->solver, s->info->iterations, NAN)) *found = NSDS_INTERRUPTED;
    if (*found != NSDS_SOLVED) return NSDS_OK;
    status = enter_largest(s, &done);
    if (!status && !done) status = enter_linked(s, &done);
  }
  return status;
}

/* What is left of an equality: 0 = x - alpha v with v >= 0, least <= alpha <= most. */
static nsds_outcome judge(double x, double least, double most) {
  static const double clear = 1e-9; /* inconsistency beyond what rounding makes */
  if (fmax(most, -least) <= nsds_pivot_zero && fabs(x) <= nsds_pivot_zero) return NSDS_SOLVED;
  bool met = (x > 0.0 ? most : -least) > nsds_pivot_zero;
  return !met && fabs(x) > clear ? NSDS_NO_SOLUTION : NSDS_NOT_CONVERGED;
}

/* The equalities that are left, by the columns of all variables outside the basis. */
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
    nsds_outcome outcome = judge(s->x[r], least[r], most[r]);
    if (outcome > worst) worst = outcome;
  }
  return worst;
}

/* All at once, as far as their own rows are regular; *done: they are. */
static nsds_status enter_all(nsds_path *s, bool *done) {
  bool any = false;
  for (int k = 0; k < s->n; ++k) {
    if (!nsds_path_is_free(s, k)) continue;
    s->place[k] = -1;
    nsds_path_set_basic(s, k, s->n + k);
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
