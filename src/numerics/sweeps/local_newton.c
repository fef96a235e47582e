/*
 * Damped Newton for the problem of one block: the equation phi(z, M z + q) = 0 of set_map.h. A line
 * search works on the norm of phi in the metric diag(1 / rho), which gives all rows one unit. If no
 * step length helps, a projected gradient step is taken instead.
 */
#include "numerics/sweeps/local_newton.h"

#include "base/finite.h"
#include "numerics/linear/factor.h"
#include "numerics/sets/set_map.h"
#include "numerics/sweeps/local_projection.h"

#include <float.h>

enum { most = NSDS_COUPLED_ROWS, most_steps = 50, most_halvings = 12 };

typedef struct newton {
  const nsds_local *local;
  const double *q;
  int m;
  double rho[most];
  double phi[most], A[most * most], B[most * most];
  double scale; /* what norms are compared with */
} newton;

/* Gives every row its rho: the local problem keeps one for each group of rows. */
static void spread_rho(newton *t) {
  const nsds_block *block = t->local->block;
  bool friction = block->set == NSDS_SET_COULOMB || block->set == NSDS_SET_ROLLING;
  int rolling = block->set == NSDS_SET_ROLLING ? (t->m - 1) / 2 : 0;
  for (int i = 0; i < t->m; ++i)
    t->rho[i] = t->local->rho[!friction || i == 0 ? 0 : i < t->m - rolling ? 1 : 2];
}

static double local_newton_evaluate(newton *t, const double *z, bool derivative) {
  double w[most], norm = 0.0;
  for (int i = 0; i < t->m; ++i) w[i] = t->q[i];
  for (int j = 0; j < t->m; ++j)
    for (int i = 0; i < t->m; ++i) w[i] += t->local->M[i + j * t->m] * z[j];
  nsds_set_map(NSDS_MAP_ALART_CURNIER, t->local->block, t->rho, z, w, t->phi,
               derivative ? t->A : NULL, t->B);
  t->scale = 0.0;
  for (int i = 0; i < t->m; ++i) {
    norm += t->phi[i] * t->phi[i] / t->rho[i];
    t->scale += z[i] * z[i] / t->rho[i] + t->rho[i] * t->q[i] * t->q[i];
  }
  t->scale = sqrt(t->scale);
  return sqrt(norm);
}

/* Computes the Newton direction in `step`; false if the matrix is singular. */
static bool local_newton_direction(newton *t, double *step) {
  int m = t->m, pivot[most];
  for (int j = 0; j < m; ++j)
    for (int k = 0; k < m; ++k) {
      double factor = t->local->M[k + j * m];
      for (int i = 0; i < m; ++i) t->A[i + j * m] += t->B[i + k * m] * factor;
    }
  if (!nsds_small_lu(m, t->A, pivot)) return false;
  for (int i = 0; i < m; ++i) step[i] = -t->phi[i];
  nsds_small_lu_solve(m, t->A, pivot, step);
  return nsds_first_nonfinite(step, m) < 0;
}

/* Moves z along the step as far as the norm falls. Returns the new norm, or the old one. */
static double local_newton_search(newton *t, double *z, const double *step, double norm) {
  double trial[most], length = 1.0;
  for (int k = 0; k < most_halvings; ++k, length *= 0.5) {
    for (int i = 0; i < t->m; ++i) trial[i] = z[i] + length * step[i];
    double next = local_newton_evaluate(t, trial, false);
    if (!(next <= (1.0 - 1e-4 * length) * norm)) continue;
    memcpy(z, trial, (size_t)t->m * sizeof *z);
    return next;
  }
  return norm;
}

bool nsds_local_newton(const nsds_local *local, const double *q, double *z) {
  newton t = {.local = local, .q = q, .m = local->block->size};
  double step[most];
  spread_rho(&t);
  double norm = local_newton_evaluate(&t, z, true);
  for (int k = 0; k < most_steps && norm > 2 * DBL_EPSILON * t.scale; ++k) {
    double before = norm;
    if (local_newton_direction(&t, step)) norm = local_newton_search(&t, z, step, norm);
    if (!(norm < before)) {
      if (norm <= 1e-13 * t.scale) return true;
      nsds_local_projection(local, q, 5, z);
    }
    norm = local_newton_evaluate(&t, z, true);
  }
  return norm <= 1e-13 * t.scale;
}
