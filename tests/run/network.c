/* Circuits in models: the same answers as by a job, energy that reaches a mechanism, and what is refused. */
#include "run_test.h"

#include <nsds/nsds.h>

static nsds_network *circuit_of(nsds_model *model, const char *text) {
  nsds_network *circuit =
      nsds_circuit(model, &(nsds_circuit_def){.file = "model.cir", .text = text});
  if (!circuit) fail_msg("%s", nsds_error_message(nsds_model_context(model)));
  return circuit;
}

/* A buck converter with a transistor and a coupled filter: the mean is that of the closed form. */
static void buck_in_a_model(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_network *circuit =
      circuit_of(model, "Buck\nVin in 0 24\nS1 in sw TR PULSE(0 1 0 0 0 5u 10u)\nD1 0 sw DI\n"
                        "L1 sw out 100u\nC1 out 0 47u\nR1 out 0 2\n.model DI D(ideal=1)\n"
                        ".model TR TRANSISTOR(vt=0.5)\n");
  nsds_simulation *simulation =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 3e-3, .h = 1e-7});
  double sum = 0.0, low = INFINITY, high = -INFINITY;
  long count = 0;
  while (nsds_step(simulation) == NSDS_OK)
    if (nsds_time(simulation) > 2e-3) {
      double i = nsds_network_read(circuit, "i(L1)");
      sum += nsds_network_read(circuit, "V(out)");
      low = fmin(low, i);
      high = fmax(high, i);
      ++count;
    }
  assert_int_equal(nsds_error(nsds_model_context(model)), NSDS_OK);
  assert_close("mean", sum / (double)count, 12.0, 0.15);
  assert_close("ripple", high - low, 0.6, 0.03);
  assert_close("v(out) twice", nsds_network_read(circuit, "v(out,0)"),
               nsds_network_read(circuit, "v(out)"), 1e-12);
  const double *x = nsds_x(nsds_network_ds(circuit));
  assert_close("i(L1), the first state", x[0], nsds_network_read(circuit, "i(L1)"), 0.0);
  int place = nsds_network_place(circuit, "v(out)");
  assert_true(place >= 2);
  assert_close("v(out) in x", x[place], nsds_network_read(circuit, "v(out)"), 0.0);
  assert_true(isnan(nsds_network_read(circuit, "v(nowhere)")));
  assert_int_equal(nsds_error(nsds_model_context(model)), NSDS_ERROR_ARGUMENT);
  nsds_model_destroy(model);
}

/* Coupled inductors, controlled sources, a bridge behind a transformer: the same as by a job, but for order 1. */
static void as_by_a_job(void **state) {
  (void)state;
  static const char text[] =
      "Both\nV1 a 0 SIN(0 10 50)\nL1 a b 10m\nL2 c 0 40m\nK1 L1 L2 0.9\nR1 b 0 10\nR2 c 0 50\n"
      "T1 b 0 s1 s2 N=0.5\nD1 s1 h DI\nD2 s2 h DI\nD3 l s1 DI\nD4 l s2 DI\nC1 h l 100u\nR3 h l "
      "200\n"
      "I1 0 e 0.1\nE1 f 0 h l 0.5\nRe e f 2\n.model DI D(ideal=1 vf=0.1 ron=10m)\n"
      ".tran 1m 30m 0 20u uic\n.print v(h,l) i(L2) v(e)\n";
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = job_of(context, text);
  nsds_model *model = nsds_model_create(NULL);
  nsds_network *circuit = circuit_of(model, text);
  nsds_simulation *simulation =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 30e-3, .h = 10e-6});
  for (int k = 1; k <= 30; ++k) {
    assert_int_equal(nsds_job_step(job), NSDS_OK);
    for (int j = 0; j < 100; ++j) nsds_step(simulation);
    assert_int_equal(nsds_error(nsds_model_context(model)), NSDS_OK);
    const double *row = nsds_job_row(job);
    assert_close("v(h,l)", nsds_network_read(circuit, "v(h,l)"), row[1], 0.05);
    assert_close("i(L2)", nsds_network_read(circuit, "i(L2)"), row[2], 0.01);
    assert_close("v(e)", nsds_network_read(circuit, "v(e)"), row[3], 0.03);
  }
  nsds_job_destroy(job);
  nsds_context_destroy(context);
  nsds_model_destroy(model);
}

/* A motor: the current of its inductor drives a wheel, whose speed is a voltage in the circuit; power is kept. */
static void motor(void **state) {
  (void)state;
  const double K = 0.1, J = 1e-3, R = 0.5, V = 12.0;
  nsds_model *model = nsds_model_create(NULL);
  nsds_network *circuit = circuit_of(model, "Motor\nV1 a 0 12\nR1 a b 0.5\nL1 b 0 1m\n");
  nsds_ds *wheel = nsds_lagrangian_linear(
      model,
      &(nsds_lagrangian_linear_def){.ndof = 1, .mass = (double[]){J}, .damping = (double[]){0.0}});
  nsds_ds *electric = nsds_network_ds(circuit);
  int nx = nsds_nx(electric);
  double *C = calloc((size_t)nx * 2, sizeof *C), *B = calloc((size_t)nx * 2, sizeof *B);
  assert_true(C && B);
  C[0] = 1.0; /* i(L1), the first state */
  B[nx] = -K; /* of its row */
  nsds_relation *coupling = nsds_mixed_linear_relation(
      model, &(nsds_mixed_linear_relation_def){.ny = 2,
                                               .nx = nx,
                                               .nq = 1,
                                               .C = C,
                                               .E = (double[]){0.0, 1.0},
                                               .D = (double[]){-1.0, 0.0, 0.0, -1.0},
                                               .B = B,
                                               .L = (double[]){K, 0.0}});
  free(C);
  free(B);
  nsds_connect(model, coupling, nsds_equality(model), 2, (nsds_ds *[]){electric, wheel});
  nsds_simulation *simulation = nsds_time_stepping(
      model,
      &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-4, .second_order = nsds_moreau_jean(1.0, 1.0)});
  nsds_status status;
  while ((status = nsds_step(simulation)) == NSDS_OK) {
  }
  if (status < 0) fail_msg("%s", nsds_error_message(nsds_model_context(model)));
  double tau = J * R / (K * K);
  assert_close("speed", nsds_v(wheel)[0], V / K * (1.0 - exp(-1.0 / tau)), 0.2);
  assert_close("i(L1)", nsds_network_read(circuit, "i(L1)"), 0.0, 0.05);
  nsds_model_destroy(model);
}

/* ---- an H bridge, its motor, a slider and a stop ---- */

enum { bridge_period = 4 };                                 /* ms, half of it forwards */
static const double bridge_v = 12.0, bridge_r = 1.0 + 2e-6, /* two switches, rmin */
    bridge_l = 2e-3, bridge_k = 2.0, bridge_m = 0.2, bridge_e = 0.5, bridge_stop = 2e-4,
                    bridge_end = 6e-3;

/* i, v and x. The bridge turns every 2 ms; ideal switches carry the current both ways. */
static void bridge_rates(double t, const double *s, double *rate) {
  double source = fmod(t * 1e3, bridge_period) < 0.5 * bridge_period ? bridge_v : -bridge_v;
  rate[0] = (source - bridge_r * s[0] - bridge_k * s[1]) / bridge_l;
  rate[1] = bridge_k * s[0] / bridge_m;
  rate[2] = s[1];
}

/* A step of the method of Runge and Kutta, of order 4. */
static void bridge_step(double t, double h, const double *from, double *to) {
  static const double share[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
  double rate[3] = {0.0, 0.0, 0.0}, at[3], sum[3] = {0.0, 0.0, 0.0};
  for (int stage = 0; stage < 4; ++stage) {
    for (int j = 0; j < 3; ++j) at[j] = from[j] + share[stage] * h * rate[j];
    bridge_rates(t + 0.5 * h, at, rate); /* the source is constant over a step */
    for (int j = 0; j < 3; ++j) sum[j] += weight[stage] * rate[j];
  }
  for (int j = 0; j < 3; ++j) to[j] = from[j] + h / 6.0 * sum[j];
}

/* Steps that end where the bridge turns. The time of an impact is found by halving the step that crosses the stop. */
static int bridge_reference(double *s, double *impact, int most) {
  const int n = 24000;
  int impacts = 0;
  for (int k = 0; k < n; ++k) {
    double t = bridge_end / n * k, left = bridge_end / n, next[3];
    for (;;) {
      bridge_step(t, left, s, next);
      if (next[2] <= bridge_stop) break;
      double low = 0.0, high = left;
      for (int turn = 0; turn < 60; ++turn) {
        double middle = 0.5 * (low + high);
        bridge_step(t, middle, s, next);
        if (next[2] > bridge_stop) high = middle;
        else low = middle;
      }
      bridge_step(t, low, s, next);
      t += low;
      left -= low;
      s[0] = next[0];
      s[1] = -bridge_e * next[1];
      s[2] = next[2];
      if (impacts < most) impact[impacts] = t;
      ++impacts;
    }
    for (int j = 0; j < 3; ++j) s[j] = next[j];
  }
  return impacts;
}

/* The circuit of the bridge, its motor and the slider with its stop. */
static nsds_model *bridge_model(nsds_network **circuit, nsds_ds **slider) {
  nsds_model *model = nsds_model_create(NULL);
  *circuit = circuit_of(
      model,
      "Bridge\nV1 p 0 12\nS1 p a SI PULSE(1 0 2m 0 0 2m 4m)\nS2 a 0 SI PULSE(0 1 2m 0 0 2m 4m)\n"
      "S3 p b SI PULSE(0 1 2m 0 0 2m 4m)\nS4 b 0 SI PULSE(1 0 2m 0 0 2m 4m)\nR1 a c 1\nL1 c b 2m\n"
      ".model SI SW(ideal=1 vt=0.5)\n");
  *slider = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = (double[]){bridge_m}});
  nsds_ds *electric = nsds_network_ds(*circuit);
  int nx = nsds_nx(electric), current = nsds_network_place(*circuit, "i(L1)");
  double *C = calloc((size_t)nx * 2, sizeof *C), *B = calloc((size_t)nx * 2, sizeof *B);
  assert_true(C && B && current == 0);
  C[2 * current] = 1.0;
  B[nx + current] = -bridge_k;
  nsds_relation *coupling = nsds_mixed_linear_relation(
      model, &(nsds_mixed_linear_relation_def){.ny = 2,
                                               .nx = nx,
                                               .nq = 1,
                                               .C = C,
                                               .E = (double[]){0.0, 1.0},
                                               .D = (double[]){-1.0, 0.0, 0.0, -1.0},
                                               .B = B,
                                               .L = (double[]){bridge_k, 0.0}});
  free(C);
  free(B);
  nsds_connect(model, coupling, nsds_equality(model), 2, (nsds_ds *[]){electric, *slider});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){
                 .ny = 1, .nq = 1, .H = (double[]){-1.0}, .b = (double[]){bridge_stop}});
  nsds_connect(model, gap, nsds_newton_impact(model, bridge_e), 1, slider);
  return model;
}

/* Runs to the end, notes the times of impacts, and returns the error of the last state. */
static double bridge_error(nsds_model *model, nsds_simulation *simulation,
                           const nsds_network *circuit, const nsds_ds *slider, const double *right,
                           double *impact, int most) {
  long events = 0;
  int found = 0;
  nsds_status status = simulation ? nsds_error(nsds_model_context(model)) : NSDS_ERROR_VALUE;
  while (!status && (status = nsds_step(simulation)) == NSDS_OK) {
    const nsds_adaptive_info *info = nsds_simulation_adaptive(simulation);
    if (!info || info->events == events) continue;
    if (found < most) impact[found] = info->event;
    ++found;
    events = info->events;
  }
  if (status < 0) fail_msg("%s", nsds_error_message(nsds_model_context(model)));
  return fabs(nsds_network_read(circuit, "i(L1)") - right[0]) / 3.0 +
         fabs(nsds_v(slider)[0] - right[1]) + fabs(nsds_q(slider)[0] - right[2]) / bridge_stop;
}

/* A slider of mass m, driven by K i, hits a stop and rebounds. Time stepping comes nearer with h. */
static void bridge_drives_a_slider(void **state) {
  (void)state;
  double right[3] = {0.0, 0.0, 0.0};
  const double per_step = 1500.0; /* error over h: an impact is late by up to one step */
  assert_true(bridge_reference(right, NULL, 0) > 0);
  for (int k = 0; k < 3; ++k) {
    nsds_network *circuit;
    nsds_ds *slider;
    nsds_model *model = bridge_model(&circuit, &slider);
    double h = 1e-5 / (double)(1 << (2 * k));
    nsds_simulation *simulation = nsds_time_stepping(
        model, &(nsds_time_stepping_def){
                   .t1 = bridge_end, .h = h, .second_order = nsds_moreau_jean(1.0, 1.0)});
    double error = bridge_error(model, simulation, circuit, slider, right, NULL, 0);
    printf("bridge: h %g, i %g, v %g, x %g, error %.3g\n", h, right[0], right[1], right[2], error);
    assert_true(error < per_step * h);
    nsds_model_destroy(model);
  }
}

/* Adaptive steps locate the impacts to 1e-9 s, and come nearer by the square of their length. */
static void bridge_by_adaptive_steps(void **state) {
  (void)state;
  enum { most = 8, lengths = 5 };
  double right[3] = {0.0, 0.0, 0.0}, impact[most], found[most], last = NAN;
  int count = bridge_reference(right, impact, most);
  assert_true(count > 0 && count <= most);
  for (int k = 0; k <= lengths; ++k) {
    nsds_network *circuit;
    nsds_ds *slider;
    nsds_model *model = bridge_model(&circuit, &slider);
    bool tight = k == lengths;
    double h = tight ? 4e-5 : 2e-5 / (double)(1 << k), worst = 0.0;
    nsds_simulation *simulation =
        nsds_adaptive(model, &(nsds_adaptive_def){.t1 = bridge_end,
                                                  .largest_step = h,
                                                  .tolerance = tight ? 1e-9 : NSDS_EQUAL_STEPS});
    double error = bridge_error(model, simulation, circuit, slider, right, found, most);
    assert_int_equal(nsds_simulation_adaptive(simulation)->events, count);
    for (int j = 0; j < count; ++j) worst = fmax(worst, fabs(found[j] - impact[j]));
    printf("bridge: h %g, error %.3g, impacts %.3g s\n", h, error, worst);
    if (k >= 3) assert_true(worst < 1e-9);
    if (k > 0 && !tight) assert_true(last / error > 3.8 && last / error < 4.2);
    last = error;
    nsds_model_destroy(model);
  }
}

/* Event-driven simulation locates the impacts to 1e-9 s, with leaks and least resistances too. */
static void bridge_by_events(void **state) {
  (void)state;
  enum { most = 8 };
  double right[3] = {0.0, 0.0, 0.0}, impact[most], worst = 0.0;
  int count = bridge_reference(right, impact, most), found = 0;
  nsds_network *circuit;
  nsds_ds *slider;
  nsds_model *model = bridge_model(&circuit, &slider);
  nsds_simulation *simulation =
      nsds_event_driven(model, &(nsds_event_driven_def){.t1 = bridge_end});
  nsds_status status = simulation ? NSDS_OK : NSDS_ERROR_VALUE;
  while (!status && (status = nsds_step(simulation)) == NSDS_OK) {
    const nsds_event_info *event = nsds_simulation_event(simulation);
    if (!(event->kind & NSDS_EVENT_IMPACT)) continue;
    assert_true(found < count);
    worst = fmax(worst, fabs(event->t - impact[found++]));
  }
  if (status < 0) fail_msg("%s", nsds_error_message(nsds_model_context(model)));
  assert_int_equal(found, count);
  printf("bridge by events: %d impacts to %.3g s\n", found, worst);
  assert_true(worst < 1e-9);
  assert_close("the place", nsds_q(slider)[0], right[2], 1e-9);
  nsds_model_destroy(model);
}

/* A half bridge whose switches overlap for 1 us: the step of this time fails and names the loop. With a resistance in
 * series the current is bounded, and the run goes on. */
static void shorts_in_models(void **state) {
  (void)state;
  for (int bounded = 0; bounded < 2; ++bounded) {
    char text[400];
    snprintf(text, sizeof text,
             "Half bridge\nV1 a 0 24\nR1 a b %s\nS1 b m SI PULSE(0 1 0 0 0 6u 10u)\n"
             "S2 m 0 SI PULSE(0 1 5u 0 0 5u 10u)\nL1 m c 10u\nR2 c 0 1\n.model SI SW(ideal=1 "
             "vt=0.5)\n",
             bounded ? "1" : "0");
    nsds_model *model = nsds_model_create(NULL);
    circuit_of(model, text);
    nsds_simulation *simulation =
        nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 20e-6, .h = 1e-7});
    nsds_status status;
    while ((status = nsds_step(simulation)) == NSDS_OK) {
    }
    const char *message = nsds_error_message(nsds_model_context(model));
    if (bounded) {
      if (status < 0) fail_msg("%s", message);
    } else {
      assert_int_equal(status, NSDS_ERROR_VALUE);
      assert_close("time before", nsds_time(simulation), 5e-6, 1.5e-7);
      if (!strstr(message, "short a source") || !strstr(message, "s1") || !strstr(message, "s2") ||
          !strstr(message, "model.cir:"))
        fail_msg("%s", message);
    }
    nsds_model_destroy(model);
  }
}

/* ---- adaptive steps ---- */

static double at_random(unsigned *seed, double low, double high) {
  *seed = *seed * 1664525u + 1013904223u;
  return low * pow(high / low, (double)(*seed >> 8) / 16777216.0);
}

/* Draws a wave between 0 and 1 with this period: jumps, ramps, or a sine. */
static void draw_drive(unsigned *seed, double period, char *text, size_t size) {
  double duty = at_random(seed, 0.2, 0.7), ramp = at_random(seed, 1e-3, 0.1) * period;
  int kind = (int)at_random(seed, 1.0, 4.0);
  if (kind == 1) snprintf(text, size, "PULSE(0 1 0 0 0 %.6g %.6g)", duty * period, period);
  else if (kind == 2)
    snprintf(text, size, "PULSE(0 1 %.6g %.6g %.6g %.6g %.6g)", 0.1 * period, ramp, ramp,
             duty * period, period);
  else snprintf(text, size, "SIN(%.6g 0.5 %.6g)", 0.2 + duty, 1.0 / period);
}

/* Draws a converter of 12 V that starts without charge: down, up, or inverting. */
static void draw_converter(unsigned seed, char *text, size_t size) {
  seed = seed * 7919u + 17u;
  double period = at_random(&seed, 5e-6, 2e-5), L = at_random(&seed, 50e-6, 300e-6);
  char drive[160], part[300];
  draw_drive(&seed, period, drive, sizeof drive);
  int kind = (int)at_random(&seed, 1.0, 4.0) - 1;
  static const char *const rest[] = {"D1 0 sw DI\nL1 sw out", "D1 sw out DI\nL1 in sw",
                                     "D1 out sw DI\nL1 sw 0"};
  snprintf(part, sizeof part, "S1 %s SI %s\n%s %.6g\n", kind == 1 ? "sw 0" : "in sw", drive,
           rest[kind], L);
  snprintf(text, size,
           "Drawn\nVin in 0 12\n%sC1 out 0 %.6g\nR1 out 0 %.6g\n.model SI SW(ideal=1 vt=0.5)\n"
           ".model DI D(ideal=1)\n.tran 1u 1m 0 %.6g uic\n.print v(out) i(L1)\n",
           part, at_random(&seed, 5e-6, 5e-5), at_random(&seed, 3.0, 50.0), period / 40.0);
}

/* Switches that time drives end steps of nsds_adaptive(): the same as by a job. */
static void switched_by_adaptive_steps(unsigned seed) {
  char text[700];
  draw_converter(seed, text, sizeof text);
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = job_of(context, text);
  job_to_the_end(context, job);
  nsds_model *model = nsds_model_create(NULL);
  nsds_network *circuit = circuit_of(model, text);
  nsds_simulation *simulation =
      nsds_adaptive(model, &(nsds_adaptive_def){.t1 = 1e-3, .tolerance = 1e-6});
  if (!simulation) fail_msg("%s", nsds_error_message(nsds_model_context(model)));
  if (nsds_run(simulation) < 0)
    fail_msg("seed %u: %s\n%s", seed, nsds_error_message(nsds_model_context(model)), text);
  const double *row = nsds_job_row(job);
  double v = nsds_network_read(circuit, "v(out)"), i = nsds_network_read(circuit, "i(L1)");
  long steps = nsds_simulation_adaptive(simulation)->steps,
       rejected = nsds_simulation_adaptive(simulation)->rejected;
  if (fabs(v - row[1]) > 2e-3 * fmax(fabs(v), 12.0) || fabs(i - row[2]) > 0.05 * fmax(fabs(i), 1.0))
    fail_msg("seed %u: v(out) %g, i(L1) %g; by a job %g, %g\n%s", seed, v, i, row[1], row[2], text);
  if (rejected > steps)
    fail_msg("seed %u: %ld steps, %ld rejected\n%s", seed, steps, rejected, text);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
  nsds_model_destroy(model);
}

static int drawn = 12; /* the command takes another number */

static void drawn_converters(void **state) {
  (void)state;
  for (unsigned k = 1; k <= (unsigned)drawn; ++k) switched_by_adaptive_steps(k);
}

/* A step-up converter from 12 V to 24 V at rest, whose switch is half of the time closed. */
static void step_up(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_network *circuit =
      circuit_of(model, "Up\nVin in 0 12\nL1 in sw 150u\nVg g 0 PULSE(0 1 0 0 0 4u 8u)\n"
                        "S1 sw 0 g 0 SI\nD1 sw out DI\nC1 out 0 47u\nR1 out 0 20\n"
                        ".model SI SW(ideal=1 vt=0.5)\n.model DI D(ideal=1)\n");
  nsds_simulation *simulation =
      nsds_adaptive(model, &(nsds_adaptive_def){.t1 = 30e-3, .largest_step = 2e-6});
  if (nsds_run(simulation) < 0) fail_msg("%s", nsds_error_message(nsds_model_context(model)));
  assert_close("v(out)", nsds_network_read(circuit, "v(out)"), 24.0, 0.3);
  nsds_model_destroy(model);
}

/* Large circuits are solved in sparse form where all systems have implicit Euler: as in dense form, sooner. */
static void sparse_by_time_stepping(void **state) {
  (void)state;
  double v[2];
  size_t rows[2];
  for (int sparse = 0; sparse < 2; ++sparse) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_network *circuit = nsds_circuit(
        model, &(nsds_circuit_def){.file = NSDS_TEST_SOURCE "/bench/circuits/ladder.cir"});
    assert_non_null(circuit);
    nsds_time_stepping_def def = {.t1 = 60e-6, .h = 1e-6};
    if (sparse) def.first_order = nsds_euler_moreau(1.0);
    nsds_simulation *simulation = nsds_time_stepping(model, &def);
    if (!simulation || nsds_run(simulation) < 0)
      fail_msg("%s", nsds_error_message(nsds_model_context(model)));
    v[sparse] = nsds_network_read(circuit, "v(n3)");
    rows[sparse] = (size_t)nsds_simulation_problem(simulation)->n;
    nsds_model_destroy(model);
  }
  printf("ladder: v(n3) %.12g of %zu rows, %.12g of %zu rows\n", v[0], rows[0], v[1], rows[1]);
  assert_true(rows[1] > 2 * rows[0]);
  assert_true(v[0] > 1.0);
  assert_close("v(n3)", v[1], v[0], 1e-6);
}

/* Regression: a circuit whose system was destroyed is not read any more. */
static void without_its_system(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_network *circuit = circuit_of(model, "T\nC1 a 0 1u ic=10\nR1 a 0 1k\n");
  assert_int_equal(nsds_ds_destroy(nsds_network_ds(circuit)), NSDS_OK);
  assert_true(isnan(nsds_network_read(circuit, "v(a)")));
  assert_int_equal(nsds_error(nsds_model_context(model)), NSDS_ERROR_ARGUMENT);
  nsds_model_destroy(model);
}

static void refusals_in_models(void **state) {
  (void)state;
  static const struct {
    const char *text, *words;
    nsds_status status;
  } table[] = {
      {"T\n", "there are no elements", NSDS_ERROR_FORMAT},
      {"T\nV1 a 0 1\nC1 b 0\n", "model.cir:3:6: c1: the capacitance is missing", NSDS_ERROR_FORMAT},
      {"T\nV1 a 0 1\nV2 a 0 1\nC1 a 0 1\n", "a loop of voltage sources", NSDS_ERROR_FORMAT},
  };
  for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
    nsds_model *model = nsds_model_create(NULL);
    assert_null(
        nsds_circuit(model, &(nsds_circuit_def){.file = "model.cir", .text = table[k].text}));
    const char *message = nsds_error_message(nsds_model_context(model));
    if (nsds_error(nsds_model_context(model)) != table[k].status ||
        !strstr(message, table[k].words))
      fail_msg("\"%s\": %s", table[k].text, message);
    nsds_model_destroy(model);
  }
  nsds_model *model = nsds_model_create(NULL);
  nsds_context *context = nsds_model_context(model);
  for (size_t k = 0; k < sizeof((nsds_circuit_def *)0)->reserved / sizeof(uint64_t); ++k) {
    nsds_circuit_def def = {.text = "T\n"};
    char words[96];
    def.reserved[k] = 1;
    assert_null(nsds_circuit(model, &def));
    snprintf(words, sizeof words,
             "nsds_circuit: reserved[%d] is not zero; set all of the structure to zero", (int)k);
    assert_string_equal(nsds_error_message(context), words);
    nsds_error_clear(context);
  }
  assert_null(nsds_circuit(model, NULL));
  nsds_error_clear(context);
  assert_null(nsds_circuit(model, &(nsds_circuit_def){0}));
  nsds_error_clear(context);
  assert_null(nsds_circuit(model, &(nsds_circuit_def){.text = "T\n", .nsettings = 1}));
  nsds_error_clear(context);
  assert_null(nsds_circuit(model, &(nsds_circuit_def){.file = "there_is_no.cir"}));
  assert_int_equal(nsds_error(context), NSDS_ERROR_IO);
  assert_null(nsds_circuit(NULL, &(nsds_circuit_def){.text = "T\n"}));
  assert_null(nsds_network_ds(NULL));
  assert_true(isnan(nsds_network_read(NULL, "v(a)")));
  nsds_model_destroy(model);
}

int main(int argc, char **argv) {
  if (argc > 1) drawn = atoi(argv[1]);
  const struct CMUnitTest tests[] = {cmocka_unit_test(step_up),
                                     cmocka_unit_test(drawn_converters),
                                     cmocka_unit_test(buck_in_a_model),
                                     cmocka_unit_test(as_by_a_job),
                                     cmocka_unit_test(motor),
                                     cmocka_unit_test(bridge_drives_a_slider),
                                     cmocka_unit_test(bridge_by_adaptive_steps),
                                     cmocka_unit_test(bridge_by_events),
                                     cmocka_unit_test(sparse_by_time_stepping),
                                     cmocka_unit_test(without_its_system),
                                     cmocka_unit_test(shorts_in_models),
                                     cmocka_unit_test(refusals_in_models)};
  return cmocka_run_group_tests_name("run.network", tests, NULL, NULL);
}
