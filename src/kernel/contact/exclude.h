#ifndef NSDS_SRC_EXCLUDE_H
#define NSDS_SRC_EXCLUDE_H

#include "kernel/contact/shape_set.h"

/* Bodies that do not meet, from here on or no more; NULL: scenery. */
nsds_status nsds_exclude(nsds_shape_set *set, const nsds_ds *a, const nsds_ds *b, bool apart);
/* Pairs with a body that is destroyed are no more. */
void nsds_forget_excluded(nsds_shape_set *set, const nsds_ds *gone);
bool nsds_shapes_excluded(const nsds_shape_set *set, const nsds_ds *a, const nsds_ds *b);

#endif
