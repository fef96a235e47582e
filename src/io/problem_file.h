/*
 * Internals of the io room: the owning object behind nsds_problem_file, its readers and writers.
 *
 * A reader fills a zeroed object through the nsds_file_* calls below; what it has filled when it
 * fails is released by nsds_file_clear().
 */
#ifndef NSDS_SRC_PROBLEM_FILE_H
#define NSDS_SRC_PROBLEM_FILE_H

#include "io/text.h"

#include <nsds/io.h>

struct nsds_problem_file {
  nsds_context *context;
  const char *kind;     /* static */
  const char *storage;  /* static: storage in the file */
  nsds_problem problem; /* points to the arrays below */
  nsds_block *block;
  double *q;
  double *x;             /* dense, compressed columns, block rows */
  int *p, *i;            /* compressed columns */
  double *lower, *upper; /* of a relay */
  struct {               /* block rows */
    nsds_block_rows shown;
    int *row, *first, *column, *start; /* row NULL: another storage */
  } blocks;
  struct { /* a global problem; its M is that of the arrays above */
    nsds_global_problem shown;
    int *Hp, *Hi, *Gp, *Gi;
    double *Hx, *Gx, *f, *w, *b; /* f NULL: a local problem */
  } global;
  struct { /* the factored storage */
    nsds_factored shown;
    int *row, *first; /* row NULL: another storage */
    nsds_edge *edge;
    const double **D;
    double *x; /* all values */
    bool symmetric;
  } factored;
  double *q_error;
  double *sets;               /* bounds and facets of the format nsds, in order of the blocks */
  nsds_stored_point solution; /* owns its arrays; z NULL: none */
  nsds_stored_point *guess;   /* these too */
  size_t guesses;             /* room for them */
  int nguess;
  struct { /* names, one behind the other */
    char *text;
    size_t used, capacity;
    const char **of_block;
  } names;
  nsds_notes notes; /* points to the arrays above */
};

/* Entries (row[k], column[k], x[k]); several at one place are added up. */
typedef struct nsds_triplets {
  int nrow, ncolumn;
  size_t count;
  int *row, *column;
  double *x;
} nsds_triplets;

/* ---- problem_file.c ---- */

/* Takes memory for n entries of q and nblock blocks. */
nsds_status nsds_file_size(nsds_problem_file *file, int n, int nblock);

/* Releases everything inside the object; it is then as new. */
void nsds_file_clear(nsds_problem_file *file);

/* The matrix that the arrays hold. */
nsds_matrix nsds_file_matrix(const nsds_problem_file *file);

/* Sets problem.M and the notes. */
nsds_status nsds_file_complete(nsds_problem_file *file);

/* ---- columns.c: compressed columns ---- */

nsds_status nsds_triplets_create(nsds_context *context, int nrow, int ncolumn, size_t count,
                                 nsds_triplets *entries);
void nsds_triplets_release(nsds_context *context, nsds_triplets *entries);

/* Compressed columns, rows increasing, into new arrays, which are the caller's also after a
 * failure. NSDS_ERROR_FORMAT, which is not recorded, when entries at one place add up to a number
 * that is not finite. */
nsds_status nsds_compress(nsds_context *context, const nsds_triplets *entries, int **p, int **i,
                          double **x);

/* The same for a square matrix, into file->p, i, x. */
nsds_status nsds_file_compress(nsds_problem_file *file, const nsds_triplets *entries);

/* order[0..count) = from[0..count), or 0..count-1 where from is NULL, sorted by key 0 .. nkey - 1,
 * equal keys in the order given. start: nkey + 1 zeros, afterwards where each key begins. */
void nsds_sort_by(const int *key, int nkey, size_t count, const int *from, int *order, int *start);

/* symmetry.c: sets problem.M.symmetric where M equals its transpose, entry by entry. */
nsds_status nsds_file_find_symmetry(nsds_problem_file *file);

/* ---- readers ---- */

/* A matrix in any of the text storages: matrix_text.c, blocks_text.c, sparse_text.c. A square one
 * goes into the file where `entries` is NULL, otherwise its entries are made, which are the
 * caller's also after a failure. */
nsds_status nsds_read_matrix(nsds_text *text, int nrow, int ncolumn, nsds_triplets *entries,
                             nsds_problem_file *file);
nsds_status nsds_read_blocks(nsds_text *text, int nrow, int ncolumn, nsds_triplets *entries,
                             nsds_problem_file *file);
nsds_status nsds_read_sparse(nsds_text *text, int nrow, int ncolumn, nsds_triplets *entries,
                             nsds_problem_file *file);

/* The first three numbers of the matrix that comes next; a failure is not one of the text. */
nsds_status nsds_peek_matrix(const nsds_text *text, int *storage, int *nrow, int *ncolumn);

/* nsds_file_compress() for entries that come from a text. */
nsds_status nsds_text_compress(nsds_text *text, nsds_problem_file *file,
                               const nsds_triplets *entries);

/* Whole files: problem_text.c, mlcp_text.c, mlcp_lines.c, global_text.c, fclib_read.c. The first
 * and the last one record their failures; the object is then as new. */
nsds_status nsds_read_text(nsds_text *text, nsds_format format, nsds_problem_file *file);
nsds_status nsds_read_mlcp(nsds_text *text, nsds_problem_file *file);
nsds_status nsds_read_mlcp_lines(nsds_text *text, nsds_problem_file *file);

/* The rest of an MLCP with n unknowns u and m pairs: a square problem of the entries, which has m
 * complementarity rows behind its equality rows, and q from the text. */
nsds_status nsds_square_mlcp(nsds_text *text, int n, int m, nsds_triplets *entries,
                             nsds_problem_file *file);
nsds_status nsds_read_global_text(nsds_text *text, nsds_problem_file *file);
nsds_status nsds_read_native(nsds_text *text, nsds_problem_file *file);
nsds_status nsds_read_fclib(const char *name, const char *data, size_t size,
                            nsds_problem_file *file);

/* Coefficients of contacts of size d, into the blocks; the flag 0 or 1 that may follow them. */
nsds_status nsds_text_contacts(nsds_text *text, int d, int count, bool rolling,
                               nsds_problem_file *file);
nsds_status nsds_text_flag(nsds_text *text);

/* n upper bounds, none of them below the lower one. */
nsds_status nsds_text_upper(nsds_text *text, int n, const double *lower, double *upper);

/* "fc2d", "fc3d", "rolling 2d" or "rolling 3d", for contacts of size d. */
const char *nsds_friction_form(int d, bool rolling);

/* The parts of the format nsds: native_blocks.c, native_matrix.c. Blocks end where another word than
 * that of a set comes; *n is the sum of their sizes. A matrix is named in messages. */
nsds_status nsds_native_blocks(nsds_text *text, nsds_problem_file *file, int *nblock, int *n);
nsds_status nsds_native_matrix(nsds_text *text, int n, nsds_problem_file *file);
nsds_status nsds_native_sparse(nsds_text *text, const char *name, int nrow, int ncolumn, int **p,
                               int **i, double **x);

/* Puts a name behind the others; *at is where it begins. */
nsds_status nsds_file_add_name(nsds_text *text, nsds_problem_file *file, size_t *at);

/* The words of the format nsds for the sets, in order of their bits; NULL behind the last. */
extern const char *const nsds_set_words[];

/* ---- writers: write_text.c, native_write.c, fclib_write.c ---- */

nsds_status nsds_write_text(nsds_context *context, const nsds_problem *problem, const char *path,
                            nsds_format format);
nsds_status nsds_write_native(nsds_context *context, const nsds_problem *problem,
                              const nsds_notes *notes, const char *path);
nsds_status nsds_write_native_global(nsds_context *context, const nsds_global_problem *problem,
                                     const nsds_notes *notes, const char *path);
nsds_status nsds_write_fclib(nsds_context *context, const nsds_problem *problem,
                             const nsds_notes *notes, const char *path);
nsds_status nsds_write_fclib_global(nsds_context *context, const nsds_global_problem *problem,
                                    const nsds_notes *notes, const char *path);

/* The first block that has no place in a format of text, -1 where all have one. */
int nsds_misfit(const nsds_problem *problem, nsds_format format);

/* NSDS_ERROR_UNSUPPORTED: block a has no place in the format, which holds `wanted`. */
nsds_status nsds_refuse_block(nsds_context *context, const nsds_problem *problem, int a,
                              const char *path, nsds_format format, const char *wanted);

/* The first block with rows that is COULOMB or ROLLING; one of COULOMB, size 3, where there is
 * none. Whether a block is like it. */
nsds_block nsds_first_contact(const nsds_problem *problem);
bool nsds_same_contact(const nsds_block *block, const nsds_block *first);

/* The blocks of a global problem as a local one has them. */
nsds_problem nsds_blocks_of(const nsds_global_problem *problem);

/* Text: LCP, MLCP, relay, friction, rolling; and global problems. */
nsds_status nsds_write_global_text(nsds_context *context, const nsds_global_problem *problem,
                                   const char *path);

/* M as compressed columns, whatever its storage: problem->M itself, or a copy in *owned, to be
 * released with nsds_columns_release(). */
typedef struct nsds_columns {
  const int *p, *i;
  const double *x;
  int *own_p, *own_i;
  double *own_x;
} nsds_columns;

nsds_status nsds_columns_of(nsds_context *context, const nsds_problem *problem,
                            nsds_columns *columns);
void nsds_columns_release(nsds_context *context, nsds_columns *columns);

#endif
