/* Lorentz cones and Nesterov and Todd's scaling, see cone_algebra.h. */
#include "numerics/sets/cone_algebra.h"

#include "numerics/sets/blockwise.h"

static double tail_length(int k, const double *x) {
  return k == 2 ? fabs(x[1]) : sqrt(nsds_inner_product(k - 1, x + 1, x + 1));
}

double nsds_cone_least(int k, const double *x) { return x[0] - tail_length(k, x); }

double nsds_cone_root(int k, const double *x) {
  double t = tail_length(k, x);
  return sqrt(x[0] - t) * sqrt(x[0] + t);
}

void nsds_cone_product(int k, const double *x, const double *y, double *p) {
  p[0] = nsds_inner_product(k, x, y);
  for (int i = 1; i < k; ++i) p[i] = x[0] * y[i] + y[0] * x[i];
}

void nsds_cone_divide(int k, const double *v, const double *x, double *p) {
  double root = nsds_cone_root(k, v);
  double first =
      k == 1 ? x[0] / v[0] : (v[0] * x[0] - nsds_inner_product(k - 1, v + 1, x + 1)) / root / root;
  for (int i = 1; i < k; ++i) p[i] = (x[i] - first * v[i]) / v[0];
  p[0] = first;
}

/* The step to the boundary is the step from the unit element, along d in the frame of v. */
double nsds_cone_step(int k, const double *v, const double *d) {
  if (k == 1) return d[0] < 0.0 ? -v[0] / d[0] : INFINITY;
  double root = nsds_cone_root(k, v);
  double first = (v[0] * d[0] - nsds_inner_product(k - 1, v + 1, d + 1)) / root;
  double share = (first + d[0]) / (v[0] + root), length = 0.0;
  for (int i = 1; i < k; ++i) {
    double t = d[i] - share * v[i];
    length += t * t;
  }
  double rate = (sqrt(length) - first) / root;
  return rate > 0.0 ? 1.0 / rate : INFINITY;
}

/*
 * The formula for v of Vandenberghe (The CVXOPT linear and quadratic cone program solvers, 2010)
 * uses s / root_s and l / root_l. W l would cancel.
 */
bool nsds_cone_scaling(int k, const double *s, const double *l, const nsds_cone_pair *pair,
                       double *eta, double *ab, double *v) {
  double rs = pair->root_s, rl = pair->root_l, length = 0.0;
  double half = sqrt(0.5 * (1.0 + pair->product / rs / rl)), size = sqrt(rs) * sqrt(rl);
  double sum = s[0] / rs + l[0] / rl + 2.0 * half;
  double of_s = (half + l[0] / rl) / sum / rs, of_l = (half + s[0] / rs) / sum / rl;
  *eta = sqrt(rs / rl);
  v[0] = size * half;
  for (int i = 1; i < k; ++i) {
    ab[i] = (s[i] / rs - l[i] / rl) / (2.0 * half);
    v[i] = size * (of_s * s[i] + of_l * l[i]);
    length += ab[i] * ab[i];
  }
  ab[0] = sqrt(1.0 + length);
  return *eta > 0.0 && isfinite(*eta) && isfinite(length) && nsds_cone_least(k, v) > 0.0;
}

static void cone_algebra_apply(int k, double factor, double sign, const double *ab, const double *x,
                               double *p) {
  double along = sign * nsds_inner_product(k - 1, ab + 1, x + 1), first = x[0];
  double share = sign * (first + along / (1.0 + ab[0]));
  p[0] = factor * (ab[0] * first + along);
  for (int i = 1; i < k; ++i) p[i] = factor * (x[i] + share * ab[i]);
}

void nsds_cone_scale(int k, double eta, const double *ab, const double *x, double *p) {
  cone_algebra_apply(k, eta, 1.0, ab, x, p);
}

void nsds_cone_unscale(int k, double eta, const double *ab, const double *x, double *p) {
  cone_algebra_apply(k, 1.0 / eta, -1.0, ab, x, p);
}

nsds_cone_pair nsds_cone_place(int k, double eta, const double *ab, const double *x,
                               const double *y, double *s, double *l) {
  nsds_cone_scale(k, eta, ab, x, s);
  nsds_cone_unscale(k, eta, ab, y, l);
  return (nsds_cone_pair){.root_s = eta * nsds_cone_root(k, x),
                          .root_l = nsds_cone_root(k, y) / eta,
                          .product = nsds_inner_product(k, x, y)};
}

/* W^-2 = (2 c c^T - diag(1, -1, ..)) / eta^2 with c = (a, -b). */
void nsds_cone_inverse_square(int k, double eta, const double *ab, double *P) {
  double factor = 1.0 / (eta * eta);
  for (int j = 0; j < k; ++j)
    for (int i = 0; i < k; ++i) {
      double sign = (i == 0) == (j == 0) ? 2.0 : -2.0;
      double unit = i != j ? 0.0 : i == 0 ? -1.0 : 1.0;
      P[i + j * k] = factor * (sign * ab[i] * ab[j] + unit);
    }
}
