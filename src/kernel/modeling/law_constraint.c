/*
 * Laws of unilateral and bilateral constraints, row by row: Newton's impacts, complementarity,
 * equality. Laws with a rule of impact of their own share this code (events/impact_rule.h).
 */
#include "kernel/modeling/law_constraint.h"

#include "base/base.h"
#include "base/context.h"
#include "base/text/field_rows.h"
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

nsds_law *nsds_plain_impact_law(nsds_model *model, const nsds_type *type, const nsds_law_ops *ops,
                                const struct nsds_impact_rule *rule, double e) {
  nsds_restitution own;
  if (!nsds_definition_take(model, type, &(nsds_restitution){e}, &own)) return NULL;
  return nsds_impact_law(model, ops, &(nsds_impact){.rule = rule, .e = own.e});
}

nsds_law *nsds_newton_impact(nsds_model *model, double e) {
  return nsds_plain_impact_law(model, &nsds_law_newton_impact, &newton_ops, NULL, e);
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

/* ---- catalogue ------------------------------------------------------------------------------- */

const nsds_field nsds_restitution_fields[] = {
    NUMBER_OF(nsds_restitution, e, "1", "[0, 1]", "0", "Coefficient of restitution."), END};

static const nsds_field no_fields[] = {END};

static void *make_newton_impact(nsds_model *model, const void *def) {
  return nsds_newton_impact(model, ((const nsds_restitution *)def)->e);
}

static void *make_complementarity(nsds_model *model, const void *def) {
  (void)def;
  return nsds_complementarity(model);
}

static void *make_equality(nsds_model *model, const void *def) {
  (void)def;
  return nsds_equality(model);
}

const nsds_type nsds_law_newton_impact = {.type = "newton_impact",
                                          .help = "Unilateral contact with Newton's impact law.",
                                          NSDS_RESTITUTION_TYPE(newton_impact)};
const nsds_type nsds_law_complementarity = {
    .type = "complementarity",
    .help = "0 <= y perpendicular to lambda >= 0: an ideal diode, a contact without rebound.",
    .field = no_fields,
    .call = "nsds_complementarity",
    .make = make_complementarity};
const nsds_type nsds_law_equality = {.type = "equality",
                                     .help = "y = 0, or dy/dt = 0 of rigid second-order relations.",
                                     .field = no_fields,
                                     .call = "nsds_equality",
                                     .make = make_equality};
