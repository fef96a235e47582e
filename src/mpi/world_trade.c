/*
 * Numbers of owners go to copies, between the processes of a world.
 */
#include "mpi/world.h"

#include <nsds/extend.h>
#include <string.h>

enum { velocities = 6, tag_velocities = 2 };

int nsds_world_base_column(const nsds_here *here) {
  int columns = 0;
  for (int k = 0; k < here->nscenery; ++k) columns += nsds_nv(here->ds[k]);
  return columns;
}

int nsds_world_count_found(const nsds_mpi_world *w) {
  const nsds_here *here = w->here;
  int count = here->set ? nsds_contact_set_count(here->set) : 0, found = 0;
  nsds_contact_info info;
  for (int k = 0; k < count; ++k) {
    if (nsds_contact_set_get(here->set, k, &info)) continue;
    int first = nsds_ds_index(info.ds[0]) - here->nscenery;
    if (first < 0) first = nsds_ds_index(info.ds[1]) - here->nscenery;
    found += nsds_is_own(here, first);
  }
  return found;
}

void nsds_world_trade(nsds_mpi_world *w, int tag) {
  nsds_here *here = w->here;
  nsds_mpi *mpi = w->mpi;
  int open = 0;
  for (int k = 0; k < here->nneighbor; ++k) {
    const nsds_neighbor *n = &here->neighbor[k];
    if (n->nin == 0) continue;
    MPI_Irecv(n->in, n->nin, MPI_DOUBLE, n->rank, tag, mpi->comm, &here->request[open++]);
  }
  for (int k = 0; k < here->nneighbor; ++k) {
    const nsds_neighbor *n = &here->neighbor[k];
    if (n->nout == 0) continue;
    MPI_Isend(n->out, n->nout, MPI_DOUBLE, n->rank, tag, mpi->comm, &here->request[open++]);
    ++mpi->messages;
    mpi->bytes += (long long)n->nout * (long long)sizeof(double);
  }
  ++mpi->exchanges;
  MPI_Waitall(open, here->request, MPI_STATUSES_IGNORE);
}

void nsds_world_tell_copies(nsds_mpi_world *w, double *v) {
  nsds_here *here = w->here;
  int base = nsds_world_base_column(here);
  for (int k = 0; k < here->nneighbor; ++k) {
    nsds_neighbor *n = &here->neighbor[k];
    n->nout = n->nsend * velocities;
    n->nin = n->nreceive * velocities;
    for (int i = 0; i < n->nsend; ++i)
      memcpy(n->out + velocities * i, v + base + velocities * (ptrdiff_t)n->send[i],
             velocities * sizeof *v);
  }
  nsds_world_trade(w, tag_velocities);
  for (int k = 0; k < here->nneighbor; ++k) {
    nsds_neighbor *n = &here->neighbor[k];
    for (int i = 0; i < n->nreceive; ++i)
      memcpy(v + base + velocities * (ptrdiff_t)n->receive[i], n->in + velocities * i,
             velocities * sizeof *v);
  }
}
