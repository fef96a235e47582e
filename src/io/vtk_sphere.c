/*
 * Spheres made of triangles: an icosahedron (level 1) whose triangles are cut into four, level by
 * level, with the new points moved to the sphere. Points at the middle of an edge are shared by
 * both triangles.
 */
#include "io/vtk_sphere.h"

#include <math.h>
#include <string.h>

static void icosahedron(nsds_vtk_sphere *s) {
  static const int face[] = {0, 11, 5,  0, 5,  1, 0, 1, 7, 0, 7,  10, 0, 10, 11, 1, 5, 9, 5, 11,
                             4, 11, 10, 2, 10, 7, 6, 7, 1, 8, 3,  9,  4, 3,  4,  2, 3, 2, 6, 3,
                             6, 8,  3,  8, 9,  4, 9, 5, 2, 4, 11, 6,  2, 10, 8,  6, 7, 9, 8, 1};
  const double g = 0.5 * (1.0 + sqrt(5.0)), r = sqrt(1.0 + g * g);
  const double corner[][3] = {{-1, g, 0}, {1, g, 0}, {-1, -g, 0}, {1, -g, 0},
                              {0, -1, g}, {0, 1, g}, {0, -1, -g}, {0, 1, -g},
                              {g, 0, -1}, {g, 0, 1}, {-g, 0, -1}, {-g, 0, 1}};
  s->npoint = 12;
  s->nface = 20;
  for (int k = 0; k < 12; ++k)
    for (int i = 0; i < 3; ++i) s->point[3 * k + i] = corner[k][i] / r;
  memcpy(s->face, face, sizeof face);
}

/* Returns the point between a and b, new unless the other triangle has made it; `edge` has (a, b,
 * point). */
static int between(nsds_vtk_sphere *s, int a, int b, int (*edge)[3], int *edges) {
  int low = a < b ? a : b, high = a < b ? b : a;
  for (int k = 0; k < *edges; ++k)
    if (edge[k][0] == low && edge[k][1] == high) return edge[k][2];
  double m[3], length = 0.0;
  for (int i = 0; i < 3; ++i) m[i] = s->point[3 * a + i] + s->point[3 * b + i];
  for (int i = 0; i < 3; ++i) length += m[i] * m[i];
  for (int i = 0; i < 3; ++i) s->point[3 * s->npoint + i] = m[i] / sqrt(length);
  edge[*edges][0] = low;
  edge[*edges][1] = high;
  edge[*edges][2] = s->npoint;
  ++*edges;
  return s->npoint++;
}

static void refine_sphere(nsds_vtk_sphere *s) {
  int edge[nsds_vtk_sphere_points][3], edges = 0, count = s->nface;
  for (int f = 0; f < count; ++f) {
    int *at = s->face + 3 * f, a = at[0], b = at[1], c = at[2];
    int ab = between(s, a, b, edge, &edges), bc = between(s, b, c, edge, &edges);
    int ca = between(s, c, a, edge, &edges);
    const int outer[9] = {a, ab, ca, b, bc, ab, c, ca, bc};
    at[0] = ab;
    at[1] = bc;
    at[2] = ca;
    memcpy(s->face + 3 * s->nface, outer, sizeof outer);
    s->nface += 3;
  }
}

void nsds_vtk_sphere_make(nsds_vtk_sphere *sphere, int level) {
  icosahedron(sphere);
  for (int k = 1; k < level; ++k) refine_sphere(sphere);
}
