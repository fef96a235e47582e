/*
 * The command line of nsds run, see run.h.
 */
#include "run.h"
#include "table.h"

#include <stdlib.h>
#include <string.h>

run_options *run_new_options(const char *command) {
  run_options *options = calloc(1, sizeof *options);
  if (options) options->command = command;
  else complain("nsds: out of memory");
  return options;
}

void run_free_options(run_options *options) {
  for (int k = 0; k < options->nsettings; ++k) free(options->names[k]);
  free(options);
}

int run_take_setting(arguments *all, const argument *found, run_options *options) {
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

int run_take_folders(arguments *all, const argument *found, run_options *options) {
  return (options->folders = option_value(all, found)) ? exit_good : exit_usage;
}

const char trust_options[] =
    "--refuse-plugins --untrusted --time-limit --file-limit --number-limit --memory-limit";

int take_trust_option(arguments *all, const argument *found, bool *refuse_plugins, bool *untrusted,
                      nsds_job_limits *limits) {
  const char *option = found->option;
  double number;
  if (strcmp(option, "--refuse-plugins") == 0) return *refuse_plugins = true, exit_good;
  if (strcmp(option, "--untrusted") == 0) return *untrusted = true, exit_good;
  if (strcmp(option, "--time-limit") == 0)
    return option_number(all, found, 1e-3, &limits->seconds) ? exit_good : exit_usage;
  bool files = strcmp(option, "--file-limit") == 0, memory = strcmp(option, "--memory-limit") == 0;
  if (!files && !memory && strcmp(option, "--number-limit") != 0) return exit_unknown;
  if (!option_number(all, found, 1.0, &number)) return exit_usage;
  const double most = 1e18;
  if (number > most) number = most;
  if (files) limits->files = number < 1e9 ? (int)number : 1000000000;
  else if (memory) limits->memory = (size_t)number;
  else limits->numbers = (int64_t)number;
  return exit_good;
}

/* Sets the text that an option gives; exit_unknown: it is another option. */
static int run_take_path(arguments *all, const argument *found, run_options *options) {
  const struct {
    const char *name;
    const char **path;
  } paths[] = {{"-o", &options->output},
               {"--output", &options->output},
               {"--vtk", &options->vtk},
               {"--plot", &options->picture},
               {"--html", &options->page}};
  for (size_t k = 0; k < sizeof paths / sizeof *paths; ++k)
    if (strcmp(found->option, paths[k].name) == 0)
      return (*paths[k].path = option_value(all, found)) ? exit_good : exit_usage;
  return exit_unknown;
}

static int run_take_option(arguments *all, const argument *found, run_options *options) {
  const char *option = found->option;
  int code = run_take_path(all, found, options);
  if (code != exit_unknown) return code;
  if (strcmp(option, "--no-forces") == 0) options->no_forces = true;
  else if (strcmp(option, "--measures") == 0) options->measures_alone = true;
  else if (strcmp(option, "--balance") == 0) options->balance = true;
  else if (strcmp(option, "--expand") == 0) options->expand = true;
  else if (strcmp(option, "--describe") == 0) options->describe = true;
  else if (strcmp(option, "--reproducible") == 0) options->reproducible = true;
  else return exit_unknown;
  return exit_good;
}

int run_take_words(arguments *all, take_option *take, const char *valid, run_options *options) {
  argument found;
  char name[32];
  while (next_argument(all, &found, name)) {
    if (!found.option) {
      if (options->file)
        return usage_error(all->command, "a second file named: %s; give one, which is run",
                           found.value);
      options->file = found.value;
      continue;
    }
    int code = strcmp(found.option, "--set") == 0       ? run_take_setting(all, &found, options)
               : strcmp(found.option, "--folders") == 0 ? run_take_folders(all, &found, options)
                                                        : take(all, &found, options);
    if (code == exit_unknown)
      code = take_trust_option(all, &found, &options->refuse_plugins, &options->untrusted,
                               &options->limits);
    if (code == exit_unknown) return unknown_option(all->command, found.option, valid);
    if (code) return code;
  }
  return options->file ? exit_good : usage_error(all->command, "give a file, which is run");
}

int command_run(int count, char **words) {
  if (words_ask_for_help(count, words)) return print_help("run");
  run_options *options = run_new_options("nsds run");
  if (!options) return exit_failed;
  arguments all = {.command = options->command, .count = count, .words = words};
  int code = run_take_words(
      &all, run_take_option,
      "--output --plot --html --no-forces --vtk --set --folders --refuse-plugins "
      "--untrusted --time-limit --file-limit --number-limit --memory-limit --measures "
      "--balance --expand --describe --reproducible",
      options);
  options->hdf5 = table_is_hdf5(options->output);
  if (code == exit_good && options->hdf5 &&
      (options->measures_alone || options->expand || options->describe))
    code = usage_error(all.command, "--output %s: HDF5 holds tables; give texts another ending",
                       options->output);
  if (code == exit_good) code = run_file(options);
  run_free_options(options);
  return code;
}
