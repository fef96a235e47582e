#ifndef NSDS_SRC_SUNDIALS_H
#define NSDS_SRC_SUNDIALS_H

#include "numerics/ode/ode_internal.h"

extern const nsds_ode_method nsds_arkode, nsds_cvode; /* only if SUNDIALS is built in */

#endif
