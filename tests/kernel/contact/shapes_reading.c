/*
 * Shapes as programs read them: every kind of every bundled set comes back as it was given, with
 * its place in the world; and points of contacts lie on the surfaces that are read.
 */
#include "support.h"

#include <nsds/rigid_body.h>
#include <nsds/shapes.h>

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void minus(const double *a, const double *b, double *c) {
  for (int i = 0; i < 3; ++i) c[i] = a[i] - b[i];
}

/* A point of the shape in the world. */
static void in_world(const nsds_shape_info *s, const double *x, double *out) {
  double q[7] = {0};
  memcpy(q + 3, s->world_quaternion, 4 * sizeof *q);
  nsds_to_world(q, x, out);
  for (int i = 0; i < 3; ++i) out[i] += s->world_position[i];
}

/* A point and the outward normal, of length 1, of a face in the world. */
static void face_in_world(const nsds_shape_info *s, int f, double *x, double *n) {
  const int *loop = s->face + s->first[f];
  double y[3], z[3], u[3], v[3] = {0, 0, 1}, length;
  in_world(s, s->vertex + 3 * loop[0], x);
  in_world(s, s->vertex + 3 * loop[1], y);
  minus(y, x, u);
  if (s->dimension == 3) {
    in_world(s, s->vertex + 3 * loop[2], z);
    minus(z, x, v);
  }
  n[0] = u[1] * v[2] - u[2] * v[1];
  n[1] = u[2] * v[0] - u[0] * v[2];
  n[2] = u[0] * v[1] - u[1] * v[0];
  if (s->dimension == 2 && s->kind == NSDS_TRIANGLES) n[0] = -n[0], n[1] = -n[1];
  length = sqrt(dot(n, n));
  for (int i = 0; i < 3; ++i) n[i] /= length;
}

/* How far a point is from the surface, < 0 inside; beside edges less than that. */
static double above(const nsds_shape_info *s, const double *p) {
  double x[3], y[3], n[3], way[3], most = -INFINITY, least = INFINITY;
  if (s->kind == NSDS_HALF_SPACE) return dot(s->plane.normal, p) - s->plane.offset;
  if (s->kind == NSDS_SPHERE) {
    minus(p, s->world_position, way);
    return sqrt(dot(way, way)) - s->radius;
  }
  if (s->kind == NSDS_CAPSULE) {
    in_world(s, (const double[]){-s->half[0], 0, 0}, x);
    in_world(s, (const double[]){s->half[0], 0, 0}, y);
    minus(y, x, n);
    minus(p, x, way);
    double along = fmin(1.0, fmax(0.0, dot(way, n) / dot(n, n)));
    for (int i = 0; i < 3; ++i) way[i] -= along * n[i];
    return sqrt(dot(way, way)) - s->radius;
  }
  for (int f = 0; f < s->nface; ++f) {
    face_in_world(s, f, x, n);
    minus(p, x, way);
    most = fmax(most, dot(way, n));
    least = fabs(dot(way, n)) < fabs(least) ? dot(way, n) : least;
  }
  return (s->kind == NSDS_TRIANGLES ? least : most) - s->radius;
}

/* ---- what is given comes back ---- */

static const double corner[] = {0.3, 0, -0.2, -0.3, 0,    -0.2, 0,   0.4,  -0.2,
                                0,   0, 0,    0,    -0.3, -0.2, 0.1, 0.05, 0.25};
static const double corner_2d[] = {-0.3, -0.2, 0.3, -0.2, 0.0, 0.0, 0.05, 0.25};
static const double ground[] = {-5, -5, 0, 5, -5, 0, 5, 5, 0, -5, 5, 0};
static const int ground_face[] = {0, 1, 2, 0, 2, 3};
static const double ground_2d[] = {-5, 0, 0, 0, 5, 0};
static const int ground_face_2d[] = {0, 1, 1, 2};

static nsds_shape_def shape_of(nsds_shape_kind kind, int dimension, nsds_ds *ds) {
  bool space = dimension == 3;
  nsds_shape_def d = {.kind = kind, .ds = ds};
  if (kind < NSDS_HALF_SPACE) d.radius = 0.2;
  if (kind == NSDS_BOX) d.radius = 0.0;
  if (kind == NSDS_CAPSULE || kind == NSDS_BOX) d.half[0] = 0.25;
  if (kind == NSDS_BOX) d.half[1] = 0.2, d.half[2] = space ? 0.15 : 0.0;
  if (kind == NSDS_HULL) {
    d.vertex = space ? corner : corner_2d;
    d.nvertex = space ? 6 : 4;
  }
  if (kind == NSDS_HALF_SPACE) d.plane = (nsds_plane){{0, !space, space}, -0.3};
  if (kind == NSDS_TRIANGLES) {
    d.vertex = space ? ground : ground_2d;
    d.face = space ? ground_face : ground_face_2d;
    d.nvertex = space ? 4 : 3;
    d.nface = 2;
  }
  return d;
}

static nsds_ds *body_at(nsds_model *m, int dimension, const double *q, const double *v) {
  const double J[9] = {[0] = 0.1, [4] = 0.1, [8] = 0.1};
  if (dimension == 2)
    return nsds_rigid_body_2d(
        m, &(nsds_rigid_body_2d_def){.mass = 1.0, .inertia = 0.1, .q0 = q, .v0 = v});
  return nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1.0, .inertia = J, .q0 = q, .v0 = v});
}

/* The given points, each once, but for those inside. */
static void check_vertices(const nsds_shape_info *s, const nsds_shape_def *d, int inside) {
  int dimension = s->dimension;
  assert_int_equal(s->nvertex, d->nvertex - inside);
  for (int k = 0; k < s->nvertex; ++k) {
    int same = 0;
    for (int j = 0; j < d->nvertex; ++j) {
      double off = 0.0;
      for (int i = 0; i < dimension; ++i)
        off = fmax(off, fabs(s->vertex[3 * k + i] - d->vertex[dimension * j + i]));
      same += off == 0.0;
    }
    assert_int_equal(same, 1);
    if (dimension == 2) assert_near(s->vertex[3 * k + 2], 0.0, 0.0);
  }
}

/* Faces close, and have all vertices behind them; their number is Euler's. */
static void check_faces(const nsds_shape_info *s) {
  int sides = s->first[s->nface];
  for (int e = 0; e < sides; ++e) assert_between(s->face[e], 0, s->nvertex - 1);
  if (s->dimension == 3) assert_int_equal(s->nvertex - sides / 2 + s->nface, 2);
  else assert_int_equal(s->nface, s->nvertex);
  for (int f = 0; f < s->nface; ++f) {
    double x[3], n[3], y[3], way[3];
    face_in_world(s, f, x, n);
    for (int k = 0; k < s->nvertex; ++k) {
      in_world(s, s->vertex + 3 * k, y);
      minus(y, x, way);
      assert_between(dot(way, n), -INFINITY, 1e-12);
    }
  }
}

static void check_shape(const nsds_shape_info *s, const nsds_shape_def *d, int dimension) {
  assert_int_equal(s->kind, d->kind);
  assert_int_equal(s->dimension, dimension);
  assert_ptr_equal(s->ds, d->ds);
  assert_int_equal(s->group, d->group);
  assert_near(s->radius, d->radius, 0.0);
  for (int i = 0; i < 3; ++i) assert_near(s->half[i], d->half[i], 0.0);
  if (d->kind == NSDS_HALF_SPACE) {
    for (int i = 0; i < 3; ++i) assert_near(s->plane.normal[i], d->plane.normal[i], 0.0);
    assert_near(s->plane.offset, d->plane.offset, 0.0);
    return;
  }
  for (int i = 0; i < dimension; ++i) assert_near(s->position[i], d->position[i], 0.0);
  if (d->kind == NSDS_HULL) check_vertices(s, d, 1);
  if (d->kind == NSDS_TRIANGLES) {
    check_vertices(s, d, 0);
    assert_int_equal(s->nface, d->nface);
    for (int e = 0; e < dimension * d->nface; ++e) assert_int_equal(s->face[e], d->face[e]);
  }
  if (d->kind == NSDS_BOX) {
    assert_int_equal(s->nvertex, dimension == 3 ? 8 : 4);
    for (int k = 0; k < 3 * s->nvertex; ++k) assert_near(fabs(s->vertex[k]), d->half[k % 3], 0.0);
  }
  if (d->kind == NSDS_BOX || d->kind == NSDS_HULL) check_faces(s);
  if (d->kind < NSDS_BOX) assert_true(s->nvertex == 0 && s->nface == 0 && !s->vertex);
}

/* Every kind on a turned body, or as scenery, at a turned place in it, after a step. */
static void every_kind(void **state) {
  (void)state;
  for (int dimension = 2; dimension <= 3; ++dimension) {
    nsds_model *m = nsds_model_create(NULL);
    bool space = dimension == 3;
    const double p[4] = {0.5, 0.5, -0.5, 0.5}, q[7] = {1, 2, 3, 0.6, 0.8, 0, 0};
    nsds_ds *ds = body_at(m, dimension, space ? q : (double[]){1, 2, 0.4},
                          (double[]){1, -1, 0.5, 0.2, 0.3, 0.4});
    nsds_shape_def shape[6];
    for (int k = 0; k < 6; ++k) {
      shape[k] = shape_of((nsds_shape_kind)(k + 1), dimension, k < 4 ? ds : NULL);
      shape[k].group = 1;
      shape[k].position[0] = 0.1 * k;
      shape[k].position[1] = -0.2;
      if (space) memcpy(shape[k].quaternion, p, sizeof p);
      else shape[k].angle = 0.3;
    }
    nsds_contact_set *set = nsds_shapes(m, &(nsds_shapes_def){.dimension = dimension,
                                                              .law = nsds_newton_impact(m, 0.0),
                                                              .nshape = 6,
                                                              .shape = shape});
    nsds_simulation *s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.01});
    assert_ok(m, nsds_step(s));
    assert_int_equal(nsds_shapes_count(set), 6);
    for (int k = 0; k < 6; ++k) {
      nsds_shape_info info;
      double x[3], y[3], body[3], qnow[7] = {0};
      assert_ok(m, nsds_shapes_at(set, k, &info));
      assert_int_equal(info.number, k);
      check_shape(&info, &shape[k], dimension);
      if (k == 4) continue;
      const double at[3] = {0.3, -0.7, space ? 0.2 : 0.0};
      in_world(&info, at, x);
      double c = cos(0.3), sn = sin(0.3),
             turned[3] = {c * at[0] - sn * at[1], sn * at[0] + c * at[1], 0.0};
      memcpy(qnow + 3, p, sizeof p);
      if (space) nsds_to_world(qnow, at, turned);
      for (int i = 0; i < 3; ++i) body[i] = turned[i] + info.position[i];
      if (k > 4) memcpy(y, body, sizeof y); /* scenery */
      else if (space) {
        nsds_to_world(nsds_q(ds), body, y);
        for (int i = 0; i < 3; ++i) y[i] += nsds_q(ds)[i];
      } else {
        const double *now = nsds_q(ds);
        y[0] = now[0] + cos(now[2]) * body[0] - sin(now[2]) * body[1];
        y[1] = now[1] + sin(now[2]) * body[0] + cos(now[2]) * body[1];
        y[2] = 0.0;
        assert_near(info.world_angle, now[2] + 0.3, 1e-14);
      }
      for (int i = 0; i < 3; ++i) assert_near(x[i], y[i], 1e-13);
    }
    nsds_model_destroy(m);
  }
}

/* ---- numbers ---- */

static void numbers(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds = body_at(m, 3, NULL, NULL);
  nsds_shape_def shape[4] = {shape_of(NSDS_SPHERE, 3, ds), shape_of(NSDS_BOX, 3, ds),
                             shape_of(NSDS_HALF_SPACE, 3, NULL), shape_of(NSDS_HULL, 3, ds)};
  nsds_contact_set *set = nsds_shapes(
      m, &(nsds_shapes_def){.law = nsds_newton_impact(m, 0.0), .nshape = 4, .shape = shape});
  nsds_shape_info info;
  int number[4] = {-1, -1, -1, -1};
  assert_int_equal(nsds_shapes_of_body(set, ds, 2, number), 3);
  assert_true(number[0] == 0 && number[1] == 1 && number[2] == -1);
  assert_int_equal(nsds_shapes_of_body(set, NULL, 0, NULL), 1);
  assert_ok(m, nsds_shapes_remove(set, 1));
  assert_int_equal(nsds_shapes_count(set), 3);
  assert_ok(m, nsds_shapes_at(set, 1, &info));
  assert_int_equal(info.number, 2);
  for (int k = 0; k < 4; ++k) {
    if (k == 1) continue;
    assert_ok(m, nsds_shapes_get(set, k, &info));
    assert_true(info.number == k && info.kind == shape[k].kind);
  }
  assert_status(m, nsds_shapes_get(set, 1, &info), NSDS_ERROR_ARGUMENT);
  const char *words[] = {"nsds_shapes_get", "has no shape 1"};
  assert_words(nsds_error_message(nsds_model_context(m)), words, 2);
  nsds_error_clear(nsds_model_context(m));
  assert_status(m, nsds_shapes_at(set, 3, &info), NSDS_ERROR_ARGUMENT);
  const char *range[] = {"nsds_shapes_at", "has 3 shapes"};
  assert_words(nsds_error_message(nsds_model_context(m)), range, 2);
  nsds_error_clear(nsds_model_context(m));
  assert_int_equal(nsds_shapes_count(NULL), 0);
  assert_int_equal(nsds_shapes_of_body(NULL, ds, 0, NULL), 0);
  nsds_model_destroy(m);
}

/* ---- spheres, balls, geometries of a program's own ---- */

static nsds_status find_nothing(void *self, double t, nsds_contacts *contacts) {
  (void)self, (void)t, (void)contacts;
  return NSDS_OK;
}

static int one_shape(void *self) { return self != NULL; }

static void own_shape(void *self, int k, nsds_shape_info *shape) {
  *shape = (nsds_shape_info){.number = k + 10,
                             .dimension = 3,
                             .kind = NSDS_SPHERE,
                             .ds = self,
                             .radius = 0.7,
                             .quaternion = {1.0},
                             .position = {0, 0, 1}};
}

static void other_sets(void **state) {
  (void)state;
  static const nsds_geometry_ops silent = {.type = "silent", .find = find_nothing};
  static const nsds_geometry_ops tells = {
      .type = "tells", .find = find_nothing, .shape_count = one_shape, .shape = own_shape};
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds[2] = {body_at(m, 3, (double[]){1, 2, 3, 0, 1, 0, 0}, NULL),
                    body_at(m, 3, NULL, NULL)};
  const double radii[2] = {0.3, 0.4};
  nsds_law *law = nsds_newton_impact(m, 0.0);
  nsds_plane plane = {{0, 0.6, 0.8}, 0.5};
  nsds_contact_set *set[4] = {
      nsds_spheres(
          m,
          &(nsds_spheres_def){
              .law = law, .count = 2, .ds = ds, .radii = radii, .nplane = 1, .plane = &plane}),
      nsds_balls(m, &(nsds_balls_def){.law = law,
                                      .count = 2,
                                      .ds = ds,
                                      .dimension = 3,
                                      .radius = 0.6,
                                      .normal = plane.normal,
                                      .offset = 0.5}),
      nsds_custom_contact_set(m, &(nsds_custom_contact_set_def){.ops = &silent, .law = law}),
      nsds_custom_contact_set(
          m, &(nsds_custom_contact_set_def){.ops = &tells, .self = ds[0], .law = law})};
  nsds_shape_info info;
  for (int k = 0; k < 2; ++k) {
    assert_int_equal(nsds_shapes_count(set[k]), 3);
    for (int i = 0; i < 3; ++i) {
      assert_ok(m, nsds_shapes_get(set[k], i, &info));
      assert_int_equal(info.kind, i < 2 ? NSDS_SPHERE : NSDS_HALF_SPACE);
      assert_ptr_equal(info.ds, i < 2 ? ds[i] : NULL);
      for (int j = 0; j < 3; ++j)
        assert_near(info.world_position[j], i < 2 ? nsds_q(ds[i])[j] : 0.5 * plane.normal[j],
                    1e-15);
      if (i < 2) assert_near(info.radius, k ? 0.6 : radii[i], 0.0);
      else assert_near(info.plane.offset, 0.5, 0.0);
    }
  }
  assert_int_equal(nsds_shapes_count(set[2]), 0);
  assert_int_equal(nsds_shapes_count(set[3]), 1);
  assert_ok(m, nsds_shapes_get(set[3], 10, &info));
  assert_near(info.world_position[2], 2.0, 1e-15); /* turned over */
  assert_sound(m);
  nsds_model_destroy(m);
}

/* ---- points of contacts ---- */

/* A body that falls on the other, which is scenery or at rest. */
static void on_both(nsds_shape_kind a, nsds_shape_kind b, int dimension, bool events) {
  nsds_model *m = nsds_model_create(NULL);
  bool scenery = b >= NSDS_HALF_SPACE;
  double q[7] = {0.03, 0, 0, 1, 0, 0, 0}, v[6] = {0};
  int up = dimension - 1;
  if (dimension == 2) q[2] = 0.1;
  else q[3] = cos(0.05), q[4] = sin(0.05);
  q[up == 1 ? 1 : 2] = scenery ? (b == NSDS_HALF_SPACE ? 0.2 : 0.5) : 0.75;
  v[up] = -1.0;
  nsds_ds *first = body_at(m, dimension, q, v);
  nsds_ds *second = scenery ? NULL : body_at(m, dimension, NULL, NULL);
  nsds_shape_def shape[2] = {shape_of(a, dimension, first), shape_of(b, dimension, second)};
  for (int k = 0; k < 2; ++k)
    if (shape[k].kind == NSDS_HULL) shape[k].radius = 0.0; /* above() does not see round edges */
  nsds_contact_set *set = nsds_shapes(m, &(nsds_shapes_def){.dimension = dimension,
                                                            .law = nsds_newton_impact(m, 0.3),
                                                            .nshape = 2,
                                                            .shape = shape});
  nsds_simulation *s =
      events ? nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 1.0, .output_period = 1e-2})
             : nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 2e-4});
  assert_sound(m);
  int touched = 0;
  for (int k = 0; k < (events ? 60 : 3000) && nsds_time(s) < 0.6; ++k) {
    nsds_contact_info c;
    assert_true(nsds_step(s) >= 0);
    for (nsds_contact_iterator at = nsds_set_contacts(set); nsds_next_contact(&at, &c);)
      for (int e = 0; e < 2; ++e) {
        nsds_shape_info info;
        assert_ok(m, nsds_shapes_get(set, c.shape[e], &info));
        assert_ptr_equal(info.ds, c.ds[e]);
        double off = events ? fabs(c.y[0]) + 1e-9 : 0.5 * fabs(c.y[0]) + 5e-4;
        assert_near(above(&info, c.point), 0.0, off);
        touched += c.active && c.impulse[0] > 0.0;
      }
  }
  assert_true(touched > 0);
  nsds_model_destroy(m);
}

static void points_of_contacts(void **state) {
  (void)state;
  for (int dimension = 2; dimension <= 3; ++dimension)
    for (int a = NSDS_SPHERE; a <= NSDS_HULL; ++a) {
      for (int b = NSDS_SPHERE; b <= NSDS_TRIANGLES; ++b)
        on_both((nsds_shape_kind)a, (nsds_shape_kind)b, dimension, false);
      on_both((nsds_shape_kind)a, NSDS_HALF_SPACE, dimension, true);
      if (a == NSDS_SPHERE) on_both(NSDS_SPHERE, NSDS_SPHERE, dimension, true);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind),
      cmocka_unit_test(numbers),
      cmocka_unit_test(other_sets),
      cmocka_unit_test(points_of_contacts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
