#include <nsds/nsds.h>
#include <stdio.h>

/* Two balls of 1 kg with a rod between their centres are thrown onto rough ground: they slide, then
 * roll. */
int main(void) {
  nsds_model *model = nsds_model_create(NULL);
  const double r = 0.1, J = 0.4 * r * r; /* 2/5 m r^2 */
  const double inertia[9] = {J, 0, 0, 0, J, 0, 0, 0, J};
  nsds_law *friction = nsds_newton_impact_friction(
      model, &(nsds_newton_impact_friction_def){.mu = 0.3, .e_n = 0.2});
  nsds_relation *ground = nsds_sphere_plane_relation(
      model, &(nsds_sphere_plane_relation_def){.radius = r, .normal = {0, 0, 1}});
  nsds_ds *ball[2];
  for (int k = 0; k < 2; ++k) {
    ball[k] = nsds_rigid_body(model, &(nsds_rigid_body_def){
        .mass = 1.0, .inertia = inertia, .gravity = {0, 0, -9.81},
        .q0 = (double[]){0.5 * k, 0, r, 1, 0, 0, 0}, .v0 = (double[]){2, 0, 0, 0, 0, 0}});
    nsds_connect(model, ground, friction, 1, &ball[k]);
  }
  nsds_joint_def rod = {.kind = NSDS_JOINT_DISTANCE, .ds = {ball[0], ball[1]}, .other = {0.5, 0, r}};
  rod.point[2] = r; /* the centres, where they are now */
  nsds_connect(model, nsds_joint(model, &rod), nsds_equality(model), 2, rod.ds);

  nsds_simulation *sim = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-3});
  while (nsds_step(sim) == NSDS_OK) {}
  printf("rolls at %.4f m/s, spins at %.4f rad/s\n", nsds_v(ball[0])[0], nsds_v(ball[0])[4]);

  nsds_status status = nsds_error(nsds_model_context(model));
  if (status) fprintf(stderr, "%s\n", nsds_error_message(nsds_model_context(model)));
  nsds_model_destroy(model);
  return status != NSDS_OK;
}
