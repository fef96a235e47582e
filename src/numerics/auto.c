/*
 * The default solver: chooses a list of methods by sets and size, certifies every answer, falls
 * through to the next method and reports its path. The iterate with the least residual is returned.
 * A single solve from zero is a race: its list has slices of growing work of two or three methods.
 * The method that solved the last single problem with the same M is tried first.
 * Two kinds of problems need no list. Up to three rows with bounds are solved by enumeration, whose
 * verdict is final. Rows, or a few blocks, that do not meet are solved one by one. The lists and
 * their numbers are data (auto_lists.h); script/judge rates them.
 */
#include "numerics/auto.h"
#include "numerics/judge.h"

#include "base/base.h"
#include "numerics/certify/certify_loads.h"
#include "numerics/decoupled.h"
#include "numerics/linear/matrix.h"
#include "numerics/method_list.h"
#include "numerics/newton/few_newton.h"
#include "numerics/presolve.h"
#include "numerics/proof.h"
#include "numerics/solver_run.h"
#include "numerics/solver_archive.h"
#include "numerics/solver_internal.h"
#include "numerics/store.h"
#include "numerics/watch.h"

#include <stdio.h>

#define ONE(name) +1
enum { most_children = 0 NSDS_METHODS(ONE) };

/* Size and sparsity of a problem, as needed for workspace. */
typedef struct shape {
  int n, entries, columns;
  nsds_storage storage;
  unsigned kind, needs; /* bits of the two enums below */
} shape;

/* Bits of a shape. OF_APART: few blocks that do not meet. NEEDS_PRESOLVE: some equalities can be
 * eliminated. NEEDS_METHODS: before their turn comes. */
enum { OF_BOUNDS = 1, OF_FEW_ROWS = 2, OF_APART = 4 };
enum { NEEDS_PRESOLVE = 1, NEEDS_METHODS = 2 };

enum { tried_before_proof = 2, raced_before_proof = 4 }; /* number of methods, and of slices */

typedef struct auto_state {
  const nsds_auto_rules *rules;
  nsds_solver *child[most_children]; /* one for each method, in the order of first use */
  double *start, *best;              /* n each */
  double *ended[most_children];      /* n each: where methods that go on ended, */
  unsigned has_ended;                /* a bit for each that did in this solve */
  shape reserved, few;               /* few: of problems that enumeration solves */
  nsds_solver *ready;                /* child that reserved last in the present call; or NULL */
  nsds_apart apart;
  nsds_near *near; /* of starts near the solution, else NULL */
  nsds_proof proof;
  nsds_presolve presolve;
  const nsds_auto_stage *won, *won_list; /* method that solved the last problem after others of its
                                            list, or NULL */
  uint64_t won_stamp;                    /* M of that problem */
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

/* Returns true if workspace for shape a is enough for shape b. */
static bool auto_covers(shape a, shape b) {
  return a.n >= b.n && a.entries >= b.entries && a.columns >= b.columns && a.storage == b.storage &&
         a.kind == b.kind && !(b.needs & ~a.needs);
}

/* Returns the place of the child of a method, or the next free one. */
static int place_of_child(const auto_state *s, const nsds_method *method) {
  int k = 0;
  while (s->child[k] && s->child[k]->method != method) ++k;
  return k;
}

static nsds_status get_child(nsds_solver *solver, const nsds_method *method, nsds_solver **child) {
  auto_state *s = solver->state;
  int k = place_of_child(s, method);
  if (!s->child[k]) s->child[k] = nsds_solver_new(solver->context, method, solver->toolbox);
  *child = s->child[k];
  return *child ? NSDS_OK : NSDS_ERROR_MEMORY;
}

static nsds_status reserve_stage(nsds_solver *solver, const nsds_problem *problem,
                                 const nsds_auto_stage *stage) {
  nsds_solver *child;
  nsds_status status = get_child(solver, stage->method, &child);
  ((auto_state *)solver->state)->ready = child;
  return status ? status : stage->method->reserve(child, problem);
}

/* Reserves for a problem that enumeration solves. */
static nsds_status reserve_few(nsds_solver *solver, const nsds_problem *problem) {
  auto_state *s = solver->state;
  nsds_solver *enumeration;
  nsds_storage storage = problem->M.storage;
  bool fits = problem->n <= s->few.n && storage == s->few.storage;
  if (NSDS_LIKELY(fits && nsds_proof_covers(&s->proof, problem))) return NSDS_OK;
  nsds_status status = get_child(solver, &nsds_method_enumeration, &enumeration);
  if (!status) status = nsds_method_enumeration.reserve(enumeration, problem);
  if (!status) status = nsds_proof_reserve(&s->proof, solver, problem);
  if (!status) s->few = (shape){.n = problem->n, .storage = storage};
  return status;
}

/* Reserves the first method of a list, or all of them, with what those that go on need. */
static nsds_status reserve_list(nsds_solver *solver, const nsds_problem *problem,
                                const nsds_auto_stage *list, bool all) {
  auto_state *s = solver->state;
  nsds_status status = NSDS_OK;
  bool more = true;
  for (const nsds_auto_stage *stage = list; !status && stage->method && more; ++stage) {
    if (!nsds_auto_is_for(solver, stage, problem)) continue;
    status = reserve_stage(solver, problem, stage);
    if (!status && all && stage->goes_on)
      status =
          NSDS_HOLD_ONE(&solver->store, s->ended[place_of_child(s, stage->method)], problem->n);
    more = all;
  }
  return status;
}

/* Reserves the first method of each list if it will be needed. Other methods are reserved early only
 * if that is cheap. */
static nsds_status reserve_early(nsds_solver *solver, const nsds_problem *problem, bool apart) {
  auto_state *s = solver->state;
  const nsds_auto_stage *list = nsds_auto_list(solver, s->rules, problem),
                        *race = nsds_auto_race(solver, s->rules, problem);
  bool all = list == s->rules->small, single = solver->owns_toolbox && !solver->by_terms;
  nsds_status status = NSDS_OK;
  if (!apart) status = reserve_list(solver, problem, list, all);
  if (!status && !apart && single && race) status = reserve_list(solver, problem, race, all);
  if (!status && nsds_auto_is_programme(solver, s->rules, problem))
    status = reserve_stage(solver, problem, s->rules->programme);
  return !status && all ? nsds_proof_reserve(&s->proof, solver, problem) : status;
}

static nsds_status auto_reserve(nsds_solver *solver, const nsds_problem *problem) {
  auto_state *s = solver->state;
  int n = problem->n;
  bool bounds = nsds_auto_of_bounds(solver);
  s->ready = NULL;
  if (n <= s->rules->direct_rows && bounds) return reserve_few(solver, problem);
  shape wanted = shape_of(problem);
  double M[nsds_few_rows * nsds_few_rows];
  /* while verdicts compare with a scale the start, not known here, decides on methods */
  bool early = !solver->toolbox->by_scale;
  bool apart = early && !bounds && nsds_few_apart(problem, M);
  wanted.kind = (bounds ? OF_BOUNDS : 0u) | (n <= s->rules->small_rows ? OF_FEW_ROWS : 0u) |
                (apart ? OF_APART : 0u);
  wanted.needs =
      (nsds_presolve_wants(solver, problem) ? NEEDS_PRESOLVE : 0u) | (early ? NEEDS_METHODS : 0u);
  if (NSDS_LIKELY(auto_covers(s->reserved, wanted))) return NSDS_OK;
  const nsds_cut cut[] = {NSDS_CUT(s->start, n), NSDS_CUT(s->best, n)};
  nsds_status status = NSDS_HOLD(&solver->store, cut);
  if (!status && solver->toolbox->near && problem->M.storage == NSDS_FACTORED) {
    const nsds_cut near[] = {NSDS_CUT(s->near, 1)};
    status = NSDS_HOLD(&solver->store, near);
    if (!status) status = nsds_near_reserve(s->near, &solver->store, problem);
  }
  if (!status && bounds) status = nsds_apart_reserve(&s->apart, &solver->store, problem);
  if (!status && (wanted.needs & NEEDS_PRESOLVE))
    status = nsds_presolve_reserve(&s->presolve, solver, problem);
  if (!status && early) status = reserve_early(solver, problem, apart);
  if (!status) s->reserved = wanted;
  return status;
}

static void auto_note(nsds_solver_info *info, const nsds_solver_info *child) {
  size_t used = strlen(info->path);
  snprintf(info->path + used, sizeof info->path - used, "%s%s:%s", used ? " > " : "", child->solver,
           nsds_outcome_text(child->outcome));
}

static void adopt(const nsds_solver *solver, nsds_solver_info *info,
                  const nsds_solver_info *child) {
  info->solver = child->solver;
  info->outcome = child->outcome;
  info->iterations = child->iterations;
  info->residual = child->residual;
  info->worst_block = child->worst_block;
  info->worst_row = child->worst_row;
  info->worst_error = child->worst_error;
  info->worst_scale = child->worst_scale;
  if (solver->toolbox->by_scale) nsds_solver_copy_violation(info, child);
}

/* Returns the bytes of M and of the rows. */
static double bytes_of(const nsds_problem *problem) {
  enum { entry = sizeof(double) + sizeof(int), of_row = 64 };
  const nsds_matrix *M = &problem->M;
  double rows = problem->n, edges = 0.0;
  if (M->storage != NSDS_FACTORED)
    return rows * (of_row + entry * nsds_matrix_entries_per_row(&problem->M));
  const nsds_factored *f = M->factored;
  for (int a = 0; a < f->nrow_block; ++a)
    for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k)
      edges +=
          sizeof(nsds_edge) + 2.0 * sizeof(double) * (f->row[a + 1] - f->row[a]) * f->edge[k].size;
  return rows * of_row + edges;
}

/* Returns the bytes allowed for forms and factors of a method; 0: any. */
static double allowed_bytes(const nsds_solver *solver, const nsds_problem *problem, bool fallback) {
  static const double times = 10.0, least = 5e8;
  double limit = 1e6 * solver->value[OPTION_MEMORY_LIMIT];
  return limit > 0.0 || !fallback ? limit : fmax(times * bytes_of(problem), least);
}

static nsds_status run_stage(nsds_solver *solver, const nsds_auto_stage *stage, bool slice,
                             const nsds_problem *problem, double *z, nsds_solver_info *info) {
  auto_state *s = solver->state;
  nsds_solver *child;
  nsds_status status = get_child(solver, stage->method, &child);
  if (status) return status;
  double limit = solver->value[OPTION_MAX_ITERATIONS];
  double tolerance = solver->value[OPTION_TOLERANCE];
  double own = nsds_auto_iterations(s->rules, problem, tolerance, stage->iterations);
  if (stage->option) child->value[stage->option] = stage->value;
  child->paced = stage->paced;
  child->slice = slice;
  child->value[OPTION_TOLERANCE] = tolerance;
  child->value[OPTION_MAX_ITERATIONS] = limit > 0.0 && !(own > 0.0 && own < limit) ? limit : own;
  unsigned known = NSDS_RUN_STAGE | (child == s->ready ? NSDS_RUN_RESERVED : 0u);
  s->ready = NULL;
  return nsds_solver_run(child, problem, z, known, info);
}

/* Returns true if an error with this residual may exceed `part` of the load. */
static bool hides_load(const nsds_solver *solver, const nsds_problem *problem, const double *z,
                       double residual) {
  static const double part = 1e-4, usual = 1e2; /* usual: terms over the load, in piles */
  if (residual == 0.0 || problem->n > nsds_most_proof_rows) return false;
  double limit = part / residual > usual ? part / residual : usual;
  double *work = solver->toolbox->certify_work;
  return nsds_certify_may_exceed(problem, work, limit) &&
         nsds_certify_loads(solver->context, problem, z, work, false, limit).of;
}

static bool settled(const nsds_solver_info *info) {
  return info->outcome == NSDS_SOLVED || info->outcome == NSDS_INTERRUPTED;
}

/* Searches for a proof that all methods must fail. Called after a few failures, or if forces are
 * out of proportion. */
static nsds_status look_for_proof(nsds_solver *solver, const nsds_problem *problem,
                                  nsds_solver_info *info, bool *found) {
  auto_state *s = solver->state;
  nsds_status status = nsds_proof_look(&s->proof, solver, problem, s->best, found);
  if (status || !*found) return status;
  nsds_solver_info proved = {.solver = "proof", .outcome = NSDS_NO_SOLUTION};
  auto_note(info, &proved);
  info->outcome = NSDS_NO_SOLUTION;
  solver->toolbox->proof = s->proof.y;
  return NSDS_OK;
}

/* Adds a proof that others can check, if a method, such as enumeration, knows only by itself that
 * there is no solution. */
static nsds_status add_proof(nsds_solver *solver, const nsds_problem *problem) {
  auto_state *s = solver->state;
  bool found = false;
  if (solver->toolbox->proof) return NSDS_OK;
  nsds_status status = nsds_proof_look(&s->proof, solver, problem, NULL, &found);
  if (!status && found) solver->toolbox->proof = s->proof.y;
  return status;
}

/* The result of the last method that has found no solution, or a ray. */
typedef struct auto_verdict {
  const char *solver;
  nsds_outcome outcome;
  int iterations;
} auto_verdict;

/* Returns the point at which a stage starts. */
static const double *point_for(const auto_state *s, const nsds_auto_stage *stage, bool tried) {
  int k = place_of_child(s, stage->method);
  if (stage->goes_on && (s->has_ended & 1u << k)) return s->ended[k];
  return stage->from_best && tried ? s->best : s->start;
}

/* Keeps z, where a stage ended, if a later stage goes on there. */
static nsds_status keep_end(nsds_solver *solver, const nsds_problem *problem,
                            const nsds_auto_stage *stage, const double *z) {
  auto_state *s = solver->state;
  const nsds_auto_stage *later = stage + 1;
  int k = place_of_child(s, stage->method);
  while (later->method && !(later->goes_on && later->method == stage->method)) ++later;
  if (!later->method) return NSDS_OK;
  nsds_status status = NSDS_HOLD_ONE(&solver->store, s->ended[k], problem->n);
  if (status) return status;
  s->has_ended |= 1u << k;
  memcpy(s->ended[k], z, (size_t)problem->n * sizeof *z);
  return NSDS_OK;
}

/* The list of a solve, and how it is gone through. */
typedef struct auto_course {
  const nsds_auto_stage *list, *winner; /* winner: of the list, tried first; or NULL */
  bool race, of_bounds; /* of_bounds: rays and enumeration decide themselves, without proofs */
} auto_course;

/* Begins a solve from s->start. The method that solved the last problem with the same M is tried
 * first. */
static auto_course begin_course(const nsds_solver *solver, const nsds_problem *problem) {
  auto_state *s = solver->state;
  auto_course c = {.list = nsds_auto_list_from(solver, s->rules, problem, s->start)};
  c.of_bounds = c.list == s->rules->small || c.list == s->rules->race_small;
  s->has_ended = 0;
  if (!solver->toolbox->by_scale) return c;
  c.race = c.list == nsds_auto_race(solver, s->rules, problem);
  bool same = s->won_list == c.list && problem->M.stamp != 0 && s->won_stamp == problem->M.stamp;
  if (same) c.winner = s->won;
  return c;
}

static const nsds_auto_stage *next_stage(const auto_course *c, const nsds_auto_stage *stage) {
  const nsds_auto_stage *next = stage == c->winner ? c->list : stage + 1;
  return next == c->winner ? next + 1 : next;
}

/* Returns true if it is time to look for a proof. */
static bool is_time_for_proof(const auto_course *c, const nsds_auto_stage *stage, int tried) {
  int before = c->race ? raced_before_proof : tried_before_proof;
  return !c->of_bounds && (tried == before || !next_stage(c, stage)->method);
}

/* Notes the method that has solved a single problem after others. */
static void note_winner(nsds_solver *solver, const nsds_problem *problem, const auto_course *c,
                        const nsds_auto_stage *stage) {
  auto_state *s = solver->state;
  bool late = stage != c->list && problem->M.stamp != 0;
  s->won = late ? stage : NULL;
  s->won_list = late ? c->list : NULL;
  s->won_stamp = problem->M.stamp;
}

/* Runs a stage, which counts unless it refuses a problem that others have tried. */
static nsds_status try_stage(nsds_solver *solver, const auto_course *c,
                             const nsds_auto_stage *stage, const nsds_problem *problem, double *z,
                             bool moved, nsds_solver_info *info, nsds_solver_info *child) {
  auto_state *s = solver->state;
  bool tried = info->tried > 0, slice = c->race && stage->iterations > 0.0;
  if (moved) memcpy(z, point_for(s, stage, tried), (size_t)problem->n * sizeof *z);
  solver->toolbox->allowance.bytes = allowed_bytes(solver, problem, tried);
  nsds_status status = run_stage(solver, stage, slice, problem, z, child);
  if (!status && c->race) status = keep_end(solver, problem, stage, z);
  if (status || (child->outcome == NSDS_REFUSED && tried)) return status;
  ++info->tried;
  info->factorizations += child->factorizations;
  if (info->tried > 1 || !settled(child)) auto_note(info, child);
  return NSDS_OK;
}

/* Tries the methods in turn; z ends as the iterate with the least residual. */
static nsds_status fall_through(nsds_solver *solver, const nsds_problem *problem, double *z,
                                nsds_solver_info *info) {
  auto_state *s = solver->state;
  size_t bytes = (size_t)problem->n * sizeof *z;
  bool ray = false, none = false, proved = false, last_is_best = true, moved = false;
  auto_verdict last = {info->solver, info->outcome, info->iterations};
  memcpy(s->start, z, bytes);
  info->residual = INFINITY;
  auto_course course = begin_course(solver, problem);
  const nsds_auto_stage *stage = course.winner ? course.winner : course.list;
  for (; stage->method; stage = next_stage(&course, stage)) {
    if (!nsds_auto_is_for(solver, stage, problem)) continue;
    nsds_solver_info child;
    int tried = info->tried;
    nsds_status status = try_stage(solver, &course, stage, problem, z, moved, info, &child);
    if (status) return status;
    moved = true;
    last_is_best = false;
    if (info->tried == tried) continue;
    ray = ray || child.outcome == NSDS_RAY;
    none = child.outcome == NSDS_NO_SOLUTION;
    if (none && solver->toolbox->by_scale) { /* only a proof ends the search */
      if ((status = add_proof(solver, problem))) return status;
      none = solver->toolbox->proof || solver->toolbox->decided;
    }
    if (none || child.outcome == NSDS_RAY)
      last = (auto_verdict){child.solver, child.outcome, child.iterations}; /* not its point */
    last_is_best =
        child.outcome == NSDS_SOLVED || info->tried == 1 || child.residual < info->residual;
    if (last_is_best) adopt(solver, info, &child);
    else if (child.outcome == NSDS_INTERRUPTED) info->outcome = child.outcome;
    bool doubtful = child.outcome == NSDS_SOLVED && hides_load(solver, problem, z, child.residual);
    if (child.outcome == NSDS_SOLVED && solver->toolbox->by_scale)
      note_winner(solver, problem, &course, stage);
    if (none || (settled(&child) && !doubtful)) break;
    if (last_is_best) memcpy(s->best, z, bytes);
    if (!doubtful && !is_time_for_proof(&course, stage, info->tried)) continue;
    status = look_for_proof(solver, problem, info, &proved);
    if (status) return status;
    if (proved || doubtful) break;
  }
  if (!last_is_best) memcpy(z, s->best, bytes);
  if (none || (ray && info->outcome == NSDS_NOT_CONVERGED)) {
    info->outcome = last.outcome;
    info->solver = last.solver;
    info->iterations = last.iterations;
  }
  nsds_toolbox_vouch(solver->toolbox, last_is_best);
  return none && !proved ? add_proof(solver, problem) : NSDS_OK;
}

/* Solves rows or a few blocks that do not meet each other; false if the solution is not
 * certified. */
static bool try_apart(nsds_solver *solver, const nsds_problem *problem, double *z,
                      nsds_solver_info *info) {
  auto_state *s = solver->state;
  bool bounds = nsds_auto_of_bounds(solver);
  if (bounds && !nsds_apart_solve(&s->apart, problem, s->best)) return false;
  if (!bounds) {
    double M[nsds_few_rows * nsds_few_rows];
    if (!nsds_few_apart(problem, M)) return false;
    memcpy(s->best, z, (size_t)problem->n * sizeof *z);
    nsds_few_solve(problem, M, s->best);
  }
  double residual = nsds_watch_by_terms(solver, problem, s->best, &info->worst_block);
  info->residual = residual;
  if (!(residual <= solver->value[OPTION_TOLERANCE])) return false;
  if (!nsds_solver_meets_scale(solver, problem, s->best, info)) return false;
  memcpy(z, s->best, (size_t)problem->n * sizeof *z);
  info->solver = bounds ? nsds_method_enumeration.row.name : nsds_method_nsgs.row.name;
  info->iterations = info->tried = 1;
  nsds_toolbox_vouch(solver->toolbox, true);
  if (solver->toolbox->by_scale && residual <= nsds_certified_rounding)
    solver->toolbox->verdict = NSDS_PASSES;
  return true;
}

/* Improves the start by Newton's method; returns the number of steps, or -1. */
static int newton_from_start(nsds_solver *solver, const nsds_problem *problem) {
  auto_state *s = solver->state;
  const nsds_matrix *M = &problem->M;
  if (M->storage == NSDS_DENSE && problem->n <= nsds_own_rows)
    return nsds_few_newton(problem, s->best);
  bool fits = M->storage == NSDS_FACTORED && s->near;
  if (solver->toolbox->fresh && s->near) s->near->n = 0;
  solver->toolbox->fresh = false;
  return fits ? nsds_near_newton(s->near, problem, s->best) : -1;
}

/* Solves a few rows from their start, if it is said to be near; false if the solution is not
 * certified. */
static bool try_start(nsds_solver *solver, const nsds_problem *problem, double *z,
                      nsds_solver_info *info) {
  auto_state *s = solver->state;
  if (!solver->toolbox->near) return false;
  memcpy(s->best, z, (size_t)problem->n * sizeof *z);
  int steps = newton_from_start(solver, problem);
  if (steps < 0) return false;
  double residual = nsds_watch_by_terms(solver, problem, s->best, &info->worst_block);
  if (!(residual <= solver->value[OPTION_TOLERANCE]) ||
      hides_load(solver, problem, s->best, residual) ||
      !nsds_solver_meets_scale(solver, problem, s->best, info))
    return false;
  memcpy(z, s->best, (size_t)problem->n * sizeof *z);
  info->residual = residual;
  info->solver = nsds_method_nonsmooth_newton.row.name;
  info->iterations = info->factorizations = steps;
  info->tried = 1;
  nsds_toolbox_vouch(solver->toolbox, true);
  return true;
}

/* Solves the problem without its equalities, if they can be eliminated and the answer leaves no
 * doubt. */
static nsds_status try_presolved(nsds_solver *solver, const nsds_problem *problem, double *z,
                                 nsds_solver_info *info, bool *done) {
  auto_state *s = solver->state;
  size_t bytes = (size_t)problem->n * sizeof *z;
  nsds_solver_info found;
  *done = false;
  if (!nsds_presolve_wants(solver, problem)) return NSDS_OK;
  memcpy(s->best, z, bytes);
  nsds_status status = nsds_presolve_solve(&s->presolve, solver, problem, s->best, &found, done);
  if (status || !*done) return status;
  *done =
      found.outcome != NSDS_SOLVED || (!hides_load(solver, problem, s->best, found.residual) &&
                                       nsds_solver_meets_scale(solver, problem, s->best, &found));
  if (!*done) return NSDS_OK;
  memcpy(z, s->best, bytes);
  *info = found;
  return NSDS_OK;
}

static nsds_status auto_solve(nsds_solver *solver, const nsds_problem *problem, double *z,
                              nsds_solver_info *info) {
  const nsds_auto_rules *rules = ((auto_state *)solver->state)->rules;
  bool few = problem->n <= rules->direct_rows && nsds_auto_of_bounds(solver);
  info->tried = few;
  if (few) {
    nsds_solver *enumeration;
    nsds_status status = get_child(solver, &nsds_method_enumeration, &enumeration);
    if (status) return status;
    info->solver = nsds_method_enumeration.row.name;
    enumeration->value[OPTION_TOLERANCE] = solver->value[OPTION_TOLERANCE];
    enumeration->value[OPTION_MAX_ITERATIONS] = solver->value[OPTION_MAX_ITERATIONS];
    status = nsds_method_enumeration.solve(enumeration, problem, z, info);
    bool limited = solver->value[OPTION_MAX_ITERATIONS] > 0.0;
    bool open = info->outcome == NSDS_NOT_CONVERGED && solver->toolbox->by_scale && !limited;
    return status || !(open || info->outcome == NSDS_NO_SOLUTION) ? status
                                                                  : add_proof(solver, problem);
  }
  if (try_apart(solver, problem, z, info) || try_start(solver, problem, z, info)) return NSDS_OK;
  bool done;
  nsds_status status = try_presolved(solver, problem, z, info, &done);
  if (status || done) return status;
  return fall_through(solver, problem, z, info);
}

static nsds_status auto_create(nsds_solver *solver) {
  ((auto_state *)solver->state)->rules = &nsds_auto_shipped;
  return NSDS_OK;
}

void nsds_auto_set_rules(nsds_solver *solver, const nsds_auto_rules *rules) {
  ((auto_state *)solver->state)->rules = rules;
}

static void auto_release(nsds_solver *solver) {
  auto_state *s = solver->state;
  for (int k = 0; k < most_children; ++k) nsds_solver_free(s->child[k]);
  nsds_presolve_release(&s->presolve);
}

static const nsds_method *const all_methods[] = {
#define ADDRESS(name) &nsds_method_##name,
    NSDS_METHODS(ADDRESS)
#undef ADDRESS
};

static void archive_children(nsds_solver *solver, nsds_archive *a) {
  for (int k = 0; k < most_children && !a->status; ++k) {
    nsds_solver *child;
    if (!all_methods[k]->archive || all_methods[k] == solver->method) continue;
    a->status = get_child(solver, all_methods[k], &child);
    if (!a->status) nsds_solver_archive(child, a);
  }
  if (!a->status) nsds_presolve_archive(&((auto_state *)solver->state)->presolve, solver, a);
}

static const nsds_option options[] = {
    NSDS_COMMON_OPTIONS(0.0, "iteration limit of each method tried; 0: the method's own default"),
    {"presolve", "integer", "1: equality rows are eliminated first, where that is safe; 0: never",
     1.0, 0.0, 1.0},
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
    .create = auto_create,
    .reserve = auto_reserve,
    .solve = auto_solve,
    .release = auto_release,
    .archive = archive_children,
};
