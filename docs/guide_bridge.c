#include <nsds/nsds.h>

#include <math.h>
#include <stdio.h>

static const double R_source = 0.5, L = 1e-3, C = 1e-3, R_load = 50.0; /* Ohm, H, F, Ohm */

/* b(t): the source's 17 V, 50 Hz, in the equation of the current. */
static int source(const nsds_arguments *in, double *b, void *user) {
  (void)user;
  b[0] = 17.0 * sin(6.283185307179586 * 50.0 * in->t) / L;
  return 0;
}

int main(void) {
  nsds_model *model = nsds_model_create(NULL);

  nsds_ds *circuit = nsds_first_order_linear(model, &(nsds_first_order_linear_def){
      .name = "circuit", .n = 2, /* x = (i, v) from rest */
      .A = NSDS_ROWS(2, 2,   -R_source / L, 0.0,
                             0.0,           -1.0 / (R_load * C)),
      .b_fn = source});
  nsds_relation *bridge = nsds_first_order_linear_relation(model, &(nsds_first_order_linear_relation_def){
      .name = "bridge", .ny = 4, .nx = 2,
      .C = NSDS_ROWS(4, 2,   -1.0, 0.0,
                              1.0, 0.0,
                              0.0, 1.0,
                              0.0, 1.0),
      .D = NSDS_ROWS(4, 4,    0.0,  0.0, 1.0, 0.0,
                              0.0,  0.0, 0.0, 1.0,
                             -1.0,  0.0, 0.0, 0.0,
                              0.0, -1.0, 0.0, 0.0),
      .B = NSDS_ROWS(2, 4,   -1.0 / L, 1.0 / L, 0.0,     0.0,
                              0.0,     0.0,     1.0 / C, 1.0 / C)});
  nsds_interaction *diodes =
      nsds_connect(model, bridge, nsds_complementarity(model), 1, &circuit);

  nsds_simulation *simulation =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 0.2, .h = 1e-5});

  FILE *csv = fopen("bridge.csv", "w");
  if (!csv) return 1;
  fprintf(csv, "time [s],source [A],load [V],A-B [V],D1 [A],D2 [A]\n");
  double lowest = INFINITY, highest = 0.0, peak = 0.0;
  while (nsds_step(simulation) == NSDS_OK) {
    const double t = nsds_time(simulation), *x = nsds_x(circuit), *lambda = nsds_lambda(diodes);
    if (t > 0.18) {
      lowest = fmin(lowest, x[1]);
      highest = fmax(highest, x[1]);
      peak = fmax(peak, x[0]);
    }
    fprintf(csv, "%g,%g,%g,%g,%g,%g\n", t, x[0], x[1], lambda[0] - lambda[1], lambda[2], lambda[3]);
  }
  fclose(csv);
  printf("load between %.2f V and %.2f V, peak current %.2f A\n", lowest, highest, peak);

  nsds_status status = nsds_error(nsds_model_context(model));
  if (status) fprintf(stderr, "%s\n", nsds_error_message(nsds_model_context(model)));
  nsds_model_destroy(model);
  return status != NSDS_OK;
}
