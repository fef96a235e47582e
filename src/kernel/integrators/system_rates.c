/*
 * Smooth motion between events: the rate of one system's unknown at an instant, without the inputs
 * of interactions,
 *
 *   second order   dv/dt = M(q)^-1 F(t,q,v)        F - C v - K q if the system is affine
 *   first order    dx/dt = M(t)^-1 f(t,x)          A x + b if it is affine
 *
 * at (t_next, q_end, u_end) of the scheme, into u_free; the gain of an input is M^-1. The memory
 * holds the known rates of prescribed velocities, which drop out. index_one.c treats a singular M.
 */
#include "kernel/integrators/system_rates.h"

#include "base/base.h"
#include "kernel/assembly/index_one.h"
#include "kernel/assembly/slot.h"
#include "kernel/assembly/slot_mass.h"
#include "kernel/modeling/modeling.h"

static nsds_slot *system_rates_slot_of(nsds_integration *s) { return (nsds_slot *)(void *)s; }

static nsds_arguments system_rates_at_end(const nsds_slot *slot) {
  const nsds_integration *s = &slot->on;
  return nsds_ds_in(slot->ds, s->scheme->t_next, s->q_end, s->u_end);
}

static nsds_status factor_mass(nsds_slot *slot, const nsds_arguments *in) {
  const nsds_ds *ds = slot->ds;
  nsds_status status = NSDS_OK;
  if (slot->M)
    status = nsds_is_second_order(ds) ? ds->ops->mass(ds->self, in, slot->M)
                                      : ds->first->mass(ds->self, in, slot->M);
  if (!status) status = nsds_slot_check_mass(slot, in->t);
  if (status) return status;
  nsds_slot_form_w(slot, 0.0, 0.0);
  if (nsds_is_second_order(ds)) return nsds_slot_factor_w(slot);
  bool singular = nsds_slot_is_singular(slot);
  if (singular) return nsds_index_one_make(slot, in->t, in->v);
  nsds_index_one_destroy(slot->index_one);
  slot->index_one = NULL;
  return NSDS_OK;
}

static bool mass_stays(const nsds_slot *slot) { return !slot->M || slot->ds->mass.constant; }

/* Computes the constant parts: C, K or A, M and its factor. */
static nsds_status system_rates_refresh(nsds_integration *s) {
  nsds_slot *slot = system_rates_slot_of(s);
  const nsds_ds *ds = slot->ds;
  nsds_arguments in = nsds_ds_in(ds, s->scheme->t, s->q, s->u);
  bool first = nsds_is_first_order(ds) && slot->K && ds->stiffness.constant;
  nsds_status status = first ? ds->first->jacobian(ds->self, &in, slot->K) : NSDS_OK;
  if (!status && mass_stays(slot)) status = factor_mass(slot, &in);
  s->input_weight = 1.0;
  if (nsds_is_second_order(ds)) {
    if (!status && ds->affine && slot->C) status = ds->ops->damping(ds->self, &in, slot->C);
    if (!status && ds->affine && slot->K) status = ds->ops->stiffness(ds->self, &in, slot->K);
    if (!status && slot->is.drifting) status = ds->ops->force(ds->self, &in, slot->increment);
    if (!status && slot->is.drifting) nsds_slot_solve_w(slot, 1, slot->increment);
  }
  return status;
}

nsds_status nsds_system_force(nsds_slot *slot, const nsds_arguments *in, double *F) {
  const nsds_ds *ds = slot->ds;
  nsds_status status = ds->ops->force(ds->self, in, F);
  if (status || !ds->affine) return status;
  nsds_shape_multiply(&ds->damping, slot->nv, slot->C, -1.0, in->v, F);
  nsds_shape_multiply(&ds->stiffness, slot->nv, slot->K, -1.0, in->q, F);
  return NSDS_OK;
}

static nsds_status force_first(nsds_slot *slot, const nsds_arguments *in, double *f) {
  const nsds_ds *ds = slot->ds;
  nsds_status status = ds->first->rhs(ds->self, in, f);
  if (status || !ds->affine || !slot->K) return status;
  if (!ds->stiffness.constant) status = ds->first->jacobian(ds->self, in, slot->K);
  nsds_shape_multiply(&ds->stiffness, slot->nv, slot->K, 1.0, slot->on.u_end, f);
  return status;
}

/* Moves the known rates a_d to the right-hand side: subtracts M a_d from the other rows. */
static void take_known(const nsds_slot *slot) {
  const nsds_ds *ds = slot->ds;
  const double *rate = slot->on.memory;
  double *a = slot->scratch, *out = slot->on.u_free;
  for (int k = 0; k < slot->nv; ++k) a[k] = 0.0;
  for (int k = 0; k < ds->prescribed.n; ++k) a[ds->prescribed.index[k]] = rate[k];
  nsds_shape_multiply(&ds->mass, slot->nv, slot->M, -1.0, a, out);
  for (int k = 0; k < ds->prescribed.n; ++k) out[ds->prescribed.index[k]] = rate[k];
}

nsds_status nsds_system_rate(nsds_slot *slot, const nsds_arguments *in) {
  const nsds_integration *s = &slot->on;
  if (slot->is.drifting) {
    nsds_copy_doubles(s->u_free, slot->increment, (size_t)slot->nv);
    return NSDS_OK;
  }
  nsds_status status = mass_stays(slot) ? NSDS_OK : factor_mass(slot, in);
  if (!status && slot->index_one && slot->index_one->bends)
    status = nsds_index_one_bend(slot, in->t);
  if (!status && slot->index_one) return nsds_index_one_rate(slot, in->t, in->v, s->u_free);
  if (!status)
    status = nsds_is_second_order(slot->ds) ? nsds_system_force(slot, in, s->u_free)
                                            : force_first(slot, in, s->u_free);
  if (status) return status;
  if (slot->ds->prescribed.n > 0) take_known(slot);
  nsds_slot_solve_w(slot, 1, s->u_free);
  return NSDS_OK;
}

static nsds_status rate(nsds_integration *s) {
  nsds_slot *slot = system_rates_slot_of(s);
  nsds_arguments in = system_rates_at_end(slot);
  return nsds_system_rate(slot, &in);
}

static void system_rates_apply(const nsds_integration *s, int nrhs, double *b) {
  const nsds_slot *slot = (const nsds_slot *)(const void *)s;
  if (slot->index_one) nsds_index_one_apply(slot->index_one, nrhs, b);
  else nsds_slot_apply(slot, nrhs, b);
}

/* Returns the size of the memory: rates of prescribed velocities, and work of
 * prescribed_rates.c. */
static size_t system_rates_memory(const nsds_integration *s) {
  return 3 * (size_t)s->ds->prescribed.n;
}

const nsds_integrator nsds_system_rates_second = {.name = "smooth",
                                                  .order = 2,
                                                  .memory = system_rates_memory,
                                                  .refresh = system_rates_refresh,
                                                  .free = rate,
                                                  .evaluate = rate,
                                                  .apply = system_rates_apply};
const nsds_integrator nsds_system_rates_first = {.name = "smooth",
                                                 .order = 1,
                                                 .refresh = system_rates_refresh,
                                                 .free = rate,
                                                 .evaluate = rate,
                                                 .apply = system_rates_apply};
