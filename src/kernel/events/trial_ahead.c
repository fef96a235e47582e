/*
 * The trial state ahead: q + h dq/dt, v + h dv/dt from a kept state, with the rates of the trial state.
 * The time of the trial state and that of the scheme go along.
 */
#include "kernel/events/trial_ahead.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/events/closed_rows.h"

#include <math.h>

nsds_status nsds_trial_reserve(nsds_event_rows *s) {
  const nsds_state_size *size = &s->plan->model->size;
  nsds_rows_ahead *ahead = &s->ahead;
  nsds_status status = nsds_grow(s->plan->context, &ahead->q, &ahead->capacity,
                                 2 * size->nq + size->nv, sizeof *ahead->q);
  if (status) return status;
  ahead->v = ahead->q + size->nq;
  ahead->dq = ahead->v + size->nv;
  return NSDS_OK;
}

void nsds_trial_keep(nsds_event_rows *s) {
  const nsds_state *at = &s->plan->trial;
  const nsds_state_size *size = &s->plan->model->size;
  nsds_copy_doubles(s->ahead.q, at->q, size->nq);
  nsds_copy_doubles(s->ahead.v, at->v, size->nv);
}

nsds_status nsds_trial_go(nsds_event_rows *s, double t, double h) {
  nsds_state *at = &s->plan->trial;
  const nsds_state_size *size = &s->plan->model->size;
  const nsds_rows_ahead *from = &s->ahead;
  nsds_status status = nsds_rows_coordinate_rates(s, from->dq);
  if (status) return status;
  for (size_t k = 0; k < size->nq; ++k) at->q[k] = from->q[k] + h * from->dq[k];
  for (size_t k = 0; k < size->nv; ++k) at->v[k] = from->v[k] + h * s->rate[k];
  s->scheme->t = s->scheme->t_next = at->t = fmin(t + h, fmax(t, s->scales.until));
  return NSDS_OK;
}

void nsds_trial_return(nsds_event_rows *s, double t) {
  nsds_state *at = &s->plan->trial;
  const nsds_state_size *size = &s->plan->model->size;
  nsds_copy_doubles(at->q, s->ahead.q, size->nq);
  nsds_copy_doubles(at->v, s->ahead.v, size->nv);
  s->scheme->t = s->scheme->t_next = at->t = t;
}
