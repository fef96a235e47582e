/*
 * Height fields, meshes of convex parts, and boxes and hulls with a radius. A field is beside its
 * heights, its triangles and half spaces; a mesh beside the hulls of its parts and beside the
 * triangles of its surface; a rounded box beside closed forms of how it slides and tips.
 */
#include "support.h"

#include <nsds/mass.h>
#include <nsds/rigid_body.h>
#include <nsds/shapes.h>

#include <stdio.h>

static const double g = 9.81;

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void draw_attitude(uint64_t *x, double *q) {
  double square = 0.0;
  for (int i = 0; i < 4; ++i) q[i] = random_in(x, -1, 1), square += q[i] * q[i];
  for (int i = 0; i < 4; ++i) q[i] /= sqrt(square);
}

/* ---- height fields --------------------------------------------------------------------------- */

enum { nx = 9, ny = 7 };

/* Height of the field at a place of its grid, between the points of one of two triangles. */
static double height_at(const double *height, const double *half, double x, double y) {
  double u = 0.5 * (x / half[0] + 1.0) * (nx - 1), v = 0.5 * (y / half[1] + 1.0) * (ny - 1);
  int i = (int)fmin(u, nx - 2), j = (int)fmin(v, ny - 2);
  const double *z = height + j + ny * i;
  double s = u - i, t = v - j;
  return s > t ? z[0] + s * (z[ny] - z[0]) + t * (z[ny + 1] - z[ny])
               : z[0] + t * (z[1] - z[0]) + s * (z[ny + 1] - z[1]);
}

static nsds_contact_set *set_of(nsds_model *m, int dimension, int nshape,
                                const nsds_shape_def *shape) {
  nsds_contact_set *set = nsds_shapes(m, &(nsds_shapes_def){.dimension = dimension,
                                                            .law = nsds_newton_impact(m, 0.0),
                                                            .nshape = nshape,
                                                            .shape = shape});
  if (!set) fail_msg("%s", nsds_error_message(nsds_model_context(m)));
  return set;
}

static void rays_end_on_heights(void **state) {
  (void)state;
  uint64_t x = 1;
  for (int k = 0; k < 200; ++k) {
    double height[nx * ny];
    for (int i = 0; i < nx * ny; ++i) height[i] = random_in(&x, -1, 1);
    nsds_shape_def field = {.kind = NSDS_HEIGHT_FIELD,
                            .nx = nx,
                            .ny = ny,
                            .height = height,
                            .half = {random_in(&x, 0.5, 5), random_in(&x, 0.5, 5)}};
    nsds_model *m = nsds_model_create(NULL);
    nsds_contact_set *set = set_of(m, 3, 1, &field);
    nsds_ray ray = {.origin = {0.99 * field.half[0] * random_in(&x, -1, 1),
                               0.99 * field.half[1] * random_in(&x, -1, 1), 2},
                    .direction = {0, 0, -1}};
    nsds_shape_hit hit;
    assert_ok(m, nsds_shapes_cast(set, 1, &ray, &hit));
    assert_int_equal(hit.shape, 0);
    assert_near(hit.point[2], height_at(height, field.half, ray.origin[0], ray.origin[1]), 1e-12);
    assert_true(hit.normal[2] > 0.0);
    nsds_model_destroy(m);
  }
}

static void rays_end_on_heights_of_the_plane(void **state) {
  (void)state;
  const double height[] = {1, 3, 2, 4};
  const nsds_shape_def field = {
      .kind = NSDS_HEIGHT_FIELD, .nx = 4, .height = height, .half = {3}, .position = {10, 0}};
  nsds_model *m = nsds_model_create(NULL);
  nsds_contact_set *set = set_of(m, 2, 1, &field);
  for (int k = 0; k < 60; ++k) {
    double u = 0.05 * k + 0.01;
    nsds_ray ray = {.origin = {7.0 + 2.0 * u, 9}, .direction = {0, -1}};
    nsds_shape_hit hit;
    assert_ok(m, nsds_shapes_cast(set, 1, &ray, &hit));
    assert_near(hit.point[1], height[(int)u] + (u - (int)u) * (height[(int)u + 1] - height[(int)u]),
                1e-12);
  }
  nsds_model_destroy(m);
}

static nsds_ds *make_body(nsds_model *m, const nsds_shape_def *own, const double *q0,
                          const double *v0) {
  nsds_mass mass;
  assert_ok(
      m, nsds_mass_properties(m, &(nsds_mass_def){.nshape = 1, .shape = own, .mass = 2.0}, &mass));
  return nsds_rigid_body(
      m,
      &(nsds_rigid_body_def){
          .mass = mass.mass, .inertia = mass.inertia, .q0 = q0, .v0 = v0, .gravity = {0, 0, -g}});
}

/* Runs one body over scenery with friction, and writes where it is then. */
static void run_body(nsds_shape_def own, const nsds_shape_def *ground, const double *q0,
                     const double *v0, double mu, double t1, double *q, double *v) {
  nsds_model *m = nsds_model_create(NULL);
  nsds_shape_def shape[2] = {own, *ground};
  shape[0].ds = make_body(m, &own, q0, v0);
  nsds_contact_set *set =
      nsds_shapes(m, &(nsds_shapes_def){.law = nsds_newton_impact_friction(
                                            m, &(nsds_newton_impact_friction_def){.mu = mu}),
                                        .nshape = 2,
                                        .shape = shape});
  if (!set) fail_msg("%s", nsds_error_message(nsds_model_context(m)));
  nsds_simulation *s =
      nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = t1, .h = 1e-3, .tolerance = 1e-12});
  nsds_status status;
  while (!(status = nsds_step(s))) assert_true(nsds_contact_set_count(set) > 0);
  assert_status(m, status, NSDS_END);
  memcpy(q, nsds_q(shape[0].ds), 7 * sizeof *q);
  memcpy(v, nsds_v(shape[0].ds), 6 * sizeof *v);
  nsds_model_destroy(m);
}

/* Bodies roll and slide over fields that are planes as over half spaces. */
static void a_field_of_a_plane_is_a_plane(void **state) {
  (void)state;
  const double r = 0.2, slopes[][2] = {{0, 0}, {0.1, 0}, {0.05, -0.12}}, turned = sqrt(0.5);
  const nsds_shape_def body[] = {{.kind = NSDS_SPHERE, .radius = r},
                                 {.kind = NSDS_CYLINDER, .radius = r, .half = {0.3}},
                                 {.kind = NSDS_BOX, .radius = 0.05, .half = {0.3, 0.2, r - 0.05}}};
  for (int k = 0; k < 3; ++k)
    for (int b = 0; b < 3; ++b) {
      enum { fine = 41 };
      double height[fine * fine], n[3] = {-slopes[k][0], -slopes[k][1], 1}, q[2][7], v[2][6];
      double length = sqrt(dot(n, n)), at[3] = {-0.613, -0.447, 0};
      if (b > 0 && k > 0) continue; /* aligned with the ground */
      for (int i = 0; i < fine; ++i)
        for (int j = 0; j < fine; ++j)
          height[j + fine * i] = slopes[k][0] * (0.1 * i - 2) + slopes[k][1] * (0.1 * j - 2);
      for (int i = 0; i < 3; ++i) n[i] /= length;
      at[2] = slopes[k][0] * at[0] + slopes[k][1] * at[1];
      const nsds_shape_def ground[2] = {
          {.kind = NSDS_HALF_SPACE, .plane = {{n[0], n[1], n[2]}, 0}},
          {.kind = NSDS_HEIGHT_FIELD, .nx = fine, .ny = fine, .height = height, .half = {2, 2}}};
      double q0[7] = {0}, v0[6] = {1.0, b == 1 ? 0.0 : 0.5, 0, 0, 0, 0};
      for (int i = 0; i < 3; ++i) q0[i] = at[i] + (r - 1e-9) * n[i];
      q0[3] = b == 1 ? turned : 1.0;
      q0[6] = b == 1 ? turned : 0.0;
      if (b == 0 && k == 0) v0[3] = -v0[1] / r, v0[4] = v0[0] / r; /* rolls */
      if (b == 1) v0[3] = v0[0] / r;
      for (int i = 0; i < 2; ++i)
        run_body(body[b], &ground[i], q0, v0, b == 2 ? 0.05 : 0.6, 1.2, q[i], v[i]);
      for (int i = 0; i < 3; ++i) {
        assert_near(v[1][i], v[0][i], 1e-6);
        assert_near(q[1][i], q[0][i], 1e-6);
      }
      if (b < 2 && k == 0) assert_near(v[1][0], 1.0, 1e-6); /* rolls on */
      if (b == 2) assert_near(v[1][0], 1.0 - 0.05 * g * 1.2 / sqrt(1.25), 1e-3 * g);
    }
}

static nsds_shape_def draw_body(uint64_t *x, double (*vertex)[3]) {
  static const nsds_shape_kind kinds[] = {NSDS_SPHERE,   NSDS_CAPSULE, NSDS_BOX,      NSDS_HULL,
                                          NSDS_CYLINDER, NSDS_CONE,    NSDS_ELLIPSOID};
  nsds_shape_def d = {.kind = kinds[(int)random_in(x, 0, 7)], .radius = random_in(x, 0.05, 0.4)};
  for (int i = 0; i < 3; ++i) d.half[i] = random_in(x, 0.05, 0.6);
  if (d.kind != NSDS_HULL) return d;
  d.nvertex = 8;
  d.vertex = &vertex[0][0];
  for (int k = 0; k < 8; ++k)
    for (int i = 0; i < 3; ++i) vertex[k][i] = random_in(x, -0.5, 0.5);
  return d;
}

/* Adds a body with a shape at a drawn place. Returns the number of the shape. */
static int add_drawn(nsds_model *m, nsds_contact_set *set, uint64_t *x, double low, double high) {
  static const double J[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  double vertex[8][3];
  nsds_shape_def body = draw_body(x, vertex);
  double q0[7] = {random_in(x, -1, 1), random_in(x, -1, 1), random_in(x, low, high)};
  draw_attitude(x, q0 + 3);
  body.ds = nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1, .inertia = J, .q0 = q0});
  return nsds_shapes_add(set, &body);
}

/* The distance from a field is the least of those from its triangles. */
static void fields_are_their_triangles(void **state) {
  (void)state;
  uint64_t x = 3;
  for (int k = 0; k < 60; ++k) {
    double height[nx * ny];
    for (int i = 0; i < nx * ny; ++i) height[i] = random_in(&x, -0.3, 0.3);
    const nsds_shape_def field = {
        .kind = NSDS_HEIGHT_FIELD, .nx = nx, .ny = ny, .height = height, .half = {1, 1}};
    nsds_model *m = nsds_model_create(NULL);
    nsds_contact_set *set = set_of(m, 3, 1, &field);
    nsds_shape_info info;
    nsds_shape_gap whole, one;
    assert_ok(m, nsds_shapes_at(set, 0, &info));
    assert_int_equal(info.nface, 2 * (nx - 1) * (ny - 1));
    int number = add_drawn(m, set, &x, 0.5, 2.0);
    assert_ok(m, nsds_shapes_gap(set, number, 0, &whole));
    double least = INFINITY;
    for (int f = 0; f < info.nface; ++f) {
      const nsds_shape_def alone = {.kind = NSDS_TRIANGLES,
                                    .nvertex = info.nvertex,
                                    .vertex = info.vertex,
                                    .nface = 1,
                                    .face = info.face + 3 * f};
      int at = nsds_shapes_add(set, &alone);
      assert_ok(m, nsds_shapes_gap(set, number, at, &one));
      least = fmin(least, one.distance);
      assert_ok(m, nsds_shapes_remove(set, at));
    }
    assert_near(whole.distance, least, 1e-12);
    nsds_model_destroy(m);
  }
}

/* ---- meshes ---------------------------------------------------------------------------------- */

enum { most_parts = 4, corners = 8 };

/* Boxes, each squeezed towards an end, as one mesh: 8 vertices and 12 triangles a part. */
typedef struct mesh {
  double vertex[most_parts * corners][3];
  int face[most_parts * 12][3], part[most_parts * 12], parts;
  nsds_shape_def def;
} mesh;

static void draw_mesh(uint64_t *x, mesh *to) {
  static const int side[12][3] = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4},
                                  {2, 6, 7}, {2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
  to->parts = 1 + (int)random_in(x, 0, most_parts);
  for (int p = 0; p < to->parts; ++p) {
    double half[3], squeeze = random_in(x, 0.3, 1.0);
    for (int i = 0; i < 3; ++i) half[i] = random_in(x, 0.1, 0.4);
    for (int k = 0; k < corners; ++k)
      for (int i = 0; i < 3; ++i)
        to->vertex[corners * p + k][i] =
            (k >> i & 1 ? half[i] : -half[i]) * (i > 0 && (k & 1) ? squeeze : 1.0) +
            (i == 0 ? 0.9 * p : 0.0);
    for (int f = 0; f < 12; ++f) {
      for (int i = 0; i < 3; ++i) to->face[12 * p + f][i] = corners * p + side[f][i];
      to->part[12 * p + f] = p;
    }
  }
  to->def = (nsds_shape_def){.kind = NSDS_MESH,
                             .nvertex = corners * to->parts,
                             .vertex = &to->vertex[0][0],
                             .nface = 12 * to->parts,
                             .face = &to->face[0][0]};
  if (random_in(x, 0, 2) < 1) to->def.part = to->part;
  for (int i = 0; i < 3; ++i) to->def.position[i] = random_in(x, -1, 1);
  draw_attitude(x, to->def.quaternion);
}

static nsds_shape_def part_of(const mesh *from, int p) {
  nsds_shape_def hull = from->def;
  hull.kind = NSDS_HULL;
  hull.nvertex = corners;
  hull.vertex = from->vertex[corners * p];
  hull.nface = 0;
  hull.face = hull.part = NULL;
  return hull;
}

static void assert_same_mass(const nsds_mass *a, const nsds_mass *b) {
  assert_near(a->volume, b->volume, 1e-13 * a->volume);
  for (int i = 0; i < 3; ++i) assert_near(a->center[i], b->center[i], 1e-12);
  for (int i = 0; i < 9; ++i) assert_near(a->inertia[i], b->inertia[i], 1e-12);
}

/* Mass and moments of a mesh are the sums of its parts, and those inside its surface. */
static void moments_are_sums_of_parts(void **state) {
  (void)state;
  uint64_t x = 7;
  for (int k = 0; k < 300; ++k) {
    mesh drawn;
    nsds_shape_def hull[most_parts], surface;
    nsds_mass whole, sum, inside;
    nsds_model *m = nsds_model_create(NULL);
    draw_mesh(&x, &drawn);
    for (int p = 0; p < drawn.parts; ++p) hull[p] = part_of(&drawn, p);
    surface = drawn.def;
    surface.kind = NSDS_TRIANGLES;
    assert_ok(m, nsds_mass_properties(
                     m, &(nsds_mass_def){.nshape = 1, .shape = &drawn.def, .density = 1}, &whole));
    assert_ok(m,
              nsds_mass_properties(
                  m, &(nsds_mass_def){.nshape = drawn.parts, .shape = hull, .density = 1}, &sum));
    assert_ok(m, nsds_mass_properties(
                     m, &(nsds_mass_def){.nshape = 1, .shape = &surface, .density = 1}, &inside));
    assert_same_mass(&whole, &sum);
    assert_same_mass(&whole, &inside);
    nsds_model_destroy(m);
  }
}

/* The distance from a mesh is the least of those from the hulls of its parts. */
static void meshes_are_their_parts(void **state) {
  (void)state;
  uint64_t x = 11;
  for (int k = 0; k < 600; ++k) {
    mesh drawn;
    nsds_model *m = nsds_model_create(NULL);
    nsds_contact_set *set = set_of(m, 3, 0, NULL);
    nsds_shape_gap whole, turned, one;
    double least = INFINITY, p[3];
    nsds_shape_hit hit;
    draw_mesh(&x, &drawn);
    nsds_ds *ds = make_body(m, &drawn.def, (const double[]){0, 0, 0, 1, 0, 0, 0}, NULL);
    drawn.def.ds = k % 2 ? ds : NULL;
    assert_int_equal(nsds_shapes_add(set, &drawn.def), 0);
    int other = add_drawn(m, set, &x, 1.0, 2.0);
    assert_ok(m, nsds_shapes_gap(set, 0, other, &whole));
    assert_ok(m, nsds_shapes_gap(set, other, 0, &turned));
    for (int i = 0; i < 3; ++i) p[i] = random_in(&x, -2, 2);
    assert_ok(m, nsds_shapes_nearest(set, p, 0.0, k % 2 ? NULL : ds, &hit));
    for (int part = 0; part < drawn.parts; ++part) {
      nsds_shape_def hull = part_of(&drawn, part);
      int at = nsds_shapes_add(set, &hull);
      assert_ok(m, nsds_shapes_gap(set, at, other, &one));
      least = fmin(least, one.distance);
      assert_ok(m, nsds_shapes_remove(set, at));
    }
    /* edges end at their vertices to a billionth of their length; the first shape has the lower
     * number, which the hulls are not */
    assert_near(whole.distance, least, 1e-8);
    assert_near(turned.distance, whole.distance, 0.0);
    for (int i = 0; i < 3; ++i) assert_near(turned.normal[i], -whole.normal[i], 0.0);
    nsds_model_destroy(m);
  }
}

/* A mesh falls, tumbles and comes to rest as a body whose shapes are the hulls of its parts. */
static void meshes_move_as_their_parts(void **state) {
  (void)state;
  uint64_t x = 13;
  for (int k = 0; k < 12; ++k) {
    double end[2][7];
    mesh drawn;
    draw_mesh(&x, &drawn);
    for (int i = 0; i < 3; ++i) drawn.def.position[i] = 0.0;
    for (int as_parts = 0; as_parts < 2; ++as_parts) {
      nsds_model *m = nsds_model_create(NULL);
      nsds_shape_def shape[1 + most_parts] = {{.kind = NSDS_HALF_SPACE, .plane = {{0, 0, 1}, -1.0}},
                                              drawn.def};
      nsds_ds *ds = make_body(m, &drawn.def, (const double[]){0, 0, 0.5, 1, 0, 0, 0},
                              (const double[]){0.5, 0.2, 0, 1, 0, 2});
      for (int p = 0; as_parts && p < drawn.parts; ++p) shape[1 + p] = part_of(&drawn, p);
      for (int p = 0; p < drawn.parts; ++p) shape[1 + p].ds = ds;
      nsds_shapes(m, &(nsds_shapes_def){.law = nsds_newton_impact_friction(
                                            m, &(nsds_newton_impact_friction_def){.mu = 0.4}),
                                        .nshape = 1 + (as_parts ? drawn.parts : 1),
                                        .shape = shape});
      assert_sound(m);
      nsds_simulation *s = nsds_time_stepping(
          m, &(nsds_time_stepping_def){.t1 = 0.6, .h = 1e-3, .tolerance = 1e-11});
      nsds_status status;
      while (!(status = nsds_step(s))) continue;
      assert_status(m, status, NSDS_END);
      memcpy(end[as_parts], nsds_q(ds), sizeof end[0]);
      nsds_model_destroy(m);
    }
    for (int i = 0; i < 7; ++i) assert_near(end[1][i], end[0][i], 1e-6);
  }
}

/* A closed mesh that is not convex: an octahedron, each face cut in four `depth` times, with drawn
 * distances of its corners from the center. */
enum { star_faces = 128, star_vertices = 66 };

typedef struct star {
  double vertex[star_vertices][3];
  int face[star_faces][3], nvertex, nface;
} star;

static int middle_of(star *s, int a, int b) {
  double x[3], length;
  for (int i = 0; i < 3; ++i) x[i] = s->vertex[a][i] + s->vertex[b][i];
  length = sqrt(dot(x, x));
  for (int i = 0; i < 3; ++i) x[i] /= length;
  for (int k = 0; k < s->nvertex; ++k)
    if (fabs(x[0] - s->vertex[k][0]) + fabs(x[1] - s->vertex[k][1]) + fabs(x[2] - s->vertex[k][2]) <
        1e-9)
      return k;
  memcpy(s->vertex[s->nvertex], x, sizeof x);
  return s->nvertex++;
}

static void draw_star(uint64_t *x, int depth, star *s) {
  static const int octant[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                   {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  *s = (star){.nvertex = 6, .nface = 8};
  for (int k = 0; k < 6; ++k) s->vertex[k][k / 2] = k % 2 ? -1.0 : 1.0;
  memcpy(s->face, octant, sizeof octant);
  for (; depth > 0; --depth) {
    int before = s->nface;
    for (int f = 0; f < before; ++f) {
      int a = s->face[f][0], b = s->face[f][1], c = s->face[f][2];
      int ab = middle_of(s, a, b), bc = middle_of(s, b, c), ca = middle_of(s, c, a);
      const int four[4][3] = {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}};
      memcpy(s->face[f], four[0], sizeof four[0]);
      memcpy(s->face[s->nface], four[1], 3 * sizeof four[0]);
      s->nface += 3;
    }
  }
  for (int k = 0; k < s->nvertex; ++k) {
    double far = random_in(x, 0.5, 1.0);
    for (int i = 0; i < 3; ++i) s->vertex[k][i] *= far;
  }
}

/* Meshes that are not convex are cut: mass and moments are those inside their surface, and rays end
 * on it. */
static void meshes_are_cut_into_convex_parts(void **state) {
  (void)state;
  uint64_t x = 19;
  for (int k = 0; k < 60; ++k) {
    star drawn;
    nsds_mass whole, inside;
    nsds_model *m = nsds_model_create(NULL);
    draw_star(&x, k % 10 == 0 ? 2 : 1, &drawn);
    nsds_shape_def body = {.kind = NSDS_MESH,
                           .nvertex = drawn.nvertex,
                           .vertex = &drawn.vertex[0][0],
                           .nface = drawn.nface,
                           .face = &drawn.face[0][0]},
                   surface = body;
    surface.kind = NSDS_TRIANGLES;
    assert_ok(m, nsds_mass_properties(
                     m, &(nsds_mass_def){.nshape = 1, .shape = &body, .density = 1}, &whole));
    assert_ok(m, nsds_mass_properties(
                     m, &(nsds_mass_def){.nshape = 1, .shape = &surface, .density = 1}, &inside));
    assert_near(whole.volume, inside.volume, 1e-9);
    for (int i = 0; i < 3; ++i) assert_near(whole.center[i], inside.center[i], 1e-9);
    for (int i = 0; i < 9; ++i) assert_near(whole.inertia[i], inside.inertia[i], 1e-9);
    nsds_contact_set *solid = set_of(m, 3, 1, &body), *shell = set_of(m, 3, 1, &surface);
    for (int i = 0; i < 50; ++i) {
      nsds_ray ray = {.direction = {0}};
      nsds_shape_hit one, other;
      for (int j = 0; j < 3; ++j) ray.origin[j] = random_in(&x, -1, 1);
      double far = 3.0 / sqrt(dot(ray.origin, ray.origin));
      for (int j = 0; j < 3; ++j) {
        ray.origin[j] *= far;
        ray.direction[j] = random_in(&x, -0.6, 0.6) - ray.origin[j];
      }
      assert_ok(m, nsds_shapes_cast(solid, 1, &ray, &one));
      assert_ok(m, nsds_shapes_cast(shell, 1, &ray, &other));
      assert_int_equal(one.shape, other.shape);
      if (one.shape >= 0) assert_near(one.distance, other.distance, 1e-7);
    }
    nsds_model_destroy(m);
  }
}

/* An angle of two rectangles in the plane beside the two. */
static void meshes_of_the_plane(void **state) {
  (void)state;
  /* segments with the inside on their right */
  const double vertex[] = {0, 0, 0, 1, 3, 1, 3, 0, 0, 1, 0, 4, 1, 4, 1, 1};
  const int face[] = {0, 1, 1, 2, 2, 3, 3, 0, 4, 5, 5, 6, 6, 7, 7, 4};
  const nsds_shape_def angle = {
      .kind = NSDS_MESH, .nvertex = 8, .vertex = vertex, .nface = 8, .face = face};
  const nsds_shape_def box[] = {{.kind = NSDS_BOX, .half = {1.5, 0.5}, .position = {1.5, 0.5}},
                                {.kind = NSDS_BOX, .half = {0.5, 1.5}, .position = {0.5, 2.5}}};
  nsds_model *m = nsds_model_create(NULL);
  nsds_mass whole, sum;
  assert_ok(m, nsds_mass_properties(
                   m, &(nsds_mass_def){.dimension = 2, .nshape = 1, .shape = &angle, .density = 1},
                   &whole));
  assert_ok(
      m, nsds_mass_properties(
             m, &(nsds_mass_def){.dimension = 2, .nshape = 2, .shape = box, .density = 1}, &sum));
  assert_near(whole.volume, 6.0, 1e-13);
  assert_same_mass(&whole, &sum);
  nsds_contact_set *set = set_of(m, 2, 1, &angle);
  nsds_shape_hit hit;
  assert_ok(m, nsds_shapes_nearest(set, (const double[]){2, 2, 0}, 0.0, NULL, &hit));
  assert_near(hit.distance, 1.0, 1e-14);
  nsds_model_destroy(m);
}

/* ---- rounded boxes --------------------------------------------------------------------------- */

/* A box with a radius tips over its rounded edge, on which it rolls. With the core's half diagonal
 * R at the angle a + b from the vertical, its center is at
 * (-r b - R sin(a + b), r + R cos(a + b)). */
static double tipping_rate(double r, double R, double angle, double J, double b, double rate) {
  double c = cos(angle + b), s = sin(angle + b);
  double xb = -r - R * c, yb = -R * s, xbb = R * s, ybb = -R * c;
  return -(g * yb + rate * rate * (xb * xbb + yb * ybb)) / (xb * xb + yb * yb + J);
}

static void a_rounded_box_tips_over_its_edge(void **state) {
  (void)state;
  const double r = 0.05, half[3] = {0.1, 0.3, 0.2}, R = hypot(half[0], half[2]);
  const double angle = -atan2(half[0], half[2]), b0 = 0.3;
  nsds_shape_def box = {.kind = NSDS_BOX, .radius = r, .half = {half[0], half[1], half[2]}};
  nsds_mass mass;
  nsds_model *m = nsds_model_create(NULL);
  assert_ok(
      m, nsds_mass_properties(m, &(nsds_mass_def){.nshape = 1, .shape = &box, .mass = 1}, &mass));
  nsds_model_destroy(m);
  double b = b0, rate = 0.5, error[2];
  const int steps = 40000;
  const double t1 = 0.3, dt = t1 / steps;
  for (int k = 0; k < steps; ++k) { /* the midpoint rule, to 1e-9 */
    double half_b = b + 0.5 * dt * rate,
           half_rate = rate + 0.5 * dt * tipping_rate(r, R, angle, mass.inertia[4], b, rate);
    b += dt * half_rate;
    rate += dt * tipping_rate(r, R, angle, mass.inertia[4], half_b, half_rate);
  }
  for (int k = 0; k < 2; ++k) {
    /* turns about -y by b: the edge at +x, -z comes to the ground at b = 0 upright */
    double turn = b0, c = cos(angle + turn), s = sin(angle + turn);
    const double q0[7] = {-r * turn - R * s, 0, r + R * c, cos(0.5 * turn), 0, -sin(0.5 * turn), 0};
    const double v0[6] = {0.5 * (-r - R * c), 0, 0.5 * -R * s, 0, -0.5, 0};
    m = nsds_model_create(NULL);
    nsds_ds *ds = nsds_rigid_body(
        m, &(nsds_rigid_body_def){
               .mass = 1, .inertia = mass.inertia, .q0 = q0, .v0 = v0, .gravity = {0, 0, -g}});
    const nsds_shape_def shape[] = {
        {.kind = NSDS_HALF_SPACE, .plane = {{0, 0, 1}, 0}},
        {.kind = NSDS_BOX, .ds = ds, .radius = r, .half = {half[0], half[1], half[2]}}};
    nsds_shapes(m, &(nsds_shapes_def){.law = nsds_newton_impact_friction(
                                          m, &(nsds_newton_impact_friction_def){.mu = 2}),
                                      .nshape = 2,
                                      .shape = shape});
    nsds_simulation *sim = nsds_time_stepping(
        m, &(nsds_time_stepping_def){.t1 = t1, .h = k ? 5e-4 : 1e-3, .tolerance = 1e-12});
    nsds_status status;
    while (!(status = nsds_step(sim))) continue;
    assert_status(m, status, NSDS_END);
    error[k] = fabs(-nsds_v(ds)[4] - rate);
    nsds_model_destroy(m);
  }
  assert_between(error[0], 0.0, 1e-2);
  assert_between(error[0] / error[1], 1.7, 2.4); /* order one */
}

/* The normal of rounded polytopes turns with the bodies, without jumps: across faces, edges and
 * corners. */
static void normals_of_rounded_shapes_turn_steadily(void **state) {
  (void)state;
  static const double J[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  uint64_t x = 17;
  for (int k = 0; k < 300; ++k) {
    double vertex[2][8][3], way[3], q0[7] = {0, 0, 0, 1};
    nsds_model *m = nsds_model_create(NULL);
    nsds_contact_set *set = set_of(m, 3, 0, NULL);
    nsds_ds *ds[2];
    for (int b = 0; b < 2; ++b) {
      nsds_shape_def d = {.kind = random_in(&x, 0, 2) < 1 ? NSDS_BOX : NSDS_HULL,
                          .radius = random_in(&x, 0.2, 0.4)};
      for (int i = 0; i < 3; ++i) d.half[i] = random_in(&x, 0.1, 0.5);
      d.nvertex = 8;
      d.vertex = &vertex[b][0][0];
      for (int i = 0; i < 24; ++i) vertex[b][i / 3][i % 3] = random_in(&x, -0.5, 0.5);
      draw_attitude(&x, q0 + 3);
      d.ds = ds[b] = nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1, .inertia = J, .q0 = q0});
      nsds_shapes_add(set, &d);
    }
    assert_sound(m);
    double from[3] = {random_in(&x, -1, 1), random_in(&x, -1, 1), 1.3}, last[3] = {0};
    for (int i = 0; i < 3; ++i) way[i] = random_in(&x, -1, 1);
    const double step = 1e-4;
    for (int at = 0; at < 400; ++at) {
      double q[7];
      nsds_shape_gap gap;
      memcpy(q, nsds_q(ds[1]), sizeof q);
      for (int i = 0; i < 3; ++i) q[i] = from[i] + step * at * way[i];
      assert_ok(m, nsds_set_state(ds[1], q, nsds_v(ds[1])));
      assert_ok(m, nsds_shapes_gap(set, 0, 1, &gap));
      double core = gap.distance + 0.4, turn = 0.0; /* at least between the cores */
      for (int i = 0; i < 3; ++i) turn = fmax(turn, fabs(gap.normal[i] - last[i]));
      /* a projection on a convex set is no farther than the points */
      if (at > 0 && core > 0.05 && turn > 4.0 * step * sqrt(3.0) / core)
        fail_msg("pair %d: the normal turns by %g in a step of %g at a distance of %g", k, turn,
                 step, gap.distance);
      memcpy(last, gap.normal, sizeof last);
    }
    nsds_model_destroy(m);
  }
}

/* ---- refused --------------------------------------------------------------------------------- */

static void wrong_shapes_are_refused(void **state) {
  (void)state;
  static const double J[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const double height[4] = {0, 0, 0, 0}, bad[4] = {0, NAN, 0, 0};
  /* a tetrahedron and a dented pyramid */
  const double vertex[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.1, 0.1, 0.1};
  const int face[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}, gap[] = {0, 0, 2, 2};
  const int all[6] = {0}, inside_out[] = {0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2};
  const int dent[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 4, 2, 3, 4, 3, 1, 4};
  const double flat[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
  const int sheet[] = {0, 1, 2, 0, 2, 3};
  enum { many = 4100 };
  static double line[3 * many];
  static int fan[3 * (many - 2)];
  for (int k = 0; k < many - 2; ++k) fan[3 * k + 1] = k + 1, fan[3 * k + 2] = k + 2;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds = nsds_rigid_body(
      m, &(nsds_rigid_body_def){.mass = 1, .inertia = J, .q0 = (double[]){0, 0, 0, 1, 0, 0, 0}});
  const struct {
    nsds_shape_def def;
    const char *word;
  } wrong[] = {
      {{.kind = NSDS_HEIGHT_FIELD, .nx = 2, .ny = 2, .height = height, .half = {1}}, "half[1]"},
      {{.kind = NSDS_HEIGHT_FIELD, .nx = 1, .ny = 2, .height = height, .half = {1, 1}}, "nx"},
      {{.kind = NSDS_HEIGHT_FIELD, .nx = 2, .ny = 1, .height = height, .half = {1, 1}}, "ny"},
      {{.kind = NSDS_HEIGHT_FIELD, .nx = 2, .ny = 2, .half = {1, 1}}, "height is NULL"},
      {{.kind = NSDS_HEIGHT_FIELD, .nx = 2, .ny = 2, .height = bad, .half = {1, 1}}, "height"},
      {{.kind = NSDS_HEIGHT_FIELD, .ds = ds, .nx = 2, .ny = 2, .height = height, .half = {1, 1}},
       "can only be scenery"},
      {{.kind = NSDS_MESH, .nvertex = 4, .vertex = vertex, .nface = 4}, "face is NULL"},
      {{.kind = NSDS_MESH, .nvertex = 3, .vertex = vertex, .nface = 4, .face = face}, "face[5]"},
      {{.kind = NSDS_MESH, .nvertex = 4, .vertex = vertex, .nface = 1, .face = face},
       "part 0 has 3 vertices"},
      {{.kind = NSDS_MESH, .nvertex = 4, .vertex = vertex, .nface = 4, .face = face, .part = gap},
       "no face with the number 1"},
      {{.kind = NSDS_MESH, .nvertex = 5, .vertex = vertex, .nface = 6, .face = dent, .part = all},
       "part 0 is not convex: face 3"},
      {{.kind = NSDS_MESH, .nvertex = 5, .vertex = vertex, .nface = 5, .face = dent},
       "part 0 is not convex, and does not close around a volume"},
      {{.kind = NSDS_MESH, .nvertex = 4, .vertex = vertex, .nface = 4, .face = inside_out},
       "part 0 has its fronts inside, its volume is -0.167 m^3"},
      {{.kind = NSDS_MESH, .nvertex = 4, .vertex = flat, .nface = 2, .face = sheet},
       "part 0: its points lie in one plane"},
      {{.kind = NSDS_MESH, .nvertex = many, .vertex = line, .nface = many - 2, .face = fan},
       "part 0 has more than 4096 vertices"},
  };
  nsds_contact_set *set = set_of(m, 3, 0, NULL);
  nsds_context *context = nsds_model_context(m);
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    const char *words[] = {"nsds_shapes_add", wrong[k].word};
    assert_int_equal(nsds_shapes_add(set, &wrong[k].def), -1);
    assert_words(nsds_error_message(context), words, 2);
    nsds_error_clear(context);
  }
  nsds_shape_def round = {
      .kind = NSDS_MESH, .nvertex = 4, .vertex = vertex, .nface = 4, .face = face, .radius = 0.1};
  nsds_shape_def field = {
      .kind = NSDS_HEIGHT_FIELD, .nx = 2, .ny = 2, .height = height, .half = {1, 1}};
  const nsds_shape_def *no_mass[] = {&round, &field};
  const char *why[] = {"a mesh has a radius", "a height field has no volume"};
  for (int k = 0; k < 2; ++k) {
    nsds_mass mass;
    assert_status(m,
                  nsds_mass_properties(
                      m, &(nsds_mass_def){.nshape = 1, .shape = no_mass[k], .mass = 1}, &mass),
                  NSDS_ERROR_ARGUMENT);
    assert_words(nsds_error_message(context), &why[k], 1);
    nsds_error_clear(context);
  }
  nsds_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rays_end_on_heights),
                                     cmocka_unit_test(rays_end_on_heights_of_the_plane),
                                     cmocka_unit_test(a_field_of_a_plane_is_a_plane),
                                     cmocka_unit_test(fields_are_their_triangles),
                                     cmocka_unit_test(moments_are_sums_of_parts),
                                     cmocka_unit_test(meshes_are_their_parts),
                                     cmocka_unit_test(meshes_move_as_their_parts),
                                     cmocka_unit_test(meshes_of_the_plane),
                                     cmocka_unit_test(meshes_are_cut_into_convex_parts),
                                     cmocka_unit_test(a_rounded_box_tips_over_its_edge),
                                     cmocka_unit_test(normals_of_rounded_shapes_turn_steadily),
                                     cmocka_unit_test(wrong_shapes_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
