/*
 * Contact sets in models with systems of every size beside their bodies, and sets in which nothing
 * can move: both drivers go on as if the others were not there.
 */
#include "support.h"

static const double inertia[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

static nsds_simulation *simulate(nsds_model *m, bool events) {
  nsds_simulation *s =
      events ? nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 2.0, .output_period = 0.1})
             : nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 2.0, .h = 1e-3});
  assert_sound(m);
  return s;
}

/* Steps to a time; events end steps too. */
static void go_to(nsds_model *m, nsds_simulation *s, double t) {
  while (nsds_time(s) < t - 1e-9) assert_ok(m, nsds_step(s));
}

/* ---- systems that are none of the set's ------------------------------------------------------ */

/* A system of first order or with `n` coordinates, on its way. */
static nsds_ds *make_other(nsds_model *m, int n, bool first) {
  double M[64] = {0}, x[8];
  for (int k = 0; k < n; ++k) {
    M[k + k * n] = first ? -1.0 : 1.0;
    x[k] = 1.0 + k;
  }
  if (first)
    return nsds_first_order_linear(m, &(nsds_first_order_linear_def){.n = n, .A = M, .x0 = x});
  return nsds_lagrangian_linear(
      m, &(nsds_lagrangian_linear_def){.ndof = n, .mass = M, .q0 = x, .v0 = x});
}

typedef enum set_kind { of_spheres, of_balls, of_shapes, set_kinds } set_kind;

/* A body of radius 0.2, 1 above the ground, in a set. */
static nsds_ds *make_set(nsds_model *m, set_kind kind, nsds_contact_set **set) {
  const double q[7] = {0, 1, 0, 1};
  nsds_ds *ds = nsds_rigid_body(
      m, &(nsds_rigid_body_def){.mass = 1.0, .inertia = inertia, .q0 = q, .gravity = {0, -10.0}});
  nsds_law *law = nsds_newton_impact(m, 0.5);
  nsds_plane plane = {.normal = {0, 1, 0}};
  nsds_shape_def shape[2] = {{.kind = NSDS_HALF_SPACE, .plane = plane},
                             {.kind = NSDS_SPHERE, .ds = ds, .radius = 0.2}};
  if (kind == of_spheres)
    *set = nsds_spheres(
        m, &(nsds_spheres_def){
               .law = law, .count = 1, .ds = &ds, .radius = 0.2, .nplane = 1, .plane = &plane});
  else if (kind == of_balls)
    *set = nsds_balls(m, &(nsds_balls_def){.dimension = 3,
                                           .law = law,
                                           .count = 1,
                                           .ds = &ds,
                                           .radius = 0.2,
                                           .normal = plane.normal});
  else *set = nsds_shapes(m, &(nsds_shapes_def){.law = law, .nshape = 2, .shape = shape});
  assert_sound(m);
  return ds;
}

/* Others before the set, behind it, and during the run; the body bounces as it does alone. */
static void beside_others(void **state) {
  (void)state;
  for (int events = 0; events < 2; ++events)
    for (set_kind kind = 0; kind < set_kinds; ++kind) {
      double alone = 0.0;
      for (int n = 0; n <= 8; ++n)
        for (int first = 0; first < 2; ++first) {
          nsds_model *m = nsds_model_create(NULL);
          nsds_contact_set *set;
          if (n > 0) make_other(m, n, first);
          nsds_ds *ds = make_set(m, kind, &set);
          if (n > 0) make_other(m, n, first);
          nsds_simulation *s = simulate(m, events);
          go_to(m, s, 0.3);
          if (n > 0) make_other(m, n, first);
          go_to(m, s, 1.5);
          if (n == 0) alone = nsds_q(ds)[1];
          assert_near(nsds_q(ds)[1], alone, 1e-7);
          assert_true(nsds_q(ds)[1] > 0.199);
          nsds_model_destroy(m);
        }
    }
}

/* ---- sets in which nothing moves ------------------------------------------------------------- */

/* No shape, half spaces, a sphere and a box of scenery; then a body falls onto them, and all goes. */
static void sets_without_bodies(void **state) {
  (void)state;
  for (int events = 0; events < 2; ++events)
    for (int dimension = 2; dimension <= 3; ++dimension)
      for (int n = 0; n <= 3; ++n) {
        nsds_model *m = nsds_model_create(NULL);
        const double q[7] = {0, 1, 0, 1};
        nsds_ds *ds = dimension == 2
                          ? nsds_rigid_body_2d(m, &(nsds_rigid_body_2d_def){.mass = 1.0,
                                                                            .inertia = 1.0,
                                                                            .q0 = q,
                                                                            .gravity = {0, -10.0}})
                          : nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1.0,
                                                                      .inertia = inertia,
                                                                      .q0 = q,
                                                                      .gravity = {0, -10.0}});
        nsds_shape_def shape[3] = {
            {.kind = NSDS_HALF_SPACE, .plane = {.normal = {0, 1, 0}, .offset = -1.0}},
            {.kind = NSDS_HALF_SPACE, .plane = {.normal = {1, 0, 0}, .offset = -9.0}},
            {.kind = NSDS_SPHERE, .position = {7.0, 0, 0}, .radius = 0.5}};
        nsds_contact_set *set = nsds_shapes(m, &(nsds_shapes_def){.dimension = dimension,
                                                                  .law = nsds_newton_impact(m, 0.0),
                                                                  .nshape = n,
                                                                  .shape = shape});
        nsds_simulation *s = simulate(m, events);
        go_to(m, s, 0.2);
        assert_int_equal(nsds_contact_set_count(set), 0);
        assert_near(nsds_v(ds)[1], -2.0, 1e-9);
        nsds_shape_def own = {.kind = NSDS_SPHERE, .ds = ds, .radius = 0.2};
        int id = nsds_shapes_add(set, &own);
        assert_true(id >= 0);
        go_to(m, s, 1.0);
        if (n > 0) assert_near(nsds_q(ds)[1], -0.8, 1e-2);
        assert_ok(m, nsds_shapes_remove(set, id));
        go_to(m, s, 1.3);
        if (n > 0) assert_near(nsds_v(ds)[1], -3.0, 1e-6);
        nsds_model_destroy(m);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(beside_others),
      cmocka_unit_test(sets_without_bodies),
  };
  return cmocka_run_group_tests_name("event_driven.contact_sets_others", tests, NULL, NULL);
}
