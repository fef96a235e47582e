/*
 * The problem of positions: gaps of the trial state are led back into what their laws allow,
 *
 *   q <- q (+) d,   d = G^-1 H^T Lambda,   0 <= y + H d  perpendicular to  Lambda >= 0
 *
 * (y + H d = 0 of equalities), d a displacement in velocities, along T, so that what T is tangent
 * to (|p| = 1) stays. G is M: the least d in the energy norm; or T^T T: the least change of q as it
 * is written. The rows are those with a gap: the normal one of friction.
 */
#ifndef NSDS_SRC_DISPLACEMENT_H
#define NSDS_SRC_DISPLACEMENT_H

#include "numerics/solver_internal.h"
#include "kernel/assembly/one_step.h"

typedef struct nsds_displacement {
  nsds_one_step problem; /* first */
  nsds_formulation form;
  nsds_solver *nearest;  /* for what has no solution, or none was found: comes near one */
  bool pulls;            /* active gaps are pulled to zero from either side */
  unsigned char *active; /* ny: at the first row of each copy */
  double *way, *step;    /* nv: displacement since the step began; of the last iteration */
  double *before;        /* nq: q before the last iteration */
  size_t count;          /* nv of these */
  uint64_t rearranged;   /* nsds_systems::rearranged of then: systems had other places before */
  size_t active_capacity, way_capacity, before_capacity;
  nsds_versions seen; /* of the plan, for which gains that stay hold */
} nsds_displacement;

nsds_status nsds_displacement_create(nsds_plan *plan, bool coordinates, nsds_displacement *d);
void nsds_displacement_destroy(nsds_displacement *d);
/* Room for the model as it is. */
nsds_status nsds_displacement_reserve(nsds_displacement *d);
/* Whether a law keeps gaps of this contact: neither a friction of bounded force, nor a spring. */
bool nsds_displacement_keeps(const nsds_contact *contact);
/* The same, on one side alone. */
bool nsds_displacement_unilateral(const nsds_contact *contact);
/* The problem of the copies that are active in another one and keep gaps. */
nsds_status nsds_displacement_choose(nsds_displacement *d, const nsds_one_step *velocity);
/* y of these at the trial state, and the largest of what is not allowed. */
nsds_status nsds_displacement_look(nsds_displacement *d, double *violation);
/* One linearisation and its solution: q of the trial state moves. What the solver has not certified
 * is taken all the same; the violation tells. */
nsds_status nsds_displacement_move(nsds_displacement *d);
/* Takes the last move back. */
void nsds_displacement_undo(nsds_displacement *d);
/* The gaps of a contact of a set, as the step has left them, follow the displacement. */
void nsds_displacement_follow(const nsds_plan *plan, const double *way,
                              const nsds_contact *contact);

#endif
