/*
 * Guards the operations of users' types. An operation returns a status of the library, and all
 * results in a state are finite. Every failure has a message that names object and operation. The
 * library's own types have no guard.
 */
#include "kernel/modeling/guard.h"

#include "base/base.h"
#include "base/context.h"
#include "base/finite.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/shape_column.h"

static bool is_status(nsds_status status) {
  return (int)status >= NSDS_ERROR_INTEGRATION && (int)status <= NSDS_AGAIN;
}

nsds_status nsds_judge(nsds_context *context, const char *label, const char *operation, double t,
                       unsigned long failures, nsds_status status) {
  if (status == NSDS_OK) return NSDS_OK;
  if (status == NSDS_STOPPED) {
    nsds_log(context, NSDS_LOG_WARNING, "%s: %s asked to stop at t = %.17g", label, operation, t);
    return status;
  }
  nsds_status known = is_status(status) && status < 0 ? status : NSDS_ERROR_CALLBACK;
  if (status < 0 && nsds_failures(context) != failures) return known; /* reported already */
  return nsds_fail(context, known,
                   "%s: %s returned %d (%s) at t = %.17g without a report; valid are NSDS_OK, "
                   "NSDS_STOPPED and negative statuses",
                   label, operation, (int)status, nsds_status_text(status), t);
}

/* ---- operations ------------------------------------------------------------------------------ */

static const char *label_of(const nsds_guard *g, char *buffer) {
  return g->ds ? nsds_ds_label(g->ds, buffer) : nsds_relation_label(g->relation, buffer);
}

/* Reports a status, or a number in out[0..n) that is not finite. */
static NSDS_NOINLINE nsds_status look_closer(const nsds_guard *g, const char *operation, double t,
                                             unsigned long failures, nsds_status status,
                                             const double *out, int n) {
  char label[nsds_label_size];
  label_of(g, label);
  if (status) return nsds_judge(g->context, label, operation, t, failures, status);
  int bad = nsds_first_nonfinite(out, n);
  return nsds_fail(g->context, NSDS_ERROR_CALLBACK,
                   "%s: %s wrote %g to entry %d at t = %.17g; entries must be finite", label,
                   operation, out[bad], bad, t);
}

static nsds_status guard_check(const nsds_guard *g, const char *operation, double t,
                               unsigned long failures, nsds_status status, const double *out,
                               int n) {
  if (NSDS_LIKELY(status == NSDS_OK && nsds_first_nonfinite(out, n) < 0)) return NSDS_OK;
  return look_closer(g, operation, t, failures, status, out, n);
}

/* Defines a guard for an operation of a kind that writes `count` numbers. */
#define NSDS_GUARD(kind, operation, count)                                                         \
  static nsds_status kind##_##operation(void *self, const nsds_arguments *in, double *out) {       \
    const nsds_guard *g = self;                                                                    \
    unsigned long failures = nsds_failures(g->context);                                            \
    nsds_status status = g->user.kind->operation(g->self, in, out);                                \
    return guard_check(g, #operation, in->t, failures, status, out, (count));                      \
  }

/* Defines the guard of the operation that looks at the end of a step. */
#define NSDS_GUARD_LOOK(kind)                                                                      \
  static nsds_status kind##_look(void *self, const nsds_arguments *in) {                           \
    const nsds_guard *g = self;                                                                    \
    unsigned long failures = nsds_failures(g->context);                                            \
    nsds_status status = g->user.kind->look(g->self, in);                                          \
    return guard_check(g, "look", in->t, failures, status, NULL, 0);                               \
  }

static int values(const nsds_guard *g, const nsds_matrix_shape *shape) {
  return (int)nsds_value_count(shape->p, g->ds->nv);
}

NSDS_GUARD(second, mass, values(g, &g->ds->mass))
NSDS_GUARD(second, force, g->ds->nv)
NSDS_GUARD(second, damping, values(g, &g->ds->damping))
NSDS_GUARD(second, stiffness, values(g, &g->ds->stiffness))
NSDS_GUARD(second, velocity_map, g->ds->nq * g->ds->nv)
NSDS_GUARD(second, prescribed, g->ds->prescribed.n)

static nsds_status second_advance(void *self, const nsds_arguments *in, const double *step,
                                  double *q) {
  const nsds_guard *g = self;
  unsigned long failures = nsds_failures(g->context);
  nsds_status status = g->user.second->advance(g->self, in, step, q);
  return guard_check(g, "advance", in->t, failures, status, q, g->ds->nq);
}

static bool second_jacobian_pair(void *self, int k, nsds_jacobian_pair *pair) {
  const nsds_guard *g = self;
  return g->user.second->jacobian_pair(g->self, k, pair);
}

NSDS_GUARD(first, mass, values(g, &g->ds->mass))
NSDS_GUARD(first, rhs, g->ds->nv)
NSDS_GUARD(first, jacobian, values(g, &g->ds->stiffness))
NSDS_GUARD(first, rate_jacobian, values(g, &g->ds->damping))

NSDS_GUARD_LOOK(first)

static double first_next_corner(void *self, double t) {
  const nsds_guard *g = self;
  return g->user.first->next_corner(g->self, t);
}

static void first_scales(void *self, nsds_scales *scales) {
  const nsds_guard *g = self;
  g->user.first->scales(g->self, scales);
}

static bool first_jacobian_pair(void *self, int k, nsds_jacobian_pair *pair) {
  const nsds_guard *g = self;
  return g->user.first->jacobian_pair(g->self, k, pair);
}

/* Returns the number of entries of r, or (r, F). */
static int guard_inputs(const nsds_guard *g) {
  return g->relation->kind == NSDS_RELATION_FIRST_ORDER ? g->relation->nq : g->relation->nv;
}

NSDS_GUARD(relation, output, g->relation->ny)
NSDS_GUARD(relation, jacobian_q, g->relation->ny * g->relation->nq)
NSDS_GUARD(relation, gradient_v, g->relation->ny * g->relation->nv)
NSDS_GUARD(relation, jacobian_t, g->relation->ny)
NSDS_GUARD(relation, bias, g->relation->ny)
NSDS_GUARD(relation, jacobian_lambda, g->relation->ny * g->relation->ny)
NSDS_GUARD(relation, feedthrough, g->relation->ny * g->relation->ny)
NSDS_GUARD(relation, jacobian_v, g->relation->ny *(g->relation->nv - g->relation->nx))
NSDS_GUARD(relation, jacobian_x, g->relation->ny * g->relation->nx)
NSDS_GUARD(relation, input, guard_inputs(g))
NSDS_GUARD(relation, input_lambda, guard_inputs(g) * g->relation->ny)
NSDS_GUARD(relation, input_x,
           guard_inputs(g) *
               (g->relation->kind == NSDS_RELATION_FIRST_ORDER ? g->relation->nq : g->relation->nx))
NSDS_GUARD(relation, input_q, guard_inputs(g) * g->relation->nq)
NSDS_GUARD(relation, input_v, guard_inputs(g) * (g->relation->nv - g->relation->nx))

static bool relation_limit(void *self, const double *from, double *lambda) {
  const nsds_guard *g = self;
  return g->user.relation->limit(g->self, from, lambda);
}

static double relation_next_corner(void *self, double t) {
  const nsds_guard *g = self;
  return g->user.relation->next_corner(g->self, t);
}

NSDS_GUARD_LOOK(relation)

static double relation_margin(void *self, const nsds_arguments *in, bool on) {
  const nsds_guard *g = self;
  return g->user.relation->margin(g->self, in, on);
}

static bool relation_jacobian_pair(void *self, int k, nsds_jacobian_pair *pair) {
  const nsds_guard *g = self;
  return g->user.relation->jacobian_pair(g->self, k, pair);
}

/* ---- guards ---------------------------------------------------------------------------------- */

static nsds_guard *guard_create(nsds_context *context, void *self) {
  nsds_guard *g = NSDS_NEW(context, nsds_guard);
  if (g) *g = (nsds_guard){.context = context, .self = self};
  return g;
}

static void second_destroy(void *self) {
  nsds_guard *g = self;
  if (g->user.second->destroy) g->user.second->destroy(g->self);
  nsds_release(g->context, g);
}

static void first_destroy(void *self) {
  nsds_guard *g = self;
  if (g->user.first->destroy) g->user.first->destroy(g->self);
  nsds_release(g->context, g);
}

static void relation_destroy(void *self) {
  nsds_guard *g = self;
  if (g->user.relation->destroy) g->user.relation->destroy(g->self);
  nsds_release(g->context, g);
}

#define NSDS_GUARDED(kind, operation) .operation = user->operation ? kind##_##operation : NULL

nsds_guard *nsds_guard_second(nsds_context *context, const nsds_second_order_ops *user,
                              void *self) {
  nsds_guard *g = guard_create(context, self);
  if (!g) return NULL;
  g->user.second = user;
  g->ops.second = (nsds_second_order_ops){.type = user->type,
                                          NSDS_GUARDED(second, mass),
                                          NSDS_GUARDED(second, force),
                                          NSDS_GUARDED(second, damping),
                                          NSDS_GUARDED(second, stiffness),
                                          NSDS_GUARDED(second, velocity_map),
                                          NSDS_GUARDED(second, advance),
                                          NSDS_GUARDED(second, prescribed),
                                          NSDS_GUARDED(second, jacobian_pair),
                                          .destroy = second_destroy};
  return g;
}

nsds_guard *nsds_guard_first(nsds_context *context, const nsds_first_order_ops *user, void *self) {
  nsds_guard *g = guard_create(context, self);
  if (!g) return NULL;
  g->user.first = user;
  g->ops.first = (nsds_first_order_ops){.type = user->type,
                                        NSDS_GUARDED(first, mass),
                                        NSDS_GUARDED(first, rhs),
                                        NSDS_GUARDED(first, jacobian),
                                        NSDS_GUARDED(first, rate_jacobian),
                                        NSDS_GUARDED(first, jacobian_pair),
                                        NSDS_GUARDED(first, next_corner),
                                        NSDS_GUARDED(first, scales),
                                        NSDS_GUARDED(first, look),
                                        .destroy = first_destroy};
  return g;
}

nsds_guard *nsds_guard_relation(nsds_context *context, const nsds_relation_ops *user, void *self) {
  nsds_guard *g = guard_create(context, self);
  if (!g) return NULL;
  g->user.relation = user;
  g->ops.relation = (nsds_relation_ops){.type = user->type,
                                        NSDS_GUARDED(relation, output),
                                        NSDS_GUARDED(relation, jacobian_q),
                                        NSDS_GUARDED(relation, gradient_v),
                                        NSDS_GUARDED(relation, jacobian_v),
                                        NSDS_GUARDED(relation, jacobian_x),
                                        NSDS_GUARDED(relation, jacobian_t),
                                        NSDS_GUARDED(relation, bias),
                                        NSDS_GUARDED(relation, jacobian_lambda),
                                        NSDS_GUARDED(relation, feedthrough),
                                        NSDS_GUARDED(relation, input),
                                        NSDS_GUARDED(relation, input_lambda),
                                        NSDS_GUARDED(relation, input_x),
                                        NSDS_GUARDED(relation, input_q),
                                        NSDS_GUARDED(relation, input_v),
                                        NSDS_GUARDED(relation, limit),
                                        NSDS_GUARDED(relation, next_corner),
                                        NSDS_GUARDED(relation, margin),
                                        NSDS_GUARDED(relation, look),
                                        NSDS_GUARDED(relation, jacobian_pair),
                                        .destroy = relation_destroy};
  return g;
}

/* ---- integrators ----------------------------------------------------------------------------- */

static NSDS_NOINLINE nsds_status judge_stage(const nsds_integration *s, const char *operation,
                                             unsigned long failures, nsds_status status) {
  char label[nsds_label_size], name[96];
  const nsds_ds *ds = nsds_ds_of(s->ds);
  const nsds_integrator *user = ds->guarded.integrator->user;
  snprintf(name, sizeof name, "%s of integrator '%.64s'", operation, user->name);
  return nsds_judge(s->context, nsds_ds_label(ds, label), name, s->scheme->t, failures, status);
}

#define NSDS_STAGE(operation)                                                                      \
  static nsds_status stage_##operation(nsds_integration *s) {                                      \
    unsigned long failures = nsds_failures(s->context);                                            \
    nsds_status status = nsds_ds_of(s->ds)->guarded.integrator->user->operation(s);                \
    return NSDS_LIKELY(!status) ? NSDS_OK : judge_stage(s, #operation, failures, status);          \
  }

NSDS_STAGE(check)
NSDS_STAGE(refresh)
NSDS_STAGE(free)
NSDS_STAGE(evaluate)
NSDS_STAGE(tangent)
NSDS_STAGE(solve)
NSDS_STAGE(advance)
NSDS_STAGE(finish)

nsds_status nsds_guard_integrator(nsds_ds *ds, const nsds_integrator *user) {
  nsds_context *context = ds->model->context;
  if (!ds->guarded.integrator) ds->guarded.integrator = NSDS_NEW(context, nsds_guarded_integrator);
  if (!ds->guarded.integrator) return NSDS_ERROR_MEMORY;
  ds->guarded.integrator->user = user;
  ds->guarded.integrator->ops = (nsds_integrator){.name = user->name,
                                                  .order = user->order,
                                                  .rates = user->rates,
                                                  .memory = user->memory,
                                                  NSDS_GUARDED(stage, check),
                                                  NSDS_GUARDED(stage, refresh),
                                                  NSDS_GUARDED(stage, free),
                                                  NSDS_GUARDED(stage, evaluate),
                                                  NSDS_GUARDED(stage, tangent),
                                                  NSDS_GUARDED(stage, solve),
                                                  .apply = user->apply,
                                                  .carry = user->carry,
                                                  NSDS_GUARDED(stage, advance),
                                                  .advance_flat = user->advance_flat,
                                                  NSDS_GUARDED(stage, finish),
                                                  .finishes = user->finishes};
  ds->own.integrator = &ds->guarded.integrator->ops;
  return NSDS_OK;
}
