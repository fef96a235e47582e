/**
 * @file nonlinear.h
 * @brief Nonlinear complementarity problems and variational inequalities over block sets.
 *
 * Find z, w in R^n with
 *
 *     w = F(z),      -(w_a + shift) in N_{C_a}(z_a)   for every block a,
 *
 * the sets C_a and De Saxce's shift being those of nsds/problem.h. With NSDS_SET_NONNEGATIVE this is
 * the nonlinear complementarity problem 0 <= z, F(z) >= 0, z.F(z) = 0; with equality and box blocks
 * the mixed one; with discs, cones and polyhedra a variational inequality; with friction blocks
 * contacts whose velocities depend on the reactions in a way of their own.
 */
#ifndef NSDS_NONLINEAR_H
#define NSDS_NONLINEAR_H

#include <nsds/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * F or its Jacobian at z (n): writes to `out`, which comes zeroed. Returns 0; > 0 where the function
 * has no value at this z, so that a shorter step is tried, as also where an entry is not finite; < 0
 * to give up.
 */
typedef int (*nsds_point_fn)(const double *z, double *out, void *user);

/** The problem; nothing that it points to is copied. */
typedef struct nsds_nonlinear_problem {
  int n;                   /**< number of rows, >= 0 */
  int nblock;              /**< number of blocks; their sizes sum to n */
  const nsds_block *block; /**< nblock blocks, in order of the rows */
  nsds_point_fn F;         /**< F(z), n entries; asked for at points of the sets */
  /**
   * dF/dz: n x n column-major, or the p[n] values of its compressed columns. NULL: by forward
   * differences, for which F is asked for beside points of the sets too; dense alone.
   */
  nsds_point_fn jacobian;
  const int *p; /**< n + 1 column starts of the Jacobian; NULL: it is dense */
  const int *i; /**< row indices, increasing within a column, with every diagonal entry */
  void *user;   /**< handed to both functions */
} nsds_nonlinear_problem;

/**
 * Solves by Josephy and Newton's method: linear problems
 *
 *     w = F(z_k) + F'(z_k) (z - z_k),      -(w_a + shift) in N_{C_a}(z_a)
 *
 * each by `solver`, any method of the table, from z_k; towards each solution as far as the natural
 * map of F gets smaller than the largest of the last ones. Where this does not get on, or the linear
 * problem is not solved, it is made regular, F'(z_k) + e R^-1 with R the inverse of its diagonal, e
 * growing until it does.
 *
 * z (n) holds the start on entry and the best iterate on return, w (n) F there; info may be NULL.
 * Steps are at most `max_steps`, >= 0; 0: 100. Options "tolerance" and "time_limit" of the solver
 * hold for the whole, where the residual is that of ::nsds_certificate for the linear problem at z
 * itself: M = F'(z), q = F(z) - F'(z) z. The solver's progress function is called in every linear
 * problem and before it. info->iterations counts linear problems, info->factorizations those of all
 * of them, info->solver names the method that has solved the last. Memory is asked for in each call.
 *
 * Returns NSDS_OK when certified; NSDS_ERROR_SOLVER with the outcome in info when not (not recorded
 * as the context's error): NSDS_NOT_CONVERGED, NSDS_INTERRUPTED, or NSDS_REFUSED where the method
 * does not take the sets. NSDS_ERROR_CALLBACK, recorded, where a function gives up, or has no finite
 * value at the start put into the sets, or the Jacobian none where F has one; NSDS_ERROR_ARGUMENT,
 * NSDS_ERROR_SIZE, NSDS_ERROR_VALUE for problems that do not make sense, NSDS_ERROR_STATE while the
 * solver is at work, NSDS_ERROR_MEMORY.
 *
 * Fast near regular solutions: quadratically with exact Jacobians (Josephy 1979). From far away it
 * may end at a point where the natural map has a minimum that is no solution, and says so.
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
