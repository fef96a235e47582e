/**
 * @file solver.h
 * @brief Solvers of the nonsmooth problem: the table, instances with kept workspace, outcomes.
 *
 * A row of the table describes a solver: name, accepted problems, options. An instance of the row
 * holds workspace, last active set and factors, so a sequence of related problems is solved without
 * allocation. The default, "auto", chooses a method by size, sets and storage. "auto" certifies
 * every answer, tries the next method if one fails, and reports its path.
 */
#ifndef NSDS_SOLVER_H
#define NSDS_SOLVER_H

#include <nsds/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Mathematical outcome of a solve, apart from the status of the call. */
typedef enum nsds_outcome {
  NSDS_SOLVED = 0, /**< certified: the residual is at most the tolerance, the violation at most
                        nsds_violation_limit() */
  NSDS_NOT_CONVERGED =
      1,                /**< iteration limit, cycling or a singular pivot; best iterate returned */
  NSDS_NO_SOLUTION = 2, /**< there is no solution: a checked proof shows it, see
                             nsds_solver_proof(), or all bases of a small problem fail, or a set
                             is empty */
  NSDS_RAY = 3,         /**< Lemke ended on a secondary ray, and no proof is known; "auto" says
                             NSDS_NOT_CONVERGED */
  NSDS_REFUSED = 4,     /**< sets or storage not accepted by this method */
  NSDS_INTERRUPTED = 5  /**< time limit or user function */
} nsds_outcome;

/** Text of an outcome; never NULL. */
NSDS_API const char *nsds_outcome_text(nsds_outcome outcome);

/** Report of one solve. */
typedef struct nsds_solver_info {
  const char *solver;   /**< method that produced the answer; a static string, or the
                             name given to nsds_solver_register() */
  nsds_outcome outcome; /**< outcome of the solve */
  int iterations;       /**< pivots, sweeps or Newton steps of that method */
  double residual;      /**< certified scale-free residual, see ::nsds_certificate */
  int worst_block;      /**< block with the largest residual, -1 if n = 0 */
  int worst_row;        /**< if the answer is refused: the row that fails, see ::nsds_certificate;
                             else -1 */
  double worst_error;   /**< error of this row */
  double worst_scale;   /**< size of the terms of this row, to which the error is compared */
  int factorizations;   /**< numeric factorizations made in this call */
  int tried;            /**< methods tried by "auto", 1 otherwise */
  char path[192]; /**< "auto" only: methods tried with their outcome, "a:not converged > b"; empty
                       if the first method answered */
  /**
   * Violation of the laws by the answer z + low (nsds_solver_low()), relative to the scale of the
   * data, see nsds_certificate::violation. "Solved" means that this is at most
   * nsds_violation_limit(), and `residual` at most the tolerance. If an upper bound is enough for
   * that, `violation` is the bound; nsds_certify() tells more. In steps of simulations the tolerance
   * applies to `residual`, and `violation` is 0 unless it was needed.
   */
  double violation;
  double violation_rounded; /**< violation of z without its low part */
  double reaction;          /**< largest reaction beside the load, d_i |z_i| / s_i, or a bound */
  int violation_block;      /**< block that decides, -1 if n = 0 or unknown */
  bool
      within_q_error; /**< solved within the error of q: q_error explains more than the tolerance */
  double proof_reach; /**< with a proof that there is no solution: none has reactions below this
                            multiple of the load; otherwise 0 */
} nsds_solver_info;

/** Called once per iteration of an iterative method; nonzero interrupts the solve. */
typedef int (*nsds_progress_fn)(int iteration, double residual, void *user);

/** Named option of a solver. */
typedef struct nsds_option {
  const char *name;     /**< "tolerance", "max_iterations", ... */
  const char *unit;     /**< "1" if dimensionless, "integer" for counts and choices: whole
                             numbers */
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
  bool global;               /**< takes global problems (nsds/global.h) only */
  bool inner; /**< solves a local problem by another solver, the inner solver; `sets` are then those
                   of the inner solver */
} nsds_solver_row;

/**
 * Row k of the table of built-in solvers, NULL past the end. Row 0 is "auto". The solvers of local
 * problems, for nsds_solve(), come first. The solvers of global problems, for nsds_global_solve(),
 * follow. nsds_solver_registered() lists the solvers that are registered in a context.
 */
NSDS_API const nsds_solver_row *nsds_solver_table(int k);

/** An instance: method, option values, workspace, kept factors and last solution pattern. */
typedef struct nsds_solver nsds_solver;

/**
 * Creates an instance of a built-in solver, or of a solver that nsds_solver_register() registered
 * in this context. NULL means "auto". "OUTER/INNER" names the inner solver too, as in
 * "global_reduction/nsgs"; without a slash the inner solver is "auto". If the name is unknown, the
 * message lists the known names.
 */
NSDS_API nsds_solver *nsds_solver_create(nsds_context *context, const char *name);

/**
 * Frees an instance; NULL is allowed. The solver of a simulation and the inner solver of another
 * solver belong to their owners: for these the call is refused and records NSDS_ERROR_STATE. While
 * an instance is solving, all calls that change, use or free it are refused.
 */
NSDS_API void nsds_solver_destroy(nsds_solver *solver);

/** The row of the table from which the instance was made. */
NSDS_API const nsds_solver_row *nsds_solver_get_row(const nsds_solver *solver);

/**
 * The inner solver, so that you can set its options. NULL (and an error) if the row has no `inner`.
 * The outer solver gives the inner solver its progress function, tolerance and time limit, and
 * frees it.
 */
NSDS_API nsds_solver *nsds_solver_inner(nsds_solver *solver);

/** Sets a named option within its limits; if the name is unknown or the value bad, the message
 *  names both. */
NSDS_API nsds_status nsds_solver_set(nsds_solver *solver, const char *option, double value);

/** Value of a named option, NaN (and an error) if there is none. */
NSDS_API double nsds_solver_get(const nsds_solver *solver, const char *option);

/** Sets the progress function; NULL removes it. */
NSDS_API void nsds_solver_set_progress(nsds_solver *solver, nsds_progress_fn progress, void *user);

/**
 * Reserves workspace for problems of up to this size and sparsity. A later solve of such a problem
 * allocates nothing, except in the first factorization of a sparse pattern. "auto" reserves for the
 * method it tries first and for cheap methods after it. Expensive methods reserve once, when "auto"
 * first needs them. nsds_solve() calls this function when needed.
 */
NSDS_API nsds_status nsds_solver_reserve(nsds_solver *solver, const nsds_problem *problem);

/**
 * Solves a local problem. On entry z (length n) holds the starting point. On return z holds the
 * best iterate, and w (length n) holds M z + q. info may be NULL. A solver of global problems is
 * refused (NSDS_ERROR_ARGUMENT).
 *
 * Returns NSDS_OK when the answer is certified, else NSDS_ERROR_SOLVER with the outcome in info.
 * The context records no error in that case: an unsolved problem is a result, and you decide what
 * to do. Other errors are NSDS_ERROR_MEMORY, NSDS_ERROR_ARGUMENT, and NSDS_ERROR_SIZE if M.n
 * differs from n. Call nsds_problem_check() to check everything else.
 */
NSDS_API nsds_status nsds_solve(nsds_solver *solver, const nsds_problem *problem, double *z,
                                double *w, nsds_solver_info *info);

/**
 * A proof that the last problem has no solution, for nsds_certify_no_solution(): one number for
 * each row of the problem. NULL if no proof was found. "auto" looks for a proof in problems of up
 * to 300 rows, if its methods fail or find reactions out of proportion to the load. With a proof
 * the outcome is NSDS_NO_SOLUTION. The pointer is valid until the next solve.
 */
NSDS_API const double *nsds_solver_proof(const nsds_solver *solver);

/**
 * The low part of the last answer: the solution is z + low, and z is its rounding. NULL if low is
 * zero. The answer has a low part where reactions are so large that rounding of z alone would
 * violate the laws. The pointer is valid until the next solve.
 */
NSDS_API const double *nsds_solver_low(const nsds_solver *solver);

/**
 * Judges an answer from elsewhere at the solver's tolerance, as nsds_solve() judges that of a method.
 * z may be refined on its active set, see nsds_solver_low(). Writes w and info; returns
 * the same statuses as nsds_solve(). The outcome is NSDS_SOLVED or NSDS_NOT_CONVERGED. A z that is
 * not finite has residual and violation inf.
 */
NSDS_API nsds_status nsds_judge_answer(nsds_solver *solver, const nsds_problem *problem, double *z,
                                       double *w, nsds_solver_info *info);

/**
 * From now on the residual alone decides whether a problem is solved, as in steps of simulations.
 * Call this if the problems are steps of a method of your own, and the next step corrects the error
 * of the last one. The solver then computes no violations and looks for no proofs after a solve.
 * Returns NSDS_OK; NSDS_ERROR_ARGUMENT if the solver is NULL; NSDS_ERROR_STATE if it is at work.
 */
NSDS_API nsds_status nsds_solver_judge_by_terms(nsds_solver *solver);

/**
 * Called with each solution that nsds_enumerate() finds: z and w = M z + q, both of length n and
 * lent for the time of the call. Return a nonzero value to end the enumeration.
 */
typedef int (*nsds_solution_fn)(const double *z, const double *w, void *user);

/** Report of an enumeration. */
typedef struct nsds_enumeration {
  /**
   * NSDS_SOLVED: at least one solution was found. NSDS_NO_SOLUTION: every basis fails clearly, and
   * every singular basis with its whole face. NSDS_NOT_CONVERGED: no solution was found, but a
   * singular basis, or a basis within rounding of a solution, leaves the question open.
   * NSDS_REFUSED: the problem has other sets, or more bases than the option "most_bases".
   * NSDS_INTERRUPTED: the time limit, the progress function or `visit` ended the enumeration.
   */
  nsds_outcome outcome;
  double bases;  /**< number of complementary bases of the problem */
  int tried;     /**< number of bases tried */
  int singular;  /**< number of singular bases with a face that is not empty */
  int solutions; /**< solutions visited */
} nsds_enumeration;

/**
 * Visits all solutions of a problem with equality, nonnegative and box rows. Each row has
 *
 *     z_i = l_i,  w_i >= 0     or     z_i = u_i,  w_i <= 0     or     w_i = 0,  l_i <= z_i <= u_i
 *
 * (equality rows only w_i = 0). A complementary basis is one choice for each row, and gives one
 * linear system for the z_i that are not at a bound. A regular basis gives one point. A singular
 * basis gives a face of points, {M_BB z_B = -q_B - M_BN z_N, z_B within its bounds, w_N of the
 * right signs}; nsds_enumerate() takes the point of least norm. A point is visited if the certifier
 * accepts it at the solver's tolerance. Each point is visited once, even if several bases lead to
 * it.
 *
 * Create `solver` as "enumeration". The options tolerance, time_limit and most_bases and the
 * progress function of `solver` apply. `visit` and `report` may be NULL. `user` is passed to
 * `visit`, which must not use the solver. During the call, memory holds the solutions with a z_i at
 * a bound and w_i = 0, so that each is visited once.
 *
 * Returns NSDS_OK if at least one solution was visited and nothing interrupted the enumeration.
 * Otherwise returns NSDS_ERROR_SOLVER with the outcome in the report, and the context records no
 * error. Other errors are NSDS_ERROR_ARGUMENT and NSDS_ERROR_MEMORY. The problem is not checked
 * again here.
 */
NSDS_API nsds_status nsds_enumerate(nsds_solver *solver, const nsds_problem *problem,
                                    nsds_solution_fn visit, void *user, nsds_enumeration *report);

#ifdef __cplusplus
}
#endif
#endif
