/*
 * The table of a sweep, made of the lines of its records: CSV as the lines stand, or HDF5. A column of HDF5 has numbers
 * if every one of its fields is a number, else texts. The new table takes its place by a rename.
 */
#define _POSIX_C_SOURCE 200809L
#include "sweep.h"

#include "command.h"
#include "table.h"

#include <nsds/extend.h>

#include <stdlib.h>
#include <string.h>

/* ---- facts ---- */

/* Gets the facts back from their line. The names point into `names`. */
static void sweep_read_facts(const char *line, table_facts *facts, char names[longest_fact]) {
  char *save = NULL;
  facts->count = 0;
  snprintf(names, longest_fact, "%s", line);
  for (char *name = strtok_r(names, "\t", &save); name; name = strtok_r(NULL, "\t", &save)) {
    const char *text = strtok_r(NULL, "\t", &save);
    facts_add(facts, name, text ? text : "");
  }
}

/* ---- CSV ---- */

static nsds_status put_csv(nsds_context *context, const records *all, const table_facts *facts,
                           const char *table) {
  nsds_output *output;
  nsds_status status = nsds_output_open(context, "", table, &output);
  if (status) return status;
  FILE *file = nsds_output_stream(output);
  facts_write(file, facts);
  fprintf(file, "%s\n", all->head);
  for (long k = 0; k < all->count; ++k) fprintf(file, "%s\n", all->line[k]);
  return nsds_output_close(output, true);
}

static bool write_csv(const records *all, const table_facts *facts, const char *table) {
  nsds_context *context = nsds_context_create(NULL);
  bool fine = context && put_csv(context, all, facts, table) == NSDS_OK;
  if (!fine) complain("nsds sweep: %s", context ? nsds_error_message(context) : "out of memory");
  nsds_context_destroy(context);
  return fine;
}

/* ---- fields ---- */

/* Cuts the next field off a line of CSV, whose quotes are taken off in place; NULL at the end. */
static char *next_field(char **at) {
  char *field = *at, *from = field, *to = field;
  if (!field) return NULL;
  bool quoted = *from == '"';
  for (from += quoted; *from && (quoted || *from != ','); ++from) {
    if (quoted && *from == '"' && *++from != '"') break; /* the end of the quotes */
    *to++ = *from;
  }
  *at = *from == ',' ? from + 1 : NULL;
  *to = '\0';
  return field;
}

static int count_fields(const char *head) {
  char *copy = strdup(head), *at = copy;
  int count = 0;
  while (copy && next_field(&at)) ++count;
  free(copy);
  return count;
}

/* Splits a line, which is changed, into so many fields; missing ones are "". */
static void split_line(char *line, int count, const char **field) {
  for (int k = 0; k < count; ++k) {
    const char *found = next_field(&line);
    field[k] = found ? found : "";
  }
}

static bool field_number(const char *field, double *value) {
  char *end;
  *value = strtod(field, &end);
  return end != field && !*end;
}

/* ---- HDF5 ---- */

/* Takes the fields of one column, as numbers if all of them are. */
static void make_column(nsds_table_column *column, const char *const *field, int columns, int k,
                        long rows, double *x, const char **text) {
  bool numbers = true;
  for (long row = 0; row < rows; ++row) {
    text[row] = field[row * columns + k];
    numbers = field_number(text[row], &x[row]) && numbers;
  }
  if (numbers) column->x = x;
  else column->text = text;
}

static bool write_columns(const records *all, const table_facts *facts, const char *table,
                          const nsds_table_column *column, int columns) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_status status = nsds_table_write(context,
                                        &(nsds_table_def){.nrows = all->count,
                                                          .ncolumns = columns,
                                                          .columns = column,
                                                          .nnotes = facts->count,
                                                          .notes = facts->note},
                                        table);
  if (status) complain("nsds sweep: %s", nsds_error_message(context));
  nsds_context_destroy(context);
  return !status;
}

static bool write_hdf5(const records *all, const table_facts *facts, const char *table) {
  int columns = count_fields(all->head);
  size_t cells = (size_t)columns * (size_t)all->count;
  char *head = strdup(all->head);
  const char **name = calloc((size_t)columns + 1, sizeof *name),
             **field = calloc(cells + 1, sizeof *field), **text = calloc(cells + 1, sizeof *text);
  double *x = calloc(cells + 1, sizeof *x);
  nsds_table_column *column = calloc((size_t)columns + 1, sizeof *column);
  bool fine = head && name && field && text && x && column;
  if (fine) {
    split_line(head, columns, name);
    for (long row = 0; row < all->count; ++row)
      split_line(all->line[row], columns, field + row * columns);
    for (int k = 0; k < columns; ++k) {
      size_t first = (size_t)k * (size_t)all->count;
      column[k].name = name[k];
      make_column(&column[k], field, columns, k, all->count, x + first, text + first);
    }
    fine = write_columns(all, facts, table, column, columns);
  } else {
    complain("nsds: out of memory");
  }
  free(head);
  free(name);
  free(field);
  free(text);
  free(x);
  free(column);
  return fine;
}

bool sweep_table_write(const records *all, const char *table) {
  static table_facts facts;
  static char names[longest_fact];
  sweep_read_facts(all->facts, &facts, names);
  return table_is_hdf5(table) ? write_hdf5(all, &facts, table) : write_csv(all, &facts, table);
}
