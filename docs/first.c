#include <nsds/nsds.h>
#include <stdio.h>

int main(void) {
  nsds_model *model = nsds_model_create(NULL);

  nsds_ds *ball = nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){
      .ndof = 1, .q0 = (double[]){1.0}, .mass = (double[]){1.0}, .fext = (double[]){-9.81}});
  nsds_relation *gap = nsds_lagrangian_linear_relation(model, &(nsds_lagrangian_linear_relation_def){
      .ny = 1, .nq = 1, .H = (double[]){1.0}, .b = (double[]){-0.1}});
  nsds_law *impact = nsds_newton_impact(model, 0.9);
  nsds_interaction *floor = nsds_connect(model, gap, impact, 1, &ball);

  nsds_simulation *sim = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 10.0, .h = 0.005});
  while (nsds_step(sim) == NSDS_OK)
    printf("%g %g %g %g\n", nsds_time(sim), nsds_q(ball)[0], nsds_v(ball)[0], nsds_impulse(floor)[0]);

  nsds_status status = nsds_error(nsds_model_context(model)); /* the first failure of all these calls */
  if (status) fprintf(stderr, "%s\n", nsds_error_message(nsds_model_context(model)));
  nsds_model_destroy(model);
  return status != NSDS_OK;
}
