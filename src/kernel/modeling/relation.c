/*
 * Creates relations from their tables of operations.
 */
#include "kernel/modeling/relation.h"

#include "base/arena.h"
#include "base/context.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/guard.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/list.h"
#include "kernel/modeling/modeling.h"

#include <limits.h>

static int rows_of_input(const nsds_custom_relation_def *def) {
  int n = def->nv > def->nq ? def->nv : def->nq;
  return n < INT_MAX - def->nx ? n + def->nx : INT_MAX;
}

static bool check_relation(nsds_context *context, const nsds_custom_relation_def *def) {
  const nsds_relation_ops *ops = def->ops;
  const char *wrong = NULL;
  if (def->mixed && !(ops->jacobian_q && ops->jacobian_v && ops->input && ops->input_lambda &&
                      (ops->jacobian_x || def->nx == 0)))
    wrong = "mixed relations need output, jacobian_q, jacobian_v, jacobian_x, input, input_lambda";
  else if (def->mixed && (def->affine || ops->gradient_v))
    wrong = "mixed excludes affine and gradient_v";
  else if (!def->mixed && (ops->input_q || ops->input_v))
    wrong = "input_q and input_v are for mixed relations only";
  else if (!ops->output || (!ops->jacobian_q && !ops->gradient_v) ||
           !ops->input != !ops->input_lambda)
    wrong = "output and jacobian_q are required operations; input and input_lambda go together";
  else if (ops->gradient_v && (ops->jacobian_q || ops->input || def->affine))
    wrong = "gradient_v excludes jacobian_q, affine, and the operations of first order";
  else if (!ops->input && ops->jacobian_lambda && (def->affine || ops->feedthrough))
    wrong = "jacobian_lambda excludes affine and feedthrough";
  else if (def->impulsive && (ops->input || def->affine || ops->jacobian_lambda))
    wrong = "impulsive excludes affine, jacobian_lambda and first order";
  else if (def->affine && ops->jacobian_t) wrong = "jacobian_t excludes affine";
  else if (ops->bias && (def->affine || ops->input)) wrong = "bias excludes affine and first order";
  else if ((ops->margin || ops->look) && (def->mixed || !ops->input))
    wrong = "margin and look exclude mixed and second order";
  else if (ops->margin && def->ny != 1) wrong = "margin makes one switch; valid is ny = 1";
  else if (!ops->margin && (def->on || def->off_lower != 0.0 || def->off_upper != 0.0))
    wrong = "on, off_lower and off_upper are those of a switch; give margin too";
  else if (!(def->off_lower <= def->off_upper)) wrong = "off_lower must be at most off_upper";
  if (wrong) {
    nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: %s", ops->type, wrong);
    return false;
  }
  return nsds_check_count(context, ops->type, "ny", def->ny, 1) &&
         nsds_check_count(context, ops->type, "nq", def->nq, 1) &&
         nsds_check_count(context, ops->type, "nv", def->nv, 0) &&
         nsds_check_count(context, ops->type, "nx", def->nx, 0) &&
         nsds_check_count(context, ops->type, "nZ", def->nZ, 0) &&
         nsds_check_parameters(context, ops->type, "nz", def->nz, def->z) &&
         nsds_check_entries(context, ops->type, "terms", def->terms, def->ny, 1) &&
         nsds_check_dense(context, def->name ? def->name : ops->type, "its Jacobian", def->ny,
                          def->nq) &&
         nsds_check_dense(context, def->name ? def->name : ops->type, "its gradient", def->ny,
                          def->nv) &&
         (!nsds_input_depends(ops) ||
          nsds_check_dense(context, def->name ? def->name : ops->type, "its input's Jacobian",
                           rows_of_input(def), rows_of_input(def))) &&
         (!(ops->jacobian_lambda || ops->feedthrough) ||
          nsds_check_dense(context, def->name ? def->name : ops->type, "its D", def->ny, def->ny));
}

/* Adds an object to the model's list, with room for its parameters and terms. */
static nsds_relation *list_relation(nsds_model *model, const nsds_custom_relation_def *def) {
  nsds_context *context = model->context;
  nsds_relation *relation = nsds_place_take(context, &model->relations, sizeof *relation);
  if (!relation) return NULL;
  relation->z =
      nsds_alloc_for(context, def->name ? def->name : def->ops->type, "nz parameters",
                     (size_t)def->nz + (size_t)(def->terms ? def->ny : 0), sizeof *relation->z);
  relation->terms = relation->z && def->terms ? relation->z + def->nz : NULL;
  for (int i = 0; relation->terms && i < def->ny; ++i) relation->terms[i] = fabs(def->terms[i]);
  if (relation->z && !nsds_list_push(context, &model->relation, relation)) return relation;
  nsds_release(context, relation->z);
  nsds_place_give(&model->relations, relation);
  return NULL;
}

/* Adds an object to the model's list, behind a guard if `guarded`. */
static nsds_relation *list_guarded(nsds_model *model, const nsds_custom_relation_def *def,
                                   bool guarded) {
  nsds_guard *guard = NULL;
  if (guarded && !(guard = nsds_guard_relation(model->context, def->ops, def->self))) return NULL;
  nsds_relation *relation = list_relation(model, def);
  if (!relation) {
    nsds_release(model->context, guard);
    return NULL;
  }
  if (guard) guard->relation = relation;
  relation->ops = guard ? &guard->ops.relation : def->ops;
  relation->self = guard ? guard : def->self;
  return relation;
}

nsds_relation *nsds_make_relation(nsds_model *model, const nsds_custom_relation_def *def,
                                  bool guarded) {
  nsds_relation *relation = NULL;
  if (nsds_check_type(model, "nsds_custom_relation", NSDS_TYPED(def)) &&
      !nsds_check_idle(model, nsds_maker(def->ops->type, "nsds_custom_relation")) &&
      check_relation(model->context, def))
    relation = list_guarded(model, def, guarded);
  if (!relation) {
    if (def && def->ops && def->ops->destroy) def->ops->destroy(def->self);
    return NULL;
  }
  relation->model = model;
  nsds_tag_name(&relation->tag, def->name);
  relation->index = (int)model->relation.count - 1;
  relation->ny = def->ny;
  relation->nq = def->nq;
  relation->nv = def->nv > 0 ? def->nv : def->nq;
  relation->nx = def->mixed ? def->nx : 0;
  relation->nv += relation->nx;
  relation->kind = def->mixed        ? NSDS_RELATION_MIXED
                   : def->ops->input ? NSDS_RELATION_FIRST_ORDER
                                     : NSDS_RELATION_SECOND_ORDER;
  relation->affine = def->affine && !nsds_input_depends(def->ops);
  relation->linear = (def->affine || def->linear) && !nsds_input_depends(def->ops);
  relation->impulsive = def->impulsive;
  relation->gate = (nsds_relation_gate){def->on, def->off_lower, def->off_upper};
  relation->nZ = def->nZ;
  relation->nz = def->nz;
  if (def->z && def->nz > 0) memcpy(relation->z, def->z, (size_t)def->nz * sizeof *def->z);
  return nsds_place_handle(relation);
}

void nsds_relation_be_spring(nsds_relation *own, bool ahead) {
  own->midway = own->straight = true;
  own->ahead = ahead;
}

nsds_relation *nsds_custom_relation(nsds_model *model, const nsds_custom_relation_def *def) {
  return nsds_make_relation(model, def, true);
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
