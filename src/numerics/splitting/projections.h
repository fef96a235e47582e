#ifndef NSDS_SRC_PROJECTIONS_H
#define NSDS_SRC_PROJECTIONS_H

#include "numerics/solver_internal.h"

extern const nsds_method nsds_method_projected_gradient;

#endif
