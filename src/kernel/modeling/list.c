/* Growing lists of pointers, in order of creation. */
#include "kernel/modeling/list.h"

#include "base/context.h"

nsds_status nsds_list_push(nsds_context *context, nsds_list *list, void *item) {
  nsds_status status =
      nsds_grow(context, &list->item, &list->capacity, list->count + 1, sizeof *list->item);
  if (!status) list->item[list->count++] = item;
  return status;
}

void nsds_list_remove(nsds_list *list, const void *item) {
  size_t k = 0;
  while (k < list->count && list->item[k] != item) ++k;
  if (k == list->count) return;
  --list->count;
  memmove(list->item + k, list->item + k + 1, (list->count - k) * sizeof *list->item);
}
