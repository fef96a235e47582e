#ifndef NSDS_SRC_ENUMERATION_H
#define NSDS_SRC_ENUMERATION_H

#include "numerics/solver_internal.h"

extern const nsds_method nsds_method_enumeration;

#endif
