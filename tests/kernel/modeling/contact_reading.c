/*
 * Contacts as programs read them, in time stepping: of every geometry the points, frames and
 * impulses agree with the motion (balance.h), and what there is to be gone through is complete.
 */
#include "balance.h"

#include <nsds/rigid_body.h>
#include <nsds/shapes.h>

static const double g = 9.81;

static nsds_law *law_of(nsds_model *model, int dimension, int rows) {
  if (rows == 1) return nsds_newton_impact(model, 0.3);
  if (rows == dimension)
    return nsds_newton_impact_friction(
        model, &(nsds_newton_impact_friction_def){.dimension = dimension, .mu = 0.4, .e_n = 0.3});
  return nsds_newton_impact_rolling(
      model, &(nsds_newton_impact_rolling_def){
                 .dimension = dimension, .mu = 0.4, .mu_rolling = 0.02, .e_n = 0.3});
}

/* Steps of h, each of which is checked; with contacts of their starts moments are exact, at their
 * ends where nothing strikes anything so fast that its contact is that of the start. */
static void follow(balance *b, double h, int steps, bool at_start, double tolerance) {
  nsds_simulation *s = nsds_time_stepping(
      b->model,
      &(nsds_time_stepping_def){
          .t1 = (steps + 1) * h, .h = h, .contacts_at_start = at_start, .tolerance = 1e-13});
  assert_sound(b->model);
  b->time = h;
  for (int k = 0; k < steps; ++k) {
    balance_arms arms = at_start ? ARMS_BEFORE : ARMS_AHEAD;
    balance_note(b);
    assert_ok(b->model, nsds_step(s));
    assert_true(nsds_simulation_info(s)->substeps <= 1);
    balance_check(b, arms, false, tolerance);
    balance_check(b, arms, true, tolerance);
    balance_check_rates(b, arms, 100.0 * tolerance);
  }
  assert_true(b->contacts > 0 && b->largest > 0.0);
  nsds_simulation_destroy(s);
}

/* ---- balls ---- */

/* On an inclined half space, and on each other; points of half spaces are on the ball, of pairs
 * halfway between them. */
static void balls(void **state) {
  (void)state;
  for (int dimension = 2; dimension <= 3; ++dimension)
    for (int start = 0; start < 2; ++start) {
      balance b = balance_begin(dimension, 0.0, 0.0, 0.0);
      const double n[3] = {0.6, 0.8, 0.0}, r = 0.5;
      nsds_ds *ds[3];
      b.gravity[1] = -g;
      for (int k = 0; k < 3; ++k) {
        const double along[3] = {0.8, -0.6, 0.0}, off = k == 2 ? 1.9 : 0.0;
        double q[3], f[3] = {0.0, -2.0 * g, 0.0}, up = r * (1.0 + off * 0.88);
        for (int i = 0; i < 3; ++i) q[i] = up * n[i] + (k == 2 ? 0.5 : k) * along[i] * 1.0001;
        const double M[9] = {[0] = 2.0, [4] = 2.0, [8] = 2.0}, M2[4] = {2.0, 0, 0, 2.0};
        ds[k] = nsds_lagrangian_linear(
            b.model, &(nsds_lagrangian_linear_def){.ndof = dimension,
                                                   .mass = dimension == 3 ? M : M2,
                                                   .q0 = q,
                                                   .v0 = (double[]){0.1, -0.1, 0.02 * k},
                                                   .fext = f});
        balance_adopt(&b, ds[k], 2.0);
      }
      nsds_contact_set *set =
          nsds_balls(b.model, &(nsds_balls_def){.law = nsds_newton_impact(b.model, 0.2),
                                                .count = 3,
                                                .ds = ds,
                                                .dimension = dimension,
                                                .radius = r,
                                                .normal = n,
                                                .pairs = true});
      follow(&b, 1e-3, 60, start, 1e-11);
      nsds_contact_info c;
      nsds_contact_iterator at = nsds_set_contacts(set);
      int pairs = 0, planes = 0;
      while (nsds_next_contact(&at, &c)) {
        const double *x = nsds_q(c.ds[0]);
        double away = 0.0;
        for (int k = 0; k < dimension; ++k) away += (x[k] - c.point[k]) * (x[k] - c.point[k]);
        assert_near(sqrt(away), c.ds[1] ? r + 0.5 * c.y[0] : r, 1e-3 * 0.5);
        assert_ptr_equal(c.ds[0], ds[c.shape[0]]);
        assert_int_equal(c.ds[1] ? 1 : 0, c.shape[1] < 3);
        if (c.ds[1]) assert_ptr_equal(c.ds[1], ds[c.shape[1]]);
        pairs += c.ds[1] != NULL;
        planes += !c.ds[1];
      }
      assert_true(pairs >= 2 && planes >= 2);
      nsds_model_destroy(b.model);
    }
}

/* ---- spheres ---- */

static void spheres(void **state) {
  (void)state;
  for (int rows = 1; rows <= 5; rows += 2)
    for (int start = 0; start < 2; ++start) {
      balance b = balance_begin(3, 1.0, 0.5, -g);
      nsds_ds *ds[4];
      const double radii[4] = {0.3, 0.25, 0.3, 0.2};
      const double at[4][3] = {{0, 0, 0.3}, {0.55, 0, 0.25}, {0.1, 0.6, 0.3}, {0.25, 0.15, 0.635}};
      for (int k = 0; k < 4; ++k)
        ds[k] = balance_add(&b, 1.0 + k, 0.04 * (1 + k), at[k],
                            (double[]){0.1, -0.05 * k, -0.1, 0.3, 0.2 * k, -0.4});
      nsds_plane plane[2] = {{{0, 0, 1}, 0}, {{0.6, 0, 0.8}, -0.09}};
      nsds_contact_set *set =
          nsds_spheres(b.model, &(nsds_spheres_def){.law = law_of(b.model, 3, rows),
                                                    .count = 4,
                                                    .ds = ds,
                                                    .radii = radii,
                                                    .nplane = 2,
                                                    .plane = plane});
      follow(&b, 2e-4, 300, start, 1e-10);
      if (rows > 1) assert_true(b.turned > 100);
      for (int k = 0; k < nsds_contact_set_count(set); ++k) {
        nsds_contact_info c;
        assert_ok(b.model, nsds_contact_set_get(set, k, &c));
        assert_int_equal(c.rows, rows);
        assert_ptr_equal(c.ds[0], ds[c.shape[0]]);
        if (c.ds[1]) assert_ptr_equal(c.ds[1], ds[c.shape[1]]);
        else assert_near(fabs(c.normal[2] - plane[c.shape[1] - 4].normal[2]), 0.0, 1e-12);
      }
      nsds_model_destroy(b.model);
    }
}

/* What strikes so fast that its contact is that of the start of the step. */
static void fast_spheres(void **state) {
  (void)state;
  balance b = balance_begin(3, 0, 0, 0);
  nsds_ds *ds[2] = {balance_add(&b, 1.0, 0.1, (double[]){0, 0, 0}, (double[]){30, 0, 0, 0, 5, 3}),
                    balance_add(&b, 2.0, 0.3, (double[]){1.1, 0.2, 0}, NULL)};
  nsds_spheres(b.model, &(nsds_spheres_def){
                            .law = law_of(b.model, 3, 3), .count = 2, .ds = ds, .radius = 0.5});
  nsds_simulation *s = nsds_time_stepping(
      b.model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.005, .tolerance = 1e-13});
  b.time = 0.005;
  for (int k = 0; k < 6; ++k) {
    balance_note(&b);
    assert_ok(b.model, nsds_step(s));
    nsds_contact_info c;
    nsds_contact_iterator at = nsds_model_contacts(b.model);
    bool struck = nsds_next_contact(&at, &c) && c.impulse[0] > 0.0;
    if (struck) balance_check(&b, ARMS_BEFORE, false, 1e-10);
  }
  assert_true(b.largest > 10.0);
  nsds_model_destroy(b.model);
}

/* ---- shapes ---- */

static const double corner[][3] = {
    {0.3, 0, -0.2}, {-0.3, 0, -0.2}, {0, 0.4, -0.2}, {0, -0.3, -0.2}, {0.1, 0.05, 0.25}};
static const double corner_2d[][2] = {{-0.3, -0.2}, {0.3, -0.2}, {0.05, 0.25}};
static const double ground[][3] = {{-5, -5, 0}, {5, -5, 0}, {5, 5, 0}, {-5, 5, 0}};
static const int ground_face[] = {0, 1, 2, 0, 2, 3};
static const double ground_2d[][2] = {{-5, 0}, {5, 0}};
static const int ground_face_2d[] = {0, 1};

static nsds_shape_def shape_of(nsds_shape_kind kind, int dimension, nsds_ds *ds) {
  bool space = dimension == 3;
  nsds_shape_def d = {.kind = kind, .ds = ds, .half = {0.25, 0.2, 0.15}};
  if (kind == NSDS_SPHERE || kind == NSDS_CAPSULE) d.radius = 0.2;
  if (kind == NSDS_HULL) {
    d.vertex = space ? corner[0] : corner_2d[0];
    d.nvertex = space ? 5 : 3;
  }
  if (kind == NSDS_HALF_SPACE) d.plane = (nsds_plane){{0, space ? 0 : 1, space ? 1 : 0}, 0};
  if (kind == NSDS_TRIANGLES) {
    d.vertex = space ? ground[0] : ground_2d[0];
    d.face = space ? ground_face : ground_face_2d;
    d.nvertex = space ? 4 : 2;
    d.nface = space ? 2 : 1;
  }
  return d;
}

/* Half of the height of what is made above. */
static double height_of(nsds_shape_kind kind, int dimension) {
  if (kind == NSDS_BOX) return dimension == 3 ? 0.15 : 0.2;
  return 0.2;
}

/* The first lies on the second, which is scenery or another body that lies on a floor. */
static void shape_pair(nsds_shape_kind a, nsds_shape_kind b_kind, int dimension, int rows,
                       bool at_start) {
  int up = dimension - 1;
  balance b = balance_begin(dimension, 0, 0, 0);
  b.gravity[up] = -g;
  b.gravity[0] = 2.0;
  double x[3] = {0.0}, y[3] = {0.0}, v[6] = {0.1, 0.0, 0.0, 0.2, -0.3, 0.1};
  bool body = b_kind <= NSDS_HULL;
  double top = !body ? 0.0 : height_of(b_kind, dimension) * (b_kind == NSDS_HULL ? 2.25 : 2.0);
  y[up] = height_of(b_kind, dimension);
  x[up] = top + height_of(a, dimension) - 1e-4;
  x[0] = body ? 0.02 : 0.0;
  v[up] = -0.1;
  nsds_ds *first = balance_add(&b, 1.0, 0.04, x, v);
  nsds_ds *second = body ? balance_add(&b, 2.0, 0.07, y, NULL) : NULL;
  nsds_shape_def shape[3] = {shape_of(a, dimension, first), shape_of(b_kind, dimension, second),
                             shape_of(NSDS_HALF_SPACE, dimension, NULL)};
  nsds_contact_set *set =
      nsds_shapes(b.model, &(nsds_shapes_def){.dimension = dimension,
                                              .law = law_of(b.model, dimension, rows),
                                              .nshape = body ? 3 : 2,
                                              .shape = shape});
  follow(&b, 2e-4, 150, at_start, 1e-10);
  if (rows > 1) assert_true(b.turned > 10);
  nsds_contact_info c;
  for (nsds_contact_iterator at = nsds_set_contacts(set); nsds_next_contact(&at, &c);) {
    assert_true(c.shape[0] <= 1 && c.shape[1] <= 2 && c.shape[0] != c.shape[1]);
    assert_ptr_equal(c.ds[0], shape[c.shape[0]].ds);
    assert_ptr_equal(c.ds[1], shape[c.shape[1]].ds);
  }
  nsds_model_destroy(b.model);
}

static void shapes_of(int dimension) {
  const int rows_of[] = {1, dimension, dimension == 3 ? 5 : 3};
  for (int a = NSDS_SPHERE; a <= NSDS_HULL; ++a)
    for (int b = NSDS_SPHERE; b <= NSDS_TRIANGLES; ++b)
      for (int k = 0; k < 6; ++k)
        shape_pair((nsds_shape_kind)a, (nsds_shape_kind)b, dimension, rows_of[k / 2], k % 2);
}

static void shapes_in_space(void **state) { (void)state, shapes_of(3); }
static void shapes_in_the_plane(void **state) { (void)state, shapes_of(2); }

/* ---- geometries of a program's own ---- */

typedef struct own {
  nsds_ds *ds;
  double radius;
  bool tells, wrong, plain; /* plain: the library chooses the tangents */
} own;

/* A sphere on the floor, with tangents of its own. */
static nsds_status own_find(void *self, double t, nsds_contacts *contacts) {
  const own *o = self;
  const double *q = nsds_q(o->ds), c = cos(0.7), s = sin(0.7);
  const double frame[3][3] = {{0, 0, 1}, {c, s, 0}, {-s, c, 0}};
  double gap = q[2] - o->radius, y[3] = {gap}, H[18], moment[3];
  const double arm[3] = {0, 0, -o->radius};
  (void)t;
  for (int i = 0; i < 3; ++i) {
    const double *d = frame[i];
    const double world[3] = {arm[1] * d[2] - arm[2] * d[1], arm[2] * d[0] - arm[0] * d[2],
                             arm[0] * d[1] - arm[1] * d[0]};
    nsds_to_body(q, world, moment);
    for (int k = 0; k < 3; ++k) H[i + 3 * k] = d[k], H[i + 3 * (3 + k)] = moment[k];
  }
  nsds_contact_place place = {.point = {q[0], q[1], q[2] - o->radius},
                              .normal = {0, 0, o->wrong ? 2.0 : 1.0},
                              .tangent = {c, s, 0},
                              .shape = {7, 8}};
  for (int k = 0; k < 3 && o->plain; ++k) place.tangent[k] = 0.0;
  return nsds_contacts_add(
      contacts, &(nsds_contact_point){
                    .key = 5, .ds = {o->ds}, .y = y, .H = H, .place = o->tells ? &place : NULL});
}

static const nsds_geometry_ops own_ops = {.type = "own", .find = own_find};

static void own_geometry(void **state) {
  (void)state;
  for (int tells = 0; tells < 2; ++tells) {
    balance b = balance_begin(3, 1.0, 2.0, -g);
    own o = {.radius = 0.3, .tells = tells};
    o.ds = balance_add(&b, 1.0, 0.05, (double[]){0, 0, 0.3}, (double[]){0.5, 0, 0, 1, 2, 3});
    nsds_contact_set *set = nsds_custom_contact_set(
        b.model,
        &(nsds_custom_contact_set_def){.ops = &own_ops, .self = &o, .law = law_of(b.model, 3, 3)});
    if (tells) follow(&b, 1e-3, 50, true, 1e-10);
    else
      assert_ok(b.model, nsds_step(nsds_time_stepping(
                             b.model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-3})));
    nsds_contact_info c;
    assert_ok(b.model, nsds_contact_set_get(set, 0, &c));
    assert_int_equal(c.located, tells);
    assert_true(c.impulse[0] > 0.0 && c.set == set && c.rows == 3);
    for (int k = 0; k < 3 && !tells; ++k)
      assert_true(c.world_force[k] == 0.0 && c.normal[k] == 0.0 && c.point[k] == 0.0);
    if (tells) assert_true(c.shape[0] == 7 && c.shape[1] == 8 && c.tangent[0][0] == cos(0.7));
    o.tells = o.wrong = true;
    nsds_simulation *s = nsds_time_stepping(
        b.model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-3, .max_halvings = 0});
    assert_status(b.model, nsds_step(s), NSDS_ERROR_VALUE);
    const char *words[] = {"place of the contact with key 5", "normal (0, 0, 2)"};
    assert_words(nsds_error_message(nsds_model_context(b.model)), words, 2);
    nsds_error_clear(nsds_model_context(b.model));
    nsds_model_destroy(b.model);
  }
}

static double tangent_of(const nsds_contact_set *set) {
  nsds_contact_info c;
  assert_int_equal(nsds_contact_set_get(set, 0, &c), NSDS_OK);
  return c.tangent[0][0];
}

/* The first tangent of a set comes after some steps. It stays in a step that fails, and in what is
 * saved. */
static void late_tangents(void **state) {
  (void)state;
  balance b = balance_begin(3, 1.0, 2.0, -g);
  own o = {.radius = 0.3, .tells = true, .plain = true};
  o.ds = balance_add(&b, 1.0, 0.05, (double[]){0, 0, 0.3}, (double[]){0.5, 0, 0, 1, 2, 3});
  nsds_contact_set *set = nsds_custom_contact_set(
      b.model,
      &(nsds_custom_contact_set_def){.ops = &own_ops, .self = &o, .law = law_of(b.model, 3, 3)});
  nsds_simulation *s = nsds_time_stepping(
      b.model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-3, .max_halvings = 0});
  assert_ok(b.model, nsds_step(s));
  double chosen = tangent_of(set), given = cos(0.7);
  assert_true(chosen != given);
  nsds_snapshot *before = nsds_snapshot_take(s);
  o.plain = false;
  assert_ok(b.model, nsds_step(s));
  assert_true(tangent_of(set) == given);
  nsds_snapshot *after = nsds_snapshot_take(s);
  o.wrong = true;
  assert_status(b.model, nsds_step(s), NSDS_ERROR_VALUE);
  nsds_error_clear(nsds_model_context(b.model));
  assert_true(tangent_of(set) == given);
  o.wrong = false;
  o.plain = true;
  assert_ok(b.model, nsds_step(s));
  assert_true(tangent_of(set) == chosen);
  assert_ok(b.model, nsds_snapshot_restore(s, after));
  assert_true(tangent_of(set) == given);
  assert_ok(b.model, nsds_snapshot_restore(s, before));
  assert_true(tangent_of(set) == chosen);
  nsds_snapshot_destroy(before);
  nsds_snapshot_destroy(after);
  nsds_model_destroy(b.model);
}

/* ---- interactions ---- */

/* A sphere before an inclined plane, from a function. */
static int touch_plane(const nsds_arguments *in, nsds_body_contact *c, void *user) {
  const double n[3] = {0.6, 0.0, 0.8}, r = 0.3;
  if (*(bool *)user) return 1;
  c->gap = n[0] * in->q[0] + n[1] * in->q[1] + n[2] * in->q[2] - r;
  for (int k = 0; k < 3; ++k) {
    c->normal[k] = n[k];
    c->point[k] = in->q[k] - r * n[k];
  }
  c->tangent[1] = 1.0;
  return 0;
}

static void interactions(int dimension, int rows) {
  balance b = balance_begin(dimension, 1.0, dimension == 3 ? 0.5 : -g, dimension == 3 ? -g : 0.0);
  bool space = dimension == 3, fails = false;
  nsds_law *law = law_of(b.model, dimension, rows);
  const double n[3] = {0, space ? 0 : 1, space ? 1 : 0};
  double x[3] = {0}, y[3] = {0.1};
  x[dimension - 1] = 0.3;
  y[dimension - 1] = 0.79;
  if (!space) x[2] = y[2] = 0.0, x[1] = 0.3, y[1] = 0.79;
  nsds_ds *pair[2] = {balance_add(&b, 1.0, 0.05, y, (double[]){0.1, -0.2, 0.1, 0.3, 0.5, -0.4}),
                      balance_add(&b, 2.0, 0.07, x, (double[]){-0.1, 0.1, 0.0, -0.3, 0.2, 0.1})};
  nsds_interaction *floor = nsds_connect(
      b.model,
      nsds_sphere_plane_relation(
          b.model,
          &(nsds_sphere_plane_relation_def){
              .dimension = dimension, .rows = rows, .radius = 0.3, .normal = {n[0], n[1], n[2]}}),
      law, 1, &pair[1]);
  nsds_connect(
      b.model,
      nsds_sphere_sphere_relation(
          b.model, &(nsds_sphere_sphere_relation_def){.dimension = dimension,
                                                      .rows = rows,
                                                      .radius = {0.2, 0.3},
                                                      .center = {{0.02, -0.01}, {0.0, 0.01}}}),
      law, 2, pair);
  if (space) {
    nsds_ds *third = balance_add(&b, 1.0, 0.05, (double[]){3.18, 0, -2.0}, NULL);
    nsds_connect(
        b.model,
        nsds_contact_relation(
            b.model,
            &(nsds_contact_relation_def){.rows = rows, .contact_fn = touch_plane, .user = &fails}),
        law, 1, &third);
  }
  nsds_contact_info c = {.rows = 7};
  assert_ok(b.model, nsds_interaction_contact(floor, &c));
  assert_false(c.located); /* there is no time */
  nsds_simulation *s = nsds_time_stepping(
      b.model,
      &(nsds_time_stepping_def){
          .t1 = 1.0, .h = 1e-3, .second_order = nsds_moreau_jean(0.5, 1.0), .tolerance = 1e-13});
  assert_sound(b.model);
  b.time = 1e-3;
  for (int k = 0; k < 100; ++k) {
    balance_note(&b);
    assert_ok(b.model, nsds_step(s));
    balance_check(&b, ARMS_NOW, false, 1e-9);
    balance_check_rates(&b, ARMS_NOW, 1e-7);
  }
  assert_true(b.contacts == (space ? 400 : 300) && b.largest > 0.01);
  assert_ok(b.model, nsds_interaction_contact(floor, &c));
  assert_true(c.located && c.interaction == floor && !c.set && c.rows == rows && c.active);
  fails = true;
  nsds_contact_iterator at = nsds_model_contacts(b.model);
  int located = 0, all = 0;
  for (; nsds_next_contact(&at, &c); ++all) located += c.located;
  assert_int_equal(all, space ? 3 : 2);
  assert_int_equal(located, 2);
  if (space) assert_int_equal(nsds_error(nsds_model_context(b.model)), NSDS_ERROR_CALLBACK);
  nsds_error_clear(nsds_model_context(b.model));
  nsds_model_destroy(b.model);
}

static void contacts_as_interactions(void **state) {
  (void)state;
  for (int k = 0; k < 3; ++k) interactions(3, 2 * k + 1);
  for (int rows = 1; rows <= 3; ++rows) interactions(2, rows);
}

/* ---- going through ---- */

/* Two sets, an interaction that is a contact and one that is none: each contact comes once, for a
 * body those it is part of. */
static void all_of_a_model(void **state) {
  (void)state;
  balance b = balance_begin(3, 0, 0, -g);
  nsds_ds *ds[3];
  for (int k = 0; k < 3; ++k)
    ds[k] = balance_add(&b, 1.0, 0.1, (double[]){1.9 * k, 0, 0.999}, NULL);
  nsds_law *law = nsds_newton_impact(b.model, 0.0);
  nsds_plane floor = {{0, 0, 1}, 0};
  nsds_contact_set *one = nsds_spheres(
      b.model, &(nsds_spheres_def){
                   .law = law, .count = 2, .ds = ds, .radius = 1.0, .nplane = 1, .plane = &floor});
  nsds_contact_set *two = nsds_balls(
      b.model,
      &(nsds_balls_def){
          .law = law, .count = 2, .ds = ds + 1, .dimension = 3, .radius = 1.0, .pairs = true});
  nsds_relation *plane = nsds_sphere_plane_relation(
      b.model, &(nsds_sphere_plane_relation_def){.rows = 1, .radius = 1.0, .normal = {0, 0, 1}});
  nsds_interaction *contact = nsds_connect(b.model, plane, law, 1, &ds[2]);
  nsds_relation *angle = nsds_joint_coordinate(
      b.model, &(nsds_joint_coordinate_def){
                   .kind = NSDS_COORDINATE_ANGLE, .ds = {ds[2]}, .axis = {0, 0, 1}});
  nsds_interaction *hinge = nsds_connect(b.model, angle, law, 1, &ds[2]);
  nsds_simulation *s = nsds_time_stepping(b.model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-3});
  assert_ok(b.model, nsds_step(s));
  const int expected[] = {2, 3, 2};
  nsds_contact_info c;
  for (int k = 0; k < 3; ++k) {
    int count = 0;
    for (nsds_contact_iterator at = nsds_body_contacts(ds[k]); nsds_next_contact(&at, &c); ++count)
      assert_true(c.ds[0] == ds[k] || c.ds[1] == ds[k]);
    assert_int_equal(count, expected[k]);
  }
  int count[3] = {0};
  for (nsds_contact_iterator at = nsds_model_contacts(b.model); nsds_next_contact(&at, &c);)
    ++count[c.set == one ? 0 : c.set == two ? 1 : 2];
  assert_true(count[0] == 3 && count[1] == 1 && count[2] == 1);
  nsds_contact_iterator at = nsds_set_contacts(two);
  assert_true(nsds_next_contact(&at, &c) && c.set == two && !nsds_next_contact(&at, &c));
  assert_status(b.model, nsds_interaction_contact(hinge, &c), NSDS_ERROR_ARGUMENT);
  const char *words[] = {"is not a contact of bodies"};
  assert_words(nsds_error_message(nsds_model_context(b.model)), words, 1);
  nsds_error_clear(nsds_model_context(b.model));
  assert_status(b.model, nsds_interaction_contact(contact, NULL), NSDS_ERROR_ARGUMENT);
  nsds_error_clear(nsds_model_context(b.model));
  at = nsds_set_contacts(one);
  assert_ok(b.model, nsds_contact_set_destroy(one));
  assert_false(nsds_next_contact(&at, &c));
  assert_int_equal(nsds_error(nsds_model_context(b.model)), NSDS_ERROR_ARGUMENT);
  nsds_error_clear(nsds_model_context(b.model));
  at = nsds_model_contacts(NULL);
  assert_false(nsds_next_contact(&at, &c));
  at = nsds_body_contacts(NULL);
  assert_false(nsds_next_contact(&at, &c));
  at = nsds_set_contacts(NULL);
  assert_false(nsds_next_contact(&at, &c) || nsds_next_contact(NULL, &c));
  nsds_model_destroy(b.model);
}

/* Places come back with a saved state and with a snapshot, and stay where a step fails. */
static void kept(void **state) {
  (void)state;
  balance b = balance_begin(3, 1, 0, -g);
  nsds_ds *ds = balance_add(&b, 1.0, 0.1, (double[]){0, 0, 0.999}, (double[]){1, 2, 0, 0, 0, 0});
  nsds_plane floor = {{0, 0, 1}, 0};
  nsds_contact_set *set = nsds_spheres(b.model, &(nsds_spheres_def){.law = law_of(b.model, 3, 3),
                                                                    .count = 1,
                                                                    .ds = &ds,
                                                                    .radius = 1.0,
                                                                    .nplane = 1,
                                                                    .plane = &floor});
  nsds_simulation *s = nsds_time_stepping(b.model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-2});
  nsds_contact_info before, c;
  assert_ok(b.model, nsds_step(s));
  assert_ok(b.model, nsds_contact_set_get(set, 0, &before));
  double point = before.point[0], force = before.world_force[2];
  assert_true(point != 0.0 && force > 0.0);
  assert_ok(b.model, nsds_simulation_save(s));
  nsds_snapshot *taken = nsds_snapshot_take(s);
  for (int way = 0; way < 2; ++way) {
    assert_ok(b.model, nsds_step(s));
    assert_ok(b.model, nsds_contact_set_get(set, 0, &c));
    assert_true(c.point[0] != point);
    assert_ok(b.model, way ? nsds_snapshot_restore(s, taken) : nsds_simulation_restore(s));
    assert_ok(b.model, nsds_contact_set_get(set, 0, &c));
    assert_true(c.located && c.shape[1] == 1);
    assert_near(c.point[0], point, 0.0);
    assert_near(c.world_force[2], force, 0.0);
  }
  nsds_snapshot_destroy(taken);
  nsds_model_destroy(b.model);
}

/* Writes the keys of the contacts of two boxes, the upper one turned and leaning a little. */
static int keys_of_boxes(double turn, double lean, double way, uint64_t *key) {
  nsds_model *m = nsds_model_create(NULL);
  const double J[9] = {[0] = 0.1, [4] = 0.1, [8] = 0.1};
  const nsds_material material = {.mu = 0.5};
  nsds_shape_def shape[2];
  for (int b = 0; b < 2; ++b) {
    double q[7] = {0.03 * b, 0.02 * b, 0.499 * b, cos(b * turn), 0.0, 0.0, sin(b * turn)};
    if (b) q[4] = lean * cos(way), q[5] = lean * sin(way);
    nsds_ds *ds = nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1.0, .inertia = J, .q0 = q});
    shape[b] = (nsds_shape_def){.kind = NSDS_BOX, .ds = ds, .half = {0.25, 0.25, 0.25}};
  }
  nsds_contact_set *set = nsds_shapes(
      m, &(nsds_shapes_def){.nmaterial = 1, .material = &material, .nshape = 2, .shape = shape});
  nsds_simulation *s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1e-9, .h = 1e-9});
  assert_sound(m);
  assert_status(m, nsds_run(s), NSDS_END);
  nsds_contact_info c;
  nsds_contact_iterator at = nsds_set_contacts(set);
  int count = 0;
  while (nsds_next_contact(&at, &c)) key[count++] = c.key;
  nsds_model_destroy(m);
  return count;
}

/* Contacts of two shapes come in one order, whichever face the search started from. */
static void in_one_order(void **state) {
  (void)state;
  int same = 0, turned = 0;
  for (int k = 0; k < 300; ++k) {
    uint64_t first[8], other[8];
    int count = keys_of_boxes(0.037 * k, 1e-7, 0.9 * k, first), places = 0, last = -1;
    if (keys_of_boxes(0.037 * k, 1e-7, 2.1 * k, other) != count) continue;
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < count; ++j) {
        if (other[i] != first[j]) continue;
        turned += j < last;
        last = j;
        ++places;
      }
    same += count == 4 && places == 4;
  }
  assert_true(same > 100);
  assert_int_equal(turned, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(balls),
      cmocka_unit_test(spheres),
      cmocka_unit_test(fast_spheres),
      cmocka_unit_test(shapes_in_space),
      cmocka_unit_test(shapes_in_the_plane),
      cmocka_unit_test(own_geometry),
      cmocka_unit_test(late_tangents),
      cmocka_unit_test(contacts_as_interactions),
      cmocka_unit_test(all_of_a_model),
      cmocka_unit_test(in_one_order),
      cmocka_unit_test(kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
