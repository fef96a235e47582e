/*
 * Systems that are destroyed: handles of what was removed, who is named as using a system, the motion
 * of those that stay, in both drivers, against that in a model which never had the others; and a silo
 * through which discs pass, made at the top and destroyed at the bottom, without more and more memory.
 *
 *     kernel_systems_removed 1000000      lets a million discs through the silo
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

static long silo_discs = test_long / 10;

static nsds_ds *point(nsds_model *m, const char *name, double q, double v) {
  return nsds_lagrangian_linear(m, &(nsds_lagrangian_linear_def){.name = name,
                                                                 .ndof = 1,
                                                                 .mass = (double[]){1.0},
                                                                 .fext = (double[]){-9.81},
                                                                 .q0 = &q,
                                                                 .v0 = &v});
}

static nsds_ds *disc(nsds_model *m, const char *name, double x, double y) {
  return nsds_rigid_body_2d(m, &(nsds_rigid_body_2d_def){.name = name,
                                                         .mass = 0.5,
                                                         .inertia = 0.5 * 0.5 * 0.01,
                                                         .q0 = (double[]){x, y, 0.0},
                                                         .gravity = {0.0, -9.81}});
}

static void expect(nsds_model *m, nsds_status status, nsds_status expected, const char *word,
                   const char *other) {
  const char *const words[] = {word, other};
  assert_int_equal(status, expected);
  assert_words(nsds_last_message(nsds_model_context(m)), words, 2);
  nsds_error_clear(nsds_model_context(m));
}

/* ---- handles --------------------------------------------------------------------------------- */

#define GONE(m, call, ...) expect(m, call(__VA_ARGS__), NSDS_ERROR_ARGUMENT, #call, "destroyed")
#define SAYS(m, call, ...)                                                                         \
  do {                                                                                             \
    (void)call(__VA_ARGS__);                                                                       \
    expect(m, nsds_error(nsds_model_context(m)), NSDS_ERROR_ARGUMENT, #call, "destroyed");         \
  } while (0)

static void refused_everywhere(nsds_model *m, nsds_simulation *s, nsds_contact_set *set,
                               nsds_relation *gap, nsds_law *law, nsds_ds *gone, nsds_ds *there) {
  nsds_contact_iterator it;
  double one = 1.0;
  SAYS(m, nsds_ds_name, gone);
  SAYS(m, nsds_ds_index, gone);
  SAYS(m, nsds_nq, gone);
  SAYS(m, nsds_nv, gone);
  SAYS(m, nsds_nx, gone);
  SAYS(m, nsds_q, gone);
  SAYS(m, nsds_v, gone);
  SAYS(m, nsds_p, gone);
  SAYS(m, nsds_x, gone);
  SAYS(m, nsds_r, gone);
  SAYS(m, nsds_prescribed_force, gone);
  SAYS(m, nsds_ds_z, gone);
  SAYS(m, nsds_kinetic_energy, gone);
  SAYS(m, nsds_ds_describe, gone);
  SAYS(m, nsds_ds_point, gone, 0.0, &one, &one);
  SAYS(m, nsds_simulation_displacement, s, gone);
  SAYS(m, nsds_shapes_of_body, set, gone, 0, NULL);
  it = nsds_body_contacts(gone);
  assert_null(it.model);
  nsds_error_clear(nsds_model_context(m));
  GONE(m, nsds_ds_destroy, gone);
  GONE(m, nsds_set_state, gone, &one, &one);
  GONE(m, nsds_set_x, gone, &one);
  GONE(m, nsds_set_r, gone, &one);
  GONE(m, nsds_ds_set_z, gone, 0, NULL);
  GONE(m, nsds_ds_set_operator_z, gone, NULL, 0, NULL);
  GONE(m, nsds_ds_discretise, gone, nsds_moreau_jean(0.5, 1.0));
  GONE(m, nsds_ds_set_integrator, gone, nsds_integrator_named("default"));
  GONE(m, nsds_shapes_remove_body, set, gone);
  GONE(m, nsds_shapes_exclude, set, gone, NULL);
  GONE(m, nsds_shapes_exclude, set, there, gone);
  GONE(m, nsds_shapes_include, set, gone, NULL);
  SAYS(m, nsds_connect, m, gap, law, 1, &gone);
  SAYS(m, nsds_shapes_add, set, &(nsds_shape_def){.kind = NSDS_SPHERE, .ds = gone, .radius = 0.1});
  SAYS(m, nsds_joint, m, &(nsds_joint_def){.kind = NSDS_JOINT_FIXED, .ds = {gone}});
  SAYS(m, nsds_balls, m,
       &(nsds_balls_def){.law = law,
                         .count = 1,
                         .ds = &gone,
                         .dimension = 2,
                         .radius = 0.1,
                         .normal = (double[]){0.0, 1.0}});
  SAYS(m, nsds_spheres, m, &(nsds_spheres_def){.law = law, .count = 1, .ds = &gone, .radius = 0.1});
}

static void stale_handles_are_refused(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *there = disc(m, "there", 0.0, 1.0), *gone = disc(m, "gone", 3.0, 1.0);
  nsds_law *law = nsds_newton_impact(m, 0.5);
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      m, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 3, .H = (double[]){0.0, 1.0, 0.0}});
  nsds_contact_set *set =
      nsds_shapes(m, &(nsds_shapes_def){.dimension = 2, .law = law, .reach = 0.1});
  nsds_simulation *s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1e6, .h = 1e-3});
  assert_sound(m);
  assert_ok(m, nsds_step(s));
  assert_ok(m, nsds_ds_destroy(gone));
  refused_everywhere(m, s, set, gap, law, gone, there);
  assert_int_equal(nsds_ds_count(m), 1);
  nsds_ds *handle[254];
  for (int k = 0; k < 254; ++k) {
    handle[k] = disc(m, "next", 3.0, 1.0);
    assert_non_null(handle[k]);
    assert_ptr_not_equal(handle[k], gone);
    assert_ptr_equal(nsds_ds_at(m, 1), handle[k]);
    assert_near(nsds_q(handle[k])[0], 3.0, 0.0);
    if (k % 50 == 0) assert_ok(m, nsds_step(s));
    assert_ok(m, nsds_ds_destroy(handle[k]));
    expect(m, nsds_ds_destroy(handle[k]), NSDS_ERROR_ARGUMENT, "nsds_ds_destroy", "destroyed");
  }
  refused_everywhere(m, s, set, gap, law, gone, there);
  assert_int_equal(nsds_ds_destroy(NULL), NSDS_ERROR_ARGUMENT);
  nsds_model_destroy(m);
}

/* ---- users ----------------------------------------------------------------------------------- */

static void users_are_named(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *body[4];
  char name[16];
  for (int k = 0; k < 4; ++k) {
    snprintf(name, sizeof name, "body%d", k);
    body[k] = disc(m, name, k, 1.0);
  }
  nsds_law *impact = nsds_newton_impact(m, 0.0), *tie = nsds_equality(m);
  nsds_relation *hinge = nsds_joint(m, &(nsds_joint_def){.name = "pin",
                                                         .kind = NSDS_JOINT_HINGE,
                                                         .ds = {body[0], body[1]},
                                                         .point = {0.5, 1.0}});
  nsds_interaction *pin = nsds_connect(m, hinge, tie, 2, body);
  nsds_interaction_set_name(pin, "the pin");
  const nsds_shape_def shape[] = {{.kind = NSDS_SPHERE, .ds = body[1], .radius = 0.1},
                                  {.kind = NSDS_SPHERE, .ds = body[2], .radius = 0.1}};
  nsds_contact_set *set = nsds_shapes(
      m, &(nsds_shapes_def){
             .name = "pieces", .dimension = 2, .law = impact, .nshape = 2, .shape = shape});
  nsds_contact_set *balls = nsds_balls(m, &(nsds_balls_def){.name = "heap",
                                                            .law = impact,
                                                            .count = 1,
                                                            .ds = &body[3],
                                                            .dimension = 2,
                                                            .radius = 0.1,
                                                            .normal = (double[]){0.0, 1.0}});
  assert_sound(m);
  expect(m, nsds_ds_destroy(body[0]), NSDS_ERROR_STATE, "'body0'", "'the pin'");
  assert_ok(m, nsds_disconnect(pin));
  assert_ok(m, nsds_ds_destroy(body[0]));
  expect(m, nsds_ds_destroy(body[1]), NSDS_ERROR_STATE, "'body1'", "'pieces'");
  assert_ok(m, nsds_shapes_remove_body(set, body[1]));
  assert_ok(m, nsds_ds_destroy(body[1]));
  expect(m, nsds_ds_destroy(body[3]), NSDS_ERROR_STATE, "'body3'", "'heap'");
  assert_ok(m, nsds_contact_set_destroy(balls));
  assert_ok(m, nsds_ds_destroy(body[3]));
  expect(m, nsds_ds_destroy(body[2]), NSDS_ERROR_STATE, "'body2'", "'pieces'");
  assert_int_equal(nsds_ds_count(m), 1);
  nsds_model_destroy(m);
}

/* ---- those that stay ------------------------------------------------------------------------- */

enum { lengths = 5 };

/* Chains of 1 to 5 springs above the floor, which the last mass hits. */
typedef struct chain {
  nsds_ds *ds;
  nsds_interaction *floor;
  nsds_relation *gap;
} chain;

static chain make_chain(nsds_model *m, nsds_law *law, int n, double drop) {
  double mass[lengths * lengths] = {0}, K[lengths * lengths] = {0}, f[lengths], q[lengths],
                        H[lengths] = {0};
  for (int k = 0; k < n; ++k) {
    mass[k * (n + 1)] = 1.0 + 0.1 * k;
    f[k] = -9.81;
    q[k] = drop + 0.01 * k;
    K[k * (n + 1)] += 100.0 * (k > 0) + 100.0 * (k + 1 < n);
    if (k + 1 < n) K[k + n * (k + 1)] = K[k + 1 + n * k] = -100.0;
  }
  H[0] = 1.0;
  chain c = {.ds = nsds_lagrangian_linear(
                 m, &(nsds_lagrangian_linear_def){
                        .ndof = n, .mass = mass, .stiffness = K, .fext = f, .q0 = q})};
  c.gap = nsds_lagrangian_linear_relation(
      m, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = n, .H = H});
  c.floor = nsds_connect(m, c.gap, law, 1, &c.ds);
  assert_non_null(c.floor);
  return c;
}

static void drop_chain(nsds_model *m, chain *c) {
  assert_ok(m, nsds_disconnect(c->floor));
  assert_ok(m, nsds_ds_destroy(c->ds));
  assert_ok(m, nsds_relation_destroy(c->gap));
}

static nsds_simulation *start(nsds_model *m, bool events, nsds_projection_kind projection) {
  nsds_simulation *s =
      events ? nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 1e3, .output_period = 0.01})
             : nsds_time_stepping(m, &(nsds_time_stepping_def){
                                         .t1 = 1e3, .h = 1e-3, .projection.kind = projection});
  assert_sound(m);
  return s;
}

static void advance_to(nsds_model *m, nsds_simulation *s, double t) {
  while (nsds_time(s) < t - 1e-9) assert_ok(m, nsds_step(s));
  assert_sound(m);
}

/* The chain of three masses alone, and among others that come and go. */
static void compare(bool events, nsds_projection_kind projection, double tolerance) {
  nsds_model *m = nsds_model_create(NULL), *alone = nsds_model_create(NULL);
  nsds_law *law = nsds_newton_impact(m, 0.5), *other = nsds_newton_impact(alone, 0.5);
  chain c[lengths], single = make_chain(alone, other, 3, 1.0);
  const int n[lengths] = {2, 1, 3, 5, 4};
  for (int k = 0; k < lengths; ++k) c[k] = make_chain(m, law, n[k], 1.0 + 0.2 * (k - 2));
  nsds_simulation *s = start(m, events, projection), *of = start(alone, events, projection);
  const struct {
    int k, again; /* the chain that goes, and the length of one that comes in place */
  } change[] = {{0, 0}, {4, 5}, {1, 2}, {4, 1}, {3, 0}, {1, 0}, {4, 3}};
  double t = 0.0;
  for (int i = 0; i < (int)(sizeof change / sizeof *change); ++i) {
    t += 0.21;
    advance_to(m, s, t);
    advance_to(alone, of, t);
    chain *moved = &c[change[i].k];
    drop_chain(m, moved);
    if (change[i].again > 0) *moved = make_chain(m, law, change[i].again, 0.7);
    for (int k = 0; k < 3; ++k) {
      assert_near(nsds_q(c[2].ds)[k], nsds_q(single.ds)[k], tolerance);
      assert_near(nsds_v(c[2].ds)[k], nsds_v(single.ds)[k], 100.0 * tolerance);
    }
  }
  advance_to(m, s, t + 0.5);
  advance_to(alone, of, t + 0.5);
  for (int k = 0; k < 3; ++k) assert_near(nsds_q(c[2].ds)[k], nsds_q(single.ds)[k], tolerance);
  nsds_model_destroy(m);
  nsds_model_destroy(alone);
}

static void those_that_stay_move_alike(void **state) {
  (void)state;
  compare(false, NSDS_PROJECTION_NONE, 1e-12);
  compare(false, NSDS_PROJECTION_COMBINED, 1e-9);
  compare(true, NSDS_PROJECTION_NONE, 1e-7);
}

/* States, also of first-order systems and of other sizes, stay with their systems. */
static void states_stay_with_their_systems(void **state) {
  (void)state;
  enum { most = 40 };
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds[most];
  double mark[most];
  int count = 0;
  uint64_t seed = 7;
  for (int round = 0; round < 4000; ++round) {
    if (count < most && random_in(&seed, 0.0, 1.0) < 0.55) {
      double x[6];
      int n = 1 + (int)random_in(&seed, 0.0, 5.99), kind = (int)random_in(&seed, 0.0, 2.99);
      mark[count] = round;
      for (int k = 0; k < 6; ++k) x[k] = round + 0.125 * k;
      if (kind == 0)
        ds[count] = nsds_first_order_linear(m, &(nsds_first_order_linear_def){.n = n, .x0 = x});
      else if (kind == 1)
        ds[count] = nsds_rigid_body(
            m, &(nsds_rigid_body_def){
                   .mass = 1.0, .inertia = (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1}, .v0 = x});
      else ds[count] = point(m, NULL, x[0], x[0]);
      assert_non_null(ds[count++]);
    } else if (count > 0) {
      int k = (int)random_in(&seed, 0.0, count - 1e-9);
      uint64_t before = nsds_state_moves(m);
      assert_ok(m, nsds_ds_destroy(ds[k]));
      assert_true(nsds_state_moves(m) > before);
      ds[k] = ds[--count];
      mark[k] = mark[count];
    }
    assert_int_equal(nsds_ds_count(m), count);
    for (int k = 0; k < count; ++k) {
      const double *first = nsds_nx(ds[k]) > 0 ? nsds_x(ds[k]) : nsds_v(ds[k]);
      int n = nsds_nx(ds[k]) > 0 ? nsds_nx(ds[k]) : nsds_nv(ds[k]);
      for (int i = 0; i < n; ++i) assert_near(first[i], mark[k] + 0.125 * i, 0.0);
      assert_ptr_equal(nsds_ds_at(m, k), ds[k]); /* the last takes the place of the removed */
    }
  }
  nsds_model_destroy(m);
}

/* ---- pointers to states ---------------------------------------------------------------------- */

static void moves_of_pointers_are_counted(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *first = point(m, "first", 1.0, 0.0);
  nsds_law *law = nsds_newton_impact(m, 0.5);
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      m, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
  nsds_interaction *ia = nsds_connect(m, gap, law, 1, &first);
  nsds_simulation *s = start(m, false, NSDS_PROJECTION_NONE);
  int moved = 0, stayed = 0;
  assert_int_equal(nsds_state_moves(NULL), 0);
  for (int k = 0; k < 300; ++k) {
    const double *q = nsds_q(first), *y = nsds_y(ia), *v = nsds_v(first);
    uint64_t before = nsds_state_moves(m);
    if (k % 3 == 0) assert_non_null(point(m, NULL, 5.0, 0.0));
    if (k % 3 == 1) assert_non_null(nsds_connect(m, gap, law, 1, &first));
    if (k % 3 == 2) assert_ok(m, nsds_step(s));
    assert_true(nsds_state_moves(m) >= before);
    bool same = nsds_state_moves(m) == before;
    if (same) {
      assert_ptr_equal(nsds_q(first), q);
      assert_ptr_equal(nsds_v(first), v);
      assert_ptr_equal(nsds_y(ia), y);
    }
    if (k % 3 == 2) assert_true(same);
    moved += !same;
    stayed += same && k % 3 != 2;
  }
  assert_true(moved > 3);
  assert_true(stayed > 100);
  nsds_model_destroy(m);
}

/* ---- snapshots and saved states -------------------------------------------------------------- */

static void saved_states_of_before_are_refused(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *a = point(m, "a", 1.0, 0.0), *b = point(m, "b", 2.0, 0.0);
  nsds_simulation *s = start(m, false, NSDS_PROJECTION_NONE);
  assert_ok(m, nsds_step(s));
  assert_ok(m, nsds_simulation_save(s));
  assert_ok(m, nsds_ds_destroy(a));
  assert_non_null(point(m, "a", 1.0, 0.0));
  assert_true(nsds_simulation_restore(s) < 0);
  nsds_error_clear(nsds_model_context(m));
  assert_ok(m, nsds_step(s));
  assert_near(nsds_q(b)[0], 2.0 - 9.81 * 2e-3 * 2e-3 / 2, 1e-4);
  nsds_model_destroy(m);
}

/* ---- exclusions of shapes -------------------------------------------------------------------- */

static int contacts_after_a_step(nsds_model *m, nsds_simulation *s, const nsds_contact_set *set) {
  assert_ok(m, nsds_step(s));
  return nsds_contact_set_count(set);
}

static void exclusions_follow_their_bodies(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_law *law = nsds_newton_impact(m, 0.0);
  nsds_contact_set *set = nsds_shapes(m, &(nsds_shapes_def){.dimension = 2, .law = law});
  nsds_simulation *s = start(m, false, NSDS_PROJECTION_NONE);
  nsds_ds *ds[4];
  for (int k = 0; k < 4; ++k) { /* overlapping pairs 0-1 and 2-3, far from each other */
    ds[k] = disc(m, NULL, 10.0 * (k / 2) + 0.19 * (k % 2), 0.0);
    assert_true(nsds_shapes_add(
                    set, &(nsds_shape_def){.kind = NSDS_SPHERE, .ds = ds[k], .radius = 0.1}) >= 0);
  }
  assert_int_equal(contacts_after_a_step(m, s, set), 2);
  assert_ok(m, nsds_shapes_exclude(set, ds[2], ds[3]));
  assert_int_equal(contacts_after_a_step(m, s, set), 1);
  assert_ok(m, nsds_shapes_remove_body(set, ds[0]));
  assert_int_equal(nsds_contact_set_count(set), 1);
  assert_ok(m, nsds_ds_destroy(ds[0])); /* body 3 takes its place */
  assert_int_equal(nsds_ds_index(ds[3]), 0);
  assert_int_equal(nsds_contact_set_count(set), 0);
  assert_int_equal(contacts_after_a_step(m, s, set), 0);
  ds[0] = disc(m, NULL, 0.0, nsds_q(ds[1])[1]);
  nsds_shapes_add(set, &(nsds_shape_def){.kind = NSDS_SPHERE, .ds = ds[0], .radius = 0.1});
  assert_int_equal(contacts_after_a_step(m, s, set), 1);
  assert_ok(m, nsds_shapes_include(set, ds[2], ds[3]));
  assert_int_equal(contacts_after_a_step(m, s, set), 2);
  nsds_model_destroy(m);
}

/* ---- a silo ---------------------------------------------------------------------------------- */

enum { row_discs = 4, pegs = 14 };

typedef struct silo {
  nsds_model *model;
  nsds_contact_set *set;
  nsds_simulation *simulation;
  nsds_ds *disc[4096];
  int count;
  long made, removed;
  uint64_t seed;
} silo;

static nsds_verdict take(nsds_simulation *simulation, const nsds_solver_info *info, void *user) {
  (void)simulation, (void)info, (void)user;
  return NSDS_ACCEPT; /* after so many sweeps */
}

/* Rows of pegs between two walls. */
static void build_silo(silo *w, nsds_context *context) {
  static const nsds_material stuff = {.mu = 0.3, .e_n = 0.2};
  nsds_shape_def shape[pegs + 2] = {
      {.kind = NSDS_HALF_SPACE, .plane = {.normal = {1.0, 0.0, 0.0}, .offset = -0.6}},
      {.kind = NSDS_HALF_SPACE, .plane = {.normal = {-1.0, 0.0, 0.0}, .offset = -0.6}}};
  for (int k = 0; k < pegs; ++k)
    shape[2 + k] = (nsds_shape_def){
        .kind = NSDS_BOX,
        .half = {0.03, 0.03},
        .angle = 0.785398,
        .position = {-0.4 + 0.4 * (k % 3) - 0.2 * (k / 3 % 2), -0.1 - 0.2 * (k / 3)}};
  w->model = nsds_model_create(context);
  w->set = nsds_shapes(w->model, &(nsds_shapes_def){.dimension = 2,
                                                    .nmaterial = 1,
                                                    .material = &stuff,
                                                    .nshape = pegs + 2,
                                                    .shape = shape,
                                                    .reach = 0.01});
  w->simulation = nsds_time_stepping(
      w->model,
      &(nsds_time_stepping_def){
          .t1 = 1e9, .h = 2.5e-3, .solver = "nsgs", .tolerance = 1e-4, .check_solver = take});
  nsds_solver_set(nsds_simulation_solver(w->simulation), "max_iterations", 30);
  w->seed = 11;
  assert_sound(w->model);
}

static void fill(silo *w) {
  for (int k = 0; k < row_discs; ++k) {
    nsds_ds *ds = disc(w->model, NULL, -0.45 + 0.3 * k + random_in(&w->seed, -0.01, 0.01), 0.1);
    assert_non_null(ds);
    const nsds_shape_def shape = {.kind = NSDS_SPHERE, .ds = ds, .radius = 0.04};
    assert_true(nsds_shapes_add(w->set, &shape) >= 0);
    assert_ok(w->model, nsds_set_state(ds, NULL, (double[]){0.0, -1.0, 0.0}));
    w->disc[w->count++] = ds;
    ++w->made;
  }
}

static void empty(silo *w) {
  for (int k = w->count - 1; k >= 0; --k) {
    if (nsds_q(w->disc[k])[1] > -1.2) continue;
    assert_ok(w->model, nsds_shapes_remove_body(w->set, w->disc[k]));
    assert_ok(w->model, nsds_ds_destroy(w->disc[k]));
    w->disc[k] = w->disc[--w->count];
    ++w->removed;
  }
}

static void a_silo_keeps_its_memory(void **state) {
  (void)state;
  meter m = {0};
  nsds_context *context = meter_context(&m);
  static silo w;
  w = (silo){0};
  build_silo(&w, context);
  const long each = 8; /* pieces of memory of a disc, at most */
  size_t early = 0;
  long pieces = 0;
  int most = 0, then = 0;
  for (long step = 0; w.removed < silo_discs; ++step) {
    if (step % 30 == 0) fill(&w);
    assert_ok(w.model, nsds_step(w.simulation));
    empty(&w);
    assert_true(w.count < 1000);
    most = w.count > most ? w.count : most;
    /* arrays double as they grow, the last ones when 300 discs have passed */
    if (early > 0 || w.removed < silo_discs / 5 || w.removed < 500) continue;
    early = m.peak;
    pieces = m.live;
    then = w.count;
  }
  print_message(
      "             %ld discs passed, at most %d at a time; memory at most %zu bytes, %zu "
      "in the first part; %ld pieces with %d discs, %ld with %d then\n",
      w.removed, most, m.peak, early, m.live, w.count, pieces, then);
  assert_true(m.peak <= early + early / 4);
  long more = w.count > then ? w.count - then : 0;
  assert_true(m.live <= pieces + each * (more + 1));
  nsds_model_destroy(w.model);
  nsds_context_destroy(context);
  assert_int_equal(m.live, 0);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stale_handles_are_refused),
      cmocka_unit_test(users_are_named),
      cmocka_unit_test(those_that_stay_move_alike),
      cmocka_unit_test(states_stay_with_their_systems),
      cmocka_unit_test(moves_of_pointers_are_counted),
      cmocka_unit_test(saved_states_of_before_are_refused),
      cmocka_unit_test(exclusions_follow_their_bodies),
      cmocka_unit_test(a_silo_keeps_its_memory),
  };
  if (argc > 1)
    silo_discs = atol(argv[1]) > 1000 ? atol(argv[1]) : 1000; /* the first fill the silo */
  return cmocka_run_group_tests_name("kernel.systems_removed", tests, NULL, NULL);
}
