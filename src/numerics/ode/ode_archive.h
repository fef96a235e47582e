#ifndef NSDS_SRC_ODE_ARCHIVE_H
#define NSDS_SRC_ODE_ARCHIVE_H

#include "base/archive.h"
#include "numerics/ode/ode_internal.h"

/* Returns true if the integration can be archived: it has started, and its method can be
 * archived. */
bool nsds_ode_resumable(const nsds_ode *ode);
/* Archives the state of the integration. READ replaces a start; options and sizes must be the same.
 * The caller restores limit, rows and `quadratic`. */
void nsds_ode_archive(nsds_ode *ode, struct nsds_archive *archive);
/* Returns true if the numbers read are one motion: the dense output at `at` is the state there. */
bool nsds_ode_agrees(nsds_ode *ode);
/* Writes x at part u of the last step, but not before the present time. */
void nsds_ode_within(nsds_ode *ode, double u, double *x);
const double *nsds_ode_state(const nsds_ode *ode);
double nsds_ode_time(const nsds_ode *ode);

#endif
