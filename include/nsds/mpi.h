/**
 * @file mpi.h
 * @brief One nonsmooth problem on many processes: parts, solver, certificate (library nsds-mpi).
 *
 * The library nsds-mpi stands on MPI and PETSc. Each process calls the same functions with its part
 * of the problem of problem.h. No process holds the whole. Link nsds::nsds-mpi, or use
 * pkg-config nsds-mpi; start your program with mpirun.
 *
 *     bounds     M sparse, symmetric positive definite, rows distributed;
 *                equality, nonnegative and box blocks
 *     friction   M factored, blocks distributed, column groups (bodies) shared;
 *                these blocks, and Coulomb's law in the plane and in space
 *
 * All calls are collective: every process of the communicator makes them in the same order. When a
 * call fails on one process, all return the status of that process. Every context records its message
 * with the rank. docs/scale.md says when to use processes, threads or sweeps.
 */
#ifndef NSDS_MPI_H
#define NSDS_MPI_H

#include <nsds/io.h>
#include <nsds/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A group of processes that share problems. */
typedef struct nsds_mpi nsds_mpi;

/**
 * Creates a group from a communicator, which it duplicates. If the program has not started MPI or
 * PETSc, the call does, and both end with the program.
 *
 * @param context      of this process; outlives the group
 * @param communicator points to an MPI_Comm; NULL: MPI_COMM_WORLD
 * @return NULL after a failure: NSDS_ERROR_ARGUMENT, NSDS_ERROR_MEMORY, NSDS_ERROR_STATE if MPI has
 *         ended, NSDS_ERROR_INTERNAL of PETSc
 */
NSDS_API nsds_mpi *nsds_mpi_create(nsds_context *context, const void *communicator);

/** Frees a group; NULL is allowed. */
NSDS_API void nsds_mpi_destroy(nsds_mpi *mpi);

/** Rank of this process in the group, from 0 on; -1 for NULL. */
NSDS_API int nsds_mpi_rank(const nsds_mpi *mpi);

/** Number of processes of the group; 0 for NULL. */
NSDS_API int nsds_mpi_size(const nsds_mpi *mpi);

/**
 * Agrees on a status, so that a failure of one process becomes a failure of all.
 *
 * @param mpi    a group
 * @param status the status of this process
 * @return the lowest status of all processes. If it is negative and this process succeeded, the
 *         context records it with the message and the rank of the process that failed
 */
NSDS_API nsds_status nsds_mpi_agree(nsds_mpi *mpi, nsds_status status);

/** Replaces x[0 .. n) by the sum over all processes, on all of them: a program needs no other call of
 *  MPI. Collective; the order of the sum is that of MPI. */
NSDS_API void nsds_mpi_total(nsds_mpi *mpi, int n, double *x);

/**
 * The part of a distributed problem that one process holds. Borrowed.
 *
 * Compressed columns: the rows of the whole problem are those of rank 0, then those of rank 1, and
 * so on. M is symmetric, so column j of `problem->M` holds row j of this part: M.p and M.x as usual,
 * M.i unused. `number` holds the column of each entry in the whole problem. Diagonals are positive.
 *
 * Factored: `problem` has the blocks of this part and the column groups that they meet, numbered
 * from 0 on as in any factored problem. `number` tells which column of the whole problem each column
 * is; columns with the same number on several processes are one. Every column has one meaning: all
 * processes must give the same `gain` for it.
 */
typedef struct nsds_mpi_part {
  const nsds_problem *problem; /**< blocks, M and q of this part; `halo` is NULL */
  /** compressed columns: M.p[n] numbers; factored: ncolumn numbers; 0 <= number < 2^31 - 1 */
  const long long *number;
  /**
   * nblock identifiers of the blocks, different in the whole problem, or NULL: in the order of ranks.
   * The colors of sweeps follow from these alone. Factored storage only
   */
  const long long *block;
} nsds_mpi_part;

/** For nsds_mpi_options::gather: no process ever holds the whole problem. */
enum { NSDS_MPI_NEVER = -1 };

/** How to solve. Zero fields take the default; all processes give the same. */
typedef struct nsds_mpi_options {
  double tolerance;   /**< of the residual, see ::nsds_certificate; default 1e-8 */
  int max_iterations; /**< sweeps (default 10000) or Newton steps (default 200) */
  /**
   * Friction: the answer has the same bits on any number of processes. Sums over all blocks are
   * made of whole numbers then, and sums over a body go by colors; docs/scale.md has the cost.
   */
  bool reproducible;
  /**
   * Friction: a whole problem of up to this many rows may go to one process, if neither sweeps nor
   * Newton's method solve it. That process uses the method auto, and holds the whole problem, about
   * 1 KB for each row. 0: 30000; NSDS_MPI_NEVER: none. Parts of up to 3000 rows go to one process
   * in any case
   */
  int gather;
  int gather_after;                 /**< number of sweeps before Newton's method; 0: 300 */
  uint64_t reserved[NSDS_RESERVED]; /**< zero, see ::NSDS_RESERVED */
} nsds_mpi_options;

/** Report of a solve, the same on all processes except the counts. */
typedef struct nsds_mpi_info {
  nsds_outcome outcome; /**< outcome of the solve */
  int iterations;       /**< friction: sweeps, and steps of linear systems; bounds: Newton steps */
  double residual;      /**< certified, see nsds_certificate::residual */
  double violation;     /**< certified, see nsds_certificate::violation */
  int colors;           /**< friction: number of colors */
  bool gathered;        /**< friction: one process has solved the whole problem */
  int newton;           /**< friction: steps of Newton's method */
  long long exchanges;  /**< exchanges with neighbors that this call made */
  long long messages;   /**< messages that this process sent in them */
  long long bytes;      /**< bytes of these messages */
  long long reductions; /**< reductions over all processes, apart from PETSc's own */
} nsds_mpi_info;

/**
 * Solves the whole problem from the start z.
 *
 * @param mpi     a group
 * @param part    the part of this process; may have no rows
 * @param options NULL: defaults
 * @param z       n, in: start; out: answer of the rows of this part
 * @param w       n, M z + q there
 * @param info    may be NULL
 * @return NSDS_OK if solved: the residual of nsds_mpi_certify() is at most the tolerance and the
 *         violation at most nsds_violation_limit(). Else NSDS_ERROR_SOLVER with the outcome in
 *         `info`; no error is recorded. Failures: NSDS_ERROR_ARGUMENT, NSDS_ERROR_VALUE,
 *         NSDS_ERROR_SIZE, NSDS_ERROR_UNSUPPORTED, NSDS_ERROR_MEMORY, NSDS_ERROR_INTERNAL of PETSc
 *
 * Sources: More, Toraldo: SIAM J. Optim. 1 (1991); Vanek, Mandel, Brezina: Computing 56 (1996); Jean:
 * Comput. Methods Appl. Mech. Engrg. 177 (1999); Nesterov: Soviet Math. Dokl. 27 (1983);
 * Alart, Curnier: Comput. Methods Appl. Mech. Engrg. 92 (1991); van der Vorst: SIAM J. Sci. Stat.
 * Comput. 13 (1992).
 */
NSDS_API nsds_status nsds_mpi_solve(nsds_mpi *mpi, const nsds_mpi_part *part,
                                    const nsds_mpi_options *options, double *z, double *w,
                                    nsds_mpi_info *info);

/**
 * Judges z by the formulas of nsds_certify(), over all parts. The verdict is that of nsds_certify()
 * on the gathered problem, up to rounding. Worst blocks are -1 on processes that do not hold them.
 *
 * @param mpi         a group
 * @param part        the part of this process
 * @param z           n, rows of this part
 * @param w           n, receives M z + q; may be NULL
 * @param certificate receives the figures, the same on all processes apart from the worst blocks
 * @return NSDS_OK, or a failure as of nsds_mpi_solve()
 */
NSDS_API nsds_status nsds_mpi_certify(nsds_mpi *mpi, const nsds_mpi_part *part, const double *z,
                                      double *w, nsds_certificate *certificate);

/** The part of this process of a problem in a file. */
typedef struct nsds_mpi_file nsds_mpi_file;

/** Description of a file. */
typedef struct nsds_mpi_file_info {
  const char *kind;    /**< see nsds_problem_file_kind(); lent */
  int n;               /**< rows of the whole problem */
  int nblock;          /**< its blocks */
  int first_row;       /**< first row of this process in the whole problem */
  const double *guess; /**< the first guess of the file, rows of this process; NULL: none; lent */
} nsds_mpi_file_info;

/**
 * Reads the part of this process of a problem in a file of any format. Each process keeps a run of
 * blocks with its share of the rows. In files of the format nsds each process reads
 * its own rows alone, if M is factored, or sparse with bounds. The processes read other files one
 * after the other, so that only one of them holds the whole. M must be symmetric, up to 1e-12 of sqrt(M_ii M_jj). Solve the part with
 * nsds_mpi_solve().
 *
 * @param mpi    a group; outlives the file
 * @param path   the same file on all processes
 * @param format see nsds_problem_read()
 * @return NULL after a failure on any process: NSDS_ERROR_ARGUMENT, NSDS_ERROR_UNSUPPORTED (a global
 *         problem, a polyhedron, M that is not symmetric), NSDS_ERROR_MEMORY, and the failures of
 *         nsds_problem_read()
 */
NSDS_API nsds_mpi_file *nsds_mpi_read(nsds_mpi *mpi, const char *path, nsds_format format);

/** Frees a file; NULL is allowed. Not collective. */
NSDS_API void nsds_mpi_file_destroy(nsds_mpi_file *file);

/** The part of this process, as long as the file is there; NULL for NULL. Not collective. */
NSDS_API const nsds_mpi_part *nsds_mpi_file_part(const nsds_mpi_file *file);

/** Description of the file; NULL for NULL. Not collective. */
NSDS_API const nsds_mpi_file_info *nsds_mpi_file_report(const nsds_mpi_file *file);

#ifdef __cplusplus
}
#endif
#endif
