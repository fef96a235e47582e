#include "cam_profile.h"
#include "scenes.h"

const double cam_mass = 1.221, cam_stiffness = 1430.8;

static const double cam_damping = 0.0, cam_restitution = 0.8;
static const double initial_gap = 0.4, initial_speed = 0.4; /* m, m/s */

cam_scene scene_cam_forced(nsds_model *model, double rpm, const char *plugin_path) {
  nsds_plugin *plugin = nsds_plugin_open(model, plugin_path);
  cam_scene scene;
  scene.follower = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){
                 .name = "follower",
                 .ndof = 1,
                 .q0 = (double[]){initial_gap},
                 .v0 = (double[]){initial_speed},
                 .mass = (double[]){cam_mass},
                 .damping = (double[]){cam_damping},
                 .stiffness = (double[]){cam_stiffness},
                 .fext_fn = nsds_plugin_get(plugin, "inertial_force", NSDS_KIND_FEXT),
                 .nz = 4,
                 .z = (double[]){cam_mass, cam_damping, cam_stiffness, rpm},
             });
  nsds_relation *gap =
      nsds_lagrangian_linear_relation(model, &(nsds_lagrangian_linear_relation_def){
                                                 .name = "gap to the cam",
                                                 .ny = 1,
                                                 .nq = 1,
                                                 .H = (double[]){1.0},
                                             });
  nsds_law *impact = nsds_newton_impact(model, cam_restitution);
  scene.contact = nsds_connect(model, gap, impact, 1, &scene.follower);
  return scene;
}

/* y = u - c(t) with the camshaft speed as the relation's own parameter z[0]. */
static int gap_h(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->q[0] - cam_profile(in->t, in->z[0]).c;
  return 0;
}

static int gap_jacobian_q(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 1.0;
  return 0;
}

static int gap_jacobian_t(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -cam_profile(in->t, in->z[0]).dc;
  return 0;
}

/* In the fixed frame, above a cam that begins as `start`. */
static nsds_ds *follower(nsds_model *model, cam_state start) {
  return nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){
                                           .name = "follower",
                                           .ndof = 1,
                                           .q0 = (double[]){start.c + initial_gap},
                                           .v0 = (double[]){start.dc + initial_speed},
                                           .mass = (double[]){cam_mass},
                                           .damping = (double[]){cam_damping},
                                           .stiffness = (double[]){cam_stiffness},
                                       });
}

cam_scene scene_cam_rheonomous(nsds_model *model, double rpm) {
  cam_scene scene = {.follower = follower(model, cam_profile(0.0, rpm))};
  nsds_relation *gap = nsds_lagrangian_relation(model, &(nsds_lagrangian_relation_def){
                                                           .name = "gap to the cam",
                                                           .ny = 1,
                                                           .nq = 1,
                                                           .output_fn = gap_h,
                                                           .jac_output_q_fn = gap_jacobian_q,
                                                           .jac_output_t_fn = gap_jacobian_t,
                                                           .nz = 1,
                                                           .z = (double[]){rpm},
                                                       });
  nsds_law *impact = nsds_newton_impact(model, cam_restitution);
  scene.contact = nsds_connect(model, gap, impact, 1, &scene.follower);
  return scene;
}

/* ---- arc by arc: z = (rpm, arc) ---- */

static cam_state arc(const nsds_arguments *in) { return cam_arc(in->t, in->z[0], (long)in->z[1]); }

static int arc_h(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->q[0] - arc(in).c;
  return 0;
}

static int arc_jacobian_t(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -arc(in).dc;
  return 0;
}

static int arc_bias(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -arc(in).ddc;
  return 0;
}

void scene_cam_arcs(nsds_model *model, cam_arcs_scene *scene, double rpm) {
  *scene = (cam_arcs_scene){.rpm = rpm, .follower = follower(model, cam_arc(0.0, rpm, 0))};
  scene->gap = nsds_lagrangian_relation(model, &(nsds_lagrangian_relation_def){
                                                   .name = "gap to the cam",
                                                   .ny = 1,
                                                   .nq = 1,
                                                   .output_fn = arc_h,
                                                   .jac_output_q_fn = gap_jacobian_q,
                                                   .jac_output_t_fn = arc_jacobian_t,
                                                   .bias_fn = arc_bias,
                                                   .nz = 2,
                                                   .z = (double[]){rpm, 0.0},
                                               });
  nsds_law *impact = nsds_newton_impact(model, cam_restitution);
  scene->contact = nsds_connect(model, scene->gap, impact, 1, &scene->follower);
}

static int next_arc(nsds_simulation *simulation, void *user) {
  cam_arcs_scene *scene = user;
  ++scene->arc;
  nsds_status status =
      nsds_relation_set_z(scene->gap, 2, (double[]){scene->rpm, (double)scene->arc});
  if (!status) status = scene_cam_turn(simulation, scene);
  if (status) --scene->arc; /* the event stays due and is called again */
  return (int)status;
}

nsds_status scene_cam_turn(nsds_simulation *simulation, cam_arcs_scene *scene) {
  return nsds_simulation_at(simulation,
                            &(nsds_event_def){.name = "end of an arc",
                                              .time = cam_arc_end(scene->arc, scene->rpm),
                                              .call = next_arc,
                                              .user = scene});
}
