/* See callbacks.h. Every function is smooth and has right Jacobians; faults are misbehave()'s. */
#include "callbacks.h"

#include <math.h>

#define OPERATOR(name) int name(const nsds_arguments *in, double *out, void *user)

/* The state, whatever the order. */
static const double *state(const nsds_arguments *in) { return in->nq ? in->q : in->x; }
static int states(const nsds_arguments *in) { return in->nq ? in->nq : in->nx; }

/* Row i of a relation reads and moves this entry of the state. */
static int place(const params *p, int i, int n) { return (i + p->shift) % n; }

OPERATOR(f_mass) {
  const params *p = user;
  int n = in->nv;
  for (int i = 0; i < n; ++i) out[i + i * n] = 1.5 + 0.3 * sin(in->q[0] + p->c[0]);
  return misbehave(out, n * n);
}

OPERATOR(f_nnl) {
  (void)user;
  for (int i = 0; i < in->nv; ++i) out[i] = 0.1 * in->v[i] * in->v[i] + 0.2 * in->q[i];
  return misbehave(out, in->nv);
}

OPERATOR(f_nnl_q) {
  (void)user;
  for (int i = 0; i < in->nv; ++i) out[i + i * in->nv] = 0.2;
  return misbehave(out, in->nv * in->nv);
}

OPERATOR(f_nnl_v) {
  (void)user;
  for (int i = 0; i < in->nv; ++i) out[i + i * in->nv] = 0.2 * in->v[i];
  return misbehave(out, in->nv * in->nv);
}

static int force(const nsds_arguments *in, double *out, const params *p, int n) {
  double first = in->nz ? in->z[0] : 0.0;
  for (int i = 0; i < n; ++i) out[i] = p->c[i % 4] - 1.0 + sin(3.0 * in->t) + 0.1 * first;
  return misbehave(out, n);
}

OPERATOR(f_force) { return force(in, out, user, in->nv ? in->nv : in->nx); }
OPERATOR(f_force_3) { return force(in, out, user, 3); }

OPERATOR(f_map) {
  const params *p = user;
  int n = (in->nv ? in->nv : in->nx) * p->control.n;
  for (int i = 0; i < n; ++i) out[i] = 0.1 * (i + 1);
  return misbehave(out, n);
}

OPERATOR(f_control) {
  const params *p = user;
  for (int i = 0; i < p->control.n; ++i) out[i] = 0.1 * cos(in->t) - 0.2 * state(in)[0];
  return misbehave(out, p->control.n);
}

OPERATOR(f_prescribed) {
  const params *p = user;
  for (int i = 0; i < p->prescribed.n; ++i) out[i] = 0.3 * cos(3.0 * in->t + i);
  return misbehave(out, p->prescribed.n);
}

OPERATOR(f_rhs) {
  (void)user;
  for (int i = 0; i < in->nx; ++i) {
    out[i] = sin(in->t + i) - in->x[i] - 0.1 * in->x[i] * in->x[i] * in->x[i];
  }
  return misbehave(out, in->nx);
}

OPERATOR(f_rhs_x) {
  (void)user;
  for (int i = 0; i < in->nx; ++i) out[i + i * in->nx] = -1.0 - 0.3 * in->x[i] * in->x[i];
  return misbehave(out, in->nx * in->nx);
}

OPERATOR(f_mass_t) {
  (void)user;
  for (int i = 0; i < in->nx; ++i) out[i + i * in->nx] = 1.2 + 0.2 * sin(in->t);
  return misbehave(out, in->nx * in->nx);
}

OPERATOR(f_A) {
  (void)user;
  for (int i = 0; i < in->nx; ++i) out[i + i * in->nx] = 0.2 * sin(in->t) - 1.0;
  return misbehave(out, in->nx * in->nx);
}

OPERATOR(f_b) {
  const params *p = user;
  for (int i = 0; i < in->nx; ++i) out[i] = p->c[i % 4] + sin(2.0 * in->t);
  return misbehave(out, in->nx);
}

static void gap(const nsds_arguments *in, double *out, const params *p) {
  int n = states(in);
  for (int i = 0; i < p->ny; ++i) out[i] = state(in)[place(p, i, n)] + 0.05 * p->c[i % 4];
}

OPERATOR(f_h) {
  const params *p = user;
  gap(in, out, p);
  for (int i = 0; i < p->ny; ++i) out[i] += 0.05 * sin(state(in)[0]);
  return misbehave(out, p->ny);
}

OPERATOR(f_h_q) {
  const params *p = user;
  int n = states(in);
  for (int i = 0; i < p->ny; ++i) {
    out[i + place(p, i, n) * p->ny] += 1.0;
    out[i] += 0.05 * cos(state(in)[0]);
  }
  return misbehave(out, p->ny * n);
}

OPERATOR(f_h_rheonomous) {
  const params *p = user;
  gap(in, out, p);
  for (int i = 0; i < p->ny; ++i) {
    out[i] += 0.05 * sin(state(in)[0]) + 0.05 * sin(4.0 * in->t);
  }
  return misbehave(out, p->ny);
}

OPERATOR(f_h_t) {
  const params *p = user;
  for (int i = 0; i < p->ny; ++i) out[i] = 0.2 * cos(4.0 * in->t);
  return misbehave(out, p->ny);
}

OPERATOR(f_h_compliant) {
  const params *p = user;
  gap(in, out, p);
  for (int i = 0; i < p->ny; ++i) {
    out[i] += 0.05 * sin(state(in)[0]) + (i < in->nlambda ? 0.01 * in->lambda[i] : 0.0);
  }
  return misbehave(out, p->ny);
}

OPERATOR(f_h_lambda) {
  const params *p = user;
  (void)in;
  for (int i = 0; i < p->ny; ++i) out[i + i * p->ny] = 0.01;
  return misbehave(out, p->ny * p->ny);
}

OPERATOR(f_bias) {
  const params *p = user;
  for (int i = 0; i < p->ny; ++i) out[i] = -0.05 * sin(in->q[0]) * in->v[0] * in->v[0];
  return misbehave(out, p->ny);
}

OPERATOR(f_C) {
  const params *p = user;
  for (int i = 0; i < p->ny; ++i) out[i + place(p, i, in->nx) * p->ny] = 1.0 + 0.1 * sin(in->t);
  return misbehave(out, p->ny * in->nx);
}

static int inputs(const nsds_arguments *in, double *out, const params *p) {
  for (int i = 0; i < p->ny; ++i) out[place(p, i, in->nx) + i * in->nx] = 1.0;
  return misbehave(out, p->ny * in->nx);
}

OPERATOR(f_B) { return inputs(in, out, user); }
OPERATOR(f_g_lambda) { return inputs(in, out, user); }

OPERATOR(f_D) {
  const params *p = user;
  (void)in;
  for (int i = 0; i < p->ny; ++i) out[i + i * p->ny] = 0.5;
  return misbehave(out, p->ny * p->ny);
}

OPERATOR(f_e) {
  const params *p = user;
  for (int i = 0; i < p->ny; ++i) out[i] = 0.3 * sin(4.0 * in->t) + 0.1 * p->c[i % 4];
  return misbehave(out, p->ny);
}

/* With one parameter. */
OPERATOR(f_F) {
  const params *p = user;
  (void)in;
  for (int i = 0; i < p->ny; ++i) out[i] = 0.1;
  return misbehave(out, p->ny);
}

OPERATOR(f_g) {
  const params *p = user;
  for (int i = 0; i < p->ny; ++i) out[place(p, i, in->nx)] += in->lambda[i];
  return misbehave(out, in->nx);
}

OPERATOR(f_g_x) {
  (void)user;
  return misbehave(out, in->nx * in->nx);
}

/* The plane y = 0 under the centre of the first body. */
int f_touch(const nsds_arguments *in, nsds_body_contact *contact, void *user) {
  const params *p = user;
  double fault[4] = {in->q[1] - 0.1 * p->c[0], 0.0, 1.0, 0.0};
  int outcome = misbehave(fault, 3);
  contact->gap = fault[0];
  contact->point[0] = in->q[0];
  contact->normal[0] = fault[1];
  contact->normal[1] = fault[2];
  return outcome;
}

int f_touch_rate(const nsds_arguments *in, nsds_body_contact *rate, void *user) {
  (void)user;
  rate->point[0] = in->v[0];
  return misbehave(rate->point, 3);
}
