/*
 * The default solver: chooses by size and sets, certifies every answer, falls through to the next
 * candidate and reports its path. Bounds only: up to three rows enumeration, whose verdict is
 * final; rows that do not meet each other one by one; otherwise semismooth Newton, Lemke (dense, up
 * to nsds_dense_limit rows), projected Gauss-Seidel, and enumeration where there are few bases.
 * With cones, discs or polyhedra: block Gauss-Seidel with exact local problems, then in turn
 * nonsmooth Newton, more sweeps and ADMM from the best point so far, and Lemke where the sets are
 * polyhedral. The iterate with the least residual is returned.
 */
#include "apart.h"
#include "bounds.h"
#include "central_path.h"
#include "certify.h"
#include "nsgs.h"
#include "solver_internal.h"

#include <stdio.h>

enum {
  CANDIDATE_DIRECT,
  CANDIDATE_NEWTON,
  CANDIDATE_LEMKE,
  CANDIDATE_PGS,
  CANDIDATE_ENUMERATION,
  CANDIDATE_NSGS,
  CANDIDATE_NONSMOOTH,
  CANDIDATE_ADMM,
  CANDIDATE_PROXIMAL,
  candidate_count
};

static const nsds_method *const candidate[candidate_count] = {&nsds_method_direct,
                                                              &nsds_method_semismooth_newton,
                                                              &nsds_method_lemke,
                                                              &nsds_method_pgs,
                                                              &nsds_method_enumeration,
                                                              &nsds_method_nsgs,
                                                              &nsds_method_nonsmooth_newton,
                                                              &nsds_method_admm,
                                                              &nsds_method_proximal_newton};

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

enum { direct_rows = 3, eager_rows = 64, lemke_first_rows = 64, most_bases = 16384 };

/* Above, four thousand steps with factors are no second resort. */
enum { most_proximal_rows = 6000 };

enum { heavy_rows = 300, heavy_entries = 36 };

/* A method with an option of its own (Newton: regularize, block Gauss-Seidel: acceleration,
 * proximal Newton: path), its iterations (0: its own default), and where it starts. */
typedef struct stage {
  int candidate;
  double value;
  double iterations;
  bool from_best; /* from the best point so far, not from the given start */
} stage;

/* For `iterations`: as many as cost one dense factorisation, n^3 / 3 beside 2 n entries_per_row(),
 * within limits: a stage of Newton's method takes several. */
#define PATIENT (-2.0)
static const double least_patient = 150.0;
static const double most_patient = 10000.0;

/* For `iterations`: as many as read so many entries of M, some seconds, within limits. */
#define ENDURING (-1.0)
static const double enduring_entries = 5e9;
static const double least_enduring = 1e4;
static const double most_enduring = 1e5;

/* On small singular problems Lemke costs less than the regularised Newton method, and the basic
 * solution it ends in has a regular system, from which Newton then starts warm. */
static const stage small_stages[] = {{CANDIDATE_NEWTON, 0.0, 0.0, false},
                                     {CANDIDATE_LEMKE, 0.0, 0.0, false},
                                     {CANDIDATE_NEWTON, 1.0, 0.0, false},
                                     {CANDIDATE_PGS, 0.0, 0.0, false},
                                     {CANDIDATE_ENUMERATION, 0.0, 0.0, false}};
static const stage large_stages[] = {{CANDIDATE_NEWTON, 1.0, 0.0, false},
                                     {CANDIDATE_LEMKE, 0.0, 0.0, false},
                                     {CANDIDATE_PGS, 0.0, 0.0, false}};

/* Sweeps are cheap, often enough, and else leave a good start for Newton's method. Lemke where all
 * sets are polyhedral or friction is plane. In the end sweeps with momentum alone, and proximal
 * Newton from other points: whether it gets through depends on where it begins. */
static const stage curved_stages[] = {
    {CANDIDATE_NSGS, 10.0, PATIENT, false},   {CANDIDATE_NONSMOOTH, 0.0, 100.0, true},
    {CANDIDATE_LEMKE, 0.0, 0.0, false},       {CANDIDATE_NSGS, 10.0, 3000.0, true},
    {CANDIDATE_ADMM, 0.0, 3000.0, true},      {CANDIDATE_PROXIMAL, 1.0, 4000.0, true},
    {CANDIDATE_NONSMOOTH, 0.0, 0.0, true},    {CANDIDATE_NSGS, 0.0, ENDURING, true},
    {CANDIDATE_PROXIMAL, 0.0, 4000.0, false}, {CANDIDATE_PROXIMAL, 0.0, 10000.0, true},
    {CANDIDATE_ADMM, 0.0, 30000.0, true}};

/* Where a contact meets many others, factors fill up: ADMM, which needs few of them, comes first.
 */
static const stage heavy_stages[COUNT(curved_stages)] = {
    {CANDIDATE_NSGS, 10.0, PATIENT, false},   {CANDIDATE_ADMM, 0.0, 500.0, true},
    {CANDIDATE_LEMKE, 0.0, 0.0, false},       {CANDIDATE_NSGS, 10.0, 3000.0, true},
    {CANDIDATE_NONSMOOTH, 0.0, 100.0, true},  {CANDIDATE_ADMM, 0.0, 3000.0, true},
    {CANDIDATE_PROXIMAL, 1.0, 4000.0, true},  {CANDIDATE_NSGS, 0.0, ENDURING, true},
    {CANDIDATE_PROXIMAL, 0.0, 4000.0, false}, {CANDIDATE_PROXIMAL, 0.0, 10000.0, true},
    {CANDIDATE_ADMM, 0.0, 30000.0, true}};

/* Size and sparsity of a problem, as far as workspace depends on them. */
typedef struct shape {
  int n, entries, columns;
  nsds_storage storage;
  bool bounds;
} shape;

typedef struct auto_state {
  nsds_solver *child[candidate_count];
  double *start; /* n */
  double *best;  /* n */
  size_t start_capacity, best_capacity;
  shape reserved;
  nsds_apart apart;
} auto_state;

static shape shape_of(const nsds_problem *problem) {
  const nsds_matrix *M = &problem->M;
  shape result = {.n = problem->n, .storage = M->storage};
  if (M->storage == NSDS_CSC) result.entries = M->p[M->n];
  if (M->storage == NSDS_FACTORED) {
    result.entries = M->factored->first_edge[M->factored->nrow_block];
    result.columns = M->factored->ncolumn;
  }
  return result;
}

static bool same_shape(shape a, shape b) {
  return a.n == b.n && a.entries == b.entries && a.columns == b.columns && a.storage == b.storage &&
         a.bounds == b.bounds;
}

/* Whether every set is R, R_+ or a box. */
static bool bounds_only(const nsds_solver *solver) {
  return !(solver->toolbox->sets & ~(unsigned)nsds_bound_sets);
}

/* Entries in a row of M on average; of the factored operator from the rows that meet in a column.
 */
static double entries_per_row(const nsds_problem *problem) {
  const nsds_matrix *M = &problem->M;
  double n = problem->n, sum = 0.0, edges = 0.0;
  switch (M->storage) {
  case NSDS_DENSE: return n;
  case NSDS_CSC: return M->p[M->n] / n;
  case NSDS_BLOCK_ROWS:
    for (int a = 0; a < M->blocks->nrow_block; ++a)
      for (int k = M->blocks->first[a]; k < M->blocks->first[a + 1]; ++k) {
        const int *row = M->blocks->row, b = M->blocks->column[k];
        sum += (double)(row[a + 1] - row[a]) * (row[b + 1] - row[b]);
      }
    return sum / n;
  case NSDS_FACTORED:
    for (int a = 0; a < M->factored->nrow_block; ++a)
      for (int k = M->factored->first_edge[a]; k < M->factored->first_edge[a + 1]; ++k) {
        double rows = M->factored->row[a + 1] - M->factored->row[a];
        edges += rows;
        sum += rows * M->factored->edge[k].size;
      }
    return edges / n * (sum / M->factored->ncolumn);
  }
  return n;
}

static nsds_status create_child(nsds_solver *solver, int k) {
  auto_state *s = solver->state;
  if (NSDS_LIKELY(s->child[k] != NULL)) return NSDS_OK;
  s->child[k] = nsds_solver_new(solver->context, candidate[k], solver->toolbox);
  if (!s->child[k]) return NSDS_ERROR_MEMORY;
  if (k == CANDIDATE_ENUMERATION) s->child[k]->value[OPTION_FIRST_OWN] = most_bases;
  return NSDS_OK;
}

static nsds_status reserve_child(nsds_solver *solver, const nsds_problem *problem, int k) {
  nsds_status status = create_child(solver, k);
  return status ? status : candidate[k]->reserve(((auto_state *)solver->state)->child[k], problem);
}

/* The first choice always; the others early only where they are cheap. */
static nsds_status reserve(nsds_solver *solver, const nsds_problem *problem) {
  auto_state *s = solver->state;
  int n = problem->n;
  bool bounds = bounds_only(solver);
  if (n <= direct_rows && bounds) {
    nsds_status status = create_child(solver, CANDIDATE_DIRECT);
    if (status || problem->M.storage == NSDS_DENSE) return status;
    return nsds_form_reserve_dense(solver, problem);
  }
  shape wanted = shape_of(problem);
  wanted.bounds = bounds;
  if (NSDS_LIKELY(same_shape(wanted, s->reserved))) return NSDS_OK;
  nsds_status status = NSDS_ENSURE(solver->context, s->start, s->start_capacity, n);
  if (!status) status = NSDS_ENSURE(solver->context, s->best, s->best_capacity, n);
  if (!status && bounds) status = nsds_apart_reserve(solver->context, &s->apart, problem);
  int last = n > eager_rows ? CANDIDATE_NEWTON : CANDIDATE_ENUMERATION;
  for (int k = CANDIDATE_NEWTON; bounds && !status && k <= last; ++k)
    status = reserve_child(solver, problem, k);
  if (!status && !bounds) status = reserve_child(solver, problem, CANDIDATE_NSGS);
  if (!status) s->reserved = wanted;
  return status;
}

static void note(nsds_solver_info *info, const nsds_solver_info *child) {
  size_t used = strlen(info->path);
  snprintf(info->path + used, sizeof info->path - used, "%s%s:%s", used ? " > " : "", child->solver,
           nsds_outcome_text(child->outcome));
}

static void adopt(nsds_solver_info *info, const nsds_solver_info *child) {
  info->solver = child->solver;
  info->outcome = child->outcome;
  info->iterations = child->iterations;
  info->residual = child->residual;
  info->worst_block = child->worst_block;
  info->worst_row = child->worst_row;
  info->worst_error = child->worst_error;
  info->worst_scale = child->worst_scale;
}

static nsds_status run_child(nsds_solver *solver, stage what, const nsds_problem *problem,
                             double *z, nsds_solver_info *child) {
  nsds_status status = create_child(solver, what.candidate);
  if (status) return status;
  nsds_solver *s = ((auto_state *)solver->state)->child[what.candidate];
  if (what.candidate == CANDIDATE_NEWTON) s->value[OPTION_FIRST_OWN] = what.value;
  if (what.candidate == CANDIDATE_NSGS) s->value[nsds_nsgs_acceleration] = what.value;
  if (what.candidate == CANDIDATE_PROXIMAL) s->value[nsds_proximal_path] = what.value;
  s->value[OPTION_TOLERANCE] = solver->value[OPTION_TOLERANCE];
  double limit = solver->value[OPTION_MAX_ITERATIONS], own = what.iterations;
  if (own == PATIENT)
    own = fmin(fmax(problem->n / entries_per_row(problem) * problem->n / 6.0, least_patient),
               most_patient);
  if (NSDS_UNLIKELY(own == ENDURING))
    own = fmin(fmax(enduring_entries / (problem->n * entries_per_row(problem)), least_enduring),
               most_enduring);
  if (!(limit > 0.0) || (own > 0.0 && own < limit)) limit = own;
  s->value[OPTION_MAX_ITERATIONS] = limit;
  return nsds_solver_run(s, problem, z, child);
}

static bool settled(const nsds_solver_info *info) {
  return info->outcome == NSDS_SOLVED || info->outcome == NSDS_INTERRUPTED;
}

/* The candidates in turn; z ends as the iterate with the least residual. */
static nsds_status fall_through(nsds_solver *solver, const nsds_problem *problem, double *z,
                                nsds_solver_info *info) {
  auto_state *s = solver->state;
  size_t bytes = (size_t)problem->n * sizeof *z;
  bool ray = false, none = false, last_is_best = true;
  nsds_solver_info verdict = *info;
  memcpy(s->start, z, bytes);
  info->residual = INFINITY;
  bool small = problem->n <= lemke_first_rows;
  const stage *stages = small ? small_stages : large_stages;
  int count = small ? COUNT(small_stages) : COUNT(large_stages);
  if (!bounds_only(solver)) {
    bool heavy = problem->n > heavy_rows && entries_per_row(problem) > heavy_entries;
    stages = heavy ? heavy_stages : curved_stages;
    count = COUNT(curved_stages);
  }
  for (int k = 0; k < count; ++k) {
    if (stages[k].candidate == CANDIDATE_LEMKE && problem->n > nsds_dense_limit) continue;
    if (stages[k].candidate == CANDIDATE_PROXIMAL && problem->n > most_proximal_rows) continue;
    nsds_solver_info child;
    memcpy(z, stages[k].from_best && info->tried > 0 ? s->best : s->start, bytes);
    nsds_status status = run_child(solver, stages[k], problem, z, &child);
    if (status) return status;
    last_is_best = false;
    if (child.outcome == NSDS_REFUSED && info->tried > 0) continue;
    ++info->tried;
    info->factorizations += child.factorizations;
    if (info->tried > 1 || !settled(&child)) note(info, &child);
    ray = ray || child.outcome == NSDS_RAY;
    none = child.outcome == NSDS_NO_SOLUTION;
    if (none || child.outcome == NSDS_RAY) verdict = child; /* its proof, not its point */
    last_is_best = settled(&child) || info->tried == 1 || child.residual < info->residual;
    if (last_is_best) {
      adopt(info, &child);
      memcpy(s->best, z, bytes);
    }
    if (none || settled(&child)) break;
  }
  if (!last_is_best) memcpy(z, s->best, bytes);
  if (none || (ray && info->outcome == NSDS_NOT_CONVERGED)) {
    info->outcome = verdict.outcome;
    info->solver = verdict.solver;
    info->iterations = verdict.iterations;
  }
  solver->toolbox->certified = last_is_best;
  return NSDS_OK;
}

/* Rows that do not meet each other, where their solution is certified. */
static bool try_apart(nsds_solver *solver, const nsds_problem *problem, double *z,
                      nsds_solver_info *info) {
  auto_state *s = solver->state;
  if (!bounds_only(solver) || !nsds_apart_solve(&s->apart, problem, s->best)) return false;
  double residual =
      nsds_certified_residual(problem, s->best, solver->toolbox->certify_work, &info->worst_block);
  if (!(residual <= solver->value[OPTION_TOLERANCE])) return false;
  memcpy(z, s->best, (size_t)problem->n * sizeof *z);
  info->solver = nsds_method_direct.row.name;
  info->residual = residual;
  info->iterations = info->tried = 1;
  solver->toolbox->certified = true;
  return true;
}

static nsds_status solve(nsds_solver *solver, const nsds_problem *problem, double *z,
                         nsds_solver_info *info) {
  bool few = problem->n <= direct_rows && bounds_only(solver);
  info->tried = few;
  if (few) {
    info->solver = nsds_method_direct.row.name;
    auto_state *s = solver->state;
    nsds_solver *direct = s->child[CANDIDATE_DIRECT];
    direct->value[OPTION_TOLERANCE] = solver->value[OPTION_TOLERANCE];
    return nsds_method_direct.solve(direct, problem, z, info);
  }
  if (try_apart(solver, problem, z, info)) return NSDS_OK;
  return fall_through(solver, problem, z, info);
}

static void release(nsds_solver *solver) {
  auto_state *s = solver->state;
  for (int k = 0; k < candidate_count; ++k) nsds_solver_free(s->child[k]);
  nsds_release(solver->context, s->start);
  nsds_release(solver->context, s->best);
  nsds_apart_release(solver->context, &s->apart);
}

static const nsds_option options[] = {
    NSDS_COMMON_OPTIONS(0.0, "iteration limit of each method tried; 0: the method's own default"),
    {0}};

const nsds_method nsds_method_auto = {
    .row = {.name = "auto",
            .summary = "Chooses the method by size and sets, certifies the answer, tries the next "
                       "method when it fails.",
            .reference = "this library: docs/architecture.md",
            .sets = nsds_all_sets,
            .storages = nsds_all_storages,
            .option = options},
    .state_size = sizeof(auto_state),
    .reserve = reserve,
    .solve = solve,
    .release = release,
};
