#ifndef NSDS_SRC_INTERIOR_POINT_H
#define NSDS_SRC_INTERIOR_POINT_H

#include "numerics/solver_internal.h"

extern const nsds_method nsds_method_interior_point;

#endif
