/*
 * What event-driven simulation refuses, each with a message that names it; and what it does when it
 * cannot go on: a status, and the last accepted state.
 */
#include "support.h"
#include "switching.h"

static const double g = 9.81;

static void assert_refused(nsds_model *model, const nsds_event_driven_def *def, nsds_status status,
                           const char *word) {
  nsds_event_driven_def plain = {.t1 = 1.0};
  assert_sound(model);
  assert_null(nsds_event_driven(model, def ? def : &plain));
  assert_int_equal(nsds_error(nsds_model_context(model)), status);
  assert_words(nsds_error_message(nsds_model_context(model)), &word, 1);
  nsds_error_clear(nsds_model_context(model));
}

static nsds_ds *mass(nsds_model *model, double q0) {
  return nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){
                 .ndof = 1, .mass = (double[]){1.0}, .q0 = &q0, .fext = (double[]){-g}});
}

static nsds_relation *gap(nsds_model *model, int ny) {
  return nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){
                 .ny = ny, .nq = 1, .H = (double[]){1.0, 0.5, 0.25, 0.1, 0.1}});
}

static void definitions(void **state) {
  (void)state;
  static const struct {
    nsds_event_driven_def def;
    nsds_status status;
    const char *word;
  } wrong[] = {
      {{.t0 = 1.0, .t1 = 1.0}, NSDS_ERROR_VALUE, "t1 must be"},
      {{.t1 = NAN}, NSDS_ERROR_VALUE, "t1 is nan"},
      {{.t1 = 1.0, .output_period = 2.0}, NSDS_ERROR_VALUE, "output_period is 2"},
      {{.t1 = 1.0, .output_period = -1.0}, NSDS_ERROR_VALUE, "output_period is -1"},
      {{.t1 = 1.0, .relative_tolerance = 1.0}, NSDS_ERROR_VALUE, "relative_tolerance"},
      {{.t1 = 1.0, .absolute_tolerance = -1.0}, NSDS_ERROR_VALUE, "absolute_tolerance"},
      {{.t1 = 1.0, .root_tolerance = NAN}, NSDS_ERROR_VALUE, "root_tolerance"},
      {{.t1 = 1.0, .root_panels = -1}, NSDS_ERROR_SIZE, "root_panels"},
      {{.t1 = 1.0, .accumulation = 2.0}, NSDS_ERROR_VALUE, "accumulation"},
      {{.t1 = 1.0, .max_events = -1}, NSDS_ERROR_SIZE, "max_events"},
      {{.t1 = 1.0, .max_steps = -1}, NSDS_ERROR_SIZE, "max_steps"},
      {{.t1 = 1.0, .integrator = "euler"}, NSDS_ERROR_ARGUMENT, "'euler'"},
      {{.t1 = 1.0, .tolerance = -1.0}, NSDS_ERROR_VALUE, "tolerance"},
      {{.t1 = 1.0, .solver = "none"}, NSDS_ERROR_ARGUMENT, "none"},
  };
  nsds_model *model = nsds_model_create(NULL);
  mass(model, 1.0);
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k)
    assert_refused(model, &wrong[k].def, wrong[k].status, wrong[k].word);
  assert_null(nsds_event_driven(model, NULL));
  nsds_error_clear(nsds_model_context(model));
  assert_null(nsds_event_driven(NULL, &(nsds_event_driven_def){.t1 = 1.0}));
  assert_null(nsds_simulation_event(NULL));
  assert_false(nsds_event_ahead(NULL));
  assert_true(isnan(nsds_event_next(NULL)));
  nsds_simulation *s = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1});
  assert_null(nsds_simulation_event(s));
  assert_true(isnan(nsds_event_next(s)));
  assert_status(model, nsds_event_meet(s), NSDS_ERROR_UNSUPPORTED);
  nsds_model_destroy(model);
}

static void laws_and_relations(void **state) {
  (void)state;
  double H[3] = {1.0, 0.0, -1.0}, K[3] = {-1.0, -1.0, -1.0}, low = -1.0, high = INFINITY;
  nsds_model *polyhedron = nsds_model_create(NULL);
  nsds_ds *one = mass(polyhedron, 1.0);
  nsds_connect(polyhedron, gap(polyhedron, 1), nsds_normal_cone(polyhedron, 1, 3, H, K), 1, &one);
  assert_refused(polyhedron, NULL, NSDS_ERROR_UNSUPPORTED, "couples rows");
  nsds_model_destroy(polyhedron);
  for (int k = 0; k < 2; ++k) {
    double S[4] = {1e-3, 0.0, 0.0, k == 0 ? 0.0 : 1e-3};
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = mass(model, 1.0);
    nsds_relation *relation = nsds_lagrangian_linear_relation(
        model, &(nsds_lagrangian_linear_relation_def){
                   .ny = 2, .nq = 1, .H = (double[]){1.0, 0.5}, .compliance = S});
    nsds_law *law = k == 0 ? nsds_relay(model, 1, &low, &high)
                           : nsds_newton_impact_friction(model, &(nsds_newton_impact_friction_def){
                                                                    .dimension = 2, .mu = 0.3});
    nsds_connect(model, relation, law, 1, &ds);
    assert_refused(model, NULL, NSDS_ERROR_UNSUPPORTED,
                   k == 0 ? "law of impact" : "rate of its own");
    nsds_model_destroy(model);
  }
}

static int spring_gap(const nsds_arguments *in, double *y, void *user) {
  (void)user;
  y[0] = in->q[0] + 0.01 * in->lambda[0] - 0.5;
  return 0;
}

static int spring_gap_q(const nsds_arguments *in, double *H, void *user) {
  (void)in, (void)user;
  H[0] = 1.0;
  return 0;
}

static int wrong_slope(const nsds_arguments *in, double *D, void *user) {
  (void)in, (void)user;
  D[0] = 0.003;
  return 0;
}

/* A Jacobian in lambda that is so wrong that Newton's method fails at the touch, with the state before it kept. */
static void lambda_in_relations(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = mass(model, 1.0);
  nsds_relation *spring = nsds_lagrangian_relation(
      model, &(nsds_lagrangian_relation_def){.ny = 1,
                                             .nq = 1,
                                             .output_fn = spring_gap,
                                             .jac_output_q_fn = spring_gap_q,
                                             .jac_output_lambda_fn = wrong_slope});
  nsds_connect(model, spring, nsds_complementarity(model), 1, &ds);
  nsds_simulation *s =
      nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0, .output_period = 0.1});
  assert_sound(model);
  nsds_status status = NSDS_OK;
  while (status == NSDS_OK) status = nsds_step(s);
  assert_int_equal(status, NSDS_ERROR_NEWTON);
  assert_words(nsds_error_message(nsds_model_context(model)),
               ((const char *[]){"lambda of nonlinear relations", "nsds_check_jacobians"}), 2);
  assert_between(nsds_q(ds)[0], 0.4, 0.6);
  nsds_error_clear(nsds_model_context(model));
  nsds_model_destroy(model);
}

/* The motion of a second-order slide is determined by higher derivatives. */
static void relative_degree_two(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  relay_scene scene = scene_twisting(model, 1.0, 0.5);
  nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 10.0});
  assert_sound(model);
  nsds_status status = NSDS_OK;
  while (status == NSDS_OK) status = nsds_step(s);
  assert_int_equal(status, NSDS_ERROR_UNSUPPORTED);
  assert_near(nsds_time(s), 5.29, 0.01);
  for (int k = 0; k < 2; ++k) assert_near(nsds_x(scene.system)[k], 0.0, 1e-6);
  nsds_model_destroy(model);
}

static int fails(const nsds_arguments *in, double *f, void *user) {
  f[0] = -g;
  if (in->t > *(const double *)user) f[0] = NAN;
  return 0;
}

/* A force that is not finite from some time on: the state before stays, and the run goes on from it
 * when the cause is gone. */
static void force_not_finite(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  double until = 0.6, one = 1.0;
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){
                 .ndof = 1, .mass = &one, .q0 = &one, .fext_fn = fails, .user = &until});
  nsds_connect(model, gap(model, 1), nsds_newton_impact(model, 0.5), 1, &ds);
  nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0});
  assert_sound(model);
  assert_ok(model, nsds_step(s));
  double t = nsds_time(s), v = nsds_v(ds)[0];
  for (int k = 0; k < 2; ++k) {
    assert_true(nsds_step(s) < 0);
    assert_near(nsds_time(s), t, 0.0);
    assert_near(nsds_v(ds)[0], v, 0.0);
    nsds_error_clear(nsds_model_context(model));
  }
  until = 2.0;
  assert_int_equal(nsds_run(s), NSDS_END);
  assert_near(nsds_time(s), 1.0, 0.0);
  nsds_model_destroy(model);
}

/* More events than allowed within the grid. */
static void too_many_events(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = mass(model, 1e-4);
  nsds_connect(model, gap(model, 1), nsds_newton_impact(model, 1.0), 1, &ds);
  nsds_simulation *s = nsds_event_driven(
      model, &(nsds_event_driven_def){.t1 = 10.0, .output_period = 10.0, .max_events = 50});
  assert_sound(model);
  nsds_status status = NSDS_OK;
  long events = 0;
  while ((status = nsds_step(s)) == NSDS_OK) ++events;
  assert_int_equal(status, NSDS_ERROR_VALUE);
  assert_int_equal(events, 50);
  assert_words(nsds_error_message(nsds_model_context(model)), ((const char *[]){"max_events"}), 1);
  assert_true(isfinite(nsds_q(ds)[0]));
  nsds_model_destroy(model);
}

static nsds_status find_nothing(void *self, double t, nsds_contacts *contacts) {
  (void)self, (void)t, (void)contacts;
  return NSDS_OK;
}

/* Of a geometry whose contacts cannot be followed: refused at the start, and when one comes later.
 */
static void contact_sets(void **state) {
  (void)state;
  static const nsds_geometry_ops ops = {.type = "nothing", .find = find_nothing};
  for (int later = 0; later < 2; ++later) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = mass(model, 1.0);
    nsds_custom_contact_set_def def = {.ops = &ops, .law = nsds_newton_impact(model, 0.0)};
    nsds_simulation *s = NULL;
    if (later)
      s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0, .output_period = 0.1});
    if (later) assert_ok(model, nsds_step(s));
    assert_non_null(nsds_custom_contact_set(model, &def));
    if (later) {
      double q = nsds_q(ds)[0];
      assert_int_equal(nsds_step(s), NSDS_ERROR_UNSUPPORTED);
      assert_words(nsds_error_message(nsds_model_context(model)),
                   ((const char *[]){"contact set #0 (nothing)", "`output`", "interactions"}), 3);
      assert_near(nsds_q(ds)[0], q, 0.0);
    } else {
      assert_refused(model, NULL, NSDS_ERROR_UNSUPPORTED, "contact set #0");
    }
    nsds_model_destroy(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(definitions),         cmocka_unit_test(laws_and_relations),
      cmocka_unit_test(lambda_in_relations), cmocka_unit_test(relative_degree_two),
      cmocka_unit_test(force_not_finite),    cmocka_unit_test(too_many_events),
      cmocka_unit_test(contact_sets)};
  return cmocka_run_group_tests_name("event_driven.refusals", tests, NULL, NULL);
}
