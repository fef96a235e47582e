#ifndef NSDS_SRC_BODY_CHECK_H
#define NSDS_SRC_BODY_CHECK_H

#include <nsds/base.h>

/* Checks that a 3 x 3 inertia is symmetric, positive definite beyond rounding, and in range.
 * Otherwise records a message "<call>: <label>: ...". Logs a warning if no body has such
 * moments. */
bool nsds_check_inertia(nsds_context *context, const char *call, const char *label,
                        const double *J);

#endif
