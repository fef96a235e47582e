/*
 * Tendons of MJCF, see mjcf_parts.h. A fixed tendon is a sum of coordinates, for equalities and sensors.
 * A spatial tendon from one site straight to another is a spring, and a rope if its length is limited.
 * Tendons around bodies or through more sites have no counterpart.
 */
#include "run/robot/mjcf_tendon.h"
#include "run/robot/mjcf_frame.h"
#include "run/robot/mjcf_default.h"
#include "run/robot/robot_place.h"

#include "base/text/format.h"

#include <math.h>
#include <string.h>

/* ---- fixed tendons ---- */

static nsds_xml *find_tendon(nsds_mjcf *m, const char *kind, const char *name) {
  for (nsds_xml *section = NULL;
       (section = nsds_xml_child(m->robot->root, "tendon", section)) != NULL;)
    for (nsds_xml *e = NULL; (e = nsds_xml_child(section, kind, e)) != NULL;) {
      const char *own = nsds_xml_get(e, "name");
      if (own && name && strcmp(own, name) == 0) return e;
    }
  return NULL;
}

bool nsds_mjcf_names_fixed(nsds_mjcf *m, nsds_xml *at, const char *key) {
  return find_tendon(m, "fixed", nsds_xml_get(at, key)) != NULL;
}

bool nsds_mjcf_names_spatial(nsds_mjcf *m, nsds_xml *at, const char *key,
                             const nsds_robot_cable **cable) {
  const nsds_robot *r = m->robot;
  const nsds_xml *found = find_tendon(m, "spatial", nsds_xml_get(at, key));
  *cable = NULL;
  for (int k = 0; found && k < r->ncable; ++k)
    if (r->cable[k].at == found) *cable = &r->cable[k];
  return found != NULL;
}

bool nsds_mjcf_tendon_of(nsds_mjcf *m, nsds_xml *at, const char *key, nsds_mjcf_tendon *tendon) {
  const char *name = nsds_xml_get(at, key);
  nsds_xml *found = find_tendon(m, "fixed", name);
  *tendon = (nsds_mjcf_tendon){0};
  if (!found)
    return nsds_robot_fail(m->robot, at, "there is no fixed tendon \"%.60s\"", name ? name : "");
  for (nsds_xml *e = NULL; (e = nsds_xml_child(found, "joint", e)) != NULL;) {
    double weight = 0.0;
    int joint = nsds_mjcf_joint_of(m, e, "joint");
    nsds_robot_number(m->robot, e, "coef", &weight);
    if (joint < 0 || weight == 0.0) continue;
    if (tendon->count == nsds_mjcf_most_terms)
      return nsds_robot_fail(m->robot, e, "the tendon has more than %d joints",
                             nsds_mjcf_most_terms);
    tendon->joint[tendon->count] = joint;
    tendon->weight[tendon->count++] = weight;
  }
  return !m->robot->failed;
}

/* A fixed tendon alone does nothing; springs and limits of it are told. */
static void tell_fixed(nsds_mjcf *m, nsds_xml *at) {
  static const char *const acts[] = {"stiffness", "damping", "frictionloss", "armature", "range"};
  nsds_mjcf_view v = nsds_mjcf_look(m, at, "tendon", m->nclass ? 0 : -1);
  for (size_t k = 0; k < sizeof acts / sizeof *acts; ++k)
    if (nsds_mjcf_get(&v, acts[k]))
      nsds_robot_note(m->robot, at, "%s of a fixed tendon is left out", acts[k]);
  nsds_xml_use_all(at);
}

/* ---- spatial tendons ---- */

/* The two sites of a straight tendon; false for other tendons, or after a failure. */
static bool read_sites(nsds_mjcf *m, nsds_xml *at, const nsds_mjcf_frame *end[2]) {
  int count = 0, others = 0;
  for (nsds_xml *e = NULL; (e = nsds_xml_child(at, NULL, e)) != NULL;) {
    nsds_xml_use(e);
    if (strcmp(e->name, "site") != 0) {
      ++others;
      continue;
    }
    const char *name = nsds_xml_get(e, "site");
    const nsds_mjcf_frame *frame = nsds_mjcf_frame_of(&m->sites, name);
    if (!frame) return nsds_robot_fail(m->robot, e, "there is no site \"%.60s\"", name ? name : "");
    if (count < 2) end[count] = frame;
    ++count;
  }
  if (count == 2 && others == 0) return true;
  nsds_xml_use_all(at);
  nsds_robot_note(m->robot, at,
                  "the tendon is left out: it has %d sites and %d other parts; valid are two sites "
                  "and a straight line between them",
                  count, others);
  return false;
}

static void read_spatial(nsds_mjcf *m, nsds_xml *at) {
  nsds_robot *r = m->robot;
  nsds_mjcf_view v = nsds_mjcf_look(m, at, "tendon", m->nclass ? 0 : -1);
  const nsds_mjcf_frame *end[2];
  double range[2] = {0.0, 0.0}, rest[2] = {-1.0, -1.0};
  char text[40];
  const char *name = nsds_xml_get(at, "name");
  if (!read_sites(m, at, end)) return;
  nsds_print(text, sizeof text, "tendon_%d", r->ncable + 1);
  nsds_robot_cable c = {.name = nsds_robot_name(r, at, name ? name : text), .at = at};
  bool swap = end[0]->body == nsds_robot_world; /* the world comes last */
  for (int k = 0; k < 2; ++k) {
    const nsds_mjcf_frame *frame = end[swap ? 1 - k : k];
    c.body[k] = frame->body;
    memcpy(c.point[k], frame->pose.p, sizeof c.point[k]);
  }
  nsds_mjcf_number(&v, "stiffness", &c.stiffness);
  nsds_mjcf_number(&v, "damping", &c.damping);
  int count = nsds_mjcf_numbers(&v, "range", 2, 2, range);
  if (nsds_mjcf_limited(&v, "limited", count > 0)) c.longest = range[1];
  if (nsds_mjcf_numbers(&v, "springlength", 1, 2, rest) > 0 && rest[0] >= 0.0) c.rest = rest[0];
  if (rest[0] < 0.0) c.rest = nsds_robot_spring_length(r, &c);
  static const char *const looks[] = {"width", "rgba", "material", "group"};
  for (size_t k = 0; k < sizeof looks / sizeof *looks; ++k) nsds_mjcf_get(&v, looks[k]);
  if (r->failed) return;
  if (c.stiffness < 0.0 || c.damping < 0.0 || (c.longest != 0.0 && !(c.longest > 0.0)))
    nsds_robot_fail(r, at,
                    "stiffness, damping and the upper range are %g, %g and %g; valid are numbers "
                    ">= 0, and a range above 0",
                    c.stiffness, c.damping, c.longest);
  else if (c.body[0] == c.body[1])
    nsds_robot_note(r, at, "the tendon has no effect: both its sites are on one body");
  else {
    if (c.longest > 0.0 && range[0] > 0.0)
      nsds_robot_note(r, at,
                      "the lower range of the tendon is left out: a rope has no least length");
    if (rest[1] > rest[0])
      nsds_robot_note(r, at, "springlength has two numbers; the first is taken");
    nsds_robot_add_cable(r, &c);
  }
}

void nsds_mjcf_tendons(nsds_mjcf *m, nsds_xml *section) {
  for (nsds_xml *e = NULL; !m->robot->failed && (e = nsds_xml_child(section, NULL, e)) != NULL;) {
    nsds_xml_use(e);
    if (strcmp(e->name, "spatial") == 0) read_spatial(m, e);
    else if (strcmp(e->name, "fixed") == 0) tell_fixed(m, e);
  }
}
