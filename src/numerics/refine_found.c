/*
 * The rank of the closed rows of a matrix, see refine.h, and what is kept of it.
 *
 * Most matrices of a step equal those of the step before, or nearly so, and most have full rank. So
 * a search for dependent rows ends as early as it can:
 *
 * - A definite matrix has full rank in any closed rows, as long as none slips. Let S = U M U, where U
 *   makes the diagonal 1. The least eigenvalue of S changes by at most |U (M - R) U| (Weyl) if M takes the
 *   place of a reference R. A bound below that of R is known from full_rank.h.
 * - The rank is known if the matrix, the kinds of all rows and the directions of slip are.
 * - A bound below the least singular value shows full rank (full_rank.h).
 * - Orthogonal factors find any rank.
 */
#include "numerics/refine_found.h"

#include "base/base.h"
#include "numerics/linear/full_rank.h"
#include "numerics/linear/orthogonal.h"

static const double asymmetry = 1e-13; /* rounding of entries M_ij = M_ji, in units */
static const double surely = 100.0;    /* of bounds over the tolerance: for their own rounding */

/* Both rows of a part of friction have one unit. */
static void share_units(nsds_refiner *r, const nsds_block *block, int first) {
  nsds_part part[2];
  int count = nsds_set_parts(block, part);
  for (int k = 0; k < count; ++k) {
    double *unit = r->unit + first + part[k].first;
    if (part[k].count == 2) unit[0] = unit[1] = fmin(unit[0], unit[1]);
  }
}

/* Finds units in which M has ones on its diagonal; tangents of a contact share one. Returns false
 * if there are none, or for other sets. */
static bool find_units(nsds_refiner *r, const nsds_problem *p) {
  for (int i = 0; i < p->n; ++i) {
    double diagonal = nsds_refine_entry(p, i, i);
    if (!(diagonal > 0.0) || !isfinite(1.0 / diagonal)) return false;
    r->unit[i] = 1.0 / sqrt(diagonal);
  }
  r->found.friction = false;
  for (int a = 0, i = 0; a < p->nblock; i += p->block[a++].size) {
    const nsds_block *block = &p->block[a];
    bool scalar = block->set == NSDS_SET_EQUALITY || block->set == NSDS_SET_NONNEGATIVE ||
                  block->set == NSDS_SET_BOX;
    bool friction =
        (block->set == NSDS_SET_COULOMB && block->size <= 3) || block->set == NSDS_SET_ROLLING;
    if (!scalar && !friction) return false;
    r->found.friction = r->found.friction || friction;
    if (friction) share_units(r, block, i);
  }
  return true;
}

void nsds_found_take(nsds_refiner *r, const nsds_problem *p) {
  nsds_refiner_found *found = &r->found;
  if (found->pattern != p->M.pattern || p->M.pattern == 0) {
    found->hopeless = false;
    found->least = 0.0;
  } else if (p->M.stamp != 0 && found->stamp == p->M.stamp) return;
  found->stamp = p->M.stamp;
  found->pattern = p->M.pattern;
  found->has_units = found->tested = found->definite = found->sought = false;
}

bool nsds_found_is_treated(nsds_refiner *r, const nsds_problem *p) {
  if (!r->found.has_units) r->found.treated = p->n <= r->n && find_units(r, p);
  r->found.has_units = true;
  return r->found.treated;
}

/* Adds the squares of the entries of M - R, row by row, in units of the rows and of the column. */
static NSDS_CLONES void add_squares(int n, const double *M, const double *R, const double *square,
                                    double *restrict sum) {
  for (int j = 0; j < n; ++j, M += n, R += n) {
    double own = square[j];
    for (int i = 0; i < n; ++i) sum[i] += own * ((M[i] - R[i]) * (M[i] - R[i]));
  }
  for (int i = 0; i < n; ++i) sum[i] *= square[i];
}

/* Compares the distance of the matrix and the reference with the least eigenvalue of the reference.
 * Returns true if the eigenvalue is at least twice as large. */
static bool is_near_reference(const nsds_refiner *r, const nsds_problem *p) {
  const nsds_refiner_found *found = &r->found;
  double sum = 0.0;
  if (found->least == 0.0) return false;
  for (int i = 0; i < p->n; ++i) r->x[i] = 0.0;
  add_squares(p->n, p->M.x, found->reference, found->square, r->x);
  for (int i = 0; i < p->n; ++i) sum += r->x[i];
  return sum <= 0.25 * found->least * found->least;
}

/* Makes the matrix the reference if it is definite. The least singular value of E, for any closed
 * rows, is at least the eigenvalue times the least 1 / unit. */
static void take_reference(nsds_refiner *r, const nsds_problem *p) {
  nsds_refiner_found *found = &r->found;
  int n = p->n;
  double low = INFINITY, high = 0.0;
  found->hopeless = true;
  found->least = 0.0;
  for (int j = 0; j < n; ++j) {
    low = fmin(low, r->unit[j]);
    nsds_raise(&high, r->unit[j]);
    found->square[j] = r->unit[j] * r->unit[j];
    for (int i = 0; i < n; ++i) {
      double entry = r->unit[i] * nsds_refine_entry(p, i, j) * r->unit[j];
      double mirrored = r->unit[i] * nsds_refine_entry(p, j, i) * r->unit[j];
      if (!(fabs(entry - mirrored) <= asymmetry)) return;
      r->B[i + (ptrdiff_t)j * n] = entry;
    }
  }
  double least = nsds_least_singular_value(n, r->B, r->x);
  for (int i = 0; i < n; ++i)
    if (!(r->B[i + (ptrdiff_t)i * n] > 0.0)) return;
  if (!(0.5 * least > surely * nsds_dependent * sqrt(n) * high / low)) return;
  found->hopeless = false;
  found->least = least;
  nsds_copy_doubles(found->reference, p->M.x, (size_t)n * (size_t)n);
}

bool nsds_found_is_definite(nsds_refiner *r, const nsds_problem *p) {
  nsds_refiner_found *found = &r->found;
  if (found->tested || p->n > r->n) return found->definite;
  found->tested = true;
  found->definite = is_near_reference(r, p);
  if (found->definite || found->hopeless || p->M.stamp == 0) return found->definite;
  if (nsds_found_is_treated(r, p)) take_reference(r, p);
  found->definite = found->least > 0.0;
  return found->definite;
}

bool nsds_found_is_known(const nsds_refiner *r, int n) {
  const nsds_refiner_found *found = &r->found;
  if (!found->sought || memcmp(found->kind, r->kind, (size_t)n) != 0) return false;
  bool same = true;
  for (int i = 0; same && i < n; ++i)
    same = r->kind[i] != NSDS_ROW_SLIPS || r->direction[i] == found->direction[i];
  return same;
}

static double size_of_e(const nsds_refiner *r) {
  double size = 0.0;
  for (int k = 0; k < r->closed * r->closed; ++k) nsds_raise(&size, fabs(r->E[k]));
  return size;
}

void nsds_found_seek(nsds_refiner *r, int n) {
  nsds_refiner_found *found = &r->found;
  size_t m = (size_t)r->closed;
  found->sought = true;
  found->rank = r->closed;
  memcpy(found->kind, r->kind, (size_t)n);
  nsds_copy_doubles(found->direction, r->direction, (size_t)n);
  if (!(size_of_e(r) > 0.0)) return;
  nsds_copy_doubles(r->B, r->E, m * m);
  if (nsds_least_singular_value(r->closed, r->B, r->x) > surely * nsds_dependent) return;
  nsds_copy_doubles(found->factors, r->E, m * m);
  found->rank =
      nsds_orthogonal_factor(r->closed, found->factors, nsds_dependent, found->pivot, found->tau);
}
