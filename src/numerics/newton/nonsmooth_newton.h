#ifndef NSDS_SRC_NONSMOOTH_NEWTON_H
#define NSDS_SRC_NONSMOOTH_NEWTON_H

#include "numerics/solver_internal.h"

extern const nsds_method nsds_method_nonsmooth_newton;

#endif
