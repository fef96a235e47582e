/*
 * Parameters and user data of single operators: against objects whose functions have the numbers in
 * them, with changes between steps, by the user's Jacobians and by differences.
 */
#include "support.h"

static int mass(const nsds_arguments *in, double *out, void *user) {
  assert_int_equal(in->nz, 1);
  assert_null(user);
  out[0] = in->z[0] + in->q[0] * in->q[0];
  return 0;
}

static int spring(const nsds_arguments *in, double *out, void *user) {
  assert_int_equal(in->nz, 2);
  (void)user;
  out[0] = in->z[0] * in->q[0] + in->z[1] * in->v[0];
  return 0;
}

/* The object's z and its own user. */
static int push(const nsds_arguments *in, double *out, void *user) {
  assert_int_equal(in->nz, 3);
  out[0] = *(const double *)user * cos(in->z[2] * in->t);
  return 0;
}

static int height(const nsds_arguments *in, double *out, void *user) {
  assert_int_equal(in->nz, 1);
  (void)user;
  out[0] = sinh(in->q[0]) + in->z[0];
  return 0;
}

static int slope(const nsds_arguments *in, double *out, void *user) {
  assert_int_equal(in->nz, 3); /* that of the system: the relation has none */
  (void)user;
  out[0] = cosh(in->q[0]);
  return 0;
}

static const double ball[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* The numbers of the other one, which has them written into its functions. */
static double k, offset;

static int plain_mass(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 2.0 + in->q[0] * in->q[0];
  return 0;
}

static int plain_spring(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = k * in->q[0] + 0.1 * in->v[0];
  return 0;
}

static int plain_push(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 12.0 * cos(2.0 * in->t);
  return 0;
}

static int plain_height(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = sinh(in->q[0]) + offset;
  return 0;
}

static int plain_slope(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = cosh(in->q[0]);
  return 0;
}

static nsds_ds *with_data(nsds_model *model, nsds_relation **relation) {
  static double strength = 12.0;
  const nsds_operator_data of_system[] = {{.function = mass, .nz = 1, .z = (double[]){2.0}},
                                          {.function = spring, .nz = 2, .z = (double[]){8.0, 0.1}},
                                          {.function = push, .user = &strength}};
  const nsds_operator_data of_relation = {.function = height, .nz = 1, .z = (double[]){0.5}};
  nsds_ds *ds = nsds_lagrangian(model, &(nsds_lagrangian_def){.ndof = 1,
                                                              .q0 = (double[]){1.0},
                                                              .mass_fn = mass,
                                                              .fint.fn = spring,
                                                              .fint.jac_q_fn = nsds_differences,
                                                              .fint.jac_v_fn = nsds_differences,
                                                              .fext_fn = push,
                                                              .nz = 3,
                                                              .z = (double[]){0.0, 0.0, 2.0},
                                                              .ndata = 3,
                                                              .data = of_system});
  *relation =
      nsds_lagrangian_relation(model, &(nsds_lagrangian_relation_def){.ny = 1,
                                                                      .nq = 1,
                                                                      .output_fn = height,
                                                                      .jac_output_q_fn = slope,
                                                                      .ndata = 1,
                                                                      .data = &of_relation});
  nsds_connect(model, *relation, nsds_newton_impact(model, 0.7), 1, &ds);
  return ds;
}

static nsds_ds *without(nsds_model *model) {
  nsds_ds *ds = nsds_lagrangian(model, &(nsds_lagrangian_def){.ndof = 1,
                                                              .q0 = (double[]){1.0},
                                                              .mass_fn = plain_mass,
                                                              .fint.fn = plain_spring,
                                                              .fint.jac_q_fn = nsds_differences,
                                                              .fint.jac_v_fn = nsds_differences,
                                                              .fext_fn = plain_push});
  nsds_relation *relation = nsds_lagrangian_relation(
      model, &(nsds_lagrangian_relation_def){
                 .ny = 1, .nq = 1, .output_fn = plain_height, .jac_output_q_fn = plain_slope});
  nsds_connect(model, relation, nsds_newton_impact(model, 0.7), 1, &ds);
  return ds;
}

static void as_if_written_into_the_functions(void **state) {
  (void)state;
  k = 8.0, offset = 0.5;
  nsds_model *model = nsds_model_create(NULL);
  nsds_relation *relation;
  nsds_ds *a = with_data(model, &relation), *b = without(model);
  assert_sound(model);
  assert_ok(model, nsds_check_jacobians(model, 0.2, 0.0, NULL));
  nsds_simulation *s = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 12.0, .h = 0.03});
  int impacts = 0;
  for (int n = 0; n < 400; ++n) {
    if (n == 200) {
      k = 20.0, offset = 0.2;
      assert_ok(model, nsds_ds_set_operator_z(a, spring, 2, (double[]){k, 0.1}));
      assert_ok(model, nsds_relation_set_operator_z(relation, height, 1, &offset));
      nsds_ds_set_z(b, 0, NULL); /* what has changed behind its back */
      nsds_set_state(b, nsds_q(b), nsds_v(b));
    }
    assert_ok(model, nsds_step(s));
    assert_near(nsds_q(a)[0], nsds_q(b)[0], 1e-13);
    assert_near(nsds_v(a)[0], nsds_v(b)[0], 1e-13);
    impacts += nsds_impulse(nsds_interaction_at(model, 0))[0] > 0.0;
  }
  assert_true(impacts > 5);
  nsds_model_destroy(model);
}

static int rate(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -in->z[0] * in->x[0];
  return 0;
}

static int rate_x(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -in->z[0];
  return 0;
}

/* f has 2, its Jacobian what the object has: 3, which is wrong and found. */
static void each_function_has_its_own(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  const nsds_operator_data data = {.function = rate, .nz = 1, .z = (double[]){2.0}};
  nsds_ds *ds = nsds_first_order(model, &(nsds_first_order_def){.n = 1,
                                                                .x0 = (double[]){1.0},
                                                                .f_fn = rate,
                                                                .jac_f_x_fn = rate_x,
                                                                .nz = 1,
                                                                .z = (double[]){3.0},
                                                                .ndata = 1,
                                                                .data = &data});
  nsds_jacobian_report report;
  assert_status(model, nsds_check_jacobians(model, 0.0, 0.0, &report), NSDS_ERROR_VALUE);
  assert_near(report.given, -3.0, 1e-12);
  assert_near(report.expected, -2.0, 1e-9);
  assert_ok(model, nsds_ds_set_operator_z(ds, rate, 1, (double[]){3.0}));
  assert_ok(model, nsds_check_jacobians(model, 0.0, 0.0, &report));
  nsds_model_destroy(model);
}

static void what_is_refused(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_context *context = nsds_model_context(model);
  const nsds_operator_data nameless = {.nz = 1},
                           numberless = {.function = rate, .z = (double[]){1.0}},
                           foreign = {.function = rate, .nz = 1},
                           twice[] = {{.function = rate, .nz = 1}, {.function = rate, .nz = 1}};
  const nsds_first_order_def wrong[] = {
      {.n = 1, .ndata = 1},
      {.n = 1, .data = &numberless},
      {.n = 1, .ndata = -1},
      {.n = 1, .ndata = 1, .data = &nameless},
      {.n = 1, .f_fn = rate, .jac_f_x_fn = nsds_differences, .ndata = 1, .data = &numberless},
      {.n = 1, .ndata = 1, .data = &foreign},
      {.n = 1, .f_fn = rate, .jac_f_x_fn = nsds_differences, .ndata = 2, .data = twice}};
  static const char *const words[] = {"data is NULL",
                                      "ndata is 0",
                                      "ndata is -1",
                                      "data[0].function is NULL",
                                      "z is given",
                                      "data[0].function is not a function of the definition",
                                      "data[1].function has data already"};
  for (int c = 0; c < 7; ++c) {
    assert_null(nsds_first_order(model, &wrong[c]));
    assert_words(nsds_error_message(context), &words[c], 1);
    nsds_error_clear(context);
  }
  nsds_relation *relation;
  nsds_ds *ds = with_data(model, &relation);
  assert_status(model, nsds_ds_set_operator_z(ds, rate, 1, (double[]){1.0}), NSDS_ERROR_ARGUMENT);
  nsds_error_clear(context);
  assert_status(model, nsds_ds_set_operator_z(ds, spring, 1, (double[]){1.0}), NSDS_ERROR_SIZE);
  nsds_error_clear(context);
  assert_status(model, nsds_relation_set_operator_z(relation, height, 1, (double[]){NAN}),
                NSDS_ERROR_VALUE);
  nsds_model_destroy(model);
}

static int foreign(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)out, (void)user;
  return 0;
}

/* ---- bodies ---- */

static int pull(const nsds_arguments *in, double *out, void *user) {
  assert_int_equal(in->nz, 1);
  for (int i = 0; i < 3; ++i) out[i] = *(const double *)user * in->z[0] * (i == 0);
  return 0;
}

static int turn(const nsds_arguments *in, double *out, void *user) {
  assert_int_equal(in->nz, 2);
  assert_null(user);
  out[2] = in->z[1];
  return 0;
}

static int both(const nsds_arguments *in, double *out, void *user) {
  pull(in, out, user);
  out[1] = 0.0;
  return 0;
}

/* The force has its own parameter and user, the moment those of the body: x = F t^2 / 2, angle = n t^2 / 2. */
static void bodies_have_them_too(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  double twice = 2.0, three[1] = {3.0};
  const nsds_operator_data of_pull = {pull, &twice, 1, three}, of_both = {both, &twice, 1, three};
  nsds_ds *in_space = nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1.0,
                                                                .inertia = ball,
                                                                .force.fn = pull,
                                                                .force.jac_q_fn = nsds_zero,
                                                                .force.jac_v_fn = nsds_zero,
                                                                .moment.fn = turn,
                                                                .moment.jac_q_fn = nsds_zero,
                                                                .moment.jac_v_fn = nsds_zero,
                                                                .nz = 2,
                                                                .z = (double[]){0.0, 1.0},
                                                                .ndata = 1,
                                                                .data = &of_pull});
  nsds_ds *flat = nsds_rigid_body_2d(
      m, &(nsds_rigid_body_2d_def){
             .mass = 1.0, .inertia = 1.0, .force_fn = both, .ndata = 1, .data = &of_both});
  nsds_simulation *s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 2.0, .h = 0.125});
  assert_sound(m);
  while (nsds_time(s) < 1.0) assert_ok(m, nsds_step(s));
  assert_near(nsds_q(in_space)[0], 3.0, 1e-12);
  assert_near(nsds_q(flat)[0], 3.0, 1e-12);
  assert_near(nsds_v(in_space)[5], 1.0, 1e-12);
  assert_ok(m, nsds_ds_set_operator_z(in_space, pull, 1, (double[]){0.0}));
  assert_ok(m, nsds_ds_set_operator_z(flat, both, 1, (double[]){0.0}));
  while (nsds_step(s) == NSDS_OK) continue;
  assert_near(nsds_v(in_space)[0], 6.0, 1e-12);
  assert_near(nsds_v(flat)[0], 6.0, 1e-12);
  assert_near(nsds_v(in_space)[5], 2.0, 1e-12);
  nsds_model_destroy(m);
}

/* Every definition takes its own functions alone. */
static void functions_of_others_are_refused(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_context *context = nsds_model_context(m);
  const nsds_operator_data data = {.function = foreign, .nz = 1};
  const double one[] = {1.0};
  nsds_operator f = nsds_zero;
  const nsds_lagrangian_relation_def gap = {
      .ny = 1, .nq = 1, .output_fn = f, .jac_output_q_fn = f, .ndata = 1, .data = &data};
  nsds_lagrangian_relation_def moving = gap, soft = gap;
  moving.jac_output_t_fn = soft.jac_output_lambda_fn = f;
  for (int c = 0; c < 13; ++c) {
    const void *made =
        c == 0 ? (void *)nsds_lagrangian(
                     m, &(nsds_lagrangian_def){.ndof = 1, .mass = one, .ndata = 1, .data = &data})
        : c == 1
            ? (void *)nsds_lagrangian_linear(
                  m,
                  &(nsds_lagrangian_linear_def){.ndof = 1, .mass = one, .ndata = 1, .data = &data})
        : c == 2 ? (void *)nsds_first_order(
                       m, &(nsds_first_order_def){.n = 1, .ndata = 1, .data = &data})
        : c == 3 ? (void *)nsds_first_order_linear(
                       m, &(nsds_first_order_linear_def){.n = 1, .ndata = 1, .data = &data})
        : c == 11
            ? (void *)nsds_rigid_body(
                  m,
                  &(nsds_rigid_body_def){.mass = 1.0, .inertia = ball, .ndata = 1, .data = &data})
        : c == 12
            ? (void *)nsds_rigid_body_2d(
                  m,
                  &(nsds_rigid_body_2d_def){.mass = 1.0, .inertia = 1.0, .ndata = 1, .data = &data})
        : c == 4 ? (void *)nsds_lagrangian_relation(m, &gap)
        : c == 5 ? (void *)nsds_lagrangian_relation(m, &moving)
        : c == 6 ? (void *)nsds_lagrangian_relation(m, &soft)
        : c == 7 ? (void *)nsds_first_order_linear_relation(
                       m,
                       &(nsds_first_order_linear_relation_def){
                           .ny = 1, .nx = 1, .C = one, .B = one, .ndata = 1, .data = &data})
        : c == 8
            ? (void *)nsds_first_order_relation(
                  m, &(nsds_first_order_relation_def){.ny = 1,
                                                      .nx = 1,
                                                      .output_fn = f,
                                                      .jac_output_x_fn = f,
                                                      .input_fn = f,
                                                      .jac_input_lambda_fn = f,
                                                      .ndata = 1,
                                                      .data = &data})
        : c == 9
            ? (void *)nsds_mixed_linear_relation(
                  m, &(nsds_mixed_linear_relation_def){.ny = 1, .nq = 1, .ndata = 1, .data = &data})
            : (void *)nsds_mixed_relation(m, &(nsds_mixed_relation_def){.ny = 1,
                                                                        .nq = 1,
                                                                        .output_fn = f,
                                                                        .jac_output_q_fn = f,
                                                                        .jac_output_v_fn = f,
                                                                        .input_fn = f,
                                                                        .jac_input_lambda_fn = f,
                                                                        .ndata = 1,
                                                                        .data = &data});
    assert_null(made);
    assert_words(nsds_error_message(context),
                 ((const char *[]){"data[0].function is not a function of the definition"}), 1);
    nsds_error_clear(context);
  }
  nsds_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(as_if_written_into_the_functions),
      cmocka_unit_test(each_function_has_its_own), cmocka_unit_test(what_is_refused),
      cmocka_unit_test(bodies_have_them_too), cmocka_unit_test(functions_of_others_are_refused)};
  return cmocka_run_group_tests_name("kernel.operator_data", tests, NULL, NULL);
}
