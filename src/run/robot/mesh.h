/*
 * Meshes of robots: STL in text and bytes, OBJ.
 */
#ifndef NSDS_RUN_MESH_H
#define NSDS_RUN_MESH_H

#include "run/robot/robot.h"

/* Points, each once, and triangles. */
typedef struct nsds_mesh {
  int nvertex, nface;
  double *vertex;
  int *face;
} nsds_mesh;

/* Reads a mesh; false after a failure. The memory of a mesh is the robot's. Names "package://name/path" and
 * "file://path" are looked for in the folder of the robot and the two folders above. */
bool nsds_mesh_read(nsds_robot *robot, const nsds_xml *at, const char *name, const double scale[3],
                    nsds_mesh *mesh);
/* The same for a mesh that is drawn alone. A file that is not there, or has another format, is a note; the call
 * returns false then. */
bool nsds_mesh_read_drawn(nsds_robot *robot, const nsds_xml *at, const char *name,
                          const double scale[3], nsds_mesh *mesh);
/* Scales the points of a mesh and checks them; false after a failure. */
bool nsds_mesh_finish(nsds_robot *robot, const nsds_xml *at, const char *name,
                      const double scale[3], nsds_mesh *mesh);
/* Makes a shape of a mesh: the convex hull, or triangles of the world. */
bool nsds_mesh_shape(nsds_robot *robot, const nsds_xml *at, const nsds_mesh *mesh,
                     nsds_robot_shape *shape);
/* Mass 1/density, center and inertia about the center, of a closed mesh of density 1. Returns the
 * volume, <= 0 if the mesh is not closed or its faces look inwards. */
double nsds_mesh_mass(const nsds_mesh *mesh, double center[3], double inertia[9]);

#endif
