#ifndef NSDS_SRC_SYSTEM_CREATE_H
#define NSDS_SRC_SYSTEM_CREATE_H

#include "kernel/modeling/modeling.h"

/* Stands for the integrator of the simulation. */
extern const nsds_integrator nsds_default_integrator;
/*
 * What the public calls of nsds/extend.h do; `self` of a user's type is
 * put behind a guard.
 */
nsds_ds *nsds_make_second_order(nsds_model *model, const nsds_custom_second_order_def *def,
                                bool guarded);
nsds_ds *nsds_make_first_order(nsds_model *model, const nsds_custom_first_order_def *def,
                               bool guarded);

#endif
