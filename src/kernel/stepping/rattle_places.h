#ifndef NSDS_SRC_RATTLE_PLACES_H
#define NSDS_SRC_RATTLE_PLACES_H

#include "kernel/stepping/rattle_rows.h"

extern const nsds_formulation nsds_rattle_places;

/* Computes H of the contacts that are not affine, at the accepted state. */
nsds_status nsds_rattle_start(nsds_one_step *places);
/* Linearises what the rows are about at the first iterate. */
nsds_status nsds_rattle_aim_first(nsds_one_step *places, const nsds_second_half *r);
/* Linearises what the rows are about at the iterate, which is the trial state. If w there is not that
 * of the last problem, *stands becomes false. A change of w may reach `part` of the sizes of v, and
 * with unilateral laws also `loose` of the free velocities. */
nsds_status nsds_rattle_aim(nsds_one_step *places, const nsds_second_half *r, double part,
                            double loose, bool *stands);
/* Chooses the copies whose gaps may close, by H of nsds_rattle_start(). */
void nsds_rattle_choose(const nsds_one_step *places, nsds_second_half *r);
/* Adds the copies whose gaps are less than zero at the trial state. `*grown`: are there
 * any? */
nsds_status nsds_rattle_widen(const nsds_one_step *places, nsds_second_half *r, bool *grown);
/* Computes the gaps at the trial state that nsds_rattle_widen() has not computed; `aimed`:
 * nor nsds_rattle_aim(). */
nsds_status nsds_rattle_measure(const nsds_one_step *places, const nsds_second_half *r, bool aimed);
/* Returns a found contact whose gap closes by a motion that its gradient at the start does not tell, or
 * NULL. Call it after nsds_rattle_measure(). */
const nsds_contact *nsds_rattle_astray(const nsds_one_step *places);

#endif
