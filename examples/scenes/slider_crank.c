#include "bodies.h"

static const double g = 9.81, mass[3] = {0.038, 0.038, 0.076};

slider_crank_scene scene_slider_crank(nsds_model *model) {
  slider_crank_scene scene = {.length = {0.153, 0.306}, .clearance = 1e-3};
  const double l = scene.length[0], r = scene.length[1], w = 150.0;
  const double inertia[3] = {7.4e-5, 5.9e-4, 2.7e-6}, turns[3] = {w, -w * l / r, 0.0};
  const double x[3] = {0.5 * l, l + 0.5 * r, l + r + 0.01}, up[3] = {0.5 * w * l, 0.5 * w * l, 0.0};
  nsds_law *equality = nsds_equality(model);
  for (int k = 0; k < 3; ++k) {
    scene.body[k] = nsds_rigid_body_2d(
        model, &(nsds_rigid_body_2d_def){.mass = mass[k],
                                         .inertia = inertia[k],
                                         .q0 = (const double[]){x[k], 0.0, 0.0},
                                         .v0 = (const double[]){0.0, up[k], turns[k]},
                                         .gravity = {0.0, -g}});
    nsds_joint_def hinge = {.kind = NSDS_JOINT_HINGE,
                            .ds = {scene.body[k], k > 0 ? scene.body[k - 1] : NULL},
                            .point = {k == 0   ? 0.0
                                      : k == 1 ? l
                                               : l + r}};
    scene.hinge[k] =
        nsds_connect(model, nsds_joint(model, &hinge), equality, k > 0 ? 2 : 1, hinge.ds);
  }
  nsds_law *law = nsds_fremond_impact_friction(
      model, &(nsds_fremond_impact_friction_def){.dimension = 2, .mu = 0.01, .e_n = 0.4});
  for (int k = 0; k < 4; ++k) {
    double side = k < 2 ? 1.0 : -1.0, half = 0.025;
    nsds_relation *corner = nsds_sphere_plane_relation(
        model, &(nsds_sphere_plane_relation_def){.dimension = 2,
                                                 .rows = 2,
                                                 .center = {k % 2 ? 0.05 : -0.05, side * half},
                                                 .normal = {0.0, -side},
                                                 .offset = -(half + scene.clearance)});
    scene.corner[k] = nsds_connect(model, corner, law, 1, &scene.body[2]);
  }
  return scene;
}

double scene_slider_crank_energy(const slider_crank_scene *scene) {
  double sum = 0.0;
  for (int k = 0; k < 3; ++k)
    sum += nsds_kinetic_energy(scene->body[k]) + mass[k] * g * nsds_q(scene->body[k])[1];
  return sum;
}
