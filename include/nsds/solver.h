/**
 * @file solver.h
 * @brief Solvers of the nonsmooth problem: the table, instances with kept workspace, outcomes.
 *
 * A row of the table describes a solver: name, accepted problems, options. An instance of the row
 * holds workspace, last active set and factors. A sequence of related problems is therefore
 * solved without allocation. The default, "auto", chooses by size, sets and storage, certifies
 * every answer, falls through to the next candidate, and reports its path.
 */
#ifndef NSDS_SOLVER_H
#define NSDS_SOLVER_H

#include <nsds/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Mathematical outcome of a solve, apart from the status of the call. */
typedef enum nsds_outcome {
  NSDS_SOLVED = 0, /**< certified residual below the tolerance */
  NSDS_NOT_CONVERGED =
      1,                /**< iteration limit, cycling or a singular pivot; best iterate returned */
  NSDS_NO_SOLUTION = 2, /**< shown to have none (within the class the method can decide) */
  NSDS_RAY = 3,         /**< Lemke ended on a secondary ray: no solution for copositive-plus M */
  NSDS_REFUSED = 4,     /**< sets or storage not accepted by this method */
  NSDS_INTERRUPTED = 5  /**< time limit or user function */
} nsds_outcome;

/** Text of an outcome; never NULL. */
NSDS_API const char *nsds_outcome_text(nsds_outcome outcome);

/** Report of one solve. */
typedef struct nsds_solver_info {
  const char *solver;   /**< method that produced the answer; a static string, or the
                             name given to nsds_solver_register() */
  nsds_outcome outcome; /**< what was found */
  int iterations;       /**< of that method: pivots, sweeps or Newton steps */
  double residual;      /**< certified scale-free residual, see ::nsds_certificate */
  int worst_block;      /**< block with the largest residual, -1 if n = 0 */
  int worst_row;        /**< of an answer that is refused: the row that fails, see
                             ::nsds_certificate; else -1 */
  double worst_error;   /**< of that row: its error, */
  double worst_scale;   /**< and the terms that it is measured against */
  int factorizations;   /**< numeric factorisations made in this call */
  int tried;            /**< methods tried by "auto", 1 otherwise */
  char path[192]; /**< "auto" only: methods tried with their outcome, "a:not converged > b"; empty
                             where the first method answered */
} nsds_solver_info;

/** Called once per iteration of an iterative method; nonzero interrupts the solve. */
typedef int (*nsds_progress_fn)(int iteration, double residual, void *user);

/** Named option of a solver. */
typedef struct nsds_option {
  const char *name;     /**< "tolerance", "max_iterations", ... */
  const char *unit;     /**< "1" when dimensionless, "integer" for counts and
                             choices: whole numbers */
  const char *help;     /**< one sentence */
  double default_value; /**< value of a fresh instance */
  double min;           /**< smallest valid value */
  double max;           /**< largest valid value */
} nsds_option;

/** Description of a method: a row of the table. */
typedef struct nsds_solver_row {
  const char *name;          /**< identifier */
  const char *summary;       /**< one sentence: what it does and when to use it */
  const char *reference;     /**< where the method is described */
  unsigned sets;             /**< accepted ::nsds_set_kind bits */
  unsigned storages;         /**< accepted ::nsds_storage bits */
  const nsds_option *option; /**< options, ended by a NULL name */
  bool global;               /**< takes global problems (nsds/global.h), and no others */
  bool inner; /**< solves a local problem by another solver, its inner one; `sets` are
                                  those of the inner solver then */
} nsds_solver_row;

/**
 * Row k of the table of built-in solvers, NULL past the end. Row 0 is "auto". The solvers of local
 * problems, for nsds_solve(), come first; those of global problems, for nsds_global_solve(),
 * follow. nsds_solver_registered() lists the solvers that are registered in a context.
 */
NSDS_API const nsds_solver_row *nsds_solver_table(int k);

/** An instance: method, option values, workspace, kept factors and last solution pattern. */
typedef struct nsds_solver nsds_solver;

/**
 * Creates an instance of a built-in solver or of one registered in this context
 * (nsds_solver_register()); name NULL means "auto". "OUTER/INNER" names the inner solver too, as in
 * "global_reduction/nsgs"; without it the inner solver is "auto". Unknown names list the known
 * ones.
 */
NSDS_API nsds_solver *nsds_solver_create(nsds_context *context, const char *name);

/**
 * Frees an instance; NULL is allowed. Refused, with NSDS_ERROR_STATE recorded, for the solver of a
 * simulation and for those inside other solvers, which their owners free. While an instance is at
 * work all calls that change or use it, this one too, are refused.
 */
NSDS_API void nsds_solver_destroy(nsds_solver *solver);

/** The row the instance was made from. */
NSDS_API const nsds_solver_row *nsds_solver_get_row(const nsds_solver *solver);

/**
 * The inner solver, for you to set its options; NULL (and an error) where the row has no `inner`.
 * The outer solver gives it progress function, tolerance and time limit, and frees it.
 */
NSDS_API nsds_solver *nsds_solver_inner(nsds_solver *solver);

/** Sets a named option within its limits; an unknown name or bad value is an error naming both. */
NSDS_API nsds_status nsds_solver_set(nsds_solver *solver, const char *option, double value);

/** Value of a named option, NaN (and an error) if there is none. */
NSDS_API double nsds_solver_get(const nsds_solver *solver, const char *option);

/** Sets the progress function; NULL removes it. */
NSDS_API void nsds_solver_set_progress(nsds_solver *solver, nsds_progress_fn progress, void *user);

/**
 * Reserves workspace for problems of up to this size and sparsity. A later solve of such a
 * problem allocates nothing, except in the first factorization of a sparse pattern. "auto"
 * reserves for its first choice and for cheap fallbacks. Expensive fallbacks reserve once, when
 * their turn comes. nsds_solve() calls this function when needed.
 */
NSDS_API nsds_status nsds_solver_reserve(nsds_solver *solver, const nsds_problem *problem);

/**
 * Solves a local problem. z (length n) holds the starting point on entry and the best iterate on
 * return. w (length n) holds M z + q on return. info may be NULL. A solver of global problems is
 * refused (NSDS_ERROR_ARGUMENT).
 *
 * Returns NSDS_OK when the answer is certified, else NSDS_ERROR_SOLVER with the outcome in info.
 * The context records no error in that case, because an unsolved problem is an answer, and you
 * decide. Other errors are NSDS_ERROR_MEMORY, NSDS_ERROR_ARGUMENT, and NSDS_ERROR_SIZE if M.n
 * differs from n. Call nsds_problem_check() to check everything else.
 */
NSDS_API nsds_status nsds_solve(nsds_solver *solver, const nsds_problem *problem, double *z,
                                double *w, nsds_solver_info *info);

/**
 * A proof that the last problem has no solution, for nsds_certify_no_solution(): as many numbers as
 * it had rows. NULL if none was found. "auto" looks for a proof in problems of up to 300 rows, if
 * its methods fail or find reactions out of proportion to the load. The outcome is then
 * NSDS_NO_SOLUTION. Valid until the next solve.
 */
NSDS_API const double *nsds_solver_proof(const nsds_solver *solver);

/**
 * Called with each solution that nsds_enumerate() finds, z and w = M z + q of length n, which are
 * lent for the time of the call. Nonzero ends the enumeration.
 */
typedef int (*nsds_solution_fn)(const double *z, const double *w, void *user);

/** Report of an enumeration. */
typedef struct nsds_enumeration {
  /**
   * NSDS_SOLVED: at least one solution. NSDS_NO_SOLUTION: every basis fails clearly, the singular
   * ones with their whole face. NSDS_NOT_CONVERGED: none found, but a singular basis or one within
   * rounding of a solution leaves it open. NSDS_REFUSED: other sets, or more bases than option
   * "most_bases". NSDS_INTERRUPTED: by the clock, the progress function or `visit`.
   */
  nsds_outcome outcome;
  double bases;  /**< complementary bases that the problem has */
  int tried;     /**< of them tried */
  int singular;  /**< of them singular, with a face that is not empty */
  int solutions; /**< solutions visited */
} nsds_enumeration;

/**
 * Visits all solutions of a problem with equality, nonnegative and box rows. Each row has
 *
 *     z_i = l_i,  w_i >= 0     or     z_i = u_i,  w_i <= 0     or     w_i = 0,  l_i <= z_i <= u_i
 *
 * (equality rows only w_i = 0); every choice for all rows, a complementary basis, is one linear
 * system for the z_i that are not at a bound. A regular basis gives one point. A singular basis
 * gives a face of points, {M_BB z_B = -q_B - M_BN z_N, z_B within its bounds, w_N of the right
 * signs}; the point of least norm is taken. Points that the certifier accepts at the solver's
 * tolerance are visited, each once, also where several bases lead to it.
 *
 * `solver` was created as "enumeration"; its options tolerance, time_limit and most_bases and its
 * progress function apply. `visit` and `report` may be NULL; `user` is handed to `visit`, which
 * must not use the solver. Memory: solutions where z_i is at a bound and w_i = 0 are kept during
 * the call, to be visited once.
 *
 * Returns NSDS_OK when at least one solution was visited and nothing interrupted. Otherwise
 * returns NSDS_ERROR_SOLVER with the outcome in the report, and the context records no error.
 * Other errors are NSDS_ERROR_ARGUMENT and NSDS_ERROR_MEMORY. The problem is not checked again
 * here.
 */
NSDS_API nsds_status nsds_enumerate(nsds_solver *solver, const nsds_problem *problem,
                                    nsds_solution_fn visit, void *user, nsds_enumeration *report);

#ifdef __cplusplus
}
#endif
#endif
