/*
 * A table in an HDF5 file: a data set for each column, attributes for units and notes, see nsds/table.h.
 */
#include "base/context.h"
#include "io/hdf5_file.h"
#include "base/text/number.h"

#include <nsds/table.h>

#include <math.h>
#include <stdio.h>

/* ---- checks ---- */

static nsds_status table_fail_null(nsds_context *context, const char *what, int k,
                                   const char *remedy) {
  return nsds_fail(context, NSDS_ERROR_ARGUMENT, "nsds_table_write: %s[%d] %s", what, k, remedy);
}

static nsds_status check_columns(nsds_context *context, const nsds_table_def *def) {
  if (def->ncolumns > 0 && !def->columns)
    return nsds_fail_null(context, "nsds_table_write", "columns");
  for (int k = 0; k < def->ncolumns; ++k) {
    const nsds_table_column *c = &def->columns[k];
    if (!c->name) return table_fail_null(context, "columns", k, "has no name; give a text");
    if (def->nrows > 0 && !c->x && !c->text)
      return table_fail_null(context, "columns", k, "has neither x nor text; give one of them");
    for (long row = 0; !c->x && row < def->nrows; ++row)
      if (!c->text[row])
        return table_fail_null(context, "columns", k, "has a text that is NULL; give \"\"");
  }
  return NSDS_OK;
}

static nsds_status check_table_notes(nsds_context *context, const nsds_table_def *def) {
  if (def->nnotes > 0 && !def->notes) return nsds_fail_null(context, "nsds_table_write", "notes");
  for (int k = 0; k < def->nnotes; ++k) {
    const char *name = def->notes[k].name;
    if (!name || !name[0]) return table_fail_null(context, "notes", k, "has no name; give a text");
    for (int j = 0; j < k; ++j)
      if (strcmp(name, def->notes[j].name) == 0)
        return table_fail_null(context, "notes", k, "has the name of another one; give its own");
  }
  return NSDS_OK;
}

static nsds_status check_table_def(nsds_context *context, const nsds_table_def *def,
                                   const char *path) {
  static const char call[] = "nsds_table_write";
  if (!context || !def || !path)
    return nsds_fail_null(context, call, !context ? "context" : !def ? "def" : "path");
  nsds_status status = nsds_check_hook(context, call);
  if (!status) status = nsds_check_reserved(context, call, "", NSDS_TAIL(def));
  if (status) return status;
  if (def->nrows < 0 || def->ncolumns < 0 || def->nnotes < 0)
    return nsds_fail(context, NSDS_ERROR_SIZE,
                     "%s: nrows is %ld, ncolumns %d, nnotes %d; they must not be negative", call,
                     def->nrows, def->ncolumns, def->nnotes);
  status = check_columns(context, def);
  return status ? status : check_table_notes(context, def);
}

/* ---- names of data sets ---- */

/* The name of a column without what HDF5 refuses; to be released. */
static char *plain_name(nsds_context *context, const char *name, int place, bool numbered) {
  size_t size = strlen(name) + 16;
  char *plain = nsds_alloc(context, "a name", size, 1);
  if (!plain) return NULL;
  bool refused = !name[0] || strcmp(name, ".") == 0;
  if (numbered || refused) snprintf(plain, size, "%s_%d", refused ? "column" : name, place);
  else memcpy(plain, name, strlen(name) + 1);
  for (char *c = plain; *c; ++c)
    if (*c == '/') *c = '_';
  return plain;
}

static bool is_taken(char *const *names, int count, const char *name) {
  for (int k = 0; k < count; ++k)
    if (strcmp(names[k], name) == 0) return true;
  return false;
}

static char *own_name(nsds_context *context, char *const *names, int place, const char *name) {
  char *plain = plain_name(context, name, place, false);
  if (!plain || !is_taken(names, place, plain)) return plain;
  nsds_release(context, plain);
  return plain_name(context, name, place, true);
}

static void release_names(nsds_context *context, char **names, int count) {
  for (int k = 0; names && k < count; ++k) nsds_release(context, names[k]);
  nsds_release(context, names);
}

/* Names of all data sets; NULL when memory is out. */
static char **name_columns(nsds_context *context, const nsds_table_def *def) {
  char **names = NSDS_NEW_ARRAY(context, char *, def->ncolumns);
  for (int k = 0; names && k < def->ncolumns; ++k) {
    names[k] = own_name(context, names, k, def->columns[k].name);
    if (names[k]) continue;
    release_names(context, names, k);
    return NULL;
  }
  return names;
}

/* ---- the file ---- */

static void put_column(nsds_h5 *h5, const nsds_table_column *c, const char *name, int place,
                       size_t nrows) {
  if (c->x || !c->text) nsds_h5_put_reals(h5, name, nrows, c->x);
  else nsds_h5_put_texts(h5, name, nrows, c->text);
  nsds_h5_note_text(h5, name, "name", c->name);
  nsds_h5_note_text(h5, name, "unit", c->unit ? c->unit : "");
  nsds_h5_note_number(h5, name, "column", (uint64_t)place);
}

static nsds_status write_table(nsds_context *context, const nsds_table_def *def, char *const *names,
                               const char *path) {
  nsds_h5 h5;
  if (!nsds_h5_create(context, path, &h5)) {
    for (int k = 0; k < def->nnotes; ++k) {
      const nsds_table_note *note = &def->notes[k];
      if (note->text) nsds_h5_note_text(&h5, "/", note->name, note->text);
      else nsds_h5_note_number(&h5, "/", note->name, note->number);
    }
    for (int k = 0; k < def->ncolumns; ++k)
      put_column(&h5, &def->columns[k], names[k], k, (size_t)def->nrows);
  }
  return nsds_h5_close(&h5);
}

nsds_status nsds_table_write(nsds_context *context, const nsds_table_def *def, const char *path) {
  nsds_status status = check_table_def(context, def, path);
  if (status) return status;
  char **names = name_columns(context, def);
  if (!names) return NSDS_ERROR_MEMORY;
  status = write_table(context, def, names, path);
  release_names(context, names, def->ncolumns);
  return status;
}

/* ---- numbers ---- */

int nsds_number_text(double value, char *text, size_t size) {
  char all[nsds_number_size];
  nsds_locale_point point = nsds_locale_point_now();
  if (isnan(value)) snprintf(all, sizeof all, "nan");
  else nsds_format_real(&point, value, all);
  if (text && size > 0) snprintf(text, size, "%s", all);
  return (int)strlen(all);
}
