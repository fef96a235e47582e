/**
 * @file io.h
 * @brief Nonsmooth problems in files: text formats and the HDF5 layout of FCLIB.
 *
 * Every file holds one problem w = M z + q with a set per block (nsds/problem.h), or one global
 * problem (nsds/global.h):
 *
 *     format                 problem                                  becomes the blocks
 *     NSDS_FORMAT_NSDS       any, local or global                     as they are, in any order
 *     NSDS_FORMAT_LCP        0 <= w, z >= 0, w.z = 0                  one NONNEGATIVE
 *     NSDS_FORMAT_MLCP       A u + C v + a = 0, w = D u + B v + b,    EQUALITY and NONNEGATIVE as
 *                            0 <= w, v >= 0, w.v = 0                  the file orders them;
 *                                                                     z = (u, v)
 *     NSDS_FORMAT_RELAY      -w in the normal cone of [lower, upper]  one BOX; bounds may be -inf
 *                            at z                                     and inf
 *     NSDS_FORMAT_FRICTION   u = M r + q, r in the friction cone,     one COULOMB per contact;
 *                            u with De Saxce's shift in its dual      z = r
 *     NSDS_FORMAT_ROLLING    the same with rolling friction           one ROLLING per contact
 *     NSDS_FORMAT_GLOBAL     M v = H r + f, u = H^T v + w, friction   COULOMB or ROLLING
 *     NSDS_FORMAT_FCLIB      as friction and rolling, with V, R, s    per contact, then one
 *                            also u = W r + V l + q,                  EQUALITY; z = (r, l)
 *                            V^T r + R l + s = 0; or global,
 *                            with G and b too
 *
 *     NSDS_FORMAT_QPS      min 1/2 x.H x + c.x, bounds of x and of     one block for each row of
 *                          A x                                      z = (x, s, y)
 *
 * A quadratic program becomes its conditions of optimality. The multipliers of the rows of A are y. A
 * row with two bounds has its value s as a further unknown. In rows L the sign is that of
 * b - A x >= 0, with y >= 0.
 *
 * A rectangular MLCP has more or fewer equalities than unknowns u. The reader makes it square by
 * rows of zeros, or by unknowns with columns of zeros after u; the solutions stay the same. An
 * affine variational inequality over a box is a relay. Siconos writes such a problem without its
 * set, so the file looks like an LCP.
 *
 * The last format is HDF5, all others are text. The first format holds every problem: all sets, all
 * storages of M, scale, q_error, names of blocks, starting points. Another format leaves out what it
 * has no place for, with a warning. In the other formats M is dense, made of sparse blocks, or sparse
 * (triplets, compressed columns or rows). In memory dense stays dense, and blocks stay block rows if
 * rows and columns are cut alike. Everything else becomes compressed columns.
 *
 * Every build reads FCLIB files. Builds with HDF5 (NSDS_HAVE_HDF5) write them. M of a global FCLIB
 * problem may hold one triangle, as LMGC90 writes it: the reader mirrors the triangle and logs a
 * warning.
 *
 * The readers trust no file. A file is refused with NSDS_ERROR_FORMAT if it is truncated or
 * malformed, announces too many numbers, continues after its end, or holds infinities or NaN. The
 * message names the line or the data set, and what was expected there. Two endings are allowed: a
 * flag 0 or 1 after friction coefficients, and a stored solution of an MLCP without its first
 * number. Numbers are decimal in any locale. To read rolling friction in the plane, give
 * NSDS_FORMAT_ROLLING, because plasticity in the plane looks the same.
 *
 * HDF5 files are read from memory without libhdf5, because damaged files can crash libhdf5. The
 * reader reads or refuses any bytes. The reader knows the layouts that FCLIB and libhdf5 write by
 * default: contiguous and compact data sets. Compressed, chunked, external and virtual data sets
 * are refused by name, and so are groups with links in a fractal heap. `h5repack -l CONTI -f NONE`
 * makes such a file readable.
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
  NSDS_FORMAT_FCLIB = 4,    /**< HDF5, local or global friction problem of FCLIB */
  NSDS_FORMAT_RELAY = 5,    /**< text, relay: box constraints */
  NSDS_FORMAT_ROLLING = 6,  /**< text, rolling friction in 2D or 3D */
  NSDS_FORMAT_GLOBAL = 7,   /**< text, global friction problem, rolling or not */
  /** text, MLCP as its parts A, B, C, D, rectangular or not; read only if you ask for this
   *  format */
  NSDS_FORMAT_MLCP_LINES = 8,
  NSDS_FORMAT_NSDS =
      9, /**< text, any problem with names and points: docs/files.md has the grammar */
  NSDS_FORMAT_QPS = 10 /**< text, convex quadratic program; only read */
} nsds_format;

/**
 * Name of a format: "auto", "lcp", "mlcp", "friction", "fclib", "relay", "rolling",
 * "global", "mlcp_lines", "nsds", "qps"; "unknown" for other values.
 */
NSDS_API const char *nsds_format_text(nsds_format format);

/** A problem read from a file; owns all arrays of its ::nsds_problem. */
typedef struct nsds_problem_file nsds_problem_file;

/** A pair that a file stores beside its problem. Nobody promises that it is a solution. */
typedef struct nsds_stored_point {
  const double *z; /**< n, in the order of the rows; in a global problem n + p: r, then lambda */
  const double *w; /**< w or u, as long as z; zeros in equality rows; NULL if not stored */
  const double *v; /**< nv: velocities of a global problem; NULL if not stored */
} nsds_stored_point;

/** Data that a file may hold beside its problem; all zeros: nothing. */
typedef struct nsds_notes {
  const char *name;                  /**< name of the problem; NULL: none */
  const char *const *block_name;     /**< nblock names, each may be NULL; NULL: no names */
  const nsds_stored_point *solution; /**< NULL: none */
  const nsds_stored_point *guess;    /**< nguess starting points */
  int nguess;                        /**< >= 0 */
} nsds_notes;

/**
 * Reads a problem in the given format. NSDS_FORMAT_AUTO finds the format from the content: HDF5 by
 * its signature, NSDS_FORMAT_NSDS and NSDS_FORMAT_QPS by their first word. For any other text the reader tries LCP, MLCP,
 * friction, relay, rolling friction and global problem, in this order. The first format that fits
 * the whole text counts.
 *
 * Returns an object or NULL. Destroy the object with nsds_problem_file_destroy() before its
 * context. Errors: NSDS_ERROR_IO if the file cannot be read, NSDS_ERROR_FORMAT if the file is
 * malformed, NSDS_ERROR_MEMORY.
 */
NSDS_API nsds_problem_file *nsds_problem_read(nsds_context *context, const char *path,
                                              nsds_format format);

/** Reads a problem from the bytes of a file in memory; messages show `name` instead of the path. */
NSDS_API nsds_problem_file *nsds_problem_read_memory(nsds_context *context, const char *name,
                                                     const char *data, size_t size,
                                                     nsds_format format);

/** Frees a file object with its problem; NULL is allowed. */
NSDS_API void nsds_problem_file_destroy(nsds_problem_file *file);

/**
 * "lcp", "mlcp", "relay", "program", "fc2d", "fc3d", "rolling 2d", "rolling 3d", "global friction" or "global
 * rolling friction"; "mixed" or "global mixed" for other combinations of sets; "" for NULL.
 */
NSDS_API const char *nsds_problem_file_kind(const nsds_problem_file *file);

/** The problem, valid as long as the file object; NULL if the argument is NULL or the problem is
 * global. */
NSDS_API const nsds_problem *nsds_problem_file_problem(const nsds_problem_file *file);

/** The global problem, valid as long as the file object; NULL if the argument is NULL or the
 * problem is local. */
NSDS_API const nsds_global_problem *nsds_problem_file_global(const nsds_problem_file *file);

/** The matrix M of the problem, local or global, valid as long as the file object. Returns NULL if
 * the file object is NULL.
 */
NSDS_API const nsds_matrix *nsds_problem_file_matrix(const nsds_problem_file *file);

/**
 * Storage of the matrix in the file: "dense", "blocks", "triplet", "columns", "rows", "half
 * triplet" for one triangle, "factored", or "rectangular" for an MLCP made square. "" for NULL.
 * nsds_problem_file_matrix() tells the storage in memory.
 */
NSDS_API const char *nsds_problem_file_storage(const nsds_problem_file *file);

/** The data beside the problem, valid as long as the file object; NULL if the argument is NULL. */
NSDS_API const nsds_notes *nsds_problem_file_notes(const nsds_problem_file *file);

/** The stored solution (FCLIB: /solution), NULL if there is none. */
NSDS_API const nsds_stored_point *nsds_problem_file_solution(const nsds_problem_file *file);

/** Number of stored guesses (FCLIB: /guesses), 0 if there are none. */
NSDS_API int nsds_problem_file_nguess(const nsds_problem_file *file);

/** Stored guess k = 0, 1, ...; NULL past the end. */
NSDS_API const nsds_stored_point *nsds_problem_file_guess(const nsds_problem_file *file, int k);

/**
 * Writes a problem and replaces an existing file. Reading the file gives the same numbers, bit for
 * bit.
 *
 * NSDS_FORMAT_AUTO chooses the format by the path and the blocks:
 *
 *     path ends in ".hdf5" or ".h5"   FCLIB
 *     path ends in ".nsds"            NSDS_FORMAT_NSDS
 *     other paths                     the text format that fits the blocks; NSDS_FORMAT_NSDS for
 *                                     rolling friction in the plane, with scale or q_error, and if
 *                                     no text format fits
 *
 * `notes` holds data beside the problem; NULL: none. NSDS_FORMAT_NSDS keeps all notes, FCLIB keeps
 * the points, other formats keep nothing. A warning names scale, q_error and points that are left
 * out. All numbers of the points must be finite.
 *
 * NSDS_FORMAT_NSDS writes every matrix as it is. The other texts write dense matrices and block
 * rows as they are, and other matrices as compressed columns. HDF5 files have compressed columns
 * only. HDF5 files leave out the zeros of a dense matrix and blocks without rows. A relay also takes NONNEGATIVE and EQUALITY blocks, as boxes without bounds.
 *
 * FCLIB takes EQUALITY blocks, and COULOMB or ROLLING blocks of one size. FCLIB holds equality rows
 * last, so rows and columns are reordered if equality rows stand between contacts. The part of M in
 * equality rows beside the diagonal must be V^T, the transpose of the part V in the columns of the
 * equality rows.
 *
 * The first call that writes FCLIB loads libhdf5. The library writes one file at a time in a
 * process, because libhdf5 need not be thread-safe. If other threads of your program call libhdf5
 * too, keep the calls apart.
 *
 * Errors: those of nsds_problem_check(), NSDS_ERROR_IO, NSDS_ERROR_MEMORY. NSDS_ERROR_UNSUPPORTED:
 * the format has no place for a block, which the message names, or HDF5 is not built in or not
 * installed. An error other than NSDS_ERROR_IO leaves an existing file as it was.
 */
NSDS_API nsds_status nsds_problem_write(nsds_context *context, const nsds_problem *problem,
                                        const nsds_notes *notes, const char *path,
                                        nsds_format format);

/**
 * Writes a global problem as NSDS_FORMAT_NSDS, NSDS_FORMAT_FCLIB or, without equality rows,
 * NSDS_FORMAT_GLOBAL. FCLIB and NSDS_FORMAT_GLOBAL need COULOMB or ROLLING blocks of one size.
 * NSDS_FORMAT_AUTO means FCLIB for a path ending in ".hdf5" or ".h5", and NSDS_FORMAT_NSDS for
 * ".nsds". Other paths get NSDS_FORMAT_GLOBAL if it fits, else NSDS_FORMAT_NSDS. FCLIB leaves out
 * zeros of a dense M. Reading the file gives the same numbers, bit for bit. `notes` as in
 * nsds_problem_write().
 *
 * Errors: those of nsds_global_check(), otherwise as for nsds_problem_write().
 */
NSDS_API nsds_status nsds_global_write(nsds_context *context, const nsds_global_problem *problem,
                                       const nsds_notes *notes, const char *path,
                                       nsds_format format);

#ifdef __cplusplus
}
#endif
#endif
