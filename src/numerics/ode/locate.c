/*
 * One root function along the step: the time of a change of sign, an extremum, and the rounding.
 *
 * A bracket is first shrunk by secant steps from the root of the quartic (roots.c), which is exact
 * up to rounding if g is affine. The rest is left to ITP (Oliveira & Takahashi, ACM TOMS 47(1),
 * 2021). ITP moves a secant point towards the middle, close enough to need at most one evaluation
 * more than bisection, whatever g does. Extrema are found by golden sections.
 */
#include "numerics/ode/locate.h"

#include "base/base.h"
#include "numerics/ode/ode_functions.h"
#include "numerics/ode/ode_internal.h"

static const double changed = 0x1p-26; /* relative change of states that shows the rounding of g */

double nsds_root_tolerance(const nsds_ode *ode, double t) {
  double size = nsds_larger(fabs(t), ode->t1 - ode->t0);
  return nsds_larger(4.0 * nsds_ode_ulp(t), ode->options.root_tolerance * size);
}

int nsds_root_shrink(nsds_ode *ode, int i, nsds_crossing *c, double t) {
  int side = c->direction == NSDS_ROOT_FALLING ? 1 : -1; /* side before the crossing */
  double g;
  if (!(t > c->before && t < c->t)) return 0;
  int result = nsds_ode_g_one(ode, i, t, &g);
  if (result) return result;
  g += c->shift;
  if (side * g > 0.0) c->before = t, c->g_before = g;
  else c->t = t, c->g = g;
  return 0;
}

/* Shrinks the bracket by secants from the guess t; the first has the given slope. Then searches for
 * the other side of the root at growing distances. */
static int shrink_around(nsds_ode *ode, int i, nsds_crossing *c, double t, double slope,
                         double tolerance) {
  double last = NAN, g_last = 0.0, step = INFINITY;
  int result = nsds_root_shrink(ode, i, c, t);
  for (int k = 0; !result && k < 4; ++k) {
    if (c->before != t && c->t != t) return 0; /* out of the bracket */
    double g = c->before == t ? c->g_before : c->g;
    if (k > 0) slope = (g - g_last) / (t - last);
    step = -g / slope;
    if (!(fabs(step) > 0.25 * tolerance) || t + step == t) break;
    last = t;
    g_last = g;
    t += step;
    result = nsds_root_shrink(ode, i, c, t);
  }
  double d = nsds_larger(2.0 * fabs(step), 3.0 * nsds_ode_ulp(t));
  d = nsds_smaller(d, 0.75 * tolerance);
  for (; !result && d < 100.0 * tolerance; d *= 8.0) {
    if (c->before == t) result = nsds_root_shrink(ode, i, c, t + d);
    else if (c->t == t) result = nsds_root_shrink(ode, i, c, t - d);
    else break;
  }
  return result;
}

/* Returns the next point of ITP; `slack` is its largest distance from the middle. */
static double itp_point(const nsds_crossing *c, double scale, double slack) {
  double width = c->t - c->before, middle = c->before + 0.5 * width;
  double secant = c->before + width * (c->g_before / (c->g_before - c->g));
  double sign = middle >= secant ? 1.0 : -1.0, move = scale * width * width;
  double t = move <= fabs(middle - secant) ? secant + sign * move : middle;
  return fabs(t - middle) <= slack ? t : middle - sign * slack;
}

int nsds_root_locate(nsds_ode *ode, int i, nsds_crossing *c, double guess, double slope) {
  double tolerance = nsds_root_tolerance(ode, c->t);
  int result = shrink_around(ode, i, c, guess, slope, tolerance);
  double width = c->t - c->before, scale = 0.2 / width, reach = 0.5 * tolerance;
  double back = 0.9 * tolerance; /* where g is zero over an interval: distances that grow */
  while (reach < width) reach *= 2.0;
  while (!result && c->t - c->before > tolerance) {
    double before = c->before, after = c->t;
    double t = itp_point(c, scale, nsds_larger(reach - 0.5 * (after - before), 0.0));
    if (!(t > before && t < after)) t = before + 0.5 * (after - before);
    if (c->g == 0.0 && after - t > tolerance && after - back > before) {
      t = after - back; /* perhaps g has reached zero before */
      back *= 2.0;
    }
    result = nsds_root_shrink(ode, i, c, t);
    if (c->before == before && c->t == after) break; /* no number between */
    reach *= 0.5;
  }
  nsds_crossing_settle(c, !result);
  return result;
}

int nsds_root_least(nsds_ode *ode, int i, int side, double band, double low, double high, double *t,
                    double *g) {
  const double golden = 0.3819660112501051; /* (3 - sqrt 5) / 2 */
  double shortest = sqrt(DBL_EPSILON) * (high - low);
  while (high - low > shortest && side * *g >= -band) {
    double left = *t - low, right = high - *t, g_new;
    double t_new = left > right ? *t - golden * left : *t + golden * right;
    if (!(t_new > low && t_new < high) || t_new == *t) break;
    int result = nsds_ode_g_one(ode, i, t_new, &g_new);
    if (result) return result;
    bool better = side * g_new < side * *g;
    double worse = better ? *t : t_new;
    if (better) *t = t_new, *g = g_new;
    if (worse < *t) low = worse;
    else high = worse;
  }
  return 0;
}

/* Returns weights of both signs, no two alike, so that the effects of two entries on g do not
 * cancel. */
static double weight(int k) {
  double fraction = fmod(0.6180339887498949 * (k + 1), 1.0);
  return k % 2 ? -1.0 - fraction : 1.0 + fraction;
}

static double affine_band(const nsds_ode *ode, int i) {
  const nsds_ode_rows *rows = &ode->rows;
  double sum = 0.0;
  for (int k = rows->start[i]; k < rows->start[i + 1]; ++k) {
    int j = rows->column[k];
    sum += fabs(rows->value[k]) * nsds_larger(fabs(ode->x_at[j]), fabs(ode->x1[j]));
  }
  return sum;
}

/* Finds the bands of all functions with one call of g. */
static int find_bands(nsds_ode *ode) {
  size_t m = (size_t)ode->problem.roots;
  int n = ode->problem.n;
  memset(ode->search.band, 0, m * sizeof *ode->search.band);
  if (n == 0) return 0;
  nsds_ode_dense(ode, ode->search.from, ode->x_try);
  for (int k = 0; k < n; ++k)
    ode->x_try[k] += changed * weight(k) * fmax(fabs(ode->x_try[k]), fabs(ode->x1[k]));
  int result = nsds_ode_g(ode, ode->search.from, ode->x_try, ode->search.g);
  if (result < 0) return result;
  for (size_t i = 0; i < m; ++i) {
    double change = result ? INFINITY : fabs(ode->search.g[i] - ode->search.sample[i]), most = 0.0;
    for (size_t j = 0; j < 5; ++j) most = fmax(most, fabs(ode->search.sample[i + j * m]));
    if (!isfinite(change)) change = changed * most; /* g is undefined there: use its size alone */
    ode->search.band[i] = 4.0 * DBL_EPSILON / changed * change;
  }
  return 0;
}

int nsds_roots_band(nsds_ode *ode, int i, double *band) {
  if (ode->affine) *band = 4.0 * DBL_EPSILON * affine_band(ode, i);
  if (ode->affine) return 0;
  int result = ode->search.banded ? 0 : find_bands(ode);
  nsds_search_set_banded(&ode->search, !result);
  *band = ode->search.band[i];
  return result;
}
