/*
 * The problem over all processes: the part of this process with a halo (nsds_halo) on PetscSF.
 */
#ifndef NSDS_SRC_MPI_WHOLE_H
#define NSDS_SRC_MPI_WHOLE_H

#include "mpi/group.h"

#include <petscsf.h>

typedef struct nsds_whole {
  nsds_mpi *mpi;
  nsds_problem problem; /* of this part; indices of compressed columns are local */
  nsds_halo halo;
  PetscSF
      sf;   /* rows: leaves are the rows of others; columns: leaves are copies of shared columns */
  int sent; /* numbers that this process sends in an exchange from roots to leaves, */
  int collected;           /* and from leaves to roots */
  int senders, collectors; /* and to how many others */
  int first_row, others;   /* rows: first row in the whole problem, rows of others in the halo */
  int *i;                  /* rows: local columns */
  double *other;           /* rows: values of rows of others */
  double *coarse, *fine, *most; /* columns: work of sums in twice the precision */
  bool lent;                    /* the exchange of columns, by what is kept */
} nsds_whole;

/* Checks the part of this process. Collective; returns what all agree on. */
nsds_status nsds_whole_check(nsds_mpi *mpi, const nsds_mpi_part *part, const char *call);

/* Opens the whole of parts that are in order. `kept` lends its exchange of columns; NULL: none fits. Collective;
 * returns what all agree on. */
nsds_status nsds_whole_open(nsds_whole *whole, nsds_mpi *mpi, const nsds_mpi_part *part,
                            const nsds_whole *kept, const char *call);
void nsds_whole_close(nsds_whole *whole);

/* The exchange of columns alone, with its counts and work. */
nsds_whole nsds_whole_exchange(const nsds_whole *whole);

/* Opens the exchange of rows for n rows whose entries have these columns of the whole problem;
 * writes local columns to i. Only `sf`, `others`, `other`, `first_row` and counts are set. */
nsds_status nsds_whole_open_rows(nsds_whole *whole, nsds_mpi *mpi, int n, int entries,
                                 const PetscInt *column, int *i);

/* Writes x of the rows of others to `other`. */
void nsds_whole_fill(nsds_whole *whole, const double *x);

/* Adds, or takes the largest of, the copies of each shared column. */
void nsds_whole_sum(nsds_whole *whole, double *v);

#endif
