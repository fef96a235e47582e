/*
 * Round cores: two discs on one axis with all between them (cylinders, cones), and ellipsoids. The
 * single vertex of the core is the shape's origin.
 */
#ifndef NSDS_SRC_ROUND_H
#define NSDS_SRC_ROUND_H

#include "kernel/contact/core.h"

typedef enum nsds_round_kind { NSDS_ROUND_DISCS, NSDS_ROUND_ELLIPSOID } nsds_round_kind;

struct nsds_round {
  nsds_round_kind kind;
  double size[3]; /* discs: half of their distance, radius at its negative end, radius at its
                     positive end; ellipsoid: half axes */
  double own[9], axes[9]; /* columns in the body and in the world; discs lie across the first */
};

/* Computes the point of any core, without its radius, that is farthest along d. */
void nsds_core_support(const nsds_core *core, const double *d, double *x);
/* Adds f times the second derivative of the largest d.x, at d of length 1, to H (3 x 3). */
void nsds_core_bend(const nsds_core *core, const double *d, double f, double *H);
/* Returns the sine of the angle by which normals of the side lean to the first axis. */
double nsds_round_lean(const nsds_round *round);
/* Computes the ends of the line of the side that lies farthest along d, of length 1: at the
 * negative and at the positive disc. Writes the direction across the axis to `out`. */
void nsds_round_side(const nsds_core *core, const double *d, double *ends, double *out);
/* Computes the ball around the core and its least half width, in the body. */
void nsds_round_bound(nsds_core *core);
/* Turns the axes of a core into the world, and computes its box there. */
void nsds_round_place(nsds_core *core, const double *R);
void nsds_round_box(nsds_core *core);

#endif
