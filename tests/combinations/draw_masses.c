/*
 * Masses on rails, each a system of one coordinate, or pendulums on a nonlinear system of one coordinate. Parts tie
 * them to each other, to walls, to first-order systems and to circuits.
 */
#include "combinations.h"

#include <math.h>
#include <nsds/run.h>
#include <stddef.h>
#include <stdio.h>

typedef struct masses {
  drawing *d;
  int n;
  nsds_ds *ds[MOST_MASSES], *winding;
  double place[MOST_MASSES];
  bool driven[MOST_MASSES]; /* nothing stops a driven mass */
  bool touches;             /* two walls that both touch a mass may contradict each other */
} masses;

/* ---- systems --------------------------------------------------------------------------------- */

static double numbers[1 << 16]; /* parameters of functions; each model takes the next ones */
static int used;

static double *keep(const double *value, int n) {
  if (used + n > (int)(sizeof numbers / sizeof *numbers)) used = 0;
  double *out = numbers + used;
  for (int k = 0; k < n; ++k) out[k] = value[k];
  used += n;
  return out;
}

static int swing(const nsds_arguments *in, double *force, void *user) {
  const double *p = user;
  force[0] = p[0] * sin(in->q[0]) + p[1] * in->v[0] - p[2] * sin(p[3] * in->t);
  return 0;
}

static int swing_q(const nsds_arguments *in, double *out, void *user) {
  out[0] = ((const double *)user)[0] * cos(in->q[0]);
  return 0;
}

static int swing_v(const nsds_arguments *in, double *out, void *user) {
  (void)in;
  out[0] = ((const double *)user)[1];
  return 0;
}

static int velocity(const nsds_arguments *in, double *v, void *user) {
  const double *p = user;
  v[0] = p[0] * cos(p[1] * in->t);
  return 0;
}

static nsds_ds *pendulum(masses *m, double q, double v) {
  drawing *d = m->d;
  double p[4] = {drawn(d, 3.0, 12.0), drawn(d, 0.0, 1.0), drawn(d, 0.0, 6.0), drawn(d, 1.0, 9.0)};
  double mass = drawn(d, 0.5, 2.0);
  add_word(d, "pendulum");
  return nsds_lagrangian(d->model, &(nsds_lagrangian_def){.ndof = 1,
                                                          .q0 = &q,
                                                          .v0 = &v,
                                                          .mass = &mass,
                                                          .fint = {swing, swing_q, swing_v},
                                                          .user = keep(p, 4)});
}

static nsds_ds *rail(masses *m, double q, double v, bool driven) {
  static const int first = 0;
  drawing *d = m->d;
  double mass = drawn(d, 0.5, 3.0), stiffness = drawn_flag(d, 0.4) ? drawn(d, 10.0, 200.0) : 0.0;
  double damping = drawn_flag(d, 0.3) ? drawn(d, 0.1, 2.0) : 0.0, force = drawn(d, -12.0, 12.0);
  double p[2] = {v, drawn(d, 2.0, 9.0)};
  nsds_lagrangian_linear_def def = {.ndof = 1,
                                    .mass = &mass,
                                    .stiffness = &stiffness,
                                    .damping = &damping,
                                    .fext = &force,
                                    .q0 = &q,
                                    .v0 = &v};
  if (driven) {
    def.prescribed = (nsds_prescribed){.n = 1, .index = &first, .fn = velocity};
    def.user = keep(p, 2);
    add_word(d, "driven");
  }
  return nsds_lagrangian_linear(d->model, &def);
}

/* ---- parts of bodies ------------------------------------------------------------------------- */

static nsds_law *unilateral(drawing *d, bool alone) {
  int kind = drawn_count(d, 0, alone ? 3 : 1);
  double e = drawn_flag(d, 0.4) ? 0.0 : drawn(d, 0.2, 0.8);
  if (kind == 2) add_word(d, "complementarity");
  if (kind == 3) add_word(d, "poisson");
  return kind == 2   ? nsds_complementarity(d->model)
         : kind == 3 ? nsds_poisson_impact(d->model, e)
                     : nsds_newton_impact(d->model, e);
}

static nsds_relation *affine(drawing *d, int n, const double *H, double b, const double *compliance,
                             const double *D) {
  return nsds_lagrangian_linear_relation(
      d->model, &(nsds_lagrangian_linear_relation_def){
                    .ny = 1, .nq = n, .H = H, .b = &b, .compliance = compliance, .D = D});
}

/* A wall before mass i, or between masses i and i + 1 if the second is there. */
static void stop(masses *m, int i, bool soft) {
  drawing *d = m->d;
  bool pair = i + 1 < m->n && drawn_flag(d, 0.5);
  if (!soft && (m->driven[i] || (pair && m->driven[i + 1]))) return;
  double side = pair || drawn_flag(d, 0.5) ? 1.0 : -1.0, gap = drawn(d, 0.0, 0.15);
  if (drawn_flag(d, 0.2) && !m->touches) gap = 0.0, m->touches = true;
  double H[2] = {-side, side}, S = 1.0 / drawn(d, 1e3, 2e4);
  double from = pair ? m->place[i + 1] - m->place[i] : -side * m->place[i];
  add_word(d, soft ? pair ? "soft pair" : "soft wall" : pair ? "pair" : "wall");
  nsds_law *law = soft ? nsds_complementarity(d->model) : unilateral(d, false);
  nsds_connect(d->model, affine(d, 1 + pair, H, gap - from, soft ? &S : NULL, NULL), law, 1 + pair,
               m->ds + i);
}

static int hard_gap(const nsds_arguments *in, double *y, void *user) {
  const double *p = user, lambda = in->lambda[0];
  y[0] = p[0] - in->q[0] + p[1] * lambda + p[2] * lambda * lambda * lambda;
  return 0;
}

static int hard_q(const nsds_arguments *in, double *H, void *user) {
  (void)in, (void)user;
  H[0] = -1.0;
  return 0;
}

static int hard_lambda(const nsds_arguments *in, double *D, void *user) {
  const double *p = user, lambda = in->lambda[0];
  D[0] = p[1] + 3.0 * p[2] * lambda * lambda;
  return 0;
}

static void hardening(masses *m, int i) {
  drawing *d = m->d;
  double p[3] = {m->place[i] + drawn(d, 0.0, 0.1), 1.0 / drawn(d, 500.0, 5e3), 1e-9};
  add_word(d, "hardening");
  nsds_relation *r = nsds_lagrangian_relation(
      d->model, &(nsds_lagrangian_relation_def){.ny = 1,
                                                .nq = 1,
                                                .output_fn = hard_gap,
                                                .jac_output_q_fn = hard_q,
                                                .jac_output_lambda_fn = hard_lambda,
                                                .user = keep(p, 3)});
  nsds_connect(d->model, r, nsds_complementarity(d->model), 1, &m->ds[i]);
}

static int curved_gap(const nsds_arguments *in, double *y, void *user) {
  const double *p = user;
  y[0] = p[0] - in->q[0] - 0.3 * in->q[0] * in->q[0];
  return 0;
}

static int curved_q(const nsds_arguments *in, double *H, void *user) {
  (void)user;
  H[0] = -1.0 - 0.6 * in->q[0];
  return 0;
}

static void curved(masses *m, int i) {
  drawing *d = m->d;
  if (m->driven[i]) return;
  double q = m->place[i], p[1] = {q + 0.3 * q * q + drawn(d, 0.01, 0.1)};
  add_word(d, "curved wall");
  nsds_relation *r = nsds_lagrangian_relation(
      d->model, &(nsds_lagrangian_relation_def){.ny = 1,
                                                .nq = 1,
                                                .output_fn = curved_gap,
                                                .jac_output_q_fn = curved_q,
                                                .user = keep(p, 1)});
  nsds_connect(d->model, r, nsds_newton_impact(d->model, drawn(d, 0.0, 0.7)), 1, &m->ds[i]);
}

static void spring(masses *m, int i) {
  drawing *d = m->d;
  bool pair = i + 1 < m->n;
  nsds_spring_def def = {.ds = {m->ds[i], pair ? m->ds[i + 1] : NULL},
                         .coordinates = true,
                         .stiffness = drawn(d, 20.0, 400.0),
                         .damping = drawn_flag(d, 0.5) ? drawn(d, 0.1, 3.0) : 0.0};
  add_word(d, "spring");
  nsds_connect(d->model, nsds_spring(d->model, &def), nsds_equality(d->model), 1 + pair, m->ds + i);
}

/* Dry friction, or a damper whose force is bounded, on one mass or between two. */
static void rub(masses *m, int i, bool damper) {
  drawing *d = m->d;
  bool pair = i + 1 < m->n && drawn_flag(d, 0.5);
  double H[2] = {-1.0, 1.0}, most = drawn(d, 0.5, 8.0), least = -most;
  add_word(d, damper ? "saturation" : "dry friction");
  nsds_law *law = damper ? nsds_saturation(d->model, 1, &least, &most, drawn(d, 5.0, 80.0))
                         : nsds_relay(d->model, 1, &least, &most);
  nsds_connect(d->model, affine(d, 1 + pair, H, 0.0, NULL, NULL), law, 1 + pair, m->ds + i);
}

/* A force that drives a mass to a place, by the side on which it is. */
static void drive_back(masses *m, int i) {
  drawing *d = m->d;
  double one = 1.0, zero = 0.0, most = drawn(d, 1.0, 6.0), least = -drawn(d, 1.0, 6.0);
  add_word(d, "relay by place");
  nsds_connect(d->model, affine(d, 1, &one, -m->place[i] - drawn(d, 0.02, 0.2), &zero, NULL),
               nsds_relay(d->model, 1, &least, &most), 1, &m->ds[i]);
}

/* Holds two masses at their distance, or one at its place; with D the joint gives way. */
static void hold(masses *m, int i) {
  drawing *d = m->d;
  bool pair = i + 1 < m->n;
  double H[2] = {-1.0, 1.0}, D = drawn(d, 1e-3, 1e-1);
  double y = pair ? m->place[i + 1] - m->place[i] : -m->place[i];
  bool damped = drawn_flag(d, 0.3);
  if (m->driven[i] || (pair && m->driven[i + 1])) return;
  add_word(d, damped ? "joint with D" : "joint");
  nsds_connect(d->model, affine(d, 1 + pair, H, -y, NULL, damped ? &D : NULL),
               nsds_equality(d->model), 1 + pair, m->ds + i);
}

/* ---- first order ----------------------------------------------------------------------------- */

static int voltage(const nsds_arguments *in, double *b, void *user) {
  const double *p = user;
  b[0] = p[0] * sin(p[1] * in->t + p[2]);
  return 0;
}

static void motor(masses *m, int i) {
  drawing *d = m->d;
  double L = drawn(d, 5e-3, 5e-2), R = -drawn(d, 0.5, 3.0), K = drawn(d, 0.5, 3.0);
  double p[3] = {drawn(d, 2.0, 15.0), drawn(d, 2.0, 25.0), drawn(d, 0.0, 3.0)};
  add_word(d, "motor");
  m->winding = nsds_first_order_linear(
      d->model, &(nsds_first_order_linear_def){
                    .n = 1, .mass = &L, .A = &R, .b_fn = voltage, .user = keep(p, 3)});
  nsds_relation *r = nsds_mixed_linear_relation(
      d->model, &(nsds_mixed_linear_relation_def){.ny = 2,
                                                  .nx = 1,
                                                  .nq = 1,
                                                  .C = (double[]){1.0, 0.0},
                                                  .E = (double[]){0.0, 1.0},
                                                  .D = (double[]){-1.0, 0.0, 0.0, -1.0},
                                                  .B = (double[]){0.0, -K},
                                                  .L = (double[]){K, 0.0}});
  nsds_connect(d->model, r, nsds_equality(d->model), 2, (nsds_ds *[]){m->winding, m->ds[i]});
  if (!drawn_flag(d, 0.5)) return;
  add_word(d, "rectifier");
  double one = 1.0;
  nsds_connect(d->model,
               nsds_first_order_linear_relation(
                   d->model,
                   &(nsds_first_order_linear_relation_def){.ny = 1, .nx = 1, .C = &one, .B = &one}),
               nsds_complementarity(d->model), 1, &m->winding);
}

/* A relay that holds or switches a state, with hysteresis if D is negative. */
static void relay(masses *m) {
  drawing *d = m->d;
  double a = -drawn(d, 0.1, 2.0), x = drawn(d, -1.0, 1.0), p[3] = {drawn(d, 0.0, 3.0), 6.0, 0.5};
  double one = 1.0, e = drawn(d, -0.3, 0.3), least = -drawn(d, 1.0, 5.0), most = drawn(d, 1.0, 5.0);
  bool hysteresis = drawn_flag(d, 0.4);
  double D = hysteresis ? -drawn(d, 0.02, 0.1) : 0.0;
  if (hysteresis) x = copysign(2.0, x); /* between the two switches both states obey the law */
  add_word(d, hysteresis ? "hysteresis" : "relay");
  nsds_ds *ds = nsds_first_order_linear(
      d->model, &(nsds_first_order_linear_def){
                    .n = 1, .x0 = &x, .A = &a, .b_fn = voltage, .user = keep(p, 3)});
  nsds_relation *r = nsds_first_order_linear_relation(
      d->model, &(nsds_first_order_linear_relation_def){
                    .ny = 1, .nx = 1, .C = &one, .B = &one, .e = &e, .D = hysteresis ? &D : NULL});
  nsds_connect(d->model, r, nsds_relay(d->model, 1, &least, &most), 1, &ds);
}

static int square_output(const nsds_arguments *in, double *y, void *user) {
  const double *p = user;
  y[0] = in->x[0] + 0.2 * in->x[0] * in->x[0] * in->x[0] + p[0] * in->lambda[0] + p[1];
  return 0;
}

static int square_input(const nsds_arguments *in, double *r, void *user) {
  (void)user;
  r[0] = in->lambda[0] * (1.0 + 0.1 * in->lambda[0]);
  return 0;
}

static void nonlinear(masses *m) {
  drawing *d = m->d;
  double a = -drawn(d, 0.1, 2.0), x = drawn(d, -0.5, 1.0), p[3] = {drawn(d, 2.0, 9.0), 9.0, 0.5};
  double own[2] = {drawn(d, 0.05, 0.5), drawn(d, -0.2, 0.2)};
  add_word(d, "nonlinear relation");
  nsds_ds *ds = nsds_first_order_linear(
      d->model, &(nsds_first_order_linear_def){
                    .n = 1, .x0 = &x, .A = &a, .b_fn = voltage, .user = keep(p, 3)});
  nsds_relation *r = nsds_first_order_relation(
      d->model, &(nsds_first_order_relation_def){.ny = 1,
                                                 .nx = 1,
                                                 .output_fn = square_output,
                                                 .input_fn = square_input,
                                                 .jac_output_x_fn = nsds_differences,
                                                 .jac_output_lambda_fn = nsds_differences,
                                                 .jac_input_x_fn = nsds_zero,
                                                 .jac_input_lambda_fn = nsds_differences,
                                                 .user = keep(own, 2)});
  nsds_connect(d->model, r, nsds_complementarity(d->model), 1, &ds);
}

/* A source that charges a capacitor through a diode, or feeds a coil that pushes a mass. */
static void circuit(masses *m, int i) {
  drawing *d = m->d;
  char text[600];
  bool coil = drawn_flag(d, 0.6);
  double U = drawn(d, 3.0, 15.0), f = drawn(d, 2.0, 8.0), R = drawn(d, 1.0, 9.0);
  double Z = coil ? drawn(d, 0.05, 0.3) : drawn(d, 2e-3, 2e-2);
  add_word(d, coil ? "circuit with a coil" : "circuit");
  snprintf(text, sizeof text,
           "drawn\nV1 a 0 SIN(0 %g %g)\nD1 a b DI\n%s b c %g\nR1 c 0 %g\nR2 b 0 %g\nD2 0 b DI\n"
           ".model DI D(ideal=1)\n%s\n.end\n",
           U, f, coil ? "L1" : "C1", Z, R, 20.0 * R, d->events ? ".options gmin=0 rmin=0" : "");
  nsds_network *network =
      nsds_circuit(d->model, &(nsds_circuit_def){.text = text, .file = "drawn"});
  if (!network || !coil) return;
  nsds_ds *ds = nsds_network_ds(network);
  int n = nsds_nx(ds), place = nsds_network_place(network, "i(l1)");
  double C[64] = {0.0}, B[64] = {0.0}, K = drawn(d, 0.3, 2.0);
  if (n > 32 || place < 0) return;
  C[2 * place] = 1.0;
  B[n + place] = -K;
  nsds_relation *r = nsds_mixed_linear_relation(
      d->model, &(nsds_mixed_linear_relation_def){.ny = 2,
                                                  .nx = n,
                                                  .nq = 1,
                                                  .C = C,
                                                  .E = (double[]){0.0, 1.0},
                                                  .D = (double[]){-1.0, 0.0, 0.0, -1.0},
                                                  .B = B,
                                                  .L = (double[]){K, 0.0}});
  nsds_connect(d->model, r, nsds_equality(d->model), 2, (nsds_ds *[]){ds, m->ds[i]});
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void draw_part(masses *m, int kind) {
  int i = drawn_count(m->d, 0, m->n - 1);
  switch (kind) {
  case 0:
  case 1: stop(m, i, false); break;
  case 2: stop(m, i, true); break;
  case 3: hardening(m, i); break;
  case 4: curved(m, i); break;
  case 5: spring(m, i); break;
  case 6:
  case 7: rub(m, i, kind == 7); break;
  case 8: hold(m, i); break;
  case 9: motor(m, i); break;
  case 10: relay(m); break;
  case 11: nonlinear(m); break;
  case 12: drive_back(m, i); break;
  default: circuit(m, i); break;
  }
}

void draw_masses(drawing *d) {
  masses m = {.d = d, .n = drawn_count(d, 1, MOST_MASSES)};
  for (int i = 0; i < m.n; ++i) {
    double v = drawn_flag(d, 0.3) ? 0.0 : drawn(d, -1.0, 1.0);
    m.place[i] = 0.5 * i + drawn(d, -0.1, 0.1);
    bool swings = drawn_flag(d, 0.25);
    m.driven[i] = !swings && drawn_flag(d, 0.12);
    m.ds[i] = swings ? pendulum(&m, m.place[i], v) : rail(&m, m.place[i], v, m.driven[i]);
  }
  int parts = drawn_count(d, 2, 5);
  unsigned taken = 0; /* joints and dry friction alone of their kind: forces stay unique */
  for (int k = 0; k < parts; ++k) {
    int kind = drawn_count(d, 0, 13);
    bool once = kind == 8 || kind == 6 || kind == 9 || kind >= 12;
    if (once && taken >> kind & 1u) continue;
    taken |= 1u << kind;
    draw_part(&m, kind);
  }
  d->end = 0.8;
}
