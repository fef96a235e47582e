/*
 * A double pendulum of two rods whose lower end hits a wall: writes where elbow and end are, the
 * angles of the hinges, the impulse at the wall and the energy.
 *
 *   double_pendulum [FILE.csv]       (default: standard output)
 */
#include "bodies.h"
#include "output.h"
#include "progress.h"

int main(int argc, char **argv) {
  FILE *out = output_open(argc, argv);

  nsds_model *model = nsds_model_create(NULL);
  double_pendulum_scene scene = scene_double_pendulum(model);
  const double t1 = 5.0; /* s */
  nsds_simulation *simulation =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = t1, .h = 5e-5});

  fprintf(out, "t [s],elbow x [m],elbow z [m],end x [m],end z [m],shoulder [rad],elbow [rad],"
               "impulse [N s],energy [J]\n");
  nsds_status status;
  double impulse = 0.0;
  for (long k = 1; (status = nsds_step(simulation)) == NSDS_OK; ++k) {
    double end[2][3], energy = 0.0;
    nsds_joint_motion angle[2] = {{0}};
    impulse += nsds_impulse(scene.wall)[0];
    if (k % 40 != 0) continue;
    for (int i = 0; i < 2; ++i) {
      scene_rod_end(&scene, i, end[i]);
      nsds_joint_read(scene.hinge[i], &angle[i]);
      energy += nsds_kinetic_energy(scene.rod[i]) + 9.81 * nsds_q(scene.rod[i])[2];
    }
    fprintf(out, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", nsds_time(simulation),
            end[0][0], end[0][2], end[1][0], end[1][2], angle[0].angle, angle[1].angle, impulse,
            energy);
    impulse = 0.0;
    progress("double_pendulum", nsds_time(simulation) / t1);
  }
  return output_close(out, model, status);
}
