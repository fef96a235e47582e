/*
 * Edges of the interaction graph: connection, disconnection, and handles that stay recognizable
 * after their object has gone. The time of a change does not depend on the size of the model. Rows
 * of the state are used again, and the last interaction takes the place of a removed one.
 */
#include "kernel/modeling/graph.h"

#include "base/arena.h"
#include "base/context.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/gate.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/law.h"
#include "kernel/modeling/list.h"
#include "kernel/modeling/local.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/state.h"
#include "kernel/modeling/turns.h"

#include <limits.h>
#include <stdio.h>

/* Checks the systems: all of this model and of the relation's order, each once. */
static bool graph_check_systems(nsds_model *model, const nsds_relation *relation, int nds,
                                nsds_ds *const *ds) {
  nsds_context *context = model->context;
  bool gap = nsds_has_gap(relation->kind);
  char label[nsds_label_size], other[nsds_label_size];
  if ((size_t)nds > model->ds.count) {
    nsds_fail(context, NSDS_ERROR_SIZE,
              "nsds_connect: nds is %d; the model has %zu systems, of which each may be given once",
              nds, model->ds.count);
    return false;
  }
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
        nsds_fail(context, NSDS_ERROR_ARGUMENT,
                  "nsds_connect: ds[%d] and ds[%d] are both %s; give each system once", j, k,
                  nsds_ds_label(ds[k], label));
        return false;
      }
    if (relation->kind == NSDS_RELATION_MIXED && k > 0 && nsds_is_first_order(ds[k]) &&
        nsds_is_second_order(ds[k - 1])) {
      nsds_fail(context, NSDS_ERROR_ARGUMENT,
                "nsds_connect: %s is of order 1 and comes after one of order 2; give %s the "
                "systems of order 1 first",
                nsds_ds_label(ds[k], label), nsds_relation_label(relation, other));
      return false;
    }
    if (relation->kind != NSDS_RELATION_MIXED && nsds_is_second_order(ds[k]) != gap) {
      nsds_fail(context, NSDS_ERROR_ARGUMENT,
                "nsds_connect: %s is of order %d, but %s connects systems of order %d",
                nsds_ds_label(ds[k], label), (int)ds[k]->order,
                nsds_relation_label(relation, other), gap ? NSDS_SECOND_ORDER : NSDS_FIRST_ORDER);
      return false;
    }
  }
  return true;
}

/* Checks that the systems together have as many variables as the relation takes. */
static bool check_sizes(nsds_context *context, const nsds_relation *relation, int nds,
                        nsds_ds *const *ds) {
  char label[nsds_label_size], other[nsds_label_size];
  long long nq = 0, nv = 0, nx = 0, nz = relation->nz;
  for (int k = 0; k < nds; ++k) {
    bool state = relation->kind == NSDS_RELATION_MIXED && nsds_is_first_order(ds[k]);
    if (!state) nq += nsds_is_second_order(ds[k]) ? ds[k]->nq : ds[k]->nv;
    if (state) nx += ds[k]->nv;
    nv += ds[k]->nv;
    nz += ds[k]->parameters.n;
  }
  if (nq != relation->nq) {
    nsds_fail(context, NSDS_ERROR_SIZE,
              "nsds_connect: %s takes %d coordinates, the %d systems (first: %s) have %lld",
              nsds_relation_label(relation, label), relation->nq, nds, nsds_ds_label(ds[0], other),
              nq);
    return false;
  }
  if (relation->kind == NSDS_RELATION_MIXED && nx != relation->nx) {
    nsds_fail(context, NSDS_ERROR_SIZE,
              "nsds_connect: %s takes %d states of first-order systems, the %d systems (first: %s) "
              "have %lld",
              nsds_relation_label(relation, label), relation->nx, nds, nsds_ds_label(ds[0], other),
              nx);
    return false;
  }
  if ((relation->ops->gradient_v || relation->kind == NSDS_RELATION_MIXED) && nv != relation->nv) {
    nsds_fail(context, NSDS_ERROR_SIZE,
              "nsds_connect: %s takes %d velocities, the %d systems (first: %s) have %lld",
              nsds_relation_label(relation, label), relation->nv, nds, nsds_ds_label(ds[0], other),
              nv);
    return false;
  }
  if (relation->nZ > 0 && nz > relation->nZ) {
    nsds_fail(context, NSDS_ERROR_SIZE,
              "nsds_connect: %s takes %d parameters Z, the systems and the relation have %lld",
              nsds_relation_label(relation, label), relation->nZ, nz);
    return false;
  }
  long long most = INT_MAX / 4; /* of nq + nv + nz, gathered in one piece */
  if (nz > most || nv > most || (long long)relation->ny * nv > INT_MAX) {
    nsds_fail(
        context, NSDS_ERROR_SIZE,
        "nsds_connect: %s with ny = %d is over %lld velocities and %lld parameters; valid are "
        "up to %lld of each, and %d entries of its gradient",
        nsds_relation_label(relation, label), relation->ny, nv, nz, most, INT_MAX);
    return false;
  }
  return true;
}

/* Refuses a law of one row for the tangents of a contact, which it would treat as contacts. As
 * equations all rows together hold a point on a surface. */
static bool check_tangents(nsds_context *context, const nsds_relation *relation,
                           const nsds_law *law) {
  char label[nsds_label_size];
  if (!relation->tangents || law->size > 1 || law->set == NSDS_SET_EQUALITY) return true;
  nsds_fail(context, NSDS_ERROR_SIZE,
            "nsds_connect: law %s has size 1, but the %d rows of %s are normal and tangents of one "
            "contact; give the relation .rows = 1, or take a law with friction",
            nsds_law_called(law), relation->ny, nsds_relation_label(relation, label));
  return false;
}

/* Refuses a law with memory in a spring. Velocities do not jump in a spring. The term e dy/dt of
 * the step before would push in every step, and the result would depend on h without a limit. */
static bool check_memory(nsds_context *context, const nsds_relation *relation, nsds_law *law) {
  char label[nsds_label_size];
  bool remembers;
  if (nsds_law_remembers(law, &remembers)) return false;
  if (!remembers) return true;
  nsds_fail(
      context, NSDS_ERROR_UNSUPPORTED,
      "nsds_connect: law %s has restitution, but %s is compliant: its contact is a spring, in "
      "which no velocity jumps; valid are coefficients of restitution of 0, a relation "
      "without compliance, or nsds_complementarity()",
      nsds_law_called(law), nsds_relation_label(relation, label));
  return false;
}

static bool check_connection(nsds_model *model, const nsds_relation *relation, nsds_law *law,
                             int nds, nsds_ds *const *ds) {
  nsds_context *context = model->context;
  char label[nsds_label_size];
  if (relation->model != model || law->model != model) {
    nsds_fail(context, NSDS_ERROR_ARGUMENT, "nsds_connect: the %s belongs to another model",
              relation->model != model ? "relation" : "law");
    return false;
  }
  if (!nsds_check_count(context, "nsds_connect", "nds", nds, 1) ||
      !graph_check_systems(model, relation, nds, ds) || !check_sizes(context, relation, nds, ds))
    return false;
  bool d = relation->ops->jacobian_lambda || relation->ops->feedthrough || law->ops->compliance;
  if (d && !nsds_check_dense(context, nsds_relation_label(relation, label), "D", relation->ny,
                             relation->ny))
    return false;
  if (nsds_acts_on_states(relation->kind) && law->ops->restitution) {
    nsds_fail(context, NSDS_ERROR_UNSUPPORTED,
              "nsds_connect: law %s is about velocities before and after an impact; %s is of first "
              "order, or mixed, and has none: nsds_complementarity() is the law of y itself",
              nsds_law_called(law), nsds_relation_label(relation, label));
    return false;
  }
  if (nsds_has_gap(relation->kind) && relation->ops->jacobian_lambda &&
      !check_memory(context, relation, law))
    return false;
  if (relation->ny % law->size != 0) {
    nsds_fail(context, NSDS_ERROR_SIZE,
              "nsds_connect: law %s has size %d, which does not divide ny = %d of %s",
              nsds_law_called(law), law->size, relation->ny, nsds_relation_label(relation, label));
    return false;
  }
  return nsds_check_law(context, "nsds_connect", law) && check_tangents(context, relation, law) &&
         nsds_gate_check(context, relation, law);
}

/* ---- rows of the state ----------------------------------------------------------------------- */

static nsds_free_rows *rows_of_length(nsds_model *model, int m) {
  for (size_t k = 0; k < model->rows.n; ++k)
    if (model->rows.of[k].m == m) return &model->rows.of[k];
  return NULL;
}

/* Takes a range of m rows, a returned one if possible. Reserves room for its return. */
nsds_status nsds_take_rows(nsds_model *model, int m, int *first) {
  nsds_context *context = model->context;
  nsds_free_rows *rows = rows_of_length(model, m);
  if (rows && rows->count > 0) {
    *first = rows->first[--rows->count];
    ++rows->live;
    return NSDS_OK;
  }
  nsds_state_size size = model->size;
  size.ny += (size_t)m;
  if (size.ny > INT_MAX)
    return nsds_fail(context, NSDS_ERROR_SIZE,
                     "the model would have %zu rows of interactions; there may be at most %d",
                     size.ny, INT_MAX);
  if (!rows) {
    if (nsds_grow(context, &model->rows.of, &model->rows.capacity, model->rows.n + 1,
                  sizeof *model->rows.of))
      return NSDS_ERROR_MEMORY;
    rows = &model->rows.of[model->rows.n++];
    *rows = (nsds_free_rows){.m = m};
  }
  nsds_status status = nsds_grow(context, &rows->first, &rows->capacity,
                                 rows->count + rows->live + 1, sizeof *rows->first);
  if (!status) status = nsds_state_reserve(context, &model->state, size);
  if (status) return status;
  *first = (int)model->size.ny;
  model->size = size;
  ++rows->live;
  return NSDS_OK;
}

static void clear_rows(nsds_model *model, int first, int m) {
  nsds_state *s = &model->state;
  for (int k = first; k < first + m; ++k) s->y[k] = s->ydot[k] = s->impulse[k] = s->force[k] = 0.0;
}

void nsds_give_rows(nsds_model *model, int first, int m) {
  nsds_free_rows *rows = rows_of_length(model, m);
  rows->first[rows->count++] = first;
  --rows->live;
  clear_rows(model, first, m);
}

/* The last range of all grows in place; others move. */
nsds_status nsds_grow_rows(nsds_model *model, int *first, int m, int wanted) {
  nsds_state *s = &model->state;
  int old = *first;
  bool last = m > 0 && (size_t)old + (size_t)m == model->size.ny;
  if (last) {
    model->size.ny = (size_t)old;
    --rows_of_length(model, m)->live;
  }
  nsds_status status = nsds_take_rows(model, wanted, first);
  if (status && last) {
    model->size.ny += (size_t)m;
    ++rows_of_length(model, m)->live;
  }
  if (status || m == 0 || *first == old) return status;
  double *array[] = {s->y, s->ydot, s->impulse, s->force};
  for (int a = 0; a < 4; ++a) memcpy(array[a] + *first, array[a] + old, (size_t)m * sizeof **array);
  if (last) clear_rows(model, old, m);
  else nsds_give_rows(model, old, m);
  return NSDS_OK;
}

/* ---- edges ----------------------------------------------------------------------------------- */

typedef struct edge {
  nsds_relation *relation;
  nsds_law *law;
  int nds;
  nsds_ds *const *ds;
} edge;

/* Reserves room for the interaction's own parameters, still unknown. */
static nsds_status give_parameters(nsds_interaction *ia, int nz) {
  nsds_context *context = ia->model->context;
  char label[nsds_label_size];
  double *z = nsds_alloc_for(context, nsds_interaction_label(ia, label), "nz parameters",
                             (size_t)nz, sizeof *z);
  if (!z) return NSDS_ERROR_MEMORY;
  for (int k = 0; k < nz; ++k) z[k] = NAN;
  ia->z = z;
  ia->nz = nz;
  return NSDS_OK;
}

/* Creates arrays that do not fit into the object. The interaction supplies the rest of Z, beyond
 * the parameters of its systems and its relation. */
static nsds_status graph_furnish(nsds_interaction *ia, const edge *e) {
  ia->ds = ia->few;
  if (e->nds > nsds_few_systems) ia->ds = NSDS_NEW_ARRAY(ia->model->context, nsds_ds *, e->nds);
  if (!ia->ds) return NSDS_ERROR_MEMORY;
  memcpy(ia->ds, e->ds, (size_t)e->nds * sizeof *ia->ds);
  int own = e->relation->nZ - ia->nZ;
  if (own <= 0) return NSDS_OK;
  ia->nZ += own;
  return give_parameters(ia, own);
}

static void unfurnish(nsds_interaction *ia) {
  nsds_context *context = ia->model->context;
  if (ia->ds != ia->few) nsds_release(context, ia->ds);
  nsds_release(context, ia->z);
}

static nsds_interaction *graph_create(nsds_model *model, const edge *e) {
  nsds_context *context = model->context;
  nsds_interaction *ia = nsds_place_take(context, &model->interactions, sizeof *ia);
  if (!ia) return NULL;
  ia->model = model;
  ia->relation = e->relation;
  ia->law = e->law;
  ia->m = e->relation->ny;
  ia->ncopy = ia->m / e->law->size;
  ia->nds = e->nds;
  ia->nZ = e->relation->nz;
  for (int k = 0; k < e->nds; ++k) {
    ia->nZ += e->ds[k]->parameters.n;
    ia->nv += e->ds[k]->nv;
  }
  nsds_status status = graph_furnish(ia, e);
  if (!status)
    status = nsds_grow(context, &model->scratch, &model->scratch_capacity, nsds_local_work(ia),
                       sizeof *model->scratch);
  if (!status && ia->relation->turns) status = nsds_turns_reserve(model);
  if (!status) status = nsds_list_push(context, &model->interaction, ia);
  if (!status && (status = nsds_take_rows(model, nsds_rows_taken(ia), &ia->y_offset)))
    --model->interaction.count;
  if (!status) return ia;
  unfurnish(ia);
  nsds_place_give(&model->interactions, ia);
  return NULL;
}

/* Adds an interaction between systems, not handles. */
static nsds_interaction *graph_add(nsds_model *model, const edge *e) {
  nsds_relation *relation = e->relation;
  if (nsds_check_idle(model, "nsds_connect") ||
      !check_connection(model, relation, e->law, e->nds, e->ds))
    return NULL;
  nsds_interaction *ia = graph_create(model, e);
  if (!ia) return NULL;
  for (int k = 0; k < ia->nds; ++k) ++ia->ds[k]->users;
  ia->index = (int)model->interaction.count - 1;
  ia->serial = ++model->serial;
  ia->changed = ia->connected = ++model->now.change;
  clear_rows(model, ia->y_offset, nsds_rows_taken(ia));
  if (relation->turns) nsds_turns_add(ia);
  if (nsds_is_switch(ia)) {
    nsds_gate_set(ia, relation->gate.on);
    nsds_gate_accept(ia);
  }
  ++relation->users;
  nsds_note(model, ia->index);
  return nsds_place_handle(ia);
}

nsds_interaction *nsds_connect(nsds_model *model, nsds_relation *relation, nsds_law *law, int nds,
                               nsds_ds *const *ds) {
  static const char call[] = "nsds_connect";
  const char *missing = !model      ? "model"
                        : !relation ? "relation"
                        : !law      ? "law"
                        : !ds       ? "ds"
                                    : NULL;
  if (missing) {
    nsds_fail_null(model ? model->context : NULL, call, missing);
    return NULL;
  }
  edge e = {nsds_relation_find(relation, call), law, nds, ds};
  if (!e.relation) return NULL;
  nsds_ds *few[nsds_few_systems], **own = few;
  if (nds > 0 && (size_t)nds <= model->ds.count) { /* else refused below */
    own = nsds_ds_find_all(model->context, call, nds, ds, few);
    if (!own) return NULL;
    e.ds = own;
  }
  nsds_interaction *ia = graph_add(model, &e);
  if (own != few) nsds_release(model->context, own);
  return ia;
}

static nsds_status interaction_take_z(nsds_interaction *ia, const char *call, int nz) {
  nsds_model *model = ia->model;
  long long most = INT_MAX / 4;
  if (nz + (long long)ia->nZ > most)
    return nsds_fail(model->context, NSDS_ERROR_SIZE,
                     "%s: nz is %d, and Z is %d long without these; valid are up to %lld together",
                     call, nz, ia->nZ, most);
  nsds_status status = give_parameters(ia, nz);
  if (status) return status;
  ia->nZ += nz;
  status = nsds_grow(model->context, &model->scratch, &model->scratch_capacity, nsds_local_work(ia),
                     sizeof *model->scratch);
  if (!status) nsds_note(model, -1); /* plans need more work memory */
  if (!status) return NSDS_OK;
  ia->nZ -= nz;
  ia->nz = 0;
  nsds_release(model->context, ia->z);
  ia->z = NULL;
  return status;
}

const double *nsds_interaction_z(const nsds_interaction *interaction) {
  nsds_interaction *ia = nsds_interaction_find(interaction, "nsds_interaction_z");
  return ia && ia->nz > 0 && !isnan(ia->z[0]) ? ia->z : NULL;
}

nsds_status nsds_interaction_set_z(nsds_interaction *interaction, int nz, const double *z) {
  const char *name = "nsds_interaction_set_z";
  if (!interaction) return nsds_fail_null(NULL, name, "interaction");
  nsds_interaction *ia = nsds_interaction_find(interaction, name);
  if (!ia) return NSDS_ERROR_ARGUMENT;
  char label[nsds_label_size], buffer[nsds_occasion_size];
  const char *call = NULL;
  if (ia->nz == 0 && nz > 0 && z && nsds_is_idle(ia->model)) {
    call = nsds_occasion(name, nsds_interaction_label(ia, label), buffer);
    if (!nsds_check_finite(ia->model->context, call, "z", z, nz)) return NSDS_ERROR_VALUE;
    nsds_status status = interaction_take_z(ia, call, nz);
    if (status) return status;
  }
  if (nsds_parameters_take(ia->model, ia->nz, ia->z, nz, z, &ia->changed)) return NSDS_OK;
  if (!call) call = nsds_occasion(name, nsds_interaction_label(ia, label), buffer);
  return nsds_parameters_refuse(ia->model, call, ia->nz, nz, z);
}

nsds_status nsds_disconnect(nsds_interaction *interaction) {
  if (!interaction) return nsds_fail_null(NULL, "nsds_disconnect", "interaction");
  nsds_interaction *ia = nsds_interaction_find(interaction, "nsds_disconnect");
  if (!ia) return NSDS_ERROR_ARGUMENT;
  nsds_model *model = ia->model;
  nsds_status status = nsds_check_idle(model, "nsds_disconnect");
  if (status) return status;
  nsds_interaction *last = model->interaction.item[--model->interaction.count];
  model->interaction.item[ia->index] = last;
  last->index = ia->index;
  nsds_give_rows(model, ia->y_offset, nsds_rows_taken(ia));
  if (ia->relation->turns) nsds_turns_remove(ia);
  --ia->relation->users;
  for (int k = 0; k < ia->nds; ++k) --ia->ds[k]->users;
  nsds_note(model, ia->index);
  unfurnish(ia);
  nsds_place_give(&model->interactions, ia);
  return NSDS_OK;
}

/* ---- handles --------------------------------------------------------------------------------- */

int nsds_interaction_ds_count(const nsds_interaction *interaction) {
  nsds_interaction *ia = nsds_interaction_find(interaction, "nsds_interaction_ds_count");
  return ia ? ia->nds : 0;
}

nsds_relation *nsds_interaction_relation(const nsds_interaction *interaction) {
  nsds_interaction *ia = nsds_interaction_find(interaction, "nsds_interaction_relation");
  return ia ? nsds_place_handle(ia->relation) : NULL;
}

nsds_ds *nsds_interaction_ds(const nsds_interaction *interaction, int k) {
  nsds_interaction *ia = nsds_interaction_find(interaction, "nsds_interaction_ds");
  return ia && k >= 0 && k < ia->nds ? nsds_ds_handle(ia->ds[k]) : NULL;
}

static bool share_system(const nsds_interaction *a, const nsds_interaction *b) {
  for (int i = 0; i < a->nds; ++i)
    for (int j = 0; j < b->nds; ++j)
      if (a->ds[i] == b->ds[j]) return true;
  return false;
}

int nsds_linked_interactions(const nsds_interaction *interaction, int capacity,
                             nsds_interaction **linked) {
  nsds_interaction *ia = nsds_interaction_find(interaction, "nsds_linked_interactions");
  if (!ia) return 0;
  const nsds_model *model = ia->model;
  int count = 0;
  for (size_t k = 0; k < model->interaction.count; ++k) {
    nsds_interaction *other = model->interaction.item[k];
    if (other == ia || !share_system(ia, other)) continue;
    if (linked && count < capacity) linked[count] = nsds_place_handle(other);
    ++count;
  }
  return count;
}
