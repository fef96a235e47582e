/*
 * The problem of positions leads the gaps of the trial state back into the sets of their laws:
 *
 *   q <- q (+) d,   d = G^-1 H^T Lambda,   0 <= y + H d  perpendicular to  Lambda >= 0
 *
 * (y + H d = 0 for equalities). d is a displacement in velocities along T, so that constraints such
 * as |p| = 1 hold. G is M for the least d in the energy norm, or T^T T for the least change of q as
 * it is written. The rows are those with a gap; for friction, the normal row.
 */
#ifndef NSDS_SRC_DISPLACEMENT_H
#define NSDS_SRC_DISPLACEMENT_H

#include "numerics/solver_internal.h"
#include "kernel/assembly/one_step.h"

/* Use of a gap in the problem. */
typedef enum nsds_gap_use {
  NSDS_GAP_LEFT,  /* nothing */
  NSDS_GAP_KEPT,  /* the gap stays in the set of its law */
  NSDS_GAP_PULLED /* the gap comes to zero from either side */
} nsds_gap_use;

typedef struct nsds_displacement {
  nsds_one_step problem; /* first */
  nsds_formulation form;
  nsds_solver *nearest;         /* comes near a solution if none exists or none was found */
  bool pulls;                   /* active gaps are pulled to zero from either side */
  const unsigned char *implied; /* by rows of the model: a tree holds these already; NULL: none */
  unsigned char *active;        /* ny: nsds_gap_use at the first row of each copy */
  size_t marks;                 /* ny of `active` if the problem has pulled gaps, else 0 */
  double *way, *step;           /* nv: displacement since the step began; of the last iteration */
  double *before;               /* nq: q before the last iteration */
  size_t count;                 /* nv of these */
  uint64_t rearranged; /* nsds_systems::rearranged at the time: systems move when it changes */
  size_t active_capacity, way_capacity, before_capacity;
  nsds_versions seen; /* of the plan, for which constant gains hold */
} nsds_displacement;

/* `pulls`: active gaps are pulled to zero from either side. */
void nsds_displacement_create(nsds_plan *plan, bool coordinates, bool pulls, nsds_displacement *d);
/* Creates the solvers of the problem, which the displacement owns. */
nsds_status nsds_displacement_solvers(nsds_displacement *d);
void nsds_displacement_destroy(nsds_displacement *d);
nsds_status nsds_displacement_reserve(nsds_displacement *d);
/* Returns true if the law keeps gaps of this contact: no friction of bounded force and no
 * spring. */
bool nsds_displacement_keeps(const nsds_contact *contact);
/* Returns true if the law keeps gaps on one side only. */
bool nsds_displacement_unilateral(const nsds_contact *contact);
/* Forms the problem of the copies that are active in `velocity` and keep gaps. `held`: copies marked
 * NSDS_GAP_PULLED there are pulled if they have pushed in the step; NULL: none. */
nsds_status nsds_displacement_choose(nsds_displacement *d, const nsds_one_step *velocity,
                                     const unsigned char *held);
/* Computes y of these copies at the trial state, and the largest violation. A violation above the
 * tolerance does not count if it is rounding of the terms of its gap. With the tolerance INFINITY
 * all violations count. */
nsds_status nsds_displacement_measure(nsds_displacement *d, double tolerance, double *violation);
/* Linearises and solves once, and moves q of the trial state. An uncertified solution is also used;
 * the violation shows its error. */
nsds_status nsds_displacement_move(nsds_displacement *d);
void nsds_displacement_undo(nsds_displacement *d);
/* Moves the gaps of a contact of a set, as the step has left them, by the displacement. */
void nsds_displacement_follow(const nsds_plan *plan, const double *way,
                              const nsds_contact *contact);

#endif
