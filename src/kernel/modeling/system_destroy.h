#ifndef NSDS_SRC_SYSTEM_DESTROY_H
#define NSDS_SRC_SYSTEM_DESTROY_H

#include "kernel/modeling/modeling.h"

/* Frees the memory of a system but not its place. */
void nsds_ds_release(nsds_ds *ds);

#endif
