#ifndef NSDS_SRC_USER_SOLVER_H
#define NSDS_SRC_USER_SOLVER_H

#include "numerics/solver_internal.h"

/* Method k of those registered in the context, NULL past the end. */
const nsds_method *nsds_user_method(const nsds_context *context, int k);

#endif
