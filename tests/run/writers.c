/*
 * Writers over all kinds of systems: VTK files and pages of scenes read the coordinates that a system
 * has, and no others. Each system is the last of its order in the model, so that the address sanitizer
 * sees a coordinate too many; in other builds the file must not depend on what comes after.
 */
#include "run_test.h"

#include <nsds/nsds.h>

enum { most_coordinates = 8 };

typedef enum writer_system { LAGRANGIAN, PLANE_BODY, SPACE_BODY, FIRST_ORDER, kinds } writer_system;

static const double state[most_coordinates] = {0.5, 0.25, 0.75, 1.0, 0.0, 0.0, 0.0, 0.5};
static const double speed[most_coordinates] = {0.1, -0.2, 0.3, 0.4, -0.5, 0.6, 0.7, 0.8};

static nsds_ds *system_of(nsds_model *model, writer_system kind, int n) {
  double M[most_coordinates * most_coordinates] = {0.0}, J[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (int k = 0; k < n; ++k) M[k + k * n] = 1.0 + k;
  if (kind == PLANE_BODY)
    return nsds_rigid_body_2d(
        model, &(nsds_rigid_body_2d_def){.mass = 1.0, .inertia = 0.1, .q0 = state, .v0 = speed});
  if (kind == SPACE_BODY)
    return nsds_rigid_body(
        model, &(nsds_rigid_body_def){.mass = 1.0, .inertia = J, .q0 = state, .v0 = speed});
  if (kind == FIRST_ORDER)
    return nsds_first_order_linear(model,
                                   &(nsds_first_order_linear_def){.n = n, .x0 = state, .A = M});
  return nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = n, .mass = M, .q0 = state, .v0 = speed});
}

/* ---- a geometry whose bodies may be any systems ---- */

typedef struct any_disc {
  nsds_ds *ds;
  int dimension;
} any_disc;

static nsds_status find_none(void *self, double t, nsds_contacts *contacts) {
  (void)self, (void)t, (void)contacts;
  return NSDS_OK;
}

static int one_shape(void *self) {
  (void)self;
  return 1;
}

static void disc_shape(void *self, int k, nsds_shape_info *shape) {
  const any_disc *disc = self;
  (void)k;
  shape->ds = disc->ds;
  shape->kind = NSDS_SPHERE;
  shape->dimension = disc->dimension;
  shape->radius = 0.1;
  shape->quaternion[0] = 1.0;
  shape->position[0] = 0.05;
}

static const nsds_geometry_ops disc_ops = {
    .type = "any disc", .find = find_none, .shape_count = one_shape, .shape = disc_shape};

/* ---- files ---- */

static size_t file_bytes(const char *path, char *to, size_t room) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  size_t count = fread(to, 1, room, file);
  fclose(file);
  return count;
}

static void check_shapes(nsds_model *model, const nsds_ds *ds, int dimension) {
  nsds_shape_info info;
  nsds_contact_set *set = nsds_model_contact_set_at(model, 0);
  assert_int_equal(nsds_shapes_at(set, 0, &info), NSDS_OK);
  for (int k = 1; k < 3; ++k) /* the first one has an arm, which turns with the body */
    if (k >= dimension) assert_true(info.world_position[k] == 0.0);
    else if (k >= nsds_nq(ds)) assert_true(info.world_position[k] == 0.0);
  assert_true(isfinite(info.world_position[0]) && isfinite(info.world_angle));
}

/* Writes all that can be written of a model of one system beside one of first order with state x. */
static size_t write_all(writer_system kind, int n, int dimension, bool balls, double x, char *to,
                        size_t room) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_model *model = nsds_model_create(context);
  nsds_ds *ds = system_of(model, kind, n);
  double A = -1.0;
  nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 1, .x0 = &x, .A = &A});
  any_disc disc = {ds, dimension};
  const double up[3] = {0.0, dimension == 2, dimension == 3};
  nsds_law *law = nsds_newton_impact(model, 0.5);
  if (balls)
    nsds_balls(model, &(nsds_balls_def){.law = law,
                                        .count = 1,
                                        .ds = &ds,
                                        .radius = 0.1,
                                        .dimension = dimension,
                                        .normal = up,
                                        .offset = -9.0});
  else if (kind != FIRST_ORDER)
    nsds_custom_contact_set(
        model, &(nsds_custom_contact_set_def){.ops = &disc_ops, .self = &disc, .law = law});
  if (kind == LAGRANGIAN) {
    nsds_spring_def spring = {
        .ds = {ds}, .coordinates = true, .coordinate = {n - 1}, .stiffness = 1.0};
    nsds_connect(model, nsds_spring(model, &spring), nsds_equality(model), 1, &ds);
  }
  nsds_simulation *s = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-3});
  nsds_scene *scene = nsds_scene_create(context, model, &(nsds_scene_def){.title = "writers"});
  nsds_vtk *vtk = nsds_vtk_create(context, &(nsds_vtk_def){.path = "writers"});
  if (nsds_error(context)) fail_msg("%s", nsds_error_message(context));
  assert_int_equal(nsds_scene_record(scene, nsds_time(s), NULL), NSDS_OK);
  assert_int_equal(nsds_step(s), NSDS_OK);
  assert_int_equal(nsds_write_vtk(vtk, model, nsds_time(s)), NSDS_OK);
  assert_int_equal(nsds_scene_record(scene, nsds_time(s), NULL), NSDS_OK);
  assert_int_equal(nsds_scene_write_html(scene, "writers.html"), NSDS_OK);
  if (kind != FIRST_ORDER) check_shapes(model, ds, dimension);
  nsds_vtk_destroy(vtk);
  nsds_scene_destroy(scene);
  nsds_model_destroy(model);
  nsds_context_destroy(context);
  return file_bytes("writers_bodies_000000.vtp", to, room);
}

static void writers_read_what_a_system_has(void **unused) {
  enum { room = 1 << 16 };
  static char one[room], other[room];
  (void)unused;
  int files = 0;
  for (int kind = 0; kind < kinds; ++kind)
    for (int n = 1; n <= most_coordinates; ++n)
      for (int dimension = 2; dimension <= 3; ++dimension)
        for (int balls = 0; balls < 2; ++balls) {
          bool fixed = kind == PLANE_BODY || kind == SPACE_BODY;
          int nq = kind == PLANE_BODY ? 3 : kind == SPACE_BODY ? 7 : n;
          if ((fixed && n > 1) || (balls && (nq < dimension || kind == FIRST_ORDER))) continue;
          size_t a = write_all((writer_system)kind, n, dimension, balls, 0.0, one, room);
          size_t b = write_all((writer_system)kind, n, dimension, balls, 1e3, other, room);
          assert_int_equal(a, b);
          if (memcmp(one, other, a) != 0)
            fail_msg("kind %d, %d coordinates, dimension %d%s: the file depends on another system",
                     kind, n, dimension, balls ? ", balls" : "");
          ++files;
        }
  print_message("             %d models\n", files);
  assert_true(files > 40);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(writers_read_what_a_system_has)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
