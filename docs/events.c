#include <nsds/nsds.h>
#include <stdio.h>

/* A ball of 1 kg falls on a spring-mounted plate of 2 kg: every event with its time and cause. */
int main(void) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ball = nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){
      .ndof = 1, .mass = (double[]){1}, .q0 = (double[]){0.3}, .fext = (double[]){-9.81}});
  nsds_ds *plate = nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){
      .ndof = 1, .mass = (double[]){2}, .stiffness = (double[]){400}, .damping = (double[]){4},
      .q0 = (double[]){-0.04905}, .fext = (double[]){-19.62}});
  nsds_relation *gap = nsds_lagrangian_linear_relation(model, &(nsds_lagrangian_linear_relation_def){
      .ny = 1, .nq = 2, .H = (double[]){1, -1}});
  nsds_interaction *contact =
      nsds_connect(model, gap, nsds_newton_impact(model, 0.5), 2, (nsds_ds *[]){ball, plate});

  nsds_simulation *sim = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 3.0});
  int impacts = 0;
  while (nsds_step(sim) == NSDS_OK) {
    const nsds_event_info *event = nsds_simulation_event(sim);
    if (event->kind & NSDS_EVENT_IMPACT && ++impacts <= 3)
      printf("%.6f s: hits with %.4f m/s, P = %.4f N s\n", event->t, -event->row[0].ydot_before,
             event->row[0].impulse);
    if (event->kind & NSDS_EVENT_ACCUMULATION)
      printf("%.6f s: at rest on the plate after %d impacts\n", event->row[0].limit_time, impacts);
  }
  printf("in the end the contact carries %.3f N\n", nsds_lambda(contact)[0]);

  nsds_status status = nsds_error(nsds_model_context(model));
  if (status) fprintf(stderr, "%s\n", nsds_error_message(nsds_model_context(model)));
  nsds_model_destroy(model);
  return status != NSDS_OK;
}
