/* The methods. Built-in ones stand in the order of nsds_solver_table(): local problems first, and
 * row 0 is the default. Programs may register others. */
#ifndef NSDS_SRC_METHODS_H
#define NSDS_SRC_METHODS_H

#include <nsds/extend_solver.h>

#include "base/base.h"
#include "numerics/auto.h"
#include "numerics/global/global_solver.h"
#include "numerics/newton/interior_point.h"
#include "numerics/newton/multigrid.h"
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
  X(nonsmooth_newton) X(interior_point) X(multigrid)
#define NSDS_GLOBAL_METHODS(X)                                                                     \
  X(global) X(global_reduction) X(global_factored) X(global_admm) X(global_nonsmooth_newton)
/* clang-format on */

/* A method that a program has registered, attached to its context. */
typedef struct nsds_registered {
  nsds_method method; /* first: nsds_solver.method points here */
  const nsds_solver_ops *ops;
  nsds_option option[nsds_option_count + 1]; /* the common ones, the user's, and the end */
  nsds_attachment attachment;
} nsds_registered;

extern const char nsds_registered_kind;

/* Returns the method of this name, built in or registered in the context; NULL: none. */
const nsds_method *nsds_method_named(const nsds_context *context, const char *name);
/* Returns method k of those registered in the context; NULL past the end. */
const nsds_method *nsds_user_method(const nsds_context *context, int k);

#endif
