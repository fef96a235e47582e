/*
 * Finds the place at which a ray enters a core with its radius.
 */
#ifndef NSDS_SRC_RAY_H
#define NSDS_SRC_RAY_H

#include "kernel/contact/core.h"

typedef struct nsds_line {
  double from[3], way[3]; /* way: of length 1 */
  double slack;           /* negligible length */
} nsds_line;

/* Returns the distance to where the ray enters the core, with the outward normal there. 0 if it
 * starts inside, and the normal leads against the ray. INFINITY: it misses. */
double nsds_ray_core(const nsds_line *ray, const nsds_core *core, double *normal);
/* Does the same for the half space {x : n.x <= offset}. */
double nsds_ray_half_space(const nsds_line *ray, const double *n, double offset, double *normal);

#endif
