/* A table from names to numbers. */
#ifndef NSDS_RUN_NAMES_H
#define NSDS_RUN_NAMES_H

#include <nsds/base.h>

typedef struct nsds_names {
  int count, capacity; /* names */
  char **name;         /* by number */
  int nslot;           /* a power of two, more than twice the names */
  int *slot;           /* numbers + 1; 0: empty */
} nsds_names;

/* The number of a name; -1 where there is none. */
int nsds_names_find(const nsds_names *names, const char *name);

/* The number of a name that is copied into the table if it is not there; -1 when memory is out. */
int nsds_names_add(nsds_context *context, nsds_names *names, const char *name);
void nsds_names_free(nsds_names *names);

#endif
