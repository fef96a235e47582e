/*
 * nsds solve, for a file with a global friction problem.
 */
#include "solve.h"

#include <stdlib.h>
#include <string.h>

bool solve_global(worker *w, const nsds_global_problem *problem, const double *guess,
                  report_line *line) {
  size_t nv = (size_t)problem->nv, n = (size_t)problem->n, p = (size_t)problem->p;
  double *v = calloc(nv + 2 * n + p + nsds_global_work(problem) + 1, sizeof *v);
  if (!v) return keep_message(line, "nsds: out of memory");
  double *r = v + nv, *u = r + n, *lambda = u + n;
  if (guess && n > 0) memcpy(r, guess, n * sizeof *r);
  nsds_solver_info info = {0};
  nsds_status status = nsds_global_check(w->context, problem);
  double start = wall_clock();
  if (!status) status = nsds_global_solve(w->global, problem, v, r, u, lambda, &info);
  bool answered = status == NSDS_OK || status == NSDS_ERROR_SOLVER;
  if (answered) {
    nsds_global_certificate certificate;
    line->seconds = wall_clock() - start;
    nsds_global_certify(problem, v, r, lambda, lambda + p, &certificate);
    line->solver = info.solver;
    line->outcome = nsds_outcome_text(info.outcome);
    line->iterations = info.iterations;
    line->residual = certificate.residual;
    line->standard = certificate.standard;
    keep_methods(line, &info);
  }
  bool good = status == NSDS_OK;
  const named_array found[] = {{"v", v, nv}, {"r", r, n}, {"u", u, n}, {"lambda", lambda, p}};
  if (answered && !write_solution(line, w->context, found, 4)) good = false;
  free(v);
  if (!answered) keep_error(line, w->context);
  return good;
}
