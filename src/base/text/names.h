/* A table from names to numbers. */
#ifndef NSDS_SRC_NAMES_H
#define NSDS_SRC_NAMES_H

#include <nsds/base.h>

typedef struct nsds_names {
  bool borrows;        /* names are not copied, and live longer than the table */
  int count, capacity; /* names */
  const char **name;   /* by number */
  int nslot;           /* a power of two, more than twice the names */
  int *slot;           /* numbers + 1; 0: empty */
} nsds_names;

/* Returns the number of a name, -1 if there is none. */
int nsds_names_find(const nsds_names *names, const char *name);

/* Adds a name unless it is there. Returns its number, -1 if memory is out. */
int nsds_names_add(nsds_context *context, nsds_names *names, const char *name);

void nsds_names_free(nsds_names *names);

#endif
