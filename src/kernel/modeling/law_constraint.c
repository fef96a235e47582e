/*
 * Laws of unilateral and bilateral constraints, row by row: Newton's impacts, complementarity,
 * equality. Laws with a rule of impact of their own share this code (events/impact_rule.h).
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

void nsds_nonnegative_block(void *self, nsds_block *block) {
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

void nsds_newton_restitution(void *self, const double *ydot, double *q) {
  q[0] += ((const impact *)self)->e * ydot[0];
}

void nsds_impact_destroy(void *self) {
  impact *s = self;
  nsds_release(s->context, s);
}

static const nsds_law_ops newton_ops = {.type = "nsds_newton_impact", NSDS_IMPACT_OPS};
static const nsds_law_ops complementarity_ops = {
    .type = "nsds_complementarity", .block = nsds_nonnegative_block, .active = nsds_gap_closes};
static const nsds_law_ops equality_ops = {.type = "nsds_equality", .block = equality_block};

nsds_law *nsds_impact_law(nsds_model *model, const nsds_law_ops *ops, const nsds_impact *how) {
  impact *s = NSDS_NEW(model->context, impact);
  if (!s) return NULL;
  s->context = model->context;
  s->e = how->e;
  nsds_law *law = nsds_make_law(model, &(nsds_custom_law_def){.ops = ops, .self = s}, false);
  if (law) law->impact = *how;
  return law;
}

nsds_law *nsds_plain_impact_law(nsds_model *model, const nsds_law_ops *ops,
                                const struct nsds_impact_rule *rule, double e) {
  if (!model) {
    nsds_fail_null(NULL, ops->type, "model");
    return NULL;
  }
  if (!nsds_check_range(model->context, ops->type, "e", e, 0.0, 1.0)) return NULL;
  return nsds_impact_law(model, ops, &(nsds_impact){.rule = rule, .e = e});
}

nsds_law *nsds_newton_impact(nsds_model *model, double e) {
  return nsds_plain_impact_law(model, &newton_ops, NULL, e);
}

nsds_law *nsds_complementarity(nsds_model *model) {
  return nsds_make_law(
      model, &(nsds_custom_law_def){.ops = &complementarity_ops, .level = NSDS_LEVEL_POSITION},
      false);
}

nsds_law *nsds_equality(nsds_model *model) {
  return nsds_make_law(
      model, &(nsds_custom_law_def){.ops = &equality_ops, .level = NSDS_LEVEL_POSITION}, false);
}
