#ifndef NSDS_SRC_LEMKE_H
#define NSDS_SRC_LEMKE_H

#include "numerics/solver_internal.h"

extern const nsds_method nsds_method_lemke;

#endif
