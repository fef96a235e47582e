/* The problem of one block: the choice of the method, and blocks that are solved exactly. */
#include "numerics/sweeps/local_solver.h"

#include "numerics/sets/set_map.h"
#include "numerics/sets/sets.h"
#include "numerics/sweeps/local_newton.h"
#include "numerics/sweeps/local_projection.h"
#include "numerics/sweeps/one_contact.h"

#include <float.h>

enum { most = NSDS_COUPLED_ROWS, iterated_steps = 100 };

/* Returns the largest row sum, a bound of the largest eigenvalue. */
static double bound(const double *M, int m) {
  double largest = 0.0;
  for (int i = 0; i < m; ++i) {
    double sum = 0.0;
    for (int j = 0; j < m; ++j) sum += fabs(M[i + j * m]);
    largest = fmax(largest, sum);
  }
  return largest > 0.0 ? largest : 1.0;
}

void nsds_local_prepare(nsds_local *local, const nsds_block *block, const double *M) {
  double rho[most];
  int m = block->size;
  bool friction = block->set == NSDS_SET_COULOMB || block->set == NSDS_SET_ROLLING;
  *local = (nsds_local){.block = block, .M = M, .step = 1.0 / bound(M, m)};
  nsds_set_map_scale(block, M, rho);
  local->rho[0] = rho[0];
  local->rho[1] = friction ? rho[1] : rho[0];
  local->rho[2] = rho[m - 1];
  if (m > 3) return;
  memcpy(local->contact.M, M, (size_t)(m * m) * sizeof *M);
  nsds_contact_prepare(&local->contact, m);
}

/* ---- closed forms ---- */

static void solve_equality(const nsds_local *local, const double *q, double *z) {
  int m = local->block->size;
  if (m > 3 || !local->contact.regular) {
    nsds_local_newton(local, q, z);
    return;
  }
  nsds_contact_stick(&local->contact, m, q, z);
}

/* Solves one row: z between two bounds. */
static bool solve_row(const nsds_local *local, double lower, double upper, double q, double *z) {
  double m = local->M[0], x = -q / m;
  if (!(m > 0.0) || isnan(x)) return false;
  x = x < lower ? lower : x;
  x = x > upper ? upper : x;
  if (!isfinite(x)) return false;
  *z = x;
  return true;
}

static bool solve_exactly(const nsds_local *local, const double *q, double *z) {
  const nsds_block *block = local->block;
  switch (block->set) {
  case NSDS_SET_EQUALITY: solve_equality(local, q, z); return true;
  case NSDS_SET_NONNEGATIVE: return block->size == 1 && solve_row(local, 0.0, INFINITY, q[0], z);
  case NSDS_SET_BOX:
    return block->size == 1 && solve_row(local, block->lower[0], block->upper[0], q[0], z);
  case NSDS_SET_DISC:
    return block->size == 1 && solve_row(local, -block->radius, block->radius, q[0], z);
  case NSDS_SET_COULOMB:
    return (block->size == 2 ? nsds_one_contact_2d : nsds_one_contact_3d)(
               &local->contact, block->mu, q, z) != NSDS_CONTACT_UNSOLVED;
  default: return false;
  }
}

void nsds_local_solve(const nsds_local *local, nsds_local_kind kind, const double *q, double *z) {
  double start[most];
  size_t bytes = (size_t)local->block->size * sizeof *z;
  if (kind == NSDS_LOCAL_EXACT && solve_exactly(local, q, z)) return;
  if (kind == NSDS_LOCAL_PROJECTION) {
    nsds_local_projection(local, q, 1, z);
    return;
  }
  memcpy(start, z, bytes);
  if (kind != NSDS_LOCAL_PROJECTION_ITERATED && nsds_local_newton(local, q, z)) {
    nsds_set_project(local->block, z, z); /* the equation holds to rounding, membership exactly */
    return;
  }
  memcpy(z, start, bytes);
  nsds_local_projection(local, q, iterated_steps, z);
}
