/*
 * Sensors of MJCF, see mjcf_parts.h. A sensor becomes columns: formulas in quantities of the model. A
 * body has the place of its center of mass q[0] ... q[2], the attitude q[3] ... q[6] = (w, x, y, z), the
 * velocity v[0] ... v[2] in the world and the angular velocity v[3] ... v[5] in the body. Let R be its rotation
 * and d a point of the body from the center, then
 *
 *     place  q + R d,   velocity  v + R (w x d),   specific force  R' p/(m h) + a x d + w x (w x d),
 *
 * where p is the impulse of all joints and contacts in a step h, and J a = p'/h - w x J w. Gravity does
 * not come in: an accelerometer at rest shows -g.
 */
#include "run/robot/mjcf_sensor.h"
#include "run/robot/mjcf_actuator.h"
#include "run/robot/mjcf_frame.h"
#include "run/robot/mjcf_tendon.h"

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

/* ---- vectors of a body ---- */

/* The part x * text of a sum, unless x is 0. */
static void write_term(formula *f, double x, const char *text) {
  if (x != 0.0) write_formula(f, " + (%.17g)*(%s)", x, text);
}

/* Entry (i, j) of the rotation of a body. */
static void write_rotation(formula *f, const char *n, int i, int j) {
  int k = 3 - i - j;
  if (i == j) {
    int a = (i + 1) % 3, b = (i + 2) % 3;
    write_formula(f, "(1 - 2*(%s.q[%d]^2 + %s.q[%d]^2))", n, 4 + a, n, 4 + b);
  } else {
    bool plus = (j + 1) % 3 == i; /* R21, R32, R13 */
    write_formula(f, "2*(%s.q[%d]*%s.q[%d] %s %s.q[3]*%s.q[%d])", n, 4 + i, n, 4 + j,
                  plus ? "+" : "-", n, n, 4 + k);
  }
}

/* Adds component i of R u, where u are numbers. */
static void write_turned(formula *f, const char *n, int i, const double u[3]) {
  for (int j = 0; j < 3; ++j) {
    if (u[j] == 0.0) continue;
    write_formula(f, " + (%.17g)*", u[j]);
    write_rotation(f, n, i, j);
  }
}

/* Component j of w x d in a body. */
static void write_swept(formula *f, const char *n, int j, const double d[3]) {
  int a = (j + 1) % 3, b = (j + 2) % 3;
  write_formula(f, "((%.17g)*%s.v[%d] - (%.17g)*%s.v[%d])", d[b], n, 3 + a, d[a], n, 3 + b);
}

/* A frame in its body: place from the center of mass, axes as columns. */
typedef struct frame_in_body {
  const nsds_robot_body *body;
  double d[3], R[9], q[4];
} frame_in_body;

/* Takes what rounding has left for 0. */
static double clean(double x) { return fabs(x) < 1e-15 ? 0.0 : x; }

static frame_in_body frame_in(const nsds_mjcf *m, const nsds_mjcf_frame *frame) {
  const nsds_robot_body *b = &m->robot->body[frame->body];
  nsds_pose back = nsds_pose_inverse(&b->pose), in_body = nsds_pose_times(&back, &frame->pose);
  frame_in_body f = {.body = b};
  nsds_pose_matrix(in_body.q, f.R);
  for (int i = 0; i < 3; ++i) f.d[i] = clean(in_body.p[i] - b->center[i]);
  for (int i = 0; i < 4; ++i) f.q[i] = clean(in_body.q[i]);
  for (int i = 0; i < 9; ++i) f.R[i] = clean(f.R[i]);
  return f;
}

static void axis_of(const frame_in_body *f, int k, double axis[3]) {
  for (int i = 0; i < 3; ++i) axis[i] = f->R[3 * i + k];
}

/* ---- sensors of frames ---- */

typedef void write_component(formula *f, const frame_in_body *frame, int i);

static void write_place(formula *f, const frame_in_body *frame, int i) {
  write_formula(f, "%s.q[%d]", frame->body->name, i);
  write_turned(f, frame->body->name, i, frame->d);
}

static void write_attitude(formula *f, const frame_in_body *frame, int i) {
  write_formula(f, "0");
  for (int k = 0; k < 4; ++k)
    if (frame->q[place[i][k]] != 0.0)
      write_formula(f, " + (%.17g)*%s.q[%d]", sign[i][k] * frame->q[place[i][k]], frame->body->name,
                    3 + k);
}

static void write_axis(formula *f, const frame_in_body *frame, int i, int k) {
  double axis[3];
  axis_of(frame, k, axis);
  write_formula(f, "0");
  write_turned(f, frame->body->name, i, axis);
}

static void write_x_axis(formula *f, const frame_in_body *frame, int i) {
  write_axis(f, frame, i, 0);
}
static void write_y_axis(formula *f, const frame_in_body *frame, int i) {
  write_axis(f, frame, i, 1);
}
static void write_z_axis(formula *f, const frame_in_body *frame, int i) {
  write_axis(f, frame, i, 2);
}

static void write_velocity(formula *f, const frame_in_body *frame, int i) {
  const char *n = frame->body->name;
  write_formula(f, "%s.v[%d]", n, i);
  for (int j = 0; j < 3; ++j) {
    if (frame->d[(j + 1) % 3] == 0.0 && frame->d[(j + 2) % 3] == 0.0) continue;
    write_formula(f, " + ");
    write_rotation(f, n, i, j);
    write_formula(f, "*");
    write_swept(f, n, j, frame->d);
  }
}

static void write_turning(formula *f, const frame_in_body *frame, int i) {
  const char *n = frame->body->name;
  write_formula(f, "0");
  for (int j = 0; j < 3; ++j) {
    write_formula(f, " + %s.v[%d]*", n, 3 + j);
    write_rotation(f, n, i, j);
  }
}

static void write_gyro(formula *f, const frame_in_body *frame, int i) {
  double axis[3];
  axis_of(frame, i, axis);
  write_formula(f, "0");
  for (int j = 0; j < 3; ++j)
    if (axis[j] != 0.0) write_formula(f, " + (%.17g)*%s.v[%d]", axis[j], frame->body->name, 3 + j);
}

/* Component i, along the axes of the frame, of a vector of the world that is n.word[0] ... [2]. */
static void write_seen(formula *f, const frame_in_body *frame, int i, const char *vector) {
  double axis[3];
  axis_of(frame, i, axis);
  write_formula(f, "0");
  for (int k = 0; k < 3; ++k) {
    write_formula(f, " + %s[%d]*(0", vector, k);
    write_turned(f, frame->body->name, k, axis);
    write_formula(f, ")");
  }
}

static void write_velocity_inside(formula *f, const frame_in_body *frame, int i) {
  char vector[60];
  double axis[3];
  axis_of(frame, i, axis);
  nsds_print(vector, sizeof vector, "%s.v", frame->body->name);
  write_seen(f, frame, i, vector);
  for (int j = 0; j < 3; ++j) {
    if (axis[j] == 0.0) continue;
    write_formula(f, " + (%.17g)*", axis[j]);
    write_swept(f, frame->body->name, j, frame->d);
  }
}

/* The inverse of a symmetric 3 x 3 matrix. */
static void invert_inertia(const double J[9], double out[9]) {
  double det = 0.0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
      out[3 * j + i] = J[3 * a + c] * J[3 * b + d] - J[3 * a + d] * J[3 * b + c];
    }
  for (int j = 0; j < 3; ++j) det += J[j] * out[3 * j];
  for (int k = 0; k < 9; ++k) out[k] /= det;
}

/* J a = p'/h - w x J w: component i. */
static void write_moment(formula *f, const nsds_robot_body *b, int i) {
  const char *n = b->name;
  int c = (i + 1) % 3, d = (i + 2) % 3;
  write_formula(f, "%s.p[%d]/max(h, 1e-300) - %s.v[%d]*(0", n, 3 + i, n, 3 + c);
  for (int k = 0; k < 3; ++k)
    write_formula(f, " + (%.17g)*%s.v[%d]", b->inertia[3 * d + k], n, 3 + k);
  write_formula(f, ") + %s.v[%d]*(0", n, 3 + d);
  for (int k = 0; k < 3; ++k)
    write_formula(f, " + (%.17g)*%s.v[%d]", b->inertia[3 * c + k], n, 3 + k);
  write_formula(f, ")");
}

static void write_acceleration(formula *f, const frame_in_body *frame, int i) {
  const nsds_robot_body *b = frame->body;
  const char *n = b->name;
  const double *d = frame->d;
  double axis[3], inverse[9];
  char vector[60];
  axis_of(frame, i, axis);
  nsds_print(vector, sizeof vector, "%s.p", n);
  write_formula(f, "(");
  write_seen(f, frame, i, vector);
  write_formula(f, ")/(%.17g*max(h, 1e-300))", b->mass);
  if (d[0] == 0.0 && d[1] == 0.0 && d[2] == 0.0) return;
  /* axis.(a x d) = a.(d x axis), and w x (w x d) = w (w.d) - d (w.w) */
  invert_inertia(b->inertia, inverse);
  for (int k = 0; k < 3; ++k) {
    double weight = 0.0;
    for (int j = 0; j < 3; ++j)
      weight += inverse[3 * j + k] *
                (d[(j + 1) % 3] * axis[(j + 2) % 3] - d[(j + 2) % 3] * axis[(j + 1) % 3]);
    if (weight == 0.0) continue;
    write_formula(f, " + (%.17g)*(", weight);
    write_moment(f, b, k);
    write_formula(f, ")");
  }
  const double along = axis[0] * d[0] + axis[1] * d[1] + axis[2] * d[2];
  write_formula(f,
                " + ((%.17g)*%s.v[3] + (%.17g)*%s.v[4] + (%.17g)*%s.v[5])*((%.17g)*%s.v[3] + "
                "(%.17g)*%s.v[4] + "
                "(%.17g)*%s.v[5]) - (%.17g)*(%s.v[3]^2 + %s.v[4]^2 + %s.v[5]^2)",
                axis[0], n, axis[1], n, axis[2], n, d[0], n, d[1], n, d[2], n, along, n, n, n);
}

/* The force that the body around gives to the body, at its joint. */
static bool add_force(const reading *s, const frame_in_body *frame) {
  const nsds_robot *r = s->m->robot;
  for (int k = 0; k < r->njoint; ++k) {
    const nsds_robot_joint *j = &r->joint[k];
    bool whole = j->kind == NSDS_ROBOT_HINGE || j->kind == NSDS_ROBOT_BALL;
    if (&r->body[j->child] != frame->body || j->closes || !whole) continue;
    char vector[60];
    nsds_print(vector, sizeof vector, "%s.lambda", j->name);
    for (int i = 0; i < 3; ++i) {
      formula f = {.used = 0};
      write_seen(&f, frame, i, vector);
      add_sensor_value(s, of_place[i], &f, "N");
    }
    return true;
  }
  return false;
}

/* A constant vector of the world along the axes of a frame. */
static void add_magnetometer(const reading *s, const frame_in_body *frame) {
  for (int i = 0; i < 3; ++i) {
    double axis[3];
    formula f = {.used = 0};
    axis_of(frame, i, axis);
    write_formula(&f, "0");
    for (int k = 0; k < 3; ++k) {
      if (s->m->magnetic[k] == 0.0) continue;
      write_formula(&f, " + (%.17g)*(0", s->m->magnetic[k]);
      write_turned(&f, frame->body->name, k, axis);
      write_formula(&f, ")");
    }
    add_sensor_value(s, of_place[i], &f, "");
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

/* Sensors that are formulas of a frame. */
static const struct {
  const char *name;
  write_component *write;
  int count;
  bool turns; /* the axes of the frame take part */
  const char *unit;
} frame_sensors[] = {{"framepos", write_place, 3, false, "m"},
                     {"framequat", write_attitude, 4, true, "1"},
                     {"framexaxis", write_x_axis, 3, true, "1"},
                     {"frameyaxis", write_y_axis, 3, true, "1"},
                     {"framezaxis", write_z_axis, 3, true, "1"},
                     {"framelinvel", write_velocity, 3, false, "m/s"},
                     {"frameangvel", write_turning, 3, false, "rad/s"},
                     {"gyro", write_gyro, 3, true, "rad/s"},
                     {"velocimeter", write_velocity_inside, 3, true, "m/s"},
                     {"accelerometer", write_acceleration, 3, true, "m/s^2"},
                     {"force", NULL, 0, true, ""},
                     {"touch", NULL, 0, true, ""},
                     {"magnetometer", NULL, 0, true, ""}};

static const char *const of_quaternion[4] = {"_w", "_x", "_y", "_z"};

static void add_frame_sensor(reading *s, size_t kind) {
  nsds_robot *r = s->m->robot;
  const char *name = frame_sensors[kind].name, *reference = nsds_xml_get(s->at, "refname");
  bool center = false;
  const nsds_mjcf_frame *found = sensor_frame(s, &center);
  if (!found) return;
  if (reference) {
    nsds_robot_note(r, s->at, "<%s> is left out: its refname asks for another frame than the world",
                    name);
    return;
  }
  if (found->body == nsds_robot_world || (center && frame_sensors[kind].turns)) {
    nsds_robot_note(r, s->at, "<%s> is left out: %s", name,
                    center ? "the axes of inertia have no attitude here; objtype xbody has one"
                           : "its frame stands still");
    return;
  }
  nsds_mjcf_frame own = *found;
  if (center) nsds_pose_point(&found->pose, found->center, own.pose.p);
  frame_in_body frame = frame_in(s->m, &own);
  if (strcmp(name, "magnetometer") == 0) {
    add_magnetometer(s, &frame);
  } else if (strcmp(name, "touch") == 0) {
    formula f = {.used = 0};
    s->positive = true;
    write_formula(&f, "%s.normal_force", frame.body->name);
    nsds_robot_note(r, s->at,
                    "<touch> sums all contacts of the body %s, not only those at its site",
                    frame.body->name);
    add_sensor_value(s, "", &f, "N");
  } else if (strcmp(name, "force") == 0) {
    if (found->merged || !add_force(s, &frame))
      nsds_robot_note(r, s->at,
                      "<force> is left out; valid is a site of a body with a hinge or ball joint");
  } else {
    for (int i = 0; i < frame_sensors[kind].count; ++i) {
      formula f = {.used = 0};
      frame_sensors[kind].write(&f, &frame, i);
      add_sensor_value(s, frame_sensors[kind].count == 4 ? of_quaternion[i] : of_place[i], &f,
                       frame_sensors[kind].unit);
    }
  }
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
  if (!rate && j->start != 0.0) write_formula(f, " + (%.17g)", j->start);
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
  for (int i = 0; i < 3; ++i) {
    formula f = {.used = 0};
    write_formula(&f, "%s.v[%d]", child, 3 + i);
    for (int k = 0; j->parent != nsds_robot_world && k < 3; ++k) { /* R_child' R_parent w */
      write_formula(&f, " - ");
      write_rotation(&f, child, k, i);
      write_formula(&f, "*(0");
      for (int n = 0; n < 3; ++n) {
        write_formula(&f, " + %s.v[%d]*", parent, 3 + n);
        write_rotation(&f, parent, k, n);
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
  else if (strcmp(kind, "actuatorfrc") == 0) add_drive_sensor(s, a->joint, a->gear);
  else add_joint_sensor(s, a->joint, strcmp(kind, "actuatorvel") == 0, a->gear);
}

/* ---- sensors of the whole ---- */

static bool hangs_on(const nsds_robot *r, int body, int root) {
  while (body > root) body = r->body[body].parent;
  return body == root;
}

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
  int root = frame->body;
  double total = 0.0;
  for (int k = 1; k < r->nbody; ++k)
    if (hangs_on(r, k, root)) total += r->body[k].mass;
  for (int i = 0; i < 3; ++i) {
    formula f = {.used = 0};
    write_formula(&f, "0");
    for (int k = 1; k < r->nbody; ++k)
      if (hangs_on(r, k, root))
        write_formula(&f, " + (%.17g)*%s.%s[%d]", r->body[k].mass / total, r->body[k].name,
                      rate ? "v" : "q", i);
    add_sensor_value(s, of_place[i], &f, rate ? "m/s" : "m");
  }
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
    if (!(j->stiffness > 0.0) || j->kind == NSDS_ROBOT_BALL) continue;
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
  size_t kind = 0, count = sizeof frame_sensors / sizeof *frame_sensors;
  nsds_xml_use(at);
  nsds_robot_number(m->robot, at, "cutoff", &s.cutoff);
  if (m->robot->failed || read_plain_sensor(&s)) return;
  while (kind < count && strcmp(at->name, frame_sensors[kind].name) != 0) ++kind;
  if (kind < count) {
    add_frame_sensor(&s, kind);
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
