/*
 * Arrays of a model file as tables of cells, see model_cells.h. A list, a list of rows, a diagonal,
 * entries and a data file all become cells row by row. A cell is a node of the file: a number or an
 * expression.
 */
#include "run/model/model_cells.h"

#include "base/text/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { most_cells = 4000000 };

static bool size_fits(nsds_model_file *file, const nsds_yaml *node, const char *key, int rows,
                      int cols, int got_rows, int got_cols) {
  if ((rows < 0 || rows == got_rows) && (cols < 0 || cols == got_cols)) return true;
  char wanted[40] = "", r[16] = "any", c[16] = "any";
  const nsds_file_size *size = &file->size;
  const char *told = size->n > 0 && (rows == size->n || cols == size->n) ? size->text : "";
  if (rows >= 0) snprintf(r, sizeof r, "%d", rows);
  if (cols >= 0) snprintf(c, sizeof c, "%d", cols);
  snprintf(wanted, sizeof wanted, "%s x %s", r, c);
  if (cols == 1)
    return nsds_file_fail(file, node, "%s has %d %s; it needs %s%s%s", key, got_rows * got_cols,
                          got_rows * got_cols == 1 ? "entry" : "entries", r, told,
                          nsds_comma_hint(node)) != NULL;
  return nsds_file_fail(file, node, "%s is %d x %d (rows x columns); it needs %s%s%s", key,
                        got_rows, got_cols, wanted, told, nsds_comma_hint(node)) != NULL;
}

static bool reserve_cells(nsds_model_file *file, const nsds_yaml *place, const char *key,
                          nsds_cell_table *t) {
  if ((double)t->rows * t->cols > most_cells)
    return nsds_file_fail(file, place, "%s has %d x %d entries; the most are %d", key, t->rows,
                          t->cols, most_cells) != NULL;
  t->node = nsds_file_memory(file, (size_t)t->rows * (size_t)t->cols, sizeof *t->node);
  return t->node != NULL;
}

static bool is_separator(char c) { return c && strchr(" \t,;\r", c) != NULL; }

/* Takes the next number of a line of a data file: 1, 0 at the end of the line, -1: it is no
 * number. */
static int next_number(const char **at, double *value) {
  const char *c = *at;
  char word[64];
  size_t size = 0;
  while (is_separator(*c)) ++c;
  for (; *c && *c != '\n' && *c != '#' && !is_separator(*c); ++c) {
    if (size + 1 == sizeof word) return -1;
    word[size++] = *c;
  }
  *at = c;
  word[size] = '\0';
  return size == 0 ? 0 : nsds_read_number(word, value) ? 1 : -1;
}

/* Numbers of a data file, rows by lines; NULL: no table of rows of one length, or memory is out. */
static double *read_table(nsds_context *context, const char *text, int *rows, int *cols) {
  double *all = NULL, value;
  int count = 0, room = 0;
  *rows = *cols = 0;
  for (int in_row = 0, next; (next = next_number(&text, &value)) >= 0;) {
    if (next == 1 &&
        (count == most_cells || nsds_room(context, &all, &room, count + 1, sizeof *all)))
      break;
    if (next == 1) {
      all[count++] = value;
      ++in_row;
      continue;
    }
    if (in_row > 0) {
      if (*rows > 0 && in_row != *cols) break;
      *cols = in_row;
      ++*rows;
      in_row = 0;
    }
    text += strcspn(text, "\n");
    if (!*text) return all;
    ++text;
  }
  nsds_free(all);
  return NULL;
}

static double *read_data(nsds_model_file *file, const nsds_yaml *path, int *rows, int *cols) {
  char *text = nsds_file_read(file, path);
  if (!text) return NULL;
  double *all = read_table(file->context, text, rows, cols);
  size_t count = (size_t)*rows * (size_t)*cols;
  double *kept = all && count ? nsds_file_memory(file, count, sizeof *kept) : NULL;
  if (kept) memcpy(kept, all, count * sizeof *kept);
  else
    nsds_file_fail(file, path,
                   "the data file %.200s has no table of numbers with rows of one length (row %d)",
                   path->text, *rows + 1);
  nsds_free(all);
  nsds_free(text);
  return kept;
}

static bool data_cells(nsds_model_file *file, const nsds_yaml *path, const char *key, int rows,
                       int cols, nsds_cell_table *t) {
  t->number = read_data(file, path, &t->rows, &t->cols);
  if (t->number && (cols == 1 || rows == 1) && t->rows == 1 && t->cols > 1 && cols == 1) {
    t->rows = t->cols;
    t->cols = 1;
  }
  return t->number && size_fits(file, path, key, rows, cols, t->rows, t->cols);
}

/* A whole number of an entry, from 1, as an index from 0; false with a message. */
static bool entry_index(nsds_model_file *file, const nsds_yaml *node, int most, int *index) {
  double value;
  if (!nsds_file_constant(file, node, &value)) return false;
  if (value != floor(value) || value < 1.0 || value > most)
    return nsds_file_fail(file, node, "a row or column is %.15g; valid are 1 to %d", value, most) !=
           NULL;
  *index = (int)value - 1;
  return true;
}

static bool entry_cells(nsds_model_file *file, const nsds_yaml *entries, const char *key, int rows,
                        int cols, nsds_cell_table *t) {
  t->rows = rows;
  t->cols = cols;
  if (rows < 0 || cols < 0)
    return nsds_file_fail(file, entries,
                          "%s: the size of the matrix is not known; say it, or write rows",
                          key) != NULL;
  if (!reserve_cells(file, entries, key, t)) return false;
  for (int k = 0; k < entries->count; ++k) {
    int i = 0, j = 0;
    if (!entry_index(file, entries->item[k]->item[0], rows, &i) ||
        !entry_index(file, entries->item[k]->item[1], cols, &j))
      return false;
    if (t->node[i * cols + j])
      return nsds_file_fail(file, entries->item[k],
                            "%s: the entry of row %d and column %d stands here for the second time",
                            key, i + 1, j + 1) != NULL;
    t->node[i * cols + j] = entries->item[k]->item[2];
  }
  return true;
}

static bool diagonal_cells(nsds_model_file *file, const nsds_yaml *list, const char *key, int rows,
                           int cols, nsds_cell_table *t) {
  t->rows = t->cols = list->count;
  if (!size_fits(file, list, key, rows, cols, t->rows, t->cols) ||
      !reserve_cells(file, list, key, t))
    return false;
  for (int k = 0; k < list->count; ++k) t->node[k * list->count + k] = list->item[k];
  return true;
}

/* A scalar, a list, or a list of rows. A list is a column if one column is wanted, else a row. */
static bool list_cells(nsds_model_file *file, const nsds_yaml *node, const char *key, int rows,
                       int cols, nsds_cell_table *t) {
  bool scalar = node->kind == NSDS_YAML_SCALAR;
  bool nested = !scalar && node->count && node->item[0]->kind == NSDS_YAML_LIST;
  int count = scalar ? 1 : node->count;
  t->rows = nested ? count : cols == 1 ? count : count > 0;
  t->cols = nested ? node->item[0]->count : cols == 1 ? 1 : count;
  if (!nested && !scalar && rows != 1 && cols != 1 && !(rows < 0 && cols < 0) && count > 1 &&
      !(rows < 0 && cols == count))
    return nsds_file_fail(file, node, "%s is a list of numbers; it needs a list of rows, %d x %d%s",
                          key, rows, cols, nsds_comma_hint(node)) != NULL;
  if (!size_fits(file, node, key, rows, cols, t->rows, t->cols) ||
      !reserve_cells(file, node, key, t))
    return false;
  for (int i = 0; i < t->rows; ++i)
    for (int j = 0; j < t->cols; ++j)
      t->node[i * t->cols + j] = scalar   ? node
                                 : nested ? node->item[i]->item[j]
                                          : node->item[i + j];
  return true;
}

bool nsds_take_cells(nsds_model_file *file, const nsds_yaml *node, const char *key, int rows,
                     int cols, nsds_cell_table *t) {
  *t = (nsds_cell_table){0};
  const nsds_yaml *path = nsds_yaml_find(node, "file"),
                  *diagonal = nsds_yaml_find(node, "diagonal"),
                  *entries = nsds_yaml_find(node, "entries");
  if (path) return data_cells(file, path, key, rows, cols, t);
  if (diagonal) return diagonal_cells(file, diagonal, key, rows, cols, t);
  if (entries) return entry_cells(file, entries, key, rows, cols, t);
  if (node->kind == NSDS_YAML_MAP)
    return nsds_file_fail(file, node, "%s: a function of a plugin cannot stand here", key) != NULL;
  return list_cells(file, node, key, rows, cols, t);
}

double *nsds_constant_cells(nsds_model_file *file, const nsds_cell_table *t) {
  double *values = nsds_file_memory(file, (size_t)t->rows * (size_t)t->cols, sizeof *values);
  for (int i = 0; values && i < t->rows; ++i)
    for (int j = 0; j < t->cols; ++j) {
      const nsds_yaml *node = t->node ? t->node[i * t->cols + j] : NULL;
      double *to = &values[i + j * t->rows];
      if (t->number) *to = t->number[i * t->cols + j];
      else if (node && !nsds_file_constant(file, node, to)) return NULL;
    }
  return values;
}

const nsds_csc *nsds_sparse_cells(nsds_model_file *file, const nsds_cell_table *t,
                                  const double *values) {
  int count = 0;
  for (int k = 0; k < t->rows * t->cols; ++k) count += t->node[k] != NULL;
  nsds_csc *matrix = nsds_file_memory(file, 1, sizeof *matrix);
  int *p = nsds_file_memory(file, (size_t)t->cols + 1, sizeof *p),
      *i = nsds_file_memory(file, (size_t)count, sizeof *i);
  double *x = nsds_file_memory(file, (size_t)count, sizeof *x);
  if (!matrix || !p || !i || !x) return NULL;
  int at = 0;
  for (int col = 0; col < t->cols; ++col) {
    for (int row = 0; row < t->rows; ++row)
      if (t->node[row * t->cols + col]) {
        i[at] = row;
        x[at++] = values[row + col * t->rows];
      }
    p[col + 1] = at;
  }
  *matrix = (nsds_csc){t->rows, t->cols, p, i, x};
  return matrix;
}
