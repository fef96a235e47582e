#ifndef NSDS_SRC_SYSTEM_DESTROY_H
#define NSDS_SRC_SYSTEM_DESTROY_H

#include "kernel/modeling/modeling.h"

/* Frees what a system has; its place stays. */
void nsds_ds_release(nsds_ds *ds);

#endif
