/*
 * Leads bodies of contact sets out of overlap. Laws on velocities let gaps drift, above all in
 * impacts, because these occur somewhere within a step. Velocities, impulses and joints stay as
 * they are. The energy of lifting is paid from the dissipation of contacts in the same step.
 */
#ifndef NSDS_SRC_OVERLAP_CORRECTION_H
#define NSDS_SRC_OVERLAP_CORRECTION_H

#include "kernel/assembly/one_step.h"

#include <nsds/extend.h>

typedef struct nsds_overlap {
  int widest;     /* largest number of velocities of a contact so far */
  bool moved;     /* some body moved in this step */
  double lifted;  /* energy used to move */
  double *before; /* nq: q before the displacement */
  size_t before_capacity;
} nsds_overlap;

/* Moves q of the trial state and the outputs of the found contacts. These outputs must be there.
 * With sweeps = 0 a small problem is solved, and a large problem gets a few sweeps. A failure leaves
 * q as it was. */
nsds_status nsds_overlap_correct(nsds_overlap *o, const nsds_one_step *velocity, int sweeps);
void nsds_overlap_undo(nsds_overlap *o, const nsds_plan *plan);
void nsds_overlap_destroy(nsds_overlap *o, nsds_context *context);

/* Lists the rows of found contacts for a larger problem. Returns their number, also beyond the
 * capacity; -1 after a failure. */
int nsds_overlap_list(const nsds_one_step *velocity, int capacity, nsds_step_gap *gap);
/* Moves q of the trial state by `way`, in velocities, and the gaps of found contacts. */
nsds_status nsds_overlap_displace(const nsds_one_step *velocity, nsds_plan *plan,
                                  const double *way);

/* Begins a step in which nothing has moved yet. */
static inline void nsds_overlap_begin(nsds_overlap *o) {
  o->moved = false;
  o->lifted = 0.0;
}

#endif
