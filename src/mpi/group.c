/*
 * Groups of processes. A failure of one becomes a failure of all: they take the lowest status.
 * The lowest rank that has this status sends its message, and the others record it with that rank.
 *
 * PETSc keeps its own errors to itself here: they come back as codes with a message.
 */
#include "mpi/group.h"

#include <nsds/extend.h>
#include <stdio.h>
#include <stdlib.h>

enum { longest_message = 1024 };

static char petsc_message[longest_message];

/* Keeps the first message of a chain of PETSc's errors. */
static PetscErrorCode keep_message(MPI_Comm comm, int line, const char *function, const char *file,
                                   PetscErrorCode code, PetscErrorType type, const char *message,
                                   void *user) {
  (void)comm, (void)line, (void)file, (void)user;
  if (type == PETSC_ERROR_INITIAL)
    snprintf(petsc_message, sizeof petsc_message, "%s: %s", function ? function : "PETSc",
             message ? message : "unknown error");
  return code;
}

bool nsds_mpi_petsc_has_ended(void) {
  PetscBool ended = PETSC_TRUE;
  return PetscFinalized(&ended) || ended;
}

/* A program may have ended MPI itself: then nothing of PETSc works. */
static void end_petsc(void) {
  int ended = 0;
  MPI_Finalized(&ended);
  if (!ended && !nsds_mpi_petsc_has_ended()) PetscFinalize();
}

/* Starts MPI and PETSc if nobody has. */
static nsds_status start_petsc(nsds_context *context) {
  PetscBool started = PETSC_FALSE;
  int ended = 0;
  MPI_Finalized(&ended);
  if (ended)
    return nsds_report(context, NSDS_ERROR_STATE,
                       "nsds_mpi_create: MPI has ended; create groups before MPI_Finalize()");
  PetscInitialized(&started);
  if (started) return NSDS_OK;
  if (PetscInitializeNoArguments())
    return nsds_report(context, NSDS_ERROR_INTERNAL, "nsds_mpi_create: PETSc does not start");
  PetscPopSignalHandler();
  PetscPushErrorHandler(keep_message, NULL);
  atexit(end_petsc);
  return NSDS_OK;
}

nsds_status nsds_mpi_petsc(nsds_mpi *mpi, PetscErrorCode code, const char *call) {
  if (!code) return NSDS_OK;
  nsds_status status = code == PETSC_ERR_MEM ? NSDS_ERROR_MEMORY : NSDS_ERROR_INTERNAL;
  return nsds_report(mpi->context, status, "%s: PETSc fails with %d (%s)", call, (int)code,
                     petsc_message);
}

nsds_mpi *nsds_mpi_create(nsds_context *context, const void *communicator) {
  if (!context) {
    nsds_report(NULL, NSDS_ERROR_ARGUMENT, "nsds_mpi_create: context is NULL");
    return NULL;
  }
  if (start_petsc(context)) return NULL;
  nsds_mpi *mpi = nsds_alloc(context, "a group of processes", 1, sizeof *mpi);
  MPI_Comm comm = communicator ? *(const MPI_Comm *)communicator : MPI_COMM_WORLD;
  int missing = mpi == NULL;
  MPI_Allreduce(MPI_IN_PLACE, &missing, 1, MPI_INT, MPI_MAX, comm);
  if (missing) {
    if (mpi)
      nsds_report(context, NSDS_ERROR_MEMORY, "nsds_mpi_create: another process is out of memory");
    nsds_free(mpi);
    return NULL;
  }
  mpi->context = context;
  MPI_Comm_dup(comm, &mpi->comm);
  MPI_Comm_rank(mpi->comm, &mpi->rank);
  MPI_Comm_size(mpi->comm, &mpi->size);
  return mpi;
}

void nsds_mpi_destroy(nsds_mpi *mpi) {
  int ended = 0;
  if (!mpi) return;
  if (mpi->kept) mpi->release(mpi->kept);
  MPI_Finalized(&ended);
  if (!ended) MPI_Comm_free(&mpi->comm);
  nsds_free(mpi);
}

int nsds_mpi_rank(const nsds_mpi *mpi) { return mpi ? mpi->rank : -1; }

int nsds_mpi_size(const nsds_mpi *mpi) { return mpi ? mpi->size : 0; }

nsds_status nsds_mpi_agree(nsds_mpi *mpi, nsds_status status) {
  if (!mpi) return status < 0 ? status : NSDS_ERROR_ARGUMENT;
  struct {
    int status, rank;
  } worst = {(int)status, mpi->rank};
  ++mpi->reductions;
  MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_2INT, MPI_MINLOC, mpi->comm);
  if (worst.status >= 0) return (nsds_status)worst.status;
  char message[longest_message] = "";
  if (worst.rank == mpi->rank) {
    const char *last = nsds_last_message(mpi->context);
    snprintf(message, sizeof message, "%s",
             last[0] ? last : nsds_status_text((nsds_status)worst.status));
  }
  MPI_Bcast(message, sizeof message, MPI_CHAR, worst.rank, mpi->comm);
  if ((int)status == worst.status && worst.rank == mpi->rank) return status;
  return nsds_report(mpi->context, (nsds_status)worst.status, "rank %d: %s", worst.rank, message);
}

void nsds_mpi_most(nsds_mpi *mpi, int n, double *x) {
  ++mpi->reductions;
  MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_DOUBLE, MPI_MAX, mpi->comm);
}

void nsds_mpi_total(nsds_mpi *mpi, int n, double *x) {
  if (!mpi || !x || n <= 0) return;
  ++mpi->reductions;
  MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_DOUBLE, MPI_SUM, mpi->comm);
}

double *nsds_mpi_numbers(nsds_mpi *mpi, size_t n) {
  return nsds_alloc(mpi->context, "numbers of a distributed problem", n, sizeof(double));
}

int *nsds_mpi_indices(nsds_mpi *mpi, size_t n) {
  return nsds_alloc(mpi->context, "indices of a distributed problem", n, sizeof(int));
}
