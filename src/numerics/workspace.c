/* One piece of memory cut into arrays, see workspace.h. */
#include "workspace.h"

enum { alignment = 16 }; /* of each array: the largest that any type here asks for */

static size_t rounded_up(size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

nsds_status nsds_workspace_cut(nsds_context *context, nsds_workspace *workspace, size_t ncut,
                               const nsds_cut *cut) {
  size_t bytes = alignment; /* never none, so that no array is NULL */
  for (size_t k = 0; k < ncut; ++k) bytes += rounded_up(cut[k].count * cut[k].size);
  nsds_status status = nsds_grow(context, &workspace->memory, &workspace->capacity, bytes, 1);
  if (status) return status;
  char *place = workspace->memory;
  for (size_t k = 0; k < ncut; place += rounded_up(cut[k].count * cut[k].size), ++k)
    memcpy(cut[k].array, &place, sizeof place);
  return NSDS_OK;
}

void nsds_workspace_release(nsds_workspace *workspace, nsds_context *context) {
  nsds_release(context, workspace->memory);
}
