/* The control input T u of a system, with its derivatives; see control.c. */
#ifndef NSDS_SRC_CONTROL_H
#define NSDS_SRC_CONTROL_H

#include "kernel/modeling/modeling.h"

typedef struct nsds_control {
  int n, m; /* rows of T; size of u, 0: no input */
  double *map;
  nsds_operator map_fn, u_fn;
  double *T, *u, *Ju, *JT; /* n m, m, m n; n m n if T has a derivative */
  double *memory;
  void *user;
} nsds_control;

/* Derivatives of u and T with respect to one variable. */
typedef struct nsds_control_jacobian {
  const char *u_name, *map_name;
  nsds_operator u_fn, map_fn; /* NULL: not given */
  nsds_variable variable;
} nsds_control_jacobian;

/* Checks that the fields fit together. Otherwise records a message and returns false. */
bool nsds_control_check(nsds_context *context, const char *call, int n, int m, const double *map,
                        nsds_operator map_fn, nsds_operator u_fn);
/* Copies T if it is constant. `slope` tells if T has a derivative, which needs room. */
nsds_status nsds_control_keep(nsds_control *control, const nsds_caller *caller, int n, int m,
                              const double *map, nsds_operator map_fn, nsds_operator u_fn,
                              bool slope, void *user);
void nsds_control_release(nsds_context *context, nsds_control *control);
nsds_status nsds_control_add(const nsds_control *control, const nsds_caller *caller,
                             const nsds_arguments *in, double *out);
bool nsds_control_varies(const nsds_control_jacobian *j);
/* Adds sign d(T u)/d(variable), n x n, to out. */
nsds_status nsds_control_add_jacobian(const nsds_control *control, const nsds_caller *caller,
                                      const nsds_control_jacobian *j, const nsds_arguments *in,
                                      double sign, double *out);
/* Gets pair k of the given derivatives. Returns false past the last pair. */
bool nsds_control_pair(const nsds_control *control, const nsds_control_jacobian *j, int nj, int k,
                       nsds_jacobian_pair *pair);

#endif
