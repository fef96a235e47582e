/*
 * The distributing impact law. Impulses of the contacts of one impact grow in the ratio of the
 * forces K d^eta of their compliance. Any variable tau with dP_j/dtau = K_j d_j^eta gives the ratio
 *   dP_j/dP_i = (K_j/K_i)^(1/(eta+1)) (E_j/E_i)^(eta/(eta+1)),  E_j = K_j d_j^(eta+1) / (eta+1),
 * and dE_j = -u_j dP_j, with u = dy/dt, means dd_j/dtau = -u_j. So (d, P) is integrated over tau,
 *   dd/dtau = -u,   dP/dtau = K d^eta,   u = u- + A P,
 * from d = 0, P = 0. The right-hand side is Lipschitz there, since eta >= 1, so that contacts
 * without energy need no special start. An open contact has d < 0, the way back. Units: u is
 * divided by the largest |u-|, A by its largest diagonal entry, K by the largest K.
 *
 * Phases: open, loading, unloading. When u_j passes zero on loading, E becomes E_0 + e^2 (E - E_0).
 * With two stiffnesses, unloading has the stiffness K / e^(2 eta). In terms of d = ((eta+1) E /
 * K)^(1/(eta+1)) unloading is dd/dtau = -c u, dP/dtau = c K d^eta with c = e^(-2 eta / (eta+1)).
 *
 * Joints stay closed: their impulses are eliminated from A and u-.
 *
 * Sources: see nsds_distributing_impact() in nsds/law.h.
 */
#include "kernel/events/impact_distribution.h"

#include "base/base.h"
#include "base/context.h"
#include "base/text/field_rows.h"
#include "kernel/events/event_rows.h"
#include "kernel/events/impact_rule.h"
#include "kernel/modeling/law_constraint.h"
#include "kernel/modeling/modeling.h"
#include "numerics/ode/advance.h"
#include "numerics/ode/ode.h"

static const double accuracy = 1e-13;  /* of (d, P), relative */
static const double still = 1e-12;     /* relative to terms of u: a velocity is zero */
static const double least = 1e-14;     /* phases end this far beyond zero, so not by rounding */
static const double least_e = 1e-12;   /* a smaller e counts as zero */
static const double dependent = 1e-10; /* of the diagonal of A: a smaller rest is rounding */
static const double endless = 1e30;    /* tau */
enum { most_phases = 20000, most_steps = 10 * most_phases };

typedef enum phase { OPEN, LOADING, UNLOADING } phase;

typedef struct spring {
  int k; /* row of the problem */
  phase phase;
  bool bi_stiffness;
  double e, stiffness, c;
  double before, start; /* u-, E_0 */
} spring;

typedef struct nsds_distribution {
  nsds_ode *ode;
  int m; /* contacts */
  double exponent;
  spring *spring;
  double *x, *a, *u; /* 2m: d, P; m x m; m */
  size_t spring_capacity, x_capacity, a_capacity, u_capacity;
} nsds_distribution;

/* ---- the right-hand side --------------------------------------------------------------------- */

static double power(const nsds_distribution *d, double x) {
  if (d->exponent == 1.0) return x;
  return d->exponent == 1.5 ? x * sqrt(x) : pow(x, d->exponent);
}

/* Returns the force, odd in d, so that it is smooth when a contact opens. */
static double impact_distribution_force(const nsds_distribution *d, int j, double x) {
  const spring *own = &d->spring[j];
  return own->phase == OPEN ? 0.0 : own->c * own->stiffness * copysign(power(d, fabs(x)), x);
}

static double impact_distribution_energy(const nsds_distribution *d, int j, double x) {
  return x > 0.0 ? d->spring[j].stiffness * x * power(d, x) / (d->exponent + 1.0) : 0.0;
}

static void impact_distribution_velocities(const nsds_distribution *d, const double *P) {
  for (int i = 0; i < d->m; ++i) d->u[i] = d->spring[i].before;
  for (int j = 0; j < d->m; ++j)
    for (int i = 0; i < d->m && P[j] != 0.0; ++i) d->u[i] += d->a[i + (ptrdiff_t)j * d->m] * P[j];
}

static int impact_distribution_rates(void *self, double t, const double *x, double *dx) {
  nsds_distribution *d = self;
  (void)t;
  impact_distribution_velocities(d, x + d->m);
  for (int j = 0; j < d->m; ++j) {
    dx[j] = -d->spring[j].c * d->u[j];
    dx[d->m + j] = impact_distribution_force(d, j, x[j]);
  }
  return 0;
}

static int functions(void *self, double t, const double *x, double *g) {
  nsds_distribution *d = self;
  (void)t;
  impact_distribution_velocities(d, x + d->m);
  for (int j = 0; j < d->m; ++j) {
    phase now = d->spring[j].phase;
    g[2 * j] = x[j] + (now == OPEN ? 0.0 : least);
    g[2 * j + 1] = d->u[j] + (now == LOADING ? -least : least);
  }
  return 0;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static nsds_status impact_distribution_grow(nsds_event_rows *s, nsds_distribution *d, size_t n) {
  nsds_context *context = s->plan->context;
  nsds_status status = nsds_grow(context, &d->spring, &d->spring_capacity, n, sizeof *d->spring);
  if (!status) status = nsds_grow(context, &d->x, &d->x_capacity, 2 * n, sizeof *d->x);
  if (!status) status = nsds_grow(context, &d->a, &d->a_capacity, n * n, sizeof *d->a);
  if (!status) status = nsds_grow(context, &d->u, &d->u_capacity, n, sizeof *d->u);
  if (status) return status;
  if (d->ode) return nsds_ode_resize(d->ode, 2 * (int)n, 2 * (int)n);
  nsds_ode_problem problem = {.n = 2 * (int)n,
                              .roots = 2 * (int)n,
                              .self = d,
                              .rhs = impact_distribution_rates,
                              .root = functions};
  nsds_ode_options options = {.method = "dormand_prince",
                              .relative_tolerance = accuracy,
                              .absolute_tolerance = 1e-3 * accuracy};
  d->ode = nsds_ode_create(context, &problem, &options);
  return d->ode ? NSDS_OK : NSDS_ERROR_MEMORY;
}

nsds_status nsds_distribution_reserve(nsds_event_rows *s) {
  size_t rows = 0;
  for (int r = 0; r < s->nrow; ++r)
    rows += s->plan->contact[s->row[r].contact].law->impact.stiffness > 0.0;
  if (rows == 0) return NSDS_OK;
  if (!s->impacts.distribution)
    s->impacts.distribution = NSDS_NEW(s->plan->context, nsds_distribution);
  return s->impacts.distribution ? impact_distribution_grow(s, s->impacts.distribution, rows)
                                 : NSDS_ERROR_MEMORY;
}

void nsds_distribution_destroy(nsds_event_rows *s) {
  nsds_distribution *d = s->impacts.distribution;
  if (!d) return;
  nsds_context *context = s->plan->context;
  nsds_ode_destroy(d->ode);
  nsds_release(context, d->spring);
  nsds_release(context, d->x);
  nsds_release(context, d->a);
  nsds_release(context, d->u);
  nsds_release(context, d);
}

/* ---- joints ---------------------------------------------------------------------------------- */

/* Sweeps the symmetric C on its diagonal entry k: after all of a set B of rows C_BB = -A_BB^-1,
 * C_BU = A_BB^-1 A_BU, C_UU = A_UU - A_UB A_BB^-1 A_BU. */
static void impact_distribution_sweep(double *C, size_t n, size_t k) {
  double pivot = C[k + k * n];
  for (size_t j = 0; j < n; ++j)
    for (size_t i = 0; i < n && j != k; ++i)
      if (i != k) C[i + j * n] -= C[i + k * n] * C[k + j * n] / pivot;
  for (size_t i = 0; i < n; ++i)
    if (i != k) C[i + k * n] = C[k + i * n] = C[i + k * n] / pivot;
  C[k + k * n] = -1.0 / pivot;
}

/* Sweeps a copy of A, its second half, on all independent joints. Marks these in w. */
static double *eliminate_joints(nsds_event_rows *s, const nsds_row_part *part) {
  size_t n = (size_t)part->n;
  double *C = s->system.A + n * n;
  memcpy(C, s->system.A, n * n * sizeof *C);
  nsds_zero_doubles(part->w, n);
  for (;;) {
    size_t best = n;
    double most = dependent;
    for (size_t k = 0; k < n; ++k) {
      double whole = s->system.A[k + k * n];
      if (!nsds_row_bilateral(&s->row[part->chosen[k]]) || part->w[k] != 0.0) continue;
      if (whole > 0.0 && C[k + k * n] / whole > most) most = C[k + k * n] / whole, best = k;
    }
    if (best == n) return C;
    impact_distribution_sweep(C, n, best);
    part->w[best] = 1.0;
  }
}

/* Computes impulses of the joints from impulses of the contacts. */
static void strike_joints(const nsds_row_part *part, const double *C) {
  size_t n = (size_t)part->n;
  for (size_t k = 0; k < n; ++k) {
    if (part->w[k] == 0.0) continue;
    part->z[k] = 0.0;
    for (size_t j = 0; j < n; ++j) {
      bool joint = part->w[j] != 0.0;
      part->z[k] += C[k + j * n] * (joint ? part->b[j] : -part->z[j]);
    }
  }
}

/* ---- one impact ------------------------------------------------------------------------------ */

/* The units of u and A. */
typedef struct units {
  double u, a;
} units;

static units impact_distribution_measure(nsds_distribution *d, const double *C, size_t n) {
  units one = {0.0, 0.0};
  double stiffest = 0.0;
  for (int j = 0; j < d->m; ++j) {
    const spring *own = &d->spring[j];
    one.u = fmax(one.u, fabs(own->before));
    one.a = fmax(one.a, C[(size_t)own->k * (n + 1)]);
    stiffest = fmax(stiffest, own->stiffness);
  }
  for (int j = 0; j < d->m; ++j) {
    d->spring[j].before /= one.u;
    d->spring[j].stiffness /= stiffest;
    for (int i = 0; i < d->m; ++i)
      d->a[i + (ptrdiff_t)j * d->m] =
          C[(size_t)d->spring[i].k + (size_t)d->spring[j].k * n] / one.a;
  }
  return one;
}

/* Gathers the contacts, with u- after elimination of the joints. */
static void impact_distribution_gather(nsds_event_rows *s, const nsds_row_part *part,
                                       const double *C, bool inelastic) {
  nsds_distribution *d = s->impacts.distribution;
  size_t n = (size_t)part->n;
  d->m = 0;
  for (int k = 0; k < part->n; ++k) {
    const nsds_row *row = &s->row[part->chosen[k]];
    if (nsds_row_bilateral(row)) continue;
    const nsds_impact *law = &s->plan->contact[row->contact].law->impact;
    d->exponent = law->exponent;
    spring *own = &d->spring[d->m++];
    *own = (spring){.k = k,
                    .e = inelastic || law->e < least_e ? 0.0 : law->e,
                    .bi_stiffness = law->bi_stiffness,
                    .stiffness = law->stiffness,
                    .c = 1.0,
                    .before = nsds_row_moves(row) ? part->b[k] : 0.0};
    for (int j = 0; j < part->n; ++j)
      if (part->w[j] != 0.0) own->before -= C[(size_t)j + (size_t)k * n] * part->b[j];
    own->phase = own->before > 0.0 ? OPEN : LOADING;
  }
}

/* Changes the phase of contact j, at a root of d or u. */
static void turn(nsds_distribution *d, int j, bool at_velocity) {
  spring *own = &d->spring[j];
  double *x = &d->x[j], e = own->e;
  if (!at_velocity) {
    own->start = 0.0;
    own->phase = own->phase == OPEN ? LOADING : OPEN;
    own->c = 1.0;
  } else if (own->phase == UNLOADING) {
    own->start = impact_distribution_energy(d, j, *x);
    own->phase = LOADING;
    own->c = 1.0;
  } else {
    double all = impact_distribution_energy(d, j, *x),
           left = own->start + e * e * fmax(all - own->start, 0.0);
    bool any = all > 0.0 && left > 0.0;
    *x = any ? *x * pow(left / all, 1.0 / (d->exponent + 1.0)) : 0.0;
    own->phase = any ? UNLOADING : OPEN;
    own->c = any && own->bi_stiffness && e > 0.0 ? pow(e, -2.0 * d->exponent / (d->exponent + 1.0))
                                                 : 1.0;
  }
}

static void watch(nsds_distribution *d) {
  for (int j = 0; j < d->m; ++j) {
    const spring *own = &d->spring[j];
    bool open = own->phase == OPEN, loading = own->phase == LOADING;
    nsds_ode_side(d->ode, 2 * j, open ? -1 : 1);
    nsds_ode_watch(d->ode, 2 * j, open ? NSDS_ROOT_RISING : NSDS_ROOT_FALLING);
    nsds_ode_side(d->ode, 2 * j + 1, loading ? -1 : 1);
    nsds_ode_watch(d->ode, 2 * j + 1,
                   open || own->e == 1.0 ? NSDS_ROOT_OFF
                   : loading             ? NSDS_ROOT_RISING
                                         : NSDS_ROOT_FALLING);
  }
}

/* Returns true if no energy is stored and no contact approaches, up to the accuracy. */
static bool over(const nsds_distribution *d) {
  impact_distribution_velocities(d, d->x + d->m);
  for (int j = 0; j < d->m; ++j) {
    double size = fabs(d->spring[j].before);
    for (int i = 0; i < d->m; ++i) size += fabs(d->a[j + (ptrdiff_t)i * d->m] * d->x[d->m + i]);
    double stored = d->spring[j].phase == OPEN ? 0.0 : impact_distribution_energy(d, j, d->x[j]);
    double gives = sqrt(2.0 * d->a[j + (ptrdiff_t)j * d->m] * stored);
    if (d->u[j] < -still * size || gives > still * size) return false;
  }
  return true;
}

static nsds_status give_up(nsds_event_rows *s, const char *why) {
  return nsds_fail(s->plan->context, NSDS_ERROR_SOLVER,
                   "event at t = %.17g: the impact of %d contacts by the distributing law %s",
                   s->plan->trial.t, s->impacts.distribution->m, why);
}

/* Integrates from phase to phase until the impact is over. */
static nsds_status impact_distribution_integrate(nsds_event_rows *s) {
  nsds_distribution *d = s->impacts.distribution;
  nsds_status status = nsds_ode_resize(d->ode, 2 * d->m, 2 * d->m);
  double tau = 0.0;
  int64_t first = nsds_ode_count(d->ode)->steps;
  nsds_zero_doubles(d->x, 2 * (size_t)d->m);
  nsds_ode_forget(d->ode);
  for (int phases = 0; !status && !over(d); ++phases) {
    if (nsds_ode_count(d->ode)->steps - first > most_steps)
      return give_up(s, "takes more than 200000 steps of integration");
    if (phases == most_phases || tau == endless)
      return give_up(s, "does not end in 20000 compressions and releases: light bodies between "
                        "heavy ones take many where little is given back");
    watch(d);
    status = nsds_ode_start(d->ode, tau, d->x);
    int outcome = status ? (int)status : nsds_ode_advance(d->ode, endless, &tau, d->x);
    if (outcome == NSDS_ODE_STOPPED) return NSDS_STOPPED;
    if (outcome < 0) return (nsds_status)outcome;
    for (int k = 0; k < nsds_ode_root_count(d->ode); ++k) {
      int index = nsds_ode_root_at(d->ode, k).index;
      turn(d, index / 2, index % 2 == 1);
    }
  }
  return status;
}

/* Returns false if joints hold an approaching contact, which no impulse can stop. */
static bool movable(const nsds_event_rows *s, const nsds_row_part *part, const double *C) {
  const nsds_distribution *d = s->impacts.distribution;
  for (int j = 0; j < d->m; ++j) {
    size_t at = (size_t)d->spring[j].k * ((size_t)part->n + 1);
    if (d->spring[j].before < 0.0 && !(C[at] > dependent * s->system.A[at])) return false;
  }
  return true;
}

static nsds_status impact_distribution_strike(nsds_event_rows *s, const nsds_row_part *part,
                                              bool inelastic, nsds_solver_info *info,
                                              double *residual) {
  (void)info;
  nsds_distribution *d = s->impacts.distribution;
  const double *C = eliminate_joints(s, part);
  nsds_zero_doubles(part->z, (size_t)part->n);
  impact_distribution_gather(s, part, C, inelastic);
  *residual = still;
  if (!movable(s, part, C))
    return give_up(s, "has one that joints hold, and no impulse can stop it");
  if (d->m == 1) {
    const spring *own = &d->spring[0];
    part->z[own->k] =
        fmax(-(1.0 + own->e) * own->before / C[(size_t)own->k * ((size_t)part->n + 1)], 0.0);
    *residual = 0x1p-50;
  } else if (d->m > 1) {
    units one = impact_distribution_measure(d, C, (size_t)part->n);
    nsds_status status = one.u > 0.0 ? impact_distribution_integrate(s) : NSDS_OK;
    if (status) return status;
    for (int j = 0; j < d->m && one.u > 0.0; ++j)
      part->z[d->spring[j].k] = fmax(d->x[d->m + j], 0.0) * (one.u / one.a);
  }
  strike_joints(part, C);
  return NSDS_OK;
}

/* ---- the law --------------------------------------------------------------------------------- */

static const nsds_law_ops distributing_ops = {.type = "nsds_distributing_impact", NSDS_IMPACT_OPS};
static const nsds_impact_rule distributing_rule = {.strike = impact_distribution_strike};

nsds_law *nsds_distributing_impact(nsds_model *model, const nsds_distributing_impact_def *def) {
  nsds_distributing_impact_def own;
  if (!nsds_definition_take(model, &nsds_law_distributing_impact, def, &own)) return NULL;
  return nsds_impact_law(model, &distributing_ops,
                         &(nsds_impact){.rule = &distributing_rule,
                                        .e = own.restitution,
                                        .stiffness = own.stiffness,
                                        .exponent = own.exponent,
                                        .bi_stiffness = own.bi_stiffness});
}

MAKER(nsds_distributing_impact, nsds_distributing_impact_def)

#define DEF nsds_distributing_impact_def
const nsds_type nsds_law_distributing_impact = {
    .type = "distributing_impact",
    .help =
        "Unilateral contact with the impact law of Liu, Zhao and Brogliato. Event-driven alone.",
    .field =
        (const nsds_field[]){
            NUMBER_OF(DEF, restitution, "1", "[0, 1]", "0", "Coefficient of restitution."),
            NUMBER_OF(DEF, stiffness, "1", "> 0", NULL,
                      "Stiffness; ratios between contacts count."),
            NUMBER_OF(DEF, exponent, "1", "[1, 10]", "1",
                      "Exponent of the force; 1.5 for spheres."),
            TRUTH_OF(DEF, bi_stiffness, "false", "The loss lies in a stiffer release."), END},
    .call = "nsds_distributing_impact",
    DEFINITION(DEF),
    .make = make_nsds_distributing_impact};
