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
  for (const vertexT *v = qh->vertex_list; v && v->next; v = v->next)
    number[qh_pointid(qh, v->point)] = 1;
  for (int k = 0; k < mesh->nvertex; ++k) {
    if (!number[k]) continue;
    memcpy(hull->vertex + 3 * hull->nvertex, mesh->vertex + 3 * k, 3 * sizeof *hull->vertex);
    number[k] = ++hull->nvertex;
  }
}

/* Copies the facets, whose vertices stand clockwise seen from outside. */
static void copy_facets(qhT *qh, const int *number, nsds_mesh *hull) {
  for (facetT *f = qh->facet_list; f && f->next; f = f->next) {
    setT *corners = qh_facet3vertex(qh, f);
    int *face = hull->face + 3 * hull->nface;
    bool triangle = qh_setsize(qh, corners) == 3;
    for (int k = 0; triangle && k < 3; ++k)
      face[2 - k] = number[qh_pointid(qh, SETelemt_(corners, k, vertexT)->point)] - 1;
    qh_settempfree(qh, &corners);
    hull->nface += triangle;
  }
}
#endif

bool nsds_mesh_hull(nsds_robot *robot, const nsds_mesh *mesh, nsds_mesh *hull) {
  *hull = (nsds_mesh){0};
#if NSDS_HAVE_QHULL
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
#else
  (void)robot, (void)mesh;
  return false;
#endif
}
