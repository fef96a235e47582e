/*
 * A picture: gnuplot gets the table and draws a panel for each unit, one above the other, over the first column.
 */
#define _POSIX_C_SOURCE 200809L
#include "plot.h"

#include "command.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* The terminal of gnuplot for the ending of a name; NULL: none. */
static const char *terminal_of(const char *path) {
  const char *dot = strrchr(path, '.');
  if (!dot) return NULL;
  if (strcmp(dot, ".png") == 0) return "pngcairo";
  if (strcmp(dot, ".svg") == 0) return "svg";
  return strcmp(dot, ".pdf") == 0 ? "pdfcairo" : NULL;
}

/* Text within double quotes of gnuplot. */
static void write_quoted(FILE *out, const char *text) {
  fputc('"', out);
  for (; *text; ++text) {
    if (*text == '"' || *text == '\\' || *text == '`' || *text == '$') fputc('\\', out);
    fputc(*text, out);
  }
  fputc('"', out);
}

static bool first_of_unit(const nsds_job *job, int k) {
  for (int j = 1; j < k; ++j)
    if (strcmp(nsds_job_column_unit(job, j), nsds_job_column_unit(job, k)) == 0) return false;
  return true;
}

static void write_panel(FILE *out, const nsds_job *job, int columns, int first) {
  const char *unit = nsds_job_column_unit(job, first), *separator = "plot ";
  fprintf(out, "set ylabel ");
  write_quoted(out, unit);
  fputc('\n', out);
  for (int k = first; k < columns; ++k) {
    if (strcmp(nsds_job_column_unit(job, k), unit) != 0) continue;
    fprintf(out, "%s$table using 1:%d with lines title ", separator, k + 1);
    write_quoted(out, nsds_job_column_name(job, k));
    separator = ", \\\n  ";
  }
  fputc('\n', out);
}

static void write_script(FILE *out, const kept_table *table, const nsds_job *job,
                         const char *path) {
  int panels = 0, columns = table->columns;
  for (int k = 1; k < columns; ++k) panels += first_of_unit(job, k);
  fprintf(out, "$table << end_of_table\n");
  for (size_t r = 0; r < table->rows; ++r)
    for (int k = 0; k < columns; ++k)
      fprintf(out, "%.9g%c", table->value[r * (size_t)columns + (size_t)k],
              k + 1 < columns ? ' ' : '\n');
  fprintf(out, "end_of_table\nset terminal %s noenhanced\nset output ", terminal_of(path));
  write_quoted(out, path);
  fprintf(out, "\nset grid\nset key outside right\nset xlabel ");
  write_quoted(out, "t [s]");
  fprintf(out, "\nset multiplot layout %d,1 title ", panels);
  write_quoted(out, nsds_job_title(job));
  fputc('\n', out);
  for (int k = 1; k < columns; ++k)
    if (first_of_unit(job, k)) write_panel(out, job, columns, k);
  fprintf(out, "unset multiplot\n");
}

bool plot_draw(const kept_table *table, const nsds_job *job, const char *path) {
  if (!terminal_of(path)) {
    complain("nsds run: --plot %s: the name must end in .png, .svg or .pdf", path);
    return false;
  }
  if (table->columns < 2) {
    complain("nsds run: --plot %s: the table has no column but the time; use .print", path);
    return false;
  }
  signal(SIGPIPE, SIG_IGN); /* a gnuplot that is not there ends the pipe */
  FILE *pipe = popen("gnuplot", "w");
  if (pipe) write_script(pipe, table, job, path);
  if (pipe && pclose(pipe) == 0) return true;
  complain("nsds run: --plot %s: gnuplot did not draw it; install gnuplot, or give another name",
           path);
  return false;
}
