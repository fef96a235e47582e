/*
 * One second-order system in the nonsmooth RATTLE scheme, with v the velocity of the middle:
 *
 *   first half    R(v) = M(q_k)(v - v_k) - h/2 F(t_k, q_k, v) - p,    q_{k+1} = q_k (+) h v
 *                 W = M(q_k) + h/2 C
 *   second half   M(q_{k+1})(v_{k+1} - v) = h/2 F(t_{k+1}, q_{k+1}, v) + p'
 *
 * Both halves take F at the same v, so that the step is its own inverse, and of order two. A force
 * that you declared explicit is taken at v_k and at 2 v - v_k, with W = M. Prescribed velocities
 * take v = V(t_k + h/2) and v_{k+1} = V(t_{k+1}). rattle_step.c makes the step. Source: Breuling, Capobianco, Eugster and Leine, Nonlinear Dynamics (2024).
 */
#include "kernel/integrators/rattle.h"

#include "base/base.h"
#include "kernel/assembly/slot.h"
#include "kernel/assembly/slot_mass.h"
#include "kernel/integrators/system_rates.h"
#include "kernel/modeling/modeling.h"

static nsds_slot *rattle_slot_of(nsds_integration *s) { return (nsds_slot *)(void *)s; }

/* Memory of a system with prescribed velocities: v of the middle, impulses of both halves without
 * those of contacts (nv each), then the given velocities. */
static size_t rattle_memory(const nsds_integration *s) {
  size_t n = (size_t)s->ds->prescribed.n;
  return n > 0 ? 3 * (size_t)s->nu + n : 0;
}

static double *given_of(const nsds_slot *slot) { return slot->on.memory + 3 * (size_t)slot->nv; }

/* Computes the given velocities at a time. */
static nsds_status find_given(nsds_slot *slot, double t, const double *q, const double *v) {
  const nsds_ds *ds = slot->ds;
  nsds_arguments in = nsds_ds_in(ds, t, q, v);
  return ds->ops->prescribed(ds->self, &in, given_of(slot));
}

/* Moves W = M + c C times the known jumps from v to the right-hand side, which gets the jumps. */
static void rattle_take_known(nsds_slot *slot, double c, const double *v, double *rhs) {
  const nsds_ds *ds = slot->ds;
  double *jump = slot->scratch;
  nsds_zero_doubles(jump, (size_t)slot->nv);
  for (int k = 0; k < ds->prescribed.n; ++k) {
    int at = ds->prescribed.index[k];
    jump[at] = given_of(slot)[k] - v[at];
  }
  nsds_mass_multiply(slot, -1.0, jump, rhs);
  if (c > 0.0) nsds_shape_multiply(&ds->damping, slot->nv, slot->C, -c, jump, rhs);
  for (int k = 0; k < ds->prescribed.n; ++k)
    rhs[ds->prescribed.index[k]] = jump[ds->prescribed.index[k]];
}

/* Does this for the first half. */
static nsds_status take_known_middle(nsds_slot *slot, const double *v, double *rhs) {
  const nsds_integration *s = &slot->on;
  double half = 0.5 * s->scheme->h;
  if (slot->ds->prescribed.n == 0) return NSDS_OK;
  nsds_status status = find_given(slot, s->scheme->t + half, s->q, v);
  if (!status) rattle_take_known(slot, slot->ds->explicit_force ? 0.0 : half, v, rhs);
  return status;
}

static void rattle_form_w(nsds_slot *slot) {
  bool implicit = !slot->ds->explicit_force;
  nsds_slot_form_w(slot, implicit ? 0.5 * slot->on.scheme->h : 0.0, 0.0);
}

static nsds_arguments at_start(const nsds_integration *s, const double *v) {
  return nsds_ds_in(s->ds, s->scheme->t, s->q, v);
}

static nsds_status rattle_refresh(nsds_integration *s) {
  nsds_slot *slot = rattle_slot_of(s);
  const nsds_ds *ds = slot->ds;
  nsds_arguments in = at_start(s, s->u);
  nsds_status status = NSDS_OK;
  if (slot->M && ds->mass.constant) status = ds->ops->mass(ds->self, &in, slot->M);
  if (!status && slot->C && ds->damping.constant) status = ds->ops->damping(ds->self, &in, slot->C);
  if (!status && slot->K && ds->stiffness.constant)
    status = ds->ops->stiffness(ds->self, &in, slot->K);
  if (!status && slot->on.affine) status = ds->ops->force(ds->self, &in, s->force);
  if (status || !slot->is.fixed) return status;
  rattle_form_w(slot);
  return nsds_slot_factor_w(slot);
}

/* Computes M(q_k), if it is not constant. */
static nsds_status first_mass(nsds_slot *slot, const nsds_arguments *in) {
  const nsds_ds *ds = slot->ds;
  return slot->M && !ds->mass.constant ? ds->ops->mass(ds->self, in, slot->M) : NSDS_OK;
}

/* Computes v without impulses: W (v - v_k) = h/2 F(t_k, q_k, v_k). */
static nsds_status free_middle(nsds_integration *s) {
  nsds_slot *slot = rattle_slot_of(s);
  const nsds_ds *ds = slot->ds;
  double half = 0.5 * s->scheme->h;
  nsds_arguments in = at_start(s, s->u);
  nsds_status status = first_mass(slot, &in);
  if (!status && ds->explicit_force) status = ds->ops->force(ds->self, &in, s->force);
  if (!status && !slot->is.fixed) {
    rattle_form_w(slot);
    status = nsds_slot_factor_w(slot);
  }
  if (status) return status;
  for (int k = 0; k < slot->nv; ++k)
    s->u_free[k] = half * s->force[k] + (slot->pull ? slot->pull[k] : 0.0);
  if (!ds->explicit_force) {
    nsds_shape_multiply(&ds->damping, slot->nv, slot->C, -half, s->u, s->u_free);
    nsds_shape_multiply(&ds->stiffness, slot->nv, slot->K, -half, s->q, s->u_free);
  }
  status = take_known_middle(slot, s->u, s->u_free);
  if (status) return status;
  nsds_slot_solve_w(slot, 1, s->u_free);
  for (int k = 0; k < slot->nv; ++k) s->u_free[k] += s->u[k];
  return NSDS_OK;
}

/* Computes R of the first half without p. */
static nsds_status rattle_evaluate(nsds_integration *s) {
  nsds_slot *slot = rattle_slot_of(s);
  nsds_arguments in = at_start(s, s->u_end);
  nsds_status status = first_mass(slot, &in);
  if (!status) status = nsds_system_force(slot, &in, s->force);
  if (status) return status;
  for (int k = 0; k < slot->nv; ++k) {
    slot->scratch[k] = s->u_end[k] - s->u[k];
    s->residual[k] = -0.5 * s->scheme->h * s->force[k] - (slot->pull ? slot->pull[k] : 0.0);
  }
  nsds_mass_multiply(slot, 1.0, slot->scratch, s->residual);
  return NSDS_OK;
}

static nsds_status rattle_tangent(nsds_integration *s) {
  nsds_slot *slot = rattle_slot_of(s);
  const nsds_ds *ds = slot->ds;
  nsds_arguments in = at_start(s, s->u_end);
  nsds_status status = NSDS_OK;
  if (slot->C && !ds->damping.constant) status = ds->ops->damping(ds->self, &in, slot->C);
  if (!slot->is.fixed) rattle_form_w(slot);
  return status;
}

static nsds_status rattle_solve(nsds_integration *s) {
  nsds_slot *slot = rattle_slot_of(s);
  nsds_status status = take_known_middle(slot, s->u_end, s->u_free);
  if (!status && !slot->is.fixed) status = nsds_slot_factor_w(slot);
  if (!status) nsds_slot_solve_w(slot, 1, s->u_free);
  return status;
}

static void rattle_apply(const nsds_integration *s, int nrhs, double *b) {
  nsds_slot_apply((const nsds_slot *)(const void *)s, nrhs, b);
}

static nsds_status rattle_advance(nsds_integration *s) {
  nsds_slot *slot = rattle_slot_of(s);
  double h = s->scheme->h;
  for (int k = 0; k < slot->nv; ++k) slot->scratch[k] = h * s->u_end[k];
  return nsds_ds_move(slot->ds, s->scheme->t, s->q, s->u, slot->scratch, s->q_end);
}

/* Keeps v of the middle and the impulse M(q_k)(v - v_k) - h/2 F of the first half, which contacts
 * and prescribed velocities have given. */
static void keep_first_half(nsds_slot *slot) {
  const nsds_integration *s = &slot->on;
  const nsds_ds *ds = slot->ds;
  double half = 0.5 * s->scheme->h, *v = s->memory, *impulse = v + slot->nv;
  bool implicit = slot->on.affine && !ds->explicit_force;
  for (int k = 0; k < slot->nv; ++k) {
    v[k] = s->u_end[k];
    impulse[k] = -half * s->force[k];
    slot->scratch[k] = s->u_end[k] - s->u[k];
  }
  nsds_mass_multiply(slot, 1.0, slot->scratch, impulse);
  if (implicit) {
    nsds_shape_multiply(&ds->damping, slot->nv, slot->C, half, s->u_end, impulse);
    nsds_shape_multiply(&ds->stiffness, slot->nv, slot->K, half, s->q, impulse);
  }
}

nsds_status nsds_rattle_second_half(nsds_slot *slot, double *impulse) {
  const nsds_integration *s = &slot->on;
  const nsds_ds *ds = slot->ds;
  const double *v = s->u_end;
  if (ds->prescribed.n > 0) keep_first_half(slot);
  if (ds->explicit_force) {
    for (int k = 0; k < slot->nv; ++k) slot->scratch[k] = 2.0 * s->u_end[k] - s->u[k];
    v = slot->scratch;
  }
  nsds_arguments in = nsds_ds_in(ds, s->scheme->t_next, s->q_end, v);
  nsds_status status = ds->ops->force(ds->self, &in, s->force_end);
  if (status) return status;
  for (int k = 0; k < slot->nv; ++k) impulse[k] = s->force_end[k];
  if (ds->affine && !ds->explicit_force) {
    nsds_shape_multiply(&ds->damping, slot->nv, slot->C, -1.0, v, impulse);
    nsds_shape_multiply(&ds->stiffness, slot->nv, slot->K, -1.0, s->q_end, impulse);
  }
  for (int k = 0; k < slot->nv; ++k) impulse[k] *= 0.5 * s->scheme->h;
  if (ds->prescribed.n > 0)
    nsds_copy_doubles(s->memory + 2 * (size_t)slot->nv, impulse, (size_t)slot->nv);
  return NSDS_OK;
}

nsds_status nsds_rattle_hold(nsds_slot *slot, double *impulse) {
  const nsds_integration *s = &slot->on;
  const nsds_ds *ds = slot->ds;
  if (ds->prescribed.n == 0) return NSDS_OK;
  nsds_arguments in = nsds_ds_in(ds, s->scheme->t_next, s->q_end, s->u_end);
  nsds_status status = find_given(slot, s->scheme->t_next, s->q_end, s->u_end);
  if (!status && slot->M && !ds->mass.constant) status = ds->ops->mass(ds->self, &in, slot->M);
  if (status) return status;
  rattle_take_known(slot, 0.0, s->u_end, impulse);
  return NSDS_OK;
}

/* Computes the mean force on prescribed velocities over the step. slot->M is that of the end. */
static nsds_status rattle_finish(nsds_integration *s) {
  nsds_slot *slot = rattle_slot_of(s);
  const nsds_ds *ds = s->ds;
  size_t n = (size_t)slot->nv;
  nsds_zero_doubles(s->reaction_end, n);
  if (ds->prescribed.n == 0) return NSDS_OK;
  const double *v = s->memory, *first = v + n, *second = first + n;
  double *sum = slot->scratch, *change = s->memory; /* v is not needed any more */
  for (size_t k = 0; k < n; ++k) {
    sum[k] = first[k] - second[k] - s->p_end[k];
    change[k] = s->u_end[k] - v[k];
  }
  nsds_mass_multiply(slot, 1.0, change, sum);
  for (int k = 0; k < ds->prescribed.n; ++k) {
    int at = ds->prescribed.index[k];
    s->reaction_end[at] = sum[at] / s->scheme->h;
  }
  return NSDS_OK;
}

static bool rattle_finishes(const nsds_integration *s) { return s->ds->prescribed.n > 0; }

const nsds_integrator nsds_rattle_integrator = {.name = "RATTLE",
                                                .order = 2,
                                                .memory = rattle_memory,
                                                .refresh = rattle_refresh,
                                                .free = free_middle,
                                                .evaluate = rattle_evaluate,
                                                .tangent = rattle_tangent,
                                                .solve = rattle_solve,
                                                .apply = rattle_apply,
                                                .advance = rattle_advance,
                                                .finish = rattle_finish,
                                                .finishes = rattle_finishes};
