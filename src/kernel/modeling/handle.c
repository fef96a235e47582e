/* Finds the objects behind handles of systems, interactions and relations, which may have been
 * removed. */
#include "kernel/modeling/handle.h"

#include "base/arena.h"
#include "base/base.h"
#include "base/context.h"

nsds_ds *nsds_ds_find(const nsds_ds *handle, const char *call) {
  nsds_ds *ds = nsds_ds_of(handle);
  if (NSDS_LIKELY(handle == ds || nsds_handle_alive(handle))) return ds;
  nsds_fail(ds->model->context, NSDS_ERROR_ARGUMENT,
            "%s: the system was destroyed; its handle is not valid any more", call);
  return NULL;
}

nsds_ds **nsds_ds_find_all(nsds_context *context, const char *call, int n, nsds_ds *const *handle,
                           nsds_ds **few) {
  nsds_ds **ds = n > nsds_few_systems ? NSDS_NEW_ARRAY(context, nsds_ds *, n) : few;
  bool fine = ds != NULL;
  for (int k = 0; fine && k < n; ++k) {
    ds[k] = nsds_ds_find(handle[k], call);
    fine = ds[k] || !handle[k];
  }
  if (!fine && ds != few) nsds_release(context, ds);
  return fine ? ds : NULL;
}

nsds_interaction *nsds_interaction_find(const nsds_interaction *handle, const char *call) {
  if (NSDS_LIKELY(nsds_handle_alive(handle))) return nsds_handle_place(handle);
  if (handle)
    nsds_fail(((nsds_interaction *)nsds_handle_place(handle))->model->context, NSDS_ERROR_ARGUMENT,
              "%s: the interaction was disconnected; its handle is not valid any more", call);
  return NULL;
}

nsds_relation *nsds_relation_find(const nsds_relation *handle, const char *call) {
  if (NSDS_LIKELY(nsds_handle_alive(handle))) return nsds_handle_place(handle);
  if (handle)
    nsds_fail(((nsds_relation *)nsds_handle_place(handle))->model->context, NSDS_ERROR_ARGUMENT,
              "%s: the relation was destroyed; its handle is not valid any more", call);
  return NULL;
}
