/*
 * Memory of the slots, in a pool of numbers and a pool of indices. Two passes run over the same
 * code: NULL bases count, then real bases place pointers. This file also merges the sparsity
 * patterns of the iteration matrices and places the arrays of the states.
 */
#include "kernel/assembly/layout.h"

#include "base/context.h"
#include "kernel/assembly/plan.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/shape_column.h"
#include "numerics/linear/factor.h"
#include "numerics/linear/factor_dense.h"
#include "numerics/linear/matrix.h"

typedef struct layout {
  double *numbers;
  int *indices;
  size_t nnumber, nindex;
} layout;

static double *layout_take(layout *l, size_t count) {
  double *at = l->numbers ? l->numbers + l->nnumber : NULL;
  l->nnumber += count;
  return at;
}

static int *take_indices(layout *l, size_t count) {
  int *at = l->indices ? l->indices + l->nindex : NULL;
  l->nindex += count;
  return at;
}

static bool is_identity(const nsds_matrix_shape *shape, int n) {
  bool identity = shape->p && shape->p[n] == n;
  for (int k = 0; identity && k < n; ++k) identity = shape->p[k] == k && shape->i[k] == k;
  return identity;
}

/* Returns the pattern of the matrices of a second-order system if all are diagonal; else NULL. */
static const nsds_matrix_shape *layout_find_diagonal(const nsds_ds *ds) {
  const nsds_matrix_shape *shape[] = {&ds->mass, &ds->damping, &ds->stiffness}, *found = NULL;
  if (!nsds_is_second_order(ds)) return NULL;
  for (int s = 0; s < 3; ++s) {
    if (!shape[s]->present) continue;
    if (!is_identity(shape[s], ds->nv)) return NULL;
    found = shape[s];
  }
  return found;
}

static bool is_sparse(const nsds_ds *ds) {
  return (ds->mass.present && ds->mass.p) || (ds->damping.present && ds->damping.p) ||
         (ds->stiffness.present && ds->stiffness.p);
}

static void place_slot(layout *l, double *gain, nsds_slot *slot) {
  const nsds_ds *ds = slot->ds;
  int n = slot->nv;
  size_t m = ds->mass.present ? nsds_value_count(ds->mass.p, n) : 0;
  size_t c = ds->damping.present ? nsds_value_count(ds->damping.p, n) : 0;
  size_t k = ds->stiffness.present ? nsds_value_count(ds->stiffness.p, n) : 0;
  size_t vector = (size_t)n, longer = (size_t)(ds->nq > n ? ds->nq : n);
  slot->M = ds->mass.present ? layout_take(l, m > 0 ? m : 1) : NULL; /* without: the identity */
  slot->C = c > 0 ? layout_take(l, c) : NULL;
  slot->K = k > 0 ? layout_take(l, k) : NULL;
  const nsds_matrix_shape *diagonal = layout_find_diagonal(ds);
  bool sparse = is_sparse(ds) && !diagonal;
  /* W = M needs no matrix of its own */
  bool alone = ds->mass.constant && m > 0 && c == 0 && k == 0 && ds->prescribed.n == 0 && !sparse;
  slot->W = alone      ? slot->M
            : diagonal ? layout_take(l, vector)
            : sparse   ? layout_take(l, m + c + k + vector)
                       : layout_take(l, vector * vector);
  slot->pattern.diagonal = diagonal != NULL;
  slot->pattern.p = diagonal ? diagonal->p : NULL;
  slot->pattern.i = diagonal ? diagonal->i : NULL;
  slot->increment = slot->is.drifting ? layout_take(l, vector) : NULL;
  slot->on.force = layout_take(l, vector);
  slot->on.force_end = layout_take(l, vector);
  slot->on.residual = slot->on.affine ? NULL : layout_take(l, vector);
  slot->scratch = layout_take(l, longer);
  bool full = nsds_is_second_order(ds) && !ds->mass.constant && n > 1 && m > 0 &&
              !is_identity(&ds->mass, n);
  slot->definite.scaled = full ? layout_take(l, m + vector) : NULL;
  slot->inverse = gain && slot->is.fixed ? gain + slot->v0 : NULL;
  slot->on.memory = layout_take(l, slot->osi->memory ? slot->osi->memory(&slot->on) : 0);
  if (sparse) {
    slot->pattern.p = take_indices(l, vector + 1);
    slot->pattern.i = take_indices(l, m + c + k + vector);
    slot->pattern.to_w = take_indices(l, m + c + k);
  }
}

enum { few_per_row = 16 }; /* rows to look at, before sorting takes less */

/* Merges the patterns of M, C, K and the diagonal, column by column. Notes the place of each source
 * entry. mark[i] is 0 for rows met in the current column, then their position; otherwise
 * -1. */
static void merge_patterns(const nsds_slot *slot, int *indices, int *mark) {
  const nsds_ds *ds = slot->ds;
  int n = slot->nv, filled = 0, *p = indices + (slot->pattern.p - indices),
      *rows = indices + (slot->pattern.i - indices),
      *to_w = indices + (slot->pattern.to_w - indices);
  const nsds_matrix_shape *shape[3] = {slot->M ? &ds->mass : NULL, slot->C ? &ds->damping : NULL,
                                       slot->K ? &ds->stiffness : NULL};
  size_t base[3] = {0, 0, 0};
  for (int s = 1; s < 3; ++s)
    base[s] = base[s - 1] + (shape[s - 1] ? nsds_value_count(shape[s - 1]->p, n) : 0);
  for (int i = 0; i < n; ++i) mark[i] = -1;
  for (int j = 0; j < n; ++j) {
    int start = filled, low = j, high = j;
    mark[j] = 0;
    rows[filled++] = j;
    for (int s = 0; s < 3; ++s) {
      if (!shape[s]) continue;
      nsds_shape_column column = nsds_shape_column_at(shape[s]->p, shape[s]->i, n, j);
      for (int k = column.first; k < column.last; ++k) {
        int i = nsds_shape_column_row(&column, k);
        if (mark[i] < 0) rows[filled++] = i;
        mark[i] = 0;
        if (i < low) low = i;
        if (i > high) high = i;
      }
    }
    if (high - low < few_per_row * (filled - start)) {
      filled = start;
      for (int i = low; i <= high; ++i)
        if (mark[i] == 0) rows[filled++] = i;
    } else nsds_sort_indices(filled - start, rows + start);
    for (int k = start; k < filled; ++k) mark[rows[k]] = k;
    for (int s = 0; s < 3; ++s) {
      if (!shape[s]) continue;
      nsds_shape_column column = nsds_shape_column_at(shape[s]->p, shape[s]->i, n, j);
      for (int k = column.first; k < column.last; ++k)
        to_w[base[s] + (size_t)k] = mark[nsds_shape_column_row(&column, k)];
    }
    for (int k = start; k < filled; ++k) mark[rows[k]] = -1;
    p[j + 1] = filled;
  }
}

nsds_status nsds_plan_layout(nsds_plan *plan) {
  nsds_context *context = plan->context;
  size_t largest = 1;
  for (int s = 0; s < plan->nslot; ++s)
    if ((size_t)plan->slot[s].nv > largest) largest = (size_t)plan->slot[s].nv;
  layout l = {0};
  for (int pass = 0; pass < 2; ++pass) {
    if (pass == 1) {
      plan->memory.numbers = NSDS_NEW_ARRAY(context, double, l.nnumber);
      plan->memory.indices = NSDS_NEW_ARRAY(context, int, l.nindex + largest);
      if (!plan->memory.numbers || !plan->memory.indices) return NSDS_ERROR_MEMORY;
      l = (layout){.numbers = plan->memory.numbers, .indices = plan->memory.indices};
    }
    plan->gain = layout_take(&l, plan->model->size.nv);
    for (int s = 0; s < plan->nslot; ++s) place_slot(&l, plan->gain, &plan->slot[s]);
  }
  for (int s = 0; s < plan->nslot; ++s) {
    nsds_slot *slot = &plan->slot[s];
    if (slot->pattern.to_w)
      merge_patterns(slot, plan->memory.indices, plan->memory.indices + l.nindex);
    if (slot->definite.scaled && !(slot->definite.factor = nsds_factor_create(context)))
      return NSDS_ERROR_MEMORY;
    if (slot->definite.scaled && !slot->ds->mass.p &&
        nsds_factor_reserve_dense(slot->definite.factor, slot->nv))
      return NSDS_ERROR_MEMORY;
    if (nsds_slot_is_scalar(slot) || (slot->pattern.diagonal && slot->inverse)) continue;
    slot->factor = nsds_factor_create(context);
    if (!slot->factor) return NSDS_ERROR_MEMORY;
  }
  return NSDS_OK;
}

void nsds_layout_bind(nsds_plan *plan) {
  const nsds_state *now = &plan->model->state, *end = &plan->trial;
  for (int s = 0; s < plan->nslot; ++s) {
    nsds_slot *slot = &plan->slot[s];
    slot->on.q = now->q + slot->q0;
    slot->on.u = now->v + slot->v0;
    slot->on.p = now->p + slot->v0;
    slot->on.q_end = end->q + slot->q0;
    slot->on.u_end = end->v + slot->v0;
    slot->on.p_end = end->p + slot->v0;
    slot->on.reaction_end = end->reaction + slot->v0;
    slot->on.u_free = plan->v_free + slot->v0;
  }
}
