/*
 * Solver instances: creation, options, and a solve from start to certified verdict.
 *
 * To add a method, write a file that defines a `const nsds_method`: its row, options and the
 * operations described in solver_internal.h. Add the method to NSDS_METHODS in method_list.h. The
 * conformance tests run over the whole table.
 */
#include "base/base.h"
#include "base/context.h"
#include "base/finite.h"
#include "numerics/auto.h"
#include "numerics/certify/certify.h"
#include "numerics/linear/edge.h"
#include "numerics/linear/matrix.h"
#include "numerics/methods.h"
#include "numerics/judge.h"
#include "numerics/pair.h"
#include "numerics/method_list.h"
#include "numerics/proof.h"
#include "numerics/sets/bounds.h"
#include "numerics/sets/sets.h"
#include "numerics/solver_run.h"
#include "numerics/solver_tools.h"
#include "numerics/store.h"
#include "numerics/watch.h"

#include <stdio.h>

static const char *const outcome_text[] = {
    [NSDS_SOLVED] = "solved",           [NSDS_NOT_CONVERGED] = "not converged",
    [NSDS_NO_SOLUTION] = "no solution", [NSDS_RAY] = "secondary ray",
    [NSDS_REFUSED] = "refused",         [NSDS_INTERRUPTED] = "interrupted"};

const char *nsds_outcome_text(nsds_outcome outcome) {
  bool known = (size_t)outcome < sizeof outcome_text / sizeof *outcome_text;
  return known ? outcome_text[outcome] : "unknown outcome";
}

/* ---- life ---- */

/* Names for a message, separated by commas; about fifty fit, others are left out. */
enum { names_text = 768 };
typedef struct names {
  char text[names_text];
  size_t used;
} names;

static void list_name(names *list, const char *name) {
  size_t left = sizeof list->text - list->used;
  int written = snprintf(list->text + list->used, left, "%s%s", list->used ? ", " : "", name);
  if (written > 0 && (size_t)written < left) list->used += (size_t)written;
}

/* Former names of methods, and their successors. */
static const struct {
  const char *old, *now;
} renamed[] = {
    {"direct", "\"enumeration\""},
    {"cao_ferris", "\"lemke\""},
    {"pgs", "\"nsgs\" with option \"plain\" = 1"},
    {"proximal_newton", "\"nonsmooth_newton\" with option \"hyperstatic\" = 1"},
    {"extragradient", "\"interior_point\", or examples/solvers/extragradient.c"},
    {"hyperplane_projection", "\"interior_point\", or examples/solvers/extragradient.c"},
    {"fixed_point_projection", "\"projected_gradient\""},
    {"conjugate_projected_gradient", "\"projected_gradient\""},
    {"tresca", "\"nsgs\" or \"auto\", or examples/solvers/tresca.c"},
    {"panagiotopoulos", "\"nsgs\" or \"auto\""},
    {"de_saxce", "\"nsgs\" or \"auto\""},
    {"aclm", "\"nsgs\" or \"auto\""},
    {"reduction", "\"global_reduction\""},
    {"factored", "\"global_factored\""},
    {"proximal_point", "\"nsgs\", whose option \"proximal\" does the same, or \"auto\""},
};

static void fail_unknown(nsds_context *context, const char *name) {
  for (size_t k = 0; k < sizeof renamed / sizeof *renamed; ++k)
    if (strcmp(name, renamed[k].old) == 0) {
      nsds_fail(context, NSDS_ERROR_ARGUMENT,
                "nsds_solver_create: there is no solver \"%s\" any more; use %s", name,
                renamed[k].now);
      return;
    }
  names known = {{0}, 0};
  const nsds_method *method;
  for (int k = 0; nsds_solver_table(k); ++k) list_name(&known, nsds_solver_table(k)->name);
  for (int k = 0; (method = nsds_user_method(context, k)); ++k) list_name(&known, method->row.name);
  nsds_fail(context, NSDS_ERROR_ARGUMENT,
            "nsds_solver_create: there is no solver \"%s\"; known are %s", name, known.text);
}

static const nsds_method *method_known(nsds_context *context, const char *name) {
  const nsds_method *method = nsds_method_named(context, name);
  if (!method) fail_unknown(context, name);
  return method;
}

/* Lists the solvers with an inner one. */
static names name_outer(void) {
  names list = {{0}, 0};
  for (int k = 0; nsds_solver_table(k); ++k)
    if (nsds_solver_table(k)->inner) list_name(&list, nsds_solver_table(k)->name);
  return list;
}

/* Returns the method named before the slash, and in *inner the one after it. */
static const nsds_method *split_name(nsds_context *context, const char *name, const char *slash,
                                     const nsds_method **inner) {
  char front[NSDS_SOLVER_NAME + 1];
  snprintf(front, sizeof front, "%.*s", (int)(slash - name), name);
  const nsds_method *method = method_known(context, front);
  *inner = method ? method_known(context, slash + 1) : NULL;
  if (*inner && method->row.inner && !(*inner)->row.global) return method;
  if (*inner && !method->row.inner)
    nsds_fail(
        context, NSDS_ERROR_ARGUMENT,
        "nsds_solver_create: \"%s\": solver \"%s\" has no inner solver; those that have one are %s",
        name, front, name_outer().text);
  else if (*inner)
    nsds_fail(context, NSDS_ERROR_ARGUMENT,
              "nsds_solver_create: \"%s\": inner solver \"%s\" takes global problems; give one of "
              "local problems, such as \"auto\"",
              name, (*inner)->row.name);
  return NULL;
}

static nsds_solver *create_named(nsds_context *context, const char *name) {
  const char *slash = strchr(name, '/');
  const nsds_method *inner = NULL;
  const nsds_method *method =
      slash ? split_name(context, name, slash, &inner) : method_known(context, name);
  nsds_solver *solver = method ? nsds_solver_new(context, method, NULL) : NULL;
  if (!solver || !inner || !nsds_solver_give_inner(solver, inner)) return solver;
  nsds_solver_free(solver);
  return NULL;
}

nsds_solver *nsds_solver_create(nsds_context *context, const char *name) {
  if (!context) {
    nsds_fail_null(NULL, "nsds_solver_create", "context");
    return NULL;
  }
  if (nsds_check_hook(context, "nsds_solver_create")) return NULL;
  return name ? create_named(context, name) : nsds_solver_new(context, &nsds_method_auto, NULL);
}

void nsds_solver_destroy(nsds_solver *solver) {
  if (!solver || nsds_solver_check_idle(solver, "nsds_solver_destroy")) return;
  if (solver->lent || !solver->owns_toolbox)
    nsds_fail(solver->context, NSDS_ERROR_STATE,
              "nsds_solver_destroy: solver \"%s\" belongs to a simulation or another solver, which "
              "destroys it",
              solver->method->row.name);
  else nsds_solver_free(solver);
}

nsds_status nsds_solver_judge_by_terms(nsds_solver *solver) {
  if (!solver) return nsds_fail_null(NULL, "nsds_solver_judge_by_terms", "solver");
  nsds_status status = nsds_solver_check_idle(solver, "nsds_solver_judge_by_terms");
  if (status) return status;
  solver->by_terms = true;
  solver->toolbox->low = NULL;
  return NSDS_OK;
}

nsds_solver *nsds_solver_inner(nsds_solver *solver) {
  if (!solver) nsds_fail_null(NULL, "nsds_solver_inner", "solver");
  else if (!solver->inner)
    nsds_fail(solver->context, NSDS_ERROR_ARGUMENT,
              "nsds_solver_inner: solver \"%s\" has no inner solver; those that have one are %s",
              solver->method->row.name, name_outer().text);
  return solver ? solver->inner : NULL;
}

const nsds_solver_row *nsds_solver_get_row(const nsds_solver *solver) {
  return solver ? &solver->method->row : NULL;
}

/* ---- options ---- */

static int find_option(const nsds_solver *solver, const char *call, const char *name) {
  const nsds_solver_row *row = &solver->method->row;
  names known = {{0}, 0};
  for (int k = 0; row->option[k].name; ++k) {
    if (name && strcmp(name, row->option[k].name) == 0) return k;
    list_name(&known, row->option[k].name);
  }
  nsds_fail(solver->context, NSDS_ERROR_ARGUMENT,
            "%s: solver \"%s\" has no option \"%s\"; it has %s", call, row->name,
            name ? name : "(NULL)", known.text);
  return -1;
}

nsds_status nsds_solver_set(nsds_solver *solver, const char *option, double value) {
  if (!solver) return nsds_fail_null(NULL, "nsds_solver_set", "solver");
  nsds_status status = nsds_solver_check_idle(solver, "nsds_solver_set");
  if (status) return status;
  int k = find_option(solver, "nsds_solver_set", option);
  if (k < 0) return NSDS_ERROR_ARGUMENT;
  const nsds_option *o = &solver->method->row.option[k];
  bool within = value >= o->min && value <= o->max;
  if (!within || (strcmp(o->unit, "integer") == 0 && value != floor(value)))
    return nsds_fail(solver->context, NSDS_ERROR_VALUE,
                     "nsds_solver_set: option \"%s\" of solver \"%s\" is %g; valid %s %g..%g",
                     option, solver->method->row.name, value,
                     within ? "are whole numbers of" : "is", o->min, o->max);
  solver->value[k] = value;
  return NSDS_OK;
}

double nsds_solver_get(const nsds_solver *solver, const char *option) {
  if (!solver) nsds_fail_null(NULL, "nsds_solver_get", "solver");
  int k = solver ? find_option(solver, "nsds_solver_get", option) : -1;
  return k < 0 ? NAN : solver->value[k];
}

void nsds_solver_set_progress(nsds_solver *solver, nsds_progress_fn progress, void *user) {
  if (!solver || nsds_solver_check_idle(solver, "nsds_solver_set_progress")) return;
  solver->toolbox->progress = progress;
  solver->toolbox->progress_user = user;
}

/* ---- solving ---- */

const double *nsds_solver_proof(const nsds_solver *solver) {
  return solver ? solver->toolbox->proof : NULL;
}

nsds_status nsds_solver_reserve(nsds_solver *solver, const nsds_problem *problem) {
  const char *call = "nsds_solver_reserve";
  if (!solver) return nsds_fail_null(NULL, call, "solver");
  if (!problem) return nsds_fail_null(solver->context, call, "problem");
  nsds_status status = nsds_solver_check_kind(solver, false, call);
  if (!status) status = nsds_solver_check_idle(solver, call);
  if (status) return status;
  nsds_toolbox_enter(solver->toolbox);
  status = nsds_solver_prepare(solver, problem);
  nsds_toolbox_leave(solver->toolbox);
  return status;
}

/* ---- proofs ---- */

/* Looks for a proof near z; the toolbox then has it. */
static nsds_status search_proof(nsds_solver *solver, const nsds_problem *problem, const double *z) {
  nsds_toolbox *toolbox = solver->toolbox;
  bool found = false;
  if (problem->n > nsds_most_proof_rows || toolbox->proof) return NSDS_OK;
  if (!toolbox->search) toolbox->search = NSDS_NEW(solver->context, nsds_proof);
  if (!toolbox->search) return NSDS_ERROR_MEMORY;
  nsds_status status = nsds_proof_look(toolbox->search, solver, problem, z, &found);
  if (!status && found) toolbox->proof = toolbox->search->y;
  return status;
}

/* Returns true if the path of a program would have ended at a ray where no solution exists. The search
 * for a proof takes much longer than the path. */
static bool is_decided_by_path(const nsds_solver *solver, const nsds_problem *problem) {
  enum { few = 64 };
  static const double by_path = 1e-6;
  return problem->n > few && solver->value[OPTION_TOLERANCE] <= by_path &&
         !(solver->toolbox->sets & ~(unsigned)nsds_bound_sets) && nsds_matrix_by_signs(&problem->M);
}

/* "No solution" stands with a checked proof, or if every basis was tried, and a ray proves nothing.
 * An answer with huge reactions stands if no proof is found. */
static nsds_status solver_conclude(nsds_solver *solver, const nsds_problem *problem, double *z,
                                   nsds_solver_info *info) {
  static const double of_inferred = 1e4; /* loads, where violations may be larger too */
  nsds_toolbox *toolbox = solver->toolbox;
  nsds_status status = NSDS_OK;
  bool none = info->outcome == NSDS_NO_SOLUTION || info->outcome == NSDS_RAY;
  double most = toolbox->inferred ? of_inferred : nsds_doubted;
  bool huge = info->outcome == NSDS_SOLVED && info->reaction > most;
  if (huge && is_decided_by_path(solver, problem)) huge = false;
  if (none || huge) status = search_proof(solver, problem, huge ? z : NULL);
  if (status) return status;
  bool ray = info->outcome == NSDS_RAY && solver->method == &nsds_method_auto;
  if (toolbox->proof) {
    nsds_solver_residual(solver, problem, z, NULL);
    info->outcome = NSDS_NO_SOLUTION;
  } else if (ray || (info->outcome == NSDS_NO_SOLUTION && !toolbox->decided)) {
    info->outcome = NSDS_NOT_CONVERGED;
  }
  return NSDS_OK;
}

/* Writes how far the proof reaches; the certifier's work is renewed afterwards. */
static void find_reach(nsds_solver *solver, const nsds_problem *problem, const double *z,
                       nsds_solver_info *info) {
  nsds_toolbox *toolbox = solver->toolbox;
  info->proof_reach = nsds_certify_reach(problem, toolbox->proof, toolbox->certify_work);
  nsds_solver_residual(solver, problem, z, NULL);
}

/* ---- a solve ---- */

static nsds_status check_call(const nsds_solver *solver, const nsds_problem *problem,
                              const double *z, const double *w, const char *call) {
  if (!solver) return nsds_fail_null(NULL, call, "solver");
  if (!problem || ((!z || !w) && problem->n > 0))
    return nsds_fail_null(solver->context, call, !problem ? "problem" : !z ? "z" : "w");
  /* M.n is the field most easily forgotten; a part of a distributed problem is refused. */
  if (NSDS_UNLIKELY(problem->M.n != problem->n || problem->halo))
    return nsds_problem_check(solver->context, problem);
  nsds_status status = nsds_solver_check_kind(solver, false, call);
  return status ? status : nsds_solver_check_idle(solver, call);
}

/* Judges z alone. */
static NSDS_NOINLINE nsds_status judge_open(nsds_solver *solver, const nsds_problem *problem,
                                            double *z, nsds_solver_info *info) {
  nsds_info_open(info, solver->method->row.name, 0);
  nsds_info_open_scale(info);
  info->tried = 0;
  nsds_status status = nsds_reserve_certifier(solver, problem);
  if (status) return status;
  info->residual = nsds_solver_residual(solver, problem, z, &info->worst_block);
  return nsds_solver_judge(solver, problem, z, info);
}

/* Runs the method, or judges z alone. */
static inline nsds_status run_open(nsds_solver *solver, const nsds_problem *problem, double *z,
                                   bool judge_only, nsds_solver_info *info) {
  return judge_only ? judge_open(solver, problem, z, info)
                    : nsds_solver_run(solver, problem, z, 0, info);
}

static NSDS_NOINLINE nsds_status solve_any(nsds_solver *solver, const nsds_problem *problem,
                                           double *z, double *w, bool judge_only,
                                           nsds_solver_info *info) {
  nsds_solver_info unwanted;
  if (!info) info = &unwanted;
  nsds_status status =
      check_call(solver, problem, z, w, judge_only ? "nsds_judge_answer" : "nsds_solve");
  if (NSDS_UNLIKELY(status)) return status;
  nsds_toolbox *toolbox = solver->toolbox;
  unsigned long failures = nsds_failures(solver->context);
  nsds_toolbox_enter(toolbox);
  nsds_solver_open(solver, problem);
  if (!judge_only) nsds_make_finite(z, problem->n);
  if (solver->by_terms) {
    nsds_info_open_scale(info);
    status = run_open(solver, problem, z, judge_only, info);
  } else {
    toolbox->by_scale = true;
    toolbox->scale = NULL;
    toolbox->low = NULL;
    toolbox->decided = NULL;
    toolbox->limit =
        nsds_violation_limit_of(problem, toolbox->sets, solver->value[OPTION_TOLERANCE]);
    toolbox->inferred = toolbox->limit > solver->value[OPTION_TOLERANCE];
    status = run_open(solver, problem, z, judge_only, info);
    if (!status && !judge_only) status = solver_conclude(solver, problem, z, info);
    if (NSDS_UNLIKELY(!status && info->outcome != NSDS_SOLVED))
      nsds_solver_tell_violation(solver, problem, z, info);
    toolbox->by_scale = false;
  }
  if (NSDS_UNLIKELY(!status && toolbox->proof)) find_reach(solver, problem, z, info);
  nsds_toolbox_leave(toolbox);
  if (NSDS_UNLIKELY(status)) return nsds_solver_shortage(solver, failures, status);
  if (problem->n > 0) memcpy(w, toolbox->certify_work, (size_t)problem->n * sizeof *w);
  return info->outcome == NSDS_SOLVED ? NSDS_OK : NSDS_ERROR_SOLVER;
}

const double *nsds_solver_low(const nsds_solver *solver) {
  return solver ? solver->toolbox->low : NULL;
}

nsds_status nsds_judge_answer(nsds_solver *solver, const nsds_problem *problem, double *z,
                              double *w, nsds_solver_info *info) {
  return solve_any(solver, problem, z, w, true, info);
}

/* ---- one row ---- */

static double solver_entry_of_one(const nsds_matrix *M) {
  return M->storage == NSDS_DENSE ? M->x[0] : nsds_own_entry(M->factored, 0, 0, 0);
}

/* Writes the violation of the answer to one row, whose terms have this size; true if it is at most
 * the tolerance. */
static NSDS_NOINLINE bool one_row_meets_scale(nsds_solver *solver, const nsds_problem *problem,
                                              double answer, double terms, nsds_solver_info *info) {
  double q = fabs(problem->q[0]), load = q;
  if (problem->scale && problem->scale[0] > 0.0) load = problem->scale[0];
  info->violation = info->violation_rounded = info->residual * terms / (load > 0.0 ? load : 1.0);
  info->violation_block = 0;
  info->reaction = answer == 0.0 ? 0.0 : q / load;
  solver->toolbox->low = NULL;
  return info->violation <= solver->value[OPTION_TOLERANCE];
}

/* Solves one row, a body on the ground, by a short way: it is the most frequent problem. */
static NSDS_NOINLINE nsds_status solve_one_row(nsds_solver *solver, const nsds_problem *problem,
                                               double *z, double *w, nsds_solver_info *info) {
  double q = problem->q[0], answer = 0.0, sums[3];
  bool equality = problem->block[0].set == NSDS_SET_EQUALITY;
  if (equality ? q != 0.0 : !(q >= 0.0)) answer = -q / solver_entry_of_one(&problem->M);
  if (!(fabs(answer) < INFINITY) || (!equality && answer < 0.0))
    return solve_any(solver, problem, z, w, false, info);
  nsds_info_open(info, nsds_method_enumeration.row.name, 1);
  info->residual = nsds_certified_residual_of_one(problem, answer, sums, &info->worst_block);
  nsds_info_open_scale(info);
  if (!(info->residual <= solver->value[OPTION_TOLERANCE]) ||
      !(solver->by_terms || one_row_meets_scale(solver, problem, answer, sums[1], info)))
    return solve_any(solver, problem, z, w, false, info);
  *z = answer;
  *w = sums[0];
  solver->toolbox->proof = NULL;
  return NSDS_OK;
}

nsds_status nsds_solve(nsds_solver *solver, const nsds_problem *problem, double *z, double *w,
                       nsds_solver_info *info) {
  if (solver && problem && z && w && info && solver->method == &nsds_method_auto &&
      !solver->toolbox->busy && nsds_is_one_row(problem))
    return solve_one_row(solver, problem, z, w, info);
  return solve_any(solver, problem, z, w, false, info);
}
