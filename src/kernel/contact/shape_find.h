#ifndef NSDS_SRC_SHAPE_FIND_H
#define NSDS_SRC_SHAPE_FIND_H

#include "kernel/contact/shape_set.h"

nsds_status nsds_shapes_find(void *self, double t, nsds_contacts *contacts);

#endif
