/*
 * Makes the tree of a model file without a text: importers of other formats use it. After a failure
 * all calls are without effect, so that only the end needs a test.
 */
#ifndef NSDS_SRC_YAML_MAKE_H
#define NSDS_SRC_YAML_MAKE_H

#include "run/model/yaml_tree.h"

#include "base/text/printf.h"

/* A tree that is being made. New nodes get its place. */
typedef struct nsds_yaml_maker {
  nsds_context *context;
  const char *file; /* NULL: the file itself */
  int line, column;
  bool failed;     /* memory is out */
  nsds_yaml *last; /* the node made last; it leads to all others */
} nsds_yaml_maker;

nsds_yaml *nsds_yaml_make(nsds_yaml_maker *maker, nsds_yaml_kind kind);
nsds_yaml *nsds_yaml_text(nsds_yaml_maker *maker, const char *text);
nsds_yaml *nsds_yaml_number(nsds_yaml_maker *maker, double value);
/* A list of numbers. */
nsds_yaml *nsds_yaml_vector(nsds_yaml_maker *maker, int count, const double *value);
/* A list of rows; `value` has row after row. */
nsds_yaml *nsds_yaml_rows(nsds_yaml_maker *maker, int rows, int columns, const double *value);
/* Puts an item at the end of a list. */
void nsds_yaml_append(nsds_yaml_maker *maker, nsds_yaml *list, nsds_yaml *item);
/* Puts an item into a map, under a key that is not there yet; returns the item. */
nsds_yaml *nsds_yaml_put(nsds_yaml_maker *maker, nsds_yaml *map, const char *key, nsds_yaml *item);
/* Returns the root, which leads to all nodes from now on; NULL after a failure. */
nsds_yaml *nsds_yaml_finish(nsds_yaml_maker *maker, nsds_yaml *root);

#endif
