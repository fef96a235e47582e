/* Sparse matrices that grow column by column. */
#include "sparse_columns.h"
#include "solver_internal.h"

nsds_status nsds_sparse_columns_reserve(nsds_context *context, nsds_sparse_columns *c, size_t count,
                                        size_t entries) {
  nsds_status status;
  if ((status = NSDS_ENSURE(context, c->first, c->first_capacity, count + 2)) ||
      (status = NSDS_ENSURE(context, c->i, c->i_capacity, entries + 1)))
    return status;
  return NSDS_ENSURE(context, c->a, c->a_capacity, entries + 1);
}

nsds_status nsds_sparse_columns_open(nsds_context *context, nsds_sparse_columns *c, int room) {
  size_t used = c->count > 0 ? (size_t)c->first[c->count] : 0, needed = used + (size_t)room;
  size_t wanted = needed > c->i_capacity ? needed + needed / 2 : needed;
  if (needed > INT32_MAX) return NSDS_ERROR_MEMORY;
  nsds_status status = nsds_sparse_columns_reserve(context, c, (size_t)c->count, wanted);
  if (status) return status;
  c->first[c->count] = c->first[c->count + 1] = (int)used;
  ++c->count;
  return NSDS_OK;
}

void nsds_sparse_columns_release(nsds_context *context, nsds_sparse_columns *c) {
  nsds_release(context, c->first);
  nsds_release(context, c->i);
  nsds_release(context, c->a);
}
