/*
 * nsds_check_jacobians(): right Jacobians pass, and each Jacobian that has one wrong entry is named
 * with object, function, row, column and both values. One world holds every pair of function and
 * Jacobian there is; a fault adds `error` to one entry of one of them.
 */
#include "mechanisms.h"
#include "support.h"

#include <stdio.h>

typedef struct fault {
  int which, row, col;
} fault;

enum {
  NNL_Q,
  NNL_V,
  FINT_Q,
  FINT_V,
  H_Q,
  RHEO_Q,
  RHEO_T,
  COMPLIANT_Q,
  COMPLIANT_LAMBDA,
  OWN,
  kinds
};

static const double error = 1e-3;
static const fault *planted;

static int finish(int which, int rows, double *out) {
  if (planted && planted->which == which) out[planted->row + rows * planted->col] += error;
  return 0;
}

/* ---- functions in two coordinates with Jacobians that have no zero entry ---- */

static int nnl(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  const double *q = in->q, *v = in->v;
  out[0] = sin(q[0]) * v[1] * v[1] + q[1] * v[0];
  out[1] = cos(q[1]) * v[0] * v[1] + q[0] * q[0] * v[1];
  return 0;
}

static int nnl_q(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  const double *q = in->q, *v = in->v;
  out[0] = cos(q[0]) * v[1] * v[1];
  out[1] = 2.0 * q[0] * v[1];
  out[2] = v[0];
  out[3] = -sin(q[1]) * v[0] * v[1];
  return finish(NNL_Q, 2, out);
}

static int nnl_v(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  const double *q = in->q, *v = in->v;
  out[0] = q[1];
  out[1] = cos(q[1]) * v[1];
  out[2] = 2.0 * sin(q[0]) * v[1];
  out[3] = cos(q[1]) * v[0] + q[0] * q[0];
  return finish(NNL_V, 2, out);
}

static int fint(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  const double *q = in->q, *v = in->v;
  out[0] = in->z[0] * exp(0.3 * q[0]) * q[1] + in->t * v[0] * v[1];
  out[1] = q[0] * q[1] * q[1] + v[1] * v[1] * v[0];
  return 0;
}

static int fint_q(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  const double *q = in->q;
  out[0] = 0.3 * in->z[0] * exp(0.3 * q[0]) * q[1];
  out[1] = q[1] * q[1];
  out[2] = in->z[0] * exp(0.3 * q[0]);
  out[3] = 2.0 * q[0] * q[1];
  return finish(FINT_Q, 2, out);
}

static int fint_v(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  const double *v = in->v;
  out[0] = in->t * v[1];
  out[1] = v[1] * v[1];
  out[2] = in->t * v[0];
  out[3] = 2.0 * v[1] * v[0];
  return finish(FINT_V, 2, out);
}

/* y in R^2 of the three coordinates of two systems; t and lambda enter where the kind allows. */
static double time_of(const nsds_arguments *in, void *user) { return user ? in->t : 0.4; }

static int h(const nsds_arguments *in, double *y, void *user) {
  const double *q = in->q;
  double t = time_of(in, user);
  y[0] = sin(q[0] * q[2]) + q[1] * t * t;
  y[1] = q[0] * q[1] * q[2] + exp(-t) * q[2];
  return 0;
}

static void h_jacobian(const nsds_arguments *in, double t, double *H) {
  const double *q = in->q;
  H[0] = cos(q[0] * q[2]) * q[2];
  H[1] = q[1] * q[2];
  H[2] = t * t;
  H[3] = q[0] * q[2];
  H[4] = cos(q[0] * q[2]) * q[0];
  H[5] = q[0] * q[1] + exp(-t);
}

static int h_q(const nsds_arguments *in, double *out, void *user) {
  h_jacobian(in, time_of(in, user), out);
  return finish(H_Q, 2, out);
}

static int rheo_q(const nsds_arguments *in, double *out, void *user) {
  h_jacobian(in, time_of(in, user), out);
  return finish(RHEO_Q, 2, out);
}

static int rheo_t(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 2.0 * in->q[1] * in->t;
  out[1] = -exp(-in->t) * in->q[2];
  return finish(RHEO_T, 2, out);
}

static int compliant_h(const nsds_arguments *in, double *y, void *user) {
  h(in, y, user);
  y[0] += 2e-1 * in->lambda[0] + 1e-1 * in->lambda[1];
  y[1] += 1e-1 * in->lambda[0] + 3e-1 * in->lambda[1] * in->q[0];
  return 0;
}

static int compliant_q(const nsds_arguments *in, double *out, void *user) {
  h_jacobian(in, time_of(in, user), out);
  out[1] += 3e-1 * in->lambda[1];
  return finish(COMPLIANT_Q, 2, out);
}

static int compliant_lambda(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 2e-1;
  out[1] = out[2] = 1e-1;
  out[3] = 3e-1 * in->q[0];
  return finish(COMPLIANT_LAMBDA, 2, out);
}

/* ---- a system of one's own, with a pair of its own ---- */

static int own_force(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -4.0 * in->q[0] * in->q[0];
  return 0;
}

static int own_slope(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -8.0 * in->q[0];
  return finish(OWN, 1, out);
}

static nsds_status unit_mass(void *self, const nsds_arguments *in, double *M) {
  (void)self, (void)in;
  M[0] = 1.0;
  return NSDS_OK;
}

static nsds_status force(void *self, const nsds_arguments *in, double *F) {
  own_force(in, F, self);
  return NSDS_OK;
}

static bool own_pair(void *self, int k, nsds_jacobian_pair *pair) {
  (void)self;
  *pair = (nsds_jacobian_pair){"slope", own_force, own_slope, NSDS_WRT_Q, 1, NULL};
  return k == 0;
}

static const nsds_second_order_ops own_ops = {
    .type = "own", .mass = unit_mass, .force = force, .jacobian_pair = own_pair};

static nsds_model *build(void) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds[2];
  ds[0] = nsds_lagrangian(model, &(nsds_lagrangian_def){.name = "arm",
                                                        .ndof = 2,
                                                        .q0 = (double[]){0.7, -0.6},
                                                        .v0 = (double[]){0.8, 0.5},
                                                        .mass = (double[]){1.0, 0.0, 0.0, 1.0},
                                                        .nnl.fn = nnl,
                                                        .nnl.jac_q_fn = nnl_q,
                                                        .nnl.jac_v_fn = nnl_v,
                                                        .fint.fn = fint,
                                                        .fint.jac_q_fn = fint_q,
                                                        .fint.jac_v_fn = fint_v,
                                                        .nz = 1,
                                                        .z = (double[]){1.3}});
  ds[1] = nsds_custom_second_order(
      model, &(nsds_custom_second_order_def){
                 .ops = &own_ops, .name = "spring", .ndof = 1, .q0 = (double[]){0.9}});
  const nsds_lagrangian_relation_def def = {
      .name = "fixed", .ny = 2, .nq = 3, .output_fn = h, .jac_output_q_fn = h_q};
  nsds_lagrangian_relation_def moving = def, soft = def;
  moving.name = "moving", moving.jac_output_q_fn = rheo_q, moving.jac_output_t_fn = rheo_t;
  static int in_time; /* its address tells h to take the time from in->t */
  moving.user = &in_time;
  soft.name = "soft", soft.output_fn = compliant_h, soft.jac_output_q_fn = compliant_q;
  soft.jac_output_lambda_fn = compliant_lambda;
  nsds_law *law = nsds_complementarity(model);
  nsds_connect(model, nsds_lagrangian_relation(model, &def), law, 2, ds);
  nsds_connect(model, nsds_lagrangian_relation(model, &moving), law, 2, ds);
  nsds_connect(model, nsds_lagrangian_relation(model, &soft), law, 2, ds);
  assert_sound(model);
  return model;
}

static void right_ones_pass(void **state) {
  (void)state;
  planted = NULL;
  nsds_model *model = build();
  nsds_jacobian_report report;
  const double tolerances[] = {0.0, 1e-5, 1e-9};
  for (int k = 0; k < 3; ++k) {
    assert_ok(model, nsds_check_jacobians(model, 0.3, tolerances[k], &report));
    assert_int_equal(report.checked, kinds);
    assert_int_equal(report.wrong, 0);
  }
  assert_ok(model, nsds_check_jacobians(model, 0.3, 0.0, NULL));
  nsds_model_destroy(model);
}

static void every_wrong_entry_is_named(void **state) {
  (void)state;
  static const struct {
    const char *object, *jacobian;
    int which, rows, cols;
  } all[kinds] = {
      {"arm", "nnl.jac_q_fn", NNL_Q, 2, 2},
      {"arm", "nnl.jac_v_fn", NNL_V, 2, 2},
      {"arm", "fint.jac_q_fn", FINT_Q, 2, 2},
      {"arm", "fint.jac_v_fn", FINT_V, 2, 2},
      {"spring", "slope", OWN, 1, 1},
      {"fixed", "jac_output_q_fn", H_Q, 2, 3},
      {"moving", "jac_output_q_fn", RHEO_Q, 2, 3},
      {"moving", "jac_output_t_fn", RHEO_T, 2, 1},
      {"soft", "jac_output_q_fn", COMPLIANT_Q, 2, 3},
      {"soft", "jac_output_lambda_fn", COMPLIANT_LAMBDA, 2, 2},
  };
  nsds_model *model = build();
  nsds_context *context = nsds_model_context(model);
  for (int k = 0; k < kinds; ++k)
    for (int row = 0; row < all[k].rows; ++row)
      for (int col = 0; col < all[k].cols; ++col) {
        fault f = {.which = all[k].which, .row = row, .col = col};
        planted = &f;
        nsds_jacobian_report report;
        assert_status(model, nsds_check_jacobians(model, 0.3, 0.0, &report), NSDS_ERROR_VALUE);
        assert_int_equal(report.checked, kinds);
        assert_int_equal(report.wrong, 1);
        assert_non_null(strstr(report.object, all[k].object));
        assert_string_equal(report.jacobian, all[k].jacobian);
        assert_int_equal(report.row, row);
        assert_int_equal(report.col, col);
        assert_near(report.given - report.expected, error, 1e-8);
        char entry[32];
        snprintf(entry, sizeof entry, "[%d,%d]", row, col);
        const char *words[] = {all[k].object, all[k].jacobian, entry};
        assert_words(nsds_last_message(context), words, 3);
        assert_int_equal(nsds_error(context), NSDS_OK);
        assert_ok(model, nsds_check_jacobians(model, 0.3, 1e-2, NULL)); /* within this tolerance */
      }
  planted = NULL;
  nsds_model_destroy(model);
}

static int cubic(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->q[0] * in->q[0] * in->q[0] + in->v[0];
  return 0;
}

/* nsds_zero is a claim like any other; nsds_differences has nothing to be checked. */
static void a_wrong_zero_is_found(void **state) {
  (void)state;
  const nsds_operator given[] = {nsds_zero, nsds_differences};
  for (int k = 0; k < 2; ++k) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_lagrangian(model, &(nsds_lagrangian_def){.ndof = 1,
                                                  .q0 = (double[]){1.0},
                                                  .mass = (double[]){1.0},
                                                  .fint.fn = cubic,
                                                  .fint.jac_q_fn = nsds_differences,
                                                  .fint.jac_v_fn = given[k]});
    nsds_jacobian_report report;
    assert_status(model, nsds_check_jacobians(model, 0.0, 0.0, &report),
                  k == 0 ? NSDS_ERROR_VALUE : NSDS_OK);
    assert_int_equal(report.checked, 1 - k);
    if (k == 0) assert_string_equal(report.jacobian, "fint.jac_v_fn");
    nsds_model_destroy(model);
  }
}

static int fails(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)out, (void)user;
  return 1;
}

static void a_failing_function_is_reported(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = (double[]){1.0}});
  nsds_relation *relation = nsds_lagrangian_relation(
      model,
      &(nsds_lagrangian_relation_def){
          .name = "broken", .ny = 1, .nq = 1, .output_fn = fails, .jac_output_q_fn = nsds_zero});
  nsds_connect(model, relation, nsds_complementarity(model), 1, &ds);
  assert_sound(model);
  assert_status(model, nsds_check_jacobians(model, 0.0, 0.0, NULL), NSDS_ERROR_CALLBACK);
  const char *words[] = {"broken", "returned 1"};
  assert_words(nsds_last_message(nsds_model_context(model)), words, 2);
  nsds_model_destroy(model);
}

/* ---- traps ----------------------------------------------------------------------------------- */

static int x_squared(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->x[0] * in->x[0];
  return 0;
}

static int two_x(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 2.0 * in->x[0];
  return 0;
}

static int lambda_times_x(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->lambda[0] * in->x[0];
  return 0;
}

static int x_itself(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->x[0];
  return 0;
}

static nsds_model *tank(nsds_first_order_relation_def def) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_first_order(model, &(nsds_first_order_def){.n = 1, .x0 = (double[]){1.5}});
  def.name = "valve", def.ny = def.nx = 1;
  def.output_fn = x_squared, def.jac_output_x_fn = two_x;
  def.jac_input_lambda_fn = x_itself;
  nsds_connect(model, nsds_first_order_relation(model, &def), nsds_complementarity(model), 1, &ds);
  assert_sound(model);
  return model;
}

/* g = lambda x: at lambda = 0 any Jacobian that vanishes there looks right. */
static void a_jacobian_wrong_where_lambda_is_not_zero(void **state) {
  (void)state;
  nsds_model *model = tank(
      (nsds_first_order_relation_def){.input_fn = lambda_times_x, .jac_input_x_fn = nsds_zero});
  nsds_jacobian_report report;
  assert_status(model, nsds_check_jacobians(model, 0.0, 0.0, &report), NSDS_ERROR_VALUE);
  assert_string_equal(report.jacobian, "jac_input_x_fn");
  assert_near(report.expected, 1.0, 1e-9);
  nsds_model_destroy(model);
}

/* One left out is found where it is missed, named where it is not, and so are differences. */
static void a_jacobian_left_out(void **state) {
  (void)state;
  nsds_model *model = tank((nsds_first_order_relation_def){.input_fn = lambda_times_x});
  nsds_jacobian_report report;
  assert_status(model, nsds_check_jacobians(model, 0.0, 0.0, &report), NSDS_ERROR_VALUE);
  assert_string_equal(report.jacobian, "jac_input_x_fn");
  assert_int_equal(report.not_given, 2);
  assert_words(report.names, ((const char *[]){"valve", "jac_output_lambda_fn", "jac_input_x_fn"}),
               3);
  assert_words(nsds_last_message(nsds_model_context(model)), ((const char *[]){"not: "}), 1);
  nsds_model_destroy(model);
  model = tank((nsds_first_order_relation_def){.input_fn = lambda_times_x,
                                               .jac_input_x_fn = nsds_differences});
  assert_ok(model, nsds_check_jacobians(model, 0.0, 0.0, &report));
  assert_int_equal(report.not_given, 2);
  nsds_model_destroy(model);
}

/* After a Jacobian was found wrong the program may go on: the context has no error. */
static void a_failed_check_leaves_the_context_clean(void **state) {
  (void)state;
  nsds_model *model = tank((nsds_first_order_relation_def){.input_fn = lambda_times_x});
  nsds_context *context = nsds_model_context(model);
  assert_status(model, nsds_check_jacobians(model, 0.0, 0.0, NULL), NSDS_ERROR_VALUE);
  assert_int_equal(nsds_error(context), NSDS_OK);
  assert_non_null(nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1}));
  assert_null(nsds_newton_impact(model, 2.0)); /* but an error from before stays */
  assert_status(model, nsds_check_jacobians(model, 0.0, 0.0, NULL), NSDS_ERROR_VALUE);
  assert_words(nsds_error_message(context), ((const char *[]){"nsds_newton_impact"}), 1);
  nsds_model_destroy(model);
}

/* y = sqrt(q0^2 + q1^2) cos(t) + t^3 q0: d^2y/dt^2 at constant velocities, with all terms in t. */
static int spiral(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = hypot(in->q[0], in->q[1]) * cos(in->t) + in->t * in->t * in->t * in->q[0];
  return 0;
}

static int spiral_q(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  double r = hypot(in->q[0], in->q[1]);
  out[0] = in->q[0] / r * cos(in->t) + in->t * in->t * in->t;
  out[1] = in->q[1] / r * cos(in->t);
  return 0;
}

static int spiral_t(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -hypot(in->q[0], in->q[1]) * sin(in->t) + 3.0 * in->t * in->t * in->q[0];
  return 0;
}

/* (dH/dt) V of H alone, then d^2h/dt^2, then 2 (d^2h/dt dQ) V; `user` says how many of them. */
static int spiral_bias(const nsds_arguments *in, double *out, void *user) {
  const double *q = in->q, *v = in->v;
  double t = in->t, r = hypot(q[0], q[1]), rate = (q[0] * v[0] + q[1] * v[1]) / r;
  int terms = *(const int *)user;
  out[0] = cos(t) * ((v[0] * v[0] + v[1] * v[1]) - rate * rate) / r;
  if (terms > 1) out[0] += -r * cos(t) + 6.0 * t * q[0];
  if (terms > 2) out[0] += 2.0 * (-rate * sin(t) + 3.0 * t * t * v[0]);
  return 0;
}

static void the_bias_with_all_terms_in_time(void **state) {
  (void)state;
  for (int terms = 1; terms <= 3; ++terms) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = nsds_lagrangian_linear(
        model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                             .q0 = (double[]){0.8, -0.5},
                                             .v0 = (double[]){1.3, 2.1},
                                             .mass = (double[]){1.0, 0.0, 0.0, 1.0}});
    nsds_relation *relation =
        nsds_lagrangian_relation(model, &(nsds_lagrangian_relation_def){.name = "spiral",
                                                                        .ny = 1,
                                                                        .nq = 2,
                                                                        .output_fn = spiral,
                                                                        .jac_output_q_fn = spiral_q,
                                                                        .jac_output_t_fn = spiral_t,
                                                                        .bias_fn = spiral_bias,
                                                                        .user = &terms});
    nsds_connect(model, relation, nsds_newton_impact(model, 0.5), 1, &ds);
    nsds_jacobian_report report;
    assert_status(model, nsds_check_jacobians(model, 0.7, 1e-8, &report),
                  terms < 3 ? NSDS_ERROR_VALUE : NSDS_OK);
    assert_int_equal(report.checked, 3);
    if (terms < 3) assert_string_equal(report.jacobian, "bias_fn");
    assert_near(nsds_q(ds)[0], 0.8, 0.0); /* the motion was undone */
    nsds_model_destroy(model);
  }
}

/* The chain of the benchmarks, moving; its drag is not smooth at rest. */
static void of_the_chain(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  chain_scene s = scene_chain(model, 3);
  for (int k = 0; k < s.n; ++k)
    nsds_set_state(s.mass[k], (double[]){0.1 * k + 0.02, -0.1 - 0.2 * k}, (double[]){1.0, 0.5 * k});
  assert_sound(model);
  nsds_jacobian_report report;
  assert_ok(model, nsds_check_jacobians(model, 0.0, 1e-7, &report));
  assert_int_equal(report.checked, 9); /* two of each mass, one of each link */
  chain_free(&s);
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(right_ones_pass),
      cmocka_unit_test(every_wrong_entry_is_named),
      cmocka_unit_test(a_wrong_zero_is_found),
      cmocka_unit_test(a_failing_function_is_reported),
      cmocka_unit_test(of_the_chain),
      cmocka_unit_test(a_jacobian_wrong_where_lambda_is_not_zero),
      cmocka_unit_test(a_jacobian_left_out),
      cmocka_unit_test(a_failed_check_leaves_the_context_clean),
      cmocka_unit_test(the_bias_with_all_terms_in_time),
  };
  return cmocka_run_group_tests_name("kernel.jacobians", tests, NULL, NULL);
}
