/*
 * Compares every Jacobian given by users with fourth-order central differences at the current
 * state; an entry is off when it deviates by more than tolerance times the largest entry of the
 * matrix (or 1 where all are smaller than that).
 */
#include "modeling.h"

#include <limits.h>
#include <stdio.h>

enum { most_pairs = 1000 };

typedef struct checker {
  nsds_context *context;
  double tolerance;
  double worst; /* largest deviation so far, relative to its matrix */
  nsds_jacobian_report *report;
} checker;

static void compare(checker *c, const char *label, const nsds_jacobian_pair *pair, int n,
                    const double *given, const double *expected) {
  double scale = 1.0, worst = 0.0;
  int at = 0;
  for (int k = 0; k < n; ++k) scale = fmax(scale, fmax(fabs(given[k]), fabs(expected[k])));
  for (int k = 0; k < n; ++k) {
    double off = fabs(given[k] / scale - expected[k] / scale);
    if (isnan(off)) off = INFINITY; /* differences that overflow agree with nothing */
    if (off > worst) {
      worst = off;
      at = k;
    }
  }
  ++c->report->checked;
  if (worst <= c->tolerance) return;
  ++c->report->wrong;
  if (worst <= c->worst) return;
  c->worst = worst;
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
  int wide = nsds_variable_length(in, pair->variable);
  if (!pair->name || !pair->function || !pair->jacobian || pair->rows < 1 ||
      pair->variable < NSDS_WRT_Q || pair->variable > NSDS_WRT_XDOT ||
      pair->rows > INT_MAX / (wide > 0 ? wide : 1))
    return nsds_fail(c->context, NSDS_ERROR_ARGUMENT,
                     "nsds_check_jacobians: %s: jacobian_pair gave '%s' of %d rows and %d columns "
                     "in variable %d%s; valid are a name, both functions, rows >= 1 and one of "
                     "nsds_variable",
                     label, pair->name ? pair->name : "", pair->rows, wide, (int)pair->variable,
                     pair->function && pair->jacobian ? "" : " without its functions");
  int n = pair->rows * wide;
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

/* More pairs than any type has: its function does not say where they end. */
static nsds_status endless(checker *c, const char *label) {
  return nsds_fail(c->context, NSDS_ERROR_CALLBACK,
                   "nsds_check_jacobians: %s: jacobian_pair has not returned false after %d pairs",
                   label, most_pairs);
}

static nsds_status check_ds(checker *c, const nsds_ds *ds, const nsds_state *at) {
  nsds_jacobian_pair pair = {0};
  char label[nsds_label_size];
  nsds_ds_label(ds, label);
  nsds_in in = nsds_ds_in(ds, at->t, at->q + ds->q_offset, at->v + ds->v_offset);
  if (ds->order == 1 && ds->damping.present) { /* any rate will do: x, which is there */
    in.xdot = in.x;
    in.nxdot = in.nx;
  }
  nsds_status status = NSDS_OK;
  for (int i = 0; !status && ds->jacobian_pair && ds->jacobian_pair(ds->self, i, &pair); ++i) {
    status = i < most_pairs ? check_pair(c, label, &pair, &in) : endless(c, label);
    pair = (nsds_jacobian_pair){0};
  }
  return status;
}

static nsds_status check_interaction(checker *c, const nsds_interaction *ia, const nsds_state *at) {
  const nsds_relation *relation = ia->relation;
  if (!relation->ops->jacobian_pair) return NSDS_OK;
  double *work = NSDS_NEW_ARRAY(c->context, double, nsds_local_work(ia));
  if (!work) return NSDS_ERROR_MEMORY;
  nsds_in in = nsds_gather(ia, at, NULL, 0.0, work);
  nsds_jacobian_pair pair = {0};
  char label[nsds_label_size];
  nsds_relation_label(relation, label);
  nsds_status status = NSDS_OK;
  for (int i = 0; !status && relation->ops->jacobian_pair(relation->self, i, &pair); ++i) {
    status = i < most_pairs ? check_pair(c, label, &pair, &in) : endless(c, label);
    pair = (nsds_jacobian_pair){0};
  }
  nsds_release(c->context, work);
  return status;
}

nsds_status nsds_check_jacobians(nsds_model *model, double t, double tolerance,
                                 nsds_jacobian_report *report) {
  const char *call = "nsds_check_jacobians";
  if (!model) return nsds_fail_null(NULL, call, "model");
  nsds_status status = nsds_check_quiet(model, call);
  if (status) return status;
  nsds_jacobian_report unused;
  checker c = {.context = model->context,
               .tolerance = tolerance > 0.0 ? tolerance : 1e-5,
               .report = report ? report : &unused};
  memset(c.report, 0, sizeof *c.report);
  if (!nsds_check_finite(model->context, call, "t", &t, 1) ||
      !nsds_check_range(model->context, call, "tolerance", tolerance, 0.0, 1.0))
    return NSDS_ERROR_VALUE;
  nsds_state at = model->state;
  at.t = t;
  model->busy |= NSDS_BUSY_CALL;
  for (size_t k = 0; !status && k < model->ds.count; ++k)
    status = check_ds(&c, model->ds.item[k], &at);
  for (size_t k = 0; !status && k < model->interaction.count; ++k)
    status = check_interaction(&c, model->interaction.item[k], &at);
  model->busy &= ~(unsigned)NSDS_BUSY_CALL;
  if (status || c.report->wrong == 0) return status;
  return nsds_fail(
      model->context, NSDS_ERROR_VALUE,
      "%s: %s[%d,%d] is %.10g, central differences give %.10g (%d of %d Jacobians off)",
      c.report->object, c.report->jacobian, c.report->row, c.report->col, c.report->given,
      c.report->expected, c.report->wrong, c.report->checked);
}
