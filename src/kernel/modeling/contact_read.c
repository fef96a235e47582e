/*
 * Contacts as programs read them, from sets and from interactions between bodies. Local components
 * come from the state. With the frame n, t1, t2
 *
 *   force  P1 n + P2 t1 + P3 t2 on the first body,   moment  P4 t1 + P5 t2 (rolling)
 *
 * in the plane P1 n + P2 t and P3. A found contact keeps its frame. The relation of an interaction
 * computes the frame.
 */
#include "base/arena.h"
#include "base/context.h"
#include "kernel/modeling/body.h"
#include "kernel/modeling/contact_frame.h"
#include "kernel/modeling/contact_relation.h"
#include "kernel/modeling/contact_set.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/local.h"

/* ---- the world ------------------------------------------------------------------------------- */

static void add_along(double factor, const double *direction, double *sum) {
  for (int k = 0; k < 3; ++k) sum[k] += factor * direction[k];
}

static void turn_into_world(const nsds_contact_info *c, const double *local, double *force,
                            double *moment) {
  bool space = c->dimension == 3;
  int tangents = space ? 2 : 1, rows = c->rows;
  if (rows > 0) add_along(local[0], c->normal, force);
  for (int i = 1; i < rows && i <= tangents; ++i) add_along(local[i], c->tangent[i - 1], force);
  for (int i = 3; space && i < rows && i < 5; ++i) add_along(local[i], c->tangent[i - 3], moment);
  if (!space && rows > 2) moment[2] = local[2];
}

/* Sets a valid place, its tangents and the forces in the world. */
static void locate(nsds_contact_info *c, const nsds_contact_place *at) {
  double *n = c->normal, *t1 = c->tangent[0], *t2 = c->tangent[1];
  c->located = true;
  c->dimension = at->dimension;
  memcpy(c->point, at->point, sizeof c->point);
  memcpy(c->shape, at->shape, sizeof c->shape);
  memcpy(n, at->normal, sizeof c->normal);
  memcpy(t1, at->tangent, sizeof at->tangent);
  if (at->dimension == 2) t1[0] = n[1], t1[1] = -n[0], t1[2] = 0.0;
  else if (nsds_dot(t1, t1) == 0.0) nsds_choose_tangents(n, t1, t2);
  else nsds_cross(n, t1, t2);
  turn_into_world(c, c->impulse, c->world_impulse, c->world_twist);
  turn_into_world(c, c->force, c->world_force, c->world_moment);
}

/* ---- contacts of sets ------------------------------------------------------------------------ */

static void show_found(const nsds_contact_set *set, int k, nsds_contact_info *info) {
  const nsds_state *s = &set->model->state;
  const nsds_contact_pair *pair = &set->pair[k];
  int row = set->first_row + k * set->law->size;
  *info = (nsds_contact_info){.key = set->key[k],
                              .ds = {nsds_ds_handle(pair->ds[0]), nsds_ds_handle(pair->ds[1])},
                              .y = s->y + row,
                              .ydot = s->ydot + row,
                              .impulse = s->impulse + row,
                              .force = s->force + row,
                              .active = set->active[k],
                              .set = nsds_place_handle((void *)(uintptr_t)set),
                              .rows = set->law->size};
  if (pair->dimension == 0) return;
  nsds_contact_place at = {.dimension = pair->dimension, .shape = {pair->shape[0], pair->shape[1]}};
  memcpy(at.point, pair->point, sizeof at.point);
  memcpy(at.normal, pair->normal, sizeof at.normal);
  if (set->tangents) memcpy(at.tangent, set->tangent[k], sizeof at.tangent);
  locate(info, &at);
}

nsds_status nsds_contact_set_get(const nsds_contact_set *handle, int k, nsds_contact_info *info) {
  const char *call = "nsds_contact_set_get";
  const nsds_contact_set *set = nsds_contact_set_alive(handle, call);
  if (!set) return NSDS_ERROR_ARGUMENT;
  if (!info) return nsds_fail_null(set->model->context, call, "info");
  if (k < 0 || k >= set->count)
    return nsds_fail(set->model->context, NSDS_ERROR_ARGUMENT,
                     "%s: k is %d; the set has %d contacts, valid are indices from 0", call, k,
                     set->count);
  show_found(set, k, info);
  return NSDS_OK;
}

/* ---- interactions ---------------------------------------------------------------------------- */

static bool is_body_contact(const nsds_interaction *ia) {
  return ia->relation->ops->gradient_v == nsds_contact_relation_gradient;
}

/* Asks the relation for the contact at the model's state. The place stays unknown during functions
 * of the model, perhaps the relation's own, and before a simulation sets the time. */
static nsds_status ask_relation(nsds_interaction *ia, nsds_contact_info *info) {
  nsds_model *model = ia->model;
  nsds_contact_place at = {.dimension = 0};
  unsigned busy = model->busy;
  bool quiet = !(busy & NSDS_BUSY_CALL) && !nsds_hook(model->context);
  if (!quiet || model->borrower.count == 0) return NSDS_OK;
  nsds_arguments in = nsds_gather(ia, &model->state, model->state.force, 1.0, model->scratch);
  model->busy |= NSDS_BUSY_CALL;
  nsds_status status = nsds_contact_relation_place(ia->relation->self, &in, &at);
  model->busy = busy;
  if (!status) locate(info, &at);
  return status;
}

static nsds_status show_interaction(nsds_interaction *ia, nsds_contact_info *info) {
  nsds_interaction *handle = nsds_place_handle(ia);
  *info = (nsds_contact_info){
      .ds = {nsds_ds_handle(ia->ds[0]), ia->nds > 1 ? nsds_ds_handle(ia->ds[1]) : NULL},
      .y = nsds_y(handle),
      .ydot = nsds_ydot(handle),
      .impulse = nsds_impulse(handle),
      .force = nsds_lambda(handle),
      .active = ia->active,
      .interaction = handle,
      .rows = ia->m};
  return ask_relation(ia, info);
}

nsds_status nsds_interaction_contact(const nsds_interaction *interaction, nsds_contact_info *info) {
  const char *call = "nsds_interaction_contact";
  char label[nsds_label_size];
  nsds_interaction *ia = nsds_interaction_find(interaction, call);
  if (!ia) return interaction ? NSDS_ERROR_ARGUMENT : nsds_fail_null(NULL, call, "interaction");
  if (!info) return nsds_fail_null(ia->model->context, call, "info");
  if (is_body_contact(ia)) return show_interaction(ia, info);
  return nsds_fail(ia->model->context, NSDS_ERROR_ARGUMENT,
                   "%s: %s is not a contact of bodies; valid are relations of "
                   "nsds_contact_relation(), nsds_sphere_plane_relation() and "
                   "nsds_sphere_sphere_relation()",
                   call, nsds_interaction_label(ia, label));
}

/* ---- all of them ----------------------------------------------------------------------------- */

nsds_contact_iterator nsds_set_contacts(const nsds_contact_set *set) {
  const nsds_contact_set *place = nsds_contact_set_alive(set, "nsds_set_contacts");
  return (nsds_contact_iterator){.model = place ? place->model : NULL, .set = place ? set : NULL};
}

nsds_contact_iterator nsds_body_contacts(const nsds_ds *handle) {
  const nsds_ds *ds = nsds_ds_find(handle, "nsds_body_contacts");
  if (!handle) nsds_fail_null(NULL, "nsds_body_contacts", "ds");
  return (nsds_contact_iterator){.model = ds ? ds->model : NULL, .ds = ds ? handle : NULL};
}

nsds_contact_iterator nsds_model_contacts(const nsds_model *model) {
  if (!model) nsds_fail_null(NULL, "nsds_model_contacts", "model");
  return (nsds_contact_iterator){.model = model};
}

static bool concerns(const nsds_contact_iterator *it, nsds_ds *const *ds, int count) {
  const nsds_ds *wanted = nsds_ds_of(it->ds);
  return !wanted || wanted == ds[0] || (count > 1 && wanted == ds[1]);
}

static bool next_found(nsds_contact_iterator *it, const nsds_contact_set *set,
                       nsds_contact_info *contact) {
  while (it->next < set->count) {
    int k = it->next++;
    if (!concerns(it, set->pair[k].ds, 2)) continue;
    show_found(set, k, contact);
    return true;
  }
  return false;
}

static bool next_interaction(nsds_contact_iterator *it, nsds_contact_info *contact) {
  while ((size_t)it->next < it->model->interaction.count) {
    nsds_interaction *ia = it->model->interaction.item[it->next++];
    if (!is_body_contact(ia) || !concerns(it, ia->ds, ia->nds)) continue;
    show_interaction(ia, contact);
    return true;
  }
  return false;
}

bool nsds_next_contact(nsds_contact_iterator *it, nsds_contact_info *contact) {
  const char *call = "nsds_next_contact";
  if (!it || !contact) {
    nsds_fail_null(it && it->model ? it->model->context : NULL, call, it ? "contact" : "iterator");
    return false;
  }
  if (!it->model || (it->ds && !nsds_ds_find(it->ds, call))) return false;
  if (it->set) {
    const nsds_contact_set *set = nsds_contact_set_alive(it->set, call);
    return set && next_found(it, set, contact);
  }
  for (; (size_t)it->part < it->model->set.count; ++it->part, it->next = 0)
    if (next_found(it, it->model->set.item[it->part], contact)) return true;
  return next_interaction(it, contact);
}
