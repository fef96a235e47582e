/*
 * Nodes and edges of the interaction graph: creation of systems, relations and laws from their
 * vtables, connection and disconnection. Offsets into the model's arrays are given here; removal
 * closes the gap it leaves, so the arrays stay contiguous.
 */
#include "modeling.h"

#include <limits.h>
#include <stdio.h>

static void copy_name(char *target, const char *name) {
  if (name) snprintf(target, nsds_name_size, "%s", name);
}

static size_t grown(size_t capacity, size_t count) {
  size_t wanted = capacity + capacity / 2 + 4;
  return count <= capacity ? capacity : count > wanted ? count : wanted;
}

/* Makes room in the state block; the arrays move when it grows. */
static nsds_status reserve(nsds_model *model, size_t nq, size_t nv, size_t ny) {
  if (nq <= model->q_capacity && nv <= model->v_capacity && ny <= model->y_capacity && model->state)
    return NSDS_OK;
  if (nq > INT_MAX || nv > INT_MAX || ny > INT_MAX)
    return nsds_fail(model->context, NSDS_ERROR_SIZE,
                     "the model would have %zu coordinates, %zu unknowns and %zu rows of "
                     "interactions; of each there may be %d",
                     nq, nv, ny, INT_MAX);
  nsds_model next = *model;
  next.q_capacity = grown(model->q_capacity, nq);
  next.v_capacity = grown(model->v_capacity, nv);
  next.y_capacity = grown(model->y_capacity, ny);
  next.state_size = next.q_capacity + 3 * next.v_capacity + 4 * next.y_capacity;
  next.state = NSDS_NEW_ARRAY(model->context, double, next.state_size);
  if (!next.state) return NSDS_ERROR_MEMORY;
  nsds_state_view s = nsds_view_state(&next, next.state);
  double *to[] = {s.q, s.v, s.p, s.reaction, s.y, s.ydot, s.impulse, s.force};
  const double *from[] = {model->q, model->v,    model->p,       model->reaction,
                          model->y, model->ydot, model->impulse, model->force};
  size_t count[] = {model->nq, model->nv, model->nv, model->nv,
                    model->ny, model->ny, model->ny, model->ny};
  for (int k = 0; k < 8; ++k)
    if (count[k] > 0) memcpy(to[k], from[k], count[k] * sizeof(double));
  nsds_release(model->context, model->state);
  *model = next;
  ++model->topology; /* plans hold trial blocks of the same layout, also when the caller fails */
  model->q = s.q, model->v = s.v, model->p = s.p, model->reaction = s.reaction;
  model->y = s.y, model->ydot = s.ydot, model->impulse = s.impulse, model->force = s.force;
  return NSDS_OK;
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

static bool check_second_order(nsds_context *context, const nsds_second_order_def *def) {
  const char *call = def->ops->type;
  if (!nsds_check_count(context, call, "ndof", def->ndof, 1) ||
      !nsds_check_count(context, call, "nz", def->nz, 0) ||
      !nsds_check_finite(context, call, "q0", def->q0, def->ndof) ||
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
  return complete;
}

static void free_ds(nsds_context *context, nsds_ds *ds) {
  if (!ds) return;
  nsds_release(context, ds->prescribed);
  nsds_release(context, ds->z_storage);
  nsds_release(context, ds);
}

/* Adds a system described by *given (its list place, offsets and z are set here) to the model. */
static nsds_ds *add_ds(nsds_model *model, const nsds_ds *given, const char *name, int nz,
                       const double *z, const double *q0, const double *v0) {
  nsds_context *context = model->context;
  size_t nq = (size_t)given->nq, nv = (size_t)given->nv;
  nsds_ds labelled = {.index = (int)model->ds.count, .type = given->type};
  char label[nsds_label_size];
  copy_name(labelled.name, name);
  bool sparse = given->mass.p || given->damping.p || given->stiffness.p;
  if (!sparse && !nsds_check_dense(context, nsds_ds_label(&labelled, label), "its iteration matrix",
                                   given->nv, given->nv))
    return NULL;
  if (reserve(model, model->nq + nq, model->nv + nv, model->ny)) return NULL;
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
  ds->q_offset = (int)model->nq;
  ds->v_offset = (int)model->nv;
  for (size_t k = 0; k < nq; ++k) model->q[model->nq + k] = q0 ? q0[k] : 0.0;
  for (size_t k = 0; k < nv; ++k) {
    model->v[model->nv + k] = v0 ? v0[k] : 0.0;
    model->p[model->nv + k] = model->reaction[model->nv + k] = 0.0;
  }
  model->nq += nq;
  model->nv += nv;
  ++model->topology;
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
                     .nq = def->ndof,
                     .nv = def->ndof,
                     .mass = def->mass,
                     .damping = def->damping,
                     .stiffness = def->stiffness,
                     .affine = def->affine,
                     .force_constant = def->force_constant,
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

nsds_relation *nsds_relation_create(nsds_model *model, const nsds_relation_def *def) {
  const char *missing = !model ? "model" : !def ? "def" : !def->ops ? "def->ops" : NULL;
  nsds_context *context = model ? model->context : NULL;
  nsds_relation *relation = NULL;
  if (missing) nsds_fail_null(context, "nsds_relation_create", missing);
  else if (!def->ops->output || !def->ops->jacobian_q ||
           !def->ops->input != !def->ops->input_lambda)
    nsds_fail(
        context, NSDS_ERROR_ARGUMENT,
        "%s: output and jacobian_q are required operations; input and input_lambda go together",
        def->ops->type);
  else if (!def->ops->input && def->ops->jacobian_lambda && (def->affine || def->ops->feedthrough))
    nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: jacobian_lambda excludes affine and feedthrough",
              def->ops->type);
  else if (def->affine && def->ops->jacobian_t)
    nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: jacobian_t excludes affine", def->ops->type);
  else if (nsds_check_count(context, def->ops->type, "ny", def->ny, 1) &&
           nsds_check_count(context, def->ops->type, "nq", def->nq, 1) &&
           nsds_check_count(context, def->ops->type, "nz_own", def->nz_own, 0) &&
           nsds_check_dense(context, def->name ? def->name : def->ops->type, "its Jacobian",
                            def->ny, def->nq) &&
           nsds_check_finite(context, def->ops->type, "z", def->z, def->nz_own))
    relation = NSDS_NEW(context, nsds_relation);
  if (relation) {
    relation->z = NSDS_NEW_ARRAY(context, double, def->nz_own);
    if (!relation->z || nsds_list_push(context, &model->relation, relation)) {
      nsds_release(context, relation->z);
      nsds_release(context, relation);
      relation = NULL;
    }
  }
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
  relation->order = def->ops->input ? 1 : 2;
  relation->affine = def->affine;
  relation->linear = def->affine || def->linear;
  relation->nz_needed = def->nz_needed;
  relation->nz_own = def->nz_own;
  if (def->z && def->nz_own > 0) memcpy(relation->z, def->z, (size_t)def->nz_own * sizeof *def->z);
  return relation;
}

nsds_law *nsds_law_create(nsds_model *model, const nsds_law_def *def) {
  const char *missing = !model ? "model" : !def ? "def" : !def->ops ? "def->ops" : NULL;
  nsds_context *context = model ? model->context : NULL;
  nsds_law *law = NULL;
  if (missing) nsds_fail_null(context, "nsds_law_create", missing);
  else if (!def->ops->block)
    nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: block is a required operation", def->ops->type);
  else if (nsds_check_count(context, def->ops->type, "size", def->size, 0))
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
  law->size = def->size;
  return law;
}

static bool check_connection(nsds_model *model, const nsds_relation *relation, const nsds_law *law,
                             int nds, nsds_ds *const *ds) {
  nsds_context *context = model->context;
  char label[nsds_label_size], other[nsds_label_size];
  int nq = 0, nz = relation->nz_own;
  if (relation->model != model || law->model != model) {
    nsds_fail(context, NSDS_ERROR_ARGUMENT, "nsds_connect: the %s belongs to another model",
              relation->model != model ? "relation" : "law");
    return false;
  }
  if (!nsds_check_count(context, "nsds_connect", "nds", nds, 1)) return false;
  for (int k = 0; k < nds; ++k) {
    if (!ds[k]) {
      nsds_fail_null(context, "nsds_connect", "an entry of ds");
      return false;
    }
    if (ds[k]->model != model) {
      nsds_fail(context, NSDS_ERROR_ARGUMENT, "nsds_connect: ds[%d] (%s) belongs to another model",
                k, nsds_ds_label(ds[k], label));
      return false;
    }
    for (int j = 0; j < k; ++j)
      if (ds[j] == ds[k]) {
        nsds_fail(context, NSDS_ERROR_ARGUMENT, "nsds_connect: ds[%d] and ds[%d] are both %s", j, k,
                  nsds_ds_label(ds[k], label));
        return false;
      }
    if (ds[k]->order != relation->order) {
      nsds_fail(context, NSDS_ERROR_ARGUMENT,
                "nsds_connect: %s is of order %d, but %s connects systems of order %d",
                nsds_ds_label(ds[k], label), ds[k]->order, nsds_relation_label(relation, other),
                relation->order);
      return false;
    }
    nq += ds[k]->nv;
    nz += ds[k]->nz;
  }
  if (nq != relation->nq) {
    nsds_fail(context, NSDS_ERROR_SIZE,
              "nsds_connect: %s takes %d coordinates, the %d systems (first: %s) have %d",
              nsds_relation_label(relation, label), relation->nq, nds, nsds_ds_label(ds[0], other),
              nq);
    return false;
  }
  if (relation->nz_needed > 0 && nz != relation->nz_needed) {
    nsds_fail(context, NSDS_ERROR_SIZE,
              "nsds_connect: %s takes %d parameters Z, the systems and the relation have %d",
              nsds_relation_label(relation, label), relation->nz_needed, nz);
    return false;
  }
  bool d = relation->ops->jacobian_lambda || relation->ops->feedthrough || law->ops->compliance;
  if (d && !nsds_check_dense(context, nsds_relation_label(relation, label), "D", relation->ny,
                             relation->ny))
    return false;
  if (law->size != 0 && law->size != relation->ny) {
    nsds_fail(context, NSDS_ERROR_SIZE, "nsds_connect: law %s has size %d, %s has ny = %d",
              law->ops->type, law->size, nsds_relation_label(relation, label), relation->ny);
    return false;
  }
  return true;
}

nsds_interaction *nsds_connect(nsds_model *model, nsds_relation *relation, nsds_law *law, int nds,
                               nsds_ds *const *ds) {
  const char *missing = !model      ? "model"
                        : !relation ? "relation"
                        : !law      ? "law"
                        : !ds       ? "ds"
                                    : NULL;
  if (missing) {
    nsds_fail_null(model ? model->context : NULL, "nsds_connect", missing);
    return NULL;
  }
  nsds_context *context = model->context;
  if (!check_connection(model, relation, law, nds, ds)) return NULL;
  size_t m = (size_t)relation->ny;
  if (reserve(model, model->nq, model->nv, model->ny + m)) return NULL;
  nsds_interaction *interaction = NSDS_NEW(context, nsds_interaction);
  if (!interaction) return NULL;
  interaction->ds = nsds_copy(context, ds, (size_t)nds, sizeof *ds);
  if (!interaction->ds || nsds_list_push(context, &model->interaction, interaction)) {
    nsds_release(context, interaction->ds);
    nsds_release(context, interaction);
    return NULL;
  }
  interaction->model = model;
  interaction->relation = relation;
  interaction->law = law;
  interaction->index = (int)model->interaction.count - 1;
  interaction->m = relation->ny;
  interaction->y_offset = (int)model->ny;
  interaction->nds = nds;
  interaction->nz = relation->nz_own;
  for (int k = 0; k < nds; ++k) interaction->nz += ds[k]->nz;
  for (size_t k = 0; k < m; ++k)
    model->y[model->ny + k] = model->ydot[model->ny + k] = model->impulse[model->ny + k] =
        model->force[model->ny + k] = 0.0;
  model->ny += m;
  ++model->topology;
  return interaction;
}

nsds_status nsds_disconnect(nsds_interaction *interaction) {
  if (!interaction) return nsds_fail_null(NULL, "nsds_disconnect", "interaction");
  nsds_model *model = interaction->model;
  size_t m = (size_t)interaction->m, first = (size_t)interaction->y_offset;
  double *arrays[] = {model->y, model->ydot, model->impulse, model->force};
  model->ny -= m;
  for (int k = 0; k < 4; ++k)
    memmove(arrays[k] + first, arrays[k] + first + m, (model->ny - first) * sizeof(double));
  nsds_list_remove(&model->interaction, interaction);
  for (size_t k = (size_t)interaction->index; k < model->interaction.count; ++k) {
    nsds_interaction *later = model->interaction.item[k];
    later->index = (int)k;
    later->y_offset -= (int)m;
  }
  ++model->topology;
  nsds_release(model->context, interaction->ds);
  nsds_release(model->context, interaction);
  return NSDS_OK;
}

int nsds_interaction_ds_count(const nsds_interaction *interaction) {
  return interaction ? interaction->nds : 0;
}

nsds_ds *nsds_interaction_ds(const nsds_interaction *interaction, int k) {
  return interaction && k >= 0 && k < interaction->nds ? interaction->ds[k] : NULL;
}

static bool share_system(const nsds_interaction *a, const nsds_interaction *b) {
  for (int i = 0; i < a->nds; ++i)
    for (int j = 0; j < b->nds; ++j)
      if (a->ds[i] == b->ds[j]) return true;
  return false;
}

int nsds_linked_interactions(const nsds_interaction *interaction, int capacity,
                             nsds_interaction **linked) {
  if (!interaction) return 0;
  const nsds_model *model = interaction->model;
  int count = 0;
  for (size_t k = 0; k < model->interaction.count; ++k) {
    nsds_interaction *other = model->interaction.item[k];
    if (other == interaction || !share_system(interaction, other)) continue;
    if (linked && count < capacity) linked[count] = other;
    ++count;
  }
  return count;
}
