/*
 * Whether a problem of an event has no solution. Enumeration tells this of linear problems. Of one contact with friction
 * beside equalities all modes are looked at. Equalities are eliminated, which leaves w = A z + q of the contact:
 *
 *     open    z = 0 and w_N >= 0
 *     stuck   w = 0 and z in the cone; if A is singular, q must be in its range
 *     slip    z = N (1, -mu e), w_T = s e, N > 0, s >= 0, with e a direction. w_N = 0 gives N, and then e and w_T must be
 *             parallel: F(e) = 0. F is a trigonometric polynomial of degree two, whose zeros lie between changes of sign.
 */
#include "combinations.h"

#include <math.h>
#include <string.h>

enum { MOST = 12, ANGLES = 20000 };

static const double rounding = 1e-9;

typedef struct touch {
  int size;
  double A[9], q[3], mu; /* A: size x size, columns */
} touch;

static int rows_of_friction(const nsds_problem *p, int *first) {
  int count = 0;
  for (int k = 0, i = 0; k < p->nblock; i += p->block[k++].size) {
    if (p->block[k].set == NSDS_SET_EQUALITY) continue;
    if (p->block[k].set != NSDS_SET_COULOMB || count > 0 || p->block[k].size > 3) return 0;
    count = p->block[k].size;
    *first = i;
  }
  return count;
}

/* Eliminates equality k of n rows. Returns false if it is redundant. */
static bool eliminate(int n, double *A, double *q, const bool *gone, int k) {
  double pivot = A[k + k * n];
  if (!(fabs(pivot) > rounding)) return false;
  for (int i = 0; i < n; ++i) {
    double part = i == k || gone[i] ? 0.0 : A[i + k * n] / pivot;
    for (int j = 0; j < n; ++j) A[i + j * n] -= part * A[k + j * n];
    q[i] -= part * q[k];
  }
  return true;
}

static bool reduce(const nsds_problem *p, touch *t) {
  double A[MOST * MOST], q[MOST];
  bool gone[MOST] = {false};
  int n = p->n, first = 0;
  t->size = n > MOST || p->M.storage != NSDS_DENSE ? 0 : rows_of_friction(p, &first);
  if (t->size == 0) return false;
  memcpy(A, p->M.x, (size_t)(n * n) * sizeof *A);
  memcpy(q, p->q, (size_t)n * sizeof *q);
  for (int k = 0; k < n; ++k) {
    if (k >= first && k < first + t->size) continue;
    if (!eliminate(n, A, q, gone, k)) return false;
    gone[k] = true;
  }
  for (int i = 0; i < t->size; ++i) {
    t->q[i] = q[first + i];
    for (int j = 0; j < t->size; ++j) t->A[i + 3 * j] = A[first + i + (first + j) * n];
  }
  for (int k = 0, i = 0; k < p->nblock; i += p->block[k++].size)
    if (i == first) t->mu = p->block[k].mu;
  return true;
}

/* Solves A z = -q by elimination. Returns 1 with z, 0 if there is none, and -1 if there are many. */
static int stick(const touch *t, double *z) {
  double A[9], q[3];
  int n = t->size, row[3] = {0, 1, 2};
  memcpy(A, t->A, sizeof A);
  for (int i = 0; i < n; ++i) q[i] = -t->q[i];
  for (int k = 0; k < n; ++k) {
    int best = k, at = k;
    for (int j = k; j < n; ++j)
      for (int i = k; i < n; ++i)
        if (fabs(A[i + 3 * j]) > fabs(A[best + 3 * at])) best = i, at = j;
    if (fabs(A[best + 3 * at]) < rounding) {
      double rest = 0.0;
      for (int i = k; i < n; ++i) rest = fmax(rest, fabs(q[i]));
      return rest > 1e-6 ? 0 : -1;
    }
    for (int j = 0; j < n; ++j) {
      double x = A[best + 3 * j];
      A[best + 3 * j] = A[k + 3 * j];
      A[k + 3 * j] = x;
    }
    double x = q[best];
    q[best] = q[k];
    q[k] = x;
    for (int i = 0; i < n; ++i) {
      x = A[i + 3 * at];
      A[i + 3 * at] = A[i + 3 * k];
      A[i + 3 * k] = x;
    }
    int r = row[at];
    row[at] = row[k];
    row[k] = r;
    for (int i = 0; i < n; ++i) {
      double part = i == k ? 0.0 : A[i + 3 * k] / A[k + 3 * k];
      for (int j = k; j < n; ++j) A[i + 3 * j] -= part * A[k + 3 * j];
      q[i] -= part * q[k];
    }
  }
  for (int k = 0; k < n; ++k) z[row[k]] = q[k] / A[k + 3 * k];
  return 1;
}

static bool sticks(const touch *t) {
  double z[3] = {0.0};
  int found = stick(t, z);
  double tangent = t->size > 2 ? hypot(z[1], z[2]) : fabs(z[1]);
  return found < 0 || (found > 0 && z[0] >= -1e-6 && tangent <= t->mu * z[0] + 1e-6);
}

/* Slip towards e: returns F, and a w_T . e, with a > 0 the entry of w_N for N. */
static double misfit(const touch *t, const double *e, double *a, double *along) {
  double x[3] = {1.0, -t->mu * e[0], -t->mu * e[1]}, w[3] = {0.0};
  int n = t->size;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) w[i] += t->A[i + 3 * j] * x[j];
  *a = w[0];
  for (int i = n - 1; i >= 0; --i) w[i] = w[0] * t->q[i] - t->q[0] * w[i];
  *along = w[1] * e[0] + w[2] * e[1];
  return w[2] * e[0] - w[1] * e[1];
}

static bool may_slip(const touch *t, const double *e) {
  double a, along;
  misfit(t, e, &a, &along);
  return a > -1e-6 && (along >= -1e-6 || a < 1e-6);
}

static bool slips(const touch *t) {
  if (t->size == 2) return may_slip(t, (double[]){1.0, 0.0}) || may_slip(t, (double[]){-1.0, 0.0});
  double a, along, before = misfit(t, (double[]){1.0, 0.0}, &a, &along);
  for (int k = 1; k <= ANGLES; ++k) {
    double angle = 2.0 * 3.14159265358979323846 * k / ANGLES, e[2] = {cos(angle), sin(angle)};
    double now = misfit(t, e, &a, &along);
    if ((now > 0.0) != (before > 0.0) && may_slip(t, e)) return true;
    before = now;
  }
  return false;
}

bool has_no_solution(const nsds_problem *p) {
  touch t;
  if (reduce(p, &t)) return t.q[0] < -1e-6 && !sticks(&t) && !slips(&t);
  for (int k = 0; k < p->nblock; ++k)
    if (p->block[k].set == NSDS_SET_COULOMB || p->block[k].set == NSDS_SET_ROLLING) return false;
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, "enumeration");
  double z[MOST] = {0.0}, w[MOST];
  nsds_solver_info info = {0};
  if (solver && p->n <= MOST) nsds_solve(solver, p, z, w, &info);
  bool none = info.outcome == NSDS_NO_SOLUTION;
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  return none;
}
