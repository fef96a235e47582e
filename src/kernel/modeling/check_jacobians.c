/*
 * Compares every Jacobian given by users with fourth-order central differences at the current
 * state, and every bias with differences of dy/dt along the motion. An entry is wrong if it
 * deviates by more than tolerance times the largest entry of the matrix, or 1 if that is larger.
 */
#include "base/base.h"
#include "base/context.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/local.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/operator.h"

#include <limits.h>
#include <stdio.h>

enum { most_pairs = 1000 };

typedef struct checker {
  nsds_context *context;
  double tolerance;
  double worst; /* largest deviation so far, relative to its matrix */
  nsds_jacobian_report *report;
} checker;

/* A given matrix and its differences, at one or two points. */
typedef struct comparison {
  const char *label, *name;
  int rows, n;
  double worst, given, expected;
  int at;
} comparison;

static void check_jacobians_compare(comparison *m, const double *given, const double *expected) {
  double scale = 1.0;
  for (int k = 0; k < m->n; ++k) scale = fmax(scale, fmax(fabs(given[k]), fabs(expected[k])));
  for (int k = 0; k < m->n; ++k) {
    double off = fabs(given[k] / scale - expected[k] / scale);
    if (isnan(off)) off = INFINITY; /* overflowed differences agree with nothing */
    if (off <= m->worst) continue;
    m->worst = off;
    m->at = k;
    m->given = given[k];
    m->expected = expected[k];
  }
}

static void check_jacobians_judge(checker *c, const comparison *m) {
  if (m->worst <= c->tolerance) return;
  ++c->report->wrong;
  if (m->worst <= c->worst) return;
  c->worst = m->worst;
  snprintf(c->report->object, sizeof c->report->object, "%.*s", 63, m->label);
  snprintf(c->report->jacobian, sizeof c->report->jacobian, "%s", m->name);
  c->report->row = m->at % m->rows;
  c->report->col = m->at / m->rows;
  c->report->given = m->given;
  c->report->expected = m->expected;
}

static void note_absent(checker *c, const char *label, const nsds_jacobian_pair *pair) {
  size_t used = strlen(c->report->names);
  ++c->report->not_given;
  if (used + strlen(label) + strlen(pair->name) + 5 > sizeof c->report->names) return;
  snprintf(c->report->names + used, sizeof c->report->names - used, "%s%s: %s", used ? ", " : "",
           label, pair->name);
}

static nsds_status check_jacobians_check_pair(checker *c, const char *label,
                                              const nsds_jacobian_pair *pair,
                                              const nsds_arguments *in, int npoint,
                                              const nsds_caller *of) {
  int wide = nsds_variable_length(in, pair->variable);
  if (!pair->name || !pair->function || pair->rows < 1 || pair->variable < NSDS_WRT_Q ||
      pair->variable > NSDS_WRT_XDOT || pair->rows > INT_MAX / (wide > 0 ? wide : 1))
    return nsds_fail(c->context, NSDS_ERROR_ARGUMENT,
                     "nsds_check_jacobians: %s: jacobian_pair gave '%s' of %d rows and %d columns "
                     "in variable %d%s; valid are a name, a function, rows >= 1 and one of "
                     "nsds_variable",
                     label, pair->name ? pair->name : "", pair->rows, wide, (int)pair->variable,
                     pair->function ? "" : " without its function");
  if (wide == 0) return NSDS_OK;
  if (!pair->jacobian || pair->jacobian == nsds_differences) note_absent(c, label, pair);
  if (pair->jacobian == nsds_differences) return NSDS_OK;
  comparison m = {.label = label, .name = pair->name, .rows = pair->rows, .n = pair->rows * wide};
  nsds_caller caller = {.context = c->context};
  if (of) caller.own = of->own, caller.nown = of->nown;
  snprintf(caller.label, sizeof caller.label, "%s", label);
  double *given = NSDS_NEW_ARRAY(c->context, double, 2 * (size_t)m.n);
  nsds_status status =
      given ? nsds_caller_reserve(&caller, pair->rows, wide > 1 ? wide : 1) : NSDS_ERROR_MEMORY;
  for (int k = 0; !status && k < npoint; ++k) {
    if (pair->jacobian) status = nsds_call_jacobian(&caller, pair, &in[k], given);
    if (!status) status = nsds_difference_quotient(&caller, pair, &in[k], 4, given + m.n);
    if (!status) check_jacobians_compare(&m, given, given + m.n);
  }
  c->report->checked += !status && pair->jacobian;
  if (!status) check_jacobians_judge(c, &m);
  nsds_release(c->context, caller.scratch);
  nsds_release(c->context, given);
  return status;
}

/* Reports more pairs than any type has: jacobian_pair never returns false. */
static nsds_status endless(checker *c, const char *label) {
  return nsds_fail(c->context, NSDS_ERROR_CALLBACK,
                   "nsds_check_jacobians: %s: jacobian_pair has not returned false after %d pairs",
                   label, most_pairs);
}

static nsds_status check_ds(checker *c, const nsds_ds *ds, const nsds_state *at) {
  nsds_jacobian_pair pair = {0};
  char label[nsds_label_size];
  nsds_ds_label(ds, label);
  nsds_arguments in = nsds_ds_in(ds, at->t, at->q + ds->q_offset, at->v + ds->v_offset);
  if (nsds_is_first_order(ds) && ds->damping.present) { /* any rate will do: x exists */
    in.xdot = in.x;
    in.nxdot = in.nx;
  }
  nsds_status status = NSDS_OK;
  for (int i = 0; !status && ds->type.jacobian_pair && ds->type.jacobian_pair(ds->self, i, &pair);
       ++i) {
    status = i < most_pairs ? check_jacobians_check_pair(c, label, &pair, &in, 1, ds->caller)
                            : endless(c, label);
    pair = (nsds_jacobian_pair){0};
  }
  return status;
}

/* Checks the bias of a second-order relation along the motion, over times in which nothing moves
 * far. */
static nsds_status check_bias(checker *c, const nsds_interaction *ia, nsds_state *at,
                              const char *label) {
  int m = ia->m;
  double speed = 1.0;
  for (int k = 0; k < ia->nds; ++k)
    for (int j = 0; j < ia->ds[k]->nv; ++j)
      speed = fmax(speed, fabs(at->v[ia->ds[k]->v_offset + j]));
  double *given = NSDS_NEW_ARRAY(c->context, double, 2 * (size_t)m + nsds_bias_work(ia));
  if (!given) return NSDS_ERROR_MEMORY;
  double *expected = given + m, *work = expected + m, step = NSDS_EPSILON_TO_FIFTH / speed;
  comparison compared = {.label = label, .name = "bias_fn", .rows = m, .n = m};
  nsds_status status = nsds_bias(ia, at, step, 0, given, work);
  if (!status) status = nsds_bias_difference(ia, at, step, 0, expected, work);
  if (!status) check_jacobians_compare(&compared, given, expected);
  c->report->checked += !status;
  if (!status) check_jacobians_judge(c, &compared);
  nsds_release(c->context, given);
  return status;
}

/* Checks the pairs of a relation at lambda = 0; if it reads lambda, also near 1. */
static nsds_status check_pairs(checker *c, const nsds_interaction *ia, const nsds_state *at,
                               const char *label) {
  const nsds_relation *relation = ia->relation;
  if (!relation->ops->jacobian_pair) return NSDS_OK;
  size_t size = nsds_local_work(ia);
  double *work = NSDS_NEW_ARRAY(c->context, double, size + (size_t)ia->m);
  if (!work) return NSDS_ERROR_MEMORY;
  double *lambda = work + size;
  for (int i = 0; i < ia->m; ++i) lambda[i] = 1.0 + (double)i / ia->m;
  nsds_arguments in[2] = {nsds_gather(ia, at, NULL, 0.0, work)};
  in[1] = in[0];
  in[1].lambda = lambda;
  bool reads = nsds_acts_on_states(relation->kind) || relation->ops->jacobian_lambda ||
               relation->ops->feedthrough;
  nsds_jacobian_pair pair = {0};
  nsds_status status = NSDS_OK;
  for (int i = 0; !status && relation->ops->jacobian_pair(relation->self, i, &pair); ++i) {
    status = i < most_pairs
                 ? check_jacobians_check_pair(c, label, &pair, in, reads ? 2 : 1, relation->caller)
                 : endless(c, label);
    pair = (nsds_jacobian_pair){0};
  }
  nsds_release(c->context, work);
  return status;
}

static nsds_status check_interaction(checker *c, const nsds_interaction *ia, nsds_state *at) {
  char label[nsds_label_size];
  nsds_relation_label(ia->relation, label);
  nsds_status status = check_pairs(c, ia, at, label);
  if (status || !ia->relation->ops->bias) return status;
  return check_bias(c, ia, at, label);
}

nsds_status nsds_check_jacobians(nsds_model *model, double t, double tolerance,
                                 nsds_jacobian_report *report) {
  const char *call = "nsds_check_jacobians";
  if (!model) return nsds_fail_null(NULL, call, "model");
  nsds_status status = nsds_check_quiet(model, call);
  if (status) return status;
  bool clean = nsds_error(model->context) == NSDS_OK;
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
  if (!status && c.report->wrong > 0)
    status = nsds_fail(model->context, NSDS_ERROR_VALUE,
                       "%s: %s[%d,%d] is %.10g, central differences give %.10g (%d off of %d "
                       "Jacobians given and %d "
                       "not%s%s)",
                       c.report->object, c.report->jacobian, c.report->row, c.report->col,
                       c.report->given, c.report->expected, c.report->wrong, c.report->checked,
                       c.report->not_given, c.report->not_given ? ": " : "", c.report->names);
  bool of_functions =
      status == NSDS_ERROR_VALUE || status == NSDS_ERROR_CALLBACK || status == NSDS_ERROR_ABORTED;
  if (of_functions && clean) nsds_error_clear(model->context);
  return status;
}
