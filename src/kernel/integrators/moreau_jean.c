/*
 * Moreau-Jean theta-scheme for one second-order system over [t_i, t_{i+1}], h = t_{i+1} - t_i:
 *
 *   R(v) = M(q*)(v - v_i) - h theta F(t_{i+1},q,v) - h (1-theta) F_i - p,
 *   q = q_i + h theta v + h (1-theta) v_i,   q* = q_i + h gamma [(1-theta) v_i + theta v]
 *   W = M(q*) + h theta C + h^2 theta^2 K
 *   Newton:  v_free = v^k - W^-1 R_free(v^k)
 *   affine:  v_free = v_i + W^-1 [-(h C + h^2 theta K) v_i - h K q_i + h theta F_{i+1}
 *                                 + h (1-theta) F_i]
 *
 *   explicit: v_free = v_i + h M(q_i + h gamma v_i)^-1 F_i
 *
 * If the system has a manifold, q + h v means the move on it. Prescribed degrees of freedom take
 * v_free = V(t_{i+1}) and drop out of W; the others see them through M, C and K. Source: Jean
 * (1999); Acary and Brogliato (2008), sec. 10.1.
 */
#include "kernel/integrators/moreau_jean.h"

#include "base/base.h"
#include "kernel/assembly/slot.h"
#include "kernel/assembly/slot_mass.h"
#include "kernel/modeling/modeling.h"

static nsds_slot *moreau_jean_slot_of(nsds_integration *s) { return (nsds_slot *)(void *)s; }

static void moreau_jean_form_w(nsds_slot *slot) {
  double c = slot->on.scheme->h * slot->on.scheme->theta;
  nsds_slot_form_w(slot, c, c * c);
}

static nsds_status tangents(nsds_slot *slot, const nsds_arguments *in, bool constant_ones) {
  const nsds_ds *ds = slot->ds;
  nsds_status status = NSDS_OK;
  if (slot->C && ds->damping.constant == constant_ones)
    status = ds->ops->damping(ds->self, in, slot->C);
  if (!status && slot->K && ds->stiffness.constant == constant_ones)
    status = ds->ops->stiffness(ds->self, in, slot->K);
  return status;
}

/* Computes q = q_i (+) step. */
static nsds_status moreau_jean_move(const nsds_slot *slot, const double *step, double *q) {
  return nsds_ds_move(slot->ds, slot->on.scheme->t, slot->on.q, slot->on.u, step, q);
}

/* Returns the size of the memory: prescribed velocities, then q* if M changes. */
static size_t moreau_jean_memory(const nsds_integration *s) {
  return (size_t)s->ds->prescribed.n + (s->ds->mass.constant ? 0 : (size_t)s->nq);
}

/* Computes M at q*. */
static nsds_status moreau_jean_update_mass(nsds_slot *slot, bool predicted) {
  const nsds_ds *ds = slot->ds;
  const nsds_scheme *scheme = slot->on.scheme;
  double *step = slot->scratch, reach = scheme->h * scheme->gamma_mass, theta = scheme->theta;
  if (ds->mass.constant) return NSDS_OK;
  double *q = slot->on.memory + ds->prescribed.n;
  for (int k = 0; k < slot->nv; ++k) {
    double vi = slot->on.u[k];
    step[k] = reach * (predicted ? vi : (1.0 - theta) * vi + theta * slot->on.u_end[k]);
  }
  nsds_status status = moreau_jean_move(slot, step, q);
  if (status) return status;
  nsds_arguments at = nsds_ds_in(ds, scheme->t_next, q, predicted ? slot->on.u : slot->on.u_end);
  return ds->ops->mass(ds->self, &at, slot->M);
}

static nsds_status moreau_jean_refresh(nsds_integration *s) {
  nsds_slot *slot = moreau_jean_slot_of(s);
  const nsds_ds *ds = slot->ds;
  nsds_arguments in = nsds_ds_in(ds, s->scheme->t, s->q, s->u);
  nsds_status status = NSDS_OK;
  if (ds->mass.constant) status = ds->ops->mass(ds->self, &in, slot->M);
  if (!status) status = tangents(slot, &in, true);
  if (!status) status = ds->ops->force(ds->self, &in, s->force);
  if (!status && ds->affine && !slot->on.affine) {
    nsds_shape_multiply(&ds->damping, slot->nv, slot->C, -1.0, s->u, s->force);
    nsds_shape_multiply(&ds->stiffness, slot->nv, slot->K, -1.0, s->q, s->force);
  }
  if (!status && slot->is.fixed) {
    moreau_jean_form_w(slot);
    status = nsds_slot_factor_w(slot);
    bool alone = slot->osi == &nsds_moreau_jean_integrator && ds->prescribed.n == 0;
    slot->scaling = alone ? nsds_slot_inverse(slot) : NULL;
  }
  if (!status && slot->is.drifting) {
    for (int k = 0; k < slot->nv; ++k) slot->increment[k] = s->scheme->h * s->force[k];
    nsds_slot_solve_w(slot, 1, slot->increment);
  }
  return status;
}

/* Moves W times the known jumps V(t_{i+1}) - v to the right-hand side. */
static nsds_status move_prescribed(nsds_slot *slot, const double *v, double *rhs) {
  const nsds_ds *ds = slot->ds;
  const nsds_scheme *scheme = slot->on.scheme;
  if (ds->prescribed.n == 0) return NSDS_OK;
  nsds_arguments in = nsds_ds_in(ds, scheme->t_next, slot->on.q, v);
  double *jump = slot->scratch, *given = slot->on.memory, c = scheme->h * scheme->theta;
  nsds_status status = ds->ops->prescribed(ds->self, &in, given);
  if (status) return status;
  for (int k = 0; k < slot->nv; ++k) jump[k] = 0.0;
  for (int k = 0; k < ds->prescribed.n; ++k)
    jump[ds->prescribed.index[k]] = given[k] - v[ds->prescribed.index[k]];
  nsds_shape_multiply(&ds->mass, slot->nv, slot->M, -1.0, jump, rhs);
  nsds_shape_multiply(&ds->damping, slot->nv, slot->C, -c, jump, rhs);
  nsds_shape_multiply(&ds->stiffness, slot->nv, slot->K, -c * c, jump, rhs);
  for (int k = 0; k < ds->prescribed.n; ++k)
    rhs[ds->prescribed.index[k]] = jump[ds->prescribed.index[k]];
  return NSDS_OK;
}

/* Solves M(q*) (v_free - v_i) = h F_i, with forces of the start of the step. */
static nsds_status free_explicit(nsds_slot *slot) {
  double *out = slot->on.u_free;
  nsds_status status = moreau_jean_update_mass(slot, true);
  for (int k = 0; k < slot->nv; ++k) out[k] = slot->on.scheme->h * slot->on.force[k];
  if (!status) status = move_prescribed(slot, slot->on.u, out);
  if (!status && !slot->is.fixed) {
    moreau_jean_form_w(slot);
    status = nsds_slot_factor_w(slot);
  }
  if (status) return status;
  if (slot->scaling)
    for (int k = 0; k < slot->nv; ++k) out[k] *= slot->scaling[k];
  else nsds_slot_solve_w(slot, 1, out);
  for (int k = 0; k < slot->nv; ++k) out[k] += slot->on.u[k];
  return NSDS_OK;
}

static NSDS_NOINLINE nsds_status free_forced(nsds_integration *s) {
  nsds_slot *slot = moreau_jean_slot_of(s);
  const nsds_ds *ds = slot->ds;
  const double *v = s->u, *q = s->q;
  double *out = s->u_free;
  int n = slot->nv;
  if (ds->explicit_force) return free_explicit(slot);
  double h = s->scheme->h, theta = s->scheme->theta;
  const double *end = s->force;
  if (!ds->force_constant) {
    nsds_arguments in = nsds_ds_in(ds, s->scheme->t_next, q, v);
    nsds_status status = ds->ops->force(ds->self, &in, s->force_end);
    if (status) return status;
    end = s->force_end;
  }
  if (n == 1 && !slot->factor && ds->prescribed.n == 0) {
    double rhs = h * theta * *end + h * (1.0 - theta) * *s->force;
    if (slot->C) rhs -= h * *slot->C * *v;
    if (slot->K) rhs -= h * *slot->K * (*q + h * theta * *v);
    *out = rhs / slot->w + *v;
    return NSDS_OK;
  }
  for (int k = 0; k < n; ++k) out[k] = h * theta * end[k] + h * (1.0 - theta) * s->force[k];
  nsds_shape_multiply(&ds->damping, n, slot->C, -h, v, out);
  for (int k = 0; slot->K && k < n; ++k) slot->scratch[k] = q[k] + h * theta * v[k];
  nsds_shape_multiply(&ds->stiffness, n, slot->K, -h, slot->scratch, out);
  nsds_status status = move_prescribed(slot, v, out);
  if (status) return status;
  nsds_slot_solve_w(slot, 1, out);
  for (int k = 0; k < n; ++k) out[k] += v[k];
  return NSDS_OK;
}

static nsds_status moreau_jean_free_affine(nsds_integration *s) {
  const nsds_slot *slot = moreau_jean_slot_of(s);
  if (!slot->is.drifting) return free_forced(s);
  for (int k = 0; k < slot->nv; ++k) s->u_free[k] = s->u[k] + slot->increment[k];
  return NSDS_OK;
}

/* Computes M(q*), F and R_free at the iterate. An explicit force stays that of the start. */
static nsds_status moreau_jean_evaluate(nsds_integration *s) {
  nsds_slot *slot = moreau_jean_slot_of(s);
  const nsds_ds *ds = slot->ds;
  int n = slot->nv;
  bool early = ds->explicit_force;
  double h = s->scheme->h, theta = early ? 0.0 : s->scheme->theta;
  nsds_status status = moreau_jean_update_mass(slot, early || s->scheme->predict_once);
  nsds_arguments in = nsds_ds_in(ds, s->scheme->t_next, s->q_end, s->u_end);
  if (!status && !early) status = ds->ops->force(ds->self, &in, s->force_end);
  if (status) return status;
  if (ds->affine) { /* tied to a nonlinear relation */
    nsds_shape_multiply(&ds->damping, n, slot->C, -1.0, s->u_end, s->force_end);
    nsds_shape_multiply(&ds->stiffness, n, slot->K, -1.0, s->q_end, s->force_end);
  }
  double *change = slot->scratch, *residual = s->residual;
  double start = -h * (1.0 - theta), end = h * theta;
  for (int k = 0; k < n; ++k) {
    change[k] = s->u_end[k] - s->u[k];
    residual[k] = start * s->force[k];
    if (!early) residual[k] -= end * s->force_end[k];
  }
  nsds_shape_multiply(&ds->mass, n, slot->M, 1.0, change, residual);
  return NSDS_OK;
}

static nsds_status moreau_jean_tangent(nsds_integration *s) {
  nsds_slot *slot = moreau_jean_slot_of(s);
  nsds_arguments in = nsds_ds_in(slot->ds, s->scheme->t_next, s->q_end, s->u_end);
  nsds_status status = tangents(slot, &in, false);
  if (!status && !slot->is.fixed) moreau_jean_form_w(slot);
  return status;
}

static nsds_status moreau_jean_solve(nsds_integration *s) {
  nsds_slot *slot = moreau_jean_slot_of(s);
  nsds_status status = move_prescribed(slot, s->u_end, s->u_free);
  if (!status && !slot->is.fixed) status = nsds_slot_factor_w(slot);
  if (!status) nsds_slot_solve_w(slot, 1, s->u_free);
  return status;
}

static void moreau_jean_apply(const nsds_integration *s, int nrhs, double *b) {
  nsds_slot_apply((const nsds_slot *)(const void *)s, nrhs, b);
}

/* Solves (M + h theta C + h^2 theta^2 K) dv' =
 *   b + M dv - h (1-theta) C dv - h K dq - h^2 theta (1-theta) K dv */
static void moreau_jean_carry(const nsds_integration *s, const double *b, double *dq, double *dv) {
  const nsds_slot *slot = (const nsds_slot *)(const void *)s;
  const nsds_ds *ds = slot->ds;
  double h = s->scheme->h, theta = s->scheme->theta, *rhs = slot->scratch;
  int n = slot->nv;
  for (int k = 0; k < n; ++k) rhs[k] = b[k];
  nsds_mass_multiply(slot, 1.0, dv, rhs);
  nsds_shape_multiply(&ds->damping, n, slot->C, -h * (1.0 - theta), dv, rhs);
  nsds_shape_multiply(&ds->stiffness, n, slot->K, -h, dq, rhs);
  nsds_shape_multiply(&ds->stiffness, n, slot->K, -h * h * theta * (1.0 - theta), dv, rhs);
  for (int k = 0; k < ds->prescribed.n; ++k) rhs[ds->prescribed.index[k]] = 0.0;
  nsds_slot_solve_w(slot, 1, rhs);
  for (int k = 0; k < n; ++k) {
    dq[k] += h * (theta * rhs[k] + (1.0 - theta) * dv[k]);
    dv[k] = rhs[k];
  }
}

static void advance_flat(const nsds_scheme *scheme, size_t n, const double *q, const double *u,
                         const double *u_end, double *q_end) {
  double a = scheme->h * scheme->theta, b = scheme->h * (1.0 - scheme->theta);
  for (size_t k = 0; k < n; ++k) q_end[k] = q[k] + a * u_end[k] + b * u[k];
}

static nsds_status moreau_jean_advance(nsds_integration *s) {
  nsds_slot *slot = moreau_jean_slot_of(s);
  if (!slot->ds->ops->advance) {
    advance_flat(s->scheme, (size_t)s->nu, s->q, s->u, s->u_end, s->q_end);
    return NSDS_OK;
  }
  double a = s->scheme->h * s->scheme->theta, b = s->scheme->h * (1.0 - s->scheme->theta);
  for (int k = 0; k < slot->nv; ++k) slot->scratch[k] = a * s->u_end[k] + b * s->u[k];
  return moreau_jean_move(slot, slot->scratch, s->q_end);
}

/* Computes the mean force on prescribed velocities:
 * [M (v_{i+1} - v_i) - h theta F_{i+1} - h (1-theta) F_i - p] / h. */
static void find_reaction(nsds_integration *s) {
  nsds_slot *slot = moreau_jean_slot_of(s);
  const nsds_ds *ds = slot->ds;
  int n = slot->nv;
  double h = s->scheme->h, theta = s->scheme->theta;
  double *out = s->reaction_end, *mean = slot->scratch;
  if (slot->on.affine) {
    bool same = ds->force_constant || ds->explicit_force;
    const double *end = same ? s->force : s->force_end;
    for (int k = 0; k < n; ++k)
      out[k] = -h * theta * end[k] - h * (1.0 - theta) * s->force[k] - s->p_end[k];
    for (int k = 0; k < n; ++k) mean[k] = s->u_end[k] - s->u[k];
    nsds_shape_multiply(&ds->mass, n, slot->M, 1.0, mean, out);
    for (int k = 0; k < n; ++k) mean[k] = theta * s->u_end[k] + (1.0 - theta) * s->u[k];
    nsds_shape_multiply(&ds->damping, n, slot->C, h, mean, out);
    for (int k = 0; slot->K && k < n; ++k) mean[k] = theta * s->q_end[k] + (1.0 - theta) * s->q[k];
    nsds_shape_multiply(&ds->stiffness, n, slot->K, h, mean, out);
  } else {
    for (int k = 0; k < n; ++k) out[k] = s->residual[k] - s->p_end[k];
  }
  for (int k = 0, d = 0; k < n; ++k)
    if (d < ds->prescribed.n && ds->prescribed.index[d] == k) out[k] /= h, ++d;
    else out[k] = 0.0;
}

/* Checks M, and computes reactions and the explicit force of the next step. */
static nsds_status moreau_jean_finish(nsds_integration *s) {
  const nsds_ds *ds = s->ds;
  nsds_status status = nsds_slot_check_mass(moreau_jean_slot_of(s), s->scheme->t_next);
  if (status) return status;
  if (ds->prescribed.n > 0) find_reaction(s);
  else
    for (int k = 0; k < s->nu; ++k) s->reaction_end[k] = 0.0;
  if (!ds->explicit_force) return NSDS_OK;
  nsds_arguments in = nsds_ds_in(ds, s->scheme->t_next, s->q_end, s->u_end);
  return ds->ops->force(ds->self, &in, s->force_end);
}

static bool moreau_jean_finishes(const nsds_integration *s) {
  return s->ds->prescribed.n > 0 || s->ds->explicit_force || !s->ds->mass.constant;
}

const nsds_integrator nsds_moreau_jean_integrator = {.name = "Moreau-Jean",
                                                     .order = 2,
                                                     .bundled = true,
                                                     .memory = moreau_jean_memory,
                                                     .refresh = moreau_jean_refresh,
                                                     .free = moreau_jean_free_affine,
                                                     .evaluate = moreau_jean_evaluate,
                                                     .tangent = moreau_jean_tangent,
                                                     .solve = moreau_jean_solve,
                                                     .apply = moreau_jean_apply,
                                                     .carry = moreau_jean_carry,
                                                     .advance = moreau_jean_advance,
                                                     .advance_flat = advance_flat,
                                                     .finish = moreau_jean_finish,
                                                     .finishes = moreau_jean_finishes};
