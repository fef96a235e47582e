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

/* Event-driven simulation knows no times at which a relation jumps, and says so. */
static void refused_by_events(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  circuit_of(model, "No events\nV1 a 0 1\nS1 a b SI PULSE(0 1 0 0 0 1 2)\nR1 b c 1\nC1 c 0 1\n"
                    ".model SI SW(ideal=1 vt=0.5)\n");
  nsds_simulation *simulation =
      nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 3.0, .output_period = 0.1});
  nsds_status status = simulation ? nsds_run(simulation) : nsds_error(nsds_model_context(model));
  assert_int_equal(status, NSDS_ERROR_UNSUPPORTED);
  const char *message = nsds_error_message(nsds_model_context(model));
  if (!strstr(message, "jumps in time") || !strstr(message, "circuit")) fail_msg("%s", message);
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
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(step_up),           cmocka_unit_test(drawn_converters),
      cmocka_unit_test(refused_by_events), cmocka_unit_test(buck_in_a_model),
      cmocka_unit_test(as_by_a_job),       cmocka_unit_test(motor),
      cmocka_unit_test(shorts_in_models),  cmocka_unit_test(refusals_in_models)};
  return cmocka_run_group_tests_name("run.network", tests, NULL, NULL);
}
