/*
 * The schema as text: the expansion of a file with all defaults, the JSON schema for editors, the
 * reference of the format.
 */
#ifndef NSDS_SRC_SCHEMA_PRINT_H
#define NSDS_SRC_SCHEMA_PRINT_H

#include "run/model/schema.h"
#include "run/model/yaml_tree.h"

#include <nsds/run.h>

/* The receiver of text, piece by piece. */
typedef struct nsds_printer {
  nsds_write_fn write;
  void *user;
} nsds_printer;

/* A file with every key that it leaves out. `setting` gives another value of a parameter, or
 * NULL. */
typedef struct nsds_expansion {
  const nsds_yaml *root;
  const char *(*setting)(void *user, const char *parameter);
  void *user;
} nsds_expansion;

void nsds_schema_print_expansion(const nsds_printer *to, const nsds_expansion *expansion);
/* A tree as a file that one can read and edit: short maps and lists in one line. */
void nsds_schema_print_tree(const nsds_printer *to, const nsds_yaml *root);
void nsds_schema_print_json(const nsds_printer *to);
void nsds_schema_print_reference(const nsds_printer *to);

#endif
