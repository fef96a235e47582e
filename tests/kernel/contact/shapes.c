/*
 * Motions of bodies of shapes: rest, stacks, inclines, rolling, scenery of triangles beside a
 * plane, spheres beside nsds_spheres(), turned scenes, keys that stay.
 */
#include "support.h"

static const double g = 9.81;
static const nsds_shape_def floor_shape = {.kind = NSDS_HALF_SPACE, .plane = {{0, 0, 1}, 0}};

/* A body of unit mass with the moments of inertia J about its axes, gravity along -z. */
static nsds_ds *body(nsds_model *m, const double *J, const double *q, const double *v) {
  const double inertia[9] = {[0] = J[0], [4] = J[1], [8] = J[2]};
  return nsds_rigid_body(
      m, &(nsds_rigid_body_def){
             .mass = 1.0, .inertia = inertia, .q0 = q, .v0 = v, .gravity = {0, 0, -g}});
}

static nsds_contact_set *shapes(nsds_model *m, double mu, double e, int count,
                                const nsds_shape_def *shape) {
  nsds_law *law =
      nsds_newton_impact_friction(m, &(nsds_newton_impact_friction_def){.mu = mu, .e_n = e});
  return nsds_shapes(m, &(nsds_shapes_def){.law = law, .nshape = count, .shape = shape});
}

/* ---- at rest ---- */

/* n unit cubes on each other, each a little off the one below; lowered by 1e-9 so that every
 * contact is closed. Contacts between neighbours carry the weight of what is above, all the time.
 */
static void check_stack(int n, long steps, nsds_shape_kind kind) {
  enum { most = 8 };
  const double J[] = {1.0 / 6.0, 1.0 / 6.0, 1.0 / 6.0};
  double corner[24];
  uint64_t key[4 * most];
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds[most];
  nsds_shape_def shape[most + 1] = {floor_shape};
  for (int k = 0; k < 24; ++k) corner[k] = (k / 3 >> k % 3 & 1) ? 0.5 : -0.5;
  for (int k = 0; k < n; ++k) {
    ds[k] =
        body(m, J, (double[]){0.05 * (k % 2), 0.03 * (k % 3), 0.5 + k - 1e-9 * (k + 1), 1, 0, 0, 0},
             NULL);
    shape[k + 1] = (nsds_shape_def){
        .kind = kind, .ds = ds[k], .half = {0.5, 0.5, 0.5}, .nvertex = 8, .vertex = corner};
  }
  nsds_contact_set *set = shapes(m, 0.5, 0.0, n + 1, shape);
  nsds_simulation *s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1e9, .h = 2e-3});
  assert_sound(m);
  for (long step = 0; step < steps; ++step) {
    double force[most + 1] = {0.0};
    assert_ok(m, nsds_step(s));
    assert_int_equal(nsds_contact_set_count(set), 4 * n);
    for (int k = 0; k < 4 * n; ++k) {
      nsds_contact_info contact;
      nsds_contact_info info;
      assert_ok(m, nsds_contact_set_get(set, k, &contact));
      assert_ok(m, nsds_contact_set_get(set, k, &info));
      if (step == 0) key[k] = info.key;
      bool known = step == 0;
      for (int i = 0; i < 4 * n; ++i) known = known || key[i] == info.key;
      assert_true(known);
      int a = contact.shape[0], b = contact.shape[1], below = a < b ? a : b;
      force[below] += info.force[0];
    }
    for (int k = 0; k < n; ++k) assert_near(force[k], g * (n - k), 1e-5 * g);
  }
  for (int k = 0; k < n; ++k) {
    assert_near(nsds_q(ds[k])[0], 0.05 * (k % 2), 1e-7);
    assert_near(nsds_q(ds[k])[1], 0.03 * (k % 3), 1e-7);
    assert_near(nsds_q(ds[k])[2], 0.5 + k, 1e-6);
  }
  nsds_model_destroy(m);
}

static void a_stack_stands(void **state) {
  (void)state;
  check_stack(1, 1000, NSDS_BOX);
  check_stack(5, 10000, NSDS_BOX);
  check_stack(4, 1000, NSDS_HULL);
}

/* ---- on an incline ---- */

/* A flat box on a plane inclined by alpha about y: sticks for tan alpha < mu, else slides with
 * g (sin alpha - mu cos alpha). The same in the plane. */
static void check_incline(double alpha, double mu, bool space) {
  const double h = 1e-3, up[] = {-sin(alpha), 0.0, cos(alpha)},
               down[] = {-cos(alpha), 0.0, -sin(alpha)};
  double expected = tan(alpha) < mu ? 0.0 : g * (sin(alpha) - mu * cos(alpha)), rise = 0.1 - 1e-9;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds;
  if (space)
    ds = body(m, (double[]){0.1, 0.2, 0.2},
              (double[]){rise * up[0], 0, rise * up[2], cos(alpha / 2), 0, -sin(alpha / 2), 0},
              NULL);
  else
    ds = nsds_rigid_body_2d(
        m, &(nsds_rigid_body_2d_def){.mass = 1.0,
                                     .inertia = 0.2,
                                     .q0 = (double[]){rise * up[0], rise * up[2], alpha},
                                     .gravity = {0, -g}});
  const nsds_shape_def shape[] = {
      {.kind = NSDS_HALF_SPACE, .plane = {{up[0], space ? 0.0 : up[2], space ? up[2] : 0.0}, 0.0}},
      {.kind = NSDS_BOX, .ds = ds, .half = {0.5, space ? 0.4 : 0.1, 0.1}}};
  nsds_law *law = nsds_newton_impact_friction(
      m, &(nsds_newton_impact_friction_def){.dimension = space ? 3 : 2, .mu = mu});
  nsds_shapes(
      m, &(nsds_shapes_def){.dimension = space ? 3 : 2, .law = law, .nshape = 2, .shape = shape});
  nsds_simulation *s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1e9, .h = h});
  assert_sound(m);
  for (int k = 0; k < 500; ++k) {
    assert_ok(m, nsds_step(s));
    const double *v = nsds_v(ds);
    double along = down[0] * v[0] + down[2] * v[space ? 2 : 1];
    assert_near(along, expected * nsds_time(s), 1e-7);
  }
  nsds_model_destroy(m);
}

static void sticks_or_slides(void **state) {
  (void)state;
  for (int space = 0; space < 2; ++space)
    for (int k = 1; k < 8; ++k) {
      check_incline(0.1 * k, tan(0.1 * k) * 1.01, space);
      check_incline(0.1 * k, tan(0.1 * k) * 0.9, space);
      check_incline(0.1 * k, 0.2 * tan(0.1 * k), space);
    }
}

/* ---- rolling ---- */

/* A capsule that lies and slides across its axis at v_0 rolls in the end at v_0 / (1 + J / m r^2),
 * whatever mu; on a half space, on a box, and on a table of triangles. */
static void a_capsule_rolls(void **state) {
  (void)state;
  const double r = 0.2, J = 0.5 * r * r, v0 = 1.5, mu = 0.3, when = v0 / (3.0 * mu * g);
  const double square[] = {-4, -4, 0, 4, -4, 0, 4, 4, 0, -4, 4, 0, 0.7, 0.1, 0};
  const int face[] = {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};
  const nsds_shape_def ground[] = {
      floor_shape,
      {.kind = NSDS_BOX, .half = {4, 4, 1}, .position = {0, 0, -1}},
      {.kind = NSDS_TRIANGLES, .nvertex = 5, .vertex = square, .nface = 4, .face = face}};
  for (int k = 0; k < 3; ++k) {
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds = body(m, (double[]){J, 0.1, 0.1}, (double[]){0, -0.5, r - 1e-9, 1, 0, 0, 0},
                       (double[]){0, v0, 0, 0, 0, 0});
    const nsds_shape_def shape[] = {{.kind = NSDS_CAPSULE, .ds = ds, .radius = r, .half = {0.5}},
                                    ground[k]};
    shapes(m, mu, 0.0, 2, shape);
    nsds_simulation *s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1e9, .h = 1e-3});
    assert_sound(m);
    while (nsds_time(s) < 1.0) {
      assert_ok(m, nsds_step(s));
      double t = nsds_time(s), v = nsds_v(ds)[1];
      assert_near(v, t < when ? v0 - mu * g * t : 2.0 / 3.0 * v0,
                  t < when + 2e-3 ? mu * g * 1e-3 : 1e-6);
      assert_near(nsds_q(ds)[2], r, 1e-7);
      assert_near(nsds_q(ds)[0], 0.0, 1e-7);
    }
    nsds_model_destroy(m);
  }
}

/* ---- scenery ---- */

/* A sphere, a capsule and a box that slide over a table of triangles move as on a half space: sides
 * of triangles are not felt. In the plane a chain of segments. */
static void check_table(int dimension, nsds_shape_kind kind) {
  double vertex[3 * 49], end[2][3];
  int face[3 * 72], nface = 0;
  for (int i = 0; i < 49; ++i) {
    vertex[dimension * i] =
        dimension == 3 ? i % 7 * 0.5 - 1.2 + 0.1 * sin(3.0 * i) : 3.0 - 0.11 * i;
    vertex[dimension * i + 1] = dimension == 3 ? i / 7 * 0.5 - 1.5 + 0.1 * cos(5.0 * i) : 0.0;
    if (dimension == 3) vertex[3 * i + 2] = 0.0;
  }
  for (int i = 0; i < 48; ++i) {
    const int quad[] = {i, i + 1, i + 8, i, i + 8, i + 7}, way[] = {i + 1, i};
    if (dimension == 3 && (i % 7 == 6 || i >= 42)) continue;
    memcpy(face + dimension * nface, dimension == 3 ? quad : way,
           sizeof(int) * (size_t)(dimension == 3 ? 6 : 2));
    nface += dimension == 3 ? 2 : 1;
  }
  for (int k = 0; k < 2; ++k) {
    nsds_model *m = nsds_model_create(NULL);
    const double r = 0.2;
    nsds_ds *ds;
    if (dimension == 3)
      ds = body(m, (double[]){0.016, 0.02, 0.02}, (double[]){-0.6, -0.4, r - 1e-9, 1, 0, 0, 0},
                (double[]){1.9, kind == NSDS_CAPSULE ? 0.0 : 0.9, 0, 0, 0, kind == NSDS_SPHERE});
    else
      ds = nsds_rigid_body_2d(m, &(nsds_rigid_body_2d_def){.mass = 1.0,
                                                           .inertia = 0.016,
                                                           .q0 = (double[]){-0.6, r - 1e-9, 0},
                                                           .v0 = (double[]){1.9, 0, 0},
                                                           .gravity = {0, -g}});
    const nsds_shape_def shape[] = {
        {.kind = kind, .ds = ds, .radius = kind == NSDS_BOX ? 0.0 : r, .half = {0.3, r, r}},
        k == 0 ? dimension == 3 ? floor_shape
                                : (nsds_shape_def){.kind = NSDS_HALF_SPACE, .plane = {{0, 1, 0}, 0}}
               : (nsds_shape_def){.kind = NSDS_TRIANGLES,
                                  .nvertex = 49,
                                  .vertex = vertex,
                                  .nface = nface,
                                  .face = face}};
    nsds_law *law = nsds_newton_impact_friction(
        m, &(nsds_newton_impact_friction_def){.dimension = dimension, .mu = 0.1});
    nsds_contact_set *set = nsds_shapes(
        m, &(nsds_shapes_def){.dimension = dimension, .law = law, .nshape = 2, .shape = shape});
    nsds_simulation *s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1e9, .h = 1e-3});
    assert_sound(m);
    for (int step = 0; step < 700; ++step) {
      assert_ok(m, nsds_step(s));
      assert_true(nsds_contact_set_count(set) > 0);
    }
    for (int i = 0; i < 3; ++i) end[k][i] = nsds_q(ds)[i];
    nsds_model_destroy(m);
  }
  for (int i = 0; i < 3; ++i)
    if (!(fabs(end[1][i] - end[0][i]) <= 1e-6))
      fail_msg("dimension %d, kind %d: coordinate %d ends at %.9g, on a half space at %.9g",
               dimension, (int)kind, i, end[1][i], end[0][i]);
  assert_true(end[0][0] > 0.3);
}

static void tables_are_flat(void **state) {
  (void)state;
  check_table(3, NSDS_SPHERE);
  check_table(3, NSDS_CAPSULE);
  check_table(3, NSDS_BOX);
  check_table(2, NSDS_SPHERE);
  check_table(2, NSDS_CAPSULE);
  check_table(2, NSDS_BOX);
}

/* ---- beside spheres ---- */

/* A heap of spheres that falls into a corner, by nsds_spheres() and by shapes. */
static void spheres_are_spheres(void **state) {
  (void)state;
  enum { n = 12 };
  nsds_model *m[2];
  nsds_ds *ds[2][n];
  nsds_simulation *s[2];
  nsds_contact_set *set[2];
  for (int k = 0; k < 2; ++k) {
    nsds_shape_def shape[n + 3] = {{.kind = NSDS_HALF_SPACE, .plane = {{0, 0, 1}, 0}},
                                   {.kind = NSDS_HALF_SPACE, .plane = {{0.6, 0, 0.8}, -0.2}},
                                   {.kind = NSDS_HALF_SPACE, .plane = {{-0.6, 0, 0.8}, -0.2}}};
    nsds_plane plane[3];
    double radii[n];
    m[k] = nsds_model_create(NULL);
    for (int i = 0; i < n; ++i) {
      radii[i] = 0.2 + 0.01 * i;
      ds[k][i] = body(m[k], (double[]){0.02, 0.02, 0.02},
                      (double[]){0.3 * sin(i), 0.3 * cos(2 * i), 0.4 + 0.45 * i, 1, 0, 0, 0}, NULL);
      shape[i + 3] = (nsds_shape_def){.kind = NSDS_SPHERE, .ds = ds[k][i], .radius = radii[i]};
    }
    for (int p = 0; p < 3; ++p) plane[p] = shape[p].plane;
    nsds_law *law = nsds_newton_impact_rolling(
        m[k], &(nsds_newton_impact_rolling_def){.mu = 0.3, .mu_rolling = 0.01, .e_n = 0.2});
    set[k] = k ? nsds_shapes(
                     m[k],
                     &(nsds_shapes_def){.law = law, .nshape = n + 3, .shape = shape, .reach = 0.03})
               : nsds_spheres(m[k], &(nsds_spheres_def){.law = law,
                                                        .count = n,
                                                        .ds = ds[k],
                                                        .radii = radii,
                                                        .nplane = 3,
                                                        .plane = plane,
                                                        .reach = 0.03});
    s[k] =
        nsds_time_stepping(/* found alike; at rest, rounding decides what is led out of overlap */
                           m[k], &(nsds_time_stepping_def){.t1 = 1e9,
                                                           .h = 1e-3,
                                                           .tolerance = 1e-12,
                                                           .overlap_sweeps = NSDS_OVERLAP_STAYS});
    assert_sound(m[k]);
  }
  int most = 0;
  for (int step = 0; step < 500; ++step) {
    for (int k = 0; k < 2; ++k) assert_ok(m[k], nsds_step(s[k]));
    assert_int_equal(nsds_contact_set_count(set[0]), nsds_contact_set_count(set[1]));
    if (nsds_contact_set_count(set[0]) > most) most = nsds_contact_set_count(set[0]);
    for (int i = 0; i < n; ++i)
      for (int c = 0; c < 7; ++c) assert_near(nsds_q(ds[0][i])[c], nsds_q(ds[1][i])[c], 1e-6);
  }
  assert_true(most >= 8);
  for (int k = 0; k < 2; ++k) nsds_model_destroy(m[k]);
}

/* ---- turned ---- */

/* A box, a capsule and a hull thrown together onto a plane: the same scene turned as a whole moves
 * as the first one, turned. Tangents are others, the friction cone is round. */
static void scenes_turn(void **state) {
  (void)state;
  const double turn[] = {0, 0, 0, 0.5, -0.1, 0.7, 0.5}; /* of length 1 */
  const double start[3][7] = {
      {0, 0, 0.7, 1, 0, 0, 0}, {0.3, 0.2, 1.4, 1, 0, 0, 0}, {-0.2, 0.3, 2.3, 1, 0, 0, 0}};
  const double hull[] = {0.4, 0,    0,   -0.4, 0.1, 0,   0, 0.5, 0.1,
                         0,   -0.3, 0.2, 0.1,  0.1, 0.5, 0, 0.1, -0.4};
  nsds_model *m[2];
  nsds_ds *ds[2][3];
  nsds_simulation *s[2];
  for (int k = 0; k < 2; ++k) {
    double up[3] = {0, 0, 1}, down[3];
    m[k] = nsds_model_create(NULL);
    if (k) nsds_to_world(turn, (double[]){0, 0, 1}, up);
    for (int i = 0; i < 3; ++i) down[i] = -g * up[i];
    for (int b = 0; b < 3; ++b) {
      double q[7];
      const double J[9] = {[0] = 0.1, [4] = 0.12, [8] = 0.08};
      memcpy(q, start[b], sizeof q);
      if (k) nsds_to_world(turn, start[b], q), memcpy(q + 3, turn + 3, 4 * sizeof *q);
      ds[k][b] = nsds_rigid_body(
          m[k], &(nsds_rigid_body_def){.mass = 1.0,
                                       .inertia = J,
                                       .q0 = q,
                                       .v0 = (double[]){0, 0, 0, 0.5, 1.0 + b, -0.7},
                                       .gravity = {down[0], down[1], down[2]}});
    }
    const nsds_shape_def shape[] = {
        {.kind = NSDS_HALF_SPACE, .plane = {{up[0], up[1], up[2]}, 0}},
        {.kind = NSDS_BOX, .ds = ds[k][0], .half = {0.4, 0.3, 0.2}},
        {.kind = NSDS_CAPSULE, .ds = ds[k][1], .radius = 0.2, .half = {0.4}},
        {.kind = NSDS_HULL, .ds = ds[k][2], .nvertex = 6, .vertex = hull}};
    shapes(m[k], 0.4, 0.1, 4, shape);
    s[k] = nsds_time_stepping(m[k],
                              &(nsds_time_stepping_def){.t1 = 1e9, .h = 1e-3, .tolerance = 1e-12});
    assert_sound(m[k]);
  }
  for (int step = 0; step < 600; ++step)
    for (int k = 0; k < 2; ++k) assert_ok(m[k], nsds_step(s[k]));
  for (int b = 0; b < 3; ++b) {
    double x[3];
    nsds_to_world(turn, nsds_q(ds[0][b]), x);
    for (int i = 0; i < 3; ++i) assert_near(nsds_q(ds[1][b])[i], x[i], 1e-6);
    for (int i = 3; i < 6; ++i) assert_near(nsds_v(ds[1][b])[i], nsds_v(ds[0][b])[i], 1e-4);
    assert_true(nsds_q(ds[0][b])[2] < start[b][2] - 0.2);
  }
  for (int k = 0; k < 2; ++k) nsds_model_destroy(m[k]);
}

/* ---- across each other ---- */

/* A plank, a round one or a capsule laid with a tilt across two beams, under an edge of one side:
 * the deepest points are crossings of edges, the rest is on all of the common areas. */
static void planks_rest_on_beams(void **state) {
  (void)state;
  const nsds_shape_def beam = {.kind = NSDS_BOX, .half = {0.03, 0.5, 0.05}};
  const double tilt[][3] = {{0, 0, 0}, {0.3, 1e-4, 1e-4}, {0.3, 1e-3, -1e-4}, {-0.2, 3e-4, 1e-4}};
  double corner[24];
  for (int k = 0; k < 8; ++k)
    for (int i = 0; i < 3; ++i)
      corner[3 * k + i] = (k >> i & 1 ? 1.0 : -1.0) * (const double[]){0.5, 0.05, 0.02}[i];
  nsds_shape_def plank[] = {{.kind = NSDS_BOX, .half = {0.5, 0.05, 0.02}},
                            {.kind = NSDS_BOX, .half = {0.49, 0.04, 0.01}, .radius = 0.01},
                            {.kind = NSDS_CAPSULE, .half = {0.5}, .radius = 0.02},
                            {.kind = NSDS_HULL, .nvertex = 8, .vertex = corner}};
  for (int k = 0; k < 4; ++k)
    for (int t = 0; t < 4; ++t) {
      nsds_model *m = nsds_model_create(NULL);
      double z = cos(0.5 * tilt[t][0]), q[7] = {0.013, 0.007, 0.0201, z};
      double turn[4] = {z, 0.5 * tilt[t][1], 0.5 * tilt[t][2], sin(0.5 * tilt[t][0])};
      double length =
          sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]);
      for (int i = 0; i < 4; ++i) q[3 + i] = turn[i] / length;
      nsds_shape_def shape[] = {plank[k], beam, beam};
      shape[0].ds = body(m, (double[]){1e-3, 0.08, 0.08}, q, NULL);
      shape[1].position[0] = -0.3, shape[2].position[0] = 0.3;
      shape[1].position[2] = shape[2].position[2] = -0.05;
      nsds_contact_set *set = shapes(m, 0.6, 0.0, 3, shape);
      nsds_simulation *s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1e9, .h = 1e-3});
      assert_sound(m);
      for (int step = 0; step < 1000; ++step) assert_ok(m, nsds_step(s));
      int each = plank[k].kind == NSDS_CAPSULE ? 2 : 4;
      assert_int_equal(nsds_contact_set_count(set), 2 * each);
      assert_near(nsds_q(shape[0].ds)[2], 0.02, 2e-4);
      assert_near(nsds_v(shape[0].ds)[2], 0.0, 1e-6);
      double force = 0.0;
      for (int i = 0; i < 2 * each; ++i) {
        nsds_contact_info info;
        assert_ok(m, nsds_contact_set_get(set, i, &info));
        force += info.force[0];
      }
      assert_near(force, g, 1e-3);
      nsds_model_destroy(m);
    }
}

static int still(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = out[1] = out[2] = out[3] = out[4] = 0.0;
  return 0;
}

/* A hull that is an edge below, which juts out over the side of a table. Which end of the edge comes
 * first among the vertices does not matter. */
static void a_keel_stands(void **state) {
  (void)state;
  const double q[] = {0.5, 0, 1e-3, 1, 0, 0, 0}, J[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const int all_but_z[] = {0, 1, 3, 4, 5};
  for (int order = 0; order < 2; ++order)
    for (int flat = 0; flat < 2; ++flat) {
      double vertex[] = {1,  0,   0,   -1, 0,    0, 3, 0.3, 0.3, 3, -0.3, 0.3,
                         -1, 0.3, 1.0, -1, -0.3, 1, 3, 0.3, 1,   3, -0.3, 1};
      if (order) vertex[0] = -1.0, vertex[3] = 1.0;
      nsds_model *m = nsds_model_create(NULL);
      nsds_shape_def shape[] = {{.kind = NSDS_HULL, .nvertex = 8, .vertex = vertex},
                                {.kind = NSDS_BOX, .half = {1, 1, 0.5}, .position = {0, 0, -0.5}}};
      if (flat) shape[1] = floor_shape;
      shape[0].ds = nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1.0,
                                                              .inertia = J,
                                                              .q0 = q,
                                                              .gravity = {0, 0, -g},
                                                              .prescribed.n = 5,
                                                              .prescribed.index = all_but_z,
                                                              .prescribed.fn = still});
      nsds_contact_set *set = shapes(m, 0.0, 0.0, 2, shape);
      nsds_simulation *s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-3});
      assert_sound(m);
      for (int step = 0; step < 200; ++step) assert_ok(m, nsds_step(s));
      int closed = 0;
      for (int k = 0; k < nsds_contact_set_count(set); ++k) {
        nsds_contact_info info;
        assert_ok(m, nsds_contact_set_get(set, k, &info));
        closed += info.y[0] < 1e-3;
      }
      assert_int_equal(closed, 2);
      assert_near(nsds_q(shape[0].ds)[2], 0.0, 2e-4);
      nsds_model_destroy(m);
    }
}

/* In the plane, a disc and a capsule of equal mass exactly along the axis of another capsule: with
 * e = 1 they change velocities. */
static void capsules_meet_at_their_ends(void **state) {
  (void)state;
  for (int kind = 0; kind < 2; ++kind) {
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds[2];
    for (int b = 0; b < 2; ++b)
      ds[b] = nsds_rigid_body_2d(m, &(nsds_rigid_body_2d_def){.mass = 1,
                                                              .inertia = 1,
                                                              .q0 = (double[]){1.5 * b, 0, 0},
                                                              .v0 = (double[]){1.0 - b, 0, 0}});
    nsds_shape_def shape[] = {{.kind = NSDS_SPHERE, .ds = ds[0], .radius = 0.2},
                              {.kind = NSDS_CAPSULE, .ds = ds[1], .radius = 0.2, .half = {0.5}}};
    if (kind) shape[0] = shape[1], shape[0].ds = ds[0];
    nsds_law *law = nsds_newton_impact(m, 1.0);
    nsds_shapes(m, &(nsds_shapes_def){.dimension = 2, .law = law, .nshape = 2, .shape = shape});
    nsds_simulation *s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-3});
    assert_sound(m);
    assert_int_equal(nsds_run(s), NSDS_END);
    assert_near(nsds_v(ds[0])[0], 0.0, 1e-9);
    assert_near(nsds_v(ds[1])[0], 1.0, 1e-9);
    nsds_model_destroy(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_stack_stands),
      cmocka_unit_test(sticks_or_slides),
      cmocka_unit_test(a_capsule_rolls),
      cmocka_unit_test(tables_are_flat),
      cmocka_unit_test(spheres_are_spheres),
      cmocka_unit_test(scenes_turn),
      cmocka_unit_test(planks_rest_on_beams),
      cmocka_unit_test(a_keel_stands),
      cmocka_unit_test(capsules_meet_at_their_ends),
  };
  return cmocka_run_group_tests_name("kernel.shapes", tests, NULL, NULL);
}
