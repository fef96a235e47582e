/*
 * Linear systems with M + B, see block_system.h. The rows of a block are consecutive, so that in a
 * column of the pattern, rows increasing, the entries of its block of B are consecutive too.
 */
#include "block_system.h"

/* ---- the blocks of B ---- */

/* Fills first and size; false when they were the same before. */
static bool mark_blocks(nsds_block_system *system, const nsds_problem *problem, unsigned coupled) {
  unsigned differs = 0;
  for (int a = 0, row = 0; a < problem->nblock; ++a) {
    int m = problem->block[a].size, begin = row;
    bool whole = (problem->block[a].set & coupled) != 0;
    for (; row < begin + m; ++row) {
      int first = whole ? begin : row, size = whole ? m : 1;
      differs |= (unsigned)(system->first[row] != first) | (unsigned)(system->size[row] != size);
      system->first[row] = first;
      system->size[row] = size;
    }
  }
  return differs != 0;
}

/* ---- pattern ---- */

/* Column j: the rows of M and those of the block, both increasing. */
static int merge_column(nsds_block_system *system, const nsds_csc_form *form, int j, int count) {
  int row = system->first[j], end = row + system->size[j], k = form->p[j];
  while (k < form->p[j + 1] || row < end) {
    int next = k < form->p[j + 1] ? form->i[k] : system->n;
    if (row < end && row < next) next = row;
    if (next == system->first[j]) system->place[j] = count;
    if (k < form->p[j + 1] && form->i[k] == next) ++k;
    if (row < end && row == next) ++row;
    system->i[count++] = next;
  }
  return count;
}

static nsds_status make_pattern(nsds_block_system *system, nsds_context *context,
                                const nsds_csc_form *form) {
  size_t n = (size_t)system->n, most = (size_t)form->p[n];
  for (size_t j = 0; j < n; ++j) most += (size_t)system->size[j];
  nsds_status status = NSDS_ENSURE(context, system->p, system->p_capacity, n + 1);
  if (!status) status = NSDS_ENSURE(context, system->i, system->i_capacity, most);
  if (!status) status = NSDS_ENSURE(context, system->base, system->base_capacity, most);
  if (!status) status = NSDS_ENSURE(context, system->value, system->value_capacity, most);
  if (status) return status;
  int count = 0;
  for (int j = 0; j < system->n; ++j) {
    system->p[j] = count;
    count = merge_column(system, form, j, count);
  }
  system->p[n] = count;
  system->source = form->pattern;
  ++system->pattern;
  system->stamp = 0;
  return NSDS_OK;
}

/* ---- reserve ---- */

static nsds_status reserve_dense(nsds_block_system *system, nsds_context *context) {
  size_t count = (size_t)system->n * (size_t)system->n;
  nsds_status status = NSDS_ENSURE(context, system->base, system->base_capacity, count);
  if (!status) status = NSDS_ENSURE(context, system->value, system->value_capacity, count);
  if (!status) status = nsds_cholesky_reserve_dense(system->cholesky, system->n);
  if (!status) status = nsds_factor_reserve_dense(system->factor, system->n);
  for (int j = 0; !status && j < system->n; ++j)
    system->place[j] = system->first[j] + j * system->n;
  return status;
}

nsds_status nsds_block_system_reserve(nsds_block_system *system, nsds_solver *solver,
                                      const nsds_problem *problem, unsigned coupled) {
  nsds_context *context = solver->context;
  size_t n = (size_t)problem->n;
  const nsds_csc_form *form = NULL;
  nsds_status status = NSDS_OK;
  if (!system->factor && !(system->factor = nsds_factor_create(context))) return NSDS_ERROR_MEMORY;
  if (!system->cholesky && !(system->cholesky = nsds_cholesky_create(context)))
    return NSDS_ERROR_MEMORY;
  if ((status = NSDS_ENSURE(context, system->first, system->first_capacity, n)) ||
      (status = NSDS_ENSURE(context, system->size, system->size_capacity, n)) ||
      (status = NSDS_ENSURE(context, system->place, system->place_capacity, n)) ||
      (status = NSDS_ENSURE(context, system->next, system->next_capacity, n)))
    return status;
  if (problem->M.storage != NSDS_DENSE) status = nsds_form_csc(solver, problem, &form);
  if (status) return status;
  bool dense = !form || nsds_better_dense(problem->n, form->p[n], nsds_dense_limit);
  bool differs = mark_blocks(system, problem, coupled);
  if (dense != system->dense || problem->n != system->n) system->stamp = system->source = 0;
  system->dense = dense;
  system->n = problem->n;
  if (dense) return reserve_dense(system, context);
  if (!differs && system->source == form->pattern) return NSDS_OK;
  return make_pattern(system, context, form);
}

/* ---- values ---- */

static void load_dense(nsds_block_system *system, const nsds_csc_form *form,
                       const nsds_problem *problem) {
  size_t n = (size_t)system->n;
  if (!form) {
    memcpy(system->base, problem->M.x, n * n * sizeof *system->base);
    return;
  }
  memset(system->base, 0, n * n * sizeof *system->base);
  for (size_t j = 0; j < n; ++j)
    for (int k = form->p[j]; k < form->p[j + 1]; ++k)
      system->base[(size_t)form->i[k] + j * n] = form->x[k];
}

static void load_sparse(nsds_block_system *system, const nsds_csc_form *form) {
  for (int j = 0, from = 0; j < system->n; ++j)
    for (int k = system->p[j]; k < system->p[j + 1]; ++k) {
      bool there = from < form->p[j + 1] && form->i[from] == system->i[k];
      system->base[k] = there ? form->x[from++] : 0.0;
    }
}

/* ---- symmetry ---- */

/* Differences of mirror images up to this part of the diagonal entries between them are the
 * rounding of whoever made M; what they do to a solution lies below every residual asked for. */
static const double asymmetry = 1e-12;

static bool mirror_images(const nsds_block_system *system, int i, int j, double a, double b) {
  if (a == b) return true;
  const double *x = system->base;
  size_t ii = (size_t)(system->place[i] + i - system->first[i]);
  size_t jj = (size_t)(system->place[j] + j - system->first[j]);
  return fabs(a - b) <= asymmetry * sqrt(fabs(x[ii] * x[jj]));
}

static bool is_symmetric_dense(const nsds_block_system *system) {
  size_t n = (size_t)system->n;
  for (size_t j = 0; j < n; ++j)
    for (size_t i = j + 1; i < n; ++i)
      if (!mirror_images(system, (int)i, (int)j, system->base[i + j * n], system->base[j + i * n]))
        return false;
  return true;
}

/* Row j of the upper triangle is met in the order of its columns, each column's entries in the
 * order of its rows: next[i] is the first entry of column i not met. */
static bool is_symmetric_sparse(const nsds_block_system *system) {
  for (int j = 0; j < system->n; ++j) system->next[j] = system->p[j];
  for (int j = 0; j < system->n; ++j) {
    int k = system->next[j];
    if (k < system->p[j + 1] && system->i[k] < j) return false; /* without its mirror image */
    for (; k < system->p[j + 1]; ++k) {
      int i = system->i[k];
      if (i == j) continue;
      int mirror = system->next[i]++;
      if (mirror >= system->p[i + 1] || system->i[mirror] != j) return false;
      if (!mirror_images(system, i, j, system->base[k], system->base[mirror])) return false;
    }
  }
  return true;
}

static size_t entries(const nsds_block_system *system) {
  return system->dense ? (size_t)system->n * (size_t)system->n : (size_t)system->p[system->n];
}

void nsds_block_system_start(nsds_block_system *system, const nsds_solver *solver,
                             const nsds_problem *problem) {
  if (problem->n == 0) return;
  if (system->stamp == 0 || system->stamp != problem->M.stamp) {
    const nsds_csc_form *form = &solver->toolbox->csc;
    if (!system->dense) load_sparse(system, form);
    else load_dense(system, problem->M.storage == NSDS_DENSE ? NULL : form, problem);
    system->symmetric =
        problem->M.symmetric || (system->dense ? is_symmetric_dense : is_symmetric_sparse)(system);
    system->stamp = problem->M.stamp;
  }
  memcpy(system->value, system->base, entries(system) * sizeof *system->value);
}

void nsds_block_system_add(nsds_block_system *system, int row, double value) {
  system->value[system->place[row] + row - system->first[row]] += value;
}

void nsds_block_system_add_entry(nsds_block_system *system, int row, int column, double value) {
  system->value[system->place[column] + row - system->first[column]] += value;
}

void nsds_block_system_add_block(nsds_block_system *system, int first, int m, const double *block) {
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < m; ++i) system->value[system->place[first + j] + i] += block[i + j * m];
}

static nsds_status factor_definite(nsds_block_system *system) {
  if (system->dense) return nsds_cholesky_dense(system->cholesky, system->n, system->value);
  return nsds_cholesky_csc(system->cholesky, system->n, system->p, system->i, system->value,
                           system->pattern);
}

nsds_status nsds_block_system_factor(nsds_block_system *system, bool symmetric) {
  system->by_cholesky =
      symmetric && system->symmetric && (system->dense || nsds_cholesky_is_sparse());
  nsds_status status = system->by_cholesky ? factor_definite(system) : NSDS_ERROR_SINGULAR;
  if (status != NSDS_ERROR_SINGULAR) return status;
  system->by_cholesky = false;
  if (system->dense) return nsds_factor_dense(system->factor, system->n, system->value);
  return nsds_factor_csc(system->factor, system->n, system->p, system->i, system->value,
                         system->pattern);
}

void nsds_block_system_solve(nsds_block_system *system, double *x) {
  if (system->by_cholesky) nsds_cholesky_solve(system->cholesky, x);
  else nsds_factor_solve(system->factor, 1, x);
}

void nsds_block_system_release(nsds_block_system *system, nsds_context *context) {
  nsds_factor_destroy(system->factor);
  nsds_cholesky_destroy(system->cholesky);
  void *memory[] = {system->base,  system->value, system->p,     system->i,
                    system->first, system->size,  system->place, system->next};
  for (size_t k = 0; k < sizeof memory / sizeof *memory; ++k) nsds_release(context, memory[k]);
}
