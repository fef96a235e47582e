/*
 * Two genes that inhibit each other and themselves at thresholds: motions from a grid of starting
 * points, which end sliding along a threshold towards one of two states. Blank lines separate them.
 *
 *   gene_network [FILE.csv]       (default: standard output)
 */
#include "output.h"
#include "switching.h"

int main(int argc, char **argv) {
  FILE *out = output_open(argc, argv);
  static const double start[][2] = {{0.2, 1.5}, {1.5, 0.2}, {0.2, 9.8}, {9.8, 0.2}, {9.8, 7.0},
                                    {7.0, 9.8}, {5.0, 2.0}, {2.0, 5.0}, {9.8, 3.0}, {3.0, 9.8},
                                    {0.2, 6.0}, {6.0, 0.2}, {6.0, 7.0}, {7.0, 6.0}};
  enum { count = sizeof start / sizeof *start };

  fprintf(out,
          "motion [1],t [h],concentration of a [1],concentration of b [1],expression of a [1/h],"
          "expression of b [1/h]\n");
  int failed = 0;
  for (int k = 0; k < count && !failed; ++k) {
    nsds_model *model = nsds_model_create(NULL);
    relay_scene scene = scene_gene_network(model, start[k][0], start[k][1]);
    nsds_simulation *simulation =
        nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.5, .h = 1e-3});
    nsds_status status = NSDS_OK;
    while (status == NSDS_OK) {
      const double *x = nsds_x(scene.system), *r = nsds_r(scene.system);
      fprintf(out, "%d,%.17g,%.17g,%.17g,%.17g,%.17g\n", k, nsds_time(simulation), x[0], x[1], r[0],
              r[1]);
      status = nsds_step(simulation);
    }
    fprintf(out, "\n");
    failed = output_close(stdout, model, status);
  }
  return output_end(out) && !failed ? 0 : 1;
}
