/*
 * Newton's impact with Coulomb friction, and with rolling friction. With u the local velocity
 * (normal N, tangential T, rolling R) and P the impulse, the sets of the numerics are
 *
 *   ||P_T|| <= mu P_N,  ||P_R|| <= mu_r P_N
 *
 * with De Saxce's term: w_N + mu ||w_T|| + mu_r ||w_R|| stands against P_N. This law gives
 *
 *   w_N = u_N(+) + e_N u_N(-),   w_T = s_T(+) + e_T s_T(-),  s_T = u_T + slip,   w_R = u_R(+).
 *
 * Fremond's law has w_N = u_N(+) + e_N min(u_N(-), 0) and, in an impact, w_T = s_T(+) + s_T(-).
 *
 * Sources: Fremond, Non-Smooth Thermomechanics, Springer (2002), ch. 2; Moreau, Unilateral contact
 * and dry friction in finite freedom dynamics, CISM 302 (1988); Acary and Brogliato (2008), sec.
 * 3.9; Acary and Bourrier, Coulomb friction with rolling resistance as a cone complementarity
 * problem, Eur. J. Mech. A/Solids 85 (2021).
 */
#include "base/context.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/law.h"
#include "kernel/modeling/law_constraint.h"

typedef struct friction {
  nsds_context *context;
  nsds_set_kind set;
  int tangents;
  double mu, mu_rolling, e_n, e_t, slip[2];
} friction;

static void friction_block(void *self, nsds_block *block) {
  const friction *s = self;
  block->set = s->set;
  block->mu = s->mu;
  block->mu_rolling = s->mu_rolling;
}

static void friction_restitution(void *self, const double *ydot, double *q) {
  const friction *s = self;
  q[0] += s->e_n * ydot[0];
  for (int k = 0; k < s->tangents; ++k)
    q[1 + k] += s->slip[k] + s->e_t * (ydot[1 + k] + s->slip[k]);
}

/* Smallest ratio of approach to sliding speed in an impact. Slower contacts last, and an average of
 * velocities would let a stopped slip ring. */
static const double grazing = 1e-8;

static void fremond_restitution(void *self, const double *ydot, double *q) {
  const friction *s = self;
  double approach = fmax(0.0, -ydot[0]), sliding = 0.0;
  for (int k = 0; k < s->tangents; ++k) sliding = hypot(sliding, ydot[1 + k] + s->slip[k]);
  bool impact = approach > grazing * sliding;
  q[0] -= s->e_n * approach;
  for (int k = 0; k < s->tangents; ++k)
    q[1 + k] += s->slip[k] + (impact ? ydot[1 + k] + s->slip[k] : 0.0);
}

static void friction_destroy(void *self) {
  friction *s = self;
  nsds_release(s->context, s);
}

#define NSDS_FRICTION_OPS                                                                          \
  .block = friction_block, .active = nsds_gap_closes, .restitution = friction_restitution,         \
  .destroy = friction_destroy

static const nsds_law_ops coulomb_ops = {.type = "nsds_newton_impact_friction", NSDS_FRICTION_OPS};
static const nsds_law_ops fremond_ops = {.type = "nsds_fremond_impact_friction",
                                         .block = friction_block,
                                         .active = nsds_gap_closes,
                                         .restitution = fremond_restitution,
                                         .destroy = friction_destroy};
static const nsds_law_ops rolling_ops = {.type = "nsds_newton_impact_rolling", NSDS_FRICTION_OPS};

static bool law_friction_check_coefficient(nsds_context *context, const char *call,
                                           const char *field, double value) {
  if (value >= 0.0 && isfinite(value)) return true;
  nsds_fail(context, NSDS_ERROR_VALUE, "%s: %s is %g; a coefficient of friction is finite and >= 0",
            call, field, value);
  return false;
}

static bool law_friction_check(nsds_context *context, const char *call, int dimension,
                               const nsds_newton_impact_rolling_def *d) {
  if (dimension != 2 && dimension != 3) {
    nsds_fail(context, NSDS_ERROR_SIZE, "%s: dimension is %d; valid are 2 and 3", call, dimension);
    return false;
  }
  if (!law_friction_check_coefficient(context, call, "mu", d->mu) ||
      !law_friction_check_coefficient(context, call, "mu_rolling", d->mu_rolling) ||
      !nsds_check_range(context, call, "e_n", d->e_n, 0.0, 1.0) ||
      !nsds_check_range(context, call, "e_t", d->e_t, -1.0, 1.0) ||
      !nsds_check_finite(context, call, "slip", d->slip, 2))
    return false;
  if (dimension == 3 || d->slip[1] == 0.0) return true;
  nsds_fail(context, NSDS_ERROR_VALUE,
            "%s: slip[1] is %g, but in the plane there is one tangent; it must be 0", call,
            d->slip[1]);
  return false;
}

/* Creates a law. `rows` has the rows of one copy in the plane and in 3D. */
static nsds_law *law_friction_create(nsds_model *model, const nsds_law_ops *ops, nsds_set_kind set,
                                     const int rows[2], const nsds_newton_impact_rolling_def *d) {
  nsds_context *context = model->context;
  int dimension = d->dimension == 0 ? 3 : d->dimension;
  if (!law_friction_check(context, ops->type, dimension, d)) return NULL;
  friction *s = NSDS_NEW(context, friction);
  if (!s) return NULL;
  *s = (friction){.context = context,
                  .set = set,
                  .tangents = dimension - 1,
                  .mu = d->mu,
                  .mu_rolling = d->mu_rolling,
                  .e_n = d->e_n,
                  .e_t = d->e_t,
                  .slip = {d->slip[0], d->slip[1]}};
  return nsds_make_law(
      model, &(nsds_custom_law_def){.ops = ops, .self = s, .size = rows[dimension - 2], .ngap = 1},
      false);
}

nsds_law *nsds_newton_impact_friction(nsds_model *model,
                                      const nsds_newton_impact_friction_def *def) {
  if (!model || !def) {
    nsds_fail_null(nsds_model_context(model), coulomb_ops.type, model ? "def" : "model");
    return NULL;
  }
  if (nsds_check_reserved(model->context, coulomb_ops.type, "", NSDS_TAIL(def))) return NULL;
  const nsds_newton_impact_rolling_def same = {.dimension = def->dimension,
                                               .mu = def->mu,
                                               .e_n = def->e_n,
                                               .e_t = def->e_t,
                                               .slip = {def->slip[0], def->slip[1]}};
  return law_friction_create(model, &coulomb_ops, NSDS_SET_COULOMB, (const int[]){2, 3}, &same);
}

nsds_law *nsds_fremond_impact_friction(nsds_model *model,
                                       const nsds_fremond_impact_friction_def *def) {
  if (!model || !def) {
    nsds_fail_null(nsds_model_context(model), fremond_ops.type, model ? "def" : "model");
    return NULL;
  }
  if (nsds_check_reserved(model->context, fremond_ops.type, "", NSDS_TAIL(def))) return NULL;
  const nsds_newton_impact_rolling_def same = {.dimension = def->dimension,
                                               .mu = def->mu,
                                               .e_n = def->e_n,
                                               .slip = {def->slip[0], def->slip[1]}};
  return law_friction_create(model, &fremond_ops, NSDS_SET_COULOMB, (const int[]){2, 3}, &same);
}

nsds_law *nsds_newton_impact_rolling(nsds_model *model, const nsds_newton_impact_rolling_def *def) {
  if (!model || !def) {
    nsds_fail_null(nsds_model_context(model), rolling_ops.type, model ? "def" : "model");
    return NULL;
  }
  if (nsds_check_reserved(model->context, rolling_ops.type, "", NSDS_TAIL(def))) return NULL;
  return law_friction_create(model, &rolling_ops, NSDS_SET_ROLLING, (const int[]){3, 5}, def);
}
