/*
 * Removes systems. The last system takes the place of the removed one in the list. The arrays of
 * states stay without holes and in the order of the list:
 *
 *   [ a | gone | b c | last ]  ->  [ a | last | b c ]
 *
 * Systems of one size exchange blocks; otherwise three reversals turn the tail in place. Systems
 * count their interactions, and contact sets tell their shapes.
 */
#include "kernel/modeling/system_destroy.h"

#include "base/arena.h"
#include "base/context.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/contact_set.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"

#include <nsds/shapes.h>

void nsds_ds_release(nsds_ds *ds) {
  nsds_context *context = ds->model->context;
  if (ds->type.destroy) ds->type.destroy(ds->self);
  nsds_release(context, ds->prescribed.index);
  nsds_release(context, ds->parameters.storage);
  nsds_release(context, ds->guarded.integrator);
}

/* ---- who uses a system ----------------------------------------------------------------------- */

static bool contact_is_of(const nsds_contact_set *set, int k, const nsds_ds *ds) {
  return set->pair[k].ds[0] == ds || set->pair[k].ds[1] == ds;
}

static bool tells_shapes(const nsds_contact_set *set) {
  return set->ops->shape_count && set->ops->shape;
}

/* Returns true if the set has shapes of the system. A geometry that does not tell its shapes is
 * judged by its last contacts. */
static bool set_holds(const nsds_contact_set *set, const nsds_ds *ds) {
  bool holds = false;
  if (!tells_shapes(set)) {
    for (int k = 0; !holds && k < set->count; ++k) holds = contact_is_of(set, k, ds);
    return holds;
  }
  int count = set->ops->shape_count(set->self);
  for (int k = 0; !holds && k < count; ++k) {
    nsds_shape_info shape = {.number = k};
    set->ops->shape(set->self, k, &shape);
    holds = shape.ds && nsds_ds_of(shape.ds) == ds;
  }
  return holds;
}

static nsds_status refuse_interaction(const nsds_ds *ds, const char *call) {
  const nsds_model *model = ds->model;
  char label[nsds_label_size], other[nsds_label_size];
  for (size_t c = 0; c < model->interaction.count; ++c) {
    const nsds_interaction *ia = model->interaction.item[c];
    for (int k = 0; k < ia->nds; ++k)
      if (ia->ds[k] == ds)
        return nsds_fail(model->context, NSDS_ERROR_STATE,
                         "%s: %s is part of %d interactions, among them %s; disconnect them first",
                         call, nsds_ds_label(ds, label), ds->users,
                         nsds_interaction_label(ia, other));
  }
  return NSDS_OK;
}

static nsds_status check_unused_ds(nsds_ds *ds, const char *call) {
  nsds_model *model = ds->model;
  char label[nsds_label_size], other[nsds_label_size];
  if (ds->users > 0) return refuse_interaction(ds, call);
  nsds_status status = NSDS_OK;
  model->busy = NSDS_BUSY_CALL; /* during operations of a geometry */
  for (size_t s = 0; !status && s < model->set.count; ++s) {
    const nsds_contact_set *set = model->set.item[s];
    if (!set_holds(set, ds)) continue;
    status = nsds_fail(model->context, NSDS_ERROR_STATE,
                       "%s: %s is a body of %s; remove its shapes by nsds_shapes_remove_body(), or "
                       "destroy the set",
                       call, nsds_ds_label(ds, label), nsds_contact_set_label(set, other));
  }
  model->busy = 0;
  return status;
}

/* ---- its place ------------------------------------------------------------------------------- */

static void reverse(double *a, size_t n) {
  for (size_t i = 0; i + 1 < n - i; ++i) {
    double x = a[i];
    a[i] = a[n - 1 - i];
    a[n - 1 - i] = x;
  }
}

/* Moves the last system's `last` entries to the place of the `gone` entries, among `end`
 * entries. */
static void move_block(double *array, size_t at, size_t gone, size_t last, size_t end) {
  if (gone == 0 && last == 0) return; /* there may be no array */
  double *hole = array + at, *behind = hole + gone;
  size_t rest = end - at - gone, between = rest - last;
  if (gone == last) {
    memcpy(hole, array + end - last, last * sizeof *array);
    return;
  }
  reverse(behind, between);
  reverse(behind + between, last);
  reverse(behind, rest);
  memmove(hole, behind, rest * sizeof *array);
}

/* Closes the gap in the state. The system has left the list, and `last`, perhaps itself, is in its
 * place. */
static void close_state(nsds_model *model, const nsds_ds *ds, const nsds_ds *last) {
  nsds_state *s = &model->state;
  size_t nq = (size_t)ds->nq, nv = (size_t)ds->nv;
  double *of_velocities[] = {s->v, s->p, s->reaction};
  if (last != ds) {
    move_block(s->q, (size_t)ds->q_offset, nq, (size_t)last->nq, model->size.nq);
    for (int k = 0; k < 3; ++k)
      move_block(of_velocities[k], (size_t)ds->v_offset, nv, (size_t)last->nv, model->size.nv);
  }
  model->size.nq -= nq;
  model->size.nv -= nv;
  ++s->moves;
  int q = ds->q_offset, v = ds->v_offset;
  for (size_t k = (size_t)ds->index; k < model->ds.count; ++k) {
    nsds_ds *one = model->ds.item[k];
    one->q_offset = q;
    one->v_offset = v;
    q += one->nq;
    v += one->nv;
  }
}

static void leave_list(nsds_ds *ds) {
  nsds_model *model = ds->model;
  nsds_ds *last = model->ds.item[--model->ds.count];
  model->ds.item[ds->index] = last;
  close_state(model, ds, last);
  last->index = ds->index;
  if (last != ds && last->caller) nsds_ds_label(last, last->caller->label);
}

/* Drops the last contacts of a system, which the set would not find again. */
static void drop_contacts(nsds_contact_set *set, const nsds_ds *ds) {
  nsds_state *s = &set->model->state;
  double *row[] = {s->y, s->ydot, s->impulse, s->force};
  int size = set->law->size, kept = 0;
  for (int k = 0; k < set->count; ++k) {
    if (contact_is_of(set, k, ds)) continue;
    set->key[kept] = set->key[k];
    set->pair[kept] = set->pair[k];
    if (set->tangents) memmove(set->tangent[kept], set->tangent[k], sizeof *set->tangent);
    set->active[kept] = set->active[k];
    for (int a = 0; a < 4; ++a)
      memmove(row[a] + set->first_row + kept * size, row[a] + set->first_row + k * size,
              (size_t)size * sizeof **row);
    ++kept;
  }
  set->count = kept;
}

nsds_status nsds_ds_destroy(nsds_ds *handle) {
  const char *call = "nsds_ds_destroy";
  if (!handle) return nsds_fail_null(NULL, call, "ds");
  nsds_ds *ds = nsds_ds_find(handle, call);
  if (!ds) return NSDS_ERROR_ARGUMENT;
  nsds_model *model = ds->model;
  nsds_status status = nsds_check_idle(model, call);
  if (!status) status = check_unused_ds(ds, call);
  if (status) return status;
  leave_list(ds);
  nsds_note_systems(model);
  nsds_touch(model);
  model->busy = NSDS_BUSY_CALL;
  for (size_t s = 0; s < model->set.count; ++s) {
    nsds_contact_set *set = model->set.item[s];
    drop_contacts(set, ds);
    if (set->ops->forget) set->ops->forget(set->self, nsds_ds_handle(ds));
  }
  nsds_ds_release(ds);
  model->busy = 0;
  nsds_place_give(&model->systems.places, ds);
  return NSDS_OK;
}
