/*
 * Smooth motion between events: the rate of one system's unknown at an instant, without the inputs
 * of interactions,
 *
 *   second order   dv/dt = M(q)^-1 F(t,q,v)        F - C v - K q where the system is affine
 *   first order    dx/dt = M(t)^-1 f(t,x)          A x + b where it is
 *
 * at (t_next, q_end, u_end) of the scheme, into u_free; the gain of an input is M^-1.
 */
#include "integrators.h"
#include "plan.h"

static nsds_slot *slot_of(nsds_integration *s) { return (nsds_slot *)(void *)s; }

static nsds_in at_end(const nsds_slot *slot) {
  const nsds_integration *s = &slot->on;
  return nsds_ds_in(slot->ds, s->scheme->t_next, s->q_end, s->u_end);
}

static nsds_status factor_mass(nsds_slot *slot, const nsds_in *in) {
  const nsds_ds *ds = slot->ds;
  nsds_status status = NSDS_OK;
  if (slot->M)
    status = ds->order == 2 ? ds->ops->mass(ds->self, in, slot->M)
                            : ds->first->mass(ds->self, in, slot->M);
  if (status) return status;
  nsds_slot_form_w(slot, 0.0, 0.0);
  return nsds_slot_factor_w(slot);
}

static bool mass_stays(const nsds_slot *slot) { return !slot->M || slot->ds->mass.constant; }

static nsds_status check(nsds_integration *s) {
  if (s->ds->nprescribed == 0) return NSDS_OK;
  char label[nsds_label_size];
  return nsds_fail(
      s->context, NSDS_ERROR_UNSUPPORTED,
      "%s has prescribed velocities, which event-driven simulation does not integrate; "
      "valid is a rheonomous relation with an equality law in their place",
      nsds_ds_label(s->ds, label));
}

/* What does not change: M and its factor, C, K or A. */
static nsds_status refresh(nsds_integration *s) {
  nsds_slot *slot = slot_of(s);
  const nsds_ds *ds = slot->ds;
  nsds_in in = nsds_ds_in(ds, s->scheme->t, s->q, s->u);
  nsds_status status = mass_stays(slot) ? factor_mass(slot, &in) : NSDS_OK;
  s->input_weight = 1.0;
  if (ds->order == 2) {
    if (!status && ds->affine && slot->C) status = ds->ops->damping(ds->self, &in, slot->C);
    if (!status && ds->affine && slot->K) status = ds->ops->stiffness(ds->self, &in, slot->K);
    if (!status && slot->drift) status = ds->ops->force(ds->self, &in, slot->increment);
    if (!status && slot->drift) nsds_slot_solve_w(slot, 1, slot->increment);
  } else if (!status && slot->K && ds->stiffness.constant) {
    status = ds->first->jacobian(ds->self, &in, slot->K);
  }
  return status;
}

static nsds_status force_second(nsds_slot *slot, const nsds_in *in, double *F) {
  const nsds_ds *ds = slot->ds;
  nsds_status status = ds->ops->force(ds->self, in, F);
  if (status || !ds->affine) return status;
  nsds_shape_multiply(&ds->damping, slot->nv, slot->C, -1.0, in->v, F);
  nsds_shape_multiply(&ds->stiffness, slot->nv, slot->K, -1.0, in->q, F);
  return NSDS_OK;
}

static nsds_status force_first(nsds_slot *slot, const nsds_in *in, double *f) {
  const nsds_ds *ds = slot->ds;
  nsds_status status = ds->first->rhs(ds->self, in, f);
  if (status || !ds->affine || !slot->K) return status;
  if (!ds->stiffness.constant) status = ds->first->jacobian(ds->self, in, slot->K);
  nsds_shape_multiply(&ds->stiffness, slot->nv, slot->K, 1.0, slot->on.u_end, f);
  return status;
}

nsds_status nsds_smooth_rate(nsds_slot *slot, const nsds_in *in) {
  const nsds_integration *s = &slot->on;
  if (slot->drift) {
    nsds_copy_doubles(s->u_free, slot->increment, (size_t)slot->nv);
    return NSDS_OK;
  }
  nsds_status status = mass_stays(slot) ? NSDS_OK : factor_mass(slot, in);
  if (!status)
    status =
        slot->ds->order == 2 ? force_second(slot, in, s->u_free) : force_first(slot, in, s->u_free);
  if (!status) nsds_slot_solve_w(slot, 1, s->u_free);
  return status;
}

static nsds_status rate(nsds_integration *s) {
  nsds_slot *slot = slot_of(s);
  nsds_in in = at_end(slot);
  return nsds_smooth_rate(slot, &in);
}

static void apply(const nsds_integration *s, int nrhs, double *b) {
  nsds_slot_solve_w((const nsds_slot *)(const void *)s, nrhs, b);
}

const nsds_integrator nsds_smooth_second = {.name = "smooth",
                                            .order = 2,
                                            .check = check,
                                            .refresh = refresh,
                                            .free = rate,
                                            .evaluate = rate,
                                            .apply = apply};
const nsds_integrator nsds_smooth_first = {.name = "smooth",
                                           .order = 1,
                                           .check = check,
                                           .refresh = refresh,
                                           .free = rate,
                                           .evaluate = rate,
                                           .apply = apply};
