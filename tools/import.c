/*
 * nsds import: writes the model file that a robot in URDF or MJCF becomes.
 */
#include "errors.h"

#include "command.h"
#include "run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void put_piece(const char *piece, void *out) { fputs(piece, out); }

/* Writes to a file, or to standard output if the path is NULL or "-". */
static int write_model(const nsds_job *job, const char *path) {
  bool named = path && strcmp(path, "-") != 0;
  FILE *out = named ? fopen(path, "w") : stdout;
  if (!out) {
    complain("nsds import: %s cannot be written: %s", path, strerror(errno));
    return exit_failed;
  }
  nsds_job_import(job, put_piece, out);
  bool bad = ferror(out) != 0;
  if (named) bad = fclose(out) != 0 || bad;
  if (bad) complain("nsds import: %s cannot be written", named ? path : "standard output");
  return bad ? exit_failed : exit_good;
}

static int import_file(const run_options *options) {
  error_list list = {.all = true};
  nsds_context *context = errors_context(&list);
  if (!context) return exit_failed;
  nsds_job *job =
      nsds_job_create(context, &(nsds_job_def){.file = options->file,
                                               .folders = options->folders,
                                               .nsettings = options->nsettings,
                                               .settings = options->settings,
                                               .refuse_plugins = options->refuse_plugins,
                                               .untrusted = options->untrusted,
                                               .limits = options->limits});
  if (!job && list.count < 2) complain("%s", nsds_error_message(context));
  for (int k = 0; k < nsds_job_warning_count(job); ++k)
    complain("nsds: warning: %s", nsds_job_warning(job, k));
  int code = job ? write_model(job, options->output) : exit_failed;
  nsds_job_destroy(job);
  nsds_context_destroy(context);
  return code;
}

static int take_import_option(arguments *all, const argument *found, run_options *options) {
  if (strcmp(found->option, "-o") == 0 || strcmp(found->option, "--output") == 0) {
    options->output = option_value(all, found);
    return options->output ? exit_good : exit_usage;
  }
  return take_trust_option(all, found, &options->refuse_plugins, &options->untrusted,
                           &options->limits);
}

int command_import(int count, char **words) {
  arguments all = {.command = "nsds import", .count = count, .words = words};
  if (words_ask_for_help(count, words)) return print_help("import");
  run_options *options = run_new_options(all.command);
  if (!options) return exit_failed;
  int code = run_take_words(&all, take_import_option, "--output --set --folders", options);
  if (code == exit_good) code = import_file(options);
  run_free_options(options);
  return code;
}
