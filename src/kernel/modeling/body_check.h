#ifndef NSDS_SRC_BODY_CHECK_H
#define NSDS_SRC_BODY_CHECK_H

#include <nsds/base.h>

/* 3 x 3, symmetric and positive definite by a margin of rounding, entries in range; else a message
 * "<call>: <label>: ..." is recorded. A warning is logged where no body has such moments. */
bool nsds_check_inertia(nsds_context *context, const char *call, const char *label,
                        const double *J);

#endif
