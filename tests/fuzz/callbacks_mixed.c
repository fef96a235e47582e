/* y = x + q + 0.3 v + 0.5 lambda,  r = lambda,  F = 0.5 lambda - 0.1 v, row by row; see callbacks.h. */
#include "callbacks.h"

#define OPERATOR(name) int name(const nsds_arguments *in, double *out, void *user)

static int rows(const nsds_arguments *in) { return in->nx + in->nv; }

OPERATOR(f_mixed_h) {
  const params *p = user;
  for (int i = 0; i < p->ny; ++i) {
    out[i] = in->q[i % in->nq] + 0.3 * in->v[i % in->nv] + 0.5 * in->lambda[i] + 0.1 * p->c[i % 4];
    if (in->nx) out[i] += in->x[i % in->nx];
  }
  return misbehave(out, p->ny);
}

OPERATOR(f_mixed_h_x) {
  const params *p = user;
  for (int i = 0; i < p->ny; ++i) out[i + i % in->nx * p->ny] = 1.0;
  return misbehave(out, p->ny * in->nx);
}

OPERATOR(f_mixed_h_q) {
  const params *p = user;
  for (int i = 0; i < p->ny; ++i) out[i + i % in->nq * p->ny] = 1.0;
  return misbehave(out, p->ny * in->nq);
}

OPERATOR(f_mixed_h_v) {
  const params *p = user;
  for (int i = 0; i < p->ny; ++i) out[i + i % in->nv * p->ny] = 0.3;
  return misbehave(out, p->ny * in->nv);
}

OPERATOR(f_mixed_h_lambda) {
  const params *p = user;
  (void)in;
  for (int i = 0; i < p->ny; ++i) out[i + i * p->ny] = 0.5;
  return misbehave(out, p->ny * p->ny);
}

OPERATOR(f_mixed_g) {
  const params *p = user;
  for (int i = 0; i < p->ny; ++i) {
    if (in->nx) out[i % in->nx] += in->lambda[i];
    out[in->nx + i % in->nv] += 0.5 * in->lambda[i] - 0.1 * in->v[i % in->nv];
  }
  return misbehave(out, rows(in));
}

OPERATOR(f_mixed_g_lambda) {
  const params *p = user;
  for (int i = 0; i < p->ny; ++i) {
    if (in->nx) out[i % in->nx + i * rows(in)] += 1.0;
    out[in->nx + i % in->nv + i * rows(in)] += 0.5;
  }
  return misbehave(out, rows(in) * p->ny);
}

OPERATOR(f_mixed_g_v) {
  const params *p = user;
  for (int i = 0; i < p->ny; ++i) {
    out[in->nx + i % in->nv + i % in->nv * rows(in)] -= 0.1;
  }
  return misbehave(out, rows(in) * in->nv);
}
