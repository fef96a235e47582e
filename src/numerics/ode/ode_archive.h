#ifndef NSDS_SRC_ODE_ARCHIVE_H
#define NSDS_SRC_ODE_ARCHIVE_H

#include "base/archive.h"
#include "numerics/ode/ode_internal.h"

/* Whether the integration can be archived: it is under way, and its method shows what it keeps. */
bool nsds_ode_resumable(const nsds_ode *ode);
/* The state of the integration. READ takes it in place of a start, with the same options and sizes. */
void nsds_ode_archive(nsds_ode *ode, struct nsds_archive *archive);
/* Whether what has been read is one motion: the dense output is where the integration has come to. x
 * at part u of the last step. */
bool nsds_ode_agrees(nsds_ode *ode);
void nsds_ode_within(nsds_ode *ode, double u, double *x);
/* Where it has come to, and when. */
const double *nsds_ode_state(const nsds_ode *ode);
double nsds_ode_time(const nsds_ode *ode);

#endif
