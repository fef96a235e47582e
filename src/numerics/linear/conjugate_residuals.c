/* Refinement by conjugate residuals, see conjugate_residuals.h. */
#include "numerics/linear/conjugate_residuals.h"

#include <math.h>

static void add_multiple(int n, double factor, const double *x, double *y) {
  for (int i = 0; i < n; ++i) y[i] += factor * x[i];
}

/* Makes a direction from the residual, with an image orthogonal to earlier ones. Returns the
 * squared length of the image. */
static double residuals_direct(const nsds_conjugate_residuals *c, int step, const double *r,
                               double *square) {
  int n = c->n;
  double *p = c->direction + (ptrdiff_t)step * n, *Ap = c->image + (ptrdiff_t)step * n;
  c->by_factors(c->self, r, p);
  c->multiply(c->self, p, Ap);
  for (int k = 0; k < step; ++k) {
    const double *other = c->image + (ptrdiff_t)k * n;
    double part = nsds_inner_by_four(n, Ap, other) / square[k];
    add_multiple(n, -part, other, Ap);
    add_multiple(n, -part, c->direction + (ptrdiff_t)k * n, p);
  }
  return square[step] = nsds_inner_by_four(n, Ap, Ap);
}

double nsds_refine_by_residuals(const nsds_conjugate_residuals *c, double enough, double *r,
                                double *x) {
  int n = c->n;
  double square[nsds_most_directions];
  double first = nsds_inner_by_four(n, r, r), error = first;
  memset(x, 0, (size_t)n * sizeof *x);
  for (int step = 0; step < nsds_most_directions && error > enough * enough * first; ++step) {
    double image = residuals_direct(c, step, r, square);
    if (!(image > 0.0)) break;
    double length = nsds_inner_by_four(n, r, c->image + (ptrdiff_t)step * n) / image;
    add_multiple(n, length, c->direction + (ptrdiff_t)step * n, x);
    add_multiple(n, -length, c->image + (ptrdiff_t)step * n, r);
    error = nsds_inner_by_four(n, r, r);
  }
  return first > 0.0 ? sqrt(error / first) : 0.0;
}
