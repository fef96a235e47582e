/*
 * Vectors, matrices and functions of a model file, see model_values.h. An array of the file becomes a table
 * of cells, row by row. Cells that are constant make a constant array; else the object's operator evaluates
 * them. The library tells
 * operators of one definition apart by their address. So each operator is one of a row of small functions that know
 * their number.
 */
#include "run/model_values.h"

#include "run/expression.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_cells = 4000000, most_slots = 14 };

/* ---- cells ----------------------------------------------------------------------------------- */

/* An array of the file: nodes, or numbers of a data file. */
typedef struct cell_table {
  int rows, cols;
  const nsds_yaml **node; /* row by row; NULL: zero */
  const double *number;   /* of a data file, row by row */
} cell_table;

static bool size_fits(nsds_model_file *file, const nsds_yaml *node, const char *key, int rows,
                      int cols, int got_rows, int got_cols) {
  if ((rows < 0 || rows == got_rows) && (cols < 0 || cols == got_cols)) return true;
  char wanted[40] = "", r[16] = "any", c[16] = "any";
  if (rows >= 0) snprintf(r, sizeof r, "%d", rows);
  if (cols >= 0) snprintf(c, sizeof c, "%d", cols);
  snprintf(wanted, sizeof wanted, "%s x %s", r, c);
  if (cols == 1)
    return nsds_file_fail(file, node, "%s has %d %s; it needs %s%s", key, got_rows * got_cols,
                          got_rows * got_cols == 1 ? "entry" : "entries", r,
                          nsds_comma_hint(node)) != NULL;
  return nsds_file_fail(file, node, "%s is %d x %d (rows x columns); it needs %s%s", key, got_rows,
                        got_cols, wanted, nsds_comma_hint(node)) != NULL;
}

static bool reserve_cells(nsds_model_file *file, const nsds_yaml *place, const char *key,
                          cell_table *t) {
  if ((double)t->rows * t->cols > most_cells)
    return nsds_file_fail(file, place, "%s has %d x %d entries; the most are %d", key, t->rows,
                          t->cols, most_cells) != NULL;
  t->node = nsds_file_memory(file, (size_t)t->rows * (size_t)t->cols, sizeof *t->node);
  return t->node != NULL;
}

/* Numbers of a text file, rows by lines. */
static double *read_data(nsds_model_file *file, const nsds_yaml *place, const char *path, int *rows,
                         int *cols) {
  FILE *data = fopen(path, "r");
  if (!data) return nsds_file_fail(file, place, "the data file %s cannot be opened", path);
  double *all = NULL;
  size_t count = 0, room = 0;
  char word[64];
  int size = 0, in_row = 0, c;
  bool fine = true, comment = false;
  *rows = *cols = 0;
  do {
    c = fgetc(data);
    if (c == '#') comment = true;
    bool blank = c == EOF || c == ' ' || c == '\t' || c == ',' || c == ';' || c == '\r' ||
                 c == '\n' || comment;
    if (!blank && size < 63) word[size++] = (char)c;
    else if (!blank) fine = false;
    if (blank && size) {
      word[size] = '\0';
      size = 0;
      if (count == room) {
        room = room ? 2 * room : 64;
        double *more = realloc(all, room * sizeof *all);
        if (!more) fine = false;
        else all = more;
      }
      if (fine) fine = nsds_read_number(word, &all[count++]);
      ++in_row;
    }
    if ((c == '\n' || c == EOF) && in_row) {
      if (*rows > 0 && in_row != *cols) fine = false;
      *cols = in_row;
      ++*rows;
      in_row = 0;
    }
    if (c == '\n') comment = false;
  } while (c != EOF && fine && count <= most_cells);
  fclose(data);
  double *kept = fine && count ? nsds_file_memory(file, count, sizeof *kept) : NULL;
  if (kept) memcpy(kept, all, count * sizeof *kept);
  else
    nsds_file_fail(file, place,
                   "the data file %s has no table of numbers with rows of one length (row %d)",
                   path, *rows + 1);
  free(all);
  return kept;
}

static bool data_cells(nsds_model_file *file, const nsds_yaml *path, const char *key, int rows,
                       int cols, cell_table *t) {
  const char *full = nsds_file_path(file, path->text);
  t->number = full ? read_data(file, path, full, &t->rows, &t->cols) : NULL;
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
                        int cols, cell_table *t) {
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
                           int cols, cell_table *t) {
  t->rows = t->cols = list->count;
  if (!size_fits(file, list, key, rows, cols, t->rows, t->cols) ||
      !reserve_cells(file, list, key, t))
    return false;
  for (int k = 0; k < list->count; ++k) t->node[k * list->count + k] = list->item[k];
  return true;
}

/* A scalar, a list, or a list of rows. A list is a column where one column is wanted, else a row. */
static bool list_cells(nsds_model_file *file, const nsds_yaml *node, const char *key, int rows,
                       int cols, cell_table *t) {
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

static bool take_cells(nsds_model_file *file, const nsds_yaml *node, const char *key, int rows,
                       int cols, cell_table *t) {
  *t = (cell_table){0};
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

/* The numbers of cells that are constant, column by column. */
static double *constant_cells(nsds_model_file *file, const cell_table *t) {
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

/* Compressed columns of the cells that the file writes. */
static const nsds_csc *sparse_cells(nsds_model_file *file, const cell_table *t,
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

/* ---- vectors and matrices -------------------------------------------------------------------- */

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
  cell_table t;
  if (count) *count = 0;
  if (!node || !take_cells(entry->file, node, key, n, 1, &t)) return NULL;
  double *values = constant_cells(entry->file, &t);
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
  cell_table t;
  *matrix = (nsds_file_matrix){.rows = rows, .cols = cols};
  if (!node) return true;
  if (!take_cells(entry->file, node, key, rows, cols, &t)) return false;
  matrix->rows = t.rows;
  matrix->cols = t.cols;
  const double *values = constant_cells(entry->file, &t);
  if (!values || !are_finite(entry->file, node, key, values, t.rows * t.cols)) return false;
  if (sparse && nsds_yaml_find(node, "entries"))
    matrix->sparse = sparse_cells(entry->file, &t, values);
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

/* ---- functions ------------------------------------------------------------------------------- */

/* A name for an expression, which functions use. */
typedef struct function_local {
  const char *name;
  nsds_expression *expression; /* NULL: the value is a number */
  double value;
  unsigned uses;  /* letters */
  uint64_t needs; /* other names, by their bits */
} function_local;

/* One function: expressions and numbers, or a function of a plugin. */
typedef struct function_slot {
  int size;
  nsds_expression **expression; /* column by column; NULL: the number */
  const double *number;
  nsds_operator plugin;
  uint64_t needs; /* names of `where` */
} function_slot;

struct nsds_functions {
  nsds_model_file *file;
  nsds_arguments_shape shape;
  int nz;       /* of all systems and its own */
  double index; /* i */
  double t, *q, *v, *x, *z, *lambda;
  const char *allowed; /* letters, while a function is read */
  unsigned uses;
  uint64_t needs;
  int nlocal;
  function_local *local;
  int nslot;
  function_slot slot[most_slots];
  nsds_functions *before;
};

static void load(double *to, int n, const double *from, int m) {
  if (n > m) n = m;
  if (n > 0 && from) memcpy(to, from, (size_t)n * sizeof *to);
}

static int evaluate(const nsds_arguments *in, double *out, void *user, int k) {
  nsds_functions *f = user;
  const function_slot *slot = &f->slot[k];
  if (slot->plugin) return slot->plugin(in, out, NULL);
  f->t = in->t;
  load(f->q, f->shape.nq, in->q, in->nq);
  load(f->v, f->shape.nv, in->v, in->nv);
  load(f->x, f->shape.nx, in->x, in->nx);
  load(f->z, f->nz, in->z, in->nz);
  load(f->lambda, f->shape.nlambda, in->lambda, in->nlambda);
  for (int i = 0; slot->needs && i < f->nlocal; ++i)
    if (slot->needs >> i & 1 && f->local[i].expression)
      f->local[i].value = nsds_expression_value(f->local[i].expression);
  for (int i = 0; i < slot->size; ++i)
    out[i] = slot->expression[i] ? nsds_expression_value(slot->expression[i]) : slot->number[i];
  return 0;
}

#define SLOT(k)                                                                                    \
  static int function_slot_##k(const nsds_arguments *in, double *out, void *user) {                \
    return evaluate(in, out, user, k);                                                             \
  }
SLOT(0)
SLOT(1)
SLOT(2)
SLOT(3)
SLOT(4)
SLOT(5)
SLOT(6)
SLOT(7)
SLOT(8)
SLOT(9)
SLOT(10)
SLOT(11)
SLOT(12)
SLOT(13)
static const nsds_operator slot_functions[most_slots] = {
    function_slot_0,  function_slot_1,  function_slot_2,  function_slot_3, function_slot_4,
    function_slot_5,  function_slot_6,  function_slot_7,  function_slot_8, function_slot_9,
    function_slot_10, function_slot_11, function_slot_12, function_slot_13};

nsds_functions *nsds_functions_create(nsds_model_file *file, const nsds_arguments_shape *shape) {
  nsds_functions *f = nsds_file_memory(file, 1, sizeof *f);
  if (!f) return NULL;
  f->file = file;
  f->shape = *shape;
  f->before = file->functions;
  file->functions = f;
  f->index = file->index;
  f->nz = shape->own.n;
  const nsds_named **systems = nsds_file_memory(file, (size_t)shape->nsystem, sizeof *systems);
  for (int k = 0; systems && k < shape->nsystem; ++k) {
    systems[k] = shape->system[k];
    f->nz += systems[k]->nz;
  }
  f->shape.system = systems;
  f->q = nsds_file_memory(file, (size_t)shape->nq, sizeof *f->q);
  f->v = nsds_file_memory(file, (size_t)shape->nv, sizeof *f->v);
  f->x = nsds_file_memory(file, (size_t)shape->nx, sizeof *f->x);
  f->z = nsds_file_memory(file, (size_t)f->nz, sizeof *f->z);
  f->lambda = nsds_file_memory(file, (size_t)shape->nlambda, sizeof *f->lambda);
  return systems && f->q && f->v && f->x && f->z && f->lambda ? f : NULL;
}

void nsds_functions_free(nsds_model_file *file) {
  for (nsds_functions *f = file->functions; f; f = f->before) {
    for (int k = 0; k < f->nlocal; ++k) nsds_expression_destroy(f->local[k].expression);
    for (int k = 0; k < most_slots; ++k)
      for (int i = 0; f->slot[k].expression && i < f->slot[k].size; ++i)
        nsds_expression_destroy(f->slot[k].expression[i]);
  }
  file->functions = NULL;
}

/* ---- names in functions ---- */

/* "q12" as the 12th of n numbers of the letter; NULL where it is none. */
static double *numbered(const char *name, const char *letter, double *values, int n) {
  size_t size = strlen(letter), length = strlen(name);
  if (strncmp(name, letter, size) != 0 || length == size || length > size + 6 || name[size] == '0')
    return NULL;
  if (strspn(name + size, "0123456789") != length - size) return NULL;
  int k = atoi(name + size);
  return k >= 1 && k <= n ? &values[k - 1] : NULL;
}

static double *named_parameter(nsds_functions *f, const char *name) {
  int at = f->nz - f->shape.own.n;
  for (int k = 0; f->shape.own.name && k < f->shape.own.n; ++k)
    if (strcmp(f->shape.own.name[k], name) == 0) return &f->z[at + k];
  at = 0;
  for (int s = 0; s < f->shape.nsystem; at += f->shape.system[s++]->nz)
    for (int k = 0; f->shape.system[s]->z_name && k < f->shape.system[s]->nz; ++k)
      if (strcmp(f->shape.system[s]->z_name[k], name) == 0) return &f->z[at + k];
  return numbered(name, "z", f->z, f->nz);
}

/* A name of the object whose letter the function may use. */
static const double *used(nsds_functions *f, char letter, nsds_uses bit, const double *value) {
  if (!value || !strchr(f->allowed, letter)) return NULL;
  f->uses |= bit;
  return value;
}

/* Letters as bits of nsds_uses. */
static unsigned bits_of(const char *letters) {
  unsigned bits = 0;
  for (; *letters; ++letters) {
    const char *place = strchr("tqvxzl", *letters);
    if (place) bits |= 1u << (place - "tqvxzl");
  }
  return bits;
}

/* A name of the key `where`, if all that it uses may be used here. */
static const double *find_local(nsds_functions *f, const char *name) {
  for (int k = 0; k < f->nlocal; ++k)
    if (strcmp(f->local[k].name, name) == 0) {
      if (f->local[k].uses & ~bits_of(f->allowed)) return NULL;
      f->uses |= f->local[k].uses;
      f->needs |= f->local[k].needs | (uint64_t)1 << k;
      return &f->local[k].value;
    }
  return NULL;
}

static const double *find_argument(void *user, const char *name) {
  nsds_functions *f = user;
  const double *value = find_local(f, name);
  if (value) return value;
  if (strcmp(name, "t") == 0) value = used(f, 't', NSDS_USES_T, &f->t);
  if (!value) value = used(f, 'z', NSDS_USES_Z, named_parameter(f, name));
  if (!value) value = used(f, 'q', NSDS_USES_Q, numbered(name, "q", f->q, f->shape.nq));
  if (!value) value = used(f, 'v', NSDS_USES_V, numbered(name, "v", f->v, f->shape.nv));
  if (!value) value = used(f, 'x', NSDS_USES_X, numbered(name, "x", f->x, f->shape.nx));
  if (!value)
    value = used(f, 'l', NSDS_USES_LAMBDA, numbered(name, "lambda", f->lambda, f->shape.nlambda));
  if (!value && strcmp(name, "i") == 0 && !isnan(f->index)) return &f->index;
  return value ? value : nsds_file_parameter_value(f->file, name);
}

static void list_range(char *text, size_t size, const char *letter, int n) {
  char words[64];
  if (n <= 0) return;
  if (n == 1) snprintf(words, sizeof words, "%s1", letter);
  else snprintf(words, sizeof words, "%s1 to %s%d", letter, letter, n);
  nsds_file_list(text, size, words);
}

static const char *valid_arguments(void *user) {
  nsds_functions *f = user;
  char text[340] = "";
  if (strchr(f->allowed, 't')) nsds_file_list(text, sizeof text, "t");
  if (strchr(f->allowed, 'q')) list_range(text, sizeof text, "q", f->shape.nq);
  if (strchr(f->allowed, 'v')) list_range(text, sizeof text, "v", f->shape.nv);
  if (strchr(f->allowed, 'x')) list_range(text, sizeof text, "x", f->shape.nx);
  if (strchr(f->allowed, 'l')) list_range(text, sizeof text, "lambda", f->shape.nlambda);
  if (strchr(f->allowed, 'z')) list_range(text, sizeof text, "z", f->nz);
  for (int k = 0; k < f->nlocal; ++k)
    if (!(f->local[k].uses & ~bits_of(f->allowed)))
      nsds_file_list(text, sizeof text, f->local[k].name);
  for (int k = 0; strchr(f->allowed, 'z') && f->shape.own.name && k < f->shape.own.n; ++k)
    nsds_file_list(text, sizeof text, f->shape.own.name[k]);
  for (int k = 0; k < f->file->nparameter; ++k)
    nsds_file_list(text, sizeof text, f->file->parameter[k].name);
  if (!isnan(f->index)) nsds_file_list(text, sizeof text, "i");
  const char *copy = nsds_file_copy(f->file, text);
  return copy ? copy : "";
}

/* ---- reading functions ---- */

/* Compiles a cell; its number where it uses parameters alone. */
static bool take_cell(nsds_functions *f, const nsds_yaml *node, double *number,
                      nsds_expression **expression) {
  if (nsds_read_number(node->text, number)) return true;
  const nsds_expression_names names = {find_argument, valid_arguments, f};
  nsds_expression_error error;
  unsigned before = f->uses;
  f->uses = 0;
  nsds_expression *e = nsds_expression_create(node->text, &names, &error);
  if (!e) {
    nsds_yaml place = *node;
    place.column += error.at + (node->quoted ? 1 : 0);
    return nsds_file_fail(f->file, &place, "\"%.80s\": %s%s", node->text, error.text,
                          nsds_comma_hint(node)) != NULL;
  }
  bool constant = f->uses == 0;
  f->uses |= before;
  if (!constant) {
    *expression = e;
    return true;
  }
  *number = nsds_expression_value(e);
  nsds_expression_destroy(e);
  return isfinite(*number) ||
         nsds_file_fail(f->file, node, "\"%.80s\" has no finite value", node->text) != NULL;
}

bool nsds_functions_where(nsds_functions *f, const nsds_entry *entry) {
  enum { most = 60 };
  const nsds_yaml *map =
      nsds_schema_find(entry->schema, "where") ? nsds_entry_node(entry, "where") : NULL;
  if (!map) return true;
  if (map->kind != NSDS_YAML_MAP || map->count > most)
    return nsds_file_fail(f->file, map,
                          "where is %s; valid is a map of at most %d names to expressions",
                          map->kind == NSDS_YAML_MAP ? "too large" : "a list", most) != NULL;
  f->local = nsds_file_memory(f->file, (size_t)map->count, sizeof *f->local);
  f->allowed = "tqvxzl";
  for (int k = 0; f->local && k < map->count; ++k) {
    function_local local = {.name = map->key[k]->text};
    if (nsds_name_is_reserved(local.name))
      return nsds_file_fail(f->file, map->key[k],
                            "\"%s\" is not free as a name; expressions use it", local.name) != NULL;
    f->uses = 0;
    f->needs = 0;
    if (!take_cell(f, map->item[k], &local.value, &local.expression)) return false;
    local.uses = f->uses;
    local.needs = f->needs;
    f->local[f->nlocal++] = local;
  }
  return f->local != NULL;
}

static bool take_expressions(nsds_functions *f, const cell_table *t, function_slot *slot) {
  size_t size = (size_t)t->rows * (size_t)t->cols;
  double *number = nsds_file_memory(f->file, size, sizeof *number);
  slot->expression = nsds_file_memory(f->file, size, sizeof(nsds_expression *));
  slot->number = number;
  slot->size = (int)size;
  if (!number || !slot->expression) return false;
  for (int i = 0; i < t->rows; ++i)
    for (int j = 0; j < t->cols; ++j) {
      const nsds_yaml *node = t->node ? t->node[i * t->cols + j] : NULL;
      int to = i + j * t->rows;
      if (t->number) number[to] = t->number[i * t->cols + j];
      else if (node && node->kind != NSDS_YAML_SCALAR)
        return nsds_file_fail(f->file, node, "an expression is expected here") != NULL;
      else if (node && !take_cell(f, node, &number[to], &slot->expression[to])) return false;
    }
  return true;
}

static nsds_operator open_plugin(nsds_functions *f, const nsds_yaml *node, nsds_kind kind) {
  const nsds_yaml *path = nsds_yaml_find(node, "plugin"), *name = nsds_yaml_find(node, "function");
  if (!nsds_file_may_open(f->file, path)) return NULL;
  const char *full = nsds_file_path(f->file, path->text);
  nsds_plugin *plugin = full ? nsds_plugin_open(f->file->model, full) : NULL;
  nsds_operator fn = nsds_plugin_get(plugin, name->text, kind);
  if (!fn) nsds_file_call_failed(f->file, plugin ? name : path);
  return fn;
}

static bool take_function(nsds_functions *f, const nsds_entry *entry, const char *key, int rows,
                          int cols, nsds_function *function) {
  const nsds_yaml *node = nsds_entry_node(entry, key);
  const nsds_schema_key *row = nsds_schema_find(entry->schema, key);
  *function = (nsds_function){.given = node != NULL};
  if (!node) return true;
  function_slot *slot = &f->slot[f->nslot];
  *slot = (function_slot){0};
  function->fn = slot_functions[f->nslot++];
  f->allowed = row->uses;
  f->uses = 0;
  f->needs = 0;
  if (nsds_yaml_find(node, "plugin")) {
    function->uses = ~0u;
    slot->plugin = open_plugin(f, node, row->plugin);
    return slot->plugin != NULL;
  }
  cell_table t;
  if (!take_cells(f->file, node, key, rows, cols, &t) || !take_expressions(f, &t, slot))
    return false;
  function->uses = f->uses;
  slot->needs = f->needs;
  if (f->uses) return true;
  function->constant = slot->number;
  if (nsds_yaml_find(node, "entries")) function->sparse = sparse_cells(f->file, &t, slot->number);
  return true;
}

bool nsds_functions_take(nsds_functions *f, const nsds_entry *entry, const char *key, int rows,
                         int cols, nsds_function *function) {
  if (!take_function(f, entry, key, rows, cols, function)) return false;
  if (function->constant) {
    --f->nslot;
    function->fn = NULL;
  }
  return true;
}

bool nsds_functions_call(nsds_functions *f, const nsds_entry *entry, const char *key, int rows,
                         int cols, nsds_function *function) {
  if (!take_function(f, entry, key, rows, cols, function)) return false;
  function->constant = NULL;
  function->sparse = NULL;
  return true;
}

bool nsds_functions_jacobian(nsds_functions *f, const nsds_entry *entry, const char *key, int rows,
                             int cols, const nsds_function *of, unsigned letters,
                             nsds_operator absent, nsds_operator *jacobian) {
  nsds_function given;
  if (!nsds_functions_call(f, entry, key, rows, cols, &given)) return false;
  bool unknown =
      of->uses == ~0u && !absent; /* a plugin's: an optional Jacobian that is left out is zero */
  if (given.given) *jacobian = given.fn;
  else if (!of->given || unknown) *jacobian = NULL;
  else *jacobian = (of->uses & letters) != 0 ? nsds_differences : absent;
  return true;
}
