/*
 * Meshes of robots as they are drawn, see mesh_draw.h. Fine meshes are made coarse. A grid of cubes covers
 * the mesh. All points of a cube become the first of them; faces with two corners in one cube go. The grid gets coarser by a fifth until few enough faces are left. Source: J. Rossignac, P. Borrel, Multi-
 * resolution 3D approximations for rendering complex scenes (1993).
 */
#include "run/robot/mesh_draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_drawn = 4000, most_tests = 4000000, finest = 512 };

/* No point lies outside of the plane of a face. */
static bool lies_behind(const nsds_mesh *mesh, int face, double slack) {
  const int *corner = mesh->face + 3 * face;
  const double *a = mesh->vertex + 3 * corner[0];
  double u[3], v[3], n[3];
  for (int i = 0; i < 3; ++i) {
    u[i] = mesh->vertex[3 * corner[1] + i] - a[i];
    v[i] = mesh->vertex[3 * corner[2] + i] - a[i];
  }
  nsds_pose_cross(u, v, n);
  double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  for (int k = 0; k < mesh->nvertex; ++k) {
    const double *x = mesh->vertex + 3 * k;
    double out = n[0] * (x[0] - a[0]) + n[1] * (x[1] - a[1]) + n[2] * (x[2] - a[2]);
    if (out > slack * length) return false;
  }
  return true;
}

/* The box around a mesh; returns its longest side. */
static double box_of(const nsds_mesh *mesh, double low[3]) {
  double longest = 0.0;
  for (int i = 0; i < 3; ++i) {
    double high = -INFINITY;
    low[i] = INFINITY;
    for (int k = 0; k < mesh->nvertex; ++k) {
      low[i] = fmin(low[i], mesh->vertex[3 * k + i]);
      high = fmax(high, mesh->vertex[3 * k + i]);
    }
    longest = fmax(longest, high - low[i]);
  }
  return longest;
}

bool nsds_mesh_is_convex(const nsds_mesh *mesh) {
  double low[3], slack = 1e-6 * box_of(mesh, low);
  if (mesh->nface < 4 || (double)mesh->nface * mesh->nvertex > most_tests) return false;
  for (int f = 0; f < mesh->nface; ++f)
    if (!lies_behind(mesh, f, slack)) return false;
  return true;
}

/* ---- coarse meshes ---- */

typedef struct grid_point {
  int cell, number;
} grid_point;

static int compare_cells(const void *a, const void *b) {
  const grid_point *p = a, *q = b;
  if (p->cell != q->cell) return p->cell < q->cell ? -1 : 1;
  return p->number - q->number;
}

/* Gives each point the first one in its cube; returns how many faces are left. */
static int join_points(const nsds_mesh *mesh, int cells, const double low[3], double longest,
                       grid_point *point, int *first) {
  int left = 0;
  for (int k = 0; k < mesh->nvertex; ++k) {
    int cell = 0;
    for (int i = 0; i < 3; ++i) {
      int at = longest > 0.0 ? (int)(cells * ((mesh->vertex[3 * k + i] - low[i]) / longest)) : 0;
      cell = cell * cells + (at < cells ? at : cells - 1);
    }
    point[k] = (grid_point){cell, k};
  }
  qsort(point, (size_t)mesh->nvertex, sizeof *point, compare_cells);
  for (int k = 0; k < mesh->nvertex; ++k)
    first[point[k].number] =
        k > 0 && point[k].cell == point[k - 1].cell ? first[point[k - 1].number] : point[k].number;
  for (int f = 0; f < mesh->nface; ++f) {
    const int *c = mesh->face + 3 * f;
    left += first[c[0]] != first[c[1]] && first[c[1]] != first[c[2]] && first[c[0]] != first[c[2]];
  }
  return left;
}

/* Keeps the faces whose corners stay apart, and the points that they use. */
static void keep_faces(const nsds_mesh *mesh, const int *first, int *place, nsds_mesh *coarse) {
  for (int k = 0; k < mesh->nvertex; ++k) place[k] = -1;
  for (int f = 0; f < mesh->nface; ++f) {
    const int *c = mesh->face + 3 * f, own[3] = {first[c[0]], first[c[1]], first[c[2]]};
    if (own[0] == own[1] || own[1] == own[2] || own[0] == own[2]) continue;
    for (int i = 0; i < 3; ++i) {
      if (place[own[i]] < 0) {
        place[own[i]] = coarse->nvertex;
        memcpy(coarse->vertex + 3 * coarse->nvertex++, mesh->vertex + 3 * own[i],
               3 * sizeof *coarse->vertex);
      }
      coarse->face[3 * coarse->nface + i] = place[own[i]];
    }
    ++coarse->nface;
  }
}

/* Makes a mesh of up to most_drawn faces; false after a failure. */
static bool mesh_make_coarse(nsds_robot *robot, const nsds_mesh *mesh, nsds_mesh *coarse) {
  double low[3], longest = box_of(mesh, low);
  size_t count = (size_t)mesh->nvertex;
  grid_point *point = nsds_robot_memory(robot, count, sizeof *point);
  int *first = nsds_robot_memory(robot, count, sizeof *first);
  int *place = nsds_robot_memory(robot, count, sizeof *place);
  if (robot->failed) return false;
  int left = mesh->nface;
  for (int cells = finest; cells > 1 && left > most_drawn; cells = cells * 4 / 5)
    left = join_points(mesh, cells, low, longest, point, first);
  coarse->vertex = nsds_robot_memory(robot, 9 * (size_t)left, sizeof *coarse->vertex);
  coarse->face = nsds_robot_memory(robot, 3 * (size_t)left, sizeof *coarse->face);
  if (robot->failed) return false;
  keep_faces(mesh, first, place, coarse);
  return true;
}

/* Faces without area have no normal; nothing is drawn of them. */
static void drop_slivers(nsds_mesh *mesh) {
  int left = 0;
  for (int f = 0; f < mesh->nface; ++f) {
    const int *c = mesh->face + 3 * f;
    double u[3], v[3], n[3];
    for (int i = 0; i < 3; ++i) {
      u[i] = mesh->vertex[3 * c[1] + i] - mesh->vertex[3 * c[0] + i];
      v[i] = mesh->vertex[3 * c[2] + i] - mesh->vertex[3 * c[0] + i];
    }
    nsds_pose_cross(u, v, n);
    double area = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    double side = u[0] * u[0] + u[1] * u[1] + u[2] * u[2] + v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    if (area > 1e-9 * side) memmove(mesh->face + 3 * left++, c, 3 * sizeof *c);
  }
  mesh->nface = left;
}

/* Rounds points to a hundred thousandth of the mesh, so that model files are shorter. */
static void round_points(nsds_mesh *mesh) {
  double low[3], longest = box_of(mesh, low);
  double per_unit = longest > 0.0 ? pow(10.0, ceil(5.0 - log10(longest))) : 1.0;
  for (int k = 0; k < 3 * mesh->nvertex; ++k)
    mesh->vertex[k] = round(mesh->vertex[k] * per_unit) / per_unit + 0.0;
}

bool nsds_mesh_draw(nsds_robot *robot, const nsds_xml *at, const nsds_mesh *mesh,
                    nsds_robot_shape *shape) {
  nsds_mesh drawn = *mesh, coarse = {0};
  if (robot->failed) return false;
  if (mesh->nface == 0 || nsds_mesh_is_convex(mesh)) return nsds_mesh_shape(robot, at, mesh, shape);
  if (mesh->nface > most_drawn) {
    if (!mesh_make_coarse(robot, mesh, &coarse)) return false;
    drawn = coarse;
    nsds_robot_note(robot, at, "the mesh has %d faces; it is drawn by %d", mesh->nface,
                    coarse.nface);
  }
  round_points(&drawn);
  drop_slivers(&drawn);
  if (drawn.nface == 0) {
    nsds_robot_note(robot, at, "the mesh is not drawn: its faces have no area");
    return false;
  }
  shape->kind = NSDS_ROBOT_TRIANGLES;
  shape->nvertex = drawn.nvertex;
  shape->vertex = drawn.vertex;
  shape->nface = drawn.nface;
  shape->face = drawn.face;
  return !robot->failed;
}
