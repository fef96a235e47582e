#ifndef NSDS_SRC_OPERATOR_H
#define NSDS_SRC_OPERATOR_H

#include "kernel/modeling/modeling.h"

int nsds_variable_length(const nsds_arguments *in, nsds_variable variable);
/* Reserves scratch for difference quotients of functions of up to `rows` values in `columns`
 * variables. */
nsds_status nsds_caller_reserve(nsds_caller *caller, int rows, int columns);
nsds_status nsds_call(const nsds_caller *caller, const char *name, nsds_operator function,
                      const nsds_arguments *in, double *out, int n, void *user);
/* Calls a function. Without one, copies the constant, n numbers; zeros if the constant is NULL. */
nsds_status nsds_call_or_copy(const nsds_caller *caller, const char *name, nsds_operator function,
                              const double *constant, const nsds_arguments *in, double *out, int n,
                              void *user);
/* Computes the Jacobian of a pair: the user's, zero for nsds_zero, difference quotients for
 * nsds_differences. */
nsds_status nsds_call_jacobian(const nsds_caller *caller, const nsds_jacobian_pair *pair,
                               const nsds_arguments *in, double *out);
/* Computes central differences of order 2 or 4 of a pair's function. out is rows x length of the
 * variable. */
nsds_status nsds_difference_quotient(const nsds_caller *caller, const nsds_jacobian_pair *pair,
                                     const nsds_arguments *in, int order, double *out);

#endif
