#ifndef NSDS_SRC_LIST_H
#define NSDS_SRC_LIST_H

#include "kernel/modeling/modeling.h"

nsds_status nsds_list_push(nsds_context *context, nsds_list *list, void *item);
/* Removes an item and keeps the order of the others. */
void nsds_list_remove(nsds_list *list, const void *item);

#endif
