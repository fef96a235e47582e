#ifndef NSDS_SRC_VELOCITY_ERROR_H
#define NSDS_SRC_VELOCITY_ERROR_H

#include "kernel/assembly/one_step.h"

/* Bounds the error of u in a solution with this certified residual, in the energy norm and relative
 * to u. NaN if the bound is unknown or memory is short. */
double nsds_one_step_velocity_error(const nsds_one_step *o, double residual);

#endif
