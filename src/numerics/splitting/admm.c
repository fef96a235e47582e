/*
 * Alternating direction method of multipliers for monotone M (Boyd et al. 2011; for friction Acary,
 * Bremond & Huber 2018, Daviet, Bertails-Descoubes & Boissieux 2011). With B = rho R^-1 in the
 * metric R of blockwise.h:
 *
 *     x  = (M + B)^-1 (B (y - u) - q - s)
 *     x' = relaxation x + (1 - relaxation) y
 *     y+ = P(x' + u),   u+ = u + x' - y+,   and -B u is w + s in the end
 *
 * De Saxce's shift s depends on the tangential part of w alone. -B u has this part, so that s is
 * renewed in every step. Each rho needs one factorisation. rho follows the ratio of the residuals
 * |x - y| and rho |y - y-| (Stellato et al. 2020), at distances that double. Free rows, of
 * equalities, keep a small B: their step is that of the method of multipliers.
 *
 * With acceleration, y and u are extrapolated as Nesterov does, and the extrapolation starts anew
 * when the residual grows (Goldstein, O'Donoghue, Setzer & Baraniuk 2014, algorithm 8).
 *
 * rho, M and the factors are kept between solves while the stamp of M stays the same.
 */
#include "numerics/splitting/admm.h"
#include "numerics/method_list.h"

#include "numerics/linear/block_system.h"
#include "numerics/sets/blockwise.h"
#include "numerics/solver_internal.h"
#include "numerics/store.h"
#include "numerics/watch.h"

enum { OPTION_PENALTY = OPTION_FIRST_OWN, OPTION_RELAXATION, OPTION_ACCELERATE };

enum {
  default_iterations = 10000, /* steps are cheap beside the factors they share */
  first_adaptation = 10,      /* steps until the residuals give advice on rho */
  most_doublings = 10         /* of a penalty with which M + B is singular */
};

static const double adapt_beyond = 3.0;  /* ratio of the residuals that requires another rho */
static const double adapt_most = 100.0;  /* change of rho at once */
static const double must_fall = 0.999;   /* of the residual in a step with extrapolation */
static const double free_penalty = 1e-7; /* rho of free rows: small, as no set binds them */

/* ---- the linear system ---- */

/* Factors M + B again if M or rho has changed. */
static nsds_status admm_factor(nsds_admm *t) {
  nsds_admm_factors *kept = t->kept;
  bool same = kept->stamp != 0 && kept->stamp == t->stamp && kept->m == t->m;
  for (int i = 0; i < t->m; ++i) {
    double value = (i < t->law->n ? t->rho : free_penalty) / t->r[i];
    same = same && kept->B[i] == value;
    kept->B[i] = value;
  }
  if (same) return NSDS_OK;
  kept->stamp = 0;
  ++t->info->factorizations;
  nsds_status status = t->factor(t->form, kept->B);
  if (status) return status;
  kept->stamp = t->stamp;
  kept->m = t->m;
  return NSDS_OK;
}

/* Doubles the penalty until M + B is regular. */
static nsds_status factor_regular(nsds_admm *t) {
  nsds_status status = admm_factor(t);
  for (int k = 0; k < most_doublings && status == NSDS_ERROR_SINGULAR; ++k) {
    t->rho *= 2.0;
    status = admm_factor(t);
  }
  return status;
}

/* ---- one step ---- */

static void find_x(nsds_admm *t) {
  for (int i = 0; i < t->m; ++i) t->x[i] = t->kept->B[i] * (t->yh[i] - t->uh[i]) - t->s[i];
  t->solve(t->form, t->x);
}

/* Computes y and u from x; the old ones become y0 and u0. */
static void find_y(nsds_admm *t) {
  double *y = t->y0, *u = t->u0;
  t->y0 = t->y;
  t->u0 = t->u;
  t->y = y;
  t->u = u;
  for (int i = 0; i < t->m; ++i) {
    t->u[i] = t->uh[i] + t->relaxation * t->x[i] + (1.0 - t->relaxation) * t->yh[i];
    t->y[i] = t->u[i];
  }
  nsds_project(t->law, t->y, t->y);
  for (int i = 0; i < t->m; ++i) t->u[i] -= t->y[i];
}

static void admm_find_shift(nsds_admm *t) {
  for (int i = 0; i < t->m; ++i) t->v[i] = -t->kept->B[i] * t->u[i];
  if (!t->shifts) return;
  nsds_shift(t->law, t->v, t->s);
  for (int i = 0; i < t->law->n; ++i) t->s[i] -= t->v[i];
}

/* Computes the residuals in the rows of the law. */
static void admm_measure(nsds_admm *t) {
  int n = t->law->n;
  double primal = 0.0, dual = 0.0;
  for (int i = 0; i < n; ++i) {
    double p = t->x[i] - t->y[i], d = t->y[i] - t->yh[i];
    primal += p * p / t->r[i];
    dual += d * d / t->r[i];
  }
  t->primal = sqrt(primal / fmax(nsds_dot_z(n, t->r, t->x, t->x), primal));
  t->dual = t->rho * sqrt(dual) /
            sqrt(fmax(nsds_dot_w(n, t->r, t->v, t->v), nsds_dot_w(n, t->r, t->law->q, t->law->q)));
}

/* Computes yh and uh for the next step. */
static void extrapolate(nsds_admm *t) {
  double size = 0.0, before = t->size, next = 0.5 + sqrt(0.25 + t->momentum * t->momentum);
  for (int i = 0; i < t->m; ++i) {
    double p = t->u[i] - t->uh[i], d = t->y[i] - t->yh[i];
    size += (p * p + d * d) / t->r[i];
  }
  bool again = !t->accelerate || !(size < must_fall * before);
  double weight = again ? 0.0 : (t->momentum - 1.0) / next;
  t->size = again ? before / must_fall : size;
  t->momentum = again ? 1.0 : next;
  for (int i = 0; i < t->m; ++i) {
    t->yh[i] = t->y[i] + weight * (t->y[i] - t->y0[i]);
    t->uh[i] = t->u[i] + weight * (t->u[i] - t->u0[i]);
  }
}

/* Takes another rho if one residual is far ahead of the other; w + s = -B u stays. */
static nsds_status adapt(nsds_admm *t) {
  if (t->step != t->adaptation) return NSDS_OK;
  t->adaptation *= 2;
  double ratio = sqrt(t->primal / t->dual);
  if (!(ratio > adapt_beyond || ratio < 1.0 / adapt_beyond)) return NSDS_OK;
  t->rho *= fmin(fmax(ratio, 1.0 / adapt_most), adapt_most);
  nsds_status status = factor_regular(t);
  for (int i = 0; i < t->m; ++i) {
    t->u[i] = -t->v[i] / t->kept->B[i];
    t->yh[i] = t->y[i];
    t->uh[i] = t->u[i];
  }
  t->momentum = 1.0;
  t->size = INFINITY;
  return status;
}

nsds_status nsds_admm_step(nsds_admm *t) {
  ++t->step;
  find_x(t);
  find_y(t);
  admm_find_shift(t);
  admm_measure(t);
  extrapolate(t);
  nsds_status status = adapt(t);
  t->kept->rho = t->rho;
  return status;
}

void nsds_admm_open(nsds_admm *t, double *memory, const nsds_solver *solver) {
  static const nsds_option common[] = {NSDS_ADMM_OPTIONS};
  bool own = solver->method->row.option[OPTION_PENALTY].name;
  const double *value = solver->value;
  t->rho = own ? value[OPTION_PENALTY] : common[0].default_value;
  t->relaxation = own ? value[OPTION_RELAXATION] : common[1].default_value;
  t->accelerate = (own ? value[OPTION_ACCELERATE] : common[2].default_value) > 0.0;
  double **const part[nsds_admm_arrays] = {&t->r,  &t->x,  &t->y,  &t->u, &t->y0,
                                           &t->u0, &t->yh, &t->uh, &t->s, &t->v};
  NSDS_SHARE(memory, t->m, part);
}

nsds_status nsds_admm_start(nsds_admm *t, const double *z, const double *w) {
  t->shifts = false;
  for (int a = 0; a < t->law->nblock; ++a)
    t->shifts = t->shifts || t->law->block[a].set & nsds_shifted_sets;
  t->step = 0;
  t->adaptation = first_adaptation;
  t->momentum = 1.0;
  t->size = INFINITY;
  if (t->kept->stamp != 0 && t->kept->stamp == t->stamp && t->kept->m == t->m)
    t->rho = t->kept->rho;
  nsds_status status = factor_regular(t);
  nsds_shift(t->law, w, t->x);
  for (int i = 0; i < t->m; ++i) {
    double shifted = i < t->law->n ? t->x[i] : w[i];
    t->y[i] = t->yh[i] = z[i];
    t->s[i] = shifted - w[i];
    t->u[i] = t->uh[i] = -shifted / t->kept->B[i];
  }
  return status;
}

/* ---- the method on local problems ---- */

typedef struct admm_state {
  nsds_block_system system;
  nsds_admm_factors factors;
} admm_state;

typedef struct local_form {
  nsds_block_system *system;
  const nsds_solver *solver;
  const nsds_problem *problem;
} local_form;

static nsds_status factor_local(void *form, const double *B) {
  const local_form *f = form;
  nsds_block_system_start(f->system, f->solver, f->problem);
  for (int i = 0; i < f->problem->n; ++i) *nsds_block_system_at(f->system, i, i) += B[i];
  return nsds_block_system_factor(f->system, true);
}

static void admm_solve_local(void *form, double *x) {
  const local_form *f = form;
  for (int i = 0; i < f->problem->n; ++i) x[i] -= f->problem->q[i];
  nsds_block_system_solve(f->system, x);
}

static nsds_status admm_solve(nsds_solver *solver, const nsds_problem *problem, double *z,
                              nsds_solver_info *info) {
  admm_state *state = solver->state;
  nsds_watch watch = nsds_watch_start(solver, problem, z, default_iterations, 0, info);
  if (nsds_watch_done(&watch)) return NSDS_OK;
  local_form form = {&state->system, solver, problem};
  nsds_admm t = {.info = info,
                 .law = problem,
                 .m = problem->n,
                 .stamp = problem->M.stamp,
                 .kept = &state->factors,
                 .factor = factor_local,
                 .solve = admm_solve_local,
                 .form = &form};
  nsds_admm_open(&t, solver->toolbox->scratch, solver);
  nsds_metric(problem, t.r, t.x);
  nsds_problem_multiply(problem, z, t.v, solver->toolbox->certify_work);
  nsds_status status = nsds_admm_start(&t, z, t.v);
  for (int k = 1; !status; ++k) {
    status = nsds_admm_step(&t);
    if (nsds_watch_step(&watch, k, t.y)) break;
  }
  return status == NSDS_ERROR_SINGULAR ? NSDS_OK : status;
}

static nsds_status admm_reserve(nsds_solver *solver, const nsds_problem *problem) {
  admm_state *s = solver->state;
  nsds_status status = NSDS_HOLD_ONE(&solver->store, s->factors.B, problem->n);
  if (!status) status = nsds_block_system_reserve(&s->system, solver, problem, 0);
  if (status) return status;
  return nsds_watch_reserve(solver, problem, nsds_admm_arrays * (size_t)problem->n);
}

static const nsds_option options[] = {
    NSDS_COMMON_OPTIONS(0.0, "largest number of steps; 0: 10000"), NSDS_ADMM_OPTIONS, {0}};

const nsds_method nsds_method_admm = {
    .row = {.name = "admm",
            .summary = "Splits M from the sets, one factorisation for many steps; semidefinite M "
                       "of middle size.",
            .reference = "Acary, Bremond, Huber: Advanced Topics in Nonsmooth Dynamics (2018); "
                         "Goldstein et al.: SIAM J. Imaging Sci. 7 (2014)",
            NSDS_ANY_PROBLEM,
            .option = options},
    .state_size = sizeof(admm_state),
    .reserve = admm_reserve,
    .solve = admm_solve,
};
