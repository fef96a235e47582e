#include "show_blocks.h"

#include "output.h"
#include "progress.h"
#include "series.h"

/* Corners of all blocks as they are shown, and their velocities. */
typedef struct corners {
  double x[8 * most_blocks][3], v[8 * most_blocks][3];
} corners;

static corners now, drawn;

static void look(const blocks *b, corners *c) {
  for (int k = 0; k < 8 * b->count; ++k) {
    blocks_corner(b, k / 8, k % 8, c->x[k]);
    for (int i = 0; i < 3; ++i) c->v[k][i] = nsds_v(b->block[k / 8].ds)[i];
  }
}

/* One frame of the series. */
static bool show(const blocks *b, series *s) {
  static int face[6 * most_blocks][4];
  look(b, &now);
  for (int k = 0; k < 24 * b->count; ++k)
    face[k / 4][k % 4] = 8 * (k / 24) + blocks_face[k / 4 % 6][k % 4];
  return series_write(s, &(series_mesh){.npoint = 8 * b->count,
                                        .x = now.x[0],
                                        .v = now.v[0],
                                        .nface = 6 * b->count,
                                        .corners = 4,
                                        .face = face[0]});
}

/* A part of the table for each block, with its faces, each closed and followed by an empty line. */
static void draw(FILE *out, int count) {
  for (int k = 0; k < 30 * count; ++k) {
    const double *x = drawn.x[8 * (k / 30) + blocks_face[k / 5 % 6][k % 5 % 4]];
    if (k % 5 == 0) fputs(k % 30 == 0 ? "\n\n" : "\n", out);
    fprintf(out, "%.6g,%.6g,%.6g\n", x[0], x[1], x[2]);
  }
}

int run_blocks(int argc, char **argv, blocks *b, const block_run *r) {
  FILE *out = output_open(argc, argv);
  series s = series_open(argc, argv, r->frame * r->h);
  nsds_simulation *simulation = nsds_time_stepping(
      b->model, &(nsds_time_stepping_def){.t1 = r->end, .h = r->h, .tolerance = r->tolerance});
  fprintf(out, "t [s],contacts,residual%s\n", r->columns);
  nsds_status status = NSDS_OK;
  bool fine = show(b, &s), seen = false;
  while (fine && (status = nsds_step(simulation)) == NSDS_OK) {
    const nsds_step_info *info = nsds_simulation_info(simulation);
    fprintf(out, "%.9g,%d,%.3g", nsds_time(simulation), info->active, info->solver.residual);
    r->row(out, b);
    fputs("\n", out);
    double t = nsds_time(simulation);
    if (!seen && r->picture > 0.0 && t >= r->picture) look(b, &drawn), seen = true;
    progress(r->title, t / r->end);
    if (nsds_step_count(simulation) % r->frame == 0) fine = show(b, &s);
  }
  if (!seen) look(b, &drawn);
  if (fine && status == NSDS_END) draw(out, b->count);
  fine = fine && series_close(&s);
  if (!fine) perror(s.stem);
  int code = output_close(out, b->model, status);
  return fine ? code : 1;
}
