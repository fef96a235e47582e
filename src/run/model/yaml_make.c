/*
 * Trees of model files without a text, see yaml_make.h. Nodes are chained in the order in which they
 * were made. The root takes over the chain in the end.
 */
#include "run/model/yaml_make.h"

#include "base/text/number.h"
#include "base/text/words.h"

#include <string.h>

static nsds_yaml *new_node(nsds_yaml_maker *maker, nsds_yaml_kind kind, const char *text) {
  size_t size = text ? strlen(text) + 1 : 0;
  nsds_yaml *node =
      maker->failed ? NULL : nsds_alloc(maker->context, "a model file", 1, sizeof *node + size);
  maker->failed = !node;
  if (!node) return NULL;
  node->kind = kind;
  node->file = maker->file;
  node->line = maker->line > 0 ? maker->line : 1;
  node->column = maker->column > 0 ? maker->column : 1;
  node->nodes = node->height = 1;
  node->made_before = maker->last;
  maker->last = node;
  if (text) {
    node->text = (char *)(node + 1);
    memcpy(node->text, text, size);
  }
  return node;
}

nsds_yaml *nsds_yaml_make(nsds_yaml_maker *maker, nsds_yaml_kind kind) {
  return new_node(maker, kind, NULL);
}

nsds_yaml *nsds_yaml_text(nsds_yaml_maker *maker, const char *text) {
  return new_node(maker, NSDS_YAML_SCALAR, text);
}

nsds_yaml *nsds_yaml_number(nsds_yaml_maker *maker, double value) {
  char text[nsds_number_size];
  nsds_locale_point point = nsds_locale_point_now();
  nsds_format_real(&point, value == 0.0 ? 0.0 : value, text);
  return nsds_yaml_text(maker, text);
}

nsds_yaml *nsds_yaml_vector(nsds_yaml_maker *maker, int count, const double *value) {
  nsds_yaml *list = nsds_yaml_make(maker, NSDS_YAML_LIST);
  for (int k = 0; list && k < count; ++k)
    nsds_yaml_append(maker, list, nsds_yaml_number(maker, value[k]));
  return list;
}

nsds_yaml *nsds_yaml_rows(nsds_yaml_maker *maker, int rows, int columns, const double *value) {
  nsds_yaml *list = nsds_yaml_make(maker, NSDS_YAML_LIST);
  for (int k = 0; list && k < rows; ++k)
    nsds_yaml_append(maker, list,
                     nsds_yaml_vector(maker, columns, value + (size_t)k * (size_t)columns));
  return list;
}

static bool yaml_make_room(nsds_yaml_maker *maker, nsds_yaml *node) {
  int count = node->count + 1;
  maker->failed =
      maker->failed ||
      nsds_room(maker->context, &node->item, &node->room, count, sizeof *node->item) ||
      (node->kind == NSDS_YAML_MAP &&
       nsds_room(maker->context, &node->key, &node->key_room, count, sizeof *node->key));
  return !maker->failed;
}

void nsds_yaml_append(nsds_yaml_maker *maker, nsds_yaml *list, nsds_yaml *item) {
  if (!list || !item || !yaml_make_room(maker, list)) return;
  list->item[list->count++] = item;
  list->nodes += item->nodes;
  if (item->height >= list->height) list->height = item->height + 1;
}

nsds_yaml *nsds_yaml_put(nsds_yaml_maker *maker, nsds_yaml *map, const char *key, nsds_yaml *item) {
  nsds_yaml *name = map && item ? nsds_yaml_text(maker, key) : NULL;
  if (!name || !yaml_make_room(maker, map)) return item;
  map->key[map->count] = name;
  nsds_yaml_append(maker, map, item);
  return item;
}

nsds_yaml *nsds_yaml_finish(nsds_yaml_maker *maker, nsds_yaml *root) {
  root = nsds_yaml_hand_over(maker->last, maker->failed ? NULL : root);
  maker->last = NULL;
  return root;
}
