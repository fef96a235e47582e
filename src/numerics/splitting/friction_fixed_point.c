/*
 * Fixed points around convex sub-problems for Coulomb friction, each solved by an inner method.
 *
 * tresca: the thresholds mu z_N are held; normal rows nonnegative, tangential rows in discs of
 * these radii (Haslinger 1983; Laborde & Renard 2008).
 *
 * panagiotopoulos: the same split in two, the normal rows with z_T held, then the tangential rows
 * with z_N held (Panagiotopoulos 1975).
 *
 * de_saxce: the shift s = mu ||w_T|| is held; cones without shift (De Saxce & Feng 1998), solved to
 * part of the accuracy that s has.
 *
 * aclm: the same sub-problem as a map F of s, F(s) = mu ||w_T(s)||, solved accurately, and s = F(s)
 * by Anderson's acceleration (Acary, Cadoux, Lemarechal & Malick 2011).
 *
 * Sets without friction stay as they are. An inner method that fails is given two more chances
 * without progress; then the outer iteration ends.
 */
#include "anderson.h"
#include "blockwise.h"
#include "subproblem.h"
#include "watch.h"

enum { OPTION_MEMORY = OPTION_FIRST_NESTED };

enum { default_iterations = 1000, most_failures = 3, split_blocks = 3 };

/* Accuracy of the sub-problems, against the residual of the last outer iterate. */
static const double inner_part = 0.1;
static const double inner_part_accurate = 0.01;
static const double inner_most = 1e-2;
static const double inner_least = 1e-15;

typedef struct fixed_point_state {
  nsds_subproblem sub;
  double *z, *s, *held, *r; /* n each: iterate, shift, held part of z, metric */
  size_t z_capacity, s_capacity, held_capacity, r_capacity;
  nsds_anderson anderson;
} fixed_point_state;

typedef struct fixed_point {
  nsds_solver *solver;
  const nsds_problem *problem;
  fixed_point_state *state;
  nsds_solver_info *info;
  nsds_watch watch;
} fixed_point;

/* What is held in a sub-problem with split blocks: held rows are discs of radius 0. */
typedef enum held_part { HELD_NOTHING, HELD_TANGENTIAL, HELD_NORMAL } held_part;

static bool has_friction(const nsds_block *block) {
  return (block->set & nsds_shifted_sets) != 0 && block->size > 0;
}

/* ---- sub-problems ---- */

static nsds_block disc(int size, double radius) {
  return (nsds_block){.set = NSDS_SET_DISC, .size = size, .radius = radius};
}

/* Normal row, tangential rows and, where there are any, rolling rows; returns how many blocks. */
static int split_block(const nsds_block *block, const double *z, held_part held, nsds_block *out) {
  int rolling = block->set == NSDS_SET_ROLLING ? (block->size - 1) / 2 : 0;
  double normal = held == HELD_TANGENTIAL ? 0.0 : fmax(z[0], 0.0);
  out[0] = (nsds_block){.set = NSDS_SET_NONNEGATIVE, .size = 1};
  if (held == HELD_NORMAL) out[0] = disc(1, 0.0);
  out[1] = disc(block->size - 1 - rolling, block->mu * normal);
  if (rolling > 0) out[2] = disc(rolling, block->mu_rolling * normal);
  return rolling > 0 ? 3 : 2;
}

static void split_all(const nsds_problem *problem, nsds_subproblem *sub, const double *z,
                      held_part held) {
  int count = 0;
  for (int a = 0, row = 0; a < problem->nblock; row += problem->block[a++].size) {
    const nsds_block *block = &problem->block[a];
    if (has_friction(block)) count += split_block(block, z + row, held, sub->block + count);
    else sub->block[count++] = *block;
  }
  sub->problem.nblock = count;
}

static void drop_shifts(const nsds_problem *problem, nsds_subproblem *sub) {
  for (int a = 0; a < problem->nblock; ++a) {
    sub->block[a] = problem->block[a];
    if (has_friction(&problem->block[a])) sub->block[a].set = NSDS_SET_CONE;
  }
  sub->problem.nblock = problem->nblock;
}

/* to = from on the rows of friction blocks that are held, or on all other rows. */
static void copy_part(const nsds_problem *problem, held_part held, bool on_held, const double *from,
                      double *to) {
  for (int a = 0, row = 0; a < problem->nblock; ++a)
    for (int i = 0; i < problem->block[a].size; ++i, ++row) {
      bool is_held =
          has_friction(&problem->block[a]) && held == (i ? HELD_TANGENTIAL : HELD_NORMAL);
      if (is_held == on_held) to[row] = from[row];
    }
}

/* Solves the sub-problem from its z, to `part` of the accuracy of the last outer iterate. */
static nsds_status solve_inner(fixed_point *t, double part) {
  double tolerance = fmax(part * t->watch.tolerance, inner_least);
  tolerance = fmax(tolerance, fmin(part * t->watch.latest, inner_most));
  return nsds_subproblem_solve(&t->state->sub, t->solver, tolerance, t->info);
}

/* ---- steps ---- */

static nsds_status step_tresca(fixed_point *t) {
  fixed_point_state *s = t->state;
  size_t bytes = (size_t)t->problem->n * sizeof(double);
  split_all(t->problem, &s->sub, s->z, HELD_NOTHING);
  memcpy(s->sub.q, t->problem->q, bytes);
  memcpy(s->sub.z, s->z, bytes);
  nsds_status status = solve_inner(t, inner_part);
  memcpy(s->z, s->sub.z, bytes);
  return status;
}

/* z = held part + solution for the rest: q + M held for q, 0 in the held rows. */
static nsds_status solve_part(fixed_point *t, held_part held) {
  fixed_point_state *s = t->state;
  size_t bytes = (size_t)t->problem->n * sizeof(double);
  split_all(t->problem, &s->sub, s->z, held);
  memset(s->held, 0, bytes);
  memset(s->sub.z, 0, bytes);
  copy_part(t->problem, held, true, s->z, s->held);
  copy_part(t->problem, held, false, s->z, s->sub.z);
  nsds_problem_multiply(t->problem, s->held, s->sub.q, t->solver->toolbox->certify_work);
  nsds_status status = solve_inner(t, inner_part);
  copy_part(t->problem, held, false, s->sub.z, s->z);
  return status;
}

static nsds_status step_panagiotopoulos(fixed_point *t) {
  nsds_status status = solve_part(t, HELD_TANGENTIAL);
  if (status || t->state->sub.interrupted) return status;
  return solve_part(t, HELD_NORMAL);
}

/* s = shift of w at z. */
static void find_shift(fixed_point *t, double *s) {
  double *w = t->state->held;
  nsds_problem_multiply(t->problem, t->state->z, w, t->solver->toolbox->certify_work);
  nsds_shift(t->problem, w, s);
  for (int i = 0; i < t->problem->n; ++i) s[i] -= w[i];
}

/* z for the shift s held. */
static nsds_status solve_shifted(fixed_point *t, double part) {
  fixed_point_state *s = t->state;
  size_t bytes = (size_t)t->problem->n * sizeof(double);
  for (int i = 0; i < t->problem->n; ++i) s->sub.q[i] = t->problem->q[i] + s->s[i];
  memcpy(s->sub.z, s->z, bytes);
  nsds_status status = solve_inner(t, part);
  memcpy(s->z, s->sub.z, bytes);
  return status;
}

static nsds_status step_de_saxce(fixed_point *t) {
  find_shift(t, t->state->s);
  return solve_shifted(t, inner_part);
}

static nsds_status step_aclm(fixed_point *t) {
  fixed_point_state *s = t->state;
  nsds_status status = solve_shifted(t, inner_part_accurate);
  double *next = s->sub.z;
  find_shift(t, next);
  if (s->anderson.memory > 0) nsds_anderson_step(&s->anderson, s->r, s->s, next, s->held);
  for (int i = 0; i < t->problem->n; ++i) s->s[i] = fmax(next[i], 0.0);
  return status;
}

/* ---- operations of the methods ---- */

static nsds_status iterate(nsds_solver *solver, const nsds_problem *problem, double *z,
                           nsds_solver_info *info, nsds_status (*step)(fixed_point *)) {
  fixed_point t = {.solver = solver, .problem = problem, .state = solver->state, .info = info};
  double *iterate = t.state->z;
  int failures = 0;
  t.watch = nsds_watch_start(solver, problem, z, default_iterations, 1, info);
  if (nsds_watch_done(&t.watch)) return NSDS_OK;
  memcpy(iterate, z, (size_t)problem->n * sizeof *z);
  if (step == step_aclm) find_shift(&t, t.state->s);
  for (int k = 1;; ++k) {
    double best = t.watch.best;
    nsds_status status = step(&t);
    if (status) return status;
    nsds_project(problem, iterate, iterate);
    if (nsds_watch_step(&t.watch, k, iterate)) return NSDS_OK;
    failures = t.state->sub.solved || t.watch.best < best ? 0 : failures + 1;
    if (t.state->sub.interrupted) info->outcome = NSDS_INTERRUPTED;
    if (t.state->sub.interrupted || failures == most_failures) return NSDS_OK;
  }
}

static nsds_status reserve_common(nsds_solver *solver, const nsds_problem *problem) {
  fixed_point_state *s = solver->state;
  nsds_context *context = solver->context;
  size_t n = (size_t)problem->n;
  nsds_status status = NSDS_ENSURE(context, s->z, s->z_capacity, n);
  if (!status) status = NSDS_ENSURE(context, s->s, s->s_capacity, n);
  if (!status) status = NSDS_ENSURE(context, s->held, s->held_capacity, n);
  if (!status) status = NSDS_ENSURE(context, s->r, s->r_capacity, n);
  if (!status) status = nsds_watch_reserve(solver, problem, 0);
  if (status) return status;
  return nsds_subproblem_open(&s->sub, solver, problem, split_blocks * problem->nblock);
}

static nsds_status reserve_split(nsds_solver *solver, const nsds_problem *problem) {
  fixed_point_state *s = solver->state;
  nsds_status status = reserve_common(solver, problem);
  if (status) return status;
  for (int i = 0; i < problem->n; ++i) s->z[i] = 0.0;
  split_all(problem, &s->sub, s->z, HELD_NOTHING);
  return nsds_subproblem_reserve(&s->sub, solver);
}

static nsds_status reserve_shifted(nsds_solver *solver, const nsds_problem *problem) {
  fixed_point_state *s = solver->state;
  nsds_status status = reserve_common(solver, problem);
  if (status) return status;
  drop_shifts(problem, &s->sub);
  return nsds_subproblem_reserve(&s->sub, solver);
}

static nsds_status reserve_aclm(nsds_solver *solver, const nsds_problem *problem) {
  fixed_point_state *s = solver->state;
  nsds_status status = reserve_shifted(solver, problem);
  if (status) return status;
  return nsds_anderson_reserve(&s->anderson, solver->context, problem->n, 0,
                               (int)solver->value[OPTION_MEMORY]);
}

static nsds_status solve_tresca(nsds_solver *solver, const nsds_problem *problem, double *z,
                                nsds_solver_info *info) {
  return iterate(solver, problem, z, info, step_tresca);
}

static nsds_status solve_panagiotopoulos(nsds_solver *solver, const nsds_problem *problem,
                                         double *z, nsds_solver_info *info) {
  return iterate(solver, problem, z, info, step_panagiotopoulos);
}

static nsds_status solve_de_saxce(nsds_solver *solver, const nsds_problem *problem, double *z,
                                  nsds_solver_info *info) {
  return iterate(solver, problem, z, info, step_de_saxce);
}

static nsds_status solve_aclm(nsds_solver *solver, const nsds_problem *problem, double *z,
                              nsds_solver_info *info) {
  fixed_point_state *s = solver->state;
  if (problem->n > 0) nsds_metric(problem, s->r, s->held);
  for (int i = 0; i < problem->n; ++i) s->r[i] = sqrt(s->r[i]);
  return iterate(solver, problem, z, info, step_aclm);
}

static void release(nsds_solver *solver) {
  fixed_point_state *s = solver->state;
  nsds_subproblem_release(&s->sub, solver->context);
  nsds_anderson_release(&s->anderson, solver->context);
  nsds_release(solver->context, s->z);
  nsds_release(solver->context, s->s);
  nsds_release(solver->context, s->held);
  nsds_release(solver->context, s->r);
}

static const char *const inner_methods[] = {"projected_gradient",
                                            "nsgs",
                                            "admm",
                                            "conjugate_projected_gradient",
                                            "extragradient",
                                            "hyperplane_projection",
                                            "fixed_point_projection",
                                            NULL};

enum { last_inner = (int)(sizeof inner_methods / sizeof *inner_methods) - 2 };

static const nsds_option options[] = {NSDS_NESTED_OPTIONS(last_inner), {0}};

static const nsds_option aclm_options[] = {
    NSDS_NESTED_OPTIONS(last_inner),
    {"memory", "integer", "steps that the acceleration looks back; 0: plain fixed point", 5.0, 0.0,
     nsds_anderson_most},
    {0}};

const nsds_method nsds_method_tresca = {
    .row = {.name = "tresca",
            .summary = "Friction thresholds held, convex sub-problems by an inner method.",
            .reference = "Haslinger: Math. Methods Appl. Sci. 5 (1983); Laborde, Renard: Math. "
                         "Methods Appl. Sci. 31 (2008)",
            .sets = nsds_every_set,
            .storages = nsds_all_storages,
            .option = options,
            .inner = inner_methods},
    .state_size = sizeof(fixed_point_state),
    .reserve = reserve_split,
    .solve = solve_tresca,
    .release = release,
};

const nsds_method nsds_method_panagiotopoulos = {
    .row = {.name = "panagiotopoulos",
            .summary = "Normal and tangential sub-problems in turn, each by an inner method.",
            .reference = "Panagiotopoulos: Ing.-Arch. 44 (1975)",
            .sets = nsds_every_set,
            .storages = nsds_all_storages,
            .option = options,
            .inner = inner_methods},
    .state_size = sizeof(fixed_point_state),
    .reserve = reserve_split,
    .solve = solve_panagiotopoulos,
    .release = release,
};

const nsds_method nsds_method_de_saxce = {
    .row = {.name = "de_saxce",
            .summary = "De Saxce's shift held, second-order cone sub-problems by an inner method.",
            .reference = "De Saxce, Feng: Math. Comput. Model. 28 (1998); Acary, Cadoux, "
                         "Lemarechal, Malick: ZAMM 91 (2011)",
            .sets = nsds_convex_sets | NSDS_SET_COULOMB,
            .storages = nsds_all_storages,
            .option = options,
            .inner = inner_methods},
    .state_size = sizeof(fixed_point_state),
    .reserve = reserve_shifted,
    .solve = solve_de_saxce,
    .release = release,
};

const nsds_method nsds_method_aclm = {
    .row = {.name = "aclm",
            .summary = "Fixed point of the shift through accurate second-order cone programmes, "
                       "accelerated.",
            .reference = "Acary, Cadoux, Lemarechal, Malick: ZAMM 91 (2011)",
            .sets = nsds_convex_sets | NSDS_SET_COULOMB,
            .storages = nsds_all_storages,
            .option = aclm_options,
            .inner = inner_methods},
    .state_size = sizeof(fixed_point_state),
    .reserve = reserve_aclm,
    .solve = solve_aclm,
    .release = release,
};
