#include "scenes.h"

ball_scene scene_bouncing_ball(nsds_model *model, double mass, double radius, double height,
                               double restitution) {
  const double g = 9.81; /* m/s^2 */
  ball_scene scene;
  scene.ball = nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){
                                                 .name = "ball",
                                                 .ndof = 1,
                                                 .q0 = (double[]){height},
                                                 .mass = (double[]){mass},
                                                 .fext = (double[]){-mass * g},
                                             });
  nsds_relation *gap =
      nsds_lagrangian_linear_relation(model, &(nsds_lagrangian_linear_relation_def){
                                                 .name = "gap to the floor",
                                                 .ny = 1,
                                                 .nq = 1,
                                                 .H = (double[]){1.0},
                                                 .b = (double[]){-radius},
                                             });
  nsds_law *impact = nsds_newton_impact(model, restitution);
  scene.floor = nsds_connect(model, gap, impact, 1, &scene.ball);
  return scene;
}
