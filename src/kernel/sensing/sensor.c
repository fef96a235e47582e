/*
 * Sensors: definitions are checked once, and become a frame in a body. Objects stay behind handles,
 * so that a sensor notices when its body is gone. Reading: sensor_read.c.
 */
#include "kernel/sensing/sensor.h"

#include "base/context.h"
#include "base/text/field_rows.h"
#include "kernel/modeling/body.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/contact_set.h"
#include "kernel/modeling/definition.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/joint_create.h"
#include "kernel/modeling/joint_pose.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/list.h"
#include "kernel/sensing/zone.h"

#include <nsds/shapes.h>

static const char call[] = "nsds_sensor_create";

/* ---- what each kind needs and reads -------------------------------------------------------------- */

static const struct {
  int size;
  bool body, joint, set; /* required */
  const char *unit[2];   /* of the first three values, and of the others */
  bool force[2];         /* these values follow from forces */
} kinds[] = {
    [NSDS_SENSOR_PLACE] = {7, .body = true, .unit = {"m", "1"}},
    [NSDS_SENSOR_MOTION] = {6, .body = true, .unit = {"m/s", "rad/s"}},
    [NSDS_SENSOR_ACCELERATION] = {6, .body = true, .unit = {"m/s^2", "rad/s^2"},
                                  .force = {true, true}},
    [NSDS_SENSOR_IMU] = {6, .body = true, .unit = {"m/s^2", "rad/s"}, .force = {true}},
    [NSDS_SENSOR_JOINT] = {3, .joint = true},
    [NSDS_SENSOR_JOINT_FORCE] = {6, .joint = true, .unit = {"N", "N m"}, .force = {true, true}},
    [NSDS_SENSOR_CONTACT_FORCE] = {6, .body = true, .unit = {"N", "N m"}, .force = {true, true}},
    [NSDS_SENSOR_RANGE] = {1, .set = true, .unit = {"m"}},
    [NSDS_SENSOR_TOUCH] = {1, .body = true, .unit = {"N"}, .force = {true}},
    [NSDS_SENSOR_CENTER] = {6, .unit = {"m", "m/s"}},
};

int nsds_sensor_size(const nsds_sensor *sensor) {
  return sensor ? kinds[sensor->def.kind].size : 0;
}

const char *nsds_sensor_unit(const nsds_sensor *sensor, int k) {
  static const char *const of_joint[2][3] = {{"rad", "rad/s", "rad/s^2"}, {"m", "m/s", "m/s^2"}};
  if (!sensor || k < 0 || k >= kinds[sensor->def.kind].size) return "";
  if (sensor->def.kind != NSDS_SENSOR_JOINT) return kinds[sensor->def.kind].unit[k > 2];
  return of_joint[sensor->def.coordinate == NSDS_COORDINATE_DISPLACEMENT][k];
}

bool nsds_sensor_has_force(const nsds_sensor *sensor, int k) {
  if (sensor->def.kind == NSDS_SENSOR_JOINT) return k == 2;
  return kinds[sensor->def.kind].force[k > 2];
}

/* ---- checks -------------------------------------------------------------------------------------- */

static bool refuse_object(const nsds_model *model, const char *field, const char *why) {
  nsds_fail(model->context, NSDS_ERROR_ARGUMENT, "%s: %s %s", call, field, why);
  return false;
}

static bool check_rigid(const nsds_model *model, const char *field, const nsds_ds *handle) {
  char label[nsds_label_size];
  const nsds_ds *ds = nsds_ds_find(handle, call);
  if (!ds) return false;
  if (ds->model != model) return refuse_object(model, field, "belongs to another model");
  if (ds->type.load) return true;
  nsds_fail(model->context, NSDS_ERROR_ARGUMENT,
            "%s: %s is %s; valid are bodies of nsds_rigid_body() and nsds_rigid_body_2d()", call,
            field, nsds_ds_label(ds, label));
  return false;
}

static bool check_sensor_body(const nsds_model *model, const nsds_sensor_def *def) {
  if (def->ds) return check_rigid(model, "ds", def->ds);
  return !kinds[def->kind].body ||
         refuse_object(model, "ds", "is NULL; this kind needs a rigid body");
}

static bool check_listed_bodies(const nsds_model *model, const nsds_sensor_def *def) {
  if (def->kind != NSDS_SENSOR_CENTER) return true;
  if (!nsds_check_range(model->context, call, "count", def->count, 1, INT_MAX)) return false;
  if (!def->bodies) return refuse_object(model, "bodies", "is NULL; this kind needs rigid bodies");
  for (int k = 0; k < def->count; ++k) {
    char field[32];
    snprintf(field, sizeof field, "bodies[%d]", k);
    if (!def->bodies[k]) return refuse_object(model, field, "is NULL; valid are rigid bodies");
    if (!check_rigid(model, field, def->bodies[k])) return false;
    for (int i = 0; i < k; ++i)
      if (def->bodies[i] == def->bodies[k])
        return refuse_object(model, field, "is in the list already; valid is each body once");
  }
  return true;
}

/* Finds the coordinate that a JOINT sensor reads; 0 with a message. */
static nsds_joint_coordinate_kind own_coordinate(const nsds_interaction *ia,
                                                 nsds_joint_coordinate_kind wanted) {
  char label[nsds_label_size];
  bool angle = nsds_joint_has_angle(ia), slides = nsds_joint_has_displacement(ia);
  nsds_joint_coordinate_kind only = angle == slides ? (nsds_joint_coordinate_kind)0
                                    : angle         ? NSDS_COORDINATE_ANGLE
                                                    : NSDS_COORDINATE_DISPLACEMENT;
  if (!wanted && only) return only;
  if ((wanted == NSDS_COORDINATE_ANGLE && angle) ||
      (wanted == NSDS_COORDINATE_DISPLACEMENT && slides))
    return wanted;
  nsds_fail(ia->model->context, NSDS_ERROR_ARGUMENT,
            "%s: coordinate is %d, which %s has not; valid here: %s", call, (int)wanted,
            nsds_interaction_label(ia, label),
            angle && slides ? "ANGLE (1) or DISPLACEMENT (2)"
            : angle         ? "ANGLE (1)"
            : slides        ? "DISPLACEMENT (2)"
                            : "none, as hinge, prismatic and cylindrical joints, coordinates and "
                              "drives have one");
  return (nsds_joint_coordinate_kind)0;
}

static bool check_joint(const nsds_model *model, nsds_sensor_def *def) {
  char label[nsds_label_size];
  if (!kinds[def->kind].joint) return true;
  if (!def->joint) return refuse_object(model, "joint", "is NULL; this kind needs a joint");
  const nsds_interaction *ia = nsds_interaction_find(def->joint, call);
  if (!ia) return false;
  if (ia->model != model) return refuse_object(model, "joint", "belongs to another model");
  if (!ia->relation->joint) {
    nsds_fail(model->context, NSDS_ERROR_ARGUMENT,
              "%s: joint is %s; valid are joints but gears, their coordinates, and drives", call,
              nsds_interaction_label(ia, label));
    return false;
  }
  if (def->kind == NSDS_SENSOR_JOINT) {
    def->coordinate = own_coordinate(ia, def->coordinate);
    return def->coordinate != 0;
  }
  const nsds_ds *ds = def->ds ? nsds_ds_of(def->ds) : ia->ds[0];
  return ds == ia->ds[0] || (ia->nds > 1 && ds == ia->ds[1]) ||
         refuse_object(model, "ds", "is no body of the joint; valid are its bodies and NULL");
}

static bool check_set(const nsds_model *model, const nsds_sensor_def *def) {
  if (!def->set)
    return !kinds[def->kind].set ||
           refuse_object(model, "set", "is NULL; this kind needs a set of nsds_shapes()");
  const nsds_contact_set *set = nsds_contact_set_alive(def->set, call);
  if (!set) return false;
  if (set->model != model) return refuse_object(model, "set", "belongs to another model");
  if (def->kind != NSDS_SENSOR_RANGE) return true;
  return nsds_shapes_cast(def->set, 0, NULL, NULL) == NSDS_OK; /* the set must take rays */
}

/* Makes a vector of length 1; `otherwise` if it is zero. */
static void unite(int n, double *x, const double *otherwise) {
  double most = 0.0, sum = 0.0;
  for (int i = 0; i < n; ++i) most = fmax(most, fabs(x[i]));
  for (int i = 0; i < n; ++i) x[i] = most > 0.0 ? x[i] / most : otherwise[i];
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  for (int i = 0; i < n; ++i) x[i] /= sqrt(sum);
}

static bool check_sensor_name(const nsds_model *model, const char *name) {
  if (!name || !*name || !nsds_sensor_find(model, name)) return true;
  nsds_fail(model->context, NSDS_ERROR_ARGUMENT,
            "%s: name is '%.47s', which another sensor has; valid are new names and NULL", call,
            name);
  return false;
}

static bool check_sensor(const nsds_model *model, const nsds_sensor_def *def,
                         nsds_sensor_def *own) {
  if (!model || !def) {
    nsds_fail_null(model ? model->context : NULL, call, model ? "def" : "model");
    return false;
  }
  if (nsds_check_idle(model, call) || nsds_check_reserved(model->context, call, "", NSDS_TAIL(def)))
    return false;
  int kind = (int)def->kind, last = NSDS_SENSOR_CENTER;
  if (kind >= 1 && kind <= last)
    return nsds_definition_take(model, nsds_sensor_types[kind - 1], def, own) &&
           check_sensor_name(model, own->name) && check_sensor_body(model, own) &&
           check_listed_bodies(model, own) && check_joint(model, own) && check_set(model, own) &&
           nsds_zone_check(model->context, call, own);
  nsds_fail(model->context, NSDS_ERROR_VALUE, "%s: kind is %d; valid are 1 .. %d", call, kind,
            last);
  return false;
}

/* ---- calls --------------------------------------------------------------------------------------- */

nsds_sensor *nsds_sensor_create(nsds_model *model, const nsds_sensor_def *def) {
  static const double upright[4] = {1.0, 0.0, 0.0, 0.0}, third[3] = {0.0, 0.0, 1.0};
  nsds_sensor_def own;
  if (!check_sensor(model, def, &own)) return NULL;
  const size_t nbody = own.kind == NSDS_SENSOR_CENTER ? (size_t)own.count : 0;
  nsds_sensor *sensor =
      nsds_alloc(model->context, "a sensor", 1, sizeof *sensor + nbody * sizeof(nsds_ds *));
  if (!sensor) return NULL;
  unite(4, own.quaternion, upright);
  unite(3, own.axis, third);
  *sensor = (nsds_sensor){.model = model, .def = own};
  nsds_tag_name(&sensor->tag, own.name);
  sensor->def.name = NULL;
  for (size_t k = 0; k < nbody; ++k) sensor->bodies[k] = own.bodies[k];
  sensor->def.bodies = sensor->bodies;
  nsds_rotation_matrix(own.quaternion, sensor->axes);
  nsds_turn(sensor->axes, own.axis, sensor->ray);
  if (!nsds_list_push(model->context, &model->sensor, sensor)) return sensor;
  nsds_release(model->context, sensor);
  return NULL;
}

void nsds_sensor_destroy(nsds_sensor *sensor) {
  if (!sensor || nsds_check_idle(sensor->model, "nsds_sensor_destroy")) return;
  nsds_list_remove(&sensor->model->sensor, sensor);
  nsds_release(sensor->model->context, sensor);
}

int nsds_sensor_count(const nsds_model *model) { return model ? (int)model->sensor.count : 0; }

nsds_sensor *nsds_sensor_at(const nsds_model *model, int k) {
  return k >= 0 && k < nsds_sensor_count(model) ? model->sensor.item[k] : NULL;
}

const char *nsds_sensor_name(const nsds_sensor *sensor) { return sensor ? sensor->tag.name : ""; }

nsds_sensor *nsds_sensor_find(const nsds_model *model, const char *name) {
  for (size_t k = 0; model && name && *name && k < model->sensor.count; ++k) {
    nsds_sensor *sensor = model->sensor.item[k];
    if (strncmp(sensor->tag.name, name, nsds_name_size - 1) == 0) return sensor;
  }
  return NULL;
}

/* ---- catalogue ----------------------------------------------------------------------------------- */

MAKER(nsds_sensor_create, nsds_sensor_def)

#define DEF nsds_sensor_def
#define FRAME                                                                                      \
  VECTOR_OF(DEF, point, "3", "m", "zero", "Point from the center of the body, in its axes."),      \
      VECTOR_OF(DEF, quaternion, "4", "1", "zero",                                                 \
                "Attitude of the sensor's axes in the body; zero: the body's axes.")
#define AXES                                                                                       \
  CHOICE_OF(DEF, axes, "world body", "world",                                                      \
            "Axes of vectors: of the world, or the sensor's own on its body.")
#define BODY NAME("body", NULL, "The rigid body that bears the sensor.")
#define JOINT(h) NAME("joint", NULL, h)
#define OF_SENSOR(which)                                                                           \
  .call = "nsds_sensor_create", DEFINITION(DEF), NAMED(DEF), .kind_at = offsetof(DEF, kind),       \
  .kind = which, .own = true, .make = make_nsds_sensor_create

static const nsds_type place = {.type = "place",
                                .help = "Place of a point and quaternion of the axes: 7 values.",
                                .field = (const nsds_field[]){BODY, FRAME, END},
                                OF_SENSOR(NSDS_SENSOR_PLACE)};
static const nsds_type motion = {.type = "motion",
                                 .help = "Velocity of a point and angular velocity: 6 values.",
                                 .field = (const nsds_field[]){BODY, FRAME, AXES, END},
                                 OF_SENSOR(NSDS_SENSOR_MOTION)};
static const nsds_type acceleration = {
    .type = "acceleration",
    .help = "Acceleration of a point and angular acceleration: 6 values.",
    .field = (const nsds_field[]){BODY, FRAME, AXES, END},
    OF_SENSOR(NSDS_SENSOR_ACCELERATION)};
static const nsds_type imu = {
    .type = "imu",
    .help = "Acceleration of a point less gravity, and angular velocity, along the sensor's own "
            "axes: 6 values.",
    .field = (const nsds_field[]){BODY, FRAME, END},
    OF_SENSOR(NSDS_SENSOR_IMU)};
static const nsds_type joint = {
    .type = "joint",
    .help = "A coordinate of a joint, its rate and its acceleration: 3 values.",
    .field =
        (const nsds_field[]){JOINT("An interaction: a hinge, prismatic or cylindrical joint, a "
                                   "coordinate or a drive."),
                             CHOICE_AS("coordinate", DEF, coordinate, "angle displacement", 1,
                                       "auto", "Which coordinate; auto: the only one."),
                             END},
    OF_SENSOR(NSDS_SENSOR_JOINT)};
static const nsds_type joint_force = {
    .type = "joint_force",
    .help = "Force and moment about the point on a body, of a joint and of its drives, springs, "
            "stops and friction: 6 values.",
    .field = (const nsds_field[]){JOINT("An interaction: a joint, but no gear."),
                                  NAME("body", "auto",
                                       "A body of the joint; auto: the first, about the joint's "
                                       "point."),
                                  FRAME, AXES, END},
    OF_SENSOR(NSDS_SENSOR_JOINT_FORCE)};
static const nsds_type contact_force = {
    .type = "contact_force",
    .help = "Force and moment about the point of all contacts on a body: 6 values.",
    .field =
        (const nsds_field[]){BODY, NAME("contacts", "all", "A contact set; all: all contacts."),
                             FRAME, AXES, END},
    OF_SENSOR(NSDS_SENSOR_CONTACT_FORCE)};
static const nsds_type range = {
    .type = "range",
    .help = "Distance along a ray to the first shape, or -1: 1 value.",
    .field = (const nsds_field[]){NAME("contacts", NULL, "The contact set of type shapes."),
                                  NAME("body", "none", "The rigid body; none: the world."), FRAME,
                                  VECTOR_OF(DEF, axis, "3", "1", "zero",
                                            "Direction of the ray, in the sensor's axes; zero: the "
                                            "third axis."),
                                  NUMBER_OF(DEF, most, "m", "[0, 1e100]", "0",
                                            "How far the ray reaches; 0: without end."),
                                  END},
    OF_SENSOR(NSDS_SENSOR_RANGE)};

static const nsds_type touch = {
    .type = "touch",
    .help = "Sum of the normal forces of the contacts of a body in a zone: 1 value.",
    .field =
        (const nsds_field[]){
            BODY, NAME("contacts", "all", "A contact set; all: all contacts."), FRAME,
            CHOICE_OF(DEF, zone, "all sphere capsule cylinder box ellipsoid", "all",
                      "Where contacts count: within a solid at the frame, or "
                      "before it along the normal; all: everywhere."),
            NUMBER_OF(DEF, radius, "m", "[0, 1e100]", "0", "Radius of sphere, capsule, cylinder."),
            VECTOR_OF(DEF, half, "3", "m", "zero",
                      "Half lengths of box and ellipsoid; the first one: of "
                      "capsule and cylinder, on the first axis."),
            END},
    OF_SENSOR(NSDS_SENSOR_TOUCH)};
static const nsds_type center = {
    .type = "center",
    .help = "Center of mass of several bodies and its velocity: 6 values.",
    .field = (const nsds_field[]){NAMES("bodies", NULL, "The rigid bodies, each once."), END},
    OF_SENSOR(NSDS_SENSOR_CENTER)};

const nsds_type *const nsds_sensor_types[] = {
    &place,         &motion, &acceleration, &imu,    &joint, &joint_force,
    &contact_force, &range,  &touch,        &center, NULL};
