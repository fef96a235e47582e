/**
 * @file table.h
 * @brief Tables of numbers: HDF5 files for h5py, pandas, MATLAB and Julia; numbers as text.
 *
 *     double t[N], q[N];
 *     ... while (nsds_step(sim) == NSDS_OK) t[n] = nsds_time(sim), q[n++] = nsds_q(ball)[0]; ...
 *     nsds_table_column column[] = {{.name = "t", .unit = "s", .x = t}, {.name = "q", .unit = "m", .x = q}};
 *     nsds_table_write(context, &(nsds_table_def){.nrows = n, .ncolumns = 2, .columns = column}, "ball.h5");
 *
 * In Python, h5py.File("ball.h5")["q"][:] is the column q.
 */
#ifndef NSDS_TABLE_H
#define NSDS_TABLE_H

#include <nsds/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A column: numbers or texts. */
typedef struct nsds_table_column {
  const char *name;        /**< any text */
  const char *unit;        /**< for example "m/s"; NULL: without */
  const double *x;         /**< nrows numbers, also NaN and infinities; NULL: texts */
  const char *const *text; /**< nrows texts in UTF-8, where x is NULL */
} nsds_table_column;

/** A fact about the whole table, for example the version of the program that made it. */
typedef struct nsds_table_note {
  const char *name; /**< any text but "", each once */
  const char *text; /**< NULL: a number */
  uint64_t number;  /**< where text is NULL */
} nsds_table_note;

/** A table. */
typedef struct nsds_table_def {
  long nrows;                       /**< >= 0 */
  int ncolumns;                     /**< >= 0 */
  const nsds_table_column *columns; /**< ncolumns of them */
  int nnotes;                       /**< >= 0 */
  const nsds_table_note *notes;     /**< nnotes of them */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_table_def;

/**
 * Writes a table as an HDF5 file and replaces an existing file. Each column is a data set of its name in the root
 * group, 64-bit reals or texts of any length. Every data set has the attributes `name`, `unit` and `column`, its
 * place from 0. Notes are attributes of the root group. A data set is called like its column. A "/" becomes "_". A name
 * that is taken gets "_" and the place of the column behind it. Names "" and "." become "column" with the place. Equal
 * tables give equal files, byte for byte.
 *
 * The first call loads libhdf5, see nsds_problem_write().
 *
 * @return NSDS_OK; NSDS_ERROR_ARGUMENT: a pointer is NULL, or a note has no name or the name of another one;
 *         NSDS_ERROR_SIZE: a number of rows, columns or notes is negative; NSDS_ERROR_UNSUPPORTED: HDF5 is not built
 *         in or not installed; NSDS_ERROR_IO: the path; NSDS_ERROR_MEMORY. On error an existing file stays
 */
NSDS_API nsds_status nsds_table_write(nsds_context *context, const nsds_table_def *def,
                                      const char *path);

/**
 * Writes a number with the fewest digits, 15 to 17 at most, from which the same number is read back: 0.1 and 1e-06, not
 * 0.10000000000000001. The text has a decimal point in any locale. Not finite: "nan", "inf", "-inf".
 * @param value the number
 * @param text  receives at most `size` bytes with the final zero; 32 bytes are enough
 * @param size  bytes of `text`
 * @return the length of the whole text, as snprintf()
 */
NSDS_API int nsds_number_text(double value, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
