/*
 * Smooth motion between events: x' = f(t, x) with dense output, up to a time or to the first root
 * of functions g(t, x).
 *
 * A method takes steps with dense output x(t). Roots are found on t -> g(t, x(t)), in the same way
 * for all methods (roots.c). Watched functions are sampled along the step. A quartic through five
 * samples tells how often each changes its sign, and each change is located on g itself. If g is
 * affine in x and the dense output has at most degree 4, as for the built-in methods, the quartic
 * is g. Then no root is missed, whatever the size of the step.
 *
 * A function has a side: its last sign beyond rounding. A root is a change of side; touching zero
 * and returning is none. If a function is zero at a start, its derivative decides. Moving in a
 * watched direction is a root at the start; moving in another is none. If the derivative is zero
 * too, the function has no side until it has left zero. Functions found at the time of the start
 * count as zero there.
 */
#ifndef NSDS_SRC_ODE_H
#define NSDS_SRC_ODE_H

#include "numerics/ode/ode_types.h"

/* Returns the name of method k = 0, 1, ... of this build; NULL past the last. */
const char *nsds_ode_method_name(int k);
/* Writes all names to `text`, for messages. */
enum { nsds_ode_names_size = 256 };
const char *nsds_ode_method_names(char text[nsds_ode_names_size]);

/* Creates an integration with all its memory; NULL after a failure, which is recorded. The problem
 * is copied; options may be NULL. SUNDIALS allocates memory of its own, also at the first step. */
nsds_ode *nsds_ode_create(nsds_context *context, const nsds_ode_problem *problem,
                          const nsds_ode_options *options);
void nsds_ode_destroy(nsds_ode *ode);

/* Changes the numbers of states and root functions; allocates only beyond the largest so far.
 * Watched functions stay watched, new ones are off. A start must follow. */
nsds_status nsds_ode_resize(nsds_ode *ode, int n, int roots);

/* Declares all watched g_i affine, from the next start on: `root` is not called, and the quartics
 * are exact. The arrays are borrowed. With NULL, the default and after a resize, quartics are
 * checked, and steps are searched in parts short enough for them. */
void nsds_ode_affine(nsds_ode *ode, const nsds_ode_rows *rows);
/* Declares that x = (q, v) with dq/dt = v and this constant dv/dt, so that x(t) is quadratic. The
 * array is borrowed, and `rhs` is not called. NULL by default and after a resize. Explicit steps of
 * "auto" and "dormand_prince" are then exact with two evaluations. */
void nsds_ode_quadratic(nsds_ode *ode, const double *rate);

#endif
