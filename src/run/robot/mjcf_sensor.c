/*
 * Sensors of MJCF, see mjcf_parts.h. A sensor becomes columns. Sensors of a frame become values of one
 * sensor of the model: an accelerometer and a gyro at one site are an `imu`. Other columns are
 * quantities of joints and bodies, or formulas in them. A body has the place of its center of mass q[0] ... q[2],
 * the attitude q[3] ... q[6] = (w, x, y, z), the velocity v[0] ... v[2] in the world and the angular velocity
 * v[3] ... v[5] in the body.
 */
#include "run/robot/mjcf_sensor.h"
#include "run/robot/mjcf_frame.h"
#include "run/robot/mjcf_tendon.h"
#include "run/robot/robot_place.h"

#include "base/text/format.h"
#include "base/text/words.h"

#include <math.h>
#include <string.h>

enum { longest_formula = 3900 };

/* A formula that grows. */
typedef struct formula {
  size_t used;
  char text[longest_formula + 100];
} formula;

NSDS_PRINTF(2, 3)
static void write_formula(formula *f, const char *format, ...) {
  va_list list;
  if (f->used >= longest_formula) return;
  va_start(list, format);
  nsds_format_message(f->text + f->used, sizeof f->text - f->used, format, list);
  va_end(list);
  f->used += strlen(f->text + f->used);
}

/* ---- columns ---- */

/* The sensor that is read. */
typedef struct reading {
  nsds_mjcf *m;
  nsds_xml *at;
  double cutoff; /* 0: none */
  bool positive; /* the value is never negative */
} reading;

static void add_sensor_value(const reading *s, const char *suffix, const formula *value,
                             const char *unit) {
  nsds_robot *r = s->m->robot;
  const char *name = nsds_xml_get(s->at, "name");
  char text[200];
  formula cut = {.used = 0};
  if (value->used >= longest_formula) {
    nsds_robot_fail(r, s->at, "the formula of the sensor has more than %d characters",
                    longest_formula);
    return;
  }
  nsds_print(text, sizeof text, "%.80s%s", name ? name : s->at->name, suffix);
  if (s->cutoff > 0.0 && s->positive) write_formula(&cut, "min(%.17g, %s)", s->cutoff, value->text);
  else if (s->cutoff > 0.0)
    write_formula(&cut, "max(%.17g, min(%.17g, %s))", -s->cutoff, s->cutoff, value->text);
  nsds_robot_sensor sensor = {.name = nsds_robot_text(r, text),
                              .value = nsds_robot_text(r, cut.used ? cut.text : value->text),
                              .unit = unit,
                              .at = s->at};
  if (!r->failed) nsds_robot_add_sensor(r, &sensor);
}

static const char *const of_place[4] = {"_x", "_y", "_z", ""};

/* The product of quaternions: component i of a b is the sum of sign[i][k] a[k] b[place[i][k]]. */
static const int place[4][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
static const int sign[4][4] = {{1, -1, -1, -1}, {1, 1, 1, -1}, {1, -1, 1, 1}, {1, 1, -1, 1}};

/* The part x * text of a sum, unless x is 0. */
static void write_term(formula *f, double x, const char *text) {
  if (x != 0.0) write_formula(f, " + (%.17g)*(%s)", x, text);
}

/* Entry (i, j) of the rotation of q[3] ... q[6], where q is the name of an array. */
static void write_rotation(formula *f, const char *q, int i, int j) {
  int k = 3 - i - j;
  if (i == j) {
    int a = (i + 1) % 3, b = (i + 2) % 3;
    write_formula(f, "(1 - 2*(%s[%d]^2 + %s[%d]^2))", q, 4 + a, q, 4 + b);
  } else {
    bool plus = (j + 1) % 3 == i; /* R21, R32, R13 */
    write_formula(f, "2*(%s[%d]*%s[%d] %s %s[3]*%s[%d])", q, 4 + i, q, 4 + j, plus ? "+" : "-", q,
                  q, 4 + k);
  }
}

/* ---- sensors of frames ---- */

/* A sensor of a frame in MJCF: the sensor of the model, and the first of its values. */
typedef struct frame_row {
  const char *name;
  const char *type;   /* of the model's sensor */
  int first, count;   /* 0: by a function of its own */
  bool own_axes;      /* vectors along the axes of the frame */
  const char *suffix; /* of the sensor's name */
  const char *unit;
} frame_row;

static const frame_row frame_rows[] = {
    {"framepos", "place", 0, 3, false, "place", "m"},
    {"framequat", "place", 3, 4, true, "place", "1"},
    {"framexaxis", "place", 0, 0, true, "place", "1"},
    {"frameyaxis", "place", 1, 0, true, "place", "1"},
    {"framezaxis", "place", 2, 0, true, "place", "1"},
    {"framelinvel", "motion", 0, 3, false, "motion", "m/s"},
    {"frameangvel", "motion", 3, 3, false, "motion", "rad/s"},
    {"framelinacc", "acceleration", 0, 0, false, "acceleration", "m/s^2"},
    {"frameangacc", "acceleration", 3, 3, false, "acceleration", "rad/s^2"},
    {"velocimeter", "motion", 0, 3, true, "own_motion", "m/s"},
    {"gyro", "imu", 3, 3, true, "imu", "rad/s"},
    {"accelerometer", "imu", 0, 3, true, "imu", "m/s^2"},
    {"force", "joint_force", 0, 3, true, "force", "N"},
    {"torque", "joint_force", 3, 3, true, "force", "N m"},
    {"rangefinder", "range", 0, 1, true, "range", "m"},
    {"magnetometer", "place", 0, 0, true, "place", ""},
    {"touch", "touch", 0, 1, true, "touch", "N"}};

static const char *const of_quaternion[4] = {"_w", "_x", "_y", "_z"};

/* Takes what rounding has left for 0. */
static double clean(double x) { return fabs(x) < 1e-15 ? 0.0 : x; }

/* The zone of a touch sensor is its site. The model has capsules and cylinders along the first axis. */
static void set_zone(const nsds_mjcf_frame *site, nsds_robot_sense *sense) {
  static const char *const names[] = {[NSDS_ROBOT_SPHERE] = "sphere",
                                      [NSDS_ROBOT_CAPSULE] = "capsule",
                                      [NSDS_ROBOT_CYLINDER] = "cylinder",
                                      [NSDS_ROBOT_BOX] = "box",
                                      [NSDS_ROBOT_ELLIPSOID] = "ellipsoid"};
  double turned[4];
  sense->zone = names[site->kind];
  if (site->kind == NSDS_ROBOT_BOX || site->kind == NSDS_ROBOT_ELLIPSOID) {
    memcpy(sense->half, site->size, sizeof sense->half);
    return;
  }
  sense->radius = site->size[0];
  if (site->kind == NSDS_ROBOT_SPHERE) return;
  sense->half[0] = site->size[1];
  nsds_quaternion_times(sense->quaternion, nsds_third_axis_first, turned);
  for (int i = 0; i < 4; ++i) sense->quaternion[i] = clean(turned[i]);
}

/* The sensor of the model that a row needs, where it does not exist already. Returns its name. */
static const char *sense_frame(const reading *s, const frame_row *row, const nsds_mjcf_frame *frame,
                               int joint) {
  nsds_robot *r = s->m->robot;
  const nsds_robot_body *b = &r->body[frame->body];
  bool turns = row->own_axes || strcmp(row->type, "place") == 0;
  nsds_pose back = nsds_pose_inverse(&b->pose), in_body = nsds_pose_times(&back, &frame->pose);
  char text[80];
  nsds_robot_sense sense = {.type = row->type,
                            .at = s->at,
                            .body = frame->body,
                            .joint = joint,
                            .quaternion = {1.0, 0.0, 0.0, 0.0},
                            .own_axes = row->own_axes,
                            .on_contacts = strcmp(row->type, "range") == 0};
  for (int i = 0; i < 3; ++i) sense.point[i] = clean(in_body.p[i] - b->center[i]);
  for (int i = 0; turns && i < 4; ++i) sense.quaternion[i] = clean(in_body.q[i]);
  if (strcmp(row->type, "place") == 0 || strcmp(row->type, "imu") == 0) sense.own_axes = false;
  bool said = strcmp(frame->name, row->suffix) == 0; /* the site imu of an imu */
  nsds_print(text, sizeof text, "%.24s%s%s", frame->name, said ? "" : "_", said ? "" : row->suffix);
  sense.name = nsds_robot_name(r, s->at, text);
  if (strcmp(row->type, "touch") == 0) set_zone(frame, &sense);
  return r->failed ? NULL : nsds_robot_add_sense(r, &sense);
}

static void add_values(const reading *s, const frame_row *row, const char *sense) {
  const char *const *suffix = row->count == 4 ? of_quaternion : of_place;
  for (int i = 0; i < row->count; ++i) {
    formula f = {.used = 0};
    write_formula(&f, "%s.value[%d]", sense, row->first + i);
    add_sensor_value(s, row->count == 1 ? "" : suffix[i], &f, row->unit);
  }
}

/* Axis k of a frame in the world. */
static void add_axis(const reading *s, const frame_row *row, const char *sense) {
  char q[60];
  nsds_print(q, sizeof q, "%s.value", sense);
  for (int i = 0; i < 3; ++i) {
    formula f = {.used = 0};
    write_rotation(&f, q, i, row->first);
    add_sensor_value(s, of_place[i], &f, row->unit);
  }
}

/* A constant vector of the world along the axes of a frame. */
static void add_magnetometer(const reading *s, const char *sense) {
  char q[60];
  nsds_print(q, sizeof q, "%s.value", sense);
  for (int i = 0; i < 3; ++i) {
    formula f = {.used = 0};
    for (int k = 0; k < 3; ++k) {
      if (s->m->magnetic[k] == 0.0) continue;
      write_formula(&f, "%s(%.17g)*", f.used ? " + " : "", s->m->magnetic[k]);
      write_rotation(&f, q, k, i);
    }
    if (!f.used) write_formula(&f, "0");
    add_sensor_value(s, of_place[i], &f, "");
  }
}

/* MuJoCo's acceleration of a frame has -g in it: at rest it points upwards. */
static void add_acceleration(const reading *s, const char *sense) {
  const double *g = s->m->robot->gravity;
  for (int i = 0; i < 3; ++i) {
    formula f = {.used = 0};
    write_formula(&f, "%s.value[%d]", sense, i);
    if (i == 2 && nsds_robot_falls_down(s->m->robot)) write_formula(&f, " + g");
    else if (g[i] != 0.0) write_formula(&f, " + (%.17g)", -g[i]);
    add_sensor_value(s, of_place[i], &f, "m/s^2");
  }
}

/* The frame that a sensor stands at, by its attribute `site`, or by objtype and objname. NULL: another
 * kind of object, which is told; or a failure. */
static const nsds_mjcf_frame *sensor_frame(const reading *s, bool *center) {
  nsds_mjcf *m = s->m;
  const char *site = nsds_xml_get(s->at, "site"), *type = site ? "site" : NULL;
  const char *name = site;
  if (!site) {
    type = nsds_xml_get(s->at, "objtype");
    name = nsds_xml_get(s->at, "objname");
  }
  if (!type || !name) {
    nsds_robot_fail(m->robot, s->at, "<%s> needs site, or objtype and objname", s->at->name);
    return NULL;
  }
  *center = strcmp(type, "body") == 0;
  const nsds_mjcf_frames *frames = strcmp(type, "site") == 0               ? &m->sites
                                   : *center || strcmp(type, "xbody") == 0 ? &m->bodies
                                   : strcmp(type, "geom") == 0             ? &m->geoms
                                                                           : NULL;
  const nsds_mjcf_frame *frame = frames ? nsds_mjcf_frame_of(frames, name) : NULL;
  if (!frames)
    nsds_robot_note(m->robot, s->at,
                    "the sensor of a %.40s is left out; valid are body, xbody, geom and site",
                    type);
  else if (!frame) nsds_robot_fail(m->robot, s->at, "there is no %s \"%.60s\"", type, name);
  return frame;
}

/* Tells if something bears a part of the weight of a body or of what hangs on it. */
static bool is_borne(const nsds_robot *r, int root) {
  for (int k = root; k < r->nbody; ++k)
    if (r->body[k].gravcomp != 0.0 && nsds_robot_hangs_on(r, k, root)) return true;
  return false;
}

static bool is_sprung_ball(const nsds_robot_joint *j) {
  return j->kind == NSDS_ROBOT_BALL &&
         (j->stiffness > 0.0 || j->damping > 0.0 || j->friction > 0.0 || j->armature > 0.0);
}

/* Why a sensor of a frame has no counterpart; NULL: it has one. */
static const char *fault_of_frame(const reading *s, const frame_row *row,
                                  const nsds_mjcf_frame *frame, bool center, int joint) {
  nsds_robot *r = s->m->robot;
  bool ray = strcmp(row->name, "rangefinder") == 0;
  bool force = row->type && strcmp(row->type, "joint_force") == 0;
  if (nsds_xml_get(s->at, "refname")) return "its refname asks for another frame than the world";
  if (center && row->own_axes)
    return "the axes of inertia have no attitude here; objtype xbody has one";
  if (force && is_borne(r, frame->body)) return "its body, or one that hangs on it, has gravcomp";
  if (force && joint >= 0 && is_sprung_ball(&r->joint[joint]))
    return "its ball joint has a spring, a damper, friction or armature";
  if (strcmp(row->name, "accelerometer") == 0 && r->body[frame->body].gravcomp != 0.0)
    return "its body has gravcomp";
  if (ray && !nsds_robot_has_contacts(r)) return "no shape of the file meets others";
  if (frame->body == nsds_robot_world && !ray) return "its frame stands still";
  if (force && (frame->merged || joint < 0)) return "valid is a site of a body with a joint";
  return NULL;
}

static void add_frame_sensor(reading *s, const frame_row *row) {
  nsds_robot *r = s->m->robot;
  bool center = false;
  const nsds_mjcf_frame *found = sensor_frame(s, &center);
  if (!found) return;
  int joint = nsds_robot_joint_above(r, found->body);
  const char *fault = fault_of_frame(s, row, found, center, joint);
  if (fault) {
    nsds_robot_note(r, s->at, "<%s> is left out: %s", row->name, fault);
    return;
  }
  nsds_mjcf_frame own = *found;
  if (center) {
    nsds_pose_point(&found->pose, found->center, own.pose.p);
    memcpy(own.pose.q, r->body[found->body].pose.q, sizeof own.pose.q);
  }
  s->positive = strcmp(row->name, "touch") == 0;
  if (s->positive && own.merged)
    nsds_robot_note(r, s->at,
                    "the body of the site is fixed to %s; <touch> counts contacts of both",
                    r->body[own.body].name);
  const char *sense = sense_frame(s, row, &own, strcmp(row->type, "joint_force") == 0 ? joint : -1);
  if (!sense) return;
  if (row->count > 0) add_values(s, row, sense);
  else if (strcmp(row->name, "magnetometer") == 0) add_magnetometer(s, sense);
  else if (strcmp(row->name, "framelinacc") == 0) add_acceleration(s, sense);
  else add_axis(s, row, sense);
}

/* ---- sensors of joints and actuators ---- */

static const char *quantity_of(const nsds_robot_joint *j, bool rate) {
  bool hinge = j->kind == NSDS_ROBOT_HINGE;
  if (rate) return hinge ? "angular_velocity" : "velocity";
  return hinge ? "angle" : "displacement";
}

/* The coordinate of a joint, or its rate. */
static void write_coordinate(formula *f, const nsds_robot_joint *j, bool rate) {
  write_formula(f, "%s.%s", j->name, quantity_of(j, rate));
}

static void add_joint_sensor(const reading *s, int joint, bool rate, double gear) {
  const nsds_robot_joint *j = &s->m->robot->joint[joint];
  formula f = {.used = 0};
  bool hinge = j->kind == NSDS_ROBOT_HINGE;
  if (gear != 1.0) write_formula(&f, "(%.17g)*(", gear);
  write_coordinate(&f, j, rate);
  if (gear != 1.0) write_formula(&f, ")");
  add_sensor_value(s, "", &f, rate ? (hinge ? "rad/s" : "m/s") : hinge ? "rad" : "m");
}

/* The force of a joint's drive, divided by the gear of an actuator. */
static void add_drive_sensor(const reading *s, int joint, double gear) {
  const nsds_robot_joint *j = &s->m->robot->joint[joint];
  formula f = {.used = 0};
  if (!j->drive.there) {
    nsds_robot_note(s->m->robot, s->at, "<%s> is left out: the joint has no actuator", s->at->name);
    return;
  }
  write_formula(&f, "%s.drive.lambda[0]", j->name);
  if (gear != 1.0) write_formula(&f, "/(%.17g)", gear);
  add_sensor_value(s, "", &f, j->kind == NSDS_ROBOT_HINGE ? "N m" : "N");
}

/* Attitude of a ball joint: the quaternion of the child in the parent, 1 at the zero of the joint. */
static void add_ball_attitude(const reading *s, const nsds_robot_joint *j) {
  const nsds_robot *r = s->m->robot;
  const char *child = r->body[j->child].name, *parent = r->body[j->parent].name;
  formula inner[4] = {{.used = 0}, {.used = 0}, {.used = 0}, {.used = 0}};
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 4; ++k) { /* the inverse of the parent's quaternion times the child's */
      const char *plus = sign[i][k] * (k > 0 ? -1 : 1) < 0 ? " - " : k > 0 ? " + " : "";
      if (j->parent != nsds_robot_world)
        write_formula(&inner[i], "%s%s.q[%d]*%s.q[%d]", plus, parent, 3 + k, child,
                      3 + place[i][k]);
    }
  for (int i = 0; j->parent == nsds_robot_world && i < 4; ++i)
    write_formula(&inner[i], "%s.q[%d]", child, 3 + i);
  const double z[4] = {j->zero[0], -j->zero[1], -j->zero[2], -j->zero[3]};
  for (int i = 0; i < 4; ++i) {
    formula f = {.used = 0};
    write_formula(&f, "0");
    for (int k = 0; k < 4; ++k) write_term(&f, sign[i][k] * z[k], inner[place[i][k]].text);
    add_sensor_value(s, of_quaternion[i], &f, "1");
  }
}

/* Angular velocity of a ball joint along the axes of the child. */
static void add_ball_rate(const reading *s, const nsds_robot_joint *j) {
  const nsds_robot *r = s->m->robot;
  const char *child = r->body[j->child].name, *parent = r->body[j->parent].name;
  char child_q[60], parent_q[60];
  nsds_print(child_q, sizeof child_q, "%s.q", child);
  nsds_print(parent_q, sizeof parent_q, "%s.q", parent);
  for (int i = 0; i < 3; ++i) {
    formula f = {.used = 0};
    write_formula(&f, "%s.v[%d]", child, 3 + i);
    for (int k = 0; j->parent != nsds_robot_world && k < 3; ++k) { /* R_child' R_parent w */
      write_formula(&f, " - ");
      write_rotation(&f, child_q, k, i);
      write_formula(&f, "*(0");
      for (int n = 0; n < 3; ++n) {
        write_formula(&f, " + %s.v[%d]*", parent, 3 + n);
        write_rotation(&f, parent_q, k, n);
      }
      write_formula(&f, ")");
    }
    add_sensor_value(s, of_place[i], &f, "rad/s");
  }
}

static void add_ball_sensor(const reading *s, bool rate) {
  nsds_robot *r = s->m->robot;
  const char *given = nsds_xml_get(s->at, "joint");
  const char *name = given ? nsds_robot_name(r, s->at, given) : NULL;
  int joint = nsds_robot_find_joint(r, name);
  if (r->failed) return;
  if (joint < 0 || r->joint[joint].kind != NSDS_ROBOT_BALL)
    nsds_robot_fail(r, s->at, "joint of <%s> is \"%.60s\"; valid are joints of type ball",
                    s->at->name, given ? given : "");
  else if (rate) add_ball_rate(s, &r->joint[joint]);
  else add_ball_attitude(s, &r->joint[joint]);
}

static void add_tendon_sensor(const reading *s, bool rate) {
  nsds_robot *r = s->m->robot;
  nsds_mjcf_tendon tendon;
  formula f = {.used = 0};
  const nsds_robot_cable *cable;
  if (nsds_mjcf_names_spatial(s->m, s->at, "tendon", &cable)) {
    bool sprung = cable && (cable->stiffness > 0.0 || cable->damping > 0.0);
    if (sprung) write_formula(&f, "%.34s_spring.%s", cable->name, rate ? "rate" : "length");
    if (sprung) add_sensor_value(s, "", &f, rate ? "m/s" : "m");
    else nsds_robot_note(r, s->at, "<%s> is left out: its tendon is no spring", s->at->name);
    return;
  }
  if (!nsds_mjcf_tendon_of(s->m, s->at, "tendon", &tendon)) return;
  write_formula(&f, "0");
  for (int k = 0; k < tendon.count; ++k) {
    formula one = {.used = 0};
    write_coordinate(&one, &r->joint[tendon.joint[k]], rate);
    write_term(&f, tendon.weight[k], one.text);
  }
  add_sensor_value(s, "", &f, "");
}

static void add_actuator_sensor(const reading *s, const char *kind) {
  nsds_mjcf *m = s->m;
  const char *name = nsds_xml_get(s->at, "actuator");
  const nsds_mjcf_actuator *a = NULL;
  for (int k = 0; name && k < m->nactuator; ++k)
    if (strcmp(m->actuator[k].name, name) == 0) a = &m->actuator[k];
  if (!a) {
    nsds_robot_fail(m->robot, s->at, "there is no actuator \"%.60s\"", name ? name : "");
    return;
  }
  if (a->joint < 0)
    nsds_robot_note(m->robot, s->at, "<%s> is left out: its actuator has no effect", s->at->name);
  else if (strcmp(kind, "actuatorfrc") == 0 && a->shares)
    nsds_robot_note(m->robot, s->at,
                    "<%s> is left out: the joint has several actuators in one drive", s->at->name);
  else if (strcmp(kind, "actuatorfrc") == 0) add_drive_sensor(s, a->joint, a->gear);
  else add_joint_sensor(s, a->joint, strcmp(kind, "actuatorvel") == 0, a->gear);
}

/* ---- sensors of the whole ---- */

static const frame_row of_center = {.first = 0, .count = 3, .unit = "m"},
                       of_rate = {.first = 3, .count = 3, .unit = "m/s"};

/* The center of mass of a body with all that hangs on it, or its velocity. */
static void add_subtree(const reading *s, bool rate) {
  nsds_robot *r = s->m->robot;
  const char *name = nsds_xml_get(s->at, "body");
  const nsds_mjcf_frame *frame = nsds_mjcf_frame_of(&s->m->bodies, name);
  bool world = name && strcmp(name, "world") == 0;
  if (!frame && !world) {
    nsds_robot_fail(r, s->at, "there is no body \"%.60s\"", name ? name : "");
    return;
  }
  if (world || frame->merged) {
    nsds_robot_note(r, s->at, "<%s> is left out; valid is a body that moves by a joint of its own",
                    s->at->name);
    return;
  }
  char text[80];
  nsds_print(text, sizeof text, "%.24s_center", r->body[frame->body].name);
  const char *sense =
      nsds_robot_add_sense(r, &(nsds_robot_sense){.name = nsds_robot_name(r, s->at, text),
                                                  .type = "center",
                                                  .at = s->at,
                                                  .body = frame->body,
                                                  .joint = -1,
                                                  .quaternion = {1.0, 0.0, 0.0, 0.0},
                                                  .on_subtree = true});
  if (sense) add_values(s, rate ? &of_rate : &of_center, sense);
}

static void add_potential(const reading *s) {
  const nsds_robot *r = s->m->robot;
  formula f = {.used = 0};
  write_formula(&f, "0");
  for (int k = 1; k < r->nbody; ++k)
    for (int i = 0; i < 3; ++i)
      if (r->gravity[i] != 0.0)
        write_formula(&f, " + (%.17g)*%s.q[%d]", -r->body[k].mass * r->gravity[i], r->body[k].name,
                      i);
  for (int k = 0; k < r->njoint; ++k) {
    const nsds_robot_joint *j = &r->joint[k];
    formula one = {.used = 0};
    if (!(j->stiffness > 0.0)) continue;
    if (j->kind == NSDS_ROBOT_BALL) {
      nsds_robot_note(s->m->robot, s->at, "<e_potential> is left out: a ball joint has a spring");
      return;
    }
    write_coordinate(&one, j, false);
    write_formula(&f, " + (%.17g)*(%s - (%.17g))^2", 0.5 * j->stiffness, one.text, j->rest);
  }
  add_sensor_value(s, "", &f, "J");
}

static void add_word(const reading *s, const char *word, const char *unit) {
  formula f = {.used = 0};
  write_formula(&f, "%s", word);
  add_sensor_value(s, "", &f, unit);
}

/* ---- all of them ---- */

static bool is_sensor(const reading *s, const char *name) { return strcmp(s->at->name, name) == 0; }

/* Returns false for kinds that have no quantity. */
static bool read_plain_sensor(const reading *s) {
  if (is_sensor(s, "jointpos") || is_sensor(s, "jointvel") || is_sensor(s, "jointactuatorfrc")) {
    int joint = nsds_mjcf_joint_of(s->m, s->at, "joint");
    if (joint >= 0 && is_sensor(s, "jointactuatorfrc")) add_drive_sensor(s, joint, 1.0);
    else if (joint >= 0) add_joint_sensor(s, joint, is_sensor(s, "jointvel"), 1.0);
  } else if (is_sensor(s, "ballquat") || is_sensor(s, "ballangvel")) {
    add_ball_sensor(s, is_sensor(s, "ballangvel"));
  } else if (is_sensor(s, "tendonpos") || is_sensor(s, "tendonvel")) {
    add_tendon_sensor(s, is_sensor(s, "tendonvel"));
  } else if (is_sensor(s, "actuatorfrc") || is_sensor(s, "actuatorpos") ||
             is_sensor(s, "actuatorvel")) {
    add_actuator_sensor(s, s->at->name);
  } else if (is_sensor(s, "subtreecom") || is_sensor(s, "subtreelinvel")) {
    add_subtree(s, is_sensor(s, "subtreelinvel"));
  } else if (is_sensor(s, "clock")) {
    add_word(s, "t", "s");
  } else if (is_sensor(s, "e_kinetic")) {
    add_word(s, "kinetic_energy", "J");
  } else if (is_sensor(s, "e_potential")) {
    add_potential(s);
  } else {
    return false;
  }
  return true;
}

static void read_sensor(nsds_mjcf *m, nsds_xml *at) {
  reading s = {.m = m, .at = at};
  size_t kind = 0, count = sizeof frame_rows / sizeof *frame_rows;
  nsds_xml_use(at);
  nsds_robot_number(m->robot, at, "cutoff", &s.cutoff);
  if (m->robot->failed || read_plain_sensor(&s)) return;
  while (kind < count && strcmp(at->name, frame_rows[kind].name) != 0) ++kind;
  if (kind < count) {
    add_frame_sensor(&s, &frame_rows[kind]);
    return;
  }
  nsds_xml_use_all(at);
  nsds_robot_note(m->robot, at, "the sensor <%.60s> is left out: the model has no such quantity",
                  at->name);
}

void nsds_mjcf_sensors(nsds_mjcf *m, nsds_xml *section) {
  for (nsds_xml *e = NULL; !m->robot->failed && (e = nsds_xml_child(section, NULL, e)) != NULL;)
    read_sensor(m, e);
}
