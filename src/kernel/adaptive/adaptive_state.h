/* The state of the adaptive driver between steps, and its exchange with the model. */
#ifndef NSDS_SRC_ADAPTIVE_STATE_H
#define NSDS_SRC_ADAPTIVE_STATE_H

#include "kernel/adaptive/adaptive_driver.h"

/* Updates the rows from the plan. */
nsds_status nsds_adaptive_update(nsds_adaptive_driver *d);
/* Sizes below which errors in M x are compared with these: |M| times the sizes given. */
void nsds_adaptive_take_sizes(nsds_adaptive_driver *d);
/* Takes the state of the model, which the program has changed. */
void nsds_adaptive_take(nsds_adaptive_driver *d);
/* Gives the model the solution. */
nsds_status nsds_adaptive_show(nsds_adaptive_driver *d);

/* Keeps what a failed call returns to; returns to it. */
void nsds_adaptive_keep(nsds_adaptive_driver *d);
void nsds_adaptive_return(nsds_adaptive_driver *d);

void nsds_adaptive_copy(const nsds_adaptive_driver *d, nsds_adaptive_instant *to,
                        const nsds_adaptive_instant *from);
void nsds_adaptive_archive(nsds_simulation *sim, nsds_archive *archive);

#endif
