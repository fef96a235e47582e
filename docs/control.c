#include <nsds/nsds.h>

#include <math.h>
#include <stdio.h>

int main(void) {
  const double m = 1.0, k = 4.0, force = 2.0, slope = 1.0; /* kg, N/m, N, 1/s */
  nsds_model *model = nsds_model_create(NULL);

  nsds_ds *oscillator = nsds_first_order_linear(model, &(nsds_first_order_linear_def){
      .name = "oscillator", .n = 2, .x0 = (double[]){2.0, 0.0}, /* x = (position, velocity) */
      .A = NSDS_ROWS(2, 2,    0.0,   1.0,
                             -k / m, 0.0)});
  nsds_relation *sensor = nsds_first_order_linear_relation(model, &(nsds_first_order_linear_relation_def){
      .name = "sensor and actuator", .ny = 1, .nx = 2,
      .C = NSDS_ROWS(1, 2,   slope, 1.0),
      .B = NSDS_ROWS(2, 1,   0.0,
                             1.0 / m)});
  nsds_law *relay = nsds_relay(model, 1, (double[]){-force}, (double[]){force});
  nsds_interaction *control = nsds_connect(model, sensor, relay, 1, &oscillator);

  nsds_simulation *simulation =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 8.0, .h = 1e-3});

  FILE *csv = fopen("relay.csv", "w");
  if (!csv) return 1;
  fprintf(csv, "time [s],position [m],velocity [m/s],y [m/s],relay [N]\n");
  double bound = 0.0, position = 0.0; /* when the relay was last at a bound; at the end */
  while (nsds_step(simulation) == NSDS_OK) {
    const double t = nsds_time(simulation), *x = nsds_x(oscillator);
    const double u = nsds_lambda(control)[0];
    position = x[0];
    if (fabs(u) > 0.999 * force) bound = t;
    fprintf(csv, "%g,%g,%g,%g,%g\n", t, x[0], x[1], nsds_y(control)[0], u);
  }
  fclose(csv);
  printf("slides from %.2f s on, x(8) = %.5f m\n", bound, position);

  nsds_status status = nsds_error(nsds_model_context(model));
  if (status) fprintf(stderr, "%s\n", nsds_error_message(nsds_model_context(model)));
  nsds_model_destroy(model);
  return status != NSDS_OK;
}
