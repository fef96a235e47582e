/*
 * A group of processes: its communicator, counts, and failures that become failures of all.
 */
#ifndef NSDS_SRC_MPI_GROUP_H
#define NSDS_SRC_MPI_GROUP_H

#include "base/base.h"

#include <nsds/mpi.h>
#include <petscsys.h>

struct nsds_mpi {
  nsds_context *context;
  MPI_Comm comm;
  int rank, size;
  long long exchanges, messages, bytes, reductions;
  struct nsds_kept *kept; /* of the last problem (kept.h); NULL: nothing */
  void (*release)(struct nsds_kept *kept);
};

/* Returns NSDS_OK, or records what PETSc says. */
nsds_status nsds_mpi_petsc(nsds_mpi *mpi, PetscErrorCode code, const char *call);

/* Returns true if PETSc has ended: its objects are gone then. */
bool nsds_mpi_petsc_has_ended(void);

/* Replaces x[0 .. n) by the largest over all processes. */
void nsds_mpi_most(nsds_mpi *mpi, int n, double *x);

/* Memory of the context, or NULL with the failure recorded. */
double *nsds_mpi_numbers(nsds_mpi *mpi, size_t n);
int *nsds_mpi_indices(nsds_mpi *mpi, size_t n);

#endif
