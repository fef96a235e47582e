/*
 * Equalities of MJCF and excluded pairs, see mjcf_parts.h. Equalities become joints that close loops,
 * and couplers. These hold exactly, so solref and solimp have no counterpart.
 */
#include "run/robot/mjcf_equality.h"
#include "run/robot/mjcf_actuator.h"
#include "run/robot/mjcf_body.h"

#include "base/text/format.h"

#include <math.h>
#include <string.h>

static const char *equality_name(nsds_mjcf *m, nsds_xml *at) {
  char text[40];
  const char *name = nsds_xml_get(at, "name");
  nsds_print(text, sizeof text, "equality_%d", m->robot->njoint + m->robot->ncoupler + 1);
  return nsds_robot_name(m->robot, at, name ? name : text);
}

/* A body of the file by an attribute; NULL without a name stands for the world. */
static bool find_body(nsds_mjcf *m, nsds_xml *at, const char *key, nsds_mjcf_frame *found) {
  const char *name = nsds_xml_get(at, key);
  const nsds_mjcf_frame *frame = nsds_mjcf_frame_of(&m->bodies, name);
  *found = (nsds_mjcf_frame){"world", nsds_robot_world, nsds_pose_identity()};
  if (frame) *found = *frame;
  return frame || !name || strcmp(name, "world") == 0 ||
         nsds_robot_fail(m->robot, at, "there is no body \"%.60s\"", name);
}

/* A ball joint or a weld of two bodies. */
static void add_closing(nsds_mjcf *m, nsds_xml *at, bool weld) {
  nsds_robot *r = m->robot;
  nsds_mjcf_frame one, two;
  double anchor[3] = {0.0}, relpose[7] = {0.0};
  if (nsds_xml_get(at, "site1")) {
    const nsds_mjcf_frame *a = nsds_mjcf_frame_of(&m->sites, nsds_xml_get(at, "site1"));
    const nsds_mjcf_frame *b = nsds_mjcf_frame_of(&m->sites, nsds_xml_get(at, "site2"));
    if (!a || !b) {
      nsds_robot_fail(r, at, "site1 or site2 is no site of the file");
      return;
    }
    one = *a, two = *b;
    for (int i = 0; i < 3; ++i)
      if (fabs(a->pose.p[i] - b->pose.p[i]) > 1e-9) {
        nsds_robot_fail(r, at, "the sites are apart at the start; valid are sites in one place");
        return;
      }
  } else if (!find_body(m, at, "body1", &one) || !find_body(m, at, "body2", &two)) {
    return;
  }
  nsds_robot_numbers(r, at, "anchor", 3, 3, anchor);
  if (nsds_robot_numbers(r, at, "relpose", 7, 7, relpose) > 0 &&
      (relpose[3] != 0.0 || relpose[4] != 0.0 || relpose[5] != 0.0 || relpose[6] != 0.0))
    nsds_robot_note(r, at, "the weld keeps the pose at the start, not relpose");
  if (one.body == two.body) {
    nsds_robot_fail(r, at, "both bodies are one, or stand still");
    return;
  }
  bool second = one.body == nsds_robot_world;
  nsds_robot_joint j = {.name = equality_name(m, at),
                        .at = at,
                        .kind = weld ? NSDS_ROBOT_FIXED : NSDS_ROBOT_BALL,
                        .child = second ? two.body : one.body,
                        .parent = second ? one.body : two.body,
                        .lower = -(double)INFINITY,
                        .upper = (double)INFINITY};
  nsds_pose_point(&one.pose, anchor, j.point);
  if (!r->failed) nsds_robot_add_joint(r, &j);
}

/* joint1 - start1 = c0 + c1 (joint2 - start2). */
static void add_joint_equality(nsds_mjcf *m, nsds_xml *at) {
  nsds_robot *r = m->robot;
  double c[5] = {0.0, 1.0};
  nsds_robot_numbers(r, at, "polycoef", 1, 5, c);
  int one = nsds_mjcf_joint_of(m, at, "joint1");
  int two = nsds_xml_get(at, "joint2") ? nsds_mjcf_joint_of(m, at, "joint2") : -1;
  if (r->failed) return;
  if (c[2] != 0.0 || c[3] != 0.0 || c[4] != 0.0) {
    nsds_robot_fail(r, at, "polycoef has powers above 1; valid are \"C0 C1 0 0 0\"");
    return;
  }
  bool both = two >= 0 && c[1] != 0.0;
  nsds_robot_coupler k = {.name = equality_name(m, at), .at = at, .nterm = both ? 2 : 1};
  k.joint[0] = one, k.joint[1] = two;
  k.weight[0] = 1.0, k.weight[1] = -c[1];
  k.offset = -c[0] - r->joint[one].start + (both ? c[1] * r->joint[two].start : 0.0);
  if (!r->failed) nsds_robot_add_coupler(r, &k);
}

static nsds_xml *tendon_of(nsds_mjcf *m, nsds_xml *at, const char *key) {
  const char *name = nsds_xml_get(at, key);
  for (nsds_xml *section = NULL;
       (section = nsds_xml_child(m->robot->root, "tendon", section)) != NULL;)
    for (nsds_xml *e = NULL; (e = nsds_xml_child(section, "fixed", e)) != NULL;) {
      const char *own = nsds_xml_get(e, "name");
      if (own && name && strcmp(own, name) == 0) return e;
    }
  if (name) nsds_robot_fail(m->robot, at, "there is no fixed tendon \"%.60s\"", name);
  return NULL;
}

/* Adds factor times the growth of a tendon's length since the start. */
static void add_tendon(nsds_mjcf *m, nsds_xml *tendon, double factor, nsds_robot_coupler *k) {
  for (nsds_xml *e = NULL; tendon && (e = nsds_xml_child(tendon, "joint", e)) != NULL;) {
    double coef = 0.0;
    int joint = nsds_mjcf_joint_of(m, e, "joint");
    nsds_robot_number(m->robot, e, "coef", &coef);
    if (joint < 0 || coef * factor == 0.0) continue;
    if (k->nterm == 8) {
      nsds_robot_fail(m->robot, e, "the equality has more than 8 joints");
      return;
    }
    k->joint[k->nterm] = joint;
    k->weight[k->nterm++] = factor * coef;
    k->offset -= factor * coef * m->robot->joint[joint].start;
  }
}

static void add_tendon_equality(nsds_mjcf *m, nsds_xml *at) {
  nsds_robot *r = m->robot;
  double c[5] = {0.0, 1.0};
  nsds_robot_numbers(r, at, "polycoef", 1, 5, c);
  nsds_robot_coupler k = {.name = equality_name(m, at), .at = at, .offset = -c[0]};
  if (c[2] != 0.0 || c[3] != 0.0 || c[4] != 0.0)
    nsds_robot_fail(r, at, "polycoef has powers above 1; valid are \"C0 C1 0 0 0\"");
  nsds_xml *one = tendon_of(m, at, "tendon1"), *two = tendon_of(m, at, "tendon2");
  add_tendon(m, one, 1.0, &k);
  add_tendon(m, two, -c[1], &k);
  if (k.nterm == 0 && !r->failed) nsds_robot_fail(r, at, "the tendon has no joints");
  if (!r->failed) nsds_robot_add_coupler(r, &k);
}

void nsds_mjcf_equalities(nsds_mjcf *m, nsds_xml *section) {
  for (nsds_xml *e = NULL; !m->robot->failed && (e = nsds_xml_child(section, NULL, e)) != NULL;) {
    const char *active = nsds_xml_get(e, "active");
    bool connect = strcmp(e->name, "connect") == 0, weld = strcmp(e->name, "weld") == 0;
    bool joint = strcmp(e->name, "joint") == 0, tendon = strcmp(e->name, "tendon") == 0;
    if (!connect && !weld && !joint && !tendon) continue;
    nsds_xml_use(e);
    nsds_xml_get(e, "solref");
    nsds_xml_get(e, "solimp");
    if (active && strcmp(active, "false") == 0) nsds_xml_use_all(e);
    else if (joint) add_joint_equality(m, e);
    else if (tendon) add_tendon_equality(m, e);
    else add_closing(m, e, weld);
  }
}

void nsds_mjcf_contacts(nsds_mjcf *m, nsds_xml *section) {
  for (nsds_xml *e = NULL;
       !m->robot->failed && (e = nsds_xml_child(section, "exclude", e)) != NULL;) {
    nsds_mjcf_frame one, two;
    nsds_xml_get(e, "name");
    if (find_body(m, e, "body1", &one) && find_body(m, e, "body2", &two) && one.body != two.body)
      nsds_robot_add_pair(m->robot, &(nsds_robot_pair){one.body, two.body, e});
  }
}
