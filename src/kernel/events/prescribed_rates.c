/*
 * Prescribed velocities along smooth motion. For v_d = V(t) the acceleration is dV/dt. The other
 * accelerations follow from
 *
 *   M_ff a_f = F_f - M_fd dV/dt + H_f^T lambda
 *
 * An impact does not change prescribed velocities: their rows of the gain are zero.
 *
 * dV/dt is the derivative of the polynomial through V(t) and V at points near t. These lie on this
 * side of scheduled events, where V may jump (Berrut & Trefethen: SIAM Rev. 46, 2004, sec. 9.3).
 */
#include "kernel/events/prescribed_rates.h"

#include "kernel/modeling/modeling.h"

enum { points = 8 };

/* Chebyshev's points in [-1, 1]: cos((2 j - 1) pi / 16). */
static const double point[points] = {0.98078528040323044913,  0.83146961230254523708,
                                     0.55557023301960222474,  0.19509032201612826785,
                                     -0.19509032201612826785, -0.55557023301960222474,
                                     -0.83146961230254523708, -0.98078528040323044913};

/* Interval of differences relative to the interval of events. V changes little within it. */
static const double part = 1.0 / 64.0;

/* Times near t, and the weights of differences V(t[j]) - V(t). */
typedef struct stencil {
  double t[points], weight[points];
} stencil;

static stencil prescribed_rates_place(const nsds_event_rows *s, double t) {
  double half = part * s->scales.time, centre = t;
  bool before = t - half >= s->scales.from, after = t + half <= s->scales.until;
  if (!(before && after)) {
    half = 0.5 * fmin(half, fmax(t - s->scales.from, s->scales.until - t));
    centre = after || s->scales.until - t >= t - s->scales.from ? t + half : t - half;
  }
  stencil at;
  double x[points + 1] = {t - centre}, w[points + 1]; /* in halves of the interval */
  x[0] /= half;
  for (int j = 1; j <= points; ++j) {
    x[j] = point[j - 1];
    at.t[j - 1] = centre + half * x[j];
  }
  for (int j = 0; j <= points; ++j) {
    w[j] = 1.0;
    for (int k = 0; k <= points; ++k)
      if (k != j) w[j] /= x[j] - x[k];
  }
  for (int j = 1; j <= points; ++j) at.weight[j - 1] = w[j] / w[0] / ((x[0] - x[j]) * half);
  return at;
}

/* Computes the memory of a driven system: dV/dt, V at t and at one of the points. */
static nsds_status find_rate(const nsds_event_rows *s, const nsds_slot *slot, const stencil *by) {
  const nsds_ds *ds = slot->ds;
  const nsds_state *at = &s->plan->trial;
  int n = ds->prescribed.n;
  double *rate = slot->on.memory, *now = rate + n, *beside = now + n, *v = at->v + slot->v0;
  const double *q = at->q + slot->q0;
  nsds_arguments in = nsds_ds_in(ds, at->t, q, v);
  nsds_status status = ds->ops->prescribed(ds->self, &in, now);
  for (int k = 0; k < n; ++k) rate[k] = 0.0;
  for (int j = 0; !status && j < points; ++j) {
    in = nsds_ds_in(ds, by->t[j], q, v);
    status = ds->ops->prescribed(ds->self, &in, beside);
    for (int k = 0; k < n; ++k) rate[k] += by->weight[j] * (beside[k] - now[k]);
  }
  for (int k = 0; !status && k < n; ++k) v[ds->prescribed.index[k]] = now[k];
  return status;
}

nsds_status nsds_driven_rates(nsds_event_rows *s) {
  nsds_status status = NSDS_OK;
  stencil by = prescribed_rates_place(s, s->plan->trial.t);
  for (int k = 0; !status && k < s->plan->nslot; ++k)
    if (s->plan->slot[k].ds->prescribed.n > 0) status = find_rate(s, &s->plan->slot[k], &by);
  return status;
}
