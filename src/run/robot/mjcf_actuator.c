/*
 * Actuators of MJCF, see mjcf_parts.h. An actuator of a joint becomes its drive. A control of
 * MuJoCo times the gear is the force of a motor; a control divided by the gear is the target of a servo. An
 * actuator of a fixed tendon, the sum of c q, becomes the drive of its first joint, if equalities q = b q_1
 * tie all other joints to this one. The gear is multiplied by the sum of c b.
 */
#include "run/robot/mjcf_actuator.h"
#include "run/robot/mjcf_body.h"
#include "run/robot/mjcf_default.h"
#include "run/robot/mjcf_frame.h"
#include "run/robot/mjcf_tendon.h"
#include "run/robot/robot_place.h"

#include "base/text/format.h"
#include "base/text/words.h"

#include <math.h>
#include <string.h>

/* Force = gain control + constant - stiffness length - damping rate, before the gear. */
typedef struct servo {
  double gain, constant, stiffness, damping;
  double ratio; /* of the damping to the critical one; 0: the damping is given */
  bool integrated;
} servo;

/* Reads an actuator of gains; returns false if it has no counterpart. */
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
  *s = (servo){.gain = gain[0]};
  if (affine) *s = (servo){gain[0], bias[0], -bias[1], -bias[2], 0.0, false};
  bool relative = affine && bias[2] > 0.0 && gain[0] == -bias[1];
  if (relative) s->damping = 0.0, s->ratio = bias[2];
  return known;
}

/* Reads what the kind of an actuator says. */
static bool read_servo(const nsds_mjcf_view *v, servo *s) {
  double kp = 1.0, kv = 0.0, ratio = 0.0;
  if (strcmp(v->at->name, "general") == 0) return read_general(v, s);
  *s = (servo){.gain = 1.0};
  if (strcmp(v->at->name, "motor") == 0) return true;
  nsds_mjcf_number(v, "kp", &kp);
  bool velocity = strcmp(v->at->name, "velocity") == 0;
  if (velocity) kv = 1.0;
  nsds_mjcf_number(v, "kv", &kv);
  if (!velocity) nsds_mjcf_number(v, "dampratio", &ratio);
  nsds_mjcf_get(v, "inheritrange"); /* of controls, which have no bounds here */
  bool integrated = strcmp(v->at->name, "intvelocity") == 0;
  *s = velocity ? (servo){kv, 0.0, 0.0, kv, 0.0, false}
                : (servo){kp, 0.0, kp, kv, ratio, integrated};
  return true;
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

/* Lists an actuator for sensors and keyframes. */
static void list_actuator(nsds_mjcf *m, const nsds_mjcf_actuator *actuator) {
  nsds_robot *r = m->robot;
  nsds_robot_took(r, nsds_room(r->context, &m->actuator, &m->actuator_room, m->nactuator + 1,
                               sizeof *m->actuator));
  if (!r->failed) m->actuator[m->nactuator++] = *actuator;
}

/* The factor b of <equality> <joint> for q = b other; 0: there is no such equality. */
static double factor_of(nsds_mjcf *m, int joint, int other) {
  nsds_robot *r = m->robot;
  for (nsds_xml *section = NULL; (section = nsds_xml_child(r->root, "equality", section)) != NULL;)
    for (nsds_xml *e = NULL; (e = nsds_xml_child(section, "joint", e)) != NULL;) {
      double poly[5] = {0.0, 1.0, 0.0, 0.0, 0.0};
      const char *first = nsds_xml_get(e, "joint1"), *second = nsds_xml_get(e, "joint2");
      const char *active = nsds_xml_get(e, "active");
      if (!first || !second || (active && strcmp(active, "false") == 0)) continue;
      int a = nsds_robot_find_joint(r, nsds_robot_name(r, e, first));
      int b = nsds_robot_find_joint(r, nsds_robot_name(r, e, second));
      nsds_robot_numbers(r, e, "polycoef", 1, 5, poly);
      bool straight = poly[0] == 0.0 && poly[2] == 0.0 && poly[3] == 0.0 && poly[4] == 0.0;
      if (!straight || poly[1] == 0.0) continue;
      if (a == joint && b == other) return poly[1];
      if (b == joint && a == other) return 1.0 / poly[1];
    }
  return 0.0;
}

/* The joint that bears an actuator of a fixed tendon, and the ratio of both lengths; -1: there is none. */
static int joint_of_tendon(nsds_mjcf *m, nsds_xml *at, double *ratio) {
  nsds_mjcf_tendon tendon;
  *ratio = 0.0;
  if (!nsds_mjcf_names_fixed(m, at, "tendon") || !nsds_mjcf_tendon_of(m, at, "tendon", &tendon))
    return -1;
  for (int k = 0; k < tendon.count; ++k) {
    double b = k == 0 ? 1.0 : factor_of(m, tendon.joint[k], tendon.joint[0]);
    if (b == 0.0) return -1;
    *ratio += tendon.weight[k] * b;
  }
  return *ratio != 0.0 ? tendon.joint[0] : -1;
}

/* Actuators that have no counterpart. */
static void leave_actuator_out(nsds_mjcf *m, nsds_xml *at) {
  const char *name = nsds_xml_get(at, "name");
  nsds_mjcf_view v = nsds_mjcf_look(m, at, at->name, m->nclass ? 0 : -1);
  nsds_mjcf_pass(&v);
  nsds_robot_note(
      m->robot, at,
      "the actuator <%.60s> is left out; valid are general, motor, position, velocity "
      "and, alone on its joint, intvelocity of a hinge or slide, or of a fixed tendon whose "
      "joints follow its first one; general with gaintype "
      "fixed, biastype none or affine, dyntype none",
      at->name);
  list_actuator(m, &(nsds_mjcf_actuator){.name = name ? name : "", .joint = -1, .gear = 1.0});
}

/* MuJoCo damps the rate of the joint, a drive the rate less that of its target: the joint takes the damping. */
static void integrate_rate(const nsds_mjcf_view *v, double gear, nsds_robot_joint *j, servo *s) {
  double range[2];
  j->damping += gear * gear * s->damping;
  s->damping = 0.0;
  j->drive.integrated = true;
  int count = nsds_mjcf_numbers(v, "actrange", 2, 2, range);
  if (!nsds_mjcf_limited(v, "actlimited", count > 0) || count == 0) return;
  j->drive.least_target = fmin(range[0] / gear, range[1] / gear);
  j->drive.most_target = fmax(range[0] / gear, range[1] / gear);
}

/* `ratio`: of the length of the actuator to the coordinate of the joint, without the gear. */
static void add_actuator(nsds_mjcf *m, nsds_xml *at, int joint, double ratio) {
  nsds_robot *r = m->robot;
  nsds_mjcf_view v = nsds_mjcf_look(m, at, at->name, m->nclass ? 0 : -1);
  double gear[6] = {1.0};
  servo s = {.gain = 1.0};
  const char *name = nsds_xml_get(at, "name");
  nsds_mjcf_numbers(&v, "gear", 1, 6, gear);
  gear[0] *= ratio;
  nsds_robot_drive *d = &r->joint[joint].drive;
  bool known = read_servo(&v, &s) && !(d->there && (d->integrated || s.integrated));
  if (!known) leave_actuator_out(m, at);
  if (r->failed || !known) return;
  if (s.ratio > 0.0)
    s.damping = 2.0 * s.ratio * sqrt(s.stiffness * nsds_robot_inertia_of(r, joint)) / fabs(gear[0]);
  if (s.stiffness < 0.0 || s.damping < 0.0) {
    nsds_robot_fail(r, at,
                    "the actuator has the stiffness %g and the damping %g; valid are numbers >= 0",
                    s.stiffness, s.damping);
    return;
  }
  double most = read_most(&v, &s, gear[0]);
  if (s.integrated) integrate_rate(&v, gear[0], &r->joint[joint], &s);
  if (d->there)
    nsds_robot_note(
        r, at, "the joint has several actuators; their gains and bounds are added in one drive");
  d->most = !d->there ? most : d->most > 0.0 && most > 0.0 ? d->most + most : 0.0;
  double bound = r->joint[joint].most_drive;
  if (bound > 0.0 && (d->most == 0.0 || d->most > bound)) d->most = bound;
  bool shares = d->there;
  nsds_robot_give_drive(&r->joint[joint]);
  d->stiffness += gear[0] * gear[0] * s.stiffness;
  d->damping += gear[0] * gear[0] * s.damping;
  d->force += gear[0] * s.constant;
  for (int k = 0; k < m->nactuator; ++k)
    if (m->actuator[k].joint == joint) m->actuator[k].shares = true;
  double range[2] = {0.0};
  bool ranged = nsds_mjcf_numbers(&v, "ctrlrange", 2, 2, range) > 0;
  bool limited = nsds_mjcf_limited(&v, "ctrllimited", ranged) && ranged;
  list_actuator(m, &(nsds_mjcf_actuator){.name = name ? name : "",
                                         .joint = joint,
                                         .shares = shares,
                                         .gear = gear[0],
                                         .gain = s.gain,
                                         .constant = s.constant,
                                         .least = limited ? range[0] : -(double)INFINITY,
                                         .most = limited ? range[1] : (double)INFINITY,
                                         .stiffness = s.stiffness,
                                         .damping = s.damping});
}

/* Tells if a ball joint or a free joint below an element has a name. */
static bool has_turning_joint(const nsds_mjcf *m, nsds_xml *at, const char *name) {
  for (nsds_xml *e = NULL; (e = nsds_xml_child(at, NULL, e)) != NULL;) {
    const char *own = nsds_xml_get(e, "name");
    bool joint = strcmp(e->name, "joint") == 0, free = strcmp(e->name, "freejoint") == 0;
    if ((joint || free) && own && strcmp(own, name) == 0) {
      int known = nsds_robot_find_joint(m->robot, own);
      return known < 0 || m->robot->joint[known].kind == NSDS_ROBOT_BALL;
    }
    if (has_turning_joint(m, e, name)) return true;
  }
  return false;
}

/* The joint that an actuator moves; -1: it is left out, or a failure. */
static int joint_of_actuator(nsds_mjcf *m, nsds_xml *at, double *ratio) {
  const char *name = nsds_xml_get(at, "joint");
  nsds_xml *world = NULL;
  if (!name) return joint_of_tendon(m, at, ratio);
  while ((world = nsds_xml_child(m->robot->root, "worldbody", world)) != NULL)
    if (has_turning_joint(m, world, name)) return -1;
  return nsds_mjcf_joint_of(m, at, "joint");
}

void nsds_mjcf_actuators(nsds_mjcf *m, nsds_xml *section) {
  static const char *const kinds[] = {"general", "motor", "position", "velocity", "intvelocity"};
  for (nsds_xml *e = NULL; !m->robot->failed && (e = nsds_xml_child(section, NULL, e)) != NULL;) {
    bool known = false;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k)
      known = known || strcmp(e->name, kinds[k]) == 0;
    double ratio = 1.0;
    int joint = known ? joint_of_actuator(m, e, &ratio) : -1;
    if (joint >= 0) add_actuator(m, e, joint, ratio);
    else if (!m->robot->failed) leave_actuator_out(m, e);
  }
}
