/* Sparse matrices that grow column by column. */
#include "sparse_columns.h"

nsds_status nsds_sparse_columns_reserve(nsds_store *store, nsds_sparse_columns *c, size_t count,
                                        size_t entries) {
  nsds_status status = NSDS_HOLD_ONE(store, c->first, count + 1);
  if (!status) status = NSDS_HOLD_ONE(store, c->i, entries);
  return status ? status : NSDS_HOLD_ONE(store, c->a, entries);
}

nsds_status nsds_sparse_columns_open(nsds_store *store, nsds_sparse_columns *c, int room) {
  size_t used = c->count > 0 ? (size_t)c->first[c->count] : 0, needed = used + (size_t)room;
  if (needed > INT32_MAX) return NSDS_ERROR_MEMORY;
  nsds_status status = nsds_sparse_columns_reserve(store, c, (size_t)c->count + 1, needed);
  if (status) return status;
  c->first[c->count] = c->first[c->count + 1] = (int)used;
  ++c->count;
  return NSDS_OK;
}
