/*
 * Checks that a varying mass matrix is positive definite: M(q), scaled to a diagonal of ones as at
 * construction, must have a Cholesky factor. Iterates of Newton's method may leave the domain of M
 * and return. Time stepping therefore checks M at the end of a step and after a failed step.
 */
#include "kernel/assembly/slot_mass.h"

#include "base/context.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/mass_check.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/shape_column.h"
#include "numerics/linear/definite.h"

#include <stdio.h>

/* Returns the first diagonal entry that is not positive; -1: none. */
static int first_without_mass(const nsds_csc *M) {
  for (int j = 0; j < M->ncol; ++j) {
    nsds_shape_column column = nsds_shape_column_at(M->p, M->i, M->nrow, j);
    double diagonal = 0.0;
    for (int k = column.first; k < column.last; ++k)
      if (nsds_shape_column_row(&column, k) == j) diagonal = M->x[k];
    if (!(diagonal > 0.0)) return j;
  }
  return -1;
}

bool nsds_slot_mass_varies(const nsds_slot *slot) {
  return nsds_is_second_order(slot->ds) && slot->M && !slot->ds->mass.constant;
}

static nsds_status indefinite(const nsds_slot *slot, double t, int row, nsds_status otherwise) {
  nsds_status status = otherwise == NSDS_ERROR_NEWTON ? NSDS_ERROR_NEWTON : NSDS_ERROR_SINGULAR;
  char label[nsds_label_size], where[64] = "it is singular or indefinite";
  if (row >= 0) snprintf(where, sizeof where, "entry %d of its diagonal is not", row);
  return nsds_fail(slot->on.context, status,
                   "%s: the mass matrix M(q) is not positive definite at t = %.17g: %s; valid is "
                   "a symmetric positive definite M wherever the system moves",
                   nsds_ds_label(slot->ds, label), t, where);
}

enum { few_rows = 8 };

/*
 * Returns true if a small dense M is surely definite. Gauss's elimination without scaling has pivots
 * d_k. The product of all d_k / M_kk is the determinant of the scaled matrix, whose least eigenvalue
 * is at least that over e, as its trace is n. Rounding and the margin of nsds_scale_mass() are far
 * smaller than `enough`.
 */
NSDS_INLINE bool has_large_pivots(int n, const double *M) {
  static const double enough = 1e-8;
  double a[few_rows * few_rows], product = 1.0;
  for (int j = 0; j < n; ++j)
    for (int i = j; i < n; ++i) a[i + j * n] = M[i + j * n];
  for (int k = 0; k < n; ++k) {
    double pivot = a[k + k * n];
    if (!(pivot > 0.0)) return false;
    product *= pivot / M[k + k * n];
    for (int j = k + 1; j < n; ++j) {
      double factor = a[j + k * n] / pivot;
      for (int i = j; i < n; ++i) a[i + j * n] -= factor * a[i + k * n];
    }
  }
  return product > enough && product < INFINITY;
}

/* Does the same; a constant n unrolls the loops. */
static bool surely_definite(int n, const double *M) {
  switch (n) {
  case 2: return has_large_pivots(2, M);
  case 3: return has_large_pivots(3, M);
  default: return has_large_pivots(n, M);
  }
}

/* Checks M of a slot. `otherwise` is the failure of the step. */
static nsds_status check_slot(const nsds_slot *slot, double t, nsds_status otherwise) {
  if (!nsds_slot_mass_varies(slot)) return NSDS_OK;
  const nsds_matrix_shape *shape = &slot->ds->mass;
  bool small = !shape->p && slot->nv <= few_rows;
  if (small && surely_definite(slot->nv, slot->M)) return NSDS_OK;
  nsds_csc M = {.nrow = slot->nv, .ncol = slot->nv, .p = shape->p, .i = shape->i, .x = slot->M};
  int row = first_without_mass(&M);
  if (row >= 0) return indefinite(slot, t, row, otherwise);
  if (!slot->definite.scaled) return NSDS_OK; /* M is diagonal */
  double *scaled = slot->definite.scaled + slot->nv;
  nsds_scale_mass(&M, slot->definite.scaled, scaled);
  nsds_status status =
      nsds_factor_definite(slot->definite.factor, slot->nv, shape->p, shape->i, scaled, 1);
  return status == NSDS_ERROR_SINGULAR ? indefinite(slot, t, -1, otherwise) : status;
}

nsds_status nsds_slot_check_mass(const nsds_slot *slot, double t) {
  return check_slot(slot, t, NSDS_ERROR_SINGULAR);
}

nsds_status nsds_plan_check_masses(const nsds_plan *plan, nsds_status otherwise) {
  nsds_status status = NSDS_OK;
  for (int s = 0; !status && s < plan->nslot; ++s)
    status = check_slot(&plan->slot[s], plan->scheme->t_next, otherwise);
  return status;
}
