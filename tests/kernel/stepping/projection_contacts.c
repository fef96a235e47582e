/*
 * Projection on constraints with contacts that open and close: stops, rough ground, piles; linkages
 * that are hyperstatic, constraints that contradict each other; what a projection leaves as it is,
 * its report, its memory.
 */
#include "any_joint.h"
#include "projection.h"

/* ---- what opens and closes ------------------------------------------------------------------- */

/* A slider between stops, in space or in the plane, at each step within them. */
static void stops_hold(void **state) {
  (void)state;
  for (int plane = 0; plane < 2; ++plane)
    for (int turns = 0; turns < 2; ++turns) {
      nsds_model *m = nsds_model_create(NULL);
      const double v[2][6] = {{0.6, 0.8, 0.0, 0.0, 0.0, 3.0}, {0.6, 0.8, 3.0}};
      nsds_ds *ds = body(m, plane, (const double[]){0, 0, 0}, v[plane], 0.0);
      nsds_joint_kind under = plane ? (turns ? NSDS_JOINT_HINGE : NSDS_JOINT_PRISMATIC)
                                    : (turns ? NSDS_JOINT_HINGE : NSDS_JOINT_CYLINDRICAL);
      any_joint_def def = {.kind = under, .ds = {ds}, .axis = {0.6, 0.8, 0}};
      nsds_interaction *ia[3];
      ia[0] = nsds_connect(m, any_joint(m, &def), nsds_equality(m), 1, &ds);
      nsds_law *law = nsds_newton_impact(m, 0.9);
      def.kind = turns ? ANY_ANGLE : ANY_SLIDE;
      for (int k = 0; k < 2; ++k) {
        def.reversed = k;
        def.offset = 0.25;
        ia[1 + k] = nsds_connect(m, any_joint(m, &def), law, 1, &ds);
      }
      nsds_simulation *s = nsds_time_stepping(
          m, &(nsds_time_stepping_def){
                 .t1 = 20.0, .h = 1e-3, .projection = {.kind = NSDS_PROJECTION_COMBINED}});
      assert_sound(m);
      int impacts = 0;
      while (nsds_step(s) == NSDS_OK) {
        const nsds_projection_info *info = &nsds_simulation_info(s)->projection;
        assert_true(info->converged);
        assert_int_equal(info->passes, 1 + (nsds_is_active(ia[1]) || nsds_is_active(ia[2])));
        impacts += info->passes - 1;
        for (int i = 0; i < nsds_interaction_size(ia[0]); ++i)
          assert_near(nsds_y(ia[0])[i], 0.0, 1e-10);
        for (int k = 0; k < 2; ++k) assert_true(nsds_y(ia[1 + k])[0] >= -1e-10);
      }
      assert_sound(m);
      assert_true(impacts > 10);
      nsds_model_destroy(m);
    }
}

/* A ball thrown onto rough ground: its gap is led back and nothing else of it, in space with a
 * rolling law and in the plane. At rest it weighs what it weighs, and does not chatter. */
static void a_ball_on_rough_ground(void **state) {
  (void)state;
  for (int kind = 1; kind <= 2; ++kind)
    for (int plane = 0; plane < 2; ++plane) {
      nsds_model *m = nsds_model_create(NULL);
      const double r = 0.1, x[3] = {0.0, plane ? 0.3 : 0.0, plane ? 0.0 : 0.3};
      nsds_ds *ds = body(m, plane, x, (const double[6]){1.0}, g);
      nsds_relation *gap = nsds_sphere_plane_relation(
          m, &(nsds_sphere_plane_relation_def){.dimension = plane ? 2 : 3,
                                               .rows = plane ? 2 : 5,
                                               .radius = r,
                                               .normal = {0, plane, !plane}});
      nsds_law *law = plane ? nsds_newton_impact_friction(
                                  m, &(nsds_newton_impact_friction_def){.dimension = 2, .mu = 0.4})
                            : nsds_newton_impact_rolling(m, &(nsds_newton_impact_rolling_def){
                                                                .mu = 0.4, .mu_rolling = 0.01});
      nsds_interaction *ia = nsds_connect(m, gap, law, 1, &ds);
      nsds_simulation *s = nsds_time_stepping(
          m, &(nsds_time_stepping_def){.t1 = 2.0, .h = 5e-3, .projection = {.kind = kind}});
      assert_sound(m);
      bool landed = false;
      while (nsds_step(s) == NSDS_OK) {
        const double *way = nsds_simulation_displacement(s, ds);
        for (int k = 0; k < (plane ? 3 : 6); ++k)
          if (k != (plane ? 1 : 2)) assert_near(way[k], 0.0, 0.0);
        if (landed || kind == NSDS_PROJECTION_COMBINED) assert_true(nsds_y(ia)[0] >= -1e-10);
        if (landed) assert_near(nsds_y(ia)[0], 0.0, 1e-10);
        if (landed && nsds_time(s) > 1.0) assert_near(nsds_impulse(ia)[0], 1.5 * g * 5e-3, 1e-6);
        landed = landed || nsds_is_active(ia);
      }
      assert_sound(m);
      assert_true(landed);
      nsds_model_destroy(m);
    }
}

/* Spheres fall into a box: what overlaps is led apart. While they come to rest an impact that was
 * not foreseen is there until the next step where the projection is direct. */
static void a_pile_without_overlap(void **state) {
  (void)state;
  enum { n = 27 };
  for (int kind = 1; kind <= 2; ++kind) {
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds[n];
    uint64_t seed = 5;
    const double J[9] = {[0] = 0.1, [4] = 0.1, [8] = 0.1};
    for (int k = 0; k < n; ++k) {
      const double q[7] = {1.1 * (k % 3) + random_in(&seed, 0, 0.05),
                           1.1 * (k / 3 % 3) + random_in(&seed, 0, 0.05), 0.6 + 1.1 * (k / 9), 1};
      ds[k] = nsds_rigid_body(
          m, &(nsds_rigid_body_def){.mass = 1.0, .inertia = J, .q0 = q, .gravity = {0, 0, -g}});
    }
    const nsds_plane box[] = {{{0, 0, 1}, 0},
                              {{1, 0, 0}, -0.6},
                              {{-1, 0, 0}, -2.8},
                              {{0, 1, 0}, -0.6},
                              {{0, -1, 0}, -2.8}};
    nsds_law *law = nsds_newton_impact_friction(m, &(nsds_newton_impact_friction_def){.mu = 0.5});
    nsds_spheres(m,
                 &(nsds_spheres_def){
                     .law = law, .count = n, .ds = ds, .radius = 0.5, .nplane = 5, .plane = box});
    nsds_simulation *s = nsds_time_stepping(
        m, &(nsds_time_stepping_def){
               .t1 = 3.5,
               .h = 5e-3,
               .tolerance = 1e-4,
               .projection = {.kind = kind, .tolerance = 1e-6, .activation = 1e-5}});
    assert_sound(m);
    double worst = 0.0, resting = 0.0, fastest = 0.0;
    while (nsds_step(s) == NSDS_OK) {
      double overlap = 0.0;
      assert_true(nsds_simulation_info(s)->projection.converged);
      for (int k = 0; k < n; ++k) {
        const double *a = nsds_q(ds[k]);
        overlap = worse(overlap, 0.5 - a[2]);
        for (int l = 0; l < k; ++l) {
          const double *b = nsds_q(ds[l]), d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
          overlap = worse(overlap, 1.0 - sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
        }
      }
      worst = worse(worst, overlap);
      if (nsds_time(s) < 3.0) continue;
      resting = worse(resting, overlap);
      for (int k = 0; k < n; ++k) {
        const double *v = nsds_v(ds[k]);
        fastest = worse(fastest, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
      }
    }
    print_message("             %s: overlap %.1e, from 3 s on %.1e at up to %.1e m/s\n",
                  kind == NSDS_PROJECTION_DIRECT ? "direct" : "combined", worst, resting, fastest);
    assert_sound(m);
    /* two steps of a fall from 3 m */
    assert_between(worst, 0.0, kind == NSDS_PROJECTION_DIRECT ? 2 * 5e-3 * 9.0 : 1e-6);
    /* two that roll towards each other */
    assert_between(resting, 0.0, kind == NSDS_PROJECTION_DIRECT ? 2 * 5e-3 * fastest : 1e-6);
    nsds_model_destroy(m);
  }
}

/* ---- what it says, and leaves ---------------------------------------------------------------- */

static nsds_interaction *hold(nsds_model *m, nsds_ds *ds, double at) {
  return nsds_connect(m,
                      nsds_lagrangian_linear_relation(
                          m,
                          &(nsds_lagrangian_linear_relation_def){
                              .ny = 1, .nq = 1, .H = (double[]){1.0}, .b = (double[]){-at}}),
                      nsds_equality(m), 1, &ds);
}

/* q = 0 and q = 1: nothing is better than where it is, or between; the step is made and says so. */
static void constraints_that_contradict(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian_linear(
      m, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = (double[]){1.0}, .q0 = (double[]){0.2}});
  for (int k = 0; k < 2; ++k) hold(m, ds, k);
  nsds_simulation *s = nsds_time_stepping(
      m, &(nsds_time_stepping_def){
             .t1 = 1.0, .h = 1e-2, .projection = {.kind = NSDS_PROJECTION_DIRECT}});
  assert_sound(m);
  while (nsds_step(s) == NSDS_OK) {
    const nsds_projection_info *info = &nsds_simulation_info(s)->projection;
    assert_false(info->converged);
    assert_between(info->violation, 0.5, 0.8);
    assert_near(fmax(fabs(nsds_q(ds)[0]), fabs(nsds_q(ds)[0] - 1.0)), info->violation, 1e-12);
  }
  assert_sound(m);
  nsds_model_destroy(m);
}

/* A parallelogram of three bodies on four hinges: fifteen rows and more than its bodies can move.
 */
static void a_hyperstatic_linkage(void **state) {
  (void)state;
  const double J[9] = {[0] = 0.02, [4] = 0.03, [8] = 0.04};
  const double place[3][3] = {{0.0, 0.0, -0.5}, {1.0, 0.0, -1.0}, {2.0, 0.0, -0.5}};
  const double pin[4][3] = {{0, 0, 0}, {0, 0, -1}, {2, 0, -1}, {2, 0, 0}};
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds[3];
  nsds_interaction *ia[4];
  for (int k = 0; k < 3; ++k) {
    const double q[7] = {place[k][0], 0, place[k][2], 1}, w = 2.0;
    const double v[6] = {w * (k == 1 ? -1.0 : -0.5), 0, 0, 0, k == 1 ? 0.0 : w, 0};
    ds[k] = nsds_rigid_body(
        m, &(nsds_rigid_body_def){
               .mass = 1.0 + k, .inertia = J, .q0 = q, .v0 = v, .gravity = {0, 0, -g}});
  }
  nsds_ds *pair[4][2] = {{ds[0]}, {ds[0], ds[1]}, {ds[1], ds[2]}, {ds[2]}};
  for (int k = 0; k < 4; ++k) {
    any_joint_def def = {.kind = NSDS_JOINT_HINGE,
                         .ds = {pair[k][0], pair[k][1]},
                         .point = {pin[k][0], pin[k][1], pin[k][2]},
                         .axis = {0, 1, 0}};
    ia[k] = nsds_connect(m, any_joint(m, &def), nsds_equality(m), pair[k][1] ? 2 : 1, def.ds);
  }
  nsds_simulation *s = nsds_time_stepping(
      m, &(nsds_time_stepping_def){
             .t1 = 5.0, .h = 1e-3, .projection = {.kind = NSDS_PROJECTION_DIRECT}});
  assert_sound(m);
  while (nsds_step(s) == NSDS_OK) {
    assert_true(nsds_simulation_info(s)->projection.converged);
    for (int k = 0; k < 4; ++k)
      for (int i = 0; i < 5; ++i) assert_near(nsds_y(ia[k])[i], 0.0, 1e-10);
  }
  assert_sound(m);
  nsds_model_destroy(m);
}

/* Dry friction in a hinge is no constraint of its angle; first-order systems have none. */
static void laws_that_keep_no_gap(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  const double J[9] = {[0] = 0.2, [4] = 0.2, [8] = 0.3};
  nsds_ds *ds = nsds_rigid_body(
      m, &(nsds_rigid_body_def){
             .mass = 1.0, .inertia = J, .v0 = (const double[6]){[5] = 2.0}, .gravity = {0, 0, -g}});
  any_joint_def def = {.kind = NSDS_JOINT_HINGE, .ds = {ds}, .axis = {0, 0, 1}};
  nsds_interaction *hinge = nsds_connect(m, any_joint(m, &def), nsds_equality(m), 1, &ds);
  def.kind = ANY_ANGLE;
  nsds_connect(m, any_joint(m, &def), nsds_relay(m, 1, (double[]){-0.6}, (double[]){0.6}), 1, &ds);
  nsds_ds *first = nsds_first_order_linear(
      m, &(nsds_first_order_linear_def){.n = 1, .x0 = (double[]){1.0}, .A = (double[]){-1.0}});
  nsds_simulation *s = nsds_time_stepping(
      m, &(nsds_time_stepping_def){
             .t1 = 0.5, .h = 1e-3, .projection = {.kind = NSDS_PROJECTION_DIRECT}});
  assert_sound(m);
  nsds_joint_motion motion;
  while (nsds_step(s) == NSDS_OK) {
    double t = nsds_time(s);
    assert_ok(m, nsds_joint_read(hinge, &motion));
    assert_near(motion.angle, 2.0 * t - t * t, 2e-3);
    assert_near(nsds_simulation_displacement(s, ds)[5], 0.0, 1e-15);
    assert_null(nsds_simulation_displacement(s, first));
  }
  assert_sound(m);
  nsds_model_destroy(m);
}

/* ---- bookkeeping ----------------------------------------------------------------------------- */

typedef struct chain {
  nsds_model *m;
  nsds_simulation *s;
} chain;

/* Two bodies on hinges, the second above a floor that it hits. */
static chain make_chain(nsds_context *context, nsds_projection_kind kind) {
  chain c = {.m = nsds_model_create(context)};
  nsds_ds *ds[2];
  for (int k = 0; k < 2; ++k) {
    ds[k] = body(c.m, false, (const double[]){0.5 + k, 0, 0}, NULL, g);
    any_joint_def def = {.kind = NSDS_JOINT_HINGE,
                         .ds = {ds[k], k ? ds[0] : NULL},
                         .point = {k, 0, 0},
                         .axis = {0, 1, 0.1}};
    nsds_connect(c.m, any_joint(c.m, &def), nsds_equality(c.m), k ? 2 : 1, def.ds);
  }
  nsds_relation *floor = nsds_sphere_plane_relation(
      c.m, &(nsds_sphere_plane_relation_def){.radius = 0.1, .normal = {0, 0, 1}, .offset = -0.6});
  nsds_law *law =
      nsds_newton_impact_friction(c.m, &(nsds_newton_impact_friction_def){.mu = 0.3, .e_n = 0.5});
  nsds_connect(c.m, floor, law, 1, &ds[1]);
  c.s = nsds_time_stepping(
      c.m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 2e-3, .projection = {.kind = kind}});
  assert_sound(c.m);
  return c;
}

/* In stages, from a saved state, whole: the same bits. No memory is asked for in steps. */
static void stages_saved_states_memory(void **state) {
  (void)state;
  for (int kind = 1; kind <= 2; ++kind) {
    meter memory = {0};
    nsds_context *context = meter_context(&memory);
    chain a = make_chain(context, kind), b = make_chain(NULL, kind);
    assert_ok(a.m, nsds_step(a.s));
    assert_ok(b.m, nsds_step(b.s));
    long calls = memory.calls;
    for (int k = 0; k < 150; ++k) assert_ok(a.m, nsds_step(a.s));
    assert_int_equal(memory.calls, calls);
    for (int k = 0; k < 150; ++k) {
      nsds_status status = NSDS_AGAIN;
      assert_ok(b.m, nsds_step_begin(b.s));
      while (status == NSDS_AGAIN) {
        assert_ok(b.m, nsds_step_solve(b.s));
        status = nsds_step_update(b.s);
      }
      assert_status(b.m, status, NSDS_OK);
      assert_ok(b.m, nsds_step_accept(b.s));
    }
    assert_true(state_hash(a.m, 1) == state_hash(b.m, 1));
    assert_ok(a.m, nsds_simulation_save(a.s));
    for (int k = 0; k < 100; ++k) assert_ok(a.m, nsds_step(a.s));
    uint64_t hash = state_hash(a.m, 1);
    assert_ok(a.m, nsds_simulation_restore(a.s));
    for (int k = 0; k < 100; ++k) assert_ok(a.m, nsds_step(a.s));
    assert_true(state_hash(a.m, 1) == hash);
    nsds_model_destroy(a.m);
    nsds_model_destroy(b.m);
    nsds_context_destroy(context);
    assert_int_equal(memory.live, 0);
  }
}

/* Refused values name themselves. */
static void refused(void **state) {
  (void)state;
  const struct {
    nsds_projection_def def;
    const char *word;
  } bad[] = {{{.kind = (nsds_projection_kind)7}, "projection.kind is 7"},
             {{.metric = (nsds_metric)3}, "projection.metric is 3"},
             {{.tolerance = -1e-8}, "projection.tolerance is -1e-08"},
             {{.tolerance = NAN}, "projection.tolerance is"},
             {{.activation = -2.0}, "projection.activation is -2"},
             {{.max_iterations = -2}, "projection.max_iterations is -2"}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
    nsds_model *m = nsds_model_create(NULL);
    assert_null(nsds_time_stepping(
        m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-2, .projection = bad[k].def}));
    assert_words(nsds_error_message(nsds_model_context(m)), &bad[k].word, 1);
    nsds_model_destroy(m);
  }
  assert_null(nsds_simulation_displacement(NULL, NULL));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stops_hold),
      cmocka_unit_test(a_ball_on_rough_ground),
      cmocka_unit_test(a_pile_without_overlap),
      cmocka_unit_test(constraints_that_contradict),
      cmocka_unit_test(a_hyperstatic_linkage),
      cmocka_unit_test(laws_that_keep_no_gap),
      cmocka_unit_test(stages_saved_states_memory),
      cmocka_unit_test(refused),
  };
  return cmocka_run_group_tests_name("kernel.projection_contacts", tests, NULL, NULL);
}
