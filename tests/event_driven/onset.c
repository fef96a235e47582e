/*
 * Slip that begins in space while its load turns, against references made here: size and direction
 * of the slip, from a series at the onset by Radau's method of order 5.
 */
#include "support.h"

#include <stdio.h>

static const double g = 9.81, mu = 0.3;

/* ---- the reference --------------------------------------------------------------------------- */

/* The load on 1 kg, and its rate. */
typedef struct load {
  double a, b;
} load;

static void load_at(load p, double t, double *F, double *rate) {
  F[0] = p.a * t;
  F[1] = p.b * t * t;
  rate[0] = p.a;
  rate[1] = 2.0 * p.b * t;
}

/* z = (x, y, size, angle): rates, and those of (size, angle) by these two. */
static void polar(load p, double t, const double *z, double *dz, double *J) {
  double F[2], rate[2], c = cos(z[3]), s = sin(z[3]);
  load_at(p, t, F, rate);
  double along = F[0] * c + F[1] * s, across = F[1] * c - F[0] * s;
  dz[0] = z[2] * c;
  dz[1] = z[2] * s;
  dz[2] = along - mu * g;
  dz[3] = across / z[2];
  J[0] = 0.0;
  J[1] = across;
  J[2] = -across / (z[2] * z[2]);
  J[3] = -along / z[2];
}

static void eliminate(int n, double A[6][7]) {
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k; i < n; ++i)
      if (fabs(A[i][k]) > fabs(A[best][k])) best = i;
    for (int j = 0; j <= n; ++j) {
      double swap = A[k][j];
      A[k][j] = A[best][j];
      A[best][j] = swap;
    }
    for (int i = 0; i < n; ++i)
      for (int j = n; i != k && j >= k; --j) A[i][j] -= A[i][k] / A[k][k] * A[k][j];
  }
  for (int k = 0; k < n; ++k) A[k][n] /= A[k][k];
}

/* A step of Radau IIA with three stages. */
static void radau(load p, double t, double h, double *z) {
  const double r = sqrt(6.0), c[3] = {(4.0 - r) / 10.0, (4.0 + r) / 10.0, 1.0};
  const double a[3][3] = {
      {(88.0 - 7.0 * r) / 360.0, (296.0 - 169.0 * r) / 1800.0, (-2.0 + 3.0 * r) / 225.0},
      {(296.0 + 169.0 * r) / 1800.0, (88.0 + 7.0 * r) / 360.0, (-2.0 - 3.0 * r) / 225.0},
      {(16.0 - r) / 36.0, (16.0 + r) / 36.0, 1.0 / 9.0}};
  double Z[3][4], f[3][4], J[3][4], A[6][7];
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 4; ++k) Z[i][k] = z[k];
  for (int pass = 0; pass < 12; ++pass) {
    for (int i = 0; i < 3; ++i) polar(p, t + c[i] * h, Z[i], f[i], J[i]);
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 2; ++k) {
        double *row = A[2 * i + k];
        row[6] = z[2 + k] - Z[i][2 + k];
        for (int j = 0; j < 3; ++j) {
          row[6] += h * a[i][j] * f[j][2 + k];
          for (int m = 0; m < 2; ++m)
            row[2 * j + m] = (i == j && k == m) - h * a[i][j] * J[j][2 * k + m];
        }
      }
    eliminate(6, A);
    for (int i = 0; i < 6; ++i) Z[i / 2][2 + i % 2] += A[i][6];
  }
  for (int i = 0; i < 3; ++i) polar(p, t + c[i] * h, Z[i], f[i], J[i]);
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j < 3; ++j) z[k] += h * a[2][j] * f[j][k];
  z[2] = Z[2][2];
  z[3] = Z[2][3];
}

/* The time at which slip begins, and z at t1 > it. */
static double reference(load p, double t1, double *z) {
  double low = 0.0, high = t1, F[2], rate[2];
  for (int k = 0; k < 200; ++k) {
    double t = 0.5 * (low + high);
    load_at(p, t, F, rate);
    *(hypot(F[0], F[1]) > mu * g ? &high : &low) = t;
  }
  double onset = high, after = 1e-4, t = onset + after;
  load_at(p, onset, F, rate);
  double kappa = (F[0] * rate[0] + F[1] * rate[1]) / hypot(F[0], F[1]);
  z[2] = 0.0;
  for (int k = 0; k < 1000; ++k) { /* of |F| - mu g, which errs by the square of across / |F| */
    load_at(p, onset + (k + 0.5) * after / 1000.0, F, rate);
    z[2] += (hypot(F[0], F[1]) - mu * g) * after / 1000.0;
  }
  load_at(p, t, F, rate);
  double size = hypot(F[0], F[1]), turn = (F[0] * rate[1] - F[1] * rate[0]) / (size * size);
  z[3] = atan2(F[1], F[0]) - z[2] * turn / size;
  double moved = kappa * after * after * after / 6.0;
  z[0] = moved * cos(z[3]);
  z[1] = moved * sin(z[3]);
  while (t < t1) {
    double h = fmin(fmin(0.03 * (t - onset), 2e-3), t1 - t);
    radau(p, t, h, z);
    t = t1 - t <= h ? t1 : t + h;
  }
  return onset;
}

/* ---- the scenes ------------------------------------------------------------------------------ */

static int push(const nsds_in *in, double *F, void *user) {
  double rate[2];
  load_at(*(const load *)user, in->t, F, rate);
  F[2] = -g;
  return 0;
}

typedef struct outcome {
  double q[3], v[3];
  long evaluations, nonsmooth;
} outcome;

static outcome pushed(load p, const char *integrator, double tolerance, double h) {
  nsds_model *model = nsds_model_create(NULL);
  double eye[9] = {1.0, 0, 0, 0, 1.0, 0, 0, 0, 1.0}, H[9] = {0, 1, 0, 0, 0, 1, 1, 0, 0};
  nsds_ds *mass = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 3, .mass = eye, .fext_fn = push, .user = &p});
  nsds_relation *r = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 3, .nq = 3, .H = H});
  nsds_connect(model, r,
               nsds_newton_impact_friction(
                   model, &(nsds_newton_impact_friction_def){.dimension = 3, .mu = mu}),
               1, &mass);
  nsds_simulation *s =
      nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 3.0,
                                                        .h = h,
                                                        .integrator = integrator,
                                                        .relative_tolerance = tolerance,
                                                        .absolute_tolerance = tolerance / 100.0});
  assert_sound(model);
  assert_int_equal(nsds_run(s), NSDS_END);
  outcome out = {.evaluations = nsds_simulation_event(s)->evaluations,
                 .nonsmooth = nsds_simulation_event(s)->nonsmooth};
  for (int k = 0; k < 3; ++k) out.q[k] = nsds_q(mass)[k], out.v[k] = nsds_v(mass)[k];
  nsds_model_destroy(model);
  return out;
}

static double error_of(const outcome *o, const double *z) {
  return fmax(hypot(o->q[0] - z[0], o->q[1] - z[1]),
              hypot(o->v[0] - z[2] * cos(z[3]), o->v[1] - z[2] * sin(z[3])));
}

static const char *const integrators[] = {NULL, "arkode", "cvode"};

int main(void) {
  load p[2] = {{2, 0.3}, {2, 0.001}};
  for (int j = 0; j < 2; ++j) {
    double z[4];
    printf("%.10f ", reference(p[j], 3.0, z));
    printf("%.10f %.10f\n", z[0], z[1]);
    for (int i = 0; i < 3; ++i)
      for (double tol = 1e-6; tol > 1e-13; tol *= 0.1) {
        outcome o = pushed(p[j], integrators[i], tol, 0);
        printf("%d %g %.2e %ld %ld\n", i, tol, error_of(&o, z), o.evaluations, o.nonsmooth);
      }
  }
}
