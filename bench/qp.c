/*
 * Convex quadratic programmes (qp.h) by `auto`, or by the method in NSDS_METHOD.
 *
 *   qp FAMILY FIRST LAST LEAST MOST TOLERANCE
 *   qp FILE.QPS... TOLERANCE
 *
 * prints a line for each seed: family, seed, variables, rows of A, seconds of the processor, steps, the
 * error by the yardstick of qp.h, and the methods with the number of factorisations. Families are those
 * of qp.h and qp_hard.h. For files the line begins with the name and 0.
 */
#include "qp_file.h"
#include "qp_known.h"
#include "qp_problem.h"

#include <time.h>

static void solve(const qp *p, double tolerance, qp_answer *answer) {
  static char name[256];
  qp_problem t;
  qp_problem_make(&t, p);
  double *z = qp_numbers(t.problem.n), *w = qp_numbers(t.problem.n);
  nsds_context *context = nsds_context_create(NULL);
  answer->seconds = INFINITY;
  for (int run = 0; run < 3; ++run) {
    nsds_solver_info info = {0};
    nsds_solver *solver = nsds_solver_create(context, getenv("NSDS_METHOD"));
    nsds_solver_set(solver, "tolerance", tolerance);
    nsds_solver_set(solver, "time_limit", getenv("NSDS_TIME") ? atof(getenv("NSDS_TIME")) : 30.0);
    memset(z, 0, (size_t)t.problem.n * sizeof *z);
    clock_t begin = clock();
    (void)nsds_solve(solver, &t.problem, z, w, &info); /* the yardstick judges */
    answer->seconds = fmin(answer->seconds, (double)(clock() - begin) / CLOCKS_PER_SEC);
    answer->steps = info.iterations;
    snprintf(name, sizeof name, "%s(%d)", info.path[0] ? info.path : info.solver,
             info.factorizations);
    for (char *c = name; *c; ++c)
      if (*c == ' ') *c = '_';
    nsds_solver_destroy(solver);
    if (answer->seconds > 1.0) break;
  }
  answer->by = name;
  memcpy(answer->x, z, (size_t)p->n * sizeof *z);
  memcpy(answer->y, z + p->n, (size_t)p->m * sizeof *z);
  nsds_context_destroy(context);
  qp_problem_free(&t);
  free(z);
  free(w);
}

/* Solves the files; fails if one cannot be read. */
static int solve_files(int count, char **path, double tolerance) {
  int unread = 0;
  for (int k = 0; k < count; ++k) {
    const char *name = strrchr(path[k], '/') ? strrchr(path[k], '/') + 1 : path[k];
    qp p;
    if (!qp_read(&p, path[k])) {
      fprintf(stderr, "%s: cannot be read\n", path[k]);
      ++unread;
      continue;
    }
    qp_print(&p, name, 0, tolerance, solve);
    qp_free(&p);
  }
  return unread > 0;
}

int main(int argc, char **argv) {
  bool files = argc > 2 && strchr(argv[1], '.');
  if (files) return solve_files(argc - 2, argv + 1, atof(argv[argc - 1]));
  return qp_main(argc, argv, qp_any_draw, solve);
}
