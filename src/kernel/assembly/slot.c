/*
 * Matrices of one system in the plan: products, and the iteration matrix W = M + c C + k K with its
 * factor. The rows and columns of prescribed unknowns become those of the identity. A problem at an
 * instant has M^-1 instead.
 */
#include "kernel/assembly/slot.h"

#include "base/context.h"
#include "kernel/assembly/diagnose.h"
#include "kernel/assembly/plan.h"
#include "kernel/assembly/slot_mass.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/shape_column.h"
#include "numerics/linear/factor.h"
#include "numerics/linear/factor_dense.h"

enum { body = 6 }; /* velocities of a body in space */

void nsds_shape_multiply(const nsds_matrix_shape *shape, int n, const double *values, double alpha,
                         const double *x, double *a) {
  if (!values) return;
  if (n == 1 && !shape->p) {
    *a += alpha * *x * *values;
    return;
  }
  if (n == body && !shape->p) { /* the same sums in registers */
    double sum[body];
    for (int i = 0; i < body; ++i) sum[i] = a[i];
    for (int j = 0; j < body; ++j) {
      double s = alpha * x[j];
      for (int i = 0; i < body; ++i) sum[i] += s * values[i + body * j];
    }
    for (int i = 0; i < body; ++i) a[i] = sum[i];
    return;
  }
  for (int j = 0; j < n; ++j) {
    double s = alpha * x[j];
    if (shape->p)
      for (int k = shape->p[j]; k < shape->p[j + 1]; ++k) a[shape->i[k]] += s * values[k];
    else
      for (int i = 0; i < n; ++i) a[i] += s * values[i + (ptrdiff_t)j * n];
  }
}

void nsds_mass_multiply(const nsds_slot *slot, double alpha, const double *x, double *a) {
  if (slot->M) nsds_shape_multiply(&slot->ds->mass, slot->nv, slot->M, alpha, x, a);
  else
    for (int k = 0; k < slot->nv; ++k) a[k] += alpha * x[k];
}

static void add_to_w(const nsds_slot *slot, const nsds_matrix_shape *shape, const double *values,
                     double alpha, const int **to_w) {
  size_t count = values ? nsds_value_count(shape->p, slot->nv) : 0;
  const int *place = *to_w;
  if (place) *to_w += count;
  if (alpha == 0.0) return; /* values without a weight need not be of this state, nor finite */
  for (size_t k = 0; k < count; ++k) slot->W[place ? (size_t)place[k] : k] += alpha * values[k];
}

static void add_identity(const nsds_slot *slot) {
  int n = slot->nv;
  for (int j = 0; j < n; ++j) {
    if (!slot->pattern.p) {
      slot->W[j + (ptrdiff_t)j * n] += 1.0;
      continue;
    }
    for (int k = slot->pattern.p[j]; k < slot->pattern.p[j + 1]; ++k)
      if (slot->pattern.i[k] == j) slot->W[k] += 1.0;
  }
}

static void mask_prescribed(const nsds_slot *slot) {
  const nsds_ds *ds = slot->ds;
  int n = slot->nv;
  for (int s = 0; s < ds->prescribed.n; ++s) {
    int d = ds->prescribed.index[s];
    if (slot->pattern.p) {
      for (int j = 0; j < n; ++j)
        for (int k = slot->pattern.p[j]; k < slot->pattern.p[j + 1]; ++k)
          if (slot->pattern.i[k] == d || j == d) slot->W[k] = slot->pattern.i[k] == j ? 1.0 : 0.0;
    } else {
      for (int k = 0; k < n; ++k) slot->W[d + k * n] = slot->W[k + d * n] = 0.0;
      slot->W[d + d * n] = 1.0;
    }
  }
}

/* Forms W dense, entry by entry, in the order of the sums of the sparse W. */
static void slot_form_dense(const nsds_slot *slot, double c, double k) {
  size_t count = (size_t)slot->nv * (size_t)slot->nv;
  const double *M = slot->M, *C = c != 0.0 ? slot->C : NULL, *K = k != 0.0 ? slot->K : NULL;
  for (size_t e = 0; e < count; ++e) {
    double w = M[e];
    if (C) w += c * C[e];
    if (K) w += k * K[e];
    slot->W[e] = w;
  }
}

void nsds_slot_form_w(nsds_slot *slot, double c, double k) {
  const nsds_ds *ds = slot->ds;
  if (slot->W == slot->M) return; /* there is nothing to add */
  if (!slot->pattern.p && slot->M) {
    slot_form_dense(slot, c, k);
    if (ds->prescribed.n > 0) mask_prescribed(slot);
    return;
  }
  size_t count = nsds_value_count(slot->pattern.p, slot->nv);
  for (size_t e = 0; e < count; ++e) slot->W[e] = 0.0;
  const int *to_w = slot->pattern.to_w;
  if (slot->M) add_to_w(slot, &ds->mass, slot->M, 1.0, &to_w);
  else add_identity(slot);
  add_to_w(slot, &ds->damping, slot->C, c, &to_w);
  add_to_w(slot, &ds->stiffness, slot->K, k, &to_w);
  mask_prescribed(slot);
}

static bool slot_is_diagonal(int n, const double *W) {
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      if (i != j && W[i + (ptrdiff_t)j * n] != 0.0) return false;
  return true;
}

static nsds_status factor_matrix(const nsds_slot *slot, nsds_factor *factor) {
  int n = slot->nv;
  if (slot->pattern.diagonal) return nsds_factor_diagonal(factor, n, slot->W, 1);
  if (slot->pattern.p)
    return nsds_factor_csc(factor, n, slot->pattern.p, slot->pattern.i, slot->W, 1);
  /* a W that may change later reserves dense memory now */
  if (slot->is.fixed && slot_is_diagonal(n, slot->W))
    return nsds_factor_diagonal(factor, n, slot->W, n + 1);
  return nsds_factor_dense(factor, n, slot->W);
}

/* Factors slot->W, without a message. Without a factor, `w` becomes its only entry, or its inverse
 * is kept with the gains. */
static nsds_status try_factor(const nsds_slot *slot, nsds_factor *factor, double *w,
                              double *rcond) {
  nsds_status status = NSDS_OK;
  *rcond = 0.0;
  if (!factor && nsds_slot_is_scalar(slot)) {
    *w = slot->W[0];
    return *w == 0.0 || !isfinite(*w) ? NSDS_ERROR_SINGULAR : NSDS_OK;
  }
  if (!factor) return nsds_invert_diagonal(slot->nv, slot->W, 1, slot->inverse, rcond);
  status = factor_matrix(slot, factor);
  *rcond = nsds_factor_rcond(factor);
  return status;
}

bool nsds_slot_is_singular(nsds_slot *slot) {
  double rcond;
  return try_factor(slot, slot->factor, &slot->w, &rcond) == NSDS_ERROR_SINGULAR;
}

/* Factors slot->W. */
static nsds_status factor_w(const nsds_slot *slot, nsds_factor *factor, double *w, bool mass) {
  double rcond;
  nsds_status status = try_factor(slot, factor, w, &rcond);
  if (status != NSDS_ERROR_SINGULAR) return status;
  if (nsds_slot_check_mass(slot, slot->on.scheme->t)) return status;
  char label[nsds_label_size];
  if (mass)
    return nsds_fail(
        slot->on.context, status,
        "%s: M is singular at t = %.17g (reciprocal condition %g), and zero-order hold "
        "is the exponential of M^-1 A; valid are a regular M, or nsds_euler_moreau() with "
        "theta = 1",
        nsds_ds_label(slot->ds, label), slot->on.scheme->t, rcond);
  if (slot->on.scheme->h == 0.0)
    return nsds_fail(slot->on.context, status,
                     "%s: M is singular at t = %.17g (reciprocal condition %g), and rates follow "
                     "from M^-1; time stepping with theta = 1 needs no more than a regular M - h A",
                     nsds_ds_label(slot->ds, label), slot->on.scheme->t, rcond);
  char text[nsds_diagnosis_size];
  const char *open = nsds_describe_open(slot, text);
  return nsds_fail(slot->on.context, status,
                   "%s: the iteration matrix W = %s is singular at t = %.17g, h = %g (reciprocal "
                   "condition %g)%s",
                   nsds_ds_label(slot->ds, label),
                   nsds_is_first_order(slot->ds) ? "M - h theta df/dx"
                                                 : "M + h theta C + h^2 theta^2 K",
                   slot->on.scheme->t, slot->on.scheme->h, rcond, open);
}

const double *nsds_slot_inverse(const nsds_slot *slot) {
  int n = slot->nv;
  if (!slot->factor) return nsds_slot_is_scalar(slot) ? NULL : slot->inverse;
  bool diagonal = slot->is.fixed && !slot->pattern.p && slot_is_diagonal(n, slot->W);
  for (int k = 0; diagonal && k < n; ++k) slot->inverse[k] = 1.0 / slot->W[k + (ptrdiff_t)k * n];
  return diagonal ? slot->inverse : NULL;
}

nsds_status nsds_slot_factor_w(nsds_slot *slot) {
  return factor_w(slot, slot->factor, &slot->w, false);
}

nsds_status nsds_slot_factor_mass(nsds_slot *slot) {
  return factor_w(slot, slot->factor, &slot->w, true);
}

void nsds_slot_solve_w(const nsds_slot *slot, int nrhs, double *b) {
  int n = slot->nv;
  if (slot->factor) nsds_factor_solve(slot->factor, nrhs, b);
  else if (nsds_slot_is_scalar(slot))
    for (int k = 0; k < nrhs; ++k) b[k] /= slot->w;
  else
    for (int k = 0; k < nrhs; ++k, b += n)
      for (int i = 0; i < n; ++i) b[i] *= slot->inverse[i];
}

static void hold_prescribed(const nsds_slot *slot, int nrhs, double *b) {
  const nsds_ds *ds = slot->ds;
  for (int s = 0; s < ds->prescribed.n; ++s)
    for (int j = 0; j < nrhs; ++j) b[ds->prescribed.index[s] + (ptrdiff_t)j * slot->nv] = 0.0;
}

void nsds_slot_apply(const nsds_slot *slot, int nrhs, double *b) {
  hold_prescribed(slot, nrhs, b);
  nsds_slot_solve_w(slot, nrhs, b);
}

nsds_status nsds_slot_factor_half(nsds_slot *slot) {
  bool scalar = nsds_slot_is_scalar(slot);
  if (!scalar && !slot->half.factor) slot->half.factor = nsds_factor_create(slot->on.context);
  if (!scalar && !slot->half.factor) return NSDS_ERROR_MEMORY;
  return factor_w(slot, slot->half.factor, &slot->half.w, false);
}

void nsds_slot_solve_half(const nsds_slot *slot, double *b) {
  if (!slot->half.factor) *b /= slot->half.w;
  else nsds_factor_solve(slot->half.factor, 1, b);
}

/* Forms T^T T, nv x nv dense; the identity if velocities are rates of coordinates. */
static nsds_status form_metric(const nsds_ds *ds, const nsds_arguments *in, double *T, double *G) {
  nsds_status status = ds->ops->velocity_map(ds->self, in, T);
  int nq = ds->nq, nv = ds->nv;
  for (int j = 0; !status && j < nv; ++j)
    for (int i = 0; i < nv; ++i) {
      double sum = 0.0;
      for (int k = 0; k < nq; ++k) sum += T[k + i * nq] * T[k + j * nq];
      G[i + j * nv] = sum;
    }
  return status;
}

nsds_status nsds_gain_factor(const nsds_slot *slot, const double *q, const double *v,
                             nsds_gain *gain) {
  const nsds_ds *ds = slot->ds;
  nsds_arguments in = nsds_ds_in(ds, slot->on.scheme->t, q, v);
  nsds_slot own = *slot; /* slot keeps the M and W of the step */
  bool flat = gain->T && !(nsds_is_second_order(ds) && ds->ops->velocity_map);
  if (gain->T) { /* the metric is dense */
    own.pattern.p = own.pattern.i = NULL;
    own.pattern.diagonal = false;
  }
  own.M = slot->M && !flat ? gain->M : NULL;
  own.W = gain->W;
  nsds_status status = !own.M                     ? NSDS_OK
                       : gain->T                  ? form_metric(ds, &in, gain->T, own.M)
                       : nsds_is_second_order(ds) ? ds->ops->mass(ds->self, &in, own.M)
                                                  : ds->first->mass(ds->self, &in, own.M);
  if (!status && own.M && !gain->T) status = nsds_slot_check_mass(&own, slot->on.scheme->t);
  if (status) return status;
  nsds_slot_form_w(&own, 0.0, 0.0);
  return factor_w(&own, gain->factor, &gain->w, false);
}

void nsds_gain_apply(const nsds_slot *slot, const nsds_gain *gain, int nrhs, double *b) {
  hold_prescribed(slot, nrhs, b);
  if (!gain->factor)
    for (int k = 0; k < nrhs; ++k) b[k] /= gain->w;
  else nsds_factor_solve(gain->factor, nrhs, b);
}

nsds_status nsds_slots_move(nsds_plan *plan, const double *way) {
  nsds_state *at = &plan->trial;
  for (int k = 0; k < plan->nslot; ++k) {
    const nsds_slot *slot = &plan->slot[k];
    const nsds_ds *ds = slot->ds;
    double *q = at->q + slot->q0;
    const double *step = way + slot->v0;
    if (nsds_is_first_order(ds) || slot->is.jointed) continue;
    nsds_copy_doubles(slot->scratch, q, (size_t)ds->nq);
    nsds_status status = nsds_ds_move(ds, at->t, slot->scratch, at->v + slot->v0, step, q);
    if (status) return status;
  }
  return NSDS_OK;
}
