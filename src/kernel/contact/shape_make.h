#ifndef NSDS_SRC_SHAPE_MAKE_H
#define NSDS_SRC_SHAPE_MAKE_H

#include "kernel/contact/shape_set.h"

/* Makes a solid from its definition. Returns NULL with the error recorded; `field` stands before
 * names of fields in messages. */
nsds_solid *nsds_solid_create(const nsds_shape_set *set, const char *call, const char *field,
                              const nsds_shape_def *def);
void nsds_solid_release(nsds_context *context, nsds_solid *solid);

#endif
