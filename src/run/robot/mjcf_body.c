/*
 * Bodies of MJCF, see mjcf_parts.h. A body without joints is a part of the body around it. A body of
 * the model has one joint. So each joint but the last one gets a body of its own, almost without mass.
 */
#include "run/robot/mjcf_body.h"
#include "run/robot/mjcf_default.h"
#include "run/robot/mjcf_frame.h"
#include "run/robot/mjcf_geom.h"
#include "run/robot/robot_place.h"

#include "base/text/format.h"
#include "base/text/words.h"

#include <math.h>
#include <string.h>

enum { most_joints = 6 };

/* Mass of a body between two joints, as a part of the mass of the body that carries them. */
static const double part_between = 1e-6;

/* The place at which the children of an element hang. */
typedef struct place_in_tree {
  int body, class;
  nsds_pose pose; /* of the frame, in the world at the start */
  bool merged;    /* a body of the file that is a part of the body around it */
} place_in_tree;

/* ---- joints ---- */

static bool read_joint_kind(const nsds_mjcf_view *v, nsds_robot_joint *j) {
  const char *type = nsds_mjcf_get(v, "type");
  if (!type || strcmp(type, "hinge") == 0) j->kind = NSDS_ROBOT_HINGE;
  else if (strcmp(type, "slide") == 0) j->kind = NSDS_ROBOT_SLIDE;
  else if (strcmp(type, "ball") == 0) j->kind = NSDS_ROBOT_BALL;
  else
    return nsds_robot_fail(v->m->robot, v->at,
                           "the type of a joint is \"%.40s\"; valid are hinge, slide, ball, and "
                           "free as the only joint "
                           "of a body of the world",
                           type);
  return true;
}

static void read_joint_stops(const nsds_mjcf_view *v, nsds_robot_joint *j, double unit) {
  double range[2];
  int count = nsds_mjcf_numbers(v, "range", 2, 2, range);
  if (!nsds_mjcf_limited(v, "limited", count > 0)) return;
  if (j->kind == NSDS_ROBOT_BALL) { /* the largest angle of its turn; above 180 degrees: none */
    if (count <= 0 || range[0] != 0.0 || !(range[1] > 0.0))
      nsds_robot_fail(v->m->robot, v->at,
                      "the ball joint is limited; valid is range=\"0 ANGLE\" with ANGLE > 0");
    else if (range[1] * v->m->angle < 3.1) j->upper = range[1] * v->m->angle;
    return;
  }
  if (count <= 0 || !(range[0] < range[1])) {
    nsds_robot_fail(v->m->robot, v->at,
                    "the joint is limited; valid is range=\"LOWER UPPER\" with LOWER < UPPER");
    return;
  }
  j->lower = range[0] * unit;
  j->upper = range[1] * unit;
}

static void read_joint_acts(const nsds_mjcf_view *v, nsds_robot_joint *j) {
  nsds_robot *r = v->m->robot;
  double unit = j->kind == NSDS_ROBOT_HINGE ? v->m->angle : 1.0;
  nsds_mjcf_number(v, "stiffness", &j->stiffness);
  nsds_mjcf_number(v, "damping", &j->damping);
  nsds_mjcf_number(v, "springref", &j->rest);
  nsds_mjcf_number(v, "frictionloss", &j->friction);
  nsds_mjcf_number(v, "armature", &j->armature);
  nsds_mjcf_number(v, "ref", &j->start);
  nsds_mjcf_get(v, "solreflimit");
  nsds_mjcf_get(v, "solimplimit");
  nsds_mjcf_get(v, "group");
  j->rest *= unit;
  j->start *= unit;
  read_joint_stops(v, j, unit);
  double range[2] = {0.0};
  int count = nsds_mjcf_numbers(v, "actuatorfrcrange", 2, 2, range);
  if (nsds_mjcf_limited(v, "actuatorfrclimited", count > 0))
    j->most_drive = fmax(fabs(range[0]), fabs(range[1]));
  if (!(j->stiffness >= 0.0 && j->damping >= 0.0 && j->friction >= 0.0 && j->armature >= 0.0))
    nsds_robot_fail(r, v->at,
                    "stiffness, damping, frictionloss and armature are %g, %g, %g and %g; valid "
                    "are numbers >= 0",
                    j->stiffness, j->damping, j->friction, j->armature);
  if (j->kind == NSDS_ROBOT_BALL && j->armature > 0.0 && j->parent != nsds_robot_world)
    nsds_robot_note(r, v->at,
                    "armature of a ball joint is left out where the parent of its body moves");
}

static const char *name_of(nsds_mjcf *m, const nsds_xml *at, const char *name,
                           const char *else_this, int number) {
  char text[48];
  if (!name) nsds_print(text, sizeof text, "%.20s_%d", else_this, number);
  return nsds_robot_name(m->robot, at, name ? name : text);
}

/* Adds a joint of the body `child`, whose frame stands at `pose`. */
static void mjcf_add_joint(nsds_mjcf *m, nsds_xml *at, const place_in_tree *where, int child,
                           int parent) {
  nsds_robot *r = m->robot;
  nsds_mjcf_view v = nsds_mjcf_look(m, at, "joint", where->class);
  double pos[3] = {0.0}, axis[3] = {0.0, 0.0, 1.0};
  nsds_robot_joint j = {.at = at,
                        .child = child,
                        .parent = parent,
                        .lower = -(double)INFINITY,
                        .upper = (double)INFINITY};
  if (!read_joint_kind(&v, &j)) return;
  nsds_mjcf_numbers(&v, "pos", 3, 3, pos);
  nsds_mjcf_numbers(&v, "axis", 3, 3, axis);
  double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  if (!(length > 1e-10)) {
    nsds_robot_fail(r, at, "the axis has the length %g; valid is a length above 0", length);
    return;
  }
  for (int i = 0; i < 3; ++i) axis[i] /= length;
  nsds_pose_point(&where->pose, pos, j.point);
  nsds_pose_turn(where->pose.q, axis, j.axis);
  j.name = name_of(m, at, nsds_mjcf_name(m, at), "joint", r->njoint + 1);
  read_joint_acts(&v, &j);
  nsds_robot_set_zero(r, &j);
  if (!r->failed) nsds_robot_add_joint(r, &j);
}

/* ---- bodies ---- */

static void read_children(nsds_mjcf *m, nsds_xml *at, const place_in_tree *where,
                          nsds_robot_body *own);
static void read_inner_bodies(nsds_mjcf *m, nsds_xml *at, const place_in_tree *where);

/* A free joint bears no forces here. */
static void tell_free(nsds_mjcf *m, nsds_xml *at, int class) {
  static const char *const acts[] = {"stiffness", "damping", "frictionloss", "armature"};
  nsds_mjcf_view v = nsds_mjcf_look(m, at, at->name, class);
  const char *align = nsds_xml_get(at, "align");
  if (align && strcmp(align, "true") == 0)
    nsds_robot_note(m->robot, at,
                    "align of a free joint is left out: coordinates are those of the "
                    "frame of the body");
  for (size_t k = 0; k < sizeof acts / sizeof *acts; ++k) {
    double value = 0.0;
    nsds_mjcf_number(&v, acts[k], &value);
    if (value != 0.0) nsds_robot_note(m->robot, at, "%s of a free joint is left out", acts[k]);
  }
}

/* The joints of a body in the order of the file, each in its frame. */
typedef struct joint_list {
  int count;
  bool free; /* the body has a free joint */
  nsds_xml *at[most_joints];
  place_in_tree where[most_joints];
} joint_list;

/* Adds the joints of a body or of a frame in it. */
static void find_joints(nsds_mjcf *m, nsds_xml *at, const place_in_tree *where, joint_list *list) {
  for (nsds_xml *e = NULL; (e = nsds_xml_child(at, NULL, e)) != NULL;) {
    bool joint = strcmp(e->name, "joint") == 0, freejoint = strcmp(e->name, "freejoint") == 0;
    if (strcmp(e->name, "frame") == 0) {
      nsds_mjcf_view frame = {m, e, "", -1};
      nsds_pose pose = nsds_mjcf_pose(&frame);
      place_in_tree inner = *where;
      inner.class = nsds_mjcf_class_of(m, e, "childclass", where->class);
      inner.pose = nsds_pose_times(&where->pose, &pose);
      find_joints(m, e, &inner, list);
    }
    if (!joint && !freejoint) continue;
    nsds_mjcf_view v = nsds_mjcf_look(m, e, e->name, where->class);
    const char *type = joint ? nsds_mjcf_get(&v, "type") : "free";
    if (type && strcmp(type, "free") == 0) {
      list->free = true;
      tell_free(m, e, where->class);
      nsds_xml_use_all(e);
    } else if (list->count < most_joints) {
      list->at[list->count] = e;
      list->where[list->count] = *where;
    }
    ++list->count;
  }
}

static joint_list list_joints(nsds_mjcf *m, nsds_xml *at, const place_in_tree *where) {
  joint_list list = {.count = 0};
  find_joints(m, at, where, &list);
  if (list.count > most_joints || (list.free && list.count > 1))
    nsds_robot_fail(m->robot, at,
                    "the body has %d joints; valid are up to %d, and none beside a free joint",
                    list.count, most_joints);
  if (list.free) list.count = 0;
  return list;
}

static bool read_inertial(nsds_mjcf *m, nsds_xml *body, int class, nsds_robot_body *own) {
  nsds_xml *at = nsds_xml_child(body, "inertial", NULL);
  nsds_robot *r = m->robot;
  double mass = 0.0, d[6] = {0.0}, J[9] = {0.0}, turned[9];
  if (!at || m->masses_from_geoms) {
    if (at) nsds_xml_use_all(at);
    return false;
  }
  nsds_mjcf_view v = nsds_mjcf_look(m, at, "inertial", class);
  nsds_pose pose = nsds_mjcf_pose(&v);
  nsds_robot_number(r, at, "mass", &mass);
  if (nsds_robot_numbers(r, at, "fullinertia", 6, 6, d) > 0) {
    const double full[9] = {d[0], d[3], d[4], d[3], d[1], d[5], d[4], d[5], d[2]};
    memcpy(J, full, sizeof J);
  } else if (nsds_robot_numbers(r, at, "diaginertia", 3, 3, d) > 0) {
    for (int i = 0; i < 3; ++i) J[4 * i] = d[i];
  }
  if (mass < 0.0) nsds_robot_fail(r, at, "the mass is %g kg; valid are numbers > 0", mass);
  if (r->failed || mass == 0.0) return true;
  nsds_robot_check_inertia(r, at, "the body", J);
  nsds_pose_tensor(pose.q, J, turned);
  nsds_robot_add_mass(own, mass, pose.p, turned);
  return true;
}

/* Adds a mass that is given in a frame to a body in whose frame that one stands at `pose`. */
static void move_mass(const nsds_robot_body *own, const nsds_pose *pose, nsds_robot_body *to) {
  double center[3], J[9];
  if (!(own->mass > 0.0)) return;
  nsds_pose_point(pose, own->center, center);
  nsds_pose_tensor(pose->q, own->inertia, J);
  nsds_robot_add_mass(to, own->mass, center, J);
}

/* Adds a mass that is given in a frame of the world to a body of the robot. */
static void hand_mass_over(nsds_robot *r, const nsds_robot_body *own, const nsds_pose *pose,
                           int body) {
  if (r->failed || body == nsds_robot_world) return;
  nsds_pose back = nsds_pose_inverse(&r->body[body].pose), in_body = nsds_pose_times(&back, pose);
  move_mass(own, &in_body, &r->body[body]);
}

/* Adds the bodies of a chain of joints; returns the last one. */
static int add_bodies(nsds_mjcf *m, nsds_xml *at, const place_in_tree *where, const char *name,
                      const joint_list *joints, int first_parent) {
  nsds_robot *r = m->robot;
  int parent = first_parent, between = 0, count = joints->count;
  for (int k = 0; k < (count ? count : 1) && !r->failed; ++k) {
    char text[48];
    bool last = k >= count - 1;
    if (!last) nsds_print(text, sizeof text, "%.30s_%d", name, k + 1);
    nsds_robot_body body = {.name = last ? name : nsds_robot_name(r, at, text),
                            .at = at,
                            .parent = parent,
                            .pose = where->pose,
                            .has_joint = count > 0};
    int child = r->failed ? -1 : nsds_robot_add_body(r, &body);
    if (r->failed) return -1;
    if (count) mjcf_add_joint(m, joints->at[k], &joints->where[k], child, parent);
    between += !last;
    parent = child;
  }
  if (between && !r->failed)
    nsds_robot_note(
        r, joints->at[1],
        "the body has %d joints; between each two stands a body of a millionth of its mass", count);
  return parent;
}

/* The bodies between the joints of a body get a part of its mass each. At the start, where they lie in
 * one place, mass and inertia of all together are those of the file. */
static void weigh_between(nsds_robot *r, int last, int count) {
  nsds_robot_body *b = &r->body[last];
  const double rest = 1.0 - (count - 1) * part_between;
  for (int k = 1; k < count && !r->failed; ++k) {
    nsds_robot_body *light = &r->body[last - k];
    light->mass = part_between * b->mass;
    memcpy(light->center, b->center, sizeof light->center);
    for (int i = 0; i < 9; ++i) light->inertia[i] = part_between * b->inertia[i];
  }
  for (int i = 0; i < 9 && count > 1; ++i) b->inertia[i] *= rest;
  if (count > 1) b->mass *= rest;
}

/* Takes gravcomp of a body of the file, whose last body is `body`, and of those between its joints. */
static void take_gravcomp(nsds_mjcf *m, nsds_xml *at, int body, int count, bool alone,
                          bool weighs) {
  nsds_robot *r = m->robot;
  double part = 0.0;
  if (!nsds_robot_number(r, at, "gravcomp", &part)) return;
  for (int k = 0; alone && k < (count > 1 ? count : 1); ++k) r->body[body - k].gravcomp = part;
  if (!alone && weighs && body != nsds_robot_world && part != r->body[body].gravcomp)
    nsds_robot_note(r, at, "gravcomp of a body without a joint is left out: that of %s holds",
                    r->body[body].name);
}

/* The rotor of a ball joint with the world turns as the body does. */
static void take_ball_armature(nsds_robot *r, int body) {
  int joint = nsds_robot_joint_above(r, body);
  const nsds_robot_joint *j = joint >= 0 ? &r->joint[joint] : NULL;
  if (!j || j->kind != NSDS_ROBOT_BALL || j->parent != nsds_robot_world) return;
  for (int i = 0; i < 3; ++i) r->body[body].inertia[4 * i] += j->armature;
}

static void read_body(nsds_mjcf *m, nsds_xml *at, const place_in_tree *outer) {
  nsds_robot *r = m->robot;
  const char *given = nsds_mjcf_name(m, at), *mocap = nsds_xml_get(at, "mocap");
  nsds_mjcf_view v = {m, at, "", -1};
  nsds_pose pose = nsds_mjcf_pose(&v);
  place_in_tree where = {.class = nsds_mjcf_class_of(m, at, "childclass", outer->class)};
  where.pose = nsds_pose_times(&outer->pose, &pose);
  const joint_list joints = list_joints(m, at, &where);
  int count = joints.count;
  if (mocap && strcmp(mocap, "true") == 0)
    nsds_robot_note(r, at,
                    "a mocap body stands still; its system can be given a prescribed velocity");
  bool alone = count > 0 || joints.free;
  where.merged = !alone;
  if (joints.free && outer->body != nsds_robot_world)
    nsds_robot_fail(r, at, "a free joint belongs to a body of the world");
  if (r->failed) return;
  const char *name = alone ? name_of(m, at, given, "body", r->nbody) : NULL;
  where.body =
      alone && !r->failed ? add_bodies(m, at, &where, name, &joints, outer->body) : outer->body;
  if (r->failed) return;
  int frame = m->bodies.count;
  nsds_mjcf_add_frame(
      m, &m->bodies, at,
      &(nsds_mjcf_frame){
          .name = given, .body = where.body, .pose = where.pose, .merged = !alone, .shape = -1});
  nsds_robot_body own = {.at = at}; /* mass in the frame of this body of the file */
  bool has = read_inertial(m, at, where.class, &own);
  read_children(m, at, &where, has || m->masses_never ? NULL : &own);
  if (r->failed) return;
  take_gravcomp(m, at, where.body, count, alone, own.mass > 0.0);
  if (given) memcpy(m->bodies.item[frame].center, own.center, sizeof own.center);
  hand_mass_over(r, &own, &where.pose, where.body);
  if (alone && outer->body != nsds_robot_world)
    nsds_robot_add_pair(r, &(nsds_robot_pair){where.body, outer->body, at});
  read_inner_bodies(m, at, &where);
  if (!alone || r->failed) return;
  const nsds_robot_body *b = &r->body[where.body];
  if (!(b->mass > 0.0))
    nsds_robot_fail(r, at,
                    "the body moves and has no mass; give it <inertial>, or geoms with a density");
  else if (nsds_robot_check_inertia(r, at, b->name, b->inertia))
    weigh_between(r, where.body, count);
  for (int k = 0; k < count && !r->failed; ++k) take_ball_armature(r, where.body - k);
}

/* ---- frames and copies ---- */

static bool is_frame(const nsds_xml *at) {
  return strcmp(at->name, "frame") == 0 || strcmp(at->name, "replicate") == 0;
}

/* How often a frame stands in the file: <replicate> says its count. -1 after a failure. */
static int copies_of(nsds_mjcf *m, nsds_xml *at) {
  double count = 1.0;
  nsds_xml_use(at);
  if (strcmp(at->name, "frame") == 0) return 1;
  nsds_robot_number(m->robot, at, "count", &count);
  if (!(count >= 1.0 && count <= nsds_robot_most_parts && count == floor(count)))
    nsds_robot_fail(m->robot, at, "count of <replicate> is %g; valid are 1 to %d", count,
                    nsds_robot_most_parts);
  return m->robot->failed ? -1 : (int)count;
}

/* The place of a copy: each is moved by the offset along the axes of the one before. */
static nsds_pose pose_of_copy(nsds_mjcf *m, nsds_xml *at, int number) {
  double offset[3] = {0.0}, euler[3] = {0.0}, moved[3], turn[3];
  nsds_pose pose = nsds_pose_identity();
  nsds_robot_numbers(m->robot, at, "offset", 3, 3, offset);
  nsds_robot_numbers(m->robot, at, "euler", 3, 3, euler);
  for (int k = 0; k < number; ++k) {
    nsds_pose_turn(pose.q, offset, moved);
    for (int i = 0; i < 3; ++i) pose.p[i] += moved[i];
    for (int i = 0; i < 3; ++i) turn[i] = (k + 1) * euler[i];
    nsds_mjcf_euler(m, turn, pose.q);
  }
  return pose;
}

/* A frame moves what is in it; `pose` is its place in the frame around it. The names in a copy of <replicate>
 * get its number, and then the suffix *before of the copy around it. */
static place_in_tree enter_frame(nsds_mjcf *m, nsds_xml *at, const place_in_tree *where, int copy,
                                 int count, nsds_pose *pose, const char **before) {
  nsds_mjcf_view v = {m, at, "", -1};
  bool copied = strcmp(at->name, "replicate") == 0;
  *before = m->suffix;
  if (copied) {
    char most[24], text[100];
    const char *separator = nsds_xml_get(at, "sep");
    nsds_print(most, sizeof most, "%d", count);
    nsds_print(text, sizeof text, "%.20s%0*d%.40s", separator ? separator : "", (int)strlen(most),
               copy, m->suffix);
    const char *suffix = nsds_robot_text(m->robot, text);
    if (suffix) m->suffix = suffix;
    if (++m->ncopy > nsds_robot_most_parts)
      nsds_robot_fail(m->robot, at, "the file has more than %d copies by <replicate>",
                      nsds_robot_most_parts);
  }
  *pose = copied ? pose_of_copy(m, at, copy) : nsds_mjcf_pose(&v);
  return (place_in_tree){where->body, nsds_mjcf_class_of(m, at, "childclass", where->class),
                         nsds_pose_times(&where->pose, pose), where->merged};
}

static void read_frame(nsds_mjcf *m, nsds_xml *at, const place_in_tree *where,
                       nsds_robot_body *own) {
  int count = copies_of(m, at);
  bool copies = strcmp(at->name, "replicate") == 0;
  if (copies && (nsds_xml_child(at, "joint", NULL) || nsds_xml_child(at, "freejoint", NULL)))
    nsds_robot_fail(m->robot, at,
                    "a joint stands in <replicate>; valid is a joint in its body or in a <frame>");
  for (int k = 0; k < count && !m->robot->failed; ++k) {
    nsds_robot_body part = {.at = at};
    nsds_pose pose;
    const char *before;
    place_in_tree inner = enter_frame(m, at, where, k, count, &pose, &before);
    read_children(m, at, &inner, own ? &part : NULL);
    if (own && !m->robot->failed) move_mass(&part, &pose, own);
    m->suffix = before;
  }
}

/* Geoms and sites, also in frames; own: takes the mass of the geoms. */
static void read_children(nsds_mjcf *m, nsds_xml *at, const place_in_tree *where,
                          nsds_robot_body *own) {
  nsds_robot *r = m->robot;
  for (nsds_xml *e = NULL; !r->failed && (e = nsds_xml_child(at, NULL, e)) != NULL;) {
    if (strcmp(e->name, "geom") == 0) {
      nsds_mjcf_geom(m, e, where->class, where->body, &where->pose, own);
    } else if (strcmp(e->name, "site") == 0) {
      nsds_mjcf_site(
          m, e, where->class,
          &(nsds_mjcf_frame){.body = where->body, .pose = where->pose, .merged = where->merged});
    } else if (is_frame(e)) {
      read_frame(m, e, where, own);
    } else if (strcmp(e->name, "camera") == 0 || strcmp(e->name, "light") == 0) {
      nsds_xml_use_all(e);
    }
  }
}

/* Bodies, also in frames. */
static void read_inner_bodies(nsds_mjcf *m, nsds_xml *at, const place_in_tree *where) {
  for (nsds_xml *e = NULL; !m->robot->failed && (e = nsds_xml_child(at, NULL, e)) != NULL;) {
    if (strcmp(e->name, "body") == 0) {
      nsds_xml_use(e);
      read_body(m, e, where);
    } else if (is_frame(e)) {
      int count = copies_of(m, e);
      for (int k = 0; k < count && !m->robot->failed; ++k) {
        nsds_pose pose;
        const char *before;
        place_in_tree inner = enter_frame(m, e, where, k, count, &pose, &before);
        read_inner_bodies(m, e, &inner);
        m->suffix = before;
      }
    }
  }
}

void nsds_mjcf_worldbody(nsds_mjcf *m, nsds_xml *at) {
  place_in_tree world = {nsds_robot_world, m->nclass ? 0 : -1, nsds_pose_identity(), false};
  read_children(m, at, &world, NULL);
  read_inner_bodies(m, at, &world);
}
