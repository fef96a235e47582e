#ifndef NSDS_SRC_GLOBAL_NEWTON_H
#define NSDS_SRC_GLOBAL_NEWTON_H

#include "numerics/global/global_state.h"

nsds_status nsds_global_newton_solve(nsds_global_run *run);

#endif
