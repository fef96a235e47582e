/*
 * nsds solve under mpirun: all processes solve each problem together, by the library nsds-mpi. The
 * first process prints.
 */
#include "processes.h"
#include "solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { kind_size = 48 };

/* Processes that solve together. */
typedef struct team {
  mpi_calls call;
  nsds_context *context;
  nsds_mpi *mpi;
  const settings *s;
  nsds_mpi_options options;
  bool speaks; /* the first process */
} team;

/* ---- options ---- */

/* The default of one process, so that nsds certify accepts the answers of both. */
static const double usual_tolerance = 1e-10;

/* Takes --option NAME=VALUE; false, with a message, for other names and values. */
static bool take_mpi_option(const method_option *o, nsds_mpi_options *to) {
  bool whole = o->value == floor(o->value) && fabs(o->value) < 1e9;
  if (strcmp(o->name, "reproducible") == 0 && (o->value == 0.0 || o->value == 1.0))
    to->reproducible = o->value != 0.0;
  else if (strcmp(o->name, "gather") == 0 && whole) to->gather = (int)o->value;
  else if (strcmp(o->name, "gather_after") == 0 && whole) to->gather_after = (int)o->value;
  else return false;
  return true;
}

static const char *wrong_option(const settings *s, nsds_mpi_options *o) {
  if (s->solver) return "--solver";
  if (s->jobs != 1.0) return "--jobs";
  if (!isnan(s->time_limit)) return "--time-limit";
  if (!isnan(s->total_limit)) return "--total-limit";
  o->tolerance = s->tolerance > 0.0 ? s->tolerance : usual_tolerance;
  if (!isnan(s->max_iterations)) o->max_iterations = (int)fmin(s->max_iterations, 1e9);
  for (int k = 0; k < s->noption; ++k)
    if (!take_mpi_option(&s->option[k], o)) return s->option[k].name;
  return NULL;
}

/* ---- a file ---- */

/* Writes the answer of all processes. Each adds its rows to zeros. */
static bool save_answer(const team *t, const nsds_mpi_file_info *held, int own, const double *z,
                        const double *w, report_line *line) {
  size_t n = (size_t)held->n;
  double *all = calloc(2 * n + 1, sizeof *all);
  if (t->call.agree(t->mpi, all ? NSDS_OK : NSDS_ERROR_MEMORY)) {
    free(all);
    return keep_message(line, "nsds: out of memory");
  }
  if (all && own > 0) {
    memcpy(all + held->first_row, z, (size_t)own * sizeof *z);
    memcpy(all + n + held->first_row, w, (size_t)own * sizeof *w);
  }
  if (all) t->call.total(t->mpi, 2 * held->n, all);
  const named_array found[] = {{"z", all, n}, {"w", all + n, n}};
  nsds_status status = NSDS_OK;
  if (t->speaks && !write_solution(line, t->context, found, 2)) status = NSDS_ERROR_IO;
  free(all);
  return t->call.agree(t->mpi, status) == NSDS_OK;
}

static bool solve_part(const team *t, const nsds_mpi_file *file, char kind[kind_size],
                       report_line *line) {
  const nsds_mpi_file_info *held = t->call.report(file);
  const nsds_mpi_part *part = t->call.part(file);
  nsds_mpi_info info = {.outcome = NSDS_NOT_CONVERGED};
  nsds_certificate certificate;
  size_t n = (size_t)part->problem->n;
  double *z = calloc(2 * n + 1, sizeof *z), *w = z ? z + n : NULL;
  snprintf(kind, kind_size, "%s", held->kind);
  line->kind = kind, line->n = held->n, line->nblock = held->nblock;
  line->outcome = "failed";
  line->solver = "processes";
  nsds_status status = t->call.agree(t->mpi, z ? NSDS_OK : NSDS_ERROR_MEMORY);
  if (z && held->guess && !t->s->from_zero) memcpy(z, held->guess, n * sizeof *z);
  double start = wall_clock();
  if (!status) status = t->call.solve(t->mpi, part, &t->options, z, w, &info);
  bool solved = status == NSDS_OK, tried = solved || status == NSDS_ERROR_SOLVER;
  line->seconds = tried ? wall_clock() - start : NAN;
  if (tried && t->call.certify(t->mpi, part, z, w, &certificate) == NSDS_OK) {
    line->outcome = nsds_outcome_text(info.outcome);
    line->iterations = info.iterations;
    line->residual = certificate.residual;
    line->standard = certificate.standard;
    snprintf(line->methods, sizeof line->methods, "%d processes, %lld messages, %lld reductions",
             t->call.size(t->mpi), info.messages, info.reductions);
  }
  if (tried && line->solutions) solved = save_answer(t, held, (int)n, z, w, line) && solved;
  if (!tried) keep_error(line, t->context);
  free(z);
  return solved;
}

static bool solve_together(const team *t, char kind[kind_size], report_line *line) {
  if (strcmp(line->file, "-") == 0)
    return keep_message(line, "nsds solve: - is standard input, which mpirun gives to one process; "
                              "give the name of a file");
  nsds_mpi_file *file = t->call.read(t->mpi, line->file, t->s->from);
  if (!file) {
    if (nsds_error(t->context) == NSDS_ERROR_UNSUPPORTED) line->outcome = "refused";
    return keep_error(line, t->context);
  }
  bool solved = solve_part(t, file, kind, line);
  t->call.file_destroy(file);
  return solved;
}

static int solve_all(const team *t) {
  size_t solved = 0;
  int width = 4;
  for (size_t k = 0; k < t->s->files.count; ++k)
    width = (int)fmax(width, (double)strlen(t->s->files.path[k]));
  if (t->speaks) report_head(t->s->format, width);
  for (size_t k = 0; k < t->s->files.count; ++k) {
    char kind[kind_size];
    report_line line = {.file = t->s->files.path[k],
                        .kind = "",
                        .solver = "",
                        .outcome = "unreadable",
                        .residual = NAN,
                        .standard = NAN,
                        .seconds = NAN,
                        .solutions = t->s->solutions};
    solved += solve_together(t, kind, &line);
    if (t->speaks && line.message) print_message(line.message);
    if (t->speaks) report(t->s->format, width, &line);
    free(line.message);
  }
  return solved == t->s->files.count ? exit_good : exit_failed;
}

int solve_by_processes(const settings *s, int rank, int size) {
  team t = {.s = s, .speaks = rank == 0};
  const char *wrong = wrong_option(s, &t.options);
  if (wrong && t.speaks)
    usage_error("nsds solve",
                "%s does not go with %d processes; valid are --tol, --max-iter, --from, "
                "--from-zero, --format, --solutions, and --option reproducible=1, gather=ROWS and "
                "gather_after=SWEEPS",
                wrong, size);
  if (wrong) return exit_usage;
  if (!find_mpi_calls(&t.call, "nsds solve", rank, size)) return exit_failed;
  t.context = nsds_context_create(&(nsds_context_def){.log = t.speaks ? print_warning : NULL});
  if (t.context) t.mpi = t.call.create(t.context, NULL);
  int code = exit_failed;
  if (t.mpi) code = solve_all(&t);
  else if (t.speaks) complain("nsds solve: %s", nsds_error_message(t.context));
  t.call.destroy(t.mpi);
  nsds_context_destroy(t.context);
  return code;
}
