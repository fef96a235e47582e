/* The central path of the homogeneous embedding, see embedding.h. */
#include "numerics/programme/embedding.h"

#include "base/base.h"

static const double off_boundary = 5e-3; /* part of the step to the boundary that is not made */
static const double most_weight = 1e20;  /* l / s on the diagonal: more is beyond all digits */

nsds_status nsds_embedding_reserve(nsds_embedding *t, nsds_store *store, int n, size_t entries) {
  const nsds_cut cut[] = {
      NSDS_CUT(t->z, n),     NSDS_CUT(t->Hz, n),    NSDS_CUT(t->s[0], n),   NSDS_CUT(t->s[1], n),
      NSDS_CUT(t->l[0], n),  NSDS_CUT(t->l[1], n),  NSDS_CUT(t->ds[0], n),  NSDS_CUT(t->ds[1], n),
      NSDS_CUT(t->dl[0], n), NSDS_CUT(t->dl[1], n), NSDS_CUT(t->rs[0], n),  NSDS_CUT(t->rs[1], n),
      NSDS_CUT(t->rw, n),    NSDS_CUT(t->dz, n),    NSDS_CUT(t->by_tau, n), NSDS_CUT(t->near, n)};
  nsds_status status = NSDS_HOLD(store, cut);
  return status ? status : nsds_programme_system_reserve(&t->system, store, n, entries);
}

static double embedding_bound(const nsds_embedding *t, int side, int i) {
  return side == NSDS_LOWER ? t->rows->lower[i] : t->rows->upper[i];
}

static double embedding_sign(int side) { return side == NSDS_LOWER ? 1.0 : -1.0; }

/* ---- the iterate ---- */

static void embedding_measure(nsds_embedding *t) {
  const nsds_programme_rows *rows = t->rows;
  double curved = 0.0, gap = t->kappa, product = t->tau * t->kappa;
  nsds_programme_multiply(rows, false, t->z, t->rw);
  nsds_programme_multiply(rows, true, t->z, t->Hz);
  for (int i = 0; i < rows->n; ++i) {
    t->rw[i] += rows->q[i] * t->tau;
    gap += rows->q[i] * t->z[i];
    curved += t->z[i] * t->Hz[i];
    for (int side = 0; side < nsds_sides; ++side) {
      double b = embedding_bound(t, side, i), e = embedding_sign(side);
      if (isinf(b)) continue;
      t->rw[i] -= e * t->l[side][i];
      t->rs[side][i] = e * (t->z[i] - b * t->tau) - t->s[side][i];
      gap -= e * b * t->l[side][i];
      product += t->s[side][i] * t->l[side][i];
    }
  }
  t->rg = gap + curved / t->tau;
  t->mu = product / (t->count + 1);
}

double nsds_embedding_error(const nsds_embedding *t) {
  double worst = 0.0, size = 1.0;
  for (int i = 0; i < t->rows->n; ++i) {
    nsds_raise(&worst, fabs(t->rw[i]));
    nsds_raise(&size, fabs(t->rows->q[i]));
    for (int side = 0; side < nsds_sides; ++side)
      if (isfinite(embedding_bound(t, side, i))) nsds_raise(&worst, fabs(t->rs[side][i]));
  }
  return worst / (t->tau * size);
}

/* ---- the linear system ---- */

/* Loads M with these weights of the bounds. */
static nsds_status embedding_weigh(nsds_embedding *t) {
  const nsds_programme_rows *m = t->rows;
  nsds_programme_system_load(&t->system);
  for (int i = 0; i < m->n; ++i) {
    double most = 0.0, sum = 0.0;
    t->near[i] = 0.0;
    for (int side = 0; side < nsds_sides; ++side) {
      double b = embedding_bound(t, side, i);
      if (isinf(b)) continue;
      double weight = fmin(t->l[side][i] / t->s[side][i], most_weight);
      sum += weight;
      if (!(weight > most)) continue;
      most = weight;
      t->near[i] = b;
    }
    *nsds_programme_system_at(&t->system, i) += sum;
  }
  return nsds_programme_system_factor(&t->system);
}

nsds_status nsds_embedding_hold(nsds_embedding *t, const signed char *place, double proximal) {
  const nsds_programme_rows *m = t->rows;
  nsds_programme_system_load(&t->system);
  for (int j = 0; j < m->n; ++j) {
    for (int k = m->p[j]; k < m->p[j + 1]; ++k)
      if (place[j] != 0 || place[m->i[k]] != 0) t->system.value[k] = 0.0;
    *nsds_programme_system_at(&t->system, j) += place[j] != 0 ? 1.0 : proximal;
  }
  return nsds_programme_system_factor(&t->system);
}

/* Returns l / s of a bound as in the linear system. */
static double embedding_weight(const nsds_embedding *t, int side, int i) {
  return fmin(t->l[side][i] / t->s[side][i], most_weight);
}

/* Finds how the step grows with that of tau: by_tau is the change of z - near tau. */
static void embedding_find_by_tau(nsds_embedding *t) {
  const nsds_programme_rows *m = t->rows;
  nsds_programme_multiply(m, false, t->near, t->by_tau);
  for (int i = 0; i < m->n; ++i) {
    t->by_tau[i] = -t->by_tau[i] - m->q[i];
    for (int side = 0; side < nsds_sides; ++side) {
      double b = embedding_bound(t, side, i);
      if (isfinite(b) && b != t->near[i])
        t->by_tau[i] += embedding_weight(t, side, i) * (b - t->near[i]);
    }
  }
  nsds_programme_system_solve(&t->system, t->by_tau);
}

/* Returns the target of s dl + l ds for the height; dl holds it while the step is looked for. */
static double embedding_target(const nsds_embedding *t, int side, int i, double height,
                               bool correct) {
  double second = correct ? t->ds[side][i] * t->dl[side][i] : 0.0;
  return height - t->s[side][i] * t->l[side][i] - second;
}

/* Finds the step whose residuals fall by `share` and whose products aim at `height`; `correct`: with
 * the second order of the last step. */
static void embedding_find_step(nsds_embedding *t, double share, double height, bool correct) {
  const nsds_programme_rows *m = t->rows;
  double curved = 0.0, across = 0.0, slope, rest;
  double target = height - t->tau * t->kappa - (correct ? t->dtau * t->dkappa : 0.0);
  rest = -share * t->rg - target / t->tau;
  for (int i = 0; i < m->n; ++i) {
    t->dz[i] = -share * t->rw[i];
    for (int side = 0; side < nsds_sides; ++side) {
      double b = embedding_bound(t, side, i), e = embedding_sign(side);
      if (isinf(b)) continue;
      double c = embedding_target(t, side, i, height, correct);
      double part = e * (c / t->s[side][i] - embedding_weight(t, side, i) * share * t->rs[side][i]);
      t->dl[side][i] = c;
      t->dz[i] += part;
      rest += b * part;
    }
  }
  nsds_programme_system_solve(&t->system, t->dz);
  for (int i = 0; i < m->n; ++i) curved += t->z[i] * t->Hz[i];
  slope = -t->kappa / t->tau - curved / (t->tau * t->tau);
  for (int i = 0; i < m->n; ++i) {
    double a = m->q[i] + 2.0 * t->Hz[i] / t->tau;
    across += a * t->dz[i];
    slope += a * (t->near[i] + t->by_tau[i]);
    for (int side = 0; side < nsds_sides; ++side) {
      double b = embedding_bound(t, side, i);
      if (isinf(b)) continue;
      double weight = embedding_weight(t, side, i) * b;
      across += weight * t->dz[i];
      slope += weight * (t->by_tau[i] + (t->near[i] - b));
    }
  }
  t->dtau = (rest - across) / slope;
  t->dkappa = (target - t->kappa * t->dtau) / t->tau;
  for (int i = 0; i < m->n; ++i) {
    for (int side = 0; side < nsds_sides; ++side) {
      double b = embedding_bound(t, side, i), e = embedding_sign(side);
      if (isinf(b)) continue;
      double moved = t->dz[i] + t->dtau * (t->by_tau[i] + (t->near[i] - b));
      double ds = e * moved + share * t->rs[side][i];
      t->dl[side][i] = t->dl[side][i] / t->s[side][i] - embedding_weight(t, side, i) * ds;
      t->ds[side][i] = ds;
    }
    t->dz[i] += t->dtau * (t->near[i] + t->by_tau[i]);
  }
}

/* ---- the step ---- */

static void embedding_stop(double x, double dx, double *length) {
  if (dx < 0.0 && -x / dx < *length) *length = -x / dx;
}

/* Returns the largest length of the step, at most `most`, that leaves nothing negative. */
static double embedding_reach(const nsds_embedding *t, double most) {
  double length = most;
  embedding_stop(t->tau, t->dtau, &length);
  embedding_stop(t->kappa, t->dkappa, &length);
  for (int side = 0; side < nsds_sides; ++side)
    for (int i = 0; i < t->rows->n; ++i) {
      if (isinf(embedding_bound(t, side, i))) continue;
      embedding_stop(t->s[side][i], t->ds[side][i], &length);
      embedding_stop(t->l[side][i], t->dl[side][i], &length);
    }
  return length;
}

static bool embedding_move(nsds_embedding *t, double length) {
  double sum = 0.0;
  for (int i = 0; i < t->rows->n; ++i) {
    t->z[i] += length * t->dz[i];
    sum += t->z[i];
    for (int side = 0; side < nsds_sides; ++side) {
      t->s[side][i] += length * t->ds[side][i];
      t->l[side][i] += length * t->dl[side][i];
    }
  }
  t->tau += length * t->dtau;
  t->kappa += length * t->dkappa;
  return isfinite(sum) && isfinite(t->tau) && isfinite(t->kappa);
}

nsds_status nsds_embedding_step(nsds_embedding *t, double *length) {
  *length = 0.0;
  for (bool again = true; again;) {
    nsds_status status = embedding_weigh(t);
    bool singular = status == NSDS_ERROR_SINGULAR;
    if (status && !singular) return status;
    if (!singular) {
      embedding_find_by_tau(t);
      embedding_find_step(t, 1.0, 0.0, false);
      double left = 1.0 - embedding_reach(t, 1.0), sigma = left * left * left;
      embedding_find_step(t, 1.0 - sigma, sigma * t->mu, true);
    }
    again = nsds_programme_system_change(&t->system, singular);
    if (singular && !again) return NSDS_OK;
  }
  double reach = embedding_reach(t, 1.0 / (1.0 - off_boundary));
  *length = fmin((1.0 - off_boundary) * reach, 1.0);
  if (!embedding_move(t, *length)) *length = 0.0;
  embedding_measure(t);
  return NSDS_OK;
}

/* ---- the start ---- */

/* Lifts slacks or multipliers above zero. */
static void embedding_lift(nsds_embedding *t, double *const x[nsds_sides]) {
  double least = INFINITY;
  for (int side = 0; side < nsds_sides; ++side)
    for (int i = 0; i < t->rows->n; ++i)
      if (isfinite(embedding_bound(t, side, i))) least = fmin(least, x[side][i]);
  for (int side = 0; least < 0.0 && side < nsds_sides; ++side)
    for (int i = 0; i < t->rows->n; ++i)
      if (isfinite(embedding_bound(t, side, i))) x[side][i] += 1.0 - least;
}

nsds_status nsds_embedding_start(nsds_embedding *t, const nsds_programme_rows *rows,
                                 uint64_t pattern) {
  t->rows = rows;
  nsds_programme_system_start(&t->system, rows, pattern);
  t->tau = t->kappa = 1.0;
  t->count = 0;
  for (int i = 0; i < rows->n; ++i) {
    t->z[i] = -rows->q[i];
    for (int side = 0; side < nsds_sides; ++side) {
      double b = embedding_bound(t, side, i);
      bool there = isfinite(b);
      t->s[side][i] = t->l[side][i] = there ? 1.0 : 0.0;
      t->ds[side][i] = t->dl[side][i] = t->rs[side][i] = 0.0;
      if (!there) continue;
      t->z[i] += b;
      ++t->count;
    }
  }
  nsds_status status = embedding_weigh(t);
  if (status) return status;
  nsds_programme_system_solve(&t->system, t->z);
  for (int side = 0; side < nsds_sides; ++side)
    for (int i = 0; i < rows->n; ++i) {
      double b = embedding_bound(t, side, i);
      if (isinf(b)) continue;
      t->s[side][i] = embedding_sign(side) * (t->z[i] - b);
      t->l[side][i] = -t->s[side][i];
    }
  embedding_lift(t, t->s);
  embedding_lift(t, t->l);
  embedding_measure(t);
  return NSDS_OK;
}
