/* Newton's cradle, see cradle.h. */
#include "cradle.h"

#include <math.h>

enum { n = cradle_balls };

const double cradle_mass = 0.033, cradle_length = 0.2, cradle_stiffness = 1.1e10;
static const double gravity = 9.81, closer = 1e-4;

/* Where ball i would hang alone. */
static double rest(int i) { return ((n - 1) / 2 - i) * closer; }

/* F_int; with Hertz' forces where `user` is not NULL. */
static int forces(const nsds_arguments *in, double *F, void *user) {
  for (int i = 0; i < n; ++i)
    F[i] = cradle_mass * gravity * sin((in->q[i] - rest(i)) / cradle_length);
  for (int i = 0; user && i + 1 < n; ++i) {
    double d = in->q[i] - in->q[i + 1], force = d > 0.0 ? cradle_stiffness * d * sqrt(d) : 0.0;
    F[i] += force;
    F[i + 1] -= force;
  }
  return 0;
}

static int forces_q(const nsds_arguments *in, double *J, void *user) {
  for (int i = 0; i < n; ++i)
    J[i * (n + 1)] =
        cradle_mass * gravity / cradle_length * cos((in->q[i] - rest(i)) / cradle_length);
  for (int i = 0; user && i + 1 < n; ++i) {
    double d = in->q[i] - in->q[i + 1], k = d > 0.0 ? 1.5 * cradle_stiffness * sqrt(d) : 0.0;
    J[i * (n + 1)] += k;
    J[(i + 1) * (n + 1)] += k;
    J[i + n * (i + 1)] -= k;
    J[i + 1 + n * i] -= k;
  }
  return 0;
}

static nsds_law *law_of(nsds_model *model, cradle_law law) {
  if (law == CRADLE_NEWTON) return nsds_newton_impact(model, 1.0);
  if (law == CRADLE_POISSON) return nsds_poisson_impact(model, 1.0);
  return nsds_distributing_impact(
      model,
      &(nsds_distributing_impact_def){.restitution = 1.0, .stiffness = 1.0, .exponent = 1.5});
}

nsds_ds *scene_newton_cradle(nsds_model *model, cradle_law law, int lifted, double aside) {
  double mass[n * n] = {0.0}, q0[n] = {0.0}, H[n * (n - 1)] = {0.0};
  static int elastic;
  for (int i = 0; i < n; ++i) mass[i * (n + 1)] = cradle_mass;
  for (int i = 0; i < lifted; ++i) q0[i] = -aside;
  for (int i = 0; i + 1 < n; ++i) {
    H[i + (n - 1) * i] = -1.0;
    H[i + (n - 1) * (i + 1)] = 1.0;
  }
  nsds_ds *balls = nsds_lagrangian(
      model, &(nsds_lagrangian_def){.name = "balls",
                                    .ndof = n,
                                    .q0 = q0,
                                    .mass = mass,
                                    .fint.fn = forces,
                                    .fint.jac_q_fn = forces_q,
                                    .fint.jac_v_fn = nsds_zero,
                                    .user = law == CRADLE_ELASTIC ? &elastic : NULL});
  if (law == CRADLE_ELASTIC) return balls;
  nsds_relation *gaps = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.name = "gaps", .ny = n - 1, .nq = n, .H = H});
  nsds_connect(model, gaps, law_of(model, law), 1, &balls);
  return balls;
}
