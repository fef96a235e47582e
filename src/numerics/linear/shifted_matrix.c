/*
 * M + P, see shifted_matrix.h.
 */
#include "shifted_matrix.h"

static nsds_status open_dense(nsds_shifted_matrix *s, nsds_context *context, const nsds_matrix *M) {
  size_t n = (size_t)M->n;
  nsds_status status = NSDS_ENSURE(context, s->x, s->x_capacity, n * n);
  if (status || n == 0) return status;
  memcpy(s->x, M->x, n * n * sizeof *s->x);
  for (size_t j = 0; j < n; ++j) s->place[j] = j * (n + 1);
  s->M.x = s->x;
  return NSDS_OK;
}

static nsds_status open_factored(nsds_shifted_matrix *s, nsds_context *context,
                                 const nsds_matrix *M) {
  const nsds_factored *f = M->factored;
  size_t count = 0;
  for (int a = 0; a < f->nrow_block; ++a) {
    size_t m = (size_t)(f->row[a + 1] - f->row[a]);
    for (size_t i = 0; i < m; ++i) s->place[(size_t)f->row[a] + i] = count + i * (m + 1);
    count += m * m;
  }
  nsds_status status = NSDS_ENSURE(context, s->x, s->x_capacity, count);
  if (!status) status = NSDS_ENSURE(context, s->D, s->D_capacity, f->nrow_block);
  if (status) return status;
  double *D = s->x;
  for (int a = 0; a < f->nrow_block; ++a) {
    size_t m = (size_t)(f->row[a + 1] - f->row[a]);
    bool given = f->D && f->D[a];
    for (size_t k = 0; k < m * m; ++k) D[k] = given ? f->D[a][k] : 0.0;
    s->D[a] = D;
    D += m * m;
  }
  s->factored = *f;
  s->factored.D = s->D;
  s->M.factored = &s->factored;
  return NSDS_OK;
}

static nsds_status open_csc(nsds_shifted_matrix *s, nsds_solver *solver,
                            const nsds_problem *problem) {
  const nsds_csc_form *form;
  nsds_context *context = solver->context;
  size_t n = (size_t)problem->n;
  nsds_status status = nsds_form_csc(solver, problem, &form);
  if (status) return status;
  size_t count = (size_t)form->p[n];
  if ((status = NSDS_ENSURE(context, s->x, s->x_capacity, count)) ||
      (status = NSDS_ENSURE(context, s->i, s->i_capacity, count)) ||
      (status = NSDS_ENSURE(context, s->p, s->p_capacity, n + 1)))
    return status;
  memcpy(s->p, form->p, (n + 1) * sizeof *s->p);
  for (size_t k = 0; k < count; ++k) {
    s->i[k] = form->i[k];
    s->x[k] = form->x[k];
  }
  for (size_t j = 0; j < n; ++j) s->place[j] = (size_t)form->diagonal[j];
  s->M.storage = NSDS_CSC;
  s->M.x = s->x;
  s->M.p = s->p;
  s->M.i = s->i;
  return NSDS_OK;
}

nsds_status nsds_shifted_open(nsds_shifted_matrix *shifted, nsds_solver *solver,
                              const nsds_problem *problem) {
  nsds_context *context = solver->context;
  const nsds_matrix *M = &problem->M;
  size_t n = (size_t)problem->n;
  nsds_status status = NSDS_ENSURE(context, shifted->place, shifted->place_capacity, n);
  if (!status) status = NSDS_ENSURE(context, shifted->base, shifted->base_capacity, n);
  if (status) return status;
  shifted->M = (nsds_matrix){.storage = M->storage, .n = M->n, .symmetric = M->symmetric};
  if (M->storage == NSDS_DENSE) status = open_dense(shifted, context, M);
  else if (M->storage == NSDS_FACTORED) status = open_factored(shifted, context, M);
  else status = open_csc(shifted, solver, problem);
  for (size_t j = 0; !status && j < n; ++j) shifted->base[j] = shifted->x[shifted->place[j]];
  return status;
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
  nsds_release(context, shifted->D);
  nsds_release(context, shifted->place);
  nsds_release(context, shifted->base);
}
