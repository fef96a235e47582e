/*
 * Laws of unilateral and bilateral constraints, row by row: Newton's impact, complementarity,
 * equality.
 */
#include "modeling.h"

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

static bool predicted_closed(void *self, const double *y, const double *ydot, double tau,
                             double slack) {
  (void)self;
  return y[0] + tau * ydot[0] <= slack;
}

static void newton_restitution(void *self, const double *ydot, double *q) {
  q[0] += ((const impact *)self)->e * ydot[0];
}

static void impact_destroy(void *self) {
  impact *s = self;
  nsds_release(s->context, s);
}

static const nsds_law_ops newton_ops = {.type = "nsds_newton_impact",
                                        .block = nonnegative_block,
                                        .active = predicted_closed,
                                        .restitution = newton_restitution,
                                        .destroy = impact_destroy};
static const nsds_law_ops complementarity_ops = {
    .type = "nsds_complementarity", .block = nonnegative_block, .active = predicted_closed};
static const nsds_law_ops equality_ops = {.type = "nsds_equality", .block = equality_block};

nsds_law *nsds_newton_impact(nsds_model *model, double e) {
  if (!model) {
    nsds_fail_null(NULL, newton_ops.type, "model");
    return NULL;
  }
  if (!nsds_check_range(model->context, newton_ops.type, "e", e, 0.0, 1.0)) return NULL;
  impact *s = NSDS_NEW(model->context, impact);
  if (!s) return NULL;
  s->context = model->context;
  s->e = e;
  return nsds_make_law(model, &(nsds_law_def){.ops = &newton_ops, .self = s}, false);
}

nsds_law *nsds_complementarity(nsds_model *model) {
  return nsds_make_law(
      model, &(nsds_law_def){.ops = &complementarity_ops, .level = NSDS_LEVEL_POSITION}, false);
}

nsds_law *nsds_equality(nsds_model *model) {
  return nsds_make_law(model, &(nsds_law_def){.ops = &equality_ops, .level = NSDS_LEVEL_POSITION},
                       false);
}
