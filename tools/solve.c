/*
 * nsds solve: reads each file, solves its problem from z = 0, and prints what the certifier says.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime() */
#include "command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { most_options = 32 };

typedef struct method_option {
  char name[32];
  double value;
} method_option;

typedef struct settings {
  const char *solver; /* NULL: the default */
  method_option option[most_options];
  int noption;
  double tolerance, max_iterations, time_limit; /* NaN: the default */
  double total_limit;                           /* seconds for all files, NaN or 0: none */
  const char *solutions;                        /* folder, NULL: none */
  report_format format;
  file_list files;
} settings;

/* For local and for global problems. */
typedef struct solvers {
  nsds_solver *local; /* NULL: the method is for global problems alone */
  nsds_global_solver *global;
} solvers;

/* ---- one file ---- */

double wall_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void print_error(nsds_context *context) {
  complain("nsds solve: %s", nsds_error_message(context));
  nsds_error_clear(context);
}

static nsds_status timed_solve(nsds_solver *solver, const nsds_problem *problem, double *z,
                               double *w, report_line *line) {
  nsds_solver_info info;
  double start = wall_clock();
  nsds_status status = nsds_solve(solver, problem, z, w, &info);
  if (status && status != NSDS_ERROR_SOLVER) return status;
  line->solver = info.solver;
  line->outcome = nsds_outcome_text(info.outcome);
  if (info.outcome == NSDS_REFUSED) return status;
  line->seconds = wall_clock() - start;
  line->iterations = info.iterations;
  return status;
}

/* Solves and certifies; the arrays hold z, w and the certifier's scratch. */
static bool solve_problem(nsds_context *context, nsds_solver *solver, const nsds_problem *problem,
                          report_line *line) {
  size_t n = (size_t)problem->n;
  double *z = calloc(2 * n + nsds_problem_work(problem) + 1, sizeof *z);
  if (!z) {
    complain("nsds: out of memory");
    return false;
  }
  double *w = z + n;
  nsds_status status = nsds_problem_check(context, problem);
  if (!status) status = timed_solve(solver, problem, z, w, line);
  if (!isnan(line->seconds)) {
    nsds_certificate certificate;
    nsds_certify(problem, z, w + n, &certificate);
    line->residual = certificate.residual;
    line->standard = certificate.standard;
  }
  bool good = status == NSDS_OK;
  const double *proof = nsds_solver_proof(solver);
  const named_array found[] = {{"z", z, n}, {"w", w, n}, {"proof", proof, n}};
  if (proof) line->outcome = "proved unsolvable";
  if (!isnan(line->seconds) && !write_solution(line, found, proof ? 3 : 2)) good = false;
  free(z);
  if (status && status != NSDS_ERROR_SOLVER) print_error(context);
  return good;
}

/* A local problem by a method that is for global ones alone. */
static bool refuse(const settings *s, report_line *line) {
  line->solver = s->solver;
  line->outcome = nsds_outcome_text(NSDS_REFUSED);
  return false;
}

static bool solve_any(nsds_context *context, const solvers *with, const settings *s,
                      const nsds_problem_file *file, report_line *line) {
  const nsds_problem *local = nsds_problem_file_problem(file);
  const nsds_global_problem *global = nsds_problem_file_global(file);
  line->kind = nsds_problem_file_kind(file);
  line->n = local ? local->n : global->n;
  line->nblock = local ? local->nblock : global->nblock;
  line->outcome = "failed";
  if (!local) {
    line->solver = nsds_global_solver_get_row(with->global)->name;
    return solve_global(context, with->global, global, line);
  }
  if (!with->local) return refuse(s, line);
  line->solver = nsds_solver_get_row(with->local)->name;
  return solve_problem(context, with->local, local, line);
}

static bool set_option(const solvers *with, const char *name, double value) {
  return isnan(value) || ((!with->local || !nsds_solver_set(with->local, name, value)) &&
                          !nsds_global_solver_set(with->global, name, value));
}

/* Each of the method that is named, for local problems, global ones, or reduced ones: one of these
 * at least has to know it. */
static bool set_own_options(nsds_context *context, const solvers *with, const settings *s,
                            bool reduces) {
  nsds_solver *inner = reduces ? nsds_global_solver_inner(with->global) : NULL;
  for (int k = 0; k < s->noption; ++k) {
    const method_option *o = &s->option[k];
    bool known = with->local && !nsds_solver_set(with->local, o->name, o->value);
    if (inner && !nsds_solver_set(inner, o->name, o->value)) known = true;
    if (!inner && !nsds_global_solver_set(with->global, o->name, o->value)) known = true;
    if (!known) return false;
    nsds_error_clear(context);
  }
  return true;
}

/* Gives the next problem what is left of the time for all; false where nothing is. */
static bool share_time(const solvers *with, const settings *s, double end) {
  if (!(s->total_limit > 0.0)) return true;
  double left = end - wall_clock();
  if (left <= 0.0) return false;
  if (s->time_limit > 0.0 && s->time_limit < left) left = s->time_limit;
  return set_option(with, "time_limit", left);
}

static bool solve_file(nsds_context *context, const solvers *with, const settings *s, int width,
                       const char *path, double end) {
  report_line line = {.file = path,
                      .kind = "",
                      .solver = "",
                      .outcome = "unreadable",
                      .residual = NAN,
                      .standard = NAN,
                      .seconds = NAN,
                      .solutions = s->solutions};
  bool solved = false;
  if (!share_time(with, s, end)) {
    line.outcome = "out of time";
    report(s->format, width, &line);
    return false;
  }
  nsds_problem_file *file = nsds_problem_read(context, path);
  if (file) solved = solve_any(context, with, s, file, &line);
  else print_error(context);
  report(s->format, width, &line);
  nsds_problem_file_destroy(file);
  return solved;
}

/* ---- all files ---- */

static bool is_global_method(const char *name) {
  const nsds_solver_row *row;
  for (int k = 0; name && (row = nsds_global_table(k)); ++k)
    if (strcmp(name, row->name) == 0) return true;
  return false;
}

static bool is_local_solver(const char *name) {
  const nsds_solver_row *row;
  for (int k = 0; name && (row = nsds_solver_table(k)); ++k)
    if (strcmp(name, row->name) == 0) return true;
  return !name;
}

static void free_solvers(const solvers *with) {
  nsds_solver_destroy(with->local);
  nsds_global_solver_destroy(with->global);
}

/* A name of a local solver alone means, for global problems, reduction around it. The exit code. */
static int make_solvers(nsds_context *context, const settings *s, solvers *with) {
  bool global = is_global_method(s->solver);
  *with = (solvers){NULL, NULL};
  if (!global || is_local_solver(s->solver)) with->local = nsds_solver_create(context, s->solver);
  if (with->local || global)
    with->global = nsds_global_solver_create(context, global ? s->solver : NULL);
  bool reduces = s->solver && !global;
  if (with->global && (!reduces || !nsds_global_solver_set_inner(with->global, s->solver)) &&
      set_option(with, "tolerance", s->tolerance) &&
      set_option(with, "max_iterations", s->max_iterations) &&
      set_option(with, "time_limit", s->time_limit) && set_own_options(context, with, s, reduces))
    return exit_good;
  free_solvers(with);
  if (nsds_error(context) != NSDS_ERROR_MEMORY)
    return usage_error("nsds solve", "%s", nsds_error_message(context));
  print_error(context);
  return exit_failed;
}

static int solve_files(nsds_context *context, const solvers *with, const settings *s) {
  size_t solved = 0;
  int width = 4;
  double end = wall_clock() + (isnan(s->total_limit) ? 0.0 : s->total_limit);
  for (size_t k = 0; k < s->files.count; ++k)
    if ((int)strlen(s->files.path[k]) > width) width = (int)strlen(s->files.path[k]);
  report_head(s->format, width);
  for (size_t k = 0; k < s->files.count; ++k)
    solved += solve_file(context, with, s, width, s->files.path[k], end);
  return s->files.count > 0 && solved == s->files.count ? exit_good : exit_failed;
}

void print_warning(nsds_log_level level, const char *message, void *unused) {
  (void)unused;
  if (level == NSDS_LOG_WARNING) complain("nsds: %s", message);
}

static int run(const settings *s) {
  int names = s->solutions ? check_solutions(s->solutions, &s->files) : exit_good;
  if (names != exit_good) return names;
  if (s->solutions && !make_folder(s->solutions)) return exit_failed;
  nsds_context *context = nsds_context_create(&(nsds_context_def){.log = print_warning});
  if (!context) {
    complain("nsds: out of memory");
    return exit_failed;
  }
  solvers with;
  int code = make_solvers(context, s, &with);
  if (code == exit_good) {
    code = solve_files(context, &with, s);
    free_solvers(&with);
  }
  nsds_context_destroy(context);
  return code;
}

/* ---- command line ---- */

static bool take_format(arguments *all, const argument *found, settings *s) {
  const char *name = option_value(all, found);
  if (!name) return false;
  if (find_report_format(name, &s->format)) return true;
  usage_error(all->command, "--format is \"%s\"; valid are text, csv and json", name);
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
  if (strcmp(found->option, "--solutions") == 0) return (s->solutions = option_value(all, found));
  if (strcmp(found->option, "--format") == 0) return take_format(all, found, s);
  if (!found->value && find_report_format(found->option + 2, &s->format)) return true;
  usage_error(
      all->command,
      "there is no option %s; there are --solver, --tol, --max-iter, --option, --time-limit, "
      "--total-limit, --format, --json, --csv and --solutions",
      found->option);
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
  settings s = {.tolerance = NAN, .max_iterations = NAN, .time_limit = NAN, .total_limit = NAN};
  int code = parse_and_run(&all, &s);
  free_paths(&s.files);
  return code;
}
