/*
 * Tables of the command. A table in CSV begins with a comment line of facts. A table in HDF5 has the facts as
 * attributes; it is written at the end, as a whole.
 */
#include "table.h"

#include "command.h"

#include <nsds/extend.h>

#include <errno.h>
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

/* ---- CSV ---- */

static bool csv_needs_quotes(const char *word) { return strpbrk(word, ",\"\r\n") != NULL; }

/* A piece of a word, within quotes or without. */
static void csv_piece(FILE *out, const char *text, bool quoted) {
  for (; *text; ++text) {
    if (quoted && *text == '"') fputc('"', out);
    fputc(*text, out);
  }
}

void csv_word(FILE *out, const char *word) {
  bool quoted = csv_needs_quotes(word);
  if (quoted) fputc('"', out);
  csv_piece(out, word, quoted);
  if (quoted) fputc('"', out);
}

enum { room_of_stream = 1 << 16, longest_number = 32 };

struct table_stream {
  nsds_context *context;
  nsds_output *output; /* NULL: standard output */
  FILE *out;
  double flushed;    /* when rows were written */
  size_t used, room; /* of the rows that are not written yet */
  char *text;
};

/* Writes the rows that wait, so that the file ends with a whole row. */
static nsds_status table_flush(table_stream *t) {
  size_t size = t->used;
  t->used = 0;
  t->flushed = wall_clock();
  if (fwrite(t->text, 1, size, t->out) == size && fflush(t->out) == 0) return NSDS_OK;
  return nsds_report(t->context, NSDS_ERROR_IO, "the table cannot be written: %s", strerror(errno));
}

/* "name [unit]". */
static void write_csv_column(FILE *out, const char *name, const char *unit) {
  bool quoted = csv_needs_quotes(name) || csv_needs_quotes(unit);
  if (quoted) fputc('"', out);
  csv_piece(out, name, quoted);
  if (unit[0]) fputs(" [", out);
  csv_piece(out, unit, quoted);
  if (unit[0]) fputc(']', out);
  if (quoted) fputc('"', out);
}

static void write_csv_head(FILE *out, const nsds_job *job, const table_facts *facts) {
  facts_write(out, facts);
  for (int k = 0; k < nsds_job_column_count(job); ++k) {
    if (k) fputc(',', out);
    write_csv_column(out, nsds_job_column_name(job, k), nsds_job_column_unit(job, k));
  }
  fputc('\n', out);
}

table_stream *table_open(nsds_context *context, const char *path, const nsds_job *job,
                         const table_facts *facts) {
  size_t row = (size_t)nsds_job_column_count(job) * longest_number + 1;
  table_stream *t = calloc(1, sizeof *t);
  if (t) *t = (table_stream){.context = context, .out = stdout, .room = room_of_stream + row};
  if (!t || !(t->text = malloc(t->room))) {
    nsds_report(context, NSDS_ERROR_MEMORY, "out of memory for the table");
  } else if (!path || nsds_output_open(context, "", path, &t->output) == NSDS_OK) {
    if (path) t->out = nsds_output_stream(t->output);
    write_csv_head(t->out, job, facts);
    return t;
  }
  if (t) free(t->text);
  free(t);
  return NULL;
}

nsds_status table_put(table_stream *t, const nsds_job *job) {
  int count = nsds_job_column_count(job);
  const double *row = nsds_job_row(job);
  for (int k = 0; k < count; ++k) {
    if (k) t->text[t->used++] = ',';
    t->used += (size_t)nsds_number_text(row[k], t->text + t->used, longest_number);
  }
  t->text[t->used++] = '\n';
  bool wait = t->used < room_of_stream && wall_clock() - t->flushed < 0.5; /* s */
  return wait ? NSDS_OK : table_flush(t);
}

nsds_status table_close(table_stream *t) {
  nsds_status status = table_flush(t), closed = NSDS_OK;
  if (t->output) closed = nsds_output_close(t->output, !status);
  free(t->text);
  free(t);
  return status ? status : closed;
}

void table_drop(table_stream *t) {
  if (t->output) nsds_output_close(t->output, false);
  free(t->text);
  free(t);
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
