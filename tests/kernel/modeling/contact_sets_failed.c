/*
 * A search for contacts that fails half way leaves no contact that is not complete: the problem is
 * structured anew at once, for another solver, for more systems, in stages.
 */
#include "found.h"

enum { many = 24 };

static const double up[6] = {0, 0, 1, 0, 0, 0};

typedef struct scene {
  nsds_model *m;
  nsds_simulation *s;
  nsds_ds *ds[many];
  found f; /* contacts with the ground, one a body, and between neighbours */
} scene;

static nsds_ds *make_ball(nsds_model *m, int k) {
  const double J[9] = {0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01}, q[7] = {k, 0, 0.1, 1, 0, 0, 0};
  return nsds_rigid_body(
      m, &(nsds_rigid_body_def){.mass = 1.0, .inertia = J, .q0 = q, .gravity = {0, 0, -10.0}});
}

static void open_scene(scene *c, nsds_projection_kind projection) {
  *c = (scene){.m = nsds_model_create(NULL)};
  for (int k = 0; k < many; ++k) c->ds[k] = make_ball(c->m, k);
  found_create(&c->f, c->m, "list", nsds_newton_impact(c->m, 0.0), 1);
  for (int k = 0; k < many; ++k) found_add(&c->f, c->ds[k], NULL, up, -0.1);
  for (int k = 1; k < many; ++k) {
    const double pair[12] = {[2] = 1.0, [8] = -1.0};
    found_add(&c->f, c->ds[k], c->ds[k - 1], pair, 1e-3)->away = true;
  }
  c->s = nsds_time_stepping(
      c->m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-2, .projection = {.kind = projection}});
  assert_sound(c->m);
}

/* Of more contacts than ever, the one in the middle is not finite. */
static void fail_half_way(scene *c) {
  double *shift = &c->f.item[many / 2].shift[0], kept = *shift;
  for (int k = 0; k < c->f.count; ++k) c->f.item[k].away = false;
  *shift = NAN;
  assert_status(c->m, nsds_step(c->s), NSDS_ERROR_CALLBACK);
  nsds_error_clear(nsds_model_context(c->m));
  *shift = kept;
}

/* After steps with contacts, and as the very first thing. */
static void another_solver(void **state) {
  (void)state;
  static const char *const solver[] = {"nsgs", "admm", "lemke", "interior_point", "auto"};
  for (int projection = NSDS_PROJECTION_NONE; projection <= NSDS_PROJECTION_COMBINED; ++projection)
    for (int before = 0; before < 3; before += 2)
      for (size_t k = 0; k < sizeof solver / sizeof *solver; ++k) {
        scene c;
        open_scene(&c, projection);
        for (int n = 0; n < before; ++n) assert_ok(c.m, nsds_step(c.s));
        fail_half_way(&c);
        assert_ok(c.m, nsds_simulation_set_solver(c.s, solver[k], 1e-8));
        for (int n = 0; n < 3; ++n) assert_ok(c.m, nsds_step(c.s));
        assert_int_equal(nsds_contact_set_count(c.f.set), 2 * many - 1);
        for (int n = 0; n < many; ++n) assert_near(nsds_v(c.ds[n])[2], 0.0, 1e-6);
        nsds_model_destroy(c.m);
      }
}

/* More systems, relations and interactions come before the next search; it fails again. */
static void another_graph(void **state) {
  (void)state;
  scene c;
  open_scene(&c, NSDS_PROJECTION_DIRECT);
  assert_ok(c.m, nsds_step(c.s));
  for (int round = 0; round < 3; ++round) {
    fail_half_way(&c);
    nsds_ds *ds = make_ball(c.m, many + round);
    nsds_relation *gap = nsds_sphere_plane_relation(
        c.m, &(nsds_sphere_plane_relation_def){.rows = 1, .radius = 0.1, .normal = {0, 0, 1}});
    assert_non_null(nsds_connect(c.m, gap, nsds_newton_impact(c.m, 0.0), 1, &ds));
    if (round == 1) assert_ok(c.m, nsds_simulation_set_solver(c.s, "admm", 1e-8));
    fail_half_way(&c);
    if (round == 2) assert_ok(c.m, nsds_step(c.s));
  }
  assert_ok(c.m, nsds_step(c.s));
  nsds_model_destroy(c.m);
}

static int put_zeros(double *out, int count) {
  for (int k = 0; k < count; ++k) out[k] = 0.0;
  return 0;
}

static int zero_1(const nsds_arguments *in, double *out, void *user) {
  (void)in;
  (void)user;
  return put_zeros(out, 1);
}

static int zero_3(const nsds_arguments *in, double *out, void *user) {
  (void)in;
  (void)user;
  return put_zeros(out, 3);
}

static int zero_9(const nsds_arguments *in, double *out, void *user) {
  (void)in;
  (void)user;
  return put_zeros(out, 9);
}

/* Balls of which one is not to be found, since it shares an iteration matrix: twelfth of a batch. */
static void a_batch_refused(void **state) {
  (void)state;
  for (int before = 0; before < 2; ++before) {
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds[many];
    for (int k = 0; k < many; ++k)
      ds[k] = nsds_rigid_body_2d(
          m, &(nsds_rigid_body_2d_def){
                 .mass = 1.0, .inertia = 1.0, .q0 = (double[]){k, 0.5, 0}, .gravity = {0, -10.0}});
    const double radius = 0.5;
    nsds_shape_def shape[many + 1] = {{.kind = NSDS_HALF_SPACE, .plane = {.normal = {0, 1, 0}}}};
    for (int k = 0; k < many; ++k)
      shape[k + 1] = (nsds_shape_def){.kind = NSDS_SPHERE, .ds = ds[k], .radius = radius};
    assert_non_null(nsds_shapes(m, &(nsds_shapes_def){.dimension = 2,
                                                      .law = nsds_newton_impact(m, 0.0),
                                                      .nshape = many + 1,
                                                      .shape = shape}));
    nsds_simulation *s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-2});
    assert_sound(m);
    for (int n = 0; n < before; ++n) assert_ok(m, nsds_step(s));
    nsds_relation *mixed =
        nsds_mixed_relation(m, &(nsds_mixed_relation_def){.ny = 1,
                                                          .nq = 3,
                                                          .output_fn = zero_1,
                                                          .jac_output_q_fn = zero_3,
                                                          .jac_output_v_fn = zero_3,
                                                          .input_fn = zero_3,
                                                          .jac_input_lambda_fn = zero_3,
                                                          .jac_input_q_fn = zero_9});
    assert_non_null(mixed);
    nsds_interaction *ia =
        nsds_connect(m, mixed, nsds_relay(m, 1, (double[]){-1}, (double[]){1}), 1, &ds[many / 2]);
    assert_sound(m);
    assert_true(nsds_step(s) < 0);
    nsds_error_clear(nsds_model_context(m));
    assert_ok(m, nsds_simulation_set_solver(s, "nsgs", 1e-8));
    assert_true(nsds_step(s) < 0);
    nsds_error_clear(nsds_model_context(m));
    assert_ok(m, nsds_disconnect(ia));
    assert_ok(m, nsds_step(s));
    for (int k = 0; k < many; ++k) assert_near(nsds_v(ds[k])[1], 0.0, 1e-6);
    nsds_model_destroy(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(another_solver),
      cmocka_unit_test(another_graph),
      cmocka_unit_test(a_batch_refused),
  };
  return cmocka_run_group_tests_name("kernel.contact_sets_failed", tests, NULL, NULL);
}
