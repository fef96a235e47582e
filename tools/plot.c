/*
 * A picture: gnuplot gets the table and draws a panel for each unit, one above the other, over the first column.
 */
#define _POSIX_C_SOURCE 200809L
#include "plot.h"

#include "command.h"

#include <nsds/extend.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Terminals of gnuplot by the ending of a name, and how many of their units a pixel is. */
static const struct plot_terminal {
  const char *ending, *name;
  double unit;
} terminals[] = {{".png", "pngcairo", 1.0}, {".svg", "svg", 1.0}, {".pdf", "pdfcairo", 0.01}};

static const struct plot_terminal *terminal_of(const char *path) {
  const char *dot = strrchr(path, '.');
  for (size_t k = 0; dot && k < sizeof terminals / sizeof *terminals; ++k)
    if (strcmp(dot, terminals[k].ending) == 0) return &terminals[k];
  return NULL;
}

/* Text within double quotes of gnuplot. */
static void write_quoted(FILE *out, const char *text) {
  fputc('"', out);
  for (; *text; ++text) {
    if (*text == '"' || *text == '\\' || *text == '`' || *text == '$') fputc('\\', out);
    fputc((unsigned char)*text < 0x20 ? ' ' : *text, out); /* a line break would begin a command */
  }
  fputc('"', out);
}

/* A panel shows columns of one unit. Columns without a unit share the panel of their quantity, "v" for "ball.v[0]".
 * Returns the length of the word. */
static int panel_word(const nsds_job *job, int k, const char **word) {
  *word = nsds_job_column_unit(job, k);
  size_t size = strlen(*word);
  if (size) return (int)size;
  const char *name = nsds_job_column_name(job, k), *dot = strrchr(name, '.');
  *word = dot ? dot + 1 : name;
  size = strlen(*word);
  size_t letters = strcspn(*word, "[0123456789");
  return (int)(letters > 0 ? letters : size);
}

static bool share_panel(const nsds_job *job, int j, int k) {
  const char *first, *second;
  int size = panel_word(job, j, &first);
  return size == panel_word(job, k, &second) && strncmp(first, second, (size_t)size) == 0;
}

static bool begins_panel(const nsds_job *job, int k) {
  for (int j = 1; j < k; ++j)
    if (share_panel(job, j, k)) return false;
  return true;
}

static void write_panel(FILE *out, const nsds_job *job, int columns, int first) {
  const char *word, *separator = "plot ";
  char label[80];
  int size = panel_word(job, first, &word);
  snprintf(label, sizeof label, "%.*s", size, word);
  fprintf(out, "set ylabel ");
  write_quoted(out, label);
  fputc('\n', out);
  for (int k = first; k < columns; ++k) {
    if (!share_panel(job, first, k)) continue;
    fprintf(out, "%s$table using 1:%d with lines title ", separator, k + 1);
    write_quoted(out, nsds_job_column_name(job, k));
    separator = ", \\\n  ";
  }
  fputc('\n', out);
}

static size_t longest_name(const nsds_job *job) {
  size_t longest = 0;
  for (int k = 1; k < nsds_job_column_count(job); ++k) {
    size_t size = strlen(nsds_job_column_name(job, k));
    if (size > longest) longest = size;
  }
  return longest;
}

/* Panels of one width below each other, with axes that are in line; sizes in pixels. */
static void write_layout(FILE *out, const nsds_job *job, const char *path, int panels) {
  enum { width = 900, panel = 240, above = 50, below = 60, beside = 90, between = 40 };
  const struct plot_terminal *terminal = terminal_of(path);
  double height = panels * panel + above + below, letters = (double)longest_name(job);
  double key = 90.0 + 9.0 * fmin(letters, 30.0);
  fprintf(out, "set terminal %s noenhanced size %g,%g\n", terminal->name, width * terminal->unit,
          height * terminal->unit);
  fprintf(out,
          "set grid\nset key outside right\nset multiplot layout %d,1 margins %.4f,%.4f,%.4f,%.4f ",
          panels, (double)beside / width, 1.0 - key / width, below / height, 1.0 - above / height);
  fprintf(out, "spacing 0,%.4f title ", between / height);
  const char *title = nsds_job_title(job);
  write_quoted(out, title + strspn(title, "* ")); /* a netlist may begin with a comment */
  fputc('\n', out);
}

static void write_script(FILE *out, const kept_table *table, const nsds_job *job,
                         const char *path) {
  int panels = 0, columns = table->columns;
  for (int k = 1; k < columns; ++k) panels += begins_panel(job, k);
  fprintf(out, "$table << end_of_table\n");
  for (size_t r = 0; r < table->rows; ++r)
    for (int k = 0; k < columns; ++k)
      fprintf(out, "%.9g%c", table->value[r * (size_t)columns + (size_t)k],
              k + 1 < columns ? ' ' : '\n');
  fprintf(out, "end_of_table\n");
  write_layout(out, job, path, panels);
  for (int k = 1; k < columns; ++k) {
    if (!begins_panel(job, k)) continue;
    if (--panels == 0) fprintf(out, "set xlabel \"t [s]\"\n");
    write_panel(out, job, columns, k);
  }
  fprintf(out, "unset multiplot\n");
}

bool plot_accepts(const char *path) {
  if (terminal_of(path)) return true;
  complain("nsds run: --plot %s: the name must end in .png, .svg or .pdf", path);
  return false;
}

/* Starts gnuplot with its output in a file. Returns the stream of its script; NULL: it cannot be started. */
static FILE *start_gnuplot(int picture, pid_t *child) {
  static char name[] = "gnuplot";
  char *const words[] = {name, NULL};
  int ends[2];
  posix_spawn_file_actions_t files;
  if (pipe(ends) != 0) return NULL;
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  bool started = posix_spawn_file_actions_init(&files) == 0;
  if (started) {
    started = posix_spawn_file_actions_adddup2(&files, ends[0], STDIN_FILENO) == 0 &&
              posix_spawn_file_actions_adddup2(&files, picture, STDOUT_FILENO) == 0 &&
              posix_spawnp(child, name, &files, NULL, words, environ) == 0;
    posix_spawn_file_actions_destroy(&files);
  }
  close(ends[0]);
  if (started) return fdopen(ends[1], "w");
  close(ends[1]);
  return NULL;
}

/* Runs gnuplot; true if it has drawn. */
static bool run_gnuplot(const kept_table *table, const nsds_job *job, const char *path,
                        int picture) {
  pid_t child;
  int status = 1;
  FILE *script = start_gnuplot(picture, &child);
  if (!script) return false;
  void (*before)(int) = signal(SIGPIPE, SIG_IGN); /* a gnuplot that fails ends the pipe */
  write_script(script, table, job, path);
  bool written = fclose(script) == 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  signal(SIGPIPE, before);
  return written && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool plot_draw(const kept_table *table, const nsds_job *job, nsds_context *context,
               const char *path) {
  if (table->columns < 2) {
    nsds_report(context, NSDS_ERROR_VALUE,
                "--plot %s: the table has no column but the time; use .print", path);
    return false;
  }
  nsds_output *output;
  if (nsds_output_open(context, "--plot", path, &output)) return false;
  bool drawn = run_gnuplot(table, job, path, fileno(nsds_output_stream(output)));
  if (!drawn)
    nsds_report(context, NSDS_ERROR_IO,
                "--plot %s: gnuplot did not draw it; install gnuplot, or give another name", path);
  return nsds_output_close(output, drawn) == NSDS_OK && drawn;
}
