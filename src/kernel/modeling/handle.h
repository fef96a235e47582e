#ifndef NSDS_SRC_HANDLE_H
#define NSDS_SRC_HANDLE_H

#include "kernel/modeling/modeling.h"

/* Returns the object behind a handle. Records an error and returns NULL if the object was
 * removed. */
nsds_ds *nsds_ds_find(const nsds_ds *handle, const char *call);
nsds_interaction *nsds_interaction_find(const nsds_interaction *handle, const char *call);
nsds_relation *nsds_relation_find(const nsds_relation *handle, const char *call);

/* Returns n systems behind handles, or NULL with an error. Entries may be NULL. The array is `few`,
 * with room for nsds_few_systems, or memory that you must release. */
nsds_ds **nsds_ds_find_all(nsds_context *context, const char *call, int n, nsds_ds *const *handle,
                           nsds_ds **few);

/* The place behind a handle or a system. Inside the library both stand for the system; programs get
 * handles. Generations of systems begin with 1, so that the address of a system is never a
 * handle. */
static inline nsds_ds *nsds_ds_of(const nsds_ds *handle) { return nsds_handle_place(handle); }
static inline nsds_ds *nsds_ds_handle(const nsds_ds *ds) {
  return nsds_place_handle((void *)(uintptr_t)ds);
}

#endif
