/*
 * M + P, see shifted_matrix.h.
 */
#include "shifted_matrix.h"

nsds_status nsds_shifted_open(nsds_shifted_matrix *s, nsds_solver *solver,
                              const nsds_problem *problem) {
  bool dense = problem->M.storage == NSDS_DENSE;
  size_t n = (size_t)problem->n;
  nsds_status status = nsds_form_view(solver, problem, dense, &s->M);
  if (status) return status;
  size_t count = dense ? n * n : (size_t)s->M.p[n], pattern = dense ? 0 : count;
  const nsds_cut cut[] = {NSDS_CUT(s->x, count), NSDS_CUT(s->place, n), NSDS_CUT(s->base, n),
                          NSDS_CUT(s->i, pattern), NSDS_CUT(s->p, n + 1)};
  if ((status = NSDS_HOLD(&solver->store, cut))) return status;
  for (size_t k = 0; k < count; ++k) s->x[k] = s->M.x[k];
  for (size_t k = 0; k < pattern; ++k) s->i[k] = s->M.i[k];
  for (size_t j = 0; j <= n && !dense; ++j) s->p[j] = s->M.p[j];
  for (size_t j = 0; j < n; ++j) {
    s->place[j] = dense ? j * (n + 1) : (size_t)solver->toolbox->csc.diagonal[j];
    s->base[j] = s->x[s->place[j]];
  }
  s->M.x = s->x;
  s->M.p = s->p;
  s->M.i = s->i;
  s->M.symmetric = problem->M.symmetric;
  return NSDS_OK;
}

void nsds_shifted_set(nsds_shifted_matrix *shifted, nsds_toolbox *toolbox, const double *P) {
  for (int j = 0; j < shifted->M.n; ++j) shifted->x[shifted->place[j]] = shifted->base[j] + P[j];
  shifted->M.pattern = 0;
  shifted->M.stamp = nsds_private_stamp(toolbox);
}
