#ifndef NSDS_SRC_ROUND_WITNESS_H
#define NSDS_SRC_ROUND_WITNESS_H

#include "kernel/contact/collision.h"

/* Returns how far x is outside of a core without its radius; at most 0 inside. */
double nsds_core_outside(const nsds_core *core, const double *x);
/* Computes points xa, xb of c->a and c->b, without radii, with xa - xb = s n, where s is the largest
 * separation of the cores, along n. Returns how far they are off the cores at most. */
double nsds_round_witness(const nsds_collision *c, const double *n, double s, double *xa,
                          double *xb);

#endif
