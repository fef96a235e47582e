/*
 * Series of VTK files: the numbers behind the XML are read back by a reader of this test, and are where the
 * bodies are. Faults: files that cannot be written, wrong arguments.
 */
#include "support.h"

#include <nsds/nsds.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- a small reader: the text, and the data of an array by its name ---- */

typedef struct file {
  char *bytes;
  size_t size;
  const char *data; /* behind "_" */
} file;

static file file_read(const char *path) {
  file f = {0};
  FILE *in = fopen(path, "rb");
  assert_non_null(in);
  fseek(in, 0, SEEK_END);
  f.size = (size_t)ftell(in);
  rewind(in);
  f.bytes = calloc(f.size + 1, 1);
  assert_int_equal(fread(f.bytes, 1, f.size, in), f.size);
  fclose(in);
  const char *mark = strstr(f.bytes, "<AppendedData encoding=\"raw\">\n_");
  if (mark) f.data = mark + strlen("<AppendedData encoding=\"raw\">\n_");
  return f;
}

/* Array `name` behind the tag `part`; its number of values. */
static const void *file_array(const file *f, const char *part, const char *name, size_t *count) {
  char wanted[64];
  const char *at = strstr(f->bytes, part);
  assert_non_null(at);
  snprintf(wanted, sizeof wanted, "Name=\"%s\"", name);
  at = strstr(at, wanted);
  assert_non_null(at);
  at = strstr(at, "offset=\"");
  unsigned long long offset = strtoull(at + strlen("offset=\""), NULL, 10);
  uint64_t bytes;
  assert_true(offset + sizeof bytes <= f->size);
  memcpy(&bytes, f->data + offset, sizeof bytes);
  assert_true(f->data + offset + sizeof bytes + bytes <= f->bytes + f->size);
  *count = (size_t)bytes / 4;
  return f->data + offset + sizeof bytes;
}

static float real_at(const void *array, size_t k) {
  float x;
  memcpy(&x, (const char *)array + 4 * k, 4);
  return x;
}

static int whole_at(const void *array, size_t k) {
  int32_t x;
  memcpy(&x, (const char *)array + 4 * k, 4);
  return x;
}

/* ---- a scene: ball, capsule and box with round edges over a floor, two of them tied by a rod ---- */

typedef struct scene {
  nsds_model *model;
  nsds_ds *body[3];
  nsds_simulation *simulation;
} scene;

static scene scene_make(void) {
  scene s = {.model = nsds_model_create(NULL)};
  const double J[9] = {[0] = 0.004, [4] = 0.004, [8] = 0.004};
  for (int k = 0; k < 3; ++k)
    s.body[k] = nsds_rigid_body(
        s.model, &(nsds_rigid_body_def){.mass = 1.0,
                                        .inertia = J,
                                        .q0 = (double[]){0.5 * k, 0.0, 0.12 + 0.1 * k, 1, 0, 0, 0},
                                        .v0 = (double[]){0.2, 0.0, 0.0, 0.0, 3.0, 0.0},
                                        .gravity = {0.0, 0.0, -9.81}});
  nsds_shapes(
      s.model,
      &(nsds_shapes_def){
          .nmaterial = 1,
          .material = &(nsds_material){.mu = 0.4},
          .nshape = 4,
          .shape = (nsds_shape_def[]){
              {.kind = NSDS_HALF_SPACE, .plane = {.normal = {0.0, 0.0, 1.0}}},
              {.kind = NSDS_SPHERE, .ds = s.body[0], .radius = 0.1},
              {.kind = NSDS_CAPSULE, .ds = s.body[1], .radius = 0.05, .half = {0.1}},
              {.kind = NSDS_BOX, .ds = s.body[2], .half = {0.1, 0.1, 0.1}, .radius = 0.02}}});
  nsds_joint_def rod = {.kind = NSDS_JOINT_DISTANCE, .ds = {s.body[0], s.body[1]}};
  memcpy(rod.point, nsds_q(s.body[0]), sizeof rod.point);
  memcpy(rod.other, nsds_q(s.body[1]), sizeof rod.other);
  nsds_connect(s.model, nsds_joint(s.model, &rod), nsds_equality(s.model), 2, rod.ds);
  s.simulation = nsds_time_stepping(s.model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-3});
  assert_int_equal(nsds_error(nsds_model_context(s.model)), NSDS_OK);
  return s;
}

/* Distance of a point from the core of the shape of body k, less its radius. */
static double off_surface(const scene *s, int k, const double *x) {
  double own[3], arm[3], core[3] = {0};
  const double *q = nsds_q(s->body[k]), radius[] = {0.1, 0.05, 0.02};
  for (int i = 0; i < 3; ++i) arm[i] = x[i] - q[i];
  nsds_to_body(q, arm, own);
  if (k == 1) core[0] = fmax(-0.1, fmin(0.1, own[0]));
  for (int i = 0; i < 3 && k == 2; ++i) core[i] = fmax(-0.1, fmin(0.1, own[i]));
  double length = 0.0;
  for (int i = 0; i < 3; ++i) length += (own[i] - core[i]) * (own[i] - core[i]);
  return fabs(sqrt(length) - radius[k]);
}

static void look_at_bodies(const scene *s, const char *path) {
  file f = file_read(path);
  size_t n, m, corners, cells;
  const void *x = file_array(&f, "<Points>", "points", &n);
  const void *v = file_array(&f, "<PointData>", "velocity", &m);
  const void *corner = file_array(&f, "<Polys>", "connectivity", &corners);
  const void *end = file_array(&f, "<Polys>", "offsets", &cells);
  const void *body = file_array(&f, "<CellData>", "body", &m);
  assert_int_equal(m, cells);
  int seen[4] = {0};
  for (size_t c = 0; c < cells; ++c) {
    int of = whole_at(body, c);
    assert_in_range(of + 1, 0, 3);
    ++seen[of + 1];
    for (int k = c ? whole_at(end, c - 1) : 0; k < whole_at(end, c); ++k) {
      size_t p = (size_t)whole_at(corner, (size_t)k);
      assert_true(3 * p + 2 < n);
      double at[3], arm[3], turn[3], w[3];
      for (size_t i = 0; i < 3; ++i) at[i] = (double)real_at(x, 3 * p + i);
      if (of < 0) {
        assert_true(fabs(at[2]) < 1e-6);
        continue;
      }
      assert_true(off_surface(s, of, at) < 1e-6);
      const double *q = nsds_q(s->body[of]), *u = nsds_v(s->body[of]);
      for (int i = 0; i < 3; ++i) arm[i] = at[i] - q[i];
      nsds_to_world(q, u + 3, w);
      turn[0] = w[1] * arm[2] - w[2] * arm[1];
      turn[1] = w[2] * arm[0] - w[0] * arm[2];
      turn[2] = w[0] * arm[1] - w[1] * arm[0];
      for (size_t i = 0; i < 3; ++i)
        assert_true(fabs((double)real_at(v, 3 * p + i) - u[i] - turn[i]) < 1e-5);
    }
  }
  assert_int_equal(seen[0], 1);       /* the floor */
  assert_int_equal(seen[1], 20 * 16); /* the sphere of level 3 */
  assert_int_equal(seen[2], 20 * 16);
  assert_int_equal(seen[3], 12); /* two triangles a side */
  free(f.bytes);
}

static void look_at_contacts(const scene *s, const char *path) {
  file f = file_read(path);
  size_t n, m, count;
  const void *x = file_array(&f, "<Points>", "points", &n);
  const void *force = file_array(&f, "<PointData>", "force", &m);
  const void *first = file_array(&f, "<PointData>", "first", &count);
  const void *second = file_array(&f, "<PointData>", "second", &count);
  assert_int_equal(m, n);
  nsds_contact_iterator at = nsds_model_contacts(s->model);
  nsds_contact_info contact;
  size_t k = 0;
  for (; nsds_next_contact(&at, &contact); ++k)
    for (size_t i = 0; i < 3; ++i) {
      assert_true(3 * k + i < n);
      assert_true(fabs((double)real_at(x, 3 * k + i) - contact.point[i]) < 1e-6);
      assert_true(fabs((double)real_at(force, 3 * k + i) - contact.world_force[i]) <
                  1e-6 * (1.0 + fabs(contact.world_force[i])));
      assert_ptr_equal(nsds_ds_at(s->model, whole_at(first, k)), contact.ds[0]);
      assert_int_equal(whole_at(second, k), -1);
    }
  assert_int_equal(3 * k, n);
  assert_true(k > 0);
  free(f.bytes);
}

static void look_at_joints(const scene *s, const char *path) {
  file f = file_read(path);
  size_t n;
  const void *x = file_array(&f, "<Points>", "points", &n);
  assert_int_equal(n, 6);
  double first[3], second[3];
  assert_int_equal(nsds_joint_points(nsds_interaction_at(s->model, 0), first, second), NSDS_OK);
  for (size_t i = 0; i < 3; ++i) {
    assert_true(fabs((double)real_at(x, i) - first[i]) < 1e-6);
    assert_true(fabs((double)real_at(x, 3 + i) - second[i]) < 1e-6);
    assert_true(fabs(first[i] - nsds_q(s->body[0])[i]) < 1e-12);
    assert_true(fabs(second[i] - nsds_q(s->body[1])[i]) < 1e-12);
  }
  free(f.bytes);
}

/* The list is complete after every frame, and names files that are there. */
static void look_at_list(const char *path, int frames) {
  file f = file_read(path);
  int count = 0;
  for (const char *at = f.bytes; (at = strstr(at, "<DataSet ")); ++count) {
    char name[128];
    at = strstr(at, "file=\"");
    assert_int_equal(sscanf(at, "file=\"%127[^\"]\"", name), 1);
    assert_int_equal(access(name, R_OK), 0);
  }
  assert_int_equal(count, 3 * frames);
  const char end[] = "</Collection>\n</VTKFile>\n";
  assert_string_equal(f.bytes + f.size - strlen(end), end);
  free(f.bytes);
}

static void a_series_shows_the_model(void **unused) {
  (void)unused;
  scene s = scene_make();
  nsds_context *context = nsds_model_context(s.model);
  nsds_vtk *series = nsds_vtk_create(context, &(nsds_vtk_def){.path = "vtk_shows.pvd"});
  assert_non_null(series);
  look_at_list("vtk_shows.pvd", 0);
  for (int frame = 0; frame < 3; ++frame) {
    for (int k = 0; k < 100; ++k) assert_int_equal(nsds_step(s.simulation), NSDS_OK);
    assert_int_equal(nsds_write_vtk(series, s.model, nsds_time(s.simulation)), NSDS_OK);
    look_at_list("vtk_shows.pvd", frame + 1);
    char path[3][64];
    const char *const part[] = {"bodies", "contacts", "joints"};
    for (int k = 0; k < 3; ++k)
      snprintf(path[k], sizeof path[k], "vtk_shows_%s_%06d.vtp", part[k], frame);
    look_at_bodies(&s, path[0]);
    look_at_contacts(&s, path[1]);
    look_at_joints(&s, path[2]);
  }
  nsds_vtk_destroy(series);
  nsds_model_destroy(s.model);
}

/* In the plane: edges of a box and of a disc, the line of the floor; a system that is no body. */
static void a_series_in_the_plane(void **unused) {
  (void)unused;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *body[2];
  for (int k = 0; k < 2; ++k)
    body[k] = nsds_rigid_body_2d(
        model, &(nsds_rigid_body_2d_def){
                   .mass = 1.0, .inertia = 0.01, .q0 = (double[]){1.0 * k, 1.0, 0.5}});
  nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){
                                    .ndof = 1, .q0 = (double[]){7.0}, .mass = (double[]){1.0}});
  nsds_shapes(model,
              &(nsds_shapes_def){.dimension = 2,
                                 .nmaterial = 1,
                                 .material = &(nsds_material){.mu = 0.4},
                                 .nshape = 3,
                                 .shape = (nsds_shape_def[]){
                                     {.kind = NSDS_SPHERE, .ds = body[0], .radius = 0.2},
                                     {.kind = NSDS_BOX, .ds = body[1], .half = {0.3, 0.1}},
                                     {.kind = NSDS_HALF_SPACE, .plane = {.normal = {0.0, 1.0}}}}});
  nsds_vtk *series =
      nsds_vtk_create(nsds_model_context(model), &(nsds_vtk_def){.path = "vtk_plane"});
  assert_int_equal(nsds_write_vtk(series, model, 0.0), NSDS_OK);
  file f = file_read("vtk_plane_bodies_000000.vtp");
  size_t n, lines, verts, cells;
  const void *x = file_array(&f, "<Points>", "points", &n);
  const void *corner = file_array(&f, "<Lines>", "connectivity", &cells);
  const void *end = file_array(&f, "<Lines>", "offsets", &lines);
  const void *at = file_array(&f, "<Verts>", "connectivity", &verts);
  assert_int_equal(lines, 1 + 4 + 1);
  assert_int_equal(verts, 1);
  assert_true(real_at(x, 3 * (size_t)whole_at(at, 0)) == 7.0F);
  for (size_t k = 0; k < (size_t)whole_at(end, 0) - 1; ++k) { /* but the spoke */
    size_t p = (size_t)whole_at(corner, k);
    double dx = (double)real_at(x, 3 * p), dy = (double)real_at(x, 3 * p + 1) - 1.0;
    assert_true(fabs(hypot(dx, dy) - 0.2) < 1e-6);
  }
  free(f.bytes);
  nsds_vtk_destroy(series);
  nsds_model_destroy(model);
}

/* ---- loose shapes ------------------------------------------------------------------------------ */

enum { loose_kinds = 9 };

static double test_random(uint64_t *seed, double from, double to) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return from + (to - from) * ((double)(*seed >> 11) * 0x1p-53);
}

/* Bodies with a shape of each kind, in a contact set or in none. `plane`: discs, boxes and polygons. */
static nsds_model *shaped_model(bool plane, bool loose, nsds_shape_def *shape, int *nshape) {
  static const double corner[24] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1},
                      polygon[8] = {0, 0, 1, 0, 1, 1, 0, 2};
  static const int side[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
  static const nsds_shape_def kinds[2][7] = {
      {{.kind = NSDS_SPHERE, .radius = 0.2},
       {.kind = NSDS_CAPSULE, .radius = 0.1, .half = {0.3}},
       {.kind = NSDS_BOX, .half = {0.1, 0.2, 0.3}, .radius = 0.02},
       {.kind = NSDS_HULL, .nvertex = 4, .vertex = corner},
       {.kind = NSDS_CYLINDER, .radius = 0.1, .half = {0.3}},
       {.kind = NSDS_ELLIPSOID, .half = {0.1, 0.2, 0.3}},
       {.kind = NSDS_MESH, .nvertex = 4, .vertex = corner, .nface = 4, .face = side}},
      {{.kind = NSDS_SPHERE, .radius = 0.2},
       {.kind = NSDS_CAPSULE, .radius = 0.1, .half = {0.3}},
       {.kind = NSDS_BOX, .half = {0.1, 0.2}},
       {.kind = NSDS_HULL, .nvertex = 4, .vertex = polygon}}};
  nsds_model *model = nsds_model_create(NULL);
  uint64_t seed = 5;
  *nshape = plane ? 4 : 7;
  for (int k = 0; k < *nshape; ++k) {
    double q[7], v[6];
    for (int i = 0; i < 7; ++i) q[i] = test_random(&seed, -1.0, 1.0);
    for (int i = 0; i < 6; ++i) v[i] = test_random(&seed, -1.0, 1.0);
    double length = sqrt(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6]), turn = 0.0;
    for (int i = 3; i < 7; ++i) q[i] /= length;
    shape[k] = kinds[plane][k];
    for (int i = 0; i < 3; ++i) shape[k].position[i] = test_random(&seed, -1.0, 1.0);
    for (int i = 0; i < 4; ++i) shape[k].quaternion[i] = test_random(&seed, 0.1, 1.0);
    for (int i = 0; i < 4; ++i) turn += shape[k].quaternion[i] * shape[k].quaternion[i];
    for (int i = 0; i < 4; ++i) shape[k].quaternion[i] /= sqrt(turn);
    shape[k].angle = test_random(&seed, -3.0, 3.0);
    if (plane) shape[k].position[2] = 0.0;
    else shape[k].angle = 0.0;
    for (int i = 0; plane && i < 4; ++i) shape[k].quaternion[i] = 0.0;
    shape[k].ds =
        plane ? nsds_rigid_body_2d(
                    model, &(nsds_rigid_body_2d_def){.mass = 1, .inertia = 1, .q0 = q, .v0 = v})
              : nsds_rigid_body(
                    model, &(nsds_rigid_body_def){.mass = 1,
                                                  .inertia = (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1},
                                                  .q0 = q,
                                                  .v0 = v});
  }
  if (loose) return model;
  nsds_shapes(model, &(nsds_shapes_def){.dimension = plane ? 2 : 3,
                                        .law = nsds_newton_impact(model, 0.0),
                                        .nshape = *nshape,
                                        .shape = shape});
  if (nsds_error(nsds_model_context(model)))
    fail_msg("%s", nsds_error_message(nsds_model_context(model)));
  return model;
}

static file written_series(nsds_model *model, int nshape, const nsds_shape_def *shape) {
  nsds_context *context = nsds_model_context(model);
  nsds_vtk *series = nsds_vtk_create(
      context, &(nsds_vtk_def){.path = "vtk_loose", .nshape = nshape, .shape = shape});
  if (!series) fail_msg("%s", nsds_error_message(context));
  assert_int_equal(nsds_write_vtk(series, model, 0.0), NSDS_OK);
  nsds_vtk_destroy(series);
  return file_read("vtk_loose_bodies_000000.vtp");
}

/* Shapes that no set has are drawn where those of a set are; triangles move with their body. */
static void loose_shapes_are_drawn(void **unused) {
  (void)unused;
  for (int plane = 0; plane < 2; ++plane) {
    nsds_shape_def shape[loose_kinds];
    int count;
    size_t n[2], m[2], cells[2];
    nsds_model *sets = shaped_model(plane, false, shape, &count);
    file a = written_series(sets, 0, NULL);
    nsds_model_destroy(sets);
    nsds_model *bare = shaped_model(plane, true, shape, &count);
    file b = written_series(bare, count, shape);
    const char *kind = plane ? "<Lines>" : "<Polys>";
    const void *x[2] = {file_array(&a, "<Points>", "points", &n[0]),
                        file_array(&b, "<Points>", "points", &n[1])};
    const void *v[2] = {file_array(&a, "<PointData>", "velocity", &m[0]),
                        file_array(&b, "<PointData>", "velocity", &m[1])};
    const void *corner[2] = {file_array(&a, kind, "connectivity", &cells[0]),
                             file_array(&b, kind, "connectivity", &cells[1])};
    assert_true(n[0] == n[1] && m[0] == n[0] && m[1] == n[0] && cells[0] == cells[1]);
    for (size_t k = 0; k < n[0]; ++k) {
      assert_true(fabsf(real_at(x[0], k) - real_at(x[1], k)) < 1e-6F);
      assert_true(fabsf(real_at(v[0], k) - real_at(v[1], k)) < 1e-6F);
    }
    for (size_t k = 0; k < cells[0]; ++k)
      assert_int_equal(whole_at(corner[0], k), whole_at(corner[1], k));
    const void *set = file_array(&b, "<CellData>", "set", &m[0]);
    for (size_t k = 0; k < m[0]; ++k) assert_int_equal(whole_at(set, k), -1);
    nsds_model_destroy(bare);
    free(a.bytes);
    free(b.bytes);
  }
}

static void triangles_move_with_their_body(void **unused) {
  (void)unused;
  nsds_model *model = nsds_model_create(NULL), *other = nsds_model_create(NULL);
  const double half = sqrt(0.5), J[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  nsds_rigid_body_def body = {/* turned by 90 degrees about z */
                              .mass = 1,
                              .inertia = J,
                              .q0 = (double[]){5, 6, 7, half, 0, 0, half}};
  nsds_shape_def face = {.kind = NSDS_TRIANGLES,
                         .ds = nsds_rigid_body(model, &body),
                         .position = {0, 0, 1},
                         .nvertex = 3,
                         .vertex = (double[]){1, 0, 0, 2, 0, 0, 1, 3, 0},
                         .nface = 1,
                         .face = (int[]){0, 1, 2}};
  file f = written_series(model, 1, &face);
  size_t n;
  const void *x = file_array(&f, "<Points>", "points", &n);
  const float expected[9] = {5, 7, 8, 5, 8, 8, 2, 7, 8};
  assert_int_equal(n, 9);
  for (size_t k = 0; k < 9; ++k) assert_true(fabsf(real_at(x, k) - expected[k]) < 1e-6F);
  free(f.bytes);
  nsds_context *context = nsds_model_context(model);
  nsds_vtk *series =
      nsds_vtk_create(context, &(nsds_vtk_def){.path = "vtk_loose", .nshape = 1, .shape = &face});
  assert_int_equal(nsds_write_vtk(series, other, 0.0), NSDS_ERROR_ARGUMENT);
  assert_non_null(
      strstr(nsds_error_message(nsds_model_context(other)), "of a body of another model"));
  assert_int_equal(nsds_ds_destroy(face.ds), NSDS_OK);
  assert_int_equal(nsds_write_vtk(series, model, 0.0), NSDS_ERROR_ARGUMENT);
  nsds_error_clear(context);
  nsds_vtk_destroy(series);
  assert_null(nsds_vtk_create(context, &(nsds_vtk_def){.path = "vtk_loose", .nshape = 1}));
  assert_non_null(strstr(nsds_error_message(context), "nshape is 1; shape must have as many"));
  nsds_error_clear(context);
  face.ds = nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = J});
  assert_null(
      nsds_vtk_create(context, &(nsds_vtk_def){.path = "vtk_loose", .nshape = 1, .shape = &face}));
  assert_non_null(strstr(nsds_error_message(context), "shape[0] is of a system that is no body"));
  nsds_error_clear(context);
  nsds_model_destroy(model);
  nsds_model_destroy(other);
}

static void levels_of_spheres(void **unused) {
  (void)unused;
  const size_t points[] = {12, 42, 162, 642};
  for (int level = 1; level <= 4; ++level) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ball = nsds_rigid_body(
        model,
        &(nsds_rigid_body_def){.mass = 1.0, .inertia = (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1}});
    nsds_shapes(model, &(nsds_shapes_def){.nmaterial = 1,
                                          .material = &(nsds_material){.mu = 0.1},
                                          .nshape = 1,
                                          .shape = &(nsds_shape_def){
                                              .kind = NSDS_SPHERE, .ds = ball, .radius = 2.0}});
    nsds_vtk *series = nsds_vtk_create(nsds_model_context(model),
                                       &(nsds_vtk_def){.path = "vtk_level", .sphere_level = level});
    assert_int_equal(nsds_write_vtk(series, model, 0.0), NSDS_OK);
    file f = file_read("vtk_level_bodies_000000.vtp");
    size_t n;
    const void *x = file_array(&f, "<Points>", "points", &n);
    assert_int_equal(n, 3 * points[level - 1]);
    for (size_t k = 0; k < n; k += 3) {
      double r = 0.0;
      for (size_t i = 0; i < 3; ++i) r += pow((double)real_at(x, k + i), 2.0);
      assert_true(fabs(sqrt(r) - 2.0) < 1e-6);
    }
    free(f.bytes);
    nsds_vtk_destroy(series);
    nsds_model_destroy(model);
  }
}

static void is_refused(nsds_context *context, const nsds_vtk_def *def, nsds_status status,
                       const char *text) {
  assert_null(nsds_vtk_create(context, def));
  assert_int_equal(nsds_error(context), status);
  assert_non_null(strstr(nsds_error_message(context), text));
  nsds_error_clear(context);
}

static void faults_are_refused(void **unused) {
  (void)unused;
  scene s = scene_make();
  nsds_context *context = nsds_model_context(s.model);
  assert_null(nsds_vtk_create(NULL, NULL));
  is_refused(context, NULL, NSDS_ERROR_ARGUMENT, "def");
  is_refused(context, &(nsds_vtk_def){0}, NSDS_ERROR_ARGUMENT, "path");
  is_refused(context, &(nsds_vtk_def){.path = ""}, NSDS_ERROR_VALUE, "1 to 3840");
  is_refused(context, &(nsds_vtk_def){.path = "a", .sphere_level = 5}, NSDS_ERROR_VALUE, "0 to 4");
  is_refused(context, &(nsds_vtk_def){.path = "no_folder/a"}, NSDS_ERROR_IO, "no_folder/a.pvd");
  nsds_vtk *series = nsds_vtk_create(context, &(nsds_vtk_def){.path = "vtk_faults"});
  assert_int_equal(nsds_write_vtk(NULL, s.model, 0.0), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_write_vtk(series, NULL, 0.0), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_write_vtk(series, s.model, NAN), NSDS_ERROR_VALUE);
  nsds_error_clear(context);

  /* a frame that cannot be written leaves the list, and can be written again */
  remove("vtk_faults_contacts_000000.vtp");
  assert_int_equal(mkdir("vtk_faults_contacts_000000.vtp", 0700), 0);
  assert_int_equal(nsds_write_vtk(series, s.model, 0.0), NSDS_ERROR_IO);
  assert_non_null(strstr(nsds_error_message(context), "vtk_faults_contacts_000000.vtp"));
  nsds_error_clear(context);
  look_at_list("vtk_faults.pvd", 0);
  assert_int_equal(rmdir("vtk_faults_contacts_000000.vtp"), 0);
  assert_int_equal(nsds_write_vtk(series, s.model, 0.0), NSDS_OK);
  look_at_list("vtk_faults.pvd", 1);

  assert_int_equal(unlink("vtk_faults.pvd"), 0);
  assert_int_equal(nsds_write_vtk(series, s.model, 1.0), NSDS_ERROR_IO);
  nsds_error_clear(context);
  nsds_vtk_destroy(series);
  nsds_vtk_destroy(NULL);
  nsds_model_destroy(s.model);
}

/* Points of joints that have none. */
static void points_of_other_interactions(void **unused) {
  (void)unused;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = (double[]){1.0}});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
  nsds_interaction *ia = nsds_connect(model, gap, nsds_newton_impact(model, 0.0), 1, &ds);
  double first[3], second[3];
  assert_int_equal(nsds_joint_points(ia, first, second), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_joint_points(NULL, first, second), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_joint_points(ia, NULL, second), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_model_contact_set_count(model), 0);
  assert_int_equal(nsds_model_contact_set_count(NULL), 0);
  assert_null(nsds_model_contact_set_at(model, 0));
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_series_shows_the_model),
      cmocka_unit_test(a_series_in_the_plane),
      cmocka_unit_test(loose_shapes_are_drawn),
      cmocka_unit_test(triangles_move_with_their_body),
      cmocka_unit_test(levels_of_spheres),
      cmocka_unit_test(faults_are_refused),
      cmocka_unit_test(points_of_other_interactions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
