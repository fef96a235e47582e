/*
 * The command nsds run simulates a file and writes its table. The command nsds view shows the run as a page or a
 * movie, and nsds check reports faults.
 */
#define _POSIX_C_SOURCE 200809L /* posix_spawnp(), strdup() */

#include "command.h"
#include "movie.h"
#include "plot.h"
#include "table.h"

#include <nsds/vtk.h>

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

enum { most_settings = 256 };

typedef struct run_options {
  const char *file, *output, *vtk, *picture, *page;
  bool measures_alone, refuse_plugins, expand, describe, no_forces, no_open;
  bool hdf5; /* of the output */
  int nsettings;
  nsds_job_setting settings[most_settings];
  char *names[most_settings]; /* to be freed */
  movie film;
} run_options;

static void run_write_head(FILE *out, const nsds_job *job, const table_facts *facts) {
  facts_write(out, facts);
  int count = nsds_job_column_count(job);
  for (int k = 0; k < count; ++k) {
    const char *unit = nsds_job_column_unit(job, k), *name = nsds_job_column_name(job, k);
    bool quoted = strchr(name, ',') != NULL; /* v(a,b) */
    fprintf(out, "%s%s%s", k ? "," : "", quoted ? "\"" : "", name);
    if (unit[0]) fprintf(out, " [%s]", unit);
    if (quoted) fputc('"', out);
  }
  fputc('\n', out);
}

static void run_write_row(FILE *out, const nsds_job *job) {
  int count = nsds_job_column_count(job);
  const double *row = nsds_job_row(job);
  for (int k = 0; k < count; ++k) {
    if (k) fputc(',', out);
    write_number(out, row[k]);
  }
  fputc('\n', out);
}

/* Prints the warnings from number `told` on. Returns their number. */
static int run_print_warnings(const nsds_job *job, int told) {
  for (; told < nsds_job_warning_count(job); ++told)
    complain("nsds: warning: %s", nsds_job_warning(job, told));
  return told;
}

/* The bodies of a row, where a series is asked for. */
static nsds_status run_draw(nsds_vtk *series, const nsds_job *job) {
  return series ? nsds_write_vtk(series, nsds_job_model(job), nsds_job_row(job)[0]) : NSDS_OK;
}

/* The scene of a page, with the columns of the job but the time; NULL, with a message, where there is none. */
static nsds_scene *run_begin_page(const nsds_job *job, const run_options *options,
                                  nsds_context *context) {
  int count = nsds_job_column_count(job) - 1;
  const char **word = calloc(2 * (size_t)count + 1, sizeof *word);
  if (!word) {
    complain("nsds: out of memory");
    return NULL;
  }
  for (int k = 0; k < count; ++k) {
    word[k] = nsds_job_column_name(job, k + 1);
    word[count + k] = nsds_job_column_unit(job, k + 1);
  }
  nsds_scene *scene = nsds_scene_create(context, nsds_job_model(job),
                                        &(nsds_scene_def){.title = nsds_job_title(job),
                                                          .nquantities = count,
                                                          .names = word,
                                                          .units = word + count,
                                                          .without_forces = options->no_forces});
  free(word);
  return scene;
}

/* The job's present row, in all that shows bodies. */
static nsds_status run_show(nsds_vtk *series, nsds_scene *scene, const nsds_job *job) {
  const double *row = nsds_job_row(job);
  nsds_status status = scene ? nsds_scene_record(scene, row[0], row + 1) : NSDS_OK;
  return status ? status : run_draw(series, job);
}

/* All that a run writes while it goes on. */
typedef struct run_writers {
  FILE *out; /* table in CSV; NULL: none */
  nsds_vtk *series;
  nsds_scene *scene;
  bool keeps, kept; /* rows are kept; memory was enough */
  kept_table table;
  table_facts facts;
} run_writers;

static nsds_status run_begin(run_writers *w, const nsds_job *job, const run_options *options,
                             FILE *out, nsds_context *context) {
  bool drawn = options->picture || options->page;
  if (!options->measures_alone && !options->hdf5 && (out != stdout || !drawn)) w->out = out;
  w->keeps = options->picture || options->hdf5;
  w->kept = true;
  facts_start(&w->facts, options->file);
  facts_add_settings(&w->facts, options->nsettings, options->settings);
  if (w->out) run_write_head(w->out, job, &w->facts);
  if (options->vtk && nsds_job_model(job)) {
    w->series = nsds_vtk_create(context, &(nsds_vtk_def){.path = options->vtk});
    if (!w->series) return NSDS_ERROR_IO;
  }
  if (options->page && !(w->scene = run_begin_page(job, options, context)))
    return NSDS_ERROR_MEMORY;
  /* without rows at first: a path that cannot be written is told before the run */
  return options->hdf5 ? table_save(&w->table, job, &w->facts, context, options->output) : NSDS_OK;
}

static nsds_status run_take_row(run_writers *w, const nsds_job *job) {
  if (w->out) run_write_row(w->out, job);
  if (w->keeps) w->kept = w->kept && table_keep(&w->table, job);
  return run_show(w->series, w->scene, job);
}

/* Writes page, HDF5 and picture at the end; false, with a message, if something fails. */
static bool run_end(run_writers *w, const nsds_job *job, const run_options *options,
                    nsds_context *context, nsds_status status) {
  if (w->scene && status >= 0) status = nsds_scene_write_html(w->scene, options->page);
  bool fine = status >= 0;
  if (!fine) complain("nsds run: %s", nsds_error_message(context));
  if (!w->kept) {
    complain("nsds: out of memory");
    return false;
  }
  if (options->hdf5 && w->table.rows > 0) {
    nsds_error_clear(context);
    if (table_save(&w->table, job, &w->facts, context, options->output)) {
      complain("nsds run: %s", nsds_error_message(context));
      return false;
    }
  }
  return fine && (!options->picture || plot_draw(&w->table, job, options->picture));
}

/* Rows to the end, then measures: below the table on standard error, so that the table stays a table. */
static int run_go(nsds_job *job, const run_options *options, FILE *out, nsds_context *context) {
  run_writers *w = calloc(1, sizeof *w);
  if (!w) {
    complain("nsds: out of memory");
    return exit_failed;
  }
  int told = run_print_warnings(job, 0);
  nsds_status status = run_begin(w, job, options, out, context);
  while (status == NSDS_OK) {
    status = run_take_row(w, job);
    if (!status) status = nsds_job_step(job);
    told = run_print_warnings(job, told);
  }
  bool fine = run_end(w, job, options, context, status);
  nsds_vtk_destroy(w->series);
  nsds_scene_destroy(w->scene);
  free(w->table.value);
  free(w);
  FILE *where = options->measures_alone ? out : stderr;
  for (int k = 0; status >= 0 && k < nsds_job_measure_count(job); ++k)
    fprintf(where, "%s = %.10g\n", nsds_job_measure_name(job, k), nsds_job_measure(job, k));
  return fine ? exit_good : exit_failed;
}

static void run_put(const char *piece, void *out) { fputs(piece, out); }

/* A text about the job in place of a run. */
static int run_tell(nsds_job *job, const run_options *options, FILE *out, nsds_context *context) {
  run_print_warnings(job, 0);
  if (options->describe && nsds_job_model(job)) nsds_describe(nsds_job_model(job), run_put, out);
  if (!options->expand || nsds_job_expand(job, run_put, out) == NSDS_OK) return exit_good;
  complain("nsds run: %s", nsds_error_message(context));
  return exit_failed;
}

static int run_into(nsds_job *job, const run_options *options, FILE *out, nsds_context *context) {
  return options->expand || options->describe ? run_tell(job, options, out, context)
                                              : run_go(job, options, out, context);
}

static int run_with_output(nsds_job *job, const run_options *options, nsds_context *context) {
  if (!options->output || options->hdf5) return run_into(job, options, stdout, context);
  FILE *out = fopen(options->output, "w");
  int code = out ? run_into(job, options, out, context) : exit_failed;
  bool written = out && !ferror(out);
  if (out && fclose(out) != 0) written = false;
  if (written) return code;
  complain("nsds run: %s cannot be written: %s", options->output, strerror(errno));
  return exit_failed;
}

/* Errors of a file. The first one is the context's message; the others reach the log alone. */
typedef struct error_list {
  const nsds_context *context;
  bool all; /* prints them as they come */
  int count;
} error_list;

static void take_error(nsds_log_level level, const char *message, void *user) {
  error_list *list = user;
  print_warning(level, message, NULL);
  if (level != NSDS_LOG_ERROR) return;
  if (++list->count == 2 && list->all) complain("%s", nsds_error_message(list->context));
  if (list->count > 1 && list->all) complain("%s", message);
}

static int run_file(const run_options *options) {
  error_list list = {0};
  if (options->picture && !plot_accepts(options->picture)) return exit_failed;
  nsds_context *context =
      nsds_context_create(&(nsds_context_def){.log = take_error, .log_user = &list});
  if (!context) {
    complain("nsds: out of memory");
    return exit_failed;
  }
  nsds_job *job =
      nsds_job_create(context, &(nsds_job_def){.file = options->file,
                                               .nsettings = options->nsettings,
                                               .settings = options->settings,
                                               .refuse_plugins = options->refuse_plugins});
  int code = exit_failed;
  if (!job) complain("nsds run: %s", nsds_error_message(context));
  if (list.count > 1)
    complain("nsds run: %d more %s; use nsds check %s to see all", list.count - 1,
             list.count == 2 ? "fault" : "faults", options->file);
  if (job) code = run_with_output(job, options, context);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
  return code;
}

/* "name=value", split. */
static int run_take_setting(arguments *all, const argument *found, run_options *options) {
  const char *text = option_value(all, found);
  if (!text) return exit_usage;
  const char *equals = strchr(text, '=');
  if (!equals || equals == text)
    return usage_error(all->command, "--set %s: give NAME=VALUE", text);
  if (options->nsettings == most_settings)
    return usage_error(all->command, "--set: at most %d times", (int)most_settings);
  char *name = malloc((size_t)(equals - text) + 1);
  if (!name) return usage_error(all->command, "--set: out of memory");
  memcpy(name, text, (size_t)(equals - text));
  name[equals - text] = '\0';
  options->names[options->nsettings] = name;
  options->settings[options->nsettings++] = (nsds_job_setting){.name = name, .value = equals + 1};
  return exit_good;
}

static int run_take_option(arguments *all, const argument *found, run_options *options) {
  const char *option = found->option;
  if (strcmp(option, "-o") == 0 || strcmp(option, "--output") == 0)
    return (options->output = option_value(all, found)) ? exit_good : exit_usage;
  if (strcmp(option, "--vtk") == 0)
    return (options->vtk = option_value(all, found)) ? exit_good : exit_usage;
  if (strcmp(option, "--plot") == 0)
    return (options->picture = option_value(all, found)) ? exit_good : exit_usage;
  if (strcmp(option, "--html") == 0)
    return (options->page = option_value(all, found)) ? exit_good : exit_usage;
  if (strcmp(option, "--set") == 0) return run_take_setting(all, found, options);
  if (strcmp(option, "--refuse-plugins") == 0) options->refuse_plugins = true;
  else if (strcmp(option, "--no-forces") == 0) options->no_forces = true;
  else if (strcmp(option, "--measures") == 0) options->measures_alone = true;
  else if (strcmp(option, "--expand") == 0) options->expand = true;
  else if (strcmp(option, "--describe") == 0) options->describe = true;
  else
    return usage_error(all->command,
                       "there is no option %s; there are --output, --plot, --html, --no-forces, "
                       "--vtk, --set, --refuse-plugins, --measures, --expand and --describe",
                       option);
  return exit_good;
}

typedef int take_option(arguments *all, const argument *found, run_options *options);

static int run_take_words(arguments *all, take_option *take, run_options *options) {
  argument found;
  char name[32];
  while (next_argument(all, &found, name)) {
    if (!found.option) {
      if (options->file)
        return usage_error(all->command, "a second file named: %s; give one, which is run",
                           found.value);
      options->file = found.value;
    } else {
      int code = take(all, &found, options);
      if (code) return code;
    }
  }
  return options->file ? exit_good : usage_error(all->command, "give a file, which is run");
}

/* Tells if the words ask for help. */
static bool run_asks_for_help(int count, char **words) {
  for (int k = 0; k < count; ++k)
    if (strcmp(words[k], "--help") == 0 || strcmp(words[k], "-h") == 0) return true;
  return false;
}

/* Room for the options of a command; NULL, with a message. */
static run_options *run_new_options(void) {
  run_options *options = calloc(1, sizeof *options);
  if (!options) complain("nsds: out of memory");
  return options;
}

static void run_free_options(run_options *options) {
  for (int k = 0; k < options->nsettings; ++k) free(options->names[k]);
  free(options);
}

int command_run(int count, char **words) {
  if (run_asks_for_help(count, words)) return print_help("run");
  run_options *options = run_new_options();
  if (!options) return exit_failed;
  arguments all = {.command = "nsds run", .count = count, .words = words};
  int code = run_take_words(&all, run_take_option, options);
  options->hdf5 = table_is_hdf5(options->output);
  if (code == exit_good && options->hdf5 &&
      (options->measures_alone || options->expand || options->describe))
    code = usage_error(all.command, "--output %s: HDF5 holds tables; give texts another ending",
                       options->output);
  if (code == exit_good) code = run_file(options);
  run_free_options(options);
  return code;
}

/* ---- nsds view ---- */

static int view_take_option(arguments *all, const argument *found, run_options *options) {
  const char *option = found->option;
  if (strcmp(option, "-o") == 0 || strcmp(option, "--output") == 0)
    return (options->page = option_value(all, found)) ? exit_good : exit_usage;
  if (strcmp(option, "--set") == 0) return run_take_setting(all, found, options);
  if (strcmp(option, "--movie") == 0)
    return (options->film.path = option_value(all, found)) ? exit_good : exit_usage;
  if (strcmp(option, "--speed") == 0)
    return option_number(all, found, 1e-9, &options->film.speed) ? exit_good : exit_usage;
  if (strcmp(option, "--refuse-plugins") == 0) options->refuse_plugins = true;
  else if (strcmp(option, "--no-forces") == 0) options->no_forces = true;
  else if (strcmp(option, "--no-open") == 0) options->no_open = true;
  else
    return usage_error(all->command,
                       "there is no option %s; there are --output, --movie, --speed, --set, "
                       "--refuse-plugins, --no-forces and --no-open",
                       option);
  return exit_good;
}

/* Name of the page where none is given: that of the file, in the working folder, with another ending. To be freed. */
static char *view_name_page(const char *file) {
  static const char ending[] = ".html";
  const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
  const char *dot = strrchr(name, '.');
  size_t size = dot && dot > name ? (size_t)(dot - name) : strlen(name);
  char *page = malloc(size + sizeof ending);
  if (!page) {
    complain("nsds: out of memory");
    return NULL;
  }
  memcpy(page, name, size);
  memcpy(page + size, ending, sizeof ending);
  return page;
}

/* Opens the page in the browser of the desktop; a terminal without a desktop shows the name alone. */
static void view_open(const char *page) {
  if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) return;
  char opener[] = "xdg-open", *path = strdup(page), *const words[] = {opener, path, NULL};
  pid_t child;
  if (path && posix_spawnp(&child, opener, NULL, NULL, words, environ) == 0) {
    int ignored;
    waitpid(child, &ignored, 0);
  }
  free(path);
}

/* The movie alone; its page is left nowhere. */
static int view_film(run_options *options) {
  movie *film = &options->film;
  if (!movie_begin(film)) return exit_failed;
  options->page = film->page;
  int code = run_file(options);
  if (code == exit_good && !movie_write(film)) code = exit_failed;
  movie_end(film);
  if (code == exit_good) puts(film->path);
  return code;
}

static int view_file(run_options *options) {
  if (options->film.path) return view_film(options);
  char *named = options->page ? NULL : view_name_page(options->file);
  if (named) options->page = named;
  int code = options->page ? run_file(options) : exit_failed;
  if (code == exit_good) {
    puts(options->page);
    if (!options->no_open) view_open(options->page);
  }
  free(named);
  return code;
}

int command_view(int count, char **words) {
  if (run_asks_for_help(count, words)) return print_help("view");
  run_options *options = run_new_options();
  if (!options) return exit_failed;
  arguments all = {.command = "nsds view", .count = count, .words = words};
  int code = run_take_words(&all, view_take_option, options);
  if (code == exit_good) code = view_file(options);
  run_free_options(options);
  return code;
}

/* ---- nsds check ---- */

static int check_file(const char *file) {
  error_list list = {.all = true};
  nsds_context *context =
      nsds_context_create(&(nsds_context_def){.log = take_error, .log_user = &list});
  if (!context) {
    complain("nsds: out of memory");
    return exit_failed;
  }
  list.context = context;
  nsds_job *job = nsds_job_create(context, &(nsds_job_def){.file = file});
  int code = job ? exit_good : exit_failed;
  if (!job && list.count < 2) complain("%s", nsds_error_message(context));
  else run_print_warnings(job, 0);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
  return code;
}

int command_check(int count, char **words) {
  arguments all = {.command = "nsds check", .count = count, .words = words};
  argument found;
  char name[32];
  int code = exit_good, files = 0;
  while (next_argument(&all, &found, name)) {
    if (found.option && asks_for_help(&found)) return print_help("check");
    if (found.option && strcmp(found.option, "--schema") == 0)
      return nsds_model_format(NSDS_MODEL_FORMAT_JSON_SCHEMA, run_put, stdout) ? exit_failed
                                                                               : exit_good;
    if (found.option && strcmp(found.option, "--reference") == 0)
      return nsds_model_format(NSDS_MODEL_FORMAT_REFERENCE, run_put, stdout) ? exit_failed
                                                                             : exit_good;
    if (found.option)
      return usage_error(all.command, "there is no option %s; valid are --schema and --reference",
                         found.option);
    ++files;
    if (check_file(found.value)) code = exit_failed;
  }
  return files ? code : usage_error(all.command, "give a file, which is checked");
}
