/*
 * A diode bridge (10 mH, 1 uF, 1 kOhm, 10 V) over 5 ms beside a circuit simulator whose diodes
 * follow an exponential law: as their emission coefficient n goes to zero the simulator's solution
 * must converge to ours, the difference being the voltage across two conducting diodes,
 * proportional to n.
 *
 *   diode_bridge_spice [TABLE...]
 *
 * The first line is ours with a step of 1 us: "nsds", the largest deviation of the capacitor
 * voltage from that with a step of 10 ns [V], and the seconds it took. Then for each table of times
 * and voltages its name and largest deviation.
 */
#include "bench.h"

#include "circuits.h"

#include <math.h>
#include <string.h>

enum { points = 5001, most_repetitions = 201 }; /* every microsecond */

/* Fills v with the voltage at k microseconds; returns seconds of stepping, negative on failure. */
static double simulate(int steps_per_point, double *v) {
  nsds_model *model = nsds_model_create(NULL);
  circuit_scene scene = scene_diode_bridge(model, 1e-2, 1e-6, 1e3, 10.0);
  nsds_simulation *simulation = nsds_time_stepping(
      model, &(nsds_time_stepping_def){.t1 = 5e-3,
                                       .h = 1e-6 / steps_per_point,
                                       .first_order = nsds_full_theta_gamma(0.5, 0.5)});
  nsds_status status = simulation ? NSDS_OK : NSDS_ERROR_STATE;
  double start = bench_now();
  v[0] = nsds_x(scene.circuit)[0];
  for (int k = 1; k < points && status == NSDS_OK; ++k) {
    for (int i = 0; i < steps_per_point && status == NSDS_OK; ++i) status = nsds_step(simulation);
    v[k] = nsds_x(scene.circuit)[0];
  }
  double seconds = bench_now() - start;
  if (status) fprintf(stderr, "%s\n", nsds_error_message(nsds_model_context(model)));
  nsds_model_destroy(model);
  return status ? -1.0 : seconds;
}

static double deviation(const double *a, const double *b) {
  double largest = 0.0;
  for (int k = 0; k < points; ++k) {
    double d = fabs(a[k] - b[k]);
    if (!(d <= largest)) largest = d; /* NaN too */
  }
  return largest;
}

/* A table with one line per microsecond: time, voltage. */
static int read_table(const char *name, double *v) {
  FILE *file = fopen(name, "r");
  int k = 0;
  double t;
  for (; file && k < points && fscanf(file, "%lf %lf", &t, &v[k]) == 2; ++k)
    if (fabs(t - 1e-6 * k) > 1e-9) break;
  if (file) fclose(file);
  if (k < points) fprintf(stderr, "%s: no voltage at %d us\n", name, k);
  return k == points;
}

int main(int argc, char **argv) {
  static double fine[points], v[points], seconds[most_repetitions];
  if (simulate(100, fine) < 0.0) return 1;
  double sum = 0.0;
  int count = 0;
  while (count == 0 || (sum < bench_min_seconds && count < most_repetitions)) {
    seconds[count] = simulate(1, v);
    if (seconds[count] < 0.0) return 1;
    sum += seconds[count++];
  }
  qsort(seconds, (size_t)count, sizeof *seconds, bench_compare);
  printf("nsds %.4g %.4g\n", deviation(v, fine), seconds[count / 2]);
  for (int k = 1; k < argc; ++k) {
    if (!read_table(argv[k], v)) return 1;
    printf("%s %.4g\n", argv[k], deviation(v, fine));
  }
  return 0;
}
