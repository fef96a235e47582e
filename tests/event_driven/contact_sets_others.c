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

/* ---- parameters of followed systems ---------------------------------------------------------- */

/* A geometry of two bodies above each other, and of the lower one above a floor. Radii are parameters
 * of the bodies. */
typedef struct stack {
  nsds_ds *body[2];
  int nz[2], calls;
} stack;

static nsds_status stack_mass(void *self, const nsds_arguments *in, double *M) {
  (void)self, (void)in;
  M[0] = 1.0;
  return NSDS_OK;
}

static nsds_status stack_weight(void *self, const nsds_arguments *in, double *F) {
  (void)self, (void)in;
  F[0] = -10.0;
  return NSDS_OK;
}

static const nsds_second_order_ops stack_body = {
    .type = "stacked", .mass = stack_mass, .force = stack_weight};

static nsds_status stack_find(void *self, double t, nsds_contacts *contacts) {
  const stack *s = self;
  const double H[2] = {1.0, -1.0};
  (void)t;
  double low = nsds_q(s->body[0])[0] - nsds_ds_z(s->body[0])[0],
         high = nsds_q(s->body[1])[0] - nsds_q(s->body[0])[0] - nsds_ds_z(s->body[0])[0] -
                nsds_ds_z(s->body[1])[0];
  nsds_status status = nsds_contacts_add(
      contacts, &(nsds_contact_point){.key = 1, .ds = {s->body[0]}, .y = &low, .H = H});
  if (status) return status;
  return nsds_contacts_add(
      contacts,
      &(nsds_contact_point){.key = 2, .ds = {s->body[1], s->body[0]}, .y = &high, .H = H});
}

static nsds_status stack_output(void *self, uint64_t key, const nsds_arguments *in, double *y) {
  stack *s = self;
  ++s->calls;
  assert_int_equal(in->nz, key == 1 ? s->nz[0] : s->nz[0] + s->nz[1]);
  y[0] = key == 1 ? in->q[0] - in->z[0] : in->q[0] - in->q[1] - in->z[0] - in->z[s->nz[1]];
  return NSDS_OK;
}

static nsds_status stack_gradient(void *self, uint64_t key, const nsds_arguments *in,
                                  const double *found, double *H) {
  (void)self, (void)in, (void)found;
  H[0] = 1.0;
  if (key == 2) H[1] = -1.0;
  return NSDS_OK;
}

static double stack_reach(void *self) {
  (void)self;
  return 10.0;
}

static double stack_travel(void *self, const nsds_ds *ds, const double *q0, const double *q) {
  (void)self, (void)ds;
  return fabs(q[0] - q0[0]);
}

static const nsds_geometry_ops stack_ops = {.type = "stack",
                                            .find = stack_find,
                                            .output = stack_output,
                                            .gradient_v = stack_gradient,
                                            .reach = stack_reach,
                                            .travel = stack_travel};

static void a_geometry_reads_the_parameters_of_both_bodies(void **state) {
  (void)state;
  for (int lower = 1; lower <= 3; ++lower)
    for (int upper = 1; upper <= 3; ++upper) {
      nsds_model *m = nsds_model_create(NULL);
      stack s = {.nz = {lower, upper}};
      const double z[2][3] = {{0.2, 7.0, 8.0}, {0.3, 9.0, 6.0}};
      for (int k = 0; k < 2; ++k)
        s.body[k] = nsds_custom_second_order(
            m, &(nsds_custom_second_order_def){.ops = &stack_body,
                                               .ndof = 1,
                                               .q0 = (double[]){k ? 1.6 : 0.4},
                                               .mass = {.present = true, .constant = true},
                                               .affine = true,
                                               .force_constant = true,
                                               .nz = s.nz[k],
                                               .z = z[k]});
      nsds_custom_contact_set(m, &(nsds_custom_contact_set_def){.ops = &stack_ops,
                                                                .self = &s,
                                                                .law = nsds_newton_impact(m, 0.0)});
      nsds_simulation *simulation = simulate(m, true);
      go_to(m, simulation, 1.5);
      assert_near(nsds_q(s.body[0])[0], 0.2, 1e-8);
      assert_near(nsds_q(s.body[1])[0], 0.7, 1e-8); /* 0.2 + 0.2 + 0.3 */
      assert_true(s.calls > 10);
      nsds_model_destroy(m);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(beside_others),
      cmocka_unit_test(sets_without_bodies),
      cmocka_unit_test(a_geometry_reads_the_parameters_of_both_bodies),
  };
  return cmocka_run_group_tests_name("event_driven.contact_sets_others", tests, NULL, NULL);
}
