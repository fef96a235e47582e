/*
 * Vectors and matrices of a model file, see model_values.h: cells that are constant become arrays.
 */
#include "run/model/model_values.h"

#include "run/model/model_cells.h"

#include <math.h>
#include <string.h>

static bool are_finite(nsds_model_file *file, const nsds_yaml *node, const char *key,
                       const double *x, int n) {
  bool bounds = strcmp(key, "lower") == 0 || strcmp(key, "upper") == 0;
  for (int k = 0; k < n; ++k)
    if (!isfinite(x[k]) && !bounds)
      return nsds_file_fail(file, node, "%s has an entry that is not finite", key) != NULL;
  return true;
}

double *nsds_entry_vector(const nsds_entry *entry, const char *key, int n, int *count) {
  const nsds_yaml *node = nsds_entry_node(entry, key);
  nsds_cell_table t;
  if (count) *count = 0;
  if (!node || !nsds_take_cells(entry->file, node, key, n, 1, &t)) return NULL;
  double *values = nsds_constant_cells(entry->file, &t);
  if (!values || !are_finite(entry->file, node, key, values, t.rows)) return NULL;
  if (count) *count = t.rows;
  return values;
}

int nsds_entry_fill(const nsds_entry *entry, const char *key, double *to, int least, int room) {
  int count;
  const double *values = nsds_entry_vector(entry, key, least == room ? room : -1, &count);
  if (!values) return 0;
  if (count < least || count > room) {
    nsds_file_fail(entry->file, nsds_entry_place(entry, key),
                   "%s has %d entries; valid are %d to %d", key, count, least, room);
    return 0;
  }
  memcpy(to, values, (size_t)count * sizeof *to);
  return count;
}

bool nsds_entry_matrix(const nsds_entry *entry, const char *key, int rows, int cols, bool sparse,
                       nsds_file_matrix *matrix) {
  const nsds_yaml *node = nsds_entry_node(entry, key);
  nsds_cell_table t;
  *matrix = (nsds_file_matrix){.rows = rows, .cols = cols};
  if (!node) return true;
  if (!nsds_take_cells(entry->file, node, key, rows, cols, &t)) return false;
  matrix->rows = t.rows;
  matrix->cols = t.cols;
  const double *values = nsds_constant_cells(entry->file, &t);
  if (!values || !are_finite(entry->file, node, key, values, t.rows * t.cols)) return false;
  if (sparse && nsds_yaml_find(node, "entries"))
    matrix->sparse = nsds_sparse_cells(entry->file, &t, values);
  else matrix->dense = values;
  return matrix->sparse || matrix->dense;
}

int nsds_entry_rows(const nsds_entry *entry, const char *key) {
  const nsds_yaml *node = nsds_entry_node(entry, key);
  const nsds_yaml *diagonal = nsds_yaml_find(node, "diagonal");
  if (!node || (node->kind == NSDS_YAML_MAP && !diagonal)) return -1;
  if (diagonal) return diagonal->count;
  return node->kind == NSDS_YAML_LIST ? node->count : 1;
}

int nsds_entry_cols(const nsds_entry *entry, const char *key) {
  const nsds_yaml *node = nsds_entry_node(entry, key);
  const nsds_yaml *diagonal = nsds_yaml_find(node, "diagonal");
  if (!node || (node->kind == NSDS_YAML_MAP && !diagonal)) return -1;
  if (diagonal) return diagonal->count;
  if (node->kind == NSDS_YAML_SCALAR || node->count == 0) return 1;
  return node->item[0]->kind == NSDS_YAML_LIST ? node->item[0]->count : node->count;
}

nsds_file_z nsds_entry_z(const nsds_entry *entry, const char *key) {
  const nsds_yaml *node = nsds_entry_node(entry, key);
  nsds_file_z z = {0};
  if (!node || node->count == 0) return z;
  double *value = nsds_file_memory(entry->file, (size_t)node->count, sizeof *value);
  const char **name = nsds_file_memory(entry->file, (size_t)node->count, sizeof *name);
  if (!value || !name) return z;
  for (int k = 0; k < node->count; ++k) {
    if (!nsds_file_constant(entry->file, node->item[k], &value[k])) return z;
    if (node->kind == NSDS_YAML_MAP) name[k] = node->key[k]->text;
  }
  z = (nsds_file_z){node->count, value, node->kind == NSDS_YAML_MAP ? name : NULL};
  return z;
}
