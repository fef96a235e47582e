/* The columns of a job: their names and units. */
#ifndef NSDS_RUN_JOB_COLUMNS_H
#define NSDS_RUN_JOB_COLUMNS_H

#include <nsds/base.h>

typedef struct nsds_column {
  char *name, *unit;
} nsds_column;

typedef struct nsds_columns {
  int count, capacity;
  nsds_column *item;
} nsds_columns;

/* Adds a column; its number, or -1 when memory is out. */
int nsds_columns_add(nsds_context *context, nsds_columns *columns, const char *name,
                     const char *unit);

/* Returns the column of a name, -1 if there is none. */
int nsds_columns_find(const nsds_columns *columns, const char *name);
void nsds_columns_free(nsds_columns *columns);

#endif
