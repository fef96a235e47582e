/*
 * User solvers, see nsds/extend_solver.h. Each registration attaches a method to the context; its
 * operations call those of the user. Descriptions are checked at registration, results after every
 * call.
 */
#include <nsds/extend_solver.h>

#include "numerics/user_solver.h"

#include "base/context.h"
#include "base/finite.h"
#include "numerics/linear/with_y.h"
#include "numerics/methods.h"
#include "numerics/solver_internal.h"
#include "numerics/solver_tools.h"

typedef struct user_state {
  void *self;
  bool created;
  nsds_with_y with_y;
} user_state;

static const nsds_solver_ops *ops_of(const nsds_solver *solver) {
  return ((const nsds_registered *)solver->method)->ops;
}

/* ---- operations of the method ---- */

/* Returns the status of the call for the status that the user's operation returned. */
static nsds_status user_solver_judge(nsds_solver *solver, const char *operation,
                                     nsds_status status) {
  nsds_context *context = solver->context;
  if (status == NSDS_OK) return NSDS_OK;
  bool failure = status < 0 && status >= NSDS_ERROR_INTEGRATION && status != NSDS_ERROR_SOLVER;
  nsds_status result = failure ? status : NSDS_ERROR_CALLBACK;
  if (nsds_error(context) == NSDS_OK)
    nsds_fail(context, result, "solver \"%s\": %s returned %d: %s", ops_of(solver)->name, operation,
              (int)status, nsds_status_text(status));
  return result;
}

static nsds_status user_solver_create(nsds_solver *solver) {
  const nsds_solver_ops *ops = ops_of(solver);
  user_state *state = solver->state;
  state->self = ops->create ? NULL : ops->user;
  nsds_status status = NSDS_OK;
  if (ops->create)
    status =
        user_solver_judge(solver, "create", ops->create(ops->user, solver->context, &state->self));
  state->created = status == NSDS_OK;
  return status;
}

static void user_solver_release(nsds_solver *solver) {
  user_state *state = solver->state;
  if (state->created && ops_of(solver)->destroy) ops_of(solver)->destroy(state->self);
  nsds_with_y_release(&state->with_y);
}

static nsds_status user_solver_reserve(nsds_solver *solver, const nsds_problem *problem) {
  const nsds_solver_ops *ops = ops_of(solver);
  user_state *state = solver->state;
  nsds_status status = nsds_solver_scratch(solver, (size_t)problem->n); /* for the certificate */
  const nsds_problem *given = nsds_give_y(solver->context, &state->with_y, problem);
  if (status || !given) return status ? status : NSDS_ERROR_MEMORY;
  return ops->reserve ? user_solver_judge(solver, "reserve", ops->reserve(state->self, given))
                      : NSDS_OK;
}

static bool is_outcome(nsds_outcome outcome) {
  return outcome >= NSDS_SOLVED && outcome <= NSDS_INTERRUPTED;
}

static nsds_status user_solver_solve(nsds_solver *solver, const nsds_problem *problem, double *z,
                                     nsds_solver_info *info) {
  const nsds_solver_ops *ops = ops_of(solver);
  user_state *state = solver->state;
  const nsds_problem *given = nsds_give_y(solver->context, &state->with_y, problem);
  if (!given) return NSDS_ERROR_MEMORY;
  nsds_solver_task task = {.problem = given,
                           .tolerance = solver->value[OPTION_TOLERANCE],
                           .max_iterations = nsds_iteration_limit(solver, 0),
                           .option = solver->value + OPTION_FIRST_OWN,
                           .solver = solver,
                           .outcome = NSDS_NOT_CONVERGED};
  nsds_make_finite(z, problem->n);
  nsds_status status = user_solver_judge(solver, "solve", ops->solve(state->self, &task, z));
  if (nsds_first_nonfinite(z, problem->n) >= 0) memset(z, 0, (size_t)problem->n * sizeof *z);
  info->outcome = is_outcome(task.outcome) ? task.outcome : NSDS_NOT_CONVERGED;
  info->iterations = task.iterations;
  info->factorizations = task.factorizations;
  return status;
}

bool nsds_solver_stop(nsds_solver_task *task, int iteration, double residual) {
  if (!task || !task->solver || !nsds_solver_interrupted(task->solver, iteration, residual))
    return false;
  task->outcome = NSDS_INTERRUPTED;
  return true;
}

/* ---- registration ---- */

_Static_assert(OPTION_FIRST_OWN + NSDS_SOLVER_OPTIONS <= nsds_option_count, "room for the options");

static const nsds_option common[] = {
    NSDS_COMMON_OPTIONS(0.0, "largest number of iterations; 0: as the solver thinks fit")};

static nsds_status check_name(nsds_context *context, const char *name) {
  static const char call[] = "nsds_solver_register";
  if (!name) return nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: name of the solver is NULL", call);
  if (!name[0])
    return nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: name of the solver is empty; give it one",
                     call);
  if (strlen(name) > NSDS_SOLVER_NAME)
    return nsds_fail(context, NSDS_ERROR_ARGUMENT,
                     "%s: name \"%.*s...\" has %zu characters; valid are 1..%d", call,
                     NSDS_SOLVER_NAME, name, strlen(name), NSDS_SOLVER_NAME);
  if (strchr(name, '/'))
    return nsds_fail(
        context, NSDS_ERROR_ARGUMENT,
        "%s: name \"%s\" has a slash, behind which inner solvers stand; give one without it", call,
        name);
  if (nsds_method_named(context, name))
    return nsds_fail(context, NSDS_ERROR_ARGUMENT,
                     "%s: there is a solver \"%s\" already; give it another name", call, name);
  return NSDS_OK;
}

static nsds_status check_bits(nsds_context *context, const nsds_solver_ops *ops, const char *field,
                              unsigned bits, unsigned valid) {
  if (bits != 0 && !(bits & ~valid)) return NSDS_OK;
  return nsds_fail(context, NSDS_ERROR_ARGUMENT,
                   "nsds_solver_register: %ss of solver \"%s\" is %#x; valid are bits of nsds_%s, "
                   "one at least, within %#x",
                   field, ops->name, bits, field, valid);
}

static nsds_status add_option(nsds_context *context, nsds_registered *user, int count,
                              const nsds_option *o) {
  const char *name = user->ops->name;
  if (count == OPTION_FIRST_OWN + NSDS_SOLVER_OPTIONS)
    return nsds_fail(
        context, NSDS_ERROR_ARGUMENT,
        "nsds_solver_register: solver \"%s\" has more than %d options of its own; give it fewer",
        name, NSDS_SOLVER_OPTIONS);
  for (int k = 0; k < count; ++k)
    if (strcmp(user->option[k].name, o->name) == 0)
      return nsds_fail(
          context, NSDS_ERROR_ARGUMENT,
          "nsds_solver_register: solver \"%s\" has two options \"%s\"%s; give them different names",
          name, o->name, k < OPTION_FIRST_OWN ? "; every solver has this one" : "");
  if (!o->name[0] || !o->unit || !o->help)
    return nsds_fail(context, NSDS_ERROR_ARGUMENT,
                     "nsds_solver_register: option %d (\"%s\") of solver \"%s\": %s",
                     count - OPTION_FIRST_OWN, o->name, name,
                     !o->name[0] ? "its name is empty"
                     : !o->unit  ? "unit is NULL"
                                 : "help is NULL");
  if (!(o->min <= o->default_value && o->default_value <= o->max))
    return nsds_fail(context, NSDS_ERROR_VALUE,
                     "nsds_solver_register: option \"%s\" of solver \"%s\" has default %g outside "
                     "of %g..%g; give one within",
                     o->name, name, o->default_value, o->min, o->max);
  user->option[count] = *o;
  return NSDS_OK;
}

static nsds_status add_options(nsds_context *context, nsds_registered *user) {
  nsds_status status = NSDS_OK;
  int count = OPTION_FIRST_OWN;
  memcpy(user->option, common, sizeof common);
  for (const nsds_option *o = user->ops->option; o && o->name && !status; ++o)
    status = add_option(context, user, count++, o);
  return status;
}

static void detach(nsds_context *context, void *object) { nsds_release(context, object); }

nsds_status nsds_solver_register(nsds_context *context, const nsds_solver_ops *ops) {
  if (!context) return nsds_fail_null(NULL, "nsds_solver_register", "context");
  if (!ops) return nsds_fail_null(context, "nsds_solver_register", "ops");
  nsds_status status = nsds_check_hook(context, "nsds_solver_register");
  if (!status) status = nsds_check_reserved(context, "nsds_solver_register", "", NSDS_TAIL(ops));
  if (!status) status = check_name(context, ops->name);
  if (!status && !ops->solve)
    status = nsds_fail(context, NSDS_ERROR_ARGUMENT,
                       "nsds_solver_register: operation solve of solver \"%s\" is NULL", ops->name);
  if (!status) status = check_bits(context, ops, "set", ops->sets, nsds_all_sets);
  if (!status) status = check_bits(context, ops, "storage", ops->storages, nsds_all_storages);
  if (status) return status;
  nsds_registered *user = NSDS_NEW(context, nsds_registered);
  if (!user) return NSDS_ERROR_MEMORY;
  user->ops = ops;
  user->method = (nsds_method){.row = {.name = ops->name,
                                       .summary = ops->summary ? ops->summary : "",
                                       .reference = ops->reference ? ops->reference : "",
                                       .sets = ops->sets,
                                       .storages = ops->storages,
                                       .option = user->option},
                               .state_size = sizeof(user_state),
                               .create = user_solver_create,
                               .reserve = user_solver_reserve,
                               .solve = user_solver_solve,
                               .release = user_solver_release};
  status = add_options(context, user);
  if (status) {
    nsds_release(context, user);
    return status;
  }
  user->attachment =
      (nsds_attachment){.kind = &nsds_registered_kind, .object = user, .destroy = detach};
  nsds_attach(context, &user->attachment);
  return NSDS_OK;
}
