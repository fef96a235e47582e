/*
 * Laws of unilateral and bilateral constraints, row by row: impacts by Newton's, Poisson's and a
 * distributing law, complementarity, equality.
 */
#include "kernel/modeling/law_constraint.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/law.h"
#include "kernel/modeling/modeling.h"

typedef struct impact {
  nsds_context *context;
  double e;
} impact;

static void nonnegative_block(void *self, nsds_block *block) {
  (void)self;
  block->set = NSDS_SET_NONNEGATIVE;
}

static void equality_block(void *self, nsds_block *block) {
  (void)self;
  block->set = NSDS_SET_EQUALITY;
}

bool nsds_gap_closes(void *self, const double *y, const double *ydot, double tau, double slack) {
  (void)self;
  return nsds_gap_is_closed(nsds_expected_gap(y, ydot, tau), slack);
}

static void newton_restitution(void *self, const double *ydot, double *q) {
  q[0] += ((const impact *)self)->e * ydot[0];
}

static void impact_destroy(void *self) {
  impact *s = self;
  nsds_release(s->context, s);
}

#define NSDS_IMPACT_OPS                                                                            \
  .block = nonnegative_block, .active = nsds_gap_closes, .restitution = newton_restitution,        \
  .destroy = impact_destroy

static const nsds_law_ops newton_ops = {.type = "nsds_newton_impact", NSDS_IMPACT_OPS};
static const nsds_law_ops poisson_ops = {.type = "nsds_poisson_impact", NSDS_IMPACT_OPS};
static const nsds_law_ops distributing_ops = {.type = "nsds_distributing_impact", NSDS_IMPACT_OPS};
static const nsds_law_ops complementarity_ops = {
    .type = "nsds_complementarity", .block = nonnegative_block, .active = nsds_gap_closes};
static const nsds_law_ops equality_ops = {.type = "nsds_equality", .block = equality_block};

static nsds_law *law_constraint_create(nsds_model *model, const nsds_law_ops *ops,
                                       const nsds_impact *how) {
  impact *s = NSDS_NEW(model->context, impact);
  if (!s) return NULL;
  s->context = model->context;
  s->e = how->e;
  nsds_law *law = nsds_make_law(model, &(nsds_law_def){.ops = ops, .self = s}, false);
  if (law) law->impact = *how;
  return law;
}

/* Laws that a coefficient of restitution is all of. */
static nsds_law *create_plain(nsds_model *model, const nsds_law_ops *ops, nsds_impact_kind kind,
                              double e) {
  if (!model) {
    nsds_fail_null(NULL, ops->type, "model");
    return NULL;
  }
  if (!nsds_check_range(model->context, ops->type, "e", e, 0.0, 1.0)) return NULL;
  return law_constraint_create(model, ops, &(nsds_impact){.kind = kind, .e = e});
}

nsds_law *nsds_newton_impact(nsds_model *model, double e) {
  return create_plain(model, &newton_ops, NSDS_IMPACT_NEWTON, e);
}

nsds_law *nsds_poisson_impact(nsds_model *model, double e) {
  return create_plain(model, &poisson_ops, NSDS_IMPACT_POISSON, e);
}

nsds_law *nsds_distributing_impact(nsds_model *model, const nsds_distributing_impact_def *def) {
  const char *type = distributing_ops.type;
  if (!model || !def) {
    nsds_fail_null(nsds_model_context(model), type, model ? "def" : "model");
    return NULL;
  }
  nsds_context *context = model->context;
  double exponent = nsds_or_default(def->exponent, 1.0);
  if (!nsds_check_range(context, type, "restitution", def->restitution, 0.0, 1.0) ||
      !nsds_check_range(context, type, "exponent", exponent, 1.0, 10.0))
    return NULL;
  if (!(def->stiffness > 0.0) || !isfinite(def->stiffness)) {
    nsds_fail(context, NSDS_ERROR_VALUE, "%s: stiffness is %g; it must be positive and finite",
              type, def->stiffness);
    return NULL;
  }
  return law_constraint_create(model, &distributing_ops,
                               &(nsds_impact){.kind = NSDS_IMPACT_DISTRIBUTING,
                                              .e = def->restitution,
                                              .stiffness = def->stiffness,
                                              .exponent = exponent,
                                              .bi_stiffness = def->bi_stiffness});
}

nsds_law *nsds_complementarity(nsds_model *model) {
  return nsds_make_law(
      model, &(nsds_law_def){.ops = &complementarity_ops, .level = NSDS_LEVEL_POSITION}, false);
}

nsds_law *nsds_equality(nsds_model *model) {
  return nsds_make_law(model, &(nsds_law_def){.ops = &equality_ops, .level = NSDS_LEVEL_POSITION},
                       false);
}
