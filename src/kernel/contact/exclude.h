#ifndef NSDS_SRC_EXCLUDE_H
#define NSDS_SRC_EXCLUDE_H

#include "kernel/contact/shape_set.h"

/* Excludes contacts of two bodies from now on, or allows them again. NULL: scenery. */
nsds_status nsds_exclude(nsds_shape_set *set, const nsds_ds *a, const nsds_ds *b, bool apart);
void nsds_forget_excluded(nsds_shape_set *set, const nsds_ds *gone);
bool nsds_shapes_excluded(const nsds_shape_set *set, const nsds_ds *a, const nsds_ds *b);

#endif
