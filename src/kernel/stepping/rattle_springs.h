#ifndef NSDS_SRC_RATTLE_SPRINGS_H
#define NSDS_SRC_RATTLE_SPRINGS_H

#include "kernel/stepping/rattle_rows.h"

/* Returns true if a contact is a spring of nsds_spring(), which is a force here and has no rows. */
bool nsds_rattle_is_spring(const nsds_contact *contact);
/* Returns true if springs may have a law: it says in which set their force lies. */
bool nsds_rattle_gives_force(const nsds_law *law);
/* Gives the systems their places in half->pull before a step, or none if there are no springs. */
void nsds_rattle_begin_springs(nsds_plan *plan, const nsds_second_half *half);
/* First half: computes the impulses of springs at q_k, v to half->pull. Sets *stands to false if they
 * have changed. */
nsds_status nsds_rattle_pull_first(const nsds_plan *plan, const nsds_second_half *half,
                                   bool *stands);
/* Second half: adds the impulses of springs at q_{k+1}, v to half->pull and to p. */
nsds_status nsds_rattle_pull_second(const nsds_plan *plan, const nsds_second_half *half, double *p);
/* Writes forces and impulses of springs to the trial state, as those of a step. */
void nsds_rattle_end_springs(const nsds_plan *plan, const nsds_second_half *half);

#endif
