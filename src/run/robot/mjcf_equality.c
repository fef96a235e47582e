/*
 * Equalities of MJCF and excluded pairs, see mjcf_parts.h. Equalities become joints that close loops,
 * and couplers. These hold exactly, so solref and solimp have no counterpart.
 */
#include "run/robot/mjcf_equality.h"
#include "run/robot/mjcf_default.h"
#include "run/robot/mjcf_frame.h"
#include "run/robot/mjcf_surface.h"
#include "run/robot/mjcf_tendon.h"

#include "base/text/format.h"
#include "base/text/words.h"

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
  *found =
      (nsds_mjcf_frame){.name = "world", .body = nsds_robot_world, .pose = nsds_pose_identity()};
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
                        .closes = true,
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

/* Adds factor times the growth of a tendon's length since the start. */
static void add_tendon(nsds_mjcf *m, nsds_xml *at, const char *key, double factor,
                       nsds_robot_coupler *k) {
  nsds_mjcf_tendon tendon;
  if (!nsds_mjcf_tendon_of(m, at, key, &tendon)) return;
  for (int i = 0; i < tendon.count && factor != 0.0; ++i) {
    if (k->nterm == nsds_mjcf_most_terms) {
      nsds_robot_fail(m->robot, at, "the equality has more than %d joints", nsds_mjcf_most_terms);
      return;
    }
    k->joint[k->nterm] = tendon.joint[i];
    k->weight[k->nterm++] = factor * tendon.weight[i];
    k->offset -= factor * tendon.weight[i] * m->robot->joint[tendon.joint[i]].start;
  }
}

static void add_tendon_equality(nsds_mjcf *m, nsds_xml *at) {
  nsds_robot *r = m->robot;
  double c[5] = {0.0, 1.0};
  nsds_robot_numbers(r, at, "polycoef", 1, 5, c);
  nsds_robot_coupler k = {.name = equality_name(m, at), .at = at, .offset = -c[0]};
  if (c[2] != 0.0 || c[3] != 0.0 || c[4] != 0.0)
    nsds_robot_fail(r, at, "polycoef has powers above 1; valid are \"C0 C1 0 0 0\"");
  add_tendon(m, at, "tendon1", 1.0, &k);
  if (nsds_xml_get(at, "tendon2")) add_tendon(m, at, "tendon2", -c[1], &k);
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

/* Two geoms that meet whatever their bits say. */
static void add_contact_pair(nsds_mjcf *m, nsds_xml *at) {
  static const char *const left_out[] = {"solreffriction", "margin", "gap"};
  static const char *const key[2] = {"geom1", "geom2"};
  nsds_robot *r = m->robot;
  const nsds_mjcf_frame *geom[2];
  nsds_xml_get(at, "name");
  for (int k = 0; k < 2; ++k) {
    const char *name = nsds_xml_get(at, key[k]);
    geom[k] = nsds_mjcf_frame_of(&m->geoms, name);
    if (!geom[k]) {
      nsds_robot_fail(r, at, "there is no geom \"%.60s\"", name ? name : "");
      return;
    }
  }
  nsds_mjcf_view v = nsds_mjcf_look(m, at, "pair", m->nclass ? 0 : -1);
  for (size_t k = 0; k < sizeof left_out / sizeof *left_out; ++k)
    if (nsds_mjcf_get(&v, left_out[k]))
      nsds_robot_note(r, at, "%s of the pair is left out; both geoms have their own", left_out[k]);
  if (geom[0]->body == geom[1]->body) {
    nsds_robot_note(r, at, "the pair has no effect: both geoms are of one body");
    return;
  }
  nsds_mjcf_pair pair = {.a = geom[0]->shape, .b = geom[1]->shape};
  nsds_mjcf_pair_surface(&v, &pair);
  nsds_robot_took(r, nsds_room(r->context, &m->pair, &m->pair_room, m->npair + 1, sizeof *m->pair));
  if (r->failed) return;
  m->pair[m->npair++] = pair;
  for (int k = 0; k < 2; ++k) r->shape[geom[k]->shape].meets = !m->no_contact;
}

void nsds_mjcf_contacts(nsds_mjcf *m, nsds_xml *section) {
  for (nsds_xml *e = NULL; !m->robot->failed && (e = nsds_xml_child(section, "pair", e)) != NULL;)
    add_contact_pair(m, e);
  for (nsds_xml *e = NULL;
       !m->robot->failed && (e = nsds_xml_child(section, "exclude", e)) != NULL;) {
    nsds_mjcf_frame one, two;
    nsds_xml_get(e, "name");
    if (find_body(m, e, "body1", &one) && find_body(m, e, "body2", &two) && one.body != two.body)
      nsds_robot_add_pair(m->robot, &(nsds_robot_pair){one.body, two.body, e});
  }
}
