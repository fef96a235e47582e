/*
 * The certifier's residual without the figures that only reports need, see nsds_certificate.
 */
#ifndef NSDS_SRC_CERTIFY_H
#define NSDS_SRC_CERTIFY_H

#include "base.h"

#include <nsds/problem.h>

/* Scale-free residual; on return work[0..n) holds w. */
double nsds_certified_residual(const nsds_problem *problem, const double *z, double *work,
                               int *worst_block);

#endif
