#ifndef NSDS_SRC_SEMISMOOTH_NEWTON_H
#define NSDS_SRC_SEMISMOOTH_NEWTON_H

#include "numerics/solver_internal.h"

extern const nsds_method nsds_method_semismooth_newton;

#endif
