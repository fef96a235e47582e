/*
 * Exact discretisation of M dx/dt = A x + b + r with b and r held at their values of t_{k+1}:
 *
 *   x_{k+1} = Phi x_k + Gamma (b_{k+1} + r_{k+1}),
 *   Phi = e^{M^-1 A h},   Gamma = int_0^h e^{M^-1 A s} ds M^-1
 *
 * By Taylor series on tau = h / 2^s with ||A tau||_1 <= 1/2, then s doublings
 *   Gamma(2 tau) = Gamma(tau) + Phi(tau) Gamma(tau),   Phi(2 tau) = Phi(tau)^2.
 * 14 terms leave a truncation error below 2^-15 / 15! < 3e-17.
 * Source: K. J. Astrom, B. Wittenmark, Computer-Controlled Systems (1997), sec. 2.3.
 */
#include "simulation.h"

enum { terms = 14 };

static nsds_status check(nsds_simulation *sim, const nsds_slot *slot) {
  const nsds_ds *ds = slot->ds;
  bool invariant = ds->affine && (!ds->stiffness.present || ds->stiffness.constant) &&
                   (!ds->mass.present || ds->mass.constant);
  if (invariant && slot->affine) return NSDS_OK;
  char label[nsds_label_size];
  return nsds_fail(sim->context, NSDS_ERROR_UNSUPPORTED,
                   "NSDS_ZERO_ORDER_HOLD needs linear time-invariant systems with linear relations; "
                   "%s is %s; use NSDS_EULER_MOREAU",
                   nsds_ds_label(ds, label),
                   invariant ? "tied to a nonlinear relation" : "not one");
}

/* c = a b, n x n; c must not overlap. */
static void product(int n, const double *a, const double *b, double *c) {
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) c[i + j * n] = 0.0;
    for (int k = 0; k < n; ++k) {
      double s = b[k + j * n];
      if (s != 0.0)
        for (int i = 0; i < n; ++i) c[i + j * n] += s * a[i + k * n];
    }
  }
}

static void to_dense(const nsds_shape *shape, int n, const double *values, double *dense) {
  for (int k = 0; k < n * n; ++k) dense[k] = 0.0;
  for (int j = 0; values && j < n; ++j) {
    int first = shape->p ? shape->p[j] : j * n, last = shape->p ? shape->p[j + 1] : first + n;
    for (int k = first; k < last; ++k) dense[(shape->p ? shape->i[k] : k - first) + j * n] = values[k];
  }
}

/* Phi and Gamma (without M^-1) of A over h; work has 3 n^2. Both are n x n. */
static void exponential(int n, const double *A, double h, double *phi, double *gain,
                        double *work) {
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
    product(n, A, power, next);
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
    product(n, phi, gain, product_of);
    for (int k = 0; k < n * n; ++k) gain[k] += product_of[k];
    product(n, phi, phi, product_of);
    memcpy(phi, product_of, (size_t)n * (size_t)n * sizeof *phi);
  }
}

static nsds_status refresh(nsds_simulation *sim, nsds_slot *slot) {
  nsds_ds *ds = slot->ds;
  int n = slot->nv;
  nsds_in in = nsds_ds_in(ds, sim->t, sim->model->v + slot->v0, sim->model->v + slot->v0);
  nsds_status status = NSDS_OK;
  if (slot->M) status = ds->first->mass(ds->self, &in, slot->M);
  if (!status && slot->K) status = ds->first->jacobian(ds->self, &in, slot->K);
  if (!status) status = ds->first->rhs(ds->self, &in, slot->force);
  if (status) return status;
  double *A = slot->gain + n * n, *work = A + n * n; /* the pool holds gain, A and 2 n^2 of work */
  to_dense(&ds->stiffness, n, slot->K, A);
  if (slot->M) {
    nsds_slot_form_w(slot, 0.0, 0.0); /* W = M */
    status = nsds_slot_factor_w(sim, slot);
    if (status) return status;
    nsds_slot_solve_w(slot, n, A);
  }
  exponential(n, A, sim->h_now, slot->phi, slot->gain, work);
  if (slot->M) { /* Gamma M^-1 = (M^-T Gamma^T)^T: solve for the columns of M^-1, then multiply */
    for (int k = 0; k < n * n; ++k) A[k] = k % (n + 1) == 0 ? 1.0 : 0.0;
    nsds_slot_solve_w(slot, n, A);
    product(n, slot->gain, A, work);
    memcpy(slot->gain, work, (size_t)n * (size_t)n * sizeof *work);
  }
  return NSDS_OK;
}

static void apply(const nsds_slot *slot, int nrhs, double *b) {
  int n = slot->nv;
  for (int j = 0; j < nrhs; ++j) {
    double *column = b + (size_t)j * (size_t)n;
    for (int i = 0; i < n; ++i) slot->scratch[i] = 0.0;
    for (int k = 0; k < n; ++k)
      for (int i = 0; i < n; ++i) slot->scratch[i] += slot->gain[i + k * n] * column[k];
    memcpy(column, slot->scratch, (size_t)n * sizeof *b);
  }
}

static nsds_status free_affine(nsds_simulation *sim, nsds_slot *slot) {
  nsds_ds *ds = slot->ds;
  int n = slot->nv;
  const double *x = sim->model->v + slot->v0, *held = slot->force;
  double *out = sim->plan.v_free + slot->v0;
  if (!ds->force_constant) {
    nsds_in in = nsds_ds_in(ds, sim->t_next, x, x);
    nsds_status status = ds->first->rhs(ds->self, &in, slot->force_end);
    if (status) return status;
    held = slot->force_end;
  }
  memcpy(out, held, (size_t)n * sizeof *out);
  apply(slot, 1, out);
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i) out[i] += slot->phi[i + k * n] * x[k];
  return NSDS_OK;
}

const nsds_integrator nsds_zero_order_hold = {.name = "zero-order hold",
                                              .check = check,
                                              .refresh = refresh,
                                              .free_affine = free_affine,
                                              .apply = apply};
