#include <nsds/nsds.h>
#include <stdio.h>

/* DiodeBridge: FirstOrderLinearDS, FirstOrderLinearTIR, ComplementarityConditionNSL(4),
 * EulerMoreauOSI(0.5), LCP. */
int main(void) {
  const double L = 1e-2, C = 1e-6, R = 1e3;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *circuit = nsds_first_order_linear(model, &(nsds_first_order_linear_def){
      .n = 2, .x0 = (double[]){10.0, 0.0}, /* V of the capacitor, A of the inductor */
      .A = NSDS_ROWS(2, 2,   0.0,     -1.0 / C,
                             1.0 / L,  0.0)});
  nsds_relation *bridge = nsds_first_order_linear_relation(model, &(nsds_first_order_linear_relation_def){
      .ny = 4, .nx = 2,
      .C = NSDS_ROWS(4, 2,   0.0, 0.0,
                             0.0, 0.0,
                            -1.0, 0.0,
                             1.0, 0.0),
      .D = NSDS_ROWS(4, 4,   1.0 / R, 1.0 / R, -1.0,  0.0,
                             1.0 / R, 1.0 / R,  0.0, -1.0,
                             1.0,     0.0,      0.0,  0.0,
                             0.0,     1.0,      0.0,  0.0),
      .B = NSDS_ROWS(2, 4,   0.0, 0.0, -1.0 / C, 1.0 / C,
                             0.0, 0.0,  0.0,     0.0)});
  nsds_interaction *diodes = nsds_connect(model, bridge, nsds_complementarity(model), 1, &circuit);

  nsds_simulation *simulation = nsds_time_stepping(model, &(nsds_time_stepping_def){
      .t1 = 5e-3, .h = 1e-6, .first_order = nsds_euler_moreau(0.5)});

  FILE *table = fopen("bridge.dat", "w");
  if (!table) return 1;
  double lowest = 0.0;
  for (int k = 1; k < 5000 && nsds_step(simulation) == NSDS_OK; ++k) {
    const double *x = nsds_x(circuit), *y = nsds_y(diodes), *lambda = nsds_lambda(diodes);
    if (x[0] < lowest) lowest = x[0];
    fprintf(table, "%.15e %.15e %.15e %.15e %.15e %.15e %.15e %.15e\n", nsds_time(simulation), x[0],
            x[1], y[0], -lambda[0], -lambda[1], lambda[2], y[0] + lambda[2]);
  }
  fclose(table);
  printf("lowest voltage %.4f V, after %.6f s %.4f V and %.4f mA\n", lowest, nsds_time(simulation),
         nsds_x(circuit)[0], 1e3 * nsds_x(circuit)[1]);

  nsds_status status = nsds_error(nsds_model_context(model));
  if (status) fprintf(stderr, "%s\n", nsds_error_message(nsds_model_context(model)));
  nsds_model_destroy(model);
  return status != NSDS_OK;
}
