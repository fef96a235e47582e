/*
 * nsds solve, one file: reads the file, solves its problem from its guess or from z = 0, and
 * certifies the answer.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime() */
#include "solve.h"
#include "stop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double wall_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- the solvers of a worker ---- */

static bool is_global(const char *name) { return strncmp(name, "global", strlen("global")) == 0; }

static bool is_in_table(const char *name) {
  const nsds_solver_row *row;
  for (int k = 0; (row = nsds_solver_table(k)); ++k)
    if (strcmp(name, row->name) == 0) return true;
  return false;
}

/* Chooses the solver for global problems: the named one, or for a local solver the global one of
 * that name, or reduction around it. */
static void choose_global(const char *named, char *name, size_t size) {
  if (!named || strcmp(named, "auto") == 0) named = "global";
  snprintf(name, size, "%s%s", is_global(named) ? "" : "global_", named);
  if (!is_global(named) && !is_in_table(name)) snprintf(name, size, "global/%s", named);
}

static bool set_option(const worker *w, const char *name, double value) {
  return isnan(value) || ((!w->local || !nsds_solver_set(w->local, name, value)) &&
                          !nsds_solver_set(w->global, name, value));
}

/* Sets the options of the named solver in the solvers for local, global and reduced problems. At
 * least one of these must know the option. */
static bool set_own_options(const worker *w, const settings *s, bool to_inner) {
  nsds_solver *inner = to_inner ? nsds_solver_inner(w->global) : NULL;
  for (int k = 0; k < s->noption; ++k) {
    const method_option *o = &s->option[k];
    bool known = w->local && !nsds_solver_set(w->local, o->name, o->value);
    if (inner && !nsds_solver_set(inner, o->name, o->value)) known = true;
    if (!inner && !nsds_solver_set(w->global, o->name, o->value)) known = true;
    if (!known) return false;
    nsds_error_clear(w->context);
  }
  return true;
}

void free_worker(worker *w) {
  nsds_solver_destroy(w->local);
  nsds_solver_destroy(w->global);
  nsds_context_destroy(w->context);
}

int make_worker(const settings *s, worker *w) {
  char name[128];
  *w = (worker){.context = nsds_context_create(&(nsds_context_def){.log = print_warning})};
  if (!w->context) {
    complain("nsds: out of memory");
    return exit_failed;
  }
  stop_context(w->context);
  bool local = !s->solver || !is_global(s->solver);
  choose_global(s->solver, name, sizeof name);
  if (local) w->local = nsds_solver_create(w->context, s->solver);
  if (!local || w->local) w->global = nsds_solver_create(w->context, name);
  if (w->global && set_option(w, "tolerance", s->tolerance) &&
      set_option(w, "max_iterations", s->max_iterations) &&
      set_option(w, "time_limit", s->time_limit) && set_own_options(w, s, strchr(name, '/')))
    return exit_good;
  int code = exit_failed;
  if (nsds_error(w->context) == NSDS_ERROR_MEMORY)
    complain("nsds solve: %s", nsds_error_message(w->context));
  else code = usage_error("nsds solve", "%s", nsds_error_message(w->context));
  free_worker(w);
  return code;
}

/* ---- a local problem ---- */

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
  keep_methods(line, &info);
  return status;
}

/* Solves a local problem. The arrays hold z, w and the certifier's scratch. */
static bool solve_local(worker *with, const nsds_problem *problem, const double *guess,
                        report_line *line) {
  size_t n = (size_t)problem->n;
  double *z = calloc(2 * n + nsds_problem_work(problem) + 1, sizeof *z);
  if (!z) return keep_message(line, "nsds: out of memory");
  double *w = z + n;
  if (guess && n > 0) memcpy(z, guess, n * sizeof *z);
  nsds_status status = nsds_problem_check(with->context, problem);
  if (!status) status = timed_solve(with->local, problem, z, w, line);
  if (!isnan(line->seconds)) {
    nsds_certificate certificate;
    nsds_certify(problem, z, w + n, &certificate);
    line->residual = certificate.residual;
    line->standard = certificate.standard;
  }
  bool good = status == NSDS_OK;
  const double *proof = nsds_solver_proof(with->local);
  const named_array found[] = {{"z", z, n}, {"w", w, n}, {"proof", proof, n}};
  if (proof) line->outcome = "proved unsolvable";
  if (!isnan(line->seconds) && !write_solution(line, with->context, found, proof ? 3 : 2))
    good = false;
  free(z);
  if (status && status != NSDS_ERROR_SOLVER) keep_error(line, with->context);
  return good;
}

/* ---- the file ---- */

/* Refuses a local problem for a method that takes global ones only. */
static bool refuse(const settings *s, report_line *line) {
  line->solver = s->solver;
  line->outcome = nsds_outcome_text(NSDS_REFUSED);
  return false;
}

static bool solve_any(worker *w, const settings *s, const nsds_problem_file *file,
                      report_line *line) {
  const nsds_problem *local = nsds_problem_file_problem(file);
  const nsds_global_problem *global = nsds_problem_file_global(file);
  const nsds_stored_point *guess = s->from_zero ? NULL : nsds_problem_file_guess(file, 0);
  line->kind = nsds_problem_file_kind(file);
  line->n = local ? local->n : global->n;
  line->nblock = local ? local->nblock : global->nblock;
  line->outcome = "failed";
  if (!local) {
    line->solver = nsds_solver_get_row(w->global)->name;
    return solve_global(w, global, guess ? guess->z : NULL, line);
  }
  if (!w->local) return refuse(s, line);
  line->solver = nsds_solver_get_row(w->local)->name;
  return solve_local(w, local, guess ? guess->z : NULL, line);
}

/* Gives the problem the rest of the time for all files; false if none is left. */
static bool share_time(const worker *w, const settings *s, double end) {
  if (!(s->total_limit > 0.0)) return true;
  double left = end - wall_clock();
  if (left <= 0.0) return false;
  if (s->time_limit > 0.0 && s->time_limit < left) left = s->time_limit;
  return set_option(w, "time_limit", left);
}

bool solve_file(worker *w, const settings *s, double end, report_line *line) {
  bool solved = false;
  if (!share_time(w, s, end)) {
    line->outcome = "out of time";
    return false;
  }
  nsds_problem_file *file = read_problem(w->context, line->file, s->from);
  if (file) solved = solve_any(w, s, file, line);
  else keep_error(line, w->context);
  nsds_problem_file_destroy(file);
  return solved;
}
