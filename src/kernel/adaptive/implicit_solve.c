/*
 * Newton's method for one implicit stage. With frozen modes an iteration is a linear system in
 * which rows of laws at a bound are replaced by z = bound. Factors are kept for a few lengths and
 * sets of frozen rows: an adaptive run uses few of each again and again. By the laws an iteration
 * is a problem with bounds.
 */
#include "kernel/adaptive/implicit_solve.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/adaptive/implicit_evaluate.h"
#include "kernel/adaptive/implicit_second.h"
#include "numerics/linear/factor.h"
#include "numerics/linear/factor_dense.h"
#include "numerics/solver_run.h"

#include <float.h>

enum {
  most_iterations = 100,
  most_refined = 3,
  soonest = 3 /* iterations before rounding is looked at */
};
static const double nearly_solved = 1e-3; /* residual from which the next problem is a correction */
static const double nearly =
    1e5; /* corrections this much larger than small ones keep the factors */
static const double rounding_of_terms = 4.0 * DBL_EPSILON;
static const double newton_increment = 1e-9; /* relative to the largest |x| */
static const double newton_of_lambda =
    1e-7; /* relative to the lambda of the row; the method converges quadratically */

void nsds_implicit_destroy(nsds_implicit_solve *s) {
  for (int k = 0; k < nsds_implicit_slots; ++k) {
    nsds_factor_destroy(s->slot[k].factor);
    nsds_release(s->context, s->slot[k].varying);
    nsds_release(s->context, s->slot[k].frozen);
  }
  nsds_implicit_rows_destroy(&s->rows);
  nsds_solver_free(s->careful);
  nsds_release(s->context, s->x);
  nsds_release(s->context, s->F);
  *s = (nsds_implicit_solve){0};
}

/* Gives all slots room for the present rows; their factors are of other rows. */
static nsds_status make_slots(nsds_implicit_solve *s) {
  const nsds_implicit_rows *r = &s->rows;
  for (int k = 0; k < nsds_implicit_slots; ++k) {
    nsds_implicit_slot *slot = &s->slot[k];
    nsds_release(s->context, slot->varying);
    nsds_release(s->context, slot->frozen);
    slot->varying = NSDS_NEW_ARRAY(s->context, double, r->nvarying + 1);
    slot->frozen = NSDS_NEW_ARRAY(s->context, unsigned char, r->ny + 1);
    slot->stamp = 0;
    slot->used = 0;
    if (!slot->factor) slot->factor = nsds_factor_create(s->context);
    if (!slot->varying || !slot->frozen || !slot->factor) return NSDS_ERROR_MEMORY;
    nsds_status status = s->dense ? nsds_factor_reserve_dense(slot->factor, r->n)
                                  : nsds_factor_reserve_csc(slot->factor, r->n);
    if (status) return status;
  }
  return NSDS_OK;
}

nsds_status nsds_implicit_update(nsds_implicit_solve *s, nsds_plan *plan) {
  uint64_t stamp = s->rows.stamp;
  s->context = plan->context;
  nsds_status status = nsds_implicit_rows_update(&s->rows, plan);
  if (status || s->rows.stamp == stamp) return status;
  size_t n = (size_t)s->rows.n + 1, count = (size_t)s->rows.p[s->rows.n] + 1;
  status = nsds_grow(s->context, &s->x, &s->x_capacity, count, sizeof *s->x);
  if (!status) status = nsds_grow(s->context, &s->F, &s->F_capacity, 6 * n, sizeof *s->F);
  s->dense = nsds_better_dense(s->rows.n, (double)count, nsds_small_rows);
  if (!status) status = make_slots(s);
  if (status) {
    s->rows.of.graph = 0;
    return status;
  }
  s->change = s->F + n;
  s->lower = s->change + n;
  s->upper = s->lower + n;
  s->w = s->upper + n;
  s->rounding = s->w + n;
  return NSDS_OK;
}

/* ---- frozen modes ---------------------------------------------------------------------------- */

/* Returns the unit of lambda in rows about dy/dt, a power of two near |M| / a. In its own unit a short stage would look
 * singular. */
static double unit_of_lambda(const nsds_implicit_rows *r, double a) {
  if (r->motion.nq == 0 || r->motion.heaviest <= a) return 1.0;
  int exponent;
  frexp(r->motion.heaviest / a, &exponent);
  return ldexp(1.0, exponent);
}

/* Returns true if lambda of a row has that unit in the matrix. */
static inline bool has_unit(const nsds_implicit_rows *r, int row) {
  return r->motion.nq > 0 && r->motion.kind[row] != NSDS_ROW_OF_Y;
}

/* Writes the matrix in which frozen rows are those of the identity. */
static void freeze_matrix(nsds_implicit_solve *s, double a, const unsigned char *frozen) {
  const nsds_implicit_rows *r = &s->rows;
  nsds_implicit_matrix(r, a, s->x);
  if (r->ny == 0) return;
  int count = r->p[r->n];
  for (int k = 0; k < count; ++k) {
    int row = r->i[k] - r->nx;
    if (row >= 0 && frozen[row]) s->x[k] = 0.0;
  }
  for (int row = 0; row < r->ny; ++row)
    if (frozen[row]) s->x[r->diagonal[r->nx + row]] = 1.0;
  if (r->motion.nq == 0) return;
  double unit = unit_of_lambda(r, a);
  for (int row = 0; row < r->ny; ++row)
    for (int k = r->p[r->nx + row]; has_unit(r, row) && k < r->p[r->nx + row + 1]; ++k)
      s->x[k] *= unit;
}

/* Returns true if the factors are of this length and these frozen rows. */
static bool slot_is_of(const nsds_implicit_solve *s, const nsds_implicit_slot *slot, double a,
                       const unsigned char *mode) {
  const nsds_implicit_rows *r = &s->rows;
  if (slot->stamp != r->stamp || slot->a != a) return false;
  for (int k = 0; k < r->ny; ++k)
    if (slot->frozen[k] != (mode[k] != NSDS_MODE_BETWEEN)) return false;
  return true;
}

static bool slot_serves(const nsds_implicit_solve *s, const nsds_implicit_slot *slot, double a,
                        const unsigned char *mode) {
  const nsds_implicit_rows *r = &s->rows;
  return slot_is_of(s, slot, a, mode) &&
         (r->nvarying == 0 ||
          memcmp(slot->varying, r->varying, (size_t)r->nvarying * sizeof *r->varying) == 0);
}

static nsds_status factor_slot(nsds_implicit_solve *s, const nsds_implicit_slot *slot, double a) {
  const nsds_implicit_rows *r = &s->rows;
  freeze_matrix(s, a, slot->frozen);
  return nsds_factor_columns(slot->factor, s->dense, false, r->n, r->p, r->i, s->x, r->stamp);
}

/*
 * Gives a slot its pivots. Bits must not depend on what the slot had before. So constant values get pivots of their own.
 * Varying values keep those of reference values, of the first factors of these rows: new ones in each iteration would
 * take memory and time.
 */
static void choose_pivots(nsds_implicit_solve *s, const nsds_implicit_slot *slot, double a) {
  nsds_implicit_rows *r = &s->rows;
  double *now = r->varying;
  nsds_factor_renew_pivots(slot->factor);
  if (r->nvarying == 0 || s->dense) return;
  if (r->reference.n == 0) nsds_copy_doubles(r->reference.x, r->varying, (size_t)r->nvarying);
  r->reference.n = r->nvarying;
  r->varying = r->reference.x;
  if (factor_slot(s, slot, a)) nsds_factor_renew_pivots(slot->factor);
  r->varying = now;
}

/* Returns factors for a and these modes in *out. */
static nsds_status take_factor(nsds_implicit_solve *s, double a, const unsigned char *mode,
                               nsds_factor **out) {
  const nsds_implicit_rows *r = &s->rows;
  nsds_implicit_slot *oldest = &s->slot[0], *like = NULL;
  if (slot_serves(s, &s->slot[s->recent], a, mode)) { /* both stages have the same */
    s->slot[s->recent].used = ++s->clock;
    *out = s->slot[s->recent].factor;
    return NSDS_OK;
  }
  for (int k = 0; k < nsds_implicit_slots; ++k) {
    nsds_implicit_slot *slot = &s->slot[k];
    if (slot_serves(s, slot, a, mode)) {
      slot->used = ++s->clock;
      s->recent = k;
      *out = slot->factor;
      return NSDS_OK;
    }
    if (slot->used < oldest->used) oldest = slot;
    if (r->nvarying > 0 && !s->dense && !slot->own_pivots && slot_is_of(s, slot, a, mode))
      like = slot;
  }
  nsds_implicit_slot *slot = like ? like : oldest;
  slot->stamp = 0;
  for (int k = 0; k < r->ny; ++k) slot->frozen[k] = mode[k] != NSDS_MODE_BETWEEN;
  nsds_copy_doubles(slot->varying, r->varying, (size_t)r->nvarying);
  if (!like) choose_pivots(s, slot, a);
  nsds_status status = factor_slot(s, slot, a);
  if (status) return status;
  slot->own_pivots = nsds_factor_lost_pivots(slot->factor);
  slot->a = a;
  slot->stamp = r->stamp;
  slot->used = ++s->clock;
  s->recent = (int)(slot - s->slot);
  *out = slot->factor;
  return NSDS_OK;
}

void nsds_implicit_archive(nsds_implicit_solve *s, nsds_archive *a) {
  nsds_implicit_rows *r = &s->rows;
  bool read = a->mode == NSDS_ARCHIVE_READ;
  uint64_t count = (uint64_t)r->reference.n, full = r->full;
  nsds_archive_word(a, &full);
  nsds_archive_word(a, &count);
  bool mine_too = count == (uint64_t)r->nvarying;
  for (uint64_t k = 0; k < count && !a->status; ++k) { /* another pattern takes its own */
    double value = mine_too ? r->reference.x[k] : 0.0;
    nsds_archive_number(a, &value);
    if (read && mine_too && !a->status) r->reference.x[k] = value;
  }
  if (!read || a->status) return;
  r->reference.n = mine_too ? (int)count : 0;
  if (full && !r->full) nsds_implicit_rows_fill(r);
  for (int k = 0; k < nsds_implicit_slots; ++k) s->slot[k].stamp = 0;
}

static double stage_bound_of(const nsds_implicit_rows *r, int row, unsigned char mode) {
  return mode == NSDS_MODE_LOWER ? r->lower[row] : r->upper[row];
}

/* Rounding of the terms of each row at z. */
static void measure_rounding(nsds_implicit_solve *s, const double *z) {
  const nsds_implicit_rows *r = &s->rows;
  nsds_zero_doubles(s->rounding, (size_t)r->n);
  for (int j = 0; j < r->n; ++j)
    for (int k = r->p[j]; k < r->p[j + 1]; ++k)
      s->rounding[r->i[k]] += rounding_of_terms * fabs(s->x[k] * z[j]);
}

/* Returns true if the corrections of states are rounding of the terms of their rows. A correction of `moved`, the
 * largest one, also counts as rounding if it is small beside the change by the largest terms. At a state of zero, which lambda holds, only these terms
 * have a size. */
static bool states_are_rounded(nsds_implicit_solve *s, double a, const double *z, const double *d,
                               double moved) {
  const nsds_implicit_rows *r = &s->rows;
  bool rounded = true;
  double change = 0.0;
  nsds_implicit_matrix(r, a, s->x);
  measure_rounding(s, z);
  for (int k = 0; k < r->nx; ++k) {
    double diagonal = fabs(s->x[r->diagonal[k]]);
    rounded = rounded && fabs(d[k]) * diagonal <= s->rounding[k];
    if (diagonal > 0.0) nsds_raise(&change, s->rounding[k] / diagonal);
  }
  return rounded || moved <= newton_increment * change / rounding_of_terms;
}

/* Returns true if a correction of Newton's method is small: of states beside the largest, or later
 * beside their rounding; of each lambda beside itself. */
static bool correction_is_small(nsds_implicit_solve *s, double a, const double *z, const double *d,
                                double loose, int iteration) {
  const nsds_implicit_rows *r = &s->rows;
  const double rounding = 1e-13;
  double size = 0.0, moved = 0.0, largest;
  for (int k = 0; k < r->nx; ++k) {
    nsds_raise(&size, fabs(z[k]));
    nsds_raise(&moved, fabs(d[k]));
  }
  bool small = moved <= loose * newton_increment * size;
  if (!small && !(iteration >= soonest && states_are_rounded(s, a, z, d, moved))) return false;
  largest = size;
  for (int k = r->nx; k < r->n; ++k) nsds_raise(&largest, fabs(z[k]));
  for (int k = r->nx; k < r->n; ++k)
    if (fabs(d[k]) > loose * (newton_of_lambda * fabs(z[k]) + rounding * largest)) return false;
  return true;
}

/* Lets relations bound the new lambda; the old one is z - d. Returns whether any did. */
static bool limit_lambda(nsds_implicit_solve *s, double *z, const double *d) {
  const nsds_implicit_rows *r = &s->rows;
  if (r->plan->count.varying == 0) return false;
  for (int k = 0; k < r->ny; ++k) s->w[k] = z[r->nx + k] - d[r->nx + k];
  return nsds_implicit_limit(r, s->w, z + r->nx);
}

/* Gives lambda in its own unit. */
static void take_unit(const nsds_implicit_rows *r, double a, double *z) {
  double unit = unit_of_lambda(r, a);
  for (int row = 0; row < r->ny; ++row)
    if (has_unit(r, row)) z[r->nx + row] *= unit;
}

static nsds_status solve_frozen(nsds_implicit_solve *s, double a, double t, const double *before,
                                const unsigned char *mode, double *z) {
  nsds_implicit_rows *r = &s->rows;
  nsds_factor *factor =
      NULL; /* of the last iteration; serves one more if the correction was near */
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    double *F = s->F;
    nsds_status status = nsds_implicit_evaluate(r, a, t, before, z, !factor, F);
    if (status) return status;
    for (int k = 0; k < r->nx; ++k) F[k] *= -nsds_implicit_scale(r, k, a);
    for (int k = 0; k < r->ny; ++k)
      F[r->nx + k] = mode[k] == NSDS_MODE_BETWEEN ? -F[r->nx + k]
                                                  : stage_bound_of(r, k, mode[k]) - z[r->nx + k];
    if (!factor) status = take_factor(s, a, mode, &factor);
    if (status) return status;
    nsds_factor_solve(factor, 1, F);
    if (r->motion.nq > 0) take_unit(r, a, F);
    double sum = 0.0;
    for (int k = 0; k < r->n; ++k) {
      z[k] += F[k];
      sum += F[k] * 0.0;
    }
    if (!(sum == 0.0)) return NSDS_ERROR_NEWTON; /* not finite */
    bool limited = limit_lambda(s, z, F);
    if (limited || (!r->linear && !correction_is_small(s, a, z, F, 1.0, iteration))) {
      if (limited || !correction_is_small(s, a, z, F, nearly, 0)) factor = NULL;
      continue;
    }
    for (int k = 0; k < r->ny; ++k)
      if (mode[k] != NSDS_MODE_BETWEEN) z[r->nx + k] = stage_bound_of(r, k, mode[k]);
    return NSDS_OK;
  }
  return NSDS_ERROR_NEWTON;
}

/* ---- by the laws ----------------------------------------------------------------------------- */

static nsds_status solve_bounds(nsds_implicit_solve *s) {
  const nsds_implicit_rows *r = &s->rows;
  nsds_block block = {.set = NSDS_SET_BOX, .size = r->n, .lower = s->lower, .upper = s->upper};
  nsds_problem problem = {.n = r->n,
                          .nblock = 1,
                          .block = &block,
                          .q = s->F,
                          .q_error = s->rounding,
                          .M = {.storage = NSDS_CSC,
                                .n = r->n,
                                .x = s->x,
                                .p = r->p,
                                .i = r->i,
                                .stamp = ++s->laws_stamp,
                                .pattern = r->stamp}};
  nsds_zero_doubles(s->change, (size_t)r->n);
  nsds_status status = nsds_solve(s->solver, &problem, s->change, s->w, &s->info);
  if (status != NSDS_ERROR_SOLVER) return status;
  if (s->info.residual < nearly_solved && s->refined++ < most_refined) return NSDS_AGAIN;
  if (!s->careful) return status;
  nsds_zero_doubles(s->change, (size_t)r->n);
  return nsds_solve(s->careful, &problem, s->change, s->w, &s->info);
}

static nsds_status solve_laws(nsds_implicit_solve *s, double a, double t, const double *before,
                              double *z) {
  nsds_implicit_rows *r = &s->rows;
  s->refined = 0;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    nsds_status status = nsds_implicit_evaluate(r, a, t, before, z, true, s->F);
    if (status) return status;
    nsds_implicit_matrix(r, a, s->x);
    for (int k = 0; k < r->n; ++k) {
      s->F[k] *= nsds_implicit_scale(r, k, a);
      s->lower[k] = k < r->nx ? -INFINITY : r->lower[k - r->nx] - z[k];
      s->upper[k] = k < r->nx ? INFINITY : r->upper[k - r->nx] - z[k];
    }
    measure_rounding(s, z);
    status = solve_bounds(s);
    bool again = status == NSDS_AGAIN;
    if (status && !again) return status;
    for (int k = 0; k < r->n; ++k) {
      double d = s->change[k];
      z[k] = d <= s->lower[k]   ? r->lower[k - r->nx]
             : d >= s->upper[k] ? r->upper[k - r->nx]
                                : z[k] + d;
    }
    bool limited = limit_lambda(s, z, s->change);
    if (!limited && !again &&
        (r->linear || correction_is_small(s, a, z, s->change, 1.0, iteration)))
      return NSDS_OK;
  }
  return NSDS_ERROR_NEWTON;
}

nsds_status nsds_implicit_stage(nsds_implicit_solve *s, double a, double t, const double *before,
                                const unsigned char *mode, double *z, double *w) {
  nsds_status status =
      mode ? solve_frozen(s, a, t, before, mode, z) : solve_laws(s, a, t, before, z);
  if (!status && s->rows.motion.nq > 0) status = nsds_implicit_place(&s->rows, a, t, z);
  return status ? status : nsds_implicit_laws(&s->rows, t, z, w);
}
