#ifndef NSDS_SRC_SYSTEM_CREATE_H
#define NSDS_SRC_SYSTEM_CREATE_H

#include "kernel/modeling/modeling.h"

#include <nsds/catalogue.h>

/* Systems in the catalogue, in the sources of their constructors. */
extern const nsds_type nsds_system_first_order_linear, nsds_system_first_order,
    nsds_system_lagrangian_linear, nsds_system_lagrangian, nsds_system_rigid_body,
    nsds_system_rigid_body_2d;

/* Does the work of nsds_definition_take(), and writes the label of the new system, which stands
 * before the names of members in messages. */
bool nsds_take_system(const nsds_model *model, const nsds_type *type, const void *def, void *own,
                      char label[nsds_label_size]);

/* Represents the integrator of the simulation. */
extern const nsds_integrator nsds_default_integrator;
/* Does the work of the public calls of nsds/extend.h and puts `self` of a user's type behind a
 * guard. */
nsds_ds *nsds_make_second_order(nsds_model *model, const nsds_custom_second_order_def *def,
                                bool guarded);
nsds_ds *nsds_make_first_order(nsds_model *model, const nsds_custom_first_order_def *def,
                               bool guarded);

#endif
