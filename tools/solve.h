/*
 * The parts of nsds solve. The command line is in solve.c, one file in solve_file.c and solve_global.c.
 * All files go by several workers (solve_jobs.c), or each by several processes (solve_mpi.c).
 */
#ifndef NSDS_TOOLS_SOLVE_H
#define NSDS_TOOLS_SOLVE_H

#include "command.h"

enum { most_options = 32, most_jobs = 1024 };

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
  nsds_format from;
  bool from_zero; /* guesses are not used */
  double jobs;    /* workers, a whole number */
  file_list files;
} settings;

/* The context and the solvers of a worker, for local and for global problems. */
typedef struct worker {
  nsds_context *context;
  nsds_solver *local;  /* NULL: the method takes global problems only */
  nsds_solver *global; /* a named local solver may be its inner one */
} worker;

/* Makes a worker and returns the exit code. Only the first worker prints messages on a wrong
 * command line. */
int make_worker(const settings *s, worker *w);
void free_worker(worker *w);

/* Reads, solves and certifies a file, into the line. Returns true if it is solved. The time for all
 * files ends at `end`. */
bool solve_file(worker *w, const settings *s, double end, report_line *line);

/* Does the same for a global problem that was read, from r = `guess`, NULL: from zero. */
bool solve_global(worker *w, const nsds_global_problem *problem, const double *guess,
                  report_line *line);

/* Solves all files, each by all processes together; `rank` is that of this one. Returns the exit
 * code. */
int solve_by_processes(const settings *s, int rank, int size);

/* Solves all files with several workers; the lines come in order. Returns the exit code. */
int solve_files(const settings *s);

#endif
