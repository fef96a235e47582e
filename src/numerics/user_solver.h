#ifndef NSDS_SRC_USER_SOLVER_H
#define NSDS_SRC_USER_SOLVER_H

#include "numerics/solver_internal.h"

#endif
