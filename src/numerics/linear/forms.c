/*
 * Explicit forms of a problem's matrix for methods that need entries: built when asked for, kept in
 * the toolbox, rebuilt when the stamp changes. A CSC form whose structure did not change keeps its
 * pattern number, so that symbolic analyses survive new values.
 */
#include "solver_internal.h"

nsds_status nsds_form_reserve_dense(nsds_solver *solver, const nsds_problem *problem) {
  if (problem->M.storage == NSDS_DENSE) return NSDS_OK;
  nsds_dense_form *form = &solver->toolbox->dense;
  size_t count = (size_t)problem->n * (size_t)problem->n;
  return NSDS_HOLD_ONE(&solver->toolbox->store, form->x, count);
}

nsds_status nsds_form_dense(nsds_solver *solver, const nsds_problem *problem, const double **x) {
  if (problem->M.storage == NSDS_DENSE) {
    *x = problem->M.x;
    return NSDS_OK;
  }
  nsds_dense_form *form = &solver->toolbox->dense;
  nsds_status status = nsds_form_reserve_dense(solver, problem);
  if (status) return status;
  *x = form->x;
  if (form->stamp != 0 && form->stamp == problem->M.stamp && form->n == problem->n) return NSDS_OK;
  nsds_problem_to_dense(problem, form->x);
  form->n = problem->n;
  form->stamp = problem->M.stamp;
  return NSDS_OK;
}

static void find_diagonals(nsds_csc_form *form) {
  for (int j = 0; j < form->n; ++j) {
    int k = form->p[j];
    while (form->i[k] != j) ++k;
    form->diagonal[j] = k;
  }
}

static nsds_status build_csc(nsds_solver *solver, const nsds_problem *problem) {
  nsds_store *store = &solver->toolbox->store;
  nsds_csc_form *form = &solver->toolbox->csc;
  size_t n = (size_t)problem->n;
  const nsds_cut rows[] = {NSDS_CUT(form->p, n + 1), NSDS_CUT(form->next_p, n + 1),
                           NSDS_CUT(form->diagonal, n),
                           NSDS_CUT(form->work, nsds_problem_csc_work(problem))};
  nsds_status status = NSDS_HOLD(store, rows);
  if (status) return status;
  bool known = problem->M.storage != NSDS_DENSE && problem->M.pattern != 0 &&
               form->given == problem->M.pattern && form->pattern != 0 && form->n == problem->n;
  if (known) {
    nsds_problem_to_csc(problem, form->p, form->i, form->x, form->work);
    return NSDS_OK;
  }
  form->given = problem->M.pattern;
  nsds_problem_to_csc(problem, form->next_p, NULL, NULL, form->work);
  size_t count = (size_t)form->next_p[n];
  size_t room = nsds_form_room(problem, count, n * n);
  if ((status = NSDS_HOLD_ONE(store, form->i, room))) return status;
  const nsds_cut entries[] = {NSDS_CUT(form->next_i, room), NSDS_CUT(form->x, room)};
  if ((status = NSDS_HOLD(store, entries))) return status;
  nsds_problem_to_csc(problem, form->next_p, form->next_i, form->x, form->work);
  bool same = form->pattern != 0 && form->n == problem->n &&
              memcmp(form->p, form->next_p, (n + 1) * sizeof(int)) == 0 &&
              memcmp(form->i, form->next_i, count * sizeof(int)) == 0;
  if (same) return NSDS_OK;
  memcpy(form->p, form->next_p, (n + 1) * sizeof(int));
  memcpy(form->i, form->next_i, count * sizeof(int));
  form->n = problem->n;
  ++form->pattern;
  find_diagonals(form);
  return NSDS_OK;
}

nsds_status nsds_form_csc(nsds_solver *solver, const nsds_problem *problem,
                          const nsds_csc_form **result) {
  nsds_csc_form *form = &solver->toolbox->csc;
  *result = form;
  if (form->stamp != 0 && form->stamp == problem->M.stamp && form->n == problem->n) return NSDS_OK;
  form->stamp = 0;
  nsds_status status = build_csc(solver, problem);
  if (!status) form->stamp = problem->M.stamp;
  return status;
}

nsds_status nsds_form_view(nsds_solver *solver, const nsds_problem *problem, bool dense,
                           nsds_matrix *view) {
  const nsds_csc_form *csc;
  *view = (nsds_matrix){.storage = dense ? NSDS_DENSE : NSDS_CSC, .n = problem->n};
  if (dense) return nsds_form_dense(solver, problem, &view->x);
  nsds_status status = nsds_form_csc(solver, problem, &csc);
  view->p = csc->p;
  view->i = csc->i;
  view->x = csc->x;
  return status;
}
