/*
 * One contact with Coulomb friction solved exactly, by cases (Bonnefon & Daviet: Quartic
 * formulation of Coulomb 3D frictional contact, INRIA RT-400, 2011; in 2D enumeration).
 *
 *   take-off  q_N >= 0:                  z = 0
 *   stick     M z = -q, z in the cone:   w = 0
 *   slide     z = z_N (1, mu e), e = (cos, sin), w_N = 0, w_T = -lambda e with lambda > 0
 *
 * Sliding with z_N = -q_N / (M_NN + mu M_NT.e) leaves, for the component of w_T across e,
 * multiplied by that denominator,
 *
 *   F(e) = (M_NN + mu M_NT.e) q_T.e' - q_N (M_TN.e' + mu e'.M_TT e) = 0,   e' = (-sin, cos),
 *
 * a trigonometric polynomial of degree two, A cos^2 + B sin^2 + C sin cos + D sin + E cos: with t =
 * tan(theta / 2) a quartic. (The cited derivation diagonalises M_TT and takes a conic with its
 * focus at the origin; the elimination above needs neither that nor a symmetric M.)
 *
 * The angle is measured from the direction of the start. In a sequence of related problems a few
 * steps of Halley's method from there mostly suffice. Otherwise all real roots are found, in |t| <=
 * 1 and, reversed, beyond. The roots lie between the critical points of the quartic, and these
 * between those of its derivative. lambda and z_N decide.
 */
#include "numerics/sweeps/one_contact.h"

#include "numerics/linear/factor.h"

#include <float.h>

static const double rounding = 64 * DBL_EPSILON;

/* Between stick and slide lambda is zero; rounding of its terms may make it negative. */
static const double least_lambda = -1e-8;

void nsds_contact_prepare(nsds_contact_matrix *c, int m) {
  double top[3] = {0.0, 0.0, 0.0};
  for (int k = 0; k < m * m; ++k) {
    c->lu[k] = c->M[k];
    top[k / m] = fmax(top[k / m], fabs(c->M[k]));
  }
  int pivot[3];
  c->regular = nsds_small_lu(m, c->lu, pivot);
  for (int k = 0; k < m; ++k) c->row[k] = (unsigned char)k;
  for (int k = 0; c->regular && k < m; ++k) {
    double *diagonal = &c->lu[k + k * m];
    unsigned char row = c->row[k];
    c->row[k] = c->row[pivot[k]];
    c->row[pivot[k]] = row;
    c->regular = fabs(*diagonal) > 4 * DBL_EPSILON * top[k];
    *diagonal = 1.0 / *diagonal;
  }
}

/* ---- 2D ---- */

nsds_contact_state nsds_one_contact_2d(const nsds_contact_matrix *c, double mu, const double *q,
                                       double *z) {
  const double *M = c->M;
  if (q[0] >= 0.0) {
    z[0] = z[1] = 0.0;
    return NSDS_CONTACT_OPEN;
  }
  double stick[2] = {-q[0], -q[1]};
  if (c->regular) {
    nsds_contact_stick(c, 2, q, stick);
    if (stick[0] >= 0.0 && fabs(stick[1]) <= mu * stick[0]) {
      z[0] = stick[0];
      z[1] = stick[1];
      return NSDS_CONTACT_STICK;
    }
  }
  double side = z[1] != 0.0 ? z[1] : stick[1], best = -INFINITY, found[2] = {0.0, 0.0};
  for (int k = 0; k < 2; ++k) {
    double e = (side < 0.0) == (k == 0) ? -1.0 : 1.0, normal = -q[0] / (M[0] + e * mu * M[2]);
    if (!(normal >= 0.0 && normal < INFINITY)) continue;
    double t1 = M[1] * normal, t2 = M[3] * e * mu * normal, lambda = -e * (t1 + t2 + q[1]);
    double relative = lambda / (fabs(t1) + fabs(t2) + fabs(q[1]) + DBL_MIN);
    if (relative <= best) continue;
    best = relative;
    found[0] = normal;
    found[1] = e * mu * normal;
    if (best >= 0.0) break;
  }
  if (best < least_lambda) return NSDS_CONTACT_UNSOLVED;
  z[0] = found[0];
  z[1] = found[1];
  return NSDS_CONTACT_SLIDE;
}

/* ---- 3D: the sliding equation in a frame along a given direction ---- */

/* The problem in the frame (N, along, across) and its quartic. */
typedef struct sliding {
  double mu, nn, n1, n2;     /* M_NN, M_NT */
  double t1, t2;             /* M_TN */
  double m11, m12, m21, m22; /* M_TT */
  double qn, q1, q2;
  double p[5]; /* coefficients, ascending */
} sliding;

/* Writes the problem in the frame along (c, d). */
static sliding rotated(const double *M, double mu, const double *q, double c, double d) {
  sliding result, *s = &result;
  s->mu = mu;
  s->nn = M[0];
  s->t1 = c * M[1] + d * M[2];
  s->t2 = c * M[2] - d * M[1];
  s->n1 = c * M[3] + d * M[6];
  s->n2 = c * M[6] - d * M[3];
  double a1 = c * M[4] + d * M[7], a2 = c * M[5] + d * M[8]; /* M_TT along */
  double b1 = c * M[7] - d * M[4], b2 = c * M[8] - d * M[5]; /* M_TT across */
  s->m11 = c * a1 + d * a2;
  s->m21 = c * a2 - d * a1;
  s->m12 = c * b1 + d * b2;
  s->m22 = c * b2 - d * b1;
  s->qn = q[0];
  s->q1 = c * q[1] + d * q[2];
  s->q2 = c * q[2] - d * q[1];
  double A = s->mu * (s->n1 * s->q2 - s->qn * s->m21);
  double B = s->mu * (s->qn * s->m12 - s->n2 * s->q1);
  double C = s->mu * (s->n2 * s->q2 - s->n1 * s->q1 - s->qn * (s->m22 - s->m11));
  double D = s->qn * s->t1 - s->nn * s->q1;
  double E = s->nn * s->q2 - s->qn * s->t2;
  s->p[0] = A + E;
  s->p[1] = 2.0 * (D + C);
  s->p[2] = 4.0 * B - 2.0 * A;
  s->p[3] = 2.0 * (D - C);
  s->p[4] = A - E;
  return result;
}

/* A sliding state; `relative` is lambda over the size of its terms. */
typedef struct candidate {
  double normal, along, across; /* z_N and e */
  double relative;
} candidate;

/* Computes the state with e = (c, d); false if the normal reaction is not positive. */
static bool one_contact_evaluate(const sliding *s, double c, double d, candidate *found) {
  double denominator = s->nn + s->mu * (s->n1 * c + s->n2 * d);
  double normal = -s->qn / denominator, r = s->mu * normal;
  if (!(denominator > 0.0) || !(normal < INFINITY)) return false;
  double from_n = normal * (s->t1 * c + s->t2 * d);
  double from_t = r * (c * (s->m11 * c + s->m12 * d) + d * (s->m21 * c + s->m22 * d));
  double from_q = s->q1 * c + s->q2 * d;
  double lambda = -(from_n + from_t + from_q);
  double size = fabs(from_n) + fabs(from_t) + fabs(from_q);
  *found = (candidate){normal, c, d, size > 0.0 ? lambda / size : 0.0};
  return true;
}

/* Makes one Newton step for the component of w_T across e, from the terms themselves. */
static void one_contact_polish(const sliding *s, candidate *x) {
  double c = x->along, d = x->across, r = s->mu * x->normal;
  double a1 = s->m11 * c + s->m12 * d, a2 = s->m21 * c + s->m22 * d;
  double b1 = s->m12 * c - s->m11 * d, b2 = s->m22 * c - s->m21 * d; /* M_TT e' */
  double w1 = x->normal * s->t1 + r * a1 + s->q1, w2 = x->normal * s->t2 + r * a2 + s->q2;
  double across = c * w2 - d * w1, along = c * w1 + d * w2;
  double denominator = s->nn + s->mu * (s->n1 * c + s->n2 * d);
  double change = -s->mu * (s->n2 * c - s->n1 * d) / denominator; /* d log z_N / d angle */
  double slope = change * (x->normal * (c * s->t2 - d * s->t1) + r * (c * a2 - d * a1)) +
                 r * (c * b2 - d * b1) - along;
  double angle = -across / slope;
  if (!(fabs(angle) < 1e-3)) return;
  candidate better;
  double e1 = c - angle * d, e2 = d + angle * c, length = sqrt(e1 * e1 + e2 * e2);
  if (one_contact_evaluate(s, e1 / length, e2 / length, &better)) *x = better;
}

static bool one_contact_accept(const sliding *s, double t, bool reversed, candidate *best) {
  double square = t * t, c = (1.0 - square) / (1.0 + square), d = 2.0 * t / (1.0 + square);
  candidate x;
  if (!one_contact_evaluate(s, reversed ? -c : c, d, &x)) return false;
  one_contact_polish(s, &x);
  if (x.relative > best->relative) *best = x;
  return best->relative >= 0.0;
}

/* ---- real roots of polynomials up to degree four in [-1, 1] ---- */

static double value(const double *p, int degree, double t) {
  double sum = p[degree];
  for (int k = degree - 1; k >= 0; --k) sum = sum * t + p[k];
  return sum;
}

/* Finds the root between a and b, where p changes sign once, by Newton inside a shrinking bracket.
 */
static double root_between(const double *p, const double *derivative, int degree, double a,
                           double b) {
  double at_a = value(p, degree, a), t = 0.5 * (a + b);
  for (int k = 0; k < 200 && b - a > 2 * DBL_EPSILON; ++k) {
    double f = value(p, degree, t);
    if (f == 0.0) return t;
    if ((f < 0.0) == (at_a < 0.0)) a = t;
    else b = t;
    double next = t - f / value(derivative, degree - 1, t);
    if (!(next > a && next < b)) next = 0.5 * (a + b);
    if (fabs(next - t) <= DBL_EPSILON * fabs(next)) return next;
    t = next;
  }
  return t;
}

/* Finds the roots, and the critical points at which p comes near zero without crossing it. Returns
 * their number. */
static int real_roots(const double *p, int degree, double *root) {
  double derivative[4], critical[8], scale = 0.0;
  int count = 0, ncritical = 0;
  if (degree == 0) return 0;
  for (int k = 0; k < degree; ++k) derivative[k] = (k + 1) * p[k + 1];
  for (int k = 0; k <= degree; ++k) scale += fabs(p[k]);
  ncritical = real_roots(derivative, degree - 1, critical);
  critical[ncritical++] = 1.0;
  double a = -1.0, at_a = value(p, degree, a);
  for (int k = 0; k < ncritical; ++k) {
    double b = critical[k], at_b = value(p, degree, b);
    if (!(b > a)) continue;
    if ((at_a < 0.0) != (at_b < 0.0)) root[count++] = root_between(p, derivative, degree, a, b);
    else if (b < 1.0 && fabs(at_b) <= rounding * scale) root[count++] = b;
    a = b;
    at_a = at_b;
  }
  return count;
}

/* ---- 3D ---- */

/* Runs Halley's method from the given direction, mostly enough in a sequence of related problems.
 * Returns false if it leads away or to no state. */
static bool slide_nearby(const sliding *s, candidate *found) {
  const double far = 0.25, near = 4e-6; /* a Newton step, after which the error is of order 1e-16 */
  const double *p = s->p;
  double t = 0.0, f = p[0], slope = p[1], bend = p[2];
  for (int k = 0; k < 6; ++k) {
    double step = f * slope / (slope * slope - f * bend); /* none where the slope is zero */
    if (!(fabs(step) < far)) return false;
    t -= step;
    if (fabs(f) <= near * fabs(slope)) {
      double square = t * t, inverse = 1.0 / (1.0 + square);
      return one_contact_evaluate(s, (1.0 - square) * inverse, 2.0 * t * inverse, found) &&
             found->relative >= 0.0;
    }
    f = p[0] + t * (p[1] + t * (p[2] + t * (p[3] + t * p[4])));
    slope = p[1] + t * (2.0 * p[2] + t * (3.0 * p[3] + t * (4.0 * p[4])));
    bend = p[2] + t * (3.0 * p[3] + t * (6.0 * p[4]));
  }
  return false;
}

static bool one_contact_slide(const sliding *s, candidate *best) {
  double root[8], reversed[5];
  best->relative = -INFINITY;
  for (int k = 0; k < 5; ++k) reversed[k] = s->p[4 - k]; /* t -> 1 / t */
  for (int half = 0; half < 2; ++half) {
    int count = real_roots(half ? reversed : s->p, 4, root);
    for (int k = 0; k < count; ++k)
      if (one_contact_accept(s, root[k], half == 1, best)) return true;
  }
  return best->relative >= least_lambda;
}

/* Unit direction of x, or of `other` if x has none. */
static void one_contact_direction(const double *x, const double *other, double *c, double *d) {
  double length = sqrt(x[0] * x[0] + x[1] * x[1]);
  if (!(length > 0.0 && length < INFINITY)) {
    x = other;
    length = sqrt(x[0] * x[0] + x[1] * x[1]);
  }
  bool usable = length > 0.0 && length < INFINITY;
  *c = usable ? x[0] / length : 1.0;
  *d = usable ? x[1] / length : 0.0;
}

nsds_contact_state nsds_one_contact_3d(const nsds_contact_matrix *c, double mu, const double *q,
                                       double *z) {
  if (q[0] >= 0.0) {
    z[0] = z[1] = z[2] = 0.0;
    return NSDS_CONTACT_OPEN;
  }
  double stick[3] = {-q[0], -q[1], -q[2]};
  if (c->regular) {
    nsds_contact_stick(c, 3, q, stick);
    double limit = mu * stick[0];
    if (stick[0] >= 0.0 && stick[1] * stick[1] + stick[2] * stick[2] <= limit * limit) {
      for (int i = 0; i < 3; ++i) z[i] = stick[i];
      return NSDS_CONTACT_STICK;
    }
  }
  double along, across;
  candidate found = {0.0, 0.0, 0.0, 0.0};
  one_contact_direction(z + 1, stick + 1, &along, &across);
  sliding s = rotated(c->M, mu, q, along, across);
  if (!slide_nearby(&s, &found) && !one_contact_slide(&s, &found)) return NSDS_CONTACT_UNSOLVED;
  double r = mu * found.normal;
  z[0] = found.normal;
  z[1] = r * (along * found.along - across * found.across);
  z[2] = r * (across * found.along + along * found.across);
  return NSDS_CONTACT_SLIDE;
}
