#include <nsds/nsds.h>
#include <math.h>
#include <stdio.h>

/* Three boxes of 1 kg are dropped on each other, and a pendulum of 2 kg with a motor and a stop swings
 * beside them. */
static const nsds_material material[] = {{.mu = 0.6}};

int main(void) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *box[3];
  nsds_shape_def shape[4] = {{.kind = NSDS_HALF_SPACE, .plane = {{0, 0, 1}, 0}}}; /* a plane geom */
  const double J = 1.0 * (0.2 * 0.2 + 0.2 * 0.2) / 12.0;
  for (int k = 0; k < 3; ++k) {
    box[k] = nsds_rigid_body(model, &(nsds_rigid_body_def){ /* a body with a free joint */
        .mass = 1.0, .inertia = (double[]){J, 0, 0, 0, J, 0, 0, 0, J}, .gravity = {0, 0, -9.81},
        .q0 = (double[]){0.02 * k, 0, 0.11 + 0.21 * k, 1, 0, 0, 0}});
    shape[k + 1] = (nsds_shape_def){.kind = NSDS_BOX, .ds = box[k], .half = {0.1, 0.1, 0.1}};
  }
  nsds_shapes(model, &(nsds_shapes_def){
      .nmaterial = 1, .material = material, .nshape = 4, .shape = shape});

  nsds_ds *arm = nsds_rigid_body(model, &(nsds_rigid_body_def){ /* hangs 0.5 m below (2, 0, 1) */
      .mass = 2.0, .inertia = (double[]){0.05, 0, 0, 0, 0.05, 0, 0, 0, 0.05},
      .gravity = {0, 0, -9.81}, .q0 = (double[]){2, 0, 0.5, 1, 0, 0, 0}});
  nsds_joint_def hinge = {
      .kind = NSDS_JOINT_HINGE, .ds = {arm}, .point = {2, 0, 1}, .axis = {0, -1, 0}};
  nsds_connect(model, nsds_joint(model, &hinge), nsds_equality(model), 1, &arm);
  nsds_joint_actions act; /* damping, range and a motor */
  nsds_joint_act(model, &(nsds_joint_act_def){
      .coordinate = {.kind = NSDS_COORDINATE_ANGLE, .ds = {arm}, .point = {2, 0, 1}, .axis = {0, -1, 0}},
      .damping = 1.0, .lower = -INFINITY, .upper = 0.4, .driven = true}, &act);

  nsds_simulation *simulation = nsds_time_stepping(model, &(nsds_time_stepping_def){
      .t1 = 3.0, .h = 2e-3, .projection = {.kind = NSDS_PROJECTION_DIRECT, .tolerance = 1e-9}});
  nsds_status status = NSDS_OK;
  while (status == NSDS_OK) {
    nsds_joint_drive_set(act.drive, 0.0, 0.0, 8.0); /* ctrl: a moment of 8 N m */
    status = nsds_step(simulation);
  }

  double floor_force = 0.0; /* the sum of the forces on the floor */
  nsds_contact_iterator contacts = nsds_body_contacts(box[0]);
  for (nsds_contact_info contact; nsds_next_contact(&contacts, &contact);)
    if (!contact.ds[1]) floor_force += contact.world_force[2];
  printf("boxes at %.4f m, %.4f m, %.4f m; the floor carries %.2f N; the stop carries %.3f N m\n",
         nsds_q(box[0])[2], nsds_q(box[1])[2], nsds_q(box[2])[2], floor_force, nsds_lambda(act.upper)[0]);

  status = nsds_error(nsds_model_context(model));
  if (status) fprintf(stderr, "%s\n", nsds_error_message(nsds_model_context(model)));
  nsds_model_destroy(model);
  return status != NSDS_OK;
}
