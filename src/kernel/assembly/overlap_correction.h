/*
 * Leads bodies of contact sets out of overlap. Laws on velocities let gaps drift, above all in
 * impacts, because these occur somewhere within a step. Velocities, impulses and joints stay as
 * they are. The energy of lifting is paid from the dissipation of contacts in the same step.
 */
#ifndef NSDS_SRC_OVERLAP_CORRECTION_H
#define NSDS_SRC_OVERLAP_CORRECTION_H

#include "kernel/assembly/one_step.h"

typedef struct nsds_overlap {
  struct nsds_overlap_row *row;
  double *number; /* of the rows */
  double *vector; /* for the solution of few rows */
  size_t used;
  int widest;          /* largest number of velocities of a contact so far */
  bool solves;         /* the rows of this step are solved, not only swept */
  bool moved;          /* some body moved in this step */
  double lifted;       /* energy used to move */
  unsigned char *held; /* by slots: not to be moved */
  int *island;         /* by slots: a connected slot nearer to the first one, or itself */
  double *paid, *rise; /* by first slots: dissipation of contacts; lift by `way` */
  double *left;        /* by first slots: R, then a */
  double *way, *force; /* nv: displacement of this step; impulse without reactions */
  double *before;      /* nq: q before the displacement */
  size_t row_capacity, number_capacity, vector_capacity, held_capacity, island_capacity,
      paid_capacity, rise_capacity, left_capacity, way_capacity, force_capacity, before_capacity;
} nsds_overlap;

/* Moves q of the trial state and the outputs of the found contacts. These outputs must be there.
 * With sweeps = 0 a small problem is solved, and a large problem gets a few sweeps. A failure leaves
 * q as it was. */
nsds_status nsds_overlap_correct(nsds_overlap *o, const nsds_one_step *velocity, int sweeps);
void nsds_overlap_undo(nsds_overlap *o, const nsds_plan *plan);
void nsds_overlap_destroy(nsds_overlap *o, nsds_context *context);

/* Begins a step in which nothing has moved yet. */
static inline void nsds_overlap_begin(nsds_overlap *o) {
  o->moved = false;
  o->lifted = 0.0;
}

#endif
