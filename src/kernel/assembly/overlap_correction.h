/*
 * Bodies of contact sets are led out of overlap: laws on velocities let gaps drift, above all where
 * bodies strike, which they do somewhere in a step. Velocities, impulses and joints stay as they
 * are; what lifting takes is paid out of what contacts have dissipated in the same step.
 */
#ifndef NSDS_SRC_OVERLAP_CORRECTION_H
#define NSDS_SRC_OVERLAP_CORRECTION_H

#include "kernel/assembly/one_step.h"

typedef struct nsds_overlap_row nsds_overlap_row;

typedef struct nsds_overlap {
  nsds_overlap_row *row;
  double *number; /* of the rows */
  size_t used;
  int widest;          /* velocities of a contact, so far */
  bool moved;          /* something, in this step */
  double lifted;       /* the energy that took */
  unsigned char *held; /* by slots: it is not to be moved */
  int *island; /* by slots: one nearer to the first that contacts connect it with, or that */
  double *paid, *rise; /* by first slots: what contacts have dissipated, and the way would lift */
  double *way, *force; /* nv: displacement of this step; impulse of what is no reaction */
  double *before;      /* nq: q before it */
  size_t row_capacity, number_capacity, held_capacity, island_capacity, paid_capacity,
      rise_capacity, way_capacity, force_capacity, before_capacity;
} nsds_overlap;

/* After outputs of the found contacts at the trial state are there: its q moves, and these outputs
 * with it. A failure leaves q as it was. */
nsds_status nsds_overlap_correct(nsds_overlap *o, const nsds_one_step *velocity, int sweeps);
/* q is as before what was moved last, if anything was. */
void nsds_overlap_undo(nsds_overlap *o, const nsds_plan *plan);
void nsds_overlap_destroy(nsds_overlap *o, nsds_context *context);

/* Nothing is moved out of overlap so far. */
static inline void nsds_overlap_begin(nsds_overlap *o) {
  o->moved = false;
  o->lifted = 0.0;
}

#endif
