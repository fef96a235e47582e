/*
 * Contacts of a disc with a face, line, point or disc that looks at it, see disc_clip.c.
 */
#ifndef NSDS_SRC_DISC_CLIP_H
#define NSDS_SRC_DISC_CLIP_H

#include "kernel/contact/collision.h"

enum { nsds_rim_points = 8 };

/* A flat end of a core. Point 0 of its rim lies along e[0], which leads to the other core. */
typedef struct nsds_disc {
  double centre[3], axis[3], e[2][3], r; /* the axis leads out of the core; e[1] = axis x e[0] */
} nsds_disc;

/* Computes point k of the rim. */
void nsds_rim_point(const nsds_disc *disc, int k, double *x);
/* Finds the contacts common to a disc and a face of the other core, seen along n, which leads to c->a.
 * If face < 0, the other core is seen as a line between two of its vertices, or one of them twice. */
void nsds_disc_clip(nsds_collision *c, const nsds_disc *disc, const nsds_core *other, int face,
                    const int line[2], bool first, const double *n);
/* Finds the contacts common to two discs, seen along n. */
void nsds_discs_meet(nsds_collision *c, const nsds_disc *a, const nsds_disc *b, const double *n);

#endif
