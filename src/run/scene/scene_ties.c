/*
 * Joints, springs and other relations of a scene, as objects of JSON. Each has a kind, a name and
 * two bodies (-1: the world). Each may have a point in the axes of each body, and an axis in the
 * axes of the first. A stop tells its way, see put_stop(). All stay fixed to the bodies, so frames have no part of them.
 *
 * A relation without points ties the centers of its systems. The page shows contacts by their
 * forces, so they are no ties.
 */
#include "run/scene/scene_ties.h"

#include "run/scene/scene_bodies.h"

#include <nsds/contact.h>
#include <nsds/tie.h>

#include <math.h>
#include <string.h>

static const char *name_of_joint(nsds_joint_kind kind) {
#define NAME_OF(name) #name,
  static const char *const names[] = {NSDS_JOINT_TYPES(NAME_OF)};
#undef NAME_OF
  size_t k = (size_t)kind - NSDS_JOINT_BALL;
  return k < sizeof names / sizeof *names ? names[k] : "other";
}

static const char *name_of_tie(const nsds_tie *tie) {
  switch (tie->kind) {
  case NSDS_TIE_JOINT: return name_of_joint(tie->joint);
  case NSDS_TIE_ANGLE: return "angle";
  case NSDS_TIE_DISPLACEMENT: return "displacement";
  case NSDS_TIE_SPRING:
  case NSDS_TIE_COORDINATES: return "spring";
  case NSDS_TIE_OTHER: break;
  }
  return "other";
}

/* A direction of the world in the axes of a body. */
static void own_direction(const nsds_scene *s, int body, const double *world, double *own) {
  double tip[3], root[3], zero[3] = {0.0, 0.0, 0.0};
  nsds_scene_own_axes(s, body, world, tip);
  nsds_scene_own_axes(s, body, zero, root);
  for (int i = 0; i < 3; ++i) own[i] = tip[i] - root[i];
}

/* The end of a spring between a coordinate and the world: the point of coordinate zero. */
static void place_at_zero(const nsds_scene *s, int body, int coordinate, double *point) {
  const double *q = nsds_q(s->body[body].ds);
  int count = nsds_nq(s->body[body].ds);
  for (int i = 0; i < 3; ++i) point[i] = i < count && i != coordinate ? q[i] : 0.0;
}

/* A stop: how far away it is, and a direction across the axis in the axes of both bodies. The angle counts from
 * there, in the body that does not turn. */
static void put_stop(nsds_scene *s, const nsds_tie *tie, int first, int second) {
  nsds_bytes *out = &s->ties;
  const double *a = tie->axis;
  double across[3] = {0.0}, own[3];
  int least = 0;
  for (int i = 1; i < 3; ++i)
    if (fabs(a[i]) < fabs(a[least])) least = i;
  for (int i = 0; i < 3; ++i) across[i] = (i == least) - a[least] * a[i];
  double length = hypot(hypot(across[0], across[1]), across[2]);
  for (int i = 0; i < 3; ++i) across[i] /= length;
  nsds_bytes_list(out, "way", &tie->way, 1);
  own_direction(s, first, across, own);
  nsds_bytes_list(out, "hand", own, 3);
  own_direction(s, second, across, own);
  nsds_bytes_list(out, "start", own, 3);
  own_direction(s, second, a, own);
  nsds_bytes_list(out, "about", own, 3);
}

static void put_tie(nsds_scene *s, const nsds_interaction *ia, const nsds_tie *tie, int first,
                    int second) {
  nsds_bytes *out = &s->ties;
  double from[3] = {0.0}, to[3] = {0.0}, axis[3] = {0.0};
  bool to_zero = !tie->located && second < 0 && tie->kind == NSDS_TIE_COORDINATES &&
                 s->body[first].kind == NSDS_SCENE_POINT;
  bool two_ends = tie->located || second >= 0 || to_zero;
  if (to_zero) place_at_zero(s, first, tie->coordinate[0], to);
  if (tie->located) {
    nsds_scene_own_axes(s, first, tie->point[0], from);
    nsds_scene_own_axes(s, second, tie->point[1], to);
    nsds_scene_widen(s, hypot(hypot(from[0], from[1]), from[2]));
    if (second >= 0) nsds_scene_widen(s, hypot(hypot(to[0], to[1]), to[2]));
  }
  if (tie->directed) own_direction(s, first, tie->axis, axis);
  nsds_bytes_print(out, "%s{\"kind\":\"%s\",\"name\":", out->count > 1 ? "," : "",
                   name_of_tie(tie));
  nsds_bytes_string(out, nsds_interaction_name(ia));
  nsds_bytes_print(out, ",\"body\":%d,\"other\":%d,", first, second);
  if (tie->directed) nsds_bytes_list(out, "axis", axis, 3);
  if (two_ends) nsds_bytes_list(out, "to", to, 3);
  if (tie->stops && tie->directed) put_stop(s, tie, first, second);
  nsds_bytes_list(out, "from", from, 3);
  out->count -= !out->failed; /* the comma behind the list */
  nsds_bytes_print(out, "}");
}

/* Marks interactions that are contacts with a place. Contacts come in the order of interactions. */
static void mark_contacts(const nsds_scene *s, bool *contact) {
  nsds_contact_iterator at = nsds_model_contacts(s->model);
  nsds_contact_info c;
  int count = nsds_interaction_count(s->model), found = 0;
  while (nsds_next_contact(&at, &c)) {
    if (!c.located || !c.interaction) continue;
    for (int k = 0; k < count; ++k, found = (found + 1) % count)
      if (nsds_interaction_at(s->model, found) == c.interaction) break;
    contact[found] = true;
  }
}

nsds_status nsds_scene_ties(nsds_scene *s) {
  int count = s->model ? nsds_interaction_count(s->model) : 0;
  bool *contact = nsds_alloc(s->context, "contacts of a page", (size_t)count + 1, sizeof *contact);
  if (!contact) return NSDS_ERROR_MEMORY;
  nsds_bytes_put(&s->ties, "[", 1);
  if (count > 0) mark_contacts(s, contact);
  for (int k = 0; k < count; ++k) {
    const nsds_interaction *ia = nsds_interaction_at(s->model, k);
    int systems = nsds_interaction_ds_count(ia);
    int first = nsds_scene_body_of(s, nsds_interaction_ds(ia, 0));
    nsds_tie tie;
    if (contact[k] || first < 0 || nsds_tie_read(ia, &tie)) continue;
    if (systems == 1) put_tie(s, ia, &tie, first, -1);
    for (int i = 1; i < systems; ++i) {
      int second = nsds_scene_body_of(s, nsds_interaction_ds(ia, i));
      if (second >= 0) put_tie(s, ia, &tie, first, second);
    }
  }
  nsds_bytes_put(&s->ties, "]", 1);
  nsds_free(contact);
  return s->ties.failed ? NSDS_ERROR_MEMORY : NSDS_OK;
}
