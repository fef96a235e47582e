/*
 * Compares every Jacobian given by users with fourth-order central differences at the current
 * state; an entry is off when it deviates by more than tolerance times the largest entry of the
 * matrix (or 1 where all are smaller than that).
 */
#include "modeling.h"

#include <stdio.h>

typedef struct checker {
  nsds_context *context;
  double tolerance;
  double worst; /* largest deviation so far, relative to its matrix */
  nsds_jacobian_report *report;
} checker;

static int columns(const nsds_in *in, nsds_variable variable) {
  return variable == NSDS_WRT_Q   ? in->nq
         : variable == NSDS_WRT_V ? in->nv
         : variable == NSDS_WRT_X ? in->nx
         : variable == NSDS_WRT_T ? 1
                                  : in->nlambda;
}

static void compare(checker *c, const char *label, const nsds_jacobian_pair *pair, int n,
                    const double *given, const double *expected) {
  double scale = 0.0, worst = 0.0;
  int at = 0;
  for (int k = 0; k < n; ++k) scale = fmax(scale, fmax(fabs(given[k]), fabs(expected[k])));
  scale = fmax(scale, 1.0);
  for (int k = 0; k < n; ++k)
    if (fabs(given[k] - expected[k]) > worst) {
      worst = fabs(given[k] - expected[k]);
      at = k;
    }
  ++c->report->checked;
  if (worst <= c->tolerance * scale) return;
  ++c->report->wrong;
  if (worst / scale <= c->worst) return;
  c->worst = worst / scale;
  snprintf(c->report->object, sizeof c->report->object, "%.*s", 63, label);
  snprintf(c->report->jacobian, sizeof c->report->jacobian, "%s", pair->name);
  c->report->row = at % pair->rows;
  c->report->col = at / pair->rows;
  c->report->given = given[at];
  c->report->expected = expected[at];
}

static nsds_status check_pair(checker *c, const char *label, const nsds_jacobian_pair *pair,
                              const nsds_in *in) {
  if (pair->jacobian == nsds_differences) return NSDS_OK;
  int wide = columns(in, pair->variable);
  int n = pair->rows * columns(in, pair->variable);
  nsds_caller caller = {.context = c->context};
  snprintf(caller.label, sizeof caller.label, "%s", label);
  double *given = NSDS_NEW_ARRAY(c->context, double, 2 * (size_t)n);
  nsds_status status =
      given ? nsds_caller_reserve(&caller, pair->rows, wide > 1 ? wide : 1) : NSDS_ERROR_MEMORY;
  if (!status) status = nsds_call_jacobian(&caller, pair, in, given);
  if (!status) status = nsds_difference_quotient(&caller, pair, in, 4, given + n);
  if (!status) compare(c, label, pair, n, given, given + n);
  nsds_release(c->context, caller.scratch);
  nsds_release(c->context, given);
  return status;
}

static nsds_status check_all(const nsds_model *model, checker *c, double t) {
  nsds_jacobian_pair pair;
  char label[nsds_label_size];
  nsds_status status = NSDS_OK;
  nsds_state at = model->state;
  at.t = t;
  for (size_t k = 0; k < model->ds.count; ++k) {
    nsds_ds *ds = model->ds.item[k];
    nsds_in in = nsds_ds_in(ds, t, at.q + ds->q_offset, at.v + ds->v_offset);
    for (int i = 0; ds->jacobian_pair && ds->jacobian_pair(ds->self, i, &pair); ++i)
      if ((status = check_pair(c, nsds_ds_label(ds, label), &pair, &in))) return status;
  }
  for (size_t k = 0; k < model->interaction.count; ++k) {
    nsds_interaction *interaction = model->interaction.item[k];
    nsds_relation *relation = interaction->relation;
    if (!relation->ops->jacobian_pair) continue;
    double *work = NSDS_NEW_ARRAY(model->context, double, nsds_local_work(interaction));
    if (!work) return NSDS_ERROR_MEMORY;
    nsds_in in = nsds_gather(interaction, &at, NULL, 0.0, work);
    nsds_relation_label(relation, label);
    for (int i = 0; !status && relation->ops->jacobian_pair(relation->self, i, &pair); ++i)
      status = check_pair(c, label, &pair, &in);
    nsds_release(model->context, work);
    if (status) return status;
  }
  return NSDS_OK;
}

nsds_status nsds_check_jacobians(nsds_model *model, double t, double tolerance,
                                 nsds_jacobian_report *report) {
  if (!model) return nsds_fail_null(NULL, "nsds_check_jacobians", "model");
  nsds_status status = nsds_check_quiet(model, "nsds_check_jacobians");
  if (status) return status;
  nsds_jacobian_report unused;
  checker c = {.context = model->context,
               .tolerance = tolerance > 0.0 ? tolerance : 1e-5,
               .report = report ? report : &unused};
  memset(c.report, 0, sizeof *c.report);
  model->busy |= NSDS_BUSY_CALL;
  status = check_all(model, &c, t);
  model->busy &= ~(unsigned)NSDS_BUSY_CALL;
  if (status) return status;
  if (c.report->wrong == 0) return NSDS_OK;
  return nsds_fail(
      model->context, NSDS_ERROR_VALUE,
      "%s: %s[%d,%d] is %.10g, central differences give %.10g (%d of %d Jacobians off)",
      c.report->object, c.report->jacobian, c.report->row, c.report->col, c.report->given,
      c.report->expected, c.report->wrong, c.report->checked);
}
