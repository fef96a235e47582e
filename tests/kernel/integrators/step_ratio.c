/*
 * A step ratio for one system: every class of system under the law of an interaction moves as a
 * model of its own does with h/m, with what came out of the interaction as a constant force; what
 * is at rest stays so; what cannot work together is refused.
 */
#include "support.h"
#include "static_schemes.h"

#include <stdio.h>

static const double h = 0.05;
enum { ratio = 5, most = 7 };

/* ---- systems of every class, with a constant force z ----------------------------------------- */

static int drive(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  for (int k = 0; k < in->nz; ++k) out[k] = in->z[k] + (1.0 - 2.0 * k) * cos(3.0 * in->t) - 1.0;
  return 0;
}

static int hard_spring(const nsds_arguments *in, double *out, void *user) {
  drive(in, out, user);
  for (int k = 0; k < 2; ++k) {
    double q = in->q[k];
    out[k] = -out[k] + 40.0 * q * q * q + 3.0 * (2.0 * q - in->q[1 - k]) + 0.2 * in->v[k];
  }
  return 0;
}

static int mass_of_q(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 2.0 + sin(in->q[0]);
  out[3] = 1.0;
  out[1] = out[2] = 0.2 * cos(in->q[0] - in->q[1]);
  return 0;
}

static int only_driven(const nsds_arguments *in, double *out, void *user) {
  drive(in, out, user);
  for (int k = 0; k < 2; ++k) out[k] = -out[k];
  return 0;
}

static int push(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  for (int k = 0; k < 3; ++k) out[k] = in->z[k];
  out[2] -= 9.81;
  return 0;
}

static int turn(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  for (int k = 0; k < 3; ++k) out[k] = in->z[3 + k];
  return 0;
}

static int swing(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 0.7 * sin(4.0 * in->t);
  return 0;
}

static int growing(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -2.0 - sin(5.0 * in->t);
  out[1] = 20.0;
  out[2] = -20.0 - in->t;
  out[3] = -1.0;
  return 0;
}

static int cubic(const nsds_arguments *in, double *out, void *user) {
  drive(in, out, user);
  for (int k = 0; k < 2; ++k) out[k] -= 30.0 * in->x[k] * in->x[k] * in->x[k] + in->x[1 - k];
  return 0;
}

static int against_rate(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -0.5 * tanh(in->xdot[0]);
  return 0;
}

static const double unit[] = {1.0, 0.0, 0.0, 1.0}, C[] = {0.8, -0.2, -0.2, 0.5},
                    K[] = {300.0, -90.0, -90.0, 200.0}, A[] = {-2.0, 30.0, -30.0, -1.0},
                    J[] = {0.02, 0.0, 0.0, 0.0, 0.03, 0.0, 0.0, 0.0, 0.05},
                    thrown[] = {0.4, -0.3, -0.5, 3.0, 8.0, -4.0}, two[] = {0.05, 0.1};

static nsds_ds *linear(nsds_model *m) {
  return nsds_lagrangian_linear(m, &(nsds_lagrangian_linear_def){.name = "linear",
                                                                 .ndof = 2,
                                                                 .q0 = two,
                                                                 .mass = unit,
                                                                 .damping = C,
                                                                 .stiffness = K,
                                                                 .fext_fn = drive,
                                                                 .nz = 2});
}

static nsds_ds *held(nsds_model *m) {
  return nsds_lagrangian_linear(m, &(nsds_lagrangian_linear_def){.name = "held",
                                                                 .ndof = 2,
                                                                 .q0 = two,
                                                                 .mass = unit,
                                                                 .damping = C,
                                                                 .stiffness = K,
                                                                 .fext_fn = drive,
                                                                 .prescribed.n = 1,
                                                                 .prescribed.index = (int[]){1},
                                                                 .prescribed.fn = swing,
                                                                 .nz = 2});
}

static nsds_ds *nonlinear(nsds_model *m) {
  return nsds_lagrangian(m, &(nsds_lagrangian_def){.name = "nonlinear",
                                                   .ndof = 2,
                                                   .q0 = two,
                                                   .mass_fn = mass_of_q,
                                                   .fint.fn = hard_spring,
                                                   .fint.jac_q_fn = nsds_differences,
                                                   .fint.jac_v_fn = nsds_differences,
                                                   .nz = 2});
}

static nsds_ds *without_jacobians(nsds_model *m) {
  return nsds_lagrangian(m, &(nsds_lagrangian_def){.name = "without",
                                                   .ndof = 2,
                                                   .q0 = two,
                                                   .mass = unit,
                                                   .fint.fn = only_driven,
                                                   .fint.jac_q_fn = nsds_zero,
                                                   .fint.jac_v_fn = nsds_zero,
                                                   .nz = 2});
}

static nsds_ds *body(nsds_model *m, bool as_at_start) {
  nsds_rigid_body_def def = {.name = "body",
                             .mass = 1.3,
                             .inertia = J,
                             .q0 = (double[]){0.0, 0.0, 0.3, 1.0, 0.0, 0.0, 0.0},
                             .v0 = thrown,
                             .force.fn = push,
                             .moment.fn = turn,
                             .explicit_gyroscopic = as_at_start,
                             .nz = 6};
  if (!as_at_start) {
    def.force.jac_q_fn = def.force.jac_v_fn = nsds_zero;
    def.moment.jac_q_fn = def.moment.jac_v_fn = nsds_zero;
  }
  return nsds_rigid_body(m, &def);
}

static nsds_ds *implicit_body(nsds_model *m) { return body(m, false); }
static nsds_ds *explicit_body(nsds_model *m) { return body(m, true); }

static nsds_ds *circuit(nsds_model *m) {
  return nsds_first_order_linear(
      m, &(nsds_first_order_linear_def){
             .name = "circuit", .n = 2, .x0 = two, .A = A, .b_fn = drive, .nz = 2});
}

static nsds_ds *parametric(nsds_model *m) {
  return nsds_first_order_linear(
      m, &(nsds_first_order_linear_def){
             .name = "parametric", .n = 2, .x0 = two, .A_fn = growing, .b_fn = drive, .nz = 2});
}

static nsds_ds *curved(nsds_model *m) {
  return nsds_first_order(m, &(nsds_first_order_def){.name = "curved",
                                                     .n = 2,
                                                     .x0 = two,
                                                     .f_fn = cubic,
                                                     .jac_f_x_fn = nsds_differences,
                                                     .nz = 2});
}

static nsds_ds *rated(nsds_model *m) {
  return nsds_first_order(m, &(nsds_first_order_def){.name = "rated",
                                                     .n = 2,
                                                     .x0 = two,
                                                     .f_fn = cubic,
                                                     .jac_f_x_fn = nsds_differences,
                                                     .control.n = 1,
                                                     .control.map = (double[]){1.0, 0.3},
                                                     .control.fn = against_rate,
                                                     .control.jac_x_fn = nsds_zero,
                                                     .control.jac_xdot_fn = nsds_differences,
                                                     .nz = 2});
}

static nsds_ds *exact(nsds_model *m) {
  nsds_ds *ds = circuit(m);
  assert_ok(m, nsds_ds_set_integrator(ds, nsds_integrator_named("zero-order hold")));
  return ds;
}

typedef struct kind {
  const char *name;
  nsds_ds *(*make)(nsds_model *model);
  nsds_discretisation own;
  double tolerance; /* of the parts against steps of h/m: rounding, or that of Newton's method */
} kind;

static const kind all[] = {
    {"linear", linear, MOREAU_JEAN(0.5, 1.0), 1e-13},
    {"prescribed", held, MOREAU_JEAN(0.7, 1.0), 1e-13},
    {"nonlinear", nonlinear, MOREAU_JEAN(0.5, 0.5), 2e-9},
    {"nonlinear, theta = 1", nonlinear, MOREAU_JEAN(1.0, 1.0), 2e-9},
    {"forces without Jacobians", without_jacobians, MOREAU_JEAN(0.5, 1.0), 1e-13},
    {"rigid body", implicit_body, MOREAU_JEAN(0.5, 1.0), 2e-9},
    {"rigid body, explicit", explicit_body, MOREAU_JEAN(0.5, 1.0), 2e-9},
    {"circuit", circuit, THETA_GAMMA(0.5, 0.6), 1e-13},
    {"A(t)", parametric, THETA_GAMMA(1.0, 0.8), 2e-9},
    {"cubic", curved, THETA_GAMMA(0.5, 1.0), 2e-9},
    {"of its rate", rated, THETA_GAMMA(0.6, 1.0), 2e-9},
    {"zero-order hold", exact, ZERO_ORDER_HOLD, 1e-13}};
enum { kinds = sizeof all / sizeof *all };

static const double *unknown(const nsds_ds *ds) { return nsds_nv(ds) ? nsds_v(ds) : nsds_x(ds); }
static int unknowns(const nsds_ds *ds) { return nsds_nv(ds) ? nsds_nv(ds) : nsds_nx(ds); }

/* The model alone, at h/m or with parts; theta-gamma for all. */
static nsds_simulation *simulate(nsds_model *model, double step) {
  return nsds_time_stepping(model,
                            &(nsds_time_stepping_def){.t1 = 3.0,
                                                      .h = step,
                                                      .first_order = nsds_theta_gamma(0.5, 1.0),
                                                      .newton = {.residual = 1e-12}});
}

/* ---- without interactions -------------------------------------------------------------------- */

static void parts_are_steps(void **state) {
  (void)state;
  for (int c = 0; c < kinds; ++c) {
    nsds_model *model[2] = {nsds_model_create(NULL), nsds_model_create(NULL)};
    nsds_ds *ds[2];
    nsds_simulation *s[2];
    double apart = 0.0, reaction[most] = {0.0};
    for (int i = 0; i < 2; ++i) {
      ds[i] = all[c].make(model[i]);
      nsds_discretisation own = all[c].own;
      if (i == 0) own = nsds_with_step_ratio(own, ratio);
      assert_ok(model[i], nsds_ds_discretise(ds[i], own));
      s[i] = simulate(model[i], i == 0 ? h : h / ratio);
      assert_sound(model[i]);
    }
    int n = unknowns(ds[0]);
    while (nsds_time(s[0]) < 3.0 - 0.5 * h) {
      assert_ok(model[0], nsds_step(s[0]));
      memset(reaction, 0, sizeof reaction);
      for (int k = 0; k < ratio; ++k) {
        assert_ok(model[1], nsds_step(s[1]));
        for (int i = 0; nsds_nv(ds[1]) && i < n; ++i)
          reaction[i] += nsds_prescribed_force(ds[1])[i] / ratio;
      }
      for (int i = 0; i < n; ++i) apart = worse(apart, fabs(unknown(ds[0])[i] - unknown(ds[1])[i]));
      for (int i = 0; i < nsds_nq(ds[0]); ++i)
        apart = worse(apart, fabs(nsds_q(ds[0])[i] - nsds_q(ds[1])[i]));
      for (int i = 0; nsds_nv(ds[0]) && i < n; ++i)
        apart = worse(apart, fabs(reaction[i] - nsds_prescribed_force(ds[0])[i]));
    }
    print_message("             %-26s %.1e\n", all[c].name, apart);
    assert_between(apart, 0.0, 20.0 * all[c].tolerance);
    for (int i = 0; i < 2; ++i) nsds_model_destroy(model[i]);
  }
}

/* ---- under a law ----------------------------------------------------------------------------- */

/* h = x_0 + lambda (1 + x_1^2)/4, g = (lambda + x_0 x_1, lambda x_0) */
static int bent_h(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->x[0] + 0.25 * in->lambda[0] * (1.0 + in->x[1] * in->x[1]);
  return 0;
}

static int bent_g(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->lambda[0] + in->x[0] * in->x[1];
  out[1] = in->lambda[0] * in->x[0];
  return 0;
}

static void tie(nsds_model *model, nsds_ds *ds, bool bent) {
  nsds_relation *relation;
  nsds_law *law = nsds_nv(ds) ? nsds_newton_impact(model, 0.5) : nsds_complementarity(model);
  if (nsds_nv(ds) == 6) {
    relation = nsds_sphere_plane_relation(
        model, &(nsds_sphere_plane_relation_def){
                   .radius = 0.1, .center = {0.05, 0.0, 0.0}, .normal = {0.0, 0.0, 1.0}});
    law = nsds_newton_impact_friction(
        model, &(nsds_newton_impact_friction_def){.dimension = 3, .e_n = 0.3, .mu = 0.4});
  } else if (nsds_nv(ds)) {
    relation = nsds_lagrangian_linear_relation(
        model, &(nsds_lagrangian_linear_relation_def){
                   .ny = 1, .nq = 2, .H = (double[]){1.0, -0.4}, .b = (double[]){-0.005}});
  } else if (bent) {
    relation = nsds_first_order_relation(
        model, &(nsds_first_order_relation_def){.ny = 1,
                                                .nx = 2,
                                                .output_fn = bent_h,
                                                .jac_output_x_fn = nsds_differences,
                                                .jac_output_lambda_fn = nsds_differences,
                                                .input_fn = bent_g,
                                                .jac_input_x_fn = nsds_differences,
                                                .jac_input_lambda_fn = nsds_differences});
  } else {
    relation = nsds_first_order_linear_relation(
        model, &(nsds_first_order_linear_relation_def){.ny = 1,
                                                       .nx = 2,
                                                       .C = (double[]){1.0, 0.2},
                                                       .D = (double[]){0.1},
                                                       .B = (double[]){1.0, 0.3}});
  }
  nsds_connect(model, relation, law, 1, &ds);
}

/* The parts of each step are those of the system alone under the impulse, or input, that the step
 * has given; at their end the law holds. */
static double follow(const kind *k, bool bent, int *active) {
  nsds_model *model[2] = {nsds_model_create(NULL), nsds_model_create(NULL)};
  nsds_ds *ds[2];
  nsds_simulation *s[2];
  double apart = 0.0, z[most], last[most] = {0.0};
  for (int i = 0; i < 2; ++i) {
    ds[i] = k->make(model[i]);
    nsds_discretisation own = k->own;
    if (i == 0) own = nsds_with_step_ratio(own, ratio);
    assert_ok(model[i], nsds_ds_discretise(ds[i], own));
    if (i == 0) tie(model[i], ds[i], bent);
    s[i] = simulate(model[i], i == 0 ? h : h / ratio);
    assert_sound(model[i]);
  }
  int n = unknowns(ds[0]), nz = nsds_nv(ds[0]) == 6 ? 6 : 2;
  double gamma = k->own.gamma > 0.0 ? k->own.gamma : 1.0;
  const nsds_interaction *ia = nsds_interaction_at(model[0], 0);
  while (nsds_time(s[0]) < 3.0 - 0.5 * h) {
    assert_ok(model[0], nsds_step(s[0]));
    for (int i = 0; i < nz; ++i) {
      double now = nsds_nv(ds[0]) ? nsds_p(ds[0])[i] / h : nsds_r(ds[0])[i];
      z[i] = nsds_nv(ds[0]) ? now : gamma * now + (1.0 - gamma) * last[i];
      last[i] = now;
    }
    assert_ok(model[1], nsds_ds_set_z(ds[1], nz, z));
    for (int i = 0; i < ratio; ++i) assert_ok(model[1], nsds_step(s[1]));
    for (int i = 0; i < n; ++i) apart = worse(apart, fabs(unknown(ds[0])[i] - unknown(ds[1])[i]));
    for (int i = 0; i < nsds_nq(ds[0]); ++i)
      apart = worse(apart, fabs(nsds_q(ds[0])[i] - nsds_q(ds[1])[i]));
    if (nsds_lambda(ia)[0] > 1e-9) ++*active;
    /* the same from here, so that differences do not grow on the way */
    if (nsds_nv(ds[0])) nsds_set_state(ds[1], nsds_q(ds[0]), nsds_v(ds[0]));
    else nsds_set_x(ds[1], nsds_x(ds[0]));
  }
  for (int i = 0; i < 2; ++i) nsds_model_destroy(model[i]);
  return apart;
}

static void parts_have_the_impulse_of_the_step(void **state) {
  (void)state;
  for (int c = 0; c < kinds; ++c)
    for (int bent = 0; bent < 2; ++bent) {
      int active = 0;
      nsds_model *probe = nsds_model_create(NULL);
      bool second = nsds_nv(all[c].make(probe)) > 0;
      nsds_model_destroy(probe);
      if (bent && second) continue;
      double apart = follow(&all[c], bent != 0, &active);
      double bound = bent ? 2e-9 : all[c].tolerance;
      print_message("             %-26s %-8s %.1e, active in %d steps\n", all[c].name,
                    bent ? "bent" : "", apart, active);
      assert_between(apart, 0.0, bound);
      assert_true(active > 3);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(parts_are_steps),
                                     cmocka_unit_test(parts_have_the_impulse_of_the_step)};
  return cmocka_run_group_tests_name("step_ratio", tests, NULL, NULL);
}
