/*
 * Mixed relations whose inputs depend on states, coordinates and velocities: against one linear
 * system of all unknowns, against the same without Jacobians, on rigid bodies against a rotor.
 */
#include "support.h"
#include "static_schemes.h"

#include <stdio.h>

/* ---- a linear coupling by inputs alone: r = -a v - b x, F = a x - k q - c v ------------------ */

typedef struct coupled {
  double a, b, k, c;
} coupled;

static int bound(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->lambda[0] - 0.3;
  return 0;
}

static int one(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 1.0;
  return 0;
}

static int inputs(const nsds_arguments *in, double *out, void *user) {
  const coupled *s = user;
  out[0] = in->lambda[0] - s->a * in->v[0] - s->b * in->x[0];
  out[1] = s->a * in->x[0] - s->k * in->q[0] - s->c * in->v[0];
  return 0;
}

static int inputs_x(const nsds_arguments *in, double *out, void *user) {
  const coupled *s = user;
  (void)in;
  out[0] = -s->b;
  out[1] = s->a;
  return 0;
}

static int inputs_q(const nsds_arguments *in, double *out, void *user) {
  (void)in;
  out[1] = -((const coupled *)user)->k;
  return 0;
}

static int inputs_v(const nsds_arguments *in, double *out, void *user) {
  const coupled *s = user;
  (void)in;
  out[0] = -s->a;
  out[1] = -s->c;
  return 0;
}

static nsds_relation *by_inputs(nsds_model *model, coupled *s, bool jacobians) {
  return nsds_mixed_relation(
      model, &(nsds_mixed_relation_def){.name = "inputs",
                                        .ny = 1,
                                        .nx = 1,
                                        .nq = 1,
                                        .output_fn = bound,
                                        .jac_output_x_fn = nsds_zero,
                                        .jac_output_q_fn = nsds_zero,
                                        .jac_output_v_fn = nsds_zero,
                                        .jac_output_lambda_fn = one,
                                        .input_fn = inputs,
                                        .jac_input_lambda_fn = one,
                                        .jac_input_x_fn = jacobians ? inputs_x : NULL,
                                        .jac_input_q_fn = jacobians ? inputs_q : NULL,
                                        .jac_input_v_fn = jacobians ? inputs_v : NULL,
                                        .user = s});
}

/* Iterations of the worst step; -1 where Newton's method failed. */
static int follow(coupled s, bool jacobians, double *apart, double *largest) {
  static const double L = 0.05, J = 0.02;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds[] = {
      nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 1, .mass = &L}),
      nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = &J})};
  nsds_connect(model, by_inputs(model, &s, jacobians), nsds_equality(model), 2, ds);
  nsds_ds *all = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){
                 .n = 3,
                 .mass = (double[]){L, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, J},
                 .A = (double[]){-s.b, 0.0, s.a, 0.0, 0.0, -s.k, -s.a, 1.0, -s.c},
                 .b = (double[]){0.3, 0.0, 0.0}});
  assert_ok(model, nsds_check_jacobians(model, 0.0, 1e-6, NULL));
  nsds_simulation *sim = nsds_time_stepping(
      model, &(nsds_time_stepping_def){.t1 = 1.0,
                                       .h = 0.01,
                                       .first_order = nsds_full_theta_gamma(0.5, 0.5),
                                       .second_order = nsds_moreau_jean(0.5, 0.5),
                                       .max_halvings = NSDS_HALVE_NEVER});
  assert_sound(model);
  int most = 0;
  nsds_status status;
  while ((status = nsds_step(sim)) == NSDS_OK) {
    const double *x = nsds_x(all);
    *apart = worse(*apart, fabs(nsds_x(ds[0])[0] - x[0]));
    *apart = worse(*apart, fabs(nsds_q(ds[1])[0] - x[1]) + fabs(nsds_v(ds[1])[0] - x[2]));
    *largest = fmax(*largest, fabs(x[2]));
    int count = nsds_simulation_info(sim)->newton_iterations;
    most = count > most ? count : most;
  }
  if (status == NSDS_ERROR_NEWTON) most = -1;
  else assert_sound(model);
  nsds_model_destroy(model);
  return most;
}

static void iterations_fall(void **state) {
  (void)state;
  static const struct {
    coupled s;
    bool stiff;
  } all[] = {{{.a = 0.4, .b = 0.8, .k = 1.5, .c = 0.01}, false},
             {{.a = 4.0, .b = 2.0, .k = 40.0, .c = 0.5}, true},
             {{.a = 100.0, .b = 10.0, .k = 1e4, .c = 5.0}, true}};
  for (int c = 0; c < 3; ++c) {
    double apart[2] = {0.0, 0.0}, largest = 0.0;
    int with = follow(all[c].s, true, &apart[0], &largest);
    int without = follow(all[c].s, false, &apart[1], &largest);
    print_message("             a = %3g: %d iterations with Jacobians (off by %.1e), %d without\n",
                  all[c].s.a, with, apart[0], without);
    assert_between(with, 1, 3);
    assert_between(apart[0], 0.0, 1e-9 * fmax(1.0, largest));
    if (all[c].stiff) assert_int_equal(without, -1);
    else assert_true(without > with && apart[1] < 1e-8 * fmax(1.0, largest));
  }
}

/* ---- prescribed unknowns, contacts and several relations on one system ----------------------- */

static int sway(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = cos(7.0 * in->t);
  return 0;
}

/* r = lambda - x^3 - v0 q1, F = (0, 3 x - 20 q1 + q0 v1) */
static int curved(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  double x = in->x[0];
  out[0] = in->lambda[0] - x * x * x - in->v[0] * in->q[1] - 0.4 * in->v[1];
  out[2] = 3.0 * x - 20.0 * in->q[1] + in->q[0] * in->v[1];
  return 0;
}

static int beside(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->x[0] - 0.5 + 0.2 * in->lambda[0];
  return 0;
}

typedef struct run_of {
  nsds_model *model;
  nsds_ds *x[2], *mass;
  nsds_simulation *simulation;
} run_of;

/* Two states tied to one mass, which sways along the floor and is pulled to it; one of them is
 * held above by a diode. */
static run_of make(bool jacobians, nsds_scheme_kind scheme, bool in_parts) {
  run_of r = {.model = nsds_model_create(NULL)};
  nsds_operator given = jacobians ? nsds_differences : NULL;
  static const double unit[] = {1.0, 0.0, 0.0, 1.0};
  r.mass =
      nsds_lagrangian_linear(r.model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                                                    .q0 = (double[]){0.0, 0.2},
                                                                    .mass = unit,
                                                                    .fext = (double[]){0.0, -3.0},
                                                                    .prescribed.n = 1,
                                                                    .prescribed.index = (int[]){0},
                                                                    .prescribed.fn = sway});
  for (int k = 0; k < 2; ++k) {
    r.x[k] = nsds_first_order_linear(
        r.model, &(nsds_first_order_linear_def){
                     .n = 1, .x0 = (double[]){0.3 * k}, .A = (double[]){-1.0 - k}});
    if (in_parts) nsds_ds_discretise(r.x[k], nsds_with_step_ratio(scheme_of(scheme, 0.5, 0.5), 3));
    nsds_relation *relation = nsds_mixed_relation(
        r.model, &(nsds_mixed_relation_def){.ny = 1,
                                            .nx = 1,
                                            .nq = 2,
                                            .output_fn = beside,
                                            .jac_output_x_fn = nsds_differences,
                                            .jac_output_q_fn = nsds_zero,
                                            .jac_output_v_fn = nsds_zero,
                                            .jac_output_lambda_fn = nsds_differences,
                                            .input_fn = curved,
                                            .jac_input_lambda_fn = one,
                                            .jac_input_x_fn = given,
                                            .jac_input_q_fn = given,
                                            .jac_input_v_fn = given});
    nsds_connect(r.model, relation, k ? nsds_equality(r.model) : nsds_complementarity(r.model), 2,
                 (nsds_ds *[]){r.x[k], r.mass});
  }
  nsds_connect(r.model,
               nsds_lagrangian_linear_relation(r.model,
                                               &(nsds_lagrangian_linear_relation_def){
                                                   .ny = 1, .nq = 2, .H = (double[]){0.1, 1.0}}),
               nsds_newton_impact(r.model, 0.4), 1, &r.mass);
  r.simulation = nsds_time_stepping(
      r.model, &(nsds_time_stepping_def){.t1 = 3.0,
                                         .h = 0.01,
                                         .first_order = scheme_of(scheme, 0.5, 0.5),
                                         .second_order = nsds_moreau_jean(0.5, 0.5),
                                         .newton = {.residual = 1e-12, .increment = 1e-11}});
  assert_sound(r.model);
  return r;
}

static void jacobians_change_the_way_alone(void **state) {
  (void)state;
  static const nsds_scheme_kind schemes[] = {NSDS_EULER_MOREAU, NSDS_THETA_GAMMA,
                                             NSDS_FULL_THETA_GAMMA};
  for (int c = 0; c < 6; ++c) {
    run_of a = make(true, schemes[c % 3], c >= 3), b = make(false, schemes[c % 3], c >= 3);
    int sum[2] = {0, 0}, touched = 0, held = 0;
    double apart = 0.0;
    while (nsds_step(a.simulation) == NSDS_OK) {
      assert_ok(b.model, nsds_step(b.simulation));
      sum[0] += nsds_simulation_info(a.simulation)->newton_iterations;
      sum[1] += nsds_simulation_info(b.simulation)->newton_iterations;
      touched += nsds_impulse(nsds_interaction_at(a.model, 2))[0] > 0.0;
      held += nsds_lambda(nsds_interaction_at(a.model, 0))[0] > 0.0;
      for (int k = 0; k < 2; ++k) {
        apart = worse(apart, fabs(nsds_x(a.x[k])[0] - nsds_x(b.x[k])[0]));
        apart = worse(apart, fabs(nsds_v(a.mass)[k] - nsds_v(b.mass)[k]));
        apart = worse(apart, fabs(nsds_p(a.mass)[k] - nsds_p(b.mass)[k]));
        apart =
            worse(apart, fabs(nsds_prescribed_force(a.mass)[k] - nsds_prescribed_force(b.mass)[k]));
      }
    }
    assert_sound(a.model);
    print_message(
        "             scheme %d%s: %d iterations against %d, off by %.1e, %d steps on the "
        "floor, %d with current\n",
        (int)schemes[c % 3], c >= 3 ? " in parts" : "", sum[0], sum[1], apart, touched, held);
    assert_true(touched > 10 && held > 10);
    assert_true(sum[0] < sum[1]);
    assert_between(apart, 0.0, 1e-8);
    nsds_model_destroy(a.model);
    nsds_model_destroy(b.model);
  }
}

/* ---- rigid bodies ---------------------------------------------------------------------------- */

static const double Jz = 0.05, winding_L = 0.02, winding_R = 0.8, motor_K = 0.6, torsion = 4.0;

static double angle_of(const double *q, int nq) { return nq == 7 ? 2.0 * atan2(q[6], q[3]) : q[0]; }

/* r = 6 - R i - K w, moment K i - k angle about z; y = w - lambda, a brake 0.02 lambda. */
static int motor(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  int last = in->nv - 1;
  out[0] = 6.0 - winding_R * in->x[0] - motor_K * in->v[last];
  out[1 + last] = motor_K * in->x[0] - torsion * angle_of(in->q, in->nq) - 0.02 * in->lambda[0];
  return 0;
}

static int speed(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->v[in->nv - 1] + 0.1 * sin(angle_of(in->q, in->nq)) - in->lambda[0];
  return 0;
}

static nsds_simulation *spin(nsds_model *model, bool body, bool jacobians, nsds_ds **ds) {
  static const double J[] = {0.03, 0.0, 0.0, 0.0, 0.04, 0.0, 0.0, 0.0, 0.05};
  nsds_operator given = jacobians ? nsds_differences : NULL;
  ds[0] =
      nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 1, .mass = &winding_L});
  ds[1] =
      body ? nsds_rigid_body(model, &(nsds_rigid_body_def){.mass = 1.0, .inertia = J})
           : nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = &Jz});
  nsds_connect(model,
               nsds_mixed_relation(
                   model, &(nsds_mixed_relation_def){.ny = 1,
                                                     .nx = 1,
                                                     .nq = body ? 7 : 1,
                                                     .nv = body ? 6 : 1,
                                                     .output_fn = speed,
                                                     .jac_output_x_fn = nsds_zero,
                                                     .jac_output_q_fn = nsds_differences,
                                                     .jac_output_v_fn = nsds_differences,
                                                     .jac_output_lambda_fn = nsds_differences,
                                                     .input_fn = motor,
                                                     .jac_input_lambda_fn = nsds_differences,
                                                     .jac_input_x_fn = given,
                                                     .jac_input_q_fn = given,
                                                     .jac_input_v_fn = given}),
               nsds_equality(model), 2, ds);
  return nsds_time_stepping(
      model, &(nsds_time_stepping_def){
                 .t1 = 2.0, .h = 0.01, .newton = {.residual = 1e-12, .increment = 1e-11}});
}

/* A body that turns about a principal axis is a rotor, its quaternion moves by the exponential. */
static void a_body_is_a_rotor(void **state) {
  (void)state;
  int most[2] = {0, 0};
  double turned = 0.0;
  for (int jacobians = 0; jacobians < 2; ++jacobians) {
    nsds_model *model[2] = {nsds_model_create(NULL), nsds_model_create(NULL)};
    nsds_ds *ds[2][2];
    nsds_simulation *s[2];
    for (int i = 0; i < 2; ++i) s[i] = spin(model[i], i == 0, jacobians != 0, ds[i]);
    while (nsds_step(s[0]) == NSDS_OK) {
      assert_ok(model[1], nsds_step(s[1]));
      assert_near(nsds_x(ds[0][0])[0], nsds_x(ds[1][0])[0], 1e-9);
      assert_near(nsds_v(ds[0][1])[5], nsds_v(ds[1][1])[0], 1e-9);
      assert_near(angle_of(nsds_q(ds[0][1]), 7), nsds_q(ds[1][1])[0], 1e-9);
      for (int k = 0; k < 5; ++k) assert_near(nsds_v(ds[0][1])[k], 0.0, 1e-9);
      turned = fmax(turned, fabs(nsds_q(ds[1][1])[0]));
      int count = nsds_simulation_info(s[0])->newton_iterations;
      if (count > most[jacobians]) most[jacobians] = count;
    }
    assert_sound(model[0]);
    for (int i = 0; i < 2; ++i) nsds_model_destroy(model[i]);
  }
  print_message("             turned by %.2f rad; at most %d iterations, %d without Jacobians\n",
                turned, most[1], most[0]);
  assert_true(turned > 0.5 && most[1] < most[0] && most[1] <= 5);
}

/* Interactions that come and go have the shared matrices made anew. */
static void others_come_and_go(void **state) {
  (void)state;
  nsds_model *model[2] = {nsds_model_create(NULL), nsds_model_create(NULL)};
  nsds_ds *ds[2][2];
  nsds_simulation *s[2];
  for (int i = 0; i < 2; ++i) s[i] = spin(model[i], true, true, ds[i]);
  nsds_interaction *far = NULL;
  for (int k = 0; k < 60; ++k) {
    if (k % 20 == 5)
      far = nsds_connect(
          model[0],
          nsds_sphere_plane_relation(model[0],
                                     &(nsds_sphere_plane_relation_def){
                                         .rows = 1, .normal = {0.0, 0.0, 1.0}, .offset = -9.0}),
          nsds_newton_impact(model[0], 0.5), 1, &ds[0][1]);
    if (k % 20 == 15) assert_ok(model[0], nsds_disconnect(far));
    for (int i = 0; i < 2; ++i) assert_ok(model[i], nsds_step(s[i]));
    for (int i = 0; i < 7; ++i) assert_near(nsds_q(ds[0][1])[i], nsds_q(ds[1][1])[i], 1e-12);
    assert_near(nsds_x(ds[0][0])[0], nsds_x(ds[1][0])[0], 1e-12);
  }
  for (int i = 0; i < 2; ++i) nsds_model_destroy(model[i]);
}

/* A contact that is found reaches its own bodies alone, and these here reach a winding too. */
static void bodies_of_contact_sets_are_refused(void **state) {
  (void)state;
  for (int jacobians = 0; jacobians < 2; ++jacobians) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds[2];
    nsds_simulation *s = spin(model, true, jacobians != 0, ds);
    nsds_spheres(model, &(nsds_spheres_def){.law = nsds_newton_impact(model, 0.5),
                                            .count = 1,
                                            .ds = &ds[1],
                                            .radius = 0.1,
                                            .nplane = 1,
                                            .plane = &(nsds_plane){{0.0, 0.0, 1.0}, -0.1}});
    assert_sound(model);
    assert_status(model, nsds_step(s), jacobians ? NSDS_ERROR_UNSUPPORTED : NSDS_OK);
    if (jacobians)
      assert_words(nsds_error_message(nsds_model_context(model)),
                   ((const char *[]){"contact set", "system #1", "jac_input_q_fn"}), 3);
    nsds_model_destroy(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(iterations_fall), cmocka_unit_test(jacobians_change_the_way_alone),
      cmocka_unit_test(a_body_is_a_rotor), cmocka_unit_test(others_come_and_go),
      cmocka_unit_test(bodies_of_contact_sets_are_refused)};
  return cmocka_run_group_tests_name("mixed_inputs", tests, NULL, NULL);
}
