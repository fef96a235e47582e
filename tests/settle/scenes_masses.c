/* Masses on rails, pendulums and states of first order that settle. */
#include "settle.h"

#include <math.h>

typedef struct tie {
  double k, d, rest, hidden; /* stiffness, damping, extension at rest, a term that cancels */
} tie;

enum { most_ties = 64 };
static tie ties[most_ties];
static int nties;

static tie *keep(tie t) {
  tie *to = &ties[nties++ % most_ties];
  *to = t;
  return to;
}

static nsds_ds *mass(world *w, double m, double q, double v, double force) {
  if (fabs(q) > w->reach) w->reach = fabs(q);
  if (fabs(v) > w->speed) w->speed = fabs(v);
  return nsds_lagrangian_linear(
      w->m,
      &(nsds_lagrangian_linear_def){.ndof = 1, .q0 = &q, .v0 = &v, .mass = &m, .fext = &force});
}

static double drawn_mass(world *w) { return w->M * power(w, -0.5, 0.5); }

/* k and d of a spring for which a reduced mass has the angular frequency 1 / T. */
static tie spring_of(world *w, double reduced) {
  return (tie){.k = reduced / w->T / w->T, .d = 2.0 * w->damping * reduced / w->T};
}

/* ---- springs between coordinates ---- */

static void connect_spring(world *w, nsds_ds *a, nsds_ds *b, const tie *t) {
  nsds_ds *both[2] = {a, b};
  nsds_relation *r = nsds_spring(w->m, &(nsds_spring_def){.ds = {a, b},
                                                          .coordinates = true,
                                                          .stiffness = t->k,
                                                          .damping = t->d,
                                                          .rest = NSDS_REST_LENGTH,
                                                          .length = t->rest});
  nsds_connect(w->m, r, nsds_equality(w->m), b ? 2 : 1, both);
}

static void masses_in_a_row(world *w) {
  nsds_ds *ds[4];
  int n = 2 + one_of(w, 3);
  double m[4], p = 0.0, all = 0.0, at = w->away[0];
  for (int k = 0; k < n; ++k) {
    double v = w->L / w->T * between(w, -1.0, 1.0);
    m[k] = drawn_mass(w);
    ds[k] = mass(w, m[k], at, v, 0.0);
    at += w->L * between(w, 0.0, 2.0);
    p += m[k] * v;
    all += m[k];
  }
  for (int k = 0; k + 1 < n; ++k) {
    tie t = spring_of(w, m[k] * m[k + 1] / (m[k] + m[k + 1]));
    t.rest = w->L * between(w, -0.3, 0.3);
    connect_spring(w, ds[k], ds[k + 1], &t);
  }
  if (n > 2) w->t1 *= 8.0;
  for (int k = 0; k < n; ++k) expect(w, ds[k], VELOCITY, 0, p / all);
}

/* A weight on a spring, or at rest on a spring that is not loaded. */
static void hanging_mass(world *w) {
  double m = drawn_mass(w);
  bool still = one_of(w, 2);
  nsds_ds *ds = mass(w, m, w->away[0], still ? 0.0 : w->L / w->T * between(w, -1.0, 1.0),
                     still ? 0.0 : -m * w->gravity);
  tie t = spring_of(w, m);
  t.rest = w->away[0] + (still ? 0.0 : w->L * between(w, -0.3, 0.3));
  connect_spring(w, ds, NULL, &t);
  expect(w, ds, VELOCITY, 0, 0.0);
  expect(w, ds, PLACE, 0, t.rest - (still ? 0.0 : m * w->gravity / t.k));
  w->right[w->n - 1].tolerance *= w->T;
}

/* ---- functions of a program's own ---- */

static int h_of(const nsds_arguments *in, double *y, void *user) {
  const tie *t = user;
  double e = in->q[0] - in->q[1] - t->rest;
  y[0] = in->lambda[0] + (t->hidden + t->k * e + t->d * (in->v[0] - in->v[1])) - t->hidden;
  return 0;
}
static int h_q(const nsds_arguments *in, double *J, void *user) {
  (void)in;
  J[0] = ((const tie *)user)->k, J[1] = -J[0];
  return 0;
}
static int h_v(const nsds_arguments *in, double *J, void *user) {
  (void)in;
  J[0] = ((const tie *)user)->d, J[1] = -J[0];
  return 0;
}
static int one(const nsds_arguments *in, double *J, void *user) {
  (void)in, (void)user;
  J[0] = 1.0;
  return 0;
}
static int g_of(const nsds_arguments *in, double *F, void *user) {
  (void)user;
  F[0] = in->lambda[0], F[1] = -in->lambda[0];
  return 0;
}
static int g_lambda(const nsds_arguments *in, double *J, void *user) {
  (void)in, (void)user;
  J[0] = 1.0, J[1] = -1.0;
  return 0;
}

static void own_mixed_relation(world *w) {
  double m1 = drawn_mass(w), m2 = drawn_mass(w), v = w->L / w->T * between(w, 0.1, 1.0);
  nsds_ds *ds[2] = {mass(w, m1, w->away[0], v, 0.0), mass(w, m2, w->away[0] + w->L, 0.0, 0.0)};
  tie t = spring_of(w, m1 * m2 / (m1 + m2));
  t.rest = w->L * between(w, -1.2, -0.8);
  if (one_of(w, 2)) t.hidden = 1e3 * t.k * w->L;
  nsds_relation *r =
      nsds_mixed_relation(w->m, &(nsds_mixed_relation_def){.ny = 1,
                                                           .nq = 2,
                                                           .output_fn = h_of,
                                                           .jac_output_q_fn = h_q,
                                                           .jac_output_v_fn = h_v,
                                                           .jac_output_lambda_fn = one,
                                                           .input_fn = g_of,
                                                           .jac_input_lambda_fn = g_lambda,
                                                           .user = keep(t)});
  nsds_connect(w->m, r, nsds_equality(w->m), 2, ds);
  for (int k = 0; k < 2; ++k) expect(w, ds[k], VELOCITY, 0, m1 * v / (m1 + m2));
}

static int f_of(const nsds_arguments *in, double *F, void *user) {
  const tie *t = user;
  F[0] = t->k * (in->q[0] - t->rest) + t->d * in->v[0];
  return 0;
}
static int f_q(const nsds_arguments *in, double *J, void *user) {
  (void)in;
  J[0] = ((const tie *)user)->k;
  return 0;
}
static int f_v(const nsds_arguments *in, double *J, void *user) {
  (void)in;
  J[0] = ((const tie *)user)->d;
  return 0;
}

/* Takes some systems through a step in parts. */
static void cut_steps(world *w, nsds_ds *ds, nsds_discretisation scheme) {
  if (ds && one_of(w, 3) == 0)
    nsds_ds_discretise(ds, nsds_with_step_ratio(scheme, 2 + one_of(w, 4)));
}

static void own_force(world *w) {
  double m = drawn_mass(w), v = w->L / w->T * between(w, -1.0, 1.0), q = w->away[0];
  tie t = spring_of(w, m);
  t.rest = q + w->L * between(w, -0.5, 0.5);
  w->speed = fabs(v), w->reach = fabs(q) + w->L;
  nsds_ds *ds = nsds_lagrangian(
      w->m, &(nsds_lagrangian_def){.ndof = 1,
                                   .q0 = &q,
                                   .v0 = &v,
                                   .mass = &m,
                                   .user = keep(t),
                                   .fint = {.fn = f_of, .jac_q_fn = f_q, .jac_v_fn = f_v}});
  cut_steps(w, ds, nsds_moreau_jean(0.6, 1.0));
  expect(w, ds, VELOCITY, 0, 0.0);
}

static int pendulum(const nsds_arguments *in, double *F, void *user) {
  const tie *t = user;
  F[0] = t->k * sin(in->q[0]) + t->d * in->v[0];
  return 0;
}
static int pendulum_q(const nsds_arguments *in, double *J, void *user) {
  J[0] = ((const tie *)user)->k * cos(in->q[0]);
  return 0;
}

static void pendulum_of_functions(world *w) {
  double J = w->M * w->L * w->L, q = between(w, -2.0, 2.0), v = 0.0;
  tie t = spring_of(w, J);
  w->speed = 1.0 / w->T, w->reach = 3.0;
  nsds_ds *ds = nsds_lagrangian(
      w->m,
      &(nsds_lagrangian_def){.ndof = 1,
                             .q0 = &q,
                             .v0 = &v,
                             .mass = &J,
                             .user = keep(t),
                             .fint = {.fn = pendulum, .jac_q_fn = pendulum_q, .jac_v_fn = f_v}});
  cut_steps(w, ds, nsds_moreau_jean(0.5, 1.0));
  expect(w, ds, VELOCITY, 0, 0.0);
}

/* ---- contacts and friction ---- */

static nsds_relation *row(world *w, const double *H, const double *b, const double *S) {
  return nsds_lagrangian_linear_relation(
      w->m,
      &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = H, .b = b, .compliance = S});
}

static void held_by_friction(world *w) {
  double m = drawn_mass(w), v = w->L / w->T * between(w, -1.0, 1.0),
         bound = 0.3 * m * w->L / w->T / w->T, low = -bound;
  const double H = 1.0;
  nsds_ds *ds = mass(w, m, w->away[0], v, 0.0);
  nsds_law *law = one_of(w, 2) ? nsds_relay(w->m, 1, &low, &bound)
                               : nsds_saturation(w->m, 1, &low, &bound, m / w->T);
  nsds_connect(w->m, row(w, &H, NULL, NULL), law, 1, &ds);
  if (one_of(w, 2)) { /* beside a strut to a second block, which is not loaded yet */
    double v2 = 0.0;
    nsds_ds *other = mass(w, m, w->away[0] + w->L, v2, 0.0);
    tie t = spring_of(w, m);
    t.rest = -w->L;
    connect_spring(w, ds, other, &t);
    nsds_connect(w->m, row(w, &H, NULL, NULL), nsds_relay(w->m, 1, &low, &bound), 1, &other);
    expect(w, other, VELOCITY, 0, 0.0);
  }
  expect(w, ds, VELOCITY, 0, 0.0);
}

/* A mass that falls on a floor, hard or soft, with a damper of its own. */
static void on_a_floor(world *w) {
  double m = drawn_mass(w), q = w->away[0] + w->L, v = 0.0, force = -m * w->L / w->T / w->T,
         S = 0.01 * w->T * w->T / m;
  const double H = 1.0, b = -w->away[0], C = 2.0 * w->damping * m / w->T;
  bool soft = one_of(w, 2);
  nsds_ds *ds = nsds_lagrangian_linear(
      w->m, &(nsds_lagrangian_linear_def){
                .ndof = 1, .q0 = &q, .v0 = &v, .mass = &m, .damping = &C, .fext = &force});
  w->speed = w->L / w->T, w->reach = fabs(q);
  nsds_law *law = one_of(w, 2) ? nsds_newton_impact(w->m, soft ? 0.0 : between(w, 0.0, 0.8))
                               : nsds_complementarity(w->m);
  nsds_connect(w->m, row(w, &H, &b, soft ? &S : NULL), law, 1, &ds);
  expect(w, ds, VELOCITY, 0, 0.0);
}

/* ---- first order ---- */

static int y_of(const nsds_arguments *in, double *y, void *user) {
  const tie *t = user;
  double e = in->x[0] - t->rest;
  y[0] = in->lambda[0] + t->k * e + t->d * e * e * e;
  return 0;
}
static int y_x(const nsds_arguments *in, double *J, void *user) {
  const tie *t = user;
  double e = in->x[0] - t->rest;
  J[0] = t->k + 3.0 * t->d * e * e;
  return 0;
}
static int r_of(const nsds_arguments *in, double *r, void *user) {
  (void)user;
  r[0] = in->lambda[0];
  return 0;
}

static void own_relation_of_first_order(world *w) {
  double x = w->away[0] + w->L;
  tie t = {.k = 1.0 / w->T, .d = 1.0 / w->T / w->L / w->L, .rest = w->away[0]};
  nsds_ds *ds = nsds_first_order_linear(w->m, &(nsds_first_order_linear_def){.n = 1, .x0 = &x});
  nsds_relation *r =
      nsds_first_order_relation(w->m, &(nsds_first_order_relation_def){.ny = 1,
                                                                       .nx = 1,
                                                                       .output_fn = y_of,
                                                                       .jac_output_x_fn = y_x,
                                                                       .jac_output_lambda_fn = one,
                                                                       .input_fn = r_of,
                                                                       .jac_input_lambda_fn = one,
                                                                       .user = keep(t)});
  nsds_connect(w->m, r, nsds_equality(w->m), 1, &ds);
  w->speed = w->L, w->reach = fabs(x);
  expect(w, ds, STATE, 0, w->away[0]);
}

static int rate(const nsds_arguments *in, double *f, void *user) {
  const tie *t = user;
  f[0] = -t->k * (in->x[0] - t->rest);
  return 0;
}
static int rate_x(const nsds_arguments *in, double *J, void *user) {
  (void)in;
  J[0] = -((const tie *)user)->k;
  return 0;
}

/* A motor: a current of first order drives a mass, whose speed drives the current. */
static void motor(world *w) {
  double m = drawn_mass(w), v = w->L / w->T * between(w, 0.1, 1.0), x = 0.0, A = -1.0 / w->T;
  nsds_ds *ds[2] = {
      one_of(w, 2)
          ? nsds_first_order_linear(w->m, &(nsds_first_order_linear_def){.n = 1, .x0 = &x, .A = &A})
          : nsds_first_order(w->m, &(nsds_first_order_def){.n = 1,
                                                           .x0 = &x,
                                                           .f_fn = rate,
                                                           .jac_f_x_fn = rate_x,
                                                           .user = keep((tie){.k = 1.0 / w->T})}),
      mass(w, m, w->away[0], v, 0.0)};
  /* lambda = (v, x): x' = -x / T + lambda_1 / L, force = -(m L / T^2) lambda_2 */
  const double C[2] = {0.0, -1.0}, E[2] = {-1.0, 0.0}, D[4] = {1, 0, 0, 1},
               B[2] = {1.0 / w->L, 0.0}, F[2] = {0.0, -m * w->L / w->T / w->T};
  nsds_relation *r = nsds_mixed_linear_relation(
      w->m, &(nsds_mixed_linear_relation_def){
                .ny = 2, .nx = 1, .nq = 1, .C = C, .E = E, .D = D, .B = B, .L = F});
  nsds_connect(w->m, r, nsds_equality(w->m), 2, ds);
  expect(w, ds[1], VELOCITY, 0, 0.0);
}

static void own_rate(world *w) {
  double x = w->away[0] + w->L;
  tie t = {.k = 1.0 / w->T, .rest = w->away[0]};
  nsds_ds *ds = nsds_first_order(
      w->m, &(nsds_first_order_def){
                .n = 1, .x0 = &x, .f_fn = rate, .jac_f_x_fn = rate_x, .user = keep(t)});
  w->speed = w->L, w->reach = fabs(x);
  cut_steps(w, ds, nsds_euler_moreau(1.0));
  w->cut = true;
  expect(w, ds, STATE, 0, w->away[0]);
}

const scene scenes_of_masses[] = {{"masses in a row", masses_in_a_row},
                                  {"hanging mass", hanging_mass},
                                  {"own mixed relation", own_mixed_relation},
                                  {"own force", own_force},
                                  {"pendulum of functions", pendulum_of_functions},
                                  {"held by friction", held_by_friction},
                                  {"on a floor", on_a_floor},
                                  {"own relation of first order", own_relation_of_first_order},
                                  {"own rate", own_rate},
                                  {"motor", motor},
                                  {0}};
