/* A list of names with units, in the order in which they were asked for. */
#include "run/job_columns.h"

#include "run/words.h"

#include <stdlib.h>
#include <string.h>

int nsds_columns_add(nsds_columns *columns, const char *name, const char *unit) {
  if (nsds_room(&columns->item, &columns->capacity, columns->count + 1, sizeof *columns->item))
    return -1;
  nsds_column column = {.name = nsds_copy_word(name), .unit = nsds_copy_word(unit)};
  if (!column.name || !column.unit) {
    free(column.name);
    free(column.unit);
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
    free(columns->item[k].name);
    free(columns->item[k].unit);
  }
  free(columns->item);
  *columns = (nsds_columns){0};
}
