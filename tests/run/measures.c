/*
 * Measures of model files against closed forms, and against sums over the rows of the same run. Values that belong to a
 * step count over the step: the start, where they are not known, does not count as 0.
 *
 *     run_measures [COUNT]   draws COUNT models (60)
 */
#include "run_test.h"

static int count = 60;

static double drawn(uint64_t *random, double low, double high) {
  uint64_t z = *random += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return low + (high - low) * (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

static nsds_job *job_of_model(nsds_context *context, const char *text) {
  nsds_job *job = nsds_job_create(
      context, &(nsds_job_def){.file = "test.yaml", .text = text, .kind = NSDS_JOB_MODEL_FILE});
  if (!job) fail_msg("%s", nsds_error_message(context));
  return job;
}

/* Two masses, one pressed on a floor by a + b (t - t0) and one that is free. */
static void write_pressed(char *text, size_t size, uint64_t *random, double *mean, double *low,
                          double *step) {
  double a = drawn(random, 0.5, 2.0), b = drawn(random, 0.0, 3.0), t0 = drawn(random, -2.0, 2.0),
         length = drawn(random, 0.5, 2.0);
  int steps = (int)drawn(random, 3.0, 40.0);
  bool events = drawn(random, 0.0, 1.0) < 0.6, grid = drawn(random, 0.0, 1.0) < 0.5;
  char simulation[160];
  if (events && !grid)
    snprintf(simulation, sizeof simulation, "type: event_driven, t0: %.17g, t1: %.17g", t0,
             t0 + length);
  else
    snprintf(simulation, sizeof simulation, "type: %s, t0: %.17g, t1: %.17g, %s: %.17g",
             events ? "event_driven" : "time_stepping", t0, t0 + length,
             events ? "output_period" : "h", length / steps);
  snprintf(text, size,
           "nsds: 1\n"
           "systems:\n"
           "  a: {type: lagrangian_linear, mass: 2, fext: -(%.17g+%.17g*(t-(%.17g)))}\n"
           "  b: {type: lagrangian_linear, mass: 2, v0: 1}\n"
           "interactions:\n"
           "  floor: {systems: a, relation: {type: lagrangian_linear, H: 1}, law: {type: "
           "newton_impact}}\n"
           "simulation: {%s}\n"
           "measures:\n"
           "  mean: {kind: mean, of: floor.lambda1}\n"
           "  low: {kind: min, of: floor.lambda1}\n"
           "  active: {kind: mean, of: floor.active}\n"
           "  least: {kind: min, of: floor.active}\n"
           "  place: {kind: mean, of: b.q1}\n"
           "  both: {kind: mean, of: floor.active * b.q1}\n",
           a, b, t0, simulation);
  *mean = a + 0.5 * b * length;
  *low = a;
  *step = events ? 0.0 : 0.5 * b * length / steps;
}

static void forces_count_from_the_start(void **state) {
  (void)state;
  for (int k = 0; k < count; ++k) {
    uint64_t random = (uint64_t)k;
    char text[1200];
    double mean, low, step;
    write_pressed(text, sizeof text, &random, &mean, &low, &step);
    nsds_context *context = nsds_context_create(NULL);
    nsds_job *job = job_of_model(context, text);
    job_to_the_end(context, job);
    /* the force of the start is that of 1e-10 to 1e-6 behind it */
    assert_close("mean", measure_of(job, "mean"), mean, 1e-6);
    assert_close("low", measure_of(job, "low"), low + step, 1e-5);
    assert_close("active", measure_of(job, "active"), 1.0, 1e-12);
    assert_close("least", measure_of(job, "least"), 1.0, 0.0);
    assert_close("both", measure_of(job, "both"), measure_of(job, "place"), 1e-9);
    nsds_job_destroy(job);
    nsds_context_destroy(context);
  }
}

/* ---- measures and rows of one run ---- */

static const char *const of_steps[] = {"h",          "active",       "rows",
                                       "iterations", "floor.active", "floor.impulse1",
                                       "ball.p1",    "floor.lambda1"};
enum { values = sizeof of_steps / sizeof *of_steps };

static void values_of_steps_count_over_steps(void **state) {
  (void)state;
  for (int seed = 0; seed < count; ++seed) {
    uint64_t random = (uint64_t)seed + 1000u;
    char text[4000];
    int at = snprintf(
        text, sizeof text,
        "nsds: 1\nsystems: {ball: {type: lagrangian_linear, mass: 1.5, q0: %.17g, v0: %.17g, fext: "
        "-9.81}}\n"
        "interactions: {floor: {systems: ball, relation: {type: lagrangian_linear, H: 1}, "
        "law: {type: newton_impact, e: %.3g}}}\n"
        "simulation: {type: time_stepping, t1: %.17g, h: %.17g}\noutputs: {columns: [t",
        drawn(&random, 0.0, 1.0) < 0.5 ? 0.0 : drawn(&random, 0.0, 1.0), drawn(&random, -1.0, 1.0),
        drawn(&random, 0.0, 0.9), drawn(&random, 0.3, 1.5), drawn(&random, 0.01, 0.1));
    for (int k = 0; k < values; ++k)
      at += snprintf(text + at, sizeof text - (size_t)at, ", %s", of_steps[k]);
    at += snprintf(text + at, sizeof text - (size_t)at, "]}\nmeasures:\n");
    for (int k = 0; k < values; ++k)
      at += snprintf(text + at, sizeof text - (size_t)at,
                     "  mean%d: {kind: mean, of: %s}\n  low%d: {kind: min, of: %s}\n  high%d: "
                     "{kind: max, of: %s}\n",
                     k, of_steps[k], k, of_steps[k], k, of_steps[k]);
    nsds_context *context = nsds_context_create(NULL);
    nsds_job *job = job_of_model(context, text);
    double sum[values] = {0}, low[values], high[values], before = nsds_job_row(job)[0],
           length = 0.0;
    int rows = 0;
    for (nsds_status status; (status = nsds_job_step(job)) == NSDS_OK; ++rows) {
      const double *row = nsds_job_row(job);
      double h = row[0] - before;
      before = row[0];
      length += h;
      for (int k = 0; k < values; ++k) {
        double x = row[2 + k];
        sum[k] += h * x;
        low[k] = rows ? fmin(low[k], x) : x;
        high[k] = rows ? fmax(high[k], x) : x;
      }
    }
    for (int k = 0; k < values; ++k) {
      char name[3][16];
      snprintf(name[0], 16, "mean%d", k);
      snprintf(name[1], 16, "low%d", k);
      snprintf(name[2], 16, "high%d", k);
      assert_close(of_steps[k], measure_of(job, name[0]), sum[k] / length,
                   1e-12 * (1.0 + fabs(high[k])));
      assert_close(of_steps[k], measure_of(job, name[1]), low[k], 0.0);
      assert_close(of_steps[k], measure_of(job, name[2]), high[k], 0.0);
    }
    nsds_job_destroy(job);
    nsds_context_destroy(context);
  }
}

/* A look at the force of the start changes nothing in the motion. */
static void measures_leave_the_motion_alone(void **state) {
  (void)state;
  for (int k = 0; k < count; ++k) {
    double end[2][2];
    for (int measured = 0; measured < 2; ++measured) {
      uint64_t random = (uint64_t)k + 5000u;
      char text[1200], grid[60] = "";
      double q = drawn(&random, 0.1, 1.0), v = drawn(&random, -1.0, 1.0),
             e = drawn(&random, 0.1, 0.9);
      if (k % 2) snprintf(grid, sizeof grid, ", output_period: %.17g", drawn(&random, 0.01, 0.1));
      snprintf(text, sizeof text,
               "nsds: 1\n"
               "systems:\n"
               "  a: {type: lagrangian, mass: 1, q0: %.17g, v0: %.17g, fint: \"2*sin(q1)+0.1*v1\", "
               "fext: -9.81}\n"
               "  c: {type: lagrangian_linear, mass: 1, fext: -1}\n"
               "interactions:\n"
               "  floor: {systems: a, relation: {type: lagrangian_linear, H: 1}, law: {type: "
               "newton_impact, e: %.3g}}\n"
               "  bed: {systems: c, relation: {type: lagrangian_linear, H: 1}, law: {type: "
               "newton_impact}}\n"
               "simulation: {type: event_driven, t1: 1.3%s}\n"
               "measures:\n"
               "  q: {kind: final, of: a.q1}\n"
               "  v: {kind: final, of: a.v1}\n%s",
               q, v, e, grid, measured ? "  f: {kind: mean, of: bed.lambda1}\n" : "");
      nsds_context *context = nsds_context_create(NULL);
      nsds_job *job = job_of_model(context, text);
      job_to_the_end(context, job);
      end[measured][0] = measure_of(job, "q");
      end[measured][1] = measure_of(job, "v");
      if (measured) assert_close("f", measure_of(job, "f"), 1.0, 1e-12);
      nsds_job_destroy(job);
      nsds_context_destroy(context);
    }
    assert_memory_equal(end[0], end[1], sizeof end[0]);
  }
}

int main(int argc, char **argv) {
  if (argc > 1) count = atoi(argv[1]);
  const struct CMUnitTest tests[] = {cmocka_unit_test(forces_count_from_the_start),
                                     cmocka_unit_test(values_of_steps_count_over_steps),
                                     cmocka_unit_test(measures_leave_the_motion_alone)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
