#ifndef NSDS_SRC_RATTLE_ROWS_H
#define NSDS_SRC_RATTLE_ROWS_H

#include "kernel/assembly/one_step.h"

extern const nsds_formulation nsds_rattle_places, nsds_rattle_speeds;

/* First half: computes H of the contacts that are not affine, at the accepted state. */
nsds_status nsds_rattle_start(nsds_one_step *places);
/* First half: linearises what the rows are about at the iterate, the trial state. */
nsds_status nsds_rattle_aim(nsds_one_step *places);
/* Second half: says by `closed`, at the first row of each copy, which copies are closed at the trial
 * state. */
nsds_status nsds_rattle_close(const nsds_one_step *places, unsigned char *closed);
/* Second half: computes H and the gains at the trial state, and u_free. Keeps the impulses of the
 * first half in `first`: nv of the systems, then ny of the rows. */
nsds_status nsds_rattle_end(nsds_one_step *speeds, double *first);
/* Second half, after its problem was formed: turns the slip of its rows to the middle of the step. */
void nsds_rattle_turn(const nsds_one_step *places, nsds_one_step *speeds);
/* Computes velocities and the impulses of the step from the solution of the second half. */
void nsds_rattle_apply(nsds_one_step *speeds, const double *first);

#endif
