/* What adaptive simulation refuses, and why its steps fail; each message once. A failed step leaves the model as it was. */
#include "support.h"

#include <stdio.h>

static void refused_with(nsds_model *model, const nsds_adaptive_def *def, nsds_status status,
                         const char *words) {
  nsds_context *context = nsds_model_context(model);
  assert_null(nsds_adaptive(model, def));
  assert_int_equal(nsds_error(context), status);
  if (!strstr(nsds_error_message(context), words))
    fail_msg("'%s' does not say '%s'", nsds_error_message(context), words);
  nsds_error_clear(context);
}

static const double one = 1.0;

static nsds_interaction *tank_with(nsds_model *model, nsds_law *law, int ny) {
  const double C[] = {1.0, 1.0, 1.0};
  nsds_ds *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.n = 1, .x0 = &one, .A = (double[]){-1.0}});
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){.ny = ny, .nx = 1, .C = C, .B = C});
  return nsds_connect(model, relation, law, 1, &ds);
}

static double never(const nsds_adaptive_view *at, int k, bool on, void *user) {
  (void)at, (void)k, (void)on, (void)user;
  return INFINITY;
}

static void definitions(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL), *other = nsds_model_create(NULL);
  nsds_interaction *ia = tank_with(other, nsds_equality(other), 1);
  tank_with(model, nsds_complementarity(model), 1);
  assert_null(nsds_adaptive(NULL, NULL));
  refused_with(model, NULL, NSDS_ERROR_ARGUMENT, "def is NULL");
  refused_with(model, &(nsds_adaptive_def){.t0 = 1.0, .t1 = 1.0}, NSDS_ERROR_VALUE, "t1 must be");
  refused_with(model, &(nsds_adaptive_def){.t1 = NAN}, NSDS_ERROR_VALUE, "t1 is nan");
  refused_with(model, &(nsds_adaptive_def){.t1 = 1.0, .output_period = 2.0}, NSDS_ERROR_VALUE,
               "output_period is 2");
  refused_with(model, &(nsds_adaptive_def){.t1 = 1.0, .largest_step = -1.0}, NSDS_ERROR_VALUE,
               "largest_step is -1");
  refused_with(model, &(nsds_adaptive_def){.t1 = 1.0, .settling = 0.5}, NSDS_ERROR_VALUE,
               "settling is 0.5");
  refused_with(model, &(nsds_adaptive_def){.t1 = 1.0, .tolerance = -2.0}, NSDS_ERROR_VALUE,
               "tolerance is -2");
  refused_with(model, &(nsds_adaptive_def){.t1 = 1.0, .solver_tolerance = NAN}, NSDS_ERROR_VALUE,
               "solver_tolerance");
  refused_with(model, &(nsds_adaptive_def){.t1 = 1.0, .nswitch = 1}, NSDS_ERROR_ARGUMENT,
               "give switched and margin");
  refused_with(model, &(nsds_adaptive_def){.t1 = 1.0, .nswitch = -1}, NSDS_ERROR_VALUE,
               "nswitch is -1");
  nsds_adaptive_def def = {.t1 = 1.0, .nswitch = 1, .switched = &ia, .margin = never};
  refused_with(model, &def, NSDS_ERROR_ARGUMENT, "another model");
  ia = nsds_interaction_at(model, 0);
  def.off_lower = &one;
  refused_with(model, &def, NSDS_ERROR_VALUE, "off_lower <= off_upper");
  const double negative = -1.0, none = NAN;
  refused_with(model, &(nsds_adaptive_def){.t1 = 1.0, .size = &negative}, NSDS_ERROR_VALUE,
               "nsds_adaptive: size[0] is -1");
  refused_with(model, &(nsds_adaptive_def){.t1 = 1.0, .size = &none}, NSDS_ERROR_VALUE,
               "size[0] is nan");
  nsds_interaction *const twice[] = {ia, ia};
  refused_with(model,
               &(nsds_adaptive_def){.t1 = 1.0, .nswitch = 2, .switched = twice, .margin = never},
               NSDS_ERROR_ARGUMENT, "switched[0] and switched[1] are both interaction");
  refused_with(model, &(nsds_adaptive_def){.t1 = 1.0, .solver = "no such"}, NSDS_ERROR_ARGUMENT,
               "no such");
  nsds_context *context = nsds_model_context(model);
  assert_null(nsds_relay(model, 0, NULL, NULL));
  assert_null(nsds_adaptive(model, &(nsds_adaptive_def){.t1 = 1.0})); /* the error stays */
  nsds_error_clear(context);
  nsds_model_destroy(other);
  nsds_model_destroy(model);
}

static int heavier(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 1.0 + in->t;
  return 0;
}

static int slow(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -0.1 * in->xdot[0];
  return 0;
}

/* kind: 0 prescribed velocities, 1 M(t), 2 f of dx/dt, 3 own integrator, 4 contact sets, 5 own scheme, 6 a law that couples rows */
static void fill(nsds_model *model, int kind) {
  nsds_ds *ds = NULL;
  const double H[] = {1, 1, -1, -1, 1, -1, 1, -1}, K[] = {-1, -1, -1, -1},
               J[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  switch (kind) {
  case 0:
    nsds_lagrangian_linear(model,
                           &(nsds_lagrangian_linear_def){
                               .ndof = 1, .mass = &one, .prescribed = {1, (int[]){0}, nsds_zero}});
    return;
  case 1:
    nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 1, .mass_fn = heavier});
    return;
  case 2:
    nsds_first_order(model, &(nsds_first_order_def){.n = 1,
                                                    .f_fn = slow,
                                                    .jac_f_x_fn = nsds_zero,
                                                    .control = {.n = 1,
                                                                .map = &one,
                                                                .fn = slow,
                                                                .jac_x_fn = nsds_zero,
                                                                .jac_xdot_fn = nsds_differences}});
    return;
  case 3:
    ds = nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 1});
    assert_ok(model, nsds_ds_set_integrator(ds, nsds_integrator_named("Euler-Moreau")));
    return;
  case 4:
    ds = nsds_rigid_body(model, &(nsds_rigid_body_def){.mass = 1.0, .inertia = J});
    nsds_shapes(model, &(nsds_shapes_def){.nmaterial = 1,
                                          .material = &(nsds_material){.mu = 0.1},
                                          .nshape = 1,
                                          .shape = &(nsds_shape_def){
                                              .kind = NSDS_SPHERE, .ds = ds, .radius = 0.1}});
    return;
  case 5:
    ds = nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 1});
    assert_ok(model, nsds_ds_discretise(ds, nsds_zero_order_hold()));
    return;
  default: tank_with(model, nsds_normal_cone(model, 2, 4, H, K), 2); return;
  }
}

static void models(void **state) {
  (void)state;
  const char *const words[] = {
      "prescribed velocities", "depends on time",   "depends on dx/dt", "integrator",
      "has contact sets",      "scheme of its own", "couples rows"};
  for (int kind = 0; kind < 7; ++kind) {
    nsds_model *model = nsds_model_create(NULL);
    fill(model, kind);
    assert_sound(model);
    refused_with(model, &(nsds_adaptive_def){.t1 = 1.0}, NSDS_ERROR_UNSUPPORTED, words[kind]);
    nsds_model_destroy(model);
  }
}

/* ---- steps that fail ---- */

typedef struct trouble {
  double corner;
  double margin;
  int turns;
} trouble;

static double troubled_corner(double t, void *user) {
  const trouble *w = user;
  return t < 0.3 ? HUGE_VAL : w->corner;
}

static double troubled_margin(const nsds_adaptive_view *at, int k, bool on, void *user) {
  trouble *w = user;
  (void)k;
  if (isnan(w->margin)) return at->t < 0.3 ? INFINITY : NAN;
  return on ? 1.0 - at->x[0] : at->x[0] - 1.0; /* without hysteresis */
}

static void fails(nsds_model *model, nsds_simulation *sim, nsds_ds *ds, nsds_status status,
                  const char *words) {
  nsds_context *context = nsds_model_context(model);
  assert_sound(model);
  nsds_status last = NSDS_OK;
  double before = NAN, t = NAN;
  while (last == NSDS_OK) {
    before = nsds_x(ds)[0];
    t = nsds_time(sim);
    last = nsds_step(sim);
  }
  assert_int_equal(last, status);
  if (!strstr(nsds_error_message(context), words))
    fail_msg("'%s' does not say '%s'", nsds_error_message(context), words);
  assert_true(nsds_x(ds)[0] == before && nsds_time(sim) == t);
  nsds_error_clear(context);
}

static void functions_of_time(void **state) {
  (void)state;
  for (int kind = 0; kind < 3; ++kind) {
    trouble w = {.corner = kind == 0 ? 0.1 : NAN, .margin = kind == 2 ? NAN : 1.0};
    nsds_model *model = nsds_model_create(NULL);
    nsds_interaction *ia = tank_with(model, nsds_equality(model), 1);
    nsds_simulation *sim =
        nsds_adaptive(model, &(nsds_adaptive_def){.t1 = 1.0,
                                                  .next_corner = kind < 2 ? troubled_corner : NULL,
                                                  .nswitch = kind == 2,
                                                  .switched = &ia,
                                                  .margin = kind == 2 ? troubled_margin : NULL,
                                                  .user = &w});
    fails(model, sim, nsds_ds_at(model, 0), NSDS_ERROR_CALLBACK,
          kind == 2 ? "margin of switch 0" : "next_corner");
    nsds_model_destroy(model);
  }
}

/* Changes of the model between steps: of systems, interactions and the solver. */
static void changes(void **state) {
  (void)state;
  const double size = 1.0, J[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  nsds_model *model = nsds_model_create(NULL);
  nsds_context *context = nsds_model_context(model);
  nsds_interaction *ia = tank_with(model, nsds_equality(model), 1);
  nsds_simulation *sim = nsds_adaptive(
      model, &(nsds_adaptive_def){
                 .t1 = 10.0, .size = &size, .nswitch = 1, .switched = &ia, .margin = never});
  assert_sound(model);
  for (int k = 0; k < 3; ++k) assert_ok(model, nsds_step(sim));
  assert_ok(model, nsds_simulation_set_solver(sim, "enumeration", 0.0));
  tank_with(model, nsds_relay(model, 1, (double[]){-1.0}, &one), 1);
  for (int k = 0; k < 3; ++k) assert_ok(model, nsds_step(sim));
  assert_true(fabs(nsds_x(nsds_ds_at(model, 0))[0] - exp(-nsds_time(sim))) < 1e-3);
  nsds_ds *body = nsds_rigid_body(model, &(nsds_rigid_body_def){.mass = 1.0, .inertia = J});
  assert_ok(model, nsds_step(sim));
  nsds_ds *held = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){
                 .ndof = 1, .mass = &one, .prescribed = {1, (int[]){0}, nsds_zero}});
  assert_int_equal(nsds_step(sim), NSDS_ERROR_UNSUPPORTED);
  nsds_error_clear(context);
  assert_ok(model, nsds_ds_destroy(held));
  assert_ok(model, nsds_step(sim));
  assert_ok(model, nsds_ds_destroy(body));
  assert_ok(model, nsds_step(sim));
  nsds_model_destroy(model);
}

static double never_off(const nsds_adaptive_view *at, int k, bool on, void *user) {
  (void)at, (void)k, (void)user;
  return on ? INFINITY : -INFINITY;
}

/* Two switches hold two tanks at zero. Without its interaction a tank is free, the other stays held; without both, free. */
static void switched_interactions_go(void **state) {
  (void)state;
  for (int turn = 0; turn < 8; ++turn) {
    nsds_model *model = nsds_model_create(NULL);
    const double C = 1.0, D = 0.01, A = -1.0;
    nsds_ds *ds[2];
    nsds_interaction *ia[2];
    for (int k = 0; k < 2; ++k) {
      ds[k] = nsds_first_order_linear(model,
                                      &(nsds_first_order_linear_def){.n = 1, .x0 = &one, .A = &A});
      nsds_relation *relation = nsds_first_order_linear_relation(
          model,
          &(nsds_first_order_linear_relation_def){.ny = 1, .nx = 1, .C = &C, .B = &C, .D = &D});
      ia[k] = nsds_connect(model, relation, nsds_equality(model), 1, &ds[k]);
    }
    nsds_simulation *sim = nsds_adaptive(model, &(nsds_adaptive_def){.t1 = 10.0,
                                                                     .tolerance = 1e-6,
                                                                     .by_laws = turn & 4,
                                                                     .nswitch = 2,
                                                                     .switched = ia,
                                                                     .margin = never_off});
    assert_sound(model);
    for (int k = 0; k < 2; ++k) assert_false(nsds_is_active(ia[k]));
    for (int k = 0; k < 20; ++k) assert_ok(model, nsds_step(sim));
    for (int k = 0; k < 2; ++k) {
      assert_true(nsds_is_active(ia[k]));
      assert_true(nsds_adaptive_is_on(sim, k));
    }
    int gone = turn & 1;
    assert_ok(model, nsds_disconnect(ia[gone]));
    assert_ok(model, nsds_set_x(ds[gone], &one));
    double t = nsds_time(sim), held = nsds_x(ds[!gone])[0];
    if (turn & 2) { /* another takes its memory, which no switch moves */
      nsds_relation *relation = nsds_first_order_linear_relation(
          model, &(nsds_first_order_linear_relation_def){.ny = 1, .nx = 1, .C = &C, .B = &C});
      nsds_connect(model, relation, nsds_relay(model, 1, (double[]){0.0}, (double[]){0.0}), 1,
                   &ds[gone]);
    }
    for (int k = 0; k < 20; ++k) assert_ok(model, nsds_step(sim));
    assert_false(nsds_adaptive_is_on(sim, gone));
    assert_true(nsds_adaptive_is_on(sim, !gone));
    assert_near(nsds_x(ds[gone])[0], exp(t - nsds_time(sim)), 1e-3);
    assert_true(fabs(nsds_x(ds[!gone])[0]) <= fabs(held) + 1e-12);
    assert_ok(model, nsds_disconnect(ia[!gone]));
    assert_ok(model, nsds_set_x(ds[!gone], &one));
    t = nsds_time(sim);
    while (nsds_step(sim) == NSDS_OK) {
    }
    assert_sound(model);
    assert_near(nsds_x(ds[!gone])[0], exp(t - nsds_time(sim)), 1e-3);
    nsds_model_destroy(model);
  }
}

/* Without a grid there is no step to set; with one, steps go to the times of the new grid. A scheme of its own is refused
 * between steps too, and taking it back lets the run go on. */
static void steps_set_from_outside(void **state) {
  (void)state;
  for (int grid = 0; grid < 2; ++grid) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_context *context = nsds_model_context(model);
    tank_with(model, nsds_equality(model), 1);
    nsds_simulation *sim =
        nsds_adaptive(model, &(nsds_adaptive_def){.t1 = 1.0, .output_period = grid ? 0.1 : 0.0});
    assert_ok(model, nsds_step(sim));
    double t = nsds_time(sim);
    nsds_status status = nsds_simulation_set_h(sim, 0.25);
    assert_int_equal(status, grid ? NSDS_OK : NSDS_ERROR_UNSUPPORTED);
    if (!grid) assert_non_null(strstr(nsds_error_message(context), "largest_step"));
    nsds_error_clear(context);
    nsds_ds *ds = nsds_ds_at(model, 0);
    assert_ok(model, nsds_ds_discretise(ds, nsds_zero_order_hold()));
    assert_int_equal(nsds_step(sim), NSDS_ERROR_UNSUPPORTED);
    assert_non_null(strstr(nsds_error_message(context), "scheme of its own"));
    nsds_error_clear(context);
    assert_ok(model, nsds_ds_discretise(ds, (nsds_discretisation){0}));
    assert_ok(model, nsds_step(sim));
    if (grid) assert_near(nsds_time(sim), t + 0.25, 1e-12);
    nsds_model_destroy(model);
  }
}

/* A source fills a tank while a switch is on, which is off at 1 and on below: without end. */
static void endless_switching(void **state) {
  (void)state;
  trouble w = {.margin = 1.0};
  const double A = -1.0, C = 1.0, D = 1.0, e = -10.0;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 1, .A = &A});
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){
                 .ny = 1, .nx = 1, .C = &C, .B = &C, .D = &D, .e = &e});
  nsds_interaction *ia = nsds_connect(model, relation, nsds_equality(model), 1, &ds);
  nsds_simulation *sim = nsds_adaptive(
      model, &(nsds_adaptive_def){
                 .t1 = 1.0, .nswitch = 1, .switched = &ia, .margin = troubled_margin, .user = &w});
  fails(model, sim, ds, NSDS_ERROR_VALUE, "hysteresis");
  nsds_model_destroy(model);
}

static int root_f(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  double x = in->x[0] - 0.7;
  out[0] = in->t > 0.3 ? 2.0 + x * x : -in->x[0]; /* M = 0: no solution later */
  return 0;
}

static int root_a(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->t > 0.3 ? 2.0 * (in->x[0] - 0.7) : -1.0;
  return 0;
}

static int wall(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->t - 0.3;
  return 0;
}

/* kind: 0 Newton's method; 1 an unknown in no equation; 2 lambda >= 0 does not act on y = 0.3 - t >= 0 */
static void no_solution(void **state) {
  (void)state;
  const char *const words[] = {"did not converge", "do not determine", "no solution"};
  const nsds_status status[] = {NSDS_ERROR_NEWTON, NSDS_ERROR_SINGULAR, NSDS_ERROR_SOLVER};
  for (int kind = 0; kind < 3; ++kind) {
    nsds_model *model = nsds_model_create(NULL);
    const double none[4] = {0}, M[4] = {1.0}, A[4] = {-1.0}, C[] = {-1.0}, B[] = {0.0};
    nsds_ds *ds;
    if (kind == 0)
      ds = nsds_first_order(model, &(nsds_first_order_def){
                                       .n = 1, .mass = none, .f_fn = root_f, .jac_f_x_fn = root_a});
    else if (kind == 1)
      ds =
          nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 2, .mass = M, .A = A});
    else {
      ds = nsds_first_order_linear(model,
                                   &(nsds_first_order_linear_def){.n = 1, .x0 = C, .b_fn = wall});
      nsds_relation *relation = nsds_first_order_linear_relation(
          model, &(nsds_first_order_linear_relation_def){
                     .ny = 1, .nx = 1, .C = C, .B = B, .e = (double[]){-1.05}});
      nsds_connect(model, relation, nsds_complementarity(model), 1, &ds);
    }
    nsds_simulation *sim = nsds_adaptive(model, &(nsds_adaptive_def){.t1 = 5.0});
    fails(model, sim, ds, status[kind], words[kind]);
    nsds_model_destroy(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(definitions),
                                     cmocka_unit_test(models),
                                     cmocka_unit_test(functions_of_time),
                                     cmocka_unit_test(changes),
                                     cmocka_unit_test(switched_interactions_go),
                                     cmocka_unit_test(steps_set_from_outside),
                                     cmocka_unit_test(endless_switching),
                                     cmocka_unit_test(no_solution)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
