#ifndef NSDS_SRC_QPS_CONVEX_H
#define NSDS_SRC_QPS_CONVEX_H

#include "io/qps_problem.h"

/* Refuses an objective that is not convex, and pairs of columns that a triangle states twice. Adds
 * entries of one place. */
nsds_status nsds_qps_check_curvature(nsds_text *text, nsds_qps *p, bool triangle);

#endif
