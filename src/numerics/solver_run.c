/*
 * Instances of methods, and a run of one from its reserve to its verdict, see solver_run.h.
 */
#include "numerics/solver_run.h"

#include "base/base.h"
#include "base/context.h"
#include "base/finite.h"
#include "numerics/certify/certify.h"
#include "numerics/judge.h"
#include "numerics/pair.h"
#include "numerics/proof.h"
#include "numerics/sets/sets.h"
#include "numerics/solver_tools.h"
#include "numerics/store.h"
#include "numerics/watch.h"

static void toolbox_destroy(nsds_context *context, nsds_toolbox *toolbox) {
  if (!toolbox) return;
  nsds_store_release(&toolbox->store);
  nsds_release(context, toolbox->certify_work);
  nsds_release(context, toolbox->scratch);
  nsds_release(context, toolbox->search);
  nsds_release(context, toolbox);
}

nsds_status nsds_solver_shortage(const nsds_solver *solver, unsigned long failures,
                                 nsds_status status) {
  if (NSDS_UNLIKELY(status))
    nsds_name_shortage(solver->context, failures, "solver", solver->method->row.name);
  return status;
}

nsds_solver *nsds_solver_new(nsds_context *context, const nsds_method *method,
                             nsds_toolbox *toolbox) {
  unsigned long failures = nsds_failures(context);
  nsds_solver *solver = NSDS_NEW(context, nsds_solver);
  if (!solver) return NULL;
  solver->context = solver->store.context = context;
  solver->method = method;
  solver->owns_toolbox = !toolbox;
  solver->toolbox = toolbox ? toolbox : NSDS_NEW(context, nsds_toolbox);
  if (solver->toolbox) {
    solver->toolbox->store.context = context;
    solver->store.allowance = solver->toolbox->store.allowance = &solver->toolbox->allowance;
    solver->state = nsds_alloc(context, "state", 1, method->state_size + 1);
  }
  for (int k = 0; method->row.option[k].name; ++k)
    solver->value[k] = method->row.option[k].default_value;
  bool failed = !solver->state || (method->create && method->create(solver));
  if (failed) {
    nsds_solver_shortage(solver, failures, NSDS_ERROR_MEMORY);
    nsds_solver_free(solver);
    return NULL;
  }
  return solver;
}

void nsds_solver_free(nsds_solver *solver) {
  if (!solver) return;
  nsds_context *context = solver->context;
  if (solver->toolbox && solver->owns_toolbox)
    nsds_toolbox_enter(solver->toolbox); /* destroy of user solvers */
  nsds_solver_free(solver->inner);
  if (solver->state && solver->method->release) solver->method->release(solver);
  nsds_store_release(&solver->store);
  nsds_release(context, solver->state);
  if (solver->owns_toolbox) toolbox_destroy(context, solver->toolbox);
  nsds_release(context, solver);
}

nsds_status nsds_solver_check_idle(const nsds_solver *solver, const char *call) {
  if (NSDS_LIKELY(!solver->toolbox->busy)) return nsds_check_hook(solver->context, call);
  return nsds_fail(solver->context, NSDS_ERROR_STATE,
                   "%s: solver \"%s\" is at work; call it after %s has returned", call,
                   solver->method->row.name,
                   solver->method->row.global ? "nsds_global_solve()" : "nsds_solve()");
}

nsds_status nsds_solver_check_kind(const nsds_solver *solver, bool global, const char *call) {
  if (NSDS_LIKELY(solver->method->row.global == global)) return NSDS_OK;
  return nsds_fail(
      solver->context, NSDS_ERROR_ARGUMENT, "%s: solver \"%s\" takes %s; give one of %s", call,
      solver->method->row.name,
      global ? "local problems, by nsds_solve()" : "global problems, by nsds_global_solve()",
      global ? "global problems, such as \"global\"" : "local problems, such as \"auto\"");
}

void nsds_solver_lend(nsds_solver *solver) { solver->lent = solver->by_terms = true; }

nsds_status nsds_solver_give_inner(nsds_solver *solver, const nsds_method *method) {
  nsds_solver *inner = nsds_solver_new(solver->context, method, NULL);
  if (!inner) return nsds_error(solver->context);
  nsds_solver_lend(inner);
  nsds_solver_free(solver->inner);
  solver->inner = inner;
  return NSDS_OK;
}

/* ---- a run ---- */

nsds_status nsds_reserve_certifier(nsds_solver *solver, const nsds_problem *problem) {
  nsds_toolbox *toolbox = solver->toolbox;
  size_t scale = solver->by_terms ? 0 : (size_t)problem->n;
  return NSDS_ENSURE_NEW(solver->context, toolbox->certify_work, toolbox->certify_capacity,
                         nsds_problem_work(problem) + scale);
}

/* Reserves for verdicts by the scale of the data. Few rows get all that they may need. More rows
 * reserve for proofs and pairs when these are first needed. */
static nsds_status reserve_judge(nsds_solver *solver, const nsds_problem *problem) {
  enum { few = 64 };
  nsds_toolbox *t = solver->toolbox;
  if (!solver->owns_toolbox || problem->n == 0) return NSDS_OK;
  if (problem->n > few) return NSDS_OK;
  if (!t->search) t->search = NSDS_NEW(solver->context, nsds_proof);
  if (!t->search) return NSDS_ERROR_MEMORY;
  nsds_status status = nsds_pair_reserve(solver, problem);
  return status ? status : nsds_proof_reserve(t->search, solver, problem);
}

/* Returns true if a method failed because a limit of time or memory did not allow more. */
static bool has_exceeded(const nsds_solver *solver, nsds_status status) {
  return status == NSDS_ERROR_SINGULAR && solver->toolbox->allowance.exceeded;
}

/* Sets the outcome after such a failure: NSDS_REFUSED, so that "auto" goes on with another method.
 * The user's call ends with NSDS_INTERRUPTED if time was short. */
static void say_exceeded(nsds_solver *solver, nsds_solver_info *info) {
  nsds_allowance *a = &solver->toolbox->allowance;
  bool unsolved = info->outcome != NSDS_SOLVED && info->outcome != NSDS_NO_SOLUTION;
  if (a->exceeded && unsolved) info->outcome = NSDS_REFUSED;
  if (a->late && unsolved && solver->owns_toolbox) info->outcome = NSDS_INTERRUPTED;
  nsds_allowance_forgive(a);
}

nsds_status nsds_solver_prepare(nsds_solver *solver, const nsds_problem *problem) {
  unsigned long failures = nsds_failures(solver->context);
  solver->toolbox->sets = nsds_sets_present(problem);
  nsds_status status = nsds_reserve_certifier(solver, problem);
  if (!status && !solver->by_terms) status = reserve_judge(solver, problem);
  if (!status) status = solver->method->reserve(solver, problem);
  if (has_exceeded(solver, status)) status = NSDS_OK; /* the solve will report it */
  nsds_allowance_forgive(&solver->toolbox->allowance);
  return nsds_solver_shortage(solver, failures, status);
}

static bool accepts(const nsds_method *method, unsigned sets, const nsds_problem *problem) {
  return !(sets & ~method->row.sets) && ((unsigned)problem->M.storage & method->row.storages);
}

/* Removes rounding from an answer that fails, if the certificate improves. */
static void try_without_noise(nsds_solver *solver, const nsds_problem *problem, double *z,
                              nsds_solver_info *info) {
  nsds_toolbox *toolbox = solver->toolbox;
  double *clean = toolbox->scratch;
  int worst;
  if ((size_t)problem->n > toolbox->scratch_capacity) return;
  if (!nsds_remove_noise(problem, toolbox->certify_work, z, clean)) return;
  double now = nsds_solver_residual(solver, problem, clean, &worst);
  if (now < info->residual) {
    info->residual = now;
    info->worst_block = worst;
    memcpy(z, clean, (size_t)problem->n * sizeof *z);
  } else nsds_solver_residual(solver, problem, z, NULL);
}

/* Sets z = 0 if that solves the problem. If q is zero or rounding, a residual relative to z would
 * never become small. */
static bool try_zero(nsds_solver *solver, const nsds_problem *problem, double *z,
                     nsds_solver_info *info) {
  const double *q = problem->q, *error = problem->q_error;
  if (problem->n == 0) return false;
  for (int a = 0, row = 0; a < problem->nblock; row += problem->block[a++].size)
    if (!nsds_set_zero_solves(&problem->block[a], q + row, error ? error + row : NULL))
      return false;
  memset(z, 0, (size_t)problem->n * sizeof *z);
  info->residual = nsds_solver_residual(solver, problem, z, &info->worst_block);
  nsds_toolbox_vouch(solver->toolbox, info->residual <= solver->value[OPTION_TOLERANCE]);
  return solver->toolbox->certified;
}

nsds_status nsds_solver_run(nsds_solver *solver, const nsds_problem *problem, double *z,
                            unsigned known, nsds_solver_info *info) {
  const nsds_method *method = solver->method;
  nsds_toolbox *toolbox = solver->toolbox;
  nsds_info_open(info, method->row.name, 0);
  if (toolbox->by_scale) nsds_info_open_scale(info);
  info->residual = INFINITY;
  info->worst_block = -1;
  bool stage = known & NSDS_RUN_STAGE;
  nsds_status status = stage ? NSDS_OK : nsds_reserve_certifier(solver, problem);
  if (NSDS_UNLIKELY(status)) return status;
  nsds_toolbox_vouch(toolbox, false);
  if (NSDS_UNLIKELY(!accepts(method, toolbox->sets, problem))) {
    info->outcome = NSDS_REFUSED;
  } else {
    /* also if z = 0 solves, so that memory is reserved early */
    if (!(known & NSDS_RUN_RESERVED)) status = method->reserve(solver, problem);
    if (!status && (stage || !try_zero(solver, problem, z, info)))
      status = method->solve(solver, problem, z, info);
    if (has_exceeded(solver, status)) {
      nsds_make_finite(z, problem->n);
      status = NSDS_OK;
    }
    if (NSDS_UNLIKELY(status)) return status;
  }
  if (!toolbox->certified)
    info->residual = nsds_solver_residual(solver, problem, z, &info->worst_block);
  if (!toolbox->certified && !(info->residual <= solver->value[OPTION_TOLERANCE]))
    try_without_noise(solver, problem, z, info);
  status = nsds_solver_judge(solver, problem, z, info);
  say_exceeded(solver, info);
  return status;
}

nsds_status nsds_solver_run_inner(nsds_solver *inner, const nsds_problem *problem, double *z,
                                  nsds_solver_info *info) {
  nsds_toolbox *toolbox = inner->toolbox;
  unsigned sets = toolbox->sets;
  bool by_scale = toolbox->by_scale;
  toolbox->sets = nsds_sets_present(problem);
  toolbox->by_scale = false;
  nsds_status status = nsds_solver_run(inner, problem, z, 0, info);
  toolbox->sets = sets;
  toolbox->by_scale = by_scale;
  toolbox->scale = NULL; /* it lay in the certifier's work */
  nsds_toolbox_vouch(toolbox, false);
  return status;
}

uint64_t nsds_private_stamp(nsds_toolbox *toolbox) { return UINT64_MAX - toolbox->stamps_issued++; }
