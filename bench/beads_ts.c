/*
 * SIZE beads at rest on each other and on the floor: all contacts carry load in every step, so each
 * step solves a nonsmooth problem of SIZE rows.
 *
 * The beads overlap by 2^-20 of their diameter (exactly representable), which Moreau-Jean neither
 * corrects nor changes. With gaps of exactly zero the test "gap + h/2 rate <= 0" would be decided
 * by the last bit of velocities near 1e-17: contacts drop out and close again at random, about half
 * of them in a column of 1000, and no two programs would do the same work.
 */
#include "stepping.h"

#include "scenes.h"

static void *build(const char *size, long steps, const char *variant) {
  (void)variant;
  const double overlap = 0x1p-20;
  static bead_scene scene;
  nsds_model *model = nsds_model_create(NULL);
  scene_bead_column(model, &scene, atoi(size), 0.5, 0.5 - overlap, 1.0 - overlap, 0.9);
  return stepping_start(
      model, steps,
      (nsds_time_stepping_def){.h = 5e-4, .second_order = nsds_moreau_jean(0.5, 1.0)});
}

int main(int argc, char **argv) { return stepping_main(argc, argv, build); }
