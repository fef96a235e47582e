#ifndef NSDS_SRC_SYSTEM_CREATE_H
#define NSDS_SRC_SYSTEM_CREATE_H

#include "kernel/modeling/modeling.h"

/* Represents the integrator of the simulation. */
extern const nsds_integrator nsds_default_integrator;
/* Does the work of the public calls of nsds/extend.h and puts `self` of a user's type behind a
 * guard. */
nsds_ds *nsds_make_second_order(nsds_model *model, const nsds_custom_second_order_def *def,
                                bool guarded);
nsds_ds *nsds_make_first_order(nsds_model *model, const nsds_custom_first_order_def *def,
                               bool guarded);

#endif
