/**
 * @file problem.h
 * @brief The one-step nonsmooth problem: matrices, block sets, the problem and its certifier.
 *
 * Find z, w in R^n with
 *
 *     w = M z + q,      -w_a in N_{C_a}(z_a)   for every block a,
 *
 * where N_C is the normal cone to the closed convex set C. The set of a block is its law:
 *
 *     set                    C                          meaning
 *     NSDS_SET_EQUALITY      R^m                        w = 0
 *     NSDS_SET_NONNEGATIVE   R_+^m                      0 <= w, z >= 0, w.z = 0
 *     NSDS_SET_BOX           [l, u]                     relay, saturation; bounds may be infinite
 *     NSDS_SET_DISC          ||z|| <= radius            friction at a known threshold (Tresca)
 *     NSDS_SET_CONE          ||z_T|| <= mu z_N          second-order cone, no shift
 *     NSDS_SET_COULOMB       ||z_T|| <= mu z_N          Coulomb friction, 2D (m = 2) or 3D (m = 3):
 *                                                       w_N + mu ||w_T|| replaces w_N (De Saxce)
 *     NSDS_SET_ROLLING       ||z_T|| <= mu z_N,         rolling friction, 2D (m = 3: N, T, R) or
 *                            ||z_R|| <= mu_rolling z_N  3D (m = 5: N, T1, T2, R1, R2):
 *                                                       w_N + mu ||w_T|| + mu_rolling ||w_R||
 *                                                       replaces w_N
 *     NSDS_SET_POLYHEDRON    {z : H z >= K}             normal cone law
 *
 * In friction blocks the normal component N comes first.
 *
 * The problem borrows every array it points to; none is copied or freed.
 */
#ifndef NSDS_PROBLEM_H
#define NSDS_PROBLEM_H

#include <nsds/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How a matrix is stored. */
typedef enum nsds_storage {
  NSDS_DENSE = 1,     /**< column-major, leading dimension nrow */
  NSDS_CSC = 2,       /**< compressed sparse columns */
  NSDS_FACTORED = 4,  /**< M = H Y + D on blocks, Y = W^-1 H^T, see ::nsds_factored */
  NSDS_BLOCK_ROWS = 8 /**< rows of small dense blocks, see ::nsds_block_rows */
} nsds_storage;

/**
 * One nonzero block pair of the factored operator: block row a (an interaction) meets column
 * group s (a system).
 */
typedef struct nsds_edge {
  int column;      /**< first entry of the column group in R^ncolumn */
  int size;        /**< ns, number of entries in the column group */
  const double *H; /**< m_a x ns, column-major */
  /** ns x m_a, column-major: the columns of W_s^-1 H^T for block row a; NULL: diag(gain) H^T */
  const double *Y;
} nsds_edge;

/**
 * The operator M = H W^-1 H^T + D kept in factors on a bipartite graph: block rows a of size m_a,
 * column groups s, and one ::nsds_edge per pair (a, s) that meets. Block (a, b) of M is the sum of
 * H_as Y_bs over the common groups s, plus D_a if a = b. Two edges with the same `column` belong to
 * the same column group and have the same size; the columns of different groups are different.
 */
typedef struct nsds_factored {
  int nrow_block;        /**< number of block rows */
  int ncolumn;           /**< length of the concatenated column groups */
  const int *row;        /**< nrow_block + 1: first row of each block row */
  const int *first_edge; /**< nrow_block + 1: edges first_edge[a] .. first_edge[a+1]-1 */
  const nsds_edge *edge; /**< edges, ordered by block row */
  /** nrow_block: D_a, m_a x m_a column-major, or NULL entries; may be NULL */
  const double *const *D;
  /** ncolumn: the diagonal of W^-1, for edges without Y. NULL if all edges have Y, as in all
   *  problems that the library gives to your functions */
  const double *gain;
} nsds_factored;

/**
 * Block-sparse rows. Rows and columns are cut in the same places. Block row a holds the dense
 * blocks M_ab of its block columns b. Block methods use the matrix as it is, if it is cut like
 * the blocks of the problem.
 */
typedef struct nsds_block_rows {
  int nrow_block;    /**< number of block rows, equal to the number of block columns */
  const int *row;    /**< nrow_block + 1: first row of each block row, and first column of each
                          block column */
  const int *first;  /**< nrow_block + 1: blocks first[a] .. first[a+1]-1 stand in block row a */
  const int *column; /**< block column of each block, increasing within a block row */
  const int *start;  /**< offset in x of each block: m_a x m_b values, column-major */
  const double *x;   /**< values */
} nsds_block_rows;

/** A square matrix in one of the storages; unused pointers are NULL. */
typedef struct nsds_matrix {
  nsds_storage storage;          /**< tells which of the fields below hold the matrix */
  int n;                         /**< rows and columns */
  const double *x;               /**< dense: n x n column-major; CSC: values */
  const int *p;                  /**< CSC: n + 1 column starts */
  const int *i;                  /**< CSC: row indices, increasing within a column */
  const nsds_factored *factored; /**< factored operator; its rows are in the order of the blocks */
  const nsds_block_rows *blocks; /**< block rows */
  bool symmetric;                /**< the caller knows M = M^T; false only costs speed */
  /**
   * Identity of the values. Two problems with equal nonzero stamps must hold the same matrix if you
   * give them to one solver: the solver may reuse factors. 0: unknown, the solver reuses nothing.
   */
  uint64_t stamp;
  /**
   * Identity of the structure. Two problems with equal nonzero patterns may differ in values only,
   * if you give them to one solver. Storage, sizes and places of entries are the same (CSC: p and
   * i; factored: rows and columns of edges). 0: unknown.
   */
  uint64_t pattern;
} nsds_matrix;

/** The closed convex set of a block; values are bits of ::nsds_solver_row::sets. */
typedef enum nsds_set_kind {
  NSDS_SET_EQUALITY = 1,    /**< C = R^m */
  NSDS_SET_NONNEGATIVE = 2, /**< C = R_+^m */
  NSDS_SET_BOX = 4,         /**< C = [lower, upper] */
  NSDS_SET_DISC = 8,        /**< ||z|| <= radius */
  NSDS_SET_CONE = 16,       /**< ||z_T|| <= mu z_N */
  NSDS_SET_COULOMB = 32,    /**< the same cone with De Saxce's shift */
  NSDS_SET_ROLLING = 64,    /**< product cone with both shifts */
  NSDS_SET_POLYHEDRON = 128 /**< H z >= K */
} nsds_set_kind;

/** Limits of the sets. */
enum {
  NSDS_COUPLED_ROWS = 32 /**< most rows of a block whose set couples them: DISC, CONE, POLYHEDRON */
};

/** One block of the problem; fields of other sets are ignored. */
typedef struct nsds_block {
  nsds_set_kind set; /**< kind of set */
  /**
   * m_a >= 0, number of rows; COULOMB 2 or 3, ROLLING 3 or 5, CONE and DISC 1 to 32, POLYHEDRON at
   * most 32
   */
  int size;
  double mu;           /**< CONE, COULOMB, ROLLING: friction coefficient >= 0 */
  double mu_rolling;   /**< ROLLING: rolling friction coefficient >= 0 [m] */
  double radius;       /**< DISC: threshold >= 0 */
  const double *lower; /**< BOX: m lower bounds, -inf allowed */
  const double *upper; /**< BOX: m upper bounds, +inf allowed */
  int nfacet;          /**< POLYHEDRON: rows of H */
  const double *H;     /**< POLYHEDRON: nfacet x m, column-major */
  const double *K;     /**< POLYHEDRON: nfacet */
} nsds_block;

/**
 * The ties between the part of a problem that a process holds and the parts of other processes. The
 * library nsds-mpi makes a halo (nsds/mpi.h). Each part holds whole blocks, and nsds_certify() judges the whole
 * problem if all parts call it together.
 *
 * In the factored storage, parts share column groups: entries of different parts stand for one body.
 * In compressed columns M is symmetric with a positive diagonal. Column j then holds row j, and
 * indices from n on are rows of other parts. Other storages are not distributed.
 *
 * All parts call the operations in the same order. Each returns the same values on all parts.
 */
typedef struct nsds_halo {
  void *self;     /**< passed to the operations */
  long long rows; /**< rows of the whole problem */
  unsigned sets;  /**< ::nsds_set_kind bits of the whole problem */
  /** compressed columns: returns x of the rows of other parts; valid until the next call */
  const double *(*fill)(void *self, const double *x);
  /** factored: v[c] = sum over the parts that share column c. With `low`, v + low is a sum in twice
   *  the precision */
  void (*sum)(void *self, double *v, double *low);
  /** factored: v[c] = largest over the parts that share column c */
  void (*raise)(void *self, double *v);
  /** x[i] = largest over all parts, for `count` numbers */
  void (*most)(void *self, int count, double *x);
  /** x[i] = sum over all parts, for `count` numbers */
  void (*total)(void *self, int count, double *x);
} nsds_halo;

/** The nonsmooth problem w = M z + q with one set per block. */
typedef struct nsds_problem {
  int n;                   /**< number of rows, >= 0 */
  int nblock;              /**< number of blocks; their sizes sum to n */
  const nsds_block *block; /**< nblock blocks, in the order of the rows */
  nsds_matrix M;           /**< n x n */
  const double *q;         /**< n */
  /**
   * n, or NULL for zeros: absolute accuracy of q_i, the error that the computation of q_i may have
   * made. A residual that the uncertainty of q explains does not count, see ::nsds_certificate. So
   * z = 0 solves a problem whose q is rounding alone.
   */
  const double *q_error;
  /**
   * n, or NULL: scale of row i, in the unit of w_i. The scale is the size of the velocities
   * (voltages, forces) that the data of the row stand for. If q_i = H_i v, a good scale is
   * sum |H_ij v_j|. Rows of one unit in a block share the largest of their scales. Zero, or NULL:
   * the largest |q_i| of these rows, or what the data of other rows bring to the row if that is
   * more, see nsds_certificate::violation.
   */
  const double *scale;
  /**
   * NULL: the problem is whole. Otherwise it is a part of a distributed problem, which only
   * nsds_certify() takes.
   */
  const nsds_halo *halo;
} nsds_problem;

/**
 * Checks shape and content of a problem:
 *
 * - sizes add up, pointers are present, indices are in range;
 * - every number is finite, except bounds;
 * - sets are not empty, polyhedra included; friction coefficients and radii are not negative;
 * - column groups of the factored storage are equal or apart;
 * - dense matrices have at most 46340 rows.
 *
 * On failure the message names the field and the first wrong entry. Any content of the arrays is
 * safe to check, if the arrays are as long as the fields say.
 */
NSDS_API nsds_status nsds_problem_check(nsds_context *context, const nsds_problem *problem);

/** Doubles of scratch that nsds_problem_multiply() and nsds_certify() need for this problem. */
NSDS_API size_t nsds_problem_work(const nsds_problem *problem);

/**
 * w = M z + q. Arrays of length n; z and w must not overlap. `work` has nsds_problem_work()
 * entries; it may be NULL unless the storage is factored.
 */
NSDS_API void nsds_problem_multiply(const nsds_problem *problem, const double *z, double *w,
                                    double *work);

/** Writes M as a dense column-major n x n matrix, whatever its storage. */
NSDS_API void nsds_problem_to_dense(const nsds_problem *problem, double *dense);

/** Integers of scratch that nsds_problem_to_csc() needs. */
NSDS_API size_t nsds_problem_csc_work(const nsds_problem *problem);

/**
 * Writes M in compressed sparse columns, whatever its storage. First call this with i = x = NULL to
 * fill p (n + 1 entries), then with arrays of p[n] entries. Diagonal entries are stored even if
 * they are zero. Other zeros of a dense matrix are left out. `work` has nsds_problem_csc_work()
 * entries.
 */
NSDS_API void nsds_problem_to_csc(const nsds_problem *problem, int *p, int *i, double *x,
                                  int *work);

/** Result of nsds_certify(). */
typedef struct nsds_certificate {
  /**
   * Scale-free residual: the largest e / s over rows and blocks.
   *
   * s_i = |q_i| + sum_j |M_ij| |z_j| is the size of the terms of w_i. d_i = |M_ii|, in the unit of
   * w_i / z_i; for a zero diagonal d_i = max_j |M_ij M_ji| / |M_jj|.
   *
   *     equality row      e_i = |w_i|
   *     nonnegative row   e_i = |min(w_i, d_i z_i)|
   *     box row           e_i = |max(min(w_i, d_i (z_i - l_i)), d_i (z_i - u_i))|
   *
   * The rows of any other set are judged together, by the natural map in variables of one unit,
   * z'_i = sqrt(d_i) z_i and w'_i = w_i / sqrt(d_i):
   *
   *     e = || z' - P(z' - w' - shift of w') ||,   s = || s_i / sqrt(d_i) ||
   *
   * P projects on the set in these variables; the shift is De Saxce's. In a cone, the normal row,
   * the tangential rows and the rolling rows each have one common d_i, the largest of these rows.
   * In a disc all rows have one.
   *
   * q_error reduces e by the largest change of e that an error of q of this size can cause.
   *
   * For the factored storage |M_ij| is taken before cancellation, as |H| |Y| + |D|.
   *
   * Changing units changes nothing: the residual is the same for z -> S z, w -> S^-1 w (S diagonal,
   * the set scaled alike), and for a common factor of M and q. s = 0 implies e = 0. The same
   * formulas catch a z outside its set and numbers that are not finite; these give inf.
   *
   * A row may have entries that are all rounding: s_i / sqrt(d_i) is at most 16 eps times the
   * largest. In such a row an error e_i up to 16 eps sum_j |M_ij| s_j / d_j does not count, because
   * rounding in z explains the error. If z_j is held by its set, |z_j| stands for s_j / d_j. Terms
   * below 1e-138 count as zero, because their squares underflow.
   *
   * Reactions of unbounded sets whose rows are judged together may run off along a direction in
   * which M nearly vanishes. Three rules catch such reactions. The rules compare with the load l of
   * all rows that M ties to the block, directly or through other rows. The load is the largest
   * |q_i| / sqrt(d_i), or sqrt(d_i) |z_i| of a bounded set. If the load is 0 the rules do not
   * apply.
   *
   * - A term s_i / sqrt(d_i) above 1e5 l is taken as 1e5 l. An error counts only if it is larger
   *   than the rounding of all these terms.
   * - An error e counts as at least 0.01 (e / l)^2.
   * - A term larger than 1e10 l makes the residual inf.
   *
   * docs/numerics.md derives these rules.
   */
  double residual;
  int worst_block; /**< block with the largest contribution, -1 if n = 0 */
  int worst_row;   /**< worst row of that block, the first row if the block is judged as a whole; -1
                        if n = 0 */
  double error;    /**< e of that row or block, without the explained part; 0 if all of e is
                        explained */
  double scale;    /**< s of that row or block, to which e is compared */
  bool diverged;   /**< residual is inf because reactions are out of proportion to the load, see
                        above */
  /**
   * The figure usual in the literature, || z - P_C(z - w - shift) || over all rows, in the units of
   * the problem. For complementarity problems (without CONE, COULOMB, ROLLING and DISC blocks) the
   * norm is divided by ||q||, unless q = 0. For friction problems the norm is divided by max(||q||,
   * ||z||, ||w||), unless this is below the machine epsilon.
   */
  double standard;
  /**
   * The largest violation of a law, relative to the scale s of its rows (nsds_problem::scale). With
   * the violation t, the laws hold exactly for some z + dz and w + dw with
   *
   *     |dw_i| <= t s_i,    d_i |dz_i| <= t s_i
   *
   * w is computed in twice the working precision where M z is much larger than s. The scale follows
   * from the data alone, so large reactions excuse nothing. Without a given scale, s_i is the largest
   * |q_i| of the rows of one unit in a block, or max_j |M_ij| / M_jj s_j over M_jj > 0 if that is
   * more, again and again, up to the largest s_j sqrt(d_i / d_j). If no data reach a row, s_i is the
   * size of its terms. More than 64 rows with friction: nsds_violation_limit(). Errors that q_error
   * explains are subtracted. So are errors that rounding of z explains, up to 2^-40 of the largest
   * s_j sqrt(d_i / d_j). If all scales are given, z -> S z, w -> T w and s -> T s change little more
   * than these 2^-40. S and T are positive diagonals, equal in the rows of a cone.
   */
  double violation;
  int violation_block; /**< block with the largest violation, -1 if n = 0 */
  int violation_row;   /**< its row, the first row if the block is judged as a whole; -1 if n = 0 */
  double reaction;     /**< largest reaction beside the load, d_i |z_i| / s_i */
} nsds_certificate;

/**
 * Computes the residual of z with code that shares nothing with any solver. Computes w anew. `work`
 * has nsds_problem_work() entries; on return work[0..n) holds w.
 */
NSDS_API void nsds_certify(const nsds_problem *problem, const double *z, double *work,
                           nsds_certificate *certificate);

/**
 * Returns the largest nsds_certificate::violation of a solved problem. This is the tolerance, with
 * one exception: more than 64 rows, friction, and no nsds_problem::scale. Then q shows only what was
 * left when larger velocities cancelled. So the scale of a contact is at least the largest velocity
 * in a contact, as far as d allows. The limit is 16 times the tolerance, up to 3e-5.
 */
NSDS_API double nsds_violation_limit(const nsds_problem *problem, double tolerance);

/**
 * Returns true if y (n numbers) proves that the problem has no solution. The code shares nothing
 * with any solver. Two conditions must hold. First, y lies along rays of the sets:
 *
 *     nonnegative rows             y >= 0
 *     Coulomb and rolling blocks   y_N >= 0 and zero tangential entries (also right with the shift)
 *     bounded sets                 y = 0
 *
 * Second,
 *
 *     q.y + sum over blocks of max { (M^T y).z : z in the set } < 0.
 *
 * Every solution has y.w >= 0, but y.w is at most the left side. So there is no solution. If M^T y
 * is rounded, the check excludes reactions up to nsds_certify_reach() and no others; the function
 * returns true if that is at least 1e12 loads. `work` has nsds_problem_work() entries.
 */
NSDS_API bool nsds_certify_no_solution(const nsds_problem *problem, const double *y, double *work);

/**
 * Returns the reach Z of a proof y: there is no solution with d_i |z_i| <= Z s_i in all rows, with d
 * and s of ::nsds_certificate. 0 if y proves nothing. M^T y and q.y are computed in twice the
 * working precision with a bound of their rounding, so Z is about 1e28 if M^T y vanishes exactly.
 * `work` has nsds_problem_work() entries.
 */
NSDS_API double nsds_certify_reach(const nsds_problem *problem, const double *y, double *work);

#ifdef __cplusplus
}
#endif
#endif
