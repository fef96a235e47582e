/*
 * Names, numbers and messages of a model file's reader, see model_reader.h.
 */
#include "run/model/model_reader.h"

#include "base/text/number.h"
#include "base/text/range.h"
#include "base/text/words.h"

#include <nsds/extend.h>
#include <nsds/table.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- messages and memory ---- */

static void keep_fault(nsds_model_file *file, nsds_status status, int line, int column,
                       const char *text) {
  nsds_file_faults *f = &file->faults;
  const nsds_fault fault = {.line = line,
                            .column = column,
                            .status = status,
                            .text = (char *)(uintptr_t)text}; /* is copied */
  f->failed = true;
  if (nsds_faults_keep(file->context, &f->kept, &fault)) status = NSDS_ERROR_MEMORY;
  if (status == NSDS_ERROR_MEMORY) f->no_memory = true;
}

static void keep_fault_at(nsds_model_file *file, nsds_status status, const nsds_yaml *node,
                          const char *why) {
  char text[1000];
  int line = node ? node->line : 1, column = node ? node->column : 1;
  const char *path = node && node->file ? node->file : file->path;
  snprintf(text, sizeof text, "%s:%d:%d: %s", path, line, column, why);
  keep_fault(file, status, line, column, text);
}

void *nsds_file_fail(nsds_model_file *file, const nsds_yaml *node, const char *format, ...) {
  char why[900];
  va_list list;
  if (nsds_file_failed(file)) return NULL;
  va_start(list, format);
  nsds_format_message(why, sizeof why, format, list);
  va_end(list);
  keep_fault_at(file, NSDS_ERROR_FORMAT, node, why);
  return NULL;
}

bool nsds_file_failed(const nsds_model_file *file) {
  return file->faults.failed || nsds_error(file->context) != NSDS_OK ||
         nsds_context_stops(file->context);
}

/* Returns a message without the name of the C function in front, because no file calls
 * functions. */
static const char *without_call(const char *message) {
  size_t size = strspn(message, "abcdefghijklmnopqrstuvwxyz_0123456789");
  bool call = strncmp(message, "nsds_", 5) == 0 && strncmp(message + size, ": ", 2) == 0;
  return call ? message + size + 2 : message;
}

bool nsds_file_call_failed(nsds_model_file *file, const nsds_yaml *node) {
  nsds_status status = nsds_error(file->context);
  if (status && !file->faults.failed)
    keep_fault_at(file, status, node, without_call(nsds_error_message(file->context)));
  if (status == NSDS_ERROR_MEMORY) file->faults.no_memory = true;
  nsds_error_clear(file->context);
  return file->faults.failed;
}

void nsds_file_fail_after(nsds_model_file *file) { file->faults.failed = true; }

bool nsds_file_go_on(nsds_model_file *file) {
  nsds_status status = nsds_error(file->context);
  if (status && !file->faults.failed)
    keep_fault(file, status, 0, 0, nsds_error_message(file->context));
  if (status == NSDS_ERROR_MEMORY) file->faults.no_memory = true;
  nsds_error_clear(file->context);
  file->faults.failed = false;
  return !file->faults.no_memory && file->faults.kept.count < nsds_most_faults &&
         !nsds_context_stops(file->context);
}

/* Returns the name in front of an index, cut behind the length of valid names. */
static void doubtful_part(const char *name, char part[64]) {
  snprintf(part, 64, "%.*s", (int)strcspn(name, "["), name);
}

bool nsds_file_go_on_without(nsds_model_file *file, const char *name) {
  char part[64];
  doubtful_part(name, part);
  if (nsds_names_add(file->context, &file->faults.doubtful, part) < 0)
    file->faults.no_memory = true;
  return nsds_file_go_on(file);
}

bool nsds_file_is_doubtful(const nsds_model_file *file, const char *name) {
  char part[64];
  if (file->faults.doubtful.count == 0) return false;
  doubtful_part(name, part);
  return nsds_names_find(&file->faults.doubtful, part) >= 0;
}

bool nsds_file_is_sound(const nsds_model_file *file) {
  return file->faults.kept.count == 0 && file->sources->left_out == 0 && !nsds_file_failed(file);
}

nsds_status nsds_file_report(nsds_model_file *file) {
  nsds_file_faults *f = &file->faults;
  const nsds_fault *all = f->kept.item;
  nsds_status status = f->kept.count ? all[0].status : NSDS_OK;
  for (int k = 0; k < f->kept.count; ++k)
    nsds_report(file->context, all[k].status, "%s", all[k].text ? all[k].text : "out of memory");
  nsds_faults_clear(&f->kept);
  nsds_names_free(&f->doubtful);
  *f = (nsds_file_faults){0};
  return status;
}

struct nsds_file_block {
  nsds_file_block *before;
  max_align_t memory[];
};

void *nsds_file_memory(nsds_model_file *file, size_t count, size_t size) {
  const size_t most = (size_t)1 << 31;
  size_t wanted = count * size;
  file->memory += wanted;
  nsds_file_block *block = file->memory < most ? nsds_alloc(file->context, "the model file", 1,
                                                            sizeof *block + (wanted ? wanted : 1))
                                               : NULL;
  if (!block) return NULL;
  block->before = file->block;
  file->block = block;
  return block->memory;
}

const char *nsds_file_copy(nsds_model_file *file, const char *text) {
  char *copy = nsds_file_memory(file, strlen(text) + 1, 1);
  if (copy) memcpy(copy, text, strlen(text) + 1);
  return copy;
}

void nsds_file_free_memory(nsds_model_file *file) {
  nsds_names_free(&file->names);
  while (file->block) {
    nsds_file_block *before = file->block->before;
    nsds_free(file->block);
    file->block = before;
  }
}

const char *nsds_file_path(nsds_model_file *file, const char *path) {
  if (path[0] == '/') return nsds_file_copy(file, path);
  const char *folder = file->folder[0] ? file->folder : "./";
  if (strncmp(path, "./", 2) == 0) path += 2;
  size_t size = strlen(folder) + strlen(path) + 1;
  char *full = nsds_file_memory(file, size, 1);
  if (full) snprintf(full, size, "%s%s", folder, path);
  return full;
}

/* Leaves a part out of a check: neither the part nor its dependents have a fault. Returns false. */
static bool leave_out(nsds_model_file *file, const nsds_yaml *place, const char *what) {
  char text[400];
  snprintf(text, sizeof text, "%s:%d:%d: the %s %.200s was not looked at", file->path, place->line,
           place->column, what, place->text);
  ++file->sources->left_out;
  nsds_job_warn(file->job, text);
  nsds_file_fail_after(file);
  return false;
}

bool nsds_file_may_open(nsds_model_file *file, const nsds_yaml *path) {
  if (file->sources->plugins) return true;
  if (file->sources->check) return leave_out(file, path, "plugin");
  return nsds_file_fail(file, path, "this file asks for the plugin %.200s, and plugins are refused",
                        path->text) != NULL;
}

char *nsds_file_read(nsds_model_file *file, const nsds_yaml *path) {
  char reason[200], *text;
  size_t size;
  const char *full = nsds_file_path(file, path->text);
  if (!full) return NULL;
  if (file->sources->check && !nsds_source_is_inside(file->sources, full)) {
    leave_out(file, path, "file outside of the folder");
    return NULL;
  }
  nsds_status status = nsds_source_read(file->sources, full, &text, &size, reason);
  if (status == NSDS_ERROR_MEMORY) return NULL;
  if (status)
    return nsds_file_fail(file, path, "the data file %.200s cannot be read: %s", full, reason);
  return text;
}

/* ---- names ---- */

bool nsds_is_name(const char *text) {
  const char *letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  return *text && (*text < '0' || *text > '9') && strspn(text, letters) == strlen(text) &&
         strlen(text) < 40;
}

/* Names that mean something else in expressions. */
bool nsds_name_is_reserved(const char *name) {
  static const char *const letters[] = {"q", "v", "x", "z", "lambda"};
  static const char *const words[] = {"t", "i", "pi", "zero", "auto", "inf"};
  for (int k = 0; k < 6; ++k)
    if (strcmp(name, words[k]) == 0) return true;
  for (int k = 0; k < 5; ++k) {
    size_t size = strlen(letters[k]);
    if (strncmp(name, letters[k], size) == 0 && name[size] >= '1' && name[size] <= '9' &&
        strspn(name + size, "0123456789") == strlen(name + size))
      return true;
  }
  nsds_operation operation;
  return nsds_function_find(NSDS_TEXT_MODEL_FILE, name, &operation);
}

nsds_named *nsds_file_look_up(const nsds_model_file *file, const char *name, unsigned kinds) {
  int number = nsds_names_find(&file->names, name);
  for (int k = number < 0 ? -1 : file->newest[number]; k >= 0; k = file->named[k].older)
    if (file->named[k].kind & kinds) return &file->named[k];
  return NULL;
}

static bool reserve_named(nsds_model_file *file) {
  if (file->nnamed < file->named_room) return true;
  int room = file->named_room ? 2 * file->named_room : 16;
  nsds_named *all = nsds_file_memory(file, (size_t)room, sizeof *all);
  int *newest = nsds_file_memory(file, (size_t)room, sizeof *newest);
  if (!all || !newest) return false;
  if (file->nnamed) {
    memcpy(all, file->named, (size_t)file->nnamed * sizeof *all);
    memcpy(newest, file->newest, (size_t)file->names.count * sizeof *newest);
  }
  file->named = all;
  file->newest = newest;
  file->named_room = room;
  return true;
}

/* Makes object k, whose name it has already, the newest of its name. */
static bool enter_name(nsds_model_file *file, int k) {
  nsds_named *named = &file->named[k];
  int before = file->names.count;
  int number = nsds_names_add(file->context, &file->names, named->name);
  if (number < 0) return false;
  named->older = number < before ? file->newest[number] : -1;
  file->newest[number] = k;
  return true;
}

static const char *kind_text(unsigned kind) {
  switch (kind) {
  case NSDS_NAMED_SYSTEM: return "system";
  case NSDS_NAMED_RELATION: return "relation";
  case NSDS_NAMED_LAW: return "law";
  case NSDS_NAMED_INTERACTION: return "interaction";
  case NSDS_NAMED_SET: return "contact set";
  case NSDS_NAMED_SENSOR: return "sensor";
  default: return "object";
  }
}

nsds_named *nsds_file_add(nsds_model_file *file, const nsds_named *named) {
  const unsigned quantities =
      NSDS_NAMED_SYSTEM | NSDS_NAMED_INTERACTION | NSDS_NAMED_SET | NSDS_NAMED_SENSOR;
  unsigned rivals = (named->kind & quantities) != 0 ? quantities : named->kind;
  const nsds_named *other = nsds_file_look_up(file, named->name, rivals);
  if (other)
    return nsds_file_fail(file, named->node,
                          "the name \"%s\" is that of a %s in line %d; systems, interactions, "
                          "contact sets and sensors need different names",
                          named->name, kind_text(other->kind), other->node->line);
  if (!reserve_named(file)) return NULL;
  nsds_named *place = &file->named[file->nnamed];
  *place = *named;
  if (!enter_name(file, file->nnamed)) return NULL;
  ++file->nnamed;
  return place;
}

const char *nsds_file_instance(nsds_model_file *file, const char *name, int index) {
  char text[64];
  file->index = index < 0 ? (double)NAN : (double)index;
  if (index < 0) return name;
  snprintf(text, sizeof text, "%s[%d]", name, index);
  return nsds_file_copy(file, text);
}

/* Writes "a[i-1]" as "a[3]"; false with a message. */
static bool write_indices(nsds_model_file *file, const nsds_yaml *node, char name[64]) {
  const char *open = strchr(node->text, '[');
  size_t length = strlen(node->text);
  if (length > 60) return nsds_file_fail(file, node, "a name has at most 60 characters") != NULL;
  snprintf(name, 64, "%s", node->text);
  if (!open || node->text[length - 1] != ']') return true;
  char inside[64];
  snprintf(inside, sizeof inside, "%.*s", (int)(length - 2 - (size_t)(open - node->text)),
           open + 1);
  nsds_yaml index = *node;
  index.text = inside;
  index.column += (int)(open + 1 - node->text);
  double value;
  if (!nsds_file_constant(file, &index, &value)) return false;
  if (!(value >= 0.0 && value < 1e6) || value != floor(value))
    return nsds_file_fail(file, &index, "the index %s is %.15g; valid are whole numbers from 0 on",
                          inside, value) != NULL;
  snprintf(name, 64, "%.*s[%d]", (int)(open - node->text), node->text, (int)value);
  return true;
}

nsds_named *nsds_file_find(nsds_model_file *file, const nsds_yaml *node, unsigned kinds) {
  char name[64];
  nsds_name_list list;
  if (!write_indices(file, node, name)) return NULL;
  nsds_named *found = nsds_file_look_up(file, name, kinds);
  if (found) return found;
  if (nsds_file_is_doubtful(file, name)) {
    nsds_file_fail_after(file);
    return NULL;
  }
  nsds_name_list_begin(&list, name);
  for (int k = 0; k < file->nnamed; ++k)
    if (file->named[k].kind & kinds) nsds_name_list_add(&list, file->named[k].name);
  return nsds_file_fail(file, node, "there is no %s \"%s\"%s; there are %s", kind_text(kinds), name,
                        list.did_you_mean, list.names);
}

const double *nsds_file_parameter_value(void *user, const char *name) {
  nsds_model_file *file = user;
  for (int k = 0; k < file->nparameter; ++k) {
    if (strcmp(file->parameter[k].name, name) != 0) continue;
    if (isnan(file->parameter[k].value)) file->faults.asked = true;
    return &file->parameter[k].value;
  }
  return strcmp(name, "i") == 0 && !isnan(file->index) ? &file->index : NULL;
}

const char *nsds_file_parameter_names(void *user, const char *name) {
  (void)name;
  nsds_model_file *file = user;
  char text[300] = "numbers";
  for (int k = 0; k < file->nparameter; ++k)
    nsds_list_word(text, sizeof text, file->parameter[k].name);
  if (!isnan(file->index)) nsds_list_word(text, sizeof text, "i");
  const char *copy = nsds_file_copy(file, text);
  return copy ? copy : "numbers";
}

/* ---- numbers ---- */

/* A scalar that was cut at a comma has more brackets on one side. */
static bool is_cut_off(const nsds_yaml *node) {
  int depth = 0;
  if (node->kind != NSDS_YAML_SCALAR || node->quoted) return false;
  for (const char *c = node->text; *c; ++c) depth += (*c == '(') - (*c == ')');
  return depth != 0;
}

const char *nsds_comma_hint(const nsds_yaml *node) {
  bool cut = is_cut_off(node);
  for (int k = 0; node->kind == NSDS_YAML_LIST && k < node->count; ++k)
    cut = cut || is_cut_off(node->item[k]);
  return cut ? "; an expression with a comma needs quotes" : "";
}

bool nsds_read_number(const char *text, double *value) {
  const char *body = text + (*text == '-' || *text == '+');
  double x = INFINITY;
  bool endless = strcmp(body, "inf") == 0 || strcmp(body, ".inf") == 0;
  int size = endless ? 0 : nsds_decimal_begin(body, &x);
  if (!endless && (size == 0 || body[size] || !isfinite(x))) return false;
  *value = *text == '-' ? -x : x;
  return true;
}

bool nsds_file_refuse_expression(nsds_model_file *file, const nsds_yaml *node,
                                 const nsds_expression_error *error) {
  nsds_yaml place = *node;
  if (error->fault == NSDS_EXPRESSION_NO_MEMORY) return false;
  place.column += error->at + (node->quoted ? 1 : 0);
  return nsds_file_fail(file, &place, "\"%.80s\": %s%s", node->text, error->text,
                        nsds_comma_hint(node)) != NULL;
}

static bool find_parameter_term(void *file, const char *name, nsds_term *term) {
  const double *value = nsds_file_parameter_value(file, name);
  if (value) *term = nsds_term_number(*value);
  return value != NULL;
}

bool nsds_file_constant(nsds_model_file *file, const nsds_yaml *node, double *value) {
  if (node->kind != NSDS_YAML_SCALAR)
    return nsds_file_fail(file, node, "a number is expected here, not a %s",
                          node->kind == NSDS_YAML_MAP ? "map" : "list") != NULL;
  if (nsds_read_number(node->text, value)) return true;
  file->faults.asked = false;
  const nsds_expression_names names = {.kind = NSDS_TEXT_MODEL_FILE,
                                       .find = find_parameter_term,
                                       .valid = nsds_file_parameter_names,
                                       .user = file};
  nsds_expressions all = {.context = file->context}; /* stays empty: there are only numbers */
  nsds_expression_error error;
  nsds_term term;
  if (!nsds_expression_read(&all, node->text, &names, &term, &error))
    return nsds_file_refuse_expression(file, node, &error);
  *value = term.number;
  if (isfinite(*value)) return true;
  if (isnan(*value) && file->faults.asked) { /* that of a parameter that has failed */
    nsds_file_fail_after(file);
    return false;
  }
  return nsds_file_fail(file, node, "\"%.80s\" has no finite value", node->text) != NULL;
}

/* ---- entries ---- */

nsds_entry nsds_file_entry(nsds_model_file *file, const nsds_family *family,
                           const nsds_yaml *node) {
  const nsds_yaml *type = nsds_yaml_find(node, "type");
  return (nsds_entry){file, nsds_schema_member(family, type ? type->text : NULL), node};
}

/* Words that stand for a default. */
static bool is_default_word(const nsds_field *key, const nsds_yaml *node) {
  static const char *const words[] = {"auto", "zero", "identity", "none", "all"};
  if (node->kind != NSDS_YAML_SCALAR || node->quoted || !key->fallback ||
      strcmp(node->text, key->fallback) != 0)
    return false;
  for (size_t k = 0; k < sizeof words / sizeof *words; ++k)
    if (strcmp(node->text, words[k]) == 0) return true;
  return false;
}

const nsds_yaml *nsds_entry_node(const nsds_entry *entry, const char *key) {
  const nsds_yaml *node = nsds_yaml_find(entry->node, key);
  const nsds_field *row = nsds_schema_find(entry->schema, key);
  return node && row && !is_default_word(row, node) ? node : NULL;
}

const nsds_yaml *nsds_entry_place(const nsds_entry *entry, const char *key) {
  const nsds_yaml *node = nsds_yaml_find(entry->node, key);
  return node ? node : entry->node;
}

bool nsds_entry_has(const nsds_entry *entry, const char *key) {
  return nsds_entry_node(entry, key) != NULL;
}

static double read_number(const nsds_entry *entry, const char *key) {
  const nsds_field *row = nsds_schema_find(entry->schema, key);
  const nsds_yaml *node = nsds_entry_node(entry, key);
  double value = 0.0;
  if (!node) {
    if (row && row->fallback) nsds_read_number(row->fallback, &value);
    return value;
  }
  if (!nsds_file_constant(entry->file, node, &value)) return 0.0;
  if (!nsds_range_has(row->range, value)) {
    char text[32];
    nsds_number_text(value, text, sizeof text);
    nsds_file_fail(entry->file, node, "%s is %s; valid are numbers %s%s", key, text,
                   strchr("[(", row->range[0]) ? "in " : "", row->range);
  }
  bool endless =
      (row->fallback && strstr(row->fallback, "inf")) || nsds_range_is_endless(row->range);
  if (!isfinite(value) && !endless)
    nsds_file_fail(entry->file, node, "%s is %s; it has to be finite", key, node->text);
  return value;
}

/* Numbers do not depend on each other, so that each one of a part is reported. */
double nsds_entry_number(const nsds_entry *entry, const char *key) {
  nsds_file_faults *f = &entry->file->faults;
  bool before = f->failed;
  f->failed = false;
  double value = read_number(entry, key);
  f->failed = f->failed || before;
  return value;
}

int nsds_entry_integer(const nsds_entry *entry, const char *key) {
  double value = nsds_entry_number(entry, key);
  if (value >= -2147483647.0 && value <= 2147483647.0 && value == floor(value)) return (int)value;
  nsds_file_fail(entry->file, nsds_entry_place(entry, key), "%s is %.15g; valid are whole numbers",
                 key, value);
  return 0;
}

bool nsds_entry_truth(const nsds_entry *entry, const char *key) {
  return strcmp(nsds_entry_text(entry, key), "true") == 0;
}

/* Place of a word in "a b c", -1: it is not there. */
static int place_of_word(const char *words, const char *word) {
  size_t size = strlen(word);
  for (int k = 0; *words; ++k) {
    size_t length = strcspn(words, " ");
    if (length == size && strncmp(words, word, size) == 0) return k;
    words += length;
    words += strspn(words, " ");
  }
  return -1;
}

int nsds_entry_word(const nsds_entry *entry, const char *key) {
  const nsds_field *row = nsds_schema_find(entry->schema, key);
  const nsds_yaml *node = nsds_yaml_find(entry->node, key);
  int place = place_of_word(row->words, node ? node->text : row->fallback);
  return place < 0 ? 0 : place;
}

const char *nsds_entry_text(const nsds_entry *entry, const char *key) {
  const nsds_yaml *node = nsds_entry_node(entry, key);
  const nsds_field *row = nsds_schema_find(entry->schema, key);
  return node ? node->text : row->fallback;
}

nsds_entry nsds_entry_object(const nsds_entry *entry, const char *key) {
  const nsds_yaml *node = nsds_entry_node(entry, key);
  const nsds_family *family = nsds_schema_family(nsds_schema_find(entry->schema, key)->family);
  if (node) return nsds_file_entry(entry->file, family, node);
  return (nsds_entry){entry->file, family->member[0], NULL};
}

int nsds_entry_count(const nsds_entry *entry, const char *key) {
  const nsds_yaml *node = nsds_entry_node(entry, key);
  return node ? node->count : 0;
}

nsds_entry nsds_entry_at(const nsds_entry *entry, const char *key, int k) {
  const nsds_yaml *node = nsds_entry_node(entry, key);
  const char *family = nsds_schema_find(entry->schema, key)->family;
  return nsds_file_entry(entry->file, nsds_schema_family(family), node->item[k]);
}

int nsds_entry_names(const nsds_entry *entry, const char *key) {
  const nsds_yaml *node = nsds_entry_node(entry, key);
  if (!node) return 0;
  return node->kind == NSDS_YAML_LIST ? node->count : 1;
}

const nsds_yaml *nsds_entry_name(const nsds_entry *entry, const char *key, int k) {
  const nsds_yaml *node = nsds_entry_node(entry, key);
  return node->kind == NSDS_YAML_LIST ? node->item[k] : node;
}
