#include <nsds/nsds.h>
#include <stdio.h>

/* BouncingBallTS: LagrangianLinearTIDS, LagrangianLinearTIR, NewtonImpactNSL, MoreauJeanOSI(0.5), LCP. */
int main(void) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ball = nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){
      .ndof = 1, .q0 = (double[]){1.0}, .mass = (double[]){1.0}, .fext = (double[]){-9.81}});
  nsds_relation *gap = nsds_lagrangian_linear_relation(model, &(nsds_lagrangian_linear_relation_def){
      .ny = 1, .nq = 1, .H = (double[]){1.0}});
  nsds_interaction *contact = nsds_connect(model, gap, nsds_newton_impact(model, 0.9), 1, &ball);

  nsds_simulation *simulation = nsds_time_stepping(model, &(nsds_time_stepping_def){
      .t1 = 10.0, .h = 0.005, .second_order = nsds_moreau_jean(0.5, 1.0),
      .activation = nsds_activation(0.5, 0.0)});

  FILE *table = fopen("ball.dat", "w");
  if (!table) return 1;
  double impact = 0.0;
  while (nsds_step(simulation) == NSDS_OK) {
    const double t = nsds_time(simulation), P = nsds_impulse(contact)[0];
    if (impact == 0.0 && P > 0.0) impact = t;
    fprintf(table, "%.15e %.15e %.15e %.15e %.15e\n", t, nsds_q(ball)[0], nsds_v(ball)[0],
            nsds_p(ball)[0], P);
  }
  fclose(table);
  printf("first impact in the step to %.3f s, at rest P = %.5f N s a step and q = %.3e m\n", impact,
         nsds_impulse(contact)[0], nsds_q(ball)[0]);

  nsds_status status = nsds_error(nsds_model_context(model));
  if (status) fprintf(stderr, "%s\n", nsds_error_message(nsds_model_context(model)));
  nsds_model_destroy(model);
  return status != NSDS_OK;
}
