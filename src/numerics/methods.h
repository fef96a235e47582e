/* The table of built-in methods, in the order of nsds_solver_table(). Row 0 is the default. */
#ifndef NSDS_SRC_METHODS_H
#define NSDS_SRC_METHODS_H

#include "numerics/auto.h"
#include "numerics/newton/interior_point.h"
#include "numerics/newton/nonsmooth_newton.h"
#include "numerics/newton/semismooth_newton.h"
#include "numerics/pivoting/enumeration.h"
#include "numerics/pivoting/lemke.h"
#include "numerics/splitting/admm.h"
#include "numerics/splitting/projections.h"
#include "numerics/sweeps/nsgs.h"

/* clang-format off */
#define NSDS_METHODS(X)                                                                            \
  X(auto) X(enumeration) X(semismooth_newton) X(lemke) X(nsgs) X(projected_gradient) X(admm)       \
  X(nonsmooth_newton) X(interior_point)
/* clang-format on */

#endif
