/*
 * Runs a file. Rows go to a table, a series for ParaView, a page, a picture: the writers. After Ctrl-C the writers
 * end as at the end of the run, with the rows so far.
 */
#include "run.h"

#include "errors.h"
#include "plot.h"
#include "powers.h"
#include "progress.h"
#include "stop.h"
#include "table.h"

#include <nsds/extend.h>
#include <nsds/vtk.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_silent(const run_options *o) { return o->team && o->team->silent; }

/* A failure of one process is one of all. */
static nsds_status together(const run_options *o, nsds_status status) {
  return o->team ? o->team->agree(o->team, status) : status;
}

/* Prints the warnings from number `told` on. Returns their number. */
static int run_print_warnings(const nsds_job *job, int told) {
  for (; told < nsds_job_warning_count(job); ++told)
    complain("nsds: warning: %s", nsds_job_warning(job, told));
  return told;
}

/* ---- the writers ---- */

/* All that a run writes while it goes on. */
typedef struct run_writers {
  const run_options *options;
  nsds_job *job;
  nsds_context *context;
  table_stream *table; /* in CSV; NULL: none */
  nsds_vtk *series;
  nsds_scene *scene;
  bool keeps, kept; /* rows are kept; memory was enough */
  kept_table rows;
  table_facts facts;
} run_writers;

/* The scene of a page, with the columns of the job but the time; NULL, with a message, where there is none. */
static nsds_scene *run_begin_page(const run_writers *w) {
  const nsds_job *job = w->job;
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
  nsds_scene_def def = {.title = nsds_job_title(job),
                        .nquantities = count,
                        .names = word,
                        .units = word + count,
                        .without_forces = w->options->no_forces};
  def.shape = nsds_job_shapes(job, &def.nshape);
  nsds_scene *scene = nsds_scene_create(w->context, nsds_job_model(job), &def);
  free(word);
  return scene;
}

/* A path that cannot be written is told before the run; the old file stays until its end. */
static nsds_status try_path(nsds_context *context, const char *path) {
  nsds_output *output;
  nsds_status status = nsds_output_open(context, "", path, &output);
  return status ? status : nsds_output_close(output, false);
}

/* Tells if the model has anything that VTK files hold. */
static bool has_bodies(const nsds_model *model) {
  for (int k = 0; model && k < nsds_ds_count(model); ++k)
    if (nsds_nq(nsds_ds_at(model, k)) > 0) return true;
  return false;
}

static nsds_status run_begin(run_writers *w) {
  const run_options *options = w->options;
  bool drawn = options->picture || options->page;
  nsds_status status = NSDS_OK;
  if (options->vtk && !has_bodies(nsds_job_model(w->job)))
    return nsds_report(
        w->context, NSDS_ERROR_UNSUPPORTED,
        "--vtk: %s has no bodies, of which VTK files would be made; valid are models "
        "with bodies; --plot draws columns",
        options->file);
  w->keeps = options->picture || options->hdf5;
  w->kept = true;
  facts_start(&w->facts, options->file);
  facts_add_settings(&w->facts, options->nsettings, options->settings);
  if (!options->measures_alone && !options->hdf5 && (options->output || !drawn)) {
    w->table = table_open(w->context, options->output, w->job, &w->facts);
    if (!w->table) return nsds_error(w->context);
  }
  if (options->vtk && !options->team) {
    nsds_vtk_def def = {.path = options->vtk};
    def.shape = nsds_job_shapes(w->job, &def.nshape);
    w->series = nsds_vtk_create(w->context, &def);
    if (!w->series) return nsds_error(w->context);
  }
  if (options->page && !(w->scene = run_begin_page(w)))
    return nsds_error(w->context) ? nsds_error(w->context) : NSDS_ERROR_MEMORY;
  if (options->hdf5) status = try_path(w->context, options->output);
  if (!status && options->picture) status = try_path(w->context, options->picture);
  return !status && options->page ? try_path(w->context, options->page) : status;
}

static nsds_status run_take_row(run_writers *w) {
  const double *row = nsds_job_row(w->job);
  nsds_status status = w->table ? table_put(w->table, w->job) : NSDS_OK;
  if (w->keeps) w->kept = w->kept && table_keep(&w->rows, w->job);
  if (!status && w->scene) status = nsds_scene_record(w->scene, row[0], row + 1);
  if (!status && w->series) status = nsds_write_vtk(w->series, nsds_job_model(w->job), row[0]);
  status = together(w->options, status);
  if (!status && w->options->team && w->options->vtk)
    status = w->options->team->write_vtk(w->options->team, w->options->vtk);
  return status;
}

/* Completes what is written, also after a failure or a stop: all rows so far are good. Returns the first failure. */
static nsds_status run_end(run_writers *w) {
  nsds_status status = w->table ? table_close(w->table) : NSDS_OK, next = NSDS_OK;
  if (w->scene) next = nsds_scene_write_html(w->scene, w->options->page);
  if (!status) status = next;
  if (!w->kept) return nsds_report(w->context, NSDS_ERROR_MEMORY, "out of memory for the rows");
  if (w->options->hdf5 && w->rows.rows > 0)
    next = table_save(&w->rows, w->job, &w->facts, w->context, w->options->output);
  if (!status) status = next;
  if (w->options->picture && !plot_draw(&w->rows, w->job, w->context, w->options->picture))
    status = NSDS_ERROR_IO;
  return status;
}

static void run_free(run_writers *w) {
  nsds_vtk_destroy(w->series);
  nsds_scene_destroy(w->scene);
  free(w->rows.value);
  free(w);
}

/* ---- the run ---- */

/* Bytes of a frame of a page: its quantities, and 28 bytes a body. Contacts are not known. */
static double size_of_frame(const nsds_job *job, int columns) {
  const nsds_model *model = nsds_job_model(job);
  return 8.0 * columns + 28.0 * (model ? nsds_ds_count(model) : 0);
}

/* Says at the start on a terminal that a table or the memory becomes large: rows are as far apart as the first two. */
static void tell_large(const run_writers *w, double first, double second) {
  const double large = 1e9, digits = 12.0; /* bytes; bytes of a number */
  const nsds_job *job = w->job;
  int columns = nsds_job_column_count(job);
  double rows = (nsds_job_end(job) - first) / (second - first);
  double written = w->table ? rows * columns * digits : 0.0,
         kept = w->keeps ? rows * columns * 8.0 : 0.0;
  if (w->scene) kept += rows * size_of_frame(job, columns);
  if (!isfinite(rows) || !progress_is_shown()) return;
  if (written > large)
    complain("%s: %.3g rows come, about %.3g GB", w->options->command, rows, 1e-9 * written);
  if (kept > large)
    complain(
        "%s: %.3g rows come, which need about %.3g GB of memory until the end; let them be farther "
        "apart",
        w->options->command, rows, 1e-9 * kept);
}

/* Rows to the end, or to a failure or a stop. */
static nsds_status run_rows(run_writers *w, double *reached) {
  nsds_job *job = w->job;
  double first = nsds_job_row(job)[0];
  bool silent = is_silent(w->options);
  progress shown = progress_begin(w->options->command, first, nsds_job_end(job), true);
  int told = silent ? 0 : run_print_warnings(job, 0);
  long rows = 0;
  nsds_status status = NSDS_OK;
  while (status == NSDS_OK) {
    *reached = nsds_job_row(job)[0];
    status = run_take_row(w);
    if (!status) status = nsds_job_step(job);
    if (status == NSDS_OK && ++rows == 1) tell_large(w, first, nsds_job_row(job)[0]);
    if (!silent) told = run_print_warnings(job, told);
    if (!silent) progress_at(&shown, nsds_job_row(job)[0]);
  }
  progress_clear();
  return status;
}

/* Measures stand below the table on standard error, so that the table stays a table. */
static void print_measures(const nsds_job *job, FILE *out) {
  print_balance(job, out);
  for (int k = 0; k < nsds_job_measure_count(job); ++k)
    fprintf(out, "%s = %.10g\n", nsds_job_measure_name(job, k), nsds_job_measure(job, k));
}

/* Measures alone go to the file of --output, or to standard output. */
static nsds_status save_measures(const nsds_job *job, const run_options *options,
                                 nsds_context *context) {
  if (is_silent(options)) return NSDS_OK;
  if (!options->measures_alone || !options->output) {
    print_measures(job, options->measures_alone ? stdout : stderr);
    return NSDS_OK;
  }
  nsds_output *output;
  nsds_status status = nsds_output_open(context, "", options->output, &output);
  if (status) return status;
  print_measures(job, nsds_output_stream(output));
  return nsds_output_close(output, true);
}

int run_job(nsds_job *job, const run_options *options, nsds_context *context) {
  run_writers *w = calloc(1, sizeof *w);
  if (!w) {
    complain("nsds: out of memory");
    return exit_failed;
  }
  *w = (run_writers){.options = options, .job = job, .context = context};
  double reached = NAN;
  nsds_status status = run_begin(w), written = NSDS_OK;
  bool begun = !status, silent = is_silent(options);
  status = together(options, status);
  if (begun && !status) status = run_rows(w, &reached);
  if (status < 0 && !silent) tell_error(options->command, context);
  nsds_error_clear(context);
  if (begun) written = run_end(w);
  else if (w->table) table_drop(w->table);
  if (!written && status == NSDS_END) written = save_measures(job, options, context);
  if (written) tell_error(options->command, context);
  run_free(w);
  if (!silent && stop_asked() && status == NSDS_STOPPED)
    complain(
        "%s: stopped at t = %.9g of %.9g; what is written ends there; to have the rest, run it "
        "again",
        options->command, reached, nsds_job_end(job));
  if (stop_asked()) return stop_code();
  return status == NSDS_END && !written ? exit_good : exit_failed;
}

/* ---- texts about a file ---- */

static void run_put(const char *piece, void *out) { fputs(piece, out); }

static nsds_status put_texts(const nsds_job *job, const run_options *options, FILE *out) {
  if (options->describe && nsds_job_model(job)) nsds_describe(nsds_job_model(job), run_put, out);
  return options->expand ? nsds_job_expand(job, run_put, out) : NSDS_OK;
}

/* A text about the job in place of a run. */
static int run_tell(const nsds_job *job, const run_options *options, nsds_context *context) {
  run_print_warnings(job, 0);
  nsds_output *output = NULL;
  nsds_status status = NSDS_OK;
  if (options->output) status = nsds_output_open(context, "", options->output, &output);
  if (!status) status = put_texts(job, options, output ? nsds_output_stream(output) : stdout);
  nsds_status closed = output ? nsds_output_close(output, !status) : NSDS_OK;
  if (!status && !closed) return exit_good;
  tell_error(options->command, context);
  return exit_failed;
}

/* Outputs do not take the place of the file that is run, nor of each other. */
static bool outputs_are_apart(const run_options *o) {
  const char *path[] = {o->file, o->output, o->page, o->picture};
  for (int k = 1; k < 4; ++k)
    for (int i = 0; i < k; ++i) {
      if (!path[k] || !path[i] || !is_same_file(path[k], path[i])) continue;
      if (i > 0 && strncmp(path[k], "/dev/", 5) == 0) continue;
      complain(i == 0 ? "%s: %s is the file that is run; give the output another name"
                      : "%s: %s is to hold two outputs; give each a name of its own",
               o->command, path[k]);
      return false;
    }
  return true;
}

int run_file(const run_options *options) {
  error_list list = {0};
  int rank, size;
  if (!outputs_are_apart(options)) return exit_usage;
  if (is_launched(&rank, &size)) return run_by_processes(options, rank, size);
  if (options->picture && !plot_accepts(options->picture)) return exit_failed;
  nsds_context *context = errors_context(&list);
  if (!context) return exit_failed;
  nsds_job *job =
      nsds_job_create(context, &(nsds_job_def){.file = options->file,
                                               .nsettings = options->nsettings,
                                               .settings = options->settings,
                                               .refuse_plugins = options->refuse_plugins,
                                               .untrusted = options->untrusted,
                                               .folders = options->folders,
                                               .balance = options->balance,
                                               .limits = options->limits});
  int code = exit_failed;
  if (!job) tell_error(options->command, context);
  if (!job && stop_asked()) code = stop_code();
  bool full = nsds_error(context) == NSDS_ERROR_MEMORY || nsds_error(context) == NSDS_ERROR_LIMIT;
  if (list.count > 1 && !full)
    complain("%s: %d more %s; use nsds check %s to see all", options->command, list.count - 1,
             list.count == 2 ? "fault" : "faults", options->file);
  if (job)
    code = options->expand || options->describe ? run_tell(job, options, context)
                                                : run_job(job, options, context);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
  return code;
}
