#include "scenes.h"

#include <stdio.h>

void scene_bead_column(nsds_model *model, bead_scene *scene, int n, double radius, double bottom,
                       double pitch, double restitution) {
  const double mass = 1.0, g = 9.81; /* kg, m/s^2 */
  nsds_relation *floor_gap =
      nsds_lagrangian_linear_relation(model, &(nsds_lagrangian_linear_relation_def){
                                                 .name = "gap to the floor",
                                                 .ny = 1,
                                                 .nq = 1,
                                                 .H = (double[]){1.0},
                                                 .b = (double[]){-radius},
                                             });
  nsds_relation *pair_gap =
      nsds_lagrangian_linear_relation(model, &(nsds_lagrangian_linear_relation_def){
                                                 .name = "gap between two beads",
                                                 .ny = 1,
                                                 .nq = 2,
                                                 .H = (double[]){-1.0, 1.0},
                                                 .b = (double[]){-2.0 * radius},
                                             });
  nsds_law *impact = nsds_newton_impact(model, restitution);
  scene->n = n < scene_max_beads ? n : scene_max_beads;
  for (int i = 0; i < scene->n; ++i) {
    char name[24];
    snprintf(name, sizeof name, "bead %d", i);
    scene->bead[i] = nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){
                                                       .name = name,
                                                       .ndof = 1,
                                                       .q0 = (double[]){bottom + i * pitch},
                                                       .mass = (double[]){mass},
                                                       .fext = (double[]){-mass * g},
                                                   });
    scene->contact[i] = i == 0 ? nsds_connect(model, floor_gap, impact, 1, &scene->bead[0])
                               : nsds_connect(model, pair_gap, impact, 2, &scene->bead[i - 1]);
  }
}
