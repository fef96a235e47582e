/*
 * The effect on w of rounding in z, see certify_rounding.h.
 *
 * Row j fixes z_j up to rounding of its terms, u_j = s_j / d_j, unless its set holds z_j. Row i is
 * therefore fixed up to |M| u, which may be large beside its own terms. All terms of a row may be
 * rounding, as in w_i = z_j - z_k with z_j = 1e-17 in place of 0. Then there is nothing else to
 * compare with. The bound |M| u changes with the units as w does.
 *
 * Only rows whose terms are rounding beside the largest are excused. Terms are compared in the unit
 * of s / sqrt(d), since u_j bounds nothing if d_j is rounding itself. A load that a set holds fixes
 * nothing and excuses nothing, however large.
 */
#include "numerics/certify/certify_rounding.h"

#include "base/base.h"
#include "numerics/certify/certify.h"
#include "numerics/certify/certify_halo.h"
#include "numerics/certify/certify_sets.h"
#include "numerics/certify/certify_sums.h"
#include "numerics/certify/certify_units.h"
#include "numerics/sets/bounds.h"

/* Returns u of a separate row. An entry held by a bound moves by its own rounding. */
static double freedom_of_row(const nsds_block *block, int i, double z, double w, double s,
                             double d) {
  if (block->set == NSDS_SET_NONNEGATIVE && d * z <= w) return fabs(z);
  if (block->set == NSDS_SET_BOX &&
      ((w > 0.0 && d * (z - block->lower[i]) <= w) || (w < 0.0 && d * (block->upper[i] - z) <= -w)))
    return fabs(z);
  return s > 0.0 ? s / d : 0.0;
}

static void freedom_of_block(const nsds_problem *problem, const nsds_block *block, int first,
                             const double *z, const nsds_sums *t, double *u) {
  nsds_units units;
  bool alone = ((unsigned)block->set & nsds_bound_sets) != 0;
  for (int i = 0, j = first; i < block->size; ++i, ++j) {
    double d = t->d[j];
    if (d == 0.0 && t->s[j] > 0.0) d = nsds_unit_without_diagonal(&problem->M, j);
    if (alone) u[j] = freedom_of_row(block, i, z[j], t->w[j], t->s[j], d);
    else nsds_certify_unit(d, i, i + 1, &units);
  }
  if (!alone) nsds_certify_freedom(block, &units, z + first, t->w + first, t->s + first, u + first);
}

const double *nsds_rounding_of_w(const nsds_problem *problem, const double *z, nsds_sums t,
                                 double *work) {
  size_t n = (size_t)problem->n;
  double *u = work, *size = u + n, *slack = size + n, most = 0.0;
  nsds_sums sizes = {slack + n, slack, size}; /* q is read before d is written */
  nsds_problem terms = *problem;
  for (int a = 0, row = 0; a < problem->nblock; row += problem->block[a++].size)
    freedom_of_block(problem, &problem->block[a], row, z, &t, u);
  memset(size, 0, n * sizeof *size); /* zeros in place of q */
  terms.q = size;
  nsds_compute_sums(NULL, &terms, u, sizes, slack + 2 * n);
  for (size_t j = 0; j < n; ++j) {
    size[j] = sqrt(u[j]) * sqrt(t.s[j]);
    nsds_raise(&most, size[j]);
  }
  nsds_most_of_parts(problem, 1, &most);
  for (size_t i = 0; i < n; ++i) {
    bool excused = size[i] <= nsds_certified_rounding * most && slack[i] < INFINITY;
    slack[i] = excused ? nsds_certified_rounding * slack[i] : 0.0;
  }
  return slack;
}

/* Compares the same sizes as nsds_rounding_of_w(), as if sets held nothing. */
bool nsds_may_be_excused(const nsds_problem *problem, nsds_sums t, int worst_block, int row) {
  double most = 0.0, least = INFINITY;
  const nsds_block *block = worst_block < 0 ? NULL : &problem->block[worst_block];
  bool alone = block && ((unsigned)block->set & nsds_bound_sets); /* judged row by row */
  if (alone && !problem->halo) return true;
  int end = block ? row + block->size : row;
  bool open = alone;
  for (int j = 0; j < problem->n; ++j) {
    if (t.d[j] == 0.0 && t.s[j] > 0.0) open = true;
    double size = t.s[j] > 0.0 ? sqrt(t.s[j] / t.d[j]) * sqrt(t.s[j]) : 0.0;
    nsds_raise(&most, size);
    if (j >= row && j < end && size < least) least = size;
  }
  nsds_most_of_parts(problem, 1, &most);
  return nsds_any_part(problem, open || (block && !(least > nsds_certified_rounding * most)));
}
