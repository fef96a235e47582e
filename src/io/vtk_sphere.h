#ifndef NSDS_SRC_VTK_SPHERE_H
#define NSDS_SRC_VTK_SPHERE_H

#include <nsds/base.h>

enum { nsds_vtk_sphere_levels = 4, nsds_vtk_sphere_points = 642, nsds_vtk_sphere_faces = 1280 };

typedef struct nsds_vtk_sphere {
  int npoint, nface;
  double point[3 * nsds_vtk_sphere_points];
  int face[3 * nsds_vtk_sphere_faces];
} nsds_vtk_sphere;

/* Makes the unit sphere of a level, 1 to nsds_vtk_sphere_levels. */
void nsds_vtk_sphere_make(nsds_vtk_sphere *sphere, int level);

#endif
