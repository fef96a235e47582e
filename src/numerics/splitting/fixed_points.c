/*
 * Outer iterations around sub-problems, the same rows with other sets, another q or another matrix,
 * each solved by an inner method to part of the accuracy that the outer iterate has.
 *
 * tresca: the thresholds mu z_N are held; normal rows nonnegative, tangential rows in discs of
 * these radii (Haslinger 1983; Laborde & Renard 2008).
 *
 * panagiotopoulos: the same split in two, the normal rows with z_T held, then the tangential rows
 * with z_N held (Panagiotopoulos 1975).
 *
 * de_saxce: the shift s = mu ||w_T|| is held; cones without shift (De Saxce & Feng 1998).
 *
 * aclm: the same sub-problem as a map F of s, F(s) = mu ||w_T(s)||, solved accurately, and s = F(s)
 * by Anderson's acceleration (Acary, Cadoux, Lemarechal & Malick 2011). Where M is singular a shift
 * that acceleration made too small leaves a programme without solution: it gets steps as the others
 * took, not all there are, and after it the history is dropped.
 *
 * proximal_point (Martinet 1970; Rockafellar 1976): with P = alpha R^-1 in the metric R of
 * blockwise.h, z+ solves the problem with M + P for M and q - P z for q, which is regular for every
 * monotone M and has the solutions of the problem as its fixed points. alpha falls while the inner
 * method succeeds, so that convergence becomes fast in the end, and rises when it fails. For
 * friction the sub-problem keeps De Saxce's shift (Acary, Bremond & Huber 2018).
 *
 * Sets without friction stay as they are. An inner method that fails is given more chances without
 * progress; then the outer iteration ends.
 */
#include "anderson.h"
#include "block_system.h"
#include "blockwise.h"
#include "watch.h"

enum { OPTION_MEMORY = OPTION_FIRST_NESTED };                /* aclm */
enum { OPTION_WEIGHT = OPTION_FIRST_NESTED, OPTION_FACTOR }; /* proximal_point */

enum {
  default_iterations = 1000, /* sub-problems, each of many steps */
  split_blocks = 3           /* most that a block is split into */
};

/* Accuracy of the sub-problems, against the residual of the last outer iterate. */
static const double inner_part = 0.1;           /* a digit gained by each */
static const double inner_part_accurate = 0.01; /* where differences of answers are looked at */
static const double inner_most = 1e-2;          /* a rougher answer says nothing */
static const double inner_least = 1e-15;        /* rounding */

static const double programme_steps = 2.0; /* of an accelerated shift, in the longest's so far */

static const double weight_least = 1e-6; /* of alpha: below, M + P is as singular as M is */
static const double weight_most = 1e6;   /* above, z stays where it is */
static const double weight_up = 10.0;    /* when the inner method fails */

/* ---- the outer iterate ---- */

typedef struct outer_state {
  nsds_problem problem; /* what the inner method gets, of the arrays below */
  nsds_block *block;
  double *q, *answer;   /* n each: of the sub-problem, and its point */
  double *z, *s, *held; /* n each: iterate, shift, held part of z */
  double *r;            /* n: metric */
  nsds_anderson anderson;
  nsds_problem given;        /* with a stamp in any case */
  nsds_block_system shifted; /* M + P */
  double alpha;
  int longest; /* aclm: most steps of a solved programme */
} outer_state;

typedef struct outer {
  nsds_solver *solver;
  const nsds_problem *problem;
  outer_state *state;
  nsds_solver_info *info;
  nsds_watch watch;
  bool interrupted, solved; /* the last sub-problem was */
  int steps;                /* of its method */
} outer;

/* What is held in a sub-problem with split blocks: held rows are discs of radius 0. */
typedef enum held_part { HELD_NOTHING, HELD_TANGENTIAL, HELD_NORMAL } held_part;

static bool has_friction(const nsds_block *block) {
  return (block->set & nsds_shifted_sets) != 0 && block->size > 0;
}

/* Solves the sub-problem from `answer`, to `part` of the accuracy of the last outer iterate. */
static nsds_status solve_inner(outer *t, double part) {
  nsds_solver_info info;
  double tolerance = fmax(part * t->watch.tolerance, inner_least);
  t->solver->inner->value[OPTION_TOLERANCE] =
      fmax(tolerance, fmin(part * t->watch.latest, inner_most));
  nsds_status status =
      nsds_solver_run_inner(t->solver->inner, &t->state->problem, t->state->answer, &info);
  t->info->factorizations += info.factorizations;
  t->interrupted = info.outcome == NSDS_INTERRUPTED;
  t->solved = info.outcome == NSDS_SOLVED;
  t->steps = info.iterations;
  return status;
}

/* The same from the iterate, which becomes the answer. */
static nsds_status solve_from_iterate(outer *t, double part) {
  outer_state *s = t->state;
  size_t bytes = (size_t)t->problem->n * sizeof(double);
  memcpy(s->answer, s->z, bytes);
  nsds_status status = solve_inner(t, part);
  memcpy(s->z, s->answer, bytes);
  return status;
}

/* ---- thresholds held ---- */

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

static void split_all(const nsds_problem *problem, outer_state *s, held_part held) {
  int count = 0;
  for (int a = 0, row = 0; a < problem->nblock; row += problem->block[a++].size) {
    const nsds_block *block = &problem->block[a];
    if (has_friction(block)) count += split_block(block, s->z + row, held, s->block + count);
    else s->block[count++] = *block;
  }
  s->problem.nblock = count;
}

static nsds_status step_tresca(outer *t) {
  outer_state *s = t->state;
  split_all(t->problem, s, HELD_NOTHING);
  memcpy(s->q, t->problem->q, (size_t)t->problem->n * sizeof(double));
  return solve_from_iterate(t, inner_part);
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

/* z = held part + solution for the rest: q + M held for q, 0 in the held rows. */
static nsds_status solve_part(outer *t, held_part held) {
  outer_state *s = t->state;
  size_t bytes = (size_t)t->problem->n * sizeof(double);
  split_all(t->problem, s, held);
  memset(s->held, 0, bytes);
  memset(s->answer, 0, bytes);
  copy_part(t->problem, held, true, s->z, s->held);
  copy_part(t->problem, held, false, s->z, s->answer);
  nsds_problem_multiply(t->problem, s->held, s->q, t->solver->toolbox->certify_work);
  nsds_status status = solve_inner(t, inner_part);
  copy_part(t->problem, held, false, s->answer, s->z);
  return status;
}

static nsds_status step_panagiotopoulos(outer *t) {
  nsds_status status = solve_part(t, HELD_TANGENTIAL);
  return status || t->interrupted ? status : solve_part(t, HELD_NORMAL);
}

/* ---- shift held ---- */

static void drop_shifts(const nsds_problem *problem, outer_state *s) {
  for (int a = 0; a < problem->nblock; ++a) {
    s->block[a] = problem->block[a];
    if (has_friction(&problem->block[a])) s->block[a].set = NSDS_SET_CONE;
  }
}

/* s = shift of w at z. */
static void find_shift(outer *t, double *s) {
  double *w = t->state->held;
  nsds_problem_multiply(t->problem, t->state->z, w, t->solver->toolbox->certify_work);
  nsds_shift(t->problem, w, s);
  for (int i = 0; i < t->problem->n; ++i) s[i] -= w[i];
}

/* z for the shift s held. */
static nsds_status solve_shifted(outer *t, double part) {
  outer_state *s = t->state;
  for (int i = 0; i < t->problem->n; ++i) s->q[i] = t->problem->q[i] + s->s[i];
  return solve_from_iterate(t, part);
}

static nsds_status step_de_saxce(outer *t) {
  find_shift(t, t->state->s);
  return solve_shifted(t, inner_part);
}

static nsds_status step_aclm(outer *t) {
  outer_state *s = t->state;
  double *most = &t->solver->inner->value[OPTION_MAX_ITERATIONS], given = *most;
  if (s->anderson.count > 0)
    *most = fmin(ceil(programme_steps * s->longest), given > 0.0 ? given : INFINITY);
  nsds_status status = solve_shifted(t, inner_part_accurate);
  *most = given;
  if (t->solved && t->steps > s->longest) s->longest = t->steps;
  if (!t->solved) nsds_anderson_restart(&s->anderson);
  double *next = s->answer;
  find_shift(t, next);
  if (s->anderson.memory > 0) nsds_anderson_step(&s->anderson, s->r, s->s, next, s->held);
  for (int i = 0; i < t->problem->n; ++i) s->s[i] = fmax(next[i], 0.0);
  return status;
}

static void start_aclm(outer *t) {
  outer_state *s = t->state;
  nsds_metric(t->problem, s->r, s->held);
  for (int i = 0; i < t->problem->n; ++i) s->r[i] = sqrt(s->r[i]);
  s->longest = 0;
  find_shift(t, s->s);
}

/* ---- regularised ---- */

static nsds_status step_proximal(outer *t) {
  outer_state *s = t->state;
  nsds_block_system_start(&s->shifted, t->solver, &s->given);
  for (int i = 0; i < t->problem->n; ++i) {
    double P = s->alpha / s->r[i];
    *nsds_block_system_at(&s->shifted, i, i) += P;
    s->q[i] = t->problem->q[i] - P * s->z[i];
  }
  s->problem.M.stamp = nsds_private_stamp(t->solver->toolbox);
  nsds_status status = solve_from_iterate(t, inner_part);
  s->alpha *= t->solved ? t->solver->value[OPTION_FACTOR] : weight_up;
  s->alpha = fmin(fmax(s->alpha, weight_least), weight_most);
  return status;
}

static void start_proximal(outer *t) {
  nsds_metric(t->problem, t->state->r, t->state->held);
  t->state->alpha = t->solver->value[OPTION_WEIGHT];
}

/* ---- operations of the methods ---- */

enum { TRESCA, PANAGIOTOPOULOS, DE_SAXCE, ACLM, PROXIMAL };

static const struct {
  void (*start)(outer *t);
  nsds_status (*step)(outer *t);
  int most_failures; /* sub-problems in a row, not solved and without progress */
} variants[] = {{NULL, step_tresca, 3},
                {NULL, step_panagiotopoulos, 3},
                {NULL, step_de_saxce, 3},
                {start_aclm, step_aclm, 3},
                {start_proximal, step_proximal, 10}}; /* alpha may have to rise that often */

static nsds_status solve(nsds_solver *solver, const nsds_problem *problem, double *z,
                         nsds_solver_info *info) {
  int variant = solver->method->variant, failures = 0;
  outer t = {.solver = solver, .problem = problem, .state = solver->state, .info = info};
  double *iterate = t.state->z;
  t.watch = nsds_watch_start(solver, problem, z, default_iterations, 1, info);
  if (nsds_watch_done(&t.watch)) return NSDS_OK;
  memcpy(iterate, z, (size_t)problem->n * sizeof *z);
  if (variants[variant].start) variants[variant].start(&t);
  for (int k = 1;; ++k) {
    double best = t.watch.best;
    nsds_status status = variants[variant].step(&t);
    if (status) return status;
    nsds_project(problem, iterate, iterate);
    if (nsds_watch_step(&t.watch, k, iterate)) return NSDS_OK;
    failures = t.solved || t.watch.best < best ? 0 : failures + 1;
    if (t.interrupted) info->outcome = NSDS_INTERRUPTED;
    if (t.interrupted || failures == variants[variant].most_failures) return NSDS_OK;
  }
}

/* Blocks of the sub-problems, and what only one of the methods needs. */
static nsds_status reserve_variant(nsds_solver *solver, const nsds_problem *problem) {
  outer_state *s = solver->state;
  switch (solver->method->variant) {
  case TRESCA:
  case PANAGIOTOPOULOS:
    for (int i = 0; i < problem->n; ++i) s->z[i] = 0.0;
    split_all(problem, s, HELD_NOTHING);
    return NSDS_OK;
  case ACLM:
    drop_shifts(problem, s);
    return nsds_anderson_reserve(&s->anderson, &solver->store, problem->n, 0,
                                 (int)solver->value[OPTION_MEMORY]);
  case PROXIMAL: {
    const nsds_block_system *shifted = &s->shifted;
    s->given = *problem;
    s->given.M.stamp = s->problem.M.stamp;
    nsds_status status = nsds_block_system_reserve(&s->shifted, solver, &s->given, 0);
    if (status) return status;
    nsds_block_system_start(&s->shifted, solver, &s->given);
    s->problem.block = problem->block;
    s->problem.M = (nsds_matrix){.storage = NSDS_CSC,
                                 .n = problem->n,
                                 .p = shifted->p,
                                 .i = shifted->i,
                                 .x = shifted->value,
                                 .stamp = nsds_private_stamp(solver->toolbox),
                                 .symmetric = problem->M.symmetric};
    return NSDS_OK;
  }
  default: drop_shifts(problem, s); return NSDS_OK;
  }
}

static nsds_status reserve(nsds_solver *solver, const nsds_problem *problem) {
  outer_state *s = solver->state;
  int n = problem->n;
  const nsds_cut cut[] = {NSDS_CUT(s->block, split_blocks * problem->nblock),
                          NSDS_CUT(s->q, n),
                          NSDS_CUT(s->answer, n),
                          NSDS_CUT(s->z, n),
                          NSDS_CUT(s->s, n),
                          NSDS_CUT(s->held, n),
                          NSDS_CUT(s->r, n)};
  nsds_status status = NSDS_HOLD(&solver->store, cut);
  if (!status) status = nsds_watch_reserve(solver, problem, 0);
  if (status) return status;
  s->problem = *problem;
  s->problem.block = s->block;
  s->problem.q = s->q;
  s->problem.M.pattern = 0;
  if (problem->M.stamp == 0) s->problem.M.stamp = nsds_private_stamp(solver->toolbox);
  status = reserve_variant(solver, problem);
  return status ? status : solver->inner->method->reserve(solver->inner, &s->problem);
}

/* ---- rows ---- */

static const char *const inner_methods[] = {"projected_gradient",
                                            "nsgs",
                                            "admm",
                                            "conjugate_projected_gradient",
                                            "extragradient",
                                            "hyperplane_projection",
                                            "fixed_point_projection",
                                            NULL};

static const char *const proximal_inner_methods[] = {"nsgs",
                                                     "projected_gradient",
                                                     "admm",
                                                     "tresca",
                                                     "de_saxce",
                                                     "aclm",
                                                     "panagiotopoulos",
                                                     "conjugate_projected_gradient",
                                                     "extragradient",
                                                     "hyperplane_projection",
                                                     "fixed_point_projection",
                                                     NULL};

/* The first options of all; `list` is that of the inner methods. */
#define NESTED_OPTIONS(list)                                                                       \
  NSDS_COMMON_OPTIONS(0.0, "largest number of sub-problems; 0: 1000"), {                           \
    "inner", "integer", "place of the inner method in the row's list", 0.0, 0.0,                   \
        sizeof list / sizeof *list - 2                                                             \
  }

static const nsds_option options[] = {NESTED_OPTIONS(inner_methods), {0}};

static const nsds_option aclm_options[] = {
    NESTED_OPTIONS(inner_methods),
    {"memory", "integer", "steps that the acceleration looks back; 0: plain fixed point", 5.0, 0.0,
     nsds_anderson_most},
    {0}};

static const nsds_option proximal_options[] = {
    NESTED_OPTIONS(proximal_inner_methods),
    {"weight", "1", "first alpha in units of the diagonal of M", 1e-1, 1e-6, 1e6},
    {"factor", "1", "alpha is multiplied by this after a solved sub-problem", 0.5, 1e-3, 1.0},
    {0}};

#define OPERATIONS .state_size = sizeof(outer_state), .reserve = reserve, .solve = solve

const nsds_method nsds_method_tresca = {
    .row = {.name = "tresca",
            .summary = "Friction thresholds held, convex sub-problems by an inner method.",
            .reference = "Haslinger: Math. Methods Appl. Sci. 5 (1983); Laborde, Renard: Math. "
                         "Methods Appl. Sci. 31 (2008)",
            NSDS_ANY_PROBLEM,
            .option = options,
            .inner = inner_methods},
    .variant = TRESCA,
    OPERATIONS,
};

const nsds_method nsds_method_panagiotopoulos = {
    .row = {.name = "panagiotopoulos",
            .summary = "Normal and tangential sub-problems in turn, each by an inner method.",
            .reference = "Panagiotopoulos: Ing.-Arch. 44 (1975)",
            NSDS_ANY_PROBLEM,
            .option = options,
            .inner = inner_methods},
    .variant = PANAGIOTOPOULOS,
    OPERATIONS,
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
    .variant = DE_SAXCE,
    OPERATIONS,
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
    .variant = ACLM,
    OPERATIONS,
};

const nsds_method nsds_method_proximal_point = {
    .row = {.name = "proximal_point",
            .summary = "Regularised problems by an inner method, with decreasing weight; singular "
                       "M.",
            .reference = "Rockafellar: SIAM J. Control Optim. 14 (1976); Acary, Bremond, Huber: "
                         "Advanced Topics in Nonsmooth Dynamics (2018)",
            NSDS_ANY_PROBLEM,
            .option = proximal_options,
            .inner = proximal_inner_methods},
    .variant = PROXIMAL,
    OPERATIONS,
};
