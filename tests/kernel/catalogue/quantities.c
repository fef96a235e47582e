/*
 * The table of quantities against the calls that read the same values otherwise. A box slides on a
 * floor, a bar swings at a hinge with a drive, a mass moves on a rail with a spring. Each row of the
 * table is read for each object, and reading records no error.
 */
#include "support.h"

enum { objects = 12 };

typedef struct scene {
  nsds_model *model;
  nsds_simulation *simulation;
  nsds_ds *box, *bar, *mass, *tank;
  nsds_interaction *hinge, *drive, *rail, *spring, *inflow;
  nsds_contact_set *set;
  nsds_sensor *moving, *pushed;
} scene;

static nsds_ds *add_body(nsds_model *m, double x, double z, double speed) {
  const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  return nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 2.0,
                                                   .inertia = unit,
                                                   .gravity = {0, 0, -10},
                                                   .q0 = (double[]){x, 0, z, 1, 0, 0, 0},
                                                   .v0 = (double[]){speed, 0, 0, 0, 0, 0}});
}

static nsds_interaction *join(nsds_model *m, nsds_joint_kind kind, nsds_ds *ds, double x) {
  nsds_joint_def def = {.kind = kind, .ds = {ds}, .point = {x}, .axis = {0, 1, 0}};
  return nsds_connect(m, nsds_joint(m, &def), nsds_equality(m), 1, &ds);
}

static void add_relations(scene *s) {
  nsds_model *m = s->model;
  s->hinge = join(m, NSDS_JOINT_HINGE, s->bar, 3.0);
  s->rail = join(m, NSDS_JOINT_PRISMATIC, s->mass, 8.0);
  nsds_joint_drive_def drive = {.coordinate = {.kind = NSDS_COORDINATE_ANGLE,
                                               .ds = {s->bar},
                                               .point = {3.0},
                                               .axis = {0, 1, 0}},
                                .stiffness = 2.0};
  s->drive = nsds_connect(m, nsds_joint_drive(m, &drive), nsds_equality(m), 1, &s->bar);
  nsds_spring_def spring = {.ds = {s->mass},
                            .point = {8.0},
                            .other = {8.0, 2.0},
                            .stiffness = 5.0,
                            .rest = NSDS_REST_LENGTH,
                            .length = 1.0};
  s->spring = nsds_connect(m, nsds_spring(m, &spring), nsds_equality(m), 1, &s->mass);
  nsds_first_order_linear_relation_def inflow = {
      .ny = 1, .nx = 1, .C = (double[]){1.0}, .B = (double[]){1.0}};
  s->inflow = nsds_connect(m, nsds_first_order_linear_relation(m, &inflow), nsds_complementarity(m),
                           1, &s->tank);
}

static void build(scene *s) {
  nsds_model *m = s->model = nsds_model_create(NULL);
  s->box = add_body(m, 0.0, 0.4999, 1.0);
  s->bar = add_body(m, 4.0, 5.0, 0.0);
  s->mass = add_body(m, 8.0, 9.0, 0.0);
  s->tank = nsds_first_order_linear(
      m, &(nsds_first_order_linear_def){
             .n = 1, .x0 = (double[]){0.0}, .A = (double[]){-1.0}, .b = (double[]){-1.0}});
  add_relations(s);
  const nsds_shape_def shape[2] = {{.kind = NSDS_HALF_SPACE, .plane = {{0, 0, 1}, 0}},
                                   {.kind = NSDS_BOX, .ds = s->box, .half = {0.5, 0.5, 0.5}}};
  s->set = nsds_shapes(m, &(nsds_shapes_def){.nmaterial = 1,
                                             .material = (nsds_material[]){{.mu = 0.3}},
                                             .nshape = 2,
                                             .shape = shape});
  s->moving = nsds_sensor_create(m, &(nsds_sensor_def){.kind = NSDS_SENSOR_MOTION, .ds = s->box});
  s->pushed =
      nsds_sensor_create(m, &(nsds_sensor_def){.kind = NSDS_SENSOR_CONTACT_FORCE, .ds = s->box});
  assert_sound(m);
}

static void object_at(const scene *s, int k, void **object, nsds_owner *owner) {
  void *const all[objects] = {NULL,     s->box,  s->bar,    s->mass, s->tank,   s->hinge,
                              s->drive, s->rail, s->spring, s->set,  s->moving, s->pushed};
  *object = all[k];
  *owner = k == 0   ? NSDS_OWNER_RUN
           : k < 5  ? NSDS_OWNER_SYSTEM
           : k < 9  ? NSDS_OWNER_INTERACTION
           : k == 9 ? NSDS_OWNER_CONTACT_SET
                    : NSDS_OWNER_SENSOR;
}

static double value_of(const scene *s, nsds_owner owner, const char *name, void *object, int k) {
  const nsds_quantity *q = nsds_quantity_find(owner, name);
  assert_non_null(q);
  assert_true(k < nsds_quantity_size(q, object));
  return nsds_quantity_read(q, s->simulation, object, k);
}

/* Every entry of every row is a number, and stands in memory where the row says so. */
static void every_row_is_read(void **state) {
  (void)state;
  scene s;
  build(&s);
  s.simulation = run(s.model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-3}, 20);
  int read = 0;
  for (int k = 0; k < objects; ++k) {
    void *object;
    nsds_owner owner;
    object_at(&s, k, &object, &owner);
    for (const nsds_quantity *q = nsds_quantity_table(); q->name; ++q) {
      assert_ptr_equal(nsds_quantity_find(q->owner, q->name), q);
      for (int i = 0; q->owner == owner && i < nsds_quantity_size(q, object); ++i, ++read) {
        double value = nsds_quantity_read(q, s.simulation, object, i);
        assert_true(isfinite(value));
        if (q->array) assert_near(value, q->array(object)[i], 0.0);
        assert_non_null(nsds_quantity_unit(q, object, i));
      }
    }
  }
  assert_sound(s.model);
  assert_true(read > 100);
  nsds_model_destroy(s.model);
}

/* Names lead to the values that the calls of the objects give. */
static void names_mean_the_values_of_calls(void **state) {
  (void)state;
  scene s;
  build(&s);
  s.simulation = run(s.model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-3}, 20);
  nsds_joint_motion hinge, rail;
  nsds_spring_motion spring;
  assert_ok(s.model, nsds_joint_read(s.hinge, &hinge));
  assert_ok(s.model, nsds_joint_read(s.rail, &rail));
  assert_ok(s.model, nsds_spring_read(s.spring, &spring));
  double force[6];
  assert_ok(s.model, nsds_sensor_read(s.pushed, force));
  const nsds_owner body = NSDS_OWNER_SYSTEM, tie = NSDS_OWNER_INTERACTION;
  assert_near(value_of(&s, body, "q", s.box, 0), nsds_q(s.box)[0], 0.0);
  assert_near(value_of(&s, body, "v", s.bar, 4), nsds_v(s.bar)[4], 0.0);
  assert_near(value_of(&s, body, "x", s.tank, 0), nsds_x(s.tank)[0], 0.0);
  assert_near(value_of(&s, body, "normal_force", s.box, 0), force[2], 1e-9);
  assert_near(value_of(&s, tie, "y", s.rail, 1), nsds_y(s.rail)[1], 0.0);
  assert_near(value_of(&s, tie, "lambda", s.hinge, 2), nsds_lambda(s.hinge)[2], 0.0);
  assert_near(value_of(&s, tie, "angle", s.hinge, 0), hinge.angle, 0.0);
  assert_near(value_of(&s, tie, "angular_velocity", s.drive, 0), hinge.angular_velocity, 1e-14);
  assert_near(value_of(&s, tie, "velocity", s.rail, 0), rail.velocity, 0.0);
  assert_near(value_of(&s, tie, "pull", s.spring, 0), spring.pull, 0.0);
  assert_near(value_of(&s, NSDS_OWNER_CONTACT_SET, "count", s.set, 0), 4.0, 0.0);
  assert_between(value_of(&s, NSDS_OWNER_CONTACT_SET, "overlap", s.set, 0), 1e-9, 1.1e-4);
  double sum = 0.0;
  nsds_ds *all[] = {s.box, s.bar, s.mass};
  for (int k = 0; k < 3; ++k) sum += value_of(&s, body, "kinetic_energy", all[k], 0);
  assert_near(value_of(&s, NSDS_OWNER_RUN, "kinetic_energy", NULL, 0), sum, 0.0);
  assert_near(value_of(&s, NSDS_OWNER_RUN, "t", NULL, 0), 0.02, 1e-15);
  nsds_model_destroy(s.model);
}

/* What an object does not have has size 0 and no message; entries out of range are 0. */
static void absent_quantities_have_no_entries(void **state) {
  (void)state;
  scene s;
  build(&s);
  s.simulation = run(s.model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-3}, 1);
  const struct {
    nsds_owner owner;
    const char *name;
    void *object;
  } none[] = {{NSDS_OWNER_SYSTEM, "x", s.box},
              {NSDS_OWNER_SYSTEM, "q", s.tank},
              {NSDS_OWNER_SYSTEM, "kinetic_energy", s.tank},
              {NSDS_OWNER_SYSTEM, "normal_force", s.tank},
              {NSDS_OWNER_INTERACTION, "displacement", s.hinge},
              {NSDS_OWNER_INTERACTION, "displacement", s.drive},
              {NSDS_OWNER_INTERACTION, "angle", s.rail},
              {NSDS_OWNER_INTERACTION, "pull", s.hinge},
              {NSDS_OWNER_INTERACTION, "impulse", s.inflow},
              {NSDS_OWNER_INTERACTION, "length", s.inflow}};
  for (size_t k = 0; k < sizeof none / sizeof *none; ++k) {
    const nsds_quantity *q = nsds_quantity_find(none[k].owner, none[k].name);
    assert_int_equal(nsds_quantity_size(q, none[k].object), 0);
    assert_near(nsds_quantity_read(q, s.simulation, none[k].object, 0), 0.0, 0.0);
  }
  const nsds_quantity *q = nsds_quantity_find(NSDS_OWNER_SYSTEM, "q");
  assert_near(nsds_quantity_read(q, s.simulation, s.box, 7), 0.0, 0.0);
  assert_near(nsds_quantity_read(q, s.simulation, s.box, -1), 0.0, 0.0);
  assert_null(nsds_quantity_find(NSDS_OWNER_SYSTEM, "lambda"));
  assert_null(nsds_quantity_find(NSDS_OWNER_RUN, NULL));
  assert_int_equal(nsds_quantity_size(NULL, s.box), 0);
  assert_string_equal(nsds_quantity_unit(NULL, s.box, 0), "");
  assert_sound(s.model);
  nsds_model_destroy(s.model);
}

static void expect_refusal(nsds_context *context, double value, const char *word) {
  assert_true(isnan(value));
  assert_words(nsds_last_message(context), ((const char *const[]){"nsds_quantity_read", word}), 2);
}

static void what_cannot_be_read_is_refused(void **state) {
  (void)state;
  scene s;
  build(&s);
  s.simulation = run(s.model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-3}, 1);
  const nsds_quantity *t = nsds_quantity_find(NSDS_OWNER_RUN, "t");
  const nsds_quantity *y = nsds_quantity_find(NSDS_OWNER_INTERACTION, "y");
  expect_refusal(NULL, nsds_quantity_read(t, NULL, NULL, 0), "simulation is NULL");
  expect_refusal(NULL, nsds_quantity_read(y, s.simulation, NULL, 0), "object is NULL");
  expect_refusal(NULL, nsds_quantity_read(NULL, s.simulation, NULL, 0), "quantity is NULL");
  assert_ok(s.model, nsds_disconnect(s.spring));
  expect_refusal(nsds_model_context(s.model), nsds_quantity_read(y, s.simulation, s.spring, 0),
                 "disconnected");
  nsds_model_destroy(s.model);
}

/* Units of bodies follow from the entry; forces belong to steps but in adaptive simulation. */
static void units_and_moments_are_those_of_the_entry(void **state) {
  (void)state;
  scene s;
  build(&s);
  const nsds_quantity *q = nsds_quantity_find(NSDS_OWNER_SYSTEM, "q");
  const nsds_quantity *v = nsds_quantity_find(NSDS_OWNER_SYSTEM, "v");
  const nsds_quantity *r = nsds_quantity_find(NSDS_OWNER_SYSTEM, "r");
  const nsds_quantity *value = nsds_quantity_find(NSDS_OWNER_SENSOR, "value");
  const nsds_quantity *overlap = nsds_quantity_find(NSDS_OWNER_CONTACT_SET, "overlap");
  assert_string_equal(nsds_quantity_unit(q, s.box, 2), "m");
  assert_string_equal(nsds_quantity_unit(q, s.box, 3), "1");
  assert_string_equal(nsds_quantity_unit(v, s.box, 5), "rad/s");
  nsds_model *plane = nsds_model_create(NULL);
  nsds_ds *flat = nsds_rigid_body_2d(plane, &(nsds_rigid_body_2d_def){.mass = 1.0, .inertia = 1.0});
  assert_string_equal(nsds_quantity_unit(q, flat, 1), "m");
  assert_string_equal(nsds_quantity_unit(q, flat, 2), "rad");
  nsds_model_destroy(plane);
  assert_string_equal(nsds_quantity_unit(value, s.pushed, 4), "N m");
  assert_int_equal(nsds_quantity_moment(value, NULL, s.pushed, 4), NSDS_MOMENT_INTERVAL);
  assert_int_equal(nsds_quantity_moment(value, NULL, s.moving, 4), NSDS_MOMENT_PRESENT);
  assert_int_equal(nsds_quantity_moment(overlap, NULL, s.set, 0), NSDS_MOMENT_SEARCH);
  assert_int_equal(nsds_quantity_moment(q, NULL, s.box, 0), NSDS_MOMENT_PRESENT);
  assert_int_equal(nsds_quantity_moment(r, NULL, s.tank, 0), NSDS_MOMENT_INTERVAL);
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *tank = nsds_first_order_linear(
      m, &(nsds_first_order_linear_def){.n = 1, .x0 = (double[]){1.0}, .A = (double[]){-1.0}});
  nsds_simulation *adaptive = nsds_adaptive(m, &(nsds_adaptive_def){.t1 = 1.0});
  assert_sound(m);
  assert_int_equal(nsds_quantity_moment(r, adaptive, tank, 0), NSDS_MOMENT_PRESENT);
  nsds_model_destroy(m);
  nsds_model_destroy(s.model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_row_is_read),
                                     cmocka_unit_test(names_mean_the_values_of_calls),
                                     cmocka_unit_test(absent_quantities_have_no_entries),
                                     cmocka_unit_test(what_cannot_be_read_is_refused),
                                     cmocka_unit_test(units_and_moments_are_those_of_the_entry)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
