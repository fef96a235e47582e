#include "show_blocks.h"

#include "output.h"
#include "progress.h"

/* Corners of all blocks as they are shown in the picture. */
static double drawn[8 * most_blocks][3];

static void look(const blocks *b) {
  for (int k = 0; k < 8 * b->count; ++k) blocks_corner(b, k / 8, k % 8, drawn[k]);
}

/* A part of the table for each block, with its faces, each closed and followed by an empty line. */
static void draw(FILE *out, int count) {
  for (int k = 0; k < 30 * count; ++k) {
    const double *x = drawn[8 * (k / 30) + blocks_face[k / 5 % 6][k % 5 % 4]];
    if (k % 5 == 0) fputs(k % 30 == 0 ? "\n\n" : "\n", out);
    fprintf(out, "%.6g,%.6g,%.6g\n", x[0], x[1], x[2]);
  }
}

int run_blocks(int argc, char **argv, blocks *b, const block_run *r) {
  FILE *out = output_open(argc, argv);
  nsds_vtk *frames = output_series(argc, argv, b->model);
  nsds_simulation *simulation = nsds_time_stepping(
      b->model, &(nsds_time_stepping_def){.t1 = r->end, .h = r->h, .tolerance = r->tolerance});
  fprintf(out, "t [s],contacts,residual%s\n", r->columns);
  nsds_status status = NSDS_OK;
  bool fine = output_frame(frames, b->model, 0.0), seen = false;
  while (fine && (status = nsds_step(simulation)) == NSDS_OK) {
    const nsds_step_info *info = nsds_simulation_info(simulation);
    fprintf(out, "%.9g,%d,%.3g", nsds_time(simulation), info->active, info->solver.residual);
    r->row(out, b);
    fputs("\n", out);
    double t = nsds_time(simulation);
    if (!seen && r->picture > 0.0 && t >= r->picture) look(b), seen = true;
    progress(r->title, t / r->end);
    if (nsds_step_count(simulation) % r->frame == 0) fine = output_frame(frames, b->model, t);
  }
  if (!seen) look(b);
  if (fine && status == NSDS_END) draw(out, b->count);
  nsds_vtk_destroy(frames);
  return output_close(out, b->model, status);
}
