/*
 * Explicit forms of a problem's matrix, for methods that need entries. A form is built on demand,
 * kept in the toolbox, and rebuilt if the stamp changes. A CSC form with unchanged structure keeps
 * its pattern number, so that symbolic analyses survive new values.
 */
#include "numerics/linear/forms.h"

#include "base/context.h"
#include "numerics/solver_internal.h"
#include "numerics/store.h"

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

static bool may_form(nsds_allowance *a, size_t bytes) {
  a->formed = (double)bytes;
  if (!(a->bytes > 0.0) || a->formed <= a->bytes) return true;
  return !nsds_allowance_refuse(a, false);
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
  if (!may_form(store->allowance, count * (2 * sizeof(int) + sizeof(double))))
    return NSDS_ERROR_SINGULAR; /* like factors that may not begin */
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

/*
 * ---- block rows ----
 *
 * Block rows of M, cut as a block method asks. Other storages go by way of their CSC form. The
 * result is kept while stamp and cuts stay the same. Three passes over the entries, by block
 * columns, count the blocks of each block row, number them, and write their values.
 */

static nsds_status open_blocks(nsds_block_form *form, nsds_store *store, int n, int nb,
                               const int *row) {
  size_t count = (size_t)nb;
  const nsds_cut cut[] = {NSDS_CUT(form->row, count + 1), NSDS_CUT(form->first, count + 1),
                          NSDS_CUT(form->mark, count), NSDS_CUT(form->next, count),
                          NSDS_CUT(form->block_of, n)};
  nsds_status status = NSDS_HOLD(store, cut);
  if (status) return status;
  memcpy(form->row, row, (count + 1) * sizeof *form->row);
  for (int a = 0; a < nb; ++a)
    for (int i = row[a]; i < row[a + 1]; ++i) form->block_of[i] = a;
  return NSDS_OK;
}

/* Counts the blocks of block row a in next[a], or writes their columns there. */
static void meet_blocks(nsds_block_form *form, const nsds_csc_form *f, int nb, bool write) {
  for (int a = 0; a < nb; ++a) form->mark[a] = -1;
  for (int b = 0; b < nb; ++b)
    for (int k = f->p[form->row[b]]; k < f->p[form->row[b + 1]]; ++k) {
      int a = form->block_of[f->i[k]];
      if (form->mark[a] == b) continue;
      form->mark[a] = b;
      if (write) form->column[form->next[a]] = b;
      ++form->next[a];
    }
}

/* Computes where the values of each block begin; returns their number. */
static size_t place_blocks(nsds_block_form *form, int nb) {
  size_t count = 0;
  for (int a = 0; a < nb; ++a)
    for (int k = form->first[a]; k < form->first[a + 1]; ++k) {
      int b = form->column[k];
      form->start[k] = (int)count;
      count +=
          (size_t)(form->row[a + 1] - form->row[a]) * (size_t)(form->row[b + 1] - form->row[b]);
    }
  return count;
}

/* Writes the values. In block row a, block column b belongs to the first block not before b. */
static void write_values(nsds_block_form *form, const nsds_csc_form *f, int nb) {
  const int *row = form->row;
  memcpy(form->next, form->first, (size_t)nb * sizeof *form->next);
  for (int b = 0; b < nb; ++b)
    for (int j = row[b]; j < row[b + 1]; ++j)
      for (int k = f->p[j]; k < f->p[j + 1]; ++k) {
        int a = form->block_of[f->i[k]], m = row[a + 1] - row[a];
        while (form->column[form->next[a]] < b) ++form->next[a];
        form->x[form->start[form->next[a]] + (f->i[k] - row[a]) + (j - row[b]) * m] = f->x[k];
      }
}

static nsds_status build(nsds_solver *solver, const nsds_problem *problem, int nb, const int *row) {
  nsds_store *store = &solver->toolbox->store;
  nsds_block_form *form = &solver->toolbox->blocks;
  const nsds_csc_form *csc;
  nsds_status status = nsds_form_csc(solver, problem, &csc);
  if (!status) status = open_blocks(form, store, problem->n, nb, row);
  if (status) return status;
  for (int a = 0; a < nb; ++a) form->next[a] = 0;
  meet_blocks(form, csc, nb, false);
  form->first[0] = 0;
  for (int a = 0; a < nb; ++a) form->first[a + 1] = form->first[a] + form->next[a];
  size_t blocks = (size_t)form->first[nb], rows = (size_t)problem->n;
  size_t room = nsds_form_room(problem, blocks, (size_t)nb * (size_t)nb);
  const nsds_cut cut[] = {NSDS_CUT(form->column, room), NSDS_CUT(form->start, room)};
  if ((status = NSDS_HOLD(store, cut))) return status;
  memcpy(form->next, form->first, (size_t)nb * sizeof *form->next);
  meet_blocks(form, csc, nb, true);
  size_t count = place_blocks(form, nb);
  if (count > INT32_MAX)
    return nsds_fail(
        store->context, NSDS_ERROR_SIZE,
        "nsds_solve: the block rows of M would hold %zu values; at most %d are possible", count,
        INT32_MAX);
  if ((status = NSDS_HOLD_ONE(store, form->x, nsds_form_room(problem, count, rows * rows))))
    return status;
  memset(form->x, 0, count * sizeof *form->x);
  write_values(form, csc, nb);
  form->rows = (nsds_block_rows){nb, form->row, form->first, form->column, form->start, form->x};
  return NSDS_OK;
}

static bool same_cuts(const nsds_block_rows *B, int nrow_block, const int *row) {
  return B->nrow_block == nrow_block &&
         memcmp(B->row, row, ((size_t)nrow_block + 1) * sizeof *row) == 0;
}

nsds_status nsds_form_block_rows(nsds_solver *solver, const nsds_problem *problem, int nrow_block,
                                 const int *row, const nsds_block_rows **result) {
  nsds_block_form *form = &solver->toolbox->blocks;
  uint64_t stamp = problem->M.stamp;
  if (problem->M.storage == NSDS_BLOCK_ROWS && same_cuts(problem->M.blocks, nrow_block, row)) {
    *result = problem->M.blocks;
    return NSDS_OK;
  }
  *result = &form->rows;
  if (form->stamp != 0 && form->stamp == stamp && same_cuts(&form->rows, nrow_block, row))
    return NSDS_OK;
  form->stamp = 0;
  nsds_status status = build(solver, problem, nrow_block, row);
  if (!status) form->stamp = stamp;
  return status;
}
