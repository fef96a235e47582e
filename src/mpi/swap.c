/*
 * Items from each process to each other one.
 */
#include "mpi/world.h"

#include <nsds/extend.h>

void *nsds_mpi_swap(nsds_mpi *mpi, size_t size, const void *items, const int *count, int *from,
                    int *total) {
  int ranks = mpi->size, sum = 0, sent = 0;
  int *offset = nsds_mpi_indices(mpi, 2 * (size_t)ranks), *offset_from = offset + ranks;
  double missing = offset == NULL;
  void *received = NULL;
  MPI_Datatype item;
  *total = 0;
  nsds_mpi_most(mpi, 1, &missing);
  if (missing > 0.0) {
    nsds_free(offset);
    return NULL;
  }
  MPI_Alltoall(count, 1, MPI_INT, from, 1, MPI_INT, mpi->comm);
  for (int r = 0; r < ranks; ++r) {
    offset[r] = sent, offset_from[r] = sum;
    sent += count[r], sum += from[r];
    if (r == mpi->rank || count[r] == 0) continue;
    ++mpi->messages;
    mpi->bytes += (long long)size * count[r];
  }
  ++mpi->exchanges;
  received = nsds_alloc(mpi->context, "items of other processes", (size_t)sum + 1, size);
  missing = received == NULL;
  nsds_mpi_most(mpi, 1, &missing);
  if (missing == 0.0) {
    MPI_Type_contiguous((int)size, MPI_BYTE, &item);
    MPI_Type_commit(&item);
    MPI_Alltoallv(items, count, offset, item, received, from, offset_from, item, mpi->comm);
    MPI_Type_free(&item);
    *total = sum;
  } else {
    nsds_free(received);
    received = NULL;
  }
  nsds_free(offset);
  return received;
}
