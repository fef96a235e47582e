/*
 * Relations between systems of both orders: against one system of first order that holds all
 * unknowns, recursions, and an independent integration with events; energy.
 */
#include "support.h"

#include <stdio.h>

static const double R = 0.8, L = 0.05, K = 0.4, J = 0.02, c = 0.01, k = 1.5;

/* ---- a motor: torque K i, voltage K w -------------------------------------------------------- */

typedef struct motor {
  nsds_model *model;
  nsds_ds *winding, *rotor;
  nsds_interaction *coupling;
} motor;

static int supply(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 12.0 * sin(20.0 * in->t);
  return 0;
}

static int spring(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = k * in->q[0] + c * in->v[0];
  return 0;
}

static int spring_q(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = k;
  return 0;
}

static int spring_v(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = c;
  return 0;
}

/* The coupling as functions. */
static int coupling_h(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->x[0] - in->lambda[0];
  out[1] = in->v[0] - in->lambda[1];
  return 0;
}

static int coupling_x(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 1.0;
  return 0;
}

static int coupling_v(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[1] = 1.0;
  return 0;
}

static int coupling_lambda(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = out[3] = -1.0;
  return 0;
}

static int coupling_g(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -K * in->lambda[1];
  out[1] = K * in->lambda[0];
  return 0;
}

static int coupling_g_lambda(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[1] = K;
  out[2] = -K;
  return 0;
}

static nsds_relation *coupling(nsds_model *model, bool functions) {
  if (functions)
    return nsds_mixed_relation(
        model, &(nsds_mixed_relation_def){.name = "coupling",
                                          .ny = 2,
                                          .nx = 1,
                                          .nq = 1,
                                          .output_fn = coupling_h,
                                          .jac_output_x_fn = coupling_x,
                                          .jac_output_q_fn = nsds_zero,
                                          .jac_output_v_fn = coupling_v,
                                          .jac_output_lambda_fn = coupling_lambda,
                                          .input_fn = coupling_g,
                                          .jac_input_lambda_fn = coupling_g_lambda});
  return nsds_mixed_linear_relation(
      model, &(nsds_mixed_linear_relation_def){.name = "coupling",
                                               .ny = 2,
                                               .nx = 1,
                                               .nq = 1,
                                               .C = (double[]){1.0, 0.0},
                                               .E = (double[]){0.0, 1.0},
                                               .D = (double[]){-1.0, 0.0, 0.0, -1.0},
                                               .B = (double[]){0.0, -K},
                                               .L = (double[]){K, 0.0}});
}

/* Systems and coupling each linear or of functions. */
static motor build(bool functions, bool nonlinear_rotor) {
  motor m = {.model = nsds_model_create(NULL)};
  m.winding = nsds_first_order_linear(
      m.model, &(nsds_first_order_linear_def){
                   .name = "winding", .n = 1, .mass = &L, .A = (double[]){-R}, .b_fn = supply});
  m.rotor = nonlinear_rotor
                ? nsds_lagrangian(m.model, &(nsds_lagrangian_def){.name = "rotor",
                                                                  .ndof = 1,
                                                                  .mass = &J,
                                                                  .fint.fn = spring,
                                                                  .fint.jac_q_fn = spring_q,
                                                                  .fint.jac_v_fn = spring_v})
                : nsds_lagrangian_linear(
                      m.model,
                      &(nsds_lagrangian_linear_def){
                          .name = "rotor", .ndof = 1, .mass = &J, .damping = &c, .stiffness = &k});
  m.coupling = nsds_connect(m.model, coupling(m.model, functions), nsds_equality(m.model), 2,
                            (nsds_ds *[]){m.winding, m.rotor});
  assert_sound(m.model);
  return m;
}

/* i, angle and speed as one linear system of first order: the same equations at theta = gamma = 1/2
 * with the relation at the middle of the step. */
static void a_motor_is_one_linear_system(void **state) {
  (void)state;
  for (int form = 0; form < 4; ++form) {
    motor m = build(form % 2, form / 2);
    const double M[] = {L, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, J};
    const double A[] = {-R, 0.0, K, 0.0, 0.0, -k, -K, 1.0, -c}, T[] = {1.0, 0.0, 0.0};
    nsds_ds *all = nsds_first_order_linear(
        m.model,
        &(nsds_first_order_linear_def){
            .n = 3, .mass = M, .A = A, .control.n = 1, .control.map = T, .control.fn = supply});
    assert_ok(m.model, nsds_check_jacobians(m.model, 0.1, 1e-8, NULL));
    nsds_simulation *s = nsds_time_stepping(
        m.model, &(nsds_time_stepping_def){.t1 = 1.0,
                                           .h = 0.005,
                                           .first_order = nsds_full_theta_gamma(0.5, 0.5),
                                           .second_order = nsds_moreau_jean(0.5, 0.5)});
    double largest = 0.0;
    int most = 0;
    while (nsds_step(s) == NSDS_OK) {
      const double *x = nsds_x(all);
      assert_near(nsds_x(m.winding)[0], x[0], 1e-10);
      assert_near(nsds_q(m.rotor)[0], x[1], 1e-10);
      assert_near(nsds_v(m.rotor)[0], x[2], 1e-10);
      largest = fmax(largest, fabs(x[0]));
      int count = nsds_simulation_info(s)->newton_iterations;
      most = count > most ? count : most;
    }
    assert_sound(m.model);
    assert_true(largest > 1.0);
    assert_true(most <= (form == 0 ? 1 : 3));
    nsds_model_destroy(m.model);
  }
}

/* With the relation at the end of the step: the two equations solved by hand. */
static void at_the_end_of_the_step(void **state) {
  (void)state;
  const double h = 0.01;
  motor m = build(false, false);
  nsds_simulation *s = nsds_time_stepping(m.model, &(nsds_time_stepping_def){.t1 = 1.0, .h = h});
  double i = 0.0, q = 0.0, v = 0.0, t = 0.0;
  while (nsds_step(s) == NSDS_OK) {
    double W1 = L + 0.5 * h * R, W2 = J + 0.5 * h * c + 0.25 * h * h * k;
    double u = 6.0 * (sin(20.0 * t) + sin(20.0 * nsds_time(s)));
    double a = (L - 0.5 * h * R) * i + h * u;
    double b = (J - 0.5 * h * c - 0.25 * h * h * k) * v - h * k * q;
    double det = W1 * W2 + h * h * K * K, next = (a * W2 - h * K * b) / det;
    double speed = (W1 * b + h * K * a) / det;
    q += 0.5 * h * (v + speed);
    i = next;
    v = speed;
    t = nsds_time(s);
    assert_near(nsds_x(m.winding)[0], i, 1e-11);
    assert_near(nsds_v(m.rotor)[0], v, 1e-11);
    assert_near(nsds_q(m.rotor)[0], q, 1e-11);
    assert_near(nsds_lambda(m.coupling)[0], i, 1e-11);
    assert_near(nsds_lambda(m.coupling)[1], v, 1e-11);
    assert_near(nsds_p(m.rotor)[0], h * K * i, 1e-11);
    assert_near(nsds_r(m.winding)[0], -K * v, 1e-11);
  }
  assert_sound(m.model);
  nsds_model_destroy(m.model);
}

/* ---- a diode-fed winding drives a mass against a stop ---------------------------------------- */

static const double stop = 0.15, rebound = 0.4;

static motor driven(void) {
  motor m = build(false, false);
  nsds_relation *diode = nsds_first_order_linear_relation(
      m.model, &(nsds_first_order_linear_relation_def){
                   .ny = 1, .nx = 1, .C = (double[]){1.0}, .B = (double[]){1.0}});
  nsds_connect(m.model, diode, nsds_complementarity(m.model), 1, &m.winding);
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      m.model,
      &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){-1.0}, .b = &stop});
  nsds_connect(m.model, gap, nsds_newton_impact(m.model, rebound), 1, &m.rotor);
  assert_sound(m.model);
  return m;
}

/* The reference: Runge and Kutta over short steps, ends of conduction and impacts by bisection of
 * the step, contact held while the torque presses. */
typedef struct point {
  double t, x[3];
  bool conducts, held;
} point;

static void rates(const point *p, double t, const double *x, double *d) {
  double u = 12.0 * sin(20.0 * t);
  d[0] = p->conducts ? (u - R * x[0] - K * x[2]) / L : 0.0;
  d[1] = p->held ? 0.0 : x[2];
  d[2] = p->held ? 0.0 : (K * x[0] - c * x[2] - k * x[1]) / J;
}

static point advance(point p, double h) {
  static const double at[] = {0.0, 0.5, 0.5, 1.0}, weight[] = {1.0, 2.0, 2.0, 1.0};
  double sum[3] = {0.0}, d[3] = {0.0}, y[3];
  for (int s = 0; s < 4; ++s) {
    for (int i = 0; i < 3; ++i) y[i] = p.x[i] + at[s] * h * d[i];
    rates(&p, p.t + at[s] * h, y, d);
    for (int i = 0; i < 3; ++i) sum[i] += weight[s] * d[i];
  }
  for (int i = 0; i < 3; ++i) p.x[i] += h / 6.0 * sum[i];
  p.t += h;
  return p;
}

static bool valid(const point *p) {
  return (!p->conducts || p->x[0] >= 0.0) && (p->held || p->x[1] <= stop);
}

/* Conduction begins where the voltage turns, contact ends where the torque does. */
static void start(point *p) {
  if (!p->conducts && 12.0 * sin(20.0 * p->t) - K * p->x[2] > 0.0) p->conducts = true;
  if (p->held && K * p->x[0] - k * stop < 0.0) p->held = false;
}

/* At a point that a step beyond would make invalid in this way. */
static void event(point *p, const point *beyond, int *impacts) {
  if (beyond->conducts && beyond->x[0] < 0.0) {
    p->conducts = false;
    p->x[0] = 0.0;
  } else {
    ++*impacts;
    p->x[1] = stop;
    p->x[2] *= -rebound;
    p->held = p->x[2] > -1e-5;
    if (p->held) p->x[2] = 0.0;
  }
}

static point step_to(point p, double end, int *impacts) {
  while (p.t < end - 1e-15) {
    start(&p);
    double low = 0.0, high = fmin(2e-6, end - p.t);
    point next = advance(p, high), beyond = next;
    if (valid(&next)) {
      p = next;
      continue;
    }
    for (int n = 0; n < 60; ++n) {
      double middle = 0.5 * (low + high);
      next = advance(p, middle);
      if (valid(&next)) low = middle;
      else high = middle, beyond = next;
    }
    p = advance(p, low);
    event(&p, &beyond, impacts);
  }
  return p;
}

enum { grid = 60 };
static point reference[grid + 1];
static int impacts;

static void make_reference(void) {
  for (int n = 1; n <= grid; ++n) {
    reference[n] = step_to(reference[n - 1], 0.02 * n, &impacts);
    reference[n].t = 0.02 * n;
  }
}

/* Root mean square over the grid of the error of the angle; a wrong order of events shows. */
static double error_of(const nsds_time_stepping_def *def, int steps) {
  motor m = driven();
  nsds_time_stepping_def d = *def;
  d.t1 = 0.02 * grid;
  d.h = 0.02 / steps;
  nsds_simulation *s = nsds_time_stepping(m.model, &d);
  double sum = 0.0;
  for (int n = 1; n <= grid; ++n) {
    for (int j = 0; j < steps; ++j) assert_ok(m.model, nsds_step(s));
    sum += pow(nsds_q(m.rotor)[0] - reference[n].x[1], 2.0);
    sum += pow(0.1 * (nsds_x(m.winding)[0] - reference[n].x[0]), 2.0);
  }
  nsds_model_destroy(m.model);
  return sqrt(sum / grid);
}

static void a_motor_against_a_stop(void **state) {
  (void)state;
  make_reference();
  print_message("             %d impacts in the reference\n", impacts);
  assert_true(impacts >= 10);
  const nsds_time_stepping_def defs[] = {
      {.first_order = nsds_euler_moreau(0.5), .second_order = nsds_moreau_jean(0.5, 1.0)},
      {.first_order = nsds_full_theta_gamma(0.5, 0.5), .second_order = nsds_moreau_jean(0.5, 0.5)}};
  for (int f = 0; f < 2; ++f) {
    double coarse = error_of(&defs[f], 50), fine = error_of(&defs[f], 800);
    double order = log(coarse / fine) / log(16.0);
    print_message("             scheme %d: error %.2e ... %.2e, order %.2f\n",
                  (int)defs[f].first_order.kind, coarse, fine, order);
    assert_between(order, 0.8, 1.5);
    assert_between(fine, 0.0, 2e-3);
  }
}

/* Event-driven: the reference to the errors of both integrations, at all grid points. The reference
 * ends a series of bounces at a speed of 1e-5. */
static void the_same_by_events(void **state) {
  (void)state;
  motor m = driven();
  nsds_simulation *s = nsds_event_driven(
      m.model, &(nsds_event_driven_def){.t1 = 0.02 * grid, .output_period = 0.02});
  assert_sound(m.model);
  double worst = 0.0;
  for (int n = 1; n <= grid; ++n) {
    while (nsds_time(s) < 0.02 * n - 1e-9) assert_ok(m.model, nsds_step(s));
    worst = fmax(worst, fabs(nsds_q(m.rotor)[0] - reference[n].x[1]));
    worst = fmax(worst, 0.1 * fabs(nsds_x(m.winding)[0] - reference[n].x[0]));
    worst = fmax(worst, 0.1 * fabs(nsds_v(m.rotor)[0] - reference[n].x[2]));
    assert_near(nsds_lambda(m.coupling)[0], nsds_x(m.winding)[0], 1e-12);
    assert_near(nsds_lambda(m.coupling)[1], nsds_v(m.rotor)[0], 1e-12);
  }
  print_message("             largest difference %.2e\n", worst);
  assert_true(worst < 1e-6);
  nsds_model_destroy(m.model);
}

/* What the supply gives is stored, lost in the winding, the bearing and at the stop: exactly, as
 * the coupling and the diode take nothing at the middle of the step. */
static void the_energy_of_every_step(void **state) {
  (void)state;
  const double h = 2e-4;
  motor m = driven();
  nsds_simulation *s = nsds_time_stepping(
      m.model, &(nsds_time_stepping_def){.t1 = 1.2,
                                         .h = h,
                                         .first_order = nsds_full_theta_gamma(0.5, 0.5),
                                         .second_order = nsds_moreau_jean(0.5, 0.5)});
  double i = 0.0, q = 0.0, v = 0.0, t = 0.0, stored = 0.0, given = 0.0, lost = 0.0, hit = 0.0;
  nsds_interaction *contact = nsds_interaction_at(m.model, 2);
  double worst = 0.0;
  while (nsds_step(s) == NSDS_OK) {
    double i1 = nsds_x(m.winding)[0], q1 = nsds_q(m.rotor)[0], v1 = nsds_v(m.rotor)[0];
    double im = 0.5 * (i + i1), vm = 0.5 * (v + v1), t1 = nsds_time(s);
    given += h * 6.0 * (sin(20.0 * t) + sin(20.0 * t1)) * im;
    lost += h * (R * im * im + c * vm * vm);
    hit += nsds_impulse(contact)[0] * vm; /* on -q: what the stop takes */
    stored = 0.5 * (L * i1 * i1 + J * v1 * v1 + k * q1 * q1);
    worst = fmax(worst, fabs(given - lost - hit - stored));
    i = i1, q = q1, v = v1, t = t1;
  }
  (void)q;
  assert_sound(m.model);
  print_message("             given %.3f J: %.3f J lost, %.4f J at the stop, %.4f J left; balance "
                "off by %.1e J\n",
                given, lost, hit, stored, worst);
  assert_true(given > 1.0 && hit > 0.01);
  assert_between(worst, 0.0, 1e-11);
  nsds_model_destroy(m.model);
}

/* ---- a law about velocities and positions of second-order systems alone ---------------------- */

/* Sliding mode: u = -5 sign(v + 2 q), x slides on v = -2 q from a certain time on. */
static void a_relay_on_position_and_speed(void **state) {
  (void)state;
  const double one[] = {1.0}, h = 1e-3, low = -5.0, high = 5.0;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 1, .q0 = (double[]){1.0}, .mass = one});
  nsds_relation *relation = nsds_mixed_linear_relation(
      model, &(nsds_mixed_linear_relation_def){
                 .ny = 1, .nq = 1, .H = (double[]){2.0}, .E = one, .L = one});
  nsds_interaction *ia = nsds_connect(model, relation, nsds_relay(model, 1, &low, &high), 1, &ds);
  nsds_simulation *s = nsds_time_stepping(
      model, &(nsds_time_stepping_def){.t1 = 3.0,
                                       .h = h,
                                       .first_order = nsds_euler_moreau(1.0),
                                       .second_order = nsds_moreau_jean(1.0, 1.0)});
  /* arrival: 2 - 5 t^2 - 5 t = 0 with v = -5 t, q = 1 - 2.5 t^2 */
  double arrival = (-5.0 + sqrt(25.0 + 40.0)) / 10.0, qa = 1.0 - 2.5 * arrival * arrival;
  while (nsds_step(s) == NSDS_OK) {
    double t = nsds_time(s);
    bool sliding = t > arrival;
    double q = sliding ? qa * exp(-2.0 * (t - arrival)) : 1.0 - 2.5 * t * t;
    assert_near(nsds_q(ds)[0], q, 5.0 * h);
    if (t > arrival + 2.0 * h) {
      assert_near(nsds_y(ia)[0], 0.0, 1e-10);
      assert_near(nsds_lambda(ia)[0], 4.0 * q, 20.0 * h); /* dv/dt = -2 v = 4 q */
    }
  }
  assert_sound(model);
  nsds_model_destroy(model);
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void what_does_not_fit(void **state) {
  (void)state;
  motor m = build(false, false);
  nsds_context *context = nsds_model_context(m.model);
  nsds_relation *relation = coupling(m.model, false);
  nsds_ds *wrong[] = {m.rotor, m.winding};
  assert_null(nsds_connect(m.model, relation, nsds_equality(m.model), 2, wrong));
  assert_words(nsds_error_message(context), ((const char *[]){"order 1 first"}), 1);
  nsds_error_clear(context);
  assert_null(nsds_connect(m.model, relation, nsds_equality(m.model), 1, &m.rotor));
  assert_words(nsds_error_message(context), ((const char *[]){"1 states of first-order"}), 1);
  nsds_error_clear(context);
  nsds_ds *right[] = {m.winding, m.rotor};
  assert_null(nsds_connect(m.model, relation, nsds_newton_impact(m.model, 0.5), 2, right));
  assert_words(nsds_error_message(context), ((const char *[]){"mixed", "complementarity"}), 2);
  nsds_error_clear(context);
  const double one[] = {1.0};
  assert_null(nsds_mixed_linear_relation(
      m.model, &(nsds_mixed_linear_relation_def){.ny = 1, .nq = 1, .e = one, .e_fn = supply}));
  nsds_error_clear(context);
  assert_null(nsds_mixed_relation(m.model, &(nsds_mixed_relation_def){.ny = 1, .nq = 1}));
  assert_words(nsds_error_message(context), ((const char *[]){"output_fn"}), 1);
  nsds_model_destroy(m.model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_motor_is_one_linear_system),
                                     cmocka_unit_test(at_the_end_of_the_step),
                                     cmocka_unit_test(a_motor_against_a_stop),
                                     cmocka_unit_test(the_same_by_events),
                                     cmocka_unit_test(the_energy_of_every_step),
                                     cmocka_unit_test(a_relay_on_position_and_speed),
                                     cmocka_unit_test(what_does_not_fit)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
