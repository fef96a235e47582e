/*
 * The woodpecker toy: a sleeve on a pole, and a bird on the sleeve by a spring. q = (height of the
 * sleeve, tilt of the sleeve, tilt of the bird), tilts small. Contacts of the beak with the pole
 * and of the lower and upper edge of the sleeve; between them the sleeve slides, jams, and is freed
 * by the bird that swings back from the pole. Model and numbers: Glocker, Dynamik von
 * Starrkoerpersystemen mit Reibung und Stoessen, VDI (1995); Leine and van de Wouw, Stability and
 * Convergence of Mechanical Systems with Unilateral Constraints (2008).
 */
#include "events.h"

static const double g = 9.81, sleeve = 0.0003, sleeve_inertia = 5.0e-9, bird = 0.0045,
                    bird_inertia = 7.0e-7, spring = 0.0056;
/* Radius of the pole and the hole, half height of the sleeve; distances sleeve - spring, spring -
 * bird's centre, and of the beak from the centre, up and along. */
static const double pole = 0.0025, hole = 0.0031, half = 0.0058, to_spring = 0.010, to_bird = 0.015,
                    beak_up = 0.02, beak_along = 0.0201;

static nsds_interaction *touch(nsds_model *model, nsds_ds *toy, double gap, const double H[6],
                               double e) {
  nsds_relation *relation = nsds_lagrangian_linear_relation(
      model,
      &(nsds_lagrangian_linear_relation_def){.ny = 2, .nq = 3, .H = H, .b = (double[]){gap, 0.0}});
  nsds_law *law = nsds_newton_impact_friction(
      model, &(nsds_newton_impact_friction_def){.dimension = 2, .mu = 0.3, .e_n = e});
  return nsds_connect(model, relation, law, 1, &toy);
}

woodpecker_scene scene_woodpecker(nsds_model *model) {
  double a = to_spring, b = to_bird, m = bird, all = sleeve + bird;
  woodpecker_scene s;
  s.toy = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){
                 .name = "toy",
                 .ndof = 3,
                 .mass = (double[]){all, m * a, m * b, /**/ m * a, sleeve_inertia + m * a * a,
                                    m * a * b, /**/ m * b, m * a * b, bird_inertia + m * b * b},
                 .stiffness = (double[]){0.0, 0.0, 0.0, /**/ 0.0, spring, -spring, /**/ 0.0,
                                         -spring, spring},
                 .q0 = (double[]){0.0, -(hole - pole) / half, -0.2788}, /* jammed */
                 .v0 = (double[]){-0.3411, 0.0, -7.4583},
                 .fext = (double[]){-all * g, -m * a * g, -m * b * g}});
  /* by columns: normal and tangent of each */
  s.beak = touch(model, s.toy, a + b - beak_along - pole,
                 (double[]){0.0, 1.0, 0.0, a, -beak_up, b - beak_along}, 0.5);
  s.lower = touch(model, s.toy, hole - pole, (double[]){0.0, 1.0, half, hole, 0.0, 0.0}, 0.0);
  s.upper = touch(model, s.toy, hole - pole, (double[]){0.0, 1.0, -half, hole, 0.0, 0.0}, 0.0);
  return s;
}
