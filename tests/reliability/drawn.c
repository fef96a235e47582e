#include "drawn.h"

#include <nsds/contact.h>
#include <nsds/extend.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

uint64_t drawing_next(drawing *d) {
  uint64_t z = d->state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

int drawing_below(drawing *d, int n) { return (int)(drawing_next(d) % (uint64_t)n); }

double drawing_between(drawing *d, double a, double b) {
  return a + (b - a) * (double)(drawing_next(d) >> 11) * 0x1p-53;
}

static char words[400];

static void say(const char *format, ...) {
  size_t used = strlen(words);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(words + used, sizeof words - used, format, arguments);
  va_end(arguments);
}

const char *drawn_words(void) { return words; }

static bool drawn_chance(drawing *d, int percent) { return drawing_below(d, 100) < percent; }

/* ---- functions of the systems ---- */

enum { most_size = 3, most_systems = 3 };

/* What the functions of a system or relation compute. */
typedef struct drawn_numbers {
  int n;
  double a[most_size], b[most_size], c[most_size];
  bool couples; /* M and A have entries off the diagonal */
} drawn_numbers;

static drawn_numbers numbers[3 * most_systems + 4];
static int numbers_used;

static drawn_numbers *draw_numbers(drawing *d, int n) {
  drawn_numbers *p = &numbers[numbers_used++];
  *p = (drawn_numbers){.n = n, .couples = drawn_chance(d, 50)};
  for (int k = 0; k < most_size; ++k) {
    p->a[k] = drawing_between(d, 0.5, 2.0);
    p->b[k] = drawing_between(d, 0.1, 5.0);
    p->c[k] = drawing_between(d, -1.0, 1.0);
  }
  return p;
}

static void clear(double *out, int n) {
  for (int k = 0; k < n; ++k) out[k] = 0.0;
}

/* M = diag(a) with a part of the first coordinate or of the time, and 0.1 beside the diagonal. */
static void form_mass(const drawn_numbers *p, double varying, double *out) {
  int n = p->n;
  clear(out, n * n);
  for (int k = 0; k < n; ++k) out[k + k * n] = p->a[k] + varying;
  if (p->couples && n > 1) out[1] = out[n] = 0.1;
}

static int mass_q(const nsds_arguments *in, double *out, void *user) {
  form_mass(user, 0.2 * in->q[0] * in->q[0], out);
  return 0;
}

static int mass_t(const nsds_arguments *in, double *out, void *user) {
  form_mass(user, 0.1 * sin(in->t), out);
  return 0;
}

static int spring(const nsds_arguments *in, double *out, void *user) {
  const drawn_numbers *p = user;
  for (int k = 0; k < p->n; ++k)
    out[k] = p->b[k] * in->q[k] + in->q[k] * in->q[k] * in->q[k] + 0.2 * in->v[k];
  return 0;
}

static int spring_q(const nsds_arguments *in, double *out, void *user) {
  const drawn_numbers *p = user;
  clear(out, p->n * p->n);
  for (int k = 0; k < p->n; ++k) out[k + k * p->n] = p->b[k] + 3.0 * in->q[k] * in->q[k];
  return 0;
}

static int spring_v(const nsds_arguments *in, double *out, void *user) {
  const drawn_numbers *p = user;
  (void)in;
  clear(out, p->n * p->n);
  for (int k = 0; k < p->n; ++k) out[k + k * p->n] = 0.2;
  return 0;
}

static int load_t(const nsds_arguments *in, double *out, void *user) {
  const drawn_numbers *p = user;
  for (int k = 0; k < p->n; ++k) out[k] = -9.81 * p->a[k] + p->c[k] * sin(3.0 * in->t);
  return 0;
}

static int given_t(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 0.3 * sin(2.0 * in->t);
  return 0;
}

static int decay(const nsds_arguments *in, double *out, void *user) {
  const drawn_numbers *p = user;
  for (int k = 0; k < p->n; ++k)
    out[k] = p->c[k] - p->b[k] * in->x[k] - 0.3 * in->x[k] * in->x[k] * in->x[k];
  return 0;
}

static int decay_x(const nsds_arguments *in, double *out, void *user) {
  const drawn_numbers *p = user;
  clear(out, p->n * p->n);
  for (int k = 0; k < p->n; ++k) out[k + k * p->n] = -p->b[k] - 0.9 * in->x[k] * in->x[k];
  return 0;
}

static int A_t(const nsds_arguments *in, double *out, void *user) {
  const drawn_numbers *p = user;
  clear(out, p->n * p->n);
  for (int k = 0; k < p->n; ++k) out[k + k * p->n] = -p->b[k] + 0.1 * cos(in->t);
  if (p->couples && p->n > 1) out[1] = -(out[p->n] = 0.5);
  return 0;
}

static int b_t(const nsds_arguments *in, double *out, void *user) {
  const drawn_numbers *p = user;
  for (int k = 0; k < p->n; ++k) out[k] = p->c[k] + 0.5 * sin(4.0 * in->t);
  return 0;
}

static int push(const nsds_arguments *in, double *out, void *user) {
  const drawn_numbers *p = user;
  for (int k = 0; k < 3; ++k) out[k] = p->c[k] - 0.3 * in->v[k];
  return 0;
}

static int push_t(const nsds_arguments *in, double *out, void *user) {
  const drawn_numbers *p = user;
  for (int k = 0; k < 3; ++k) out[k] = p->c[k] + 0.2 * sin(2.0 * in->t);
  return 0;
}

static int push_q(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  clear(out, 3 * in->nq);
  return 0;
}

static int push_v(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  clear(out, 3 * in->nv);
  for (int k = 0; k < 3; ++k) out[k + 3 * k] = -0.3;
  return 0;
}

/* ---- operations of systems of the program's own ---- */

static nsds_status own_mass(void *self, const nsds_arguments *in, double *out) {
  form_mass(self, 0.1 * sin(in->t), out);
  return NSDS_OK;
}

static nsds_status own_fixed_mass(void *self, const nsds_arguments *in, double *out) {
  (void)in;
  form_mass(self, 0.0, out);
  return NSDS_OK;
}

static nsds_status own_rhs(void *self, const nsds_arguments *in, double *out) {
  return (nsds_status)decay(in, out, self);
}

static nsds_status own_rhs_x(void *self, const nsds_arguments *in, double *out) {
  return (nsds_status)decay_x(in, out, self);
}

static nsds_status own_b(void *self, const nsds_arguments *in, double *out) {
  return (nsds_status)b_t(in, out, self);
}

static nsds_status own_A(void *self, const nsds_arguments *in, double *out) {
  return (nsds_status)A_t(in, out, self);
}

static nsds_status own_fixed_A(void *self, const nsds_arguments *in, double *out) {
  nsds_arguments at = *in;
  at.t = 0.0;
  return (nsds_status)A_t(&at, out, self);
}

static nsds_status own_force(void *self, const nsds_arguments *in, double *out) {
  double inner[most_size];
  const drawn_numbers *p = self;
  load_t(in, out, self);
  spring(in, inner, self);
  for (int k = 0; k < p->n; ++k) out[k] -= inner[k];
  return NSDS_OK;
}

static nsds_status own_load(void *self, const nsds_arguments *in, double *out) {
  return (nsds_status)load_t(in, out, self);
}

static nsds_status own_damping(void *self, const nsds_arguments *in, double *out) {
  return (nsds_status)spring_v(in, out, self);
}

static nsds_status own_stiffness(void *self, const nsds_arguments *in, double *out) {
  return (nsds_status)spring_q(in, out, self);
}

static nsds_status own_fixed_stiffness(void *self, const nsds_arguments *in, double *out) {
  const drawn_numbers *p = self;
  (void)in;
  clear(out, p->n * p->n);
  for (int k = 0; k < p->n; ++k) out[k + k * p->n] = p->b[k];
  return NSDS_OK;
}

/* ---- systems ---- */

typedef struct drawn {
  drawing d;
  nsds_model *model;
  bool events;
  nsds_ds *ds[most_systems];
  int kind[most_systems], count; /* kind: size of a first-order system below 0, bodies 0, else nv */
  bool planar[most_systems];
} drawn;

static nsds_ds *draw_first_order(drawn *w, int n, const double *x0) {
  drawing *d = &w->d;
  drawn_numbers *p = draw_numbers(d, n);
  double constant[most_size * most_size], A[most_size * most_size];
  form_mass(p, 0.0, constant);
  A_t(&(nsds_arguments){.t = 0.0}, A, p);
  bool mass = drawn_chance(d, 60), varies = drawn_chance(d, 60);
  say(" first order %d%s", n, !mass ? "" : varies ? " M(t)" : " M");
  if (drawn_chance(d, 40)) { /* with operations of its own */
    static nsds_first_order_ops ops[2 * most_systems];
    bool affine = drawn_chance(d, 50), fixed = affine && drawn_chance(d, 40);
    say(" own%s%s;", affine ? " affine" : "", fixed ? " fixed" : "");
    nsds_first_order_ops *o = &ops[w->count];
    *o = (nsds_first_order_ops){.type = "drawn",
                                .mass = varies ? own_mass : own_fixed_mass,
                                .rhs = affine ? own_b : own_rhs,
                                .jacobian = fixed    ? own_fixed_A
                                            : affine ? own_A
                                                     : own_rhs_x};
    return nsds_custom_first_order(
        w->model, &(nsds_custom_first_order_def){.ops = o,
                                                 .self = p,
                                                 .n = n,
                                                 .x0 = x0,
                                                 .mass = {.present = mass, .constant = !varies},
                                                 .jacobian = {.present = true, .constant = fixed},
                                                 .affine = affine});
  }
  if (drawn_chance(d, 50)) {
    bool moves = drawn_chance(d, 60);
    say(" linear%s;", moves ? " A(t)" : "");
    return nsds_first_order_linear(
        w->model, &(nsds_first_order_linear_def){.n = n,
                                                 .x0 = x0,
                                                 .mass = mass && !varies ? constant : NULL,
                                                 .mass_fn = mass && varies ? mass_t : NULL,
                                                 .A = moves ? NULL : A,
                                                 .A_fn = moves ? A_t : NULL,
                                                 .b_fn = drawn_chance(d, 60) ? b_t : NULL,
                                                 .user = p});
  }
  say(" bent;");
  return nsds_first_order(w->model,
                          &(nsds_first_order_def){.n = n,
                                                  .x0 = x0,
                                                  .mass = mass && !varies ? constant : NULL,
                                                  .mass_fn = mass && varies ? mass_t : NULL,
                                                  .f_fn = decay,
                                                  .jac_f_x_fn = decay_x,
                                                  .user = p});
}

static nsds_ds *draw_own_body(drawn *w, int n, const double *q0, const double *v0) {
  drawing *d = &w->d;
  static nsds_second_order_ops ops[2 * most_systems];
  bool affine = drawn_chance(d, 40), damped = drawn_chance(d, 60), stiff = drawn_chance(d, 60);
  bool fixed = affine || drawn_chance(d, 50), early = !affine && drawn_chance(d, 20);
  say(" own body %d%s%s%s%s%s;", n, affine ? " affine" : "", fixed ? " fixed" : "",
      damped ? " C" : "", stiff ? " K" : "", early ? " explicit" : "");
  nsds_second_order_ops *o = &ops[w->count];
  *o = (nsds_second_order_ops){.type = "drawn",
                               .mass = fixed ? own_fixed_mass : own_mass,
                               .force = affine ? own_load : own_force,
                               .damping = own_damping,
                               .stiffness = affine ? own_fixed_stiffness : own_stiffness};
  if (early) damped = stiff = false;
  return nsds_custom_second_order(
      w->model, &(nsds_custom_second_order_def){.ops = o,
                                                .self = draw_numbers(d, n),
                                                .ndof = n,
                                                .q0 = q0,
                                                .v0 = v0,
                                                .mass = {.present = true, .constant = fixed},
                                                .damping = {.present = damped, .constant = affine},
                                                .stiffness = {.present = stiff, .constant = affine},
                                                .explicit_force = early,
                                                .affine = affine});
}

static nsds_ds *draw_lagrangian(drawn *w, int n, const double *q0, const double *v0) {
  drawing *d = &w->d;
  drawn_numbers *p = draw_numbers(d, n);
  double M[most_size * most_size], K[most_size * most_size], C[most_size * most_size];
  form_mass(p, 0.0, M);
  own_fixed_stiffness(p, NULL, K);
  spring_v(NULL, C, p);
  static const int last[1] = {most_size - 1};
  nsds_prescribed given = {0};
  if (n == most_size && drawn_chance(d, 40)) given = (nsds_prescribed){1, last, given_t};
  if (drawn_chance(d, 45)) {
    int column[most_size + 1], row[most_size];
    double m[most_size], k[most_size];
    for (int i = 0; i < n; ++i) column[i] = row[i] = i, m[i] = M[i + i * n], k[i] = K[i + i * n];
    column[n] = n;
    nsds_csc mass = {n, n, column, row, m}, stiffness = {n, n, column, row, k};
    bool sparse = drawn_chance(d, 40), stiff = drawn_chance(d, 60), damped = drawn_chance(d, 50);
    say(" lagrangian linear %d%s%s%s%s;", n, sparse ? " sparse" : "", stiff ? " K" : "",
        damped ? " C" : "", given.n ? " prescribed" : "");
    return nsds_lagrangian_linear(
        w->model,
        &(nsds_lagrangian_linear_def){.ndof = n,
                                      .q0 = q0,
                                      .v0 = v0,
                                      .mass = sparse ? NULL : M,
                                      .mass_sparse = sparse ? &mass : NULL,
                                      .stiffness = stiff && !sparse ? K : NULL,
                                      .stiffness_sparse = stiff && sparse ? &stiffness : NULL,
                                      .damping = damped && !sparse ? C : NULL,
                                      .fext_fn = load_t,
                                      .prescribed = given,
                                      .user = p});
  }
  bool varies = drawn_chance(d, 60), inner = drawn_chance(d, 70);
  say(" lagrangian %d%s%s%s;", n, varies ? " M(q)" : "", inner ? " fint" : "",
      given.n ? " prescribed" : "");
  nsds_lagrangian_def def = {.ndof = n,
                             .q0 = q0,
                             .v0 = v0,
                             .mass = varies ? NULL : M,
                             .mass_fn = varies ? mass_q : NULL,
                             .fext_fn = load_t,
                             .prescribed = given,
                             .user = p};
  if (inner)
    def.fint = (nsds_force_function){.fn = spring, .jac_q_fn = spring_q, .jac_v_fn = spring_v};
  return nsds_lagrangian(w->model, &def);
}

static nsds_ds *draw_rigid_body(drawn *w, bool planar, double height) {
  drawing *d = &w->d;
  drawn_numbers *p = draw_numbers(d, 3);
  say(planar ? " planar body;" : " rigid body;");
  double x = 1.5 * w->count, u = drawing_between(d, -0.3, 0.3), turn = drawing_between(d, -1, 1);
  if (planar)
    return nsds_rigid_body_2d(
        w->model, &(nsds_rigid_body_2d_def){.mass = p->a[0],
                                            .inertia = 0.1 * p->a[1],
                                            .q0 = (double[]){x, height, 0.1},
                                            .v0 = (double[]){u, -0.5, turn},
                                            .gravity = {0.0, -9.81},
                                            .force_fn = drawn_chance(d, 70) ? push_t : NULL,
                                            .user = p});
  nsds_rigid_body_def def = {.mass = p->a[0],
                             .inertia = (double[]){0.1, 0.0, 0.0, 0.0, 0.2, 0.0, 0.0, 0.0, 0.15},
                             .q0 = (double[]){x, 0.0, height, 1.0, 0.0, 0.0, 0.0},
                             .v0 = (double[]){u, 0.1, -0.5, 0.2, turn, 0.3},
                             .gravity = {0.0, 0.0, -9.81},
                             .explicit_gyroscopic = drawn_chance(d, 20),
                             .user = p};
  nsds_load_function load = {.fn = push, .jac_q_fn = push_q, .jac_v_fn = push_v};
  if (!def.explicit_gyroscopic && drawn_chance(d, 60)) def.force = load;
  if (!def.explicit_gyroscopic && drawn_chance(d, 40)) def.moment = load;
  return nsds_rigid_body(w->model, &def);
}

static void draw_system(drawn *w) {
  drawing *d = &w->d;
  int n = 1 + drawing_below(d, most_size), kind = drawing_below(d, 6), s = w->count;
  double q0[most_size], v0[most_size];
  for (int k = 0; k < most_size; ++k) {
    q0[k] = drawing_between(d, 0.01, 0.1);
    v0[k] = drawing_between(d, -1.0, 0.2);
  }
  w->planar[s] = kind == 5;
  w->kind[s] = kind <= 1 ? -n : kind <= 3 ? n : 0;
  w->ds[s] = kind <= 1   ? draw_first_order(w, n, q0)
             : kind == 2 ? draw_lagrangian(w, n, q0, v0)
             : kind == 3 ? draw_own_body(w, n, q0, v0)
                         : draw_rigid_body(w, w->planar[s], 0.1 + q0[0]);
  ++w->count;
}

/* ---- relations ---- */

/* y = q_0 + c_1 q_0^2 - q'_0 + b_1 / 100 (and sin t) of one or two systems of one coordinate or more */
static int gap(const nsds_arguments *in, double *out, void *user) {
  const drawn_numbers *p = user;
  out[0] = in->q[0] + 0.1 * p->c[0] * in->q[0] * in->q[0] - (p->n < in->nq ? in->q[p->n] : 0.0);
  if (p->couples) out[0] += 0.005 * sin(5.0 * in->t);
  return 0;
}

static int gap_q(const nsds_arguments *in, double *out, void *user) {
  const drawn_numbers *p = user;
  clear(out, in->nq);
  out[0] = 1.0 + 0.2 * p->c[0] * in->q[0];
  if (p->n < in->nq) out[p->n] = -1.0;
  return 0;
}

static int gap_t(const nsds_arguments *in, double *out, void *user) {
  const drawn_numbers *p = user;
  out[0] = p->couples ? 0.025 * cos(5.0 * in->t) : 0.0;
  return 0;
}

static int gap_bias(const nsds_arguments *in, double *out, void *user) {
  const drawn_numbers *p = user;
  out[0] = 0.2 * p->c[0] * in->v[0] * in->v[0];
  if (p->couples) out[0] -= 0.125 * sin(5.0 * in->t);
  return 0;
}

static nsds_law *draw_law(drawn *w, bool equal) {
  drawing *d = &w->d;
  double e = drawing_between(d, 0.0, 0.9);
  if (equal) say(" equal");
  if (equal) return nsds_equality(w->model);
  int which = drawing_below(d, 4);
  if (which == 0 && w->events) return nsds_poisson_impact(w->model, e);
  return nsds_newton_impact(w->model, e);
}

static void tie_lagrangian(drawn *w, int a, int b) {
  drawing *d = &w->d;
  drawn_numbers *p = draw_numbers(d, w->kind[a]);
  nsds_ds *pair[2] = {w->ds[a], b >= 0 ? w->ds[b] : NULL};
  int nq = w->kind[a] + (b >= 0 ? w->kind[b] : 0);
  say(" gap %d+%d%s;", w->kind[a], b >= 0 ? w->kind[b] : 0, p->couples ? "(t)" : "");
  nsds_lagrangian_relation_def def = {.ny = 1,
                                      .nq = nq,
                                      .output_fn = gap,
                                      .jac_output_q_fn = gap_q,
                                      .jac_output_t_fn = p->couples ? gap_t : NULL,
                                      .bias_fn = drawn_chance(d, 50) ? gap_bias : NULL,
                                      .user = p};
  nsds_relation *relation = nsds_lagrangian_relation(w->model, &def);
  nsds_connect(w->model, relation, draw_law(w, drawn_chance(d, 20)), b >= 0 ? 2 : 1, pair);
}

/* y = C x + D lambda + e(t), r = B lambda */
static int e_t(const nsds_arguments *in, double *out, void *user) {
  const drawn_numbers *p = user;
  out[0] = 0.1 * p->c[0] + 0.2 * sin(3.0 * in->t);
  return 0;
}

static int row_t(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  clear(out, in->nx);
  out[0] = 1.0 + 0.1 * sin(in->t);
  return 0;
}

static int bent(const nsds_arguments *in, double *out, void *user) {
  const drawn_numbers *p = user;
  out[0] = in->x[0] + 0.1 * in->x[0] * in->x[0] + 0.1 * p->c[0] + 0.2 * in->lambda[0];
  return 0;
}

static int bent_x(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  clear(out, in->nx);
  out[0] = 1.0 + 0.2 * in->x[0];
  return 0;
}

static int bent_lambda(const nsds_arguments *in, double *out, void *user) {
  (void)user, (void)in;
  out[0] = 0.2;
  return 0;
}

static int fed(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  clear(out, in->nx);
  out[0] = in->lambda[0];
  return 0;
}

static int fed_lambda(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  clear(out, in->nx);
  out[0] = 1.0;
  return 0;
}

static nsds_law *draw_first_law(drawn *w) {
  const double low = -1.0, high = 1.0;
  int which = drawing_below(&w->d, 4);
  say(" first-order law %d;", which);
  return which == 0   ? nsds_complementarity(w->model)
         : which == 1 ? nsds_saturation(w->model, 1, &low, &high, 5.0)
         : which == 2 ? nsds_relay(w->model, 1, &low, &high)
                      : nsds_equality(w->model);
}

static void tie_first_order(drawn *w, int a) {
  drawing *d = &w->d;
  int n = -w->kind[a];
  drawn_numbers *p = draw_numbers(d, n);
  double row[most_size] = {1.0}, D = 0.2;
  nsds_relation *relation;
  if (!w->events && drawn_chance(d, 50)) {
    say(" bent");
    relation = nsds_first_order_relation(
        w->model, &(nsds_first_order_relation_def){.ny = 1,
                                                   .nx = n,
                                                   .output_fn = bent,
                                                   .jac_output_x_fn = bent_x,
                                                   .jac_output_lambda_fn = bent_lambda,
                                                   .input_fn = fed,
                                                   .jac_input_lambda_fn = fed_lambda,
                                                   .user = p});
  } else {
    bool moves = drawn_chance(d, 40), input = drawn_chance(d, 40);
    relation = nsds_first_order_linear_relation(
        w->model, &(nsds_first_order_linear_relation_def){.ny = 1,
                                                          .nx = n,
                                                          .C = moves ? NULL : row,
                                                          .C_fn = moves ? row_t : NULL,
                                                          .D = drawn_chance(d, 60) ? &D : NULL,
                                                          .B = input ? NULL : row,
                                                          .B_fn = input ? row_t : NULL,
                                                          .e_fn = drawn_chance(d, 60) ? e_t : NULL,
                                                          .user = p});
  }
  nsds_connect(w->model, relation, draw_first_law(w), 1, &w->ds[a]);
}

/* ---- contacts and joints of bodies ---- */

static int foot(const nsds_arguments *in, nsds_body_contact *contact, void *user) {
  (void)user;
  bool planar = in->nq == 3;
  contact->gap = in->q[planar ? 1 : 2] - 0.1;
  contact->point[0] = in->q[0];
  contact->point[1] = planar ? 0.0 : in->q[1];
  contact->normal[planar ? 1 : 2] = 1.0;
  return 0;
}

static int foot_rate(const nsds_arguments *in, nsds_body_contact *rate, void *user) {
  (void)user;
  bool planar = in->nq == 3;
  rate->gap = in->v[planar ? 1 : 2];
  rate->point[0] = in->v[0];
  rate->point[1] = planar ? 0.0 : in->v[1];
  return 0;
}

static nsds_law *draw_friction(drawn *w, int dimension) {
  drawing *d = &w->d;
  nsds_newton_impact_friction_def def = {.dimension = dimension,
                                         .mu = drawing_between(d, 0.1, 0.8),
                                         .e_n = drawing_between(d, 0.0, 0.8)};
  return nsds_newton_impact_friction(w->model, &def);
}

static void tie_body(drawn *w, int a) {
  drawing *d = &w->d;
  int dimension = w->planar[a] ? 2 : 3, rows = drawn_chance(d, 60) ? dimension : 1;
  if (drawn_chance(d, 50)) {
    nsds_joint_kind kinds[] = {NSDS_JOINT_HINGE, NSDS_JOINT_BALL, NSDS_JOINT_DISTANCE,
                               NSDS_JOINT_ROPE, NSDS_JOINT_PRISMATIC};
    nsds_joint_def def = {.kind = kinds[drawing_below(d, 5)],
                          .ds = {w->ds[a]},
                          .point = {0.3, 0.0, 0.2},
                          .other = {0.2, 1.0, 1.0},
                          .axis = {0.0, 1.0, 0.0}};
    say(" joint %d;", (int)def.kind);
    bool rope = def.kind == NSDS_JOINT_ROPE;
    if (w->planar[a]) def.point[1] = 0.2, def.point[2] = def.other[2] = 0.0;
    nsds_connect(w->model, nsds_joint(w->model, &def), draw_law(w, !rope), 1, def.ds);
    return;
  }
  say(" foot %d;", rows);
  nsds_relation *relation = nsds_contact_relation(
      w->model, &(nsds_contact_relation_def){.dimension = dimension,
                                             .rows = rows,
                                             .contact_fn = foot,
                                             .rate_fn = drawn_chance(d, 50) ? foot_rate : NULL});
  nsds_connect(w->model, relation, rows > 1 ? draw_friction(w, dimension) : draw_law(w, false), 1,
               &w->ds[a]);
}

/* A set of a program's own: the first coordinate of one system over a floor. */
static nsds_ds *floored;
static int floored_size;

static nsds_status floor_find(void *self, double t, nsds_contacts *contacts) {
  (void)self, (void)t;
  double H[most_size] = {1.0}, y = nsds_q(floored)[0];
  if (y > 0.05) return NSDS_OK;
  return nsds_contacts_add(contacts,
                           &(nsds_contact_point){.key = 7, .ds = {floored}, .y = &y, .H = H});
}

static nsds_status floor_output(void *self, uint64_t key, const nsds_arguments *in, double *y) {
  (void)self, (void)key;
  y[0] = in->q[0];
  return NSDS_OK;
}

static nsds_status floor_gradient(void *self, uint64_t key, const nsds_arguments *in,
                                  const double *found, double *H) {
  (void)self, (void)key, (void)found;
  clear(H, in->nv);
  H[0] = 1.0;
  return NSDS_OK;
}

static nsds_status floor_bias(void *self, uint64_t key, const nsds_arguments *in,
                              const double *found, double *bias) {
  (void)self, (void)key, (void)in, (void)found;
  bias[0] = 0.0;
  return NSDS_OK;
}

static double floor_reach(void *self) {
  (void)self;
  return 0.05;
}

static double floor_travel(void *self, const nsds_ds *ds, const double *q0, const double *q) {
  (void)self;
  return ds == floored ? fabs(q[0] - q0[0]) : 0.0;
}

static const nsds_geometry_ops floor_ops = {.type = "drawn floor",
                                            .find = floor_find,
                                            .output = floor_output,
                                            .gradient_v = floor_gradient,
                                            .bias = floor_bias,
                                            .reach = floor_reach,
                                            .travel = floor_travel};

static void lay_floor(drawn *w, int a) {
  say(" floor;");
  floored = w->ds[a];
  floored_size = w->kind[a];
  nsds_custom_contact_set(
      w->model, &(nsds_custom_contact_set_def){.ops = &floor_ops, .law = draw_law(w, false)});
}

static void lay_balls(drawn *w) {
  nsds_ds *balls[most_systems];
  int count = 0;
  for (int s = 0; s < w->count; ++s)
    if (w->kind[s] == 0 && !w->planar[s]) balls[count++] = w->ds[s];
  const double up[3] = {0.0, 0.0, 1.0};
  if (count == 0) return;
  say(" balls;");
  nsds_balls(w->model, &(nsds_balls_def){.law = draw_law(w, false),
                                         .count = count,
                                         .ds = balls,
                                         .dimension = 3,
                                         .radius = 0.1,
                                         .normal = up,
                                         .pairs = true});
}

static void draw_ties(drawn *w) {
  drawing *d = &w->d;
  bool floor = drawn_chance(d, 30), balls = drawn_chance(d, 40);
  for (int s = 0; s < w->count; ++s) {
    if (!w->ds[s] || drawn_chance(d, 15)) continue;
    int other = s + 1 < w->count && w->kind[s + 1] > 0 && drawn_chance(d, 40) ? s + 1 : -1;
    if (w->kind[s] < 0) tie_first_order(w, s);
    else if (w->kind[s] == 0 && !balls) tie_body(w, s);
    else if (w->kind[s] > 0 && floor) lay_floor(w, s), floor = false;
    else if (w->kind[s] > 0) tie_lagrangian(w, s, other);
    if (w->kind[s] > 0 && drawn_chance(d, 30)) tie_lagrangian(w, s, -1); /* perhaps redundant */
  }
  if (balls) lay_balls(w);
}

/* ---- the driver ---- */

static nsds_simulation *draw_events(drawn *w) {
  static const char *const methods[] = {NULL, "dormand_prince", "esdirk", "cvode", "arkode"};
  drawing *d = &w->d;
  say(" events");
  return nsds_event_driven(
      w->model,
      &(nsds_event_driven_def){.t1 = 10.0,
                               .output_period = drawn_chance(d, 70) ? 0.05 : 0.0,
                               .integrator = methods[drawn_chance(d, 70) ? 0 : drawing_below(d, 5)],
                               .relative_tolerance = 1e-6,
                               .max_events = 500});
}

static nsds_simulation *draw_steps(drawn *w) {
  drawing *d = &w->d;
  double theta = drawn_chance(d, 50) ? 0.5 : drawing_between(d, 0.5, 1.0);
  say(" steps");
  nsds_time_stepping_def def = {.t1 = 10.0, .h = 0.01};
  int which = drawing_below(d, 20);
  if (which < 16) def.second_order = nsds_moreau_jean(theta, 1.0);
  if (which == 16) def.second_order = nsds_rattle();
  if (which == 17) def.second_order = nsds_schatzman_paoli(theta);
  if (which == 18) def.second_order = nsds_d1_minus();
  which = drawing_below(d, 10);
  if (which < 5) def.first_order = nsds_euler_moreau(theta);
  if (which == 5) def.first_order = nsds_zero_order_hold();
  if (which == 6) def.first_order = nsds_theta_gamma(theta, 1.0);
  if (drawn_chance(d, 30))
    def.projection.kind = drawn_chance(d, 50) ? NSDS_PROJECTION_DIRECT : NSDS_PROJECTION_COMBINED;
  return nsds_time_stepping(w->model, &def);
}

nsds_simulation *drawn_model(nsds_model *model, uint64_t seed) {
  drawn w = {.d = {seed * 0x2545f4914f6cdd1du + 1}, .model = model};
  numbers_used = 0;
  words[0] = '\0';
  w.events = drawn_chance(&w.d, 50);
  int systems = 1 + drawing_below(&w.d, most_systems);
  for (int s = 0; s < systems; ++s) draw_system(&w);
  if (nsds_error(nsds_model_context(model))) return NULL;
  draw_ties(&w);
  if (nsds_error(nsds_model_context(model))) return NULL;
  return w.events ? draw_events(&w) : draw_steps(&w);
}
