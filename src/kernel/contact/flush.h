#ifndef NSDS_SRC_FLUSH_H
#define NSDS_SRC_FLUSH_H

#include "kernel/contact/shape_set.h"

/* Notes which pieces have neighbours, once all are listed. */
void nsds_shapes_mark_flush(nsds_shape_set *s);
/* Turns the contacts just found that neighbours hide. `early`: as bodies were at the start of the
 * step. */
void nsds_shapes_straighten(nsds_shape_set *s, const nsds_piece *p, const nsds_piece *q,
                            bool early);

#endif
