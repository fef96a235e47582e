/*
 * Systems of both orders, springs and nonlinear relations with exact events: closed forms, and independent integrations
 * in short steps.
 */
#include "support.h"
#include "switching.h"

static const double g = 9.81;

static double next_event(nsds_model *model, nsds_simulation *s) {
  for (;;) {
    nsds_status status = nsds_step(s);
    if (status == NSDS_END) fail_msg("no event before the end");
    assert_ok(model, status);
    if (nsds_simulation_event(s)->kind & NSDS_EVENT_NONSMOOTH) return nsds_time(s);
  }
}

static void pass_to(nsds_model *model, nsds_simulation *s, double t) {
  while (nsds_time(s) < t - 1e-12 * (1.0 + t)) assert_ok(model, nsds_step(s));
}

static nsds_ds *mass(nsds_model *model, double m, double q0, double v0, double force) {
  return nsds_lagrangian_linear(
      model,
      &(nsds_lagrangian_linear_def){.ndof = 1, .mass = &m, .q0 = &q0, .v0 = &v0, .fext = &force});
}

static nsds_relation *gap(nsds_model *model, double H, double b) {
  return nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = &H, .b = &b});
}

/* ---- a motor --------------------------------------------------------------------------------- */

/* A DC motor, switched on at t = 0, is pressed against a stop by a load. It leaves the stop when K i = load, and then
 * obeys a linear equation. */
static void motor_leaves_a_stop(void **state) {
  (void)state;
  const double L = 0.02, R = 1.5, K = 0.3, J = 0.004, load = 1.2, U = 12.0;
  for (int soft = 0; soft < 2; ++soft) {
    nsds_model *model = nsds_model_create(NULL);
    double k = 1e5, sag = soft ? -load / k : 0.0;
    nsds_ds *winding = nsds_first_order_linear(
        model, &(nsds_first_order_linear_def){
                   .n = 1, .mass = &L, .A = (double[]){-R}, .b = (double[]){U}});
    nsds_ds *rotor = mass(model, J, sag, 0.0, -load);
    nsds_relation *r = nsds_mixed_linear_relation(
        model, &(nsds_mixed_linear_relation_def){.ny = 2,
                                                 .nx = 1,
                                                 .nq = 1,
                                                 .C = (double[]){1.0, 0.0},
                                                 .E = (double[]){0.0, 1.0},
                                                 .D = (double[]){-1.0, 0.0, 0.0, -1.0},
                                                 .B = (double[]){0.0, -K},
                                                 .L = (double[]){K, 0.0}});
    nsds_interaction *ia =
        nsds_connect(model, r, nsds_equality(model), 2, (nsds_ds *[]){winding, rotor});
    nsds_relation *stop = nsds_lagrangian_linear_relation(
        model,
        &(nsds_lagrangian_linear_relation_def){.ny = 1,
                                               .nq = 1,
                                               .H = (double[]){1.0},
                                               .compliance = soft ? (double[]){1.0 / k} : NULL});
    nsds_connect(model, stop, nsds_newton_impact(model, 0.0), 1, &rotor);
    nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 0.5});
    assert_sound(model);
    double t = next_event(model, s), leaves = -L / R * log(1.0 - load * R / (U * K));
    if (!soft) {
      assert_near(t, leaves, 1e-11);
      assert_near(nsds_x(winding)[0], load / K, 1e-9);
    } else { /* the rotor lags behind in the spring, by less than its period */
      assert_between(t, leaves, leaves + 8.0 * sqrt(J / k));
    }
    assert_int_equal(nsds_run(s), NSDS_END);
    assert_near(nsds_lambda(ia)[0], nsds_x(winding)[0], 1e-9);
    /* at last the speed is that of the load alone */
    double speed = (U - R * load / K) / K;
    assert_near(nsds_v(rotor)[0], speed, 1e-3 * speed);
    nsds_model_destroy(model);
  }
}

static int lift(const nsds_arguments *in, double *force, void *user) {
  force[0] = *(const double *)user * in->t;
  return 0;
}

/* A motor presses against a stop, with a current that still grows, while a load lifts the rotor faster. The rotor leaves
 * when both forces are equal. */
static void a_load_lifts_a_motor(void **state) {
  (void)state;
  const double L = 0.02, R = 1.5, J = 0.004;
  uint64_t seed = 61;
  for (int k = 0; k < 20; ++k) {
    double K = random_in(&seed, 0.2, 0.4), U = random_in(&seed, 5.0, 15.0);
    double rate = random_in(&seed, 0.1, 0.8) * K * U / L, below = 1e-6,
           above = L / rate * K * U / (L * R) * 1.1;
    while (above - below > 1e-15) {
      double t = 0.5 * (below + above), pressed = K * U / R * -expm1(-R * t / L);
      if (pressed > rate * t) below = t;
      else above = t;
    }
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *winding = nsds_first_order_linear(
        model,
        &(nsds_first_order_linear_def){.n = 2, /* the current, and the potential of the source */
                                       .mass = (double[]){L, 0.0, 0.0, 0.0},
                                       .A = (double[]){-R, 0.0, 1.0, -1.0},
                                       .b = (double[]){0.0, U},
                                       .x0 = (double[]){0.0, U}});
    nsds_ds *rotor = nsds_lagrangian_linear(
        model,
        &(nsds_lagrangian_linear_def){.ndof = 1, .mass = &J, .fext_fn = lift, .user = &rate});
    nsds_relation *r = nsds_mixed_linear_relation(
        model, &(nsds_mixed_linear_relation_def){.ny = 2,
                                                 .nx = 2,
                                                 .nq = 1,
                                                 .C = (double[]){1.0, 0.0, 0.0, 0.0},
                                                 .E = (double[]){0.0, -1.0},
                                                 .D = (double[]){-1.0, 0.0, 0.0, -1.0},
                                                 .B = (double[]){0.0, 0.0, -K, 0.0},
                                                 .L = (double[]){-K, 0.0}});
    nsds_connect(model, r, nsds_equality(model), 2, (nsds_ds *[]){winding, rotor});
    nsds_connect(model, gap(model, 1.0, 0.0), nsds_newton_impact(model, 0.0), 1, &rotor);
    nsds_simulation *s = nsds_event_driven(
        model, &(nsds_event_driven_def){.t1 = 2.0 * below, .output_period = 0.25 * below});
    assert_sound(model);
    assert_near(next_event(model, s), below, 1e-10);
    if (nsds_run(s) != NSDS_END) fail_msg("%s", nsds_error_message(nsds_model_context(model)));
    assert_true(nsds_v(rotor)[0] > 0.0);
    nsds_model_destroy(model);
  }
}

/* ---- springs --------------------------------------------------------------------------------- */

typedef struct pair {
  double m, n, k, u, v, omega; /* masses, stiffness; speeds after the impact of the first */
} pair;

/* Place of the first mass at the time t after its impact, both at their natural distance then. */
static double place(const pair *p, double t) {
  double all = p->m + p->n, centre = (p->m * p->u + p->n * p->v) / all;
  return centre * t + p->n / all * (p->u - p->v) / p->omega * sin(p->omega * t);
}

/* Two masses on a spring fly at a wall: the first rebounds, and is thrown against the wall again by the spring. */
static void masses_on_a_spring(void **state) {
  (void)state;
  pair p = {.m = 1.0, .n = 3.0, .k = 500.0};
  const double v = 2.0, e = 0.6;
  p.omega = sqrt(p.k * (1.0 / p.m + 1.0 / p.n));
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds[2] = {mass(model, p.m, 0.1, -v, 0.0), mass(model, p.n, 0.5, -v, 0.0)};
  nsds_spring_def def = {.ds = {ds[0], ds[1]}, .coordinates = true, .stiffness = p.k};
  nsds_interaction *ia = nsds_connect(model, nsds_spring(model, &def), nsds_equality(model), 2, ds);
  nsds_connect(model, gap(model, 1.0, 0.0), nsds_newton_impact(model, e), 1, &ds[0]);
  nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 2.0});
  assert_sound(model);
  double t = next_event(model, s);
  assert_near(t, 0.1 / v, 1e-12);
  assert_near(nsds_v(ds[0])[0], e * v, 1e-12);
  p.u = e * v, p.v = -v;
  double low = 0.25 * acos(-1.0) / p.omega, high = low;
  while (place(&p, high) > 0.0) high += 1e-4;
  for (int k = 0; k < 60; ++k) {
    double middle = 0.5 * (low + high);
    if (place(&p, middle) > 0.0) low = middle;
    else high = middle;
  }
  assert_near(next_event(model, s), t + low, 1e-9);
  nsds_spring_motion now;
  assert_ok(model, nsds_spring_read(ia, &now));
  assert_near(nsds_lambda(ia)[0], -now.pull, 1e-7);
  nsds_model_destroy(model);
}

static int swings(const nsds_arguments *in, double *v, void *user) {
  (void)user;
  v[0] = 0.3 * cos(7.0 * in->t);
  return 0;
}

/* A mass hangs by spring and damper on a coordinate with prescribed velocity, which carries the reaction. */
static void spring_on_a_driven_coordinate(void **state) {
  (void)state;
  const double m = 2.0, k = 50.0;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *driven = nsds_lagrangian_linear(
      model,
      &(nsds_lagrangian_linear_def){.ndof = 1,
                                    .mass = (double[]){1.0},
                                    .prescribed = {.n = 1, .index = (int[]){0}, .fn = swings}});
  nsds_ds *free = mass(model, m, -0.2, 0.0, 0.0);
  nsds_ds *ds[2] = {driven, free};
  nsds_spring_def def = {
      .ds = {driven, free}, .coordinates = true, .stiffness = k, .rest = NSDS_REST_LENGTH};
  nsds_connect(model, nsds_spring(model, &def), nsds_equality(model), 2, ds);
  nsds_simulation *s =
      nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 3.0, .output_period = 0.01});
  assert_sound(model);
  double a = 0.3 / 7.0, omega2 = k / m, w = sqrt(omega2), b = omega2 * a / (omega2 - 49.0);
  while (nsds_step(s) == NSDS_OK) {
    double t = nsds_time(s), q = b * sin(7.0 * t) - 7.0 * b / w * sin(w * t) - 0.2 * cos(w * t);
    assert_near(nsds_q(driven)[0], a * sin(7.0 * t), 1e-9);
    assert_near(nsds_q(free)[0], q, 1e-8);
    double pull = k * (a * sin(7.0 * t) - q), rate = -7.0 * 0.3 * sin(7.0 * t);
    assert_near(nsds_prescribed_force(driven)[0], rate + pull, 1e-6);
  }
  assert_sound(model);
  nsds_model_destroy(model);
}

/* ---- a clutch -------------------------------------------------------------------------------- */

/* A piston presses two discs together. The pressure builds up, p = F (1 - exp(-t/T)), through a soft lining. Friction of
 * the lining brings the discs to one speed; then they stick. The torque is mu N r. */
static void clutch(void **state) {
  (void)state;
  const double J = 0.3, I = 0.5, r = 0.2, mu = 0.4, F = 400.0, T = 0.05, w = 60.0, k = 1e6;
  const double mp = 1e-3,
               damping = 2.0 * sqrt(k * mp); /* the piston follows the pressure closely */
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *oil = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.n = 1, .mass = &T, .A = (double[]){-1.0}, .b = &F});
  nsds_ds *all = nsds_lagrangian_linear(
      model,
      &(nsds_lagrangian_linear_def){.ndof = 3,
                                    .mass = NSDS_ROWS(3, 3, mp, 0, 0, 0, J, 0, 0, 0, I),
                                    .damping = NSDS_ROWS(3, 3, damping, 0, 0, 0, 0, 0, 0, 0, 0),
                                    .v0 = (double[]){0.0, w, 0.0}});
  nsds_relation *pressure = nsds_mixed_linear_relation(
      model, &(nsds_mixed_linear_relation_def){.ny = 1,
                                               .nx = 1,
                                               .nq = 3,
                                               .C = (double[]){1.0},
                                               .D = (double[]){-1.0},
                                               .L = (double[]){-1.0, 0.0, 0.0}});
  nsds_connect(model, pressure, nsds_equality(model), 2, (nsds_ds *[]){oil, all});
  nsds_relation *lining = nsds_lagrangian_linear_relation(
      model,
      &(nsds_lagrangian_linear_relation_def){.ny = 2,
                                             .nq = 3,
                                             .H = NSDS_ROWS(2, 3, 1, 0, 0, 0, r, -r),
                                             .compliance = NSDS_ROWS(2, 2, 1.0 / k, 0, 0, 0)});
  nsds_interaction *contact =
      nsds_connect(model, lining,
                   nsds_newton_impact_friction(
                       model, &(nsds_newton_impact_friction_def){.dimension = 2, .mu = mu}),
                   1, &all);
  nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 2.0});
  assert_sound(model);
  /* The impulse of the lining decides: J I / (J + I) w = mu r int N. The piston, damped critically, has
   * N = p - c dx/dt - m d2x/dt2, x = F/k - A exp(-t/T) + (B + C t) exp(-v t). */
  double low = 0.0, high = 2.0, wanted = J * I / (J + I) * w / (mu * r), v = sqrt(k / mp);
  double A = F / (mp / (T * T) - damping / T + k), B = A - F / k, C = v * B - A / T;
  for (int n = 0; n < 80; ++n) {
    double t = 0.5 * (low + high), a = A * exp(-t / T), b = (B + C * t) * exp(-v * t);
    double x = F / k - a + b, speed = a / T - v * b + C * exp(-v * t);
    if (F * (t - T * (1.0 - exp(-t / T))) - damping * x - mp * speed < wanted) low = t;
    else high = t;
  }
  double t = 0.0;
  while (fabs(nsds_v(all)[1] - nsds_v(all)[2]) > 1e-9) t = next_event(model, s);
  assert_near(t, low, 1e-9);
  assert_near(nsds_v(all)[1], J * w / (J + I), 1e-8);
  assert_int_equal(nsds_run(s), NSDS_END);
  assert_near(nsds_v(all)[2], J * w / (J + I), 1e-8);
  assert_near(nsds_lambda(contact)[0], F, 1e-6);
  assert_near(nsds_lambda(contact)[1], 0.0, 1e-7);
  nsds_model_destroy(model);
}

/* ---- a thermostat ---------------------------------------------------------------------------- */

static int nothing(nsds_simulation *s, void *user) {
  (void)s;
  ++*(int *)user;
  return 0;
}

/* A heater that switches on at T0 and off at T0 + w: s = T - T0 - w lambda. Between, both states of the switch obey the
 * law, and the present one stays, also over samplers, which find all modes anew. */
static void thermostat(void **state) {
  (void)state;
  const double a = 0.1, outside = 5.0, P = 3.0, T0 = 19.0, w = 2.0;
  for (int mixed = 0; mixed < 2; ++mixed) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *room = nsds_first_order_linear(
        model,
        &(nsds_first_order_linear_def){
            .n = 1, .x0 = (double[]){22.0}, .A = (double[]){-a}, .b = (double[]){a * outside}});
    double low = 0.0, high = 1.0;
    nsds_law *law = nsds_relay(model, 1, &low, &high);
    if (mixed) {
      nsds_ds *idle = mass(model, 1.0, 0.0, 0.0, 0.0);
      nsds_relation *r =
          nsds_mixed_linear_relation(model, &(nsds_mixed_linear_relation_def){.ny = 1,
                                                                              .nx = 1,
                                                                              .nq = 1,
                                                                              .C = (double[]){1.0},
                                                                              .D = (double[]){-w},
                                                                              .e = (double[]){-T0},
                                                                              .B = (double[]){P}});
      nsds_connect(model, r, law, 2, (nsds_ds *[]){room, idle});
    } else {
      nsds_relation *r = nsds_first_order_linear_relation(
          model, &(nsds_first_order_linear_relation_def){.ny = 1,
                                                         .nx = 1,
                                                         .C = (double[]){1.0},
                                                         .D = (double[]){-w},
                                                         .e = (double[]){-T0},
                                                         .B = (double[]){P}});
      nsds_connect(model, r, law, 1, &room);
    }
    nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 60.0});
    assert_sound(model);
    int calls = 0;
    assert_ok(model,
              nsds_simulation_sample(
                  s, &(nsds_sampler_def){.period = 0.37, .sample = nothing, .user = &calls}));
    double hot = outside + P / a, t = log((22.0 - outside) / (T0 - outside)) / a;
    double heats = log((hot - T0) / (hot - T0 - w)) / a;
    double cools = log((T0 + w - outside) / (T0 - outside)) / a;
    for (int k = 0; k < 8; ++k) {
      assert_near(next_event(model, s), t, 1e-9);
      assert_near(nsds_x(room)[0], k % 2 ? T0 + w : T0, 1e-9);
      t += k % 2 ? cools : heats;
    }
    assert_true(calls > 30);
    nsds_model_destroy(model);
  }
}

/* ---- a boost converter ----------------------------------------------------------------------- */

static const double Vin = 12.0, L = 2e-5, C = 4e-5, R = 60.0, period = 2e-5, duty = 0.35;

static bool is_on(double t) { return t / period - floor(t / period) < duty; }

static int boost_matrix(const nsds_arguments *in, double *A, void *user) {
  (void)user;
  A[3] = -1.0 / (R * C);
  if (is_on(in->t)) return 0;
  A[1] = 1.0 / C;
  A[2] = -1.0 / L;
  return 0;
}

static void boost_rates(bool on, bool conducts, const double *x, double *d) {
  d[0] = on ? Vin / L : conducts ? (Vin - x[1]) / L : 0.0;
  d[1] = (on ? 0.0 : x[0]) / C - x[1] / (R * C);
}

static void boost_step(bool on, bool conducts, double h, double *x) {
  double k[4][2], y[2];
  static const double at[4] = {0.0, 0.5, 0.5, 1.0};
  for (int s = 0; s < 4; ++s) {
    for (int i = 0; i < 2; ++i) y[i] = x[i] + (s > 0 ? at[s] * h * k[s - 1][i] : 0.0);
    boost_rates(on, conducts, y, k[s]);
  }
  for (int i = 0; i < 2; ++i) x[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
}

/* Integrates over the time that the switch is off. Returns when the current comes to zero, or the time. */
static double boost_off(double time, double *x) {
  enum { parts = 400 };
  double h = time / parts;
  for (int k = 0; k < parts; ++k) {
    double next[2] = {x[0], x[1]}, low = 0.0, high = h;
    boost_step(false, true, h, next);
    if (next[0] >= 0.0) {
      x[0] = next[0], x[1] = next[1];
      continue;
    }
    for (int n = 0; n < 60; ++n) {
      double middle = 0.5 * (low + high);
      next[0] = x[0], next[1] = x[1];
      boost_step(false, true, middle, next);
      if (next[0] >= 0.0) low = middle;
      else high = middle;
    }
    boost_step(false, true, low, x);
    x[0] = 0.0;
    boost_step(false, false, time - k * h - low, x);
    return k * h + low;
  }
  return time;
}

/* In discontinuous conduction the current of the inductance comes to zero before the switch closes, and rests there: the
 * diode blocks. Times of these events against an integration in short steps. */
static void boost_converter(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  const double v0 = 20.0;
  nsds_ds *ds = nsds_first_order_linear(
      model,
      &(nsds_first_order_linear_def){
          .n = 2, .x0 = (double[]){0.0, v0}, .A_fn = boost_matrix, .b = (double[]){Vin / L, 0.0}});
  nsds_relation *diode = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){
                 .ny = 1, .nx = 2, .C = (double[]){1.0, 0.0}, .B = (double[]){1.0 / L, 0.0}});
  nsds_connect(model, diode, nsds_complementarity(model), 1, &ds);
  nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 100.0 * period});
  assert_sound(model);
  int calls = 0;
  for (int k = 0; k < 2; ++k)
    assert_ok(model, nsds_simulation_sample(s, &(nsds_sampler_def){.period = period,
                                                                   .phase = k * duty * period,
                                                                   .sample = nothing,
                                                                   .user = &calls}));
  double x[2] = {0.0, v0};
  int rests = 0;
  for (int n = 0; n < 60; ++n) {
    for (int k = 0; k < 40; ++k) boost_step(true, true, duty * period / 40, x);
    double off = (1.0 - duty) * period, until = boost_off(off, x);
    if (until < off) {
      double wanted = (n + duty) * period + until, t = 0.0;
      while (t < wanted - 1e-3 * period) t = next_event(model, s);
      assert_near(t, wanted, 1e-9 * period);
      ++rests;
    }
    pass_to(model, s, (n + 1) * period);
    assert_near(nsds_x(ds)[0], x[0], 1e-7);
    assert_near(nsds_x(ds)[1], x[1], 1e-7);
  }
  assert_true(rests > 50);
  nsds_model_destroy(model);
}

/* ---- nonlinear relations --------------------------------------------------------------------- */

/* The network of genes, whose inputs are products of lambda: time stepping in short steps comes closer in order 1. */
static void products_of_switches(void **state) {
  (void)state;
  double error[2];
  for (int k = 0; k < 2; ++k) {
    double h = k == 0 ? 4e-4 : 5e-5, worst = 0.0;
    nsds_model *model[2];
    relay_scene scene[2];
    for (int i = 0; i < 2; ++i) {
      model[i] = nsds_model_create(NULL);
      scene[i] = scene_gene_network(model[i], 1.0, 9.0);
    }
    nsds_simulation *exact =
        nsds_event_driven(model[0], &(nsds_event_driven_def){.t1 = 1.5, .output_period = 0.05});
    nsds_simulation *steps = nsds_time_stepping(
        model[1],
        &(nsds_time_stepping_def){.t1 = 1.5, .h = h, .first_order = nsds_euler_moreau(1.0)});
    assert_sound(model[0]);
    assert_sound(model[1]);
    for (int n = 1; n <= 30; ++n) {
      pass_to(model[0], exact, 0.05 * n);
      pass_to(model[1], steps, 0.05 * n);
      for (int i = 0; i < 2; ++i)
        worst = fmax(worst, fabs(nsds_x(scene[0].system)[i] - nsds_x(scene[1].system)[i]));
    }
    error[k] = worst;
    for (int i = 0; i < 2; ++i) nsds_model_destroy(model[i]);
  }
  print_message("             %.2e, %.2e\n", error[0], error[1]);
  assert_true(error[1] < 1e-2);
  assert_true(error[1] < 0.4 * error[0]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(motor_leaves_a_stop),
                                     cmocka_unit_test(a_load_lifts_a_motor),
                                     cmocka_unit_test(masses_on_a_spring),
                                     cmocka_unit_test(spring_on_a_driven_coordinate),
                                     cmocka_unit_test(clutch),
                                     cmocka_unit_test(thermostat),
                                     cmocka_unit_test(boost_converter),
                                     cmocka_unit_test(products_of_switches)};
  (void)g;
  return cmocka_run_group_tests_name("event_driven.mixed_events", tests, NULL, NULL);
}
