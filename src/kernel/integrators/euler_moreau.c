/*
 * Theta-gamma schemes for one first-order system over [t_k, t_{k+1}], h = t_{k+1} - t_k:
 *
 *   R(x) = M (x - x_k) - h theta f(t_{k+1},x) - h (1-theta) f_k - h (1-gamma) r_k - h rho r
 *   W = M - h theta df/dx,   M at t_k + theta h
 *   Newton:  x_free = x^a - W^-1 R_free(x^a)
 *   affine:  x_free = x_k + W^-1 [h theta (A_{k+1} x_k + b_{k+1}) + h (1-theta) f_k
 *                                 + h (1-gamma) r_k]
 *
 * An f that depends on dx/dt is evaluated at d = (x - x_k)/h, both f_{k+1} and f_k, so that
 * W = M - h theta df/dx - theta E_{k+1} - (1-theta) E_k with E = df/d(dx/dt).
 *
 * With f_at_theta, (8.5), h f(t_{k+1}, x_{k+theta}) takes the place of both terms of f; W stays.
 *
 * The gain of an input r is h rho W^-1, and h rho is part of the input matrices. The standard
 * scheme has rho = gamma; if r is taken at t_{k+gamma}, or gamma = 1, rho is 1 and r_k does not
 * enter. Source: Acary and Brogliato (2008), ch. 9 and 11.
 */
#include "kernel/integrators/euler_moreau.h"

#include "base/base.h"
#include "kernel/assembly/slot.h"
#include "kernel/modeling/modeling.h"

static nsds_slot *euler_moreau_slot_of(nsds_integration *s) { return (nsds_slot *)(void *)s; }

static nsds_arguments at_state(const nsds_slot *slot, double t, const double *x) {
  return nsds_ds_in(slot->ds, t, x, x);
}

static bool time_invariant(const nsds_slot *slot) {
  return slot->on.affine && (!slot->K || slot->ds->stiffness.constant);
}

static nsds_status euler_moreau_update_mass(nsds_slot *slot) {
  if (!slot->M || slot->ds->mass.constant) return NSDS_OK;
  const nsds_scheme *scheme = slot->on.scheme;
  nsds_arguments in = at_state(slot, scheme->t + scheme->theta * scheme->h, slot->on.u);
  return slot->ds->first->mass(slot->ds->self, &in, slot->M);
}

static nsds_status update_jacobian(const nsds_slot *slot, const nsds_arguments *in) {
  if (!slot->K || slot->ds->stiffness.constant) return NSDS_OK;
  return slot->ds->first->jacobian(slot->ds->self, in, slot->K);
}

/* Returns the weight of f_{k+1}. */
static double weight_new(const nsds_scheme *scheme) {
  return scheme->f_at_theta ? 1.0 : scheme->theta;
}

/* Returns the weight of f_k. */
static double weight_old(const nsds_scheme *scheme) {
  return scheme->f_at_theta ? 0.0 : 1.0 - scheme->theta;
}

static bool rated(const nsds_slot *slot) { return slot->ds->damping.present; }

/* Returns the size of the memory: if f depends on dx/dt, this rate, then E_k. */
static size_t euler_moreau_memory(const nsds_integration *s) {
  size_t n = (size_t)s->nu;
  return s->ds->damping.present ? n + n * n : 0;
}

static nsds_arguments at_rate(const nsds_slot *slot, double t, const double *x) {
  nsds_arguments in = at_state(slot, t, x);
  if (!rated(slot)) return in;
  in.xdot = slot->on.memory;
  in.nxdot = slot->nv;
  return in;
}

/* Computes f(t,x), or only b(t) for a time-invariant system. */
static nsds_status right_side(nsds_slot *slot, double t, const double *x, double *f) {
  nsds_arguments in = at_rate(slot, t, x);
  nsds_status status = slot->ds->first->rhs(slot->ds->self, &in, f);
  if (!status && slot->ds->affine && !time_invariant(slot)) {
    status = update_jacobian(slot, &in);
    nsds_shape_multiply(&slot->ds->stiffness, slot->nv, slot->K, 1.0, x, f);
  }
  return status;
}

static void euler_moreau_form_w(nsds_slot *slot) {
  nsds_slot_form_w(slot, -1.0, -slot->on.scheme->h * slot->on.scheme->theta);
}

static nsds_status euler_moreau_refresh(nsds_integration *s) {
  nsds_slot *slot = euler_moreau_slot_of(s);
  const nsds_ds *ds = slot->ds;
  nsds_arguments in = at_state(slot, s->scheme->t, s->u);
  nsds_status status = NSDS_OK;
  s->input_weight = s->scheme->h * s->scheme->input_new;
  if (slot->M && ds->mass.constant) status = ds->first->mass(ds->self, &in, slot->M);
  if (!status && slot->K && ds->stiffness.constant)
    status = ds->first->jacobian(ds->self, &in, slot->K);
  if (!status && !rated(slot)) status = right_side(slot, s->scheme->t, s->u, s->force);
  if (!status && slot->is.fixed) {
    euler_moreau_form_w(slot);
    status = nsds_slot_factor_w(slot);
  }
  return status;
}

static nsds_status euler_moreau_free_affine(nsds_integration *s) {
  nsds_slot *slot = euler_moreau_slot_of(s);
  const nsds_ds *ds = slot->ds;
  int n = slot->nv;
  double h = s->scheme->h, *out = s->u_free;
  double new = weight_new(s->scheme), old = weight_old(s->scheme);
  nsds_arguments in = at_state(slot, s->scheme->t_next, s->u);
  nsds_status status = NSDS_OK;
  const double *end = s->force;
  bool invariant = time_invariant(slot);
  if (!invariant || !ds->force_constant) {
    status = ds->first->rhs(ds->self, &in, s->force_end);
    end = s->force_end;
  }
  if (!status) status = update_jacobian(slot, &in);
  if (status) return status;
  for (int k = 0; k < n; ++k)
    out[k] = h * new *end[k] + h *old * s->force[k] + h * s->scheme->input_old * s->p[k];
  nsds_shape_multiply(&ds->stiffness, n, slot->K, invariant ? h : h * new, s->u, out);
  if (!slot->is.fixed) {
    status = euler_moreau_update_mass(slot);
    euler_moreau_form_w(slot);
    if (!status) status = nsds_slot_factor_w(slot);
    if (status) return status;
  }
  nsds_slot_solve_w(slot, 1, out);
  for (int k = 0; k < n; ++k) out[k] += s->u[k];
  return NSDS_OK;
}

/* Computes dx/dt of the iterate, and f_k with this rate. */
static nsds_status evaluate_rate(nsds_slot *slot) {
  const nsds_integration *s = &slot->on;
  for (int k = 0; k < slot->nv; ++k) s->memory[k] = (s->u_end[k] - s->u[k]) / s->scheme->h;
  return right_side(slot, s->scheme->t, s->u, s->force);
}

/* Returns the point at which the iterate evaluates f: x_{k+1}, or x_{k+theta}. */
static const double *end_point(nsds_slot *slot) {
  const nsds_integration *s = &slot->on;
  double theta = s->scheme->theta;
  if (!s->scheme->f_at_theta) return s->u_end;
  for (int k = 0; k < slot->nv; ++k)
    slot->scratch[k] = theta * s->u_end[k] + (1.0 - theta) * s->u[k];
  return slot->scratch;
}

/* Computes E of W: theta E_{k+1} + (1-theta) E_k, or E at x_{k+theta}. */
static nsds_status euler_moreau_rate_jacobian(nsds_slot *slot) {
  const nsds_integration *s = &slot->on;
  const nsds_ds *ds = slot->ds;
  double new = weight_new(s->scheme), old = weight_old(s->scheme), *start = s->memory + slot->nv;
  nsds_arguments in = at_rate(slot, s->scheme->t, s->u);
  nsds_status status = ds->first->rate_jacobian(ds->self, &in, start);
  in = at_rate(slot, s->scheme->t_next, end_point(slot));
  if (!status) status = ds->first->rate_jacobian(ds->self, &in, slot->C);
  for (int k = 0; !status && k < slot->nv * slot->nv; ++k)
    slot->C[k] = new * slot->C[k] + old *start[k];
  return status;
}

static nsds_status euler_moreau_evaluate(nsds_integration *s) {
  nsds_slot *slot = euler_moreau_slot_of(s);
  int n = slot->nv;
  double h = s->scheme->h, new = weight_new(s->scheme), old = weight_old(s->scheme);
  nsds_status status = rated(slot) ? evaluate_rate(slot) : NSDS_OK;
  if (!status) status = right_side(slot, s->scheme->t_next, end_point(slot), s->force_end);
  if (!status) status = euler_moreau_update_mass(slot);
  if (status) return status;
  for (int k = 0; k < n; ++k) {
    s->residual[k] =
        -h * new * s->force_end[k] - h *old * s->force[k] - h * s->scheme->input_old * s->p[k];
    slot->scratch[k] = s->u_end[k] - s->u[k];
  }
  nsds_mass_multiply(slot, 1.0, slot->scratch, s->residual);
  return NSDS_OK;
}

static nsds_status euler_moreau_tangent(nsds_integration *s) {
  nsds_slot *slot = euler_moreau_slot_of(s);
  nsds_arguments in = at_rate(slot, s->scheme->t_next, end_point(slot));
  nsds_status status = update_jacobian(slot, &in);
  if (!status && rated(slot)) status = euler_moreau_rate_jacobian(slot);
  if (!status && !slot->is.fixed) euler_moreau_form_w(slot);
  return status;
}

static nsds_status euler_moreau_solve(nsds_integration *s) {
  nsds_slot *slot = euler_moreau_slot_of(s);
  nsds_status status = slot->is.fixed ? NSDS_OK : nsds_slot_factor_w(slot);
  if (!status) nsds_slot_solve_w(slot, 1, s->u_free);
  return status;
}

static void euler_moreau_apply(const nsds_integration *s, int nrhs, double *b) {
  nsds_slot_solve_w((const nsds_slot *)(const void *)s, nrhs, b);
}

/* Solves W dx' = b + [M + h (1-theta) df/dx - E] dx, with E as in W. */
static void euler_moreau_carry(const nsds_integration *s, const double *b, double *dq, double *dx) {
  const nsds_slot *slot = (const nsds_slot *)(const void *)s;
  const nsds_ds *ds = slot->ds;
  double *rhs = slot->scratch;
  int n = slot->nv;
  (void)dq;
  for (int k = 0; k < n; ++k) rhs[k] = b[k];
  nsds_mass_multiply(slot, 1.0, dx, rhs);
  nsds_shape_multiply(&ds->stiffness, n, slot->K, s->scheme->h * (1.0 - s->scheme->theta), dx, rhs);
  nsds_shape_multiply(&ds->damping, n, slot->C, -1.0, dx, rhs);
  nsds_slot_solve_w(slot, 1, rhs);
  nsds_copy_doubles(dx, rhs, (size_t)n);
}

/* Computes f at the end of the step: adds A x to b(t), which free has left in force_end. */
static nsds_status euler_moreau_finish(nsds_integration *s) {
  nsds_slot *slot = euler_moreau_slot_of(s);
  nsds_shape_multiply(&slot->ds->stiffness, slot->nv, slot->K, 1.0, s->u_end, s->force_end);
  return NSDS_OK;
}

static bool euler_moreau_finishes(const nsds_integration *s) {
  const nsds_slot *slot = (const nsds_slot *)(const void *)s;
  return slot->on.affine && !time_invariant(slot);
}

const nsds_integrator nsds_euler_moreau_integrator = {.name = "Euler-Moreau",
                                                      .order = 1,
                                                      .bundled = true,
                                                      .sparse_gain = true,
                                                      .rates = true,
                                                      .memory = euler_moreau_memory,
                                                      .refresh = euler_moreau_refresh,
                                                      .free = euler_moreau_free_affine,
                                                      .evaluate = euler_moreau_evaluate,
                                                      .tangent = euler_moreau_tangent,
                                                      .solve = euler_moreau_solve,
                                                      .apply = euler_moreau_apply,
                                                      .carry = euler_moreau_carry,
                                                      .finish = euler_moreau_finish,
                                                      .finishes = euler_moreau_finishes};
