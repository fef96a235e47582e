/*
 * Tables of the command. A table in CSV begins with a comment line of facts. A table in HDF5 has the facts as
 * attributes; it is written at the end, as a whole.
 */
#include "table.h"

#include <nsds/extend.h>

#include <stdlib.h>
#include <string.h>

bool table_keep(kept_table *table, const nsds_job *job) {
  table->columns = nsds_job_column_count(job);
  size_t used = table->rows * (size_t)table->columns, need = used + (size_t)table->columns;
  if (need > table->room) {
    size_t room = 2 * need + 1024;
    double *more = realloc(table->value, room * sizeof *more);
    if (!more) return false;
    table->value = more;
    table->room = room;
  }
  memcpy(table->value + used, nsds_job_row(job), (size_t)table->columns * sizeof(double));
  ++table->rows;
  return true;
}

/* ---- facts ---- */

void facts_add(table_facts *facts, const char *name, const char *text) {
  if (facts->count == most_facts) return;
  char *copy = facts->text[facts->count];
  snprintf(copy, longest_fact, "%s", text);
  for (char *c = copy; *c; ++c)
    if ((unsigned char)*c < 0x20) *c = ' ';
  bool number = strcmp(name, "seed") == 0;
  facts->note[facts->count++] =
      (nsds_table_note){.name = name,
                        .text = number ? NULL : copy,
                        .number = strtoull(number ? copy : "0", NULL, 10)};
}

void facts_start(table_facts *facts, const char *file) {
  const char *slash = strrchr(file, '/');
  facts->count = 0;
  facts_add(facts, "nsds", nsds_version());
  facts_add(facts, "file", slash ? slash + 1 : file);
}

void facts_add_settings(table_facts *facts, int count, const nsds_job_setting *settings) {
  char text[longest_fact] = "";
  size_t used = 0;
  for (int k = 0; k < count && used < sizeof text; ++k)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%s=%s", k ? " " : "",
                             settings[k].name, settings[k].value);
  if (count > 0) facts_add(facts, "set", text);
}

void facts_write(FILE *out, const table_facts *facts) {
  for (int k = 0; k < facts->count; ++k)
    fprintf(out, "%s%s %s", k ? ", " : "# ", facts->note[k].name, facts->text[k]);
  fputc('\n', out);
}

/* ---- numbers ---- */

void write_number(FILE *out, double value) {
  char text[32];
  nsds_number_text(value, text, sizeof text);
  fputs(text, out);
}

/* ---- HDF5 ---- */

bool table_is_hdf5(const char *path) {
  const char *dot = path ? strrchr(path, '.') : NULL;
  return dot && (strcmp(dot, ".h5") == 0 || strcmp(dot, ".hdf5") == 0);
}

/* Copies the rows as columns, one behind the other. */
static void turn_rows(const kept_table *table, int columns, double *column) {
  for (size_t row = 0; row < table->rows; ++row)
    for (int k = 0; k < columns; ++k)
      column[(size_t)k * table->rows + row] = table->value[row * (size_t)columns + (size_t)k];
}

nsds_status table_save(const kept_table *table, const nsds_job *job, const table_facts *facts,
                       nsds_context *context, const char *path) {
  int columns = nsds_job_column_count(job);
  double *turned = malloc(((size_t)columns * table->rows + 1) * sizeof *turned);
  nsds_table_column *column = calloc((size_t)columns + 1, sizeof *column);
  nsds_status status = NSDS_ERROR_MEMORY;
  if (turned && column) {
    turn_rows(table, columns, turned);
    for (int k = 0; k < columns; ++k)
      column[k] = (nsds_table_column){.name = nsds_job_column_name(job, k),
                                      .unit = nsds_job_column_unit(job, k),
                                      .x = turned + (size_t)k * table->rows};
    status = nsds_table_write(context,
                              &(nsds_table_def){.nrows = (long)table->rows,
                                                .ncolumns = columns,
                                                .columns = column,
                                                .nnotes = facts->count,
                                                .notes = facts->note},
                              path);
  } else {
    nsds_report(context, status, "%s: out of memory", path);
  }
  free(turned);
  free(column);
  return status;
}
