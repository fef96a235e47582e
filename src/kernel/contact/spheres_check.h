/*
 * Checks the definition of a set of spheres.
 */
#ifndef NSDS_SRC_SPHERES_CHECK_H
#define NSDS_SRC_SPHERES_CHECK_H

#include "kernel/modeling/modeling.h"

#include <nsds/contact.h>

bool nsds_check_spheres(nsds_model *model, const nsds_spheres_def *def);

#endif
