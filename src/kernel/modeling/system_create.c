/*
 * Creates systems, the nodes of the graph, from their tables of operations.
 */
#include "kernel/modeling/system_create.h"

#include "base/arena.h"
#include "base/base.h"
#include "base/context.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/definition.h"
#include "kernel/modeling/guard.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/list.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/scheme.h"
#include "kernel/modeling/state.h"

#include <limits.h>
#include <stdio.h>

bool nsds_take_system(const nsds_model *model, const nsds_type *type, const void *def, void *own,
                      char label[nsds_label_size]) {
  const char *name;
  char prefix[nsds_label_size + 2];
  if (!nsds_definition_copy(model, type, def, own)) return false;
  memcpy(&name, (const char *)own + type->name_at, sizeof name);
  nsds_next_ds_label(model, type->call, name, label);
  snprintf(prefix, sizeof prefix, "%s: ", label);
  return nsds_definition_check(model->context, type->call, prefix, type->field, own);
}

static bool system_create_check_prescribed(nsds_context *context,
                                           const nsds_custom_second_order_def *def) {
  const char *call = def->ops->type;
  if (!nsds_check_count(context, call, "prescribed.n", def->prescribed.n, 0)) return false;
  if (def->prescribed.n > def->ndof || (def->prescribed.n == 0 && def->prescribed.index)) {
    nsds_fail(context, NSDS_ERROR_SIZE,
              "%s: prescribed.n is %d with prescribed.index %s; valid are 1 to ndof = %d indices, "
              "or none",
              call, def->prescribed.n, def->prescribed.index ? "given" : "NULL", def->ndof);
    return false;
  }
  if (def->prescribed.n > 0 && !def->prescribed.index) {
    nsds_fail_null(context, call, "prescribed.index");
    return false;
  }
  for (int k = 0; k < def->prescribed.n; ++k) {
    int low = k > 0 ? def->prescribed.index[k - 1] + 1 : 0;
    if (def->prescribed.index[k] >= low && def->prescribed.index[k] < def->ndof) continue;
    nsds_fail(context, NSDS_ERROR_SIZE,
              "%s: prescribed.index[%d] is %d; valid are increasing indices in [0, %d]", call, k,
              def->prescribed.index[k], def->ndof - 1);
    return false;
  }
  if (def->prescribed.fn) {
    nsds_fail(context, NSDS_ERROR_ARGUMENT,
              "%s: prescribed.fn is given; give the values by nsds_second_order_ops::prescribed",
              call);
    return false;
  }
  if (def->prescribed.n > 0 && !def->ops->prescribed) {
    nsds_fail(context, NSDS_ERROR_ARGUMENT,
              "%s: %d velocities are prescribed, but the function giving them is NULL", call,
              def->prescribed.n);
    return false;
  }
  return true;
}

static int system_create_coordinates(const nsds_custom_second_order_def *def) {
  return def->nq == 0 ? def->ndof : def->nq;
}

static bool check_second_order(nsds_context *context, const nsds_custom_second_order_def *def) {
  const char *call = def->ops->type;
  if (!nsds_check_count(context, call, "ndof", def->ndof, 1) ||
      !nsds_check_count(context, call, "nq", def->nq, 0) ||
      !nsds_check_parameters(context, call, "nz", def->nz, def->z) ||
      !nsds_check_finite(context, call, "q0", def->q0, system_create_coordinates(def)) ||
      !nsds_check_finite(context, call, "v0", def->v0, def->ndof) ||
      (def->ops->velocity_map && !nsds_check_dense(context, call, "its velocity map",
                                                   system_create_coordinates(def), def->ndof)) ||
      !system_create_check_prescribed(context, def))
    return false;
  bool complete = def->ops->mass && def->ops->force &&
                  (def->ops->damping || !def->damping.present) &&
                  (def->ops->stiffness || !def->stiffness.present);
  if (!complete)
    nsds_fail(context, NSDS_ERROR_ARGUMENT,
              "%s: mass, force, and damping and stiffness where their shapes are present, are "
              "required operations",
              call);
  const char *wrong = NULL;
  if (def->affine && !(def->mass.constant && (!def->damping.present || def->damping.constant) &&
                       (!def->stiffness.present || def->stiffness.constant)))
    wrong = "affine needs constant shapes of mass, damping and stiffness";
  if (!def->ops->velocity_map != !def->ops->advance ||
      (def->nq != 0 && def->nq != def->ndof && !def->ops->velocity_map))
    wrong = "velocity_map and advance go together, and are required where nq differs from nv";
  if (def->explicit_force && (def->affine || def->damping.present || def->stiffness.present))
    wrong = "explicit_force excludes affine, damping and stiffness: W is M alone";
  if (complete && def->affine && def->ops->velocity_map) wrong = "affine excludes velocity_map";
  if (complete && wrong) nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: %s", call, wrong);
  return complete && !wrong;
}

/* Checks a sparse pattern: column starts from 0 on, rows in range and increasing in each column.
 * Reads nothing of an absent matrix. */
static bool check_shape(nsds_context *context, const char *type, const char *name,
                        nsds_matrix_shape *shape, int n) {
  if (!shape->present) *shape = (nsds_matrix_shape){0};
  if (!shape->p && !shape->i) return true;
  bool right = shape->p && shape->i && n < INT_MAX && shape->p[0] == 0;
  for (int j = 0; right && j < n; ++j) right = shape->p[j + 1] >= shape->p[j];
  for (int j = 0; right && j < n; ++j)
    for (int k = shape->p[j]; right && k < shape->p[j + 1]; ++k)
      right = shape->i[k] >= (k > shape->p[j] ? shape->i[k - 1] + 1 : 0) && shape->i[k] < n;
  if (!right)
    nsds_fail(context, NSDS_ERROR_SIZE,
              "%s: the pattern of its %s is not one of %d columns: p starts at 0 and does not "
              "decrease, rows are in [0, %d] and increase within a column",
              type, name, n, n - 1);
  return right;
}

static void free_ds(nsds_context *context, nsds_ds *ds) {
  if (!ds) return;
  nsds_release(context, ds->prescribed.index);
  nsds_release(context, ds->parameters.storage);
  nsds_place_give(&ds->model->systems.places, ds);
}

static bool system_create_check_size(const nsds_model *model, nsds_ds *given, const char *name,
                                     const nsds_state_size *size) {
  nsds_context *context = model->context;
  nsds_ds labelled = {.index = (int)model->ds.count, .type.name = given->type.name};
  char label[nsds_label_size];
  nsds_tag_name(&labelled.tag, name);
  if (!check_shape(context, given->type.name, "mass", &given->mass, given->nv) ||
      !check_shape(context, given->type.name,
                   nsds_is_second_order(given) ? "damping" : "rate_jacobian", &given->damping,
                   given->nv) ||
      !check_shape(context, given->type.name,
                   nsds_is_second_order(given) ? "stiffness" : "jacobian", &given->stiffness,
                   given->nv))
    return false;
  bool sparse = given->mass.p || given->damping.p || given->stiffness.p;
  if (!sparse && !nsds_check_dense(context, nsds_ds_label(&labelled, label), "its iteration matrix",
                                   given->nv, given->nv))
    return false;
  if (size->nq <= INT_MAX && size->nv <= INT_MAX) return true;
  nsds_fail(
      context, NSDS_ERROR_SIZE,
      "the model would have %zu coordinates and %zu unknowns; of each there may be at most %d",
      size->nq, size->nv, INT_MAX);
  return false;
}

/* Copies *given to the model's list. */
static nsds_ds *list_ds(nsds_model *model, const nsds_ds *given, const char *name, int nz,
                        const double *z) {
  nsds_context *context = model->context;
  char label[nsds_label_size];
  nsds_ds *ds = nsds_place_take(context, &model->systems.places, sizeof *ds);
  if (!ds) return NULL;
  nsds_place place = ds->place;
  *ds = *given;
  ds->place = place;
  if (place.generation == 0) ds->place.generation = 1; /* see nsds_ds_handle() */
  nsds_tag_name(&ds->tag, name);
  ds->model = model;
  ds->number = ++model->systems.made;
  ds->index = (int)model->ds.count;
  ds->own.step_ratio = 1;
  ds->parameters.n = nz;
  ds->parameters.z = ds->parameters.storage = nsds_alloc_for(
      context, nsds_ds_label(ds, label), "nz parameters", nz > 0 ? (size_t)nz : 1, sizeof *z);
  ds->prescribed.index =
      nsds_copy(context, given->prescribed.index, (size_t)given->prescribed.n, sizeof(int));
  if (!ds->parameters.z || (given->prescribed.index && !ds->prescribed.index) ||
      nsds_list_push(context, &model->ds, ds)) {
    free_ds(context, ds);
    return NULL;
  }
  if (nz == 0) ds->parameters.storage[0] = NAN;
  if (z && nz > 0) memcpy(ds->parameters.z, z, (size_t)nz * sizeof *z);
  return ds;
}

/* Adds a system described by *given (its list place, offsets and z are set here) to the model. */
static nsds_ds *add_ds(nsds_model *model, nsds_ds *given, const char *name, int nz, const double *z,
                       const double *q0, const double *v0) {
  size_t nq = (size_t)given->nq, nv = (size_t)given->nv;
  nsds_state_size size = {model->size.nq + nq, model->size.nv + nv, model->size.ny};
  const char *call =
      nsds_is_second_order(given) ? "nsds_custom_second_order" : "nsds_custom_first_order";
  if (nsds_check_idle(model, nsds_maker(given->type.name, call)) ||
      !system_create_check_size(model, given, name, &size))
    return NULL;
  nsds_note(model, -1); /* plans hold places in the state, which may move even if this fails */
  if (nsds_state_reserve(model->context, &model->state, size)) return NULL;
  nsds_ds *ds = list_ds(model, given, name, nz, z);
  if (!ds) return NULL;
  ds->q_offset = (int)model->size.nq;
  ds->v_offset = (int)model->size.nv;
  for (size_t k = 0; k < nq; ++k) model->state.q[model->size.nq + k] = q0 ? q0[k] : 0.0;
  for (size_t k = 0, at = model->size.nv; k < nv; ++k, ++at) {
    model->state.v[at] = v0 ? v0[k] : 0.0;
    model->state.p[at] = model->state.reaction[at] = 0.0;
  }
  model->size = size;
  ds->changed = nsds_touch(model);
  return ds;
}

/* Replaces the user's operations by those of the guard. */
static void take_guard(nsds_ds *given, nsds_guard *guard) {
  given->guarded.type = guard;
  given->self = guard;
  if (nsds_is_second_order(given)) {
    given->ops = &guard->ops.second;
    given->type.jacobian_pair = given->ops->jacobian_pair;
    given->type.destroy = given->ops->destroy;
  } else {
    given->first = &guard->ops.first;
    given->type.jacobian_pair = given->first->jacobian_pair;
    given->type.destroy = given->first->destroy;
  }
}

/* Adds the system, behind a guard if `guarded`. A failure returns NULL, leaves nothing, and does
 * not touch `self`. */
static nsds_ds *add_guarded(nsds_model *model, nsds_ds *given, const char *name, int nz,
                            const double *z, const double *q0, const double *v0, bool guarded) {
  nsds_context *context = model->context;
  if (!guarded) return add_ds(model, given, name, nz, z, q0, v0);
  nsds_guard *guard = nsds_is_second_order(given)
                          ? nsds_guard_second(context, given->ops, given->self)
                          : nsds_guard_first(context, given->first, given->self);
  if (!guard) return NULL;
  take_guard(given, guard);
  nsds_ds *ds = add_ds(model, given, name, nz, z, q0, v0);
  guard->ds = ds;
  if (!ds) nsds_release(context, guard);
  return ds;
}

nsds_ds *nsds_make_second_order(nsds_model *model, const nsds_custom_second_order_def *def,
                                bool guarded) {
  nsds_ds *ds = NULL;
  if (nsds_check_type(model, "nsds_custom_second_order", NSDS_TYPED(def)) &&
      check_second_order(model->context, def)) {
    nsds_ds given = {
        .order = NSDS_SECOND_ORDER,
        .ops = def->ops,
        .type.name = def->ops->type,
        .type.jacobian_pair = def->ops->jacobian_pair,
        .type.destroy = def->ops->destroy,
        .self = def->self,
        .nq = system_create_coordinates(def),
        .nv = def->ndof,
        .mass = def->mass,
        .damping = def->damping,
        .stiffness = def->stiffness,
        .affine = def->affine,
        .force_constant = def->force_constant,
        .explicit_force = def->explicit_force,
        .alone = !guarded && def->affine && def->force_constant && def->prescribed.n == 0,
        .prescribed.n = def->prescribed.n,
        .prescribed.index = def->prescribed.n > 0 ? (int *)(uintptr_t)def->prescribed.index : NULL};
    given.mass.present = true;
    ds = add_guarded(model, &given, def->name, def->nz, def->z, def->q0, def->v0, guarded);
  }
  if (!ds && def && def->ops && def->ops->destroy) def->ops->destroy(def->self);
  return ds;
}

nsds_ds *nsds_custom_second_order(nsds_model *model, const nsds_custom_second_order_def *def) {
  return nsds_ds_handle(nsds_make_second_order(model, def, true));
}

static bool check_first_order(nsds_context *context, const nsds_custom_first_order_def *def) {
  const nsds_first_order_ops *ops = def->ops;
  if (!ops->rhs || (def->mass.present && !ops->mass) || (def->jacobian.present && !ops->jacobian)) {
    nsds_fail(context, NSDS_ERROR_ARGUMENT,
              "%s: rhs, and mass and jacobian where their shapes are present, are required "
              "operations",
              ops->type);
    return false;
  }
  if (def->rate_jacobian.present && (!ops->rate_jacobian || def->rate_jacobian.p || def->affine)) {
    nsds_fail(context, NSDS_ERROR_ARGUMENT,
              "%s: a rate_jacobian needs its operation and a dense shape, and excludes affine",
              ops->type);
    return false;
  }
  return nsds_check_count(context, ops->type, "n", def->n, 1) &&
         nsds_check_parameters(context, ops->type, "nz", def->nz, def->z) &&
         nsds_check_finite(context, ops->type, "x0", def->x0, def->n);
}

nsds_ds *nsds_make_first_order(nsds_model *model, const nsds_custom_first_order_def *def,
                               bool guarded) {
  nsds_ds *ds = NULL;
  if (nsds_check_type(model, "nsds_custom_first_order", NSDS_TYPED(def)) &&
      check_first_order(model->context, def)) {
    nsds_ds given = {.order = NSDS_FIRST_ORDER,
                     .first = def->ops,
                     .type.name = def->ops->type,
                     .type.jacobian_pair = def->ops->jacobian_pair,
                     .type.destroy = def->ops->destroy,
                     .self = def->self,
                     .nv = def->n,
                     .mass = def->mass,
                     .damping = def->rate_jacobian,
                     .stiffness = def->jacobian,
                     .affine = def->affine,
                     .force_constant = def->rhs_constant};
    ds = add_guarded(model, &given, def->name, def->nz, def->z, NULL, def->x0, guarded);
  }
  if (!ds && def && def->ops && def->ops->destroy) def->ops->destroy(def->self);
  return ds;
}

nsds_ds *nsds_custom_first_order(nsds_model *model, const nsds_custom_first_order_def *def) {
  return nsds_ds_handle(nsds_make_first_order(model, def, true));
}

nsds_ds_operators nsds_ds_describe(const nsds_ds *handle) {
  const nsds_ds *ds = nsds_ds_find(handle, "nsds_ds_describe");
  if (!ds) return (nsds_ds_operators){0};
  const nsds_guard *g = ds->guarded.type;
  return (nsds_ds_operators){.second = g && ds->ops ? g->user.second : ds->ops,
                             .first = g && ds->first ? g->user.first : ds->first,
                             .self = g ? g->self : ds->self,
                             .mass = ds->mass,
                             .damping = ds->damping,
                             .stiffness = ds->stiffness,
                             .affine = ds->affine,
                             .force_constant = ds->force_constant};
}

nsds_arguments nsds_ds_point(const nsds_ds *handle, double t, const double *q, const double *u) {
  const nsds_ds *ds = nsds_ds_find(handle, "nsds_ds_point");
  return ds ? nsds_ds_in(ds, t, q, u) : (nsds_arguments){.t = t};
}

nsds_status nsds_ds_discretise(nsds_ds *handle, nsds_discretisation scheme) {
  const char *call = "nsds_ds_discretise";
  if (!handle) return nsds_fail_null(NULL, call, "ds");
  nsds_ds *ds = nsds_ds_find(handle, call);
  if (!ds) return NSDS_ERROR_ARGUMENT;
  nsds_status status = nsds_check_idle(ds->model, call);
  char label[nsds_label_size], field[nsds_label_size + 16];
  snprintf(field, sizeof field, "scheme of %s", nsds_ds_label(ds, label));
  if (!status)
    status = nsds_scheme_check(ds->model->context, call, field, (int)ds->order,
                               NSDS_OPTION_GAMMA_MASS | NSDS_OPTION_STEP_RATIO, &scheme);
  if (status) return status;
  ds->own.scheme = scheme;
  ds->own.step_ratio = scheme.step_ratio > 1 ? scheme.step_ratio : 1;
  nsds_note(ds->model, -1);
  return NSDS_OK;
}

const nsds_integrator nsds_default_integrator = {.name = "default"};

nsds_status nsds_ds_set_integrator(nsds_ds *handle, const nsds_integrator *integrator) {
  const char *call = "nsds_ds_set_integrator";
  if (!handle) return nsds_fail_null(NULL, call, "ds");
  nsds_ds *ds = nsds_ds_find(handle, call);
  if (!ds) return NSDS_ERROR_ARGUMENT;
  nsds_model *model = ds->model;
  char label[nsds_label_size];
  nsds_status status = nsds_check_idle(model, call);
  if (status) return status;
  if (!integrator)
    return nsds_fail(model->context, NSDS_ERROR_ARGUMENT,
                     "%s: integrator of %s is NULL; give one of your own or of "
                     "nsds_integrator_named(), which knows \"Moreau-Jean\", "
                     "\"Euler-Moreau\", \"zero-order hold\" and \"default\"",
                     call, nsds_ds_label(ds, label));
  status = nsds_check_reserved(model->context, call, "integrator->", NSDS_TAIL(integrator));
  if (status) return status;
  bool own = integrator != &nsds_default_integrator;
  if (own && integrator->order != (int)ds->order)
    return nsds_fail(model->context, NSDS_ERROR_ARGUMENT,
                     "%s: '%s' integrates systems of order %d; %s is of order %d", call,
                     integrator->name ? integrator->name : "", integrator->order,
                     nsds_ds_label(ds, label), (int)ds->order);
  bool complete =
      !own || (integrator->name && integrator->refresh && integrator->free && integrator->apply &&
               (integrator->order == NSDS_FIRST_ORDER) == !integrator->advance);
  bool newton = integrator->evaluate || integrator->tangent || integrator->solve;
  if (!complete || (newton && !(integrator->evaluate && integrator->tangent && integrator->solve)))
    return nsds_fail(model->context, NSDS_ERROR_ARGUMENT,
                     "%s: name, refresh, free, apply, and advance for second order, are required "
                     "operations; evaluate, tangent and solve go together",
                     call);
  ds->own.integrator = NULL;
  nsds_note(model, -1);
  return own ? nsds_guard_integrator(ds, integrator) : NSDS_OK;
}
