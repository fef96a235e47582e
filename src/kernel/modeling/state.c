/*
 * States, and their values that programs read and set between steps.
 */
#include "kernel/modeling/state.h"

#include "base/base.h"
#include "base/context.h"
#include "base/finite.h"
#include "base/parallel.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/local.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/turns.h"

#include <stdio.h>

/* ---- arrays ---------------------------------------------------------------------------------- */

enum { of_q = 1, of_v = 3, of_y = 4 };

/* Lists the arrays of a state by length: nq, nv and ny. */
static void state_list(nsds_state *s, double **array[of_q + of_v + of_y]) {
  double **all[] = {&s->q, &s->v, &s->p, &s->reaction, &s->y, &s->ydot, &s->impulse, &s->force};
  memcpy(array, all, sizeof all);
}

/* Reserves `count` entries in n arrays. Either all grow or none. */
static nsds_status state_grow(nsds_context *context, double ***array, int n, size_t *capacity,
                              size_t count) {
  if (count <= *capacity) return NSDS_OK;
  size_t wanted = nsds_grown(*capacity);
  if (wanted < count) wanted = count;
  double *block =
      nsds_alloc_for(context, "the model", "its states", (size_t)n * wanted, sizeof *block);
  if (!block) return NSDS_ERROR_MEMORY;
  for (int k = 0; k < n; ++k)
    if (*capacity > 0) memcpy(block + (size_t)k * wanted, *array[k], *capacity * sizeof *block);
  nsds_release(context, *array[0]);
  for (int k = 0; k < n; ++k) *array[k] = block + (size_t)k * wanted;
  *capacity = wanted;
  return NSDS_OK;
}

nsds_status nsds_state_reserve(nsds_context *context, nsds_state *state, nsds_state_size size) {
  double **array[of_q + of_v + of_y];
  state_list(state, array);
  if (size.nq > state->q_capacity || size.nv > state->v_capacity || size.ny > state->y_capacity)
    ++state->moves;
  nsds_status status = state_grow(context, array, of_q, &state->q_capacity, size.nq);
  if (!status) status = state_grow(context, array + of_q, of_v, &state->v_capacity, size.nv);
  if (!status) status = state_grow(context, array + of_q + of_v, of_y, &state->y_capacity, size.ny);
  return status;
}

typedef struct copying {
  nsds_state *to, from;
  const nsds_state_size *size;
} copying;

static void state_copy_part(void *self, int part, int parts) {
  copying *c = self;
  double **from[of_q + of_v + of_y], **to[of_q + of_v + of_y];
  state_list(&c->from, from);
  state_list(c->to, to);
  for (int k = 0; k < of_q + of_v + of_y; ++k) {
    size_t n = k < of_q ? c->size->nq : k < of_q + of_v ? c->size->nv : c->size->ny;
    if (parts == 1) {
      nsds_copy_doubles(*to[k], *from[k], n);
      continue;
    }
    int first = nsds_part_begin((int)n, part, parts),
        end = nsds_part_begin((int)n, part + 1, parts);
    if (first == end) continue; /* the array may be NULL */
    nsds_copy_doubles(*to[k] + first, *from[k] + first, (size_t)(end - first));
  }
}

void nsds_state_copy_many(const nsds_context *context, nsds_state *to, const nsds_state *from,
                          const nsds_state_size *size) {
  enum { few = 1024 }; /* entries per part, at least */
  copying c = {.to = to, .from = *from, .size = size};
  int most = (int)(size->nv > size->ny ? size->nv : size->ny);
  to->t = from->t;
  nsds_share_out(context, nsds_parts(most, few), state_copy_part, &c);
}

void nsds_state_destroy(nsds_context *context, nsds_state *state) {
  nsds_release(context, state->q);
  nsds_release(context, state->v);
  nsds_release(context, state->y);
  *state = (nsds_state){0};
}

/* ---- systems --------------------------------------------------------------------------------- */

int nsds_nq(const nsds_ds *handle) {
  const nsds_ds *ds = nsds_ds_find(handle, "nsds_nq");
  return ds ? ds->nq : 0;
}

int nsds_nv(const nsds_ds *handle) {
  const nsds_ds *ds = nsds_ds_find(handle, "nsds_nv");
  return ds && nsds_is_second_order(ds) ? ds->nv : 0;
}

int nsds_nx(const nsds_ds *handle) {
  const nsds_ds *ds = nsds_ds_find(handle, "nsds_nx");
  return ds && nsds_is_first_order(ds) ? ds->nv : 0;
}

/* Returns an array of the model, or NULL for a system of the other order. */
static const double *state_view(const nsds_ds *ds, nsds_system_order order, const double *array,
                                int offset) {
  return ds->order == order ? array + offset : NULL;
}

const double *nsds_q(const nsds_ds *handle) {
  const nsds_ds *ds = nsds_ds_find(handle, "nsds_q");
  return ds ? state_view(ds, 2, ds->model->state.q, ds->q_offset) : NULL;
}

const double *nsds_v(const nsds_ds *handle) {
  const nsds_ds *ds = nsds_ds_find(handle, "nsds_v");
  return ds ? state_view(ds, 2, ds->model->state.v, ds->v_offset) : NULL;
}

const double *nsds_p(const nsds_ds *handle) {
  const nsds_ds *ds = nsds_ds_find(handle, "nsds_p");
  return ds ? state_view(ds, 2, ds->model->state.p, ds->v_offset) : NULL;
}

const double *nsds_prescribed_force(const nsds_ds *handle) {
  const nsds_ds *ds = nsds_ds_find(handle, "nsds_prescribed_force");
  return ds ? state_view(ds, 2, ds->model->state.reaction, ds->v_offset) : NULL;
}

const double *nsds_x(const nsds_ds *handle) {
  const nsds_ds *ds = nsds_ds_find(handle, "nsds_x");
  return ds ? state_view(ds, 1, ds->model->state.v, ds->v_offset) : NULL;
}

const double *nsds_r(const nsds_ds *handle) {
  const nsds_ds *ds = nsds_ds_find(handle, "nsds_r");
  return ds ? state_view(ds, 1, ds->model->state.p, ds->v_offset) : NULL;
}

/* Writes "<call>: <object>", the start of messages of calls between steps. */
const char *nsds_occasion(const char *call, const char *label, char *buffer) {
  snprintf(buffer, nsds_occasion_size, "%s: %s", call, label);
  return buffer;
}

nsds_status nsds_set_state(nsds_ds *handle, const double *q, const double *v) {
  if (!handle) return nsds_fail_null(NULL, "nsds_set_state", "ds");
  nsds_ds *ds = nsds_ds_find(handle, "nsds_set_state");
  if (!ds) return NSDS_ERROR_ARGUMENT;
  nsds_model *model = ds->model;
  char label[nsds_label_size], buffer[nsds_occasion_size];
  if (!nsds_is_second_order(ds))
    return nsds_fail(model->context, NSDS_ERROR_ARGUMENT,
                     "nsds_set_state: %s is of first order; use nsds_set_x()",
                     nsds_ds_label(ds, label));
  nsds_status status = nsds_check_idle(model, "nsds_set_state");
  if (status) return status;
  const char *call = nsds_occasion("nsds_set_state", nsds_ds_label(ds, label), buffer);
  double *own = model->state.q + ds->q_offset;
  if (!nsds_check_finite(model->context, call, "q", q, ds->nq) ||
      !nsds_check_finite(model->context, call, "v", v, ds->nv))
    return NSDS_ERROR_VALUE;
  if (q && ds->type.take_q) {
    if (!ds->type.take_q(model->context, "nsds_set_state", label, "q", q, own))
      return NSDS_ERROR_VALUE;
  } else if (q) memcpy(own, q, (size_t)ds->nq * sizeof *q);
  if (v) memcpy(model->state.v + ds->v_offset, v, (size_t)ds->nv * sizeof *v);
  if (model->turning.count > 0) nsds_turns_moved(ds);
  ds->changed = nsds_touch(model);
  nsds_model_set_moved(model, true);
  return NSDS_OK;
}

/* Sets an array of the model for a system of first order. */
static nsds_status set_first(nsds_ds *ds, const char *name, const char *argument, double *array,
                             const double *values) {
  nsds_model *model = ds->model;
  char label[nsds_label_size], buffer[nsds_occasion_size];
  if (!nsds_is_first_order(ds))
    return nsds_fail(model->context, NSDS_ERROR_ARGUMENT,
                     "%s: %s is of second order, without %s; q and v are set by nsds_set_state()",
                     name, nsds_ds_label(ds, label), argument);
  nsds_status status = nsds_check_idle(model, name);
  if (status) return status;
  const char *call = nsds_occasion(name, nsds_ds_label(ds, label), buffer);
  if (!nsds_check_finite(model->context, call, argument, values, ds->nv)) return NSDS_ERROR_VALUE;
  memcpy(array + ds->v_offset, values, (size_t)ds->nv * sizeof *values);
  ds->changed = nsds_touch(model);
  return NSDS_OK;
}

nsds_status nsds_set_x(nsds_ds *handle, const double *x) {
  nsds_ds *ds = nsds_ds_find(handle, "nsds_set_x");
  if (handle && !ds) return NSDS_ERROR_ARGUMENT;
  if (!ds || !x)
    return nsds_fail_null(ds ? ds->model->context : NULL, "nsds_set_x", ds ? "x" : "ds");
  return set_first(ds, "nsds_set_x", "x", ds->model->state.v, x);
}

nsds_status nsds_set_r(nsds_ds *handle, const double *r) {
  nsds_ds *ds = nsds_ds_find(handle, "nsds_set_r");
  if (handle && !ds) return NSDS_ERROR_ARGUMENT;
  if (!ds || !r)
    return nsds_fail_null(ds ? ds->model->context : NULL, "nsds_set_r", ds ? "r" : "ds");
  return set_first(ds, "nsds_set_r", "r", ds->model->state.p, r);
}

/* ---- parameters ------------------------------------------------------------------------------ */

const double *nsds_ds_z(const nsds_ds *handle) {
  const nsds_ds *ds = nsds_ds_find(handle, "nsds_ds_z");
  return ds && ds->parameters.n > 0 ? ds->parameters.z : NULL;
}

bool nsds_parameters_take(nsds_model *model, int have, double *z, int nz, const double *values,
                          uint64_t *changed) {
  bool valid = nsds_is_idle(model) && nz == have && (nz == 0 || values);
  if (!valid || (nz > 0 && nsds_first_nonfinite(values, nz) >= 0)) return false;
  if (nz > 0) memcpy(z, values, (size_t)nz * sizeof *z);
  *changed = nsds_touch(model);
  return true;
}

nsds_status nsds_parameters_refuse(const nsds_model *model, const char *call, int have, int nz,
                                   const double *values) {
  nsds_status status = nsds_check_idle(model, call);
  if (status) return status;
  if (nz != have)
    return nsds_fail(model->context, NSDS_ERROR_SIZE,
                     "%s: nz is %d, but it has %d parameters; give all of them", call, nz, have);
  if (!values) return nsds_fail_null(model->context, call, "z");
  nsds_check_finite(model->context, call, "z", values, nz);
  return NSDS_ERROR_VALUE;
}

nsds_status nsds_ds_set_z(nsds_ds *handle, int nz, const double *z) {
  if (!handle) return nsds_fail_null(NULL, "nsds_ds_set_z", "ds");
  nsds_ds *ds = nsds_ds_find(handle, "nsds_ds_set_z");
  if (!ds) return NSDS_ERROR_ARGUMENT;
  int have = ds->parameters.n;
  if (nsds_parameters_take(ds->model, have, ds->parameters.z, nz, z, &ds->changed)) return NSDS_OK;
  char label[nsds_label_size], buffer[nsds_occasion_size];
  const char *call = nsds_occasion("nsds_ds_set_z", nsds_ds_label(ds, label), buffer);
  return nsds_parameters_refuse(ds->model, call, have, nz, z);
}

const double *nsds_relation_z(const nsds_relation *relation) {
  nsds_relation *r = nsds_relation_find(relation, "nsds_relation_z");
  return r && r->nz > 0 ? r->z : NULL;
}

nsds_status nsds_relation_set_z(nsds_relation *relation, int nz, const double *z) {
  const char *name = "nsds_relation_set_z";
  if (!relation) return nsds_fail_null(NULL, name, "relation");
  nsds_relation *r = nsds_relation_find(relation, name);
  if (!r) return NSDS_ERROR_ARGUMENT;
  if (nsds_parameters_take(r->model, r->nz, r->z, nz, z, &r->changed)) {
    if (r->settle) r->settle(r->self, r->model->state.t, r->model->state.t);
    return NSDS_OK;
  }
  char label[nsds_label_size], buffer[nsds_occasion_size];
  const char *call = nsds_occasion(name, nsds_relation_label(r, label), buffer);
  return nsds_parameters_refuse(r->model, call, r->nz, nz, z);
}

/* ---- local variables ------------------------------------------------------------------------- */

bool nsds_interaction_changed(const nsds_interaction *ia, uint64_t since) {
  bool changed = nsds_is_newer(ia->changed, since) || nsds_is_newer(ia->relation->changed, since);
  for (int k = 0; k < ia->nds; ++k) changed = changed || nsds_is_newer(ia->ds[k]->changed, since);
  return changed;
}

/* Updates y and dy/dt after states, parameters or the graph have changed between steps. If a user
 * function fails, both are NaN until it succeeds, even after the end of the simulation. */
static nsds_status bring_up_to_date(nsds_interaction *ia) {
  nsds_model *model = ia->model;
  uint64_t since = ia->shown > model->settled ? ia->shown : model->settled;
  if (NSDS_LIKELY(!nsds_is_newer(model->now.change, since)) || !nsds_interaction_changed(ia, since))
    return NSDS_OK;
  double *y = model->state.y + ia->y_offset, *ydot = model->state.ydot + ia->y_offset;
  bool timeless = model->borrower.count == 0 && !(ia->m > 0 && isnan(y[0]));
  if (timeless || model->busy || nsds_hook(model->context))
    return NSDS_OK; /* no time yet, a state on the way, or no place for calls */
  model->busy = NSDS_BUSY_CALL;
  nsds_status status = nsds_local_show(ia, model->scratch);
  model->busy = 0;
  for (int i = 0; status && i < ia->m; ++i) y[i] = ydot[i] = NAN;
  return status;
}

nsds_status nsds_show_all(nsds_model *model) {
  nsds_status status = NSDS_OK;
  if (nsds_model_is_settled(model)) return NSDS_OK;
  for (size_t c = 0; !status && c < model->interaction.count; ++c)
    status = bring_up_to_date(model->interaction.item[c]);
  return status;
}

int nsds_interaction_size(const nsds_interaction *interaction) {
  nsds_interaction *ia = nsds_interaction_find(interaction, "nsds_interaction_size");
  return ia ? ia->m : 0;
}

const double *nsds_y(const nsds_interaction *interaction) {
  nsds_interaction *ia = nsds_interaction_find(interaction, "nsds_y");
  if (!ia) return NULL;
  bring_up_to_date(ia);
  return ia->model->state.y + ia->y_offset;
}

const double *nsds_ydot(const nsds_interaction *interaction) {
  nsds_interaction *ia = nsds_interaction_find(interaction, "nsds_ydot");
  if (!ia) return NULL;
  bring_up_to_date(ia);
  return ia->model->state.ydot + ia->y_offset;
}

const double *nsds_impulse(const nsds_interaction *interaction) {
  nsds_interaction *ia = nsds_interaction_find(interaction, "nsds_impulse");
  bool has = ia && nsds_has_gap(ia->relation->kind);
  return has ? ia->model->state.impulse + ia->y_offset : NULL;
}

const double *nsds_lambda(const nsds_interaction *interaction) {
  nsds_interaction *ia = nsds_interaction_find(interaction, "nsds_lambda");
  return ia ? ia->model->state.force + ia->y_offset : NULL;
}

nsds_status nsds_set_lambda(nsds_interaction *interaction, const double *lambda) {
  const char *name = "nsds_set_lambda";
  if (!interaction) return nsds_fail_null(NULL, name, "interaction");
  nsds_interaction *ia = nsds_interaction_find(interaction, name);
  if (!ia) return NSDS_ERROR_ARGUMENT;
  nsds_model *model = ia->model;
  if (!lambda) return nsds_fail_null(model->context, name, "lambda");
  nsds_status status = nsds_check_idle(model, name);
  if (status) return status;
  char label[nsds_label_size], buffer[nsds_occasion_size];
  const char *call = nsds_occasion(name, nsds_interaction_label(ia, label), buffer);
  if (!nsds_check_finite(model->context, call, "lambda", lambda, ia->m)) return NSDS_ERROR_VALUE;
  size_t bytes = (size_t)ia->m * sizeof *lambda;
  memcpy(model->state.force + ia->y_offset, lambda, bytes);
  if (nsds_acts_on_states(ia->relation->kind))
    memcpy(model->state.impulse + ia->y_offset, lambda, bytes);
  ia->changed = nsds_touch(model);
  return NSDS_OK;
}

bool nsds_is_active(const nsds_interaction *interaction) {
  nsds_interaction *ia = nsds_interaction_find(interaction, "nsds_is_active");
  return ia && ia->active;
}
