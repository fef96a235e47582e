/*
 * One line for each file, as text in columns, as CSV (RFC 4180), or as a JSON object for each line.
 */
#include "command.h"
#include "progress.h"
#include "table.h"

#include <nsds/extend.h>

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool find_report_format(const char *name, report_format *format) {
  static const char *const names[] = {"text", "csv", "json"};
  for (int k = 0; k < 3; ++k)
    if (strcmp(name, names[k]) == 0) {
      *format = (report_format)k;
      return true;
    }
  return false;
}

void print_message(const char *text) { complain("%s", text); }

bool keep_message(report_line *line, const char *format, ...) {
  char text[1200];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  if (line->message) print_message(line->message); /* an earlier one */
  free(line->message);
  line->message = malloc(strlen(text) + 1);
  if (line->message) memcpy(line->message, text, strlen(text) + 1);
  else print_message(text);
  return false;
}

bool keep_error(report_line *line, nsds_context *context) {
  keep_message(line, "nsds solve: %s", nsds_error_message(context));
  nsds_error_clear(context);
  return false;
}

/* Keeps the path if several methods were tried. */
void keep_methods(report_line *line, const nsds_solver_info *info) {
  if (info->path[0]) snprintf(line->methods, sizeof line->methods, "%s", info->path);
  else
    snprintf(line->methods, sizeof line->methods, "%s:%s", info->solver,
             nsds_outcome_text(info->outcome));
}

/* ---- text ---- */

static void text_head(int width) {
  printf("%-*s  %-23s  %6s  %6s  %-18s  %-17s  %6s  %9s  %9s  %s\n", width, "file", "kind", "rows",
         "blocks", "solver", "outcome", "steps", "residual", "seconds", "methods");
}

static void text_line(int width, const report_line *line) {
  char file[4096];
  snprintf(file, sizeof file, "%s", line->file);
  printf("%-*s  ", width, nsds_plain_text(file));
  if (!line->kind[0]) {
    printf("%s\n", line->outcome);
    return;
  }
  printf("%-23s  %6d  %6d  %-18s  %-17s  ", line->kind, line->n, line->nblock, line->solver,
         line->outcome);
  if (isnan(line->seconds)) printf("%6s  %9s  %9s", "-", "-", "-");
  else printf("%6d  %9.2e  %9.2e", line->iterations, line->residual, line->seconds);
  printf("%s%s\n", line->methods[0] ? "  " : "", line->methods);
}

/* ---- CSV ---- */

static void csv_number(double value) {
  putchar(',');
  if (!isnan(value)) write_number(stdout, value);
}

static void csv_line(const report_line *line) {
  csv_word(stdout, line->file);
  if (line->kind[0]) printf(",%s,%d,%d", line->kind, line->n, line->nblock);
  else printf(",,,");
  printf(",%s,%s,", line->solver, line->outcome);
  if (!isnan(line->seconds)) printf("%d", line->iterations);
  csv_number(line->residual);
  csv_number(line->standard);
  csv_number(line->seconds);
  putchar(',');
  csv_word(stdout, line->methods);
  putchar('\n');
}

/* ---- JSON ---- */

void json_string(FILE *file, const char *text) {
  putc('"', file);
  for (; *text; ++text) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\') fprintf(file, "\\%c", c);
    else if (c < 0x20 || c == 0x7F) fprintf(file, "\\u%04x", c);
    else putc(c, file);
  }
  putc('"', file);
}

static void json_word(const char *name, const char *word) {
  printf("\"%s\": ", name);
  json_string(stdout, word);
  printf(", ");
}

static void json_number(const char *name, double value, const char *behind) {
  printf("\"%s\": ", name);
  if (isfinite(value)) write_number(stdout, value);
  else printf("null");
  fputs(behind, stdout);
}

static void json_line(const report_line *line) {
  bool known = line->kind[0] != '\0';
  putchar('{');
  json_word("file", line->file);
  json_word("kind", line->kind);
  json_number("rows", known ? line->n : (double)NAN, ", ");
  json_number("blocks", known ? line->nblock : (double)NAN, ", ");
  json_word("solver", line->solver);
  json_word("outcome", line->outcome);
  json_number("iterations", isnan(line->seconds) ? (double)NAN : line->iterations, ", ");
  json_number("residual", line->residual, ", ");
  json_number("standard", line->standard, ", ");
  json_number("seconds", line->seconds, ", \"methods\": ");
  json_string(stdout, line->methods);
  fputs("}\n", stdout);
}

/* ---- any ---- */

void report_head(report_format format, int width) {
  if (format == report_text) text_head(width);
  if (format == report_csv)
    puts("file,kind,rows,blocks,solver,outcome,iterations,residual,standard,seconds,methods");
}

void report(report_format format, int width, const report_line *line) {
  progress_clear();
  switch (format) {
  case report_text: text_line(width, line); break;
  case report_csv: csv_line(line); break;
  case report_json: json_line(line); break;
  }
  fflush(stdout);
}
