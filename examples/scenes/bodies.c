#include "bodies.h"

#include <math.h>

static const double g = 9.81;

bowling_scene scene_bowling_ball(nsds_model *model) {
  const double m = 7.0, r = 0.108, J = 0.4 * m * r * r;
  bowling_scene scene = {.radius = r};
  scene.ball = nsds_rigid_body(
      model, &(nsds_rigid_body_def){.name = "ball",
                                    .mass = m,
                                    .inertia = (double[]){J, 0, 0, 0, J, 0, 0, 0, J},
                                    .q0 = (double[]){0, 0, r, 1, 0, 0, 0},
                                    .v0 = (double[]){8, 0, 0, 30, 0, 0},
                                    .gravity = {0, 0, -g}});
  nsds_relation *gap = nsds_sphere_plane_relation(
      model, &(nsds_sphere_plane_relation_def){.name = "lane", .radius = r, .normal = {0, 0, 1}});
  nsds_law *law =
      nsds_newton_impact_friction(model, &(nsds_newton_impact_friction_def){.mu = 0.12});
  scene.lane = nsds_connect(model, gap, law, 1, &scene.ball);
  return scene;
}

top_scene scene_spinning_top(nsds_model *model) {
  const double m = 0.5, l = 0.06, across = 5e-4, along = 4e-4, tilt = 0.5, spin = 150.0;
  top_scene scene;
  scene.top = nsds_rigid_body(
      model, &(nsds_rigid_body_def){.name = "top",
                                    .mass = m,
                                    .inertia = (double[]){across, 0, 0, 0, across, 0, 0, 0, along},
                                    .q0 = (double[]){l * sin(tilt), 0, l * cos(tilt),
                                                     cos(0.5 * tilt), 0, sin(0.5 * tilt), 0},
                                    .v0 = (double[]){0, 0, 0, 0, 0, spin},
                                    .gravity = {0, 0, -g}});
  nsds_joint_def tip = {.name = "tip", .kind = NSDS_JOINT_BALL, .ds = {scene.top}};
  scene.tip = nsds_connect(model, nsds_joint(model, &tip), nsds_equality(model), 1, tip.ds);
  return scene;
}

double_pendulum_scene scene_double_pendulum(nsds_model *model) {
  const double m = 1.0, l = 0.5, J = m * l * l / 12.0, start = 0.1;
  double_pendulum_scene scene = {.length = l};
  nsds_law *equality = nsds_equality(model);
  for (int k = 0; k < 2;
       ++k) { /* the body's -z axis points to the lower end: turned by pi - start */
    double reach = l * (k + 0.5), half = 0.5 * (3.14159265358979323846 - start);
    scene.rod[k] = nsds_rigid_body(
        model, &(nsds_rigid_body_def){.name = k ? "second rod" : "first rod",
                                      .mass = m,
                                      .inertia = (double[]){J, 0, 0, 0, J, 0, 0, 0, 0.02 * J},
                                      .q0 = (double[]){-reach * sin(start), 0, reach * cos(start),
                                                       cos(half), 0, sin(half), 0},
                                      .gravity = {0, 0, -g}});
    nsds_joint_def hinge = {.name = k ? "elbow" : "shoulder",
                            .kind = NSDS_JOINT_HINGE,
                            .ds = {scene.rod[k], k ? scene.rod[0] : NULL},
                            .point = {-k * l * sin(start), 0, k * l * cos(start)},
                            .axis = {0, 1, 0}};
    scene.hinge[k] = nsds_connect(model, nsds_joint(model, &hinge), equality, k ? 2 : 1, hinge.ds);
  }
  nsds_relation *gap = nsds_sphere_plane_relation(
      model, &(nsds_sphere_plane_relation_def){
                 .name = "wall", .center = {0, 0, -0.5 * l}, .normal = {1, 0, 0}, .offset = -0.6});
  nsds_law *law =
      nsds_newton_impact_friction(model, &(nsds_newton_impact_friction_def){.mu = 0.2, .e_n = 0.5});
  scene.wall = nsds_connect(model, gap, law, 1, &scene.rod[1]);
  return scene;
}

void scene_rod_end(const double_pendulum_scene *scene, int k, double *end) {
  const double *q = nsds_q(scene->rod[k]), down[3] = {0, 0, -0.5 * scene->length};
  nsds_to_world(q, down, end);
  for (int i = 0; i < 3; ++i) end[i] += q[i];
}
