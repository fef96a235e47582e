/* A list of names with units, in the order of asking. */
#include "run/job/job_columns.h"

#include "base/text/words.h"

#include <string.h>

int nsds_columns_add(nsds_context *context, nsds_columns *columns, const char *name,
                     const char *unit) {
  if (nsds_room(context, &columns->item, &columns->capacity, columns->count + 1,
                sizeof *columns->item))
    return -1;
  nsds_column column = {.name = nsds_copy_word(context, name),
                        .unit = nsds_copy_word(context, unit)};
  if (!column.name || !column.unit) {
    nsds_free(column.name);
    nsds_free(column.unit);
    return -1;
  }
  columns->item[columns->count] = column;
  return columns->count++;
}

int nsds_columns_find(const nsds_columns *columns, const char *name) {
  for (int k = 0; k < columns->count; ++k)
    if (strcmp(columns->item[k].name, name) == 0) return k;
  return -1;
}

void nsds_columns_free(nsds_columns *columns) {
  for (int k = 0; k < columns->count; ++k) {
    nsds_free(columns->item[k].name);
    nsds_free(columns->item[k].unit);
  }
  nsds_free(columns->item);
  *columns = (nsds_columns){0};
}
