#include "rigid_body.h"

/* ---- quaternions ---- */

static void multiply(const double *a, const double *b, double *ab) {
  ab[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  ab[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  ab[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
  ab[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

static void cross(const double *a, const double *b, double *c) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

void rigid_body_turn(const double *p, const double *a, double *turned) {
  double w = p[0], x = p[1], y = p[2], z = p[3];
  const double R[3][3] = {
      {w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
      {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
      {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}};
  for (int i = 0; i < 3; ++i) turned[i] = R[i][0] * a[0] + R[i][1] * a[1] + R[i][2] * a[2];
}

static void turn_back(const double *p, const double *a, double *turned) {
  rigid_body_turn((const double[]){p[0], -p[1], -p[2], -p[3]}, a, turned);
}

/* ---- the system ---- */

/* The spring's force in the world and in the body. */
static void pull(const rigid_body *b, const double *q, double *f, double *back) {
  double arm[3];
  rigid_body_turn(q + 3, b->tied, arm);
  for (int k = 0; k < 3; ++k) f[k] = -b->spring * (q[k] + arm[k] - b->anchor[k]);
  turn_back(q + 3, f, back);
}

static nsds_status mass(void *self, const nsds_arguments *in, double *M) {
  const rigid_body *b = self;
  (void)in;
  for (int k = 0; k < 36; ++k) M[k] = 0.0;
  for (int k = 0; k < 3; ++k) {
    M[7 * k] = b->mass;
    M[7 * (k + 3)] = b->inertia[k];
  }
  return NSDS_OK;
}

static nsds_status force(void *self, const nsds_arguments *in, double *F) {
  const rigid_body *b = self;
  const double *W = in->v + 3;
  double JW[3] = {b->inertia[0] * W[0], b->inertia[1] * W[1], b->inertia[2] * W[2]}, torque[3];
  cross(W, JW, torque);
  F[0] = F[1] = 0.0;
  F[2] = -b->mass * b->gravity;
  for (int k = 0; k < 3; ++k) F[3 + k] = -torque[k];
  if (b->spring == 0.0) return NSDS_OK;
  double f[3], back[3];
  pull(b, in->q, f, back);
  cross(b->tied, back, torque);
  for (int k = 0; k < 3; ++k) {
    F[k] += f[k];
    F[3 + k] += torque[k];
  }
  return NSDS_OK;
}

/* K = -dF/dq T, column by column: a move dx, dW (body) gives df = -k (dx + R (dW x c)) and
 * d(R^T f) = R^T df + R^T f x dW. */
static nsds_status stiffness(void *self, const nsds_arguments *in, double *K) {
  const rigid_body *b = self;
  double f[3], back[3];
  pull(b, in->q, f, back);
  for (int j = 0; j < 6; ++j) {
    double dx[3] = {j == 0, j == 1, j == 2}, dW[3] = {j == 3, j == 4, j == 5};
    double moved[3], turned[3], df[3], dback[3], twist[3], torque[3];
    cross(dW, b->tied, moved);
    rigid_body_turn(in->q + 3, moved, turned);
    for (int k = 0; k < 3; ++k) df[k] = -b->spring * (dx[k] + turned[k]);
    turn_back(in->q + 3, df, dback);
    cross(back, dW, twist);
    for (int k = 0; k < 3; ++k) dback[k] += twist[k];
    cross(b->tied, dback, torque);
    for (int k = 0; k < 3; ++k) {
      K[k + 6 * j] = -df[k];
      K[3 + k + 6 * j] = -torque[k];
    }
  }
  return NSDS_OK;
}

/* C = -dF/dv = [W]x J - [J W]x in the rotational block */
static nsds_status damping(void *self, const nsds_arguments *in, double *C) {
  const rigid_body *b = self;
  const double *W = in->v + 3, *J = b->inertia;
  for (int k = 0; k < 36; ++k) C[k] = 0.0;
  for (int j = 0; j < 3; ++j) {
    double e[3] = {j == 0, j == 1, j == 2}, Je[3] = {J[0] * e[0], J[1] * e[1], J[2] * e[2]};
    double JW[3] = {J[0] * W[0], J[1] * W[1], J[2] * W[2]}, first[3], second[3];
    cross(W, Je, first);
    cross(e, JW, second);
    for (int i = 0; i < 3; ++i) C[(3 + i) + 6 * (3 + j)] = first[i] + second[i];
  }
  return NSDS_OK;
}

static nsds_status velocity_map(void *self, const nsds_arguments *in, double *T) {
  (void)self;
  for (int k = 0; k < 42; ++k) T[k] = 0.0;
  for (int k = 0; k < 3; ++k) {
    double axis[4] = {0.0, 0.5 * (k == 0), 0.5 * (k == 1), 0.5 * (k == 2)};
    T[k + 7 * k] = 1.0;
    multiply(in->q + 3, axis, T + 3 + 7 * (3 + k));
  }
  return NSDS_OK;
}

/* The exponential map: position plus step, quaternion times exp(step / 2). */
static nsds_status advance(void *self, const nsds_arguments *in, const double *step, double *q) {
  (void)self;
  const double *w = step + 3;
  double angle = 0.5 * sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  double s = 0.5 * (angle > 1e-4 ? sin(angle) / angle : 1.0 - angle * angle / 6.0);
  double turn[4] = {cos(angle), s * w[0], s * w[1], s * w[2]}, turned[4];
  multiply(in->q + 3, turn, turned); /* q may be in->q */
  for (int k = 0; k < 3; ++k) q[k] = in->q[k] + step[k];
  for (int k = 0; k < 4; ++k) q[3 + k] = turned[k];
  return NSDS_OK;
}

/* F and C as functions of the kind that nsds_check_jacobians() compares. */
static int force_fn(const nsds_arguments *in, double *out, void *user) {
  return force(user, in, out);
}

static int force_v_fn(const nsds_arguments *in, double *out, void *user) {
  damping(user, in, out);
  for (int k = 0; k < 36; ++k) out[k] = -out[k];
  return 0;
}

static int position_fn(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  double all[3];
  rigid_body_turn(in->q + 3, (double[]){0.3, -0.2, 0.7}, all);
  for (int k = 0; k < 3; ++k) out[k] = in->q[k] + all[k];
  return 0;
}

static bool pairs(void *self, int k, nsds_jacobian_pair *pair) {
  *pair = (nsds_jacobian_pair){.name = "damping",
                               .function = force_fn,
                               .jacobian = force_v_fn,
                               .variable = NSDS_WRT_V,
                               .rows = 6,
                               .user = self};
  if (k == 1)
    *pair = (nsds_jacobian_pair){.name = "point",
                                 .function = position_fn,
                                 .jacobian = nsds_differences,
                                 .variable = NSDS_WRT_Q,
                                 .rows = 3,
                                 .user = self};
  return k < 2;
}

const nsds_second_order_ops rigid_body_ops = {.type = "rigid_body",
                                              .mass = mass,
                                              .force = force,
                                              .damping = damping,
                                              .stiffness = stiffness,
                                              .velocity_map = velocity_map,
                                              .advance = advance,
                                              .jacobian_pair = pairs};

nsds_ds *rigid_body_create(nsds_model *model, rigid_body *given, bool explicit_force,
                           const double *q0, const double *v0) {
  return nsds_custom_second_order(
      model, &(nsds_custom_second_order_def){
                 .ops = &rigid_body_ops,
                 .self = given,
                 .name = "body",
                 .nq = 7,
                 .ndof = 6,
                 .q0 = q0,
                 .v0 = v0,
                 .mass = {.constant = true},
                 .damping = {.present = !explicit_force},
                 .stiffness = {.present = !explicit_force && given->spring > 0.0},
                 .explicit_force = explicit_force});
}

/* ---- a point of the body above the floor ---- */

static nsds_status gap(void *self, const nsds_arguments *in, double *y) {
  floor_point *p = self;
  double turned[3];
  rigid_body_turn(in->q + 3, p->c, turned);
  p->nv_seen = in->nv;
  y[0] = in->q[2] + turned[2];
  return NSDS_OK;
}

/* Derivatives of the last row of R(quaternion), times c. */
static nsds_status gap_q(void *self, const nsds_arguments *in, double *H) {
  const floor_point *p = self;
  const double *c = p->c, w = in->q[3], x = in->q[4], y = in->q[5], z = in->q[6];
  H[0] = H[1] = 0.0;
  H[2] = 1.0;
  H[3] = 2 * (-y * c[0] + x * c[1] + w * c[2]);
  H[4] = 2 * (z * c[0] + w * c[1] - x * c[2]);
  H[5] = 2 * (-w * c[0] + z * c[1] - y * c[2]);
  H[6] = 2 * (x * c[0] + y * c[1] + z * c[2]);
  return NSDS_OK;
}

/* dy/dt = vz + n . R (W x c) = vz + (c x R^T n) . W */
static nsds_status gap_v(void *self, const nsds_arguments *in, double *H) {
  const floor_point *p = self;
  double n[3];
  turn_back(in->q + 3, (double[]){0.0, 0.0, 1.0}, n);
  H[0] = H[1] = 0.0;
  H[2] = 1.0;
  cross(p->c, n, H + 3);
  return NSDS_OK;
}

static int gap_fn(const nsds_arguments *in, double *out, void *user) { return gap(user, in, out); }
static int gap_q_fn(const nsds_arguments *in, double *out, void *user) {
  return gap_q(user, in, out);
}

static bool gap_pairs(void *self, int k, nsds_jacobian_pair *pair) {
  *pair = (nsds_jacobian_pair){.name = "gap_q",
                               .function = gap_fn,
                               .jacobian = gap_q_fn,
                               .variable = NSDS_WRT_Q,
                               .rows = 1,
                               .user = self};
  return k == 0;
}

nsds_relation *floor_relation(nsds_model *model, floor_point *given, floor_form form) {
  static const nsds_relation_ops by_q = {
      .type = "floor_q", .output = gap, .jacobian_q = gap_q, .jacobian_pair = gap_pairs};
  static const nsds_relation_ops by_v = {.type = "floor_v", .output = gap, .gradient_v = gap_v};
  return nsds_custom_relation(
      model, &(nsds_custom_relation_def){.ops = form == FLOOR_JACOBIAN_Q ? &by_q : &by_v,
                                         .self = given,
                                         .name = "floor",
                                         .ny = 1,
                                         .nq = 7,
                                         .nv = form == FLOOR_JACOBIAN_Q ? 0 : 6});
}

/* ---- what is conserved ---- */

void rigid_body_momentum(const rigid_body *b, const nsds_ds *ds, double *L) {
  const double *W = nsds_v(ds) + 3;
  double JW[3] = {b->inertia[0] * W[0], b->inertia[1] * W[1], b->inertia[2] * W[2]};
  rigid_body_turn(nsds_q(ds) + 3, JW, L);
}

double rigid_body_rotation_energy(const rigid_body *b, const nsds_ds *ds) {
  double sum = 0.0;
  for (int k = 0; k < 3; ++k) sum += 0.5 * b->inertia[k] * nsds_v(ds)[3 + k] * nsds_v(ds)[3 + k];
  return sum;
}

double rigid_body_spring_energy(const rigid_body *b, const nsds_ds *ds) {
  double f[3], back[3];
  pull(b, nsds_q(ds), f, back);
  return 0.5 * (f[0] * f[0] + f[1] * f[1] + f[2] * f[2]) / b->spring;
}
