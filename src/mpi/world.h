/*
 * A granular world over processes. `here` is what one process has: the bodies that it owns and the
 * copies of its halo, their model, and the lists of exchanges. A new one is made whenever bodies have
 * moved far (world_share.c, world_model.c); the old one stays until all processes have theirs.
 */
#ifndef NSDS_SRC_MPI_WORLD_H
#define NSDS_SRC_MPI_WORLD_H

#include "mpi/group.h"

#include <nsds/extend_step.h>
#include <nsds/mpi_world.h>

enum { nsds_world_rows = 3 }; /* of a contact with friction */

/* A contact by the bodies that meet: identifiers, the second one -1 - s for shape s of the scenery.
 * `key` is that of the contact set, which depends on the names of shapes alone. */
typedef struct nsds_touch {
  long long a, b;
  uint64_t key;
  double z[nsds_world_rows];
} nsds_touch;

/* A body that is here. */
typedef struct nsds_member {
  nsds_mpi_body body; /* its state when `here` was made */
  int owner;          /* rank */
  double around;      /* radius of a ball about the center with all shapes [m] */
  double weight;      /* work that it stands for */
} nsds_member;

/* Another process with bodies in common. Places are those of members, increasing. */
typedef struct nsds_neighbor {
  int rank;
  int nsend, nreceive;
  int *send, *receive; /* own bodies that are copied there; copies here of bodies there */
  int nout, nin;       /* numbers to send and to receive: velocities, or impulses of contacts */
  double *out, *in;
  size_t out_capacity, in_capacity;
} nsds_neighbor;

typedef struct nsds_here {
  int rank;
  int nmember, nown, nneighbor;
  nsds_member *member; /* by increasing identifiers */
  int *own;            /* nown places of own bodies */
  nsds_neighbor *neighbor;
  MPI_Request *request; /* two for each neighbor */
  double skin;          /* of this halo */
  bool fresh;           /* the model has not taken a step yet */
  nsds_model *model;    /* NULL without members */
  nsds_contact_set *set;
  nsds_simulation *simulation;
  int nscenery, scenery_shapes;
  nsds_ds **ds; /* of the scenery, then of members */
} nsds_here;

/* The part of the one-step problem that this process owns, and what the step needs of the rest. */
typedef struct nsds_step_part {
  const nsds_problem *local; /* of this process's model, with all contacts that are here */
  int nblock, nedge, ncolumn, n;
  int *column; /* of members in the part, -1: none */
  nsds_block *block;
  nsds_edge *edge;
  int *row, *first_edge;
  double *gain, *q, *z, *w;
  long long *number, *id;
  nsds_touch *touch; /* of own blocks */
  int *place;     /* of contacts in `local`: own block, or -1 - neighbor that sends its impulse */
  int *to;        /* of own blocks: the neighbor that owns the second body, -1: none */
  double *all;    /* impulses of `local` */
  double *before; /* of own blocks: first impulse of the step before */
  double *free;   /* velocities of own members without impulses */
  size_t room[17];
} nsds_step_part;

struct nsds_mpi_world {
  nsds_mpi *mpi;
  nsds_mpi_world_def def; /* arrays are our own */
  double reach;
  nsds_here *here;
  bool gathered; /* the last step went to one process; not told by snapshots */
  bool stale;    /* owners and halos are to be found anew */
  double t;
  nsds_touch *touch; /* impulses of the last step, of own contacts: the start of the next one */
  int ntouch;
  size_t touch_capacity;
  nsds_step_part part;
  nsds_mpi_world_info info;
};

static inline bool nsds_is_own(const nsds_here *here, int k) {
  return here->member[k].owner == here->rank;
}

/* ---- swap.c ---- */

/* Sends count[r] items of `size` bytes to each rank r, which lie one after the other. Returns the items
 * that came, by ranks, in memory for nsds_free(). from[r] receives how many came from r. Returns NULL if
 * memory is out on any process; all learn this. */
void *nsds_mpi_swap(nsds_mpi *mpi, size_t size, const void *items, const int *count, int *from,
                    int *total);

/* ---- world_share.c ---- */

/* Finds owners and halo of the bodies `own`, which this process has had so far, with their contacts;
 * both are sorted. Writes members and neighbors, and the contacts of the bodies that are its own now,
 * in memory for nsds_free(). */
nsds_status nsds_world_share(nsds_mpi_world *w, nsds_here *here, const nsds_member *own, int nown,
                             const nsds_touch *touch, int ntouch, nsds_touch **moved, int *nmoved);
/* By bodies: scenery comes before them, as in the model. */
int nsds_compare_pairs(const nsds_touch *x, const nsds_touch *y);
int nsds_compare_touches(const void *a, const void *b); /* by bodies and keys */

/* ---- world_model.c ---- */

/* Radius of a ball about the center of a body of this kind and size 1. */
double nsds_world_around(const nsds_mpi_kind *kind);
nsds_status nsds_world_copy_kinds(nsds_mpi_world *w, const nsds_mpi_world_def *def);
void nsds_world_free_kinds(nsds_mpi_world *w);
/* Makes the model of `here`. Scenery takes the states of `before`, which may be NULL. */
nsds_status nsds_world_build(nsds_mpi_world *w, nsds_here *here, const nsds_here *before);
void nsds_here_destroy(nsds_here *here);

/* ---- world_trade.c ---- */

/* Number of velocities of the scenery, which come first in the model. */
int nsds_world_base_column(const nsds_here *here);
/* Counts the contacts whose first body is owned here. */
int nsds_world_count_found(const nsds_mpi_world *w);
/* Sends `out` of each neighbor and receives `in`. */
void nsds_world_trade(nsds_mpi_world *w, int tag);
/* Copies receive from owners the numbers at their velocities in v. */
void nsds_world_tell_copies(nsds_mpi_world *w, double *v);

/* ---- world_step.c ---- */

/* Makes `here` anew from the bodies that this process has, in any order; contacts are those of the last
 * step. */
nsds_status nsds_world_renew(nsds_mpi_world *w, const nsds_member *own, int nown);

nsds_status nsds_world_take_step(nsds_mpi_world *w);
void nsds_world_free_part(nsds_mpi_world *w);

/* ---- world_overlap.c ---- */

/* Leads bodies out of overlap, after nsds_step_update(). Returns what this process sees; a failure ends
 * the step. */
nsds_status nsds_world_lead_out(nsds_mpi_world *w);

#endif
