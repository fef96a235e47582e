/* Systems and relations; see own_types.h. */
#include "own_types.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void *own_self(size_t size) {
  void *self = calloc(1, size);
  if (self) ++fuzz.allocated;
  return self;
}

void own_free(void *self) {
  if (self) --fuzz.allocated;
  free(self);
}

static void fill(double *matrix, int nrow, int ncol, double diagonal) {
  memset(matrix, 0, (size_t)nrow * (size_t)ncol * sizeof *matrix);
  for (int i = 0; i < nrow && i < ncol; ++i) matrix[i + i * nrow] = diagonal;
}

/* ---- second order: 2 dv/dt = -1 + sin(t) / 10 - 0.1 v - 0.1 q ---- */

static nsds_status second_mass(void *self, const nsds_arguments *in, double *M) {
  (void)self;
  fill(M, in->nv, in->nv, 2.0);
  return misbehave_status(M, in->nv * in->nv);
}

static nsds_status second_force(void *self, const nsds_arguments *in, double *F) {
  (void)self;
  for (int i = 0; i < in->nv; ++i) F[i] = 0.1 * sin(in->t) - 1.0;
  return misbehave_status(F, in->nv);
}

static nsds_status second_matrix(void *self, const nsds_arguments *in, double *matrix) {
  (void)self;
  fill(matrix, in->nv, in->nv, 0.1);
  return misbehave_status(matrix, in->nv * in->nv);
}

static nsds_status second_map(void *self, const nsds_arguments *in, double *T) {
  (void)self;
  fill(T, in->nq, in->nv, 1.0);
  return misbehave_status(T, in->nq * in->nv);
}

static nsds_status second_advance(void *self, const nsds_arguments *in, const double *step,
                                  double *q) {
  (void)self;
  for (int i = 0; i < in->nq; ++i) q[i] = in->q[i] + (i < in->nv ? step[i] : 0.0);
  return misbehave_status(q, in->nq);
}

static nsds_status second_prescribed(void *self, const nsds_arguments *in, double *v) {
  (void)self;
  v[0] = sin(in->t);
  return misbehave_status(v, 1);
}

const nsds_second_order_ops own_second[OWN_OPS] = {
    {.type = "own second",
     .mass = second_mass,
     .force = second_force,
     .damping = second_matrix,
     .stiffness = second_matrix,
     .prescribed = second_prescribed,
     .destroy = own_free},
    {.type = "own mapped",
     .mass = second_mass,
     .force = second_force,
     .damping = second_matrix,
     .stiffness = second_matrix,
     .velocity_map = second_map,
     .advance = second_advance,
     .prescribed = second_prescribed,
     .destroy = own_free},
    {.type = "own without mass", .force = second_force, .destroy = own_free}};

/* ---- first order: 1.5 dx/dt = sin(t) - x ---- */

static nsds_status first_rhs(void *self, const nsds_arguments *in, double *f) {
  (void)self;
  for (int i = 0; i < in->nx; ++i) f[i] = sin(in->t) - in->x[i];
  return misbehave_status(f, in->nx);
}

static nsds_status first_jacobian(void *self, const nsds_arguments *in, double *A) {
  (void)self;
  fill(A, in->nx, in->nx, -1.0);
  return misbehave_status(A, in->nx * in->nx);
}

static nsds_status first_mass(void *self, const nsds_arguments *in, double *M) {
  (void)self;
  fill(M, in->nx, in->nx, 1.5);
  return misbehave_status(M, in->nx * in->nx);
}

static nsds_status first_rate(void *self, const nsds_arguments *in, double *E) {
  (void)self;
  fill(E, in->nx, in->nx, 0.0);
  return misbehave_status(E, in->nx * in->nx);
}

const nsds_first_order_ops own_first[OWN_OPS] = {{.type = "own first",
                                                  .mass = first_mass,
                                                  .rhs = first_rhs,
                                                  .jacobian = first_jacobian,
                                                  .destroy = own_free},
                                                 {.type = "own rates",
                                                  .mass = first_mass,
                                                  .rhs = first_rhs,
                                                  .jacobian = first_jacobian,
                                                  .rate_jacobian = first_rate,
                                                  .destroy = own_free},
                                                 {.type = "own without rhs", .destroy = own_free}};

/* ---- relations: y picks entries of the state ---- */

static int place(const own_relation *r, int i, int n) { return (i + r->shift) % n; }

static nsds_status relation_output(void *self, const nsds_arguments *in, double *y) {
  const own_relation *r = self;
  const double *state = in->nq ? in->q : in->x;
  for (int i = 0; i < r->ny; ++i) {
    y[i] = state[place(r, i, in->nq ? in->nq : in->nx)];
    if (!in->nq || in->nx) y[i] += 0.01 * in->lambda[i];
  }
  return misbehave_status(y, r->ny);
}

static nsds_status relation_gradient(void *self, const nsds_arguments *in, double *H) {
  const own_relation *r = self;
  int n = in->nq ? in->nq : in->nx;
  memset(H, 0, (size_t)(r->ny * n) * sizeof *H);
  for (int i = 0; i < r->ny; ++i) H[i + place(r, i, n) * r->ny] = 1.0;
  return misbehave_status(H, r->ny * n);
}

static nsds_status relation_zero_v(void *self, const nsds_arguments *in, double *E) {
  const own_relation *r = self;
  fill(E, r->ny, in->nv, 0.0);
  return misbehave_status(E, r->ny * in->nv);
}

static nsds_status relation_zero_x(void *self, const nsds_arguments *in, double *C) {
  const own_relation *r = self;
  fill(C, r->ny, in->nx, 0.0);
  return misbehave_status(C, r->ny * in->nx);
}

static nsds_status relation_lambda(void *self, const nsds_arguments *in, double *D) {
  const own_relation *r = self;
  (void)in;
  fill(D, r->ny, r->ny, 0.01);
  return misbehave_status(D, r->ny * r->ny);
}

static nsds_status relation_input(void *self, const nsds_arguments *in, double *input) {
  const own_relation *r = self;
  int n = in->nx + in->nv;
  memset(input, 0, (size_t)n * sizeof *input);
  for (int i = 0; i < r->ny; ++i) input[place(r, i, n)] += in->lambda[i];
  return misbehave_status(input, n);
}

static nsds_status relation_input_lambda(void *self, const nsds_arguments *in, double *B) {
  const own_relation *r = self;
  int n = in->nx + in->nv;
  memset(B, 0, (size_t)(n * r->ny) * sizeof *B);
  for (int i = 0; i < r->ny; ++i) B[place(r, i, n) + i * n] = 1.0;
  return misbehave_status(B, n * r->ny);
}

const nsds_relation_ops own_relations[OWN_OPS + 1] = {
    {.type = "own gap",
     .output = relation_output,
     .jacobian_q = relation_gradient,
     .destroy = own_free},
    {.type = "own circuit",
     .output = relation_output,
     .jacobian_q = relation_gradient,
     .jacobian_lambda = relation_lambda,
     .input = relation_input,
     .input_lambda = relation_input_lambda,
     .destroy = own_free},
    {.type = "own motor",
     .output = relation_output,
     .jacobian_q = relation_gradient,
     .jacobian_v = relation_zero_v,
     .jacobian_x = relation_zero_x,
     .jacobian_lambda = relation_lambda,
     .input = relation_input,
     .input_lambda = relation_input_lambda,
     .destroy = own_free},
    {.type = "own without gradient", .output = relation_output, .destroy = own_free}};
