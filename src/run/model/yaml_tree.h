/*
 * A YAML file as a tree. Every node knows its line and column, for messages.
 */
#ifndef NSDS_SRC_YAML_TREE_H
#define NSDS_SRC_YAML_TREE_H

#include <nsds/base.h>

/* Larger files are refused: characters, depth of nesting, nodes with all aliases written out. */
enum {
  nsds_yaml_most_bytes = 1 << 24,
  nsds_yaml_most_depth = 40,
  nsds_yaml_most_nodes = 1 << 20,
  nsds_yaml_most_keys = 10000 /* of one map */
};

typedef enum nsds_yaml_kind {
  NSDS_YAML_SCALAR, /* a word, a number, a text */
  NSDS_YAML_LIST,
  NSDS_YAML_MAP
} nsds_yaml_kind;

typedef struct nsds_yaml nsds_yaml;
struct nsds_yaml {
  nsds_yaml_kind kind;
  const char *file; /* NULL: the file that is read */
  int line, column; /* from 1 */
  bool quoted;      /* a scalar in quotes or in a block */
  char *text;       /* of a scalar, behind the node, ends with NUL */
  int count;        /* of a list or a map */
  nsds_yaml **item; /* items of a list, values of a map */
  nsds_yaml **key;  /* of a map: scalars, each once */
  int room, key_room;
  int nodes;  /* in it, aliases written out */
  int height; /* of lists and maps in each other, 1 for a scalar */
  nsds_yaml *made_before;
};

/* The fault of a text, and its place; line 0: memory is out. */
typedef struct nsds_yaml_error {
  int line, column;
  char text[300];
} nsds_yaml_error;

/* Reads the one document of a text; NULL with *error if it cannot be read. */
nsds_yaml *nsds_yaml_read(nsds_context *context, const char *text, size_t size,
                          nsds_yaml_error *error);
/* Lets the root lead to all nodes that were made before `last`; NULL: frees them all. */
nsds_yaml *nsds_yaml_hand_over(nsds_yaml *last, nsds_yaml *root);
/* Frees the tree; NULL is allowed. */
void nsds_yaml_free(nsds_yaml *root);
/* Returns the value of a key of a map; NULL if there is none, or the node is no map. */
const nsds_yaml *nsds_yaml_find(const nsds_yaml *map, const char *key);
/* Tells if this library reads YAML at all. */
bool nsds_yaml_is_there(void);

#endif
