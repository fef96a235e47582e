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
#include "base/text/field_rows.h"
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

/* Data that the three definitions have in common. */
typedef struct friction_data {
  const nsds_law_ops *ops;
  nsds_set_kind set;
  int rows_per_tangent; /* beside the normal row: T, or T and R */
  int dimension;
  friction of;
} friction_data;

static nsds_law *law_friction_create(nsds_model *model, const friction_data *d) {
  nsds_context *context = model->context;
  int tangents = d->dimension - 1;
  if (tangents == 1 && d->of.slip[1] != 0.0) {
    nsds_fail(context, NSDS_ERROR_VALUE,
              "%s: slip[1] is %g, but in the plane there is one tangent; it must be 0",
              d->ops->type, d->of.slip[1]);
    return NULL;
  }
  friction *s = NSDS_NEW(context, friction);
  if (!s) return NULL;
  *s = d->of;
  s->context = context;
  s->set = d->set;
  s->tangents = tangents;
  return nsds_make_law(
      model,
      &(nsds_custom_law_def){
          .ops = d->ops, .self = s, .size = 1 + d->rows_per_tangent * tangents, .ngap = 1},
      false);
}

nsds_law *nsds_newton_impact_friction(nsds_model *model,
                                      const nsds_newton_impact_friction_def *def) {
  nsds_newton_impact_friction_def d;
  if (!nsds_definition_take(model, &nsds_law_newton_impact_friction, def, &d)) return NULL;
  const friction of = {.mu = d.mu, .e_n = d.e_n, .e_t = d.e_t, .slip = {d.slip[0], d.slip[1]}};
  return law_friction_create(model,
                             &(friction_data){&coulomb_ops, NSDS_SET_COULOMB, 1, d.dimension, of});
}

nsds_law *nsds_fremond_impact_friction(nsds_model *model,
                                       const nsds_fremond_impact_friction_def *def) {
  nsds_fremond_impact_friction_def d;
  if (!nsds_definition_take(model, &nsds_law_fremond_impact_friction, def, &d)) return NULL;
  const friction of = {.mu = d.mu, .e_n = d.e_n, .slip = {d.slip[0], d.slip[1]}};
  return law_friction_create(model,
                             &(friction_data){&fremond_ops, NSDS_SET_COULOMB, 1, d.dimension, of});
}

nsds_law *nsds_newton_impact_rolling(nsds_model *model, const nsds_newton_impact_rolling_def *def) {
  nsds_newton_impact_rolling_def d;
  if (!nsds_definition_take(model, &nsds_law_newton_impact_rolling, def, &d)) return NULL;
  const friction of = {.mu = d.mu,
                       .mu_rolling = d.mu_rolling,
                       .e_n = d.e_n,
                       .e_t = d.e_t,
                       .slip = {d.slip[0], d.slip[1]}};
  return law_friction_create(model,
                             &(friction_data){&rolling_ops, NSDS_SET_ROLLING, 2, d.dimension, of});
}

/* ---- catalogue ------------------------------------------------------------------------------- */

#define FRICTION(D)                                                                                \
  INTEGER_OF(D, dimension, "[2, 3]", "3", "2: rows N and T; 3: rows N, T1 and T2."),               \
      NUMBER_OF(D, mu, "1", ">= 0", "0", "Coefficient of friction."),                              \
      NUMBER_OF(D, e_n, "1", "[0, 1]", "0", "Coefficient of normal restitution.")
#define TANGENTIAL(D)                                                                              \
  NUMBER_OF(D, e_t, "1", "[-1, 1]", "0", "Coefficient of tangential restitution.")
#define SLIP(D)                                                                                    \
  VECTOR_OF(D, slip, "1 or 2", "m/s", "zero",                                                      \
            "Added to the tangential velocities: minus the velocity of a belt.")

MAKER(nsds_newton_impact_friction, nsds_newton_impact_friction_def)
MAKER(nsds_fremond_impact_friction, nsds_fremond_impact_friction_def)
MAKER(nsds_newton_impact_rolling, nsds_newton_impact_rolling_def)

#define DEF nsds_newton_impact_friction_def
const nsds_type nsds_law_newton_impact_friction = {
    .type = "newton_impact_friction",
    .help = "Unilateral contact with Newton's impact law and Coulomb friction.",
    .field = (const nsds_field[]){FRICTION(DEF), TANGENTIAL(DEF), SLIP(DEF), END},
    .call = "nsds_newton_impact_friction",
    DEFINITION(DEF),
    .make = make_nsds_newton_impact_friction};
#undef DEF
#define DEF nsds_fremond_impact_friction_def
const nsds_type nsds_law_fremond_impact_friction = {
    .type = "fremond_impact_friction",
    .help = "Unilateral contact with Fremond's impact law and Coulomb friction.",
    .field = (const nsds_field[]){FRICTION(DEF), SLIP(DEF), END},
    .call = "nsds_fremond_impact_friction",
    DEFINITION(DEF),
    .make = make_nsds_fremond_impact_friction};
#undef DEF
#define DEF nsds_newton_impact_rolling_def
const nsds_type nsds_law_newton_impact_rolling = {
    .type = "newton_impact_rolling",
    .help = "Unilateral contact with friction and rolling friction.",
    .field = (const nsds_field[]){FRICTION(DEF),
                                  NUMBER_OF(DEF, mu_rolling, "m", ">= 0", "0",
                                            "Coefficient of rolling friction."),
                                  TANGENTIAL(DEF), SLIP(DEF), END},
    .call = "nsds_newton_impact_rolling",
    DEFINITION(DEF),
    .make = make_nsds_newton_impact_rolling};
