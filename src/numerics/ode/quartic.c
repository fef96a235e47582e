/*
 * Quartics in Bernstein form, see quartic.h. Values come from de Casteljau's scheme. The derivative
 * of a polynomial with coefficients b_k has the coefficients b_(k+1) - b_k, times its degree. The
 * changes of sign of the derivative cut [0, 1] into pieces on which the polynomial is monotone and
 * has at most one root (Rolle). The search begins with the constant derivative and goes upwards.
 */
#include "numerics/ode/quartic.h"

#include <float.h>
#include <math.h>

/* Solves p(j / 4) = value[j]; the matrix of the equations is inverted in rational numbers. */
void nsds_quartic_through(const double value[5], double b[5]) {
  const double *g = value;
  double b1 = (-13.0 * g[0] + 48.0 * g[1] - 36.0 * g[2] + 16.0 * g[3] - 3.0 * g[4]) / 12.0;
  double b2 = (13.0 * (g[0] + g[4]) - 64.0 * (g[1] + g[3]) + 120.0 * g[2]) / 18.0;
  double b3 = (-13.0 * g[4] + 48.0 * g[3] - 36.0 * g[2] + 16.0 * g[1] - 3.0 * g[0]) / 12.0;
  b[0] = g[0];
  b[1] = b1;
  b[2] = b2;
  b[3] = b3;
  b[4] = g[4];
}

static double value_of(int degree, const double *b, double u) {
  double c[5] = {b[0]};
  for (int k = 1; k <= degree; ++k) c[k] = b[k];
  for (int r = degree; r > 0; --r)
    for (int k = 0; k < r; ++k) c[k] = (1.0 - u) * c[k] + u * c[k + 1];
  return c[0];
}

/* The same for quartics, without loops. */
static double value_of_quartic(const double *b, double u) {
  double v = 1.0 - u;
  double c0 = v * b[0] + u * b[1], c1 = v * b[1] + u * b[2], c2 = v * b[2] + u * b[3],
         c3 = v * b[3] + u * b[4];
  c0 = v * c0 + u * c1;
  c1 = v * c1 + u * c2;
  c2 = v * c2 + u * c3;
  c0 = v * c0 + u * c1;
  c1 = v * c1 + u * c2;
  return v * c0 + u * c1;
}

/* The same for cubics. */
static double value_of_cubic(const double *b, double u) {
  double v = 1.0 - u;
  double c0 = v * b[0] + u * b[1], c1 = v * b[1] + u * b[2], c2 = v * b[2] + u * b[3];
  c0 = v * c0 + u * c1;
  c1 = v * c1 + u * c2;
  return v * c0 + u * c1;
}

double nsds_quartic_value(const double b[5], double u) { return value_of_quartic(b, u); }

double nsds_quartic_slope(const double b[5], double u) {
  double derivative[4];
  for (int k = 0; k < 4; ++k) derivative[k] = 4.0 * (b[k + 1] - b[k]);
  return value_of_cubic(derivative, u);
}

static int quartic_sign_of(double x) { return (x > 0.0) - (x < 0.0); }

static int variations(int degree, const double *b) {
  int count = 0, last = 0;
  for (int k = 0; k <= degree; ++k) {
    int sign = quartic_sign_of(b[k]);
    if (sign != 0 && last != 0 && sign != last) ++count;
    if (sign != 0) last = sign;
  }
  return count;
}

int nsds_quartic_variations(const double b[5]) { return variations(4, b); }

/* Finds a root by Newton's method from the middle, with bisection if a step leaves the bracket or
 * is slow. Ends when a step is at most `close` times the place. */
static double root_of(int degree, const double *b, double low, double high, int sign_low,
                      double close) {
  double derivative[4], u = 0.5 * (low + high), last = high - low;
  for (int k = 0; k < degree; ++k) derivative[k] = degree * (b[k + 1] - b[k]);
  for (int k = 0; k < 200; ++k) {
    double value = degree == 4 ? value_of_quartic(b, u) : value_of(degree, b, u);
    int sign = quartic_sign_of(value);
    if (sign == 0) return u;
    if (sign == sign_low) low = u;
    else high = u;
    double slope =
        degree == 4 ? value_of_cubic(derivative, u) : value_of(degree - 1, derivative, u);
    double step = -value / slope, next = u + step;
    if (!(next > low && next < high) || !(fabs(step) <= 0.5 * last)) next = 0.5 * (low + high);
    last = fabs(next - u);
    if (next <= low || next >= high || last <= close * next) return next;
    u = next;
  }
  return u;
}

/* Finds the changes of sign in (0, 1) of a polynomial of degree <= 3, by recursion to its
 * derivatives. */
static int changes(int degree, const double *b, double *place) {
  if (degree == 0 || variations(degree, b) == 0) return 0;
  double derivative[4], cut[5] = {0.0};
  for (int k = 0; k < degree; ++k) derivative[k] = b[k + 1] - b[k];
  int pieces = changes(degree - 1, derivative, cut + 1) + 1, count = 0;
  cut[pieces] = 1.0;
  int last = quartic_sign_of(b[0]);
  double from = 0.0;
  for (int k = 1; k <= pieces; ++k) {
    int sign = quartic_sign_of(k == pieces ? b[degree] : value_of(degree, b, cut[k]));
    if (sign == 0) continue;
    if (last != 0 && sign != last)
      place[count++] = root_of(degree, b, from, cut[k], last, DBL_EPSILON);
    last = sign;
    from = cut[k];
  }
  return count;
}

int nsds_quartic_turns(const double b[5], double turn[3]) {
  double derivative[4];
  for (int k = 0; k < 4; ++k) derivative[k] = b[k + 1] - b[k];
  return changes(3, derivative, turn);
}

/* One more step of Newton's method doubles the digits. */
static const double close_enough = 1e-5;

double nsds_quartic_root(const double b[5], double low, double high) {
  double at_low = low == 0.0 ? b[0] : value_of_quartic(b, low);
  double at_high = high == 1.0 ? b[4] : value_of_quartic(b, high);
  int sign = quartic_sign_of(at_low);
  if (sign * quartic_sign_of(at_high) >= 0) return 0.5 * (low + high);
  return root_of(4, b, low, high, sign, close_enough);
}
