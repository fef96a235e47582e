/*
 * nsds solve: its command line.
 */
#include "solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int run(const settings *s) {
  int names = s->solutions ? check_solutions(s->solutions, &s->files) : exit_good;
  if (names != exit_good) return names;
  if (s->solutions && !make_folder(s->solutions)) return exit_failed;
  int rank, size;
  return is_launched(&rank, &size) ? solve_by_processes(s, rank, size) : solve_files(s);
}

/* ---- command line ---- */

static bool take_format(arguments *all, const argument *found, settings *s) {
  const char *name = option_value(all, found);
  if (!name) return false;
  if (find_report_format(name, &s->format)) return true;
  usage_error(all->command, "--format is \"%s\"; valid are text, csv and json", name);
  return false;
}

static bool take_jobs(arguments *all, const argument *found, settings *s) {
  if (!option_number(all, found, 1.0, &s->jobs)) return false;
  if (s->jobs == floor(s->jobs) && s->jobs <= most_jobs) return true;
  usage_error(all->command, "%s is %g; valid is a whole number from 1 to %d", found->option,
              s->jobs, (int)most_jobs);
  return false;
}

/* "NAME=VALUE" */
static bool take_method_option(arguments *all, const argument *found, settings *s) {
  const char *text = option_value(all, found), *equals = text ? strchr(text, '=') : NULL;
  if (!text) return false;
  if (s->noption == most_options) {
    usage_error(all->command, "--option comes more than %d times; give fewer", most_options);
    return false;
  }
  method_option *o = &s->option[s->noption];
  size_t length = equals ? (size_t)(equals - text) : 0;
  char *end = NULL;
  if (length > 0 && length < sizeof o->name) o->value = strtod(equals + 1, &end);
  if (!end || end == equals + 1 || *end || !isfinite(o->value)) {
    usage_error(all->command, "--option is \"%s\"; valid is NAME=VALUE, a finite number", text);
    return false;
  }
  memcpy(o->name, text, length);
  o->name[length] = '\0';
  ++s->noption;
  return true;
}

static bool take_option(arguments *all, const argument *found, settings *s) {
  if (strcmp(found->option, "--solver") == 0) return (s->solver = option_value(all, found));
  if (strcmp(found->option, "--tol") == 0) return option_number(all, found, 0.0, &s->tolerance);
  if (strcmp(found->option, "--max-iter") == 0)
    return option_number(all, found, 0.0, &s->max_iterations);
  if (strcmp(found->option, "--option") == 0) return take_method_option(all, found, s);
  if (strcmp(found->option, "--time-limit") == 0)
    return option_number(all, found, 0.0, &s->time_limit);
  if (strcmp(found->option, "--total-limit") == 0)
    return option_number(all, found, 0.0, &s->total_limit);
  if (strcmp(found->option, "-j") == 0 || strcmp(found->option, "--jobs") == 0)
    return take_jobs(all, found, s);
  if (strcmp(found->option, "--from") == 0) return option_format(all, found, &s->from);
  if (!found->value && strcmp(found->option, "--from-zero") == 0) return (s->from_zero = true);
  if (strcmp(found->option, "--solutions") == 0) return (s->solutions = option_value(all, found));
  if (strcmp(found->option, "--format") == 0) return take_format(all, found, s);
  if (!found->value && find_report_format(found->option + 2, &s->format)) return true;
  unknown_option(all->command, found->option,
                 "--solver --tol --max-iter --option --time-limit --total-limit --jobs --from "
                 "--from-zero --format --json --csv --solutions");
  return false;
}

static int parse_and_run(arguments *all, settings *s) {
  argument found;
  char name[32];
  int named = 0;
  while (next_argument(all, &found, name)) {
    if (found.option) {
      if (asks_for_help(&found)) return print_help("solve");
      if (!take_option(all, &found, s)) return exit_usage;
      continue;
    }
    ++named;
    if (!add_path(&s->files, found.value)) return exit_failed;
  }
  if (named == 0) return usage_error(all->command, "no file named; give one or more, or a folder");
  return run(s);
}

int command_solve(int count, char **words) {
  arguments all = {.command = "nsds solve", .count = count, .words = words};
  settings s = {
      .jobs = 1.0, .tolerance = NAN, .max_iterations = NAN, .time_limit = NAN, .total_limit = NAN};
  int code = parse_and_run(&all, &s);
  free_paths(&s.files);
  return code;
}
