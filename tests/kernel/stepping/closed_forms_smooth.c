/*
 * Orders of convergence on smooth motions: linear oscillators against their closed forms, pendulums
 * against a fine Runge-Kutta solution of the angle. The theta-scheme has order 2 at theta = 1/2 and
 * order 1 at theta = 1; a constraint imposed at velocity level with the Jacobian of the end of the
 * step leaves order 1.
 */
#include "support.h"

static const double end = 2.0; /* s */

typedef struct motion {
  double q, v;
} motion;

/* An oscillator m q'' + c q' + k q = amplitude cos(omega t). */
typedef struct oscillator {
  double m, c, k, amplitude, omega, q0, v0;
} oscillator;

/* Closed form for c < 2 sqrt(k m), as a free part that decays and a steady one. */
static motion exact(const oscillator *o, double t) {
  double delta = 0.5 * o->c / o->m, w = sqrt(o->k / o->m - delta * delta);
  double a = o->k - o->m * o->omega * o->omega, b = o->c * o->omega, s = a * a + b * b;
  double cosine = o->amplitude != 0.0 ? o->amplitude * a / s : 0.0;
  double sine = o->amplitude != 0.0 ? o->amplitude * b / s : 0.0;
  double A = o->q0 - cosine, B = (o->v0 - sine * o->omega + delta * A) / w;
  double decay = exp(-delta * t);
  return (motion){decay * (A * cos(w * t) + B * sin(w * t)) + cosine * cos(o->omega * t) +
                      sine * sin(o->omega * t),
                  decay * ((B * w - delta * A) * cos(w * t) - (A * w + delta * B) * sin(w * t)) -
                      cosine * o->omega * sin(o->omega * t) + sine * o->omega * cos(o->omega * t)};
}

/* F_ext(t, z) with z = (amplitude, omega). */
static int forcing(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->z[0] * cos(in->z[1] * in->t);
  return 0;
}

/* Error in q at the end, scaled frequency-free: the phases differ least where v is largest. */
static double oscillator_error(const oscillator *o, double theta, double h) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 1,
                                           .q0 = &o->q0,
                                           .v0 = &o->v0,
                                           .mass = &o->m,
                                           .damping = &o->c,
                                           .stiffness = &o->k,
                                           .fext_fn = o->amplitude != 0.0 ? forcing : NULL,
                                           .nz = 2,
                                           .z = (double[]){o->amplitude, o->omega}});
  run(model,
      &(nsds_time_stepping_def){.t1 = end, .h = h, .second_order = nsds_moreau_jean(theta, 1.0)},
      0);
  motion at_end = exact(o, end);
  double error = hypot(nsds_q(ds)[0] - at_end.q, (nsds_v(ds)[0] - at_end.v) * sqrt(o->m / o->k));
  nsds_model_destroy(model);
  return error;
}

/* Halves h from h0 on; the order seen in each of the last two halvings must be as expected. */
static void check_order(const char *what, double (*error)(const void *, double, double),
                        const void *what_of, double theta, double h0, double expected,
                        double slack) {
  double e[5];
  for (int k = 0; k < 5; ++k) e[k] = error(what_of, theta, ldexp(h0, -k));
  print_message("             %-38s theta %.1f: errors %.1e ... %.1e, order %.3f\n", what, theta,
                e[0], e[4], order_of(e[3], e[4]));
  for (int k = 2; k < 4; ++k)
    assert_between(order_of(e[k], e[k + 1]), expected - slack, expected + slack);
}

static double of_oscillator(const void *what, double theta, double h) {
  return oscillator_error(what, theta, h);
}

static void linear_oscillators(void **state) {
  (void)state;
  const oscillator undamped = {.m = 2.0, .k = 18.0, .q0 = 0.3, .v0 = -0.2};
  const oscillator damped = {.m = 2.0, .c = 1.5, .k = 18.0, .q0 = 0.3, .v0 = -0.2};
  const oscillator forced = {
      .m = 2.0, .c = 1.5, .k = 18.0, .amplitude = 4.0, .omega = 5.0, .q0 = 0.1, .v0 = 0.7};
  /* the closed form is one: its residual by differences vanishes */
  double t = 0.7, d = 1e-4;
  double acceleration = (exact(&forced, t + d).v - exact(&forced, t - d).v) / (2.0 * d);
  assert_near((exact(&forced, t + d).q - exact(&forced, t - d).q) / (2.0 * d), exact(&forced, t).v,
              1e-6);
  assert_near(forced.m * acceleration + forced.c * exact(&forced, t).v +
                  forced.k * exact(&forced, t).q,
              forced.amplitude * cos(forced.omega * t), 1e-5);
  assert_near(exact(&forced, 0.0).q, forced.q0, 1e-14);
  assert_near(exact(&forced, 0.0).v, forced.v0, 1e-14);
  check_order("undamped oscillator", of_oscillator, &undamped, 0.5, 0.02, 2.0, 0.05);
  check_order("undamped oscillator", of_oscillator, &undamped, 1.0, 0.02, 1.0, 0.1);
  check_order("damped oscillator", of_oscillator, &damped, 0.5, 0.02, 2.0, 0.05);
  check_order("damped oscillator", of_oscillator, &damped, 1.0, 0.02, 1.0, 0.1);
  check_order("forced oscillator, F_ext(t,z)", of_oscillator, &forced, 0.5, 0.02, 2.0, 0.05);
  check_order("forced oscillator, F_ext(t,z)", of_oscillator, &forced, 1.0, 0.02, 1.0, 0.1);
}

/* ---- pendulum of length L: theta'' = -(g / L) sin theta ---- */

static const double g = 9.81, L = 0.8, bob = 1.5; /* m/s^2, m, kg */
static const motion start = {2.0, 0.5};           /* rad, rad/s: far from linear */

static motion pendulum_reference(double t1) {
  const int n = 20000;
  double h = t1 / n;
  motion x = start;
  for (int k = 0; k < n; ++k) {
    motion a = {x.v, -g / L * sin(x.q)};
    motion b = {x.v + 0.5 * h * a.v, -g / L * sin(x.q + 0.5 * h * a.q)};
    motion c = {x.v + 0.5 * h * b.v, -g / L * sin(x.q + 0.5 * h * b.q)};
    motion d = {x.v + h * c.v, -g / L * sin(x.q + h * c.q)};
    x.q += h / 6.0 * (a.q + 2.0 * b.q + 2.0 * c.q + d.q);
    x.v += h / 6.0 * (a.v + 2.0 * b.v + 2.0 * c.v + d.v);
  }
  return x;
}

static int torque(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = bob * g * L * sin(in->q[0]);
  return 0;
}

static int torque_q(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = bob * g * L * cos(in->q[0]);
  return 0;
}

static double of_angle(const void *reference, double theta, double h) {
  const motion *at_end = reference;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian(model, &(nsds_lagrangian_def){.name = "pendulum",
                                                              .ndof = 1,
                                                              .q0 = &start.q,
                                                              .v0 = &start.v,
                                                              .mass = (double[]){bob * L * L},
                                                              .fint.fn = torque,
                                                              .fint.jac_q_fn = torque_q,
                                                              .fint.jac_v_fn = nsds_zero});
  run(model,
      &(nsds_time_stepping_def){.t1 = end, .h = h, .second_order = nsds_moreau_jean(theta, 1.0)},
      0);
  double error = hypot(nsds_q(ds)[0] - at_end->q, nsds_v(ds)[0] - at_end->v);
  nsds_model_destroy(model);
  return error;
}

static void pendulum_in_its_angle(void **state) {
  (void)state;
  motion reference = pendulum_reference(end);
  check_order("pendulum in its angle", of_angle, &reference, 0.5, 0.01, 2.0, 0.05);
  check_order("pendulum in its angle", of_angle, &reference, 1.0, 0.005, 1.0, 0.15);
}

/* ---- the same pendulum in Cartesian coordinates, |q|^2 = L^2 an equality ---- */

static int rod(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->q[0] * in->q[0] + in->q[1] * in->q[1] - L * L;
  return 0;
}

static int rod_q(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 2.0 * in->q[0];
  out[1] = 2.0 * in->q[1];
  return 0;
}

/* Over one run: error at the end, largest deviations of |q| from L and of the energy, and of the
 * invariant below. */
typedef struct cartesian_result {
  double error, drift, energy, invariant;
} cartesian_result;

static cartesian_result cartesian(const motion *at_end, double h) {
  nsds_model *model = nsds_model_create(NULL);
  double s = sin(start.q), c = cos(start.q);
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.name = "bob",
                                           .ndof = 2,
                                           .q0 = (double[]){L * s, -L * c},
                                           .v0 = (double[]){L * c * start.v, L * s * start.v},
                                           .mass = (double[]){bob, 0.0, 0.0, bob},
                                           .fext = (double[]){0.0, -bob * g}});
  nsds_relation *length = nsds_lagrangian_relation(
      model, &(nsds_lagrangian_relation_def){
                 .name = "rod", .ny = 1, .nq = 2, .output_fn = rod, .jac_output_q_fn = rod_q});
  nsds_interaction *joint = nsds_connect(model, length, nsds_equality(model), 1, &ds);
  nsds_simulation *simulation =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = end, .h = h});
  assert_sound(model);
  const double *q = nsds_q(ds), *v = nsds_v(ds);
  double energy = nsds_kinetic_energy(ds) + bob * g * q[1];
  double sum = L * L + 0.25 * h * h * (v[0] * v[0] + v[1] * v[1]);
  cartesian_result r = {0};
  nsds_status status;
  while ((status = nsds_step(simulation)) == NSDS_OK) {
    assert_true(nsds_is_active(joint));
    double length2 = q[0] * q[0] + q[1] * q[1];
    r.drift = worse(fabs(sqrt(length2) - L), r.drift);
    r.energy = worse(fabs(nsds_kinetic_energy(ds) + bob * g * q[1] - energy), r.energy);
    r.invariant =
        worse(fabs(length2 + 0.25 * h * h * (v[0] * v[0] + v[1] * v[1]) - sum), r.invariant);
  }
  assert_status(model, status, NSDS_END);
  r.error = hypot(q[0] - L * sin(at_end->q), q[1] + L * cos(at_end->q));
  nsds_model_destroy(model);
  return r;
}

/*
 * With theta = 1/2 and q.v = 0 at both ends of a step, |q|^2 changes over it by
 *   (q_i + q_{i+1}).(h/2)(v_i + v_{i+1}) = -(h^2/4)(|v_{i+1}|^2 - |v_i|^2),
 * so |q|^2 + (h^2/4)|v|^2 stays constant and the drift is bounded and of second order.
 */
static void pendulum_as_constraint(void **state) {
  (void)state;
  enum { levels = 5 };
  motion reference = pendulum_reference(end);
  cartesian_result r[levels];
  for (int k = 0; k < levels; ++k) r[k] = cartesian(&reference, ldexp(1.0 / 256.0, -k));
  const cartesian_result *coarse = &r[levels - 2], *fine = &r[levels - 1];
  print_message("             pendulum as constraint: error %.1e, order %.3f; length drift %.1e, "
                "order %.3f; energy drift %.1e, order %.3f; invariant kept to %.1e\n",
                fine->error, order_of(coarse->error, fine->error), fine->drift,
                order_of(coarse->drift, fine->drift), fine->energy,
                order_of(coarse->energy, fine->energy), r[0].invariant);
  for (int k = 2; k + 1 < levels; ++k) {
    assert_between(order_of(r[k].error, r[k + 1].error), 0.9, 1.1);
    assert_between(order_of(r[k].drift, r[k + 1].drift), 1.9, 2.1);
    assert_between(order_of(r[k].energy, r[k + 1].energy), 0.9, 1.1);
  }
  for (int k = 0; k < levels; ++k) assert_between(r[k].invariant, 0.0, 1e-11);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear_oscillators),
      cmocka_unit_test(pendulum_in_its_angle),
      cmocka_unit_test(pendulum_as_constraint),
  };
  return cmocka_run_group_tests_name("kernel.closed_forms_smooth", tests, NULL, NULL);
}
