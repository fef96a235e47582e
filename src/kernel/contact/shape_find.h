#ifndef NSDS_SRC_SHAPE_FIND_H
#define NSDS_SRC_SHAPE_FIND_H

#include "kernel/contact/shape_set.h"

/* Lists pieces and takes them to the present places of their bodies, for questions between steps. */
nsds_status nsds_shapes_take_places(nsds_shape_set *s);
nsds_status nsds_shapes_find(void *self, double t, nsds_contacts *contacts);

#endif
