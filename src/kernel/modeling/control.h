/* The control input T u of a system, with its derivatives; see control.c. */
#ifndef NSDS_SRC_CONTROL_H
#define NSDS_SRC_CONTROL_H

#include "kernel/modeling/modeling.h"

typedef struct nsds_control {
  int n, m; /* rows of T; size of u, 0 where there is none */
  double *map;
  nsds_operator map_fn, u_fn;
  double *T, *u, *Ju, *JT; /* n m, m, m n; n m n where T has a derivative */
  double *memory;
  void *user;
} nsds_control;

/* A derivative of u, and that of T with respect to the same variable. */
typedef struct nsds_control_jacobian {
  const char *u_name, *map_name;
  nsds_operator u_fn, map_fn; /* NULL: not given */
  nsds_variable variable;
} nsds_control_jacobian;

/* Records a message and returns false where the fields do not fit together. */
bool nsds_control_check(nsds_context *context, const char *call, int n, int m, const double *map,
                        nsds_operator map_fn, nsds_operator u_fn);
/* Copies T where it is constant. `slope`: T has a derivative, which needs room. */
nsds_status nsds_control_keep(nsds_control *control, const nsds_caller *caller, int n, int m,
                              const double *map, nsds_operator map_fn, nsds_operator u_fn,
                              bool slope, void *user);
void nsds_control_release(nsds_context *context, nsds_control *control);
/* out += T u */
nsds_status nsds_control_add(const nsds_control *control, const nsds_caller *caller,
                             const nsds_arguments *in, double *out);
bool nsds_control_varies(const nsds_control_jacobian *j);
/* out += sign d(T u)/d(variable), n x n */
nsds_status nsds_control_add_jacobian(const nsds_control *control, const nsds_caller *caller,
                                      const nsds_control_jacobian *j, const nsds_arguments *in,
                                      double sign, double *out);
/* Pair k of the given derivatives; false past the last one. */
bool nsds_control_pair(const nsds_control *control, const nsds_control_jacobian *j, int nj, int k,
                       nsds_jacobian_pair *pair);

#endif
