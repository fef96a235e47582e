/*
 * M + P, see shifted_matrix.h.
 */
#include "shifted_matrix.h"

nsds_status nsds_shifted_open(nsds_shifted_matrix *s, nsds_solver *solver,
                              const nsds_problem *problem) {
  nsds_context *context = solver->context;
  bool dense = problem->M.storage == NSDS_DENSE;
  size_t n = (size_t)problem->n;
  nsds_status status = nsds_form_view(solver, problem, dense, &s->M);
  if (status) return status;
  size_t count = dense ? n * n : (size_t)s->M.p[n], pattern = dense ? 0 : count;
  if ((status = NSDS_ENSURE(context, s->x, s->x_capacity, count)) ||
      (status = NSDS_ENSURE(context, s->i, s->i_capacity, pattern)) ||
      (status = NSDS_ENSURE(context, s->p, s->p_capacity, n + 1)) ||
      (status = NSDS_ENSURE(context, s->place, s->place_capacity, n)) ||
      (status = NSDS_ENSURE(context, s->base, s->base_capacity, n)))
    return status;
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

void nsds_shifted_release(nsds_shifted_matrix *shifted, nsds_context *context) {
  nsds_release(context, shifted->x);
  nsds_release(context, shifted->p);
  nsds_release(context, shifted->i);
  nsds_release(context, shifted->place);
  nsds_release(context, shifted->base);
}
