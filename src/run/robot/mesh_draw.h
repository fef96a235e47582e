/*
 * Meshes of robots as they are drawn.
 */
#ifndef NSDS_RUN_MESH_DRAW_H
#define NSDS_RUN_MESH_DRAW_H

#include "run/robot/mesh.h"

/* Tells if a mesh of faces is its own convex hull, as far as a short search can tell. */
bool nsds_mesh_is_convex(const nsds_mesh *mesh);
/* Makes the shape that draws a mesh: a hull where it is convex, else its triangles. A fine mesh is
 * drawn by fewer and larger faces; a note says so. False: nothing is to be drawn, or a failure. The mesh
 * may change. */
bool nsds_mesh_draw(nsds_robot *robot, const nsds_xml *at, const nsds_mesh *mesh,
                    nsds_robot_shape *shape);

#endif
