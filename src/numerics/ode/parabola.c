/*
 * Functions that stay positive along a step, told by parabolas. If x(t) is quadratic and g
 * affine in x, g is quadratic. With its values g0, g1 at the ends of the step and its change s by
 * the slope at the start, the coefficients of Bernstein are
 *
 *     b0 = g0,   b1 = g0 + s / 2,   b2 = g1
 *
 * g lies between the least and the largest of them. If all three are positive, far beyond rounding,
 * there is no root. The quartic of roots.c, whose coefficients are means of these, would tell the
 * same, with five samples. Between two events most functions are of this kind.
 */
#include "numerics/ode/parabola.h"

#include "base/base.h"

/* The last: as for quartics, see roots.c. */
static const double rounding = 0x1p-40; /* of terms: a smaller g may be rounding */
static const double close_to_zero = 1e-4;

/* Computes the coefficients of g_i, and notes its ends. Returns the sum of the sizes of its terms. */
static double coefficients(nsds_ode *ode, const nsds_parabola *p, int i, double b[3]) {
  const nsds_ode_rows *rows = &ode->rows;
  double g0 = rows->constant[i], g1 = g0, change = 0.0, size = fabs(g0);
  for (int k = rows->start[i], end = rows->start[i + 1]; k < end; ++k) {
    int j = rows->column[k];
    double value = rows->value[k], x0 = p->x0[j], x1 = ode->x1[j], most = fabs(x0);
    nsds_raise(&most, fabs(x1));
    g0 += value * x0;
    g1 += value * x1;
    change += value * p->slope[j];
    size += fabs(value) * most;
  }
  b[0] = g0;
  b[1] = g0 + 0.5 * change;
  b[2] = g1;
  ode->search.sample[i] = g0;
  ode->search.sample[(size_t)i + 4 * (size_t)ode->problem.roots] = g1;
  return size;
}

/* Returns true if g_i stays positive, and notes this side. */
static bool stays_positive(nsds_ode *ode, const nsds_parabola *p, int i) {
  nsds_watched *watched = &ode->search.watched[i];
  double b[3], size = coefficients(ode, p, i, b);
  bool fresh = watched->fresh, found = fresh && p->t0 == ode->search.t_found;
  double ends = nsds_smaller(b[0], b[2]), least = nsds_smaller(ends, b[1]);
  double most = nsds_larger(nsds_larger(b[0], b[2]), b[1]);
  if (!(least > rounding * size) || !(size < INFINITY) || ends < close_to_zero * most) return false;
  if (fresh ? watched->known < 0 : watched->side_first <= 0) return false;
  if (found && ends <= watched->zero) return false;
  nsds_watched_leave(watched, 1);
  return true;
}

/* Samples g_i between its ends, at parts u of the step. Returns 0, or NaN if a sample is not
 * finite. */
static double sample_between(nsds_ode *ode, int i, const double u[5]) {
  const nsds_ode_rows *rows = &ode->rows;
  double *sample = ode->search.sample + i, zero = 0.0;
  size_t m = (size_t)ode->problem.roots;
  int first = rows->start[i], n = rows->start[i + 1] - first;
  ++ode->count.root;
  for (size_t j = 0; j < 5; ++j) {
    if (j > 0 && j < 4)
      sample[j * m] = ode->method->sum(ode, u[j], rows->constant[i], n, rows->column + first,
                                       rows->value + first);
    zero += sample[j * m] - sample[j * m];
  }
  return zero;
}

bool nsds_parabola_look(nsds_ode *ode, double from, double to) {
  nsds_root_search *search = &ode->search;
  nsds_parabola p;
  bool known = ode->affine && from == ode->t0 && to == ode->t1 && ode->method->parabola &&
               ode->method->parabola(ode, &p);
  double u[5] = {0.0}, zero = 0.0;
  for (int j = 1; known && j < 4; ++j) u[j] = (from + 0.25 * j * (to - from) - from) / (to - from);
  search->nopen = 0;
  for (int k = 0; k < search->nactive; ++k) {
    int i = search->active[k];
    if (known && stays_positive(ode, &p, i)) continue;
    search->open[search->nopen++] = i;
    if (known) zero += sample_between(ode, i, u);
  }
  return known && zero == 0.0;
}
