#ifndef NSDS_SRC_MULTIGRID_H
#define NSDS_SRC_MULTIGRID_H

#include "numerics/solver_internal.h"

extern const nsds_method nsds_method_multigrid;

#endif
