/**
 * @file io.h
 * @brief Nonsmooth problems in files: text formats and the HDF5 layout of FCLIB.
 *
 * Every file holds one problem w = M z + q with a set per block (nsds/problem.h):
 *
 *     format                 problem                                  becomes the blocks
 *     NSDS_FORMAT_LCP        0 <= w, z >= 0, w.z = 0                  one NONNEGATIVE
 *     NSDS_FORMAT_MLCP       A u + C v + a = 0, w = D u + B v + b,    EQUALITY and NONNEGATIVE as
 *                            0 <= w, v >= 0, w.v = 0                  the file orders them;
 *                                                                     z = (u, v)
 *     NSDS_FORMAT_FRICTION   u = M r + q, r in the friction cone,     one COULOMB per contact;
 *                            u with De Saxce's shift in its dual      z = r
 *     NSDS_FORMAT_FCLIB      the same; with V, R and s also           COULOMB per contact, then one
 *                            u = W r + V l + q, V^T r + R l + s = 0   EQUALITY; z = (r, l)
 *
 * An FCLIB file may instead hold a global friction problem, see nsds_problem_file_global(): group
 * fclib_global with the matrices M, H and optionally G and the vectors f, w, mu and, with G, b of
 * nsds/global.h; its local rows are one COULOMB block per contact.
 *
 * The first three are text. M is dense, made of sparse blocks, or sparse (triplets, compressed
 * columns or rows); dense stays dense, blocks stay block rows where rows and columns are cut alike,
 * and the rest is compressed columns afterwards. The last format is HDF5 and needs a library built
 * with it (NSDS_HAVE_HDF5).
 *
 * A file is not trusted: what is truncated, malformed, not finite, or announces more numbers than
 * it can hold gives NSDS_ERROR_FORMAT with the line or the data set and what was expected there.
 */
#ifndef NSDS_IO_H
#define NSDS_IO_H

#include <nsds/global.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How a problem is written in a file. */
typedef enum nsds_format {
  NSDS_FORMAT_AUTO = 0,     /**< reading: by content; writing: by name and blocks */
  NSDS_FORMAT_LCP = 1,      /**< text, linear complementarity problem */
  NSDS_FORMAT_MLCP = 2,     /**< text, mixed linear complementarity problem */
  NSDS_FORMAT_FRICTION = 3, /**< text, Coulomb friction in 2D or 3D */
  NSDS_FORMAT_FCLIB = 4     /**< HDF5, local or global friction problem of FCLIB */
} nsds_format;

/** Name of a format: "auto", "lcp", "mlcp", "friction", "fclib"; "unknown" for other values. */
NSDS_API const char *nsds_format_text(nsds_format format);

/** A problem read from a file; owns all arrays of its ::nsds_problem. */
typedef struct nsds_problem_file nsds_problem_file;

/** A pair that a file stores beside its problem. Nobody promises that it is a solution. */
typedef struct nsds_stored_point {
  const double *z; /**< n: impulses r of the contacts, then multipliers l of the equalities */
  const double *w; /**< n: velocities u of the contacts, then zeros; NULL if u is not stored */
  const double *v; /**< nv: velocities of a global problem; NULL if not stored */
} nsds_stored_point;

/**
 * Reads a problem, format by content: HDF5 by its signature, otherwise the text is read as LCP, as
 * MLCP and as friction problem, and the one that parses wins. Should more than one parse, it is the
 * one that leaves fewer words unread behind its last number, then the first in the order named.
 *
 * Returns an object to be destroyed with nsds_problem_file_destroy() before its context, or NULL.
 * Errors: NSDS_ERROR_IO where the file cannot be read, NSDS_ERROR_FORMAT where it is malformed,
 * NSDS_ERROR_UNSUPPORTED for HDF5 in a build without it, NSDS_ERROR_MEMORY.
 *
 * HDF5 files are read one at a time in a process, as libhdf5 need not be thread-safe; a program
 * that also calls libhdf5 itself from other threads has to keep the two apart.
 */
NSDS_API nsds_problem_file *nsds_problem_read(nsds_context *context, const char *path);

/** Reads a problem in the given format; errors as for nsds_problem_read(). */
NSDS_API nsds_problem_file *nsds_problem_read_as(nsds_context *context, const char *path,
                                                 nsds_format format);

/** Frees a file object with its problem; NULL is allowed. */
NSDS_API void nsds_problem_file_destroy(nsds_problem_file *file);

/** "lcp", "mlcp", "fc2d", "fc3d" or "global friction"; "" for NULL. */
NSDS_API const char *nsds_problem_file_kind(const nsds_problem_file *file);

/** The problem, valid as long as the file object; NULL for NULL and for a global problem. */
NSDS_API const nsds_problem *nsds_problem_file_problem(const nsds_problem_file *file);

/** The global problem, valid as long as the file object; NULL for NULL and for a local problem. */
NSDS_API const nsds_global_problem *nsds_problem_file_global(const nsds_problem_file *file);

/** The matrix M of the problem, local or global, valid as long as the file object; NULL for NULL.
 */
NSDS_API const nsds_matrix *nsds_problem_file_matrix(const nsds_problem_file *file);

/**
 * How the file stores the matrix: "dense", "blocks", "triplet", "columns", "rows" or
 * "half triplet"; "" for NULL. The storage in memory is that of nsds_problem_file_matrix().
 */
NSDS_API const char *nsds_problem_file_storage(const nsds_problem_file *file);

/** The stored solution (FCLIB: /solution), NULL if there is none. */
NSDS_API const nsds_stored_point *nsds_problem_file_solution(const nsds_problem_file *file);

/** Number of stored guesses (FCLIB: /guesses), 0 if there are none. */
NSDS_API int nsds_problem_file_nguess(const nsds_problem_file *file);

/** Stored guess k = 0, 1, ...; NULL past the end. */
NSDS_API const nsds_stored_point *nsds_problem_file_guess(const nsds_problem_file *file, int k);

/**
 * Writes a problem; an existing file is replaced. Reading the file gives the same numbers, bit for
 * bit. NSDS_FORMAT_AUTO means FCLIB for a path ending in ".hdf5" or ".h5", and otherwise the text
 * format that fits the blocks.
 *
 * In text, dense matrices and block rows are written as they are, others as compressed columns; in
 * HDF5 every one is compressed columns, those of a dense matrix without its zeros. Blocks of the
 * problem without rows are left out; q_error has no place in a file.
 * FCLIB takes COULOMB blocks of one size followed by EQUALITY blocks, where the part of M below the
 * diagonal is the transpose V^T of the part V beside it.
 *
 * Errors: those of nsds_problem_check(); NSDS_ERROR_UNSUPPORTED where the format has no place for
 * the blocks, naming the first that does not fit, and for HDF5 in a build without it;
 * NSDS_ERROR_IO, NSDS_ERROR_MEMORY. The file is touched only when everything else is in order; an
 * error while it is written leaves a part of it.
 */
NSDS_API nsds_status nsds_problem_write(nsds_context *context, const nsds_problem *problem,
                                        const char *path, nsds_format format);

/**
 * Writes a global problem, which has a place in FCLIB files alone: `format` is NSDS_FORMAT_FCLIB,
 * or NSDS_FORMAT_AUTO with a path ending in ".hdf5" or ".h5". The blocks have to be COULOMB blocks
 * of one size, 2 or 3; a dense M is written without its zeros. Reading the file gives the same
 * numbers, bit for bit.
 *
 * Errors: those of nsds_global_check(), otherwise as for nsds_problem_write().
 */
NSDS_API nsds_status nsds_global_write(nsds_context *context, const nsds_global_problem *problem,
                                       const char *path, nsds_format format);

#ifdef __cplusplus
}
#endif
#endif
