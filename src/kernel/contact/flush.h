#ifndef NSDS_SRC_FLUSH_H
#define NSDS_SRC_FLUSH_H

#include "kernel/contact/shape_set.h"

/* Marks the pieces with neighbors, once all pieces are listed. */
void nsds_shapes_mark_flush(nsds_shape_set *s);
/* Turns those of the last contacts that neighbors hide. `early` puts bodies at the start of the
 * step. */
void nsds_shapes_straighten(nsds_shape_set *s, const nsds_piece *p, const nsds_piece *q,
                            bool early);
/* Returns true if a neighbor of the piece hides its face with normal n at the point x, from another
 * piece. */
bool nsds_shapes_hide(nsds_shape_set *s, const nsds_piece *piece, const nsds_piece *other,
                      const double *n, const double *x);
/* Returns true if a neighbor of either piece hides their contact, whose normal leads out of q. */
bool nsds_shapes_hide_spot(nsds_shape_set *s, const nsds_piece *p, const nsds_piece *q,
                           const nsds_spot *spot);

#endif
