/*
 * Recording a scene. Each frame keeps, in single precision, poses of all bodies and the contacts
 * that carry a force.
 *
 * The page is written at the end, when the box of the scene is known. The file scene_code.c then
 * makes frames small.
 *
 * A contact is recognized in the next frame by a key: its bodies, its set or interaction, and its
 * key there, mixed to 64 bits. Two contacts with one key would cost a few bytes, no more.
 */
#include "run/scene/scene_data.h"

#include "run/scene/scene_page.h"
#include "run/scene/scene_shapes.h"
#include "run/scene/scene_ties.h"
#include "base/text/words.h"
#include "run/job/guard_call.h"

#include <nsds/contact.h>
#include <nsds/extend.h>
#include <nsds/shapes.h>

#include <math.h>
#include <string.h>

/* ---- making ---- */

static nsds_status scene_check(nsds_context *context, const nsds_scene_def *def) {
  const char *call = "nsds_scene_create";
  if (!context || !def) return nsds_refuse_null(context, call, context ? "def" : "context");
  if (nsds_refuse_reserved(context, call, def->reserved, sizeof def->reserved))
    return NSDS_ERROR_ARGUMENT;
  if (def->nquantities < 0 || (def->nquantities > 0 && !def->names))
    return nsds_report(context, NSDS_ERROR_ARGUMENT,
                       "%s: nquantities is %d; names must have as many", call, def->nquantities);
  for (int k = 0; k < def->nquantities; ++k)
    if (!def->names[k])
      return nsds_report(context, NSDS_ERROR_ARGUMENT, "%s: names[%d] is NULL", call, k);
  if (def->nshape < 0 || (def->nshape > 0 && !def->shape))
    return nsds_report(context, NSDS_ERROR_ARGUMENT, "%s: nshape is %d; shape must have as many",
                       call, def->nshape);
  return NSDS_OK;
}

static nsds_scene_kind kind_of_body(const nsds_ds *ds) {
  const nsds_second_order_ops *ops = nsds_ds_describe(ds).second;
  if (ops && ops->type && strcmp(ops->type, "nsds_rigid_body") == 0) return NSDS_SCENE_SPACE;
  if (ops && ops->type && strcmp(ops->type, "nsds_rigid_body_2d") == 0) return NSDS_SCENE_PLANE;
  return NSDS_SCENE_POINT;
}

/* Systems of second order are bodies, in the order of the model. */
static nsds_status list_bodies(nsds_scene *s) {
  int count = s->model ? nsds_ds_count(s->model) : 0;
  NSDS_MAKE(s->context, s->body, (size_t)count + 1);
  if (!s->body) return NSDS_ERROR_MEMORY;
  for (int k = 0; k < count; ++k) {
    nsds_ds *ds = nsds_ds_at(s->model, k);
    if (nsds_nq(ds) > 0)
      s->body[s->nbody++] = (nsds_scene_body){.ds = ds, .kind = kind_of_body(ds)};
  }
  return NSDS_OK;
}

static nsds_status scene_fill(nsds_scene *s, const nsds_scene_def *def) {
  const char *title = def->title ? def->title : s->model ? nsds_model_name(s->model) : "";
  s->without_forces = def->without_forces;
  s->title = nsds_copy_word(s->context, title);
  if (!s->title || list_bodies(s)) return NSDS_ERROR_MEMORY;
  for (int k = 0; k < def->nquantities; ++k) {
    const char *unit = def->units && def->units[k] ? def->units[k] : "";
    if (nsds_columns_add(s->context, &s->columns, def->names[k], unit) < 0)
      return NSDS_ERROR_MEMORY;
  }
  nsds_status status = nsds_scene_shapes(s, def->nshape, def->shape);
  return status ? status : nsds_scene_ties(s);
}

nsds_scene *nsds_scene_create(nsds_context *context, nsds_model *model, const nsds_scene_def *def) {
  if (scene_check(context, def)) return NULL;
  nsds_scene *s = nsds_alloc(context, "a scene", 1, sizeof *s);
  nsds_bytes none = {.context = context};
  if (s) *s = (nsds_scene){.context = context, .model = model, .shapes = none, .ties = none};
  if (s && scene_fill(s, def) == NSDS_OK) return s;
  nsds_scene_destroy(s);
  return NULL;
}

void nsds_scene_destroy(nsds_scene *s) {
  if (!s) return;
  nsds_columns_free(&s->columns);
  nsds_bytes_free(&s->shapes);
  nsds_bytes_free(&s->ties);
  nsds_free(s->title);
  nsds_free(s->body);
  nsds_free(s->frame);
  nsds_free(s->pose);
  nsds_free(s->force);
  nsds_free(s->value);
  nsds_free(s);
}

/* ---- a frame ---- */

static nsds_scene_pose pose_of_body(const nsds_scene_body *body) {
  const double *q = nsds_q(body->ds);
  int count = nsds_nq(body->ds), places = body->kind == NSDS_SCENE_PLANE ? 2 : 3;
  nsds_scene_pose pose = {.turn = {1.0f, 0.0f, 0.0f, 0.0f}};
  for (int i = 0; i < places && i < count; ++i) pose.x[i] = (float)q[i];
  if (body->kind == NSDS_SCENE_PLANE) {
    pose.turn[0] = (float)cos(0.5 * q[2]);
    pose.turn[3] = (float)sin(0.5 * q[2]);
  }
  for (int i = 0; i < 4 && body->kind == NSDS_SCENE_SPACE; ++i) pose.turn[i] = (float)q[3 + i];
  return pose;
}

static uint64_t mix_key(uint64_t key, uint64_t more) {
  key = (key ^ more) * UINT64_C(0x9e3779b97f4a7c15);
  return key ^ key >> 29;
}

static uint64_t key_of_contact(const nsds_contact_info *c) {
  uint64_t key = mix_key(c->key, (uint64_t)(uintptr_t)c->set);
  key = mix_key(key, (uint64_t)(uintptr_t)c->interaction);
  key = mix_key(key, (uint64_t)(uintptr_t)c->ds[0]);
  return mix_key(key, (uint64_t)(uintptr_t)c->ds[1]);
}

static nsds_status take_forces(nsds_scene *s) {
  nsds_contact_info c;
  nsds_contact_iterator at = nsds_model_contacts(s->model);
  while (nsds_next_contact(&at, &c)) {
    const double *f = c.world_force;
    if (!c.located || (f[0] == 0.0 && f[1] == 0.0 && f[2] == 0.0)) continue;
    if (s->nforce == INT32_MAX / 2)
      return nsds_report(s->context, NSDS_ERROR_SIZE,
                         "nsds_scene_record: the scene has %d contacts, and no room", s->nforce);
    if (nsds_room(s->context, &s->force, &s->force_capacity, s->nforce + 1, sizeof *s->force))
      return NSDS_ERROR_MEMORY;
    nsds_scene_force *force = &s->force[s->nforce++];
    force->key = key_of_contact(&c);
    for (int i = 0; i < 3; ++i) {
      force->point[i] = (float)c.point[i];
      force->force[i] = (float)f[i];
    }
  }
  return NSDS_OK;
}

/* A scene has the bodies that it began with. */
static bool same_bodies(const nsds_scene *s) {
  int count = s->model ? nsds_ds_count(s->model) : 0, seen = 0;
  for (int k = 0; k < count; ++k) {
    const nsds_ds *ds = nsds_ds_at(s->model, k);
    if (nsds_nq(ds) > 0 && (seen == s->nbody || s->body[seen++].ds != ds)) return false;
  }
  return seen == s->nbody;
}

static nsds_status scene_check_frame(nsds_scene *s, double t, const double *quantities) {
  const char *call = "nsds_scene_record";
  if (s->columns.count > 0 && !quantities) return nsds_refuse_null(s->context, call, "quantities");
  if (!isfinite(t))
    return nsds_report(s->context, NSDS_ERROR_VALUE, "%s: t is %g; valid are finite times", call,
                       t);
  if (s->nframe > 0 && t < s->frame[s->nframe - 1].t)
    return nsds_report(s->context, NSDS_ERROR_VALUE,
                       "%s: t is %g; valid are times from %g on, the time of the last frame", call,
                       t, s->frame[s->nframe - 1].t);
  if (!same_bodies(s))
    return nsds_report(s->context, NSDS_ERROR_STATE,
                       "%s: systems have come or gone; record them in a new scene", call);
  int most = INT32_MAX / 2 - 1, each = s->nbody > s->columns.count ? s->nbody : s->columns.count;
  if (s->nframe >= most / (each + 1))
    return nsds_report(s->context, NSDS_ERROR_SIZE, "%s: the scene has %d frames, and no room",
                       call, s->nframe);
  return NSDS_OK;
}

static nsds_status make_room(nsds_scene *s) {
  int frames = s->nframe + 1;
  if (nsds_room(s->context, &s->frame, &s->frame_capacity, frames, sizeof *s->frame) ||
      nsds_room(s->context, &s->pose, &s->pose_capacity, frames * s->nbody, sizeof *s->pose))
    return NSDS_ERROR_MEMORY;
  return nsds_room(s->context, &s->value, &s->value_capacity, frames * s->columns.count,
                   sizeof *s->value);
}

nsds_status nsds_scene_record(nsds_scene *s, double t, const double *quantities) {
  const char *call = "nsds_scene_record";
  if (!s) return nsds_refuse_null(NULL, call, "scene");
  nsds_status status = scene_check_frame(s, t, quantities);
  if (status) return status;
  if (make_room(s)) return NSDS_ERROR_MEMORY;
  int before = s->nforce;
  if (s->model && !s->without_forces) status = take_forces(s);
  if (status) {
    s->nforce = before;
    return status;
  }
  for (int k = 0; k < s->nbody; ++k) s->pose[s->nframe * s->nbody + k] = pose_of_body(&s->body[k]);
  for (int k = 0; k < s->columns.count; ++k)
    s->value[s->nframe * s->columns.count + k] = (float)quantities[k];
  s->frame[s->nframe++] = (nsds_scene_frame){t, s->nforce};
  return NSDS_OK;
}

nsds_status nsds_scene_write_html(nsds_scene *s, const char *path) {
  const char *call = "nsds_scene_write_html";
  if (!s || !path) return nsds_refuse_null(s ? s->context : NULL, call, s ? "path" : "scene");
  return nsds_scene_write_page(s, call, path);
}
