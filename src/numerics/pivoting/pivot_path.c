/*
 * Complementary pivoting along the path of y = A x + b + d x_0 from large x_0 to x_0 = 0.
 *
 * The problem becomes rows and variables y, x (lcp_form.h), the system a basis with exchanges
 * (pivot_basis.h). Equalities come first. Then x_0 enters. After each pivot the complement of the
 * variable that left enters, until x_0 leaves (solved) or nothing blocks (secondary ray).
 *
 * - Lemke: d > 0, all ones in scaled variables.
 * - Cao and Ferris: d is one on the rows of the facets that meet in a vertex of the set. On the
 *   slacks of the others d is zero; they are nonnegative at the vertex.
 * - Lemke and Howson: d = -1 in row 0 alone, so that x_0 is the excess of its y over zero. The path
 *   begins where two pivots have met all rows of either side of the game.
 *
 * Rounding may lose rows whose q is far smaller than that of others. If the answer of the last
 * basis is not certified, the path goes on from that basis with the values found and the least
 * possible x_0.
 */
#include "numerics/pivoting/pivot_path.h"

#include "numerics/linear/factor.h"
#include "numerics/pivoting/lcp_form.h"
#include "numerics/pivoting/pivot_basis.h"
#include "numerics/solver_tools.h"
#include "numerics/watch.h"

#include <limits.h>

/* Number of paths in a row; each path corrects the rounding of the last. */
enum { most_rounds = 4 };

/* Largest number of pivots on one path. Most paths need about one per row, hard ones several. A path
 * that cycles because of rounding would never end. */
enum { fixed_pivots = 1000, pivots_per_row = 20 };

/* Ratios this close, relative to their size, count as equal: rounding of some hundred pivots. */
static const double tie = 1e-12;

/* A ray that starts at less than this part of the first x_0 may come from rounding. */
static const double next_to_nothing = 1e-9;

/* ---- the path ---- */

/* Returns true if all slacks are basic, as a start at a vertex needs. */
static bool slacks_are_basic(const nsds_path *s) {
  const nsds_lcp_row *row = s->form.row;
  for (int k = 0; k < s->n; ++k)
    if (row[k].slack && s->place[k] < 0) return false;
  return true;
}

/* Returns the share of x_0 in row k: 1, in later attempts numbers without pattern between 1/16 and
 * 1. */
static double share_of(int pivot_path_attempt, int k) {
  if (pivot_path_attempt == 0) return 1.0;
  uint64_t x = ((uint64_t)(unsigned)pivot_path_attempt << 32 | (uint64_t)(unsigned)k) + 1;
  x *= UINT64_C(0x9E3779B97F4A7C15); /* mixed as by splitmix64 */
  x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
  return exp2(-4.0 * (double)(x >> 11) * 0x1p-53);
}

/* Sets delta, in scaled variables: ones, or others in a later attempt. With friction, delta of the
 * normal row exceeds mu times that of the tangential row, in unscaled variables, see lcp_form.h. */
static void cover(nsds_path *s, bool from_vertex, int pivot_path_attempt) {
  const nsds_lcp_row *row = s->form.row;
  bool facets = from_vertex && slacks_are_basic(s);
  for (int r = 0; r < s->n; ++r) {
    int k = s->basic[r] % s->n;
    bool covered = !row[k].free && !(facets && row[k].slack);
    s->delta[r] = covered ? share_of(pivot_path_attempt, k) : 0.0;
  }
  for (int k = 0; !facets && k < s->n; ++k) {
    int normal = s->place[row[k].normal];
    if (row[k].mu > 0.0 && normal >= 0)
      s->delta[normal] +=
          share_of(pivot_path_attempt, k) * row[k].mu * s->row[row[k].normal] / s->row[k];
  }
  nsds_path_cover(s);
}

/* Returns the position that needs x_0 most; -1: none. */
static int first_position(const nsds_path *s) {
  int best = -1;
  double most = 0.0, tilt = 0.0;
  for (int r = 0; r < s->n; ++r) {
    if (!(s->x[r] < 0.0) || s->delta[r] == 0.0) continue;
    double need = -s->x[r] / s->delta[r], t = s->t[r] / s->delta[r];
    if (need < most || (need == most && t > tilt)) continue;
    best = r;
    most = need;
    tilt = t;
  }
  return best;
}

/* Returns the position that blocks the entering variable; -1: none. Among ties x_0 leaves first. */
static int blocking(const nsds_path *s) {
  double least = INFINITY, tilt = INFINITY;
  int best = -1;
  for (int r = 0; r < s->n; ++r)
    if (s->alpha[r] > nsds_pivot_zero && !nsds_path_is_free(s, s->basic[r]))
      least = fmin(least, fmax(s->x[r], 0.0) / s->alpha[r]);
  double most = least + tie * fmax(1.0, least);
  for (int r = 0; r < s->n; ++r) {
    if (!(s->alpha[r] > nsds_pivot_zero) || fmax(s->x[r], 0.0) > most * s->alpha[r]) continue;
    if (nsds_path_is_free(s, s->basic[r])) continue;
    if (s->basic[r] == 2 * s->n) return r;
    if (s->t[r] / s->alpha[r] >= tilt) continue;
    tilt = s->t[r] / s->alpha[r];
    best = r;
  }
  return best;
}

/* Drops an x_0 that has vanished but stayed in the basis, since rounding hid a tie. From the pair
 * of `left`, outside the basis, the variable with the larger entry takes its place. */
static nsds_status drop_artificial(nsds_path *s, int left) {
  int r = s->place[2 * s->n], other = nsds_path_complement(s, left);
  nsds_path_find_alpha(s, left);
  double entry = fabs(s->alpha[r]);
  nsds_path_find_alpha(s, other);
  if (entry > fabs(s->alpha[r])) nsds_path_find_alpha(s, other = left);
  return fabs(s->alpha[r]) > nsds_pivot_zero ? nsds_path_pivot(s, r, other) : NSDS_OK;
}

/* The first pivot: `entering`, whose alpha is known, takes position r. */
typedef struct first_pivot {
  int entering, r; /* -1: no pivot is needed, or allowed */
  double most;     /* x_0 at the first pivot */
} first_pivot;

/* Begins from the present basis; d meets all its rows. */
static first_pivot begin_covered(nsds_path *s) {
  first_pivot first = {.entering = 2 * s->n, .r = first_position(s)};
  if (first.r < 0) return first;
  first.most = -s->x[first.r] / s->delta[first.r];
  nsds_path_find_alpha(s, first.entering);
  return first;
}

/* Returns the position that needs the entering variable most. The variable raises all values that
 * it changes. */
static int last_position(const nsds_path *s) {
  double most = -INFINITY, tilt = -INFINITY;
  int best = -1;
  for (int r = 0; r < s->n; ++r) {
    if (!(s->alpha[r] < -nsds_pivot_zero)) continue;
    double need = s->x[r] / s->alpha[r], t = s->t[r] / s->alpha[r];
    if (need < most || (need == most && t < tilt)) continue;
    best = r;
    most = need;
    tilt = t;
  }
  return best;
}

/* Begins a game: x_k of one side meets the rows of the other side, then one of these meets those of
 * the first. Then x_0 stands in place of y_k and may have any size. */
static nsds_status begin_game(nsds_path *s, int k, first_pivot *first) {
  int artificial = 2 * s->n;
  memset(s->delta, 0, (size_t)s->n * sizeof *s->delta);
  s->delta[k] = -1.0;
  nsds_path_cover(s);
  *first = (first_pivot){.r = -1, .most = fabs(s->x[k])};
  nsds_path_find_alpha(s, artificial);
  nsds_status status = nsds_path_pivot(s, k, artificial);
  if (status) return status;
  nsds_path_find_alpha(s, s->n + k);
  int r = last_position(s);
  if (r < 0) return NSDS_OK;
  first->entering = nsds_path_complement(s, s->basic[r]);
  if ((status = nsds_path_pivot(s, r, s->n + k))) return status;
  s->info->iterations += 2;
  nsds_path_find_alpha(s, first->entering);
  first->r = last_position(s);
  return NSDS_OK;
}

/* Follows the path. *doubtful: it ended in a ray that starts at a tiny x_0. */
static nsds_status pivot_path_follow(nsds_path *s, first_pivot first, nsds_outcome *found,
                                     bool *doubtful) {
  int artificial = 2 * s->n, entering = first.entering, r = first.r;
  *doubtful = false;
  *found = NSDS_SOLVED;
  if (r < 0) return NSDS_OK;
  while ((*found = nsds_watch_allows(&s->watch, s->info->iterations)) == NSDS_SOLVED) {
    int leaving = s->basic[r];
    nsds_status status = nsds_path_pivot(s, r, entering);
    if (status) return status;
    ++s->info->iterations;
    if (leaving == artificial) return NSDS_OK;
    if (s->x[s->place[artificial]] == 0.0) return drop_artificial(s, leaving);
    entering = nsds_path_complement(s, leaving);
    nsds_path_find_alpha(s, entering);
    if ((r = blocking(s)) >= 0) continue;
    *found = s->held ? NSDS_NOT_CONVERGED : NSDS_RAY;
    *doubtful = s->x[s->place[artificial]] <= next_to_nothing * first.most;
    return NSDS_OK;
  }
  return NSDS_OK;
}

/* ---- the answer ---- */

/* Solves for x of the basis, given y for the x outside. Dense factors are not renewed, since they
 * cost as much as dozens of pivots; refinement corrects them. */
static nsds_status pivot_path_solve(nsds_path *s, double *y, double *x) {
  bool anew = s->basis.eta.count > 0 && !s->basis.dense;
  nsds_status status = anew ? nsds_path_factor_basis(s) : NSDS_OK;
  if (status && status != NSDS_ERROR_SINGULAR) return status;
  nsds_path_refine(s, y);
  for (int k = 0; k < s->n; ++k)
    if (s->mark[k]) x[k] = y[s->place[s->n + k]] * s->column[k] / s->unit;
  return NSDS_OK;
}

/* Computes z of the basis and its residual: y - A (x - shift) = y at x = shift, where the other x
 * vanish. */
static nsds_status pivot_path_recover(nsds_path *s, double *z, double *residual) {
  const nsds_lcp_row *row = s->form.row;
  unsigned char *basic = s->mark;
  double *y = s->t, *x = s->size;
  memcpy(y, s->at_shift, (size_t)s->n * sizeof *y);
  for (int k = 0; k < s->n; ++k) {
    basic[k] = s->place[s->n + k] >= 0;
    x[k] = -row[k].shift;
    if (!basic[k]) nsds_path_subtract_shift(s, k, y);
  }
  nsds_status status = pivot_path_solve(s, y, x);
  if (status) return status;
  for (int k = 0; k < s->n; ++k)
    if (!row[k].free) x[k] = fmax(x[k], -row[k].shift);
  nsds_lcp_recover(&s->form, x, basic, z);
  *residual = nsds_solver_residual(s->solver, s->problem, z, NULL);
  return NSDS_OK;
}

/* Prepares a path from the last basis; false if none of its values is negative. */
static bool start_again(nsds_path *s) {
  double least = 0.0;
  if (s->place[2 * s->n] >= 0) return false;
  memcpy(s->x, s->b, (size_t)s->n * sizeof *s->x); /* includes what counted as rounding */
  nsds_path_refine(s, s->x);
  for (int r = 0; r < s->n; ++r)
    if (!nsds_path_is_free(s, s->basic[r])) least = fmin(least, s->x[r]);
  nsds_path_rescale(s, nsds_inverse_power(-least, 1));
  for (int r = 0; r < s->n; ++r) {
    s->size[r] = fabs(s->x[r]);
    s->delta[r] = nsds_path_is_free(s, s->basic[r]) ? 0.0 : 1.0;
  }
  nsds_path_cover(s);
  return least < 0.0;
}

static nsds_status pivot_path_run(nsds_path *s, first_pivot first, double *z) {
  nsds_solver_info *info = s->info;
  double residual = INFINITY, tolerance = s->solver->value[OPTION_TOLERANCE];
  double *trial = s->solver->toolbox->scratch + s->problem->n;
  for (int round = 0; round < most_rounds; ++round) {
    nsds_outcome outcome;
    bool doubtful;
    double found;
    if (round > 0) first = begin_covered(s);
    nsds_status status = pivot_path_follow(s, first, &outcome, &doubtful);
    if (status) return status;
    if (round == 0 || outcome == NSDS_INTERRUPTED) info->outcome = outcome;
    if (outcome != NSDS_SOLVED && !doubtful) return NSDS_OK;
    if ((status = pivot_path_recover(s, trial, &found))) return status;
    if (found < residual || round == 0) memcpy(z, trial, (size_t)s->problem->n * sizeof *z);
    residual = fmin(residual, found);
    if (residual <= tolerance) {
      info->outcome = NSDS_SOLVED;
      return NSDS_OK;
    }
    if (!start_again(s)) break;
  }
  if (info->outcome == NSDS_SOLVED) info->outcome = NSDS_NOT_CONVERGED;
  return NSDS_OK;
}

/* Allows the pivots of one more path, `all` of all paths. */
static void allow_path(nsds_path *s, int all) {
  double one = fixed_pivots + (double)pivots_per_row * s->n;
  s->watch.limit = (int)fmin(all, s->info->iterations + one);
}

/* Tries one path from the first basis. If the equalities fail, info->outcome is theirs. */
static nsds_status pivot_path_attempt(nsds_path *s, nsds_path_start start, int number, double *z) {
  first_pivot first;
  nsds_path_begin(s);
  nsds_status status = nsds_path_take_equalities(s, &s->info->outcome);
  if (status || s->info->outcome != NSDS_SOLVED) return status;
  if (start == NSDS_PATH_GAME) {
    status = begin_game(s, number % s->n, &first);
  } else {
    cover(s, start == NSDS_PATH_VERTEX, number);
    first = begin_covered(s);
  }
  return status ? status : pivot_path_run(s, first, z);
}

nsds_status nsds_path_solve(nsds_path *s, nsds_solver *solver, const nsds_problem *problem,
                            nsds_path_start start, int restarts, bool dense, double *z,
                            nsds_solver_info *info) {
  s->solver = solver;
  s->problem = problem;
  s->info = info;
  nsds_watch_count(&s->watch, solver, INT_MAX);
  int all = s->watch.limit;
  nsds_path_release(s);
  nsds_status status = nsds_lcp_build(&solver->store, &s->form, problem);
  if (status) return status;
  info->outcome = s->form.empty ? NSDS_NO_SOLUTION : NSDS_NOT_CONVERGED;
  if (s->form.empty) solver->toolbox->decided = solver->method->row.name;
  if ((s->n = s->form.n) < 0) return NSDS_OK;
  if ((status = nsds_path_open(s, dense))) return status;
  nsds_outcome first = NSDS_SOLVED;
  for (int k = 0; k == 0 || (k <= restarts && info->iterations < all); ++k) {
    allow_path(s, all);
    status = pivot_path_attempt(s, start, k, z);
    if (status && status != NSDS_ERROR_SINGULAR) return status;
    if (status) info->outcome = NSDS_NOT_CONVERGED;
    if (k == 0) first = info->outcome;
    if (info->outcome != NSDS_RAY && info->outcome != NSDS_NOT_CONVERGED) return NSDS_OK;
  }
  info->outcome = first;
  return NSDS_OK;
}
