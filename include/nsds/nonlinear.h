/**
 * @file nonlinear.h
 * @brief Nonlinear complementarity problems and variational inequalities over block sets.
 *
 * Find z, w in R^n with
 *
 *     w = F(z),      -(w_a + shift) in N_{C_a}(z_a)   for every block a,
 *
 * nsds/problem.h defines the sets C_a and De Saxce's shift. The sets select the problem:
 * - NSDS_SET_NONNEGATIVE: the nonlinear complementarity problem 0 <= z, F(z) >= 0, z.F(z) = 0;
 * - equality and box blocks: the mixed complementarity problem;
 * - discs, cones and polyhedra: a variational inequality;
 * - friction blocks: contacts whose velocities are any function of the reactions.
 */
#ifndef NSDS_NONLINEAR_H
#define NSDS_NONLINEAR_H

#include <nsds/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * F or its Jacobian at z (n): writes to `out`, which is zero before the call. Returns 0 for
 * success, < 0 to give up, > 0 if the function has no value at this z. After a value > 0, or an
 * entry of `out` that is not finite, the solver tries a shorter step.
 */
typedef int (*nsds_point_fn)(const double *z, double *out, void *user);

/** The problem. The pointers stay yours: no data is copied. */
typedef struct nsds_nonlinear_problem {
  int n;                   /**< number of rows, >= 0 */
  int nblock;              /**< number of blocks; their sizes sum to n */
  const nsds_block *block; /**< nblock blocks, in the order of the rows */
  nsds_point_fn F;         /**< F(z), n entries; called at points of the sets */
  /**
   * dF/dz: n x n column-major, or the p[n] values of the compressed columns. NULL: forward
   * differences, for a dense Jacobian only. Differences also call F at points outside of the sets.
   */
  nsds_point_fn jacobian;
  const int *p; /**< n + 1 column starts of the Jacobian; NULL: a dense Jacobian */
  const int *i; /**< row indices, increasing within a column, with every diagonal entry */
  void *user;   /**< handed to both functions */
} nsds_nonlinear_problem;

/**
 * Solves by the Josephy-Newton method, a sequence of linear problems
 *
 *     w = F(z_k) + F'(z_k) (z - z_k),      -(w_a + shift) in N_{C_a}(z_a)
 *
 * `solver`, any method of the table, solves each of them from z_k. A step goes towards this
 * solution, and is shortened until the natural map of F falls below the largest of its last values.
 * If that fails, or the linear problem is not solved, F'(z_k) + e R^-1 replaces F'(z_k). R is the
 * inverse of the diagonal of F'(z_k), and e grows until the step succeeds.
 *
 * On entry z (n) holds the start. On return z holds the best iterate, and w (n) holds F(z). info
 * may be NULL. `max_steps` >= 0 is the largest number of steps; 0: 100. Options "tolerance" and
 * "time_limit" of the solver hold for the whole call. The residual is that of ::nsds_certificate
 * for the linear problem at z itself: M = F'(z), q = F(z) - F'(z) z. The progress function of the
 * solver is called before and during every linear problem. In info, `iterations` counts linear
 * problems, `factorizations` sums over all of them, and `solver` names the last method. Each call
 * allocates memory.
 *
 * @return NSDS_OK: certified. NSDS_ERROR_SOLVER, not recorded in the context, with the outcome in
 *         info: NSDS_NOT_CONVERGED, NSDS_INTERRUPTED, or NSDS_REFUSED (the method does not take the
 *         sets). NSDS_ERROR_CALLBACK, recorded: a function gives up; F has no finite value at the
 *         start projected onto the sets; or the Jacobian has no finite value at a point where F has
 *         one. NSDS_ERROR_ARGUMENT, NSDS_ERROR_SIZE, NSDS_ERROR_VALUE: the problem makes no sense.
 *         NSDS_ERROR_STATE: the solver is at work. NSDS_ERROR_MEMORY.
 *
 * Convergence is fast near regular solutions: quadratic with exact Jacobians (Josephy 1979). From a
 * start far away the call may end at a minimum of the natural map that is not a solution; it then
 * reports this.
 *
 * Sources: N. H. Josephy, Newton's method for generalized equations (1979); Facchinei and Pang,
 * Finite-Dimensional Variational Inequalities (2003), ch. 7.
 */
NSDS_API nsds_status nsds_nonlinear_solve(nsds_solver *solver,
                                          const nsds_nonlinear_problem *problem, int max_steps,
                                          double *z, double *w, nsds_solver_info *info);

#ifdef __cplusplus
}
#endif
#endif
