/*
 * Functions of a model file, see model_functions.h. The cells of a function that are not constant
 * are expressions in the arguments of its object. The library tells operators of one definition
 * apart by their address. So each operator is one of a row of small functions that know their
 * number.
 */
#include "run/model/model_functions.h"

#include "base/text/number.h"
#include "run/expression/expression_program.h"
#include "run/expression/expression_slopes.h"
#include "run/model/model_cells.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_slots = 14, most_fields = 40 /* of a type */ };

/* A name that functions use for an expression. */
typedef struct function_local {
  const char *name;
  nsds_term term;
  unsigned uses; /* letters */
} function_local;

/* One function: numbers and a program for the other values, or a function of a plugin. */
typedef struct function_slot {
  int rows, cols;
  const nsds_term *term; /* column by column */
  const double *number;  /* the same; 0 if `at` has a place */
  int count;             /* values of the program */
  const int *at;         /* their places */
  const nsds_program *program;
  nsds_operator plugin;
} function_slot;

struct nsds_functions {
  nsds_model_file *file;
  nsds_entry entry; /* of the object */
  nsds_arguments_shape shape;
  int nz;       /* of all systems and its own */
  double index; /* i */
  double t, *q, *v, *x, *z, *lambda;
  const char *allowed; /* letters, while a function is read */
  unsigned uses;
  nsds_expressions all; /* of all functions */
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
  size_t size = (size_t)slot->rows * (size_t)slot->cols * sizeof *out;
  memcpy(out, slot->number, size);
  if (slot->program) nsds_program_run(slot->program);
  for (int i = 0; i < slot->count; ++i) out[slot->at[i]] = nsds_program_value(slot->program, i);
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

static bool make_arguments(nsds_functions *f, const nsds_arguments_shape *shape) {
  nsds_model_file *file = f->file;
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
  return systems && f->q && f->v && f->x && f->z && f->lambda;
}

void nsds_functions_free(nsds_model_file *file) {
  for (nsds_functions *f = file->functions; f; f = f->before) nsds_expressions_free(&f->all);
  file->functions = NULL;
}

/* ---- names in functions ---- */

/* Reads "q[11]" or "q12" as the 12th of n numbers of the letter; NULL for other names. */
static double *numbered(const char *name, const char *letter, double *values, int n) {
  size_t size = strlen(letter);
  int k = strncmp(name, letter, size) == 0 ? nsds_parse_place(name + size) : -1;
  return k >= 0 && k < n ? &values[k] : NULL;
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

/* A name of the key `where`, if all names in its expression may be used here. */
static bool find_local(nsds_functions *f, const char *name, nsds_term *term) {
  for (int k = 0; k < f->nlocal; ++k)
    if (strcmp(f->local[k].name, name) == 0) {
      if (f->local[k].uses & ~bits_of(f->allowed)) return false;
      f->uses |= f->local[k].uses;
      *term = f->local[k].term;
      return true;
    }
  return false;
}

static bool find_argument(void *user, const char *name, nsds_term *term) {
  nsds_functions *f = user;
  const double *value = NULL;
  if (find_local(f, name, term)) return true;
  if (strcmp(name, "t") == 0) value = used(f, 't', NSDS_USES_T, &f->t);
  if (!value) value = used(f, 'z', NSDS_USES_Z, named_parameter(f, name));
  if (!value) value = used(f, 'q', NSDS_USES_Q, numbered(name, "q", f->q, f->shape.nq));
  if (!value) value = used(f, 'v', NSDS_USES_V, numbered(name, "v", f->v, f->shape.nv));
  if (!value) value = used(f, 'x', NSDS_USES_X, numbered(name, "x", f->x, f->shape.nx));
  if (!value)
    value = used(f, 'l', NSDS_USES_LAMBDA, numbered(name, "lambda", f->lambda, f->shape.nlambda));
  if (value) {
    *term = nsds_term_variable(&f->all, value);
    return true;
  }
  if (strcmp(name, "i") == 0 && !isnan(f->index)) value = &f->index;
  else value = nsds_file_parameter_value(f->file, name);
  if (value) *term = nsds_term_number(*value);
  return value != NULL;
}

static void list_range(char *text, size_t size, const char *letter, int n) {
  char words[64];
  if (n <= 0) return;
  if (n == 1) snprintf(words, sizeof words, "%s[0]", letter);
  else snprintf(words, sizeof words, "%s[0] to %s[%d]", letter, letter, n - 1);
  nsds_list_word(text, size, words);
}

static const char *valid_arguments(void *user, const char *name) {
  (void)name;
  nsds_functions *f = user;
  char text[340] = "";
  if (strchr(f->allowed, 't')) nsds_list_word(text, sizeof text, "t");
  if (strchr(f->allowed, 'q')) list_range(text, sizeof text, "q", f->shape.nq);
  if (strchr(f->allowed, 'v')) list_range(text, sizeof text, "v", f->shape.nv);
  if (strchr(f->allowed, 'x')) list_range(text, sizeof text, "x", f->shape.nx);
  if (strchr(f->allowed, 'l')) list_range(text, sizeof text, "lambda", f->shape.nlambda);
  if (strchr(f->allowed, 'z')) list_range(text, sizeof text, "z", f->nz);
  for (int k = 0; k < f->nlocal; ++k)
    if (!(f->local[k].uses & ~bits_of(f->allowed)))
      nsds_list_word(text, sizeof text, f->local[k].name);
  for (int k = 0; strchr(f->allowed, 'z') && f->shape.own.name && k < f->shape.own.n; ++k)
    nsds_list_word(text, sizeof text, f->shape.own.name[k]);
  for (int k = 0; k < f->file->nparameter; ++k)
    nsds_list_word(text, sizeof text, f->file->parameter[k].name);
  if (!isnan(f->index)) nsds_list_word(text, sizeof text, "i");
  const char *copy = nsds_file_copy(f->file, text);
  return copy ? copy : "";
}

/* ---- reading functions ---- */

/* Reads a cell. */
static bool take_cell(nsds_functions *f, const nsds_yaml *node, nsds_term *term) {
  *term = nsds_term_number(0.0);
  if (nsds_read_number(node->text, &term->number)) return true;
  const nsds_expression_names names = {
      .kind = NSDS_TEXT_MODEL_FILE, .find = find_argument, .valid = valid_arguments, .user = f};
  nsds_expression_error error;
  if (!nsds_expression_read(&f->all, node->text, &names, term, &error))
    return nsds_file_refuse_expression(f->file, node, &error);
  return term->node >= 0 || isfinite(term->number) ||
         nsds_file_fail(f->file, node, "\"%.80s\" has no finite value", node->text) != NULL;
}

/* Reads the key `where`: names for expressions, for functions that are read afterwards. */
static bool take_where(nsds_functions *f) {
  enum { most = 60 };
  const nsds_entry *entry = &f->entry;
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
    if (!take_cell(f, map->item[k], &local.term)) return false;
    local.uses = f->uses;
    f->local[f->nlocal++] = local;
  }
  return f->local != NULL;
}

nsds_functions *nsds_functions_create(const nsds_entry *entry, const nsds_arguments_shape *shape) {
  nsds_functions *f = nsds_file_memory(entry->file, 1, sizeof *f);
  if (f) f->all.context = entry->file->context;
  if (!f) return NULL;
  f->file = entry->file;
  f->entry = *entry;
  return make_arguments(f, shape) && take_where(f) && !nsds_file_failed(f->file) ? f : NULL;
}

static void *function_memory(void *file, size_t count, size_t size) {
  return nsds_file_memory(file, count, size);
}

/* The program of all terms of a slot that are no numbers. */
static bool compile_slot(nsds_functions *f, function_slot *slot, const nsds_term *term, int size) {
  int count = 0;
  for (int k = 0; k < size; ++k) count += term[k].node >= 0;
  if (count == 0) return true;
  int *at = nsds_file_memory(f->file, (size_t)count, sizeof *at);
  nsds_term *varying = nsds_file_memory(f->file, (size_t)count, sizeof *varying);
  if (!at || !varying) return false;
  slot->at = at;
  for (int k = 0; k < size; ++k)
    if (term[k].node >= 0) {
      at[slot->count] = k;
      varying[slot->count++] = term[k];
    }
  slot->program = nsds_program_create(&f->all, varying, count,
                                      &(nsds_program_memory){function_memory, f->file});
  return slot->program != NULL;
}

static bool take_expressions(nsds_functions *f, const nsds_cell_table *t, function_slot *slot) {
  size_t size = (size_t)t->rows * (size_t)t->cols;
  double *number = nsds_file_memory(f->file, size, sizeof *number);
  nsds_term *term = nsds_file_memory(f->file, size, sizeof *term);
  slot->number = number;
  slot->term = term;
  slot->rows = t->rows;
  slot->cols = t->cols;
  if (!number || !term) return false;
  for (int i = 0; i < t->rows; ++i)
    for (int j = 0; j < t->cols; ++j) {
      const nsds_yaml *node = t->node ? t->node[i * t->cols + j] : NULL;
      int to = i + j * t->rows;
      term[to] = nsds_term_number(t->number ? t->number[i * t->cols + j] : 0.0);
      if (node && node->kind != NSDS_YAML_SCALAR)
        return nsds_file_fail(f->file, node, "an expression is expected here") != NULL;
      if (!t->number && node && !take_cell(f, node, &term[to])) return false;
      number[to] = term[to].number;
    }
  return compile_slot(f, slot, term, (int)size);
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

static bool take_function(nsds_functions *f, const char *key, int rows, int cols,
                          nsds_function *function) {
  const nsds_entry *entry = &f->entry;
  const nsds_yaml *node = nsds_entry_node(entry, key);
  const nsds_field *row = nsds_schema_find(entry->schema, key);
  *function = (nsds_function){.given = node != NULL};
  if (!node) return true;
  function_slot *slot = &f->slot[f->nslot];
  *slot = (function_slot){0};
  function->fn = slot_functions[f->nslot++];
  f->allowed = row->uses;
  f->uses = 0;
  if (nsds_yaml_find(node, "plugin")) {
    function->uses = ~0u;
    slot->plugin = open_plugin(f, node, (nsds_kind)row->plugin);
    return slot->plugin != NULL;
  }
  nsds_cell_table t;
  if (!nsds_take_cells(f->file, node, key, rows, cols, &t) || !take_expressions(f, &t, slot))
    return false;
  function->uses = f->uses;
  if (f->uses) return true;
  function->constant = slot->number;
  if (nsds_yaml_find(node, "entries"))
    function->sparse = nsds_sparse_cells(f->file, &t, slot->number);
  return true;
}

bool nsds_functions_take(nsds_functions *f, const char *key, int rows, int cols,
                         nsds_function *function) {
  if (!take_function(f, key, rows, cols, function)) return false;
  if (function->constant) {
    --f->nslot;
    function->fn = NULL;
  }
  return true;
}

bool nsds_functions_call(nsds_functions *f, const char *key, int rows, int cols,
                         nsds_function *function) {
  if (!take_function(f, key, rows, cols, function)) return false;
  function->constant = NULL;
  function->sparse = NULL;
  return true;
}

/* ---- Jacobians ---- */

/* The values of the one letter that a Jacobian is taken by. */
static const double *differentiated_by(const nsds_functions *f, unsigned letters) {
  return letters == NSDS_USES_T   ? &f->t
         : letters == NSDS_USES_Q ? f->q
         : letters == NSDS_USES_V ? f->v
         : letters == NSDS_USES_X ? f->x
                                  : f->lambda;
}

/* Derivatives of a function, column by column; false if they get too long, or with a message. */
static bool derive(nsds_functions *f, const function_slot *of, int cols, const double *by,
                   nsds_term *term) {
  const int more = 2000000; /* nodes */
  int most = f->all.count + (f->all.count < more / 100 ? 100 * (f->all.count + 100) : more);
  nsds_status status = NSDS_OK;
  for (int j = 0; !status && j < cols; ++j)
    status = nsds_term_slopes(&f->all, of->term, of->rows, &by[j], most, term + j * of->rows);
  return !status;
}

/* The exact Jacobian of the k-th function. */
static nsds_operator derived_jacobian(nsds_functions *f, int k, int cols, unsigned letters) {
  const size_t most_cells = (size_t)1 << 22;
  const function_slot *of = &f->slot[k];
  size_t size = (size_t)of->rows * (size_t)cols;
  if (size > most_cells || f->nslot == most_slots) return nsds_differences;
  nsds_term *term = nsds_file_memory(f->file, size, sizeof *term);
  double *number = nsds_file_memory(f->file, size, sizeof *number);
  if (!term || !number) return NULL;
  if (!derive(f, of, cols, differentiated_by(f, letters), term))
    return nsds_file_failed(f->file) ? NULL : nsds_differences;
  function_slot *slot = &f->slot[f->nslot];
  *slot = (function_slot){.rows = of->rows, .cols = cols, .term = term, .number = number};
  for (size_t i = 0; i < size; ++i) number[i] = term[i].number;
  return compile_slot(f, slot, term, (int)size) ? slot_functions[f->nslot++] : NULL;
}

static int slot_of_function(nsds_operator fn) {
  int k = 0;
  while (k < most_slots && slot_functions[k] != fn) ++k;
  return k;
}

bool nsds_functions_jacobian(nsds_functions *f, const char *key, int rows, int cols,
                             const nsds_function *of, unsigned letters, nsds_operator absent,
                             nsds_operator *jacobian) {
  nsds_function given;
  if (!nsds_functions_call(f, key, rows, cols, &given)) return false;
  bool unknown =
      of->uses == ~0u && !absent; /* a plugin's: an optional Jacobian that is left out is zero */
  if (given.given) *jacobian = given.fn;
  else if (!of->given || unknown) *jacobian = NULL;
  else if (!(of->uses & letters)) *jacobian = absent;
  else if (of->uses == ~0u) *jacobian = nsds_differences;
  else *jacobian = derived_jacobian(f, slot_of_function(of->fn), cols, letters);
  return *jacobian || !nsds_file_failed(f->file);
}

/* ---- definitions ---- */

static int size_of_word(const nsds_sizes *s, const char *word, size_t length) {
  const struct {
    const char *name;
    int size;
  } known[] = {{"ny", s->ny}, {"nx", s->nx}, {"nq", s->nq}, {"nv", s->nv}, {"nz", s->nz}};
  for (size_t k = 0; k < sizeof known / sizeof *known; ++k)
    if (length == strlen(known[k].name) && memcmp(word, known[k].name, length) == 0)
      return known[k].size;
  return s->n;
}

/* Reads "3", "ndof", or "(nx + nv)", up to `end`. */
static int read_extent(const char *text, const char *end, const nsds_sizes *sizes) {
  int sum = 0;
  if (text[0] >= '0' && text[0] <= '9') return atoi(text);
  while (text < end) {
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz");
    if (length > 0) sum += size_of_word(sizes, text, length);
    text += length > 0 ? length : 1;
  }
  return sum;
}

/* Reads a size: "3 x 7", "ndof x ndof", "nx + nv". */
static void read_size(const char *size, const nsds_sizes *sizes, int *rows, int *cols) {
  const char *by = strstr(size, " x "), *end = size + strlen(size);
  *rows = read_extent(size, by ? by : end, sizes);
  *cols = by ? read_extent(by + 3, end, sizes) : 1;
}

int nsds_size_columns(const char *size, const nsds_sizes *sizes) {
  int rows, cols;
  read_size(size, sizes, &rows, &cols);
  return cols;
}

static unsigned uses_of_letter(char letter) {
  return letter == 't'   ? NSDS_USES_T
         : letter == 'q' ? NSDS_USES_Q
         : letter == 'v' ? NSDS_USES_V
         : letter == 'x' ? NSDS_USES_X
                         : NSDS_USES_LAMBDA;
}

/* Defines the Jacobian of a function that comes before it. "fint q": of fint, by q. A Jacobian without
 * columns is left out. */
static bool define_jacobian(nsds_functions *f, const nsds_field *field, int rows, int cols,
                            const nsds_function *given, nsds_operator *to) {
  const nsds_field *all = f->entry.schema->field;
  size_t size = strcspn(field->slope_of, " ");
  int k = 0;
  while (strncmp(all[k].name, field->slope_of, size) != 0 || all[k].name[size]) ++k;
  nsds_operator absent = field->optional || cols == 0 ? NULL : nsds_zero;
  return nsds_functions_jacobian(f, field->name, rows, cols, &given[k],
                                 uses_of_letter(field->slope_of[size + 1]), absent, to);
}

/* Defines a function, or in its place the constant that it is. */
static bool define_function(nsds_functions *f, const nsds_field *field, int rows, int cols,
                            nsds_function *given, char *def) {
  bool (*take)(nsds_functions *, const char *, int, int, nsds_function *) =
      field->constant ? nsds_functions_take : nsds_functions_call;
  if (!take(f, field->name, rows, cols, given)) return false;
  memcpy(def + field->offset, &given->fn, sizeof given->fn);
  if (field->sparse && given->sparse)
    memcpy(def + field->sparse, &given->sparse, sizeof given->sparse);
  else if (field->constant) memcpy(def + field->constant, &given->constant, sizeof given->constant);
  if (field->columns && given->given) memcpy(def + field->columns, &cols, sizeof cols);
  return true;
}

static bool define_array(const nsds_entry *e, const nsds_field *field, int rows, int cols,
                         char *def) {
  nsds_file_matrix m;
  bool matrix = field->kind == NSDS_FIELD_MATRIX;
  if (!matrix) m = (nsds_file_matrix){.dense = nsds_entry_vector(e, field->name, rows, NULL)};
  else if (!nsds_entry_matrix(e, field->name, rows, cols, field->sparse != 0, &m)) return false;
  memcpy(def + field->offset, &m.dense, sizeof m.dense);
  if (field->sparse) memcpy(def + field->sparse, &m.sparse, sizeof m.sparse);
  if (field->columns && m.dense) memcpy(def + field->columns, &cols, sizeof cols);
  return !nsds_file_failed(e->file);
}

bool nsds_functions_define(nsds_functions *f, const nsds_sizes *sizes, void *def, unsigned *uses) {
  nsds_function given[most_fields] = {0};
  const nsds_field *field = f->entry.schema->field;
  for (int k = 0; k < most_fields && field[k].name; ++k) {
    bool array = nsds_field_is_sized(&field[k]);
    int rows, cols;
    if (!field[k].bytes || (!array && field[k].kind != NSDS_FIELD_FUNCTION)) continue;
    read_size(field[k].size, sizes, &rows, &cols);
    if (array ? !define_array(&f->entry, &field[k], rows, cols, def)
        : field[k].slope_of
            ? !define_jacobian(f, &field[k], rows, cols, given,
                               (nsds_operator *)(void *)((char *)def + field[k].offset))
            : !define_function(f, &field[k], rows, cols, &given[k], def))
      return false;
    *uses |= given[k].uses;
  }
  return true;
}
