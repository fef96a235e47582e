/*
 * Primal-dual interior point method: Mehrotra's predictor and corrector (SIAM J. Optim. 2, 1992) in
 * Nesterov and Todd's scaling (Math. Oper. Res. 22, 1997), from infeasible starts. With the slacks
 * s = G z - g and multipliers l of conic_form.h, both inside their cones, the centre at height mu:
 *
 *     M z + q - L(l) = 0,   G z - g - s = 0,   s o l = mu e,
 *
 * L(l) = G^T l with De Saxce's shift taken off. With W l = W^-1 s = v, the scaled steps W^-1 ds and
 * W dl, whose sum is t = v^-1 o (sigma mu e - W^-1 ds_a o W dl_a) - v (ds_a, dl_a those of the
 * predictor), leave
 *
 *     (M + L' W^-2 G) dz = -(M z + q - L(l)) + L' W^-1 (t - W^-1 (G z - g - s)),
 *
 * M and a block for each set. L' holds the derivative of the shift, or the shift is frozen, which
 * leaves a convex problem, and renewed when that is solved (Acary, Cadoux, Lemarechal & Malick: Z.
 * angew. Math. Mech. 91, 2011). One step length for all, as M couples z and l. Each time the height
 * has fallen enough, Newton's method is tried from there (interior_polish.c): it gives the digits
 * that the scaling loses near the boundary. Where steps lead nowhere, the slacks and multipliers
 * start anew from z.
 */
#include "blockwise.h"
#include "certify.h"
#include "interior_point.h"
#include "watch.h"

enum { OPTION_SHIFT = OPTION_FIRST_OWN };

enum {
  row_arrays = 7,
  slack_arrays = 8,
  cone_arrays = 2,
  default_iterations = 100, /* some dozens are usual */
  frozen_iterations = 1000, /* as many for each of some shifts */
  most_short_steps = 3      /* one after the other, before a new start */
};

static const double least_energy = 1e-6; /* of a warm start, over that of a cold one */
static const double polish_again = 1e-2; /* fall of the height between two attempts */
static const double renew_again = 1e-8;  /* fall of the height on which a frozen shift is renewed */
static const double least_height = 1e-60; /* over the first: nothing more will come */

typedef struct interior_state {
  nsds_block_system system;
  nsds_conic_form form;
  double *memory;
  nsds_cone_pair *pair;
} interior_state;

/* ---- the start ---- */

/* Largest z^2 / r of what the natural map leaves at z: how far z is from solving. */
static double energy(const nsds_interior *t, const double *w) {
  double most = 0.0, *x = t->work;
  nsds_shift(t->problem, w, x);
  for (int i = 0; i < t->n; ++i) x[i] = t->z[i] - t->r[i] * x[i];
  nsds_project(t->problem, x, x);
  for (int i = 0; i < t->n; ++i) most = fmax(most, (t->z[i] - x[i]) * (t->z[i] - x[i]) / t->r[i]);
  return most;
}

/* Moves x inside the cone by `least` at least. */
static void lift(int k, double least, double *x) {
  double now = nsds_cone_least(k, x);
  if (now < least) x[0] += least - now;
}

/* s and l of cone k from z and w, inside by what belongs to the energy. */
static void start_cone(nsds_interior *t, int k, double level, const double *w) {
  const nsds_slack_cone *c = &t->form->cone[k];
  double *s = t->s + c->slack, *l = t->l + c->slack;
  double unit = sqrt(level * t->r[c->row]), height = nsds_conic_normal(c);
  nsds_conic_multiply(c, t->z, s);
  s[0] -= c->bound;
  for (int i = 1; i < c->size; ++i) l[i] = w[c->tail + i - 1];
  double tail = sqrt(nsds_dot(c->size - 1, l + 1, l + 1));
  double head = c->head >= 0 ? w[c->head] / c->factor : 0.0;
  l[0] = c->shifted ? tail + fmax(head, 0.0) : fmax(tail, head);
  lift(c->size, fmin(unit * height, c->room), s);
  lift(c->size, unit / t->r[c->row] / height, l);
  t->pair[k] = (nsds_cone_pair){.root_s = nsds_cone_root(c->size, s),
                                .root_l = nsds_cone_root(c->size, l),
                                .product = nsds_dot(c->size, s, l)};
}

/* From z, in C, or from the point next to zero where that is nearer to solving. */
static void start(nsds_interior *t, const double *z) {
  double *w = t->residual, *work = t->solver->toolbox->certify_work;
  size_t bytes = (size_t)t->n * sizeof *z;
  for (int i = 0; i < t->n; ++i) t->z[i] = 0.0;
  nsds_project(t->problem, t->z, t->z);
  nsds_problem_multiply(t->problem, t->z, w, work);
  double cold = energy(t, w), level;
  memcpy(t->dz, t->z, bytes);
  memcpy(t->z, z, bytes);
  nsds_problem_multiply(t->problem, t->z, w, work);
  level = energy(t, w);
  if (!(level <= cold)) {
    memcpy(t->z, t->dz, bytes);
    nsds_problem_multiply(t->problem, t->z, w, work);
  }
  level = fmax(fmin(level, cold), least_energy * cold);
  t->cold = cold;
  if (!(level > 0.0 && isfinite(level))) level = 1.0;
  for (int k = 0; k < t->form->ncone; ++k) start_cone(t, k, level, w);
  t->short_steps = 0;
  nsds_interior_measure(t, true);
}

/* ---- operations of the method ---- */

static nsds_interior open(nsds_solver *solver, const nsds_problem *problem,
                          nsds_solver_info *info) {
  interior_state *state = solver->state;
  nsds_interior t = {.solver = solver,
                     .problem = problem,
                     .info = info,
                     .system = &state->system,
                     .form = &state->form,
                     .n = problem->n,
                     .p = state->form.nslack,
                     .pair = state->pair,
                     .symmetric = true};
  double **const of_rows[row_arrays] = {&t.r,        &t.z,        &t.dz,  &t.residual,
                                        &t.feasible, &t.polished, &t.work};
  double **const of_slacks[slack_arrays] = {&t.s, &t.l, &t.gap, &t.v, &t.ab, &t.t, &t.ds, &t.dl};
  double **const of_cones[cone_arrays] = {&t.eta, &t.length};
  double *next = NSDS_SHARE(state->memory, t.n, of_rows);
  next = NSDS_SHARE(next, t.p, of_slacks);
  NSDS_SHARE(next, t.form->ncone, of_cones);
  for (int k = 0; k < t.form->ncone; ++k) t.symmetric = t.symmetric && !t.form->cone[k].shifted;
  t.frozen = !t.symmetric && solver->value[OPTION_SHIFT] == 0.0;
  t.symmetric = t.symmetric || t.frozen;
  return t;
}

/* True where another start is due: a frozen shift has served, or the steps got nowhere. */
static bool start_again(const nsds_interior *t, double first) {
  return t->short_steps == most_short_steps || (t->frozen && t->mu <= renew_again * first);
}

static double certified(const nsds_interior *t) {
  int worst;
  return nsds_certified_residual(t->solver->context, t->problem, t->feasible,
                                 t->solver->toolbox->certify_work, &worst);
}

static nsds_status solve(nsds_solver *solver, const nsds_problem *problem, double *z,
                         nsds_solver_info *info) {
  nsds_interior t = open(solver, problem, info);
  int limit = t.frozen ? frozen_iterations : default_iterations;
  nsds_watch watch = nsds_watch_start(solver, problem, z, limit, 1, info);
  if (nsds_watch_done(&watch)) return NSDS_OK;
  nsds_metric(problem, t.r, t.work);
  start(&t, z);
  double first = t.mu, at_start = t.mu, at_polish = t.cold;
  bool stuck = false, again = false, solved = false;
  for (int k = 1;; ++k) {
    bool known = solved, newton = stuck || again || known || t.mu <= polish_again * at_polish;
    double residual = INFINITY;
    nsds_status status =
        newton ? nsds_interior_polish(&t, &residual) : nsds_interior_step(&t, &stuck);
    if (status) return status;
    if (newton) at_polish = t.mu;
    nsds_project(problem, t.z, t.feasible);
    solved = !newton && k < watch.limit && certified(&t) <= watch.tolerance;
    if (solved) continue; /* with the digits that Newton's method adds */
    bool better = residual < watch.best && (!known || residual <= watch.tolerance);
    if (nsds_watch_step(&watch, k, better ? t.polished : t.feasible)) break;
    if (newton && stuck) break;
    stuck = stuck || !(t.mu > least_height * first);
    if (newton && again) {
      start(&t, t.feasible);
      at_polish = at_start = t.mu;
    }
    again = start_again(&t, at_start);
  }
  return NSDS_OK;
}

static nsds_status reserve(nsds_solver *solver, const nsds_problem *problem) {
  interior_state *s = solver->state;
  nsds_store *store = &solver->store;
  nsds_status status = nsds_block_system_reserve(&s->system, solver, problem, nsds_conic_coupled);
  if (!status) status = nsds_conic_form_make(&s->form, store, problem);
  if (status) return status;
  size_t n = (size_t)problem->n, p = (size_t)s->form.nslack, ncone = (size_t)s->form.ncone;
  const nsds_cut cut[] = {
      NSDS_CUT(s->memory, row_arrays * n + slack_arrays * p + cone_arrays * ncone),
      NSDS_CUT(s->pair, ncone)};
  status = NSDS_HOLD(store, cut);
  return status ? status : nsds_watch_reserve(solver, problem, 0);
}

static const nsds_option options[] = {
    NSDS_COMMON_OPTIONS(0.0, "largest number of steps; 0: 100, with a frozen shift 1000"),
    {"shift", "integer",
     "1: De Saxce's shift in the linear system; 0: frozen, as an outer fixed point", 1.0, 0.0, 1.0},
    {0}};

const nsds_method nsds_method_interior_point = {
    .row = {.name = "interior_point",
            .summary = "Follows the central path, a factorisation a step and few steps whatever "
                       "the size; monotone problems, singular M, friction.",
            .reference = "Nesterov, Todd: Math. Oper. Res. 22 (1997); Mehrotra: SIAM J. Optim. 2 "
                         "(1992); Acary, Cadoux, Lemarechal, Malick: Z. angew. Math. Mech. "
                         "91 (2011)",
            .sets = nsds_all_sets,
            .storages = nsds_all_storages,
            .option = options},
    .state_size = sizeof(interior_state),
    .reserve = reserve,
    .solve = solve,
};
