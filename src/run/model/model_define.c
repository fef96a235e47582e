/*
 * Fills definitions of the library: each field of the entry's type that is a member of the
 * definition is read by its kind. An absent key leaves zero, which means the default.
 */
#include "run/model/model_define.h"

#include "base/text/range.h"

#include <math.h>
#include <string.h>

enum { most_entries = 8 }; /* of an array in a definition */

/* ---- arrays ---------------------------------------------------------------------------------- */

static void define_wholes(const nsds_entry *e, const nsds_field *f, int least, int most, int *to) {
  double given[most_entries] = {0.0};
  int count = nsds_entry_fill(e, f->name, given, least, most);
  for (int k = 0; k < count; ++k)
    if (nsds_range_has(f->range, given[k]) && given[k] <= 1e6 && given[k] == floor(given[k]))
      to[k] = (int)given[k] - f->first;
    else
      nsds_file_fail(e->file, nsds_entry_place(e, f->name),
                     "%s is %.15g; valid are whole numbers from %s on", f->name, given[k],
                     f->range + strlen(">= "));
}

/* Finds another vector with the same number of entries. */
static const nsds_field *partner_of(const nsds_entry *e, const nsds_field *f) {
  for (const nsds_field *other = e->schema->field; other != f; ++other)
    if (other->pointer && other->kind == f->kind && other->count == f->count) return other;
  return NULL;
}

static void define_pointer(const nsds_entry *e, const nsds_field *f, char *def) {
  int count, *size = (int *)(void *)(def + f->count);
  const nsds_field *other = partner_of(e, f);
  const double *values = nsds_entry_vector(e, f->name, other || *size == 0 ? -1 : *size, &count);
  memcpy(def + f->offset, &values, sizeof values);
  if (values && other && count != *size)
    nsds_file_fail(e->file, nsds_entry_place(e, f->name),
                   "%s has %d entries and %s has %d; they need as many, at least 1", f->name, count,
                   other->name, *size);
  else if (values && count == 0)
    nsds_file_fail(e->file, nsds_entry_place(e, f->name), "%s has no entries; it needs at least 1",
                   f->name);
  if (values) *size = count;
}

static void define_matrix(const nsds_entry *e, const nsds_field *f, char *def) {
  nsds_file_matrix m;
  if (!nsds_entry_matrix(e, f->name, -1, -1, false, &m)) return;
  memcpy(def + f->offset, &m.dense, sizeof m.dense);
  memcpy(def + f->count, &m.rows, sizeof m.rows);
  memcpy(def + f->columns, &m.cols, sizeof m.cols);
}

static void define_vector(const nsds_entry *e, const nsds_field *f, int dimension, char *def) {
  int least, most;
  void *to = def + f->offset;
  if (f->pointer) define_pointer(e, f, def);
  else if (!nsds_size_read(f->size, dimension, &least, &most) || most > most_entries) return;
  else if (f->whole) define_wholes(e, f, least, most, to);
  else nsds_entry_fill(e, f->name, to, least, most);
}

/* ---- all kinds ------------------------------------------------------------------------------- */

/* `first` stands for a 0 in the file if a 0 of the member means the default. */
static void define_number(const nsds_entry *e, const nsds_field *f, void *to) {
  bool whole = f->kind == NSDS_FIELD_INTEGER;
  double value = whole ? nsds_entry_integer(e, f->name) : nsds_entry_number(e, f->name);
  if (value == 0.0 && nsds_entry_has(e, f->name) && f->first != 0) value = f->first;
  if (!whole) *(double *)to = value;
  else if (f->bytes == sizeof(long)) *(long *)to = (long)value;
  else *(int *)to = (int)value;
}

/* Returns true if an option is given: true, or a number other than its default. */
static bool option_is_given(const nsds_entry *e, const nsds_field *f) {
  double usual = NAN;
  if (f->kind == NSDS_FIELD_TRUTH) return nsds_entry_truth(e, f->name);
  nsds_read_number(f->fallback, &usual);
  return nsds_entry_has(e, f->name) && nsds_entry_number(e, f->name) != usual;
}

static void define_option(const nsds_entry *e, const nsds_field *f, char *def) {
  void *to = def + f->offset;
  if (!option_is_given(e, f)) return;
  *(unsigned *)(void *)(def + f->count) |= f->option;
  if (f->kind != NSDS_FIELD_TRUTH) define_number(e, f, to);
}

static void define_text(const nsds_entry *e, const nsds_field *f, void *to) {
  const char *text = nsds_entry_text(e, f->name);
  memcpy(to, &text, sizeof text);
}

static void define_field(const nsds_entry *e, const nsds_field *f, int dimension, char *def) {
  void *to = def + f->offset;
  switch (f->kind) {
  case NSDS_FIELD_NUMBER:
  case NSDS_FIELD_INTEGER: define_number(e, f, to); break;
  case NSDS_FIELD_TRUTH: *(bool *)to = nsds_entry_truth(e, f->name); break;
  case NSDS_FIELD_TEXT: define_text(e, f, to); break;
  case NSDS_FIELD_WORD:
    if (f->pointer) define_text(e, f, to);
    else *(int *)to = f->first + nsds_entry_word(e, f->name);
    break;
  case NSDS_FIELD_MATRIX: define_matrix(e, f, def); break;
  case NSDS_FIELD_OBJECT: nsds_entry_define_at(e, f->name, dimension, to); break;
  case NSDS_FIELD_VECTOR: define_vector(e, f, dimension, def); break;
  default: break; /* functions and parameters: model_functions.h */
  }
}

bool nsds_entry_define(const nsds_entry *entry, int dimension, void *def) {
  const nsds_type *type = entry->schema;
  if (type->kind) memcpy((char *)def + type->kind_at, &type->kind, sizeof type->kind);
  for (const nsds_field *f = type->field; f->name; ++f)
    if (f->option) define_option(entry, f, def);
    else if (f->bytes && !nsds_field_is_sized(f)) define_field(entry, f, dimension, def);
  return !nsds_file_failed(entry->file);
}

bool nsds_entry_define_at(const nsds_entry *entry, const char *key, int dimension, void *def) {
  if (!nsds_entry_has(entry, key)) return true;
  const nsds_entry object = nsds_entry_object(entry, key);
  return nsds_entry_define(&object, dimension, def);
}

void *nsds_entry_make(const nsds_entry *entry) {
  double room[nsds_definition_bytes / sizeof(double)] = {0.0};
  return nsds_entry_define(entry, 3, room) ? entry->schema->make(entry->file->model, room) : NULL;
}
