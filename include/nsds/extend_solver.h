/**
 * @file extend_solver.h
 * @brief The vtable of your own solver, and its registration in a context.
 *
 * You make, set and call a registered solver like a built-in one. nsds_solver_create() finds the
 * solver by its name, and its options have units and ranges. The library calls it only for problems
 * with sets and storages that it declares. Independent code certifies every answer, and the
 * certificate alone decides between "solved" and "not converged".
 */
#ifndef NSDS_EXTEND_SOLVER_H
#define NSDS_EXTEND_SOLVER_H

#include <nsds/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Limits of your own solver. */
enum {
  NSDS_SOLVER_NAME = 63,  /**< most characters of its name */
  NSDS_SOLVER_OPTIONS = 5 /**< most options beside tolerance, time_limit and max_iterations */
};

/** One solve, lent to nsds_solver_ops::solve for the time of the call. */
typedef struct nsds_solver_task {
  const nsds_problem *problem; /**< the problem to solve; the solver has declared its sets and
                                    storage */
  double tolerance;            /**< scale-free residual of a solved problem, see nsds_certify() */
  int max_iterations;          /**< iterations allowed; 0: the solver decides */
  const double *option;        /**< values of the solver's own options, in the order of
                             nsds_solver_ops::option */
  nsds_solver *solver;         /**< the instance, for nsds_solver_stop() */
  /**
   * NSDS_NOT_CONVERGED before the call. The solver may write why there is no answer:
   * NSDS_NO_SOLUTION, NSDS_RAY. The certificate alone decides if the problem is solved; if so, this
   * field does not count. NSDS_REFUSED means that nothing was tried, and always counts.
   */
  nsds_outcome outcome;
  int iterations;     /**< written by the solver: iterations made; comes as 0 */
  int factorizations; /**< written by the solver: numeric factorizations made; comes as 0 */
} nsds_solver_task;

/**
 * A solver of your own. An operation that fails returns a status < 0, and the call in progress
 * returns this status too. The operation may record a message by nsds_report(). Otherwise the
 * library's message names solver and operation. A problem that could not be solved is not a
 * failure.
 */
typedef struct nsds_solver_ops {
  const char
      *name; /**< identifier, 1 to ::NSDS_SOLVER_NAME characters without a slash, not yet taken */
  const char *summary;       /**< one sentence: what it does and when to use it; may be NULL */
  const char *reference;     /**< where the method is described; may be NULL */
  unsigned sets;             /**< accepted ::nsds_set_kind bits, at least one */
  unsigned storages;         /**< accepted ::nsds_storage bits, at least one */
  const nsds_option *option; /**< own options, ended by a NULL name; may be NULL */
  void *user;                /**< passed to create */
  /** Makes the workspace of an instance and writes its pointer to *self, which comes as NULL. May
   *  be NULL: self is `user`. */
  nsds_status (*create)(void *user, nsds_context *context, void **self);
  /** Frees the workspace; not called if create failed. May be NULL. */
  void (*destroy)(void *self);
  /**
   * Grows the workspace for problems of this shape. Called right before every solve, so it must
   * return at once when nothing grows. May be NULL.
   */
  nsds_status (*reserve)(void *self, const nsds_problem *problem);
  /**
   * On entry z (length n) holds the start; all entries are finite. On return z holds the best point
   * found; the library replaces a z that is not finite by zeros. The library does not call this if
   * z = 0 solves the problem. The operation must not solve with the instance itself.
   */
  nsds_status (*solve)(void *self, nsds_solver_task *task, double *z);
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_solver_ops;

/**
 * Registers a solver in a context: nsds_solver_create() in this context knows it from now on. `ops`
 * and everything it points to are not copied and must outlive the context. This function checks all
 * fields; a failure names the field and its value. You cannot use the name of a built-in solver, or
 * of a solver registered before.
 */
NSDS_API nsds_status nsds_solver_register(nsds_context *context, const nsds_solver_ops *ops);

/**
 * Row k of the solvers registered in this context, in the order of their registration; NULL past
 * the end. Options include the options that every solver has. nsds_solver_table() lists the
 * built-in solvers.
 */
NSDS_API const nsds_solver_row *nsds_solver_registered(const nsds_context *context, int k);

/**
 * Call this once per iteration. Returns true if the time limit or the progress function wants the
 * solve to end. The outcome is then NSDS_INTERRUPTED; let your solver return the best point it has.
 * `residual` goes to the progress function: the residual of the best point so far, or NaN if you do
 * not know it.
 */
NSDS_API bool nsds_solver_stop(nsds_solver_task *task, int iteration, double residual);

#ifdef __cplusplus
}
#endif
#endif
