#ifndef NSDS_SRC_HANDLE_H
#define NSDS_SRC_HANDLE_H

#include "kernel/modeling/modeling.h"

/* The object behind a handle; NULL, with the error recorded, where it was removed. */
nsds_interaction *nsds_interaction_find(const nsds_interaction *handle, const char *call);
nsds_relation *nsds_relation_find(const nsds_relation *handle, const char *call);

#endif
