/*
 * Exact discretization of M dx/dt = A x + b + r with b and r held at their values of t_{k+1}:
 *
 *   x_{k+1} = Phi x_k + Gamma (b_{k+1} + r_{k+1}),
 *   Phi = e^{M^-1 A h},   Gamma = int_0^h e^{M^-1 A s} ds M^-1
 *
 * By Taylor series on tau = h / 2^s with ||A tau||_1 <= 1/2, then s doublings
 *   Gamma(2 tau) = Gamma(tau) + Phi(tau) Gamma(tau),   Phi(2 tau) = Phi(tau)^2.
 * 14 terms leave a truncation error below 2^-15 / 15! < 3e-17.
 * Source: K. J. Astrom, B. Wittenmark, Computer-Controlled Systems (1997), sec. 2.3.
 */
#include "kernel/integrators/zero_order_hold.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/assembly/slot.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/shape_column.h"

enum { terms = 14 };

static nsds_slot *zero_order_hold_slot_of(nsds_integration *s) { return (nsds_slot *)(void *)s; }

/* Returns Phi. The memory holds Phi, Gamma, A and 2 n^2 of work. */
static double *phi_of(const nsds_integration *s) { return s->memory; }
/* Returns Gamma. */
static double *gain_of(const nsds_integration *s) { return s->memory + s->nu * s->nu; }

static size_t zero_order_hold_memory(const nsds_integration *s) {
  return 5 * (size_t)s->nu * (size_t)s->nu;
}

static nsds_status zero_order_hold_check(nsds_integration *s) {
  const nsds_ds *ds = s->ds;
  bool invariant = ds->affine && (!ds->stiffness.present || ds->stiffness.constant) &&
                   (!ds->mass.present || ds->mass.constant);
  char label[nsds_label_size];
  if (invariant && s->affine)
    return nsds_check_dense(s->context, nsds_ds_label(ds, label), "its exponential", s->nu, s->nu)
               ? NSDS_OK
               : NSDS_ERROR_SIZE;
  return nsds_fail(
      s->context, NSDS_ERROR_UNSUPPORTED,
      "nsds_zero_order_hold() needs linear time-invariant systems with linear relations; "
      "%s is %s; use nsds_euler_moreau()",
      nsds_ds_label(ds, label), invariant ? "tied to a nonlinear relation" : "not one");
}

/* Computes c = a b, n x n. c must not overlap a or b. */
static void zero_order_hold_product(int n, const double *a, const double *b, double *c) {
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) c[i + j * n] = 0.0;
    for (int k = 0; k < n; ++k) {
      double s = b[k + j * n];
      if (s != 0.0)
        for (int i = 0; i < n; ++i) c[i + j * n] += s * a[i + k * n];
    }
  }
}

static void to_dense(const nsds_matrix_shape *shape, int n, const double *values, double *dense) {
  for (int k = 0; k < n * n; ++k) dense[k] = 0.0;
  for (int j = 0; values && j < n; ++j) {
    nsds_shape_column column = nsds_shape_column_at(shape->p, shape->i, n, j);
    for (int k = column.first; k < column.last; ++k)
      dense[nsds_shape_column_row(&column, k) + j * n] = values[k];
  }
}

/* Computes Phi and Gamma (without M^-1), both n x n, of A over h. work has 3 n^2. */
static void exponential(int n, const double *A, double h, double *phi, double *gain, double *work) {
  double norm = 0.0;
  for (int j = 0; j < n; ++j) {
    double column = 0.0;
    for (int i = 0; i < n; ++i) column += fabs(A[i + j * n]);
    norm = fmax(norm, column);
  }
  int doublings = 0;
  double tau = h;
  while (norm * tau > 0.5 && doublings < 1000) {
    tau *= 0.5;
    ++doublings;
  }
  double *power = work, *next = work + n * n;
  for (int k = 0; k < n * n; ++k) {
    power[k] = phi[k] = k % (n + 1) == 0 ? 1.0 : 0.0;
    gain[k] = tau * phi[k];
  }
  double factorial = 1.0; /* tau^j / j! */
  for (int j = 1; j <= terms; ++j) {
    zero_order_hold_product(n, A, power, next);
    double *swap = power;
    power = next;
    next = swap;
    factorial *= tau / j;
    for (int k = 0; k < n * n; ++k) {
      phi[k] += factorial * power[k];
      gain[k] += factorial * tau / (j + 1) * power[k];
    }
  }
  double *product_of = work;
  for (int s = 0; s < doublings; ++s) {
    zero_order_hold_product(n, phi, gain, product_of);
    for (int k = 0; k < n * n; ++k) gain[k] += product_of[k];
    zero_order_hold_product(n, phi, phi, product_of);
    memcpy(phi, product_of, (size_t)n * (size_t)n * sizeof *phi);
  }
}

static nsds_status zero_order_hold_refresh(nsds_integration *s) {
  nsds_slot *slot = zero_order_hold_slot_of(s);
  const nsds_ds *ds = slot->ds;
  int n = slot->nv;
  nsds_arguments in = nsds_ds_in(ds, s->scheme->t, s->u, s->u);
  nsds_status status = NSDS_OK;
  s->input_weight = 1.0; /* the gain is an integral over the step */
  if (slot->M) status = ds->first->mass(ds->self, &in, slot->M);
  if (!status && slot->K) status = ds->first->jacobian(ds->self, &in, slot->K);
  if (!status) status = ds->first->rhs(ds->self, &in, s->force);
  if (status) return status;
  double *gain = gain_of(s), *A = gain + n * n, *work = A + n * n;
  to_dense(&ds->stiffness, n, slot->K, A);
  if (slot->M) {
    nsds_slot_form_w(slot, 0.0, 0.0); /* W = M */
    status = nsds_slot_factor_mass(slot);
    if (status) return status;
    nsds_slot_solve_w(slot, n, A);
  }
  exponential(n, A, s->scheme->h, phi_of(s), gain, work);
  if (slot->M) { /* Gamma M^-1 = (M^-T Gamma^T)^T: solve for the columns of M^-1, then multiply */
    for (int k = 0; k < n * n; ++k) A[k] = k % (n + 1) == 0 ? 1.0 : 0.0;
    nsds_slot_solve_w(slot, n, A);
    zero_order_hold_product(n, gain, A, work);
    memcpy(gain, work, (size_t)n * (size_t)n * sizeof *work);
  }
  return NSDS_OK;
}

static void zero_order_hold_apply(const nsds_integration *s, int nrhs, double *b) {
  int n = s->nu;
  const double *gain = gain_of(s);
  double *sum = ((const nsds_slot *)(const void *)s)->scratch;
  for (int j = 0; j < nrhs; ++j) {
    double *column = b + (size_t)j * (size_t)n;
    for (int i = 0; i < n; ++i) sum[i] = 0.0;
    for (int k = 0; k < n; ++k)
      for (int i = 0; i < n; ++i) sum[i] += gain[i + k * n] * column[k];
    memcpy(column, sum, (size_t)n * sizeof *b);
  }
}

/* Computes dx' = Phi dx + Gamma b. */
static void zero_order_hold_carry(const nsds_integration *s, const double *b, double *dq,
                                  double *dx) {
  int n = s->nu;
  const double *phi = phi_of(s), *gain = gain_of(s);
  double *sum = ((const nsds_slot *)(const void *)s)->scratch;
  (void)dq;
  for (int i = 0; i < n; ++i) sum[i] = 0.0;
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i) sum[i] += phi[i + k * n] * dx[k] + gain[i + k * n] * b[k];
  nsds_copy_doubles(dx, sum, (size_t)n);
}

static nsds_status zero_order_hold_free_affine(nsds_integration *s) {
  const nsds_ds *ds = s->ds;
  int n = s->nu;
  const double *held = s->force, *phi = phi_of(s);
  if (!ds->force_constant) {
    nsds_arguments in = nsds_ds_in(ds, s->scheme->t_next, s->u, s->u);
    nsds_status status = ds->first->rhs(ds->self, &in, s->force_end);
    if (status) return status;
    held = s->force_end;
  }
  memcpy(s->u_free, held, (size_t)n * sizeof *held);
  zero_order_hold_apply(s, 1, s->u_free);
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i) s->u_free[i] += phi[i + k * n] * s->u[k];
  return NSDS_OK;
}

const nsds_integrator nsds_zero_order_hold_integrator = {.name = "zero-order hold",
                                                         .order = 1,
                                                         .bundled = true,
                                                         .memory = zero_order_hold_memory,
                                                         .check = zero_order_hold_check,
                                                         .refresh = zero_order_hold_refresh,
                                                         .free = zero_order_hold_free_affine,
                                                         .apply = zero_order_hold_apply,
                                                         .carry = zero_order_hold_carry};
