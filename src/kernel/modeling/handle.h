#ifndef NSDS_SRC_HANDLE_H
#define NSDS_SRC_HANDLE_H

#include "kernel/modeling/modeling.h"

/* The object behind a handle; NULL, with the error recorded, where it was removed. */
nsds_ds *nsds_ds_find(const nsds_ds *handle, const char *call);
nsds_interaction *nsds_interaction_find(const nsds_interaction *handle, const char *call);
nsds_relation *nsds_relation_find(const nsds_relation *handle, const char *call);

/* The same of n systems, in `few` with room for nsds_few_systems or in memory that is to be released where
 * it is not that; NULL, with the error recorded. Entries may be NULL. */
nsds_ds **nsds_ds_find_all(nsds_context *context, const char *call, int n, nsds_ds *const *handle,
                           nsds_ds **few);

/* Generations of systems begin with 1, so that the address of a system is never a handle: inside of the
 * library both stand for it, programs get handles. */
static inline nsds_ds *nsds_ds_of(const nsds_ds *handle) { return nsds_handle_place(handle); }
static inline nsds_ds *nsds_ds_handle(const nsds_ds *ds) {
  return nsds_place_handle((void *)(uintptr_t)ds);
}

#endif
