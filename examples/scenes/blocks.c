#include "blocks.h"

#include <math.h>
#include <string.h>

const int blocks_face[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                               {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

/* Neighbours overlap by this: in rounding they would touch or not. */
static const double overlap = 1e-7;

void blocks_open(blocks *b, nsds_model *model, int nmaterial, const nsds_material *material) {
  const nsds_shape_def ground = {.kind = NSDS_HALF_SPACE, .plane = {{0, 0, 1}, 0}};
  b->model = model;
  b->density = 1000.0;
  b->count = 0;
  b->contacts = nsds_shapes(model, &(nsds_shapes_def){.name = "blocks",
                                                      .nmaterial = nmaterial,
                                                      .material = material,
                                                      .mix = NSDS_MIX_MIN,
                                                      .nshape = 1,
                                                      .shape = &ground});
}

/* Volume, its first moments and second moments about the origin, summed over tetrahedra from there
 * to triangles of the faces. */
static void moments(const double corner[8][3], double *volume, double first[3],
                    double second[3][3]) {
  *volume = 0.0;
  memset(first, 0, 3 * sizeof *first);
  memset(second, 0, 3 * sizeof *second);
  for (int f = 0; f < 6; ++f)
    for (int half = 0; half < 2; ++half) {
      const double *x[3] = {corner[blocks_face[f][0]], corner[blocks_face[f][1 + half]],
                            corner[blocks_face[f][2 + half]]};
      double v = (x[0][0] * (x[1][1] * x[2][2] - x[1][2] * x[2][1]) +
                  x[0][1] * (x[1][2] * x[2][0] - x[1][0] * x[2][2]) +
                  x[0][2] * (x[1][0] * x[2][1] - x[1][1] * x[2][0])) /
                 6.0;
      *volume += v;
      for (int i = 0; i < 3; ++i) {
        double sum = x[0][i] + x[1][i] + x[2][i];
        first[i] += v * sum / 4.0;
        for (int j = 0; j < 3; ++j) {
          second[i][j] += v / 20.0 * sum * (x[0][j] + x[1][j] + x[2][j]);
          for (int k = 0; k < 3; ++k) second[i][j] += v / 20.0 * x[k][i] * x[k][j];
        }
      }
    }
}

nsds_ds *blocks_add(blocks *b, const double corner[8][3], int material, const double *v0) {
  double volume, first[3], second[3][3], q[7] = {[3] = 1.0}, J[9], centred[8][3], flat[24];
  if (b->count == most_blocks) return NULL;
  block *one = &b->block[b->count++];
  moments(corner, &volume, first, second);
  for (int i = 0; i < 3; ++i) q[i] = first[i] / volume;
  for (int k = 0; k < 24; ++k) centred[k / 3][k % 3] = corner[k / 3][k % 3] - q[k % 3];
  moments((const double(*)[3])centred, &volume, first, second);
  double trace = second[0][0] + second[1][1] + second[2][2];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      J[i + 3 * j] = b->density * ((i == j ? trace : 0.0) - 0.5 * (second[i][j] + second[j][i]));
  memcpy(one->corner, centred, sizeof centred);
  memcpy(flat, centred, sizeof flat);
  one->mass = b->density * volume;
  one->ds = nsds_rigid_body(
      b->model, &(nsds_rigid_body_def){
                    .mass = one->mass, .inertia = J, .q0 = q, .v0 = v0, .gravity = {0, 0, -9.81}});
  nsds_shapes_add(
      b->contacts,
      &(nsds_shape_def){
          .kind = NSDS_HULL, .ds = one->ds, .nvertex = 8, .vertex = flat, .material = material});
  return one->ds;
}

static nsds_ds *add_box(blocks *b, const double low[3], const double high[3], const double *v0) {
  double corner[8][3];
  for (int k = 0; k < 8; ++k)
    for (int i = 0; i < 3; ++i) corner[k][i] = k >> i & 1 ? high[i] : low[i];
  return blocks_add(b, (const double(*)[3])corner, 0, v0);
}

void blocks_stack(blocks *b, int count, double off) {
  for (int k = 0; k < count; ++k) {
    double x = off * sin(2.0 * k), y = off * cos(3.0 * k), z = k - (k + 1) * overlap;
    add_box(b, (const double[]){x - 0.5, y - 0.5, z}, (const double[]){x + 0.5, y + 0.5, z + 1.0},
            NULL);
  }
}

void blocks_arch(blocks *b, int count, double thickness, double at, int material) {
  const double pi = 3.14159265358979323846;
  for (int w = 0; w < count; ++w) {
    double corner[8][3];
    for (int k = 0; k < 8; ++k) { /* bits: along the arch, width, outwards */
      double angle = pi - pi * (w + (k & 1)) / count + (k & 1 ? -overlap : overlap);
      double r = 1.0 + (k & 4 ? 0.5 : -0.5) * thickness;
      corner[k][0] = r * cos(angle);
      corner[k][1] = at + (k & 2 ? 0.15 : -0.15);
      corner[k][2] = r * sin(angle);
    }
    blocks_add(b, (const double(*)[3])corner, material, NULL);
  }
}

void blocks_dominoes(blocks *b, int count, double pitch, double push) {
  const double half[] = {3.75e-3, 12e-3, 24e-3};
  for (int k = 0; k < count; ++k) {
    const double v0[6] = {[0] = k == 0 ? push * half[2] : 0.0, [4] = k == 0 ? push : 0.0};
    add_box(b, (const double[]){k * pitch - half[0], -half[1], -1e-2 * overlap},
            (const double[]){k * pitch + half[0], half[1], 2.0 * half[2]}, v0);
  }
}

void blocks_corner(const blocks *b, int i, int k, double x[3]) {
  const double *q = nsds_q(b->block[i].ds);
  nsds_to_world(q, b->block[i].corner[k], x);
  for (int c = 0; c < 3; ++c) x[c] += q[c];
}
