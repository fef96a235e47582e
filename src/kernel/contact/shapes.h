#ifndef NSDS_SRC_SHAPES_H
#define NSDS_SRC_SHAPES_H

#include "kernel/contact/shape_set.h"

/* Returns the shapes behind a handle between steps; NULL with the error recorded and in *status. */
nsds_shape_set *nsds_shape_set_of(const nsds_contact_set *handle, const char *call,
                                  nsds_status *status);

#endif
