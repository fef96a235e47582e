/*
 * Contact sets of balls: motions against the same contacts as interactions and against closed
 * forms, pairs against all pairs looked at one by one.
 */
#include "found.h"
#include "scenes.h"

static const double g = 9.81;

static nsds_ds *ball(nsds_model *model, int n, double mass, const double *q, const double *v,
                     const double *weight) {
  double M[36] = {0.0}, F[6] = {0.0};
  for (int i = 0; i < n; ++i) {
    M[i * (n + 1)] = mass;
    if (weight) F[i] = mass * weight[i];
  }
  return nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = n, .q0 = q, .v0 = v, .mass = M, .fext = F});
}

/* ---- one ball on a half space ---- */

/* Beside an interaction with the same gap, in a frame that is inclined. */
static void one_ball_as_an_interaction(void **state) {
  (void)state;
  const double n2[] = {0.6, 0.8}, n3[] = {2.0 / 7.0, 3.0 / 7.0, 6.0 / 7.0}, radius = 0.1;
  for (int dimension = 2; dimension <= 3; ++dimension)
    for (int e = 0; e <= 1; ++e) {
      const double *n = dimension == 2 ? n2 : n3;
      double q[3], v[3], weight[3];
      for (int i = 0; i < 3; ++i) {
        weight[i] = i < dimension ? -g * n[i] : 0.0;
        q[i] = i < dimension ? 0.7 * n[i] : 0.0;
        v[i] = 0.1 * (i + 1);
      }
      nsds_model *model[2];
      nsds_ds *ds[2];
      nsds_simulation *simulation[2];
      nsds_contact_set *set = NULL;
      nsds_interaction *contact = NULL;
      for (int k = 0; k < 2; ++k) {
        model[k] = nsds_model_create(NULL);
        ds[k] = ball(model[k], dimension, 2.0, q, v, weight);
        nsds_law *law = nsds_newton_impact(model[k], 0.5 * e);
        if (k == 0)
          set = nsds_balls(model[k], &(nsds_balls_def){.law = law,
                                                       .count = 1,
                                                       .ds = &ds[k],
                                                       .dimension = dimension,
                                                       .radius = radius,
                                                       .normal = n,
                                                       .offset = 0.2});
        else
          contact = nsds_connect(
              model[k],
              nsds_lagrangian_linear_relation(
                  model[k],
                  &(nsds_lagrangian_linear_relation_def){
                      .ny = 1, .nq = dimension, .H = n, .b = (double[]){-0.2 - radius}}),
              law, 1, &ds[k]);
        simulation[k] = nsds_time_stepping(
            model[k],
            &(nsds_time_stepping_def){.t1 = 2.0, .h = 1e-3, .overlap_sweeps = NSDS_OVERLAP_STAYS});
        assert_sound(model[k]);
      }
      int touched = 0;
      while (nsds_step(simulation[0]) == NSDS_OK) {
        assert_ok(model[1], nsds_step(simulation[1]));
        for (int i = 0; i < dimension; ++i) {
          assert_near(nsds_q(ds[0])[i], nsds_q(ds[1])[i], 1e-13);
          assert_near(nsds_v(ds[0])[i], nsds_v(ds[1])[i], 1e-13);
          assert_near(nsds_p(ds[0])[i], nsds_p(ds[1])[i], 1e-13);
        }
        nsds_contact_info info;
        bool there = found_get(set, 0, &info);
        assert_true(there || !nsds_is_active(contact));
        if (!there) continue;
        assert_ptr_equal(info.ds[0], ds[0]);
        assert_null(info.ds[1]);
        assert_true(info.active == nsds_is_active(contact));
        assert_near(*info.y, *nsds_y(contact), 1e-13);
        assert_near(*info.ydot, *nsds_ydot(contact), 1e-13);
        assert_near(*info.impulse, *nsds_impulse(contact), 1e-13);
        assert_near(*info.force, *nsds_lambda(contact), 1e-10);
        touched += info.active;
      }
      assert_true(touched > 2);
      assert_sound(model[0]);
      for (int k = 0; k < 2; ++k) nsds_model_destroy(model[k]);
    }
}

/* After the bounce of a ball let fall from a height d the apex is e^2 d above the floor; the time
 * of the impact is off by less than a step, and so is the error of first order. */
static void bouncing_ball(void **state) {
  (void)state;
  const double d = 1.0, e = 0.5, end = sqrt(2.0 * d / g) * (1.0 + e); /* at the apex */
  const double n[] = {0.0, 1.0}, weight[] = {0.0, -g};
  for (int k = 0; k < 4; ++k) {
    double h = ldexp(1e-2, -k);
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = ball(model, 2, 1.0, (double[]){0.0, d + 0.1}, NULL, weight);
    nsds_balls(model, &(nsds_balls_def){.law = nsds_newton_impact(model, e),
                                        .count = 1,
                                        .ds = &ds,
                                        .dimension = 2,
                                        .radius = 0.1,
                                        .normal = n});
    nsds_simulation *s = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = end, .h = h});
    assert_sound(model);
    assert_status(model, nsds_run(s), NSDS_END);
    /* turns round a step early or late, by the velocity at the start of a step */
    double speed = sqrt(2.0 * g * d);
    assert_near(nsds_q(ds)[1] - 0.1, e * e * d, (1.0 + 2.0 * e) * speed * h + g * h * h);
    assert_near(nsds_v(ds)[1], 0.0, (1.0 + 2.0 * e) * g * h);
    nsds_model_destroy(model);
  }
}

/* ---- pairs ---- */

/* Two balls of masses 1 and 3 meet along a line in space. */
static void head_on(void **state) {
  (void)state;
  const double m[] = {1.0, 3.0}, speed[] = {2.0, -1.0}, line2[] = {-0.6, 0.8},
               line3[] = {-2.0 / 7.0, 3.0 / 7.0, 6.0 / 7.0};
  for (int dimension = 2; dimension <= 3; ++dimension)
    for (int ke = 0; ke <= 4; ++ke) {
      const double *line = dimension == 2 ? line2 : line3;
      double e = 0.25 * ke;
      nsds_model *model = nsds_model_create(NULL);
      nsds_ds *ds[2];
      for (int k = 0; k < 2; ++k) {
        double q[3], v[3];
        for (int i = 0; i < dimension; ++i) {
          q[i] = (k ? 0.4 : -0.4) * line[i];
          v[i] = speed[k] * line[i];
        }
        ds[k] = ball(model, dimension, m[k], q, v, NULL);
      }
      nsds_contact_set *set =
          nsds_balls(model, &(nsds_balls_def){.law = nsds_newton_impact(model, e),
                                              .count = 2,
                                              .ds = ds,
                                              .dimension = dimension,
                                              .radius = 0.1,
                                              .pairs = true});
      nsds_simulation *s = run(model, &(nsds_time_stepping_def){.t1 = 0.3, .h = 1e-3}, 0);
      (void)s;
      double centre = (m[0] * speed[0] + m[1] * speed[1]) / (m[0] + m[1]), relative = -3.0;
      for (int i = 0; i < dimension; ++i) {
        /* v_1 - v_0 turns round: from -3 to 3 e */
        assert_near(nsds_v(ds[0])[i], (centre + m[1] / 4.0 * e * relative) * line[i], 1e-12);
        assert_near(nsds_v(ds[1])[i], (centre - m[0] / 4.0 * e * relative) * line[i], 1e-12);
      }
      assert_int_equal(nsds_contact_set_count(set), 0.1 * 3.0 * e < 0.1);
      nsds_model_destroy(model);
    }
}

/* A column of balls in two and three dimensions, beside beads with interactions. */
static void column(void **state) {
  (void)state;
  enum { n = 12 };
  for (int dimension = 2; dimension <= 3; ++dimension)
    for (int e = 0; e <= 1; ++e) {
      bead_scene scene;
      nsds_model *model[2] = {nsds_model_create(NULL), nsds_model_create(NULL)};
      scene_bead_column(model[1], &scene, n, 0.1, 0.13, 0.22, 0.5 * e);
      nsds_ds *ds[n];
      double up[3] = {0.0}, weight[3] = {0.0};
      up[dimension - 1] = 1.0;
      weight[dimension - 1] = -g;
      for (int k = 0; k < n; ++k) {
        double q[3] = {0.0};
        q[dimension - 1] = *nsds_q(scene.bead[k]);
        ds[k] = ball(model[0], dimension, 1.0, q, NULL, weight);
      }
      nsds_balls(model[0], &(nsds_balls_def){.law = nsds_newton_impact(model[0], 0.5 * e),
                                             .count = n,
                                             .ds = ds,
                                             .dimension = dimension,
                                             .radius = 0.1,
                                             .normal = up,
                                             .pairs = true});
      nsds_simulation *s[2];
      for (int k = 0; k < 2; ++k)
        s[k] = nsds_time_stepping(
            model[k],
            &(nsds_time_stepping_def){.t1 = 0.4, .h = 1e-3, .overlap_sweeps = NSDS_OVERLAP_STAYS});
      int rows = 0;
      while (nsds_step(s[0]) == NSDS_OK) {
        assert_ok(model[1], nsds_step(s[1]));
        for (int k = 0; k < n; ++k) {
          assert_near(nsds_q(ds[k])[dimension - 1], *nsds_q(scene.bead[k]), 1e-9);
          assert_near(nsds_v(ds[k])[dimension - 1], *nsds_v(scene.bead[k]), 1e-9);
          assert_near(nsds_q(ds[k])[0], 0.0, 0.0);
        }
        int active = nsds_simulation_info(s[0])->rows;
        rows = active > rows ? active : rows;
      }
      assert_sound(model[0]);
      assert_true(rows > 4);
      for (int k = 0; k < 2; ++k) nsds_model_destroy(model[k]);
    }
}

/* ---- the grid ---- */

static double gap_of(const double *a, const double *b, int dimension, double radius) {
  double square = 0.0;
  for (int k = 0; k < dimension; ++k) square += (a[k] - b[k]) * (a[k] - b[k]);
  return sqrt(square) - 2.0 * radius;
}

/* Balls in a cube of a given width about a centre; those found are all those within reach,
 * once, at the start of the step or, with others that strike, at its end. */
static void check_pairs(int dimension, int n, double centre, double width, double reach,
                        uint64_t seed, bool at_start) {
  const double radius = 0.1, used = reach > 0.0 ? reach : radius;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds[64];
  double start[64][3];
  for (int k = 0; k < n; ++k) {
    double v[3];
    for (int i = 0; i < 3; ++i) {
      start[k][i] = centre + random_in(&seed, -0.5, 0.5) * width;
      v[i] = random_in(&seed, -1.0, 1.0);
    }
    ds[k] = ball(model, dimension, 1.0, start[k], v, NULL);
  }
  nsds_contact_set *set = nsds_balls(model, &(nsds_balls_def){.law = nsds_newton_impact(model, 0.2),
                                                              .count = n,
                                                              .ds = ds,
                                                              .dimension = dimension,
                                                              .radius = radius,
                                                              .pairs = true,
                                                              .reach = reach});
  nsds_simulation *s = nsds_time_stepping(
      model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.02, .contacts_at_start = at_start});
  assert_sound(model);
  for (int step = 0; step < 2; ++step) {
    for (int k = 0; k < n; ++k)
      for (int i = 0; i < dimension; ++i)
        start[k][i] = nsds_q(ds[k])[i] + (at_start ? 0.0 : 0.02) * nsds_v(ds[k])[i];
    assert_ok(model, nsds_step(s));
    int expected = 0;
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j) {
        nsds_contact_info info;
        uint64_t key = (uint64_t)i | (uint64_t)(j + 1) << 32;
        bool near = gap_of(start[i], start[j], dimension, radius) <= used;
        expected += near;
        bool there = found_get(set, key, &info);
        assert_true(at_start ? there == near : there || !near);
        if (near) assert_ptr_equal(info.ds[0], ds[i]);
        if (near) assert_ptr_equal(info.ds[1], ds[j]);
      }
    if (at_start) assert_int_equal(nsds_contact_set_count(set), expected);
  }
  nsds_model_destroy(model);
}

static void pairs_are_all_pairs(void **state) {
  (void)state;
  for (int dimension = 2; dimension <= 3; ++dimension)
    for (uint64_t k = 2; k < 10; ++k) {
      uint64_t seed = k / 2;
      bool at_start = k % 2 == 0;
      check_pairs(dimension, 60, 0.0, 1.5, 0.0, seed,
                  at_start); /* about zero: cells of both signs */
      check_pairs(dimension, 60, -1e4, 1.5, 0.05, seed, at_start);  /* narrow */
      check_pairs(dimension, 40, 1e6, 3.0, 0.6, seed, at_start);    /* wide */
      check_pairs(dimension, 24, -0.15, 0.02, 0.0, seed, at_start); /* all in one or few cells */
      check_pairs(dimension, 60, 0.0, 1e5, 0.0, seed, at_start);    /* hardly any */
    }
}

/* At the same place they are pushed apart along the first axis. */
static void balls_at_one_place(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds[2];
  for (int k = 0; k < 2; ++k)
    ds[k] = ball(model, 2, 1.0, (double[]){1.0, 1.0}, (double[]){k ? 1.0 : -1.0, 0.0}, NULL);
  nsds_balls(model, &(nsds_balls_def){.law = nsds_newton_impact(model, 0.0),
                                      .count = 2,
                                      .ds = ds,
                                      .dimension = 2,
                                      .radius = 0.1,
                                      .pairs = true});
  run(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-3}, 1);
  assert_near(nsds_v(ds[0])[0], 0.0, 1e-13);
  assert_near(nsds_v(ds[1])[0], 0.0, 1e-13);
  nsds_model_destroy(model);
}

/* ---- more contacts than there was room for ---- */

static nsds_verdict as_it_is(nsds_simulation *s, const nsds_solver_info *info, void *user) {
  (void)s, (void)info, (void)user;
  return NSDS_ACCEPT;
}

/* A column at rest, solved by one sweep a step from the impulses of the last one; others come near,
 * all in one detection, which takes new rows once the column's contacts are found: where they are,
 * or elsewhere, with an interaction behind them. */
static void growth_keeps_the_start(void **state) {
  enum { resting = 12, others = 20, all = resting + others };
  const double radius = 0.1, normal[] = {0.0, 1.0}, weight[] = {0.0, -g};
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds[all];
  for (int k = 0; k < all; ++k) {
    bool beside = k >= resting;
    double q[] = {beside ? k - resting + 1.0 : 0.0, beside ? 0.3 : (2 * k + 1) * radius};
    double v[] = {0.0, beside ? -1.0 : 0.0};
    ds[k] = ball(model, 2, 1.0, q, v, weight);
  }
  nsds_contact_set *set = nsds_balls(model, &(nsds_balls_def){.law = nsds_newton_impact(model, 0.0),
                                                              .count = all,
                                                              .ds = ds,
                                                              .dimension = 2,
                                                              .radius = radius,
                                                              .normal = normal,
                                                              .pairs = true});
  nsds_simulation *s = nsds_time_stepping(
      model, &(nsds_time_stepping_def){.t1 = 0.14, .h = 1e-3, .check_solver = as_it_is});
  assert_sound(model);
  for (int k = 0; k < 10; ++k) assert_ok(model, nsds_step(s));
  assert_int_equal(nsds_contact_set_count(set), resting);
  nsds_relation *far = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){
                 .ny = 1, .nq = 2, .H = normal, .b = (const double[]){10.0}});
  if (*state) assert_non_null(nsds_connect(model, far, nsds_newton_impact(model, 0.0), 1, ds));
  nsds_simulation_set_solver(s, "nsgs", 0.0);
  assert_ok(model, nsds_solver_set(nsds_simulation_solver(s), "max_iterations", 1.0));
  double worst = 0.0;
  while (nsds_step(s) == NSDS_OK) worst = worse(worst, nsds_simulation_info(s)->solver.residual);
  assert_int_equal(nsds_contact_set_count(set), all);
  assert_between(worst, 0.0, 1e-12);
  nsds_model_destroy(model);
}

int main(void) {
  static bool yes = true;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_ball_as_an_interaction),
      cmocka_unit_test(bouncing_ball),
      cmocka_unit_test(head_on),
      cmocka_unit_test(column),
      cmocka_unit_test(pairs_are_all_pairs),
      cmocka_unit_test(balls_at_one_place),
      cmocka_unit_test(growth_keeps_the_start),
      cmocka_unit_test_prestate(growth_keeps_the_start, &yes),
  };
  return cmocka_run_group_tests_name("kernel.contact_sets", tests, NULL, NULL);
}
