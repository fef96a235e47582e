/*
 * One second-order system in the half-explicit D1-minus scheme: the rates
 *
 *   a = M(q)^-1 F(t, q, v)
 *
 * into u_free: at the start of the step (free) and at its predicted end (evaluate). The gain of an
 * impulse is M^-1 at the point evaluated last. half_explicit.c makes the step from these rates.
 * Source: Schindler and Acary, Math. Comput. Simul. 95 (2014); Acary and Brogliato (2008), ch. 10.
 */
#include "kernel/integrators/d1_minus.h"

#include "base/context.h"
#include "kernel/assembly/slot.h"
#include "kernel/integrators/system_rates.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"

static nsds_slot *d1_minus_slot_of(nsds_integration *s) { return (nsds_slot *)(void *)s; }

static nsds_status d1_minus_check(nsds_integration *s) {
  char label[nsds_label_size];
  if (s->ds->prescribed.n == 0) return NSDS_OK;
  return nsds_fail(s->context, NSDS_ERROR_UNSUPPORTED,
                   "D1-minus: %s: it has prescribed degrees of freedom; valid is Moreau-Jean",
                   nsds_ds_label(s->ds, label));
}

static nsds_status d1_minus_refresh(nsds_integration *s) {
  return nsds_system_rates_second.refresh(s);
}

static nsds_status rate_at_start(nsds_integration *s) {
  nsds_arguments in = nsds_ds_in(s->ds, s->scheme->t, s->q, s->u);
  return nsds_system_rate(d1_minus_slot_of(s), &in);
}

static nsds_status rate_at_end(nsds_integration *s) {
  nsds_arguments in = nsds_ds_in(s->ds, s->scheme->t_next, s->q_end, s->u_end);
  return nsds_system_rate(d1_minus_slot_of(s), &in);
}

static void d1_minus_apply(const nsds_integration *s, int nrhs, double *b) {
  nsds_slot_solve_w((const nsds_slot *)(const void *)s, nrhs, b);
}

const nsds_integrator nsds_d1_minus_integrator = {.name = "D1-minus",
                                                  .order = 2,
                                                  .check = d1_minus_check,
                                                  .refresh = d1_minus_refresh,
                                                  .free = rate_at_start,
                                                  .evaluate = rate_at_end,
                                                  .apply = d1_minus_apply};
