/*
 * Schatzman-Paoli scheme for one affine second-order system, a central difference at t_k:
 *
 *   M (q_{k+1} - 2 q_k + q_{k-1}) / h^2 + C (q_{k+1} - q_{k-1}) / (2 h)
 *     + K [theta/2 q_{k+1} + (1 - theta) q_k + theta/2 q_{k-1}] = F_k + H^T P / h
 *
 * The unknown of a step is the mean velocity s = (q_{k+1} - q_k) / h. With s' of the step before
 * and W = M + h/2 C + h^2/2 theta K, this is
 *
 *   s = s_free + W^-1 H^T P,   W (s_free - s') = h (F_k - C s' - K q_k)
 *
 * The state (q_k, v_k) holds all that the step needs: v_k is the velocity halfway between s' and
 * s_free, (q_{k+1} - q_{k-1}) / (2 h) of the motion without contact, so that with a = s_free - s'
 *
 *   (W - h/2 C) a = h (F_k - C v_k - K q_k),   s_free = v_k + a/2,   s' = v_k - a/2
 *   at the end:  W a = h (F_{k+1} - C s - K q_{k+1}),   v_{k+1} = s + a/2
 *
 * Sources: Paoli and Schatzman, SIAM J. Numer. Anal. 40 (2002); Acary and Brogliato (2008), ch. 10.
 */
#include "kernel/integrators/schatzman_paoli.h"

#include "base/context.h"
#include "kernel/assembly/slot.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"

static nsds_slot *schatzman_paoli_slot_of(nsds_integration *s) { return (nsds_slot *)(void *)s; }

static nsds_status schatzman_paoli_check(nsds_integration *s) {
  const nsds_ds *ds = s->ds;
  const char *why = ds->explicit_force || !ds->affine ? "it is not linear"
                    : ds->prescribed.n > 0            ? "it has prescribed degrees of freedom"
                                                      : NULL;
  char label[nsds_label_size];
  return !why ? NSDS_OK
              : nsds_fail(s->context, NSDS_ERROR_UNSUPPORTED,
                          "Schatzman-Paoli: %s: %s; valid is nsds_lagrangian_linear() without "
                          "prescribed velocities",
                          nsds_ds_label(ds, label), why);
}

/* Factors W - h/2 C, if C is present, and W. The factor of W stays in the slot. */
static nsds_status schatzman_paoli_factor(nsds_slot *slot) {
  double h = slot->on.scheme->h, k = 0.5 * h * h * slot->on.scheme->theta;
  nsds_status status = NSDS_OK;
  if (slot->C) {
    nsds_slot_form_w(slot, 0.0, k);
    status = nsds_slot_factor_half(slot);
  }
  nsds_slot_form_w(slot, 0.5 * h, k);
  return status ? status : nsds_slot_factor_w(slot);
}

static nsds_status schatzman_paoli_refresh(nsds_integration *s) {
  nsds_slot *slot = schatzman_paoli_slot_of(s);
  const nsds_ds *ds = s->ds;
  nsds_arguments in = nsds_ds_in(ds, s->scheme->t, s->q, s->u);
  nsds_status status = slot->M ? ds->ops->mass(ds->self, &in, slot->M) : NSDS_OK;
  if (!status && slot->C) status = ds->ops->damping(ds->self, &in, slot->C);
  if (!status && slot->K) status = ds->ops->stiffness(ds->self, &in, slot->K);
  if (!status) status = ds->ops->force(ds->self, &in, s->force);
  return status ? status : schatzman_paoli_factor(slot);
}

/* Computes h/2 (F - C v - K q). */
static void schatzman_paoli_load(const nsds_slot *slot, const double *force, const double *q,
                                 const double *v, double *out) {
  const nsds_ds *ds = slot->ds;
  double half = 0.5 * slot->on.scheme->h;
  for (int k = 0; k < slot->nv; ++k) out[k] = half * force[k];
  nsds_shape_multiply(&ds->damping, slot->nv, slot->C, -half, v, out);
  nsds_shape_multiply(&ds->stiffness, slot->nv, slot->K, -half, q, out);
}

static nsds_status free_mean(nsds_integration *s) {
  nsds_slot *slot = schatzman_paoli_slot_of(s);
  schatzman_paoli_load(slot, s->force, s->q, s->u, s->u_free);
  if (slot->C) nsds_slot_solve_half(slot, s->u_free);
  else nsds_slot_solve_w(slot, 1, s->u_free);
  for (int k = 0; k < slot->nv; ++k) s->u_free[k] += s->u[k];
  return NSDS_OK;
}

static void schatzman_paoli_apply(const nsds_integration *s, int nrhs, double *b) {
  nsds_slot_solve_w((const nsds_slot *)(const void *)s, nrhs, b);
}

/* Computes q_{k+1} from the mean velocity u_end, then makes u_end the velocity at the end. */
static nsds_status schatzman_paoli_advance(nsds_integration *s) {
  nsds_slot *slot = schatzman_paoli_slot_of(s);
  const nsds_ds *ds = s->ds;
  for (int k = 0; k < slot->nv; ++k) s->q_end[k] = s->q[k] + s->scheme->h * s->u_end[k];
  const double *end = s->force;
  if (!ds->force_constant) {
    nsds_arguments in = nsds_ds_in(ds, s->scheme->t_next, s->q_end, s->u_end);
    nsds_status status = ds->ops->force(ds->self, &in, s->force_end);
    if (status) return status;
    end = s->force_end;
  }
  schatzman_paoli_load(slot, end, s->q_end, s->u_end, slot->scratch);
  nsds_slot_solve_w(slot, 1, slot->scratch);
  for (int k = 0; k < slot->nv; ++k) s->u_end[k] += slot->scratch[k];
  return NSDS_OK;
}

const nsds_integrator nsds_schatzman_paoli_integrator = {.name = "Schatzman-Paoli",
                                                         .order = 2,
                                                         .check = schatzman_paoli_check,
                                                         .refresh = schatzman_paoli_refresh,
                                                         .free = free_mean,
                                                         .apply = schatzman_paoli_apply,
                                                         .advance = schatzman_paoli_advance};
