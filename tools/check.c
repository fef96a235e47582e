/*
 * The command nsds check: faults of netlists and model files. Files are strangers to it, unless --trust is given: their
 * plugins, and files outside of their folders, are not looked at.
 */
#include "errors.h"

#include "command.h"
#include "run.h"
#include "stop.h"

#include <nsds/run.h>

#include <stdlib.h>
#include <string.h>

static void check_put(const char *piece, void *out) { fputs(piece, out); }

static void check_warn(const char *line, void *unused) {
  (void)unused;
  complain("nsds: warning: %s", line);
}

/* A file that is trusted is read as it would be to run it. */
static bool check_trusted(nsds_context *context, const nsds_job_def *def) {
  nsds_job *job = nsds_job_create(context, def);
  for (int k = 0; k < nsds_job_warning_count(job); ++k)
    complain("nsds: warning: %s", nsds_job_warning(job, k));
  nsds_job_destroy(job);
  return job != NULL;
}

static int check_file(const char *file, bool trust, const run_options *options) {
  error_list list = {.all = true};
  nsds_context *context = errors_context(&list);
  if (!context) return exit_failed;
  const nsds_job_def def = {.file = file,
                            .nsettings = options->nsettings,
                            .settings = options->settings,
                            .folders = options->folders};
  bool good =
      trust ? check_trusted(context, &def) : !nsds_job_check(context, &def, check_warn, NULL);
  if (!good && list.count < 2) complain("%s", nsds_error_message(context));
  nsds_context_destroy(context);
  return good ? exit_good : exit_failed;
}

/* Prints the format of model files in place of a check; false: the option asks for something else. */
static bool print_format(const char *option, int *code) {
  bool schema = strcmp(option, "--schema") == 0;
  if (!schema && strcmp(option, "--reference") != 0) return false;
  nsds_model_format_kind kind =
      schema ? NSDS_MODEL_FORMAT_JSON_SCHEMA : NSDS_MODEL_FORMAT_REFERENCE;
  *code = nsds_model_format(kind, check_put, stdout) ? exit_failed : exit_good;
  return true;
}

static int check_words(arguments all, run_options *options) {
  arguments files = all;
  argument found;
  char name[32];
  bool trust = false;
  int code = exit_good, nfile = 0;
  while (next_argument(&all, &found, name)) {
    nfile += !found.option;
    if (!found.option) continue;
    if (asks_for_help(&found)) return print_help("check");
    if (print_format(found.option, &code)) return code;
    if (strcmp(found.option, "--set") == 0) {
      if (run_take_setting(&all, &found, options) != exit_good) return exit_usage;
    } else if (strcmp(found.option, "--folders") == 0) {
      if (run_take_folders(&all, &found, options) != exit_good) return exit_usage;
    } else if (strcmp(found.option, "--trust") == 0) {
      trust = true;
    } else {
      return unknown_option(all.command, found.option,
                            "--set --folders --trust --schema --reference");
    }
  }
  while (!stop_asked() && next_argument(&files, &found, name)) {
    bool has_value = found.option &&
                     (strcmp(found.option, "--set") == 0 || strcmp(found.option, "--folders") == 0);
    if (has_value) option_value(&files, &found);
    if (!found.option && check_file(found.value, trust, options)) code = exit_failed;
  }
  if (stop_asked()) return stop_code();
  return nfile ? code : usage_error(all.command, "give a file, which is checked");
}

int command_check(int count, char **words) {
  run_options *options = calloc(1, sizeof *options);
  if (!options) {
    complain("nsds: out of memory");
    return exit_failed;
  }
  int code =
      check_words((arguments){.command = "nsds check", .count = count, .words = words}, options);
  run_free_options(options);
  return code;
}
