/*
 * Solves the problem of one block by the projected gradient z <- P_C(z - rho (w + shift)) (De Saxce
 * & Feng 1998). The step rule is that of Khobotov, as in Fortin, Hjiaj & De Saxce: C. R. Mecanique
 * 330, 2002.
 */
#include "numerics/sweeps/local_projection.h"

#include "numerics/sets/sets.h"

#include <float.h>

enum { most = NSDS_COUPLED_ROWS };

static void shifted_velocity(const nsds_local *local, const double *q, const double *z, double *w) {
  int m = local->block->size;
  for (int i = 0; i < m; ++i) w[i] = q[i];
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < m; ++i) w[i] += local->M[i + j * m] * z[j];
  nsds_set_shift(local->block, w, w);
}

/* Computes p = P_C(z - rho w). Returns the squared distance from z to p. */
static double local_move(const nsds_local *local, double rho, const double *z, const double *w,
                         double *p) {
  double distance = 0.0;
  for (int i = 0; i < local->block->size; ++i) p[i] = z[i] - rho * w[i];
  nsds_set_project(local->block, p, p);
  for (int i = 0; i < local->block->size; ++i) distance += (p[i] - z[i]) * (p[i] - z[i]);
  return distance;
}

/* Steps grow while rho ||w(p) - w(z)|| stays well below ||p - z||, and shrink otherwise. */
void nsds_local_projection(const nsds_local *local, const double *q, int steps, double *z) {
  int m = local->block->size;
  double w[most], p[most], at_p[most], rho = local->step;
  shifted_velocity(local, q, z, w);
  if (steps == 1) {
    local_move(local, rho, z, w, z);
    return;
  }
  for (int k = 0; k < steps; ++k) {
    double distance = local_move(local, rho, z, w, p), size = 0.0, change = 0.0;
    shifted_velocity(local, q, p, at_p);
    for (int i = 0; i < m; ++i) {
      change += (at_p[i] - w[i]) * (at_p[i] - w[i]);
      size += p[i] * p[i];
    }
    double ratio = rho * sqrt(change / distance);
    if (ratio > 0.9 && rho > 1e-3 * local->step) {
      rho *= fmax(2.0 / 3.0 * fmin(1.0, 1.0 / ratio), 0.1);
      continue;
    }
    memcpy(z, p, (size_t)m * sizeof *z);
    memcpy(w, at_p, (size_t)m * sizeof *w);
    if (!(distance > DBL_EPSILON * DBL_EPSILON * size)) return;
    if (ratio < 0.3) rho *= 1.5;
  }
}
