/**
 * @file global.h
 * @brief Contact problems in global form: velocities of the bodies and local variables together.
 *
 * Find velocities v in R^nv, reactions r in R^n, local velocities u in R^n and multipliers lambda
 * in R^p with
 *
 *     M v = H r + G lambda + f,      u = H^T v + w,      G^T v + b = 0,
 *     -(u_a + shift) in N_{C_a}(r_a)   for every block a,
 *
 * with the sets C_a and De Saxce's shift of nsds/problem.h. M is symmetric and positive definite. G
 * need not have full rank. Eliminating v and lambda gives the local problem
 *
 *     u = W r + q,   W = H^T A H,   q = H^T v_0 + w,
 *
 * where v_0 are the velocities without reactions. If there are no equality rows, A = M^-1. Acary &
 * Brogliato, Numerical Methods for Nonsmooth Dynamical Systems (2008), use this form, and so do the
 * global problems of FCLIB (Acary, Bremond & Huber 2014).
 *
 * The problem borrows every array it points to; none is copied or freed.
 *
 * A solver of global problems is an ::nsds_solver whose name begins with "global". "global" chooses
 * a method by itself; "global_reduction", "global_admm" and others are single methods. The rows of
 * nsds_solver_table() with `global` describe them. For a method that reduces the problem to a local
 * one, give the name of the local solver after a slash: "global_reduction/nsgs".
 * nsds_solver_inner() returns the local solver.
 */
#ifndef NSDS_GLOBAL_H
#define NSDS_GLOBAL_H

#include <nsds/matrix.h>
#include <nsds/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The global problem. */
typedef struct nsds_global_problem {
  int nv;                  /**< velocities, >= 0 */
  int n;                   /**< local rows, >= 0 */
  int p;                   /**< equality rows, >= 0 */
  int nblock;              /**< number of blocks; their sizes sum to n */
  const nsds_block *block; /**< nblock blocks, in the order of the local rows */
  nsds_matrix M;           /**< nv x nv, dense or compressed columns, both triangles; the stamp of M
                                is not read */
  nsds_csc H;              /**< nv x n */
  nsds_csc G;              /**< nv x p */
  const double *f;         /**< nv */
  const double *w;         /**< n */
  const double *b;         /**< p; NULL where p = 0 */
  /**
   * Identity of the values of M, H and G. Two problems with equal nonzero stamps, given to one
   * solver, must have equal matrices. The solver may then reuse factors. 0: unknown, the solver
   * reuses nothing.
   */
  uint64_t stamp;
} nsds_global_problem;

/**
 * Checks shape and content: sizes fit, pointers are present, indices are in range, and numbers
 * are finite. M must be symmetric up to rounding, with a positive diagonal. Sets are checked as
 * in nsds_problem_check(). On failure the message names the field, its value and the valid
 * values. nsds_global_solve() finds out if M is definite.
 */
NSDS_API nsds_status nsds_global_check(nsds_context *context, const nsds_global_problem *problem);

/** Result of nsds_global_certify(). */
typedef struct nsds_global_certificate {
  /**
   * The largest of the three figures below. Each figure is the largest e / s over its rows or
   * blocks, free of scale and units. Let t_k be the size of the terms in row k of the dynamics:
   *
   *     t_k = |f_k| + sum |M_kj| |v_j| + sum |H_kj| |r_j| + sum |G_kj| |lambda_j|
   *
   *
   *     dynamics    e_k = |M v - H r - G lambda - f|_k,   s_k = t_k
   *     equality    e_j = |G^T v + b|_j,                  s_j = |b_j| + sum_k |G_kj| t_k / M_kk
   *     law         the natural map of the block as in ::nsds_certificate,
   *                 s_i = |w_i| + sum_k |H_ki| t_k / M_kk,   d_i = sum_k H_ki^2 / M_kk
   *
   * t_k / M_kk is the size of the terms of v_k before they cancel; d_i is the size of W_ii. Two
   * limits apply to the square roots of energies, t_k / sqrt(M_kk). A term below 64 machine
   * epsilons times the largest term counts as that bound. So a row that holds rounding alone is not
   * judged by its own size. Reactions and multipliers count up to 10^4 times the largest of f, M v,
   * w and b, so that diverging reactions do not pass for a solution.
   */
  double residual;
  double dynamics; /**< figure of the rows of M */
  double equality; /**< figure of the rows of G^T */
  double law;      /**< figure of the blocks */
  int worst_block; /**< block with the largest law residual, -1 if n = 0 */
  /**
   * The figure usual in the literature, in the units of the problem. The norm of all three errors
   * is divided by the largest of ||f||, ||w||, ||b||, ||M v||, ||r|| and ||u||, unless this maximum
   * is zero. The error of the law is the natural map r - P_C(r - u - shift).
   */
  double standard;
} nsds_global_certificate;

/** Doubles of scratch that nsds_global_certify() needs. */
NSDS_API size_t nsds_global_work(const nsds_global_problem *problem);

/**
 * Computes the residuals of v, r and lambda, with code that shares nothing with any solver.
 * Computes u anew. `work` has nsds_global_work() entries; on return work[0..n) holds u. lambda may
 * be NULL where p = 0.
 */
NSDS_API void nsds_global_certify(const nsds_global_problem *problem, const double *v,
                                  const double *r, const double *lambda, double *work,
                                  nsds_global_certificate *certificate);

/**
 * Solves a global problem. r (n) holds the starting point on entry. On return v (nv), r, u (n) and
 * lambda (p) hold the best iterate, with u = H^T v + w. Without equality rows (p = 0) lambda may be
 * NULL. info may be NULL. The residual in info is that of ::nsds_global_certificate. The path in
 * info names the tried methods, with local solvers after a slash. A solver of local problems is
 * refused (NSDS_ERROR_ARGUMENT).
 *
 * Returns NSDS_OK when the answer is certified, else NSDS_ERROR_SOLVER with the outcome in info.
 * The context records no error in that case. Outcomes of this function:
 *
 * - NSDS_NO_SOLUTION: the equality rows contradict each other.
 * - NSDS_REFUSED: the method does not take a set, or the reduced problem would need more memory
 *   than the row of the table allows.
 *
 * Errors that the context records are NSDS_ERROR_SINGULAR, if M is not positive definite to working
 * precision, NSDS_ERROR_MEMORY and NSDS_ERROR_ARGUMENT. The problem is not checked again here: see
 * nsds_global_check().
 */
NSDS_API nsds_status nsds_global_solve(nsds_solver *solver, const nsds_global_problem *problem,
                                       double *v, double *r, double *u, double *lambda,
                                       nsds_solver_info *info);

#ifdef __cplusplus
}
#endif
#endif
