/*
 * Internals of the io room: the owning object behind nsds_problem_file, its readers and writers.
 *
 * A reader fills a zeroed object through the nsds_file_* calls below. After a failure
 * nsds_file_clear() releases the arrays.
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
  double *q_error, *scale;
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

/* Takes memory for n entries of q and nblock blocks. */
nsds_status nsds_file_size(nsds_problem_file *file, int n, int nblock);

/* Releases everything inside the object; it is then as new. */
void nsds_file_clear(nsds_problem_file *file);

/* Returns the matrix in the arrays. */
nsds_matrix nsds_file_matrix(const nsds_problem_file *file);

/* Sets problem.M and the notes. */
nsds_status nsds_file_complete(nsds_problem_file *file);

/* Returns "fc2d", "fc3d", "rolling 2d" or "rolling 3d", for contacts of size d. */
const char *nsds_friction_form(int d, bool rolling);

/* M as compressed columns, for any storage: problem->M itself, or a copy in *owned. Release it by
 * nsds_columns_release(). */
typedef struct nsds_columns {
  const int *p, *i;
  const double *x;
  int *own_p, *own_i;
  double *own_x;
} nsds_columns;

#endif
