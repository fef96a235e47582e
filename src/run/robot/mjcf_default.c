/*
 * Defaults of MJCF, see mjcf_parts.h. A class is the <default> that has its elements. An element takes
 * what it does not say from its class, else from the class around that class.
 */
#include "run/robot/mjcf_default.h"

#include "base/text/words.h"

#include <math.h>
#include <string.h>

static int mjcf_find_class(const nsds_mjcf *m, const char *name) {
  for (int k = 0; k < m->nclass; ++k)
    if (strcmp(m->classes[k].name, name) == 0) return k;
  return -1;
}

/* Elements that are looks alone. */
static bool is_look(const char *name) {
  return strcmp(name, "material") == 0 || strcmp(name, "texture") == 0 ||
         strcmp(name, "camera") == 0 || strcmp(name, "light") == 0;
}

void nsds_mjcf_read_defaults(nsds_mjcf *m, nsds_xml *at, int parent) {
  nsds_robot *r = m->robot;
  const char *name = nsds_xml_get(at, "class");
  if (r->failed) return;
  if (!name && parent >= 0) {
    nsds_robot_fail(r, at, "<default> in another one needs a name: class=\"...\"");
    return;
  }
  if (!name) name = "main";
  int known = mjcf_find_class(m, name);
  if (known >= 0 && (parent >= 0 || known > 0)) {
    nsds_robot_fail(r, at, "the class \"%.60s\" stands here and at %s:%d", name,
                    m->classes[known].at->file, m->classes[known].at->line);
    return;
  }
  nsds_robot_took(
      r, nsds_room(r->context, &m->classes, &m->class_room, m->nclass + 1, sizeof *m->classes));
  if (r->failed) return;
  int number = m->nclass++;
  m->classes[number] = (nsds_mjcf_class){name, parent, at};
  for (nsds_xml *e = NULL; (e = nsds_xml_child(at, NULL, e)) != NULL;) {
    nsds_xml_use(e);
    if (is_look(e->name)) nsds_xml_use_all(e);
    if (strcmp(e->name, "default") == 0) nsds_mjcf_read_defaults(m, e, number);
  }
}

int nsds_mjcf_class_of(nsds_mjcf *m, nsds_xml *at, const char *key, int inherited) {
  const char *name = nsds_xml_get(at, key);
  int k = name ? mjcf_find_class(m, name) : inherited;
  if (name && k < 0) nsds_robot_fail(m->robot, at, "there is no class \"%.60s\" of defaults", name);
  return k;
}

nsds_mjcf_view nsds_mjcf_look(nsds_mjcf *m, nsds_xml *at, const char *tag, int inherited) {
  nsds_xml_use(at);
  if (inherited >= m->nclass) inherited = -1; /* a file without defaults has no class of all */
  return (nsds_mjcf_view){m, at, tag, nsds_mjcf_class_of(m, at, "class", inherited)};
}

/* Actuators share one element of defaults, which any of their names gives. */
static bool same_tag(const char *name, const char *tag) {
  static const char *const actuator[] = {"general", "motor", "position", "velocity", "intvelocity"};
  bool a = false, b = false;
  for (size_t k = 0; k < sizeof actuator / sizeof *actuator; ++k) {
    a = a || strcmp(name, actuator[k]) == 0;
    b = b || strcmp(tag, actuator[k]) == 0;
  }
  return (a && b) || strcmp(name, tag) == 0;
}

nsds_xml *nsds_mjcf_holder(const nsds_mjcf_view *v, const char *key) {
  if (nsds_xml_get(v->at, key)) return v->at;
  for (int k = v->class; k >= 0; k = v->m->classes[k].parent)
    for (nsds_xml *e = NULL; (e = nsds_xml_child(v->m->classes[k].at, NULL, e)) != NULL;)
      if (same_tag(e->name, v->tag) && nsds_xml_get(e, key)) return e;
  return NULL;
}

void nsds_mjcf_pass(const nsds_mjcf_view *v) {
  nsds_xml_use_all(v->at);
  for (int k = v->class; k >= 0; k = v->m->classes[k].parent)
    for (nsds_xml *e = NULL; (e = nsds_xml_child(v->m->classes[k].at, NULL, e)) != NULL;)
      if (same_tag(e->name, v->tag)) nsds_xml_use_all(e);
}

const char *nsds_mjcf_get(const nsds_mjcf_view *v, const char *key) {
  nsds_xml *holder = nsds_mjcf_holder(v, key);
  return holder ? nsds_xml_get(holder, key) : NULL;
}

int nsds_mjcf_numbers(const nsds_mjcf_view *v, const char *key, int least, int most,
                      double *value) {
  nsds_xml *holder = nsds_mjcf_holder(v, key);
  return holder ? nsds_robot_numbers(v->m->robot, holder, key, least, most, value) : 0;
}

bool nsds_mjcf_number(const nsds_mjcf_view *v, const char *key, double *value) {
  return nsds_mjcf_numbers(v, key, 1, 1, value) >= 0;
}

bool nsds_mjcf_limited(const nsds_mjcf_view *v, const char *key, bool has_range) {
  const char *text = nsds_mjcf_get(v, key);
  if (!text || strcmp(text, "auto") == 0) return has_range && v->m->auto_limits;
  if (strcmp(text, "true") == 0) return true;
  if (strcmp(text, "false") != 0)
    nsds_robot_fail(v->m->robot, v->at, "%s is \"%.40s\"; valid are true, false and auto", key,
                    text);
  return false;
}

/* ---- places ---- */

/* Turns about three axes; small letters turn with the body, capitals about fixed axes. */
void nsds_mjcf_euler(const nsds_mjcf *m, const double angle[3], double q[4]) {
  static const double axis[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  const double upright[4] = {1.0, 0.0, 0.0, 0.0};
  memcpy(q, upright, sizeof upright);
  for (int k = 0; k < 3; ++k) {
    double turn[4];
    bool fixed = m->euler[k] < 'a';
    nsds_quaternion_of_axis(axis[m->euler[k] - (fixed ? 'X' : 'x')], angle[k] * m->angle, turn);
    if (fixed) nsds_quaternion_times(turn, q, q);
    else nsds_quaternion_times(q, turn, q);
  }
}

static double mjcf_length(const double *x, int n) {
  double square = 0.0;
  for (int k = 0; k < n; ++k) square += x[k] * x[k];
  return sqrt(square);
}

static bool too_short(const nsds_mjcf_view *v, const char *key, const double *x, int n) {
  return !(mjcf_length(x, n) > 1e-10) &&
         !nsds_robot_fail(v->m->robot, v->at,
                          "%s of <%s> has the length %g; valid is a length above 0", key,
                          v->at->name, mjcf_length(x, n));
}

/* The attitude of an element: what it says itself, or else its classes. A quaternion comes last, wherever
 * it stands. NULL: there is none. */
static const char *mjcf_attitude(const nsds_mjcf_view *v) {
  static const char *const turns[] = {"axisangle", "euler", "zaxis", "xyaxes"};
  const char *nearest = NULL;
  int least = 0;
  for (size_t k = 0; k < sizeof turns / sizeof *turns; ++k) {
    nsds_xml *holder = nsds_mjcf_holder(v, turns[k]);
    int level = 0;
    for (int class = v->class; holder && holder != v->at; class = v->m->classes[class].parent) {
      ++level;
      if (holder->parent == v->m->classes[class].at) break;
    }
    if (holder && (!nearest || level < least)) nearest = turns[k], least = level;
  }
  return nearest ? nearest : nsds_mjcf_get(v, "quat") ? "quat" : NULL;
}

static void read_attitude(const nsds_mjcf_view *v, const char *key, double q[4]) {
  const int count = strcmp(key, "xyaxes") == 0                               ? 6
                    : strcmp(key, "euler") == 0 || strcmp(key, "zaxis") == 0 ? 3
                                                                             : 4;
  double x[6];
  if (nsds_mjcf_numbers(v, key, count, count, x) <= 0) return;
  if (count == 6) {
    if (!nsds_quaternion_of_axes(x, x + 3, q))
      nsds_robot_fail(v->m->robot, v->at, "the axes of xyaxes are parallel, or have the length 0");
  } else if (strcmp(key, "euler") == 0) {
    nsds_mjcf_euler(v->m, x, q);
  } else if (!too_short(v, key, x, strcmp(key, "quat") == 0 ? 4 : 3)) {
    if (strcmp(key, "zaxis") == 0) nsds_quaternion_of_z(x, q);
    else if (strcmp(key, "axisangle") == 0) nsds_quaternion_of_axis(x, x[3] * v->m->angle, q);
    else
      for (int k = 0; k < 4; ++k) q[k] = x[k] / mjcf_length(x, 4);
  }
}

nsds_pose nsds_mjcf_pose(const nsds_mjcf_view *v) {
  static const char *const turns[] = {"quat",  "axisangle", "euler",
                                      "zaxis", "xyaxes",    "fullinertia"};
  nsds_pose pose = nsds_pose_identity();
  int given = 0;
  for (size_t k = 0; k < sizeof turns / sizeof *turns; ++k)
    given += nsds_xml_get(v->at, turns[k]) != NULL;
  if (given > 1)
    nsds_robot_fail(v->m->robot, v->at,
                    "<%s> has %d attitudes; valid is one of quat, axisangle, euler, xyaxes, zaxis "
                    "and fullinertia",
                    v->at->name, given);
  nsds_mjcf_numbers(v, "pos", 3, 3, pose.p);
  const char *key = v->m->robot->failed ? NULL : mjcf_attitude(v);
  if (key) read_attitude(v, key, pose.q);
  return pose;
}
