#ifndef NSDS_SRC_SHAPE_LIST_H
#define NSDS_SRC_SHAPE_LIST_H

#include "kernel/contact/shape_set.h"

/* Ways up to this part of the reach or the thinner core leave every contact on its side. */
static const double nsds_small_way = 0.5;

/* Lists pieces if they are stale, and checks the places of bodies. */
nsds_status nsds_shapes_list(nsds_shape_set *s);

/* Takes pieces to the places of their bodies where contacts are looked for, with their ways in the step. */
void nsds_shapes_put_places(nsds_shape_set *s, const nsds_contacts *contacts);

/* Lists pieces and takes them to the present places of their bodies, for questions between steps. */
nsds_status nsds_shapes_take_places(nsds_shape_set *s);

#endif
