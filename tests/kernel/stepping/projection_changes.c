/*
 * Projection while the model changes: walls that are copies of one law, each active by itself;
 * joints and contacts that come and go; another solver; steps in halves; systems that are added.
 */
#include "projection.h"

/* A point in a box whose four walls are rows of one relation: they hold one by one. */
static void copies_hold_one_by_one(void **state) {
  (void)state;
  for (int kind = 1; kind <= 2; ++kind) {
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds = nsds_lagrangian_linear(
        m, &(nsds_lagrangian_linear_def){.ndof = 2,
                                         .q0 = (double[]){0.2, 0.7},
                                         .v0 = (double[]){3.0, 1.0},
                                         .mass = (double[]){1.0, 0.3, 0.3, 2.0},
                                         .fext = (double[]){0.0, -2.0 * g}});
    nsds_relation *walls = nsds_lagrangian_linear_relation(
        m, &(nsds_lagrangian_linear_relation_def){.ny = 4,
                                                  .nq = 2,
                                                  .H = (double[]){1, -1, 0, 0, 0, 0, 1, -1},
                                                  .b = (double[]){0, 1, 0, 1}});
    nsds_interaction *ia = nsds_connect(m, walls, nsds_newton_impact(m, 0.8), 1, &ds);
    nsds_simulation *s = nsds_time_stepping(
        m, &(nsds_time_stepping_def){.t1 = 10.0, .h = 2e-3, .projection = {.kind = kind}});
    assert_sound(m);
    int seen[4] = {0};
    while (nsds_step(s) == NSDS_OK) {
      assert_true(nsds_simulation_info(s)->projection.converged);
      for (int i = 0; i < 4; ++i) {
        seen[i] += nsds_impulse(ia)[i] > 0.0;
        double least = kind == NSDS_PROJECTION_COMBINED ? -1e-10 : -5.0 * 2e-3;
        assert_true(nsds_y(ia)[i] >= least);
      }
    }
    assert_sound(m);
    assert_true(seen[0] > 0 && seen[1] > 0 && seen[2] > 0);
    nsds_model_destroy(m);
  }
}

/* Of a chain of bodies a joint is taken off and put on again, a floor comes and goes, a body is
 * added, the solver is another: what is connected holds. */
static void what_comes_and_goes(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds[3];
  nsds_interaction *ia[3];
  nsds_law *equality = nsds_equality(m);
  nsds_law *law =
      nsds_newton_impact_friction(m, &(nsds_newton_impact_friction_def){.mu = 0.2, .e_n = 0.3});
  for (int k = 0; k < 2; ++k) {
    ds[k] = body(m, false, (const double[]){0.5 + k, 0, 0}, NULL, g);
    nsds_joint_def def = {
        .kind = NSDS_JOINT_BALL, .ds = {ds[k], k ? ds[0] : NULL}, .point = {k, 0, 0}};
    ia[k] = nsds_connect(m, nsds_joint(m, &def), equality, k ? 2 : 1, def.ds);
  }
  nsds_simulation *s = nsds_time_stepping(
      m, &(nsds_time_stepping_def){.t1 = 10.0,
                                   .h = 1e-3,
                                   .max_halvings = 2,
                                   .projection = {.kind = NSDS_PROJECTION_DIRECT}});
  assert_sound(m);
  int joints = 2;
  nsds_interaction *floor = NULL;
  for (int k = 0; k < 3000; ++k) {
    if (k % 300 == 100) {
      assert_ok(m, nsds_disconnect(ia[--joints]));
    } else if (k % 300 == 200) {
      const double *q = nsds_q(ds[joints]);
      nsds_joint_def def = {.kind = NSDS_JOINT_DISTANCE,
                            .ds = {ds[joints], ds[0]},
                            .point = {q[0], q[1], q[2]},
                            .other = {nsds_q(ds[0])[0], nsds_q(ds[0])[1], nsds_q(ds[0])[2] + 0.1}};
      ia[joints++] = nsds_connect(m, nsds_joint(m, &def), equality, 2, def.ds);
    }
    if (k % 700 == 350) {
      nsds_relation *plane = nsds_sphere_plane_relation(
          m, &(nsds_sphere_plane_relation_def){
                 .radius = 0.1, .normal = {0, 0, 1}, .offset = nsds_q(ds[0])[2] - 0.3});
      floor = nsds_connect(m, plane, law, 1, &ds[0]);
    } else if (k % 700 == 600) {
      assert_ok(m, nsds_disconnect(floor));
      floor = NULL;
    }
    if (k == 1500) ds[2] = body(m, false, (const double[]){5, 0, 0}, NULL, g);
    if (k == 2000) assert_ok(m, nsds_simulation_set_solver(s, "nsgs", 1e-9));
    assert_ok(m, nsds_step(s));
    assert_true(nsds_simulation_info(s)->projection.converged);
    for (int j = 0; j < joints; ++j)
      for (int i = 0; i < nsds_interaction_size(ia[j]); ++i)
        assert_near(nsds_y(ia[j])[i], 0.0, 1e-10);
  }
  assert_near(nsds_q(ds[2])[2], -0.5 * g * 1.5 * 1.5, 1e-9); /* nothing has displaced it */
  assert_near(nsds_simulation_displacement(s, ds[2])[2], 0.0, 0.0);
  assert_sound(m);
  nsds_model_destroy(m);
}

/* A body on a hinge that meets a floor, with every allocation refused once: nothing is lost, and
 * what is made again works. */
static bool with_failure(long fail_at, nsds_projection_kind kind) {
  meter memory = {.fail_at = fail_at};
  nsds_context *context = meter_context(&memory);
  nsds_model *m = context ? nsds_model_create(context) : NULL;
  if (m) {
    nsds_ds *ds = body(m, false, (const double[]){0.5, 0, 0}, NULL, g);
    nsds_joint_def def = {.kind = NSDS_JOINT_HINGE, .ds = {ds}, .axis = {0, 1, 0}};
    nsds_relation *floor = nsds_sphere_plane_relation(
        m, &(nsds_sphere_plane_relation_def){.radius = 0.1, .normal = {0, 0, 1}, .offset = -0.2});
    nsds_law *law =
        nsds_newton_impact_friction(m, &(nsds_newton_impact_friction_def){.mu = 0.2, .e_n = 0.3});
    if (ds) nsds_connect(m, nsds_joint(m, &def), nsds_equality(m), 1, &ds);
    if (ds) nsds_connect(m, floor, law, 1, &ds);
    nsds_simulation *s = nsds_time_stepping(
        m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-2, .projection = {.kind = kind}});
    for (int k = 0; s && k < 30; ++k) {
      nsds_status status = nsds_step(s);
      assert_true(status == NSDS_OK || (memory.failed && status == NSDS_ERROR_MEMORY));
    }
    nsds_error_clear(context);
    if (memory.failed) nsds_simulation_destroy(s);
    nsds_model_destroy(m);
  }
  nsds_context_destroy(context);
  assert_int_equal(memory.live, 0);
  return memory.failed;
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  for (int kind = 1; kind <= 2; ++kind) {
    long n = 1;
    while (with_failure(n, (nsds_projection_kind)kind)) ++n;
    assert_true(n > 20);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(copies_hold_one_by_one),
                                     cmocka_unit_test(what_comes_and_goes),
                                     cmocka_unit_test(every_allocation_may_fail)};
  return cmocka_run_group_tests_name("kernel.projection_changes", tests, NULL, NULL);
}
