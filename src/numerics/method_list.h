/*
 * The list of the built-in methods, in the order of nsds_solver_table(): local problems first, and
 * row 0 is the default. A new method is a file with a `const nsds_method`, and its name here.
 */
#ifndef NSDS_SRC_METHOD_LIST_H
#define NSDS_SRC_METHOD_LIST_H

#include "numerics/solver_internal.h"

/* clang-format off */
#define NSDS_METHODS(X)                                                                            \
  X(auto) X(enumeration) X(semismooth_newton) X(lemke) X(nsgs) X(projected_gradient) X(admm)       \
  X(nonsmooth_newton) X(interior_point) X(multigrid)
#define NSDS_GLOBAL_METHODS(X)                                                                     \
  X(global) X(global_reduction) X(global_factored) X(global_admm) X(global_nonsmooth_newton)
/* clang-format on */

#define NSDS_DECLARE_METHOD(name) extern const nsds_method nsds_method_##name;
NSDS_METHODS(NSDS_DECLARE_METHOD)
NSDS_GLOBAL_METHODS(NSDS_DECLARE_METHOD)
#undef NSDS_DECLARE_METHOD

#endif
