/* The objects behind the handles of interactions and relations, which a program may have removed. */
#include "kernel/modeling/handle.h"

#include "base/arena.h"
#include "base/base.h"
#include "base/context.h"

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
