/*
 * Convex hulls of meshes by libqhull, see mesh_hull.h. Facets are cut into triangles. A point of the hull keeps
 * its place in the order of the mesh.
 *
 * Source: C. Barber, D. Dobkin, H. Huhdanpaa, The quickhull algorithm for convex hulls, ACM Trans. Math.
 * Softw. 22 (1996).
 */
#include "run/robot/mesh_hull.h"

#if NSDS_HAVE_QHULL
#include <libqhull_r/qhull_ra.h>

#include <string.h>

/* Copies the vertices of the hull; number[k] becomes the place of point k among them, from 1. */
static void copy_vertices(qhT *qh, const nsds_mesh *mesh, int *number, nsds_mesh *hull) {
  vertexT *vertex;
  FORALLvertices number[qh_pointid(qh, vertex->point)] = 1;
  for (int k = 0; k < mesh->nvertex; ++k) {
    if (!number[k]) continue;
    memcpy(hull->vertex + 3 * hull->nvertex, mesh->vertex + 3 * k, 3 * sizeof *hull->vertex);
    number[k] = ++hull->nvertex;
  }
}

/* Copies the facets, whose vertices stand clockwise seen from outside. */
static void copy_facets(qhT *qh, const int *number, nsds_mesh *hull) {
  facetT *facet;
  vertexT *vertex, **vertexp;
  FORALLfacets {
    int face[3] = {0}, count = 0;
    setT *corners = qh_facet3vertex(qh, facet);
    FOREACHvertex_(corners) {
      if (count < 3) face[2 - count] = number[qh_pointid(qh, vertex->point)] - 1;
      ++count;
    }
    qh_settempfree(qh, &corners);
    if (count == 3) memcpy(hull->face + 3 * hull->nface++, face, sizeof face);
  }
}

bool nsds_mesh_hull(nsds_robot *robot, const nsds_mesh *mesh, nsds_mesh *hull) {
  *hull = (nsds_mesh){0};
  FILE *nowhere = mesh->nvertex >= 4 ? fopen("/dev/null", "w") : NULL;
  if (!nowhere) return false;
  char options[] = "qhull Qt Pp";
  qhT memory, *qh = &memory;
  int long_left, blocks_left;
  qh_zero(qh, nowhere);
  if (qh_new_qhull(qh, 3, mesh->nvertex, mesh->vertex, False, options, NULL, nowhere) == 0) {
    int *number = nsds_robot_memory(robot, (size_t)mesh->nvertex, sizeof *number);
    hull->vertex = nsds_robot_memory(robot, 3 * (size_t)qh->num_vertices, sizeof *hull->vertex);
    hull->face = nsds_robot_memory(robot, 3 * (size_t)qh->num_facets, sizeof *hull->face);
    if (!robot->failed) copy_vertices(qh, mesh, number, hull);
    if (!robot->failed) copy_facets(qh, number, hull);
  }
  qh_freeqhull(qh, !qh_ALL);
  qh_memfreeshort(qh, &long_left, &blocks_left);
  fclose(nowhere);
  return !robot->failed && hull->nface > 0;
}
#else
bool nsds_mesh_hull(nsds_robot *robot, const nsds_mesh *mesh, nsds_mesh *hull) {
  (void)robot;
  (void)mesh;
  *hull = (nsds_mesh){0};
  return false;
}
#endif
