/*
 * Linear systems with M + B, see block_system.h. Rows of a block are consecutive, and rows increase
 * in each column of the pattern. So entries of a block of B are consecutive in a column too.
 */
#include "numerics/linear/block_system.h"

#include "base/union_find.h"
#include "numerics/linear/factor.h"
#include "numerics/linear/factor_dense.h"
#include "numerics/linear/forms.h"
#include "numerics/linear/quasidefinite.h"
#include "numerics/solver_internal.h"
#include "numerics/store.h"

/* ---- the blocks of B ---- */

/* Fills first and size; false if they have not changed. */
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

/* Merges the rows of M in column j with the rows of the block; both increase. */
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

static nsds_status make_pattern(nsds_block_system *system, nsds_store *store,
                                const nsds_problem *problem, const nsds_csc_form *form) {
  size_t n = (size_t)system->n, most = (size_t)form->p[n];
  for (size_t j = 0; j < n; ++j) most += (size_t)system->size[j];
  most = nsds_form_room(problem, most, n * n);
  const nsds_cut cut[] = {NSDS_CUT(system->i, most), NSDS_CUT(system->base, most),
                          NSDS_CUT(system->value, most)};
  nsds_status status = NSDS_HOLD(store, cut);
  if (status) return status;
  int count = 0;
  for (int j = 0; j < system->n; ++j) {
    system->p[j] = count;
    count = merge_column(system, form, j, count);
  }
  system->p[n] = count;
  system->source = form->pattern;
  ++system->pattern;
  system->loaded = false;
  return NSDS_OK;
}

/* ---- reserve ---- */

nsds_status nsds_block_system_reserve(nsds_block_system *system, nsds_solver *solver,
                                      const nsds_problem *problem, unsigned coupled) {
  nsds_store *store = &solver->store;
  size_t n = (size_t)problem->n;
  const nsds_csc_form *form;
  const nsds_cut cut[] = {NSDS_CUT(system->first, n),   NSDS_CUT(system->size, n),
                          NSDS_CUT(system->place, n),   NSDS_CUT(system->next, n),
                          NSDS_CUT(system->p, n + 1),   NSDS_CUT(system->sign, n),
                          NSDS_CUT(system->side, 2 * n)};
  nsds_status status = NSDS_HOLD(store, cut);
  if (!status) status = nsds_factor_hold(store, &system->factor);
  if (!status) status = nsds_form_csc(solver, problem, &form);
  if (status) return status;
  bool differs = mark_blocks(system, problem, coupled);
  if (problem->M.stamp == 0 || problem->M.stamp != system->stamp) system->loaded = false;
  if (problem->n != system->n) system->source = 0;
  system->n = problem->n;
  system->dense = nsds_better_dense(problem->n, form->p[n], nsds_dense_limit);
  if (system->dense) status = nsds_factor_reserve_dense(system->factor, system->n);
  if (status || (!differs && system->source == form->pattern)) return status;
  return make_pattern(system, store, problem, form);
}

/* ---- values ---- */

static void block_system_load(nsds_block_system *system, const nsds_csc_form *form) {
  for (int j = 0, from = 0; j < system->n; ++j)
    for (int k = system->p[j]; k < system->p[j + 1]; ++k) {
      bool there = from < form->p[j + 1] && form->i[from] == system->i[k];
      system->base[k] = there ? form->x[from++] : 0.0;
    }
}

/* ---- symmetry ---- */

/* Mirror images that differ by up to this part of their diagonal entries count as equal. The
 * difference is rounding of M's author, with an effect below every residual asked for. */
static const double asymmetry = 1e-12;

static bool mirror_images(nsds_block_system *system, int i, int j, double a, double b) {
  if (a == b) return true;
  const double *x = system->base;
  size_t ii = (size_t)(system->place[i] + i - system->first[i]);
  size_t jj = (size_t)(system->place[j] + j - system->first[j]);
  return fabs(a - b) <= asymmetry * sqrt(fabs(x[ii] * x[jj]));
}

/* Returns true if signs may make a and b mirror images; joins the rows accordingly. */
static bool are_by_signs(nsds_block_system *s, int i, int j, double a, double b) {
  double rounding = asymmetry * fmax(fabs(a), fabs(b));
  bool same = fabs(a - b) <= rounding, other = fabs(a + b) <= rounding;
  if (same && other) return true;
  nsds_unite(s->side, i, same ? j : s->n + j);
  nsds_unite(s->side, s->n + i, same ? s->n + j : j);
  return same || other;
}

/* Calls `pair` for each entry and its mirror image, 0 if there is none. next[i] follows the entries
 * of column i that have been met. */
static bool each_pair(nsds_block_system *s,
                      bool (*pair)(nsds_block_system *s, int i, int j, double a, double b)) {
  for (int j = 0; j < s->n; ++j) s->next[j] = s->p[j];
  for (int j = 0; j < s->n; ++j)
    for (int k = s->next[j]; k < s->p[j + 1]; ++k) {
      int i = s->i[k], *at = &s->next[i], end = s->p[i + 1];
      double other = 0.0;
      if (i == j) continue;
      for (; i > j && *at < end && s->i[*at] < j; ++*at)
        if (!pair(s, s->i[*at], i, s->base[*at], 0.0)) return false;
      if (i > j && *at < end && s->i[*at] == j) other = s->base[(*at)++];
      if (!pair(s, i, j, s->base[k], other)) return false;
    }
  return true;
}

/* Finds signs that make M symmetric; false if there are none. */
static bool find_signs(nsds_block_system *s) {
  for (int k = 0; k < 2 * s->n; ++k) s->side[k] = k;
  for (int k = 0; k < s->n; ++k) {
    nsds_unite(s->side, k, s->first[k]);
    nsds_unite(s->side, s->n + k, s->n + s->first[k]);
  }
  if (!each_pair(s, are_by_signs)) return false;
  for (int k = 0; k < s->n; ++k) {
    int plus = nsds_root(s->side, k), minus = nsds_root(s->side, s->n + k);
    if (plus == minus) return false;
    s->sign[k] = plus < minus ? 1 : -1;
  }
  return true;
}

void nsds_block_system_start(nsds_block_system *system, const nsds_solver *solver,
                             const nsds_problem *problem) {
  if (problem->n == 0) return;
  if (!system->loaded) {
    block_system_load(system, &solver->toolbox->csc);
    system->symmetric = problem->M.symmetric || each_pair(system, mirror_images);
    system->by_signs = !system->symmetric && !system->dense && find_signs(system);
    system->stamp = problem->M.stamp;
    system->loaded = true;
  }
  memcpy(system->value, system->base, (size_t)system->p[system->n] * sizeof *system->value);
}

nsds_status nsds_block_system_factor(nsds_block_system *s, bool symmetric) {
  nsds_status status = NSDS_ERROR_SINGULAR;
  if (symmetric && s->by_signs)
    status = nsds_quasidefinite_csc(s->factor, s->n, s->p, s->i, s->value, s->sign, s->pattern);
  for (int definite = symmetric && s->symmetric; status == NSDS_ERROR_SINGULAR && definite >= 0;
       --definite)
    status =
        nsds_factor_columns(s->factor, s->dense, definite, s->n, s->p, s->i, s->value, s->pattern);
  return status;
}

void nsds_block_system_solve(nsds_block_system *system, double *x) {
  nsds_factor_solve(system->factor, 1, x);
}
