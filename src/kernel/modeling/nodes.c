/*
 * Nodes of the graph: systems, relations and laws made from their vtables.
 */
#include "modeling.h"

#include <limits.h>
#include <stdio.h>

static void copy_name(char *target, const char *name) {
  if (name) snprintf(target, nsds_name_size, "%s", name);
}

static bool check_prescribed(nsds_context *context, const nsds_second_order_def *def) {
  const char *call = def->ops->type;
  if (!nsds_check_count(context, call, "nprescribed", def->nprescribed, 0)) return false;
  if (def->nprescribed > 0 && !def->prescribed) {
    nsds_fail_null(context, call, "prescribed");
    return false;
  }
  for (int k = 0; k < def->nprescribed; ++k) {
    int low = k > 0 ? def->prescribed[k - 1] + 1 : 0;
    if (def->prescribed[k] >= low && def->prescribed[k] < def->ndof) continue;
    nsds_fail(context, NSDS_ERROR_SIZE,
              "%s: prescribed[%d] is %d; valid are increasing indices in [0, %d]", call, k,
              def->prescribed[k], def->ndof - 1);
    return false;
  }
  if (def->nprescribed > 0 && !def->ops->prescribed) {
    nsds_fail(context, NSDS_ERROR_ARGUMENT,
              "%s: %d velocities are prescribed, but the function giving them is NULL", call,
              def->nprescribed);
    return false;
  }
  return true;
}

static int coordinates(const nsds_second_order_def *def) {
  return def->nq == 0 ? def->ndof : def->nq;
}

static bool check_second_order(nsds_context *context, const nsds_second_order_def *def) {
  const char *call = def->ops->type;
  if (!nsds_check_count(context, call, "ndof", def->ndof, 1) ||
      !nsds_check_count(context, call, "nq", def->nq, 0) ||
      !nsds_check_count(context, call, "nz", def->nz, 0) ||
      !nsds_check_finite(context, call, "q0", def->q0, coordinates(def)) ||
      !nsds_check_finite(context, call, "v0", def->v0, def->ndof) ||
      !nsds_check_finite(context, call, "z", def->z, def->nz) || !check_prescribed(context, def))
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
  if (!def->ops->velocity_map != !def->ops->advance ||
      (def->nq != 0 && def->nq != def->ndof && !def->ops->velocity_map))
    wrong = "velocity_map and advance go together, and are required where nq differs from nv";
  if (def->explicit_force && (def->affine || def->damping.present || def->stiffness.present))
    wrong = "explicit_force excludes affine, damping and stiffness: W is M alone";
  if (complete && def->affine && def->ops->velocity_map) wrong = "affine excludes velocity_map";
  if (complete && wrong) nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: %s", call, wrong);
  return complete && !wrong;
}

/* A sparse pattern: column starts from 0 on, rows in range and increasing in each column. */
static bool check_shape(nsds_context *context, const char *type, const char *name,
                        const nsds_shape *shape, int n) {
  if (!shape->present || (!shape->p && !shape->i)) return true;
  bool right = shape->p && shape->i && shape->p[0] == 0;
  for (int j = 0; right && j < n; ++j) {
    right = shape->p[j + 1] >= shape->p[j];
    for (int k = shape->p[j]; right && k < shape->p[j + 1]; ++k)
      right = shape->i[k] >= (k > shape->p[j] ? shape->i[k - 1] + 1 : 0) && shape->i[k] < n;
  }
  if (!right)
    nsds_fail(context, NSDS_ERROR_SIZE,
              "%s: the pattern of its %s is not one of %d columns: p starts at 0 and does not "
              "decrease, rows are in [0, %d] and increase within a column",
              type, name, n, n - 1);
  return right;
}

static void free_ds(nsds_context *context, nsds_ds *ds) {
  if (!ds) return;
  nsds_release(context, ds->prescribed);
  nsds_release(context, ds->z_storage);
  nsds_release(context, ds);
}

/* Whether the model may grow by a system to the given size. */
static bool check_size(const nsds_model *model, const nsds_ds *given, const char *name,
                       const nsds_state_size *size) {
  nsds_context *context = model->context;
  nsds_ds labelled = {.index = (int)model->ds.count, .type = given->type};
  char label[nsds_label_size];
  copy_name(labelled.name, name);
  if (!check_shape(context, given->type, "mass", &given->mass, given->nv) ||
      !check_shape(context, given->type, "damping", &given->damping, given->nv) ||
      !check_shape(context, given->type, given->order == 2 ? "stiffness" : "jacobian",
                   &given->stiffness, given->nv))
    return NULL;
  bool sparse = given->mass.p || given->damping.p || given->stiffness.p;
  if (!sparse && !nsds_check_dense(context, nsds_ds_label(&labelled, label), "its iteration matrix",
                                   given->nv, given->nv))
    return false;
  if (size->nq <= INT_MAX && size->nv <= INT_MAX) return true;
  nsds_fail(context, NSDS_ERROR_SIZE,
            "the model would have %zu coordinates and %zu unknowns; of each there may be %d",
            size->nq, size->nv, INT_MAX);
  return false;
}

/* A copy of *given in the model's list. */
static nsds_ds *list_ds(nsds_model *model, const nsds_ds *given, const char *name, int nz,
                        const double *z) {
  nsds_context *context = model->context;
  nsds_ds *ds = nsds_copy(context, given, 1, sizeof *given);
  if (!ds) return NULL;
  copy_name(ds->name, name);
  ds->model = model;
  ds->index = (int)model->ds.count;
  ds->nz = nz;
  ds->z = ds->z_storage = NSDS_NEW_ARRAY(context, double, nz > 0 ? nz : 1);
  ds->prescribed = nsds_copy(context, given->prescribed, (size_t)given->nprescribed, sizeof(int));
  if (!ds->z || (given->prescribed && !ds->prescribed) || nsds_list_push(context, &model->ds, ds)) {
    free_ds(context, ds);
    return NULL;
  }
  if (nz == 0) ds->z_storage[0] = NAN;
  if (z && nz > 0) memcpy(ds->z, z, (size_t)nz * sizeof *z);
  return ds;
}

/* The call that makes an object: bundled types have the name of theirs. */
static const char *maker(const char *type, const char *call) {
  return type && strncmp(type, "nsds_", 5) == 0 ? type : call;
}

/* Adds a system described by *given (its list place, offsets and z are set here) to the model. */
static nsds_ds *add_ds(nsds_model *model, const nsds_ds *given, const char *name, int nz,
                       const double *z, const double *q0, const double *v0) {
  size_t nq = (size_t)given->nq, nv = (size_t)given->nv;
  nsds_state_size size = {model->size.nq + nq, model->size.nv + nv, model->size.ny};
  const char *call = given->order == 2 ? "nsds_second_order" : "nsds_first_order_system";
  if (nsds_check_idle(model, maker(given->type, call)) || !check_size(model, given, name, &size))
    return NULL;
  nsds_note(model, -1); /* plans hold places in the state, which may move also where this fails */
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

nsds_ds *nsds_second_order(nsds_model *model, const nsds_second_order_def *def) {
  if (!model || !def || !def->ops) {
    nsds_fail_null(model ? model->context : NULL, "nsds_second_order",
                   !model ? "model"
                   : !def ? "def"
                          : "def->ops");
    if (def && def->ops && def->ops->destroy) def->ops->destroy(def->self);
    return NULL;
  }
  nsds_ds *ds = NULL;
  if (check_second_order(model->context, def)) {
    nsds_ds given = {.order = 2,
                     .ops = def->ops,
                     .type = def->ops->type,
                     .jacobian_pair = def->ops->jacobian_pair,
                     .destroy = def->ops->destroy,
                     .self = def->self,
                     .nq = coordinates(def),
                     .nv = def->ndof,
                     .mass = def->mass,
                     .damping = def->damping,
                     .stiffness = def->stiffness,
                     .affine = def->affine,
                     .force_constant = def->force_constant,
                     .explicit_force = def->explicit_force,
                     .nprescribed = def->nprescribed,
                     .prescribed = def->nprescribed > 0 ? (int *)(uintptr_t)def->prescribed : NULL};
    given.mass.present = true;
    ds = add_ds(model, &given, def->name, def->nz, def->z, def->q0, def->v0);
  }
  if (!ds && def->ops->destroy) def->ops->destroy(def->self);
  return ds;
}

nsds_ds *nsds_first_order_system(nsds_model *model, const nsds_first_order_system_def *def) {
  const char *missing = !model ? "model" : !def ? "def" : !def->ops ? "def->ops" : NULL;
  nsds_context *context = model ? model->context : NULL;
  nsds_ds *ds = NULL;
  if (missing) {
    nsds_fail_null(context, "nsds_first_order_system", missing);
  } else if (!def->ops->rhs || (def->mass.present && !def->ops->mass) ||
             (def->jacobian.present && !def->ops->jacobian)) {
    nsds_fail(context, NSDS_ERROR_ARGUMENT,
              "%s: rhs, and mass and jacobian where their shapes are present, are required "
              "operations",
              def->ops->type);
  } else if (nsds_check_count(context, def->ops->type, "n", def->n, 1) &&
             nsds_check_count(context, def->ops->type, "nz", def->nz, 0) &&
             nsds_check_finite(context, def->ops->type, "x0", def->x0, def->n) &&
             nsds_check_finite(context, def->ops->type, "z", def->z, def->nz)) {
    nsds_ds given = {.order = 1,
                     .first = def->ops,
                     .type = def->ops->type,
                     .jacobian_pair = def->ops->jacobian_pair,
                     .destroy = def->ops->destroy,
                     .self = def->self,
                     .nv = def->n,
                     .mass = def->mass,
                     .stiffness = def->jacobian,
                     .affine = def->affine,
                     .force_constant = def->rhs_constant};
    ds = add_ds(model, &given, def->name, def->nz, def->z, NULL, def->x0);
  }
  if (!ds && def && def->ops && def->ops->destroy) def->ops->destroy(def->self);
  return ds;
}

nsds_ds_operators nsds_ds_describe(const nsds_ds *ds) {
  if (!ds) return (nsds_ds_operators){0};
  return (nsds_ds_operators){.second = ds->ops,
                             .first = ds->first,
                             .self = ds->self,
                             .mass = ds->mass,
                             .damping = ds->damping,
                             .stiffness = ds->stiffness,
                             .affine = ds->affine,
                             .force_constant = ds->force_constant};
}

nsds_in nsds_ds_point(const nsds_ds *ds, double t, const double *q, const double *u) {
  return ds ? nsds_ds_in(ds, t, q, u) : (nsds_in){.t = t};
}

nsds_status nsds_ds_set_integrator(nsds_ds *ds, const nsds_integrator *integrator) {
  const char *call = "nsds_ds_set_integrator";
  if (!ds) return nsds_fail_null(NULL, call, "ds");
  nsds_model *model = ds->model;
  char label[nsds_label_size];
  nsds_status status = nsds_check_idle(model, call);
  if (status) return status;
  if (integrator && integrator->order != ds->order)
    return nsds_fail(model->context, NSDS_ERROR_ARGUMENT,
                     "%s: '%s' integrates systems of order %d; %s is of order %d", call,
                     integrator->name ? integrator->name : "", integrator->order,
                     nsds_ds_label(ds, label), ds->order);
  bool complete =
      !integrator || (integrator->name && integrator->refresh && integrator->free &&
                      integrator->apply && (integrator->order == 1) == !integrator->advance);
  bool newton = integrator && (integrator->evaluate || integrator->tangent || integrator->solve);
  if (!complete || (newton && !(integrator->evaluate && integrator->tangent && integrator->solve)))
    return nsds_fail(model->context, NSDS_ERROR_ARGUMENT,
                     "%s: name, refresh, free, apply, and advance for second order, are required "
                     "operations; evaluate, tangent and solve go together",
                     call);
  ds->integrator = integrator;
  nsds_note(model, -1);
  return NSDS_OK;
}

static bool check_relation(nsds_context *context, const nsds_relation_def *def) {
  const nsds_relation_ops *ops = def->ops;
  const char *wrong = NULL;
  if (!ops->output || (!ops->jacobian_q && !ops->gradient_v) || !ops->input != !ops->input_lambda)
    wrong = "output and jacobian_q are required operations; input and input_lambda go together";
  else if (ops->gradient_v && (ops->jacobian_q || ops->input || def->affine))
    wrong = "gradient_v excludes jacobian_q, affine, and the operations of first order";
  else if (!ops->input && ops->jacobian_lambda && (def->affine || ops->feedthrough))
    wrong = "jacobian_lambda excludes affine and feedthrough";
  else if (def->affine && ops->jacobian_t) wrong = "jacobian_t excludes affine";
  if (wrong) {
    nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: %s", ops->type, wrong);
    return false;
  }
  return nsds_check_count(context, ops->type, "ny", def->ny, 1) &&
         nsds_check_count(context, ops->type, "nq", def->nq, 1) &&
         nsds_check_count(context, ops->type, "nv", def->nv, 0) &&
         nsds_check_count(context, ops->type, "nz_own", def->nz_own, 0) &&
         nsds_check_dense(context, def->name ? def->name : ops->type, "its Jacobian", def->ny,
                          def->nq) &&
         nsds_check_finite(context, ops->type, "z", def->z, def->nz_own);
}

/* An object in the model's list, with room for its parameters. */
static nsds_relation *list_relation(nsds_model *model, int nz) {
  nsds_context *context = model->context;
  nsds_relation *relation = nsds_place_take(context, &model->relations, sizeof *relation);
  if (!relation) return NULL;
  relation->z = NSDS_NEW_ARRAY(context, double, nz);
  if (relation->z && !nsds_list_push(context, &model->relation, relation)) return relation;
  nsds_release(context, relation->z);
  nsds_place_give(&model->relations, relation);
  return NULL;
}

nsds_relation *nsds_relation_create(nsds_model *model, const nsds_relation_def *def) {
  const char *missing = !model ? "model" : !def ? "def" : !def->ops ? "def->ops" : NULL;
  nsds_relation *relation = NULL;
  if (missing) nsds_fail_null(nsds_model_context(model), "nsds_relation_create", missing);
  else if (!nsds_check_idle(model, maker(def->ops->type, "nsds_relation_create")) &&
           check_relation(model->context, def))
    relation = list_relation(model, def->nz_own);
  if (!relation) {
    if (def && def->ops && def->ops->destroy) def->ops->destroy(def->self);
    return NULL;
  }
  relation->model = model;
  relation->ops = def->ops;
  relation->self = def->self;
  copy_name(relation->name, def->name);
  relation->index = (int)model->relation.count - 1;
  relation->ny = def->ny;
  relation->nq = def->nq;
  relation->nv = def->nv > 0 ? def->nv : def->nq;
  relation->order = def->ops->input ? 1 : 2;
  relation->affine = def->affine;
  relation->linear = def->affine || def->linear;
  relation->nz_needed = def->nz_needed;
  relation->nz_own = def->nz_own;
  if (def->z && def->nz_own > 0) memcpy(relation->z, def->z, (size_t)def->nz_own * sizeof *def->z);
  return nsds_place_handle(relation);
}

nsds_status nsds_relation_destroy(nsds_relation *handle) {
  const char *call = "nsds_relation_destroy";
  if (!handle) return nsds_fail_null(NULL, call, "relation");
  nsds_relation *relation = nsds_relation_find(handle, call);
  if (!relation) return NSDS_ERROR_ARGUMENT;
  nsds_model *model = relation->model;
  char label[nsds_label_size];
  nsds_status status = nsds_check_idle(model, call);
  if (status) return status;
  if (relation->users > 0)
    return nsds_fail(model->context, NSDS_ERROR_STATE,
                     "%s: %s is used by %d interactions; disconnect them first", call,
                     nsds_relation_label(relation, label), relation->users);
  model->busy = NSDS_BUSY_CALL;
  if (relation->ops->destroy) relation->ops->destroy(relation->self);
  model->busy = 0;
  nsds_release(model->context, relation->z);
  nsds_relation *last = model->relation.item[--model->relation.count];
  model->relation.item[relation->index] = last;
  last->index = relation->index;
  nsds_place_give(&model->relations, relation);
  return NSDS_OK;
}

nsds_law *nsds_law_create(nsds_model *model, const nsds_law_def *def) {
  const char *missing = !model ? "model" : !def ? "def" : !def->ops ? "def->ops" : NULL;
  nsds_context *context = model ? model->context : NULL;
  nsds_law *law = NULL;
  if (missing) nsds_fail_null(context, "nsds_law_create", missing);
  else if (!def->ops->block)
    nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: block is a required operation", def->ops->type);
  else if (def->ngap < 0 || def->ngap > (def->size > 0 ? def->size : 1))
    nsds_fail(context, NSDS_ERROR_SIZE, "%s: ngap is %d; a copy of the law has %d rows",
              def->ops->type, def->ngap, def->size > 0 ? def->size : 1);
  else if ((int)def->level < NSDS_LEVEL_VELOCITY || def->level > NSDS_LEVEL_FORCE)
    nsds_fail(context, NSDS_ERROR_VALUE, "%s: level is %d, not one of nsds_level", def->ops->type,
              (int)def->level);
  else if (!nsds_check_idle(model, maker(def->ops->type, "nsds_law_create")) &&
           nsds_check_count(context, def->ops->type, "size", def->size, 0))
    law = NSDS_NEW(context, nsds_law);
  if (law && nsds_list_push(context, &model->law, law)) {
    nsds_release(context, law);
    law = NULL;
  }
  if (!law) {
    if (def && def->ops && def->ops->destroy) def->ops->destroy(def->self);
    return NULL;
  }
  law->model = model;
  law->ops = def->ops;
  law->self = def->self;
  law->size = def->size > 0 ? def->size : 1;
  law->ngap = def->ngap > 0 ? def->ngap : law->size;
  law->level = def->level;
  return law;
}
