/*
 * Actuators and sensors of MJCF, see mjcf_parts.h. An actuator of a joint becomes its drive. A control of
 * MuJoCo times the gear is the force of a motor; a control divided by the gear is the target of a servo.
 */
#include "run/robot/mjcf_actuator.h"
#include "run/robot/mjcf_body.h"
#include "run/robot/mjcf_default.h"

#include "base/text/format.h"
#include "base/text/words.h"

#include <math.h>
#include <string.h>

int nsds_mjcf_joint_of(nsds_mjcf *m, nsds_xml *at, const char *key) {
  const char *given = nsds_xml_get(at, key);
  const char *name = given ? nsds_robot_name(m->robot, at, given) : NULL;
  int joint = nsds_robot_find_joint(m->robot, name);
  bool fine = joint >= 0 && (m->robot->joint[joint].kind == NSDS_ROBOT_HINGE ||
                             m->robot->joint[joint].kind == NSDS_ROBOT_SLIDE);
  if (!fine && !m->robot->failed)
    nsds_robot_fail(m->robot, at,
                    "%s of <%s> is \"%.60s\"; valid are joints of type hinge and slide", key,
                    at->name, given ? given : "");
  return fine ? joint : -1;
}

/* Force = gain control + constant - stiffness length - damping rate, before the gear. */
typedef struct servo {
  double gain, constant, stiffness, damping;
} servo;

static bool read_general(const nsds_mjcf_view *v, servo *s) {
  double gain[10] = {1.0}, bias[10] = {0.0};
  const char *gaintype = nsds_mjcf_get(v, "gaintype"), *biastype = nsds_mjcf_get(v, "biastype");
  const char *dyntype = nsds_mjcf_get(v, "dyntype");
  nsds_mjcf_numbers(v, "gainprm", 1, 10, gain);
  nsds_mjcf_numbers(v, "biasprm", 1, 10, bias);
  bool affine = biastype && strcmp(biastype, "affine") == 0;
  bool known = (!gaintype || strcmp(gaintype, "fixed") == 0) &&
               (!biastype || affine || strcmp(biastype, "none") == 0) &&
               (!dyntype || strcmp(dyntype, "none") == 0);
  if (!known)
    return nsds_robot_fail(v->m->robot, v->at,
                           "valid are gaintype fixed, biastype none and affine, dyntype none");
  *s = (servo){.gain = gain[0]};
  if (affine) *s = (servo){gain[0], bias[0], -bias[1], -bias[2]};
  return true;
}

/* Reads what the kind of an actuator says. */
static bool read_servo(const nsds_mjcf_view *v, servo *s) {
  double kp = 1.0, kv = 0.0;
  if (strcmp(v->at->name, "general") == 0) return read_general(v, s);
  *s = (servo){.gain = 1.0};
  if (strcmp(v->at->name, "motor") == 0) return true;
  nsds_mjcf_number(v, "kp", &kp);
  bool velocity = strcmp(v->at->name, "velocity") == 0;
  if (velocity) kv = 1.0;
  nsds_mjcf_number(v, "kv", &kv);
  *s = velocity ? (servo){kv, 0.0, 0.0, kv} : (servo){kp, 0.0, kp, kv};
  return !v->m->robot->failed;
}

/* Largest force by forcerange, and of a motor by ctrlrange; 0: none. */
static double read_most(const nsds_mjcf_view *v, const servo *s, double gear) {
  double range[2], most = 0.0;
  int count = nsds_mjcf_numbers(v, "forcerange", 2, 2, range);
  if (nsds_mjcf_limited(v, "forcelimited", count > 0) && count > 0)
    most = fabs(gear) * fmax(fabs(range[0]), fabs(range[1]));
  if (most > 0.0 && range[0] != -range[1])
    nsds_robot_note(v->m->robot, v->at,
                    "forcerange is not symmetric; the drive has the larger bound both ways");
  count = nsds_mjcf_numbers(v, "ctrlrange", 2, 2, range);
  bool motor = s->stiffness == 0.0 && s->damping == 0.0;
  if (nsds_mjcf_limited(v, "ctrllimited", count > 0) && count > 0 && motor) {
    double bound = fabs(gear * s->gain) * fmax(fabs(range[0]), fabs(range[1]));
    most = most > 0.0 ? fmin(most, bound) : bound;
  }
  return most;
}

static void add_actuator(nsds_mjcf *m, nsds_xml *at) {
  nsds_robot *r = m->robot;
  nsds_mjcf_view v = nsds_mjcf_look(m, at, at->name, m->nclass ? 0 : -1);
  double gear[6] = {1.0};
  servo s = {.gain = 1.0};
  const char *name = nsds_xml_get(at, "name");
  nsds_mjcf_numbers(&v, "gear", 1, 6, gear);
  int joint = nsds_mjcf_joint_of(m, at, "joint");
  if (joint < 0 || r->failed || !read_servo(&v, &s)) return;
  nsds_robot_drive *d = &r->joint[joint].drive;
  if (s.stiffness < 0.0 || s.damping < 0.0) {
    nsds_robot_fail(r, at,
                    "the actuator has the stiffness %g and the damping %g; valid are numbers >= 0",
                    s.stiffness, s.damping);
    return;
  }
  double most = read_most(&v, &s, gear[0]);
  if (d->there)
    nsds_robot_note(
        r, at, "the joint has several actuators; their gains and bounds are added in one drive");
  d->most = !d->there ? most : d->most > 0.0 && most > 0.0 ? d->most + most : 0.0;
  nsds_robot_give_drive(&r->joint[joint]);
  d->stiffness += gear[0] * gear[0] * s.stiffness;
  d->damping += gear[0] * gear[0] * s.damping;
  d->force += gear[0] * s.constant;
  nsds_robot_took(r, nsds_room(r->context, &m->actuator, &m->actuator_room, m->nactuator + 1,
                               sizeof *m->actuator));
  if (!r->failed) m->actuator[m->nactuator++] = (nsds_mjcf_actuator){name ? name : "", joint};
}

void nsds_mjcf_actuators(nsds_mjcf *m, nsds_xml *section) {
  static const char *const kinds[] = {"general", "motor", "position", "velocity"};
  for (nsds_xml *e = NULL; !m->robot->failed && (e = nsds_xml_child(section, NULL, e)) != NULL;)
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k)
      if (strcmp(e->name, kinds[k]) == 0 && nsds_xml_get(e, "joint")) add_actuator(m, e);
}

/* ---- sensors ---- */

static void add_sensor(nsds_mjcf *m, nsds_xml *at, const char *suffix, const char *value,
                       const char *unit) {
  const char *name = nsds_xml_get(at, "name");
  char text[200];
  nsds_print(text, sizeof text, "%.80s%s", name ? name : value, suffix);
  nsds_robot_sensor s = {nsds_robot_text(m->robot, text), nsds_robot_text(m->robot, value), unit,
                         at};
  nsds_xml_use(at);
  if (!m->robot->failed) nsds_robot_add_sensor(m->robot, &s);
}

static void add_joint_sensor(nsds_mjcf *m, nsds_xml *at, int joint, const char *kind) {
  const nsds_robot_joint *j = &m->robot->joint[joint];
  bool hinge = j->kind == NSDS_ROBOT_HINGE;
  char text[120];
  if (strcmp(kind, "force") == 0) {
    nsds_print(text, sizeof text, "%s.drive.lambda1", j->name);
    if (j->drive.there) add_sensor(m, at, "", text, hinge ? "N m" : "N");
  } else if (strcmp(kind, "rate") == 0) {
    nsds_print(text, sizeof text, "%s.%s", j->name, hinge ? "angular_velocity" : "velocity");
    add_sensor(m, at, "", text, hinge ? "rad/s" : "m/s");
  } else {
    nsds_print(text, sizeof text, "%s.%s", j->name, hinge ? "angle" : "displacement");
    if (j->start != 0.0)
      nsds_print(text + strlen(text), sizeof text - strlen(text), " + (%.17g)", j->start);
    add_sensor(m, at, "", text, hinge ? "rad" : "m");
  }
}

/* The place of a frame of a body: q1 + R(q4 ... q7) d. */
static void add_place_sensor(nsds_mjcf *m, nsds_xml *at, const nsds_mjcf_frame *frame) {
  static const char *const row[3] = {
      "%s.q1 + (1 - 2*(%s.q6^2 + %s.q7^2))*(%.17g) + 2*(%s.q5*%s.q6 - %s.q4*%s.q7)*(%.17g) + "
      "2*(%s.q5*%s.q7 + %s.q4*%s.q6)*(%.17g)",
      "%s.q2 + 2*(%s.q5*%s.q6 + %s.q4*%s.q7)*(%.17g) + (1 - 2*(%s.q5^2 + %s.q7^2))*(%.17g) + "
      "2*(%s.q6*%s.q7 - %s.q4*%s.q5)*(%.17g)",
      "%s.q3 + 2*(%s.q5*%s.q7 - %s.q4*%s.q6)*(%.17g) + 2*(%s.q6*%s.q7 + %s.q4*%s.q5)*(%.17g) + (1 "
      "- 2*(%s.q5^2 + %s.q6^2))*(%.17g)"};
  static const char *const suffix[3] = {"_x", "_y", "_z"};
  const nsds_robot_body *b = &m->robot->body[frame->body];
  nsds_pose back = nsds_pose_inverse(&b->pose), in_body = nsds_pose_times(&back, &frame->pose);
  const char *n = b->name;
  double d[3];
  char text[1200];
  if (frame->body == nsds_robot_world) return;
  for (int i = 0; i < 3; ++i) d[i] = in_body.p[i] - b->center[i];
  for (int i = 0; i < 3; ++i) {
    if (i == 0)
      nsds_print(text, sizeof text, row[0], n, n, n, d[0], n, n, n, n, d[1], n, n, n, n, d[2]);
    else if (i == 1)
      nsds_print(text, sizeof text, row[1], n, n, n, n, n, d[0], n, n, d[1], n, n, n, n, d[2]);
    else nsds_print(text, sizeof text, row[2], n, n, n, n, n, d[0], n, n, n, n, d[1], n, n, d[2]);
    add_sensor(m, at, suffix[i], text, "m");
  }
}

static void read_sensor(nsds_mjcf *m, nsds_xml *at) {
  static const struct {
    const char *sensor, *kind;
  } of_joint[] = {{"jointpos", "place"}, {"jointvel", "rate"}, {"jointactuatorfrc", "force"}};
  for (size_t k = 0; k < sizeof of_joint / sizeof *of_joint; ++k)
    if (strcmp(at->name, of_joint[k].sensor) == 0) {
      int joint = nsds_mjcf_joint_of(m, at, "joint");
      if (joint >= 0) add_joint_sensor(m, at, joint, of_joint[k].kind);
      return;
    }
  const char *actuator = strcmp(at->name, "actuatorfrc") == 0 ? nsds_xml_get(at, "actuator") : NULL;
  for (int k = 0; actuator && k < m->nactuator; ++k)
    if (strcmp(m->actuator[k].name, actuator) == 0) {
      add_joint_sensor(m, at, m->actuator[k].joint, "force");
      return;
    }
  if (strcmp(at->name, "framepos") != 0 || nsds_xml_get(at, "refname")) return;
  const char *type = nsds_xml_get(at, "objtype");
  bool site = type && strcmp(type, "site") == 0, body = type && strcmp(type, "xbody") == 0;
  const char *name = nsds_xml_get(at, "objname");
  const nsds_mjcf_frame *frame = nsds_mjcf_frame_of(site ? &m->sites : &m->bodies, name);
  if (!site && !body) return;
  if (!frame) nsds_robot_fail(m->robot, at, "there is no %s \"%.60s\"", type, name ? name : "");
  else add_place_sensor(m, at, frame);
}

void nsds_mjcf_sensors(nsds_mjcf *m, nsds_xml *section) {
  for (nsds_xml *e = NULL; !m->robot->failed && (e = nsds_xml_child(section, NULL, e)) != NULL;)
    read_sensor(m, e);
}
