/*
 * Convex hulls of meshes.
 */
#ifndef NSDS_RUN_MESH_HULL_H
#define NSDS_RUN_MESH_HULL_H

#include "run/robot/mesh.h"

/* Makes the hull of the points of a mesh: its vertices, and its faces as triangles that look outwards. Returns
 * false without libqhull, after a failure, and for points in a plane; *hull is empty then. */
bool nsds_mesh_hull(nsds_robot *robot, const nsds_mesh *mesh, nsds_mesh *hull);

#endif
